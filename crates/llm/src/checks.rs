//! What must hold whatever bytes come: the bodies of the fuzz targets in `fuzz/`, which an ordinary
//! test runs on their corpora.
//!
//! Each function takes any bytes and panics where an invariant of the crate does not hold.

use std::collections::BTreeSet;

use tabwright_protocol::{Millis, ProviderKind};

use crate::calls::settle;
use crate::json::{Fields, elements, is_object, string};
use crate::{
    Answer, Endpoint, LineDecoder, ModelEvent, ProviderError, SseDecoder, StreamDecoder, ToolSpec,
    provider_for, text_calls,
};

/// What comes of a body.
pub(crate) type Outcome = (Vec<ModelEvent>, Result<Answer, ProviderError>);

/// Longer streams are cut at a few places only. A fuzzer has no time for more; the tests have.
const SHORT: usize = if cfg!(test) { 4_096 } else { 16 };

/// The events of a stream do not depend on how it was cut.
pub fn sse(data: &[u8]) {
    let decode = |pieces: &[&[u8]]| {
        let mut decoder = SseDecoder::default();
        let mut events = Vec::new();
        let fed = pieces
            .iter()
            .try_for_each(|piece| decoder.feed(piece, &mut events));
        (fed, decoder.finish(), events)
    };
    same_however_cut(data, decode);
}

/// The lines of a stream do not depend on how it was cut.
pub fn ndjson(data: &[u8]) {
    let decode = |pieces: &[&[u8]]| {
        let mut decoder = LineDecoder::default();
        let mut lines = Vec::new();
        let fed = pieces
            .iter()
            .try_for_each(|piece| decoder.feed(piece, &mut lines));
        lines.extend(decoder.finish());
        (fed, lines)
    };
    same_however_cut(data, decode);
}

/// The answer and its events do not depend on how the body was cut; ids are there and unique; what
/// broke off has no call that may run.
pub fn provider(kind: ProviderKind, data: &[u8]) {
    let decode = |pieces: &[&[u8]]| decode(provider_for(kind).read(true), pieces);
    same_however_cut(data, decode);
    if let (events, Ok(answer)) = decode(&[data]) {
        assert_sound(&answer);
        assert_adds_up(&events, &answer);
    }
    let mut decoder = provider_for(kind).read(true);
    // Whether the bytes are sound is not the question here.
    let _ = decoder.feed(data);
    assert!(decoder.so_far().calls.iter().all(|call| !call.complete));
    assert_says_something(kind, data);
}

/// The same bytes as the body of an error: a person is told something, and nothing secret.
fn assert_says_something(kind: ProviderKind, data: &[u8]) {
    let endpoint = Endpoint {
        key: Some("sk-secret-key".to_owned()),
        ..Endpoint::default()
    };
    let status = 400 + u16::from(data.first().copied().unwrap_or_default());
    let error = provider_for(kind).error(&endpoint, status, &[], data, Millis(0));
    assert!(!error.message.is_empty() && !error.message.contains("sk-secret-key"));
    assert!(error.message.len() < 4_096, "{error}");
}

/// The same for calls in the text, whose tools are `f`, `g` and `list_tabs`.
pub fn calls_in_text(data: &[u8]) {
    let tools = ["f", "g", "list_tabs"].map(|name| ToolSpec {
        name: name.to_owned(),
        description: String::new(),
        schema: serde_json::Value::Null,
    });
    let names: Vec<_> = tools.iter().map(|tool| tool.name.clone()).collect();
    let plain = || provider_for(ProviderKind::ChromeBuiltIn).read(false);
    let decode = |pieces: &[&[u8]]| decode(text_calls::reader(plain(), &tools), pieces);
    same_however_cut(data, decode);
    let (_, read) = decode(&[data]);
    let Ok(answer) = read else { return };
    assert_sound(&answer);
    for call in &answer.calls {
        assert!(names.contains(&call.name) && is_object(&call.arguments));
    }
}

/// JSON is read without a panic, and arguments that are sound stay as they are.
pub fn json(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let settled = settle(&text);
    assert_eq!(settle(&settled), settled);
    let Some(fields) = Fields::parse(&text) else {
        return;
    };
    assert_eq!(settled, text.trim());
    for (name, value) in fields.iter() {
        // Any of these may say nothing; none may panic.
        let _ = (string(value), elements(value).len(), fields.count(name));
        let _ = fields.object(name).map(|inner| inner.list("a").len());
    }
}

/// Decodes as a caller does: it stops when nothing more matters.
pub(crate) fn decode(mut decoder: Box<dyn StreamDecoder>, pieces: &[&[u8]]) -> Outcome {
    let mut events = Vec::new();
    for piece in pieces {
        if decoder.is_done() {
            break;
        }
        if let Ok(more) = decoder.feed(piece) {
            events.extend(more);
        }
    }
    (joined(events), decoder.finish())
}

/// Makes sure that no cut changes the outcome. Says how many were tried.
pub(crate) fn same_however_cut<T: PartialEq + std::fmt::Debug>(
    data: &[u8],
    decode: impl Fn(&[&[u8]]) -> T,
) -> usize {
    let whole = decode(&[data]);
    let cuts = cuts(data);
    for cut in &cuts {
        let (head, tail) = data.split_at(*cut);
        assert_eq!(decode(&[head, tail]), whole, "cut at {cut}");
    }
    let bytes: Vec<_> = data.chunks(1).collect();
    assert_eq!(decode(&bytes), whole, "byte by byte");
    cuts.len() + 1
}

/// Where to cut: everywhere, or at a few places that the bytes themselves choose.
fn cuts(data: &[u8]) -> Vec<usize> {
    if data.len() <= SHORT {
        return (0..=data.len()).collect();
    }
    let mut seed = data.len();
    let mut next = |byte: &u8| {
        seed = seed.wrapping_mul(31).wrapping_add(usize::from(*byte));
        seed % data.len()
    };
    let cuts: Vec<_> = data.iter().map(&mut next).collect();
    let step = cuts.len().div_ceil(4);
    cuts.into_iter().step_by(step).collect()
}

/// Events of one kind that follow each other as one: how much came at a time is the network's.
fn joined(events: Vec<ModelEvent>) -> Vec<ModelEvent> {
    let mut joined: Vec<ModelEvent> = Vec::new();
    for event in events {
        match (joined.last_mut(), event) {
            (Some(ModelEvent::Text(before)), ModelEvent::Text(text))
            | (Some(ModelEvent::Thinking(before)), ModelEvent::Thinking(text)) => {
                before.push_str(&text);
            }
            (_, event) => joined.push(event),
        }
    }
    joined
}

pub(crate) fn assert_sound(answer: &Answer) {
    let mut ids = BTreeSet::new();
    for call in &answer.calls {
        let id = call.provider_id.as_str();
        assert!(!id.is_empty() && ids.insert(id), "{:?}", answer.calls);
        assert!(!call.arguments.is_empty());
    }
}

/// What was shown is the beginning of what there is.
pub(crate) fn assert_adds_up(events: &[ModelEvent], answer: &Answer) {
    let (mut text, mut thinking) = (String::new(), String::new());
    for event in events {
        match event {
            ModelEvent::Text(piece) => text.push_str(piece),
            ModelEvent::Thinking(piece) => thinking.push_str(piece),
            ModelEvent::CallStarted { index, .. } | ModelEvent::CallArguments { index, .. } => {
                assert!(*index < answer.calls.len(), "{events:?}");
            }
        }
    }
    assert!(answer.text.starts_with(&text), "{events:?} {answer:?}");
    assert!(
        answer.thinking.starts_with(&thinking),
        "{events:?} {answer:?}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a target on each file of its corpus, and says how many these were.
    fn replay(name: &str, check: impl Fn(&[u8])) -> usize {
        let folder = format!("{}/../../fuzz/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
        let files = std::fs::read_dir(&folder).unwrap();
        files
            .map(|file| check(&std::fs::read(file.unwrap().path()).unwrap()))
            .count()
    }

    #[test]
    fn the_corpora_of_the_framings_and_readers_hold() {
        for (name, check) in [
            ("sse", sse as fn(&[u8])),
            ("ndjson", ndjson),
            ("json", json),
            ("text_calls", calls_in_text),
        ] {
            assert!(replay(name, check) > 0, "{name}");
        }
    }

    /// Recorded streams, each cut at every byte.
    #[test]
    fn no_cut_changes_what_comes_of_a_recorded_stream() {
        let mut count = 0;
        for (name, kind) in [
            ("openai_chat", ProviderKind::OpenAiChat),
            ("openai_responses", ProviderKind::OpenAiResponses),
            ("anthropic", ProviderKind::Anthropic),
            ("gemini", ProviderKind::Gemini),
            ("ollama", ProviderKind::Ollama),
            ("chrome_built_in", ProviderKind::ChromeBuiltIn),
        ] {
            count += replay(name, |body| {
                provider(kind, body);
                let read = |pieces: &[&[u8]]| decode(provider_for(kind).read(true), pieces);
                let whole = read(&[body]);
                for cut in 0..=body.len() {
                    let (head, tail) = body.split_at(cut);
                    assert_eq!(read(&[head, tail]), whole, "{name}, cut at {cut}");
                }
            });
        }
        assert!(count >= 60, "{count}");
    }
}
