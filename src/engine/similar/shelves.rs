//! Which clusters opened at which value, in the order in which they opened.

use super::marks::{NONE, Wanted};

/// Lists of clusters, one for each leaf.
#[derive(Debug)]
pub struct Shelves {
    leaves: Vec<Leaf>,
    clusters: Vec<Shelved>,
}

#[derive(Clone, Copy, Debug)]
struct Leaf {
    first_open: u32,
    last_open: u32,
    last: u32,
}

#[derive(Debug)]
struct Shelved {
    leaf: u32,
    is_open: bool,
    /// The open clusters before and after it at its leaf.
    before: u32,
    after: u32,
    /// The cluster that opened at its leaf before it.
    older: u32,
}

impl Shelves {
    pub fn new(leaves: usize) -> Self {
        Self { leaves: vec![Leaf { first_open: NONE, last_open: NONE, last: NONE }; leaves], clusters: Vec::new() }
    }

    /// The next cluster opens at a leaf, at none of them when it can be near to nothing, and gets its number.
    pub fn open(&mut self, leaf: u32) -> u32 {
        let number = self.clusters.len() as u32;
        let mut shelved = Shelved { leaf, is_open: false, before: NONE, after: NONE, older: NONE };
        if let Some(leaf) = self.leaves.get_mut(leaf as usize) {
            shelved = Shelved { is_open: true, before: leaf.last_open, older: leaf.last, ..shelved };
            *leaf = Leaf {
                first_open: if leaf.first_open == NONE { number } else { leaf.first_open },
                last_open: number,
                last: number,
            };
            if let Some(before) = self.clusters.get_mut(shelved.before as usize) {
                before.after = number;
            }
        }
        self.clusters.push(shelved);
        number
    }

    /// Closes a cluster, and gives its leaf; None where it was closed already.
    pub fn close(&mut self, cluster: u32) -> Option<u32> {
        let shelved = self.clusters.get_mut(cluster as usize).filter(|shelved| shelved.is_open)?;
        shelved.is_open = false;
        let (leaf, before, after) = (shelved.leaf, shelved.before, shelved.after);
        match self.clusters.get_mut(before as usize) {
            Some(before) => before.after = after,
            None => self.leaves.get_mut(leaf as usize)?.first_open = after,
        }
        match self.clusters.get_mut(after as usize) {
            Some(after) => after.before = before,
            None => self.leaves.get_mut(leaf as usize)?.last_open = before,
        }
        Some(leaf)
    }

    /// The best cluster of a leaf, or [`NONE`].
    pub fn best(&self, leaf: u32, wanted: Wanted) -> u32 {
        self.leaves.get(leaf as usize).map_or(NONE, |leaf| match wanted {
            Wanted::FirstOpen => leaf.first_open,
            Wanted::LastOfAll => leaf.last,
        })
    }

    /// The next best of its leaf after a cluster, or [`NONE`].
    pub fn next_best(&self, cluster: u32, wanted: Wanted) -> u32 {
        self.clusters.get(cluster as usize).map_or(NONE, |shelved| match wanted {
            Wanted::FirstOpen => shelved.after,
            Wanted::LastOfAll => shelved.older,
        })
    }
}
