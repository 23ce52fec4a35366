//! OpenAI's chat completions, and every server that speaks the same.
//!
//! Such servers agree on the shape and on little else, so the decoder holds on to what cannot be
//! doubted (which call a piece belongs to, whether the end came) and takes everything else as it
//! comes. The opaque values of this format are objects from a field's name to the JSON text that
//! the server sent for it.

mod answer;
mod calls;
mod decoder;
mod kept;
mod request;
#[cfg(test)]
mod tests;
mod think;

use tabwright_protocol::Millis;

use crate::{
    ChatRequest, Endpoint, LlmError, Provider, ProviderError, StreamDecoder, WireRequest,
    server_error,
};

/// OpenAI's chat completions, and every server that speaks the same.
#[derive(Clone, Copy, Debug)]
pub struct OpenAiChat;

impl Provider for OpenAiChat {
    fn request(
        &self,
        endpoint: &Endpoint,
        chat: &ChatRequest<'_>,
    ) -> Result<WireRequest, LlmError> {
        request::request(endpoint, chat)
    }

    fn decoder(&self, _: bool) -> Box<dyn StreamDecoder> {
        Box::<decoder::Decoder>::default()
    }

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
}
