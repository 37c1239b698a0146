//! From the configuration's text to `Rules`: reads the draft, checks every name and value, and reports all mistakes at once.

mod columns;
mod drawn;
mod explained;
mod footer;
mod hooks;
mod mapping;
mod regexes;
mod rule;
mod similar;
mod source;
mod time;
mod version;
mod window;

pub use explained::BUSINESS_WORDS;
pub(super) use regexes::{REGEX_SIZE, regex_reason};
pub(super) use time::FORMAT_WORDS;

use super::draft::{Draft, ProofDraft, Words};
use super::operations::Globs;
use super::problem::{ConfigErrors, Problems, did_you_mean, parse_toml, quoted};
use super::profiles::Library;
use super::{DateOrder, FieldRef, Proof, Rules, keys, shape};
use crate::domain::EffectKind;
use chrono_tz::Tz;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;

/// Larger files are no configuration.
const MAX_BYTES: usize = 1 << 20;

/// Reads and checks a configuration. `name` is what messages call it; its relative globs start at `folder`.
///
/// Errors: every mistake of the file, or the first one against the TOML syntax.
pub fn load(text: &str, name: &str, folder: &Path) -> Result<Rules, ConfigErrors> {
    load_with(text, name, folder, &Overrides::default())
}

/// What the command line says in place of the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides<'a> {
    /// For times without a zone, except where a column's own table names one.
    pub zone: Option<Tz>,
    /// For dates that can be read in two ways.
    pub date_order: Option<DateOrder>,
    /// For amounts that can be read in two ways: `.` or `,`.
    pub decimal: Option<char>,
    /// The profiles at hand; None: those of the program.
    pub profiles: Option<&'a Library>,
}

/// As [`load`], with the command line's word over the file's.
pub fn load_with(text: &str, name: &str, folder: &Path, overrides: &Overrides<'_>) -> Result<Rules, ConfigErrors> {
    let built_in;
    if text.len() > MAX_BYTES {
        let mut problems = Problems::new(text);
        problems.add(0..0, format!("the file has {} bytes", text.len()), "a configuration may have 1 MiB");
        return Err(problems.into_errors(name));
    }
    let (root, mut problems) = parse_toml(text, name)?;
    shape::verify_table(root.get_ref(), 0..0, keys::ROOT, &mut problems);
    let mut draft = Draft::read(root.get_ref());
    let mut texts = vec![text];
    if draft.sources.iter().any(|source| source.profile.is_some()) {
        let library = match overrides.profiles {
            Some(library) => library,
            None => {
                built_in = Library::built_in()?;
                &built_in
            }
        };
        texts.extend(drawn::draw(&mut draft, library, &mut problems));
    }
    let rules = check(&draft, &texts, folder, overrides, &mut problems);
    rules.filter(|_| problems.is_empty()).ok_or_else(|| problems.into_errors(name))
}

/// The most sources, rules and proofs of a configuration.
pub const MOST_OF_A_KIND: usize = 1 << 13;

/// None only where a problem was noted.
fn check(draft: &Draft, texts: &[&str], folder: &Path, overrides: &Overrides<'_>, problems: &mut Problems<'_>) -> Option<Rules> {
    let in_file = draft.zone.as_ref().map(|zone| time::zone(zone, problems));
    let zone = overrides.zone.map(Some).or(in_file);
    let context = source::Context {
        folder,
        zone: zone.flatten().unwrap_or(Tz::UTC),
        zone_given: zone.is_some(),
        date_order: overrides.date_order,
        decimal: overrides.decimal,
    };
    let lists = operations(&draft.operations, problems);
    refuse_repeats(draft.sources.iter().filter_map(|source| source.name.as_ref()), "source", problems);
    refuse_repeats(draft.rules.iter().filter_map(|rule| rule.id.as_ref()), "rule", problems);
    for (count, what) in [(draft.sources.len(), "sources"), (draft.rules.len(), "rules"), (draft.proofs.len(), "proofs")] {
        if count > MOST_OF_A_KIND {
            problems.add(0..0, format!("{count} {what}, more than {MOST_OF_A_KIND}"), "share them out to several configurations");
        }
    }
    // All are checked before any is given up.
    let sources: Vec<_> = draft.sources.iter().map(|source| source::check(source, &context, &lists, problems)).collect();
    let proofs: Vec<_> = draft.proofs.iter().map(|proof| check_proof(proof, draft, problems)).collect();
    if draft.rules.is_empty() {
        problems.add(0..0, "\"rule\" is missing", "write [[rule]]");
    }
    let hooks = hooks::check(&draft.hooks, problems);
    let rules: Vec<_> = draft.rules.iter().map(|rule| rule::check(rule, &draft.sources, problems)).collect();
    Some(Rules {
        zone: context.zone,
        zone_given: context.zone_given,
        sources: sources.into_iter().collect::<Option<_>>()?,
        proofs: proofs.into_iter().collect::<Option<_>>()?,
        rules: rules.into_iter().collect::<Option<_>>()?,
        hooks,
        sha256: hex(&texts.iter().fold(Sha256::new(), |digest, text| digest.chain_update(text.as_bytes())).finalize()),
    })
}

/// The lists of one table of operations.
fn operations(draft: &[(EffectKind, Vec<Words>)], problems: &mut Problems<'_>) -> Vec<(EffectKind, Globs)> {
    let mut seen = BTreeMap::new();
    let mut lists = Vec::new();
    for (kind, patterns) in draft {
        for pattern in patterns {
            if seen.insert(pattern.get_ref().as_str(), *kind).is_some_and(|other| other != *kind) {
                let message = format!("operation {} stands in two lists", quoted(pattern.get_ref()));
                problems.add(pattern.span(), message, "leave it in one");
            }
        }
        lists.push((*kind, globs(patterns, problems)));
    }
    lists
}

/// Patterns for names of operations: `*` and `?`, everything else literal.
fn globs(patterns: &[Words], problems: &mut Problems<'_>) -> Globs {
    for pattern in patterns.iter().filter(|pattern| pattern.get_ref().trim().is_empty()) {
        problems.add(pattern.span(), "an operation without a name", "write its name, with * and ? as wildcards");
    }
    Globs::new(patterns.iter().map(|pattern| pattern.get_ref().clone()).collect())
}

fn refuse_repeats<'d>(names: impl Iterator<Item = &'d Words>, what: &str, problems: &mut Problems<'_>) {
    let mut seen = Vec::new();
    for name in names {
        let text = name.get_ref().as_str();
        if text.trim().is_empty() {
            problems.add(name.span(), format!("a {what} without a name"), "name it");
        } else if seen.contains(&text) {
            problems.add(name.span(), format!("second {what} {}", quoted(text)), "give each a name of its own");
        }
        seen.push(text);
    }
}

fn check_proof(proof: &ProofDraft, draft: &Draft, problems: &mut Problems<'_>) -> Option<Proof> {
    let source = proof.source.as_ref().map(|name| source_index(name, draft, problems));
    let of = proof.of.as_ref().map(|name| source_index(name, draft, problems));
    let (source, of, fields) = (source??, of??, proof.fields.as_ref()?);
    if source == of {
        let span = proof.of.as_ref().map_or(0..0, |name| name.span());
        problems.add(span, "a source cannot prove itself", "name two sources");
    }
    if fields.get_ref().is_empty() {
        problems.add(fields.span(), "\"match\" names no field", "name the fields that both sources share");
    }
    for side in [source, of] {
        let Some(side) = draft.sources.get(side) else { continue };
        for field in fields.get_ref() {
            if !side.mapped().contains(&field.get_ref().as_str()) {
                let name = side.name.as_ref().map_or("", |name| name.get_ref());
                let message = format!("source {} has no field {}", quoted(name), quoted(field.get_ref()));
                problems.add(field.span(), message, did_you_mean(field.get_ref(), side.mapped()));
            }
        }
    }
    let fields = fields.get_ref().iter().map(|field| FieldRef::parse(field.get_ref())).collect();
    Some(Proof { source, of, fields })
}

fn source_index(name: &Words, draft: &Draft, problems: &mut Problems<'_>) -> Option<usize> {
    rule::source_index(name, &draft.sources, problems)
}

/// Lower-case hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
