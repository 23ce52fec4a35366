//! Fields that only the server understands, kept as the JSON text it sent.
//!
//! A streamed field comes in pieces. They are put together as text, so that what goes back is what
//! came, byte for byte: strings are joined inside their quotes, arrays inside their brackets, and
//! of anything else the last one counts.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::json::{Fields, elements, string, whole_characters};
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

    /// Whether the pieces of a field are together this value.
    fn is(&self, name: &str, value: &RawValue) -> bool {
        let mut fields = self.0.iter();
        fields.any(|(key, pieces)| key == name && joined(pieces) == value.get())
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

/// One JSON text of the pieces of a field. A half of a character whose other half never came gets a
/// mark: it would have every later request refused.
fn joined(pieces: &[String]) -> String {
    whole_characters(joined_pieces(pieces))
}

fn joined_pieces(pieces: &[String]) -> String {
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

/// All elements in one array. OpenRouter and LiteLLM stream a thought as elements that go on with each
/// other and want it back whole, so those become one.
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
        whole.extend(thought.take().and_then(|thought| thought.text()));
        match part {
            Some(part) => thought = Some(part),
            None => whole.push(element.get().to_owned()),
        }
    }
    whole.extend(thought.and_then(|thought| thought.text()));
    format!("[{}]", whole.join(","))
}

/// What LiteLLM calls a thought of Claude's, which is refused without its signature.
const SIGNED: &str = "thinking";

/// An element of `reasoning_details` or `thinking_blocks` that may come in parts.
struct Thought<'a> {
    first: &'a RawValue,
    kind: String,
    index: Option<String>,
    is_signed: bool,
    fields: Vec<(String, &'a RawValue)>,
    /// The parts together, once there is more than one.
    joined: Option<Kept>,
}

impl<'a> Thought<'a> {
    fn read(element: &'a RawValue) -> Option<Self> {
        let fields = Fields::parse(element.get())?;
        let kind = fields.get("type").and_then(string)?;
        let streams = matches!(
            kind.as_str(),
            "reasoning.text" | "reasoning.summary" | SIGNED
        );
        let signature = fields.str("signature");
        streams.then(|| Self {
            first: element,
            is_signed: signature.is_some_and(|text| !text.is_empty()),
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
        let is_over = self.kind == SIGNED && self.is_signed;
        if self.kind != part.kind || self.index != part.index || is_over {
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
            let is_text = matches!(name.as_str(), "text" | "summary" | "thinking" | "signature");
            // Newer builds say all of it again with the signature.
            if part.is_signed && name == "thinking" && joined.is(name, value) {
                continue;
            }
            // Everything else says the same in each part.
            if is_text || joined.0.iter().all(|(key, _)| key != name) {
                joined.add(name, value);
            }
        }
        self.is_signed |= part.is_signed;
        true
    }

    /// As JSON; nothing where it would be refused.
    fn text(&self) -> Option<String> {
        if self.kind == SIGNED && !self.is_signed {
            return None;
        }
        Some(match &self.joined {
            Some(joined) => joined.to_object(),
            None => self.first.get().to_owned(),
        })
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
        check(&[r#""a\ud83d""#, r#""b""#], r#""a\ufffdb""#);
        check(&[r#"{"a":"\ude00"}"#], r#"{"a":"\ufffd"}"#);
        check(&["[1]", "[]", "[ 2,3]"], "[1,2,3]");
        check(&["[]", "[1]"], "[1]");
        check(&[r#"{"a":1}"#, r#"{"b":2}"#], r#"{"b":2}"#);
        check(&["[1]", r#""x""#], r#""x""#);
    }

    #[test]
    fn a_signed_thought_becomes_one_and_goes_back_only_with_its_signature() {
        let part = |text: &str, signature: &str| {
            format!(r#"[{{"type":"thinking","thinking":"{text}","signature":"{signature}"}}]"#)
        };
        let check_parts = |parts: &[String], expected: &str| {
            let parts: Vec<_> = parts.iter().map(String::as_str).collect();
            check(&parts, expected);
        };
        let whole = part("ha ha ", "S=");
        let pieces = [part("ha ", ""), part("ha ", "")];
        let [first, second] = pieces.clone();
        check_parts(&[first, second, part("", "S=")], &whole);
        let [first, second] = pieces.clone();
        check_parts(&[first, second, whole.clone()], &whole);
        let [first, second] = pieces.clone();
        let redacted = r#"[{"type":"redacted_thinking","data":"D"}]"#;
        check_parts(
            &[
                part("x", ""),
                part("", "T="),
                first,
                second,
                part("", "S="),
                redacted.to_owned(),
            ],
            r#"[{"type":"thinking","thinking":"x","signature":"T="},{"type":"thinking","thinking":"ha ha ","signature":"S="},{"type":"redacted_thinking","data":"D"}]"#,
        );
        check_parts(&pieces, "[]");
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
