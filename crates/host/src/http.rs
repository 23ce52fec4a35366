//! Requests to the network.

use futures::future::LocalBoxFuture;
use futures::stream::LocalBoxStream;

use crate::HostError;

/// A request. Sent without cookies and without a referrer. No redirect is followed: what follows
/// one decides first whether it may go there.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// GET or POST.
    pub method: Method,
    /// An absolute http or https address, or a `builtin:` one, which goes to the browser's own
    /// model and to no network.
    pub url: String,
    /// Header names and values. Values may be secret: they are left out of `{:?}`.
    pub headers: Vec<(String, String)>,
    /// The body, empty for GET.
    pub body: Vec<u8>,
    /// What becomes of an answer that names another address.
    pub redirects: Redirects,
}

/// What becomes of an answer that names another address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Redirects {
    /// It is an error: the headers may hold a key, and the other address may be anyone's.
    #[default]
    Refused,
    /// It is a response like any other, whose header `location` is the whole other address. It has
    /// no other header and no body.
    Told,
}

/// How a request is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Sends a body.
    Post,
}

impl Method {
    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

impl std::fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("url", &self.url)
            .field("headers", &names)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .field("redirects", &self.redirects)
            .finish()
    }
}

/// A body, as it arrives. Dropping it aborts the request.
pub type ByteStream = LocalBoxStream<'static, Result<Vec<u8>, HostError>>;

/// A response whose head has arrived.
pub struct HttpResponse {
    /// The status code.
    pub status: u16,
    /// The address it came from.
    pub url: String,
    /// Header names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body, as it arrives.
    pub body: ByteStream,
}

impl HttpResponse {
    /// The first value of a header, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Requests to the network.
pub trait Http {
    /// Sends a request and waits for the head of the response. Any status is a success here;
    /// an error means that no response came. Dropping the future aborts the request.
    fn send(
        &self,
        request: HttpRequest,
    ) -> LocalBoxFuture<'static, Result<HttpResponse, HostError>>;
}

/// No network.
pub struct NullHttp;

impl Http for NullHttp {
    fn send(&self, _: HttpRequest) -> LocalBoxFuture<'static, Result<HttpResponse, HostError>> {
        Box::pin(async { Err(HostError::absent("http.send")) })
    }
}
