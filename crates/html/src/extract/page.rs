//! The state of an extraction: what is left out so far, and what is left in each element.

use super::{
    PageType,
    facts::Facts,
    flat::{Entry, Flat},
    tag::Tag,
    words::Sums,
};
use crate::{Document, NodeId};

/// As many nodes are looked at for the beginning of a text.
const MAX_NODES: usize = 2_000;

pub(super) struct Page<'a> {
    pub document: &'a Document,
    pub flat: &'a Flat,
    pub facts: &'a Facts<'a>,
    pub page_type: PageType,
    /// Whether names of classes are believed only where they cannot mean content.
    pub lenient: bool,
    /// By place: whether the element is left out with all in it.
    out: Vec<bool>,
    /// By place: the sums of what is not left out. As of the last [`Self::settle`].
    kept: Vec<Sums>,
}

impl<'a> Page<'a> {
    pub fn new(document: &'a Document, flat: &'a Flat, facts: &'a Facts<'a>) -> Self {
        Self {
            document,
            flat,
            facts,
            page_type: PageType::Article,
            lenient: false,
            out: vec![false; flat.len()],
            kept: flat.entries.iter().map(|entry| entry.sums).collect(),
        }
    }

    pub fn leave_out(&mut self, at: usize) {
        if let Some(out) = self.out.get_mut(at) {
            *out = true;
        }
    }

    pub fn is_out(&self, at: usize) -> bool {
        self.out.get(at).copied().unwrap_or(false)
    }

    pub fn kept(&self, at: usize) -> Sums {
        self.kept.get(at).copied().unwrap_or_default()
    }

    /// Takes what has been left out off the sums of all elements around it.
    pub fn settle(&mut self) {
        let mut inside = vec![Sums::default(); self.flat.len()];
        // Children come behind their parents, so from the back every child is done before its parent.
        for (at, entry) in self.flat.entries.iter().enumerate().rev() {
            let lost = inside.get(at).copied().unwrap_or_default();
            let lost = if self.is_out(at) { entry.sums } else { lost };
            let mut kept = entry.sums;
            kept.subtract(lost);
            if let Some(own) = self.kept.get_mut(at) {
                *own = kept;
            }
            if entry.parent != at
                && let Some(parent) = inside.get_mut(entry.parent)
            {
                parent.add(lost);
            }
        }
    }

    /// Looks at every element of a subtree that is not left out, in the page's order; `decide` says
    /// whether to leave it out.
    pub fn sweep(&mut self, root: usize, decide: impl FnMut(&Self, usize, &Entry) -> bool) {
        self.sweep_only(root, decide);
        self.settle();
    }

    /// As [`Self::sweep`], but the sums are not settled.
    pub fn sweep_only(
        &mut self,
        root: usize,
        mut decide: impl FnMut(&Self, usize, &Entry) -> bool,
    ) {
        let flat = self.flat;
        let end = flat.get(root).map_or(root, |entry| entry.end);
        let mut at = root;
        while at < end {
            let Some(entry) = flat.get(at) else { break };
            if self.is_out(at) {
                at = entry.end;
            } else if at != root && decide(self, at, entry) {
                self.leave_out(at);
                at = entry.end;
            } else {
                at += 1;
            }
        }
    }

    /// The entries of a subtree that are not left out.
    pub fn each_kept(&self, root: usize) -> impl Iterator<Item = (usize, &'a Entry)> + '_ {
        let flat = self.flat;
        let end = flat.get(root).map_or(root, |entry| entry.end);
        let mut next = root;
        std::iter::from_fn(move || {
            while next < end {
                let at = next;
                let entry = flat.get(at)?;
                if self.is_out(at) {
                    next = entry.end;
                    continue;
                }
                next = at + 1;
                return Some((at, entry));
            }
            None
        })
    }

    /// Whether the subtree has an element that is not left out for which `test` holds.
    pub fn has(&self, root: usize, mut test: impl FnMut(&Entry) -> bool) -> bool {
        self.each_kept(root).any(|(_, entry)| test(entry))
    }

    /// Whether it is all that the block around it says in this line.
    pub fn is_alone(&self, entry: &Entry) -> bool {
        self.flat
            .get(entry.parent)
            .is_some_and(|parent| parent.tag.is_block() && parent.own == entry.sums.words)
    }

    /// Whether it stands in an element with this tag, no further out than `root`.
    pub fn is_within(&self, at: usize, tags: &[Tag]) -> bool {
        self.flat
            .ancestors(at)
            .filter_map(|place| self.flat.get(place))
            .any(|entry| tags.contains(&entry.tag))
    }

    /// The beginning of the text in an element, with single spaces, in lower case. At most about
    /// `limit` bytes.
    pub fn beginning(&self, at: usize, limit: usize) -> String {
        let mut text = String::new();
        let Some(entry) = self.flat.get(at) else {
            return text;
        };
        let nodes = std::iter::once(entry.node).chain(self.document.descendants(entry.node));
        for node in nodes.take(MAX_NODES) {
            for word in self.words_of(node) {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.extend(word.chars().flat_map(char::to_lowercase));
                if text.len() >= limit {
                    return text;
                }
            }
        }
        text
    }

    fn words_of(&self, node: NodeId) -> std::str::SplitWhitespace<'a> {
        let silent = self.document.parent(node).is_some_and(|parent| {
            self.document
                .is_any(parent, &["script", "style", "noscript"])
        });
        let text = if silent {
            None
        } else {
            self.document.text(node)
        };
        text.unwrap_or_default().split_whitespace()
    }
}
