//! Whether a configuration fits its inputs at all: what would otherwise be a calm report about nothing.

use crate::engine::OpenInput;
use crate::rules::{Rules, Source};

/// A line for each source none of whose inputs has the columns that tell an outcome: every record would be of unknown outcome, and nothing
/// could ever be found. Profiles know exports without such columns.
pub(super) fn misfits(rules: &Rules, opened: &[OpenInput]) -> Vec<String> {
    let told = |(index, source): (usize, &Source)| {
        let mut inputs =
            opened.iter().filter(|open| open.source == index && open.input.is_there()).map(|open| &open.input).peekable();
        let columns = outcome_columns(source);
        let first = inputs.peek()?.name().to_owned();
        let lacks_all =
            !columns.is_empty() && inputs.all(|input| columns.iter().all(|column| input.missing_columns().contains(column)));
        lacks_all.then(|| {
            format!(
                "{first}: nothing tells an outcome: no file of source {:?} has the column {}; set source.map.outcome, or leave it out \
                 where every record took effect",
                source.name,
                columns.iter().map(|column| format!("{column:?}")).collect::<Vec<_>>().join(", "),
            )
        })
    };
    rules.sources.iter().enumerate().filter(|(_, source)| source.profile.is_none()).filter_map(told).collect()
}

fn outcome_columns(source: &Source) -> Vec<String> {
    let questions = source.map.outcome.iter().flat_map(|outcome| &outcome.questions);
    let mut columns: Vec<String> = questions.flat_map(|question| source.columns_of(&question.from)).map(str::to_owned).collect();
    columns.sort();
    columns.dedup();
    columns
}
