//! Bytes to text, in every encoding that the browser knows.

use crate::{HostError, HostErrorKind};

/// Bytes to text. The browser brings the tables for every encoding of the web, so the core has none.
pub trait Texts {
    /// The text of bytes in the encoding with this label (`gbk`, `windows-1252`), as the Encoding
    /// Standard of the WHATWG has it: what is no character becomes U+FFFD, and a byte order mark at
    /// the beginning is left out. A label that nobody knows is [`HostErrorKind::Invalid`].
    fn decode(&self, label: &str, bytes: &[u8]) -> Result<String, HostError>;
}

/// UTF-8, and nothing else.
pub struct NullTexts;

impl Texts for NullTexts {
    fn decode(&self, label: &str, bytes: &[u8]) -> Result<String, HostError> {
        if !matches!(label.trim().to_ascii_lowercase().as_str(), "utf-8" | "utf8") {
            return Err(unknown(label));
        }
        let text = String::from_utf8_lossy(bytes);
        Ok(text.strip_prefix('\u{FEFF}').unwrap_or(&text).to_owned())
    }
}

/// The error for a label that nobody knows.
pub(crate) fn unknown(label: &str) -> HostError {
    HostError::new(
        "texts.decode",
        HostErrorKind::Invalid,
        format!("no encoding is called {label:?}"),
    )
}
