//! Zones as exports write them: names of the tz database, abbreviations, offsets, and the names of one widespread web framework.

use crate::domain::time::{Fold, SECOND, Stamp};
use chrono::DateTime;
use chrono_tz::Tz;

/// A zone that a record names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedZone {
    Tz(Tz),
    /// Seconds east of UTC.
    Offset(i64),
}

/// Abbreviations of zones, in minutes east of UTC.
const ABBREVIATIONS: [(&str, i64); 36] = [
    ("UTC", 0),
    ("GMT", 0),
    ("Z", 0),
    ("WET", 0),
    ("WEST", 60),
    ("BST", 60),
    ("CET", 60),
    ("CEST", 120),
    ("MEZ", 60),
    ("MESZ", 120),
    ("EET", 120),
    ("EEST", 180),
    ("MSK", 180),
    ("MSD", 240),
    ("GST", 240),
    ("IST", 330),
    ("SGT", 480),
    ("HKT", 480),
    ("JST", 540),
    ("KST", 540),
    ("AEST", 600),
    ("AEDT", 660),
    ("NZST", 720),
    ("NZDT", 780),
    ("EST", -300),
    ("EDT", -240),
    ("CST", -360),
    ("CDT", -300),
    ("MST", -420),
    ("MDT", -360),
    ("PST", -480),
    ("PDT", -420),
    ("AKST", -540),
    ("AKDT", -480),
    ("HST", -600),
    ("BRT", -180),
];

/// Those of the abbreviations that mean another zone elsewhere (Israel, Ireland; China, Cuba; Bangladesh). They are read as India, central
/// America and British summer time, and the result says so.
const AMBIGUOUS: [&str; 3] = ["IST", "CST", "BST"];

/// Names that Ruby on Rails gives zones, as Square's exports carry them.
const RAILS: [(&str, Tz); 22] = [
    ("Hawaii", chrono_tz::Pacific::Honolulu),
    ("Alaska", chrono_tz::America::Juneau),
    ("Pacific Time (US & Canada)", chrono_tz::America::Los_Angeles),
    ("Arizona", chrono_tz::America::Phoenix),
    ("Mountain Time (US & Canada)", chrono_tz::America::Denver),
    ("Central Time (US & Canada)", chrono_tz::America::Chicago),
    ("Eastern Time (US & Canada)", chrono_tz::America::New_York),
    ("Indiana (East)", chrono_tz::America::Indiana::Indianapolis),
    ("Atlantic Time (Canada)", chrono_tz::America::Halifax),
    ("Newfoundland", chrono_tz::America::St_Johns),
    ("Brasilia", chrono_tz::America::Sao_Paulo),
    ("London", chrono_tz::Europe::London),
    ("Dublin", chrono_tz::Europe::Dublin),
    ("Lisbon", chrono_tz::Europe::Lisbon),
    ("Madrid", chrono_tz::Europe::Madrid),
    ("Paris", chrono_tz::Europe::Paris),
    ("Berlin", chrono_tz::Europe::Berlin),
    ("Moscow", chrono_tz::Europe::Moscow),
    ("Tokyo", chrono_tz::Asia::Tokyo),
    ("Sydney", chrono_tz::Australia::Sydney),
    ("Melbourne", chrono_tz::Australia::Melbourne),
    ("Brisbane", chrono_tz::Australia::Brisbane),
];

impl NamedZone {
    /// The zone that a text names; None for a text that names none.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let abbreviation = ABBREVIATIONS.iter().find(|(name, _)| *name == text);
        if let Some((_, minutes)) = abbreviation {
            return Some(Self::Offset(minutes * 60));
        }
        if let Some((_, zone)) = RAILS.iter().find(|(name, _)| *name == text) {
            return Some(Self::Tz(*zone));
        }
        let behind = text.strip_prefix("UTC").or_else(|| text.strip_prefix("GMT"));
        let offset = match behind {
            Some(hours) if hours.len() == 2 => offset_seconds(&format!("{}0{}", hours.get(..1)?, hours.get(1..)?)),
            Some(offset) => offset_seconds(offset),
            None => offset_seconds(text),
        };
        offset.map(Self::Offset).or_else(|| text.parse().ok().map(Self::Tz))
    }

    /// True for a text that may mean several zones.
    pub fn is_ambiguous(text: &str) -> bool {
        AMBIGUOUS.contains(&text.trim())
    }

    /// The instant of a wall clock time in this zone. None outside the years that 64 bits of nanoseconds can hold.
    pub fn instant(self, wall: Stamp) -> Option<Stamp> {
        match self {
            Self::Tz(zone) => {
                Stamp::from_local(DateTime::from_timestamp_nanos(wall.local_nanos).naive_utc(), wall.precision, zone)
            }
            Self::Offset(seconds) => {
                let nanos = wall.local_nanos.checked_sub(seconds.checked_mul(SECOND)?)?;
                Some(Stamp { nanos, fold: Fold::None, ..wall })
            }
        }
    }
}

/// Seconds east of UTC of `+03:00`, `+0300`, `+03`.
pub fn offset_seconds(text: &str) -> Option<i64> {
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits = text.get(1..)?;
    let (hours, minutes) = match digits.len() {
        2 => (digits, "00"),
        4 => digits.split_at_checked(2)?,
        5 => digits.split_once(':')?,
        _ => return None,
    };
    let number = |part: &str| {
        let is_number = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<i64>().ok()).flatten()
    };
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    (hours <= 18 && minutes <= 59).then_some(sign * (hours * 3_600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_as_exports_write_them() {
        assert_eq!(NamedZone::parse("PST"), Some(NamedZone::Offset(-8 * 3_600)));
        assert_eq!(NamedZone::parse("IST"), Some(NamedZone::Offset(19_800)));
        assert_eq!(NamedZone::parse(" Europe/Berlin "), Some(NamedZone::Tz(chrono_tz::Europe::Berlin)));
        assert_eq!(NamedZone::parse("Pacific Time (US & Canada)"), Some(NamedZone::Tz(chrono_tz::America::Los_Angeles)));
        assert_eq!(NamedZone::parse("UTC+3"), Some(NamedZone::Offset(10_800)));
        assert_eq!(NamedZone::parse("GMT+05:30"), Some(NamedZone::Offset(19_800)));
        for text in ["", "XYZ", "+25:00", "+1:00", "+3:005", "+003:5", "-8", "Pacific", "+0x"] {
            assert_eq!(NamedZone::parse(text), None, "{text}");
        }
    }
}
