//! The decoder against what servers are known to send. Every stream is also fed cut at every byte
//! and byte by byte: the outcome must be the same.

mod calls;
mod errors;
mod request;
mod streams;

use super::OpenAiChat;
use crate::{Answer, ModelEvent, Provider, ProviderError};

/// The outcome of a body, in one line for each thing in it.
fn outcome(result: &Result<Answer, ProviderError>) -> String {
    match result {
        Ok(answer) => show(answer),
        Err(error) => format!("{:?}: {error}", error.kind),
    }
}

fn show(answer: &Answer) -> String {
    let mut lines = Vec::new();
    for (name, text) in [("text", &answer.text), ("thinking", &answer.thinking)] {
        if !text.is_empty() {
            lines.push(format!("{name} {text:?}"));
        }
    }
    for call in &answer.calls {
        let mark = if call.complete { "" } else { " incomplete" };
        let (id, name, arguments) = (&call.provider_id, &call.name, &call.arguments);
        lines.push(format!("call {id} {name} {arguments}{mark}"));
        if !call.opaque.is_null() {
            lines.push(format!("  kept {}", call.opaque));
        }
    }
    let usage = answer.usage;
    if usage != Default::default() {
        lines.push(format!(
            "usage {}/{} {}/{}",
            usage.cached, usage.input, usage.reasoning, usage.output
        ));
    }
    if !answer.opaque.is_null() {
        lines.push(format!("kept {}", answer.opaque));
    }
    lines.push(format!("{:?}", answer.stop));
    lines.join("\n")
}

fn decode<'a>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<ModelEvent>, Result<Answer, ProviderError>) {
    let mut decoder = OpenAiChat.decoder(true);
    let mut events = Vec::new();
    for piece in pieces {
        if let Ok(more) = decoder.feed(piece) {
            events.extend(more);
        }
    }
    (events, decoder.finish())
}

/// Checks the outcome of a body, however it is cut. Returns the events of the whole.
fn check_body(body: &[u8], expected: &str) -> Vec<ModelEvent> {
    let (events, whole) = decode([body]);
    let expected: Vec<_> = expected.trim().lines().map(str::trim_start).collect();
    let actual = outcome(&whole);
    let actual: Vec<_> = actual.lines().map(str::trim_start).collect();
    assert_eq!(actual, expected, "{}", String::from_utf8_lossy(body));
    for cut in 0..=body.len() {
        let (head, tail) = body.split_at(cut);
        assert_eq!(decode([head, tail]).1, whole, "cut at {cut}");
    }
    assert_eq!(decode(body.chunks(1)).1, whole, "byte by byte");
    events
}

/// Chunks as a stream with the mark at its end.
fn stream(chunks: &[&str]) -> String {
    let mut body = String::new();
    for chunk in chunks {
        body.push_str(&format!("data: {chunk}\n\n"));
    }
    body + "data: [DONE]\n\n"
}

/// Checks the outcome of a stream of these chunks, and that its events add up to its answer.
fn check(chunks: &[&str], expected: &str) {
    let body = stream(chunks);
    let events = check_body(body.as_bytes(), expected);
    let (_, result) = decode([body.as_bytes()]);
    let Ok(answer) = result else { return };
    let (mut text, mut thinking) = (String::new(), String::new());
    for event in events {
        match event {
            ModelEvent::Text(piece) => text.push_str(&piece),
            ModelEvent::Thinking(piece) => thinking.push_str(&piece),
            ModelEvent::CallStarted { index, .. } | ModelEvent::CallArguments { index, .. } => {
                assert!(index < answer.calls.len());
            }
        }
    }
    assert!(answer.text.starts_with(&text) && answer.thinking.starts_with(&thinking));
}

/// A chunk with this delta.
fn delta(delta: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{delta},"finish_reason":null}}]}}"#)
}

/// A chunk that ends the answer.
fn end(reason: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#)
}
