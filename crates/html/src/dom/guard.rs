//! What stands between tokenizer and tree builder, so that no page costs more than the limits allow:
//! the builder looks through its open elements at nearly every tag, which at depth n is n² work.

use html5ever::{
    LocalName, local_name,
    tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult},
    tree_builder::TreeBuilder,
};
use std::cell::Cell;

use super::{Document, MAX_DEPTH, NodeId, sink::Sink};

pub(super) struct Guard {
    builder: TreeBuilder<NodeId, Sink>,
    /// Ignored start tags whose end tags are still to be ignored.
    ignored: Cell<u32>,
    /// A token came since it was asked to forget.
    has_tokens: Cell<bool>,
}

impl Guard {
    pub fn new(builder: TreeBuilder<NodeId, Sink>) -> Self {
        Self {
            builder,
            ignored: Cell::new(0),
            has_tokens: Cell::new(false),
        }
    }

    pub fn forget_tokens(&self) {
        self.has_tokens.set(false);
    }

    pub fn has_tokens(&self) -> bool {
        self.has_tokens.get()
    }

    pub fn note_truncation(&self) {
        self.builder.sink.note_truncation();
    }

    pub fn finish(self) -> Document {
        self.builder.sink.into_document()
    }

    /// Whether the builder must not see this tag. Tags that change how the text after them is read
    /// always pass: they do not nest.
    fn ignores(&self, tag: &Tag) -> bool {
        if holds_raw_text(&tag.name) {
            return false;
        }
        let ignored = self.ignored.get();
        match tag.kind {
            TagKind::StartTag if self.builder.sink.depth() < MAX_DEPTH => false,
            TagKind::StartTag => {
                self.builder.sink.note_truncation();
                if !tag.self_closing && !is_void(&tag.name) {
                    self.ignored.set(ignored.saturating_add(1));
                }
                true
            }
            TagKind::EndTag => {
                self.ignored.set(ignored.saturating_sub(1));
                ignored > 0
            }
        }
    }
}

impl TokenSink for Guard {
    type Handle = NodeId;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<NodeId> {
        if !matches!(token, Token::ParseError(_)) {
            self.has_tokens.set(true);
        }
        let ignored = match &token {
            Token::TagToken(tag) => self.builder.sink.is_full() || self.ignores(tag),
            Token::CharacterTokens(_) | Token::NullCharacterToken => self.builder.sink.is_full(),
            Token::CommentToken(_) | Token::ParseError(_) => true,
            Token::DoctypeToken(_) | Token::EOFToken => false,
        };
        if ignored {
            return TokenSinkResult::Continue;
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn holds_raw_text(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("script")
            | local_name!("style")
            | local_name!("textarea")
            | local_name!("title")
            | local_name!("noscript")
            | local_name!("noframes")
            | local_name!("iframe")
            | local_name!("xmp")
            | local_name!("noembed")
            | local_name!("plaintext")
    )
}

fn is_void(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("area")
            | local_name!("base")
            | local_name!("br")
            | local_name!("col")
            | local_name!("embed")
            | local_name!("hr")
            | local_name!("img")
            | local_name!("input")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("param")
            | local_name!("source")
            | local_name!("track")
            | local_name!("wbr")
    )
}
