//! Blocks from the parser's events.
//!
//! The events are a walk through a tree; what is open is a stack of frames. Invariants: frames are
//! at most [`DEEPEST`] (and one paragraph) deep, what is deeper goes on as text of the frame it is
//! in; only a `Blocks` frame holds blocks, only an `Inlines` frame holds inlines.

mod convert;

use pulldown_cmark::{CowStr, Event, Tag};
use tabwright_protocol::{Block, Inline, ListItem, TableAlign};

use self::convert::{
    columns, language, link_address, number, plain, without_leading_blank, without_trailing_blank,
};
use crate::address;

/// How many containers may be open at once.
const DEEPEST: usize = 32;

/// Blocks in the making.
pub(crate) struct Builder {
    frames: Vec<Frame>,
    /// How many containers are open whose content goes to the frame that they are in.
    ignored: usize,
}

enum Frame {
    Blocks(Container, Vec<Block>),
    List(Option<u64>, Vec<ListItem>),
    Table {
        align: Vec<TableAlign>,
        head: Vec<Vec<Inline>>,
        rows: Vec<Vec<Vec<Inline>>>,
    },
    Row {
        is_head: bool,
        cells: Vec<Vec<Inline>>,
    },
    Inlines(Run, Vec<Inline>),
    /// The address, if it is an allowed one, and the alternative text.
    Image(Option<String>, String),
    Code(String, String),
}

enum Container {
    Root,
    Quote,
    Item(Option<bool>),
}

/// What a run of inlines is.
#[derive(PartialEq)]
enum Run {
    Paragraph,
    /// A paragraph that the parser does not announce, as in the items of a tight list.
    Implied,
    Heading(u8),
    Cell,
    Emphasis,
    Strong,
    Strike,
    Link(String),
    /// A link that leads nowhere allowed: only its content is shown.
    Spliced,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            frames: vec![Frame::Blocks(Container::Root, Vec::new())],
            ignored: 0,
        }
    }
}

impl Builder {
    /// How many blocks there are, if the event begins another top-level element.
    pub(crate) fn blocks_before_element(&self, event: &Event<'_>) -> Option<usize> {
        match (event, self.frames.as_slice()) {
            (Event::End(_), _) => None,
            (_, [Frame::Blocks(Container::Root, blocks)]) => Some(blocks.len()),
            (_, _) => None,
        }
    }

    pub(crate) fn read(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(end) => self.end(matches!(
                end,
                pulldown_cmark::TagEnd::Item | pulldown_cmark::TagEnd::BlockQuote(_)
            )),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::SoftBreak => self.text("\n"),
            Event::FootnoteReference(label) => self.text(&format!("[^{label}]")),
            Event::Code(text) => self.leaf(Inline::Code {
                text: text.into_string(),
            }),
            Event::InlineMath(tex) => self.leaf(Inline::Math {
                tex: tex.into_string(),
            }),
            Event::DisplayMath(tex) => self.display_math(tex),
            Event::HardBreak => self.leaf(Inline::Break),
            Event::Rule => {
                self.end_implied();
                self.push_block(Block::Rule);
            }
            Event::TaskListMarker(checked) => {
                let mut frames = self.frames.iter_mut().rev();
                let item = frames.find_map(|frame| match frame {
                    Frame::Blocks(Container::Item(mark), _) => Some(mark),
                    Frame::Blocks(Container::Root | Container::Quote, _)
                    | Frame::List(..)
                    | Frame::Table { .. }
                    | Frame::Row { .. }
                    | Frame::Inlines(..)
                    | Frame::Image(..)
                    | Frame::Code(..) => None,
                });
                if let Some(mark) = item {
                    *mark = Some(checked);
                }
            }
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Block> {
        while self.frames.len() > 1 {
            self.close();
        }
        match self.frames.pop() {
            Some(Frame::Blocks(_, blocks)) => blocks,
            Some(
                Frame::List(..)
                | Frame::Table { .. }
                | Frame::Row { .. }
                | Frame::Inlines(..)
                | Frame::Image(..)
                | Frame::Code(..),
            )
            | None => Vec::new(),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let in_image = matches!(self.frames.last(), Some(Frame::Image(..)));
        // Room for what must be inside, too: an item, or a row and its cells.
        let (frame, room, is_block) = match tag {
            Tag::Paragraph => (inlines(Run::Paragraph), 1, true),
            Tag::Heading { level, .. } => (inlines(Run::Heading(number(level))), 1, true),
            Tag::BlockQuote(_) => (Frame::Blocks(Container::Quote, Vec::new()), 1, true),
            Tag::CodeBlock(kind) => (Frame::Code(language(&kind), String::new()), 1, true),
            Tag::HtmlBlock => (Frame::Code("html".to_owned(), String::new()), 1, true),
            Tag::List(start) => (Frame::List(start, Vec::new()), 2, true),
            Tag::Item => (Frame::Blocks(Container::Item(None), Vec::new()), 1, true),
            Tag::Table(align) => {
                let frame = Frame::Table {
                    align: columns(&align),
                    head: Vec::new(),
                    rows: Vec::new(),
                };
                (frame, 3, true)
            }
            Tag::TableHead => (row(true), 2, true),
            Tag::TableRow => (row(false), 2, true),
            Tag::TableCell => (inlines(Run::Cell), 1, true),
            Tag::Emphasis => (inlines(Run::Emphasis), 1, false),
            Tag::Strong => (inlines(Run::Strong), 1, false),
            Tag::Strikethrough => (inlines(Run::Strike), 1, false),
            Tag::Link {
                link_type,
                dest_url,
                ..
            } => {
                let run = link_address(link_type, &dest_url).map_or(Run::Spliced, Run::Link);
                (inlines(run), 1, false)
            }
            Tag::Image { dest_url, .. } => {
                let url = address::image(&dest_url);
                (Frame::Image(url, String::new()), 1, false)
            }
            // Of extensions that are not enabled.
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_) => return self.ignored_start(true),
            Tag::Superscript | Tag::Subscript => return self.ignored_start(false),
        };
        if self.ignored > 0 || in_image || self.frames.len() + room > DEEPEST {
            return self.ignored_start(is_block);
        }
        if is_block {
            self.end_implied();
        } else {
            self.imply_paragraph();
        }
        self.frames.push(frame);
    }

    fn ignored_start(&mut self, is_block: bool) {
        self.ignored += 1;
        if is_block {
            self.end_implied();
        }
    }

    fn end(&mut self, of_blocks: bool) {
        if self.ignored > 0 {
            self.ignored -= 1;
            return;
        }
        if of_blocks {
            self.end_implied();
        }
        if self.frames.len() > 1 {
            self.close();
        }
    }

    fn imply_paragraph(&mut self) {
        if matches!(self.frames.last(), Some(Frame::Blocks(..))) {
            self.frames.push(inlines(Run::Implied));
        }
    }

    fn end_implied(&mut self) {
        if matches!(self.frames.last(), Some(Frame::Inlines(Run::Implied, _))) {
            self.close();
        }
    }

    /// Takes the last frame off and puts what it has become where it belongs.
    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        match frame {
            Frame::Blocks(Container::Root, blocks) => {
                self.frames.push(Frame::Blocks(Container::Root, blocks));
            }
            Frame::Blocks(Container::Quote, blocks) => self.push_block(Block::Quote { blocks }),
            Frame::Blocks(Container::Item(checked), blocks) => {
                if let Some(Frame::List(_, items)) = self.frames.last_mut() {
                    items.push(ListItem { checked, blocks });
                }
            }
            Frame::List(start, items) => self.push_block(Block::List { start, items }),
            Frame::Table { align, head, rows } => {
                self.push_block(Block::Table { align, head, rows });
            }
            Frame::Row { is_head, cells } => {
                if let Some(Frame::Table { head, rows, .. }) = self.frames.last_mut() {
                    if is_head {
                        *head = cells;
                    } else {
                        rows.push(cells);
                    }
                }
            }
            Frame::Inlines(run, content) => self.close_run(run, content),
            Frame::Image(Some(url), alt) => self.push_inline(Inline::Image { url, alt }),
            Frame::Image(None, text) => self.push_inline(Inline::Text { text }),
            Frame::Code(language, mut text) => {
                if text.ends_with('\n') {
                    text.pop();
                }
                self.push_block(Block::Code { language, text });
            }
        }
    }

    fn close_run(&mut self, run: Run, content: Vec<Inline>) {
        match run {
            Run::Paragraph | Run::Implied if content.is_empty() => {}
            Run::Paragraph | Run::Implied => self.push_block(Block::Paragraph { content }),
            Run::Heading(level) => self.push_block(Block::Heading { level, content }),
            Run::Cell => {
                if let Some(Frame::Row { cells, .. }) = self.frames.last_mut() {
                    cells.push(content);
                }
            }
            Run::Emphasis => self.push_inline(Inline::Emphasis { content }),
            Run::Strong => self.push_inline(Inline::Strong { content }),
            Run::Strike => self.push_inline(Inline::Strike { content }),
            Run::Link(url) if content.is_empty() => {
                let content = vec![Inline::Text { text: url.clone() }];
                self.push_inline(Inline::Link { url, content });
            }
            Run::Link(url) => self.push_inline(Inline::Link { url, content }),
            Run::Spliced => content
                .into_iter()
                .for_each(|inline| self.push_inline(inline)),
        }
    }

    fn push_block(&mut self, block: Block) {
        for frame in self.frames.iter_mut().rev() {
            if let Frame::Blocks(_, blocks) = frame {
                blocks.push(block);
                return;
            }
        }
    }

    /// Something without content of its own, wherever the walk is.
    fn leaf(&mut self, inline: Inline) {
        self.imply_paragraph();
        self.push_inline(inline);
    }

    fn text(&mut self, text: &str) {
        self.leaf(Inline::Text {
            text: text.to_owned(),
        });
    }

    fn push_inline(&mut self, inline: Inline) {
        match self.frames.last_mut() {
            Some(Frame::Inlines(run, content)) => {
                let begins = content.is_empty() && matches!(run, Run::Paragraph | Run::Implied);
                let inline = if begins {
                    without_leading_blank(inline)
                } else {
                    Some(inline)
                };
                match (content.last_mut(), inline) {
                    (Some(Inline::Text { text: before }), Some(Inline::Text { text })) => {
                        before.push_str(&text);
                    }
                    (_, inline) => content.extend(inline),
                }
            }
            Some(Frame::Image(_, text) | Frame::Code(_, text)) => text.push_str(plain(&inline)),
            // There is always an inline frame where inlines are; see `start` and `leaf`.
            Some(Frame::Blocks(..) | Frame::List(..) | Frame::Table { .. } | Frame::Row { .. })
            | None => {}
        }
    }

    /// Display math is a block of its own wherever a block may be, so it ends the paragraph that it
    /// is in and lets another one begin.
    fn display_math(&mut self, tex: CowStr<'_>) {
        let tex = tex.into_string();
        self.imply_paragraph();
        let Some(Frame::Inlines(Run::Paragraph | Run::Implied, content)) = self.frames.last_mut()
        else {
            return self.push_inline(Inline::Math { tex });
        };
        let before = std::mem::take(content);
        if let Some(content) = without_trailing_blank(before) {
            self.push_block(Block::Paragraph { content });
        }
        self.push_block(Block::Math { tex });
    }
}

fn inlines(run: Run) -> Frame {
    Frame::Inlines(run, Vec::new())
}

fn row(is_head: bool) -> Frame {
    Frame::Row {
        is_head,
        cells: Vec::new(),
    }
}
