//! The host traits over one JavaScript object.

use std::cell::Cell;
use std::rc::Rc;

use futures::future::LocalBoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tabwright_host::{
    Clock, Entropy, Host, HostError, HostErrorKind, Lifecycle, PageText, Reader, Texts, Views,
};
use tabwright_protocol::{BrokerCall, BrokerReply, BrokerValue, EventEnvelope, Millis, OriginRule};
use wasm_bindgen::prelude::*;

use crate::files::JsFiles;
use crate::http::JsHttp;
use crate::locale::JsLocale;

#[wasm_bindgen]
extern "C" {
    /// What the core is handed by its worker (`extension/host.ts`).
    #[derive(Clone)]
    pub type JsHost;

    #[wasm_bindgen(method, catch)]
    async fn broker(this: &JsHost, call: JsValue) -> Result<JsValue, JsValue>;

    /// Sends a request; ends when the head of the response is there.
    #[wasm_bindgen(method, catch)]
    pub async fn http_open(this: &JsHost, id: u32, request: JsValue) -> Result<JsValue, JsValue>;

    /// The next bytes of its body, null at the end.
    #[wasm_bindgen(method, catch)]
    pub async fn http_read(this: &JsHost, id: u32) -> Result<JsValue, JsValue>;

    /// Gives it up, however far it is.
    #[wasm_bindgen(method)]
    pub fn http_close(this: &JsHost, id: u32);

    /// The bytes of a file.
    #[wasm_bindgen(method, catch)]
    pub async fn files_read(this: &JsHost, path: &str) -> Result<JsValue, JsValue>;

    /// Its first bytes, and how long it is.
    #[wasm_bindgen(method, catch)]
    pub async fn files_head(this: &JsHost, path: &str, max: u32) -> Result<JsValue, JsValue>;

    /// An address of it.
    #[wasm_bindgen(method, catch)]
    pub async fn files_blob_url(this: &JsHost, path: &str, mime: &str) -> Result<JsValue, JsValue>;

    /// Writes a whole file, all or nothing.
    #[wasm_bindgen(method, catch)]
    pub async fn files_write(this: &JsHost, path: &str, bytes: JsValue)
    -> Result<JsValue, JsValue>;

    /// What a directory holds.
    #[wasm_bindgen(method, catch)]
    pub async fn files_list(this: &JsHost, path: &str) -> Result<JsValue, JsValue>;

    /// Removes a file or directory.
    #[wasm_bindgen(method, catch)]
    pub async fn files_remove(this: &JsHost, path: &str) -> Result<JsValue, JsValue>;

    /// The content of a page, as JSON text.
    #[wasm_bindgen(method, catch)]
    async fn read_page(
        this: &JsHost,
        body: JsValue,
        mime: &str,
        url: &str,
    ) -> Result<JsValue, JsValue>;

    /// The text of bytes in an encoding.
    #[wasm_bindgen(method, catch)]
    fn decode(this: &JsHost, label: &str, bytes: &[u8]) -> Result<String, JsValue>;

    #[wasm_bindgen(method)]
    fn emit(this: &JsHost, envelope: JsValue);

    #[wasm_bindgen(method, catch)]
    async fn sleep(this: &JsHost, id: u32, millis: f64) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method)]
    fn sleep_cancel(this: &JsHost, id: u32);

    #[wasm_bindgen(method)]
    fn now(this: &JsHost) -> f64;

    #[wasm_bindgen(method)]
    fn random(this: &JsHost) -> u32;

    #[wasm_bindgen(method)]
    fn rest(this: &JsHost);

    /// The person's language and time zone, with the offset it has at that moment.
    #[wasm_bindgen(method)]
    pub fn locale(this: &JsHost, at: f64) -> JsValue;
}

#[wasm_bindgen]
extern "C" {
    /// Where a panic leaves its place in the source before the core ends.
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    pub fn console_error(text: &str);
}

/// The host made of it.
pub fn from_js(js: JsHost) -> Host {
    let bridge = Rc::new(Bridge {
        js: js.clone(),
        sleeps: Cell::new(0),
    });
    Host {
        http: Rc::new(JsHttp::new(js.clone())),
        tabs: bridge.clone(),
        files: Rc::new(JsFiles::new(js.clone())),
        clock: bridge.clone(),
        entropy: bridge.clone(),
        views: bridge.clone(),
        lifecycle: bridge.clone(),
        reader: bridge.clone(),
        texts: bridge,
        locale: Rc::new(JsLocale::new(js)),
    }
}

/// The host traits that need nothing but their one call.
pub struct Bridge {
    js: JsHost,
    /// The number of the last sleep.
    sleeps: Cell<u32>,
}

/// A timer, which is cancelled when nobody waits for it any more.
struct Sleep {
    js: JsHost,
    id: u32,
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.js.sleep_cancel(self.id);
    }
}

impl Bridge {
    fn call(
        &self,
        name: &'static str,
        call: &BrokerCall,
    ) -> LocalBoxFuture<'static, Result<BrokerValue, HostError>> {
        let js = self.js.clone();
        let call = to_js(call);
        Box::pin(async move {
            let broken = |what: String| HostError::new(name, HostErrorKind::Failed, what);
            let reply = js
                .broker(call)
                .await
                .map_err(|error| broken(message_of(&error)))?;
            match from_js_value(&reply) {
                Ok(BrokerReply::Ok { value }) => Ok(value),
                Ok(BrokerReply::Error { kind, message }) => {
                    Err(HostError::new(name, kind.into(), message))
                }
                Err(error) => Err(broken(error)),
            }
        })
    }

    /// A call whose answer is of the kind that `pick` takes.
    pub fn want<T: 'static>(
        &self,
        name: &'static str,
        call: &BrokerCall,
        pick: fn(BrokerValue) -> Option<T>,
    ) -> LocalBoxFuture<'static, Result<T, HostError>> {
        let reply = self.call(name, call);
        Box::pin(async move { pick(reply.await?).ok_or_else(|| unexpected(name)) })
    }

    /// A call whose answer says only that it was done.
    pub fn done(
        &self,
        name: &'static str,
        call: &BrokerCall,
    ) -> LocalBoxFuture<'static, Result<(), HostError>> {
        self.want(name, call, |value| match value {
            BrokerValue::Done => Some(()),
            BrokerValue::Tabs { .. } | BrokerValue::Tab { .. } | BrokerValue::Progress { .. } => {
                None
            }
        })
    }
}

impl Lifecycle for Bridge {
    fn keep_waking(&self, on: bool) -> LocalBoxFuture<'static, Result<(), HostError>> {
        self.done("lifecycle.keep_waking", &BrokerCall::KeepWaking { on })
    }

    fn local_origins(
        &self,
        rules: Vec<OriginRule>,
    ) -> LocalBoxFuture<'static, Result<(), HostError>> {
        self.done(
            "lifecycle.local_origins",
            &BrokerCall::LocalOrigins { rules },
        )
    }

    fn rest(&self) {
        self.js.rest();
    }
}

impl Clock for Bridge {
    // A time after 1970 and below 2^53 milliseconds loses nothing.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn now(&self) -> Millis {
        Millis(self.js.now() as u64)
    }

    #[allow(clippy::cast_precision_loss)]
    fn sleep(&self, millis: u64) -> LocalBoxFuture<'static, ()> {
        let id = self.sleeps.get().wrapping_add(1);
        self.sleeps.set(id);
        let sleep = Sleep {
            js: self.js.clone(),
            id,
        };
        Box::pin(async move {
            // It has no way to fail; should it, waking early is the harmless side.
            let _ = sleep.js.sleep(sleep.id, millis as f64).await;
        })
    }
}

impl Entropy for Bridge {
    fn next(&self) -> u64 {
        (u64::from(self.js.random()) << 32) | u64::from(self.js.random())
    }
}

impl Reader for Bridge {
    fn page(
        &self,
        body: Vec<u8>,
        content_type: &str,
        url: &str,
    ) -> LocalBoxFuture<'static, Result<PageText, HostError>> {
        const NAME: &str = "reader.page";
        let js = self.js.clone();
        let (content_type, url) = (content_type.to_owned(), url.to_owned());
        Box::pin(async move {
            let bytes = js_sys::Uint8Array::from(body.as_slice());
            drop(body);
            let answer = js.read_page(bytes.into(), &content_type, &url).await;
            let answer = answer
                .map_err(|error| HostError::new(NAME, HostErrorKind::Failed, message_of(&error)))?;
            serde_json::from_str(&answer.as_string().unwrap_or_default())
                .map_err(|error| HostError::new(NAME, HostErrorKind::Failed, error.to_string()))
        })
    }
}

impl Texts for Bridge {
    fn decode(&self, label: &str, bytes: &[u8]) -> Result<String, HostError> {
        self.js.decode(label, bytes).map_err(|error| {
            HostError::new("texts.decode", HostErrorKind::Invalid, message_of(&error))
        })
    }
}

impl Views for Bridge {
    fn emit(&self, event: EventEnvelope) {
        self.js.emit(to_js(&event));
    }
}

fn unexpected(call: &'static str) -> HostError {
    HostError::new(
        call,
        HostErrorKind::Failed,
        "the broker answered with something else",
    )
}

/// A value as a plain JavaScript object. It crosses as JSON text: one reader and one writer serve
/// everything, which makes the program a good deal smaller than a second pair of them.
pub fn to_js<T: Serialize>(value: &T) -> JsValue {
    // Our own types always serialise; `undefined` is refused by whoever receives it.
    let text = serde_json::to_string(value).unwrap_or_default();
    js_sys::JSON::parse(&text).unwrap_or(JsValue::UNDEFINED)
}

/// A plain JavaScript object as a value; the error says what does not fit.
pub fn from_js_value<T: DeserializeOwned>(value: &JsValue) -> Result<T, String> {
    let text = js_sys::JSON::stringify(value).map_err(|error| message_of(&error))?;
    // `undefined` has no JSON: it comes back as itself.
    let text = text.as_string().unwrap_or_default();
    serde_json::from_str(&text)
        .or_else(|_| serde_json::from_str(&tabwright_tools::without_halves(&text)))
        .map_err(|error| error.to_string())
}

/// The words of a JavaScript error.
pub fn message_of(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => format!("{error:?}"),
    }
}
