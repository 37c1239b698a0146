//! `clock_change`: a job ran at the old and at the new hour when the clocks changed.

use super::{Detector, Scene};
use crate::domain::explanation::{Explanation, Meaning};
use crate::domain::time::{DAY, Fold, SECOND, span_text};
use crate::domain::{Event, Precision};
use chrono::{DateTime, Offset, TimeZone};
use chrono_tz::Tz;

pub(super) const DETECTOR: Detector = Detector {
    explanation: Explanation {
        code: "clock_change",
        english: Meaning {
            title: "ran twice when the clocks changed",
            looks_for: "acts one hour apart, within a day of a clock change in the zone of the source",
            needs: "times to the minute, and the zone in which the jobs are scheduled (`zone`)",
            looks_alike: "an hourly job: its runs carry different periods, put the period into the fingerprint",
            what_to_do: "schedule in UTC, or let each run claim its business day under a unique key",
        },
        russian: Meaning {
            title: "прошло дважды при переводе часов",
            looks_for: "действия с разницей в час не дальше суток от перевода часов в поясе источника",
            needs: "время до минуты и пояс, в котором планируются задания (`zone`)",
            looks_alike: "ежечасное задание: у его запусков разные периоды, внесите период в отпечаток",
            what_to_do: "планируйте в UTC, или пусть каждый запуск занимает свой рабочий день под уникальным ключом",
        },
    },
    bits: 2.0,
    detect,
};

const HOUR: i64 = 3_600 * SECOND;
/// Schedulers start a run within moments of its time.
const SLACK: i64 = 90 * SECOND;

fn detect(scene: &Scene<'_>) -> Option<String> {
    let first = scene.events().next()?;
    let one_hour = |gap: i64| gap.abs_diff(HOUR) <= SLACK.unsigned_abs();
    if scene.acts.len() < 2 || !scene.gaps().all(one_hour) || scene.events().any(|event| event.time.precision <= Precision::Day) {
        return None;
    }
    let gap = span_text(scene.gaps().next()?);
    if scene.events().any(|event| event.time.fold == Fold::Repeated) {
        return Some(format!("{gap} apart, in the hour that happened twice when the clocks were set back"));
    }
    let zone = zones(scene, first).into_iter().find(|zone| changes_near(*zone, first.time.nanos))?;
    Some(format!("{gap} apart, within a day of a clock change in {zone}"))
}

fn zones(scene: &Scene<'_>, event: &Event) -> Vec<Tz> {
    let own = scene.facts.rules.sources.get(event.source).map(|source| source.map.time.zone);
    own.into_iter().chain([scene.facts.rules.zone]).collect()
}

/// True when the zone's offset a day later is not the one of a day before.
fn changes_near(zone: Tz, nanos: i64) -> bool {
    let offset = |nanos: i64| {
        let at = DateTime::from_timestamp_nanos(nanos).naive_utc();
        zone.offset_from_utc_datetime(&at).fix().local_minus_utc()
    };
    offset(nanos.saturating_sub(DAY)) != offset(nanos.saturating_add(DAY))
}
