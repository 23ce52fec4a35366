//! The side of the document that html5ever writes to.

use std::{
    borrow::Cow,
    cell::{Cell, RefCell, RefMut},
};

use html5ever::{
    Attribute, LocalName, Namespace as Uri, QualName,
    interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink},
    ns,
    tendril::StrTendril,
};

use super::{
    Attr, Data, Document, Link, MAX_ATTRIBUTES, MAX_NODES, MAX_TEXT, Namespace, Node, NodeId, Span,
};

/// What a comment is to the parser: the tree has none, so it is never put anywhere.
const COMMENT: NodeId = NodeId(u32::MAX - 1);

pub(super) struct Sink {
    document: RefCell<Document>,
    /// Elements around whatever comes next, as near as can be told from outside the builder.
    depth: Cell<u32>,
}

/// The name of an element, as the builder wants it. Cloning an interned name is cheap.
#[derive(Debug)]
pub(super) struct Name {
    namespace: Uri,
    local: LocalName,
}

impl ElemName for Name {
    fn ns(&self) -> &Uri {
        &self.namespace
    }

    fn local_name(&self) -> &LocalName {
        &self.local
    }
}

impl Sink {
    /// For a page of about this many bytes.
    pub fn new(bytes: usize) -> Self {
        let mut document = Document {
            nodes: Vec::with_capacity(bytes / 32 + 8),
            attrs: Vec::with_capacity(bytes / 64),
            text: String::with_capacity(bytes),
            truncated: false,
        };
        document.add(Data::Root);
        Self {
            document: RefCell::new(document),
            depth: Cell::new(0),
        }
    }

    pub fn depth(&self) -> u32 {
        self.depth.get()
    }

    pub fn note_truncation(&self) {
        self.document.borrow_mut().truncated = true;
    }

    /// Whether the limit of nodes or text is reached, which is noted.
    pub fn is_full(&self) -> bool {
        let mut document = self.document.borrow_mut();
        let full = document.nodes.len() >= MAX_NODES || document.text.len() >= MAX_TEXT;
        document.truncated |= full;
        full
    }

    pub fn into_document(self) -> Document {
        self.document.into_inner()
    }

    fn edit(&self) -> RefMut<'_, Document> {
        self.document.borrow_mut()
    }
}

impl Document {
    fn add(&mut self, data: Data) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(COMMENT.0));
        self.nodes.push(Node {
            parent: Link::NONE,
            previous: Link::NONE,
            next: Link::NONE,
            first: Link::NONE,
            last: Link::NONE,
            depth: 0,
            data,
        });
        id
    }

    /// Keeps a text; what goes past the limit is left out.
    fn keep(&mut self, text: &str) -> Span {
        let room = MAX_TEXT.saturating_sub(self.text.len());
        let kept = &text[..text.floor_char_boundary(room)];
        self.truncated |= kept.len() < text.len();
        let start = offset(self.text.len());
        self.text.push_str(kept);
        Span {
            start,
            end: offset(self.text.len()),
        }
    }

    fn keep_attrs(&mut self, attrs: Vec<Attribute>) {
        for attr in attrs {
            let value = self.keep(&attr.value);
            self.attrs.push(Attr {
                name: attr.name.local,
                value,
            });
        }
    }

    /// Puts a node that stands nowhere before `before`, or last. Returns its depth.
    fn insert(&mut self, parent: NodeId, before: Option<NodeId>, child: NodeId) -> u32 {
        let previous = match before {
            Some(next) => self.previous_sibling(next),
            None => self.last_child(parent),
        };
        let depth = self.depth(parent).saturating_add(1);
        if let Some(node) = self.nodes.get_mut(child.index()) {
            node.parent = parent.into();
            node.previous = previous.map_or(Link::NONE, Link::from);
            node.next = before.map_or(Link::NONE, Link::from);
            node.depth = depth;
        }
        set_next(&mut self.nodes, parent, previous, child.into());
        set_previous(&mut self.nodes, parent, before, child.into());
        u32::from(depth)
    }

    fn depth(&self, id: NodeId) -> u16 {
        self.nodes.get(id.index()).map_or(0, |node| node.depth)
    }

    fn insert_text(&mut self, parent: NodeId, before: Option<NodeId>, text: &str) {
        let neighbour = match before {
            Some(next) => self.previous_sibling(next),
            None => self.last_child(parent),
        };
        let kept = self.keep(text);
        // Only a text that ends where this begins can grow for free. Copying the others would be n²
        // work on a page that adds to two texts in turn; two neighbouring nodes say the same.
        let grown = neighbour
            .and_then(|id| self.nodes.get_mut(id.index()))
            .is_some_and(|node| match &mut node.data {
                Data::Text(span) if span.end == kept.start => {
                    span.end = kept.end;
                    true
                }
                Data::Text(_) | Data::Element { .. } | Data::Root => false,
            });
        if !grown {
            let id = self.add(Data::Text(kept));
            self.insert(parent, before, id);
        }
    }
}

impl TreeSink for Sink {
    type Handle = NodeId;
    type Output = Document;
    type ElemName<'a> = Name;

    fn finish(self) -> Document {
        self.into_document()
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> NodeId {
        NodeId::ROOT
    }

    fn elem_name<'a>(&'a self, target: &'a NodeId) -> Name {
        let document = self.document.borrow();
        match document.nodes.get(target.index()).map(|node| &node.data) {
            Some(Data::Element {
                name, namespace, ..
            }) => Name {
                namespace: match namespace {
                    Namespace::Html => ns!(html),
                    Namespace::Svg => ns!(svg),
                    Namespace::MathMl => ns!(mathml),
                },
                local: name.clone(),
            },
            // It asks for elements only.
            Some(Data::Root | Data::Text(_)) | None => Name {
                namespace: ns!(),
                local: LocalName::default(),
            },
        }
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> NodeId {
        let mut document = self.edit();
        let start = offset(document.attrs.len());
        document.keep_attrs(attrs);
        let attrs = Span {
            start,
            end: offset(document.attrs.len()),
        };
        let template = if flags.template {
            document.add(Data::Root).into()
        } else {
            Link::NONE
        };
        let namespace = if name.ns == ns!(svg) {
            Namespace::Svg
        } else if name.ns == ns!(mathml) {
            Namespace::MathMl
        } else {
            Namespace::Html
        };
        document.add(Data::Element {
            name: name.local,
            namespace,
            attrs,
            template,
        })
    }

    fn create_comment(&self, _text: StrTendril) -> NodeId {
        COMMENT
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> NodeId {
        COMMENT
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        let mut document = self.edit();
        match child {
            NodeOrText::AppendNode(COMMENT) => {}
            NodeOrText::AppendNode(child) => {
                detach(&mut document.nodes, child);
                self.depth.set(document.insert(*parent, None, child));
            }
            NodeOrText::AppendText(text) => document.insert_text(*parent, None, &text),
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &NodeId,
        previous: &NodeId,
        child: NodeOrText<NodeId>,
    ) {
        let has_parent = self.document.borrow().parent(*element).is_some();
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn pop(&self, node: &NodeId) {
        let depth = self.document.borrow().depth(*node);
        self.depth.set(u32::from(depth.saturating_sub(1)));
    }

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        let document = self.document.borrow();
        document.template_contents(*target).unwrap_or(*target)
    }

    fn same_node(&self, one: &NodeId, other: &NodeId) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &NodeId, new: NodeOrText<NodeId>) {
        let mut document = self.edit();
        if let NodeOrText::AppendNode(child) = &new {
            detach(&mut document.nodes, *child);
        }
        let Some(parent) = document.parent(*sibling) else {
            return;
        };
        match new {
            NodeOrText::AppendNode(COMMENT) => {}
            NodeOrText::AppendNode(child) => {
                self.depth
                    .set(document.insert(parent, Some(*sibling), child));
            }
            NodeOrText::AppendText(text) => document.insert_text(parent, Some(*sibling), &text),
        }
    }

    fn add_attrs_if_missing(&self, target: &NodeId, attrs: Vec<Attribute>) {
        let mut document = self.edit();
        let mut missing: Vec<Attribute> = attrs
            .into_iter()
            .filter(|attr| !document.has_attr(*target, &attr.name.local))
            .collect();
        if missing.is_empty() {
            return;
        }
        // A page can say `<body x>` any number of times, with another attribute each time.
        let room = MAX_ATTRIBUTES.saturating_sub(document.own_attrs(*target).len());
        document.truncated |= missing.len() > room;
        missing.truncate(room);
        if missing.is_empty() {
            return;
        }
        // Attributes of an element stand side by side: those it has move to the end first.
        let own = document.own_attrs(*target);
        let moved: Vec<Attr> = own
            .iter()
            .map(|attr| Attr {
                name: attr.name.clone(),
                value: attr.value,
            })
            .collect();
        let start = offset(document.attrs.len());
        document.attrs.extend(moved);
        document.keep_attrs(missing);
        let all = Span {
            start,
            end: offset(document.attrs.len()),
        };
        if let Some(Node {
            data: Data::Element { attrs, .. },
            ..
        }) = document.nodes.get_mut(target.index())
        {
            *attrs = all;
        }
    }

    fn remove_from_parent(&self, target: &NodeId) {
        detach(&mut self.edit().nodes, *target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        let mut document = self.edit();
        while let Some(child) = document.first_child(*node) {
            detach(&mut document.nodes, child);
            document.insert(*new_parent, None, child);
        }
    }
}

/// Takes a node out of where it stands.
pub(super) fn detach(nodes: &mut [Node], id: NodeId) {
    let Some(node) = nodes.get_mut(id.index()) else {
        return;
    };
    let (parent, previous, next) = (node.parent.get(), node.previous, node.next);
    node.parent = Link::NONE;
    node.previous = Link::NONE;
    node.next = Link::NONE;
    if let Some(parent) = parent {
        set_next(nodes, parent, previous.get(), next);
        set_previous(nodes, parent, next.get(), previous);
    }
}

/// Says what follows a child, or what comes first when there is no such child.
fn set_next(nodes: &mut [Node], parent: NodeId, child: Option<NodeId>, next: Link) {
    match child {
        Some(child) => {
            if let Some(node) = nodes.get_mut(child.index()) {
                node.next = next;
            }
        }
        None => {
            if let Some(node) = nodes.get_mut(parent.index()) {
                node.first = next;
            }
        }
    }
}

/// Says what comes before a child, or what comes last when there is no such child.
fn set_previous(nodes: &mut [Node], parent: NodeId, child: Option<NodeId>, previous: Link) {
    match child {
        Some(child) => {
            if let Some(node) = nodes.get_mut(child.index()) {
                node.previous = previous;
            }
        }
        None => {
            if let Some(node) = nodes.get_mut(parent.index()) {
                node.last = previous;
            }
        }
    }
}

/// The limits keep every length far below four gigabytes.
fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
