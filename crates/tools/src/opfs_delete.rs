//! `opfs_delete`: removes a file or directory of the workspace.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tabwright_host::LocalBoxFuture;

use crate::tool::ToolResult;
use crate::workspace_path::workspace_path;
use crate::{Access, Declaration, Effects, Replay, Tool, ToolContext, ToolError, ToolOutput};

/// The tool.
pub struct OpfsDelete;

/// Its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct OpfsDeleteInput {
    /// The file or directory.
    pub path: String,
}

impl Tool for OpfsDelete {
    type Input = OpfsDeleteInput;

    fn declaration(&self, schema: Value) -> Declaration {
        Declaration {
            name: "opfs_delete".into(),
            title: "Delete a file".into(),
            description: "Delete a file of the workspace, or a directory with all it holds.".into(),
            schema,
            access: Access::Write,
            // Once more it could take what another conversation has put there since, and a success
            // would be told as a missing file. opfs_list tells whether the first attempt worked.
            replay: Replay::BareWrite,
            concurrent: false,
            effects: Effects::FILES,
            untrusted: false,
        }
    }

    fn run(&self, cx: ToolContext, input: OpfsDeleteInput) -> LocalBoxFuture<'static, ToolResult> {
        Box::pin(async move {
            let path = workspace_path(&input.path)?;
            if path.is_empty() {
                return Err(ToolError::reply(
                    "invalid_path",
                    "The workspace itself cannot be deleted. Name a file or directory in it.",
                ));
            }
            cx.host.files.remove(&path).await?;
            Ok(ToolOutput {
                value: json!({"success": true}),
            })
        })
    }
}
