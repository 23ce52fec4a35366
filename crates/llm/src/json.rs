//! Reading JSON of which only a few fields matter and any may be missing or of another type.
//!
//! A value stays the text it is until somebody asks for it, so unknown fields cost nothing, cannot
//! make a chunk unreadable, and can be kept exactly as they were sent.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

/// No arguments of a call are nested deeper: providers' own readers stop at 100 levels and less, and
/// count those around the arguments.
const DEEPEST: usize = 32;
/// So many fields most objects of a stream have: room for them is made at once.
const USUAL: usize = 8;

/// An object's fields in the order they came.
pub(crate) struct Fields<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Fields<'a> {
    /// The fields, if the text is one object.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// A field that is there and not null. Of two with one name the last counts.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        let (_, value) = self.0.iter().rev().find(|(key, _)| key == name)?;
        (value.get() != "null").then_some(*value)
    }

    /// A field that is an object.
    pub(crate) fn object(&self, name: &str) -> Option<Fields<'a>> {
        Fields::parse(self.get(name)?.get())
    }

    /// A field that is a string.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        string(self.get(name)?)
    }

    /// The same, which is a copy only where it has escapes.
    pub(crate) fn str(&self, name: &str) -> Option<Cow<'a, str>> {
        borrowed(self.get(name)?)
    }

    /// Whether a field is that string.
    pub(crate) fn says(&self, name: &str, expected: &str) -> bool {
        self.str(name).is_some_and(|text| text == expected)
    }

    /// The elements of a field that is an array; of one that is not, the value itself.
    pub(crate) fn list(&self, name: &str) -> Vec<&'a RawValue> {
        self.get(name).map(elements).unwrap_or_default()
    }

    /// A field that is a number from 0 up; its fraction is dropped.
    pub(crate) fn count(&self, name: &str) -> Option<u64> {
        let text = self.get(name)?.get();
        text.split('.').next()?.parse().ok()
    }

    /// All fields that are not null.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0
            .iter()
            .filter(|(_, value)| value.get() != "null")
            .map(|(name, value)| (&**name, *value))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::with_capacity(USUAL);
                while let Some((Name(name), value)) = map.next_entry()? {
                    fields.push((name, value));
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(InOrder).map(Self)
    }
}

/// A field's name, which is a copy only where it has escapes.
struct Name<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Name<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrowed;
        impl<'de> Visitor<'de> for Borrowed {
            type Value = Cow<'de, str>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(Cow::Borrowed(name))
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
                Ok(Cow::Owned(name.to_owned()))
            }
        }
        deserializer.deserialize_str(Borrowed).map(Self)
    }
}

/// The elements of an array; of anything else, the value itself.
pub(crate) fn elements(value: &RawValue) -> Vec<&RawValue> {
    serde_json::from_str(value.get()).unwrap_or_else(|_| vec![value])
}

/// The text of a string. Half of a surrogate pair, which some servers cut characters into, becomes
/// U+FFFD rather than an error.
pub(crate) fn string(value: &RawValue) -> Option<String> {
    borrowed(value).map(Cow::into_owned)
}

/// The same, which is a copy only where it has escapes: most values of a stream are looked at once.
pub(crate) fn borrowed(value: &RawValue) -> Option<Cow<'_, str>> {
    let text = value.get();
    let inside = text.strip_prefix('"')?.strip_suffix('"')?;
    // The parser has seen this text, so that without escapes it is what it says.
    if !inside.as_bytes().contains(&b'\\') {
        return Some(Cow::Borrowed(inside));
    }
    let whole = serde_json::from_str(text).ok();
    let read = whole.or_else(|| serde_json::from_str(text).ok().map(|Lossy(text)| text));
    read.map(Cow::Owned)
}

/// Whether the text is one JSON object.
pub(crate) fn is_object(text: &str) -> bool {
    Fields::parse(text).is_some()
}

/// Arguments as a request can hold them: the object, or an empty one for what is none or is too deep.
/// Half a character gets a mark: providers refuse the whole body that has one.
pub(crate) fn legal(arguments: &str) -> Cow<'_, str> {
    if !is_object(arguments) || depth(arguments) > DEEPEST {
        Cow::Borrowed("{}")
    } else if arguments.contains("\\u") {
        Cow::Owned(without_halves(arguments))
    } else {
        Cow::Borrowed(arguments)
    }
}

/// A JSON text of whole characters.
pub(crate) fn whole_characters(json: String) -> String {
    if json.contains("\\u") {
        without_halves(&json)
    } else {
        json
    }
}

/// A JSON text with U+FFFD for each half of a character, which can only be there as an escape. (A
/// call's text is mended in the same way where it is run, by a crate that this one does not know.)
fn without_halves(json: &str) -> String {
    let mut whole = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let length = match (unit(escape, 0), unit(escape, 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => 0,
            // The text is JSON, so that all other escapes are of one ASCII character.
            (Some(_) | None, _) => escape.len().min(2),
        };
        if length == 0 {
            whole.push_str("\\ufffd");
            rest = escape.get(6..).unwrap_or_default();
        } else {
            let (kept, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
            whole.push_str(kept);
            rest = after;
        }
    }
    whole + rest
}

/// The UTF-16 unit that an escape at this place stands for.
fn unit(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

/// How deep the objects and arrays of a JSON text are nested.
fn depth(json: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// A string whose lone surrogates the parser hands over as three bytes that are not UTF-8.
struct Lossy(String);

impl<'de> Deserialize<'de> for Lossy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Lossy;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a string")
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Lossy, E> {
                let mut text = String::with_capacity(bytes.len());
                for chunk in bytes.utf8_chunks() {
                    text.push_str(chunk.valid());
                    // The first byte of an encoded surrogate; its other two are reported alone.
                    if chunk.invalid().first() == Some(&0xED) {
                        text.push(char::REPLACEMENT_CHARACTER);
                    }
                }
                Ok(Lossy(text))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_any_type_are_read_leniently() {
        let text =
            r#"{"a":1e400,"b":"x","b":"y","n":null,"o":{"k":[1,2]},"c":12.0,"neg":-3,"s":"1"}"#;
        let fields = Fields::parse(text).unwrap();
        assert_eq!(fields.text("b").as_deref(), Some("y"));
        assert!(fields.get("n").is_none() && fields.get("missing").is_none());
        assert_eq!(fields.object("o").unwrap().list("k").len(), 2);
        assert_eq!(fields.list("b").len(), 1);
        assert_eq!(fields.count("c"), Some(12));
        assert_eq!(fields.count("neg"), None);
        assert_eq!(fields.count("s"), None);
        assert_eq!(fields.get("a").unwrap().get(), "1e400");
        assert!(Fields::parse("[1]").is_none());
        assert!(Fields::parse("{\"a\":").is_none());
    }

    #[test]
    fn names_and_strings_with_escapes_are_the_same_as_without() {
        let fields = Fields::parse(r#"{"\u0074ype":"err\u006fr","a\"b":"c","n":5}"#).unwrap();
        assert!(fields.says("type", "error") && !fields.says("type", "err"));
        assert!(fields.says("a\"b", "c"));
        assert!(!fields.says("n", "5") && !fields.says("missing", ""));
        assert_eq!(fields.text("type").as_deref(), Some("error"));
        assert_eq!(fields.text("n"), None);
    }

    #[test]
    fn deep_nesting_neither_fails_nor_overflows_the_stack() {
        let deep = format!(
            "{{\"d\":{}{},\"t\":\"x\"}}",
            "[".repeat(100_000),
            "]".repeat(100_000)
        );
        assert_eq!(
            Fields::parse(&deep).unwrap().text("t").as_deref(),
            Some("x")
        );
    }

    #[test]
    fn arguments_become_what_a_request_can_hold() {
        let check = |arguments: &str, expected: &str| {
            assert_eq!(legal(arguments), expected, "{arguments}");
        };
        check(r#"{"a": 1.0, "a": "é"}"#, r#"{"a": 1.0, "a": "é"}"#);
        check("[1]", "{}");
        check(r#"{"a":"#, "{}");
        check(r#"{"a":"x\ud83d"}"#, r#"{"a":"x\ufffd"}"#);
        check(
            r#"{"a":"\\ud83d \ud83d\ude00\ud83d"}"#,
            r#"{"a":"\\ud83d \ud83d\ude00\ufffd"}"#,
        );
        let nested = |depth| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        check(&nested(31), &nested(31));
        check(&nested(32), "{}");
        check(&nested(100_000), "{}");
        let flat = format!(r#"{{"a":"\"{}","b":[]}}"#, "[{".repeat(40));
        check(&flat, &flat);
    }

    #[test]
    fn a_lone_surrogate_becomes_one_replacement_character() {
        let check = |json: &str, expected: &str| {
            let raw: &RawValue = serde_json::from_str(json).unwrap();
            assert_eq!(string(raw).as_deref(), Some(expected), "{json}");
        };
        check(r#""plain""#, "plain");
        check(r#""a\ud83db""#, "a\u{FFFD}b");
        check(r#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}");
        check(r#""\ud83d\ude00 é\ud83d""#, "😀 é\u{FFFD}");
    }
}
