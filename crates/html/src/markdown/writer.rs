//! Where the Markdown grows: lines with what stands before them (quote signs, list markers, indents),
//! blank lines between blocks, and white space that is only written once something follows it.

use super::inline::{Closed, Mark, State};

/// Quotes and list items within each other that are shown; deeper ones stand side by side. Each line
/// repeats what stands before it, so this also limits how much larger than its page a text can be.
const MAX_CONTAINERS: usize = 24;

/// What must stand between two blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    None,
    Line,
    Blank,
}

/// What text flows into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// Paragraphs.
    Blocks,
    /// One line with this many number signs before it.
    Heading(usize),
    /// One line, in which `<br>` stands for a line break.
    Cell,
}

/// A quote or a list item.
#[derive(Debug)]
struct Container {
    /// What stands before its first line.
    marker: String,
    /// What stands before the others.
    indent: &'static str,
    /// Nothing is written in it yet.
    fresh: bool,
}

/// What was being written before a cell.
#[derive(Debug)]
struct Outside {
    out: String,
    flow: Flow,
    line_open: bool,
}

pub(super) struct Writer {
    pub(super) out: String,
    limit: usize,
    containers: Vec<Container>,
    /// Containers that were asked for past the limit.
    flattened: usize,
    /// Containers around both what was written last and what comes next.
    common: usize,
    gap: Gap,
    pub(super) flow: Flow,
    /// Something stands on the line that the next text would continue.
    pub(super) line_open: bool,
    /// A block marker would be read as one here.
    pub(super) line_start: bool,
    space: bool,
    hard_spaces: usize,
    breaks: usize,
    pub(super) marks: Vec<Mark>,
    /// Marks that the next text will have to open.
    pub(super) unopened: usize,
    /// Where the last emphasis began and ended.
    pub(super) closed: Option<Closed>,
    /// The same of one within it that ended with it.
    pub(super) closed_within: Option<Closed>,
    /// Where the last bracket of a text ends that has no backslash.
    pub(super) bracket: usize,
    /// What the next line of a cell begins with.
    bullet: Option<String>,
    outside: Option<Outside>,
}

const SPACES: &str = "                ";

impl Writer {
    pub fn new(limit: usize) -> Self {
        Self {
            out: String::new(),
            limit,
            containers: Vec::new(),
            flattened: 0,
            common: 0,
            gap: Gap::None,
            flow: Flow::Blocks,
            line_open: false,
            line_start: true,
            space: false,
            hard_spaces: 0,
            breaks: 0,
            marks: Vec::new(),
            unopened: 0,
            closed: None,
            closed_within: None,
            bracket: 0,
            bullet: None,
            outside: None,
        }
    }

    /// Whether enough is written.
    pub fn is_full(&self) -> bool {
        let outside = self.outside.as_ref().map_or(0, |outside| outside.out.len());
        self.out.len() + outside > self.limit
    }

    /// Ends the line: what follows is another block.
    pub fn block(&mut self, gap: Gap) {
        match self.flow {
            Flow::Blocks => {
                self.close_marks();
                self.line_open = false;
                self.forget_white_space();
                let fresh = self.containers.last().is_some_and(|inner| inner.fresh);
                if !fresh {
                    self.gap = self.gap.max(gap);
                }
            }
            Flow::Heading(_) => self.space = true,
            Flow::Cell => self.line_break_in_cell(),
        }
    }

    /// Ends the line, with exactly this before the next, whatever was asked before.
    pub fn block_exactly(&mut self, gap: Gap) {
        self.block(gap);
        if self.flow == Flow::Blocks {
            self.gap = gap;
        }
    }

    fn line_break_in_cell(&mut self) {
        if self.line_open {
            self.breaks = 1;
        }
    }

    fn forget_white_space(&mut self) {
        self.space = false;
        self.hard_spaces = 0;
        self.breaks = 0;
    }

    /// Begins a quote or a list item. The block before must have been ended.
    pub fn push_container(&mut self, marker: String, indent: usize) {
        let indent = if marker == "> " {
            "> "
        } else {
            SPACES.get(..indent).unwrap_or(SPACES)
        };
        match self.flow {
            Flow::Blocks if self.containers.len() < MAX_CONTAINERS => {
                self.containers.push(Container {
                    marker,
                    indent,
                    fresh: true,
                });
            }
            Flow::Blocks => self.flattened += 1,
            Flow::Heading(_) => {}
            Flow::Cell => {
                self.bullet = (!marker.starts_with('>')).then_some(marker);
            }
        }
    }

    pub fn pop_container(&mut self) {
        match self.flow {
            Flow::Blocks if self.flattened > 0 => self.flattened -= 1,
            Flow::Blocks => {
                self.containers.pop();
                self.common = self.common.min(self.containers.len());
            }
            Flow::Heading(_) => {}
            Flow::Cell => self.bullet = None,
        }
    }

    /// Whether nothing is written yet in the innermost quote or list item.
    pub fn is_fresh(&self) -> bool {
        match self.flow {
            Flow::Blocks => self.containers.last().is_some_and(|inner| inner.fresh),
            Flow::Heading(_) => false,
            Flow::Cell => self.bullet.is_some(),
        }
    }

    /// White space that collapses.
    pub fn space(&mut self) {
        self.space = true;
    }

    /// A space that does not collapse.
    pub fn hard_space(&mut self) {
        self.hard_spaces = (self.hard_spaces + 1).min(8);
    }

    pub fn line_break(&mut self) {
        match self.flow {
            Flow::Blocks if self.line_open => self.breaks += 1,
            Flow::Blocks => {}
            Flow::Heading(_) => self.space = true,
            Flow::Cell => self.line_break_in_cell(),
        }
    }

    /// Something that is Markdown already.
    pub fn inline(&mut self, markdown: &str) {
        self.begin_text();
        self.out.push_str(markdown);
        self.line_start = false;
    }

    /// Writes what is due before the next character of a text.
    pub fn begin_text(&mut self) {
        if !self.line_open {
            self.open_line();
        } else if self.breaks > 0 {
            self.break_line();
        } else if self.hard_spaces > 0 {
            self.out
                .extend(std::iter::repeat_n('\u{a0}', self.hard_spaces));
        } else if self.space {
            self.out.push(' ');
        }
        self.forget_white_space();
        if self.unopened > 0 {
            self.open_marks();
        }
    }

    /// Whether white space or a new line will stand before the next text.
    pub fn is_separated(&self) -> bool {
        !self.line_open || self.space || self.hard_spaces > 0 || self.breaks > 0
    }

    /// Whether `begin_text` would do nothing.
    pub fn is_ready(&self) -> bool {
        !self.is_separated() && self.unopened == 0
    }

    fn break_line(&mut self) {
        match self.flow {
            Flow::Blocks if self.breaks == 1 => {
                self.out.push_str("  ");
                self.new_line();
                self.line_start = true;
            }
            Flow::Blocks => {
                self.close_marks();
                self.gap = Gap::Blank;
                self.open_line();
            }
            Flow::Heading(_) => self.out.push(' '),
            Flow::Cell => {
                self.out.push_str("<br>");
                self.out.push_str(&self.bullet.take().unwrap_or_default());
            }
        }
    }

    fn open_line(&mut self) {
        match self.flow {
            Flow::Blocks => self.begin_line(),
            Flow::Heading(level) => {
                self.begin_line();
                self.out.extend(std::iter::repeat_n('#', level));
                self.out.push(' ');
            }
            Flow::Cell => {
                self.out.push_str(&self.bullet.take().unwrap_or_default());
            }
        }
        self.line_start = self.flow == Flow::Blocks;
        self.line_open = true;
    }

    /// Goes to the line where a block begins and writes what stands before it.
    fn begin_line(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
            if self.gap != Gap::Line {
                for container in self.containers.iter().take(self.common) {
                    self.out.push_str(container.indent);
                }
                trim_end(&mut self.out);
                self.out.push('\n');
            }
        }
        self.gap = Gap::None;
        for container in &mut self.containers {
            if container.fresh {
                self.out.push_str(&container.marker);
            } else {
                self.out.push_str(container.indent);
            }
            container.fresh = false;
        }
        self.common = self.containers.len();
    }

    /// Goes to another line of the same block.
    fn new_line(&mut self) {
        self.out.push('\n');
        for container in &self.containers {
            self.out.push_str(container.indent);
        }
    }

    /// Whether the next line begins with a list marker.
    pub fn follows_marker(&self) -> bool {
        self.is_fresh() && self.flow == Flow::Blocks
    }

    /// A block of lines that are Markdown already.
    pub fn lines<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        self.block(Gap::Blank);
        for (number, line) in lines.enumerate() {
            if self.is_full() {
                break;
            }
            if number == 0 {
                self.begin_line();
            } else {
                self.new_line();
            }
            self.out.push_str(line);
            if line.is_empty() {
                trim_end(&mut self.out);
            }
        }
        self.gap = Gap::Blank;
    }

    /// Begins to write a cell of a table.
    pub fn begin_cell(&mut self) {
        self.outside = Some(Outside {
            out: std::mem::take(&mut self.out),
            flow: self.flow,
            line_open: self.line_open,
        });
        self.flow = Flow::Cell;
        self.begin_anew();
    }

    /// Ends a cell; gives what is in it.
    pub fn end_cell(&mut self) -> String {
        self.close_marks();
        self.begin_anew();
        match self.outside.take() {
            Some(outside) => {
                self.flow = outside.flow;
                self.line_open = outside.line_open;
                std::mem::replace(&mut self.out, outside.out)
            }
            None => String::new(),
        }
    }

    fn begin_anew(&mut self) {
        self.line_open = false;
        self.forget_white_space();
        self.bullet = None;
        self.bracket = 0;
        self.closed = None;
    }

    /// Ends everything. Gives the text, and whether it was cut.
    pub fn finish(mut self) -> (String, bool) {
        self.close_marks();
        let cut = self.out.len() > self.limit;
        if cut {
            let limit = self.out.floor_char_boundary(self.limit);
            self.out.truncate(limit);
            if let Some(line) = self.out.rfind('\n')
                && line > limit / 2
            {
                self.out.truncate(line);
            }
        }
        let text = self.out.trim();
        if text.len() < self.out.len() {
            self.out = text.to_owned();
        }
        (self.out, cut)
    }

    /// Ends the emphases and links on this line. What follows in them will begin them anew.
    pub fn close_marks(&mut self) {
        for index in (0..self.marks.len()).rev() {
            if self.marks[index].state == State::Open {
                self.close_mark(index);
            }
        }
        self.count_unopened();
    }
}

fn trim_end(out: &mut String) {
    let end = out.trim_end_matches(' ').len();
    out.truncate(end);
}
