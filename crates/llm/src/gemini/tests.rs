//! The format against what the server sends, sound and broken.

mod request;
mod streams;

use tabwright_protocol::ProviderKind;

use crate::testing;

/// Checks the outcome of a stream of these pieces, and of the array that they are without `alt=sse`.
fn check(pieces: &[&str], expected: &str) {
    let body = testing::stream(pieces, false);
    testing::check_body(ProviderKind::Gemini, body.as_bytes(), expected);
    if pieces.iter().all(|piece| piece.ends_with('}')) {
        let body = format!("[{}\n]", pieces.join("\n,\r\n"));
        testing::check_whole(ProviderKind::Gemini, body.as_bytes(), expected);
    }
}

/// A piece with these parts.
fn parts(parts: &str) -> String {
    format!(
        r#"{{"candidates":[{{"content":{{"parts":[{parts}],"role":"model"}},"index":0}}],"usageMetadata":{{"promptTokenCount":7,"totalTokenCount":7}},"modelVersion":"m","responseId":"r"}}"#
    )
}

/// The last piece.
fn end(parts: &str, reason: &str) -> String {
    format!(
        r#"{{"candidates":[{{"content":{{"parts":[{parts}],"role":"model"}},"finishReason":"{reason}","index":0}}],"usageMetadata":{{"promptTokenCount":7,"cachedContentTokenCount":3,"candidatesTokenCount":4,"thoughtsTokenCount":5,"totalTokenCount":16}}}}"#
    )
}
