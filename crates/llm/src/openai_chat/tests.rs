//! The decoder against what servers are known to send. Every stream is also fed cut at every byte
//! and byte by byte: the outcome must be the same.

mod calls;
mod errors;
mod request;
mod streams;

use tabwright_protocol::ProviderKind;

use super::OpenAiChat;
use crate::testing;
pub(super) use crate::testing::show;
use crate::{Answer, ModelEvent, Provider, ProviderError};

fn decode<'a>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<ModelEvent>, Result<Answer, ProviderError>) {
    let pieces: Vec<_> = pieces.into_iter().collect();
    crate::checks::decode(OpenAiChat.read(true), &pieces)
}

/// Checks the outcome of a body, however it is cut.
fn check_body(body: &[u8], expected: &str) {
    testing::check_body(ProviderKind::OpenAiChat, body, expected);
}

/// Chunks as a stream with the mark at its end.
fn stream(chunks: &[&str]) -> String {
    let mut body = String::new();
    for chunk in chunks {
        body.push_str(&format!("data: {chunk}\n\n"));
    }
    body + "data: [DONE]\n\n"
}

/// Checks the outcome of a stream of these chunks.
fn check(chunks: &[&str], expected: &str) {
    check_body(stream(chunks).as_bytes(), expected);
}

/// A chunk with this delta.
fn delta(delta: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{delta},"finish_reason":null}}]}}"#)
}

/// A chunk that ends the answer.
fn end(reason: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#)
}
