//! Ollama's own chat: one JSON object a line.
//!
//! Unlike its OpenAI side it can be told how much a model shall read at once (`num_ctx`), and not
//! to drop the beginning of what is longer. Its calls come whole, with their arguments as objects.

mod answer;
mod request;
#[cfg(test)]
mod tests;

use crate::body::{Decoder, Framing};
use crate::{ChatRequest, Endpoint, LlmError, Provider, StreamDecoder, WireRequest};

/// Ollama's own chat.
#[derive(Clone, Copy, Debug)]
pub struct Ollama;

impl Provider for Ollama {
    fn write(&self, endpoint: &Endpoint, chat: &ChatRequest<'_>) -> Result<WireRequest, LlmError> {
        request::request(endpoint, chat)
    }

    fn read(&self, _: bool) -> Box<dyn StreamDecoder> {
        Decoder::boxed(Framing::Lines, answer::OllamaDraft::default())
    }
}
