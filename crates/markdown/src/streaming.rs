//! Blocks of a text that is still arriving.
//!
//! A line that begins a new top-level element ends the one before for good, so only the text from
//! the last such line on is parsed again. That line and the next must be whole: `2` may yet become
//! `2.` and go on with a list, and a table is one only by its second line. The exception is link
//! definitions, which give meaning to text before them: a text that has any is parsed as a whole
//! once more at its end.
//!
//! Invariants: after [`StreamingBlocks::finish`], all changes applied in order give the blocks of
//! the whole text; the bytes parsed are at most a constant times the bytes that came.

use tabwright_protocol::Block;

use crate::{Parsed, parse, without_returns};

/// An unfinished element is parsed again when it has grown by one part in this many: an element of
/// a few hundred bytes with each piece, a long one after a line or two.
const PATIENCE: usize = 32;

/// What has changed: keep that many blocks from the beginning, then come these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// How many blocks stay as they are.
    pub keep: usize,
    /// What follows them.
    pub blocks: Vec<Block>,
}

/// Blocks of a text that is still arriving.
#[derive(Debug, Default)]
pub struct StreamingBlocks {
    text: String,
    /// The last piece ended with a carriage return: a line feed right after it belongs to it.
    after_return: bool,
    /// Where the unfinished part begins.
    start: usize,
    /// How many blocks come before it.
    finished: usize,
    /// The blocks of the unfinished part, as far as it is parsed.
    unfinished: Vec<Block>,
    /// How much of the text is parsed.
    parsed: usize,
    has_definitions: bool,
    #[cfg(test)]
    work: usize,
}

impl StreamingBlocks {
    /// Takes the next piece. The blocks may lag a little behind the text of a long element.
    pub fn push(&mut self, piece: &str) -> Option<Change> {
        self.add(piece);
        let grown = self.text.len() - self.parsed;
        if grown == 0 || grown.saturating_mul(PATIENCE) < self.parsed - self.start {
            return None;
        }
        self.parse_unfinished()
    }

    /// The text is whole.
    pub fn finish(&mut self) -> Option<Change> {
        let change = if self.parsed < self.text.len() {
            self.parse_unfinished()
        } else {
            None
        };
        if !self.has_definitions {
            return change;
        }
        self.has_definitions = false;
        self.start = 0;
        self.finished = 0;
        self.unfinished = parse(&self.text).blocks;
        Some(Change {
            keep: 0,
            blocks: self.unfinished.clone(),
        })
    }

    fn add(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        let rest = piece.strip_prefix('\n').filter(|_| self.after_return);
        self.after_return = piece.ends_with('\r');
        self.text.push_str(&without_returns(rest.unwrap_or(piece)));
    }

    fn parse_unfinished(&mut self) -> Option<Change> {
        let text = &self.text[self.start..];
        #[cfg(test)]
        {
            self.work += text.len();
        }
        let Parsed {
            blocks,
            elements,
            has_definitions,
        } = parse(text);
        self.parsed = self.text.len();
        self.has_definitions |= has_definitions;

        let same = self.unfinished.iter().zip(&blocks);
        let same = same.take_while(|(before, now)| before == now).count();
        let changed = same < blocks.len() || same < self.unfinished.len();
        let change = changed.then(|| Change {
            keep: self.finished + same,
            blocks: blocks[same..].to_vec(),
        });

        let is_sure = |start: usize| text[start..].matches('\n').nth(1).is_some();
        let last = elements.into_iter().rev().find(|(at, _)| is_sure(*at));
        self.unfinished = blocks;
        if let Some((at, before)) = last {
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            self.start += line;
            self.finished += before;
            self.unfinished.drain(..before);
        }
        change
    }
}

#[cfg(test)]
pub(crate) mod tests;
