//! `opfs_write`: a whole file of the workspace.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tabwright_host::LocalBoxFuture;

use crate::file_content::file_content;
use crate::tool::ToolResult;
use crate::workspace_path::file_path;
use crate::{Access, Declaration, Effects, Replay, Tool, ToolContext, ToolOutput};

/// The tool.
pub struct OpfsWrite;

/// Its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct OpfsWriteInput {
    /// Such as notes/today.md.
    pub path: String,
    /// The whole text, or a base64 data URL for binary.
    pub content: String,
}

impl Tool for OpfsWrite {
    type Input = OpfsWriteInput;

    fn declaration(&self, schema: Value) -> Declaration {
        Declaration {
            name: "opfs_write".into(),
            title: "Write a file".into(),
            description:
                "Write a file in the workspace, replacing what it held. Makes directories.".into(),
            schema,
            access: Access::Write,
            // The same bytes once more make the same file.
            replay: Replay::Keyed,
            concurrent: false,
            effects: Effects::FILES,
            untrusted: false,
        }
    }

    fn run(&self, cx: ToolContext, input: OpfsWriteInput) -> LocalBoxFuture<'static, ToolResult> {
        Box::pin(async move {
            let path = file_path(&input.path)?;
            let bytes = file_content(input.content)?;
            let size = bytes.len();
            cx.host.files.write(&path, bytes).await?;
            Ok(ToolOutput {
                value: json!({"path": path, "size": size}),
            })
        })
    }
}
