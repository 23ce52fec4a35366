//! What Node calls.

use wasm_bindgen::prelude::*;

use crate::{FORMATS, Reader, read, stream};

fn format(name: &str) -> Result<tabwright_protocol::ProviderKind, JsError> {
    let known = FORMATS.iter().find(|(known, _)| *known == name);
    known
        .map(|(_, format)| *format)
        .ok_or_else(|| JsError::new("There is no such format."))
}

/// The recorded body of an answer in that format.
#[wasm_bindgen]
pub fn recorded(name: &str) -> Result<Vec<u8>, JsError> {
    Ok(stream(format(name)?))
}

/// A body inside the WASM memory, so that bringing it there is not measured.
#[wasm_bindgen]
pub struct Body {
    format: tabwright_protocol::ProviderKind,
    bytes: Vec<u8>,
}

#[wasm_bindgen]
impl Body {
    /// The recorded body of an answer in that format.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str) -> Result<Body, JsError> {
        let format = format(name)?;
        let bytes = stream(format);
        Ok(Self { format, bytes })
    }

    /// Reads it in pieces; the bytes of text, thinking and arguments that came of it.
    pub fn read(&self, ours: bool, piece: usize) -> Result<Vec<u32>, JsError> {
        let reader = if ours { Reader::Ours } else { Reader::Peer };
        let said = read(reader, self.format, &self.bytes, piece).map_err(|it| JsError::new(&it))?;
        let lengths = said
            .lengths()
            .map(|length| u32::try_from(length).unwrap_or(u32::MAX));
        Ok(lengths.to_vec())
    }
}
