//! The members that a source asks for, as a tree that is walked along with the JSON text.

/// The tokens of a JSON pointer (RFC 6901), `~1` and `~0` resolved.
pub(super) fn tokens(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~")).collect()
}

/// What the columns of a source ask for.
#[derive(Debug)]
pub(super) struct Columns {
    nodes: Vec<Node>,
    slots: usize,
}

/// One member on the way to a column.
#[derive(Debug, Default)]
pub(super) struct Node {
    members: Vec<Child>,
    /// Columns that are this member.
    slots: Vec<usize>,
    /// Columns that are this member or within it.
    below: Vec<usize>,
}

#[derive(Debug)]
struct Child {
    name: String,
    /// The name as the index of an array.
    index: Option<usize>,
    node: usize,
}

impl Columns {
    /// Members of the record itself, whatever their names look like.
    pub(super) fn named(columns: &[String]) -> Self {
        Self::along(columns, |column| vec![column.to_owned()])
    }

    /// A column is a JSON pointer when it begins with a slash, else the name of a member of the record itself.
    pub(super) fn new(columns: &[String]) -> Self {
        Self::along(columns, |column| if column.starts_with('/') { tokens(column) } else { vec![column.to_owned()] })
    }

    fn along(columns: &[String], path: impl Fn(&str) -> Vec<String>) -> Self {
        let mut tree = Self { nodes: vec![Node::default()], slots: columns.len() };
        for (slot, column) in columns.iter().enumerate() {
            let mut at = 0;
            for name in path(column) {
                at = tree.child(at, name);
                if let Some(node) = tree.nodes.get_mut(at) {
                    node.below.push(slot);
                }
            }
            if let Some(node) = tree.nodes.get_mut(at) {
                node.slots.push(slot);
            }
        }
        tree
    }

    /// The child of this name, made where there is none yet.
    fn child(&mut self, parent: usize, name: String) -> usize {
        let fresh = self.nodes.len();
        let Some(node) = self.nodes.get_mut(parent) else { return parent };
        if let Some(known) = node.member(&name) {
            return known;
        }
        node.members.push(Child { index: array_index(&name), name, node: fresh });
        self.nodes.push(Node::default());
        fresh
    }

    pub(super) fn root(&self) -> Option<&Node> {
        self.nodes.first()
    }

    pub(super) fn node(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)
    }

    /// Number of columns.
    pub(super) fn slots(&self) -> usize {
        self.slots
    }
}

impl Node {
    #[inline]
    pub(super) fn member(&self, name: &str) -> Option<usize> {
        self.members.iter().find(|child| child.name == name).map(|child| child.node)
    }

    pub(super) fn element(&self, index: usize) -> Option<usize> {
        self.members.iter().find(|child| child.index == Some(index)).map(|child| child.node)
    }

    pub(super) fn has_members(&self) -> bool {
        !self.members.is_empty()
    }

    pub(super) fn slots(&self) -> &[usize] {
        &self.slots
    }

    pub(super) fn below(&self) -> &[usize] {
        &self.below
    }
}

/// RFC 6901 knows no leading zeros: `/items/01` is no element.
pub(super) fn array_index(token: &str) -> Option<usize> {
    let canonical = token == "0" || !token.starts_with('0');
    token.parse().ok().filter(|_| canonical && token.bytes().all(|byte| byte.is_ascii_digit()))
}
