//! An answer as it is put together from chunks, or from the one object of a server that does not
//! stream.

use serde_json::value::RawValue;
use tabwright_protocol::Usage;

use crate::calls::{Calls, Piece};
use crate::draft::{self, Draft, Parts, Progress, Words, count, inner_count};
use crate::json::{Fields, borrowed, elements, string};
use crate::kept::Kept;
use crate::think::{Split, ThinkTags};
use crate::{
    Answer, Image, ModelEvent, ProviderError, ProviderErrorKind, StopReason, server_error,
};

/// Fields of a message that its server wants to see again: thoughts and their signatures. Others
/// are not sent back, because many servers refuse fields of a message that they do not know.
const SENT_BACK: [&str; 7] = [
    "reasoning_content",
    "reasoning",
    "reasoning_details",
    "reasoning_opaque",
    "thinking_blocks",
    "extra_content",
    "provider_specific_fields",
];

/// The answer so far.
#[derive(Debug, Default)]
pub(super) struct ChatDraft {
    words: Words,
    calls: Calls,
    kept: Kept,
    usage: Usage,
    /// The first reason that was given.
    reason: Option<String>,
    refused: bool,
    /// Something of an answer has come, be it empty.
    begun: bool,
    think: ThinkTags,
}

impl Draft for ChatDraft {
    fn read(
        &mut self,
        _: &str,
        chunk: &Fields<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        if let Some(usage) = chunk.object("usage") {
            draft::raise(&mut self.usage, used(&usage));
        }
        // Groq says here why it stopped early.
        if let Some(aside) = chunk.get("x_groq")
            && Fields::parse(aside.get()).is_some_and(|it| it.get("error").is_some())
        {
            return Err(server_error::in_answer(aside.get()));
        }
        for choice in chunk.list("choices") {
            let Some(choice) = Fields::parse(choice.get()) else {
                continue;
            };
            if count(&choice, "index") == 0 {
                self.add_choice(&choice, events)?;
            }
        }
        Ok(())
    }

    fn progress(&self) -> Progress {
        match (&self.reason, self.begun) {
            (Some(_), _) => Progress::Ended,
            (None, true) => Progress::Begun,
            (None, false) => Progress::Nothing,
        }
    }

    fn failure(&self) -> Option<ProviderError> {
        let kind = match self.reason.as_deref()? {
            "error" | "network_error" | "abort" => ProviderErrorKind::Server,
            "insufficient_system_resource" => ProviderErrorKind::Overloaded,
            _ => return None,
        };
        let message = "The model's server failed in the middle of the answer.";
        Some(ProviderError::in_answer(kind, message))
    }

    fn answer(&self, broken: bool) -> Answer {
        let stop = if self.refused {
            StopReason::Refusal
        } else {
            draft::stop(self.reason.as_deref(), !self.calls.is_empty())
        };
        let rest = self.think.rest();
        Parts {
            text: format!("{}{}", self.words.text, rest.text),
            thinking: format!("{}{}", self.words.thinking, rest.thinking),
            images: self.words.images.clone(),
            calls: &self.calls,
            stop,
            usage: self.usage,
            opaque: self.kept.to_value(),
            broken,
        }
        .answer()
    }
}

impl ChatDraft {
    fn add_choice(
        &mut self,
        choice: &Fields<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        // Brokers put the error of the server behind them here.
        if let Some(error) = choice.get("error") {
            return Err(server_error::in_answer(error.get()));
        }
        if let Some(delta) = choice.object("delta") {
            self.add_message(&delta, events)?;
        } else if let (false, Some(message)) = (self.begun, choice.object("message")) {
            // After pieces, a whole message would only say everything again.
            self.add_message(&message, events)?;
        }
        self.begun = true;
        let reason = choice.text("finish_reason").filter(|text| !text.is_empty());
        if let (None, Some(reason)) = (&self.reason, reason) {
            self.reason = Some(reason);
        }
        Ok(())
    }

    fn add_message(
        &mut self,
        message: &Fields<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        for name in SENT_BACK {
            if let Some(value) = message.get(name) {
                self.kept.add(name, value);
            }
        }
        // Servers that know both names send the same thought under both.
        let thought = ["reasoning_content", "reasoning"]
            .iter()
            .find_map(|name| message.str(name).filter(|text| !text.is_empty()));
        self.words.think(&thought.unwrap_or_default(), events);
        if let Some(content) = message.get("content") {
            self.add_content(content, events);
        }
        // Brokers of models that make images put them beside the text.
        for entry in message.list("images") {
            self.words.show(image(entry));
        }
        if let Some(refusal) = message.str("refusal").filter(|text| !text.is_empty()) {
            self.refused = true;
            self.words.say(&refusal, events);
        }
        let entries = message.list("tool_calls");
        if entries.is_empty() {
            return Ok(());
        }
        let pieces: Vec<_> = entries
            .into_iter()
            .filter_map(|entry| Fields::parse(entry.get()))
            .map(|entry| call_piece(&entry))
            .collect();
        self.calls.read(pieces, events)
    }

    /// A string, or a list of parts of text and thinking.
    fn add_content(&mut self, content: &RawValue, events: &mut Vec<ModelEvent>) {
        if let Some(text) = borrowed(content) {
            let split = self.think.read(&text);
            self.add_split(&split, events);
            return;
        }
        for part in elements(content) {
            let Some(part) = Fields::parse(part.get()) else {
                continue;
            };
            if let Some(text) = part.text("text") {
                self.words.say(&text, events);
            }
            if let Some(url) = part.object("image_url").and_then(|it| it.text("url")) {
                self.words.show(Image::from_data_url(&url));
            }
            for thought in part.list("thinking") {
                let text = Fields::parse(thought.get())
                    .map_or_else(|| string(thought), |thought| thought.text("text"));
                self.words.think(&text.unwrap_or_default(), events);
            }
        }
    }

    fn add_split(&mut self, split: &Split, events: &mut Vec<ModelEvent>) {
        self.words.think(&split.thinking, events);
        self.words.say(&split.text, events);
    }
}

/// An entry of `images`.
fn image(entry: &RawValue) -> Option<Image> {
    let url = Fields::parse(entry.get())?
        .object("image_url")?
        .text("url")?;
    Image::from_data_url(&url)
}

/// An entry of `tool_calls`.
fn call_piece(entry: &Fields<'_>) -> Piece {
    let function = entry.object("function");
    let field = |name| function.as_ref().and_then(|fields| fields.get(name));
    let mut piece = Piece {
        index: entry.count("index"),
        id: entry.text("id").unwrap_or_default(),
        name: field("name").and_then(string).unwrap_or_default(),
        // Some servers send the object itself instead of its text.
        arguments: field("arguments")
            .map(|value| string(value).unwrap_or_else(|| value.get().to_owned()))
            .unwrap_or_default(),
        kept: Kept::default(),
    };
    for (name, value) in entry.iter() {
        if !matches!(name, "index" | "id" | "type" | "function") {
            piece.kept.add(name, value);
        }
    }
    piece
}

fn used(usage: &Fields<'_>) -> Usage {
    let input = count(usage, "prompt_tokens");
    let output = count(usage, "completion_tokens");
    // With some the thoughts are in the total alone, and are paid for all the same.
    let beside = count(usage, "total_tokens").saturating_sub(input.saturating_add(output));
    let thoughts = if input == 0 { 0 } else { beside };
    let reasoning = inner_count(usage, "completion_tokens_details", "reasoning_tokens");
    Usage {
        input,
        cached: inner_count(usage, "prompt_tokens_details", "cached_tokens")
            .max(count(usage, "prompt_cache_hit_tokens"))
            .max(count(usage, "cached_tokens")),
        output: output.saturating_add(thoughts),
        reasoning: reasoning.max(thoughts),
        // Brokers say so; OpenAI itself takes nothing for it.
        written: inner_count(usage, "prompt_tokens_details", "cache_write_tokens"),
        ..Usage::default()
    }
}
