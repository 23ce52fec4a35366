//! OpenAI's Responses, and the servers that speak the same.
//!
//! Nothing is stored at the provider: the whole conversation goes with each request, and thoughts
//! come back to it encrypted, as the very items it sent. A thought without its encrypted content
//! would be looked for at the provider in vain, so it stays away.

mod answer;
mod request;
#[cfg(test)]
mod tests;

use crate::body::{Decoder, Framing};
use crate::{ChatRequest, Endpoint, LlmError, Provider, StreamDecoder, WireRequest};

/// OpenAI's Responses, and the servers that speak the same.
#[derive(Clone, Copy, Debug)]
pub struct OpenAiResponses;

impl Provider for OpenAiResponses {
    fn write(&self, endpoint: &Endpoint, chat: &ChatRequest<'_>) -> Result<WireRequest, LlmError> {
        request::request(endpoint, chat)
    }

    fn read(&self, _: bool) -> Box<dyn StreamDecoder> {
        Decoder::boxed(Framing::Events, answer::ResponseDraft::default())
    }
}
