//! `close_tab`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tabwright_host::{Host, HostErrorKind, LocalBoxFuture};
use tabwright_protocol::TabId;

use crate::tool::ToolResult;
use crate::{Access, Declaration, Effects, Replay, Tool, ToolContext, ToolError, ToolOutput};

/// How often it is looked whether the tab is gone, and the pause between, in milliseconds: its page
/// may hold it open until the person answers.
const LOOKS: u32 = 10;
const PAUSE: u64 = 100;

/// The tool.
pub struct CloseTab;

/// Its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct CloseTabInput {
    /// The tab's id.
    pub tab_id: i32,
}

impl Tool for CloseTab {
    type Input = CloseTabInput;

    fn declaration(&self, schema: Value) -> Declaration {
        Declaration {
            name: "close_tab".into(),
            title: "Close a tab".into(),
            description: "Close a tab. What was typed into its page is lost.".into(),
            schema,
            access: Access::Write,
            // After a restart of the browser an id may stand for another tab, and list_tabs tells
            // without any risk whether the first attempt worked.
            replay: Replay::BareWrite,
            concurrent: false,
            effects: Effects::TABS,
            untrusted: false,
        }
    }

    fn run(&self, cx: ToolContext, input: CloseTabInput) -> LocalBoxFuture<'static, ToolResult> {
        Box::pin(async move {
            let id = TabId(input.tab_id);
            refuse_last(&cx.host, id).await?;
            cx.host.tabs.close(id).await?;
            until_gone(&cx.host, id).await?;
            Ok(ToolOutput {
                value: json!({"success": true, "tab_id": id.0}),
            })
        })
    }
}

/// With its last tab the browser would end, and this turn with it.
async fn refuse_last(host: &Host, id: TabId) -> Result<(), ToolError> {
    let tabs = host.tabs.list().await?;
    match tabs.as_slice() {
        [only] if only.id == id => Err(ToolError::reply(
            "last_tab",
            "This is the only open tab; closing it would end the browser. Open another one first.",
        )),
        _ => Ok(()),
    }
}

async fn until_gone(host: &Host, id: TabId) -> Result<(), ToolError> {
    for _ in 0..LOOKS {
        let look = host.tabs.progress(id, 0).await;
        if matches!(look, Err(error) if error.kind == HostErrorKind::NotFound) {
            return Ok(());
        }
        host.clock.sleep(PAUSE).await;
    }
    Err(ToolError::reply(
        "still_open",
        format!(
            "Tab {} is still open: its page asks the person whether to leave it. Ask the person to answer, or leave the tab open.",
            id.0
        ),
    ))
}
