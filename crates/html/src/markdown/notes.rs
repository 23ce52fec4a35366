//! Footnotes: short links to a place in the page that says more, and those places.

use std::collections::{BTreeMap, BTreeSet};

use super::look;
use crate::dom::{Document, Edge, NodeId};

/// Characters of a label, brackets counted.
const MAX_LABEL: usize = 12;

/// Bytes of white space before the number of a note: it is read for each place in a paragraph.
const MAX_BLANK: usize = 256;

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
    /// The page's address, as links within it may spell it out.
    page: Option<String>,
}

/// A link that looks like a footnote mark.
struct Candidate<'a> {
    link: NodeId,
    wrapper: Option<NodeId>,
    target: &'a str,
    text: String,
    /// It looks like a mark only by its text.
    is_plain: bool,
}

impl Notes {
    /// Those in the nodes given, of a page at this address.
    pub fn find(
        document: &Document,
        roots: &[NodeId],
        page: Option<&str>,
        skip: impl Fn(NodeId) -> bool,
    ) -> Self {
        let page = page.map(|page| page.split('#').next().unwrap_or_default());
        let mut notes = Self {
            page: page.map(str::to_owned),
            ..Self::default()
        };
        let candidates = candidates(document, roots, page, &skip);
        if candidates.is_empty() {
            return notes;
        }
        let places = places(document, roots, &skip, &candidates);
        for candidate in &candidates {
            let found = places.binary_search_by(|(id, _)| (*id).cmp(candidate.target));
            let Some((_, note)) = found.ok().and_then(|at| places.get(at)) else {
                continue;
            };
            // The number of a note, which leads back to its mark, looks like a mark itself.
            let is_way_back = notes.origins.contains(candidate.target);
            if is_way_back || candidate.is_plain && document.is(*note, "div") {
                continue;
            }
            let label = notes.label(*note, &candidate.text);
            notes.marks.insert(candidate.link, label);
            notes.wrappers.extend(candidate.wrapper);
            notes.note_origins(document, candidate);
        }
        notes
    }

    fn note_origins(&mut self, document: &Document, candidate: &Candidate<'_>) {
        let link = candidate.link;
        let around = document
            .parent(link)
            .filter(|&parent| document.is_any(parent, &["sup", "span"]));
        let places = [Some(link), around, candidate.wrapper];
        for place in places.into_iter().flatten() {
            let ids = [document.attr(place, "id"), document.attr(place, "name")];
            self.origins
                .extend(ids.into_iter().flatten().map(str::to_owned));
        }
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

    /// The place in the page that an address leads to, if it leads to one.
    pub fn fragment<'a>(&self, href: &'a str) -> Option<&'a str> {
        fragment(href, self.page.as_deref())
    }

    /// Whether a place in the page is where a mark stands.
    pub fn is_origin(&self, fragment: &str) -> bool {
        self.origins.contains(fragment)
    }
}

fn fragment<'a>(href: &'a str, page: Option<&str>) -> Option<&'a str> {
    let within = match page {
        Some(page) if !page.is_empty() => href.strip_prefix(page).unwrap_or(href),
        Some(_) | None => href,
    };
    within.strip_prefix('#')
}

fn candidates<'a>(
    document: &'a Document,
    roots: &[NodeId],
    page: Option<&str>,
    skip: &impl Fn(NodeId) -> bool,
) -> Vec<Candidate<'a>> {
    let mut found = Vec::new();
    visit(document, roots, skip, |id| {
        let href = document.attr(id, "href").filter(|_| document.is(id, "a"));
        let target = href.and_then(|href| fragment(href, page));
        if let Some(target) = target.filter(|target| !target.is_empty()) {
            found.extend(candidate(document, id, target));
        }
    });
    found
}

fn candidate<'a>(document: &Document, link: NodeId, target: &'a str) -> Option<Candidate<'a>> {
    let text = label(document, link)?;
    let is_sup = |&id: &NodeId| document.is(id, "sup");
    let wrapper = document.ancestors(link).take(3).find(is_sup);
    let wrapper = wrapper.filter(|&sup| label(document, sup).is_some());
    let is_raised = wrapper.is_some() || document.children(link).take(2).any(|id| is_sup(&id));
    let is_plain = !is_raised && !is_declared(document, link);
    if is_plain && !is_bracketed_number(document, link) {
        return None;
    }
    Some(Candidate {
        link,
        wrapper,
        target,
        text,
        is_plain,
    })
}

fn is_bracketed_number(document: &Document, link: NodeId) -> bool {
    let text = document
        .first_child(link)
        .and_then(|text| document.text(text))
        .filter(|text| text.len() <= MAX_LABEL);
    let number = text.and_then(|text| text.trim().strip_prefix('[')?.strip_suffix(']'));
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether the page itself says that a link is a footnote mark.
fn is_declared(document: &Document, id: NodeId) -> bool {
    let says = |name, value| document.attr(id, name) == Some(value);
    says("role", "doc-noteref")
        || says("epub:type", "noteref")
        || says("rel", "footnote")
        || document.has_attr(id, "data-footnote-ref")
        || look::classes(document, id).any(|class| {
            matches!(
                class,
                "footnote" | "footnote-ref" | "footnote-reference" | "footnote-anchor" | "noteref"
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
    let is_blank = |inner: NodeId| {
        let text = document.text(inner).unwrap_or_default();
        text.len() <= MAX_BLANK && text.trim().is_empty()
    };
    let begins = document
        .descendants(around)
        .take(4)
        .take_while(|&inner| is_blank(inner))
        .any(|inner| inner == id);
    begins.then_some(around)
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
