//! A server's answer, whole: where it leads is looked at before it is gone to.

use std::time::Duration;

use futures::StreamExt;
use futures::future::{Either, select};
use tabwright_host::{Host, HttpRequest, HttpResponse, Method, Redirects};
use url::Url;

use super::fetch_address;
use crate::ToolError;

/// The largest body that is read, in bytes.
pub(crate) const BODY_LIMIT: usize = 10_000_000;
/// As many times a server may send on.
const MAX_REDIRECTS: usize = 10;

/// What a server answered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Download {
    /// The address that answered.
    pub(crate) url: Url,
    /// The header `content-type`; empty when there is none.
    pub(crate) content_type: String,
    /// The body, decompressed.
    pub(crate) body: Vec<u8>,
}

/// Reads an address. `limit` is for all of it, with whatever it is sent on to.
pub(crate) async fn download(
    host: &Host,
    url: Url,
    accept: &str,
    limit: Duration,
) -> Result<Download, ToolError> {
    let work = Box::pin(follow(host, url, accept));
    let seconds = limit.as_secs();
    match select(work, host.clock.sleep(seconds * 1_000)).await {
        Either::Left((result, _)) => result,
        Either::Right(_) => Err(ToolError::reply(
            "timeout",
            format!(
                "The page was not there after {seconds} s. Try again in a moment, or open it in a tab."
            ),
        )),
    }
}

async fn follow(host: &Host, asked: Url, accept: &str) -> Result<Download, ToolError> {
    let mut url = asked;
    for _ in 0..=MAX_REDIRECTS {
        let response = host.http.send(request(&url, accept)).await?;
        let Some(next) = redirect(&response, &url)? else {
            return body_of(response, url).await;
        };
        url = next;
    }
    Err(ToolError::reply(
        "too_many_redirects",
        format!("The server sends on more than {MAX_REDIRECTS} times. Open the address in a tab."),
    ))
}

fn request(url: &Url, accept: &str) -> HttpRequest {
    let mut bare = url.clone();
    bare.set_fragment(None);
    HttpRequest {
        method: Method::Get,
        url: bare.into(),
        headers: vec![("accept".into(), accept.to_owned())],
        body: Vec::new(),
        redirects: Redirects::Told,
    }
}

/// Where the answer leads, if it leads elsewhere and that may be read.
fn redirect(response: &HttpResponse, from: &Url) -> Result<Option<Url>, ToolError> {
    let Some(location) = response.header("location") else {
        return Ok(None);
    };
    if !matches!(response.status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let whole = from
        .join(location)
        .map_or_else(|_| location.to_owned(), String::from);
    let mut next = fetch_address(&whole).map_err(|error| match error {
        ToolError::Reply { code, message, .. } => ToolError::outside(
            &code,
            format!("The server sends on to an address that is not read. {message}"),
        ),
        other @ (ToolError::Host(_) | ToolError::Fatal(_)) => other,
    })?;
    // As a browser does: the part of the page that was asked for stays, unless another is named.
    if next.fragment().is_none() {
        next.set_fragment(from.fragment());
    }
    Ok(Some(next))
}

async fn body_of(mut response: HttpResponse, url: Url) -> Result<Download, ToolError> {
    if !(200..300).contains(&response.status) {
        return Err(status_error(response.status));
    }
    let content_type = response
        .header("content-type")
        .unwrap_or_default()
        .to_owned();
    let mut body = Vec::new();
    while let Some(bytes) = response.body.next().await {
        body.extend(bytes?);
        if body.len() > BODY_LIMIT {
            return Err(ToolError::reply(
                "too_large",
                format!(
                    "The answer is longer than {} MB, which is not read. Open it in a tab.",
                    BODY_LIMIT / 1_000_000
                ),
            ));
        }
    }
    Ok(Download {
        url,
        content_type,
        body,
    })
}

fn status_error(status: u16) -> ToolError {
    let (reason, advice) = match status {
        400 => ("bad request", "Look at the address again."),
        401 => (
            "sign-in required",
            "Open it in a tab, where the person may be signed in.",
        ),
        403 => (
            "forbidden",
            "The server may refuse programs: open it in a tab.",
        ),
        404 | 410 => (
            "not found",
            "Look for the right address, for example by a link of another page.",
        ),
        405 => ("only for other requests", "This address is no page."),
        429 => ("too many requests", "Wait a while, or open it in a tab."),
        451 => ("unavailable for legal reasons", "Look for another source."),
        500..=599 => (
            "the server failed",
            "Try again in a moment, or open it in a tab.",
        ),
        _ => ("no page", "Open it in a tab."),
    };
    ToolError::reply(
        "http_status",
        format!("The server answered with status {status} ({reason}). {advice}"),
    )
}
