//! Text into Markdown: which characters need a backslash so that they are read as themselves.

use super::{inline::Kind, writer::Writer};

/// Bytes of TeX between `\(` and `\)` that are kept as they are.
const MAX_TEX: usize = 4_096;

/// Zero-width characters that only say where a line may break, and the byte order mark.
const INVISIBLE: [&str; 3] = ["\u{ad}", "\u{200b}", "\u{feff}"];

/// Whether a byte of text is written as it is, wherever it stands.
fn is_plain(byte: u8) -> bool {
    !matches!(
        byte,
        0..=b' '
            | b'\\'
            | b'`'
            | b'*'
            | b'_'
            | b'['
            | b']'
            | b'<'
            | b'&'
            | b'~'
            | b'$'
            | 0x7f
            | 0xc2
            | 0xe2
            | 0xef
    )
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

impl Writer {
    /// A text of the page, white space collapsed and escaped where needed.
    pub fn text(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let around = Around {
            link: self.is_in(Kind::Link),
            strike: self.is_in(Kind::Strike),
        };
        let mut tex = Tex::default();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if is_space(byte) {
                self.space();
                at += 1;
                continue;
            }
            if byte.is_ascii_control() {
                at += 1;
                continue;
            }
            if let Some(length) = invisible(&text[at..]) {
                if byte == 0xc2 && bytes.get(at + 1) == Some(&0xa0) {
                    self.hard_space();
                }
                at += length;
                continue;
            }
            let rest = &text[at..];
            self.begin_word(rest);
            if let Some(length) = tex.length(rest) {
                self.push_tex(&rest[..length]);
                at += length;
                continue;
            }
            if self.line_start {
                self.line_start = false;
                if let Some(sign) = block_marker(rest) {
                    self.out.push_str(&rest[..sign]);
                    self.out.push('\\');
                    self.out.push_str(&rest[sign..=sign]);
                    at += sign + 1;
                    continue;
                }
            }
            if is_plain(byte) {
                let length = bytes[at..]
                    .iter()
                    .take_while(|&&byte| is_plain(byte))
                    .count();
                self.out.push_str(&rest[..length]);
                at += length;
                continue;
            }
            let length = rest.chars().next().map_or(1, char::len_utf8);
            let is_markup = byte.is_ascii() && needs_backslash(&self.out, rest, around);
            if is_markup {
                self.out.push('\\');
            }
            self.out.push_str(&rest[..length]);
            at += length;
            if byte == b']' {
                self.bracket = if is_markup { 0 } else { self.out.len() };
            }
        }
    }

    fn begin_word(&mut self, rest: &str) {
        if !self.is_ready() {
            self.begin_text();
        }
        if self.closed.is_some()
            && let Some(next) = rest.chars().next()
        {
            self.check_closed(next);
        }
        if !self.marks.is_empty() {
            self.note_text();
        }
        if self.out.ends_with(']') && rest.starts_with(['(', '[', ':']) {
            self.part_from_bracket();
        }
    }

    /// Keeps a bracket and what follows it from being read as a link.
    fn part_from_bracket(&mut self) {
        if self.bracket == self.out.len() {
            self.out.insert(self.bracket - 1, '\\');
        } else if !self.out.ends_with("\\]") {
            self.out.push('\\');
        }
    }

    fn push_tex(&mut self, tex: &str) {
        for line in tex.split(['\n', '\r']) {
            self.out.push_str(line);
            self.out.push(' ');
        }
        self.out.pop();
        self.line_start = false;
    }
}

/// The length of a white space or of an invisible character that the fast way does not know.
fn invisible(rest: &str) -> Option<usize> {
    match rest.as_bytes().first()? {
        0xc2 if rest.starts_with('\u{a0}') => Some(2),
        0xc2 | 0xe2 | 0xef => INVISIBLE
            .iter()
            .find(|invisible| rest.starts_with(**invisible))
            .map(|invisible| invisible.len()),
        _ => None,
    }
}

/// Finds TeX that a script of the page would typeset. A search that failed is not made again.
#[derive(Default)]
struct Tex {
    no_round: bool,
    no_square: bool,
    no_dollars: bool,
}

impl Tex {
    /// The length of the TeX, with its delimiters, that a text begins with.
    fn length(&mut self, rest: &str) -> Option<usize> {
        let (end, none) = match rest.get(..2)? {
            "\\(" => ("\\)", &mut self.no_round),
            "\\[" => ("\\]", &mut self.no_square),
            "$$" => ("$$", &mut self.no_dollars),
            _ => return None,
        };
        if *none {
            return None;
        }
        let near = &rest[2..rest.floor_char_boundary(MAX_TEX)];
        let found = near.find(end);
        // Searched again at each delimiter, a text of nothing else would cost its square.
        *none = found.is_none();
        found.filter(|&length| length > 0).map(|length| length + 4)
    }
}

/// Where the character stands that would make a block of a text at the start of a line.
fn block_marker(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let first = *bytes.first()?;
    let run = bytes.iter().take_while(|&&byte| byte == first).count();
    let ends = |at: usize| bytes.get(at).is_none_or(|&byte| is_space(byte));
    let marks = match first {
        b'#' => run <= 6 && ends(run),
        b'-' | b'=' => ends(run),
        b'+' | b':' | b'*' => run == 1 && ends(1),
        b'>' => true,
        b'~' => run >= 3,
        b'0'..=b'9' => {
            let digits = bytes
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            let marks =
                digits <= 9 && matches!(bytes.get(digits), Some(b'.' | b')')) && ends(digits + 1);
            return marks.then_some(digits);
        }
        b'[' => is_task(bytes),
        _ => false,
    };
    marks.then_some(0)
}

fn is_task(bytes: &[u8]) -> bool {
    let inside = &bytes[1..];
    let spaces = inside.iter().take_while(|&&byte| is_space(byte)).count();
    let mark = match inside.first() {
        Some(b'x' | b'X') => 1,
        Some(_) | None => spaces,
    };
    // The text may go on in another element.
    inside
        .get(mark)
        .is_none_or(|&byte| byte == b']' && mark > 0)
}

/// What a text stands in.
#[derive(Clone, Copy)]
struct Around {
    link: bool,
    strike: bool,
}

/// Whether the character that a text begins with would be read as markup after what is written.
fn needs_backslash(written: &str, rest: &str, around: Around) -> bool {
    let bytes = rest.as_bytes();
    let next = bytes.get(1).copied();
    let before = written.chars().next_back();
    let after = rest.chars().nth(1);
    let is_loose = |beside: Option<char>| beside.is_none_or(char::is_whitespace);
    let is_word = |beside: Option<char>| beside.is_some_and(char::is_alphanumeric);
    // White space at the end of a text may not be written.
    let stands_alone = next.is_some_and(is_space) && bytes[1..].iter().any(|&byte| !is_space(byte));
    match bytes[0] {
        b'\\' => next.is_none_or(|next| next.is_ascii_punctuation() || is_space(next)),
        b'`' => true,
        b'*' => !(is_loose(before) && stands_alone),
        b'_' => {
            let is_within = is_word(before) && is_word(after);
            !(is_within || is_loose(before) && stands_alone)
        }
        b'[' => around.link || next == Some(b'^'),
        b']' => around.link,
        b'<' => opens_tag(bytes),
        b'&' => is_reference(bytes),
        // One that can only begin a strikethrough is harmless, like in `~5`.
        b'~' => {
            let ends = !is_loose(before) && (is_word(before) || !is_word(after));
            around.strike || ends || before == Some('~') || matches!(next, None | Some(b'~'))
        }
        _ => false,
    }
}

/// Whether a text that begins with `<` would be read as a tag, or as an address of mail.
fn opens_tag(bytes: &[u8]) -> bool {
    match bytes.get(1) {
        None | Some(b'/' | b'!' | b'?') => true,
        Some(next) if next.is_ascii_alphabetic() => true,
        Some(_) => {
            let near = &bytes[1..bytes.len().min(320)];
            let end = near
                .iter()
                .position(|&byte| byte == b'>' || byte == b'<' || is_space(byte));
            // The text may go on in another element.
            let (end, closes) = end.map_or((near.len(), true), |end| (end, near[end] == b'>'));
            closes && near[..end].contains(&b'@')
        }
    }
}

/// Whether a text begins with what would be read as a character reference.
fn is_reference(bytes: &[u8]) -> bool {
    let name = &bytes[1..bytes.len().min(34)];
    let end = name
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'#');
    name.is_empty() || end.is_some_and(|end| end > 0 && name[end] == b';')
}

/// How often a character is repeated at most, in a row.
pub(super) fn longest_run(text: &str, character: char) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for found in text.chars() {
        run = if found == character { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Whether an address can stand between angle brackets as a link.
pub(super) fn is_autolink(address: &str) -> bool {
    (address.starts_with("https://") || address.starts_with("http://"))
        && !address.contains(['<', '>', ' ', '\\', '*', '`'])
}

/// A title, between double quotes.
pub(super) fn push_title(out: &mut String, title: &str) {
    push_collapsed(out, title, |character| matches!(character, '"' | '\\'));
}

/// The description of an image.
pub(super) fn push_alt(out: &mut String, alt: &str) {
    push_collapsed(out, alt, |character| {
        matches!(character, '[' | ']' | '\\' | '`' | '<' | '*')
    });
}

fn push_collapsed(out: &mut String, text: &str, needs_backslash: fn(char) -> bool) {
    for (number, word) in text.split_whitespace().enumerate() {
        if number > 0 {
            out.push(' ');
        }
        for character in word.chars() {
            if needs_backslash(character) {
                out.push('\\');
            }
            out.push(character);
        }
    }
}
