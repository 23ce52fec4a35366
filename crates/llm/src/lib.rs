//! Model wire formats without I/O: request out, bytes in, events out. One file a provider.
//!
//! A [`Provider`] turns a [`ChatRequest`] into a [`WireRequest`], which the caller posts; it hands
//! the response's bytes, however the network cut them, to a [`StreamDecoder`], or a response that
//! is not a success to [`Provider::error`].
//!
//! Invariants: how the bytes were cut never changes the [`Answer`]; an answer is `Ok` only when the
//! server said that it is whole; a call that may have been cut is marked and must not be run; what
//! only the provider understands comes back to it as the very text it sent; keys never reach
//! `{:?}` or an error message.

mod anthropic;
mod body;
mod calls;
#[cfg(test)]
mod cases;
mod chat;
#[cfg(any(test, feature = "fuzzing"))]
pub mod checks;
mod chrome_built_in;
mod describe;
mod draft;
mod error;
mod fit;
mod gemini;
mod json;
mod kept;
mod layout;
mod legal;
mod lines;
mod ollama;
mod openai_chat;
mod openai_responses;
mod overflow;
mod prices;
mod retry_after;
mod server_error;
mod sse;
#[cfg(test)]
mod testing;
mod text_calls;
mod think;
mod window;
mod wire;
mod write;

use tabwright_protocol::{Millis, ProviderKind};

pub use anthropic::Anthropic;
pub use chat::{
    Answer, AssistantCall, ChatRequest, Image, Message, ModelCall, ModelEvent, Part, StopReason,
    ToolSpec,
};
pub use chrome_built_in::ChromeBuiltIn;
pub use error::{LlmError, ProviderError, ProviderErrorKind};
pub use gemini::Gemini;
pub use legal::make_legal;
pub use lines::{LineDecoder, LineTooLong};
pub use ollama::Ollama;
pub use openai_chat::OpenAiChat;
pub use openai_responses::OpenAiResponses;
pub use prices::{Known, known};
pub use sse::{SseDecoder, SseEvent, SseTooLong};
pub use window::context_window;
pub use wire::{Endpoint, WireRequest};

/// A wire format. It has no state: everything a conversation needs is in its messages.
pub trait Provider {
    /// The request to post. The messages must be legal: see [`make_legal`]. What the model cannot
    /// do, as its record says, is not asked of it.
    fn request(
        &self,
        endpoint: &Endpoint,
        chat: &ChatRequest<'_>,
    ) -> Result<WireRequest, LlmError> {
        match fit::fit(&endpoint.options, chat) {
            None => self.write(endpoint, chat),
            Some(fitted) => self.write(endpoint, &fitted.chat()),
        }
    }

    /// A decoder for the body of one successful response to a request that offered these tools.
    /// Where it offered none, nothing in the answer's text is ever taken for a call.
    fn decoder(&self, endpoint: &Endpoint, tools: &[ToolSpec]) -> Box<dyn StreamDecoder> {
        let has_tools = !tools.is_empty() && fit::calls_tools(&endpoint.options);
        let decoder = self.read(has_tools);
        if endpoint.options.text_calls && !tools.is_empty() {
            return text_calls::reader(decoder, tools);
        }
        decoder
    }

    /// The request for a model that can do all that the chat needs.
    fn write(&self, endpoint: &Endpoint, chat: &ChatRequest<'_>) -> Result<WireRequest, LlmError>;

    /// A decoder that knows no calls but those of the format.
    fn read(&self, has_tools: bool) -> Box<dyn StreamDecoder>;

    /// What a response that is not a success says. Header names are in lower case; `now` is for a
    /// `Retry-After` that names a date.
    fn error(
        &self,
        endpoint: &Endpoint,
        status: u16,
        headers: &[(String, String)],
        body: &[u8],
        now: Millis,
    ) -> ProviderError {
        server_error::of_response(endpoint, status, headers, body, now)
    }

    /// No response came; `reason` is in the host's own words.
    fn unreachable(&self, endpoint: &Endpoint, reason: &str) -> ProviderError {
        ProviderError::network(endpoint, reason)
    }

    /// The body of the response broke off; `reason` is in the host's own words.
    fn broken(&self, endpoint: &Endpoint, reason: &str) -> ProviderError {
        ProviderError::broken_off(endpoint, reason)
    }
}

/// Decodes the body of one response.
pub trait StreamDecoder {
    /// The next bytes. After an error, whatever comes later is answered with the same error; one
    /// that comes behind events is told after them, by the next call.
    fn feed(&mut self, bytes: &[u8]) -> Result<Vec<ModelEvent>, ProviderError>;

    /// Whether nothing follows that matters, because the server said so or there was an error: the
    /// caller need not wait for the end of the body, which some servers never send.
    fn is_done(&self) -> bool;

    /// Whether the server said why the answer ended: counts may follow, and nothing of the answer.
    fn has_ended(&self) -> bool;

    /// What has come so far, for a stream that broke or was given up. Its calls are all marked
    /// incomplete.
    fn so_far(&self) -> Answer;

    /// The body is over.
    fn finish(self: Box<Self>) -> Result<Answer, ProviderError>;
}

/// The wire format of a model record.
pub fn provider_for(kind: ProviderKind) -> &'static dyn Provider {
    match kind {
        ProviderKind::OpenAiChat => &OpenAiChat,
        ProviderKind::OpenAiResponses => &OpenAiResponses,
        ProviderKind::Anthropic => &Anthropic,
        ProviderKind::Gemini => &Gemini,
        ProviderKind::Ollama => &Ollama,
        ProviderKind::ChromeBuiltIn => &ChromeBuiltIn,
    }
}
