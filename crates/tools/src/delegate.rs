//! `agent`: a sub-agent with a context of its own.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tabwright_protocol::TabId;

use crate::core_request::{AgentKind, Brief, CoreRequest};
use crate::{Access, CoreTool, Declaration, Effects, Replay, ToolError};

/// How much of the prompt stands for a missing label, in characters.
const LABEL_LENGTH: usize = 60;

/// The tool.
pub struct Delegate;

/// Its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct DelegateInput {
    /// All it needs to know: it sees nothing of this conversation.
    pub prompt: String,
    /// Short label for the person.
    #[serde(default)]
    pub description: Option<String>,
    /// What it may use: researcher (search, fetch, read pages, files), page_operator (tabs, pages, scripts, files), general (all; default).
    #[serde(rename = "type", default)]
    pub kind: Option<AgentKind>,
    /// Tab handed to it.
    #[serde(default)]
    pub tab_id: Option<i32>,
}

impl CoreTool for Delegate {
    type Input = DelegateInput;

    fn declaration(&self, schema: Value) -> Declaration {
        Declaration {
            name: "agent".into(),
            title: "Sub-agent".into(),
            description: "Let a sub-agent do a self-contained part and report (at most 10 minutes). Several calls in one answer work in parallel. It cannot ask the person.".into(),
            schema,
            access: Access::Write,
            // Started again with the same call it goes on where it was: its own journal keeps it
            // from doing a write twice.
            replay: Replay::Keyed,
            concurrent: true,
            effects: Effects::NETWORK
                .union(Effects::PAGE)
                .union(Effects::TABS)
                .union(Effects::FILES),
            // Its report is made from what it read outside.
            untrusted: true,
        }
    }

    fn request(&self, input: DelegateInput) -> Result<CoreRequest, ToolError> {
        if input.prompt.trim().is_empty() {
            return Err(ToolError::reply(
                "empty_prompt",
                "The argument `prompt` is empty. Write what the sub-agent is to do.",
            ));
        }
        let label = input.description.unwrap_or_default();
        let label = if label.trim().is_empty() {
            &input.prompt
        } else {
            &label
        };
        let line = label.trim().lines().next().unwrap_or_default();
        Ok(CoreRequest::Delegate(Brief {
            description: line.chars().take(LABEL_LENGTH).collect(),
            kind: input.kind.unwrap_or_default(),
            tab: input.tab_id.map(TabId),
            prompt: input.prompt,
        }))
    }
}
