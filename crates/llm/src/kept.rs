//! Fields that only the server understands, kept as the JSON text it sent.
//!
//! A streamed field comes in pieces. They are put together as text, so that what goes back is what
//! came, byte for byte: strings are joined inside their quotes, arrays inside their brackets, and
//! of anything else the last one counts.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::json::{Fields, elements, string};
use crate::write::{Writer, quoted};

/// The pieces of each field, in the order they came.
#[derive(Debug, Default)]
pub(crate) struct Kept(Vec<(String, Vec<String>)>);

/// The fields of an opaque value, for a request; one that is not JSON any more is left out.
pub(crate) fn fields(value: &Value) -> impl Iterator<Item = (&str, &RawValue)> {
    let fields = value.as_object().into_iter().flatten();
    fields.filter_map(|(name, text)| {
        Some((name.as_str(), serde_json::from_str(text.as_str()?).ok()?))
    })
}

/// Writes the fields of an opaque value into an object of a request.
pub(crate) fn write_fields(writer: &mut Writer, value: &Value) {
    for (name, value) in fields(value) {
        writer.raw_field(name, value.get());
    }
}

impl Kept {
    /// Adds a field or the next piece of one.
    pub(crate) fn add(&mut self, name: &str, piece: &RawValue) {
        let piece = piece.get().to_owned();
        match self.0.iter_mut().find(|(key, _)| key == name) {
            Some((_, pieces)) => pieces.push(piece),
            None => self.0.push((name.to_owned(), vec![piece])),
        }
    }

    /// Adds what another has, behind what is here.
    pub(crate) fn merge(&mut self, other: Self) {
        for (name, pieces) in other.0 {
            match self.0.iter_mut().find(|(key, _)| *key == name) {
                Some((_, own)) => own.extend(pieces),
                None => self.0.push((name, pieces)),
            }
        }
    }

    /// Whether it has nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As an opaque value; null for nothing.
    pub(crate) fn to_value(&self) -> Value {
        if self.0.is_empty() {
            return Value::Null;
        }
        let fields = self.0.iter();
        Value::Object(
            fields
                .map(|(name, pieces)| (name.clone(), Value::String(joined(pieces))))
                .collect(),
        )
    }

    /// As the text of an object.
    pub(crate) fn to_object(&self) -> String {
        let fields = self
            .0
            .iter()
            .map(|(name, pieces)| format!("{}:{}", quoted(name), joined(pieces)));
        format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
    }
}

/// One JSON text of the pieces of a field.
fn joined(pieces: &[String]) -> String {
    let all_begin_with = |open| pieces.iter().all(|piece| piece.starts_with(open));
    if let [one] = pieces {
        one.clone()
    } else if all_begin_with('"') {
        let inside: String = pieces
            .iter()
            .map(|piece| &piece[1..piece.len() - 1])
            .collect();
        format!("\"{inside}\"")
    } else if all_begin_with('[') {
        joined_arrays(pieces)
    } else {
        pieces.last().cloned().unwrap_or_default()
    }
}

/// All elements in one array. OpenRouter streams a thought as elements that go on with each other
/// and wants it back whole, so those become one.
fn joined_arrays(pieces: &[String]) -> String {
    let mut whole: Vec<String> = Vec::new();
    let mut thought: Option<Thought> = None;
    let arrays = pieces
        .iter()
        .filter_map(|piece| serde_json::from_str(piece).ok());
    for element in arrays.flat_map(|array: &RawValue| elements(array)) {
        let part = Thought::read(element);
        if let (Some(before), Some(part)) = (&mut thought, &part)
            && before.add(part)
        {
            continue;
        }
        whole.extend(thought.take().map(|thought| thought.text()));
        match part {
            Some(part) => thought = Some(part),
            None => whole.push(element.get().to_owned()),
        }
    }
    whole.extend(thought.map(|thought| thought.text()));
    format!("[{}]", whole.join(","))
}

/// An element of `reasoning_details` that may come in parts.
struct Thought<'a> {
    first: &'a RawValue,
    kind: String,
    index: Option<String>,
    fields: Vec<(String, &'a RawValue)>,
    /// The parts together, once there is more than one.
    joined: Option<Kept>,
}

impl<'a> Thought<'a> {
    fn read(element: &'a RawValue) -> Option<Self> {
        let fields = Fields::parse(element.get())?;
        let kind = fields.get("type").and_then(string)?;
        let streams = kind == "reasoning.text" || kind == "reasoning.summary";
        streams.then(|| Self {
            first: element,
            index: fields.get("index").map(|index| index.get().to_owned()),
            fields: fields
                .iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            kind,
            joined: None,
        })
    }

    /// Takes the part in, if it goes on with this one.
    fn add(&mut self, part: &Thought<'_>) -> bool {
        if self.kind != part.kind || self.index != part.index {
            return false;
        }
        let own = &self.fields;
        let joined = self.joined.get_or_insert_with(|| {
            let mut kept = Kept::default();
            for (name, value) in own {
                kept.add(name, value);
            }
            kept
        });
        for (name, value) in &part.fields {
            let is_text = matches!(name.as_str(), "text" | "summary" | "signature");
            // Everything else says the same in each part.
            if is_text || joined.0.iter().all(|(key, _)| key != name) {
                joined.add(name, value);
            }
        }
        true
    }

    fn text(&self) -> String {
        match &self.joined {
            Some(joined) => joined.to_object(),
            None => self.first.get().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pieces: &[&str], expected: &str) {
        let mut kept = Kept::default();
        for piece in pieces {
            kept.add("f", serde_json::from_str(piece).unwrap());
        }
        let value = kept.to_value();
        let (_, raw) = fields(&value).next().unwrap();
        assert_eq!(raw.get(), expected, "{pieces:?}");
    }

    #[test]
    fn one_piece_stays_the_text_it_was() {
        check(&[r#""a\u00e9\/""#], r#""a\u00e9\/""#);
        check(
            &[r#"{"n": 1.0, "big": 12345678901234567890123}"#],
            r#"{"n": 1.0, "big": 12345678901234567890123}"#,
        );
    }

    #[test]
    fn pieces_are_joined_as_text() {
        check(&[r#""a\n""#, r#""""#, r#""b""#], r#""a\nb""#);
        check(&[r#""\ud83d""#, r#""\ude00""#], r#""\ud83d\ude00""#);
        check(&["[1]", "[]", "[ 2,3]"], "[1,2,3]");
        check(&["[]", "[1]"], "[1]");
        check(&[r#"{"a":1}"#, r#"{"b":2}"#], r#"{"b":2}"#);
        check(&["[1]", r#""x""#], r#""x""#);
    }

    #[test]
    fn a_streamed_thought_becomes_one_with_its_signature() {
        check(
            &[
                r#"[{"type":"reasoning.text","text":"Let ","format":"x","index":0}]"#,
                r#"[{"type":"reasoning.text","text":"me","format":"x","index":0}]"#,
                r#"[{"type":"reasoning.text","signature":"S+/=","format":"x","index":0}]"#,
                r#"[{"type":"reasoning.encrypted","data":"E","index":1}]"#,
                r#"[{"type":"reasoning.encrypted","data":"F","index":1}]"#,
            ],
            r#"[{"type":"reasoning.text","text":"Let me","format":"x","index":0,"signature":"S+/="},{"type":"reasoning.encrypted","data":"E","index":1},{"type":"reasoning.encrypted","data":"F","index":1}]"#,
        );
    }
}
