//! What the clock and the calendar say of a night: which files have settled, and when its day ends.

use chrono::{NaiveDate, TimeZone};
use chrono_tz::Tz;
use std::time::{Duration, SystemTime};
use twicelog::scan::{Assigned, Moment, Unsettled};

/// Files that were written to a while ago, and the others.
#[allow(clippy::disallowed_methods, reason = "whether a file has settled is told by the clock")]
pub fn settled(files: Vec<Assigned>, while_ago: Duration) -> (Vec<Assigned>, Vec<Unsettled>) {
    if while_ago.is_zero() {
        return (files, Vec::new());
    }
    let now = SystemTime::now();
    let (mut settled, mut unsettled) = (Vec::new(), Vec::new());
    for file in files {
        let written = file.location.path().and_then(|path| path.metadata().ok()).and_then(|facts| facts.modified().ok());
        // What has no time is no file that could grow.
        match written.map(|written| now.duration_since(written)) {
            Some(Ok(age)) if age < while_ago => unsettled.push(Unsettled { name: file.name, why: Moment::Now }),
            Some(Err(_)) => unsettled.push(Unsettled { name: file.name, why: Moment::Ahead }),
            _ => settled.push(file),
        }
    }
    (settled, unsettled)
}

/// The last nanosecond of a day in a zone, since 1970 UTC.
pub fn end_of_day(day: NaiveDate, zone: Tz) -> Option<i64> {
    let midnight = day.succ_opt()?.and_hms_opt(0, 0, 0)?;
    // Where the clocks skip midnight, the day ends in UTC.
    let end = zone.from_local_datetime(&midnight).earliest().map_or_else(|| midnight.and_utc(), |end| end.to_utc());
    end.timestamp_nanos_opt()?.checked_sub(1)
}
