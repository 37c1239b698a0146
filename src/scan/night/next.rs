//! What the next night is left: inputs as they are known now, and what is carried of them.

use super::inputs::{TonightInputs, name};
use super::pack;
use crate::domain::carried::CarriedText;
use crate::domain::memory::{CarriedPart, KnownInput, KnownSource, Memory};
use crate::domain::record::InputError;
use crate::engine::{GatheredInput, Trace};
use crate::read::Form;
use crate::rules::Rules;
use crate::scan::ScanError;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// A known input and its place among tonight's opened ones.
pub type Known = (KnownInput, Option<usize>);

/// All inputs that are known after tonight, ascending by number.
pub fn inputs(
    rules: &Rules,
    memory: &Memory,
    tonight: &TonightInputs,
    gathered: &[GatheredInput],
    trace: &Trace,
    night: &str,
) -> Vec<Known> {
    let mut known: Vec<Known> = memory.inputs.iter().map(|known| (known.clone(), None)).collect();
    for (index, (known, _)) in known.iter_mut().enumerate() {
        if tonight.unchanged.iter().any(|unchanged| unchanged.known == index) {
            known.name = name(index, known, &tonight.unchanged);
            known.night = night.to_owned();
        }
    }
    let mut number = memory.inputs.iter().map(|known| known.number + 1).max().unwrap_or(0);
    for (at, ((open, index), gathered)) in tonight.opened.iter().zip(&tonight.known).zip(gathered).enumerate() {
        let before = index.and_then(|index| memory.inputs.get(index));
        if let (false, Some(index)) = (open.input.is_there(), index) {
            if let Some(slot) = known.get_mut(*index) {
                slot.1 = Some(at);
            }
            continue;
        }
        let (records, lines) = trace.extent(at, open);
        let has_times = trace.horizons.get(open.source).is_some_and(Option::is_some);
        // A file that changed or could not be read is not known: tomorrow it is read as it lies there then.
        let is_sound = matches!(gathered.fault, None | Some(InputError::CutOff { .. }));
        let facts = &gathered.facts;
        let now = KnownInput {
            number: before.map_or(number, |known| known.number),
            source: rules.sources.get(open.source).map(|source| source.name.to_string()).unwrap_or_default(),
            name: open.input.name().to_owned(),
            stored_bytes: if is_sound { facts.bytes } else { 0 },
            stored_sha256: if is_sound { facts.sha256.clone() } else { String::new() },
            text: facts.used.clone().filter(|_| is_sound && has_times),
            records,
            lines,
            held: facts.held,
            fault: gathered.fault.as_ref().map(ToString::to_string),
            last: before.and_then(|known| known.last).max(gathered.tally.range.map(|(_, last)| last)),
            night: night.to_owned(),
        };
        match index.and_then(|index| known.get_mut(index)) {
            Some(slot) => *slot = (now, Some(at)),
            None => {
                number += 1;
                known.push((now, Some(at)));
            }
        }
    }
    known
}

/// What is carried of each input. What is carried on as it was stays packed.
///
/// # Errors
/// It cannot be packed.
pub fn carried(
    rules: &Rules,
    memory: &Memory,
    tonight: &TonightInputs,
    known: &[Known],
    texts: &[CarriedText],
) -> Result<Vec<CarriedPart>, ScanError> {
    let mut parts = Vec::new();
    for (known, at) in known {
        let Some((text, open)) = at.and_then(|at| Some((texts.get(at)?, tonight.opened.get(at)?))) else { continue };
        if text.records == 0 {
            continue;
        }
        let form = if open.input.carries_text() { Form::InFile } else { Form::Translated };
        let columns = rules.sources.get(open.source).map(|source| source.columns.clone()).unwrap_or_default();
        let before = memory.carried.iter().find(|part| part.input == known.number);
        let as_it_was = |part: &&CarriedPart| {
            part.columns == columns && pack::form(&part.bytes) == Some(form) && open.input.carried() == Some(text)
        };
        let bytes = match before.filter(as_it_was) {
            Some(part) => part.bytes.clone(),
            None => pack::carried(text, form)?,
        };
        parts.push(CarriedPart { source: known.source.clone(), input: known.number, records: text.records, columns, bytes });
    }
    Ok(parts)
}

/// Forgets inputs that are not there any more, of which nothing is carried, and whose records are older than what is remembered.
pub fn forget(known: &mut Vec<Known>, tonight: &TonightInputs, carried: &[CarriedPart], since: &dyn Fn(&str) -> Option<i64>) {
    let carries: BTreeSet<u64> = carried.iter().map(|part| part.input).collect();
    let there: BTreeSet<u64> = known
        .iter()
        .enumerate()
        .filter(|(index, (_, at))| {
            let is_open = at.and_then(|at| tonight.opened.get(at)).is_some_and(|open| open.input.is_there());
            is_open || tonight.unchanged.iter().any(|unchanged| unchanged.known == *index)
        })
        .map(|(_, (known, _))| known.number)
        .collect();
    known.retain(|(known, _)| {
        let is_recent = since(&known.source).is_none_or(|since| known.last.is_none_or(|last| last >= since));
        there.contains(&known.number) || carries.contains(&known.number) || is_recent
    });
}

/// What is known of each source; of one that the rules do not name any more, what was.
pub fn sources(rules: &Rules, memory: &Memory, trace: &Trace) -> BTreeMap<String, KnownSource> {
    let mut sources = memory.sources.clone();
    for (index, source) in rules.sources.iter().enumerate() {
        let now = KnownSource {
            range: trace.ranges.get(index).copied().flatten(),
            horizon: trace.horizons.get(index).copied().flatten().map(|horizon| horizon.told),
            latest: trace.latest.get(index).map(|latest| latest.times().collect()).unwrap_or_default(),
            shown: trace.shown.get(index).copied().unwrap_or_default(),
        };
        sources.insert(source.name.to_string(), now);
    }
    sources
}

/// Digest of what decides which findings there are.
pub fn digest_of(rules: &Rules) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    for rule in &rules.rules {
        add(&rule.id);
        add(&rule.version);
    }
    for source in &rules.sources {
        add(&source.name);
        source.columns.iter().for_each(|column| add(column));
        add(&format!("{:?}", source.map));
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
