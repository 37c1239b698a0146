//! What the sources draw from their profiles: the tables that they leave open, and rules where the configuration has none for them.

use super::columns;
use crate::rules::draft::{Draft, ProfileDraft, RuleDraft, Words};
use crate::rules::problem::{Problems, quoted};
use crate::rules::profiles::{Library, Profile, padded};
use crate::rules::{keys, shape};
use toml::Spanned;
use toml::de::DeTable;

/// Lays profiles under the sources that name them. Returns the texts that were drawn on, by name.
pub(super) fn draw<'l>(draft: &mut Draft, library: &'l Library, problems: &mut Problems<'l>) -> Vec<&'l str> {
    let names: Vec<Words> = draft.sources.iter().filter_map(|source| source.profile.clone()).collect();
    let mut drawn: Vec<&Profile> = Vec::new();
    for name in &names {
        match library.get(name.get_ref()) {
            None => problems.add(name.span(), format!("unknown profile {}", quoted(name.get_ref())), help(library, name)),
            Some(profile) if drawn.iter().any(|known| known.name == profile.name) => {}
            Some(profile) => drawn.push(profile),
        }
    }
    drawn.sort_by(|one, other| one.name.cmp(&other.name));
    for profile in &drawn {
        lay_under(draft, profile, problems);
    }
    drawn.into_iter().map(|profile| profile.text.as_str()).collect()
}

fn help(library: &Library, name: &Words) -> String {
    match library.nearest(name.get_ref()) {
        Some(near) => format!("did you mean \"{near}\""),
        None => "twicelog profiles lists all".into(),
    }
}

fn lay_under<'l>(draft: &mut Draft, profile: &'l Profile, problems: &mut Problems<'l>) {
    let start = problems.draw_on(format!("profile {}", profile.name), &profile.text);
    let text = padded(start, &profile.text);
    let read = || {
        let root = DeTable::parse(&text).ok()?;
        Some((ProfileDraft::read(root.get_ref()), root))
    };
    // A source takes the profile as its own, so each reads it anew.
    let mut of_profile = Vec::new();
    for source in &mut draft.sources {
        if source.profile.as_ref().is_some_and(|name| name.get_ref() == &profile.name)
            && let Some((drawn, _)) = read()
        {
            source.own_columns = columns::named(source);
            source.lay_over(drawn.source);
            source.operations = drawn.operations;
            of_profile.extend(source.name.clone());
        }
    }
    let Some((drawn, root)) = read() else { return };
    shape::verify_table(root.get_ref(), start..start, keys::PROFILE, problems);
    draw_rules(draft, drawn.rules, of_profile, problems);
}

/// The profile's rules judge the sources that no rule of the configuration judges.
fn draw_rules(draft: &mut Draft, rules: Vec<RuleDraft>, mut sources: Vec<Words>, problems: &mut Problems<'_>) {
    let is_judged = |name: &Words| {
        draft.rules.iter().filter(|rule| !rule.is_drawn).any(|rule| match &rule.sources {
            None => true,
            Some(judged) => judged.get_ref().iter().any(|judged| judged.get_ref() == name.get_ref()),
        })
    };
    sources.retain(|name| !is_judged(name));
    let Some(span) = sources.first().map(Spanned::span) else { return };
    for mut rule in rules {
        let is_taken = |known: &RuleDraft| match (&known.id, &rule.id) {
            (Some(known), Some(id)) => known.get_ref() == id.get_ref(),
            _ => false,
        };
        // Left out in silence, the rule would leave its sources unjudged.
        if let Some(id) = rule.id.as_ref().filter(|_| draft.rules.iter().any(is_taken)) {
            let message = format!("rule {} has the id of another rule, and judges other sources", quoted(id.get_ref()));
            problems.add(id.span(), message, "give one of the two another id");
            continue;
        }
        rule.sources = Some(Spanned::new(span.clone(), sources.clone()));
        rule.is_drawn = true;
        draft.rules.push(rule);
    }
}
