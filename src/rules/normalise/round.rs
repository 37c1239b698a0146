//! `round:N`: decimals rounded half-even.

use rust_decimal::{Decimal, RoundingStrategy};
use std::fmt::Write;

/// Digits after the decimal point, at most 28. A value that is no plain decimal of at most 28 digits stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    digits: u32,
}

impl Round {
    pub const NAME: &'static str = "round";
    pub const MEANING: &'static str = "decimals are rounded half-even to N digits after the point";

    /// Errors: not a number from 0 to 28.
    pub fn parse(digits: &str) -> Result<Self, String> {
        match digits.parse() {
            Ok(digits) if digits <= 28 => Ok(Self { digits }),
            _ => Err("needs a number of digits from 0 to 28; write round:2 for example".into()),
        }
    }

    pub fn argument(&self) -> String {
        self.digits.to_string()
    }

    pub(super) fn apply(&self, value: &str, out: &mut String) {
        match self.rounded(value) {
            // Writing to a String cannot fail.
            Some(rounded) => drop(write!(out, "{rounded}")),
            None => out.push_str(value),
        }
    }

    fn rounded(&self, value: &str) -> Option<Decimal> {
        let exact = Decimal::from_str_exact(value.trim()).ok()?;
        let mut rounded = exact.round_dp_with_strategy(self.digits, RoundingStrategy::MidpointNearestEven);
        rounded.rescale(self.digits);
        if rounded.is_zero() {
            rounded.set_sign_positive(true);
        }
        // A number too long for so many digits after the point keeps fewer: then it stays as it is.
        (rounded.scale() == self.digits).then_some(rounded)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Normaliser, applied};

    #[test]
    fn rounds_half_to_even() {
        assert_eq!(applied("round:2", "2.345"), "2.34");
        assert_eq!(applied("round:2", "2.355"), "2.36");
        assert_eq!(applied("round:2", "7"), "7.00");
        assert_eq!(applied("round:0", "-0.4"), "0");
    }

    #[test]
    fn what_is_no_decimal_stays() {
        for value in ["семь", "1e3", "1,5", "", "79228162514264337593543950335"] {
            assert_eq!(applied("round:2", value), value);
        }
    }

    #[test]
    fn refuses_other_arguments() {
        for argument in ["round:", "round:29", "round:-1", "round:x", "round"] {
            assert!(Normaliser::parse(argument).is_err(), "{argument}");
        }
    }
}
