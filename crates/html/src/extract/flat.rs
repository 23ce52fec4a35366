//! The elements of a page as one list in document order, with all that the later passes ask of one.
//!
//! The subtree of an element is a range of the list and its sums of words are kept in its entry, so
//! that no pass walks the tree again and a question about a subtree costs the same for any size.

use super::{
    names::{self, Marks},
    tag::Tag,
    words::{Sums, count, hash_of, mix},
};
use crate::{
    Document, NodeId,
    dom::{Edge, Namespace},
    json_ld::JsonLd,
};

/// One element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub node: NodeId,
    pub tag: Tag,
    pub marks: Marks,
    /// The place of the parent in the list; its own for the first.
    pub parent: usize,
    /// Just behind the last place of the subtree.
    pub end: usize,
    /// Of the whole subtree.
    pub sums: Sums,
    /// Words that stand in it or in elements inside its lines: what would be one paragraph.
    pub own: u32,
    /// Of its words in order: equal for equal texts, whatever the markup around them.
    pub hash: u64,
}

/// The page. Elements that never hold text for readers (scripts, drawings) are left out with all in
/// them.
#[derive(Debug, Default)]
pub(super) struct Flat {
    pub entries: Vec<Entry>,
    /// Elements in the body that describe the page: scripts with data, and what belongs in the head
    /// but came after something that does not.
    pub about: Vec<NodeId>,
    /// The places of `h1`s with words in no link.
    pub titles: Vec<usize>,
    /// The places of `h1`s and `h2`s with words.
    pub heads: Vec<usize>,
    /// The places of what says that it is the content, and of code.
    pub contents: Vec<usize>,
    /// The places of `time` elements.
    pub times: Vec<usize>,
}

impl Flat {
    /// The body of a page.
    pub fn new(document: &Document) -> Self {
        let mut flat = Self::default();
        if let Some(body) = document.body() {
            flat.fill(document, body);
        }
        for (at, entry) in flat.entries.iter().enumerate() {
            let sums = entry.sums;
            if entry.tag == Tag::Heading(1) && sums.words > 0 && sums.linked == 0 {
                flat.titles.push(at);
            }
            if matches!(entry.tag, Tag::Heading(1 | 2)) && sums.words > 0 {
                flat.heads.push(at);
            }
            if entry.tag == Tag::Time {
                flat.times.push(at);
            }
            let says_so = entry.tag == Tag::Main || entry.marks.any(Marks::MAIN);
            let is_code = entry.tag == Tag::Pre && sums.words > 2;
            if says_so || is_code || entry.marks.any(Marks::TEXT) && sums.words > 80 {
                flat.contents.push(at);
            }
        }
        flat
    }

    /// Whether one of these places, which ascend, is in a subtree.
    pub fn has_place(places: &[usize], at: usize, end: usize) -> bool {
        let next = places.partition_point(|&place| place < at);
        places.get(next).is_some_and(|&place| place < end)
    }

    fn fill(&mut self, document: &Document, body: NodeId) {
        let mut open: Vec<usize> = Vec::new();
        let mut links = 0u32;
        let mut code = 0u32;
        let mut walk = document.traverse(body);
        while let Some(edge) = walk.next() {
            match edge {
                Edge::Open(id) => {
                    if let Some(text) = document.text(id) {
                        if let Some(entry) = open.last().and_then(|&at| self.entries.get_mut(at)) {
                            let mut sums = count(text);
                            if links > 0 {
                                sums.linked = sums.words;
                            }
                            entry.own = entry.own.saturating_add(sums.words);
                            entry.sums.add(sums);
                            if sums.words > 0 {
                                entry.hash = mix(entry.hash, hash_of(text));
                            }
                        }
                        continue;
                    }
                    let tag = document.local_name(id).and_then(Tag::of).filter(|_| {
                        document.namespace(id) == Some(Namespace::Html)
                            || document.namespace(id) == Some(Namespace::MathMl)
                    });
                    let Some(tag) = tag.filter(|_| !is_raw_noscript(document, id)) else {
                        if JsonLd::is_script(document, id)
                            || document.is_any(id, &["meta", "link", "title"])
                        {
                            self.about.push(id);
                        }
                        walk.skip_children(id);
                        continue;
                    };
                    links += u32::from(tag == Tag::Link);
                    let marks = if code > 0 || tag == Tag::Code {
                        // In code, classes name what the compiler sees: "comment", "nav".
                        names::marks_in_code(document, id)
                    } else {
                        names::marks(document, id, tag)
                    };
                    code += u32::from(matches!(tag, Tag::Pre | Tag::Code));
                    let at = self.entries.len();
                    self.entries.push(Entry {
                        node: id,
                        tag,
                        marks,
                        parent: open.last().copied().unwrap_or(at),
                        end: at + 1,
                        sums: Sums::default(),
                        own: 0,
                        hash: 0,
                    });
                    open.push(at);
                }
                Edge::Close(id) => {
                    let Some(&at) = open.last() else { continue };
                    let end = self.entries.len();
                    let Some(entry) = self.entries.get_mut(at).filter(|entry| entry.node == id)
                    else {
                        continue;
                    };
                    entry.end = end;
                    let done = *entry;
                    open.pop();
                    code = code.saturating_sub(u32::from(matches!(done.tag, Tag::Pre | Tag::Code)));
                    links = links.saturating_sub(u32::from(done.tag == Tag::Link));
                    if let Some(parent) = open.last().and_then(|&at| self.entries.get_mut(at)) {
                        parent.sums.add(done.sums);
                        if done.sums.words > 0 {
                            parent.hash = mix(parent.hash, done.hash);
                        }
                        if !done.tag.is_block() {
                            parent.own = parent.own.saturating_add(done.own);
                        }
                    }
                }
            }
        }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn get(&self, at: usize) -> Option<&Entry> {
        self.entries.get(at)
    }

    /// The places of an element's children.
    pub fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.get(at).map_or(at, |entry| entry.end);
        let mut next = at + 1;
        std::iter::from_fn(move || {
            let place = next;
            let entry = self.get(place).filter(|_| place < end)?;
            next = entry.end;
            Some(place)
        })
    }

    /// The places of the elements after it in its parent.
    pub fn next_siblings(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let entry = self.get(at);
        let parent = entry.and_then(|entry| self.get(entry.parent));
        let end = parent.map_or(0, |parent| parent.end);
        let mut next = entry.map_or(end, |entry| entry.end);
        std::iter::from_fn(move || {
            let place = next;
            let entry = self.get(place).filter(|_| place < end)?;
            next = entry.end;
            Some(place)
        })
    }

    /// The places around an element, nearest first, without its own.
    pub fn ancestors(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let mut place = at;
        std::iter::from_fn(move || {
            let parent = self.get(place)?.parent;
            if parent == place {
                return None;
            }
            place = parent;
            Some(parent)
        })
    }

    /// Whether `inner` stands in `outer`, or is it.
    pub fn holds(&self, outer: usize, inner: usize) -> bool {
        self.get(outer)
            .is_some_and(|entry| outer <= inner && inner < entry.end)
    }
}

/// Whether it holds markup as one text, as in a page parsed with scripting.
pub(super) fn is_raw_noscript(document: &Document, id: NodeId) -> bool {
    document.is(id, "noscript")
        && !document
            .children(id)
            .any(|child| document.is_element(child))
}
