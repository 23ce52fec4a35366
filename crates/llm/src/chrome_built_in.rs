//! The model that Chrome itself carries, asked through the Prompt API (`LanguageModel`).
//!
//! It has no address and no server: the request goes to `builtin:prompt`, which the host hands to
//! the browser, and the body that comes back is the model's text as it grows. The API knows system,
//! user and assistant texts and a JSON schema that the answer has to follow, so calls are made of
//! these. With tools, the answer is one object,
//!
//! ```json
//! {"say": "text for the person", "calls": [{"tool": "list_tabs", "arguments": {}}]}
//! ```
//!
//! in which `say` is required and may be empty, and comes first, so that a person sees it while the
//! calls are still being written; `calls` is absent when the turn is over. The schema says that
//! much and leaves the arguments free: a tool's own schema may use what the browser's grammar does
//! not know, and what calls a tool checks the arguments anyway. Earlier answers are sent back in
//! the same form, and results as texts of the user.
//!
//! Not every model keeps to the schema: the object may be inside a code fence, and an answer that
//! is not such an object is text. Without tools every answer is text.

mod decoder;
mod request;
mod say;
#[cfg(test)]
mod tests;

use tabwright_protocol::Millis;

use crate::{
    ChatRequest, Endpoint, LlmError, Provider, ProviderError, ProviderErrorKind, StreamDecoder,
    WireRequest, server_error,
};

/// The model that Chrome itself carries.
#[derive(Clone, Copy, Debug)]
pub struct ChromeBuiltIn;

impl Provider for ChromeBuiltIn {
    fn write(&self, _: &Endpoint, chat: &ChatRequest<'_>) -> Result<WireRequest, LlmError> {
        Ok(request::request(chat))
    }

    fn read(&self, has_tools: bool) -> Box<dyn StreamDecoder> {
        Box::new(decoder::Decoder::new(has_tools))
    }

    /// The body is a sentence for people; the status says what kind of trouble it tells.
    fn error(
        &self,
        endpoint: &Endpoint,
        status: u16,
        _: &[(String, String)],
        body: &[u8],
        _: Millis,
    ) -> ProviderError {
        let kind = match status {
            413 => ProviderErrorKind::ContextOverflow,
            501 => ProviderErrorKind::Unavailable,
            503 => ProviderErrorKind::Overloaded,
            _ => ProviderErrorKind::Server,
        };
        let words = server_error::excerpt(&String::from_utf8_lossy(body));
        let message = if words.is_empty() {
            "Chrome's built-in model failed and gave no reason.".to_owned()
        } else {
            words
        };
        ProviderError {
            status: Some(status),
            ..ProviderError::in_answer(kind, message)
        }
        .without_key(endpoint)
    }

    fn unreachable(&self, endpoint: &Endpoint, reason: &str) -> ProviderError {
        self.broken(endpoint, reason)
    }

    fn broken(&self, _: &Endpoint, reason: &str) -> ProviderError {
        let reason = reason.trim_end_matches('.');
        ProviderError::in_answer(
            ProviderErrorKind::Cut,
            format!("Chrome's built-in model gave no whole answer: {reason}."),
        )
    }
}
