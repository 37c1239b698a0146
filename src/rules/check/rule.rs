//! A rule: its fields, window, filter and defaults.

use super::{explained, globs, similar, version, window};
use crate::domain::finding::Severity;
use crate::domain::time::SECOND;
use crate::rules::draft::{RuleDraft, SourceDraft, Words};
use crate::rules::filter::Filter;
use crate::rules::normalise::{Normaliser, NotANormaliser};
use crate::rules::problem::{Problems, did_you_mean, quoted};
use crate::rules::{FieldRef, FingerprintField, Rule};

const KEY_LIFETIME: i64 = 24 * 3_600 * SECOND;

/// None only where a problem was noted.
pub(super) fn check(draft: &RuleDraft, sources: &[SourceDraft], problems: &mut Problems<'_>) -> Option<Rule> {
    let judged = check_sources(draft, sources, problems);
    let fields = Fields::of(&judged, sources);
    let fingerprint = check_fingerprint(draft, &fields, problems);
    let explained_by = match &draft.explained_by {
        Some(names) => fields.check(names, problems),
        None => explained::by_default(draft, &judged, sources),
    };
    let normalise = check_normalise(draft, &explained_by, problems);
    let similar = similar::check(draft, &fields, &normalise, problems);
    let conflict_on = fields.check(&draft.conflict_on, problems);
    let explained_by = explained::compared(explained_by, &normalise);
    if let Some(by_key) = draft.by_key.as_ref().filter(|by_key| *by_key.get_ref() && !fields.known.contains(&"request_key")) {
        problems.add(by_key.span(), "\"by_key\" needs a request key", "map request_key in one of the rule's sources");
    }
    let filter = draft.filter.as_ref().and_then(|sql| check_filter(sql, &fields, problems));
    let window = draft.window.as_ref().map(|window| window::check(window, problems));
    let key_lifetime = draft.key_lifetime.as_ref().map(|text| window::span(text, problems));
    let severity =
        draft.severity.as_ref().and_then(|name| Severity::ALL.into_iter().find(|known| known.name() == name.get_ref()));
    let operations = draft.operations.as_ref().map(|patterns| {
        if patterns.get_ref().is_empty() {
            problems.add(
                patterns.span(),
                "\"operations\" names none",
                "leave it out for all that are not read, set, delete or reversal",
            );
        }
        globs(patterns.get_ref(), problems)
    });
    let mut rule = Rule {
        id: draft.id.as_ref()?.get_ref().clone(),
        sources: judged,
        operations,
        fingerprint: fingerprint
            .into_iter()
            .map(|field| FingerprintField { normalise: steps_of(&field, &normalise), field })
            .collect(),
        similar,
        window: window??,
        by_key: draft.by_key.as_ref().is_some_and(|by_key| *by_key.get_ref()),
        key_lifetime: key_lifetime.unwrap_or(Some(KEY_LIFETIME))?,
        allow: draft.allow.unwrap_or(1),
        conflict_on,
        filter,
        explained_by,
        severity: severity.unwrap_or(Severity::Medium),
        version: String::new(),
    };
    rule.version = version::digest(&rule, sources);
    Some(rule)
}

/// The fields that the sources of a rule map.
pub(super) struct Fields<'d> {
    known: Vec<&'d str>,
}

impl<'d> Fields<'d> {
    fn of(judged: &[usize], sources: &'d [SourceDraft]) -> Self {
        let mut known = Vec::new();
        for name in judged.iter().filter_map(|index| sources.get(*index)).flat_map(SourceDraft::mapped) {
            if !known.contains(&name) {
                known.push(name);
            }
        }
        Self { known }
    }

    pub(super) fn check_one(&self, name: &Words, problems: &mut Problems<'_>) -> FieldRef {
        if !self.known.contains(&name.get_ref().as_str()) {
            let message = format!("no source of this rule maps a field {}", quoted(name.get_ref()));
            problems.add(name.span(), message, did_you_mean(name.get_ref(), self.known.iter().copied()));
        }
        FieldRef::parse(name.get_ref())
    }

    fn check(&self, names: &[Words], problems: &mut Problems<'_>) -> Vec<FieldRef> {
        let mut fields = Vec::new();
        for name in names {
            let field = self.check_one(name, problems);
            if fields.contains(&field) {
                problems.add(name.span(), format!("field {} is named twice", quoted(name.get_ref())), "leave one");
            }
            fields.push(field);
        }
        fields
    }
}

/// The index of the source of this name.
pub(super) fn source_index(name: &Words, sources: &[SourceDraft], problems: &mut Problems<'_>) -> Option<usize> {
    let names = sources.iter().map(|source| source.name.as_ref().map_or("", |name| name.get_ref().as_str()));
    let index = names.clone().position(|known| known == name.get_ref());
    if index.is_none() {
        let message = format!("unknown source {}", quoted(name.get_ref()));
        problems.add(name.span(), message, did_you_mean(name.get_ref(), names));
    }
    index
}

fn check_sources(draft: &RuleDraft, sources: &[SourceDraft], problems: &mut Problems<'_>) -> Vec<usize> {
    let Some(names) = &draft.sources else {
        return (0..sources.len()).collect();
    };
    if names.get_ref().is_empty() {
        problems.add(names.span(), "\"sources\" names none", "leave it out for all sources");
    }
    let mut judged: Vec<usize> = names.get_ref().iter().filter_map(|name| source_index(name, sources, problems)).collect();
    judged.sort_unstable();
    judged.dedup();
    judged
}

fn check_fingerprint(draft: &RuleDraft, fields: &Fields<'_>, problems: &mut Problems<'_>) -> Vec<FieldRef> {
    let Some(names) = &draft.fingerprint else {
        return Vec::new();
    };
    if names.get_ref().is_empty() {
        problems.add(names.span(), "the fingerprint is empty", "name the fields that one operation's records share");
    }
    fields.check(names.get_ref(), problems)
}

fn check_normalise(
    draft: &RuleDraft,
    explained_by: &[FieldRef],
    problems: &mut Problems<'_>,
) -> Vec<(FieldRef, Vec<Normaliser>)> {
    let fingerprint = draft.fingerprint.iter().flat_map(|names| names.get_ref());
    let similar = draft.similar.iter().filter_map(|similar| similar.field.as_ref());
    let compared = fingerprint.chain(similar).map(|name| name.get_ref().as_str());
    let used: Vec<&str> = compared.chain(explained_by.iter().map(FieldRef::name)).collect();
    let mut normalise = Vec::new();
    for (name, texts) in &draft.normalise {
        if !used.contains(&name.get_ref().as_str()) {
            let message =
                format!("field {} is neither in the fingerprint nor in similar nor in explained_by", quoted(name.get_ref()));
            problems.add(name.span(), message, did_you_mean(name.get_ref(), used.iter().copied()));
        }
        let steps = texts.iter().filter_map(|text| check_step(text, problems)).collect();
        normalise.push((FieldRef::parse(name.get_ref()), steps));
    }
    normalise
}

fn check_step(text: &Words, problems: &mut Problems<'_>) -> Option<Normaliser> {
    match Normaliser::parse(text.get_ref()) {
        Ok(step) => return Some(step),
        Err(NotANormaliser::UnknownName(name)) => {
            let list = Normaliser::list();
            let known = list.iter().map(|(known, _)| known.split(':').next().unwrap_or(known));
            problems.add(text.span(), format!("unknown normaliser {}", quoted(&name)), did_you_mean(&name, known));
        }
        Err(NotANormaliser::Argument(reason)) => {
            let message = format!("normaliser {} cannot be used: it {reason}", quoted(text.get_ref()));
            problems.add(text.span(), message, "correct it");
        }
    }
    None
}

pub(super) fn steps_of(field: &FieldRef, normalise: &[(FieldRef, Vec<Normaliser>)]) -> Vec<Normaliser> {
    normalise.iter().find(|(known, _)| known == field).map(|(_, steps)| steps.clone()).unwrap_or_default()
}

fn check_filter(sql: &Words, fields: &Fields<'_>, problems: &mut Problems<'_>) -> Option<Filter> {
    match Filter::parse(sql.get_ref(), &fields.known) {
        Ok(filter) => Some(filter),
        Err(error) => {
            problems.add(sql.span(), error.message, error.help);
            None
        }
    }
}
