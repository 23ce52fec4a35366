//! An answer as it is put together from chunks, or from the one object of a server that does not
//! stream.

use serde_json::value::RawValue;
use tabwright_protocol::Usage;

use super::calls::Calls;
use super::kept::Kept;
use super::think::{Split, ThinkTags};
use crate::json::{Fields, elements, string};
use crate::{Answer, ModelEvent, ProviderError, ProviderErrorKind, StopReason, server_error};

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
pub(super) struct Draft {
    text: String,
    thinking: String,
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

impl Draft {
    /// Reads a chunk or a whole answer.
    pub(super) fn read(
        &mut self,
        chunk: &Fields<'_>,
        text: &str,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        let says_error = chunk.text("object").is_some_and(|object| object == "error");
        if chunk.get("error").is_some() || says_error {
            return Err(server_error::in_answer(text));
        }
        if let Some(usage) = chunk.object("usage") {
            self.add_usage(&usage);
        }
        for choice in chunk.list("choices") {
            let Some(choice) = Fields::parse(choice.get()) else {
                continue;
            };
            if choice.count("index").unwrap_or(0) == 0 {
                self.add_choice(&choice, events)?;
            }
        }
        Ok(())
    }

    fn add_choice(
        &mut self,
        choice: &Fields<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
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
            .find_map(|name| message.text(name).filter(|text| !text.is_empty()));
        self.add_thinking(&thought.unwrap_or_default(), events);
        if let Some(content) = message.get("content") {
            self.add_content(content, events);
        }
        if let Some(refusal) = message.text("refusal").filter(|text| !text.is_empty()) {
            self.refused = true;
            self.add_text(&refusal, events);
        }
        let entries = message.list("tool_calls");
        let entries: Vec<_> = entries
            .into_iter()
            .filter_map(|entry| Fields::parse(entry.get()))
            .collect();
        self.calls.read(&entries, events).map_err(|_| {
            ProviderError::in_answer(
                ProviderErrorKind::Malformed,
                "The model asked for more than 1,000 tool calls in one answer.",
            )
        })
    }

    /// A string, or a list of parts of text and thinking.
    fn add_content(&mut self, content: &RawValue, events: &mut Vec<ModelEvent>) {
        if let Some(text) = string(content) {
            let split = self.think.read(&text);
            self.add_split(&split, events);
            return;
        }
        for part in elements(content) {
            let Some(part) = Fields::parse(part.get()) else {
                continue;
            };
            if let Some(text) = part.text("text") {
                self.add_text(&text, events);
            }
            for thought in part.list("thinking") {
                let text = Fields::parse(thought.get())
                    .map_or_else(|| string(thought), |thought| thought.text("text"));
                self.add_thinking(&text.unwrap_or_default(), events);
            }
        }
    }

    fn add_split(&mut self, split: &Split, events: &mut Vec<ModelEvent>) {
        self.add_thinking(&split.thinking, events);
        self.add_text(&split.text, events);
    }

    fn add_text(&mut self, text: &str, events: &mut Vec<ModelEvent>) {
        if !text.is_empty() {
            self.text.push_str(text);
            events.push(ModelEvent::Text(text.to_owned()));
        }
    }

    fn add_thinking(&mut self, text: &str, events: &mut Vec<ModelEvent>) {
        if !text.is_empty() {
            self.thinking.push_str(text);
            events.push(ModelEvent::Thinking(text.to_owned()));
        }
    }

    /// Counts come once, twice, growing, or as zeros at last: the largest is the one that counts.
    fn add_usage(&mut self, usage: &Fields<'_>) {
        let count = |name| usage.count(name).unwrap_or(0);
        let detail = |object, name| {
            usage
                .object(object)
                .and_then(|fields| fields.count(name))
                .unwrap_or(0)
        };
        let cached =
            detail("prompt_tokens_details", "cached_tokens").max(count("prompt_cache_hit_tokens"));
        let reasoning = detail("completion_tokens_details", "reasoning_tokens");
        let own = &mut self.usage;
        own.input = own.input.max(count("prompt_tokens"));
        own.cached = own.cached.max(cached);
        own.output = own.output.max(count("completion_tokens"));
        own.reasoning = own.reasoning.max(reasoning);
    }

    /// Whether the server said why the answer ended.
    pub(super) fn has_reason(&self) -> bool {
        self.reason.is_some()
    }

    /// Whether anything of an answer has come.
    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    /// The failure that the server gave as its reason to end, if it was one.
    pub(super) fn failure(&self) -> Option<ProviderError> {
        let kind = match self.reason.as_deref()? {
            "error" | "network_error" => ProviderErrorKind::Server,
            "insufficient_system_resource" => ProviderErrorKind::Overloaded,
            _ => return None,
        };
        let message = "The model's server failed in the middle of the answer.";
        Some(ProviderError::in_answer(kind, message))
    }

    fn stop(&self) -> StopReason {
        let done = if self.calls.is_empty() {
            StopReason::EndTurn
        } else {
            StopReason::ToolCalls
        };
        if self.refused {
            return StopReason::Refusal;
        }
        match self.reason.as_deref() {
            Some("length" | "max_tokens" | "model_length" | "model_context_window_exceeded") => {
                StopReason::Length
            }
            Some("content_filter" | "sensitive" | "safety") => StopReason::ContentFilter,
            Some("refusal") => StopReason::Refusal,
            // What a server calls the end is not reliable; whether there are calls is.
            None
            | Some(
                "stop" | "tool_calls" | "function_call" | "tool_use" | "end_turn" | "eos"
                | "stop_sequence",
            ) => done,
            Some(_) if !self.calls.is_empty() => StopReason::ToolCalls,
            Some(reason) => StopReason::Other(reason.to_owned()),
        }
    }

    /// The answer; `broken` when its end has not come.
    pub(super) fn answer(&self, broken: bool) -> Answer {
        let stop = self.stop();
        let cut = match &stop {
            StopReason::EndTurn | StopReason::ToolCalls => false,
            StopReason::Length
            | StopReason::ContentFilter
            | StopReason::Refusal
            | StopReason::Other(_) => true,
        };
        let mut calls = self.calls.finish(cut);
        for call in &mut calls {
            call.complete &= !broken;
        }
        let rest = self.think.rest();
        Answer {
            text: format!("{}{}", self.text, rest.text),
            thinking: format!("{}{}", self.thinking, rest.thinking),
            calls,
            stop,
            usage: self.usage,
            opaque: self.kept.to_value(),
        }
    }
}
