//! The WASM binding: the only crate that names wasm-bindgen. No logic.
//!
//! Out goes one class, [`Core`]; in comes one object, [`JsHost`]. Values cross as
//! JSON-compatible objects, bytes as `Uint8Array`. A method with an `if` about the domain in here
//! is a bug.

#![cfg(target_family = "wasm")]

mod database;
mod files;
mod host;
mod http;
mod locale;
mod tabs;

use futures::channel::mpsc::UnboundedSender;
use futures::future::LocalBoxFuture;
use std::cell::RefCell;
use tabwright_protocol::OpEnvelope;
use wasm_bindgen::prelude::*;

pub use host::JsHost;

/// The core: ops in by [`Core::submit`], events out by the host's `emit`.
#[wasm_bindgen]
pub struct Core {
    ops: UnboundedSender<OpEnvelope>,
    run: RefCell<Option<LocalBoxFuture<'static, ()>>>,
}

#[wasm_bindgen]
impl Core {
    /// A core over this host. Nothing happens before [`Core::start`].
    #[wasm_bindgen(constructor)]
    pub fn new(host: JsHost) -> Self {
        std::panic::set_hook(Box::new(|panic| host::console_error(&panic.to_string())));
        let host = host::from_js(host);
        let (ops, run) =
            tabwright_agent::core(host, Box::new(database::open), tabwright_tools::builtin());
        Self {
            ops,
            run: RefCell::new(Some(run)),
        }
    }

    /// Lets the core live: it opens the database, goes on with what was interrupted, and takes ops.
    pub fn start(&self) {
        if let Some(run) = self.run.borrow_mut().take() {
            wasm_bindgen_futures::spawn_local(run);
        }
    }

    /// Takes an op. Ops that come before the database is open wait. False when the core has ended.
    pub fn submit(&self, envelope: JsValue) -> Result<bool, JsError> {
        let envelope = host::from_js_value(&envelope)
            .map_err(|error| JsError::new(&format!("this is not an op: {error}")))?;
        Ok(self.ops.unbounded_send(envelope).is_ok())
    }
}
