//! What a cell of a workbook says, as text: numbers without the rounding of their machine form, dates in ISO 8601.

use super::tabular::Cell;
use calamine::{Data, ExcelDateTime};

/// Digits that a spreadsheet keeps and shows; what a binary number has beyond them is no part of what was entered.
const DIGITS: usize = 15;

/// The cell as text or number.
pub(super) fn cell(data: &Data) -> Cell {
    match data {
        Data::Empty => Cell::Empty,
        Data::Int(number) => integer(*number),
        Data::Float(number) => number_of(*number),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => Cell::of(text.clone()),
        Data::Bool(bool) => Cell::Text(bool.to_string()),
        Data::DateTime(time) => time_of(time),
        Data::Error(error) => Cell::Error(error.to_string()),
    }
}

fn integer(number: i64) -> Cell {
    if number.unsigned_abs() < 10_u64.pow(DIGITS as u32) { Cell::Number(number.to_string()) } else { number_of(number as f64) }
}

/// A number of more digits than a spreadsheet keeps is written as one that lost some: `8.80731000000000E+15`.
fn number_of(number: f64) -> Cell {
    let scientific = format!("{number:.*e}", DIGITS - 1);
    let parts = scientific.split_once('e').and_then(|(digits, power)| Some((digits, power.parse::<i32>().ok()?)));
    let Some((mantissa, power)) = parts else { return Cell::Text(number.to_string()) };
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    if digits.bytes().all(|digit| digit == b'0') {
        return Cell::Number("0".to_owned());
    }
    if power >= DIGITS as i32 {
        return Cell::Text(format!("{sign}{mantissa}E+{power}"));
    }
    let (whole, fraction) = match usize::try_from(power) {
        Ok(power) => {
            digits.split_at_checked(power + 1).map(|(whole, rest)| (whole.to_owned(), rest.to_owned())).unwrap_or_default()
        }
        Err(_) => ("0".to_owned(), "0".repeat(power.unsigned_abs() as usize - 1) + &digits),
    };
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    Cell::Number(format!("{sign}{whole}{point}{fraction}"))
}

fn time_of(time: &ExcelDateTime) -> Cell {
    let serial = time.as_f64();
    if time.is_duration() {
        return duration(serial);
    }
    // Outside of the calendar that spreadsheets know: years 1900 to 9999. Its first two months hold a day that never was.
    if !(0.0..2_958_466.0).contains(&serial) || (1.0..61.0).contains(&serial) {
        return number_of(serial);
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let fraction = if milli == 0 { String::new() } else { format!(".{milli:03}") };
    let clock = format!("{hour:02}:{minute:02}:{second:02}{fraction}");
    Cell::Text(match (serial < 1.0, clock.as_str()) {
        // A time of day without a day.
        (true, _) => clock,
        (false, "00:00:00") => format!("{year:04}-{month:02}-{day:02}"),
        (false, _) => format!("{year:04}-{month:02}-{day:02}T{clock}"),
    })
}

/// Days as hours, minutes and seconds.
fn duration(days: f64) -> Cell {
    let millis = (days.abs() * 86_400_000.0).round();
    if !millis.is_finite() || millis >= 1e15 {
        return number_of(days);
    }
    let millis = millis as u64;
    let sign = if days < 0.0 { "-" } else { "" };
    let (hours, minutes, seconds) = (millis / 3_600_000, millis / 60_000 % 60, millis / 1_000 % 60);
    let fraction = if millis.is_multiple_of(1_000) { String::new() } else { format!(".{:03}", millis % 1_000) };
    Cell::Text(format!("{sign}{hours:02}:{minutes:02}:{seconds:02}{fraction}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::ExcelDateTimeType::{DateTime, TimeDelta};

    #[test]
    fn numbers_have_the_digits_that_were_entered() {
        let said = |number: f64| number_of(number).text().to_owned();
        for (number, text) in [
            (0.1 + 0.2, "0.3"),
            (12.50, "12.5"),
            (-1234.56, "-1234.56"),
            (1384.27, "1384.27"),
            (0.000_01, "0.00001"),
            (100.0, "100"),
            (-0.0, "0"),
            (999_999_999_999_999.0, "999999999999999"),
            (1.0 / 3.0, "0.333333333333333"),
            (8_807_310_000_000_000.0, "8.80731000000000E+15"),
        ] {
            assert_eq!(said(number), text);
        }
        assert_eq!(integer(9_007_199_254_740_993).text(), "9.00719925474099E+15");
        assert_eq!(integer(-42).text(), "-42");
    }

    #[test]
    fn times_are_written_as_far_as_they_go() {
        let said = |serial: f64| time_of(&ExcelDateTime::new(serial, DateTime, false)).text().to_owned();
        assert_eq!(said(46_083.0), "2026-03-02");
        assert_eq!(said(46_083.5), "2026-03-02T12:00:00");
        assert_eq!(said(46_083.444_583_333_33), "2026-03-02T10:40:12");
        assert_eq!(said(0.75), "18:00:00");
        assert_eq!(said(60.0), "60");
        assert_eq!(said(-3.0), "-3");
        assert_eq!(time_of(&ExcelDateTime::new(1.5, TimeDelta, false)).text(), "36:00:00");
        assert_eq!(time_of(&ExcelDateTime::new(44_621.0, DateTime, true)).text(), "2026-03-02");
    }
}
