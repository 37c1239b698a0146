//! What a bank statement says as a whole: whose accounts it is of, which way each payment went, and whether the totals agree.

use super::bank_parts::Document;
use crate::domain::report::Note;
use rust_decimal::Decimal;
use std::collections::{BTreeMap, BTreeSet};

/// Accounts of one statement.
#[derive(Default)]
pub(super) struct Statement {
    own: BTreeSet<String>,
    told: BTreeMap<String, Totals>,
    found: BTreeMap<String, Totals>,
    /// Something could not be read, so that totals prove nothing.
    is_unsure: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    received: Option<Decimal>,
    paid: Option<Decimal>,
}

/// Which way a payment went, seen from the owner of the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Direction<'d> {
    /// `out`, `in`, or empty where nothing tells.
    pub(super) name: &'static str,
    /// The day on which the money moved, as it is written.
    pub(super) date: &'d str,
}

impl Statement {
    /// An account that the statement is of.
    pub(super) fn own(&mut self, account: &str) {
        if !account.is_empty() {
            self.own.insert(account.to_owned());
        }
    }

    /// From now on totals are not compared.
    pub(super) fn unsure(&mut self) {
        self.is_unsure = true;
    }

    /// A section of an account, one for all of it or one for each day.
    pub(super) fn section(&mut self, fields: &[(String, String)]) {
        let get = |key: &str| fields.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
        let account = get("РасчСчет").unwrap_or_default();
        self.own(account);
        let told = self.told.entry(account.to_owned()).or_default();
        add(&mut told.received, get("ВсегоПоступило").and_then(amount));
        add(&mut told.paid, get("ВсегоСписано").and_then(amount));
    }

    /// Counts a document, and tells which way it went.
    pub(super) fn add<'d>(&mut self, document: &'d Document) -> Direction<'d> {
        let first_of =
            |keys: [&str; 2]| keys.into_iter().map(|key| document.get(key)).find(|value| !value.is_empty()).unwrap_or_default();
        let payer = first_of(["ПлательщикСчет", "ПлательщикРасчСчет"]);
        let payee = first_of(["ПолучательСчет", "ПолучательРасчСчет"]);
        let (paid, received) = (document.get("ДатаСписано"), document.get("ДатаПоступило"));
        let amount = amount(document.get("Сумма"));
        // A payment between two of the owner's accounts counts for both, unless the one date says whose side this is.
        if self.own.contains(payer) && (!paid.is_empty() || received.is_empty()) {
            add(&mut self.found.entry(payer.to_owned()).or_default().paid, amount);
        }
        if self.own.contains(payee) && (!received.is_empty() || paid.is_empty()) {
            add(&mut self.found.entry(payee.to_owned()).or_default().received, amount);
        }
        let name = match (paid.is_empty(), received.is_empty()) {
            (false, true) => "out",
            (true, false) => "in",
            _ if self.own.contains(payer) => "out",
            _ if self.own.contains(payee) => "in",
            _ => "",
        };
        let dates = match name {
            "in" => [received, paid, document.get("Дата")],
            _ => [paid, received, document.get("Дата")],
        };
        Direction { name, date: dates.into_iter().find(|date| !date.is_empty()).unwrap_or_default() }
    }

    /// Totals that differ from the sums of the documents.
    pub(super) fn notes(&self, file: &str) -> Vec<Note> {
        let mut notes = Vec::new();
        for (account, told) in self.told.iter().filter(|_| !self.is_unsure) {
            let found = self.found.get(account).copied().unwrap_or_default();
            let pairs = [("ВсегоПоступило", told.received, found.received), ("ВсегоСписано", told.paid, found.paid)];
            for (name, told, found) in pairs {
                let found = found.unwrap_or_default();
                if let Some(told) = told.filter(|told| *told != found) {
                    let message = format!(
                        "{file}: {name} of account {account:?} is {told}, but its documents add up to {found}; check that the file is whole"
                    );
                    notes.push(Note { code: "wrong_total".to_owned(), message });
                }
            }
        }
        notes
    }
}

fn add(sum: &mut Option<Decimal>, amount: Option<Decimal>) {
    if let Some(amount) = amount {
        *sum = sum.unwrap_or_default().checked_add(amount).or(*sum);
    }
}

fn amount(text: &str) -> Option<Decimal> {
    Decimal::from_str_exact(text.trim()).ok()
}
