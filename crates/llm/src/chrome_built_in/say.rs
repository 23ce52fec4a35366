//! Reads the object of an answer while it grows: its text, and where its calls begin.
//!
//! It goes character by character and looks at no more than strings and brackets, so how the text
//! was cut cannot matter, and an object with a fault in it is still read as far as it makes sense.

/// The reader of one object.
#[derive(Debug, Default)]
pub(super) struct SayReader {
    /// How many brackets are open.
    depth: usize,
    /// What the string is for that is being read.
    string: Option<StringUse>,
    escape: Escape,
    /// The first half of a surrogate pair whose second half has not come.
    high: Option<u32>,
    /// A comma or the first bracket was the last thing of the outermost object.
    expects_key: bool,
    key: String,
    calls_at: Option<usize>,
    end: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
enum StringUse {
    /// The name of a field of the outermost object.
    Key,
    /// The text for the person.
    Say,
    Other,
}

#[derive(Clone, Copy, Debug, Default)]
enum Escape {
    #[default]
    None,
    Begun,
    Unicode {
        digits: u32,
        value: u32,
    },
}

impl SayReader {
    /// Reads the character at this place of the text, and adds to `said` what it says.
    pub(super) fn read(&mut self, at: usize, c: char, said: &mut String) {
        if self.end.is_some() {
            return;
        }
        match self.string {
            Some(purpose) => self.read_in_string(purpose, c, said),
            None => self.read_outside(at, c),
        }
    }

    /// Where the list of calls begins, if it has begun.
    pub(super) fn calls_at(&self) -> Option<usize> {
        self.calls_at
    }

    /// Where the text behind the object begins, if its last bracket has come.
    pub(super) fn end(&self) -> Option<usize> {
        self.end
    }

    fn read_outside(&mut self, at: usize, c: char) {
        match c {
            '"' => {
                let purpose = match (self.depth, self.expects_key) {
                    (1, true) => StringUse::Key,
                    (1, false) if self.key == "say" => StringUse::Say,
                    _ => StringUse::Other,
                };
                if self.expects_key {
                    self.key.clear();
                    self.expects_key = false;
                }
                self.string = Some(purpose);
            }
            '{' | '[' => {
                if self.depth == 1 && c == '[' && self.key == "calls" {
                    self.calls_at = Some(at);
                }
                self.expects_key = self.depth == 0;
                self.depth += 1;
            }
            '}' | ']' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.end = Some(at + c.len_utf8());
                }
            }
            ',' => self.expects_key = self.depth == 1,
            _ => {}
        }
    }

    fn read_in_string(&mut self, purpose: StringUse, c: char, said: &mut String) {
        let out = match purpose {
            StringUse::Key => &mut self.key,
            StringUse::Say => said,
            StringUse::Other => &mut String::new(),
        };
        match (self.escape, c) {
            (Escape::None, '\\') => self.escape = Escape::Begun,
            (Escape::None, '"') => {
                push(&mut self.high, None, out);
                self.string = None;
            }
            (Escape::None, c) => push(&mut self.high, Some(u32::from(c)), out),
            (Escape::Begun, 'u') => {
                self.escape = Escape::Unicode {
                    digits: 0,
                    value: 0,
                };
            }
            (Escape::Begun, c) => {
                self.escape = Escape::None;
                let meant = match c {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'b' => '\u{8}',
                    'f' => '\u{C}',
                    other => other,
                };
                push(&mut self.high, Some(u32::from(meant)), out);
            }
            (Escape::Unicode { digits, value }, c) => {
                let value = value * 16 + c.to_digit(16).unwrap_or(0);
                self.escape = if digits == 3 {
                    push(&mut self.high, Some(value), out);
                    Escape::None
                } else {
                    Escape::Unicode {
                        digits: digits + 1,
                        value,
                    }
                };
            }
        }
    }
}

/// Adds a code point, or half of one, or the end of the string; half a pair alone becomes U+FFFD.
fn push(high: &mut Option<u32>, code: Option<u32>, out: &mut String) {
    if let Some(first) = high.take() {
        if let Some(second @ 0xDC00..=0xDFFF) = code {
            let whole = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            out.push(char::from_u32(whole).unwrap_or(char::REPLACEMENT_CHARACTER));
            return;
        }
        out.push(char::REPLACEMENT_CHARACTER);
    }
    match code {
        Some(first @ 0xD800..=0xDBFF) => *high = Some(first),
        Some(code) => out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)),
        None => {}
    }
}
