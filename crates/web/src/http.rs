//! `Http` over the worker's `fetch`.

use std::cell::Cell;
use std::rc::Rc;

use futures::future::LocalBoxFuture;
use futures::stream::{self, StreamExt};
use serde::{Deserialize, Serialize};
use tabwright_host::{HostError, HostErrorKind, Http, HttpRequest, HttpResponse, Redirects};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use crate::host::{JsHost, from_js_value, message_of, to_js};

/// `Http` over the worker's `fetch`.
pub struct JsHttp {
    js: JsHost,
    next: Cell<u32>,
}

impl JsHttp {
    /// Over this host.
    pub fn new(js: JsHost) -> Self {
        Self {
            js,
            next: Cell::new(0),
        }
    }
}

#[derive(Serialize)]
struct Head<'a> {
    method: &'a str,
    url: &'a str,
    headers: &'a [(String, String)],
    /// Null: bytes take its place, where there are any. A GET that has a body, even an empty one,
    /// is refused by the browser.
    body: Option<()>,
    /// Whether a redirect is told of.
    tell_redirects: bool,
}

#[derive(Deserialize)]
struct Answer {
    status: u16,
    url: String,
    headers: Vec<(String, String)>,
}

/// Aborts the request when it goes.
struct Open {
    js: JsHost,
    id: u32,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.js.http_close(self.id);
    }
}

impl Http for JsHttp {
    fn send(
        &self,
        request: HttpRequest,
    ) -> LocalBoxFuture<'static, Result<HttpResponse, HostError>> {
        let id = self.next.get();
        self.next.set(id.wrapping_add(1));
        let open = Rc::new(Open {
            js: self.js.clone(),
            id,
        });
        Box::pin(async move {
            let answer = open
                .js
                .http_open(id, request_to_js(&request))
                .await
                .map_err(|error| broken(&error))?;
            let answer: Answer = from_js_value(&answer).map_err(failed)?;
            let body = stream::unfold(Some(open), |open| async move {
                let open = open?;
                match open.js.http_read(open.id).await {
                    Ok(chunk) => {
                        let bytes = chunk.dyn_into::<js_sys::Uint8Array>().ok()?.to_vec();
                        Some((Ok(bytes), Some(open)))
                    }
                    Err(error) => Some((Err(broken(&error)), None)),
                }
            });
            Ok(HttpResponse {
                status: answer.status,
                url: answer.url,
                headers: answer.headers,
                // Asked again after its end, it has still ended.
                body: body.fuse().boxed_local(),
            })
        })
    }
}

fn request_to_js(request: &HttpRequest) -> JsValue {
    let object = to_js(&Head {
        method: request.method.as_str(),
        url: &request.url,
        headers: &request.headers,
        body: None,
        tell_redirects: match request.redirects {
            Redirects::Refused => false,
            Redirects::Told => true,
        },
    });
    if !request.body.is_empty() {
        let bytes = js_sys::Uint8Array::from(request.body.as_slice());
        // Setting a property of our own plain object cannot fail.
        let _ = js_sys::Reflect::set(&object, &"body".into(), &bytes);
    }
    object
}

fn broken(error: &JsValue) -> HostError {
    HostError::new("http.send", HostErrorKind::Unavailable, message_of(error))
}

fn failed(message: String) -> HostError {
    HostError::new("http.send", HostErrorKind::Failed, message)
}
