//! A dry run: the first records of every file, mapped but not judged.

use super::{Assigned, ScanError, open_all};
use crate::engine::{self, Options, PreviewLimits, Previewed};
use crate::rules::Rules;

/// What a dry run saw.
pub struct Preview {
    pub files: Vec<PreviewedFile>,
    /// Why files could not be opened.
    pub faults: Vec<String>,
}

pub struct PreviewedFile {
    pub name: String,
    /// Index into `Rules::sources`.
    pub source: usize,
    /// What the file was recognised as.
    pub format: String,
    pub missing_columns: Vec<String>,
    pub previewed: Previewed,
}

/// Maps the first records of every file.
pub fn preview(rules: &Rules, files: &[Assigned], limits: PreviewLimits) -> Result<Preview, ScanError> {
    let (opened, unopened) = open_all(rules, files, &Options::default().temp_dir)?;
    let mut preview = Preview { files: Vec::new(), faults: unopened.into_iter().map(|unopened| unopened.reason).collect() };
    for open in &opened {
        match engine::preview(open, rules, limits) {
            Ok(previewed) => preview.files.push(PreviewedFile {
                name: open.input.name().to_owned(),
                source: open.source,
                format: open.input.description(),
                missing_columns: open.input.missing_columns().to_vec(),
                previewed,
            }),
            Err(error) => preview.faults.push(error.to_string()),
        }
    }
    Ok(preview)
}
