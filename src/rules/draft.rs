//! The configuration as it is written: every value with its place, nothing decided yet.
//!
//! Values of the wrong type were reported by `shape` and are simply absent here. Everything a profile could give is an `Option` or a
//! list of its own, so that a profile's draft can be laid under a source's own tables key by key.

use super::outcome::Meaning;
use super::shape::{integer, number};
use crate::domain::{EffectKind, Outcome};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A piece of text and where it stands.
pub(super) type Words = Spanned<String>;

#[derive(Debug)]
pub(super) struct Draft {
    pub zone: Option<Words>,
    pub operations: Vec<(EffectKind, Vec<Words>)>,
    pub sources: Vec<SourceDraft>,
    pub proofs: Vec<ProofDraft>,
    pub rules: Vec<RuleDraft>,
    pub hooks: HooksDraft,
}

#[derive(Debug, Default)]
pub(super) struct HooksDraft {
    pub before: Option<Spanned<Vec<Words>>>,
    pub findings: Option<Spanned<Vec<Words>>>,
    pub failure: Option<Spanned<Vec<Words>>>,
    pub finally: Option<Spanned<Vec<Words>>>,
    pub timeout: Option<Words>,
}

impl HooksDraft {
    fn read(table: &DeTable<'_>) -> Self {
        Self {
            before: list(table, "before"),
            findings: list(table, "findings"),
            failure: list(table, "failure"),
            finally: list(table, "finally"),
            timeout: words(table, "timeout"),
        }
    }
}

#[derive(Debug)]
pub(super) struct SourceDraft {
    pub span: Range<usize>,
    pub name: Option<Words>,
    pub files: Vec<Words>,
    pub profile: Option<Words>,
    /// The columns that its own tables name.
    pub own_columns: Vec<String>,
    /// The profile's word on its operations.
    pub operations: Vec<(EffectKind, Vec<Words>)>,
    pub format: Option<Words>,
    pub read: ReadDraft,
    /// Where `[source.map]` stands.
    pub map_span: Option<Range<usize>>,
    pub map: MapDraft,
}

#[derive(Debug)]
pub(super) struct ReadDraft {
    pub delimiter: Option<Words>,
    pub encoding: Option<Words>,
    pub decimal: Option<Words>,
    pub thousands: Option<Words>,
    pub skip_lines: Option<u64>,
    pub sheet: Option<Words>,
    pub records: Option<Words>,
    pub pattern: Option<Words>,
    pub record_types: Option<RecordTypesDraft>,
    pub continues: Option<ContinuesDraft>,
    pub wrapper: Option<Words>,
    pub preamble: Option<Vec<Words>>,
    pub footer: Option<Vec<Words>>,
    pub sum_column: Option<Words>,
    pub default_year: Option<i32>,
    pub null: Option<Vec<Words>>,
    pub date_order: Option<Words>,
    /// New column; the column that holds JSON text, and the pointer into it.
    pub inside: Vec<(Words, (Words, Words))>,
    /// Column, and the expression over it.
    pub extract: Vec<(Words, Words)>,
    /// New column, and those that it joins.
    pub join: Vec<(Words, Vec<Words>)>,
}

#[derive(Debug)]
pub(super) struct RecordTypesDraft {
    pub header: Vec<Words>,
    pub data: Vec<Words>,
    pub counts: Vec<Words>,
}

#[derive(Debug)]
pub(super) struct ContinuesDraft {
    pub key: Vec<Words>,
    pub filled: Vec<Words>,
    pub items: Vec<Words>,
}

#[derive(Debug)]
pub(super) struct MapDraft {
    pub time: Option<TimeDraft>,
    pub amount: Option<AmountDraft>,
    /// Questions in their order.
    pub outcome: Option<Vec<OutcomeDraft>>,
    pub effect_id: Option<EffectIdDraft>,
    /// The canonical fields that are nothing but a pick: operation, actor, currency, request_key, payload, record_id, reverses.
    pub plain: Vec<(&'static str, PickDraft)>,
    pub fields: Vec<(Words, PickDraft)>,
}

pub(super) const PLAIN_FIELDS: [&str; 7] = ["operation", "actor", "currency", "request_key", "payload", "record_id", "reverses"];

#[derive(Debug)]
pub(super) struct PickDraft {
    pub span: Range<usize>,
    pub from: Option<Vec<Words>>,
    pub constant: Option<Words>,
    /// A value, and what it is called.
    pub names: Vec<(Words, Words)>,
    pub default: Option<Words>,
}

#[derive(Debug)]
pub(super) struct TimeDraft {
    pub span: Range<usize>,
    /// Joined by a blank.
    pub parts: Vec<PickDraft>,
    pub formats: Vec<Words>,
    pub zone: Option<Words>,
    pub zone_from: Option<PickDraft>,
}

#[derive(Debug)]
pub(super) struct AmountDraft {
    pub from: PickDraft,
    pub unit: Option<Words>,
}

#[derive(Debug)]
pub(super) struct OutcomeDraft {
    pub from: PickDraft,
    pub lists: Vec<(&'static str, Meaning, Vec<Words>)>,
}

#[derive(Debug)]
pub(super) struct EffectIdDraft {
    pub from: PickDraft,
    pub each_row: Option<bool>,
}

#[derive(Debug)]
pub(super) struct ProofDraft {
    pub source: Option<Words>,
    pub of: Option<Words>,
    pub fields: Option<Spanned<Vec<Words>>>,
}

#[derive(Debug)]
pub(super) struct RuleDraft {
    /// A profile brought it.
    pub is_drawn: bool,
    pub id: Option<Words>,
    pub sources: Option<Spanned<Vec<Words>>>,
    pub operations: Option<Spanned<Vec<Words>>>,
    pub fingerprint: Option<Spanned<Vec<Words>>>,
    pub window: Option<Spanned<WindowDraft>>,
    pub by_key: Option<Spanned<bool>>,
    pub key_lifetime: Option<Words>,
    pub allow: Option<u64>,
    pub conflict_on: Vec<Words>,
    pub filter: Option<Words>,
    pub similar: Vec<SimilarDraft>,
    pub explained_by: Option<Vec<Words>>,
    pub severity: Option<Words>,
    pub normalise: Vec<(Words, Vec<Words>)>,
}

#[derive(Debug)]
pub(super) enum WindowDraft {
    Text(String),
    Table { gap: Option<Words>, span: Option<Words>, days: Option<u32> },
}

#[derive(Debug)]
pub(super) struct SimilarDraft {
    pub span: Range<usize>,
    pub field: Option<Words>,
    pub method: Option<Words>,
    pub at_least: Option<f64>,
    pub within: Option<Words>,
}

/// The lists of `[operations]`, in the order in which they decide.
const KINDS: [(&str, EffectKind); 7] = [
    ("create", EffectKind::Create),
    ("increment", EffectKind::Increment),
    ("send", EffectKind::Send),
    ("set", EffectKind::Set),
    ("delete", EffectKind::Delete),
    ("read", EffectKind::Read),
    ("reversal", EffectKind::Reversal),
];

/// The lists of an outcome.
const MEANINGS: [(&str, Meaning); 8] = [
    ("took_effect", Meaning::Outcome(Outcome::TookEffect)),
    ("failed", Meaning::Outcome(Outcome::Failed)),
    ("unknown", Meaning::Outcome(Outcome::Unknown)),
    ("started", Meaning::Outcome(Outcome::Started)),
    ("replayed", Meaning::Outcome(Outcome::Replayed)),
    ("reversed", Meaning::Outcome(Outcome::Reversed)),
    ("reversal", Meaning::Outcome(Outcome::Reversal)),
    ("ignore", Meaning::Ignore),
];

impl Draft {
    pub(super) fn read(root: &DeTable<'_>) -> Self {
        Self {
            zone: words(root, "zone"),
            operations: operations(root),
            sources: tables(root, "source").map(|(span, table)| SourceDraft::read(span, table)).collect(),
            proofs: tables(root, "proof").map(|(_, table)| ProofDraft::read(table)).collect(),
            rules: tables(root, "rule").map(|(_, table)| RuleDraft::read(table)).collect(),
            hooks: table(root, "hooks").map(HooksDraft::read).unwrap_or_default(),
        }
    }
}

/// What a configuration draws from a profile.
#[derive(Debug)]
pub(super) struct ProfileDraft {
    pub operations: Vec<(EffectKind, Vec<Words>)>,
    pub source: SourceDraft,
    pub rules: Vec<RuleDraft>,
}

impl ProfileDraft {
    pub(super) fn read(root: &DeTable<'_>) -> Self {
        let source = root.get("source");
        let tables_of_source = source.and_then(|source| source.get_ref().as_table());
        Self {
            operations: operations(root),
            source: SourceDraft::read(source.map_or(0..0, Spanned::span), tables_of_source.unwrap_or(&DeTable::new())),
            rules: tables(root, "rule").map(|(_, table)| RuleDraft::read(table)).collect(),
        }
    }
}

fn operations(root: &DeTable<'_>) -> Vec<(EffectKind, Vec<Words>)> {
    let operations = table(root, "operations");
    KINDS.into_iter().filter_map(|(name, kind)| Some((kind, list(operations?, name)?.into_inner()))).collect()
}

impl SourceDraft {
    fn read(span: Range<usize>, from: &DeTable<'_>) -> Self {
        Self {
            span,
            name: words(from, "name"),
            files: list(from, "files").map(Spanned::into_inner).unwrap_or_default(),
            profile: words(from, "profile"),
            own_columns: Vec::new(),
            operations: Vec::new(),
            format: words(from, "format"),
            read: ReadDraft::read(table(from, "read").unwrap_or(&DeTable::new())),
            map_span: from.get("map").map(Spanned::span),
            map: MapDraft::read(table(from, "map").unwrap_or(&DeTable::new())),
        }
    }

    /// Takes from a profile whatever the source's own tables leave open.
    pub(super) fn lay_over(&mut self, profile: Self) {
        self.format = self.format.take().or(profile.format);
        self.read.lay_over(profile.read);
        self.map.lay_over(profile.map);
    }

    /// The canonical and named fields that the source maps.
    pub(super) fn mapped(&self) -> Vec<&str> {
        let map = &self.map;
        let special = [
            map.time.as_ref().map(|_| "time"),
            map.amount.as_ref().map(|_| "amount"),
            map.outcome.as_ref().map(|_| "outcome"),
            map.effect_id.as_ref().map(|_| "effect_id"),
        ];
        let plain = map.plain.iter().map(|(name, _)| *name);
        let named = map.fields.iter().map(|(name, _)| name.get_ref().as_str());
        special.into_iter().flatten().chain(plain).chain(named).collect()
    }
}

impl ReadDraft {
    fn read(from: &DeTable<'_>) -> Self {
        let whole = |name| from.get(name).and_then(|value| integer(value.get_ref()));
        Self {
            delimiter: words(from, "delimiter"),
            encoding: words(from, "encoding"),
            decimal: words(from, "decimal"),
            thousands: words(from, "thousands"),
            skip_lines: whole("skip_lines").and_then(|lines| u64::try_from(lines).ok()),
            sheet: words(from, "sheet"),
            records: words(from, "records"),
            pattern: words(from, "pattern"),
            record_types: table(from, "record_types").map(|types| RecordTypesDraft {
                header: listed(types, "header"),
                data: listed(types, "data"),
                counts: listed(types, "counts"),
            }),
            continues: table(from, "continues").map(|continues| ContinuesDraft {
                key: listed(continues, "key"),
                filled: listed(continues, "filled"),
                items: listed(continues, "items"),
            }),
            wrapper: words(from, "wrapper"),
            preamble: list(from, "preamble").map(Spanned::into_inner),
            footer: list(from, "footer").map(Spanned::into_inner),
            sum_column: words(from, "sum_column"),
            default_year: whole("default_year").and_then(|year| i32::try_from(year).ok()),
            null: list(from, "null").map(Spanned::into_inner),
            date_order: words(from, "date_order"),
            inside: entries(from, "inside", |value| {
                let table = value.get_ref().as_table()?;
                Some((words(table, "from")?, words(table, "at")?))
            }),
            extract: entries(from, "extract", text_of),
            join: entries(from, "join", |value| texts_of(value).map(Spanned::into_inner)),
        }
    }
}

impl ReadDraft {
    fn lay_over(&mut self, profile: Self) {
        fill(&mut self.delimiter, profile.delimiter);
        fill(&mut self.encoding, profile.encoding);
        fill(&mut self.decimal, profile.decimal);
        fill(&mut self.thousands, profile.thousands);
        fill(&mut self.skip_lines, profile.skip_lines);
        fill(&mut self.sheet, profile.sheet);
        fill(&mut self.records, profile.records);
        fill(&mut self.pattern, profile.pattern);
        fill(&mut self.record_types, profile.record_types);
        fill(&mut self.continues, profile.continues);
        fill(&mut self.wrapper, profile.wrapper);
        fill(&mut self.preamble, profile.preamble);
        fill(&mut self.footer, profile.footer);
        fill(&mut self.sum_column, profile.sum_column);
        fill(&mut self.default_year, profile.default_year);
        fill(&mut self.null, profile.null);
        fill(&mut self.date_order, profile.date_order);
        fill_entries(&mut self.inside, profile.inside);
        fill_entries(&mut self.extract, profile.extract);
        fill_entries(&mut self.join, profile.join);
    }
}

impl MapDraft {
    fn lay_over(&mut self, profile: Self) {
        fill(&mut self.time, profile.time);
        fill(&mut self.amount, profile.amount);
        fill(&mut self.outcome, profile.outcome);
        fill(&mut self.effect_id, profile.effect_id);
        for (name, pick) in profile.plain {
            if !self.plain.iter().any(|(known, _)| *known == name) {
                self.plain.push((name, pick));
            }
        }
        fill_entries(&mut self.fields, profile.fields);
    }
}

fn fill<T>(own: &mut Option<T>, profile: Option<T>) {
    if own.is_none() {
        *own = profile;
    }
}

/// Adds the entries whose name is not taken.
fn fill_entries<T>(own: &mut Vec<(Words, T)>, profile: Vec<(Words, T)>) {
    for (name, value) in profile {
        if !own.iter().any(|(known, _)| known.get_ref() == name.get_ref()) {
            own.push((name, value));
        }
    }
}

impl MapDraft {
    fn read(from: &DeTable<'_>) -> Self {
        let get = |name| from.get(name);
        let unit = |value: &Spanned<DeValue<'_>>| value.get_ref().as_table().and_then(|table| words(table, "unit"));
        Self {
            time: get("time").map(TimeDraft::read),
            amount: get("amount").map(|value| AmountDraft { from: PickDraft::read(value), unit: unit(value) }),
            outcome: get("outcome").map(OutcomeDraft::questions),
            effect_id: get("effect_id").map(|value| EffectIdDraft {
                from: PickDraft::read(value),
                each_row: value.get_ref().as_table().and_then(|table| table.get("each_row")?.get_ref().as_bool()),
            }),
            plain: PLAIN_FIELDS.into_iter().filter_map(|name| Some((name, PickDraft::read(get(name)?)))).collect(),
            fields: entries(from, "fields", |value| Some(PickDraft::read(value))),
        }
    }
}

impl PickDraft {
    fn read(value: &Spanned<DeValue<'_>>) -> Self {
        let span = value.span();
        match value.get_ref() {
            DeValue::Table(table) => Self {
                span,
                from: table.get("from").and_then(columns),
                constant: words(table, "const"),
                names: entries(table, "names", text_of),
                default: words(table, "default"),
            },
            _ => Self { span, from: columns(value), constant: None, names: Vec::new(), default: None },
        }
    }

    /// Every column that the pick names.
    pub(super) fn columns(&self) -> impl Iterator<Item = &Words> {
        self.from.iter().flatten()
    }
}

impl TimeDraft {
    fn read(value: &Spanned<DeValue<'_>>) -> Self {
        let span = value.span();
        let parts = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
            DeValue::Array(items) => items.iter().map(PickDraft::read).collect(),
            _ => vec![PickDraft::read(value)],
        };
        match value.get_ref() {
            DeValue::Table(table) => Self {
                span,
                parts: table.get("from").map(parts).unwrap_or_default(),
                formats: table.get("format").and_then(columns).unwrap_or_default(),
                zone: words(table, "zone"),
                zone_from: table.get("zone").filter(|zone| zone.get_ref().is_table()).map(PickDraft::read),
            },
            _ => Self { span, parts: parts(value), formats: Vec::new(), zone: None, zone_from: None },
        }
    }
}

impl OutcomeDraft {
    fn questions(value: &Spanned<DeValue<'_>>) -> Vec<Self> {
        match value.get_ref() {
            DeValue::Array(items) => items.iter().map(Self::read).collect(),
            _ => vec![Self::read(value)],
        }
    }

    fn read(value: &Spanned<DeValue<'_>>) -> Self {
        let lists = |table| {
            MEANINGS.into_iter().filter_map(|(name, meaning)| Some((name, meaning, list(table, name)?.into_inner()))).collect()
        };
        Self { from: PickDraft::read(value), lists: value.get_ref().as_table().map(lists).unwrap_or_default() }
    }
}

impl ProofDraft {
    fn read(from: &DeTable<'_>) -> Self {
        Self { source: words(from, "source"), of: words(from, "of"), fields: list(from, "match") }
    }
}

impl RuleDraft {
    fn read(from: &DeTable<'_>) -> Self {
        Self {
            is_drawn: false,
            id: words(from, "id"),
            sources: list(from, "sources"),
            operations: list(from, "operations"),
            fingerprint: list(from, "fingerprint"),
            window: from.get("window").and_then(WindowDraft::read),
            by_key: from.get("by_key").and_then(|value| Some(Spanned::new(value.span(), value.get_ref().as_bool()?))),
            key_lifetime: words(from, "key_lifetime"),
            allow: from.get("allow").and_then(|value| u64::try_from(integer(value.get_ref())?).ok()),
            conflict_on: list(from, "conflict_on").map(Spanned::into_inner).unwrap_or_default(),
            filter: words(from, "where"),
            similar: tables(from, "similar").map(|(span, table)| SimilarDraft::read(span, table)).collect(),
            explained_by: list(from, "explained_by").map(Spanned::into_inner),
            severity: words(from, "severity"),
            normalise: entries(from, "normalise", |value| texts_of(value).map(Spanned::into_inner)),
        }
    }
}

impl WindowDraft {
    fn read(value: &Spanned<DeValue<'_>>) -> Option<Spanned<Self>> {
        let window = match value.get_ref() {
            DeValue::String(text) => Self::Text(text.clone().into_owned()),
            DeValue::Table(table) => Self::Table {
                gap: words(table, "gap"),
                span: words(table, "span"),
                days: table.get("days").and_then(|days| u32::try_from(integer(days.get_ref())?).ok()),
            },
            _ => return None,
        };
        Some(Spanned::new(value.span(), window))
    }
}

impl SimilarDraft {
    fn read(span: Range<usize>, from: &DeTable<'_>) -> Self {
        Self {
            span,
            field: words(from, "field"),
            method: words(from, "method"),
            at_least: from.get("at_least").and_then(|value| number(value.get_ref())),
            within: words(from, "within"),
        }
    }
}

pub(super) fn text_of(value: &Spanned<DeValue<'_>>) -> Option<Words> {
    Some(Spanned::new(value.span(), value.get_ref().as_str()?.to_owned()))
}

pub(super) fn texts_of(value: &Spanned<DeValue<'_>>) -> Option<Spanned<Vec<Words>>> {
    let items = value.get_ref().as_array()?;
    Some(Spanned::new(value.span(), items.iter().filter_map(text_of).collect()))
}

pub(super) fn words(table: &DeTable<'_>, name: &str) -> Option<Words> {
    table.get(name).and_then(text_of)
}

pub(super) fn list(table: &DeTable<'_>, name: &str) -> Option<Spanned<Vec<Words>>> {
    table.get(name).and_then(texts_of)
}

fn listed(table: &DeTable<'_>, name: &str) -> Vec<Words> {
    list(table, name).map(Spanned::into_inner).unwrap_or_default()
}

/// One column, or a list of them.
fn columns(value: &Spanned<DeValue<'_>>) -> Option<Vec<Words>> {
    text_of(value).map(|one| vec![one]).or_else(|| texts_of(value).map(Spanned::into_inner))
}

pub(super) fn table<'t, 'i>(from: &'t DeTable<'i>, name: &str) -> Option<&'t DeTable<'i>> {
    from.get(name)?.get_ref().as_table()
}

pub(super) fn tables<'t, 'i>(from: &'t DeTable<'i>, name: &str) -> impl Iterator<Item = (Range<usize>, &'t DeTable<'i>)> {
    let items = from.get(name).and_then(|value| value.get_ref().as_array());
    items.into_iter().flat_map(|items| items.iter()).filter_map(|item| Some((item.span(), item.get_ref().as_table()?)))
}

/// The entries of a table whose keys the user names, in the order of the file.
fn entries<T>(from: &DeTable<'_>, name: &str, read: impl Fn(&Spanned<DeValue<'_>>) -> Option<T>) -> Vec<(Words, T)> {
    let mut entries: Vec<(Words, T)> = table(from, name)
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| Some((Spanned::new(key.span(), key.get_ref().clone().into_owned()), read(value)?)))
        .collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
