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
}

#[derive(Debug)]
pub(super) struct SourceDraft {
    pub span: Range<usize>,
    pub name: Option<Words>,
    pub files: Vec<Words>,
    pub profile: Option<Words>,
    pub format: Option<Words>,
    pub read: ReadDraft,
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
    pub default_year: Option<i32>,
    /// Column, and the expression over it.
    pub extract: Vec<(Words, Words)>,
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
    pub outcome: Option<OutcomeDraft>,
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
}

#[derive(Debug)]
pub(super) struct TimeDraft {
    pub from: PickDraft,
    pub format: Option<Words>,
    pub zone: Option<Words>,
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
        let operations = table(root, "operations");
        Self {
            zone: words(root, "zone"),
            operations: KINDS
                .into_iter()
                .filter_map(|(name, kind)| Some((kind, list(operations?, name)?.into_inner())))
                .collect(),
            sources: tables(root, "source").map(|(span, table)| SourceDraft::read(span, table)).collect(),
            proofs: tables(root, "proof").map(|(_, table)| ProofDraft::read(table)).collect(),
            rules: tables(root, "rule").map(|(_, table)| RuleDraft::read(table)).collect(),
        }
    }
}

impl SourceDraft {
    fn read(span: Range<usize>, from: &DeTable<'_>) -> Self {
        Self {
            span,
            name: words(from, "name"),
            files: list(from, "files").map(Spanned::into_inner).unwrap_or_default(),
            profile: words(from, "profile"),
            format: words(from, "format"),
            read: ReadDraft::read(table(from, "read").unwrap_or(&DeTable::new())),
            map: MapDraft::read(table(from, "map").unwrap_or(&DeTable::new())),
        }
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
            default_year: whole("default_year").and_then(|year| i32::try_from(year).ok()),
            extract: entries(from, "extract", text_of),
        }
    }
}

impl MapDraft {
    fn read(from: &DeTable<'_>) -> Self {
        let get = |name| from.get(name);
        let inner = |value: &Spanned<DeValue<'_>>, name| value.get_ref().as_table().and_then(|table| words(table, name));
        Self {
            time: get("time").map(|value| TimeDraft {
                from: PickDraft::read(value),
                format: inner(value, "format"),
                zone: inner(value, "zone"),
            }),
            amount: get("amount").map(|value| AmountDraft { from: PickDraft::read(value), unit: inner(value, "unit") }),
            outcome: get("outcome").map(OutcomeDraft::read),
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
            DeValue::Table(table) => Self { span, from: table.get("from").and_then(columns), constant: words(table, "const") },
            _ => Self { span, from: columns(value), constant: None },
        }
    }
}

impl OutcomeDraft {
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

fn text_of(value: &Spanned<DeValue<'_>>) -> Option<Words> {
    Some(Spanned::new(value.span(), value.get_ref().as_str()?.to_owned()))
}

fn texts_of(value: &Spanned<DeValue<'_>>) -> Option<Spanned<Vec<Words>>> {
    let items = value.get_ref().as_array()?;
    Some(Spanned::new(value.span(), items.iter().filter_map(text_of).collect()))
}

fn words(table: &DeTable<'_>, name: &str) -> Option<Words> {
    table.get(name).and_then(text_of)
}

fn list(table: &DeTable<'_>, name: &str) -> Option<Spanned<Vec<Words>>> {
    table.get(name).and_then(texts_of)
}

fn listed(table: &DeTable<'_>, name: &str) -> Vec<Words> {
    list(table, name).map(Spanned::into_inner).unwrap_or_default()
}

/// One column, or a list of them.
fn columns(value: &Spanned<DeValue<'_>>) -> Option<Vec<Words>> {
    text_of(value).map(|one| vec![one]).or_else(|| texts_of(value).map(Spanned::into_inner))
}

fn table<'t, 'i>(from: &'t DeTable<'i>, name: &str) -> Option<&'t DeTable<'i>> {
    from.get(name)?.get_ref().as_table()
}

fn tables<'t, 'i>(from: &'t DeTable<'i>, name: &str) -> impl Iterator<Item = (Range<usize>, &'t DeTable<'i>)> {
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
