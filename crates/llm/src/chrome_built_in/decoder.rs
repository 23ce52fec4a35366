//! The model's text as it grows: plain, or the object of an answer that may call tools.

use serde_json::value::RawValue;
use tabwright_protocol::Usage;

use super::say::SayReader;
use crate::json::{Fields, string};
use crate::{Answer, ModelCall, ModelEvent, ProviderError, StopReason, StreamDecoder};

/// Decodes one answer.
#[derive(Debug)]
pub(super) struct Decoder {
    /// The beginning of a character whose end has not come.
    tail: Vec<u8>,
    /// All that came, whole characters.
    text: String,
    shape: Shape,
    /// What a person reads.
    said: String,
}

/// What the text has turned out to be.
#[derive(Debug)]
enum Shape {
    /// Not known yet: it may be the beginning of an object.
    Open,
    /// Text for the person.
    Plain,
    /// The object that begins at this place.
    Object(usize, SayReader),
}

impl StreamDecoder for Decoder {
    fn feed(&mut self, bytes: &[u8]) -> Result<Vec<ModelEvent>, ProviderError> {
        let known = self.text.len();
        self.add(bytes);
        let before = self.said.len();
        self.read_from(known);
        let more = &self.said[before..];
        if more.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![ModelEvent::Text(more.to_owned())])
    }

    fn is_done(&self) -> bool {
        match &self.shape {
            Shape::Open | Shape::Plain => false,
            // Whatever a model writes behind its answer is not for the person: mostly it goes on
            // to play the other side.
            Shape::Object(_, reader) => reader.end().is_some(),
        }
    }

    fn has_ended(&self) -> bool {
        self.is_done()
    }

    fn so_far(&self) -> Answer {
        let mut answer = self.answer();
        for call in &mut answer.calls {
            call.complete = false;
        }
        answer
    }

    fn finish(mut self: Box<Self>) -> Result<Answer, ProviderError> {
        if !self.tail.is_empty() {
            self.tail.clear();
            let known = self.text.len();
            self.text.push(char::REPLACEMENT_CHARACTER);
            self.read_from(known);
        }
        if let Shape::Open = self.shape {
            self.said.clone_from(&self.text);
        }
        Ok(self.answer())
    }
}

impl Decoder {
    pub(super) fn new(has_tools: bool) -> Self {
        Self {
            tail: Vec::new(),
            text: String::new(),
            shape: if has_tools { Shape::Open } else { Shape::Plain },
            said: String::new(),
        }
    }

    /// Adds the whole characters of these bytes; what is not UTF-8 becomes U+FFFD.
    fn add(&mut self, bytes: &[u8]) {
        let mut held = std::mem::take(&mut self.tail);
        held.extend_from_slice(bytes);
        let mut chunks = held.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.text.push_str(chunk.valid());
            let rest = chunk.invalid();
            if chunks.peek().is_none() && is_beginning(rest) {
                self.tail = rest.to_vec();
            } else if !rest.is_empty() {
                self.text.push(char::REPLACEMENT_CHARACTER);
            }
        }
    }

    fn read_from(&mut self, known: usize) {
        let from = match &self.shape {
            Shape::Open => match opening(&self.text) {
                Opening::Unknown => return,
                Opening::Text => {
                    self.shape = Shape::Plain;
                    0
                }
                Opening::Object(at) => {
                    self.shape = Shape::Object(at, SayReader::default());
                    at
                }
            },
            Shape::Plain | Shape::Object(..) => known,
        };
        match &mut self.shape {
            Shape::Open => {}
            Shape::Plain => self.said.push_str(&self.text[from..]),
            Shape::Object(_, reader) => {
                for (at, c) in self.text[from..].char_indices() {
                    reader.read(from + at, c, &mut self.said);
                }
            }
        }
    }

    fn answer(&self) -> Answer {
        let (calls, is_cut) = match &self.shape {
            Shape::Open | Shape::Plain => (Vec::new(), false),
            Shape::Object(at, reader) => {
                let object = reader.end().map(|end| &self.text[*at..end]);
                match object.and_then(Fields::parse) {
                    Some(fields) => (calls(fields.list("calls").into_iter(), true), false),
                    None => {
                        let list = reader.calls_at().map_or("", |at| &self.text[at..]);
                        (calls(whole_elements(list), false), object.is_none())
                    }
                }
            }
        };
        let stop = match (is_cut, calls.is_empty()) {
            (true, _) => StopReason::Length,
            (false, true) => StopReason::EndTurn,
            (false, false) => StopReason::ToolCalls,
        };
        Answer {
            text: self.said.clone(),
            thinking: String::new(),
            images: Vec::new(),
            calls,
            stop,
            usage: Usage::default(),
            opaque: serde_json::Value::Null,
            unread_call: false,
        }
    }
}

/// Whether the bytes are the beginning of a character.
fn is_beginning(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

enum Opening {
    /// Too little has come to say.
    Unknown,
    Text,
    /// The object of an answer, whose first bracket is at this place.
    Object(usize),
}

/// What a text begins with. Once it is known, no longer text is another thing.
fn opening(text: &str) -> Opening {
    const FENCE: &str = "```";
    let visible = text.trim_start();
    let rest = match visible.strip_prefix(FENCE) {
        Some(fenced) => fenced
            .trim_start_matches(|c: char| c.is_ascii_alphabetic())
            .trim_start(),
        None if FENCE.starts_with(visible) => return Opening::Unknown,
        None => visible,
    };
    if rest.is_empty() {
        return Opening::Unknown;
    }
    let Some(inner) = rest.strip_prefix('{') else {
        return Opening::Text;
    };
    let inner = inner.trim_start();
    for field in [r#""say""#, r#""calls""#] {
        if inner.starts_with(field) {
            return Opening::Object(text.len() - rest.len());
        }
        if field.starts_with(inner) {
            return Opening::Unknown;
        }
    }
    Opening::Text
}

/// The elements of a list that breaks off, as far as they are whole.
fn whole_elements(list: &str) -> impl Iterator<Item = &RawValue> {
    let mut rest = list.strip_prefix('[').unwrap_or_default();
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        let element = values.next()?.ok()?;
        rest = &rest[values.byte_offset()..];
        Some(element)
    })
}

fn calls<'a>(elements: impl Iterator<Item = &'a RawValue>, complete: bool) -> Vec<ModelCall> {
    elements
        .filter_map(|element| Fields::parse(element.get()))
        .enumerate()
        .map(|(index, call)| ModelCall {
            provider_id: format!("call_{}", index + 1),
            name: call.text("tool").unwrap_or_default(),
            // Without the constraint some models write the object into a string.
            arguments: call.get("arguments").map_or("{}".to_owned(), |value| {
                string(value).unwrap_or_else(|| value.get().to_owned())
            }),
            opaque: serde_json::Value::Null,
            complete,
        })
        .collect()
}
