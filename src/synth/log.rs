//! Writes a made-up log in the order of time, however long, and gathers the answers on the way.

use super::Wanted;
use super::case::{self, Answer, Answers, Fresh, Kind, Row};
use super::random::Random;
use crate::domain::Verdict;
use chrono::{DateTime, SecondsFormat, Utc};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The configuration that reads the log.
pub const CONFIG: &str = r#"version = 1

[[source]]
name = "payments"
files = ["payments.csv"]

[source.map]
time = { from = "time", format = "iso" }
operation = { const = "charge" }
actor = "customer"
amount = "amount"
currency = "currency"
outcome = { from = "status", took_effect = ["paid"], failed = ["declined"], unknown = ["timeout"], reversal = ["refund"] }
effect_id = "payment"
request_key = "key"
reverses = "refund_of"

[source.map.fields]
order = "order"

[[rule]]
id = "double-charge"
fingerprint = ["actor", "amount", "currency", "order"]
window = "10m"
severity = "high"
"#;

const HEADER: &str = "time,customer,order,amount,currency,status,key,payment,refund_of\n";
/// 2026-03-02T00:00:00Z in milliseconds since 1970.
const BEGINNING: i64 = 1_772_409_600_000;
/// Payments come this many milliseconds apart at most.
const PACE: u64 = 2_000;

/// Writes the log, and returns what was planted in it. Memory grows with the cases, and not with the payments.
///
/// # Errors
/// Those of `out`.
pub fn write(wanted: &Wanted, out: &mut dyn Write) -> io::Result<Answers> {
    let mut random = Random::new(wanted.seed);
    let mut fresh = Fresh::new();
    let mut log = Log { out, rows: 0, waiting: BTreeMap::new(), serial: 0, cases: Vec::new() };
    log.out.write_all(HEADER.as_bytes())?;
    let cases = wanted.cases.min(wanted.payments);
    let (mut at, mut planted) = (0, 0);
    for number in 0..wanted.payments {
        at += random.between(1, PACE);
        log.write_until(at)?;
        let payment = Row {
            at,
            customer: random.between(1, wanted.payments / 20 + 10),
            order: fresh.next(),
            cents: random.between(100, 50_000),
            status: "paid",
            key: fresh.next(),
            payment: Some(fresh.next()),
            refund_of: None,
        };
        // Spread evenly: after this payment as many cases are planted as its share of all payments asks for.
        let due = u128::from(cases) * u128::from(number + 1) / u128::from(wanted.payments.max(1));
        if u128::from(planted) < due {
            let kind = Kind::ALL.iter().cycle().nth((planted % Kind::ALL.len() as u64) as usize).copied().unwrap_or(Kind::Storm);
            planted += 1;
            log.plant(kind, case::rows(kind, payment, &mut random, &mut fresh));
        } else {
            log.wait(payment, None);
        }
    }
    log.write_until(u64::MAX)?;
    Ok(Answers { records: log.rows, seed: wanted.seed, cases: log.cases })
}

/// The log as far as it is written, and the rows whose time has not come.
struct Log<'o> {
    out: &'o mut dyn Write,
    rows: u64,
    /// By time, and by the order in which they were made.
    waiting: BTreeMap<(u64, u64), (Row, Option<usize>)>,
    serial: u64,
    cases: Vec<Answer>,
}

impl Log<'_> {
    fn wait(&mut self, row: Row, case: Option<usize>) {
        self.serial += 1;
        self.waiting.insert((row.at, self.serial), (row, case));
    }

    fn plant(&mut self, kind: Kind, rows: Vec<Row>) {
        let payments = rows.iter().filter(|row| row.status == "paid").count() as u64;
        let verdict = kind.verdict();
        let (extra_effects, at_stake) = match verdict {
            Some(Verdict::DuplicateEffect) => (payments.saturating_sub(1), payments.saturating_sub(1)),
            Some(Verdict::PossibleDuplicate) => (0, 1),
            // It took effect again, and nothing of it is left.
            Some(Verdict::Compensated) => (1, 0),
            _ => (0, 0),
        };
        let cents = rows.first().map_or(0, |row| row.cents);
        let net = verdict.map(|_| euros(cents * at_stake));
        self.cases.push(Answer { kind, verdict, records: Vec::new(), extra_effects, net });
        let case = self.cases.len() - 1;
        rows.into_iter().for_each(|row| self.wait(row, Some(case)));
    }

    /// Writes the rows whose time is before `at`.
    fn write_until(&mut self, at: u64) -> io::Result<()> {
        while let Some(first) = self.waiting.first_entry().filter(|first| first.key().0 < at) {
            let (row, case) = first.remove();
            self.rows += 1;
            if let Some(case) = case.and_then(|case| self.cases.get_mut(case)) {
                case.records.push(self.rows);
            }
            self.write(&row)?;
        }
        Ok(())
    }

    fn write(&mut self, row: &Row) -> io::Result<()> {
        let time = BEGINNING.saturating_add_unsigned(row.at);
        let time = DateTime::<Utc>::from_timestamp_millis(time).unwrap_or(DateTime::<Utc>::MAX_UTC);
        let time = time.to_rfc3339_opts(SecondsFormat::Millis, true);
        let Row { customer, order, cents, status, key, payment, refund_of, .. } = row;
        let id = |id: &Option<u64>| id.map_or(String::new(), |id| format!("pay-{id}"));
        let (amount, payment, refund_of) = (euros(*cents), id(payment), id(refund_of));
        writeln!(self.out, "{time},c-{customer},o-{order},{amount},EUR,{status},k-{key},{payment},{refund_of}")
    }
}

fn euros(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
