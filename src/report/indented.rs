//! How JSON is laid out for people: as others lay it out, in fewer steps.

use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Every element and member on a line of its own, two blanks in for each level: what [`serde_json::ser::PrettyFormatter`] writes, with
/// each line's beginning in one piece.
#[derive(Clone, Copy, Default)]
pub(super) struct Indented {
    level: usize,
    /// The list or object that was open last holds something.
    holds: bool,
}

impl Indented {
    fn open<W: ?Sized + Write>(&mut self, out: &mut W, bracket: u8) -> io::Result<()> {
        self.level += 1;
        self.holds = false;
        out.write_all(&[bracket])
    }

    fn close<W: ?Sized + Write>(&mut self, out: &mut W, bracket: u8) -> io::Result<()> {
        self.level -= 1;
        if self.holds {
            self.begin_line(out, true)?;
        }
        out.write_all(&[bracket])
    }

    /// A new line, after a comma where it is not the first.
    fn begin_line<W: ?Sized + Write>(&self, out: &mut W, first: bool) -> io::Result<()> {
        const COMMA: usize = 1;
        const LINE: &[u8] = b",\n                                                                ";
        let blanks = self.level * 2;
        match LINE.get(usize::from(first)..COMMA + 1 + blanks) {
            Some(line) => out.write_all(line),
            None => {
                out.write_all(if first { b"\n" } else { b",\n" })?;
                (0..self.level).try_for_each(|_| out.write_all(b"  "))
            }
        }
    }
}

impl Formatter for Indented {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b'[')
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b']')
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.begin_line(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.holds = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b'{')
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b'}')
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.begin_line(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.holds = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;
    use serde_json::ser::{PrettyFormatter, Serializer};
    use serde_json::{Value, json};

    fn written(one: &Value, layout: impl Formatter) -> String {
        let mut bytes = Vec::new();
        one.serialize(&mut Serializer::with_formatter(&mut bytes, layout)).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// However deep, whatever is empty.
    #[test]
    fn lines_are_laid_out_as_usual() {
        let mut one = json!({"a": [], "b": {}, "c": [1, [2, {"d": [[]]}]], "e": {"f": null, "g": [{}, {}]}});
        for _ in 0..40 {
            assert_eq!(written(&one, Indented::default()), written(&one, PrettyFormatter::new()));
            one = json!([one, {"k": "v"}]);
        }
    }
}
