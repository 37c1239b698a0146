//! Russian for the sentences that the scan writes into a result: causes, evidence, notes.
//!
//! A result carries them in English, because it is the same for every reader. A phrase here is such a sentence with `{}`
//! where a value stands; `tests/cases.rs` fails when a sentence of a finding has no phrase.

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
}

use Value::{Cause, Decimal, Plain, Span, Times};

/// A sentence in English, in Russian, and what its values are, in order.
type Phrase = (&'static str, &'static str, &'static [Value]);

const PHRASES: &[Phrase] = &[
    (
        "the first attempt had no known outcome; the next came {} later",
        "исход первой попытки неизвестен; следующая пришла через {}",
        &[Span],
    ),
    ("asked again after {}, a usual timeout or back-off step", "повтор через {}: обычный тайм-аут или шаг повторов", &[Span]),
    ("{} times within {} by one actor ({})", "{} за {} от одного лица ({})", &[Times, Span, Plain]),
    ("{} times within {} by one {} ({})", "{} за {}, общее поле {} ({})", &[Times, Span, Plain, Plain]),
    (
        "tool {} was called {} times within {} with the same arguments",
        "инструмент {} вызван {} за {} с одними и теми же аргументами",
        &[Plain, Times, Span],
    ),
    (
        "{} findings repeat after exactly {}: the whole run came again",
        "находок, повторённых ровно через {1}: {0}; весь запуск прошёл снова",
        &[Plain, Span],
    ),
    (
        "{} apart, in the hour that happened twice when the clocks were set back",
        "через {}, в час, который при переводе часов назад был дважды",
        &[Span],
    ),
    ("{} apart, within a day of a clock change in {}", "через {}, не дальше суток от перевода часов в поясе {}", &[Span, Plain]),
    ("the second attempt began {} before the first had ended", "вторая попытка началась за {} до конца первой", &[Span]),
    ("{} acts within {} with different values of {}", "действий: {}, за {}, с разными значениями поля {}", &[Plain, Span, Plain]),
    ("message {} was handled {} times within {}", "сообщение {} обработано {} за {}", &[Plain, Times, Span]),
    ("{} was handled {} times within {}", "{} обработано {} за {}", &[Plain, Times, Span]),
    ("{} {} ran {} times within {}", "{} {} прошло {} за {}", &[Plain, Plain, Times, Span]),
    ("{} attempts within {}; nothing on the records tells why", "попыток: {}, за {}; причину записи не называют", &[Plain, Span]),
    ("nothing on the records tells why", "причину записи не называют", &[]),
    ("the rule allows {} effects", "правило допускает эффектов: {}", &[Plain]),
    ("the effects follow a {} cadence", "эффекты идут с календарным шагом ({})", &[Plain]),
    ("each effect has another {}", "у каждого эффекта своё значение поля {}", &[Plain]),
    ("{} different effects in one group", "разных эффектов в одной группе: {}", &[Plain]),
    ("one effect is known, another attempt has no known outcome", "один эффект известен, исход другой попытки неизвестен", &[]),
    ("successes without effect ids cannot be told apart", "успехи без номеров эффектов нельзя отличить друг от друга", &[]),
    ("no second effect is known or possible", "второй эффект неизвестен и невозможен", &[]),
    ("all attempts carry one request key", "у всех попыток один ключ запроса", &[]),
    ("some attempts share a request key", "у части попыток общий ключ запроса", &[]),
    ("each attempt carries a fresh request key", "у каждой попытки новый ключ запроса", &[]),
    ("the request key was used again after its lifetime", "ключ запроса использован снова после срока его жизни", &[]),
    ("{} apart, usually {} for this actor and operation", "через {}, обычно для этого лица и операции {}", &[Span, Span]),
    ("{} is {} of all amounts", "{} — это {} всех сумм", &[Decimal, Decimal]),
    ("the actor is behind {} of all records", "на это лицо приходится {} всех записей", &[Decimal]),
    ("all came from one {} ({})", "все пришли из одного поля {} ({})", &[Plain, Plain]),
    ("the records look like {}", "по записям похоже на: {}", &[Cause]),
    ("{} findings repeat after the same time", "находок, повторённых через то же время: {}", &[Plain]),
    ("the attempts differ in {}", "попытки различаются полями: {}", &[Plain]),
    // Notes about the input and the configuration.
    (
        "rule {} saw no attempt; check its sources, operations and where",
        "правило {} не увидело ни одной попытки; проверьте его sources, operations и where",
        &[Plain],
    ),
    (
        "{} records came again under the same record id with other content; the newest state was used",
        "записей, пришедших снова под тем же номером с другим содержанием: {}; взято новейшее состояние",
        &[Plain],
    ),
    (
        "source {}: {} values of {} are numbers in scientific notation, rounded by a spreadsheet; they were not used as identity; export the column as text",
        "источник {}: значений поля {2}, записанных в экспоненциальном виде и округлённых таблицей: {1}; как номера они не использованы; выгрузите столбец как текст",
        &[Plain, Plain, Plain],
    ),
    (
        "source {}: {} records have no outcome and count as unknown; check source.map.outcome",
        "источник {}: записей без исхода: {}; исход считается неизвестным; проверьте source.map.outcome",
        &[Plain, Plain],
    ),
    (
        "source {}: outcome {} of {} records is in no list and counts as unknown; add it to a list of source.map.outcome",
        "источник {}: исхода {} нет ни в одном списке, записей с ним: {}; он считается неизвестным; внесите его в список source.map.outcome",
        &[Plain, Plain, Plain],
    ),
    (
        "source {}: {} local times lie in the hour that happens twice when summer time ends ({}); the earlier was taken",
        "источник {}: времён в часе, который бывает дважды в конце летнего времени: {} ({}); взято раннее",
        &[Plain, Plain, Plain],
    ),
    (
        "source {}: {} local times lie in the hour that summer time skips ({}); check the zone",
        "источник {}: времён в часе, который пропускает летнее время: {} ({}); проверьте пояс",
        &[Plain, Plain, Plain],
    ),
    (
        "source {}: {} amounts name no currency and are shown as XXX; set source.map.currency",
        "источник {}: сумм без валюты: {}, они показаны как XXX; задайте source.map.currency",
        &[Plain, Plain],
    ),
    (
        "source {}: {} times have no zone and were read as {}; set zone",
        "источник {}: времён без пояса: {}, они прочитаны как {}; задайте zone",
        &[Plain, Plain, Plain],
    ),
    (
        "source {}: {} records fill only some of the fields of rule {}; absent fields were compared as absent",
        "источник {}: записей, где заполнены не все поля правила {2}: {1}; отсутствующие поля сравнены как отсутствующие",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: column {} holds numbers in scientific notation, rounded by a spreadsheet; precision is lost, it is not usable as an id",
        "{}: в столбце {} числа в экспоненциальном виде, округлённые таблицей; точность потеряна, номером он быть не может",
        &[Plain, Plain],
    ),
    (
        "{}: several sheets fit alike and were read one after the other, with these records: {}; set read.sheet to read one of them",
        "{}: подходит несколько листов, они прочитаны один за другим, записи с номерами: {}; чтобы читать один, задайте read.sheet",
        &[Plain, Plain],
    ),
    (
        "{}: these sheets hold rows under other columns than sheet {} and were not read: {}; set read.sheet to read one of them",
        "{}: на этих листах не те столбцы, что на листе {}, они не прочитаны: {}; чтобы читать один из них, задайте read.sheet",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: tables of the page under other columns than the one that fits best were not read, by their place: {}; save them as files of their own",
        "{}: таблицы страницы с другими столбцами не прочитаны, их места: {}; сохраните их отдельными файлами",
        &[Plain, Plain],
    ),
    (
        "{}: {} numbers stand in cells that reach over several rows, the first {}; each row has them, check that they are no totals of several rows",
        "{}: чисел в ячейках на несколько строк: {}, первое {}; они стоят в каждой строке, проверьте, не итоги ли это",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: {} cells hold an error of the spreadsheet, the first {} in record {}; they count as empty, repair the formulas",
        "{}: ячеек с ошибкой таблицы: {}, первая {} в записи {}; они считаются пустыми, исправьте формулы",
        &[Plain, Plain, Plain, Plain],
    ),
    (
        "{}: the lines above the header give {} as {} and as {}; the first was used, make read.preamble match one line only",
        "{}: строки над заголовком дают столбцу {} значения {} и {}; взято первое, пусть read.preamble подходит к одной строке",
        &[Plain, Plain, Plain, Plain],
    ),
    (
        "{}: the columns {} fit the name {}; {} was used, write the name of the column that is meant",
        "{}: столбцы {} подходят к имени {}; взят {}, напишите имя нужного столбца",
        &[Plain, Plain, Plain, Plain],
    ),
    // Notes about decisions.
    (
        "{}: was decided, {}, and has grown since: {}; it counts again, decide anew with twicelog baseline add or update",
        "{}: решение {} принято раньше, чем находка выросла: {}; она снова считается, решите заново: twicelog baseline add или update",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: was decided, {}, until {}, which has passed; it counts again",
        "{}: решение {} действовало по {}, срок прошёл; находка снова считается",
        &[Plain, Plain, Plain],
    ),
    (
        "{}: the baseline does not say what it was when decided, so growth cannot be seen; run twicelog baseline update",
        "{}: в baseline не записано, какой она была при решении, поэтому роста не видно; запустите twicelog baseline update",
        &[Plain],
    ),
    (
        "{}: the baseline has an entry, {}, but no such finding is in this result; twicelog baseline prune removes it",
        "{}: в baseline есть запись {}, но такой находки в этом результате нет; twicelog baseline prune удалит её",
        &[Plain, Plain],
    ),
    ("{}: column {} of source {} is not there", "{}: столбца {} источника {} нет", &[Plain, Plain, Plain]),
];

/// The sentence in Russian; as written where no phrase fits.
pub(super) fn russian(written: &str) -> String {
    let told = PHRASES.iter().find_map(|(english, russian, values)| Some(filled(russian, &taken(written, english)?, values)));
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
        Plain => value.to_owned(),
        Times => match value.parse() {
            Ok(count) => format!("{value} {}", form(count, "раз", "раза", "раз")),
            Err(_) => value.to_owned(),
        },
        Span => span(value),
        Decimal => value.replace("under ", "меньше ").replace('.', ","),
        Cause => match value {
            "agent_retry" => "повтор агента",
            "batch_reimport" => "повторный импорт",
            "client_retry" => "повтор вызывающей стороны",
            "clock_change" => "перевод часов",
            "double_submit" => "двойную отправку",
            "race" => "гонку",
            "redelivery" => "повторную доставку",
            "scheduler_rerun" => "повторный запуск планировщика",
            other => other,
        }
        .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for (english, russian, values) in PHRASES {
            assert_eq!(english.matches("{}").count(), values.len(), "{english}");
            assert_eq!(russian.matches('{').count(), values.len(), "{russian}");
        }
    }
}
