//! Emphasis, links and code spans. A delimiter is written only when text follows, so that none stands
//! beside white space or around nothing; at the end of a block all are closed, to be opened again in
//! the next.

use super::{
    escape,
    writer::{Flow, Writer},
};

/// Blocks in which one link is repeated while it has no text yet.
const MAX_REPEATS: u8 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Strong,
    Emphasis,
    Strike,
    Superscript,
    Subscript,
    Link,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The next text opens it.
    Due,
    Open,
    /// A link that has its text.
    Done,
}

#[derive(Debug)]
pub(super) struct Mark {
    pub kind: Kind,
    pub state: State,
    /// Where its opening delimiter stands.
    at: usize,
    /// It is said with a tag.
    tagged: bool,
    link: Option<Link>,
}

#[derive(Debug)]
pub(super) struct Link {
    pub address: String,
    pub title: String,
    /// It has text, not just an image.
    pub has_text: bool,
    repeats: u8,
}

/// Emphasis that has just ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closed {
    kind: Kind,
    at: usize,
    end: usize,
    tagged: bool,
}

impl Mark {
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            state: State::Due,
            at: 0,
            tagged: false,
            link: None,
        }
    }

    pub fn link(address: String, title: String) -> Self {
        Self {
            link: Some(Link {
                address,
                title,
                has_text: false,
                repeats: 0,
            }),
            ..Self::new(Kind::Link)
        }
    }
}

impl Kind {
    fn opening(self, tagged: bool) -> &'static str {
        match self {
            Self::Strong if tagged => "<strong>",
            Self::Strong => "**",
            Self::Emphasis if tagged => "<em>",
            Self::Emphasis => "*",
            Self::Strike if tagged => "<del>",
            Self::Strike => "~~",
            Self::Superscript => "<sup>",
            Self::Subscript => "<sub>",
            Self::Link => "[",
        }
    }

    fn closing(self, tagged: bool) -> &'static str {
        match self {
            Self::Strong if tagged => "</strong>",
            Self::Emphasis if tagged => "</em>",
            Self::Strike if tagged => "</del>",
            Self::Superscript => "</sup>",
            Self::Subscript => "</sub>",
            Self::Strong | Self::Emphasis | Self::Strike | Self::Link => self.opening(false),
        }
    }

    /// What its delimiters are made of, if the text beside them decides what they are.
    fn sign(self) -> Option<char> {
        match self {
            Self::Strong | Self::Emphasis => Some('*'),
            Self::Strike => Some('~'),
            Self::Superscript | Self::Subscript | Self::Link => None,
        }
    }
}

impl Writer {
    /// Begins emphasis or a link. Gives whether it did: within its like there is nothing to begin.
    pub fn push_mark(&mut self, mark: Mark) -> bool {
        if self.marks.iter().any(|open| open.kind == mark.kind) {
            return false;
        }
        self.marks.push(mark);
        self.unopened += 1;
        true
    }

    /// Ends what `push_mark` began last.
    pub fn pop_mark(&mut self) {
        let Some(last) = self.marks.len().checked_sub(1) else {
            return;
        };
        if self.marks[last].state == State::Open {
            self.close_mark(last);
        }
        self.marks.pop();
        self.count_unopened();
    }

    pub(super) fn count_unopened(&mut self) {
        let due = |mark: &&Mark| mark.state == State::Due;
        self.unopened = self.marks.iter().filter(due).count();
    }

    /// Whether text here is the text of such a mark.
    pub fn is_in(&self, kind: Kind) -> bool {
        let open = |mark: &Mark| mark.kind == kind && mark.state != State::Done;
        self.marks.iter().any(open)
    }

    /// Notes that the link has text.
    pub fn note_text(&mut self) {
        for mark in &mut self.marks {
            if let Some(link) = &mut mark.link {
                link.has_text = true;
            }
        }
    }

    pub(super) fn open_marks(&mut self) {
        let mut first = true;
        for index in 0..self.marks.len() {
            if self.marks[index].state == State::Due {
                first &= self.open_mark(index, first);
            }
        }
        self.unopened = 0;
    }

    /// Gives whether what ended last goes on instead.
    fn open_mark(&mut self, index: usize, first: bool) -> bool {
        let kind = self.marks[index].kind;
        self.marks[index].state = State::Open;
        let here = self.out.len();
        let before = self.closed.take_if(|closed| closed.end == here && first);
        // `**a****b**` would be read as something else: what has just ended goes on.
        if let Some(closed) = before
            && closed.kind == kind
        {
            let closing = kind.closing(closed.tagged).len();
            self.out.truncate(here - closing);
            self.marks[index].at = closed.at;
            self.marks[index].tagged = closed.tagged;
            self.closed = self.closed_within.take();
            return true;
        }
        if kind == Kind::Link && self.out.ends_with('!') {
            self.out.insert(here - 1, '\\');
        }
        let tagged = before.is_some() && kind.sign().is_some();
        self.marks[index].at = self.out.len();
        self.marks[index].tagged = tagged;
        self.out.push_str(kind.opening(tagged));
        self.line_start = false;
        false
    }

    pub(super) fn close_mark(&mut self, index: usize) {
        let Mark {
            kind, at, tagged, ..
        } = self.marks[index];
        let mark = &mut self.marks[index];
        mark.state = State::Due;
        if let Some(link) = &mut mark.link {
            close_link(&mut self.out, at, link);
            if link.has_text || link.repeats >= MAX_REPEATS {
                mark.state = State::Done;
            }
            link.repeats += 1;
            return;
        }
        self.closed_within = self.closed.filter(|inner| inner.end == self.out.len());
        self.out.push_str(kind.closing(tagged));
        let Some(sign) = kind.sign() else {
            return;
        };
        let closed = Closed {
            kind,
            at,
            end: self.out.len(),
            tagged,
        };
        self.closed = Some(closed);
        let before = self.out[..at].chars().next_back();
        let inside = self.out[at..].trim_start_matches(sign);
        // Between signs, it could also end the emphasis around it.
        let is_nested = self
            .marks
            .iter()
            .filter(|mark| mark.kind.sign().is_some())
            .count()
            > 1;
        let joins = |before: char| {
            before.is_alphanumeric() || is_nested && !before.is_whitespace() && before != sign
        };
        if before.is_some_and(joins) && inside.chars().next().is_some_and(is_punctuation) {
            self.use_tags(closed);
        }
    }

    /// Called before a character of a text is written: `**a:**b` is not read as emphasis.
    pub(super) fn check_closed(&mut self, next: char) {
        let Some(closed) = self.closed.take() else {
            return;
        };
        let Some(sign) = closed.kind.sign() else {
            return;
        };
        if closed.end != self.out.len() || !next.is_alphanumeric() {
            return;
        }
        let inside = self.out.trim_end_matches(sign);
        if inside.chars().next_back().is_some_and(is_punctuation) {
            self.use_tags(closed);
        }
    }

    /// Says with tags what the delimiters, which end the text, would not say.
    fn use_tags(&mut self, closed: Closed) {
        let Closed { kind, at, .. } = closed;
        if closed.tagged {
            return;
        }
        let delimiter = kind.opening(false).len();
        self.out.truncate(closed.end - delimiter);
        self.out.push_str(kind.closing(true));
        self.out
            .replace_range(at..at + delimiter, kind.opening(true));
        self.closed = None;
    }

    /// A code span.
    pub fn code_span(&mut self, code: &str) {
        let inner = code.trim_matches(' ');
        if inner.is_empty() {
            if !code.is_empty() {
                self.space();
            }
            return;
        }
        if inner.len() < code.len() && code.starts_with(' ') {
            self.space();
        }
        self.begin_text();
        // Two spans without anything between them would be read as one.
        if self.out.ends_with('`') {
            self.out.push(' ');
        }
        self.note_text();
        let fence = "`".repeat(escape::longest_run(inner, '`') + 1);
        let pad = inner.starts_with('`') || inner.ends_with('`');
        self.out.push_str(&fence);
        self.out.push_str(if pad { " " } else { "" });
        self.out.push_str(inner);
        self.out.push_str(if pad { " " } else { "" });
        self.out.push_str(&fence);
        self.line_start = false;
        if code.ends_with(' ') {
            self.space();
        }
    }

    /// Begins a heading.
    pub fn begin_heading(&mut self, level: usize) {
        self.flow = Flow::Heading(level);
    }

    pub fn end_heading(&mut self) {
        self.close_marks();
        // Number signs at the end would be read as decoration.
        let bare = self.out.trim_end_matches('#').len();
        if self.line_open && bare < self.out.len() && self.out[..bare].ends_with(' ') {
            self.out.insert(bare, '\\');
        }
        self.flow = Flow::Blocks;
    }
}

fn close_link(out: &mut String, at: usize, link: &mut Link) {
    let text = &out[at + 1..];
    if text == link.address && link.title.is_empty() && escape::is_autolink(text) {
        out.replace_range(at..=at, "<");
        out.push('>');
        return;
    }
    let title = std::mem::take(&mut link.title);
    let says_more = !title.is_empty() && title != text;
    out.push_str("](");
    out.push_str(&link.address);
    if says_more {
        out.push_str(" \"");
        escape::push_title(out, &title);
        out.push('"');
    }
    out.push(')');
}

fn is_punctuation(character: char) -> bool {
    !character.is_alphanumeric() && !character.is_whitespace()
}
