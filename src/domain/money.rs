//! Exact money: a decimal amount with its currency. Floats never decide anything, currencies are never added together.

use rust_decimal::{Decimal, RoundingStrategy};
use std::fmt;
use std::num::NonZeroU8;

/// A currency code in upper case: ISO 4217 where the log keeps to it, otherwise what the log says (`USDT`, `BONUS`).
/// At most 12 bytes; no code is [`Currency::NONE`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency {
    length: NonZeroU8,
    /// Padded with zero bytes, to a size that a processor copies in one step.
    bytes: [u8; 15],
}

/// Bytes of the longest code.
const LONGEST_CODE: usize = 12;

impl Currency {
    /// ISO 4217's own code for "no currency", for amounts whose record names none.
    pub const NONE: Currency = Currency::of_letters(*b"XXX");

    const fn of_letters([first, second, third]: [u8; 3]) -> Self {
        Self { length: NonZeroU8::MIN.saturating_add(2), bytes: [first, second, third, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
    }

    /// Reads a code: blanks around it dropped, letters raised to upper case. None when nothing is left, when it is longer than
    /// 12 bytes, or when it holds anything but ASCII letters and digits, except `₽ € $ £`, which stand for one currency each only
    /// where no other uses them (`€` EUR, `₽` RUB); a bare `$` or `£` is not a currency and is refused.
    #[inline]
    pub fn parse(text: &str) -> Option<Self> {
        if let [first @ b'A'..=b'Z', second @ b'A'..=b'Z', third @ b'A'..=b'Z'] = *text.as_bytes() {
            // What nearly every log writes.
            return Some(Self::of_letters([first, second, third]));
        }
        let text = match text.trim() {
            "€" => "EUR",
            "₽" | "руб" | "руб." | "р." => "RUB",
            other => other,
        };
        if text.len() > LONGEST_CODE || !text.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return None;
        }
        let length = NonZeroU8::new(text.len() as u8)?;
        let mut bytes = [0; 15];
        for (slot, byte) in bytes.iter_mut().zip(text.bytes()) {
            *slot = byte.to_ascii_uppercase();
        }
        Some(Self { length, bytes })
    }

    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.length.get())]).unwrap_or("XXX")
    }

    /// The code, padded with zero bytes.
    pub(super) fn padded(&self) -> &[u8] {
        &self.bytes[..LONGEST_CODE]
    }

    /// Digits after the decimal point of the smallest unit: ISO 4217, list one, of 2026-01-01. Codes outside the list have two.
    pub fn exponent(&self) -> u32 {
        if self.length.get() != 3 {
            return 2;
        }
        let [first, second, third, ..] = self.bytes;
        match &[first, second, third] {
            b"BIF" | b"CLP" | b"DJF" | b"GNF" | b"ISK" | b"JPY" | b"KMF" | b"KRW" | b"PYG" | b"RWF" | b"UGX" | b"UYI"
            | b"VND" | b"VUV" | b"XAF" | b"XOF" | b"XPF" => 0,
            b"BHD" | b"IQD" | b"JOD" | b"KWD" | b"LYD" | b"OMR" | b"TND" => 3,
            b"CLF" | b"UYW" => 4,
            _ => 2,
        }
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An amount in major units, rounded half-even to the exponent of its currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Money {
    pub amount: Decimal,
    pub currency: Currency,
}

impl Money {
    pub fn from_major(amount: Decimal, currency: Currency) -> Self {
        let digits = if currency == Currency::NONE { amount.scale() } else { currency.exponent() };
        if amount.scale() == digits {
            return Self { amount, currency };
        }
        let mut amount = amount.round_dp_with_strategy(digits, RoundingStrategy::MidpointNearestEven);
        amount.rescale(digits);
        Self { amount, currency }
    }

    /// From the smallest unit of the currency (cents, yen, fils). None when it does not fit a decimal of 28 digits.
    pub fn from_minor(amount: Decimal, currency: Currency) -> Option<Self> {
        let unit = Decimal::new(1, currency.exponent());
        Some(Self::from_major(amount.checked_mul(unit)?, currency))
    }

    pub fn abs(&self) -> Self {
        Self { amount: self.amount.abs(), currency: self.currency }
    }
}

/// Units and scale of a decimal without trailing zeros: 12.50 is 125 of scale 1. None for one with more than 18 digits.
#[inline]
fn without_zeros(amount: Decimal) -> Option<(i64, usize)> {
    let mut units = i64::try_from(amount.mantissa()).ok()?;
    let mut scale = amount.scale() as usize;
    while scale > 0 && units % 10 == 0 {
        units /= 10;
        scale -= 1;
    }
    Some((units, scale))
}

/// The same as [`Decimal::normalize`], which takes its time, because it cannot count on few digits.
pub(super) fn normal(amount: Decimal) -> Decimal {
    match without_zeros(amount) {
        Some((units, scale)) => Decimal::new(units, scale as u32),
        None => amount.normalize(),
    }
}

/// Writes a decimal without trailing zeros, the one form in which equal amounts are equal text: `12.5`, `-0.05`, `7200`.
pub fn write_normal(amount: Decimal, out: &mut String) {
    use std::fmt::Write;
    let Some((units, scale)) = without_zeros(amount) else {
        // Writing to a String does not fail.
        let _ = write!(out, "{}", amount.normalize());
        return;
    };
    if units < 0 {
        out.push('-');
    }
    let mut digits = itoa::Buffer::new();
    let digits = digits.format(units.unsigned_abs());
    // `5` of scale 2 is `0.05`.
    for _ in digits.len()..scale + 1 {
        out.push('0');
    }
    out.push_str(digits);
    if scale > 0 {
        out.insert(out.len() - scale, '.');
    }
}

/// Decimal text with exactly the digits of the currency: `7200` JPY, `5.000` KWD, `84.50` EUR.
pub fn amount_text(amount: Decimal, currency: Currency) -> String {
    let mut amount = amount;
    if currency != Currency::NONE {
        amount.rescale(currency.exponent());
    }
    amount.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_text_is_that_of_the_normalised_decimal() {
        for text in [
            "0",
            "0.00",
            "-0.00",
            "-0.05",
            "5",
            "0.05",
            "12.50",
            "1840.00",
            "-7200",
            "0.10",
            "100",
            "1000000.001",
            "79228162514264337593543950335",
            "0.0000000000000000000000000001",
        ] {
            let amount: Decimal = text.parse().unwrap();
            let mut normal = String::from("x");
            write_normal(amount, &mut normal);
            assert_eq!(normal, format!("x{}", amount.normalize()), "{text}");
            assert_eq!(super::normal(amount).serialize(), amount.normalize().serialize(), "{text}");
        }
    }
}
