//! Footnotes: short links to a place in the page that says more, and those places.

use std::collections::{BTreeMap, BTreeSet};

use super::look;
use crate::dom::{Document, Edge, NodeId};

/// Characters of a label, brackets counted.
const MAX_LABEL: usize = 12;

/// Which links are footnote marks, and which nodes are the notes.
#[derive(Default)]
pub(super) struct Notes {
    /// The labels of the links that are marks.
    marks: BTreeMap<NodeId, String>,
    /// The `<sup>`s around such links.
    wrappers: BTreeSet<NodeId>,
    /// The labels of the nodes that are notes.
    notes: BTreeMap<NodeId, String>,
    labels: BTreeSet<String>,
    /// The ids at which the marks stand: where a note links back to.
    origins: BTreeSet<String>,
}

/// A link that looks like a footnote mark.
struct Candidate<'a> {
    link: NodeId,
    wrapper: Option<NodeId>,
    target: &'a str,
    text: String,
}

impl Notes {
    /// Those in the nodes given.
    pub fn find(document: &Document, roots: &[NodeId], skip: impl Fn(NodeId) -> bool) -> Self {
        let candidates = candidates(document, roots, &skip);
        if candidates.is_empty() {
            return Self::default();
        }
        let places = places(document, roots, &skip, &candidates);
        let mut notes = Self::default();
        for candidate in &candidates {
            let found = places.binary_search_by(|(id, _)| (*id).cmp(candidate.target));
            let Some((_, note)) = found.ok().and_then(|at| places.get(at)) else {
                continue;
            };
            let label = notes.label(*note, &candidate.text);
            notes.marks.insert(candidate.link, label);
            notes.wrappers.extend(candidate.wrapper);
            let ids = [Some(candidate.link), candidate.wrapper];
            let ids = ids.into_iter().flatten();
            notes
                .origins
                .extend(ids.filter_map(|id| document.attr(id, "id").map(str::to_owned)));
        }
        notes
    }

    /// The label of a note: the one it has, or one that no other has.
    fn label(&mut self, note: NodeId, text: &str) -> String {
        if let Some(label) = self.notes.get(&note) {
            return label.clone();
        }
        let label = if text.is_empty() || self.labels.contains(text) {
            format!("note-{}", self.notes.len() + 1)
        } else {
            text.to_owned()
        };
        self.labels.insert(label.clone());
        self.notes.insert(note, label.clone());
        label
    }

    /// The label of the footnote mark that a link is.
    pub fn mark(&self, link: NodeId) -> Option<&str> {
        self.marks.get(&link).map(String::as_str)
    }

    /// Whether an element is there only for the marks in it.
    pub fn is_wrapper(&self, id: NodeId) -> bool {
        self.wrappers.contains(&id)
    }

    /// The label of the note that an element is.
    pub fn note(&self, id: NodeId) -> Option<&str> {
        self.notes.get(&id).map(String::as_str)
    }

    /// Whether an address leads back to a mark.
    pub fn is_way_back(&self, href: &str) -> bool {
        href.strip_prefix('#')
            .is_some_and(|id| self.origins.contains(id))
    }
}

fn candidates<'a>(
    document: &'a Document,
    roots: &[NodeId],
    skip: &impl Fn(NodeId) -> bool,
) -> Vec<Candidate<'a>> {
    let mut found = Vec::new();
    visit(document, roots, skip, |id| {
        if document.is(id, "a")
            && let Some(target) = document
                .attr(id, "href")
                .and_then(|href| href.strip_prefix('#'))
            && !target.is_empty()
        {
            let wrapper = document
                .ancestors(id)
                .take(3)
                .find(|&around| document.is(around, "sup"));
            let wrapper = wrapper.filter(|&sup| label(document, sup).is_some());
            let inside = document
                .children(id)
                .take(2)
                .any(|child| document.is(child, "sup"));
            if (wrapper.is_some() || inside || is_declared(document, id))
                && let Some(text) = label(document, id)
            {
                found.push(Candidate {
                    link: id,
                    wrapper,
                    target,
                    text,
                });
            }
        }
    });
    found
}

/// Whether the page itself says that a link is a footnote mark.
fn is_declared(document: &Document, id: NodeId) -> bool {
    matches!(document.attr(id, "role"), Some("doc-noteref"))
        || document.attr(id, "type") == Some("noteref")
        || look::classes(document, id).any(|class| {
            matches!(
                class,
                "footnote-ref" | "footnote-reference" | "footnote-anchor" | "noteref"
            )
        })
}

/// A mark's text as a label, if it is as short as one: what Markdown cannot have in a label is left
/// out.
fn label(document: &Document, id: NodeId) -> Option<String> {
    let mut text = String::new();
    for node in document.descendants(id).take(16) {
        let part = document.text(node).unwrap_or_default();
        text.push_str(&part[..part.floor_char_boundary(4 * MAX_LABEL + 1)]);
        if text.len() > 4 * MAX_LABEL {
            return None;
        }
    }
    let text = text.trim();
    if text.is_empty() || text.chars().count() > MAX_LABEL {
        return None;
    }
    let mut label = String::new();
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            label.push(character);
        } else if character.is_whitespace() && !label.is_empty() {
            label.push('-');
        }
    }
    Some(label)
}

/// Where the candidates lead, by id: the element that would be the note.
fn places<'a>(
    document: &'a Document,
    roots: &[NodeId],
    skip: &impl Fn(NodeId) -> bool,
    candidates: &[Candidate<'_>],
) -> Vec<(&'a str, NodeId)> {
    let mut wanted: Vec<&str> = candidates
        .iter()
        .map(|candidate| candidate.target)
        .collect();
    wanted.sort_unstable();
    let mut places = Vec::new();
    visit(document, roots, skip, |node| {
        let named = document
            .attr(node, "name")
            .filter(|_| document.is(node, "a"));
        for id in [document.attr(node, "id"), named].into_iter().flatten() {
            if wanted.binary_search(&id).is_ok()
                && let Some(note) = note_at(document, node)
            {
                places.push((id, note));
            }
        }
    });
    // Of several elements with one id, the first counts.
    places.sort_by_key(|(id, _)| *id);
    places.dedup_by_key(|(id, _)| *id);
    places
}

/// The block that begins at an element with an id.
fn note_at(document: &Document, id: NodeId) -> Option<NodeId> {
    if document.is_any(id, &["li", "p", "dd", "aside", "div"]) {
        return Some(id);
    }
    let around = document
        .ancestors(id)
        .take(3)
        .find(|&around| document.is_any(around, &["li", "p", "dd", "aside"]))?;
    // A note begins with its number; a paragraph that merely holds a mark does not.
    let first = document
        .descendants(around)
        .take(4)
        .any(|inner| inner == id);
    first.then_some(around)
}

fn visit(
    document: &Document,
    roots: &[NodeId],
    skip: &impl Fn(NodeId) -> bool,
    mut see: impl FnMut(NodeId),
) {
    for &root in roots {
        let mut walk = document.traverse(root);
        while let Some(edge) = walk.next() {
            if let Edge::Open(id) = edge
                && document.is_element(id)
            {
                if skip(id) {
                    walk.skip_children(id);
                } else {
                    see(id);
                }
            }
        }
    }
}
