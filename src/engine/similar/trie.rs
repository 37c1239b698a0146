//! Texts that few edits lead to, found without looking at those that no few edits lead to: a trie, and the table of edits filled in once
//! for all texts that begin alike.
//!
//! Of k edits at most k / 2 fall into the one part of a text, or fewer into the other. So one trie of texts as they stand, and one of
//! texts read from behind, are both walked with half of the edits where they are dense.

use super::marks::{Marks, NONE, Seek};

/// Which end a text is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    Front,
    End,
}

/// What counts as one edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edits {
    /// Insertions, deletions, replacements.
    Plain,
    /// And exchanges of neighbours, which other edits may part (Damerau).
    WithSwaps,
}

/// How many edits are allowed, and which of them.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    pub edits: Edits,
    pub most: usize,
}

/// The part of a text that is read first, where fewer edits are allowed.
#[derive(Clone, Copy, Debug)]
pub struct Half {
    /// Characters before its end.
    pub turn: usize,
    /// Edits before that.
    pub most: usize,
}

/// Characters of a text from its front at which it is best cut in two: where what is before it and what is behind it are shared with the
/// fewest others. Most numbers of invoices begin alike.
pub fn best_cut(front: &Trie<'_>, end: &Trie<'_>, leaf: u32) -> usize {
    let length = front.length(leaf);
    let (before, behind) = (front.crowd(leaf), end.crowd(leaf));
    let shared = |crowd: &[u32], count: usize| crowd.get(count).copied().unwrap_or(1);
    let likeliest = (0..=length.min(DEPTH)).chain(length.saturating_sub(DEPTH)..=length);
    let cost =
        |cut: &usize| (u64::from(shared(&before, *cut)) + u64::from(shared(&behind, length - cut)), cut.abs_diff(length / 2));
    likeliest.min_by_key(cost).unwrap_or(length / 2)
}

/// Characters of a text that the trie is made of; what is longer is told apart when it is compared.
const DEPTH: usize = 64;

/// Children of a node: what has more of them is halved, so that none waits for all the others.
const MOST_CHILDREN: usize = 16;

/// Distinct texts in a trie.
#[derive(Debug)]
pub struct Trie<'t> {
    /// By leaf.
    texts: Vec<&'t [char]>,
    from: From,
    marks: Marks,
    nodes: Vec<Node>,
    node_of_leaf: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// A text that begins as all beneath this node do.
    text: u32,
    /// How many texts are beneath it.
    texts: u32,
    /// Characters that they have in common.
    depth: u16,
    is_leaf: bool,
}

impl<'t> Trie<'t> {
    /// `texts`: by leaf, no two alike.
    pub fn new(texts: Vec<&'t [char]>, from: From) -> Self {
        let mut order: Vec<u32> = (0..texts.len() as u32).collect();
        order.sort_unstable_by(|one, other| {
            let (one, other) = (texts[*one as usize], texts[*other as usize]);
            match from {
                From::Front => one.cmp(other),
                From::End => one.iter().rev().cmp(other.iter().rev()),
            }
        });
        let node_of_leaf = vec![NONE; texts.len()];
        let mut trie = Self { texts, from, marks: Marks::default(), nodes: Vec::new(), node_of_leaf };
        if !order.is_empty() {
            trie.grow(NONE, &order, 0);
        }
        trie
    }

    pub fn marks(&mut self, leaf: u32) -> (&mut Marks, u32) {
        let node = self.node_of_leaf.get(leaf as usize).copied().unwrap_or(NONE);
        (&mut self.marks, node)
    }

    /// Characters of the text of a leaf.
    pub fn length(&self, leaf: u32) -> usize {
        self.texts.get(leaf as usize).map_or(0, |text| text.len())
    }

    fn char(&self, text: u32, at: usize) -> Option<char> {
        let text = self.texts.get(text as usize)?;
        match self.from {
            From::Front => text.get(at).copied(),
            From::End => text.get(text.len().checked_sub(at + 1)?).copied(),
        }
    }

    /// How many texts begin as the text of a leaf does: with no character in common, with one …
    fn crowd(&self, leaf: u32) -> Vec<u32> {
        let mut crowd = Vec::new();
        let mut way = Vec::new();
        let mut node = self.node_of_leaf.get(leaf as usize).copied().unwrap_or(NONE);
        while let Some(Node { texts, depth, is_leaf, .. }) = self.nodes.get(node as usize) {
            if !is_leaf {
                way.push((usize::from(*depth), *texts));
            }
            node = self.marks.parent(node);
        }
        for (depth, texts) in way.into_iter().rev() {
            // Halves of a node share its depth, and tell less than it.
            crowd.resize(crowd.len().max(depth + 1), texts);
        }
        crowd
    }

    /// Adds the node of some texts in their order, which have so many characters in common.
    fn grow(&mut self, parent: u32, some: &[u32], common: usize) {
        let (Some(first), Some(last)) = (some.first().copied(), some.last().copied()) else { return };
        let node = self.marks.add(parent);
        let is_leaf = some.len() == 1;
        // Between the first and the last in order there is nothing that begins otherwise.
        let alike = |at: &usize| *at < DEPTH && self.char(first, *at).is_some() && self.char(first, *at) == self.char(last, *at);
        let depth = if is_leaf { common } else { (common..).take_while(alike).last().map_or(common, |last| last + 1) };
        self.nodes.push(Node { text: first, texts: some.len() as u32, depth: depth as u16, is_leaf });
        if is_leaf {
            self.node_of_leaf[first as usize] = node;
            return;
        }
        let begins = |one: &u32, other: &u32| depth < DEPTH && self.char(*one, depth) == self.char(*other, depth);
        let ends: Vec<usize> = some
            .chunk_by(begins)
            .scan(0, |end, part| {
                *end += part.len();
                Some(*end)
            })
            .collect();
        if ends.len() > MOST_CHILDREN {
            let (low, high) = some.split_at(ends[ends.len() / 2 - 1]);
            self.grow(node, low, depth);
            self.grow(node, high, depth);
            return;
        }
        let mut begin = 0;
        for end in ends {
            self.grow(node, &some[begin..end], depth);
            begin = end;
        }
    }

    /// Visits leaves that are worth it, among them all whose text is within reach of the text of `leaf` where its first `turn` characters (as
    /// they are read) take no more than `first` edits.
    pub fn search(&self, leaf: u32, reach: Reach, half: Half, seek: &mut Seek, visit: &mut dyn FnMut(u32, &mut Seek)) {
        let length = self.length(leaf);
        // As many edits as there are rows lead from any text to any other.
        let columns = if reach.most < DEPTH { length.min(DEPTH + reach.most) } else { 0 };
        let text: Vec<char> = (0..columns).filter_map(|at| self.char(leaf, at)).collect();
        let mut table = Table::new(&text, reach, half);
        self.descend(0, 0, table.start(), &mut table, seek, visit);
    }

    /// `row` rows of the table are filled in for what all beneath the node have in common with what is beneath its parent.
    fn descend(
        &self,
        node: u32,
        row: usize,
        hope: usize,
        table: &mut Table<'_>,
        seek: &mut Seek,
        visit: &mut dyn FnMut(u32, &mut Seek),
    ) {
        if !self.marks.is_worth(node, seek) {
            return;
        }
        let Node { text, depth, is_leaf, .. } = self.nodes[node as usize];
        if is_leaf {
            visit(text, seek);
            return;
        }
        let mut hope = hope;
        for row in row..if table.reach.most < DEPTH { usize::from(depth) } else { 0 } {
            let Some(c) = self.char(text, row) else { return };
            hope = table.fill(row + 1, c, hope);
            if hope > table.reach.most {
                return;
            }
        }
        let mut child = self.marks.child(node);
        while child != NONE {
            self.descend(child, usize::from(depth), hope, table, seek, visit);
            child = self.marks.sibling(child);
        }
    }
}

/// The table of edits: a row for each character on the way down the trie, a column for each of the text looked for.
struct Table<'q> {
    text: &'q [char],
    reach: Reach,
    half: Half,
    /// Only cells no further than `reach.most` off the diagonal.
    cells: Vec<u16>,
    /// The characters of the rows.
    rows: Vec<char>,
}

impl<'q> Table<'q> {
    fn new(text: &'q [char], reach: Reach, half: Half) -> Self {
        let rows = DEPTH.min(text.len() + reach.most) + 1;
        let cells = vec![0; rows * (text.len() + 1)];
        Self { text, reach, half, cells, rows: vec!['\0'; DEPTH + 1] }
    }

    /// Fills in the row before the first character.
    fn start(&mut self) -> usize {
        for column in 0..=self.text.len().min(self.reach.most) {
            self.cells[column] = self.bounded(column, column);
        }
        0
    }

    fn bounded(&self, column: usize, edits: usize) -> u16 {
        let most = if column < self.half.turn { self.half.most } else { self.reach.most };
        if edits > most { u16::MAX } else { edits as u16 }
    }

    fn cell(&self, row: usize, column: usize) -> usize {
        if row.abs_diff(column) > self.reach.most || column > self.text.len() {
            return usize::from(u16::MAX);
        }
        usize::from(self.cells[row * (self.text.len() + 1) + column])
    }

    /// Fills in the row of a character. What comes back, of the rows so far, is the least number of edits that any later row can begin with.
    fn fill(&mut self, row: usize, c: char, hope: usize) -> usize {
        self.rows[row] = c;
        let most = self.reach.most;
        let mut least = usize::from(u16::MAX);
        for column in row.saturating_sub(most)..=self.text.len().min(row + most) {
            let mut edits = self.cell(row - 1, column) + 1;
            if let Some(left) = column.checked_sub(1) {
                let replaced = self.cell(row - 1, left) + usize::from(self.text[left] != c);
                edits = edits.min(replaced).min(self.cell(row, left) + 1);
                if self.reach.edits == Edits::WithSwaps {
                    edits = edits.min(self.swapped(row, column));
                }
            }
            let bounded = self.bounded(column, edits);
            self.cells[row * (self.text.len() + 1) + column] = bounded;
            least = least.min(usize::from(bounded));
        }
        match self.reach.edits {
            Edits::Plain => least,
            // A swap passes over the row before it, and over one more for each edit within it.
            Edits::WithSwaps => least.min(hope + 1),
        }
    }

    /// Edits where the last character of the row was exchanged with an earlier one. All earlier ones are tried: that it is best to take the
    /// last holds only where no half is bounded.
    fn swapped(&self, row: usize, column: usize) -> usize {
        let most = self.reach.most;
        let mut least = usize::from(u16::MAX);
        for above in row.saturating_sub(most).max(1)..row {
            if self.rows[above] != self.text[column - 1] {
                continue;
            }
            for left in column.saturating_sub(most).max(1)..column {
                if self.text[left - 1] == self.rows[row] {
                    let between = (row - above - 1) + (column - left - 1);
                    least = least.min(self.cell(above - 1, left - 1) + between + 1);
                }
            }
        }
        least
    }
}
