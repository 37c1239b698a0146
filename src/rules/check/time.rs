//! Zones and time formats.

use crate::rules::draft::Words;
use crate::rules::pick::TimeFormat;
use crate::rules::problem::{Problems, did_you_mean, nearest, quoted};
use chrono::format::{Fixed, Item, Numeric, StrftimeItems};
use chrono_tz::Tz;

/// A zone of the tz database.
pub(super) fn zone(name: &Words, problems: &mut Problems<'_>) -> Option<Tz> {
    if let Ok(zone) = name.get_ref().parse() {
        return Some(zone);
    }
    let help = match nearest(name.get_ref(), chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name())) {
        Some(near) => format!("did you mean \"{near}\""),
        None => "write a name of the tz database, such as \"Europe/Moscow\" or \"UTC\"".into(),
    };
    problems.add(name.span(), format!("unknown zone {}", quoted(name.get_ref())), help);
    None
}

/// How the configuration writes each format that is a word.
pub(in crate::rules) const FORMAT_WORDS: [(&str, TimeFormat); 8] = [
    ("auto", TimeFormat::Detect),
    ("iso", TimeFormat::Iso),
    ("epoch", TimeFormat::Epoch),
    ("epoch_s", TimeFormat::EpochSeconds),
    ("epoch_ms", TimeFormat::EpochMilliseconds),
    ("epoch_us", TimeFormat::EpochMicroseconds),
    ("epoch_ns", TimeFormat::EpochNanoseconds),
    ("sequence", TimeFormat::Sequence),
];

/// A word, or a chrono format that tells at least a day; the year may come from `default_year`.
pub(super) fn format(text: &Words, default_year: Option<i32>, problems: &mut Problems<'_>) -> Option<TimeFormat> {
    let pattern = text.get_ref();
    if let Some((_, format)) = FORMAT_WORDS.iter().find(|(word, _)| word == pattern) {
        return Some(format.clone());
    }
    if !pattern.contains('%') {
        let message = format!("unknown time format {}", quoted(pattern));
        problems.add(text.span(), message, did_you_mean(pattern, FORMAT_WORDS.iter().map(|(word, _)| *word)));
        return None;
    }
    let items: Vec<Item<'_>> = StrftimeItems::new(pattern).collect();
    if items.contains(&Item::Error) {
        let message = format!("time format {} has a part that chrono does not know", quoted(pattern));
        problems.add(text.span(), message, "see the specifiers of chrono::format::strftime");
        return None;
    }
    if !items.iter().any(tells_day) {
        let message = format!("time format {} tells no day", quoted(pattern));
        problems.add(text.span(), message, "join a date column: from = [\"Date\", \"Time\"]");
    } else if default_year.is_none() && !items.iter().any(tells_year) {
        let message = format!("time format {} tells no year", quoted(pattern));
        problems.add(text.span(), message, "set default_year in [source.read]");
    }
    Some(TimeFormat::Pattern(pattern.clone()))
}

fn tells_instant(item: &Item<'_>) -> bool {
    matches!(item, Item::Numeric(Numeric::Timestamp, _) | Item::Fixed(Fixed::RFC3339 | Fixed::RFC2822))
}

fn tells_year(item: &Item<'_>) -> bool {
    tells_instant(item)
        || matches!(item, Item::Numeric(Numeric::Year | Numeric::YearMod100 | Numeric::IsoYear | Numeric::IsoYearMod100, _))
}

fn tells_day(item: &Item<'_>) -> bool {
    tells_instant(item)
        || matches!(item, Item::Numeric(Numeric::Day | Numeric::Ordinal | Numeric::NumDaysFromSun | Numeric::WeekdayFromMon, _))
}
