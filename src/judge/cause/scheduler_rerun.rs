//! `scheduler_rerun`: a scheduler ran one period twice.

use super::{Detector, Scene};
use crate::domain::explanation::{Explanation, Meaning};
use crate::domain::time::span_text;
use crate::judge::field::is_called;

pub(super) const DETECTOR: Detector = Detector {
    explanation: Explanation {
        code: "scheduler_rerun",
        english: Meaning {
            title: "one period ran twice",
            looks_for: "several acts for one value of a period: a fingerprint field such as period, business_day, \
                    data_interval or scheduled_time",
            needs: "the period that a run is for, as a named field in the fingerprint",
            looks_alike: "a correction run that was ordered by hand: its effects should have been reversed first",
            what_to_do: "let each run claim its period under a unique key before it acts; look for two schedulers and for \
                     catch-up settings",
        },
        russian: Meaning {
            title: "один период прошёл дважды",
            looks_for: "несколько действий за одно значение периода: поле отпечатка вроде period, business_day, \
                data_interval или scheduled_time",
            needs: "период, за который идёт запуск, как именованное поле в отпечатке",
            looks_alike: "исправляющий запуск, заказанный вручную: его эффекты сначала следовало отменить",
            what_to_do: "пусть каждый запуск занимает свой период под уникальным ключом, прежде чем действовать; поищите \
                второй планировщик и настройку догоняющих запусков",
        },
    },
    bits: 1.5,
    detect,
};

/// Names of a period, without their dress. A bare `date` is any date.
const PERIODS: [&str; 18] = [
    "period",
    "billingperiod",
    "periodstart",
    "businessday",
    "businessdate",
    "interval",
    "datainterval",
    "dataintervalstart",
    "logicaldate",
    "executiondate",
    "scheduled",
    "scheduledtime",
    "scheduledfor",
    "scheduledat",
    "month",
    "cycle",
    "billingcycle",
    "rundate",
];

fn detect(scene: &Scene<'_>) -> Option<String> {
    let span = span_text(scene.span()?);
    let (name, value) = scene.fingerprint().find(|(name, _)| is_called(name, &PERIODS))?;
    Some(format!("{name} {value} ran {} times within {span}", scene.acts.len()))
}
