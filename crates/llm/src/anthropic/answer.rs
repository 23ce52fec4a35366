//! An answer as it is put together from events, or from the one object of a server that does not
//! stream.

use tabwright_protocol::Usage;

use crate::calls::{Calls, Piece};
use crate::draft::{self, Draft, Parts, Progress, Words, count};
use crate::json::Fields;
use crate::kept::Kept;
use crate::layout::Layout;
use crate::{Answer, ModelEvent, ProviderError};

/// The answer so far.
#[derive(Debug, Default)]
pub(super) struct MessageDraft {
    words: Words,
    calls: Calls,
    blocks: Vec<Block>,
    usage: Usage,
    /// The first reason that was given.
    reason: Option<String>,
    begun: bool,
    done: bool,
}

#[derive(Debug)]
struct Block {
    index: Option<u64>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// So many bytes of text.
    Text(usize),
    Thinking(Kept),
    /// Thinking that only the provider can read, as it sent it.
    Redacted(String),
    /// The call at this place.
    Call(usize),
    /// Nothing that we asked for.
    Other,
}

impl Draft for MessageDraft {
    fn read(
        &mut self,
        _: &str,
        event: &Fields<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        match event.str("type").as_deref() {
            Some("message_start") => {
                self.begun = true;
                if let Some(message) = event.object("message") {
                    self.read_message(&message, events)?;
                }
            }
            Some("message") => {
                self.begun = true;
                self.read_message(event, events)?;
                self.done = true;
            }
            Some("content_block_start") => {
                self.begun = true;
                if let Some(block) = event.object("content_block") {
                    let raw = event.get("content_block").map_or("", |block| block.get());
                    self.begin(event.count("index"), &block, raw, events)?;
                }
            }
            Some("content_block_delta") => {
                self.begun = true;
                if let Some(delta) = event.object("delta") {
                    self.go_on(event.count("index"), &delta, events);
                }
            }
            Some("message_delta") => {
                if let Some(delta) = event.object("delta") {
                    self.end(&delta);
                }
                self.count(event);
            }
            Some("message_stop") => self.done = self.begun,
            // A ping, the end of a block, or what is not known yet.
            Some(_) | None => {}
        }
        Ok(())
    }

    fn progress(&self) -> Progress {
        match (self.done, &self.reason, self.begun) {
            (true, _, _) => Progress::Done,
            (false, Some(_), _) => Progress::Ended,
            (false, None, true) => Progress::Begun,
            (false, None, false) => Progress::Nothing,
        }
    }

    fn answer(&self, broken: bool) -> Answer {
        Parts {
            text: self.words.text.clone(),
            thinking: self.words.thinking.clone(),
            images: Vec::new(),
            calls: &self.calls,
            stop: draft::stop(self.reason.as_deref(), !self.calls.is_empty()),
            usage: self.usage,
            opaque: self.layout().into_value(),
            broken,
        }
        .answer()
    }
}

impl MessageDraft {
    /// The head of a stream, or a whole answer.
    fn read_message(
        &mut self,
        message: &Fields<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        for raw in message.list("content") {
            if let Some(block) = Fields::parse(raw.get()) {
                self.begin(None, &block, raw.get(), events)?;
            }
        }
        self.end(message);
        self.count(message);
        Ok(())
    }

    fn begin(
        &mut self,
        index: Option<u64>,
        block: &Fields<'_>,
        raw: &str,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        let text = |name| block.text(name).unwrap_or_default();
        let kind = match block.text("type").as_deref() {
            Some("text") => {
                self.words.say(&text("text"), events);
                Kind::Text(text("text").len())
            }
            Some("thinking") => {
                self.think(&text("thinking"), true, events);
                let mut kept = Kept::default();
                block.iter().for_each(|(name, value)| kept.add(name, value));
                Kind::Thinking(kept)
            }
            Some("redacted_thinking") => Kind::Redacted(raw.to_owned()),
            Some("tool_use") => {
                let input = block.get("input").map_or("", |input| input.get());
                let piece = Piece {
                    index,
                    id: text("id"),
                    name: text("name"),
                    // The empty object stands for the arguments that are still to come.
                    arguments: if input == "{}" { "" } else { input }.to_owned(),
                    kept: Kept::default(),
                };
                Kind::Call(self.calls.begin(piece, events)?)
            }
            Some(_) | None => Kind::Other,
        };
        self.blocks.push(Block { index, kind });
        Ok(())
    }

    fn go_on(&mut self, index: Option<u64>, delta: &Fields<'_>, events: &mut Vec<ModelEvent>) {
        let text = |name| delta.str(name).unwrap_or_default();
        match delta.str("type").as_deref() {
            Some("text_delta") => {
                let text = text("text");
                self.words.say(&text, events);
                match self.block(index) {
                    Some(Kind::Text(bytes)) => *bytes += text.len(),
                    Some(_) | None => self.blocks.push(Block {
                        index,
                        kind: Kind::Text(text.len()),
                    }),
                }
            }
            Some("thinking_delta") => {
                self.think(&text("thinking"), false, events);
                self.keep(index, "thinking", delta);
            }
            Some("signature_delta") => self.keep(index, "signature", delta),
            Some("input_json_delta") => {
                let place = match self.block(index) {
                    Some(Kind::Call(place)) => Some(*place),
                    Some(_) | None => self.calls.place(index),
                };
                if let Some(place) = place {
                    self.calls
                        .go_on(place, text("partial_json").into_owned(), events);
                }
            }
            Some(_) | None => {}
        }
    }

    /// The block that a delta goes on with: the last one of its number.
    fn block(&mut self, index: Option<u64>) -> Option<&mut Kind> {
        let numbered = self.blocks.iter().rposition(|block| block.index == index);
        let place = numbered.or_else(|| self.blocks.len().checked_sub(1))?;
        self.blocks.get_mut(place).map(|block| &mut block.kind)
    }

    fn keep(&mut self, index: Option<u64>, name: &str, delta: &Fields<'_>) {
        if let (Some(Kind::Thinking(kept)), Some(piece)) = (self.block(index), delta.get(name)) {
            kept.add(name, piece);
        }
    }

    fn think(&mut self, text: &str, begins: bool, events: &mut Vec<ModelEvent>) {
        if begins && !self.words.thinking.is_empty() {
            self.words.think("\n\n", events);
        }
        self.words.think(text, events);
    }

    fn end(&mut self, fields: &Fields<'_>) {
        let reason = fields.text("stop_reason").filter(|text| !text.is_empty());
        if self.reason.is_none() {
            self.reason = reason;
        }
    }

    fn count(&mut self, fields: &Fields<'_>) {
        let Some(usage) = fields.object("usage") else {
            return;
        };
        let cached = count(&usage, "cache_read_input_tokens");
        // What was read from the cache or written to it is not in the input here.
        let written = count(&usage, "cache_creation_input_tokens");
        let seen = Usage {
            input: count(&usage, "input_tokens")
                .saturating_add(cached)
                .saturating_add(written),
            cached,
            written,
            output: count(&usage, "output_tokens"),
            reasoning: draft::inner_count(&usage, "output_tokens_details", "thinking_tokens"),
            ..Usage::default()
        };
        draft::raise(&mut self.usage, seen);
    }

    fn layout(&self) -> Layout {
        let mut layout = Layout::default();
        for block in &self.blocks {
            match &block.kind {
                Kind::Text(bytes) => layout.text(*bytes, &Kept::default()),
                Kind::Thinking(kept) => {
                    let json = kept.to_object();
                    let signature = Fields::parse(&json).and_then(|it| it.text("signature"));
                    // Without its signature the provider would refuse it.
                    if signature.is_some_and(|text| !text.is_empty()) {
                        layout.keep(json);
                    }
                }
                Kind::Redacted(json) => layout.keep(json.clone()),
                Kind::Call(_) => layout.call(),
                Kind::Other => {}
            }
        }
        layout
    }
}
