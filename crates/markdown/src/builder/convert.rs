//! Small translations from the parser's words to ours.

use pulldown_cmark::{Alignment, CodeBlockKind, HeadingLevel, LinkType};
use tabwright_protocol::{Inline, TableAlign};

use crate::address;

pub(super) fn columns(align: &[Alignment]) -> Vec<TableAlign> {
    let align = align.iter().map(|align| match align {
        Alignment::None => TableAlign::None,
        Alignment::Left => TableAlign::Left,
        Alignment::Center => TableAlign::Center,
        Alignment::Right => TableAlign::Right,
    });
    align.collect()
}

pub(super) fn number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

pub(super) fn language(kind: &CodeBlockKind<'_>) -> String {
    match kind {
        CodeBlockKind::Indented => String::new(),
        CodeBlockKind::Fenced(info) => info
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned(),
    }
}

pub(super) fn link_address(link_type: LinkType, address: &str) -> Option<String> {
    if link_type == LinkType::Email {
        return address::link(&format!("mailto:{address}"));
    }
    address::link(address)
}

/// The text of an inline without content of its own.
pub(super) fn plain(inline: &Inline) -> &str {
    match inline {
        Inline::Text { text } | Inline::Code { text } => text,
        Inline::Math { tex } => tex,
        Inline::Image { alt, .. } => alt,
        Inline::Break => "\n",
        Inline::Emphasis { .. }
        | Inline::Strong { .. }
        | Inline::Strike { .. }
        | Inline::Link { .. } => "",
    }
}

/// What is left of the first inline of a paragraph: after display math it begins with a blank.
pub(super) fn without_leading_blank(inline: Inline) -> Option<Inline> {
    match inline {
        Inline::Break => None,
        Inline::Text { text } => {
            let text = text.trim_start_matches([' ', '\n']);
            (!text.is_empty()).then(|| Inline::Text {
                text: text.to_owned(),
            })
        }
        inline @ (Inline::Code { .. }
        | Inline::Emphasis { .. }
        | Inline::Strong { .. }
        | Inline::Strike { .. }
        | Inline::Link { .. }
        | Inline::Image { .. }
        | Inline::Math { .. }) => Some(inline),
    }
}

/// The inlines before display math, if there are any but blanks.
pub(super) fn without_trailing_blank(mut content: Vec<Inline>) -> Option<Vec<Inline>> {
    match content.last_mut() {
        Some(Inline::Break) => {
            content.pop();
        }
        Some(Inline::Text { text }) => {
            text.truncate(text.trim_end_matches([' ', '\n']).len());
            if text.is_empty() {
                content.pop();
            }
        }
        Some(
            Inline::Code { .. }
            | Inline::Emphasis { .. }
            | Inline::Strong { .. }
            | Inline::Strike { .. }
            | Inline::Link { .. }
            | Inline::Image { .. }
            | Inline::Math { .. },
        )
        | None => {}
    }
    (!content.is_empty()).then_some(content)
}
