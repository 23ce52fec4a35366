//! The order of what an answer is made of, for providers that want all of it back as it was:
//! thoughts with their signatures between texts and calls.
//!
//! As an opaque value it is an array: a string is a block of the provider's own, as the JSON text
//! it sent; a number is so many bytes of the message's text; an object is a text with fields that
//! the provider put beside it; null is the next call. Texts and calls are not stored twice.

use serde_json::{Value, json};

use crate::AssistantCall;
use crate::json::{is_object, whole_characters};
use crate::kept::Kept;

/// The blocks of an answer, in the order they came.
#[derive(Debug, Default)]
pub(crate) struct Layout(Vec<Value>);

/// A block of an answer that goes back.
#[derive(Debug, PartialEq)]
pub(crate) enum Block<'a> {
    /// A provider's own, as JSON text.
    Kept(&'a str),
    /// Text, with what the provider put beside it: see [`crate::kept::write_fields`].
    Text(&'a str, &'a Value),
    /// A call.
    Call(&'a AssistantCall),
}

impl Layout {
    /// A block of the provider's own.
    pub(crate) fn keep(&mut self, json: String) {
        self.0.push(Value::String(whole_characters(json)));
    }

    /// So many bytes of text, with what stands beside them.
    pub(crate) fn text(&mut self, bytes: usize, beside: &Kept) {
        if !beside.is_empty() {
            self.0
                .push(json!({"bytes": bytes, "beside": beside.to_value()}));
        } else if bytes > 0 {
            self.0.push(Value::from(bytes));
        }
    }

    /// The next call.
    pub(crate) fn call(&mut self) {
        self.0.push(Value::Null);
    }

    /// As an opaque value; null where nothing of the provider's own is in it.
    pub(crate) fn into_value(self) -> Value {
        let is_plain = |slot: &Value| slot.is_null() || slot.is_number();
        if self.0.iter().all(is_plain) {
            return Value::Null;
        }
        Value::Array(self.0)
    }
}

/// The blocks of a message in their order, and at last the text that was added to it. If the message
/// is not any more what the layout was made for, the provider's own come first, then the text, then
/// the calls.
pub(crate) fn blocks<'a>(
    opaque: &'a Value,
    text: &'a str,
    calls: &'a [AssistantCall],
) -> Vec<Block<'a>> {
    let slots = opaque.as_array().map(Vec::as_slice).unwrap_or_default();
    let blocks = in_order(slots, text, calls).unwrap_or_else(|| {
        let kept = slots.iter().filter_map(kept);
        kept.chain([Block::Text(text, &Value::Null)])
            .chain(calls.iter().map(Block::Call))
            .collect()
    });
    let is_something = |block: &Block<'_>| match block {
        Block::Text(text, beside) => !text.trim().is_empty() || !beside.is_null(),
        Block::Kept(_) | Block::Call(_) => true,
    };
    blocks.into_iter().filter(is_something).collect()
}

fn kept(slot: &Value) -> Option<Block<'_>> {
    slot.as_str()
        .filter(|json| is_object(json))
        .map(Block::Kept)
}

fn in_order<'a>(
    slots: &'a [Value],
    text: &'a str,
    calls: &'a [AssistantCall],
) -> Option<Vec<Block<'a>>> {
    let (mut text, mut calls) = (text, calls.iter());
    let mut blocks = Vec::with_capacity(slots.len());
    for slot in slots {
        blocks.push(match slot {
            Value::String(_) => kept(slot)?,
            Value::Null => Block::Call(calls.next()?),
            Value::Number(_) => Block::Text(split(&mut text, slot)?, &Value::Null),
            Value::Object(fields) => Block::Text(
                split(&mut text, fields.get("bytes")?)?,
                fields.get("beside")?,
            ),
            Value::Bool(_) | Value::Array(_) => return None,
        });
    }
    // What stands behind all that the provider said was put there by us.
    if !text.is_empty() {
        blocks.push(Block::Text(text, &Value::Null));
    }
    calls.next().is_none().then_some(blocks)
}

/// The next bytes of the text, if it has so many.
fn split<'a>(text: &mut &'a str, bytes: &Value) -> Option<&'a str> {
    let bytes = usize::try_from(bytes.as_u64()?).ok()?;
    let (head, tail) = text.split_at_checked(bytes)?;
    *text = tail;
    Some(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(id: &str) -> AssistantCall {
        AssistantCall {
            id: id.to_owned(),
            name: "f".to_owned(),
            arguments: "{}".to_owned(),
            opaque: Value::Null,
        }
    }

    fn show(opaque: &Value, text: &str, calls: &[AssistantCall]) -> String {
        let lines: Vec<_> = blocks(opaque, text, calls)
            .iter()
            .map(|block| match block {
                Block::Kept(json) => (*json).to_owned(),
                Block::Text(text, Value::Null) => format!("text {text:?}"),
                Block::Text(text, beside) => format!("text {text:?} {beside}"),
                Block::Call(call) => format!("call {}", call.id),
            })
            .collect();
        lines.join(" | ")
    }

    #[test]
    fn blocks_come_back_in_their_order_while_the_message_is_the_same() {
        let mut beside = Kept::default();
        beside.add("sig", serde_json::from_str("\"S\"").unwrap());
        let mut layout = Layout::default();
        layout.keep(r#"{"t":1}"#.to_owned());
        layout.text(3, &Kept::default());
        layout.call();
        layout.keep(r#"{"t":2}"#.to_owned());
        layout.text(0, &beside);
        layout.call();
        let opaque = layout.into_value();
        let calls = [call("1"), call("2")];
        assert_eq!(
            show(&opaque, "aé", &calls),
            r#"{"t":1} | text "aé" | call 1 | {"t":2} | text "" {"sig":"\"S\""} | call 2"#
        );
        let added = r#"{"t":1} | text "aé" | call 1 | {"t":2} | text "" {"sig":"\"S\""} | call 2 | text "b""#;
        assert_eq!(show(&opaque, "aéb", &calls), added);
        let changed = r#"{"t":1} | {"t":2} | text "é" | call 1 | call 2"#;
        assert_eq!(show(&opaque, "é", &calls), changed);
        assert_eq!(
            show(&opaque, "aé", &calls[..1]),
            r#"{"t":1} | {"t":2} | text "aé" | call 1"#
        );
        assert_eq!(show(&opaque, "", &[]), r#"{"t":1} | {"t":2}"#);
        assert_eq!(
            show(&Value::Null, "a", &calls),
            r#"text "a" | call 1 | call 2"#
        );
        assert_eq!(show(&json!(["no json", 99, true]), "a", &[]), r#"text "a""#);
    }

    #[test]
    fn an_answer_of_texts_and_calls_needs_no_layout() {
        let mut layout = Layout::default();
        layout.text(3, &Kept::default());
        layout.call();
        assert_eq!(layout.into_value(), Value::Null);
    }
}
