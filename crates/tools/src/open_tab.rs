//! `open_tab`: a page in a new tab, or another page in a tab that is there.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tabwright_host::{Host, HostErrorKind, LocalBoxFuture, NewTab};
use tabwright_protocol::{MAX_TAB_WAIT_MILLIS, TabId, TabProgress, WindowId};

use crate::page_address::page_address;
use crate::tab_load::{Asked, closed, shown, until_loaded};
use crate::tab_row::tab_row;
use crate::tool::ToolResult;
use crate::{Access, Declaration, Effects, Replay, Tool, ToolContext, ToolError, ToolOutput};

/// The tool.
pub struct OpenTab;

/// Its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct OpenTabInput {
    /// http(s) address, or about:blank.
    pub url: String,
    /// Navigate this tab instead of opening one.
    pub tab_id: Option<i32>,
    /// Show the tab in its window. Default true.
    pub active: Option<bool>,
    /// Window of the new tab.
    pub window_id: Option<i32>,
    /// Default true; waits at most 30 s, then status is "loading".
    pub wait_until_loaded: Option<bool>,
}

impl Tool for OpenTab {
    type Input = OpenTabInput;

    fn declaration(&self, schema: Value) -> Declaration {
        Declaration {
            name: "open_tab".into(),
            title: "Open a tab".into(),
            description: "Open a page in a new tab, or navigate an open one.".into(),
            schema,
            access: Access::Write,
            // Once more would be a second tab, or a page that is sent a form twice.
            replay: Replay::BareWrite,
            concurrent: false,
            // An address carries data to its server.
            effects: Effects::TABS.union(Effects::NETWORK),
            untrusted: true,
        }
    }

    fn run(&self, cx: ToolContext, input: OpenTabInput) -> LocalBoxFuture<'static, ToolResult> {
        Box::pin(async move {
            let url = page_address(&input.url)?;
            let waits = input.wait_until_loaded.unwrap_or(true);
            let before = match input.tab_id {
                Some(id) => Some(tab_before(&cx.host, TabId(id), input.window_id).await?),
                None => None,
            };
            let asked = Asked { url, before };
            let progress = begin(&cx.host, &asked, &input, waits).await?;
            let tab = if waits {
                until_loaded(&cx.host, &asked, progress).await?
            } else {
                shown(&progress)
            };
            let value = tab_row(tab, &["active", "audible"])?;
            Ok(ToolOutput { value })
        })
    }
}

/// The tab that is to be navigated, as it is before.
async fn tab_before(host: &Host, id: TabId, window: Option<i32>) -> Result<TabProgress, ToolError> {
    let before = host.tabs.progress(id, 0).await?;
    let actual = before.tab.window_id;
    if window.is_some_and(|window| WindowId(window) != actual) {
        return Err(ToolError::reply(
            "wrong_window",
            format!(
                "Tab {} is in window {} and stays there. Leave `window_id` out, or open a new tab.",
                id.0, actual.0
            ),
        ));
    }
    Ok(before)
}

async fn begin(
    host: &Host,
    asked: &Asked,
    input: &OpenTabInput,
    waits: bool,
) -> Result<TabProgress, ToolError> {
    let active = input.active.unwrap_or(true);
    let wait_millis = if waits { MAX_TAB_WAIT_MILLIS } else { 0 };
    let began = match &asked.before {
        Some(before) => {
            let id = before.tab.id;
            host.tabs.navigate(id, &asked.url, active, wait_millis)
        }
        None => {
            let window = input.window_id.map(WindowId);
            check_window(host, window).await?;
            let tab = NewTab {
                url: asked.url.clone(),
                active,
                window,
            };
            host.tabs.open(tab, wait_millis)
        }
    };
    // The tab, or its window, was there: it went while its load was waited for.
    began.await.map_err(|error| match error.kind {
        HostErrorKind::NotFound => closed(asked.before.as_ref().map(|before| before.tab.id)),
        HostErrorKind::Invalid
        | HostErrorKind::Denied
        | HostErrorKind::Unavailable
        | HostErrorKind::Timeout
        | HostErrorKind::Full
        | HostErrorKind::Locked
        | HostErrorKind::Failed => error.into(),
    })
}

async fn check_window(host: &Host, window: Option<WindowId>) -> Result<(), ToolError> {
    let Some(window) = window else {
        return Ok(());
    };
    let tabs = host.tabs.list().await?;
    if tabs.iter().any(|tab| tab.window_id == window) {
        return Ok(());
    }
    Err(ToolError::reply(
        "no_such_window",
        format!(
            "There is no window {}. Leave `window_id` out, or use a `windowId` of list_tabs.",
            window.0
        ),
    ))
}
