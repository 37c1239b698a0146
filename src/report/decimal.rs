//! Decimal text as spreadsheets take it: they count in binary, with fifteen digits.

/// Significant digits that a double always holds, whatever they are (IEEE 754 binary64).
const DIGITS: usize = 15;

/// True of `-12.50` and `1042`: digits, one point at most with digits on both sides, a minus before them at most.
pub(super) fn is_decimal(text: &str) -> bool {
    let (whole, fraction) = parts(text);
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    plain(whole) && fraction.is_none_or(plain)
}

/// True of a decimal that a spreadsheet shows and sums as it is written.
pub(super) fn is_exact(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).skip_while(|digit| *digit == b'0').count();
    is_decimal(text) && digits <= DIGITS
}

/// Digits after the point.
pub(super) fn scale(text: &str) -> usize {
    parts(text).1.map_or(0, str::len)
}

fn parts(text: &str) -> (&str, Option<&str>) {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_number_and_which_are_exact() {
        for (text, decimal, exact) in [
            ("-12.50", true, true),
            ("0", true, true),
            ("0.000000000000001", true, true),
            ("999999999999999", true, true),
            ("1000000000000000", true, false),
            ("12345678901234.56", true, false),
            ("", false, false),
            ("-", false, false),
            (".5", false, false),
            ("5.", false, false),
            ("1e5", false, false),
            ("1,5", false, false),
            ("--1", false, false),
            ("١", false, false),
        ] {
            assert_eq!((is_decimal(text), is_exact(text)), (decimal, exact), "{text:?}");
        }
        assert_eq!((scale("-12.50"), scale("7200")), (2, 0));
    }
}
