//! Russian for the sentences that the scan writes into a result: causes and evidence, notes, and why records were rejected.
//!
//! A result carries them in English, because it is the same for every reader. A phrase here is such a sentence with `{}`
//! where a value stands; `tests/cases.rs` fails when a sentence has no phrase, or keeps a word of English.

mod judged;
mod notes;
mod rejects;

use super::ru::{form, span};

/// How the values of a phrase are written.
#[derive(Clone, Copy)]
enum Value {
    /// A name or a count, as it stands.
    Plain,
    /// A count of times.
    Times,
    /// A span: `3 min 2 s`.
    Span,
    /// A decimal or a percentage.
    Decimal,
    /// The code of a cause.
    Cause,
    /// The name of a period: `monthly`.
    Period,
}

/// A sentence in English, in Russian, and what its values are, in order.
type Phrase = (&'static str, &'static str, &'static [Value]);

/// The sentence in Russian; as written where no phrase fits.
pub(super) fn russian(written: &str) -> String {
    let told = [judged::PHRASES, notes::PHRASES]
        .into_iter()
        .flatten()
        .find_map(|(english, russian, values)| Some(filled(russian, &taken(written, english)?, values)));
    told.unwrap_or_else(|| written.to_owned())
}

/// As [`russian`], for why a record was rejected.
pub(super) fn russian_reason(written: &str) -> String {
    let told =
        rejects::PHRASES.iter().find_map(|(english, russian, values)| Some(filled(russian, &taken(written, english)?, values)));
    told.unwrap_or_else(|| written.to_owned())
}

/// As [`russian_reason`], for a reason after its place: `orders.csv:12: no time; check …`. A file's name may hold what parts them.
pub(super) fn russian_example(written: &str) -> String {
    let mut parts = written.match_indices(": ");
    let told = parts.find_map(|(at, colon)| {
        let (place, reason) = (written.get(..at)?, written.get(at + colon.len()..)?);
        let told = russian_reason(reason);
        (told != reason).then(|| format!("{}: {told}", place.replace(", record ", ", запись ")))
    });
    told.unwrap_or_else(|| written.to_owned())
}

/// The values that make the written sentence out of the pattern; None where the pattern is another sentence.
fn taken<'a>(written: &'a str, pattern: &str) -> Option<Vec<&'a str>> {
    let mut pieces = pattern.split("{}");
    let mut rest = written.strip_prefix(pieces.next()?)?;
    let mut values = Vec::new();
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        // The last piece must be the end of the sentence.
        let at = if pieces.peek().is_none() { rest.strip_suffix(piece)?.len() } else { rest.find(piece)? };
        values.push(rest.get(..at)?);
        rest = rest.get(at + piece.len()..)?;
    }
    rest.is_empty().then_some(values)
}

/// The pattern with its values: `{}` takes the next one, `{0}` and `{1}` take one by its place.
fn filled(pattern: &str, values: &[&str], kinds: &[Value]) -> String {
    let told: Vec<String> = values.iter().zip(kinds).map(|(value, kind)| said(value, *kind)).collect();
    let told = |at: usize| told.get(at).map(String::as_str).unwrap_or_default();
    let mut out = String::with_capacity(pattern.len() * 2);
    let mut next = 0;
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let (place, after) = after.split_once('}').unwrap_or(("", after));
        match place.parse() {
            Ok(at) => out.push_str(told(at)),
            Err(_) => {
                out.push_str(told(next));
                next += 1;
            }
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

fn said(value: &str, kind: Value) -> String {
    match kind {
        Value::Plain => value.to_owned(),
        Value::Times => match value.parse() {
            Ok(count) => format!("{value} {}", form(count, "раз", "раза", "раз")),
            Err(_) => value.to_owned(),
        },
        Value::Span => span(value),
        Value::Decimal => value.replace("under ", "меньше ").replace('.', ","),
        Value::Cause => match value {
            "agent_retry" => "повтор агента",
            "batch_reimport" => "повторный импорт",
            "client_retry" => "повтор запроса клиентом",
            "clock_change" => "перевод часов",
            "double_submit" => "двойную отправку",
            "race" => "гонку",
            "redelivery" => "повторную доставку",
            "scheduler_rerun" => "повторный запуск планировщика",
            other => other,
        }
        .to_owned(),
        Value::Period => match value {
            "daily" => "раз в день",
            "weekly" => "раз в неделю",
            "two-weekly" => "раз в две недели",
            "monthly" => "раз в месяц",
            "quarterly" => "раз в квартал",
            "yearly" => "раз в год",
            other => other,
        }
        .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_a_record_was_rejected_is_told() {
        assert_eq!(russian_reason("unreadable time"), "нечитаемое время");
        assert_eq!(
            russian_example("a: b.csv:12: time \"x: y\" has no year; set source.read.default_year"),
            "a: b.csv:12: во времени \"x: y\" нет года; задайте source.read.default_year"
        );
        assert_eq!(russian_example("b.csv:12: what no phrase knows"), "b.csv:12: what no phrase knows");
    }

    #[test]
    fn a_sentence_is_told_with_its_values() {
        assert_eq!(
            russian("the first attempt had no known outcome; the next came 3 min 2 s later"),
            "исход первой попытки неизвестен; следующая пришла через 3 мин 2 с"
        );
        assert_eq!(
            russian("20 findings repeat after exactly 1.5 s: the whole run came again"),
            "находок, повторённых ровно через 1,5 с: 20; весь запуск прошёл снова"
        );
        assert_eq!(russian("a sentence of nobody"), "a sentence of nobody");
    }

    #[test]
    fn every_phrase_takes_and_gives_the_same_values() {
        for (english, russian, values) in [judged::PHRASES, notes::PHRASES].into_iter().flatten() {
            assert_eq!(english.matches("{}").count(), values.len(), "{english}");
            assert_eq!(russian.matches('{').count(), values.len(), "{russian}");
        }
    }
}
