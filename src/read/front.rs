//! The first records of a JSON text, as far as its front shows them: what recognition looks at.

use super::document::{Located, Skipper, element_start, locate};
use super::json::{Cells, Cursor};
use super::pointer::Columns;
use crate::domain::record::Cell;

/// Records looked at.
const MOST_RECORDS: usize = 50;

/// The values of `columns` (JSON pointers, or names of members) in the first records of `text`: of the array at the pointer `records`, else
/// of the objects that stand one after the other. Objects and arrays are given as they are written. A record that the end of the text cuts
/// off gives what it has up to there.
pub(super) fn values(text: &str, records: Option<&str>, columns: &[String]) -> Vec<Vec<Option<String>>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = match records.map(|pointer| locate(bytes, pointer)) {
        None => 0,
        Some(Located::Found { start, .. }) => start,
        Some(Located::NeedsMore | Located::Absent) => return found,
    };
    let tree = Columns::new(columns);
    let mut cells = vec![Cell::Missing; tree.slots()];
    let mut scratch = String::new();
    while found.len() < MOST_RECORDS
        && let Some(start) = element_start(bytes, at)
        && bytes.get(start) != Some(&b']')
    {
        cells.fill(Cell::Missing);
        scratch.clear();
        let sound = Cursor::new(text, start, bytes.len(), &tree).record(&mut Cells { cells: &mut cells, scratch: &mut scratch });
        let end = Skipper::default().pass(bytes.get(start..).unwrap_or_default());
        // What is whole but no sound object tells nothing.
        if sound.is_ok() || (end.is_none() && cells.iter().any(|cell| *cell != Cell::Missing)) {
            found.push(cells.iter().map(|cell| cell.text(text, &scratch).map(str::to_owned)).collect());
        }
        match (sound, end) {
            (Ok(end), _) => at = end,
            (Err(_), Some(length)) => at = start + length,
            (Err(_), None) => break,
        }
    }
    found
}

/// True when the first value of a JSON text ends in it.
pub(super) fn ends_first(text: &str) -> bool {
    let bytes = text.as_bytes();
    let rest = element_start(bytes, 0).and_then(|start| bytes.get(start..));
    rest.is_some_and(|rest| Skipper::default().pass(rest).is_some())
}

/// True for spans of OpenTelemetry, as its exporters write them.
pub(super) fn holds_spans(text: &str) -> bool {
    let first = [None, Some("")].into_iter().flat_map(|records| values(text, records, &["resourceSpans".to_owned()]));
    // One batch may be longer than the front.
    let begins = |pointer: &str| matches!(locate(text.as_bytes(), pointer), Located::Found { .. });
    first.flatten().flatten().any(|spans| spans.starts_with('[')) || begins("/resourceSpans") || begins("/0/resourceSpans")
}

/// True for messages with calls of tools: of the Messages API of Anthropic (bare, or wrapped by a session), of the chat API of OpenAI, or
/// items of its Responses API.
pub(super) fn holds_calls(text: &str) -> bool {
    let columns = ["/tool_calls", "/content", "/message/content", "/type", "/call_id"].map(str::to_owned);
    let places = [None, Some(""), Some("/messages"), Some("/input"), Some("/output")];
    places.into_iter().flat_map(|records| values(text, records, &columns)).any(|record| {
        let [calls, content, wrapped, kind, call_id] = record.as_slice() else { return false };
        let blocks = |content: &Option<String>| {
            content.as_ref().is_some_and(|content| content.starts_with('[') && content.contains("\"tool_use\""))
        };
        calls.as_ref().is_some_and(|calls| calls.starts_with('[') && calls.contains("\"function\""))
            || blocks(content)
            || blocks(wrapped)
            || (kind.as_deref() == Some("function_call") && call_id.is_some())
    })
}
