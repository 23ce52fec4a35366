//! The tree of a page: flat arrays that html5ever fills, read through ids.
//!
//! What a browser would build, with these differences, each because nobody here needs it: comments,
//! processing instructions and the doctype are left out, what stands in a `<template>` hangs outside
//! the tree, and text that the parser meets in two places may be two neighbouring text nodes.
//!
//! Limits, past which the rest of a page is left out or flattened ([`Document::is_truncated`]):
//! [`MAX_INPUT`], [`MAX_NODES`], [`MAX_TEXT`], [`MAX_DEPTH`], [`MAX_ATTRIBUTES`].

mod feeder;
mod guard;
mod iter;
mod sink;
#[cfg(test)]
mod tests;

use html5ever::{
    LocalName,
    tokenizer::{Tokenizer, TokenizerOpts},
    tree_builder::{TreeBuilder, TreeBuilderOpts},
};

pub use iter::{Ancestors, Children, Descendants, Edge, Traverse};

/// Bytes of a page that are read.
pub const MAX_INPUT: usize = 32 << 20;

/// Nodes after which the rest of a page is left out. One token may pass it by as many nodes as there
/// are unclosed formatting elements.
pub const MAX_NODES: usize = 1 << 20;

/// Bytes of text and attributes that are kept: more than the input can only come from attributes that
/// the parser copies.
pub const MAX_TEXT: usize = 64 << 20;

/// Attributes of an element. The rest of its tag is ignored.
pub const MAX_ATTRIBUTES: usize = 500;

/// Elements within each other, as in Chrome: the tags of deeper ones are ignored, so that their
/// content stands side by side.
pub const MAX_DEPTH: u32 = 512;

/// Of a node in the document that made it; another document's id gives no node or another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The document node.
    pub const ROOT: Self = Self(0);

    /// The place of this node's entry in a table with one entry a node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An id or none, in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Link(u32);

impl Link {
    const NONE: Self = Self(u32::MAX);

    fn get(self) -> Option<NodeId> {
        (self != Self::NONE).then_some(NodeId(self.0))
    }
}

impl From<NodeId> for Link {
    fn from(id: NodeId) -> Self {
        Self(id.0)
    }
}

/// A part of `Document::text`.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: u32,
    end: u32,
}

#[derive(Debug)]
struct Attr {
    name: LocalName,
    value: Span,
}

/// Which vocabulary an element belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
}

#[derive(Debug)]
enum Data {
    /// The document, or what stands in a template.
    Root,
    Element {
        name: LocalName,
        namespace: Namespace,
        /// Of `Document::attrs`.
        attrs: Span,
        /// The root of what stands in it, of a template.
        template: Link,
    },
    Text(Span),
}

#[derive(Debug)]
struct Node {
    parent: Link,
    previous: Link,
    next: Link,
    first: Link,
    last: Link,
    /// Where the parser first put it, for the limit only: it may have been moved since.
    depth: u16,
    data: Data,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<'a> {
    /// The document itself.
    Root,
    /// An element, by its local name in lower case (in SVG as the specification spells it).
    Element(&'a LocalName),
    /// Text, with character references resolved.
    Text(&'a str),
}

/// A parsed page. Dropping it is flat.
#[derive(Debug)]
pub struct Document {
    nodes: Vec<Node>,
    attrs: Vec<Attr>,
    text: String,
    truncated: bool,
}

impl Document {
    /// The tree of a page, as a browser that runs scripts would begin it: what stands in a
    /// `<noscript>` is one text, not elements. It is for readers without scripts ("enable
    /// JavaScript", tracking pixels), and whoever wants an image out of it can parse that text.
    pub fn parse(html: &str) -> Self {
        parse(html, true)
    }

    /// The tree of a page for a reader without scripts: `<noscript>` holds elements.
    pub fn parse_without_scripting(html: &str) -> Self {
        parse(html, false)
    }

    /// Whether something was left out or flattened because a limit was reached.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// How many nodes there are, detached ones and the insides of templates among them. Each id's
    /// [`NodeId::index`] is below it.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// What a node is.
    pub fn kind(&self, id: NodeId) -> Kind<'_> {
        match self.nodes.get(id.index()).map(|node| &node.data) {
            Some(Data::Element { name, .. }) => Kind::Element(name),
            Some(Data::Text(span)) => Kind::Text(self.slice(*span)),
            Some(Data::Root) | None => Kind::Root,
        }
    }

    /// The local name of an element, to be compared with `local_name!`.
    pub fn local_name(&self, id: NodeId) -> Option<&LocalName> {
        match self.kind(id) {
            Kind::Element(name) => Some(name),
            Kind::Root | Kind::Text(_) => None,
        }
    }

    /// The name of an element; empty for other nodes.
    pub fn name(&self, id: NodeId) -> &str {
        self.local_name(id).map_or("", |name| name)
    }

    /// The vocabulary of an element.
    pub fn namespace(&self, id: NodeId) -> Option<Namespace> {
        match &self.nodes.get(id.index())?.data {
            Data::Element { namespace, .. } => Some(*namespace),
            Data::Root | Data::Text(_) => None,
        }
    }

    /// Whether it is an element of this name.
    pub fn is(&self, id: NodeId, name: &str) -> bool {
        self.name(id) == name
    }

    /// Whether it is an element of one of these names.
    pub fn is_any(&self, id: NodeId, names: &[&str]) -> bool {
        let name = self.name(id);
        !name.is_empty() && names.contains(&name)
    }

    /// Whether it is an element.
    pub fn is_element(&self, id: NodeId) -> bool {
        self.local_name(id).is_some()
    }

    /// The text of a text node.
    pub fn text(&self, id: NodeId) -> Option<&str> {
        match self.kind(id) {
            Kind::Text(text) => Some(text),
            Kind::Root | Kind::Element(_) => None,
        }
    }

    /// The value of an attribute, by its local name (`href` also finds `xlink:href`).
    pub fn attr(&self, id: NodeId, name: &str) -> Option<&str> {
        self.own_attrs(id)
            .iter()
            .find(|attr| &*attr.name == name)
            .map(|attr| self.slice(attr.value))
    }

    /// Whether it has the attribute, whatever its value.
    pub fn has_attr(&self, id: NodeId, name: &str) -> bool {
        self.own_attrs(id).iter().any(|attr| &*attr.name == name)
    }

    /// Every attribute of an element, name and value, in the page's order.
    pub fn attrs(&self, id: NodeId) -> impl Iterator<Item = (&str, &str)> {
        self.own_attrs(id)
            .iter()
            .map(|attr| (&*attr.name, self.slice(attr.value)))
    }

    /// The classes of an element.
    pub fn classes(&self, id: NodeId) -> impl Iterator<Item = &str> {
        self.attr(id, "class")
            .unwrap_or_default()
            .split_ascii_whitespace()
    }

    /// Whether it has this class.
    pub fn has_class(&self, id: NodeId, class: &str) -> bool {
        self.classes(id).any(|own| own == class)
    }

    /// The node it stands in.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes.get(id.index())?.parent.get()
    }

    /// The first node in it.
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        self.nodes.get(id.index())?.first.get()
    }

    /// The last node in it.
    pub fn last_child(&self, id: NodeId) -> Option<NodeId> {
        self.nodes.get(id.index())?.last.get()
    }

    /// The node after it.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.nodes.get(id.index())?.next.get()
    }

    /// The node before it.
    pub fn previous_sibling(&self, id: NodeId) -> Option<NodeId> {
        self.nodes.get(id.index())?.previous.get()
    }

    /// What stands in a `<template>`: a root outside the document.
    pub fn template_contents(&self, id: NodeId) -> Option<NodeId> {
        match &self.nodes.get(id.index())?.data {
            Data::Element { template, .. } => template.get(),
            Data::Root | Data::Text(_) => None,
        }
    }

    /// The `<html>` element. Every parsed page has one.
    pub fn html(&self) -> Option<NodeId> {
        self.children(NodeId::ROOT).find(|&id| self.is(id, "html"))
    }

    /// The `<head>` element. Every parsed page has one.
    pub fn head(&self) -> Option<NodeId> {
        self.children(self.html()?).find(|&id| self.is(id, "head"))
    }

    /// The `<body>` element, or the `<frameset>` in its place.
    pub fn body(&self) -> Option<NodeId> {
        self.children(self.html()?)
            .find(|&id| self.is_any(id, &["body", "frameset"]))
    }

    /// All text in a node, as the page spells it: that of scripts and styles too.
    pub fn text_content(&self, id: NodeId) -> String {
        let mut all = String::new();
        for node in std::iter::once(id).chain(self.descendants(id)) {
            all.push_str(self.text(node).unwrap_or_default());
        }
        all
    }

    /// Takes a node with all that is in it out of the tree.
    pub fn detach(&mut self, id: NodeId) {
        sink::detach(&mut self.nodes, id);
    }

    fn own_attrs(&self, id: NodeId) -> &[Attr] {
        match self.nodes.get(id.index()).map(|node| &node.data) {
            Some(Data::Element { attrs, .. }) => self
                .attrs
                .get(attrs.start as usize..attrs.end as usize)
                .unwrap_or_default(),
            Some(Data::Root | Data::Text(_)) | None => &[],
        }
    }

    fn slice(&self, span: Span) -> &str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }
}

fn parse(html: &str, scripting_enabled: bool) -> Document {
    parse_with(html, scripting_enabled, MAX_ATTRIBUTES)
}

fn parse_with(html: &str, scripting_enabled: bool, most_attributes: usize) -> Document {
    let read = &html[..html.floor_char_boundary(MAX_INPUT)];
    let options = TreeBuilderOpts {
        scripting_enabled,
        drop_doctype: true,
        ..TreeBuilderOpts::default()
    };
    let builder = TreeBuilder::new(sink::Sink::new(read.len()), options);
    let tokenizer = Tokenizer::new(guard::Guard::new(builder), TokenizerOpts::default());
    feeder::Feeder::new(&tokenizer, read, most_attributes).run();
    tokenizer.end();
    let mut document = tokenizer.sink.finish();
    document.truncated |= read.len() < html.len();
    document
}
