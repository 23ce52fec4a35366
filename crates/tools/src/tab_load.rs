//! Whether a tab has loaded the address it was given, and waiting until it has.

use futures::future::{Either, select};
use tabwright_host::{Host, HostErrorKind};
use tabwright_protocol::{MAX_TAB_WAIT_MILLIS, Tab, TabId, TabProgress, TabStatus};

use crate::ToolError;

/// How long a load is waited for, in milliseconds.
const LIMIT: u64 = 30_000;
/// The first answer has waited for that long already.
const LIMIT_AFTER_FIRST: u64 = LIMIT - MAX_TAB_WAIT_MILLIS as u64;
/// Between two questions, in milliseconds.
const PAUSE: u64 = 50;
/// After a question that the browser's side was away for, in milliseconds.
const LONG_PAUSE: u64 = 300;

/// What was asked of a tab.
pub(crate) struct Asked {
    /// The address.
    pub(crate) url: String,
    /// The tab as it was; none for a new one.
    pub(crate) before: Option<TabProgress>,
}

/// How a load is.
#[derive(Debug, PartialEq, Eq)]
enum Load {
    Going,
    Done,
    /// An error page came, with Chrome's word for why.
    Failed(String),
    /// It ended, and no page came.
    Nothing,
}

/// The tab once it has loaded, or with the status `loading` when that takes too long. `first` is
/// what the call that began the load answered.
pub(crate) async fn until_loaded(
    host: &Host,
    asked: &Asked,
    first: TabProgress,
) -> Result<Tab, ToolError> {
    let tab = shown(&first);
    let loading = Tab {
        status: TabStatus::Loading,
        ..tab
    };
    let id = loading.id;
    let ended = Box::pin(watch(host, asked, first));
    let ended = match select(ended, host.clock.sleep(LIMIT_AFTER_FIRST)).await {
        Either::Left((ended, _)) => ended,
        Either::Right(_) => last_look(host, asked, loading).await,
    };
    match ended {
        Err(error) if asked.before.is_none() => Err(closing(host, id, error).await),
        Ok(_) | Err(_) => ended,
    }
}

/// A tab that was opened for a download closes by itself a moment later.
async fn closing(host: &Host, id: TabId, error: ToolError) -> ToolError {
    host.clock.sleep(LONG_PAUSE).await;
    match host.tabs.progress(id, 0).await {
        Err(gone) if gone.kind == HostErrorKind::NotFound => closed(Some(id)),
        Ok(_) | Err(_) => error,
    }
}

/// The tab, with the address that it is about to show where it shows none.
pub(crate) fn shown(progress: &TabProgress) -> Tab {
    let mut tab = progress.tab.clone();
    if tab.url.is_empty() {
        tab.url = progress.pending.clone().unwrap_or_default();
    }
    tab
}

async fn watch(host: &Host, asked: &Asked, first: TabProgress) -> Result<Tab, ToolError> {
    let mut progress = first;
    loop {
        if let Some(end) = end_of(&progress, asked) {
            return end;
        }
        let id = progress.tab.id;
        let pause = match host.tabs.progress(id, MAX_TAB_WAIT_MILLIS).await {
            Ok(next) => {
                progress = next;
                PAUSE
            }
            Err(error) => match error.kind {
                HostErrorKind::NotFound => return Err(closed(Some(id))),
                // To look once more changes nothing.
                HostErrorKind::Unavailable | HostErrorKind::Timeout => LONG_PAUSE,
                HostErrorKind::Invalid
                | HostErrorKind::Denied
                | HostErrorKind::Full
                | HostErrorKind::Locked
                | HostErrorKind::Failed => return Err(error.into()),
            },
        };
        if end_of(&progress, asked).is_none() {
            host.clock.sleep(pause).await;
        }
    }
}

/// The time is over.
async fn last_look(host: &Host, asked: &Asked, loading: Tab) -> Result<Tab, ToolError> {
    let progress = match host.tabs.progress(loading.id, 0).await {
        Ok(progress) => progress,
        Err(error) if error.kind == HostErrorKind::NotFound => {
            return Err(closed(Some(loading.id)));
        }
        Err(_) => return Ok(loading),
    };
    if let Some(end) = end_of(&progress, asked) {
        return end;
    }
    // An unfinished page stays as it is when the next address gives none.
    if progress.pending.is_none() && is_as_before(&progress, asked) {
        return Err(nothing(&progress, asked));
    }
    Ok(Tab {
        status: TabStatus::Loading,
        ..shown(&progress)
    })
}

/// How the load ended, if it has.
fn end_of(progress: &TabProgress, asked: &Asked) -> Option<Result<Tab, ToolError>> {
    match judge(progress, asked) {
        Load::Going => None,
        Load::Done => Some(Ok(shown(progress))),
        Load::Failed(reason) => Some(Err(failed(progress.tab.id, &reason))),
        Load::Nothing => Some(Err(nothing(progress, asked))),
    }
}

fn judge(progress: &TabProgress, asked: &Asked) -> Load {
    let document_before = asked
        .before
        .as_ref()
        .and_then(|before| before.document.as_ref());
    let is_other = progress.document.as_ref() != document_before;
    if let (Some(reason), true) = (&progress.failure, is_other) {
        return Load::Failed(reason.clone());
    }
    let is_going = match progress.tab.status {
        TabStatus::Loading => true,
        TabStatus::Complete | TabStatus::Unloaded => progress.pending.is_some(),
    };
    if is_going {
        return Load::Going;
    }
    let is_empty = progress.tab.url.is_empty();
    if is_empty || is_as_before(progress, asked) {
        return Load::Nothing;
    }
    Load::Done
}

/// Whether the tab shows what it showed before, and that is not what was asked for. A jump inside
/// the page keeps the document and changes the address.
fn is_as_before(progress: &TabProgress, asked: &Asked) -> bool {
    let Some(before) = &asked.before else {
        return false;
    };
    progress.document == before.document
        && progress.tab.url == before.tab.url
        && progress.tab.url != asked.url
}

fn failed(id: TabId, reason: &str) -> ToolError {
    let advice = advice(reason);
    ToolError::reply(
        "load_failed",
        format!(
            "The page could not be loaded: {reason}.{advice} Tab {} is open and shows the error.",
            id.0
        ),
    )
}

/// What the model can make of the commonest reasons.
fn advice(reason: &str) -> &'static str {
    if reason.starts_with("net::ERR_CERT_") || reason.starts_with("net::ERR_SSL_") {
        return " The server's certificate is not trusted; only the person may decide to go on.";
    }
    match reason {
        "net::ERR_NAME_NOT_RESOLVED" => " There is no such host: check its spelling.",
        "net::ERR_CONNECTION_REFUSED" => " Nothing answers at that port.",
        "net::ERR_INTERNET_DISCONNECTED" => " This computer is offline.",
        "net::ERR_HTTP_RESPONSE_CODE_FAILURE" => " The server answered with an HTTP error.",
        "net::ERR_TOO_MANY_REDIRECTS" => " The server sends it round in circles.",
        _ => "",
    }
}

fn nothing(progress: &TabProgress, asked: &Asked) -> ToolError {
    let id = progress.tab.id.0;
    let left = match asked.before {
        Some(_) => format!("Tab {id} still shows the page before"),
        None => format!("Tab {id} is open and empty"),
    };
    ToolError::reply(
        "no_page",
        format!(
            "The server sent no page for this address: it may be a download or an empty answer. {left}."
        ),
    )
}

/// The tab went before its page came. A new one may have gone before its id was told.
pub(crate) fn closed(id: Option<TabId>) -> ToolError {
    let tab = id.map_or("The new tab".to_owned(), |id| format!("Tab {}", id.0));
    ToolError::reply(
        "tab_closed",
        format!(
            "{tab} closed before its page was loaded: the address may be a download, or somebody closed it."
        ),
    )
}
