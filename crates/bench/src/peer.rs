//! The peer: a known reader of server-sent events, serde_json into types that have the fields which
//! the provider's own clients have, and pieces put together as they come.
//!
//! It does less than we do: it makes no events, keeps nothing to be sent back, counts no tokens, and
//! believes what it gets. So it is the floor, and not another of the same kind.

mod types;

use std::convert::Infallible;

use eventsource_stream::Eventsource;
use futures::{FutureExt, StreamExt, stream};
use serde::de::DeserializeOwned;
use tabwright_protocol::ProviderKind;

use crate::Said;

pub(crate) fn read(format: ProviderKind, body: &[u8], piece: usize) -> Result<Said, String> {
    match format {
        ProviderKind::OpenAiChat | ProviderKind::ChromeBuiltIn => {
            events(body, piece, types::ChatChunk::add)
        }
        ProviderKind::OpenAiResponses => events(body, piece, types::ResponseEvent::add),
        ProviderKind::Anthropic => events(body, piece, types::MessageEvent::add),
        ProviderKind::Gemini => events(body, piece, types::ContentChunk::add),
        ProviderKind::Ollama => lines(body, piece, types::OllamaLine::add),
    }
}

fn events<T: DeserializeOwned>(
    body: &[u8],
    piece: usize,
    add: fn(T, &mut Said),
) -> Result<Said, String> {
    let pieces = body.chunks(piece).map(Ok::<_, Infallible>);
    let mut events = stream::iter(pieces).eventsource();
    let mut said = Said::default();
    let reading = async {
        while let Some(event) = events.next().await {
            let event = event.map_err(|error| error.to_string())?;
            if event.data != "[DONE]" {
                let chunk = serde_json::from_str(&event.data).map_err(|error| error.to_string())?;
                add(chunk, &mut said);
            }
        }
        Ok(())
    };
    // Everything is here already, so it never waits.
    let read: Option<Result<(), String>> = reading.now_or_never();
    read.unwrap_or_else(|| Err("The stream waits.".to_owned()))?;
    Ok(said)
}

/// Lines need no crate: what is held is read up to each line end.
fn lines<T: DeserializeOwned>(
    body: &[u8],
    piece: usize,
    add: fn(T, &mut Said),
) -> Result<Said, String> {
    let mut said = Said::default();
    let mut held: Vec<u8> = Vec::new();
    for bytes in body.chunks(piece) {
        let searched = held.len();
        held.extend_from_slice(bytes);
        let mut begin = 0;
        let mut from = searched;
        while let Some(at) = held[from..].iter().position(|byte| *byte == b'\n') {
            let end = from + at;
            let line = serde_json::from_slice(&held[begin..end]);
            add(line.map_err(|error| error.to_string())?, &mut said);
            begin = end + 1;
            from = begin;
        }
        held.drain(..begin);
    }
    Ok(said)
}
