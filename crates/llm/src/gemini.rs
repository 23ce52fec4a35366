//! Google's Gemini.
//!
//! Each piece of the stream is a whole answer of a few parts: text, thoughts for people, calls that
//! are never cut. A part may carry a signature of the thoughts behind it, which has to come back
//! with that very part; Gemini 3 refuses calls without. Calls are known to the server by their
//! place and name; an id goes back only if the server gave one.

mod answer;
pub(crate) mod request;
#[cfg(test)]
mod tests;

use crate::body::{Decoder, Framing};
use crate::{ChatRequest, Endpoint, LlmError, Provider, StreamDecoder, WireRequest};

/// Google's Gemini.
#[derive(Clone, Copy, Debug)]
pub struct Gemini;

impl Provider for Gemini {
    fn write(&self, endpoint: &Endpoint, chat: &ChatRequest<'_>) -> Result<WireRequest, LlmError> {
        request::request(endpoint, chat)
    }

    fn read(&self, _: bool) -> Box<dyn StreamDecoder> {
        Decoder::boxed(Framing::Events, answer::ContentDraft::default())
    }
}
