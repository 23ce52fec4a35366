//! Anthropic's Messages, and the servers that speak the same.
//!
//! An answer is a list of numbered blocks, which stream one after another: thinking with its
//! signature, thinking that only Anthropic can read, text, calls. All of them go back in their
//! order; a thinking block that has lost its signature would be refused, so it stays away. Marks
//! for the provider's cache stand behind the tools, the system prompt, and the person's last two
//! messages, so that each round reads what the round before has written.

mod answer;
mod request;
#[cfg(test)]
mod tests;

use crate::body::{Decoder, Framing};
use crate::{ChatRequest, Endpoint, LlmError, Provider, StreamDecoder, WireRequest};

/// Anthropic's Messages, and the servers that speak the same.
#[derive(Clone, Copy, Debug)]
pub struct Anthropic;

impl Provider for Anthropic {
    fn write(&self, endpoint: &Endpoint, chat: &ChatRequest<'_>) -> Result<WireRequest, LlmError> {
        request::request(endpoint, chat)
    }

    fn read(&self, _: bool) -> Box<dyn StreamDecoder> {
        Decoder::boxed(Framing::Events, answer::MessageDraft::default())
    }
}
