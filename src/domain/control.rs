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
    sums: Vec<(Currency, u64, Option<Decimal>)>,
}

impl ControlSums {
    #[inline]
    pub fn add(&mut self, money: Money) {
        self.change(money.currency, 1, |sum| sum.checked_add(money.amount), u64::checked_add);
    }

    pub fn merge(&mut self, other: &Self) {
        for (currency, records, amount) in &other.sums {
            self.change(*currency, *records, |sum| sum.checked_add((*amount)?), u64::checked_add);
        }
    }

    /// Takes out what was added before.
    pub fn subtract(&mut self, other: &Self) {
        for (currency, records, amount) in &other.sums {
            self.change(*currency, *records, |sum| sum.checked_sub((*amount)?), u64::checked_sub);
        }
        self.sums.retain(|(_, records, _)| *records > 0);
    }

    #[inline]
    fn change(
        &mut self,
        currency: Currency,
        records: u64,
        amount: impl Fn(Decimal) -> Option<Decimal>,
        count: impl Fn(u64, u64) -> Option<u64>,
    ) {
        let at = match self.sums.iter().position(|(known, ..)| *known == currency) {
            Some(at) => at,
            None => {
                self.sums.push((currency, 0, Some(Decimal::ZERO)));
                self.sums.len() - 1
            }
        };
        if let Some((_, counted, sum)) = self.sums.get_mut(at) {
            *counted = count(*counted, records).unwrap_or_default();
            *sum = sum.and_then(amount);
        }
    }

    /// In the order of the currencies' codes.
    pub fn totals(&self) -> Vec<ControlTotal> {
        let mut sums = self.sums.clone();
        sums.sort_unstable_by_key(|(currency, ..)| *currency);
        let total = |(currency, records, amount): (Currency, u64, Option<Decimal>)| ControlTotal {
            currency: currency.to_string(),
            records,
            amount: amount.map(|amount| amount_text(amount, currency)),
        };
        sums.into_iter().map(total).collect()
    }
}
