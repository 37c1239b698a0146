//! What the lines above the header of a table say of all its records: a day, an account, a currency.

use super::lines::line_at;
use crate::rules::Source;

/// The columns that the preamble fills: the slot, and the value of every record.
pub(super) fn constants(text: &str, line_end: u8, source: &Source) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut start = 0;
    while start < text.len() && !source.read.preamble.is_empty() {
        let line = line_at(text.as_bytes(), start, line_end);
        let content = text.get(start..line.end).unwrap_or_default();
        for captures in source.read.preamble.iter().filter_map(|pattern| pattern.captures(content).map(|found| (pattern, found)))
        {
            let (pattern, captures) = captures;
            for group in pattern.capture_names().flatten() {
                let slot = source.columns.iter().position(|column| column == group);
                let value = captures.name(group).map(|value| value.as_str()).filter(|value| !value.is_empty());
                if let (Some(slot), Some(value)) = (slot, value)
                    && !found.iter().any(|(known, _)| *known == slot)
                {
                    found.push((slot, value.to_owned()));
                }
            }
        }
        start = line.next;
    }
    found
}
