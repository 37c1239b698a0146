//! The resolved rules in plain words, defaults spelled out, for `twicelog check`.

use super::check::FORMAT_WORDS;
use super::normalise::Normaliser;
use super::outcome::Meaning;
use super::pick::{Derived, Pick, Slot, TimeFormat, TimeFrom};
use super::window::Window;
use super::{EffectIdMap, FieldRef, FingerprintField, Format, Measure, Rule, Rules, Source, Unit};
use crate::domain::time::span_text;
use crate::domain::{EffectKind, Outcome};

/// What each source's fields are read from, and what each rule compares.
pub fn describe(rules: &Rules) -> String {
    let mut text = Text(String::new());
    let assumed = if rules.zone_given { "" } else { " (assumed; set zone)" };
    text.line(0, &format!("times without a zone are read in {}{assumed}", rules.zone.name()));
    for (kind, globs) in rules.sources.first().map(|source| &source.operations.lists).into_iter().flatten() {
        text.line(0, &format!("operations {}: {}", kind_name(*kind), globs.patterns().join(", ")));
    }
    text.line(0, "operations in no list: create");
    for source in &rules.sources {
        describe_source(source, &mut text);
    }
    for proof in &rules.proofs {
        let name = |index: usize| rules.sources.get(index).map_or("", |source| &source.name);
        let fields = names(&proof.fields);
        text.line(0, "");
        text.line(0, &format!("source {} proves the effects of {} by equal {fields}", name(proof.source), name(proof.of)));
    }
    for rule in &rules.rules {
        rule_text(rule, rules, &mut text);
    }
    let hooks = &rules.hooks;
    let all =
        [("before", &hooks.before), ("findings", &hooks.findings), ("failure", &hooks.failure), ("finally", &hooks.finally)];
    for (event, hook) in all {
        if let Some(command) = hook {
            let words: Vec<String> = command.iter().map(|word| format!("{word:?}")).collect();
            text.line(0, "");
            text.line(0, &format!("hook {event}, at most {}: {}", span_text(hooks.timeout), words.join(" ")));
        }
    }
    text.0
}

struct Text(String);

impl Text {
    fn line(&mut self, indent: usize, text: &str) {
        if !text.is_empty() {
            self.0.push_str(&"  ".repeat(indent));
            // A name of the configuration may hold a line break or worse; a line stays one line.
            for c in text.chars() {
                if c.is_control() { self.0.extend(c.escape_unicode()) } else { self.0.push(c) }
            }
        }
        self.0.push('\n');
    }
}

/// What one rule compares.
pub fn describe_rule(rule: &Rule, rules: &Rules) -> String {
    let mut text = Text(String::new());
    rule_text(rule, rules, &mut text);
    text.0.trim_start().to_owned()
}

fn describe_source(source: &Source, text: &mut Text) {
    text.line(0, "");
    text.line(0, &format!("source {}", source.name));
    let files: Vec<String> = source.files.iter().map(|glob| glob.to_string_lossy().into_owned()).collect();
    text.line(1, &format!("files: {}", if files.is_empty() { "named on the command line".into() } else { files.join(", ") }));
    text.line(1, &format!("format: {}", source.format.map_or("told from the content", Format::name)));
    for (kind, globs) in &source.operations.of_profile {
        text.line(1, &format!("operations {} by its profile: {}", kind_name(*kind), globs.patterns().join(", ")));
    }
    describe_read(source, text);
    let map = &source.map;
    text.line(1, &format!("time: {}", time_text(source)));
    text.line(1, &format!("operation: {}", pick_text(source, &map.operation)));
    let mut field = |name: &str, pick: &Option<Pick>| {
        if let Some(pick) = pick {
            text.line(1, &format!("{name}: {}", pick_text(source, pick)));
        }
    };
    field("actor", &map.actor);
    field("currency", &map.currency);
    field("request_key", &map.request_key);
    field("payload", &map.payload);
    field("record_id", &map.record_id);
    field("reverses", &map.reverses);
    if let Some(amount) = &map.amount {
        let unit = match amount.unit {
            Unit::Major => "major units",
            Unit::Minor => "minor units of the currency (ISO 4217)",
            Unit::Hundredths => "hundredths, whatever the currency",
        };
        text.line(1, &format!("amount: {}, in {unit}", pick_text(source, &amount.from)));
    }
    match &map.effect_id {
        Some(EffectIdMap::EachRow) => text.line(1, "effect_id: none; every success is an effect of its own"),
        Some(EffectIdMap::From(pick)) => text.line(1, &format!("effect_id: {}", pick_text(source, pick))),
        None => text.line(1, "effect_id: none"),
    }
    describe_outcome(source, text);
    for (name, pick) in &map.fields {
        text.line(1, &format!("field {name}: {}", pick_text(source, pick)));
    }
}

fn describe_read(source: &Source, text: &mut Text) {
    let read = &source.read;
    let given = [
        read.delimiter.map(|sign| format!("delimiter: {:?}", char::from(sign))),
        read.encoding.map(|encoding| format!("encoding: {}", encoding.name())),
        read.decimal.map(|sign| format!("decimal sign: {sign:?}")),
        read.thousands.map(|sign| format!("thousands sign: {sign:?}")),
        read.skip_lines.map(|lines| format!("lines before the header: {lines}")),
        read.sheet.as_ref().map(|sheet| format!("sheet: {sheet}")),
        read.records.as_ref().map(|records| format!("records at: {records:?}")),
        read.pattern.as_ref().map(|pattern| format!("lines that match: {pattern}")),
        read.record_types.as_ref().map(|types| format!("rows that are records begin with: {}", types.data.join(", "))),
        read.continues.as_ref().map(|continues| format!("a record begins where filled: {}", continues.filled.join(", "))),
        read.wrapper.map(|wrapper| format!("wrapper of messages: {}", wrapper.name())),
        (!read.preamble.is_empty()).then(|| {
            let patterns: Vec<&str> = read.preamble.iter().map(regex::Regex::as_str).collect();
            format!("columns from the lines above the header: {}", patterns.join(", "))
        }),
        read.footer.as_ref().map(|footer| {
            let patterns: Vec<&str> = footer.patterns.iter().map(regex::Regex::as_str).collect();
            format!("records end before: {}", patterns.join(" or "))
        }),
        read.default_year.map(|year| format!("year of times without one: {year}")),
    ];
    for line in given.into_iter().flatten() {
        text.line(1, &line);
    }
}

fn describe_outcome(source: &Source, text: &mut Text) {
    let Some(outcome) = &source.map.outcome else {
        text.line(1, "outcome: every record took effect");
        return;
    };
    for (index, question) in outcome.questions.iter().enumerate() {
        let from = pick_text(source, &question.from);
        let otherwise = if index + 1 == outcome.questions.len() { "is unknown" } else { "asks the next" };
        text.line(1, &format!("outcome: {from}; a value in no list {otherwise}"));
        for (value, meaning) in question.values() {
            let value = if value.is_empty() { "an absent value".to_owned() } else { format!("{value:?}") };
            text.line(2, &format!("{value} means {}", meaning_name(meaning)));
        }
    }
}

fn column(source: &Source, slot: Slot) -> String {
    if let Some(name) = source.columns.get(slot) {
        return format!("{name:?}");
    }
    source.derived.iter().find(|derived| derived.fills().contains(&slot)).map_or_else(String::new, |derived| match derived {
        Derived::Inside { from, pointer, .. } => format!("{pointer:?} inside {}", column(source, *from)),
        Derived::Extract { from, pattern, groups } => {
            let number = groups.iter().find(|(_, filled)| *filled == slot).map(|(number, _)| *number);
            let group = number.and_then(|number| pattern.capture_names().nth(number).flatten()).unwrap_or_default();
            format!("{group:?} cut out of {}", column(source, *from))
        }
        Derived::Join { from, .. } => columns(source, from, " / "),
        Derived::Rename { from, names, default, .. } => {
            let names: Vec<String> = names.iter().map(|(value, name)| format!("{value:?} as {name:?}")).collect();
            let renamed = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
            let default = default.as_ref().map(|default| format!(", {default:?} where absent")).unwrap_or_default();
            format!("{}{renamed}{default}", columns(source, from, ", "))
        }
    })
}

fn columns(source: &Source, slots: &[Slot], between: &str) -> String {
    slots.iter().map(|slot| column(source, *slot)).collect::<Vec<_>>().join(between)
}

fn pick_text(source: &Source, pick: &Pick) -> String {
    match pick {
        Pick::Const(value) => format!("always {value:?}"),
        Pick::Columns(slots) if slots.len() == 1 => format!("column {}", columns(source, slots, "")),
        Pick::Columns(slots) => format!("the first that is present of {}", columns(source, slots, ", ")),
    }
}

fn time_text(source: &Source) -> String {
    let time = &source.map.time;
    let from = match &time.from {
        TimeFrom::One(slot) => format!("column {}", column(source, *slot)),
        TimeFrom::Joined(parts) => parts.iter().map(|part| pick_text(source, part)).collect::<Vec<_>>().join(" and "),
    };
    let formats: Vec<String> = time.formats.iter().map(format_text).collect();
    let named = time.zone_from.as_ref().map(|pick| format!("zone in {}, else ", pick_text(source, pick))).unwrap_or_default();
    let assumed = if time.zone_given { "" } else { " (assumed)" };
    format!("{from}, {}, {named}zone {}{assumed}", formats.join(" or "), time.zone.name())
}

fn format_text(format: &TimeFormat) -> String {
    match format {
        TimeFormat::Detect => "format told by each value".into(),
        TimeFormat::Pattern(pattern) => format!("format {pattern:?}"),
        other => {
            let word = FORMAT_WORDS.iter().find(|(_, format)| format == other).map_or("", |(word, _)| word);
            format!("format {word}")
        }
    }
}

fn rule_text(rule: &Rule, rules: &Rules, text: &mut Text) {
    text.line(0, "");
    text.line(0, &format!("rule {} (severity {}, version {})", rule.id, rule.severity.name(), rule.version));
    let judged: Vec<&str> =
        rule.sources.iter().filter_map(|index| rules.sources.get(*index)).map(|source| source.name.as_ref()).collect();
    text.line(1, &format!("sources: {}", judged.join(", ")));
    let operations = match &rule.operations {
        Some(globs) => globs.patterns().join(", "),
        None => "all that are not read, set, delete or reversal".into(),
    };
    text.line(1, &format!("operations: {operations}"));
    for field in &rule.fingerprint {
        text.line(1, &format!("equal {}{}", field.field.name(), steps_text(&field.normalise)));
    }
    for similar in &rule.similar {
        let steps = steps_text(&similar.normalise);
        text.line(1, &format!("near {}{steps}: {}", similar.field.name(), measure_text(&similar.measure)));
    }
    text.line(1, &format!("window: {}", window_text(rule.window)));
    let lifetime = span_text(rule.key_lifetime);
    text.line(
        1,
        &if rule.by_key {
            format!("request keys: also group records, within {lifetime}")
        } else {
            format!("request keys: evidence only, lifetime {lifetime}")
        },
    );
    text.line(1, &format!("effects that are fine: {}", rule.allow));
    text.line(1, &format!("a key conflict when these differ: {}", names(&rule.conflict_on)));
    text.line(1, &format!("different operations when these differ: {}", explaining(rule)));
    if let Some(filter) = &rule.filter {
        text.line(1, &format!("only records where {}", filter.sql));
    }
}

fn names(fields: &[FieldRef]) -> String {
    if fields.is_empty() {
        return "none".into();
    }
    fields.iter().map(FieldRef::name).collect::<Vec<_>>().join(", ")
}

/// The fields of `explained_by`, with their steps where the rule names any.
fn explaining(rule: &Rule) -> String {
    if rule.explained_by.is_empty() {
        return names(&[]);
    }
    let part = |part: &FingerprintField| {
        let is_usual = part.normalise == Normaliser::of_business_ids();
        let steps = if is_usual { String::new() } else { steps_text(&part.normalise) };
        format!("{}{steps}", part.field.name())
    };
    rule.explained_by.iter().map(part).collect::<Vec<_>>().join(", ")
}

fn steps_text(steps: &[Normaliser]) -> String {
    if steps.is_empty() {
        return String::new();
    }
    format!(" after {}", steps.iter().map(ToString::to_string).collect::<Vec<_>>().join(", then "))
}

fn window_text(window: Window) -> String {
    match window {
        Window::FromFirst(span) => format!("within {} of the first attempt, inclusive", span_text(span)),
        Window::Gap { gap, span } => {
            format!("each at most {} after the one before, all within {}", span_text(gap), span_text(span))
        }
        Window::Days(days) => format!("local dates at most {days} days after that of the first"),
        Window::Unlimited => "unlimited".into(),
    }
}

fn measure_text(measure: &Measure) -> String {
    match measure {
        Measure::Edit { method, at_least } => format!("{} at least {at_least}", method.name()),
        Measure::Within(distance) => format!("at most {distance} apart"),
        Measure::WithinShare(share) => format!("at most a share of {share} of the larger apart"),
        Measure::WithinDays(days) => format!("at most {days} days apart"),
    }
}

fn kind_name(kind: EffectKind) -> &'static str {
    match kind {
        EffectKind::Create => "create",
        EffectKind::Increment => "increment",
        EffectKind::Send => "send",
        EffectKind::Set => "set",
        EffectKind::Delete => "delete",
        EffectKind::Read => "read",
        EffectKind::Reversal => "reversal",
    }
}

fn meaning_name(meaning: Meaning) -> &'static str {
    match meaning {
        Meaning::Outcome(Outcome::Started) => "started",
        Meaning::Outcome(Outcome::Failed) => "failed",
        Meaning::Outcome(Outcome::Unknown) => "unknown",
        Meaning::Outcome(Outcome::TookEffect) => "took effect",
        Meaning::Outcome(Outcome::Reversed) => "took effect and was undone later",
        Meaning::Outcome(Outcome::Replayed) => "answered with the known result",
        Meaning::Outcome(Outcome::Reversal) => "undoes an effect",
        Meaning::Ignore => "ignored and counted",
    }
}
