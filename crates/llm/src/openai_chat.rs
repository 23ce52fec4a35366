//! OpenAI's chat completions, and every server that speaks the same.
//!
//! Such servers agree on the shape and on little else, so the decoder holds on to what cannot be
//! doubted (which call a piece belongs to, whether the end came) and takes everything else as it
//! comes. The opaque values of this format are objects from a field's name to the JSON text that
//! the server sent for it.

mod answer;
pub(crate) mod request;
#[cfg(test)]
mod tests;

use crate::body::{Decoder, Framing};
use crate::{ChatRequest, Endpoint, LlmError, Provider, StreamDecoder, WireRequest};

/// OpenAI's chat completions, and every server that speaks the same.
#[derive(Clone, Copy, Debug)]
pub struct OpenAiChat;

impl Provider for OpenAiChat {
    fn write(&self, endpoint: &Endpoint, chat: &ChatRequest<'_>) -> Result<WireRequest, LlmError> {
        request::request(endpoint, chat)
    }

    fn read(&self, _: bool) -> Box<dyn StreamDecoder> {
        Decoder::boxed(Framing::Events, answer::ChatDraft::default())
    }
}
