//! Tonight's inputs held against those known: what is unchanged is not read, what has grown is read from where it was left, and what is
//! carried stands before what is new of the same input.

use super::pack;
use crate::domain::carried::CarriedText;
use crate::domain::memory::{CarriedPart, KnownInput, Memory};
use crate::domain::record::{Input, InputFacts};
use crate::engine::OpenInput;
use crate::read::{self, Acquaintance, Acquainted, Ending, Form};
use crate::rules::Rules;
use crate::scan::{Assigned, Opening, ScanError, Unopened, must_fit, open_by};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Tonight's inputs.
pub struct TonightInputs {
    /// Known ones first, by their number; then those that are new.
    pub opened: Vec<OpenInput>,
    /// For each of `opened`: which of the known inputs it is.
    pub known: Vec<Option<usize>>,
    pub unchanged: Vec<Unchanged>,
    pub unopened: Vec<Unopened>,
}

/// An input of which nothing is new.
pub struct Unchanged {
    /// Index of the source.
    pub source: usize,
    /// Index of the known input.
    pub known: usize,
    pub name: String,
    pub facts: InputFacts,
}

/// Opens what is new, and puts what is carried before it.
///
/// # Errors
/// As [`super::scan_night`].
pub fn open(
    rules: &Rules,
    files: &[Assigned],
    memory: &Memory,
    ending: Ending,
    spool_folder: &Path,
) -> Result<TonightInputs, ScanError> {
    let Opening { opened: found, unopened, unfit } = open_by(rules, files, &|file, source| {
        let known: Vec<&KnownInput> = memory.inputs.iter().filter(|known| known.source == *source.name).collect();
        read::acquaint(file.location.store(&file.name, spool_folder)?, source, spool_folder, &known, ending)
    });
    let mut unchanged = Vec::new();
    let mut changed: Vec<(&Assigned, Acquaintance)> = Vec::new();
    for (found, file) in found {
        match found {
            Acquainted::Unchanged { known, facts } => {
                if let Some(known) = of_source(rules, file.source, memory).nth(known) {
                    unchanged.push(Unchanged { source: file.source, known, name: file.name.clone(), facts });
                }
            }
            Acquainted::Opened(acquaintance) => changed.push((file, *acquaintance)),
        }
    }
    let claimed = claims(rules, &changed, &unchanged, memory);
    let (mut grown, mut new) = (BTreeMap::new(), Vec::new());
    for (at, (file, acquaintance)) in changed.into_iter().enumerate() {
        let claim = claimed.get(&at).and_then(|(index, within)| Some((*index, *within, memory.inputs.get(*index)?)));
        match claim {
            Some((index, within, known)) => {
                grown.insert(index, acquaintance.rest(within, known, ending));
            }
            None => new.push(OpenInput { input: acquaintance.whole(ending), source: file.source }),
        }
    }
    let there: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let mut tonight = carried(rules, memory, grown, &unchanged, &there)?;
    tonight.known.extend(new.iter().map(|_| None));
    tonight.opened.extend(new);
    must_fit(rules, unfit, &tonight.opened)?;
    let unopened = unopened.into_iter().chain(std::mem::take(&mut tonight.unopened)).collect();
    Ok(TonightInputs { unchanged, unopened, ..tonight })
}

/// Indices of the known inputs of a source, in their order.
fn of_source<'m>(rules: &'m Rules, source: usize, memory: &'m Memory) -> impl Iterator<Item = usize> + 'm {
    let name = rules.sources.get(source).map(|source| source.name.as_ref());
    memory.inputs.iter().enumerate().filter(move |(_, known)| Some(known.source.as_str()) == name).map(|(index, _)| index)
}

/// Which known input each changed one goes on from: its index in the memory, and among those of its source. A known input goes on in one
/// file at most, and not at all while it lies there itself; a file of its name comes first.
fn claims(
    rules: &Rules,
    changed: &[(&Assigned, Acquaintance)],
    unchanged: &[Unchanged],
    memory: &Memory,
) -> BTreeMap<usize, (usize, usize)> {
    let mut taken: BTreeSet<usize> = unchanged.iter().map(|unchanged| unchanged.known).collect();
    let mut claims = BTreeMap::new();
    for by_name in [true, false] {
        for (at, (file, acquaintance)) in changed.iter().enumerate() {
            if claims.contains_key(&at) {
                continue;
            }
            let known: Vec<usize> = of_source(rules, file.source, memory).collect();
            let is_called_so = |index: usize| memory.inputs.get(index).is_some_and(|known| known.name == file.name);
            let mut free = acquaintance
                .begins_with()
                .filter_map(|within| Some((*known.get(within)?, within)))
                .filter(|(index, _)| !taken.contains(index) && (!by_name || is_called_so(*index)));
            if let Some((index, within)) = free.next() {
                taken.insert(index);
                claims.insert(at, (index, within));
            }
        }
    }
    claims
}

/// The known inputs of which something is carried or new.
fn carried(
    rules: &Rules,
    memory: &Memory,
    mut grown: BTreeMap<usize, Box<dyn Input>>,
    unchanged: &[Unchanged],
    there: &BTreeSet<&str>,
) -> Result<TonightInputs, ScanError> {
    let mut taken: BTreeSet<String> = there.iter().map(|name| (*name).to_owned()).collect();
    let mut tonight = TonightInputs { opened: Vec::new(), known: Vec::new(), unchanged: Vec::new(), unopened: Vec::new() };
    for (index, known) in memory.inputs.iter().enumerate() {
        let Some(source) = rules.sources.iter().position(|source| *source.name == known.source) else { continue };
        let part = memory.carried.iter().find(|part| part.input == known.number);
        let new = grown.remove(&index);
        if part.is_none() && new.is_none() {
            continue;
        }
        let (text, form) = match part {
            Some(part) => pack::uncarried(&part.bytes, part.records)?,
            None => (CarriedText::default(), Form::InFile),
        };
        let columns = part.map(|part| part.columns.as_slice()).unwrap_or_default();
        let asked = rules.sources.get(source).map(|source| source.columns.as_slice()).unwrap_or_default();
        if let Some(part) = part {
            tonight.unopened.extend(lacking(part, asked).map(|column| Unopened {
                source,
                name: known.name.clone(),
                reason: format!(
                    "{}: {} held without the column {column:?}, which is asked for since; \
                     what stands there is not known, and twicelog state rebuild FOLDER reads everything anew",
                    known.name,
                    if part.records == 1 {
                        "1 record of an earlier night is".to_owned()
                    } else {
                        format!("{} records of earlier nights are", part.records)
                    }
                ),
            }));
        }
        let form = if new.as_ref().is_some_and(|new| new.carries_text()) { Form::InFile } else { form };
        let is_there = new.is_some() || unchanged.iter().any(|unchanged| unchanged.known == index);
        let mut name = name(index, known, unchanged);
        if !is_there {
            name = of_its_own(name, known, &taken);
            taken.insert(name.clone());
        }
        tonight.opened.push(OpenInput { input: read::with_carried(&name, text, columns, asked, form, new), source });
        tonight.known.push(Some(index));
    }
    Ok(tonight)
}

/// A name that no other input has: `app.log (2026-03-02)`. Records are told apart by where they stand, and logs of every night may be called alike.
fn of_its_own(name: String, known: &KnownInput, taken: &BTreeSet<String>) -> String {
    let of_night = format!("{name} ({})", known.night);
    let numbered = format!("{name} ({}, {})", known.night, known.number);
    [name, of_night].into_iter().find(|name| !taken.contains(name)).unwrap_or(numbered)
}

/// The first column that is asked for now, and was not when records were carried.
fn lacking<'a>(part: &CarriedPart, asked: &'a [String]) -> Option<&'a String> {
    asked.iter().find(|column| !part.columns.contains(column))
}

/// How a known input is called tonight: as it was, unless it lies there under other names only.
pub fn name(index: usize, known: &KnownInput, unchanged: &[Unchanged]) -> String {
    let mut names = unchanged.iter().filter(|unchanged| unchanged.known == index).map(|unchanged| &unchanged.name);
    match names.clone().find(|name| **name == known.name) {
        Some(name) => name.clone(),
        None => names.next().unwrap_or(&known.name).clone(),
    }
}
