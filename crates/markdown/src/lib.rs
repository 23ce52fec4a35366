//! Model text in, typed blocks out: the only way model text reaches a screen.
//!
//! The text is CommonMark with tables, strikethrough, task lists and math. Invariants: any text has
//! blocks; no HTML is ever interpreted; links lead to http, https or mailto addresses and images to
//! http or https; nesting is bounded, so that nobody who walks the blocks runs out of stack.

mod address;
mod builder;
mod streaming;

use std::borrow::Cow;

use pulldown_cmark::{Options, Parser};
use tabwright_protocol::Block;

pub use streaming::{Change, StreamingBlocks};

/// The blocks of a text.
pub fn blocks(text: &str) -> Vec<Block> {
    parse(&without_returns(text)).blocks
}

/// The text with every line ended by a line feed. The parser takes a lone carriage return for the
/// end of a line in some places and not in others, so it never sees one.
fn without_returns(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// What was found in a text.
struct Parsed {
    blocks: Vec<Block>,
    /// Of each top-level element: where it starts, and how many blocks come before it.
    elements: Vec<(usize, usize)>,
    /// Whether there are link definitions, which can change the meaning of text anywhere.
    has_definitions: bool,
}

fn parse(text: &str) -> Parsed {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH;
    let parser = Parser::new_ext(text, options);
    let has_definitions = parser.reference_definitions().iter().next().is_some();
    let mut builder = builder::Builder::default();
    let mut elements = Vec::new();
    for (event, range) in parser.into_offset_iter() {
        if let Some(before) = builder.blocks_before_element(&event) {
            elements.push((range.start, before));
        }
        builder.read(event);
    }
    Parsed {
        blocks: builder.finish(),
        elements,
        has_definitions,
    }
}

#[cfg(test)]
mod tests;
