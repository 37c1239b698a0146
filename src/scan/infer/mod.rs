//! What the columns of an unknown export probably mean. Every guess carries a confidence, and a person decides.

pub mod config;
pub mod hints;
pub mod kinds;
pub mod status;

use super::survey::{Survey, SurveyedColumn};
use crate::domain::money::Currency;
use crate::engine::reads_all;
use crate::rules::pick::TimeFormat;
use hints::{Meaning, name_score};
use kinds::Kind;

/// Time formats that are tried after what a value tells by itself: those that exports write with words, and odd orders.
const TIME_FORMATS: [&str; 17] = [
    "%b %d, %Y",
    "%b %d, %Y, %H:%M:%S",
    "%b %d, %Y, %I:%M:%S %p",
    "%b %d, %Y %H:%M:%S",
    "%d %b %Y",
    "%d %b %Y %H:%M:%S",
    "%d/%b/%y %I:%M %p",
    "%d/%b/%y",
    "%d/%b/%Y:%H:%M:%S %z",
    "%m/%d/%Y, %I:%M:%S %p %Z",
    "%m/%d/%Y %I:%M %p",
    "%m/%d/%Y, %I:%M %p",
    "%d/%m/%Y, %I:%M:%S %p %Z",
    "%d/%m/%Y %I:%M %p",
    "%d/%m/%Y, %I:%M %p",
    "%Y%m%d%H%M%S%.f",
    "%Y/%m/%d %H:%M:%S %z",
];

/// How a configuration writes the formats that read all of these times; `auto` alone where each value tells its own. Of several, the
/// values do not say which is meant.
pub fn time_formats(column: &SurveyedColumn) -> Vec<&'static str> {
    let values = || column.values.keys().map(String::as_str);
    if reads_all(&TimeFormat::Detect, values()) {
        return vec!["auto"];
    }
    let fits = |format: &&str| reads_all(&TimeFormat::Pattern((*format).to_owned()), values());
    TIME_FORMATS.into_iter().filter(fits).collect()
}

/// Guesses below this are not made.
const LEAST: f64 = 0.35;

/// A column that probably means something.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    pub column: String,
    /// 0 to 1; the judgement of the names and the look of the values, no probability.
    pub confidence: f64,
}

/// What an export's columns probably mean.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inference {
    /// A second column is the time of day to the date in the first.
    pub time: Vec<Guess>,
    pub operation: Option<Guess>,
    pub actor: Option<Guess>,
    pub amount: Option<Guess>,
    pub currency: Option<Guess>,
    pub outcome: Option<Guess>,
    pub effect_id: Option<Guess>,
    pub request_key: Option<Guess>,
    pub record_id: Option<Guess>,
    pub reverses: Option<Guess>,
    /// Business ids and texts that tell operations apart.
    pub business: Vec<Guess>,
}

/// Infers the meaning of the columns. Each column serves one meaning; the meanings that are easiest to tell choose first.
pub fn infer(survey: &Survey) -> Inference {
    let mut choice = Choice { survey, taken: Vec::new() };
    let time = choice.times();
    let currency = choice.take(Meaning::Currency);
    let amount = choice.take(Meaning::Amount);
    let request_key = choice.take(Meaning::RequestKey);
    let reverses = choice.take(Meaning::Reverses);
    let effect_id = choice.take(Meaning::EffectId);
    let record_id = choice.take(Meaning::RecordId);
    let outcome = choice.take(Meaning::Outcome);
    let operation = choice.take(Meaning::Operation);
    let actor = choice.take(Meaning::Actor);
    let business: Vec<Guess> = std::iter::from_fn(|| choice.take(Meaning::Business)).take(3).collect();
    Inference { time, operation, actor, amount, currency, outcome, effect_id, request_key, record_id, reverses, business }
}

struct Choice<'s> {
    survey: &'s Survey,
    taken: Vec<&'s str>,
}

impl<'s> Choice<'s> {
    /// The best column for a meaning; of equals the first.
    fn take(&mut self, meaning: Meaning) -> Option<Guess> {
        let (column, confidence) = self.best(|column| score(column, meaning, self.survey.records))?;
        self.taken.push(&column.name);
        Some(Guess { column: column.name.clone(), confidence: confidence.min(1.0) })
    }

    fn best(&self, score: impl Fn(&SurveyedColumn) -> f64) -> Option<(&'s SurveyedColumn, f64)> {
        let mut best: Option<(&SurveyedColumn, f64)> = None;
        for column in self.survey.columns.iter().filter(|column| !self.taken.contains(&column.name.as_str())) {
            let score = score(column);
            if score >= LEAST && best.is_none_or(|(_, found)| score > found) {
                best = Some((column, score));
            }
        }
        best
    }

    /// The time; where the best column is a date alone, the column beside it that holds times of day.
    fn times(&mut self) -> Vec<Guess> {
        let Some(first) = self.take(Meaning::Time) else { return Vec::new() };
        let columns = &self.survey.columns;
        let place = columns.iter().position(|column| column.name == first.column);
        let is_date = |place: usize| columns.get(place).is_some_and(|column| column.share(Kind::Date) > 0.5);
        let beside = place.filter(|place| is_date(*place)).and_then(|place| columns.get(place + 1));
        match beside.filter(|column| column.samples.iter().all(|value| is_time_of_day(value))) {
            Some(column) => {
                self.taken.push(&column.name);
                vec![first.clone(), Guess { column: column.name.clone(), confidence: first.confidence }]
            }
            None => vec![first],
        }
    }
}

/// `10:40`, `10:40:12`, `2:30:00 PM`.
fn is_time_of_day(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    (3..=9).contains(&digits) && value.contains(':') && value.len() <= 14 && value.starts_with(|c: char| c.is_ascii_digit())
}

/// How well a column fits a meaning: its name, and the look of its values.
fn score(column: &SurveyedColumn, meaning: Meaning, records: u64) -> f64 {
    let name = name_score(&column.name, meaning);
    let fill = if records == 0 { 0.0 } else { column.filled as f64 / records as f64 };
    let share = |kinds: &[Kind]| kinds.iter().map(|kind| column.share(*kind)).sum::<f64>();
    let words = share(&[Kind::Word, Kind::Identifier, Kind::Text, Kind::Email, Kind::Boolean]);
    let few = column.values.len() <= 25 && (column.filled < 12 || column.uniqueness() <= 0.8);
    match meaning {
        Meaning::Time => {
            let look = share(&[Kind::Time, Kind::Epoch]) + 0.8 * column.share(Kind::Date);
            // A time that some records lack is not when they happened.
            if look > 0.75 && !time_formats(column).is_empty() { 0.35 * look + 0.35 * name + 0.3 * fill } else { 0.0 }
        }
        Meaning::Amount => {
            let look = column.share(Kind::Decimal) + 0.6 * share(&[Kind::Integer, Kind::Epoch]);
            if look > 0.5 && name > 0.0 { 0.4 * look + 0.5 * name + 0.1 * fill } else { 0.0 }
        }
        Meaning::Currency => {
            let look = share(&[Kind::Currency, Kind::Word]);
            let code = |value: &String| Currency::parse(value).filter(|code| code.as_str().len() == 3);
            let is_usual = |value: &String| code(value).is_some_and(|code| hints::USUAL_CURRENCIES.contains(&code.as_str()));
            // `OPS` in a column of project keys has the look of a currency, and is none.
            let codes = column.values.keys().all(|value| if name > 0.0 { code(value).is_some() } else { is_usual(value) });
            if codes && look > 0.8 && (column.share(Kind::Currency) > 0.8 || name > 0.5) { 0.5 * look + 0.5 * name } else { 0.0 }
        }
        Meaning::EffectId => {
            let look = share(&[Kind::Identifier, Kind::Integer, Kind::Epoch, Kind::Word]);
            // A message or an attempt may stand on several rows; a column that hardly differs names nothing.
            let unique = column.uniqueness();
            if look > 0.8 && unique > 0.5 && name > 0.0 { 0.2 * look + 0.3 * unique + 0.4 * name + 0.1 * fill } else { 0.0 }
        }
        Meaning::RequestKey | Meaning::RecordId | Meaning::Reverses => {
            let look = share(&[Kind::Identifier, Kind::Integer, Kind::Epoch, Kind::Word]);
            if look > 0.8 && name > 0.5 { 0.4 * look + 0.6 * name } else { 0.0 }
        }
        Meaning::Outcome => {
            let known = column.values.iter().filter(|(value, _)| status::outcome_of(value).is_some()).count();
            let known = if column.values.is_empty() { 0.0 } else { known as f64 / column.values.len() as f64 };
            if few && (name > 0.0 || known > 0.9) { 0.45 * name + 0.45 * known + 0.1 * fill } else { 0.0 }
        }
        Meaning::Operation => {
            if few && words > 0.8 && name > 0.0 {
                0.6 * name + 0.3 + 0.1 * fill
            } else {
                0.0
            }
        }
        Meaning::Actor => {
            let look = words + 0.8 * share(&[Kind::Integer, Kind::Epoch]);
            let mail = 0.2 * column.share(Kind::Email);
            if look > 0.5 && (name > 0.0 || mail > 0.1) { 0.3 * look + 0.5 * name + mail + 0.1 * fill } else { 0.0 }
        }
        Meaning::Business => {
            let varied = column.values.len() > 1 || column.filled <= 2;
            if varied && name > 0.4 { 0.8 * name + 0.2 * fill } else { 0.0 }
        }
    }
}
