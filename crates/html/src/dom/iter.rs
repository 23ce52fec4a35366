//! Walks over a document. None recurses; a step costs the same at any depth.

use super::{Document, NodeId};

/// The children of a node, first to last.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    document: &'a Document,
    next: Option<NodeId>,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let id = self.next?;
        self.next = self.document.next_sibling(id);
        Some(id)
    }
}

/// The nodes around a node, nearest first.
#[derive(Clone, Debug)]
pub struct Ancestors<'a> {
    document: &'a Document,
    next: Option<NodeId>,
}

impl Iterator for Ancestors<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let id = self.next?;
        self.next = self.document.parent(id);
        Some(id)
    }
}

/// A step of a [`Traverse`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The node begins; its children follow.
    Open(NodeId),
    /// The node has ended.
    Close(NodeId),
}

/// A node and all in it, each begun and ended, in the page's order.
#[derive(Clone, Debug)]
pub struct Traverse<'a> {
    document: &'a Document,
    root: NodeId,
    next: Option<Edge>,
}

impl Traverse<'_> {
    /// After `Open(id)`: goes to its `Close` without visiting what is in it.
    pub fn skip_children(&mut self, id: NodeId) {
        self.next = Some(Edge::Close(id));
    }
}

impl Iterator for Traverse<'_> {
    type Item = Edge;

    fn next(&mut self) -> Option<Edge> {
        let edge = self.next?;
        self.next = match edge {
            Edge::Open(id) => Some(
                self.document
                    .first_child(id)
                    .map_or(Edge::Close(id), Edge::Open),
            ),
            Edge::Close(id) if id == self.root => None,
            Edge::Close(id) => match self.document.next_sibling(id) {
                Some(next) => Some(Edge::Open(next)),
                None => self.document.parent(id).map(Edge::Close),
            },
        };
        Some(edge)
    }
}

/// All nodes in a node, without itself, in the page's order.
#[derive(Clone, Debug)]
pub struct Descendants<'a>(Traverse<'a>);

impl Iterator for Descendants<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        loop {
            if let Edge::Open(id) = self.0.next()? {
                return Some(id);
            }
        }
    }
}

impl Document {
    /// The children of a node, first to last.
    pub fn children(&self, id: NodeId) -> Children<'_> {
        Children {
            document: self,
            next: self.first_child(id),
        }
    }

    /// The nodes after it in its parent.
    pub fn next_siblings(&self, id: NodeId) -> Children<'_> {
        Children {
            document: self,
            next: self.next_sibling(id),
        }
    }

    /// The nodes around it, nearest first, down to the document.
    pub fn ancestors(&self, id: NodeId) -> Ancestors<'_> {
        Ancestors {
            document: self,
            next: self.parent(id),
        }
    }

    /// The node and all in it, each begun and ended, in the page's order.
    pub fn traverse(&self, id: NodeId) -> Traverse<'_> {
        Traverse {
            document: self,
            root: id,
            next: Some(Edge::Open(id)),
        }
    }

    /// All nodes in it, without itself, in the page's order.
    pub fn descendants(&self, id: NodeId) -> Descendants<'_> {
        let mut walk = self.traverse(id);
        walk.next();
        Descendants(walk)
    }
}
