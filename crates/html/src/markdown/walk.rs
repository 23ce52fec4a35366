//! The way through the page: what each element opens in the writer, and what its end closes.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Markdown, Options,
    address::Addresses,
    grid::Grid,
    inline::{Kind as MarkKind, Mark},
    lists::{LastList, List},
    look::{self, Look, Role},
    math,
    notes::Notes,
    table::Use,
    writer::{Flow, Gap, Writer},
};
use crate::dom::{Document, Edge, Kind, NodeId};

/// What the end of an element has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame<'a> {
    /// Nothing, and what is in it is left out.
    Skipped,
    Plain,
    Block,
    /// White space around it.
    Spaced,
    Mark,
    Code,
    Heading,
    List {
        /// It stands right in another list.
        within: bool,
    },
    Item,
    /// A quote, a definition, a note, an item without a list.
    Container,
    Term,
    /// A bold paragraph.
    Strong,
    Quotation,
    RubyText,
    Abbreviation(&'a str),
    Grid,
    Cell,
}

pub(super) struct Walk<'a> {
    pub(super) document: &'a Document,
    pub(super) options: &'a Options<'a>,
    pub(super) addresses: Addresses,
    notes: Notes,
    pub(super) writer: Writer,
    /// The node that is being written.
    root: NodeId,
    frames: Vec<Frame<'a>>,
    pub(super) lists: Vec<List>,
    pub(super) last_list: Option<LastList>,
    pub(super) uses: BTreeMap<NodeId, Use>,
    pub(super) grid: Option<Grid>,
    pub(super) cell: Option<NodeId>,
    code: Option<String>,
    seen: BTreeSet<&'a str>,
    /// The image written last, and the end of the text then.
    pub(super) last_image: Option<(String, usize)>,
}

impl<'a> Walk<'a> {
    pub fn new(document: &'a Document, roots: &[NodeId], options: &'a Options<'a>) -> Self {
        let skip = |id| options.skip.is_some_and(|skip| skip(id));
        Self {
            document,
            options,
            addresses: Addresses::new(document, options.base_url),
            notes: Notes::find(document, roots, options.base_url, skip),
            writer: Writer::new(options.limit.min(super::MAX_OUTPUT)),
            root: NodeId::ROOT,
            frames: Vec::new(),
            lists: Vec::new(),
            last_list: None,
            uses: BTreeMap::new(),
            grid: None,
            cell: None,
            code: None,
            seen: BTreeSet::new(),
            last_image: None,
        }
    }

    pub fn run(mut self, roots: &[NodeId]) -> Markdown {
        for &root in roots {
            self.writer.block(Gap::Blank);
            self.node(root);
            if self.writer.is_full() {
                break;
            }
        }
        self.end_cell();
        self.end_grid();
        let (text, truncated) = self.writer.finish();
        Markdown { text, truncated }
    }

    fn node(&mut self, root: NodeId) {
        self.root = root;
        let mut walk = self.document.traverse(root);
        while let Some(edge) = walk.next() {
            match edge {
                Edge::Open(id) => {
                    let frame = match self.document.kind(id) {
                        Kind::Text(text) => {
                            self.text(text);
                            continue;
                        }
                        Kind::Element(name) => self.open(id, name),
                        Kind::Root => Frame::Plain,
                    };
                    if frame == Frame::Skipped {
                        walk.skip_children(id);
                    }
                    self.frames.push(frame);
                }
                Edge::Close(id) if self.document.text(id).is_some() => {}
                Edge::Close(_) => {
                    let frame = self.frames.pop();
                    self.close(frame.unwrap_or(Frame::Plain));
                }
            }
            if self.writer.is_full() {
                return;
            }
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.code {
            Some(code) => {
                for (number, word) in text.split([' ', '\t', '\n', '\u{a0}']).enumerate() {
                    if number > 0 && !code.ends_with(' ') {
                        code.push(' ');
                    }
                    code.push_str(word);
                }
            }
            None => self.writer.text(text),
        }
    }

    pub(super) fn block(&mut self, gap: Gap) {
        self.end_code_span();
        self.writer.block(gap);
    }

    fn open(&mut self, id: NodeId, name: &str) -> Frame<'a> {
        if self.options.skip.is_some_and(|skip| skip(id)) {
            return Frame::Skipped;
        }
        let look = Look::of(self.document, id);
        let role = look::role(name);
        if name == "math" {
            return self.formula(math::of_math(self.document, id));
        }
        if name == "col"
            && let Some(grid) = &mut self.grid
        {
            grid.add_column(self.document, id);
        }
        if name == "script" {
            return self.formula(math::of_script(self.document, id));
        }
        if role == Role::Ignored || self.is_out_of_sight(id, name, &look) {
            return Frame::Skipped;
        }
        if !look.class.is_empty() || name == "mjx-container" {
            if math::is_shown_script(self.document, id) {
                return Frame::Skipped;
            }
            if let Some(formula) = math::of_wrapper(self.document, id) {
                return self.formula(Some(formula));
            }
        }
        if let Some(label) = self.notes.note(id)
            && self.writer.flow == Flow::Blocks
        {
            let marker = format!("[^{label}]: ");
            self.block(if name == "li" { Gap::Line } else { Gap::Blank });
            return self.container(marker, 4);
        }
        if let Some(level) = look.heading
            && matches!(name, "div" | "p" | "span" | "section" | "header")
        {
            return self.open_heading(level);
        }
        match role {
            Role::Ignored => Frame::Skipped,
            Role::Block => self.open_block(id, name),
            Role::Inline => self.open_inline(id, name, &look),
        }
    }

    /// What is asked for is shown, and so are whole pages: some hide theirs until scripts have run.
    fn is_out_of_sight(&self, id: NodeId, name: &str, look: &Look<'_>) -> bool {
        let is_icon = look.decorative && look::is_phrase(name);
        let is_asked_for = id == self.root || matches!(name, "html" | "body");
        !is_asked_for && (look.hidden || is_icon || look.is_ornament())
    }

    fn open_block(&mut self, id: NodeId, name: &str) -> Frame<'a> {
        match name {
            "table" => self.open_table(id),
            "thead" | "tbody" | "tfoot" => {
                match &mut self.grid {
                    Some(grid) if self.cell.is_none() => grid.begin_group(name == "thead"),
                    Some(_) | None => {}
                }
                Frame::Plain
            }
            "tr" => match &mut self.grid {
                Some(grid) if self.cell.is_none() => {
                    grid.begin_row();
                    Frame::Plain
                }
                Some(_) | None => self.plain_block(),
            },
            "td" | "th" => self.open_cell(id),
            "colgroup" => Frame::Plain,
            "dialog" if !self.document.has_attr(id, "open") => Frame::Skipped,
            "menu" | "dir" => self.open_list(id, name),
            _ => self.plain_block(),
        }
    }

    pub(super) fn plain_block(&mut self) -> Frame<'a> {
        self.block(Gap::Blank);
        Frame::Block
    }

    fn open_inline(&mut self, id: NodeId, name: &str, look: &Look<'a>) -> Frame<'a> {
        match name {
            "a" => self.open_link(id),
            "br" => {
                self.end_code_span();
                self.writer.line_break();
                Frame::Plain
            }
            "ul" | "ol" => self.open_list(id, name),
            "li" => self.open_item(id),
            "b" | "strong" if look.is_light => Frame::Plain,
            "b" | "strong" => self.mark(MarkKind::Strong),
            "i" | "em" | "var" | "dfn" => self.mark(MarkKind::Emphasis),
            "del" | "s" | "strike" => self.mark(MarkKind::Strike),
            "sup" => self.open_superscript(id),
            "sub" => self.mark(MarkKind::Subscript),
            "code" | "tt" | "samp" | "kbd" => self.open_code(),
            "img" => {
                self.image(id);
                Frame::Skipped
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = name.bytes().last().map_or(1, |digit| digit - b'0');
                self.open_heading(usize::from(level))
            }
            "pre" | "listing" | "xmp" | "plaintext" => self.code_block(id),
            "blockquote" => {
                self.block(Gap::Blank);
                self.container("> ".to_owned(), 2)
            }
            "hr" => self.rule(),
            "dt" => {
                self.block(Gap::Blank);
                let is_marked = self.writer.push_mark(Mark::new(MarkKind::Strong));
                if is_marked { Frame::Term } else { Frame::Block }
            }
            "dd" => {
                self.block(Gap::Line);
                self.container(": ".to_owned(), 2)
            }
            "summary" => {
                self.block(Gap::Blank);
                self.strong_block()
            }
            "q" => {
                self.text("“");
                Frame::Quotation
            }
            "abbr" | "acronym" => match self.document.attr(id, "title") {
                Some(title) if !title.trim().is_empty() => Frame::Abbreviation(title),
                Some(_) | None => Frame::Plain,
            },
            "rt" => {
                self.text("(");
                Frame::RubyText
            }
            "noscript" => {
                self.images_without_scripts(id);
                Frame::Skipped
            }
            "input" => self.input(id),
            "select" => self.select(id),
            "button" | "textarea" | "label" | "option" | "output" => {
                self.writer.space();
                Frame::Spaced
            }
            "video" | "audio" | "iframe" | "embed" => self.embedded(id, name),
            "svg" | "map" => Frame::Skipped,
            _ => Frame::Plain,
        }
    }

    fn strong_block(&mut self) -> Frame<'a> {
        if self.writer.push_mark(Mark::new(MarkKind::Strong)) {
            Frame::Strong
        } else {
            Frame::Block
        }
    }

    fn mark(&mut self, kind: MarkKind) -> Frame<'a> {
        if self.code.is_none() && self.writer.push_mark(Mark::new(kind)) {
            Frame::Mark
        } else {
            Frame::Plain
        }
    }

    pub(super) fn container(&mut self, marker: String, indent: usize) -> Frame<'a> {
        self.writer.push_container(marker, indent);
        Frame::Container
    }

    fn open_link(&mut self, id: NodeId) -> Frame<'a> {
        if let Some(label) = self.notes.mark(id) {
            let mark = format!("[^{label}]");
            self.end_code_span();
            self.writer.inline(&mark);
            return Frame::Skipped;
        }
        let Some(href) = self.document.attr(id, "href") else {
            return Frame::Plain;
        };
        if let Some(fragment) = self.notes.fragment(href) {
            if self.notes.is_origin(fragment) || self.is_sign(id) {
                return Frame::Skipped;
            }
            if matches!(self.writer.flow, Flow::Heading(_)) {
                return Frame::Plain;
            }
        }
        if !self.options.links {
            return Frame::Plain;
        }
        let Some(address) = self.addresses.link(href) else {
            return Frame::Plain;
        };
        self.end_code_span();
        let title = self.document.attr(id, "title").unwrap_or_default();
        if self.writer.push_mark(Mark::link(address, title.to_owned())) {
            Frame::Mark
        } else {
            Frame::Plain
        }
    }

    /// Whether a link within the page only shows a sign, like ¶ or ↩.
    fn is_sign(&self, id: NodeId) -> bool {
        let mut length = 0;
        for node in self.document.descendants(id).take(8) {
            if self.document.is(node, "img") {
                return false;
            }
            let text = self.document.text(node).unwrap_or_default();
            length += text.trim().len();
            if length > 16 || text.chars().any(char::is_alphanumeric) {
                return false;
            }
        }
        true
    }

    fn open_superscript(&mut self, id: NodeId) -> Frame<'a> {
        if !self.notes.is_wrapper(id) {
            return self.mark(MarkKind::Superscript);
        }
        for node in self.document.descendants(id) {
            if let Some(label) = self.notes.mark(node) {
                let mark = format!("[^{label}]");
                self.writer.inline(&mark);
            }
        }
        Frame::Skipped
    }

    fn open_heading(&mut self, level: usize) -> Frame<'a> {
        self.block(Gap::Blank);
        match self.writer.flow {
            Flow::Blocks => {
                self.writer.begin_heading(level);
                Frame::Heading
            }
            Flow::Heading(_) => Frame::Block,
            Flow::Cell => self.strong_block(),
        }
    }

    fn open_code(&mut self) -> Frame<'a> {
        if self.code.is_some() {
            return Frame::Plain;
        }
        self.code = Some(String::new());
        Frame::Code
    }

    /// Writes what a code span has so far; what follows in it will be another.
    pub(super) fn end_code_span(&mut self) {
        if let Some(code) = &mut self.code {
            let code = std::mem::take(code);
            self.writer.code_span(&code);
        }
    }

    fn close(&mut self, frame: Frame<'a>) {
        match frame {
            Frame::Skipped | Frame::Plain => {}
            Frame::Block => self.block(Gap::Blank),
            Frame::Spaced => self.writer.space(),
            Frame::Mark => {
                self.end_code_span();
                self.writer.pop_mark();
            }
            Frame::Code => {
                self.end_code_span();
                self.code = None;
            }
            Frame::Heading => {
                self.end_code_span();
                self.writer.end_heading();
                self.block(Gap::Blank);
            }
            Frame::List { within } => self.close_list(within),
            Frame::Container => {
                self.block(Gap::Blank);
                self.writer.pop_container();
            }
            Frame::Item => self.close_item(),
            Frame::Term => {
                self.end_code_span();
                self.writer.pop_mark();
                self.writer.block_exactly(Gap::Line);
            }
            Frame::Strong => {
                self.end_code_span();
                self.writer.pop_mark();
                self.block(Gap::Blank);
            }
            Frame::Quotation => self.text("”"),
            Frame::RubyText => self.text(")"),
            Frame::Abbreviation(title) => {
                if self.seen.insert(title) {
                    self.text(&format!(" ({title})"));
                }
            }
            Frame::Grid => self.end_grid(),
            Frame::Cell => self.end_cell(),
        }
    }
}
