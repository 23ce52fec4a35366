//! Which encoding the bytes of a page are in, when nobody can be trusted to say.
//!
//! Finding out and decoding are apart: [`detect`] needs no tables and names the encoding by a label
//! that the browser's `TextDecoder` takes too. `decode`, with the feature of that name, has tables of
//! its own.
//!
//! The order of evidence: a byte order mark; bytes that are plainly UTF-8; the response's header; what
//! the page says of itself; the looks of the bytes. Valid UTF-8 overrules the header, because text in
//! another encoding is never that by accident, while servers that name a wrong encoding are common.

mod guess;
mod label;
mod prescan;
#[cfg(test)]
mod tests;

pub use label::canonical;

/// As much of a page as is looked at for UTF-8: a bound on the work, far behind any beginning.
const UTF8_WINDOW: usize = 4 << 20;

/// The label of the encoding that a page is in, in the spelling of the Encoding Standard.
/// `declared` is the `charset` of the response's Content-Type, if it had one.
pub fn detect(bytes: &[u8], declared: Option<&str>) -> &'static str {
    if let Some((label, _)) = byte_order_mark(bytes) {
        return label;
    }
    let utf8 = Utf8::look(bytes);
    if utf8.broken == 0 && utf8.whole > 0 {
        return label::UTF_8;
    }
    if let Some(label) = guess::escaped_or_wide(bytes) {
        return label;
    }
    let said = declared
        .and_then(canonical)
        .or_else(|| prescan::declared(bytes));
    match said {
        // UTF-8 that is cut or mixed is still read best as UTF-8.
        Some(label::UTF_8) if utf8.broken == 0 || utf8.whole > utf8.broken => label::UTF_8,
        Some(label::UTF_8) | None if utf8.broken > 0 => {
            if utf8.whole > 4 * utf8.broken {
                label::UTF_8
            } else {
                guess::by_looks(bytes)
            }
        }
        Some(label) => label,
        None => label::UTF_8,
    }
}

/// The encoding that a byte order mark names, and the mark's length.
pub fn byte_order_mark(bytes: &[u8]) -> Option<(&'static str, usize)> {
    match bytes {
        [0xEF, 0xBB, 0xBF, ..] => Some((label::UTF_8, 3)),
        [0xFF, 0xFE, ..] => Some((label::UTF_16LE, 2)),
        [0xFE, 0xFF, ..] => Some((label::UTF_16BE, 2)),
        _ => None,
    }
}

/// The `charset` of a Content-Type header.
pub fn charset_of(content_type: &str) -> Option<&str> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
    })
}

/// Characters of several bytes that are UTF-8, and places where the bytes are not.
#[derive(Debug, Default)]
struct Utf8 {
    whole: usize,
    broken: usize,
}

impl Utf8 {
    fn look(bytes: &[u8]) -> Self {
        let mut found = Self::default();
        let window = bytes.get(..UTF8_WINDOW).unwrap_or(bytes);
        let cut = window.len() < bytes.len();
        let mut chunks = window.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            let text = chunk.valid();
            found.whole += if text.is_ascii() {
                0
            } else {
                text.chars().filter(|c| !c.is_ascii()).count()
            };
            let last = chunks.peek().is_none();
            // A character that the end cuts in two does not count against it.
            let torn = last && (cut || is_torn(chunk.invalid()));
            if !chunk.invalid().is_empty() && !torn {
                found.broken += 1;
            }
        }
        found
    }
}

/// Whether these bytes begin a character and end before it does.
fn is_torn(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// A page as text, and the encoding it was in.
#[cfg(feature = "decode")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without byte order mark; what the encoding does not explain is U+FFFD.
    pub text: String,
    /// The label of the encoding.
    pub encoding: &'static str,
}

/// Decodes a page. `declared` is the `charset` of the response's Content-Type, if it had one.
#[cfg(feature = "decode")]
pub fn decode(bytes: &[u8], declared: Option<&str>) -> Decoded {
    let label = detect(bytes, declared);
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap_or(encoding_rs::UTF_8);
    let (text, _) = encoding.decode_with_bom_removal(bytes);
    Decoded {
        text: text.into_owned(),
        encoding: label,
    }
}
