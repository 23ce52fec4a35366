//! Writes the JSON of a request, value by value.
//!
//! Requests are written by hundreds of calls of these few functions, which is why none of them is
//! copied to where it is called: that would be most of what the formats weigh.
//!
//! What a provider gave as text goes back as that text, which a tree of values would not allow: it
//! sorts fields and rounds numbers.

use serde::Serialize;
use serde_json::Value;

/// JSON text as it grows.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    /// Bytes, because a long text is written straight into them.
    out: Vec<u8>,
}

impl Writer {
    /// The text of one object, as a body.
    pub(crate) fn document(fill: impl FnOnce(&mut Self)) -> Vec<u8> {
        let mut writer = Self::default();
        writer.object(fill);
        writer.out
    }

    /// The text of one object.
    pub(crate) fn text_of(fill: impl FnOnce(&mut Self)) -> String {
        // Only whole texts are ever written; the fallback is for the type alone.
        String::from_utf8(Self::document(fill)).unwrap_or_default()
    }

    /// An object; `fill` writes its keys and values.
    pub(crate) fn object(&mut self, fill: impl FnOnce(&mut Self)) {
        self.open(b'{');
        fill(self);
        self.close(b'}');
    }

    /// An array; `fill` writes its values.
    pub(crate) fn array(&mut self, fill: impl FnOnce(&mut Self)) {
        self.open(b'[');
        fill(self);
        self.close(b']');
    }

    /// The name of the field whose value comes next.
    #[inline(never)]
    pub(crate) fn key(&mut self, name: &str) -> &mut Self {
        self.text(name);
        self.out.push(b':');
        self
    }

    /// A string.
    #[inline(never)]
    pub(crate) fn text(&mut self, text: &str) {
        self.separate();
        write_json(&mut self.out, text);
    }

    /// A value that is JSON text already.
    #[inline(never)]
    pub(crate) fn raw(&mut self, json: &str) {
        self.separate();
        self.out.extend_from_slice(json.as_bytes());
    }

    /// A field that is a string.
    #[inline(never)]
    pub(crate) fn text_field(&mut self, name: &str, text: &str) {
        self.key(name).text(text);
    }

    /// A field that is JSON text already.
    #[inline(never)]
    pub(crate) fn raw_field(&mut self, name: &str, json: &str) {
        self.key(name).raw(json);
    }

    /// A field that is a tree of values.
    #[inline(never)]
    pub(crate) fn value_field(&mut self, name: &str, value: &Value) {
        self.key(name).separate();
        write_json(&mut self.out, value);
    }

    /// A field that is a number, if there is one.
    #[inline(never)]
    pub(crate) fn count_field(&mut self, name: &str, count: Option<u32>) {
        if let Some(count) = count {
            self.raw_field(name, &count.to_string());
        }
    }

    /// A number in hundredths, if there is one.
    #[inline(never)]
    pub(crate) fn hundredths_field(&mut self, name: &str, hundredths: Option<u16>) {
        if let Some(number) = hundredths {
            self.raw_field(name, &format!("{}.{:02}", number / 100, number % 100));
        }
    }

    #[inline(never)]
    fn open(&mut self, bracket: u8) {
        self.separate();
        self.out.push(bracket);
    }

    #[inline(never)]
    fn close(&mut self, bracket: u8) {
        self.out.push(bracket);
    }

    /// A value that follows another is parted from it: only after a bracket that opens or a colon
    /// does none stand before it.
    fn separate(&mut self) {
        if !matches!(self.out.last(), None | Some(b'{' | b'[' | b':')) {
            self.out.push(b',');
        }
    }
}

/// Texts and trees of values, which memory takes and JSON has a form for: there is nothing to fail.
fn write_json<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    let written = serde_json::to_writer(out, value);
    debug_assert!(written.is_ok(), "{written:?}");
}

/// A text as JSON.
pub(crate) fn quoted(text: &str) -> String {
    // A string is always writable; the fallback is for the type alone.
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned())
}

/// A tree of values as JSON.
pub(crate) fn json(value: &Value) -> String {
    // So is a tree of values.
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_parted_where_they_must_be() {
        let body = Writer::document(|w| {
            w.text_field("a", "x{\":");
            w.key("b").array(|w| {
                w.text(":");
                w.object(|_| {});
                w.array(|w| w.raw("1.0"));
                w.text("[");
            });
            w.count_field("c", Some(7));
            w.count_field("none", None);
            w.hundredths_field("t", Some(70));
            w.hundredths_field("u", Some(105));
        });
        assert_eq!(
            String::from_utf8(body).unwrap(),
            r#"{"a":"x{\":","b":[":",{},[1.0],"["],"c":7,"t":0.70,"u":1.05}"#
        );
    }
}
