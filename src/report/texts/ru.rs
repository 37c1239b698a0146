//! Every sentence of the reports for people, in Russian.

use super::{
    ABSENT, Counted, Texts, Words, and_more, batch_lag, decimal, explain_hint, hundredths, number, percent, phrases, sum_of_bits,
};
use crate::domain::decision::{Decision, Judgement, Standing};
use crate::domain::event::Outcome;
use crate::domain::finding::{Exposure, Finding, KeyRelation, Role, Severity, Verdict};
use crate::domain::memory::Changes;
use crate::domain::report::{Batch, Health, Incident, Ledger, Totals};
use crate::domain::time::span_text;

pub(super) struct Russian;

/// The form of a noun that goes with a count: 1, 21 находка; 2, 24 находки; 0, 5, 11 находок.
pub(super) fn form<'a>(count: u64, one: &'a str, few: &'a str, many: &'a str) -> &'a str {
    match (count % 10, count % 100) {
        (_, 11..=14) => many,
        (1, _) => one,
        (2..=4, _) => few,
        _ => many,
    }
}

fn plural(count: u64, one: &str, few: &str, many: &str) -> String {
    format!("{} {}", number(count), form(count, one, few, many))
}

fn left(count: usize, one: &str, few: &str, many: &str) -> String {
    format!("ещё {}", plural(count as u64, one, few, many))
}

impl Russian {
    fn net_with_parts(&self, exposure: &Exposure) -> String {
        let Exposure { currency, gross, reversed, net } = exposure;
        let [net, gross, reversed] = [net, gross, reversed].map(|amount| self.money(currency, amount));
        format!("{net} (всего {gross}, возвращено {reversed})")
    }
}

/// `2026-03-02` as `02.03.2026`; None for what is no date.
fn date(text: &str) -> Option<String> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let digits = |part: &str, count| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_date = parts.next().is_none() && digits(year, 4) && digits(month, 2) && digits(day, 2);
    is_date.then(|| format!("{day}.{month}.{year}"))
}

/// A span as `span_text` writes it, its units and decimal sign in Russian.
pub(super) fn span(english: &str) -> String {
    let word = |word: &str| match word {
        "µs" => "мкс".to_owned(),
        "ms" => "мс".to_owned(),
        "s" => "с".to_owned(),
        "min" => "мин".to_owned(),
        "h" => "ч".to_owned(),
        "d" => "дн".to_owned(),
        number => number.replace('.', ","),
    };
    english.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

impl Texts for Russian {
    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn money(&self, currency: &str, amount: &str) -> String {
        let currency = if currency == "XXX" { WORDS.no_currency } else { currency };
        match decimal(amount) {
            Some((sign, whole, Some(fraction))) => format!("{sign}{whole},{fraction}\u{a0}{currency}"),
            Some((sign, whole, None)) => format!("{sign}{whole}\u{a0}{currency}"),
            None => format!("{amount}\u{a0}{currency}"),
        }
    }

    fn signed(&self, number: f64) -> String {
        format!("{number:+.1}").replace('.', ",")
    }

    fn time(&self, rfc3339: &str) -> String {
        let (day, clock) = rfc3339.split_once('T').map_or((rfc3339, None), |(day, clock)| (day, Some(clock)));
        let Some(day) = date(day) else {
            return rfc3339.to_owned();
        };
        match clock.map(|clock| clock.strip_suffix('Z').unwrap_or(clock)) {
            Some(clock) => match clock.split_once('.') {
                Some((clock, fraction)) if fraction.bytes().all(|digit| digit == b'0') => format!("{day} {clock}"),
                Some((clock, fraction)) => format!("{day} {clock},{fraction}"),
                None => format!("{day} {clock}"),
            },
            None => day,
        }
    }

    fn span(&self, nanos: i64) -> String {
        span(&span_text(nanos))
    }

    fn sentence(&self, written: &str) -> String {
        phrases::russian(written)
    }

    fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::KeyConflict => "один ключ запроса, разные запросы",
            Verdict::IdempotentRepeat => "безвредный повтор: ничего не могло измениться",
            Verdict::Compensated => "сработало дважды, уже отменено",
            Verdict::LegitimateRepeat => "намеренный повтор",
            Verdict::DuplicateEffect => "сработало больше одного раза",
            Verdict::PossibleDuplicate => "возможно, сработало больше одного раза",
            Verdict::InconsistentReplay => "эффект один, но ответы различаются",
            Verdict::SafeReplay => "безопасный повтор: вернулся известный результат",
            Verdict::BlockedRepeat => "повтор отклонён",
            Verdict::RetriedFailure => "неудачные попытки, затем не больше одного эффекта",
        }
    }

    fn severity(&self, severity: Severity) -> &'static str {
        match severity {
            Severity::Info => "справка",
            Severity::Low => "низкая",
            Severity::Medium => "средняя",
            Severity::High => "высокая",
            Severity::Critical => "критическая",
        }
    }

    fn key_relation(&self, relation: KeyRelation) -> &'static str {
        match relation {
            KeyRelation::Same => "у всех попыток один ключ запроса",
            KeyRelation::Changed => "у каждой попытки новый ключ запроса",
            KeyRelation::Partly => "ключ запроса общий у части попыток",
            KeyRelation::None => "ключа запроса нет",
            KeyRelation::Expired => "ключ запроса использован снова после срока его жизни",
        }
    }

    fn role(&self, role: Role) -> &'static str {
        match role {
            Role::Original => "исходная",
            Role::Repeat => "повтор",
            Role::Retry => "новая попытка",
            Role::Replay => "прежний ответ",
            Role::Reversal => "отмена",
            Role::Proof => "доказательство",
        }
    }

    fn outcome(&self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Started => "начато, конца не видно",
            Outcome::Failed => "неудача",
            Outcome::Unknown => "неизвестно",
            Outcome::TookEffect => "сработало",
            Outcome::Reversed => "сработало, потом отменено",
            Outcome::Replayed => "прежний ответ",
            Outcome::Reversal => "отмена",
        }
    }

    fn field<'a>(&self, name: &'a str) -> &'a str {
        match name {
            "actor" => "лицо",
            "operation" => "операция",
            "amount" => "сумма",
            "currency" => "валюта",
            "outcome" => "исход",
            "time" => "время",
            "request_key" => "ключ запроса",
            "effect_id" => "номер эффекта",
            "payload" => "содержание",
            "reverses" => "отменяет",
            name => name,
        }
    }

    fn evidence(&self, code: &str) -> String {
        match code {
            "explained" => "объяснено",
            "effects_differ" => "разные эффекты",
            "outcome_open" => "исход неизвестен",
            "effects_unnamed" => "эффекты без номеров",
            "no_second_effect" => "второго эффекта нет",
            "key_same" => "ключ один",
            "key_partly" => "ключ частично общий",
            "key_changed" => "ключи разные",
            "key_expired" => "ключ устарел",
            "gap" => "промежуток",
            "amount" => "сумма",
            "actor" => "лицо",
            "session_same" => "один сеанс",
            "cause" => "причина",
            "batch" => "серия",
            "fields_differ" => "поля различаются",
            code => return code.replace('_', " "),
        }
        .to_owned()
    }

    fn weekday(&self, from_monday: usize) -> &'static str {
        ["Пн", "Вт", "Ср", "Чт", "Пт", "Сб", "Вс"].get(from_monday).copied().unwrap_or(ABSENT)
    }

    fn findings(&self, count: u64) -> String {
        plural(count, "находка", "находки", "находок")
    }

    fn records(&self, count: u64) -> String {
        plural(count, "запись", "записи", "записей")
    }

    fn extra_effects(&self, count: u64) -> String {
        plural(count, "лишний эффект", "лишних эффекта", "лишних эффектов")
    }

    fn counted(&self, what: Counted, count: u64) -> &'static str {
        match what {
            Counted::Findings => form(count, "находка", "находки", "находок"),
            Counted::ExtraEffects => form(count, "лишний эффект", "лишних эффекта", "лишних эффектов"),
            Counted::PossibleEffects => form(count, "ещё возможный", "ещё возможных", "ещё возможных"),
            Counted::Decided => WORDS.decided_findings,
        }
    }

    fn effects(&self, extra: u64, possible: u64) -> String {
        let possible = (possible > 0).then(|| plural(possible, "возможный", "возможных", "возможных"));
        and_more(self.extra_effects(extra), possible)
    }

    fn net_exposure(&self, exposure: &Exposure) -> String {
        format!("под риском {}", self.net_with_parts(exposure))
    }

    fn possible_exposure(&self, exposure: &Exposure) -> String {
        format!("ещё {} под вопросом, не доказано", self.money(&exposure.currency, &exposure.net))
    }

    fn stakes(&self, finding: &Finding) -> String {
        let (extra, possible) = (finding.extra_effects, finding.possible_extra_effects);
        let is_proven = extra > 0 || possible == 0;
        let effects = if is_proven {
            self.effects(extra, possible)
        } else {
            plural(possible, "возможный лишний эффект", "возможных лишних эффекта", "возможных лишних эффектов")
        };
        let nets = finding.exposure.iter().map(|exposure| {
            if exposure.net == exposure.gross {
                self.money(&exposure.currency, &exposure.net)
            } else {
                self.net_with_parts(exposure)
            }
        });
        let nets: Vec<String> = nets.collect();
        match nets.join(", ") {
            nets if nets.is_empty() => format!("{effects}, сумма неизвестна"),
            nets if is_proven => format!("{effects}, к возврату {nets}"),
            nets => format!("{effects}, под вопросом {nets}"),
        }
    }

    fn ledger(&self, files: u64, sources: u64, ledger: &Ledger) -> String {
        format!(
            "{} из {}, {}: использовано {}, пропущено {}, повторено {}, отвергнуто {}",
            plural(files, "файл", "файла", "файлов"),
            plural(sources, "источника", "источников", "источников"),
            plural(ledger.read, "запись прочитана", "записи прочитаны", "записей прочитано"),
            number(ledger.used),
            number(ledger.ignored),
            number(ledger.repeated),
            number(ledger.rejected),
        )
    }

    fn range(&self, first: &str, last: &str) -> String {
        format!("с {} по {}", self.time(first), self.time(last))
    }

    fn rejected(&self, file: &str, records: u64) -> String {
        format!("{file}: {}", plural(records, "запись отвергнута", "записи отвергнуты", "записей отвергнуто"))
    }

    fn reject(&self, records: u64, reason: &str, example: &str) -> String {
        let (reason, example) = (phrases::russian_reason(reason), phrases::russian_example(example));
        format!("{} × {reason}, первая: {example}", number(records))
    }

    fn found(&self, totals: &Totals) -> String {
        let effects = self.effects(totals.extra_effects, totals.possible_extra_effects);
        let decided = match totals.decided_findings() {
            0 => String::new(),
            more => format!(", по {} уже есть решение", plural(more, "другой находке", "другим находкам", "другим находкам")),
        };
        format!("{}{decided}: {effects}", self.findings(totals.findings))
    }

    fn batches(&self, count: usize) -> String {
        format!("{} (файл или задание прошли дважды)", plural(count as u64, "серия", "серии", "серий"))
    }

    fn incidents(&self, count: usize) -> String {
        format!("{} (несколько находок об одном документе)", plural(count as u64, "происшествие", "происшествия", "происшествий"))
    }

    fn batch(&self, batch: &Batch) -> String {
        let nets: Vec<String> = batch.exposure.iter().map(|exposure| self.money(&exposure.currency, &exposure.net)).collect();
        let [first, last] = &batch.repeats;
        format!(
            "{} по правилу {}, повтор через {}, {}; к возврату {}",
            self.findings(batch.findings),
            batch.rule,
            self.span(batch_lag(batch)),
            self.range(&self.time(first), &self.time(last)),
            if nets.is_empty() { ABSENT.to_owned() } else { nets.join(", ") },
        )
    }

    fn verdict_line(&self, finding: &Finding) -> String {
        let name = finding.verdict.name();
        format!("{} ({name}), важность {}", self.verdict(finding.verdict), self.severity(finding.severity))
    }

    fn cause(&self, title: &str, why: &str) -> String {
        if why.is_empty() {
            format!("причина: {title}")
        } else {
            format!("причина: {title}: {}", self.sentence(why))
        }
    }

    fn rule(&self, finding: &Finding) -> String {
        let also = if finding.also.is_empty() { String::new() } else { format!(" (также {})", finding.also.join(", ")) };
        let keys = self.key_relation(finding.key_relation);
        match finding.verdict.is_reported() {
            true => format!("правило {}{also}; вероятность {}; {keys}", finding.rule, percent(finding.likelihood)),
            false => format!("правило {}{also}; {keys}", finding.rule),
        }
    }

    fn ties(&self, finding: &Finding) -> Option<String> {
        match (&finding.batch, &finding.incident) {
            (Some(batch), Some(incident)) => Some(format!("часть серии {batch} и происшествия {incident}")),
            (Some(batch), None) => Some(format!("часть серии {batch}")),
            (None, Some(incident)) => Some(format!("часть происшествия {incident}")),
            (None, None) => None,
        }
    }

    fn unread(&self, attempts: u64) -> String {
        let attempts = plural(attempts, "попытка сосчитана", "попытки сосчитаны", "попыток сосчитано");
        format!("ещё {attempts}, но подробно не прочитано: группа слишком велика")
    }

    fn sum(&self, finding: &Finding) -> String {
        let bits = self.signed(sum_of_bits(finding));
        match finding.verdict.is_reported() {
            true => format!("сумма {bits} бит: вероятность {}", percent(finding.likelihood)),
            false => format!("сумма {bits} бит; вывод прямо следует из записей, доводы не взвешивались"),
        }
    }

    fn shown_of(&self, shown: usize, all: usize) -> String {
        let (shown, all) = (number(shown as u64), number(all as u64));
        if shown == all {
            format!("Находки ({all})")
        } else {
            format!("Находки (показано {shown} из {all})")
        }
    }

    fn further_records(&self, more: usize, id: &str) -> String {
        format!("{}: {}", left(more, "запись", "записи", "записей"), explain_hint(id))
    }

    fn further_reasons(&self, more: usize) -> String {
        left(more, "причина", "причины", "причин")
    }

    fn further_troubled_files(&self, more: usize) -> String {
        format!("{} с ошибками или отвергнутыми записями", left(more, "файл", "файла", "файлов"))
    }

    fn further_notes(&self, more: usize) -> String {
        format!("{} в --format json", left(more, "замечание", "замечания", "замечаний"))
    }

    fn further_operations(&self, more: usize) -> String {
        format!("{} в --format json", left(more, "операция", "операции", "операций"))
    }

    fn undrawn_sources(&self, more: usize) -> String {
        left(more, "источник", "источника", "источников")
    }

    fn further_rows(&self, more: usize) -> String {
        format!("{} в результате JSON", left(more, "строка", "строки", "строк"))
    }

    fn rows_left_out(&self, sheet: &str, rows: u64) -> String {
        let rows = plural(rows, "строка не поместилась", "строки не поместились", "строк не поместилось");
        format!("{sheet}: {rows}, лист больше не вмещает; в CSV и в результате JSON есть все.")
    }

    fn fields_left_out(&self, fields: usize) -> String {
        let fields = plural(fields as u64, "поле не получило", "поля не получили", "полей не получило");
        format!("{fields} столбца; в CSV и в результате JSON есть все.")
    }

    fn texts_cut(&self, cells: u64) -> String {
        let texts = plural(cells, "текст не поместился", "текста не поместились", "текстов не поместилось");
        format!("{texts} в ячейку, в конце стоит …; в CSV и в результате JSON они целиком.")
    }

    fn no_findings(&self, records: u64, decided: u64) -> String {
        if decided > 0 {
            return format!(
                "Нового нет: по {} уже есть решение, а среди {} ни одна другая операция не сработала дважды, насколько говорят эти \
                 записи.",
                plural(decided, "находке", "находкам", "находкам"),
                plural(records, "использованной записи", "использованных записей", "использованных записей")
            );
        }
        format!(
            "Сообщать не о чем: среди {} ни одна операция не сработала дважды, насколько говорят эти записи.",
            plural(records, "использованной записи", "использованных записей", "использованных записей")
        )
    }

    fn since_last(&self, changes: &Changes) -> String {
        let Changes { new, grown, unchanged, resolved, closed, dropped, renamed } = changes;
        let some =
            |count: usize, what: &str| if count == 0 { String::new() } else { format!(", {what}: {}", number(count as u64)) };
        let closed = some(closed.len(), "слишком старых для проверки")
            + &some(dropped.len(), "снятых из-за изменения правил или источников")
            + &some(renamed.len(), "под новым номером");
        let [new, grown, unchanged, resolved] = [new, grown, unchanged, resolved].map(|ids| number(ids.len() as u64));
        format!("С прошлого запуска: новых {new}, выросших {grown}, без изменений {unchanged}, решённых {resolved}{closed}")
    }

    fn decision(&self, decision: &Decision) -> String {
        let Decision { judgement, reason, by, until, standing } = decision;
        let judgement = match judgement {
            Judgement::FalseAlarm => "ложная тревога",
            Judgement::Intended => "повторено намеренно",
            Judgement::Accepted => "принято как есть",
            Judgement::BeingHandled => "исправляется",
        };
        let by = by.as_ref().map_or(String::new(), |by| format!(", решение: {by}"));
        let until = until.as_ref().map_or(String::new(), |until| format!(", по {} включительно", self.time(until)));
        let state = match standing {
            Standing::Live => "решено",
            Standing::Expired => "снова открыта, срок решения прошёл",
            Standing::Grown => "снова открыта, находка выросла после решения",
        };
        format!("{state}: {judgement}{by}{until}: {reason}")
    }

    fn further_decided(&self, more: usize) -> String {
        format!("и ещё {} с решением в результате JSON", plural(more as u64, "находка", "находки", "находок"))
    }

    fn health(&self, health: &Health) -> String {
        let Health { operation, repeats, doubled, possibly_doubled, conflicting, answered_differently, .. } = health;
        let repeats = number(*repeats);
        if *doubled > 0 {
            let worked = form(*doubled, "сработал", "сработали", "сработали");
            format!("повторы {operation} небезопасны: {} из {repeats} {worked} ещё раз", number(*doubled))
        } else if *conflicting > 0 {
            let asked = form(*conflicting, "просил", "просили", "просили");
            format!("ключи {operation} небезопасны: {} из {repeats} {asked} другое под известным ключом", number(*conflicting))
        } else if *possibly_doubled > 0 {
            let (unsure, worked) = (number(*possibly_doubled), form(*possibly_doubled, "сработал", "сработали", "сработали"));
            format!("безопасность повторов {operation} не доказана: {unsure} из {repeats}, возможно, {worked} ещё раз")
        } else if *answered_differently > 0 {
            let (differ, got) = (number(*answered_differently), form(*answered_differently, "получил", "получили", "получили"));
            format!("повторы {operation} не навредили, но {differ} из {repeats} {got} другой ответ")
        } else if health.repeats == 0 {
            format!("{operation} не проверена: повторов не было")
        } else {
            format!("повторы {operation} безопасны: ни один из {repeats} не сработал ещё раз")
        }
    }

    fn incident(&self, incident: &Incident, effects: u64) -> String {
        let Incident { field, value, findings, .. } = incident;
        format!("{field} {value}: {}, {}", self.findings(findings.len() as u64), self.extra_effects(effects))
    }

    fn look_up(&self, source: &str, effect_ids: &str) -> String {
        format!("Найдите в источнике {source}: {effect_ids}")
    }

    fn page_holds(&self, shown: usize, full: usize, all: u64) -> String {
        let (shown, full) = (shown as u64, full as u64);
        let in_full = if full == shown {
            String::new()
        } else {
            match full {
                1 => " Первая показана подробно, остальные кратко.".to_owned(),
                _ => format!(" Первые {} показаны подробно, остальные кратко.", number(full)),
            }
        };
        match all {
            0 => "Находок на странице нет.".to_owned(),
            1 if shown == all => "На странице единственная находка.".to_owned(),
            _ if shown == all => format!("На странице все находки ({}), самые тяжёлые впереди.{in_full}", number(all)),
            _ => format!(
                "На странице первые {} из {}; все — в файлах findings.csv и result.json, которые --report кладёт рядом.{in_full}",
                number(shown),
                plural(all, "находки", "находок", "находок")
            ),
        }
    }

    fn part_of(&self, what: &str, part: u64, whole: u64) -> String {
        format!("{what}: {} из {} ({})", number(part), number(whole), super::share(part, whole))
    }

    fn open_and_reversed(&self, currency: &str, open: &str, reversed: &str) -> String {
        format!("{} к возврату, {} возвращено", self.money(currency, open), self.money(currency, reversed))
    }

    fn gaps(&self, gaps: u64, median: i64, at_steps: u64) -> String {
        let repeats = plural(gaps, "повтора", "повторов", "повторов");
        let near = format!("{} в пределах десятой доли от обычных тайм-аутов", number(at_steps));
        match gaps {
            1 => format!("Единственный повтор пришёл через {}; {near}", self.span(median)),
            _ => format!("Половина из {repeats} пришла не позже чем через {}; {near}", self.span(median)),
        }
    }

    fn largest_group(&self, doubles: u64, groups: u64, largest: u64) -> String {
        let (doubles, largest) = (number(doubles), number(largest));
        format!(
            "По две попытки: {doubles} из {}; в самой большой группе {largest}",
            plural(groups, "находки", "находок", "находок")
        )
    }

    fn busiest(&self, weekday: usize, hour: usize, part: u64, whole: u64) -> String {
        format!("Больше всего: {} с {hour:02}:00 UTC, {} из {}", self.weekday(weekday), number(part), number(whole))
    }

    fn rate(&self, part: u64, whole: u64) -> String {
        hundredths(part, whole).replace('.', ",")
    }

    fn likeliest(&self, (weekday, hour): (usize, usize), (found, tried): (u64, u64), (all, attempts): (u64, u64)) -> String {
        format!(
            "{} с {hour:02}:00 UTC: {} на {} ({}); за всю неделю {}",
            self.weekday(weekday),
            self.findings(found),
            plural(tried, "попытку", "попытки", "попыток"),
            self.rate(found, tried),
            self.rate(all, attempts)
        )
    }

    fn without_batches(&self, findings: u64) -> String {
        format!("без находок файлов и заданий, прошедших дважды: {}", number(findings))
    }

    fn densest(&self, part: u64, whole: u64, gap: &str, when: &str) -> String {
        format!("Больше всего {gap} после первой попытки, начиная с {when}: {} из {}", number(part), number(whole))
    }

    fn findings_of_events(&self, findings: u64, events: u64) -> String {
        format!("{} из {}", number(findings), number(events))
    }

    fn windows(&self, today: u64, shortest: (&str, u64), longest: (&str, u64)) -> String {
        let ((short, less), (long, more)) = (shortest, longest);
        format!("{} с нынешними окнами; с {short} было бы {}, с {long} — {}", self.findings(today), number(less), number(more))
    }

    fn same_windows(&self, from: &str, to: &str) -> String {
        format!("от {from} до {to} ничего не меняется")
    }

    fn nights(&self, tonight: u64, before: u64, range: (u64, u64), nights: u64) -> String {
        let (least, most, runs) = (number(range.0), number(range.1), form(nights, "прогон", "прогона", "прогонов"));
        format!(
            "{} сейчас, {} в прошлый раз; от {least} до {most} за {} {runs}",
            self.findings(tonight),
            number(before),
            number(nights)
        )
    }

    fn among(&self, records: u64) -> String {
        format!("всего прочитано {}", plural(records, "запись", "записи", "записей"))
    }

    fn without_time(&self, findings: u64) -> String {
        format!("{} без времени", self.findings(findings))
    }

    fn too_far_off(&self, records: u64) -> String {
        format!("не нарисовано {} с далёкими датами", plural(records, "запись", "записи", "записей"))
    }

    fn timeline(&self, findings: u64, first: &str, last: &str, busiest: &str, most: u64) -> String {
        format!("{} с {first} по {last}; больше всего {busiest}: {}", self.findings(findings), number(most))
    }
}

const WORDS: Words = Words {
    coverage: "Что прочитано",
    result: "Итог",
    health: "Безопасность повторов",
    notes: "Замечания",
    decided: "С решением (baseline): показаны, но не сосчитаны",
    decided_findings: "с решением, не сосчитаны",
    next: "Дальше",
    fingerprint: "Отпечаток: почему эти записи — одна операция",
    records: "Записи",
    evidence: "Доводы, в битах: каждый бит удваивает или делит шансы пополам",
    evidence_in_bits: "Доводы, в битах",
    field_fingerprint: "Отпечаток",
    raw: "Записи, как они есть в файлах",
    check: "Что проверить дальше",
    looks_alike: "выглядит так же",
    looks_for: "что ищет",
    needs: "что нужно",
    what_to_do: "что делать",

    time: "время",
    gap: "промежуток",
    amount: "сумма",
    effect_id: "номер эффекта",
    request_key: "ключ запроса",
    outcome: "исход",
    source: "источник",
    place: "место",
    no_currency: "(без валюты)",

    why_explain: "доводы первой находки и что проверить",
    why_csv: "все находки с записями, для таблицы",
    why_rejects: "все отвергнутые записи с местом и причиной",
    why_check: "как читается каждый файл и что выходит из первых записей",
    why_all: "повторы, которые не навредили",

    no_time: "ни одной записи со временем",
    no_amount: "в записях нет сумм, поэтому сумма риска неизвестна",
    unlisted_outcomes: "Но часть исходов не значится ни в одном списке, и удались ли эти операции, сказать нельзя: пока их нет в списках, \
                        этому нулю верить рано. Они названы в замечаниях.",
    nothing_used: "Ни одну запись не удалось использовать, поэтому о дублях этот итог ничего не говорит. Посмотрите отвергнутые записи и \
                   замечания, затем разметку источника: twicelog check.",
    nothing_new: "С прошлого запуска ничего не записано, и открытых находок нет.",
    nothing_read: "Ни одной записи не прочитано, поэтому о дублях этот итог ничего не говорит. Проверьте, те ли это файлы и не пусты ли \
                   они.",
    unbalanced: "Счёт не сходится (прочитано = использовано + пропущено + повторено + отвергнуто). Не полагайтесь на этот итог и, \
                 пожалуйста, сообщите о нём.",
    incomplete: "Хотя бы один файл не удалось прочитать до конца; находок может быть больше.",

    source_heads: ["источник", "прочитано", "использовано", "пропущено", "повторено", "отвергнуто"],
    finding_heads: [
        "находка",
        "важность",
        "вердикт",
        "правило",
        "причина",
        "почему",
        "вероятность",
        "лишних эффектов",
        "возможных лишних эффектов",
    ],
    finding_tail_heads: [
        "первая запись (UTC)",
        "последняя запись (UTC)",
        "записей",
        "попыток без подробностей",
        "ключи запросов",
        "серия",
        "происшествие",
        "отпечаток",
        "найдено также правилами",
        "решение",
    ],
    record_heads: [
        "находка",
        "роль",
        "источник",
        "файл",
        "запись",
        "первая строка",
        "последняя строка",
        "время (UTC)",
        "исход",
        "номер эффекта",
        "ключ запроса",
        "операция",
        "лицо",
        "сумма",
        "валюта",
    ],
    as_logged: "как в журнале",
    totals: "Итоги",
    groups: "групп",
    health_heads: [
        "операция",
        "попыток",
        "с ключом",
        "повторов",
        "безопасно",
        "отклонено",
        "удвоено",
        "неясно",
        "конфликт",
        "иной ответ",
    ],
    health_legend: "с ключом: доля попыток с ключом запроса; безопасно: повторы, вернувшие известный результат; неясно: возможно, \
                    удвоено; иной ответ: на повтор ответили иначе",
    drift_legend: "новые ключи: группы с ключами, где повтор пришёл под другим ключом; обычный промежуток: половина повторов \
                   пришла раньше",

    title: "Что сработало дважды",
    utc: "Всё время указано в UTC.",
    contents: "Содержание",
    charts: "Диаграммы",
    findings: "Находки",
    extra_effects: "лишних эффектов",
    batches: "Серии: файл или задание прошли дважды",
    incidents: "Происшествия: несколько находок об одном документе",
    glossary: "Что значат вердикты и причины",
    run: "Этот запуск",
    file: "файл",
    format: "прочитан как",
    first: "первая запись",
    last: "последняя запись",
    remarks: "примечания",
    complete: "полностью",
    currency: "валюта",
    gross: "всего",
    reversed: "возвращено",
    net: "к возврату",
    at_stake: "под вопросом, не доказано",
    exposure_proven: "Под риском: деньги, ушедшие с доказанными лишними эффектами",
    verdict: "вердикт",
    rule: "правило",
    cause: "причина",
    actor: "лицо",
    operation: "операция",
    harmless: "без вреда",
    open: "к возврату",
    share: "доля",
    rest: "все остальные",
    attempts_in_group: "попыток в группе",
    attempts: "попыток",
    rate: "находок на попытку",
    too_few: "слишком мало попыток",
    usual_gap: "обычный промежуток",
    new_keys: "новые ключи",
    first_run: "первый проход",
    second_run: "второй проход",
    started: "начало",
    configuration: "настройка",
    bytes: "байт",
    numbers: "Числа",
    nothing_to_draw: "Показать нечего.",
    too_large_to_draw: "слишком велико, чтобы нарисовать",
    masked: "Имена, адреса и номера счетов скрыты; twicelog --reveal их покажет.",
    pseudonyms: "После # стоят псевдонимы, одинаковые во всех отчётах с ключом",
    revealed: "Личные данные показаны целиком: передавайте их дальше с осторожностью.",

    filter: "Отбор",
    all: "все",
    search: "текст",
    sort: "порядок",
    by_order: "по тяжести",
    by_time: "по времени",
    by_money: "по деньгам",
    by_likelihood: "по вероятности",
    open_all: "раскрыть все",
    close_all: "свернуть все",
    reset: "сбросить",
    shown: "показано",
    link: "ссылка на находку",
    elsewhere: "Находки, на которую ведёт ссылка, на этой странице нет. Ищите её номер в findings.csv и result.json или спросите \
                twicelog explain.",

    legend_equal: "совпадает",
    legend_normalised: "совпадает после нормализации",
    legend_differs: "различается",

    records_read: "прочитано записей",
    nothing_read_then: "записей нет",
    not_read_tonight: "в эту ночь ничего не прочитано",
    ask_when: "Когда это случалось и среди скольких записей?",
    ask_gap: "Как скоро приходил повтор?",
    ask_money: "Сколько денег не возвращено и сколько вернулось?",
    ask_cause: "Почему операции повторялись?",
    ask_hours: "В какие часы это бывает чаще, если учесть число попыток?",
    ask_health: "Чьи повторы безопасны?",
    ask_drift: "Когда приходили повторы и через сколько после первой попытки?",
    ask_batches: "Какие файлы или задания прошли дважды?",
    ask_windows: "Верно ли выбраны окна?",
    ask_nights: "Становится ли лучше?",
    window: "окно",
    todays_window: "нынешние окна",
    other_windows: "другие окна",
    other_rules: "оценено по другим правилам, не по нынешним",
    night_heads: ["новые", "выросли", "известны раньше", "решены"],
    windows_of_a_night: "Не опробованы: с состоянием читается только новое, а более длинным окнам понадобились бы записи, которых уже нет. Просканируйте те же файлы без --state, чтобы это увидеть.",
    windows_not_tried: "Не опробованы: при сканировании, которое дало этот результат, не просили ни страницы, ни картинки, или записей в группах больше 100 000.",
    windows_without_decisions: "Не нарисованы: когда пробовали другие окна, действовали не те решения, которые закрывают находки здесь. Просканируйте заново, чтобы это увидеть.",
    windows_too_many: "пропущенные здесь окна захватили бы больше 100 000 записей",
    events: "событий, не более",
    rate_of_events: "находок на событие, не менее",
    ask_size: "Дважды или лавиной?",
    ask_actors: "Кого это касается больше всего?",
};
