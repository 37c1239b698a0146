//! A tree over the values of a block: each node knows the first open cluster and the last of all clusters beneath it.

/// No cluster, no node.
pub const NONE: u32 = u32::MAX;

/// Which of the clusters that fit is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The first of those that are still open.
    FirstOpen,
    LastOfAll,
}

/// The best cluster found so far.
#[derive(Debug)]
pub struct Seek {
    pub wanted: Wanted,
    /// Smaller is better.
    rank: u32,
}

impl Seek {
    pub fn new(wanted: Wanted) -> Self {
        Self { wanted, rank: NONE }
    }

    pub fn found(&self) -> Option<u32> {
        (self.rank != NONE).then(|| self.wanted.rank(self.rank))
    }

    pub fn take(&mut self, cluster: u32) {
        self.rank = self.rank.min(self.wanted.rank(cluster));
    }

    pub fn is_better(&self, cluster: u32) -> bool {
        self.wanted.rank(cluster) < self.rank
    }
}

impl Wanted {
    /// Its own inverse.
    fn rank(self, cluster: u32) -> u32 {
        match self {
            Self::FirstOpen => cluster,
            Self::LastOfAll => NONE - 1 - cluster,
        }
    }
}

/// The tree. Node 0 is the root; what else a node is, its owner knows by its number.
#[derive(Debug, Default)]
pub struct Marks {
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    parent: u32,
    first_child: u32,
    next: u32,
    /// The least number of an open cluster.
    open: u32,
    /// The rank of the last of all clusters.
    last: u32,
}

impl Marks {
    /// Adds a node, and gives its number.
    pub fn add(&mut self, parent: u32) -> u32 {
        let number = self.nodes.len() as u32;
        let next = match self.nodes.get_mut(parent as usize) {
            Some(parent) => std::mem::replace(&mut parent.first_child, number),
            None => NONE,
        };
        self.nodes.push(Node { parent, first_child: NONE, next, open: NONE, last: NONE });
        number
    }

    /// The node above a node, or [`NONE`].
    pub fn parent(&self, node: u32) -> u32 {
        self.nodes.get(node as usize).map_or(NONE, |node| node.parent)
    }

    /// The first child of a node and the sibling after a node, or [`NONE`].
    pub fn child(&self, node: u32) -> u32 {
        self.nodes.get(node as usize).map_or(NONE, |node| node.first_child)
    }

    pub fn sibling(&self, node: u32) -> u32 {
        self.nodes.get(node as usize).map_or(NONE, |node| node.next)
    }

    fn rank(&self, node: u32, wanted: Wanted) -> u32 {
        self.nodes.get(node as usize).map_or(NONE, |node| match wanted {
            Wanted::FirstOpen => node.open,
            Wanted::LastOfAll => node.last,
        })
    }

    /// Whether something better may lie beneath a node.
    pub fn is_worth(&self, node: u32, seek: &Seek) -> bool {
        self.rank(node, seek.wanted) < seek.rank
    }

    /// Whether the best beneath one node is better than the best beneath the other.
    pub fn is_before(&self, one: u32, other: u32, seek: &Seek) -> bool {
        self.rank(one, seek.wanted) < self.rank(other, seek.wanted)
    }

    /// A cluster opened at a leaf.
    pub fn opened(&mut self, leaf: u32, cluster: u32) {
        let last = Wanted::LastOfAll.rank(cluster);
        let mut at = leaf;
        while let Some(node) = self.nodes.get_mut(at as usize) {
            node.open = node.open.min(cluster);
            node.last = node.last.min(last);
            at = node.parent;
        }
    }

    /// A cluster was closed at a leaf, where `open` is now the first.
    pub fn closed(&mut self, leaf: u32, open: u32) {
        let (mut at, mut open) = (leaf, open);
        while let Some(node) = self.nodes.get_mut(at as usize) {
            if std::mem::replace(&mut node.open, open) == open {
                return;
            }
            at = node.parent;
            open = self.least_of_children(at);
        }
    }

    fn least_of_children(&self, node: u32) -> u32 {
        let mut least = NONE;
        let mut child = self.child(node);
        while let Some(node) = self.nodes.get(child as usize) {
            least = least.min(node.open);
            child = node.next;
        }
        least
    }
}
