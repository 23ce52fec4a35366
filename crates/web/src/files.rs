//! `Files` over the extension's own file system.

use futures::future::LocalBoxFuture;
use serde::Deserialize;
use tabwright_host::{Entry, EntryKind, FileHead, Files, HostError, HostErrorKind};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use crate::host::{JsHost, from_js_value, message_of};

/// `Files` over the extension's own file system.
pub struct JsFiles(JsHost);

impl JsFiles {
    /// Over this host.
    pub fn new(js: JsHost) -> Self {
        Self(js)
    }
}

#[derive(Deserialize)]
struct JsEntry {
    name: String,
    /// None for a directory. JavaScript counts in floats.
    size: Option<f64>,
}

impl Files for JsFiles {
    fn read(&self, path: &str) -> LocalBoxFuture<'static, Result<Vec<u8>, HostError>> {
        let (js, path) = (self.0.clone(), path.to_owned());
        Box::pin(async move {
            let told = |error: JsValue| failure("files.read", &error);
            bytes_of("files.read", js.files_read(&path).await.map_err(told)?)
        })
    }

    fn head(
        &self,
        path: &str,
        max_bytes: u32,
    ) -> LocalBoxFuture<'static, Result<FileHead, HostError>> {
        const CALL: &str = "files.head";
        let (js, path) = (self.0.clone(), path.to_owned());
        Box::pin(async move {
            let head = js.files_head(&path, max_bytes).await;
            let head = head.map_err(|error| failure(CALL, &error))?;
            let field = |name: &str| js_sys::Reflect::get(&head, &name.into());
            let field = |name: &str| field(name).map_err(|error| failure(CALL, &error));
            let size = field("size")?.as_f64();
            Ok(FileHead {
                bytes: bytes_of(CALL, field("bytes")?)?,
                size: size.map(whole).ok_or_else(|| unexpected(CALL))?,
            })
        })
    }

    fn blob_url(
        &self,
        path: &str,
        mime_type: &str,
    ) -> LocalBoxFuture<'static, Result<String, HostError>> {
        const CALL: &str = "files.blob_url";
        let (js, path, mime) = (self.0.clone(), path.to_owned(), mime_type.to_owned());
        Box::pin(async move {
            let url = js.files_blob_url(&path, &mime).await;
            let url = url.map_err(|error| failure(CALL, &error))?;
            url.as_string().ok_or_else(|| unexpected(CALL))
        })
    }

    fn write(&self, path: &str, bytes: Vec<u8>) -> LocalBoxFuture<'static, Result<(), HostError>> {
        let (js, path) = (self.0.clone(), path.to_owned());
        Box::pin(async move {
            let bytes = js_sys::Uint8Array::from(bytes.as_slice());
            let written = js.files_write(&path, bytes.into()).await;
            let written = written.map_err(|error| failure("files.write", &error));
            written.map(|_| ())
        })
    }

    fn list(&self, path: &str) -> LocalBoxFuture<'static, Result<Vec<Entry>, HostError>> {
        const CALL: &str = "files.list";
        let (js, path) = (self.0.clone(), path.to_owned());
        Box::pin(async move {
            let entries = js.files_list(&path).await;
            let entries = entries.map_err(|error| failure(CALL, &error))?;
            let entries: Vec<JsEntry> = from_js_value(&entries).map_err(|_| unexpected(CALL))?;
            Ok(entries.into_iter().map(entry).collect())
        })
    }

    fn remove(&self, path: &str) -> LocalBoxFuture<'static, Result<(), HostError>> {
        let (js, path) = (self.0.clone(), path.to_owned());
        Box::pin(async move {
            let removed = js.files_remove(&path).await;
            let removed = removed.map_err(|error| failure("files.remove", &error));
            removed.map(|_| ())
        })
    }
}

fn entry(entry: JsEntry) -> Entry {
    Entry {
        name: entry.name,
        kind: match entry.size {
            Some(size) => EntryKind::File { size: whole(size) },
            None => EntryKind::Directory,
        },
    }
}

/// A length is never negative and below 2^53.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole(number: f64) -> u64 {
    number as u64
}

fn bytes_of(call: &'static str, value: JsValue) -> Result<Vec<u8>, HostError> {
    let bytes = value.dyn_into::<js_sys::Uint8Array>();
    bytes
        .map(|bytes| bytes.to_vec())
        .map_err(|_| unexpected(call))
}

/// A `FileError` of `extension/files.ts`.
fn failure(call: &'static str, error: &JsValue) -> HostError {
    let kind = js_sys::Reflect::get(error, &"kind".into()).ok();
    let kind = match kind.and_then(|kind| kind.as_string()).as_deref() {
        Some("not_found") => HostErrorKind::NotFound,
        Some("invalid") => HostErrorKind::Invalid,
        Some("full") => HostErrorKind::Full,
        Some("locked") => HostErrorKind::Locked,
        Some(_) | None => HostErrorKind::Failed,
    };
    HostError::new(call, kind, message_of(error))
}

fn unexpected(call: &'static str) -> HostError {
    let message = "the worker answered with something else";
    HostError::new(call, HostErrorKind::Failed, message)
}
