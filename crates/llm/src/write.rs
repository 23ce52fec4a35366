//! Writes the JSON of a request, value by value.
//!
//! What a provider gave as text goes back as that text, which a tree of values would not allow: it
//! sorts fields and rounds numbers.

/// JSON text as it grows.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    out: String,
}

impl Writer {
    /// The text of one object.
    pub(crate) fn document(fill: impl FnOnce(&mut Self)) -> Vec<u8> {
        let mut writer = Self::default();
        writer.object(fill);
        writer.out.into_bytes()
    }

    /// An object; `fill` writes its keys and values.
    pub(crate) fn object(&mut self, fill: impl FnOnce(&mut Self)) {
        self.open('{');
        fill(self);
        self.out.push('}');
    }

    /// An array; `fill` writes its values.
    pub(crate) fn array(&mut self, fill: impl FnOnce(&mut Self)) {
        self.open('[');
        fill(self);
        self.out.push(']');
    }

    /// The name of the field whose value comes next.
    pub(crate) fn key(&mut self, name: &str) -> &mut Self {
        self.text(name);
        self.out.push(':');
        self
    }

    /// A string.
    pub(crate) fn text(&mut self, text: &str) {
        self.separate();
        // A string is always writable; the fallback is for the type alone.
        let quoted = serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned());
        self.out.push_str(&quoted);
    }

    /// A value that is JSON text already.
    pub(crate) fn raw(&mut self, json: &str) {
        self.separate();
        self.out.push_str(json);
    }

    /// A field that is a string.
    pub(crate) fn text_field(&mut self, name: &str, text: &str) {
        self.key(name).text(text);
    }

    /// A field that is JSON text already.
    pub(crate) fn raw_field(&mut self, name: &str, json: &str) {
        self.key(name).raw(json);
    }

    /// A field that is a number, if there is one.
    pub(crate) fn count_field(&mut self, name: &str, count: Option<u32>) {
        if let Some(count) = count {
            self.raw_field(name, &count.to_string());
        }
    }

    /// A number in hundredths, if there is one.
    pub(crate) fn hundredths_field(&mut self, name: &str, hundredths: Option<u16>) {
        if let Some(number) = hundredths {
            self.raw_field(name, &format!("{}.{:02}", number / 100, number % 100));
        }
    }

    fn open(&mut self, bracket: char) {
        self.separate();
        self.out.push(bracket);
    }

    /// A value that follows another is parted from it: only after a bracket that opens or a colon
    /// does none stand before it.
    fn separate(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with(['{', '[', ':']) {
            self.out.push(',');
        }
    }
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
