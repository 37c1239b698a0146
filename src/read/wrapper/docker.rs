//! Docker's `json-file` log: `{"log":"message\n","stream":"stdout","time":"2026-03-02T10:40:12.5Z"}`.

use super::{Opened, Outside, Piece, Stream};
use crate::domain::record::Cell;
use crate::read::json::{Cells, Cursor};
use crate::read::marks::string_stop;
use crate::read::pointer::Columns;
use memchr::memmem;
use std::ops::Range;
use std::sync::LazyLock;

static MEMBERS: LazyLock<Columns> = LazyLock::new(|| Columns::new(&["log", "stream", "time"].map(str::to_owned)));

/// True for a line that certainly is no part of a message that goes on, by a look that reads no values: the member `log` stands first and
/// ends with a line end. False tells nothing.
pub(super) fn is_surely_whole(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"{\"log\":\"") else { return false };
    let (mut at, mut last_escape) = (0, None);
    while let Some((stop, byte)) = string_stop(rest, at) {
        match byte {
            b'\\' => (at, last_escape) = (stop + 2, Some(stop)),
            b'"' => {
                let after = rest.get(stop..).unwrap_or_default();
                let ends_line = last_escape.is_some_and(|escape| rest.get(escape..stop) == Some(b"\\n"));
                // A second `log` would count instead, and an escape might spell one.
                return ends_line && !after.contains(&b'\\') && memmem::find(after, b"\"log\"").is_none();
            }
            _ => return false,
        }
    }
    false
}

/// A message longer than 16 KiB is cut up; what is no last part has no line end.
pub(super) fn open(text: &str, line: Range<usize>, outside: &mut Outside<'_>) -> Option<Opened> {
    let mut cells = [Cell::Missing; 3];
    let mut cursor = Cursor::new(text, line.start, line.end, &MEMBERS);
    let scratch = &mut *outside.cells.scratch;
    cursor.record(&mut Cells { cells: &mut cells, scratch }).and_then(|_| cursor.finish()).ok()?;
    let [log, stream, time] = cells;
    let stream_name = stream.text(text, outside.cells.scratch)?;
    let opened_stream = Stream::parse(stream_name)?;
    time.text(text, outside.cells.scratch)?;
    // A last part always holds an escape, that of its line end.
    let (message, piece) = match log {
        Cell::Scratch { from, to } if outside.cells.scratch.get(..to as usize)?.ends_with('\n') => {
            (Cell::Scratch { from, to: to - 1 }, Piece::Last)
        }
        Cell::Missing => return None,
        other => (other, Piece::Part),
    };
    outside.put("@time", time);
    outside.put("@stream", stream);
    Some(Opened { message, piece, stream: opened_stream })
}
