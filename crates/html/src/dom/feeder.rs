//! The way of a page into the tokenizer: of a tag with very many attributes it gets the first ones.
//! It compares each attribute with all before it, which for one tag of a large page is n² work.
//!
//! Tags are followed here as the tokenizer follows them. What looks like a tag in a script or a
//! comment is none, and only the tokenizer knows where it is; so wherever something is not closed at
//! the next `<`, it is asked whether it has given out a token, which it does for text and not within
//! a tag.

use html5ever::{
    TokenizerResult,
    tendril::StrTendril,
    tokenizer::{BufferQueue, Tokenizer},
};

use super::guard::Guard;

/// Where in a tag the reading is.
#[derive(Clone, Copy)]
enum State {
    Name,
    BeforeAttribute,
    Attribute,
    AfterAttribute,
    BeforeValue,
    DoubleQuoted,
    SingleQuoted,
    Unquoted,
}

/// Why the reading of a tag stopped, and before which byte.
#[derive(Clone, Copy)]
enum Stop {
    /// At its `>`.
    Closed(usize),
    /// At a `<` in it.
    Opening(usize),
    /// At an attribute too many.
    Full(usize),
    End,
}

/// A tag that is being read.
struct Tag {
    state: State,
    attributes: usize,
}

impl Tag {
    fn new() -> Self {
        Self {
            state: State::Name,
            attributes: 0,
        }
    }

    /// Reads on from a byte until something happens.
    fn read(&mut self, page: &str, mut at: usize, most: usize) -> Stop {
        let bytes = page.as_bytes();
        loop {
            at += self.skip(&bytes[at..]);
            let Some(&byte) = bytes.get(at) else {
                return Stop::End;
            };
            match byte {
                b'<' => return Stop::Opening(at),
                b'>' if !self.is_quoted() => return Stop::Closed(at),
                _ => {}
            }
            if self.begins_attribute(byte) {
                if self.attributes >= most {
                    return Stop::Full(at);
                }
                self.attributes += 1;
            }
            self.step(byte);
            at += 1;
        }
    }

    /// How many bytes there are that change nothing.
    fn skip(&self, bytes: &[u8]) -> usize {
        let quote = match self.state {
            State::DoubleQuoted => b'"',
            State::SingleQuoted => b'\'',
            State::Name | State::Attribute | State::Unquoted => {
                let inner = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
                return bytes.iter().take_while(|byte| inner(byte)).count();
            }
            State::BeforeAttribute | State::AfterAttribute | State::BeforeValue => return 0,
        };
        let end = bytes.iter().position(|&byte| byte == quote || byte == b'<');
        end.unwrap_or(bytes.len())
    }

    fn is_quoted(&self) -> bool {
        matches!(self.state, State::DoubleQuoted | State::SingleQuoted)
    }

    fn begins_attribute(&self, byte: u8) -> bool {
        match self.state {
            State::BeforeAttribute => !is_space(byte) && byte != b'/',
            State::AfterAttribute => !is_space(byte) && !matches!(byte, b'/' | b'='),
            State::Name
            | State::Attribute
            | State::BeforeValue
            | State::DoubleQuoted
            | State::SingleQuoted
            | State::Unquoted => false,
        }
    }

    /// Goes on with a byte that does not close the tag.
    fn step(&mut self, byte: u8) {
        self.state = match self.state {
            State::Name if is_space(byte) || byte == b'/' => State::BeforeAttribute,
            State::Name => State::Name,
            State::BeforeAttribute if is_space(byte) || byte == b'/' => State::BeforeAttribute,
            State::BeforeAttribute => State::Attribute,
            State::Attribute if is_space(byte) => State::AfterAttribute,
            State::Attribute | State::AfterAttribute if byte == b'/' => State::BeforeAttribute,
            State::Attribute | State::AfterAttribute if byte == b'=' => State::BeforeValue,
            State::AfterAttribute if is_space(byte) => State::AfterAttribute,
            State::Attribute | State::AfterAttribute => State::Attribute,
            State::BeforeValue if is_space(byte) => State::BeforeValue,
            State::BeforeValue if byte == b'"' => State::DoubleQuoted,
            State::BeforeValue if byte == b'\'' => State::SingleQuoted,
            State::Unquoted if is_space(byte) => State::BeforeAttribute,
            State::BeforeValue | State::Unquoted => State::Unquoted,
            State::DoubleQuoted if byte == b'"' => State::BeforeAttribute,
            State::SingleQuoted if byte == b'\'' => State::BeforeAttribute,
            State::DoubleQuoted => State::DoubleQuoted,
            State::SingleQuoted => State::SingleQuoted,
        };
    }

    /// The `>` that closes it, from a byte on.
    fn end(&mut self, page: &str, mut at: usize) -> Option<usize> {
        loop {
            match self.read(page, at, usize::MAX) {
                Stop::Closed(end) => return Some(end),
                Stop::Opening(next) => {
                    self.pass_opening();
                    at = next + 1;
                }
                Stop::Full(_) | Stop::End => return None,
            }
        }
    }

    /// Goes on past a `<`.
    fn pass_opening(&mut self) {
        self.attributes += usize::from(self.begins_attribute(b'<'));
        self.step(b'<');
    }
}

/// What stands after a `<`.
enum Follows {
    /// A start tag or an end tag.
    Tag,
    /// A comment, a doctype or the like.
    Markup,
    Text,
}

pub(super) struct Feeder<'a> {
    tokenizer: &'a Tokenizer<Guard>,
    queue: BufferQueue,
    page: &'a str,
    shared: StrTendril,
    /// What the tokenizer has had.
    fed: usize,
    /// Attributes of a tag that it gets.
    most: usize,
}

impl<'a> Feeder<'a> {
    pub fn new(tokenizer: &'a Tokenizer<Guard>, page: &'a str, most: usize) -> Self {
        Self {
            tokenizer,
            queue: BufferQueue::default(),
            page,
            shared: StrTendril::from_slice(page),
            fed: 0,
            most,
        }
    }

    pub fn run(mut self) {
        let mut at = 0;
        // Here the tokenizer is in text, whatever kind of text.
        while let Some(length) = self.page[at..].find('<') {
            let opening = at + length;
            at = match self.follows(opening) {
                Follows::Text => opening + 1,
                Follows::Markup => self.markup(opening),
                Follows::Tag => self.tag(opening),
            };
        }
        self.feed(self.page.len());
    }

    fn follows(&self, opening: usize) -> Follows {
        match &self.page.as_bytes()[opening + 1..] {
            [b'/', b'>', ..] => Follows::Text,
            [b'/', letter, ..] | [letter, ..] if letter.is_ascii_alphabetic() => Follows::Tag,
            [b'/' | b'!' | b'?', ..] => Follows::Markup,
            _ => Follows::Text,
        }
    }

    /// Goes through what begins like a tag. Gives where text goes on.
    fn tag(&mut self, opening: usize) -> usize {
        let mut tag = Tag::new();
        let mut stop = tag.read(self.page, opening + 1, self.most);
        if let Stop::Closed(end) = stop {
            return end + 1;
        }
        self.feed(opening + 1);
        loop {
            let here = match stop {
                Stop::Closed(end) => return end + 1,
                Stop::Opening(here) | Stop::Full(here) => here,
                Stop::End => self.page.len(),
            };
            if self.feed(here) {
                return here;
            }
            match stop {
                // What a script or a comment began with may end here.
                Stop::Opening(_) if self.feed(here + 1) => return here,
                // One that begins with `<` had to be begun to know that it is in a tag.
                Stop::Opening(_) if tag.begins_attribute(b'<') && tag.attributes >= self.most => {
                    tag.pass_opening();
                    return self.leave_out(&mut tag, here + 1);
                }
                Stop::Opening(_) => tag.pass_opening(),
                Stop::Full(_) => return self.leave_out(&mut tag, here),
                Stop::Closed(_) | Stop::End => return here,
            }
            stop = tag.read(self.page, here + 1, self.most);
        }
    }

    /// Leaves out what there is of a tag from here on.
    fn leave_out(&mut self, tag: &mut Tag, here: usize) -> usize {
        self.tokenizer.sink.note_truncation();
        let end = tag.end(self.page, here).unwrap_or(self.page.len());
        self.fed = end;
        end
    }

    /// Goes through a comment or the like. Gives where text goes on.
    fn markup(&mut self, opening: usize) -> usize {
        self.feed(opening + 1);
        let mut at = opening + 1;
        loop {
            let length = self.page[at..].find('<');
            let next = length.map_or(self.page.len(), |length| at + length);
            // An empty CDATA section gives out nothing.
            let is_over = self.feed(next) || self.page[at..next].contains("]]>");
            if is_over || next == self.page.len() || self.feed(next + 1) {
                return next;
            }
            at = next + 1;
        }
    }

    /// Gives the tokenizer what comes before `end`. Tells whether it gave out a token for it.
    fn feed(&mut self, end: usize) -> bool {
        if end <= self.fed {
            return false;
        }
        self.tokenizer.sink.forget_tokens();
        let part = u32::try_from(self.fed)
            .ok()
            .zip(u32::try_from(end - self.fed).ok());
        if let Some((start, length)) = part {
            self.queue.push_back(self.shared.subtendril(start, length));
        }
        self.fed = end;
        // It stops at each script's end and at a declared encoding, to be asked to go on.
        while !matches!(self.tokenizer.feed(&self.queue), TokenizerResult::Done) {}
        self.tokenizer.sink.has_tokens()
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}
