//! `activate_tab`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tabwright_host::LocalBoxFuture;
use tabwright_protocol::TabId;

use crate::tab_row::tab_row;
use crate::tool::ToolResult;
use crate::{Access, Declaration, Effects, Replay, Tool, ToolContext, ToolError, ToolOutput};

/// The tool.
pub struct ActivateTab;

/// Its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct ActivateTabInput {
    /// The tab's id.
    pub tab_id: i32,
}

impl Tool for ActivateTab {
    type Input = ActivateTabInput;

    fn declaration(&self, schema: Value) -> Declaration {
        Declaration {
            name: "activate_tab".into(),
            title: "Show a tab".into(),
            description: "Show a tab to the person: activates it and focuses its window.".into(),
            schema,
            access: Access::Write,
            // Showing what is shown changes nothing.
            replay: Replay::Keyed,
            concurrent: false,
            effects: Effects::TABS,
            untrusted: true,
        }
    }

    fn run(&self, cx: ToolContext, input: ActivateTabInput) -> LocalBoxFuture<'static, ToolResult> {
        Box::pin(async move {
            let tab = cx.host.tabs.activate(TabId(input.tab_id)).await?;
            if !tab.active {
                return Err(ToolError::reply(
                    "not_shown",
                    format!(
                        "Chrome did not show tab {}. Try again in a moment.",
                        tab.id.0
                    ),
                ));
            }
            let value = tab_row(tab, &["index", "audible", "status"])?;
            Ok(ToolOutput { value })
        })
    }
}
