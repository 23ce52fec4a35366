//! What every wire format makes of an answer: its words, why it ended, and the whole in the end.

use serde_json::Value;
use tabwright_protocol::Usage;

use crate::calls::Calls;
use crate::json::Fields;
use crate::{Answer, Image, ModelEvent, ProviderError, StopReason};

/// An answer as one wire format puts it together from the pieces of a body.
pub(crate) trait Draft {
    /// Reads a piece; `event` is the name of its event, empty where there is none. No piece that
    /// says there is an error comes here.
    fn read(
        &mut self,
        event: &str,
        piece: &Fields<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError>;

    /// How far the answer is.
    fn progress(&self) -> Progress;

    /// Whether a reason to end is only given when nothing of the answer follows.
    fn ends_once(&self) -> bool {
        true
    }

    /// The failure that the server gave as its reason to end, if it was one.
    fn failure(&self) -> Option<ProviderError> {
        None
    }

    /// The answer; `broken` when its end has not come.
    fn answer(&self, broken: bool) -> Answer;
}

/// How far an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Nothing of it has come.
    Nothing,
    /// Something has come, be it empty.
    Begun,
    /// The server said why it ended; counts may follow.
    Ended,
    /// The server said that nothing follows.
    Done,
}

/// The words of an answer, and the images among them.
#[derive(Debug, Default)]
pub(crate) struct Words {
    pub(crate) text: String,
    pub(crate) thinking: String,
    pub(crate) images: Vec<Image>,
}

impl Words {
    /// More text.
    pub(crate) fn say(&mut self, text: &str, events: &mut Vec<ModelEvent>) {
        if !text.is_empty() {
            self.text.push_str(text);
            events.push(ModelEvent::Text(text.to_owned()));
        }
    }

    /// An image, unless it is the last one said again: some servers repeat it at the end.
    pub(crate) fn show(&mut self, image: Option<Image>) {
        if let Some(image) = image
            && self.images.last() != Some(&image)
        {
            self.images.push(image);
        }
    }

    /// More thinking.
    pub(crate) fn think(&mut self, text: &str, events: &mut Vec<ModelEvent>) {
        if !text.is_empty() {
            self.thinking.push_str(text);
            events.push(ModelEvent::Thinking(text.to_owned()));
        }
    }
}

/// No answer and no request has more tokens: a day's limit must not be used up by a server's slip.
const MOST_TOKENS: u64 = 1_000_000_000;

/// The number of a field, 0 for nonsense.
pub(crate) fn count(fields: &Fields<'_>, name: &str) -> u64 {
    let count = fields.count(name).unwrap_or(0);
    if count > MOST_TOKENS { 0 } else { count }
}

/// The number of a field of a field, 0 for nonsense.
pub(crate) fn inner_count(fields: &Fields<'_>, object: &str, name: &str) -> u64 {
    fields
        .object(object)
        .map_or(0, |fields| count(&fields, name))
}

/// Counts come once, twice, growing, or as zeros at last: the largest is the one that counts.
pub(crate) fn raise(usage: &mut Usage, seen: Usage) {
    usage.input = usage.input.max(seen.input);
    usage.cached = usage.cached.max(seen.cached);
    usage.output = usage.output.max(seen.output);
    usage.reasoning = usage.reasoning.max(seen.reasoning);
    usage.written = usage.written.max(seen.written);
}

/// Why an answer ended, in any provider's word for it.
pub(crate) fn stop(reason: Option<&str>, has_calls: bool) -> StopReason {
    let done = if has_calls {
        StopReason::ToolCalls
    } else {
        StopReason::EndTurn
    };
    let Some(reason) = reason else { return done };
    match reason.to_ascii_lowercase().as_str() {
        "length"
        | "max_tokens"
        | "max_output_tokens"
        | "model_length"
        | "model_context_window_exceeded" => StopReason::Length,
        "content_filter"
        | "sensitive"
        | "safety"
        | "image_safety"
        | "recitation"
        | "blocklist"
        | "prohibited_content"
        | "spii"
        | "image_prohibited_content"
        | "image_recitation"
        | "model_armor" => StopReason::ContentFilter,
        "refusal" => StopReason::Refusal,
        // What a server calls the end is not reliable; whether there are calls is.
        "stop" | "tool_calls" | "function_call" | "tool_use" | "end_turn" | "eos"
        | "stop_sequence" | "completed" => done,
        _ if has_calls => done,
        _ => StopReason::Other(reason.to_owned()),
    }
}

/// What an answer is made of in the end.
pub(crate) struct Parts<'a> {
    pub(crate) text: String,
    pub(crate) thinking: String,
    pub(crate) images: Vec<Image>,
    pub(crate) calls: &'a Calls,
    pub(crate) stop: StopReason,
    pub(crate) usage: Usage,
    pub(crate) opaque: Value,
    pub(crate) broken: bool,
}

impl Parts<'_> {
    /// The answer. Calls are incomplete where the end of them may be missing.
    pub(crate) fn answer(self) -> Answer {
        let cut = match &self.stop {
            StopReason::EndTurn | StopReason::ToolCalls => false,
            StopReason::Length
            | StopReason::ContentFilter
            | StopReason::Refusal
            | StopReason::Other(_) => true,
        };
        let mut calls = self.calls.finish(cut);
        for call in &mut calls {
            call.complete &= !self.broken;
        }
        Answer {
            text: self.text,
            thinking: self.thinking,
            images: self.images,
            calls,
            stop: self.stop,
            usage: self.usage,
            opaque: self.opaque,
            unread_call: false,
        }
    }
}
