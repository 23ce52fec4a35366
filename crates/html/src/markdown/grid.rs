//! The cells of a table, and their lines of Markdown.

use crate::dom::{Document, NodeId};

/// Columns a cell may span.
const MAX_COLUMNS: usize = 100;
/// Rows, as in browsers.
const MAX_ROWS: usize = 65_534;
/// Bytes of a cell that spans rows up to which it is repeated in each, so that each row can be read by
/// itself.
const SHORT: usize = 60;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Align {
    #[default]
    None,
    Left,
    Center,
    Right,
}

#[derive(Debug)]
struct Cell {
    text: String,
    columns: usize,
    rows: usize,
    align: Align,
    is_header: bool,
}

#[derive(Debug, Default)]
struct Row {
    cells: Vec<Cell>,
    /// It stands in a `<thead>`.
    in_head: bool,
    /// Which group of rows it is in: no cell spans into the next.
    group: usize,
}

#[derive(Debug, Default)]
pub(super) struct Grid {
    rows: Vec<Row>,
    group: usize,
    in_head: bool,
    /// Of the `<col>`s.
    columns: Vec<Align>,
}

/// A cell that reaches into the rows below.
#[derive(Clone, Debug, Default)]
struct Hanging {
    rows: usize,
    text: String,
}

impl Grid {
    pub fn begin_group(&mut self, is_head: bool) {
        self.group += 1;
        self.in_head = is_head;
    }

    pub fn begin_row(&mut self) {
        self.rows.push(Row {
            cells: Vec::new(),
            in_head: self.in_head,
            group: self.group,
        });
    }

    pub fn add_column(&mut self, document: &Document, id: NodeId) {
        let span = number(document, id, "span", MAX_COLUMNS);
        let align = align(document, id);
        self.columns.extend(std::iter::repeat_n(align, span));
    }

    pub fn add_cell(&mut self, document: &Document, id: NodeId, text: String) {
        if self.rows.is_empty() {
            self.begin_row();
        }
        let cell = Cell {
            text: if text.contains(['|', '\n']) {
                text.replace('|', "\\|").replace('\n', " ")
            } else {
                text
            },
            columns: number(document, id, "colspan", MAX_COLUMNS),
            rows: number(document, id, "rowspan", MAX_ROWS),
            align: align(document, id),
            is_header: document.is(id, "th"),
        };
        if let Some(row) = self.rows.last_mut() {
            row.cells.push(cell);
        }
    }

    /// The lines of the table; none if it shows nothing.
    pub fn lines(mut self) -> Vec<String> {
        self.rows
            .retain(|row| row.cells.iter().any(|cell| !cell.text.is_empty()));
        let Some(first) = self.rows.first() else {
            return Vec::new();
        };
        let has_headers = self
            .rows
            .iter()
            .any(|row| row.cells.iter().any(|cell| cell.is_header));
        let is_header =
            first.in_head || !has_headers || first.cells.iter().all(|cell| cell.is_header);
        let aligns = self.aligns();
        let rows = self.spread();
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        let mut lines = Vec::with_capacity(rows.len() + 2);
        let mut rows = rows.into_iter();
        let mut header = if is_header {
            rows.next().unwrap_or_default()
        } else {
            Vec::new()
        };
        header.resize(columns, String::new());
        lines.push(line(&header));
        let mut rule = String::from("|");
        for column in 0..columns {
            rule.push_str(match aligns.get(column).copied().unwrap_or_default() {
                Align::None => " --- |",
                Align::Left => " :--- |",
                Align::Center => " :---: |",
                Align::Right => " ---: |",
            });
        }
        lines.push(rule);
        lines.extend(rows.map(|row| line(&row)));
        lines
    }

    /// How each column stands: as its header says, else its `<col>`, else its first cell below.
    fn aligns(&self) -> Vec<Align> {
        let mut aligns: Vec<Align> = Vec::new();
        let plain = |cell: &&Cell| cell.columns == 1;
        for row in self.rows.iter().take(2) {
            for (column, cell) in row.cells.iter().take_while(plain).enumerate() {
                if aligns.len() <= column {
                    aligns.push(Align::None);
                }
                let declared = self.columns.get(column).copied().unwrap_or_default();
                if aligns[column] == Align::None {
                    aligns[column] = if cell.align == Align::None {
                        declared
                    } else {
                        cell.align
                    };
                }
            }
        }
        aligns
    }

    /// The texts of each row, by column.
    fn spread(self) -> Vec<Vec<String>> {
        let cells: usize = self.rows.iter().map(|row| row.cells.len()).sum();
        // Spans make cells out of nothing: a page must not make millions with them.
        let mut budget = 4 * cells + 64;
        let mut hanging: Vec<Hanging> = Vec::new();
        let mut group = 0;
        let mut rows = Vec::with_capacity(self.rows.len());
        for row in self.rows {
            if row.group != group || budget == 0 {
                hanging.clear();
                group = row.group;
            }
            let mut texts = Vec::with_capacity(row.cells.len());
            for cell in row.cells {
                take_hanging(&mut hanging, &mut texts, &mut budget);
                let reaches = cell.rows.saturating_sub(1);
                for column in 0..cell.columns {
                    let is_first = column == 0;
                    if !is_first {
                        if budget == 0 {
                            break;
                        }
                        budget -= 1;
                    }
                    let at = texts.len();
                    if reaches > 0 {
                        if hanging.len() <= at {
                            hanging.resize(at + 1, Hanging::default());
                        }
                        hanging[at] = Hanging {
                            rows: reaches,
                            text: if is_first && cell.text.len() <= SHORT {
                                cell.text.clone()
                            } else {
                                String::new()
                            },
                        };
                    }
                    texts.push(if is_first {
                        cell.text.clone()
                    } else {
                        String::new()
                    });
                }
            }
            take_hanging(&mut hanging, &mut texts, &mut budget);
            while texts.len() < hanging.len() && budget > 0 {
                budget -= 1;
                texts.push(String::new());
                take_hanging(&mut hanging, &mut texts, &mut budget);
            }
            rows.push(texts);
        }
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        for row in &mut rows {
            let missing = columns.saturating_sub(row.len()).min(budget);
            budget -= missing;
            row.resize(row.len() + missing, String::new());
        }
        rows
    }
}

/// Fills the columns into which cells from above reach.
fn take_hanging(hanging: &mut [Hanging], texts: &mut Vec<String>, budget: &mut usize) {
    while let Some(above) = hanging.get_mut(texts.len()) {
        if above.rows == 0 || *budget == 0 {
            return;
        }
        *budget -= 1;
        above.rows -= 1;
        texts.push(above.text.clone());
    }
}

fn line(cells: &[String]) -> String {
    let mut line = String::from("|");
    for cell in cells {
        line.push(' ');
        line.push_str(cell);
        line.push_str(if cell.is_empty() { "|" } else { " |" });
    }
    if cells.is_empty() {
        line.push_str(" |");
    }
    line
}

/// A span: at least one.
fn number(document: &Document, id: NodeId, name: &str, most: usize) -> usize {
    let value = document.attr(id, name).map(|value| value.trim().parse());
    match value {
        // Down to the end of its group.
        Some(Ok(0)) if name == "rowspan" => most,
        Some(Ok(span)) => usize::min(span, most).max(1),
        Some(Err(_)) | None => 1,
    }
}

fn align(document: &Document, id: NodeId) -> Align {
    let styled = document
        .attr(id, "style")
        .and_then(|style| style.split_once("text-align"))
        .map(|(_, rest)| rest.trim_start_matches([':', ' ']));
    let value = styled
        .or_else(|| document.attr(id, "align"))
        .unwrap_or_default();
    if value.starts_with("left") {
        Align::Left
    } else if value.starts_with("center") {
        Align::Center
    } else if value.starts_with("right") {
        Align::Right
    } else {
        Align::None
    }
}
