//! The WASM binding: the only crate that names wasm-bindgen. No logic.
