//! `opfs_list`: what a directory of the workspace holds.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tabwright_host::{Entry, EntryKind, LocalBoxFuture};

use crate::tool::ToolResult;
use crate::workspace_path::workspace_path;
use crate::{Access, Declaration, Effects, Replay, Tool, ToolContext, ToolOutput};

/// The tool.
pub struct OpfsList;

/// Its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct OpfsListInput {
    /// Default: the root.
    pub path: Option<String>,
}

impl Tool for OpfsList {
    type Input = OpfsListInput;

    fn declaration(&self, schema: Value) -> Declaration {
        Declaration {
            name: "opfs_list".into(),
            title: "List files".into(),
            description: "List what a directory of the workspace holds.".into(),
            schema,
            access: Access::Read,
            replay: Replay::Pure,
            concurrent: true,
            effects: Effects::FILES,
            // A script or a download may have chosen the names.
            untrusted: true,
        }
    }

    fn run(&self, cx: ToolContext, input: OpfsListInput) -> LocalBoxFuture<'static, ToolResult> {
        Box::pin(async move {
            let path = workspace_path(&input.path.unwrap_or_default())?;
            let entries = cx.host.files.list(&path).await?;
            Ok(ToolOutput {
                value: entries.into_iter().map(row).collect(),
            })
        })
    }
}

fn row(entry: Entry) -> Value {
    match entry.kind {
        EntryKind::File { size } => json!({"name": entry.name, "type": "file", "size": size}),
        EntryKind::Directory => json!({"name": entry.name, "type": "directory"}),
    }
}
