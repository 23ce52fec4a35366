//! The WASM binding of the page reader. No logic.
//!
//! A module of its own beside the core: pages are hostile and large, and what reads them may run out
//! of memory or be ended in the middle without harm to any conversation. It is loaded with the first
//! page that is read, so the core starts without it.

#![cfg(target_family = "wasm")]

use tabwright_html::{charset, page};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn console_error(text: &str);
}

/// Makes a panic leave its place in the source. Once, before anything else.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| console_error(&panic.to_string())));
}

/// The encoding that bytes are in. `content_type` is the response's header, which may be empty.
#[wasm_bindgen]
pub fn encoding(bytes: &[u8], content_type: &str) -> String {
    charset::detect(bytes, charset::charset_of(content_type)).to_owned()
}

/// A page in UTF-8, as the JSON text of a `PageText`; bytes that are none become U+FFFD.
#[wasm_bindgen]
pub fn read_page(html: &[u8], url: &str) -> Result<String, JsError> {
    let page = page::read(&String::from_utf8_lossy(html), url);
    Ok(serde_json::to_string(&page)?)
}
