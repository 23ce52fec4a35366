//! Which tables are tables: many only put parts of a page side by side.

use super::{code, look};
use crate::dom::{Document, Edge, Kind, NodeId};

/// Bytes of text a cell has on average, past which a table without a header is a layout.
const LONG_CELL: usize = 400;
/// And one with a header.
const VERY_LONG_CELL: usize = 1_500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Rows of cells.
    Data,
    /// Its cells are blocks one after the other.
    Layout,
    /// Its rows are the lines of a text.
    Code,
}

/// What is known of a table while it is read.
struct Facts {
    table: NodeId,
    rows: usize,
    cells: usize,
    /// Of the row that is being read.
    row_cells: usize,
    columns: usize,
    headers: usize,
    first_row_headers: usize,
    first_row_cells: usize,
    paragraphs: usize,
    has_blocks: bool,
    has_lists: bool,
    has_pre: bool,
    has_gutter: bool,
    has_table: bool,
    text: usize,
}

impl Facts {
    fn new(table: NodeId) -> Self {
        Self {
            table,
            rows: 0,
            cells: 0,
            row_cells: 0,
            columns: 0,
            headers: 0,
            first_row_headers: 0,
            first_row_cells: 0,
            paragraphs: 0,
            has_blocks: false,
            has_lists: false,
            has_pre: false,
            has_gutter: false,
            has_table: false,
            text: 0,
        }
    }

    fn see(&mut self, document: &Document, id: NodeId, name: &str) {
        match name {
            "tr" => {
                self.rows += 1;
                self.row_cells = 0;
            }
            "td" | "th" => {
                let is_header = name == "th";
                self.cells += 1;
                self.row_cells += 1;
                self.columns = self.columns.max(self.row_cells);
                self.headers += usize::from(is_header);
                if self.rows <= 1 {
                    self.first_row_cells += 1;
                    self.first_row_headers += usize::from(is_header);
                }
                self.has_gutter |= code::is_gutter(document, id);
            }
            "p" => self.paragraphs += 1,
            "ul" | "ol" | "dl" => self.has_lists = true,
            "pre" => self.has_pre = true,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "blockquote" | "hr" | "article"
            | "section" | "form" | "figure" | "iframe" | "video" => self.has_blocks = true,
            _ => {}
        }
    }

    fn decide(&self, document: &Document) -> Use {
        let role = document.attr(self.table, "role").unwrap_or_default();
        if matches!(role, "presentation" | "none") {
            return Use::Layout;
        }
        let is_code_file = self.cells > 0
            && look::classes(document, self.table)
                .any(|class| matches!(class, "js-file-line-container" | "hljs-ln"));
        if (self.has_gutter || is_code_file) && self.headers == 0 {
            let lines = if self.has_pre { Use::Layout } else { Use::Code };
            return lines;
        }
        if self.cells <= 1 {
            return Use::Layout;
        }
        let has_header_row = self.first_row_cells > 1
            && self.first_row_cells == self.first_row_headers
            && self.rows > 1;
        let average = self.text / self.cells;
        if has_header_row || matches!(role, "grid" | "table") {
            let is_page = average > VERY_LONG_CELL || self.has_table && average > LONG_CELL;
            return if is_page { Use::Layout } else { Use::Data };
        }
        if self.has_table || self.has_blocks {
            return Use::Layout;
        }
        if self.headers > 0 {
            return if average > VERY_LONG_CELL {
                Use::Layout
            } else {
                Use::Data
            };
        }
        let is_layout = self.has_lists
            || self.has_pre
            || self.columns <= 1
            || average > LONG_CELL
            || self.paragraphs > 2 * self.cells;
        if is_layout { Use::Layout } else { Use::Data }
    }
}

/// The uses of a table and of all tables in it, in the order in which they end.
pub(super) fn uses(
    document: &Document,
    table: NodeId,
    skip: impl Fn(NodeId) -> bool,
) -> Vec<(NodeId, Use)> {
    let mut uses = Vec::new();
    let mut open: Vec<Facts> = Vec::new();
    let mut walk = document.traverse(table);
    while let Some(edge) = walk.next() {
        match edge {
            Edge::Open(id) => match document.kind(id) {
                Kind::Text(text) => {
                    if let Some(facts) = open.last_mut() {
                        facts.text += text.trim().len();
                    }
                }
                Kind::Element(name) if skip(id) || look::role(name) == look::Role::Ignored => {
                    walk.skip_children(id);
                }
                Kind::Element(name) if name == "table" => {
                    if let Some(facts) = open.last_mut() {
                        facts.has_table = true;
                    }
                    open.push(Facts::new(id));
                }
                Kind::Element(name) => {
                    if let Some(facts) = open.last_mut() {
                        facts.see(document, id, name);
                    }
                }
                Kind::Root => {}
            },
            Edge::Close(id) => {
                let ends = open.last().is_some_and(|facts| facts.table == id);
                if ends && let Some(facts) = open.pop() {
                    uses.push((id, facts.decide(document)));
                    if let Some(around) = open.last_mut() {
                        around.text += facts.text;
                        around.has_blocks |= facts.has_blocks;
                    }
                }
            }
        }
    }
    uses
}
