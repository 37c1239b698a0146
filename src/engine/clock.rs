//! Times as records give them, read with the precision they were written in.

use super::zones::{NamedZone, offset_seconds};
use crate::domain::time::{DAY, Fold, Precision, SECOND, Stamp};
use crate::rules::DateOrder;
use crate::rules::pick::TimeFormat;
use chrono::format::{Item, Parsed, StrftimeItems};
use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use chrono_tz::Tz;
use std::fmt;

/// What the dates seen so far say about their column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderEvidence {
    /// A first number above 12.
    pub day_first: bool,
    /// A second number above 12.
    pub month_first: bool,
    /// A date that can be both; of several the first in the order of texts, so that merging is free of order.
    pub ambiguous: Option<AmbiguousDate>,
}

/// A date whose day and month could change places, as it is written: `05/06/2027`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AmbiguousDate {
    /// Padded with zero bytes.
    text: [u8; Self::LONGEST],
    /// The first and the second number, each from 1 to 12.
    months: [u8; 2],
}

impl AmbiguousDate {
    const LONGEST: usize = 10;

    /// None for a text longer than two numbers of two digits, a year of four and the marks between them.
    fn new(written: &str, months: [u32; 2]) -> Option<Self> {
        let mut text = [0; Self::LONGEST];
        text.get_mut(..written.len())?.copy_from_slice(written.as_bytes());
        Some(Self { text, months: months.map(|month| month as u8) })
    }
}

/// `05/06/2027 is in June or in May`: as day first, then as month first.
impl fmt::Display for AmbiguousDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 12] = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        let name = |month: u8| NAMES.get(usize::from(month).wrapping_sub(1)).copied().unwrap_or("no month");
        let text = std::str::from_utf8(&self.text).unwrap_or_default().trim_end_matches('\0');
        let [first, second] = self.months;
        write!(f, "{text} is in {} or in {}", name(second), name(first))
    }
}

impl OrderEvidence {
    fn see_ambiguous(&mut self, seen: Option<AmbiguousDate>) {
        self.ambiguous = match (self.ambiguous, seen) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
    }

    pub fn merge(&mut self, other: Self) {
        self.day_first |= other.day_first;
        self.month_first |= other.month_first;
        self.see_ambiguous(other.ambiguous);
    }
}

/// Why a time cannot be read; the sentence continues after the quoted value.
pub type TimeTrouble = &'static str;

const UNREADABLE: TimeTrouble = "is not a time; set source.map.time.format";
const NO_YEAR: TimeTrouble = "has no year; set source.read.default_year";
pub const OUT_OF_RANGE: TimeTrouble = "is outside the years 1678 to 2261";
const UNKNOWN_ZONE: TimeTrouble = "names a zone that is not known; set source.map.time.format and source.map.time.zone";
const IMPOSSIBLE: TimeTrouble = "is not a date of the calendar";
const PLAIN_NUMBER: TimeTrouble = "is a number that would be a time before 1990; set source.map.time.format: epoch_s for seconds since 1970, \
                                   sequence for the number of a record, a pattern such as %Y%m%d for a date; let a spreadsheet write its \
                                   day numbers as dates";

/// 1990-01-01, in nanoseconds since 1970. Under `auto`, a plain number that would be an earlier time is a year, a day number of a spreadsheet
/// or a count, and no time.
const NUMBERS_ARE_TIMES_FROM: i64 = 631_152_000 * SECOND;

/// Reads the times of one source.
#[derive(Debug)]
pub struct TimeReader {
    formats: Vec<ReadFormat>,
    zone: Tz,
    default_year: Option<i32>,
    order: DateOrder,
}

/// A format, ready to read.
#[derive(Debug)]
enum ReadFormat {
    Word(TimeFormat),
    Pattern(Vec<Item<'static>>),
    /// A pattern that ends with the name of a zone (`%Z`), which chrono passes over.
    PatternAndZone(Vec<Item<'static>>),
}

impl ReadFormat {
    /// A pattern that chrono cannot parse was refused when the configuration was checked; here it reads nothing.
    fn new(format: &TimeFormat) -> Self {
        let items = |pattern: &str| StrftimeItems::new(pattern).parse_to_owned().unwrap_or_default();
        match format {
            TimeFormat::Pattern(pattern) => match pattern.strip_suffix("%Z") {
                Some(pattern) => Self::PatternAndZone(items(pattern.trim_end())),
                None => Self::Pattern(items(pattern)),
            },
            word => Self::Word(word.clone()),
        }
    }
}

impl TimeReader {
    pub fn new(formats: &[TimeFormat], zone: Tz, default_year: Option<i32>, order: DateOrder) -> Self {
        Self { formats: formats.iter().map(ReadFormat::new).collect(), zone, default_year, order }
    }

    /// Reads one value by the first format that can; blanks around it do not matter. The trouble told is that of the last format.
    #[inline]
    pub fn read(&self, text: &str, evidence: &mut OrderEvidence) -> Result<TimeRead, TimeTrouble> {
        let text = trimmed(text);
        let mut trouble = UNREADABLE;
        for format in &self.formats {
            match self.read_as(format, text, evidence) {
                Err(other) => trouble = other,
                read => return read,
            }
        }
        Err(trouble)
    }

    #[inline]
    fn read_as(&self, format: &ReadFormat, text: &str, evidence: &mut OrderEvidence) -> Result<TimeRead, TimeTrouble> {
        match format {
            ReadFormat::Pattern(items) => self.pattern(text, items),
            ReadFormat::PatternAndZone(items) => self.pattern_and_zone(text, items),
            ReadFormat::Word(word) => match word {
                TimeFormat::Iso => self.iso(text).unwrap_or(Err(UNREADABLE)),
                TimeFormat::Epoch => self.epoch(text, None),
                TimeFormat::EpochSeconds => self.epoch(text, Some(0)),
                TimeFormat::EpochMilliseconds => self.epoch(text, Some(3)),
                TimeFormat::EpochMicroseconds => self.epoch(text, Some(6)),
                TimeFormat::EpochNanoseconds => self.epoch(text, Some(9)),
                TimeFormat::Sequence => sequence(text),
                TimeFormat::Detect | TimeFormat::Pattern(_) => self.detect(text, evidence),
            },
        }
    }

    fn detect(&self, text: &str, evidence: &mut OrderEvidence) -> Result<TimeRead, TimeTrouble> {
        if let Some(stamp) = self.iso(text) {
            return stamp;
        }
        if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && text.matches('.').count() <= 1 {
            return self.plain_number(text);
        }
        self.day_month_year(text, evidence)
    }

    /// `20260301`, `20260301101500`, or a number since 1970 whose unit its size tells.
    fn plain_number(&self, text: &str) -> Result<TimeRead, TimeTrouble> {
        if let Some(read) = self.basic_iso(text) {
            return read;
        }
        self.epoch(text, None)
            .and_then(|read| if read.stamp.nanos < NUMBERS_ARE_TIMES_FROM { Err(PLAIN_NUMBER) } else { Ok(read) })
    }

    /// The basic format of ISO 8601 without its `T`: `YYYYMMDD`, or `YYYYMMDDhhmmss`, of the years 1900 to 2199. None for any other text.
    fn basic_iso(&self, text: &str) -> Option<Result<TimeRead, TimeTrouble>> {
        let bytes = text.as_bytes();
        let year = digits::<4>(bytes, 0).filter(|year| (1900..2200).contains(year))?;
        let date = NaiveDate::from_ymd_opt(year as i32, digits::<2>(bytes, 4)?, digits::<2>(bytes, 6)?)?;
        match bytes.len() {
            8 => Some(self.local(date.and_time(NaiveTime::MIN), Precision::Day)),
            14 => {
                let time = NaiveTime::from_hms_opt(digits::<2>(bytes, 8)?, digits::<2>(bytes, 10)?, digits::<2>(bytes, 12)?)?;
                Some(self.local(date.and_time(time), Precision::Second))
            }
            _ => None,
        }
    }

    /// `2025-03-11T10:12:42[.123456789][Z|+03:00|+0300|+03]`, blank for `T`, comma for the dot, seconds or the whole time of day
    /// absent. None when the text does not begin like that.
    #[inline]
    fn iso(&self, text: &str) -> Option<Result<TimeRead, TimeTrouble>> {
        if self.zone == Tz::UTC
            && let Some((days, seconds, nanos)) = zulu(text)
        {
            return Some(utc(days, seconds, nanos, Precision::Millisecond));
        }
        let bytes = text.as_bytes();
        let year = digits::<4>(bytes, 0)?;
        let month = digits::<2>(bytes, 5)?;
        let day = digits::<2>(bytes, 8)?;
        if bytes.get(4) != Some(&b'-') || bytes.get(7) != Some(&b'-') {
            return None;
        }
        let Some(date) = NaiveDate::from_ymd_opt(year as i32, month, day) else {
            return Some(Err(IMPOSSIBLE));
        };
        if bytes.len() == 10 {
            return Some(self.local(date.and_time(NaiveTime::MIN), Precision::Day));
        }
        if !matches!(bytes.get(10), Some(b'T' | b't' | b' ')) {
            return None;
        }
        Some(match time_of_day(text.get(11..).unwrap_or_default()) {
            // What most logs write needs no calendar beyond the number of the day.
            Some((seconds, nanos, precision, "Z")) if self.zone == Tz::UTC => {
                utc(i64::from(date.num_days_from_ce()) - DAYS_BEFORE_1970, seconds, nanos, precision)
            }
            Some((seconds, nanos, precision, rest)) => {
                self.with_offset(local_time(date, seconds, nanos), precision, rest.trim_start())
            }
            None => Err(UNREADABLE),
        })
    }

    fn with_offset(&self, local: NaiveDateTime, precision: Precision, rest: &str) -> Result<TimeRead, TimeTrouble> {
        match rest {
            "" => self.local(local, precision),
            "Z" | "z" | "UTC" | "GMT" => self.instant(local.and_utc(), precision),
            _ => {
                let seconds = offset_seconds(rest).ok_or(UNREADABLE)?;
                self.instant((local - TimeDelta::seconds(seconds)).and_utc(), precision)
            }
        }
    }

    /// A number since 1970; `exponent` is the power of ten of the unit below the second, None: told by size.
    fn epoch(&self, text: &str, exponent: Option<u32>) -> Result<TimeRead, TimeTrouble> {
        let negative = text.starts_with('-');
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        if whole.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
            return Err(UNREADABLE);
        }
        let number: i128 = whole.parse().map_err(|_| OUT_OF_RANGE)?;
        let exponent = exponent.unwrap_or(match number {
            ..100_000_000_000 => 0,
            100_000_000_000..100_000_000_000_000 => 3,
            100_000_000_000_000..100_000_000_000_000_000 => 6,
            _ => 9,
        });
        let below = (9 - exponent) as usize;
        let mut nanos = number.checked_mul(10i128.pow(below as u32)).ok_or(OUT_OF_RANGE)?;
        for (place, digit) in fraction.bytes().take(below).enumerate() {
            nanos += i128::from(digit - b'0') * 10i128.pow((below - 1 - place) as u32);
        }
        let nanos = i64::try_from(if negative { -nanos } else { nanos }).map_err(|_| OUT_OF_RANGE)?;
        let precision = Precision::of_fraction(exponent as usize + fraction.len());
        self.instant(DateTime::<Utc>::from_timestamp_nanos(nanos), precision)
    }

    /// The last word of the text names the zone: `7/9/2026, 7:05:31 AM EST`.
    fn pattern_and_zone(&self, text: &str, items: &[Item<'static>]) -> Result<TimeRead, TimeTrouble> {
        let (time, zone) = text.rsplit_once(' ').ok_or(UNREADABLE)?;
        let named = NamedZone::parse(zone).ok_or(UNKNOWN_ZONE)?;
        let wall = self.pattern(time.trim_end(), items)?.stamp;
        Ok(TimeRead { stamp: named.instant(wall).ok_or(OUT_OF_RANGE)?, zone: ZoneOf::named(zone) })
    }

    fn pattern(&self, text: &str, items: &[Item<'static>]) -> Result<TimeRead, TimeTrouble> {
        let mut parsed = Parsed::new();
        chrono::format::parse(&mut parsed, text, items.iter()).map_err(|_| UNREADABLE)?;
        if let Some(timestamp) = parsed.timestamp() {
            let at = DateTime::<Utc>::from_timestamp(timestamp, parsed.nanosecond().unwrap_or(0)).ok_or(OUT_OF_RANGE)?;
            return self.instant(at, Precision::Second);
        }
        let date = self.parsed_date(&mut parsed)?;
        let precision = match (parsed.minute(), parsed.second(), parsed.nanosecond()) {
            (None, ..) if parsed.hour_mod_12().is_none() => return self.local(date.and_time(NaiveTime::MIN), Precision::Day),
            (_, None, _) => Precision::Minute,
            (_, _, None) => Precision::Second,
            (_, _, Some(nanos)) if nanos % 1_000_000 == 0 => Precision::Millisecond,
            (_, _, Some(nanos)) if nanos % 1_000 == 0 => Precision::Microsecond,
            _ => Precision::Nanosecond,
        };
        if parsed.minute().is_none() {
            parsed.set_minute(0).map_err(|_| UNREADABLE)?;
        }
        let local = date.and_time(parsed.to_naive_time().map_err(|_| UNREADABLE)?);
        match parsed.offset() {
            Some(seconds) => self.instant((local - TimeDelta::seconds(i64::from(seconds))).and_utc(), precision),
            None => self.local(local, precision),
        }
    }

    fn parsed_date(&self, parsed: &mut Parsed) -> Result<NaiveDate, TimeTrouble> {
        let has_year = parsed.year().is_some()
            || parsed.year_mod_100().is_some()
            || parsed.isoyear().is_some()
            || parsed.isoyear_mod_100().is_some();
        if !has_year {
            let year = self.default_year.ok_or(NO_YEAR)?;
            parsed.set_year(i64::from(year)).map_err(|_| UNREADABLE)?;
        }
        parsed.to_naive_date().map_err(|_| IMPOSSIBLE)
    }

    /// `31.12.2025`, `12/31/2025`, `31-12-2025`, with an optional time of day. Dots are day first; the others the column decides.
    fn day_month_year(&self, text: &str, evidence: &mut OrderEvidence) -> Result<TimeRead, TimeTrouble> {
        let (date_text, rest) = match text.find([' ', 'T', ',']) {
            Some(at) => (text.get(..at).unwrap_or(text), text.get(at..).unwrap_or_default().trim_start_matches([' ', 'T', ','])),
            None => (text, ""),
        };
        let mark = date_text.chars().find(|c| !c.is_ascii_digit()).filter(|c| ['.', '/', '-'].contains(c)).ok_or(UNREADABLE)?;
        let mut parts = date_text.split(mark);
        let (Some(first), Some(second), Some(year), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
            return Err(UNREADABLE);
        };
        let number = |part: &str, lengths: std::ops::RangeInclusive<usize>| {
            let fits = lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
            if fits { part.parse::<u32>().map_err(|_| UNREADABLE) } else { Err(UNREADABLE) }
        };
        let (first, second, year) = (number(first, 1..=2)?, number(second, 1..=2)?, number(year, 4..=4)?);
        let day_first = match (first > 12, second > 12) {
            _ if mark == '.' => true,
            (true, _) => {
                evidence.day_first = true;
                true
            }
            (false, true) => {
                evidence.month_first = true;
                false
            }
            (false, false) => {
                if first != second && first > 0 && second > 0 {
                    evidence.see_ambiguous(AmbiguousDate::new(date_text, [first, second]));
                }
                self.order == DateOrder::DayFirst
            }
        };
        let (day, month) = if day_first { (first, second) } else { (second, first) };
        let date = NaiveDate::from_ymd_opt(year as i32, month, day).ok_or(IMPOSSIBLE)?;
        if rest.is_empty() {
            return self.local(date.and_time(NaiveTime::MIN), Precision::Day);
        }
        let (seconds, nanos, precision, rest) = time_of_day(rest).ok_or(UNREADABLE)?;
        self.with_offset(local_time(date, seconds, nanos), precision, rest.trim_start())
    }

    fn local(&self, local: NaiveDateTime, precision: Precision) -> Result<TimeRead, TimeTrouble> {
        let stamp = match self.zone {
            Tz::UTC => utc_stamp(local.and_utc(), precision),
            zone => Stamp::from_local(local, precision, zone),
        };
        Ok(TimeRead { stamp: stamp.ok_or(OUT_OF_RANGE)?, zone: ZoneOf::Source })
    }

    fn instant(&self, at: DateTime<Utc>, precision: Precision) -> Result<TimeRead, TimeTrouble> {
        let stamp = match self.zone {
            Tz::UTC => utc_stamp(at, precision),
            zone => Stamp::from_instant(at, precision, zone),
        };
        Ok(TimeRead { stamp: stamp.ok_or(OUT_OF_RANGE)?, zone: ZoneOf::Value })
    }
}

impl ZoneOf {
    /// Of a time whose record names its zone.
    pub fn named(zone: &str) -> Self {
        if NamedZone::is_ambiguous(zone) { Self::Ambiguous } else { Self::Value }
    }
}

/// The ordinal of a record: as many seconds after the first as there are records between them, and no time at all.
fn sequence(text: &str) -> Result<TimeRead, TimeTrouble> {
    // From here on a number is a time of this century in seconds, not a place in a log.
    const TIMES_FROM: u32 = 1_000_000_000;
    let number = text.parse().ok().filter(|number| *number < TIMES_FROM).ok_or(UNREADABLE)?;
    Ok(TimeRead { stamp: Stamp::from_sequence(number), zone: ZoneOf::Value })
}

/// Seconds may go one beyond the day: a leap second.
fn local_time(date: NaiveDate, seconds: u32, nanos: i64) -> NaiveDateTime {
    date.and_time(NaiveTime::MIN) + TimeDelta::seconds(i64::from(seconds)) + TimeDelta::nanoseconds(nanos)
}

/// From the first day of the year 1, which is day 1.
const DAYS_BEFORE_1970: i64 = 719_163;

/// An instant named in UTC, read in UTC.
fn utc(days: i64, seconds: u32, nanos: i64, precision: Precision) -> Result<TimeRead, TimeTrouble> {
    let since =
        days.checked_mul(DAY).and_then(|since| since.checked_add(i64::from(seconds) * SECOND + nanos)).ok_or(OUT_OF_RANGE)?;
    let stamp = Stamp { nanos: since, local_nanos: since, precision, fold: Fold::None };
    Ok(TimeRead { stamp, zone: ZoneOf::Value })
}

/// The short way for the zone that nearly all logs keep.
fn utc_stamp(at: DateTime<Utc>, precision: Precision) -> Option<Stamp> {
    let nanos = at.timestamp_nanos_opt()?;
    Some(Stamp { nanos, local_nanos: nanos, precision, fold: Fold::None })
}

/// A time, and who said in which zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeRead {
    pub stamp: Stamp,
    pub zone: ZoneOf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneOf {
    /// The value names an instant.
    Value,
    /// The value names a zone by an abbreviation with several meanings.
    Ambiguous,
    /// The value is a wall clock; the zone of its source was taken.
    Source,
}

/// True when a format reads every one of these values, whichever way round ambiguous dates are.
pub fn reads_all<'t>(format: &TimeFormat, values: impl IntoIterator<Item = &'t str>) -> bool {
    let reader = |order| TimeReader::new(std::slice::from_ref(format), Tz::UTC, None, order);
    let readers = [reader(DateOrder::DayFirst), reader(DateOrder::MonthFirst)];
    values.into_iter().all(|value| readers.iter().any(|reader| reader.read(value, &mut OrderEvidence::default()).is_ok()))
}

/// The text without blanks around it; `str::trim` looks at characters, which costs more than reading the rest of a time.
fn trimmed(text: &str) -> &str {
    match text.as_bytes() {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
        _ => text.trim(),
    }
}

/// Days since 1970-01-01 of a date; None for one that the calendar does not have.
#[inline]
fn day_number(year: u32, month: u32, day: u32) -> Option<i64> {
    /// Days of a usual year before each month, and before the next year.
    const BEFORE: [u32; 13] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let at = month.checked_sub(1)? as usize;
    let (before, after) = (*BEFORE.get(at)?, *BEFORE.get(at + 1)?);
    if day == 0 || day > after - before + u32::from(is_leap && month == 2) {
        return None;
    }
    let years = i64::from(year) - 1;
    let before_year = years * 365 + years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400);
    Some(before_year + i64::from(before + u32::from(is_leap && month > 2) + day) - DAYS_BEFORE_1970)
}

/// Days since 1970, seconds since midnight and nanoseconds of `2025-03-11T10:12:42.123Z`, which is how most logs write a time. None for any other
/// text, and for what is no time of day or of the calendar.
#[inline]
fn zulu(text: &str) -> Option<(i64, u32, i64)> {
    let bytes: [u8; 24] = text.as_bytes().try_into().ok()?;
    #[rustfmt::skip]
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1, b'T', h0, h1, b':', n0, n1, b':', s0, s1, b'.', f0, f1, f2, b'Z'] = bytes else {
        return None;
    };
    let digits = [y0, y1, y2, y3, m0, m1, d0, d1, h0, h1, n0, n1, s0, s1, f0, f1, f2].map(|byte| byte.wrapping_sub(b'0'));
    if digits.iter().fold(0, |most, digit| most.max(*digit)) > 9 {
        return None;
    }
    let [y0, y1, y2, y3, m0, m1, d0, d1, h0, h1, n0, n1, s0, s1, f0, f1, f2] = digits.map(u32::from);
    let (hour, minute, second) = (h0 * 10 + h1, n0 * 10 + n1, s0 * 10 + s1);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let year = y0 * 1000 + y1 * 100 + y2 * 10 + y3;
    let days = day_number(year, m0 * 10 + m1, d0 * 10 + d1)?;
    let milliseconds = i64::from(f0 * 100 + f1 * 10 + f2);
    Some((days, hour * 3600 + minute * 60 + second, milliseconds * 1_000_000))
}

/// The number of `N` ASCII digits at `at`; None where there are fewer.
#[inline]
fn digits<const N: usize>(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..)?.first_chunk::<N>()?.map(|byte| u32::from(byte.wrapping_sub(b'0')));
    digits.iter().all(|digit| *digit <= 9).then(|| digits.iter().fold(0, |number, digit| number * 10 + digit))
}

/// `10:12[:42[.123]]`: seconds since midnight, nanoseconds, precision, and what follows. 24:00 and beyond is no time of day; second 60
/// (a leap second) is the first of the next minute.
#[inline]
fn time_of_day(text: &str) -> Option<(u32, i64, Precision, &str)> {
    let bytes = text.as_bytes();
    let wide = usize::from(bytes.get(1) != Some(&b':')) + 1;
    let hour = if wide == 2 { digits::<2>(bytes, 0)? } else { digits::<1>(bytes, 0)? };
    let minute = digits::<2>(bytes, wide + 1)?;
    if bytes.get(wide) != Some(&b':') || hour > 23 || minute > 59 {
        return None;
    }
    let mut at = wide + 3;
    if bytes.get(at) != Some(&b':') {
        return Some((hour * 3600 + minute * 60, 0, Precision::Minute, text.get(at..)?));
    }
    let second = digits::<2>(bytes, at + 1).filter(|second| *second <= 60)?;
    at += 3;
    let (mut nanos, mut precision) = (0, Precision::Second);
    if matches!(bytes.get(at), Some(b'.' | b',')) {
        let (mut fraction, mut unit) = (0, SECOND);
        for digit in bytes.get(at + 1..)?.iter().map(|byte| byte.wrapping_sub(b'0')).take_while(|digit| *digit <= 9) {
            fraction += 1;
            // Nothing is left of the unit beyond nanoseconds.
            unit /= 10;
            nanos += i64::from(digit) * unit;
        }
        if fraction == 0 {
            return None;
        }
        precision = Precision::of_fraction(fraction);
        at += 1 + fraction;
    }
    Some((hour * 3600 + minute * 60 + second, nanos, precision, text.get(at..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(format: TimeFormat, zone: Tz, text: &str) -> Result<String, TimeTrouble> {
        let reader = TimeReader::new(&[format], zone, Some(2025), DateOrder::DayFirst);
        reader.read(text, &mut OrderEvidence::default()).map(|read| read.stamp.to_text())
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for year in (0..=400).chain(1580..=2420).chain([4000, 9999]) {
            for (month, day) in (0..=13).flat_map(|month| (0..=32).map(move |day| (month, day))) {
                let date = NaiveDate::from_ymd_opt(year as i32, month, day);
                let days = date.map(|date| i64::from(date.num_days_from_ce()) - DAYS_BEFORE_1970);
                assert_eq!(day_number(year, month, day), days, "{year}-{month}-{day}");
            }
        }
    }

    #[test]
    fn iso_in_all_its_forms() {
        for (text, told) in [
            ("2025-03-11T10:12:42+00:00", "2025-03-11T10:12:42Z"),
            ("2026-04-10 08:30:00.120Z", "2026-04-10T08:30:00.120Z"),
            ("2025-04-01T15:00:02.000+0000", "2025-04-01T15:00:02.000Z"),
            ("2025-11-18 17:12:08,902", "2025-11-18T14:12:08.902Z"),
            ("2025-03-11T10:12", "2025-03-11T07:12:00Z"),
            ("2025-03-11T10:12:42.123456789+03", "2025-03-11T07:12:42.123456789Z"),
            ("2025-12-31T23:59:60Z", "2026-01-01T00:00:00Z"),
            ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
            ("2025-03-11", "2025-03-11"),
        ] {
            assert_eq!(read(TimeFormat::Iso, chrono_tz::Europe::Moscow, text).as_deref(), Ok(told), "{text}");
        }
        for text in [
            "2025-02-30",
            "2025-13-01T00:00:00Z",
            "2025-03-11T24:00:00Z",
            "2025-03-11T10:12:42.Z",
            "11.03.2025",
            "",
            "2025-03-11T1",
        ] {
            assert!(read(TimeFormat::Iso, Tz::UTC, text).is_err(), "{text}");
        }
    }

    /// The short way and the long way are one.
    #[test]
    fn utc_is_read_alike_in_every_zone() {
        for text in [
            "1969-12-31T23:59:59.5Z",
            "1969-12-31T23:59:59.500Z",
            "2024-02-29T00:00:00Z",
            "2024-02-29T09:08:07.065Z",
            "2025-12-31T23:59:60Z",
            "2025-12-31T23:59:60.001Z",
            "1678-01-01T00:00:00.000000001Z",
        ] {
            let long = read(TimeFormat::Iso, chrono_tz::Europe::Moscow, text);
            assert!(long.is_ok(), "{text}");
            assert_eq!(read(TimeFormat::Iso, Tz::UTC, text), long, "{text}");
        }
        for text in
            ["2025-02-29T00:00:00.000Z", "2025-01-01T24:00:00.000Z", "2025-01-01T00:60:00.000Z", "2025-01-01T00:00:0:.000Z"]
        {
            assert!(read(TimeFormat::Iso, Tz::UTC, text).is_err(), "{text}");
        }
        assert_eq!(read(TimeFormat::Iso, Tz::UTC, "2300-01-01T00:00:00.000Z"), Err(OUT_OF_RANGE));
        assert_eq!(read(TimeFormat::Iso, Tz::UTC, "2300-01-01T00:00:00Z"), Err(OUT_OF_RANGE));
        assert_eq!(read(TimeFormat::Iso, Tz::UTC, "1600-01-01T00:00:00Z"), Err(OUT_OF_RANGE));
    }

    #[test]
    fn epochs_by_size() {
        for (text, told) in [
            ("1767261600", "2026-01-01T10:00:00Z"),
            ("1767261603120", "2026-01-01T10:00:03.120Z"),
            ("1767261605.870", "2026-01-01T10:00:05.870Z"),
            ("1767262000000000", "2026-01-01T10:06:40.000000Z"),
            ("1767262000000000001", "2026-01-01T10:06:40.000000001Z"),
            ("-1", "1969-12-31T23:59:59Z"),
        ] {
            assert_eq!(read(TimeFormat::Epoch, Tz::UTC, text).as_deref(), Ok(told), "{text}");
        }
        for text in ["", "12a", "1.2.3", "99999999999999999999999999", "٣"] {
            assert!(read(TimeFormat::Epoch, Tz::UTC, text).is_err(), "{text}");
        }
    }

    #[test]
    fn plain_numbers_are_dates_or_times_of_computers() {
        for (text, told) in [
            ("20260301", "2026-03-01"),
            ("19000101", "1900-01-01"),
            ("20260301101500", "2026-03-01T07:15:00Z"),
            ("631152000", "1990-01-01T00:00:00Z"),
            ("1767261603120", "2026-01-01T10:00:03.120Z"),
            ("1767261605.870", "2026-01-01T10:00:05.870Z"),
        ] {
            assert_eq!(read(TimeFormat::Detect, chrono_tz::Europe::Moscow, text).as_deref(), Ok(told), "{text}");
        }
        for text in
            ["46082", "46082.5", "2026", "20261301", "20260230", "631151999", "631151999.9", "631151999999", "202603011015", "7"]
        {
            assert_eq!(read(TimeFormat::Detect, Tz::UTC, text), Err(PLAIN_NUMBER), "{text}");
        }
        for format in [TimeFormat::Epoch, TimeFormat::EpochSeconds] {
            assert_eq!(read(format, Tz::UTC, "20260301").as_deref(), Ok("1970-08-23T11:51:41Z"), "what was asked for");
        }
    }

    #[test]
    fn patterns() {
        let pattern = |text: &str| TimeFormat::Pattern(text.into());
        assert_eq!(read(pattern("%b %d %H:%M:%S"), Tz::UTC, "Jul  9 06:31:20").as_deref(), Ok("2025-07-09T06:31:20Z"));
        assert_eq!(read(pattern("%m/%d/%Y"), Tz::UTC, "03/04/2025").as_deref(), Ok("2025-03-04"));
        assert_eq!(
            read(pattern("%Y-%m-%d %H:%M:%S,%3f"), Tz::UTC, "2025-11-18 17:12:08,902").as_deref(),
            Ok("2025-11-18T17:12:08.902Z")
        );
        assert_eq!(
            read(pattern("%Y-%m-%d %H:%M:%S%.f"), Tz::UTC, "2025-03-28 09:11:02.118").as_deref(),
            Ok("2025-03-28T09:11:02.118Z")
        );
        assert_eq!(read(pattern("%m/%d/%Y %H:%M"), Tz::UTC, "08/31/2025 09:00").as_deref(), Ok("2025-08-31T09:00:00Z"));
        assert_eq!(read(pattern("%d.%m.%Y %I:%M %p"), Tz::UTC, "31.08.2025 09:00 PM").as_deref(), Ok("2025-08-31T21:00:00Z"));
        assert_eq!(
            read(pattern("%d/%b/%Y:%H:%M:%S %z"), Tz::UTC, "10/Oct/2025:13:55:36 -0700").as_deref(),
            Ok("2025-10-10T20:55:36Z")
        );
    }

    #[test]
    fn date_order_is_gathered_not_guessed_in_silence() {
        let reader = TimeReader::new(&[TimeFormat::Detect], Tz::UTC, None, DateOrder::MonthFirst);
        let mut evidence = OrderEvidence::default();
        assert_eq!(reader.read("03/04/2025 9:05", &mut evidence).unwrap().stamp.to_text(), "2025-03-04T09:05:00Z");
        let seen = evidence.ambiguous.map(|date| date.to_string());
        assert_eq!(seen.as_deref(), Some("03/04/2025 is in April or in March"));
        reader.read("5-6-2027", &mut evidence).unwrap();
        reader.read("02/01/2026", &mut evidence).unwrap();
        let seen = evidence.ambiguous.map(|date| date.to_string());
        assert_eq!(seen.as_deref(), Some("02/01/2026 is in January or in February"), "the first of their order");
        assert!(!evidence.day_first && !evidence.month_first);
        assert_eq!(reader.read("31.12.2025", &mut evidence).unwrap().stamp.to_text(), "2025-12-31");
        assert!(!evidence.day_first);
        reader.read("25/12/2025", &mut evidence).unwrap();
        assert!(evidence.day_first);
        assert!(reader.read("31/31/2025", &mut evidence).is_err());
    }

    #[test]
    fn the_repeated_hour_is_marked() {
        let reader = TimeReader::new(&[TimeFormat::Iso], chrono_tz::America::Chicago, None, DateOrder::DayFirst);
        let stamp = reader.read("2024-11-03 01:05:00", &mut OrderEvidence::default()).unwrap().stamp;
        assert_eq!(stamp.fold, crate::domain::time::Fold::Repeated);
        assert_eq!(stamp.to_text(), "2024-11-03T06:05:00Z");
    }
}
