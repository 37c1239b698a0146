//! `replace:RE=>TEXT`: what matches a regular expression, by another text.

use crate::rules::check::{REGEX_SIZE, regex_reason};
use regex::{Regex, RegexBuilder};

/// `$1` and `${name}` in the text stand for groups of the expression, `$$` for a dollar sign.
#[derive(Clone, Debug)]
pub struct Replace {
    pattern: Regex,
    text: String,
}

impl PartialEq for Replace {
    fn eq(&self, other: &Self) -> bool {
        self.pattern.as_str() == other.pattern.as_str() && self.text == other.text
    }
}

impl Replace {
    pub const NAME: &'static str = "replace";
    pub const MEANING: &'static str = "each match of the regular expression RE becomes TEXT";

    /// Errors: no `=>`, an expression that cannot be read or is too large, a group that the expression does not have.
    pub fn parse(argument: &str) -> Result<Self, String> {
        let (pattern, text) = argument.split_once("=>").ok_or_else(|| "has no \"=>\"; write replace:RE=>TEXT".to_owned())?;
        if pattern.is_empty() {
            return Err("has an empty expression; write replace:RE=>TEXT".into());
        }
        let pattern = RegexBuilder::new(pattern)
            .size_limit(REGEX_SIZE)
            .build()
            .map_err(|error| format!("has an expression that cannot be read: {}", regex_reason(&error)))?;
        if let Some(group) = unknown_group(&pattern, text) {
            return Err(format!("uses group \"{group}\", which the expression does not have; write $$ for a dollar sign"));
        }
        Ok(Self { pattern, text: text.to_owned() })
    }

    pub fn argument(&self) -> String {
        format!("{}=>{}", self.pattern, self.text)
    }

    pub(super) fn apply(&self, value: &str, out: &mut String) {
        let mut done = 0;
        for captures in self.pattern.captures_iter(value) {
            if let Some(all) = captures.get(0) {
                out.push_str(value.get(done..all.start()).unwrap_or_default());
                captures.expand(&self.text, out);
                done = all.end();
            }
        }
        out.push_str(value.get(done..).unwrap_or_default());
    }
}

/// The first group that `text` refers to and `pattern` lacks; regex itself would put nothing there.
fn unknown_group<'t>(pattern: &Regex, text: &'t str) -> Option<&'t str> {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('$') {
        if let Some(after) = after.strip_prefix('$') {
            rest = after;
            continue;
        }
        let (name, after) = match after.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            Some(braced) => braced,
            None => after.split_at(after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len())),
        };
        let known = match name.parse::<usize>() {
            Ok(number) => number < pattern.captures_len(),
            Err(_) => name.is_empty() || pattern.capture_names().flatten().any(|known| known == name),
        };
        if !known {
            return Some(name);
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{Normaliser, applied};

    #[test]
    fn replaces_each_match() {
        assert_eq!(applied("replace:[-/ ]+=>-", "СЧ / 17-/2"), "СЧ-17-2");
        assert_eq!(applied(r"replace:^№\s*(\d+)=>N${1}x$$", "№ 17"), "N17x$");
        assert_eq!(applied("replace:x=>", "axbx"), "ab");
    }

    #[test]
    fn refuses_what_it_cannot_do() {
        for bad in
            ["replace:a", "replace:=>b", "replace:(=>b", "replace:(a)=>$2", "replace:a=>$1st", "replace:(\\w{200}){200}=>b"]
        {
            assert!(Normaliser::parse(bad).is_err(), "{bad}");
        }
    }
}
