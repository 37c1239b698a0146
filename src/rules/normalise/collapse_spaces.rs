//! `collapse_spaces`: runs of white space become one blank.

use super::Plain;

/// A run at an end becomes one blank as well; `trim` drops it.
pub const COLLAPSE_SPACES: Plain =
    Plain { name: "collapse_spaces", meaning: "runs of white space become one blank", apply, keeps: super::never };

fn apply(value: &str, out: &mut String) {
    let mut in_run = false;
    for c in value.chars() {
        let blank = c.is_whitespace();
        if !blank {
            out.push(c);
        } else if !in_run {
            out.push(' ');
        }
        in_run = blank;
    }
}

#[cfg(test)]
mod tests {
    use super::super::applied;

    #[test]
    fn makes_each_run_one_blank() {
        assert_eq!(applied("collapse_spaces", "ООО\u{a0}  «Ромашка»\t"), "ООО «Ромашка» ");
    }
}
