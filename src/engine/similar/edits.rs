//! How alike two texts are, answered "not alike enough" as cheaply as possible: nearly every pair of a block is not.

use crate::rules::EditMethod;

/// Characters are counted in so many cells, by their code.
const CELLS: usize = 32;

/// A text that is compared with many others.
#[derive(Clone, Debug)]
pub struct Text {
    chars: Box<[char]>,
    /// How many characters fall into each cell, at most 255.
    bag: [u8; CELLS],
}

impl Text {
    pub fn new(text: &str) -> Self {
        let chars: Box<[char]> = text.chars().collect();
        let mut bag = [0u8; CELLS];
        for c in &chars {
            let cell = &mut bag[*c as usize % CELLS];
            *cell = cell.saturating_add(1);
        }
        Self { chars, bag }
    }

    pub fn chars(&self) -> &[char] {
        &self.chars
    }

    /// At least so many characters have no partner in the other text. Sharing or filling a cell only lowers the count.
    fn without_partner(&self, other: &Self) -> usize {
        self.bag.iter().zip(&other.bag).map(|(one, other)| usize::from(one.saturating_sub(*other))).sum()
    }
}

/// True when the texts are alike by at least this share, 0 to 1.
pub fn edit_near(one: &Text, other: &Text, method: EditMethod, at_least: f64) -> bool {
    if one.chars == other.chars {
        return true;
    }
    match method {
        EditMethod::JaroWinkler => {
            jaro_winkler_at_most(one, other) >= at_least
                && strsim::generic_jaro_winkler(&Chars(&one.chars), &Chars(&other.chars)) >= at_least
        }
        EditMethod::Levenshtein => edits_within(one, other, at_least, levenshtein_within),
        EditMethod::DamerauLevenshtein => edits_within(one, other, at_least, |one, other, most| {
            // A swap of neighbours is two edits at most where swaps do not count.
            levenshtein_within(one, other, most.saturating_mul(2)) && strsim::generic_damerau_levenshtein(one, other) <= most
        }),
    }
}

/// The most edits between a text of so many characters and any that is alike by at least this share, which is more than a half.
pub fn most_edits(length: usize, at_least: f64) -> usize {
    // No longer text is near, and none allows more edits; what the division may have lost is given back.
    let longest = (length as f64 / at_least + 1e-6) as usize;
    let allowed = |edits: usize| 1.0 - edits as f64 / longest as f64 >= at_least;
    let guess = ((1.0 - at_least) * longest as f64) as usize + 1;
    (0..=guess).rev().find(|edits| allowed(*edits)).unwrap_or(0)
}

/// True when no more edits lie between the texts than `at_least` allows; `within` decides what is cheaper not to ask.
fn edits_within(one: &Text, other: &Text, at_least: f64, within: impl Fn(&[char], &[char], usize) -> bool) -> bool {
    let longer = one.chars.len().max(other.chars.len());
    let allowed = |edits: usize| 1.0 - edits as f64 / longer as f64 >= at_least;
    // Each character without a partner is an edit, and one edit can pair at most one on each side.
    let unpaired = one.without_partner(other).max(other.without_partner(one)).max(one.chars.len().abs_diff(other.chars.len()));
    if !allowed(unpaired) {
        return false;
    }
    let most = (unpaired..=longer).take_while(|edits| allowed(*edits)).last().unwrap_or(unpaired);
    let (one, other) = without_common_ends(&one.chars, &other.chars);
    within(one, other, most)
}

/// What is left of both between a common front and a common end, where no edit is needed.
fn without_common_ends<'c>(one: &'c [char], other: &'c [char]) -> (&'c [char], &'c [char]) {
    let front = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[front..], &other[front..]);
    let end = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    (&one[..one.len() - end], &other[..other.len() - end])
}

/// True when at most `most` insertions, deletions and replacements lead from one text to the other. Only cells of the table that so
/// few edits can reach are filled in (Ukkonen 1985).
fn levenshtein_within(one: &[char], other: &[char], most: usize) -> bool {
    if one.len().abs_diff(other.len()) > most {
        return false;
    }
    let beyond = most.saturating_add(1);
    let mut above: Vec<usize> = (0..=other.len()).map(|column| column.min(beyond)).collect();
    let mut row = vec![beyond; other.len() + 1];
    for (line, a) in one.iter().enumerate() {
        let line = line + 1;
        let from = line.saturating_sub(most).max(1);
        let to = other.len().min(line.saturating_add(most));
        row[from - 1] = if from == 1 { line.min(beyond) } else { beyond };
        let mut least = row[from - 1];
        for column in from..=to {
            let replaced = above[column - 1] + usize::from(*a != other[column - 1]);
            let edits = replaced.min(above[column] + 1).min(row[column - 1] + 1).min(beyond);
            row[column] = edits;
            least = least.min(edits);
        }
        if let Some(right) = row.get_mut(to + 1) {
            *right = beyond;
        }
        if least > most {
            return false;
        }
        std::mem::swap(&mut row, &mut above);
    }
    above[other.len()] <= most
}

/// No Jaro-Winkler similarity of the two can be above this: all that can have a partner have one, in order.
fn jaro_winkler_at_most(one: &Text, other: &Text) -> f64 {
    let (a, b) = (one.chars.len(), other.chars.len());
    let paired = (a - one.without_partner(other)).min(b - other.without_partner(one)) as f64;
    if paired == 0.0 {
        return 0.0;
    }
    let jaro = (paired / a as f64 + paired / b as f64 + 1.0) / 3.0;
    let front = one.chars.iter().zip(&other.chars).take(4).take_while(|(a, b)| a == b).count() as f64;
    // The last bit of a float must not turn "equal" into "below".
    jaro + 0.1 * front * (1.0 - jaro) + 1e-9
}

/// A slice as strsim wants to walk it.
struct Chars<'c>(&'c [char]);

impl<'c> IntoIterator for &Chars<'c> {
    type Item = &'c char;
    type IntoIter = std::slice::Iter<'c, char>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, without any shortcut.
    fn plainly(one: &str, other: &str, method: EditMethod, at_least: f64) -> bool {
        let longer = one.chars().count().max(other.chars().count());
        let share = |edits: usize| 1.0 - edits as f64 / longer as f64;
        let near = match method {
            _ if one == other => 1.0,
            EditMethod::Levenshtein => share(strsim::levenshtein(one, other)),
            EditMethod::DamerauLevenshtein => share(strsim::damerau_levenshtein(one, other)),
            EditMethod::JaroWinkler => strsim::jaro_winkler(one, other),
        };
        near >= at_least
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn shortcuts_change_no_answer(
            one in "[abcé漢]{0,12}",
            other in "[abcé漢]{0,12}",
            // Shares that k edits of n characters hit exactly, and some between.
            at_least in prop_oneof![(0u32..=12, 1u32..=12).prop_map(|(k, n)| 1.0 - f64::from(k.min(n)) / f64::from(n)), 0.0..=1.0],
        ) {
            for method in [EditMethod::Levenshtein, EditMethod::DamerauLevenshtein, EditMethod::JaroWinkler] {
                let quick = edit_near(&Text::new(&one), &Text::new(&other), method, at_least);
                prop_assert_eq!(quick, plainly(&one, &other, method, at_least), "{:?}", method);
            }
        }
    }

    #[test]
    fn a_full_cell_hides_no_likeness() {
        let (one, other) = ("a".repeat(400), "a".repeat(399));
        assert!(edit_near(&Text::new(&one), &Text::new(&other), EditMethod::Levenshtein, 0.99));
        assert!(!edit_near(&Text::new(&one), &Text::new(&"b".repeat(400)), EditMethod::Levenshtein, 0.1));
    }
}
