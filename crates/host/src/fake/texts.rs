//! The encodings of the web, natively.

use crate::texts::unknown;
use crate::{HostError, Texts};

/// The encodings of the web, by a library that follows the same standard as the browser.
#[derive(Clone, Copy, Default)]
pub struct FakeTexts;

impl Texts for FakeTexts {
    fn decode(&self, label: &str, bytes: &[u8]) -> Result<String, HostError> {
        let encoding =
            encoding_rs::Encoding::for_label(label.as_bytes()).ok_or_else(|| unknown(label))?;
        let (text, _) = encoding.decode_with_bom_removal(bytes);
        Ok(text.into_owned())
    }
}
