//! Control totals: what a source's records add up to, so that a reader can hold them against the books.

use super::money::{Currency, Money, amount_text};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The sum of all amounts of one currency among the used records of one source, whatever became of them. Decimal text in major units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ControlTotal {
    /// ISO 4217 code; `XXX` where the records name no currency.
    pub currency: String,
    /// Records with an amount.
    pub records: u64,
    /// Negative amounts are subtracted; null where the sum has more than 28 digits.
    pub amount: Option<String>,
}

/// Control totals in the making.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControlSums {
    /// A log has few currencies: looking through a list is faster than anything cleverer.
    sums: Vec<Sum>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Sum {
    currency: Currency,
    records: u64,
    /// In the smallest unit of the currency, which nearly every amount is written in. None where it does not fit.
    units: Option<i128>,
    /// Of the other amounts, in major units. None where it does not fit.
    rest: Option<Decimal>,
}

impl ControlSums {
    #[inline]
    pub fn add(&mut self, money: Money) {
        let Money { amount, currency } = money;
        let sum = self.of(currency);
        sum.records += 1;
        if amount.scale() == currency.exponent() {
            sum.units = sum.units.and_then(|units| units.checked_add(amount.mantissa()));
        } else {
            sum.rest = sum.rest.and_then(|rest| rest.checked_add(amount));
        }
    }

    pub fn merge(&mut self, other: &Self) {
        for more in &other.sums {
            let sum = self.of(more.currency);
            sum.records += more.records;
            sum.units = sum.units.zip(more.units).and_then(|(one, other)| one.checked_add(other));
            sum.rest = sum.rest.zip(more.rest).and_then(|(one, other)| one.checked_add(other));
        }
    }

    /// Takes out what was added before.
    pub fn subtract(&mut self, other: &Self) {
        for less in &other.sums {
            let sum = self.of(less.currency);
            sum.records = sum.records.saturating_sub(less.records);
            sum.units = sum.units.zip(less.units).and_then(|(one, other)| one.checked_sub(other));
            sum.rest = sum.rest.zip(less.rest).and_then(|(one, other)| one.checked_sub(other));
        }
        self.sums.retain(|sum| sum.records > 0);
    }

    #[inline]
    fn of(&mut self, currency: Currency) -> &mut Sum {
        let at = match self.sums.iter().position(|sum| sum.currency == currency) {
            Some(at) => at,
            None => {
                self.sums.push(Sum { currency, records: 0, units: Some(0), rest: Some(Decimal::ZERO) });
                self.sums.len() - 1
            }
        };
        &mut self.sums[at]
    }

    /// In the order of the currencies' codes.
    pub fn totals(&self) -> Vec<ControlTotal> {
        let mut sums = self.sums.clone();
        sums.sort_unstable_by_key(|sum| sum.currency);
        let total = |Sum { currency, records, units, rest }: Sum| ControlTotal {
            currency: currency.to_string(),
            records,
            amount: units
                .and_then(|units| Decimal::try_from_i128_with_scale(units, currency.exponent()).ok())
                .zip(rest)
                .and_then(|(units, rest)| units.checked_add(rest))
                .map(|amount| amount_text(amount, currency)),
        };
        sums.into_iter().map(total).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(text: &str, currency: &str) -> Money {
        Money::from_major(text.parse().unwrap(), Currency::parse(currency).unwrap())
    }

    #[test]
    fn parts_add_up_whatever_their_scale() {
        let amounts = [("1.10", "EUR"), ("-0.10", "EUR"), ("7200", "JPY"), ("5.125", "KWD"), ("1.5", "XXX"), ("2.25", "XXX")];
        let (mut whole, mut parts) = (ControlSums::default(), ControlSums::default());
        for (text, currency) in amounts {
            let mut part = ControlSums::default();
            part.add(money(text, currency));
            whole.add(money(text, currency));
            parts.merge(&part);
        }
        let told: Vec<_> = whole.totals().into_iter().map(|total| (total.currency, total.records, total.amount)).collect();
        let expected = [("EUR", 2, "1.00"), ("JPY", 1, "7200"), ("KWD", 1, "5.125"), ("XXX", 2, "3.75")];
        assert_eq!(told, expected.map(|(currency, records, amount)| (currency.to_owned(), records, Some(amount.to_owned()))));
        assert_eq!(parts.totals(), whole.totals());
        whole.subtract(&parts);
        assert_eq!(whole.totals(), []);
    }

    #[test]
    fn a_sum_beyond_all_digits_is_none() {
        let mut sums = ControlSums::default();
        (0..2).for_each(|_| sums.add(money("79228162514264337593543950335", "XXX")));
        assert_eq!(sums.totals().into_iter().map(|total| (total.records, total.amount)).collect::<Vec<_>>(), [(2, None)]);
    }
}
