//! The table of all profiles for the documentation, made of the profiles themselves.

use super::recognise::rules_of_profile;
use crate::rules::pick::Pick;
use crate::rules::profiles::{Library, Profile};
use crate::rules::{ConfigErrors, EffectIdMap, Source};
use std::fmt::Write;

/// Columns of one field that the table names.
const MOST_COLUMNS: usize = 3;

/// A page of Markdown: every profile with what gives it away, what names its effects and its requests, and what is not verified.
///
/// # Errors
/// The mistakes of a profile.
pub fn profile_table(library: &Library) -> Result<String, ConfigErrors> {
    let mut page = format!(
        "# Exports and logs that are recognised\n\n\
         Written by `twicelog profiles --markdown`; a test fails when it is stale. {} profiles. `twicelog profiles NAME` shows all of one.\n\n\
         | profile | export or log | recognised by | effect id | request key | not verified |\n| --- | --- | --- | --- | --- | --- |\n",
        library.iter().count()
    );
    for profile in library.iter() {
        let rules = rules_of_profile(&profile.name, library)?;
        if let Some(source) = rules.sources.first() {
            row(profile, source, &mut page);
        }
    }
    Ok(page)
}

fn row(profile: &Profile, source: &Source, page: &mut String) {
    let effect_id = match &source.map.effect_id {
        None => String::new(),
        Some(EffectIdMap::EachRow) => "each row".into(),
        Some(EffectIdMap::From(pick)) => columns(source, pick),
    };
    let request_key = source.map.request_key.as_ref().map(|pick| columns(source, pick)).unwrap_or_default();
    let cells = [profile.title.clone(), profile.detect.in_words(), effect_id, request_key, profile.unverified.join("; ")];
    let cells: Vec<String> = cells.iter().map(|cell| safe_cell(cell)).collect();
    // Writing to a String does not fail.
    let _ = writeln!(page, "| `{}` | {} |", profile.name, cells.join(" | "));
}

fn columns(source: &Source, pick: &Pick) -> String {
    let columns = source.columns_of(pick);
    let more = if columns.len() > MOST_COLUMNS { " …" } else { "" };
    columns.iter().take(MOST_COLUMNS).map(|column| format!("`{column}`")).collect::<Vec<_>>().join(", ") + more
}

/// Text that stays in its cell.
fn safe_cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ").replace('<', "&lt;")
}
