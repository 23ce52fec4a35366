//! What Cargo knows about the crates, as JSON.

use std::process::Command;

use serde_json::Value;

use crate::{failure::Failure, shell, workspace::Workspace};

/// The answer of `cargo metadata` with these extra arguments.
pub fn load(workspace: &Workspace, extra: &[&str]) -> Result<Value, Failure> {
    let text = shell::output(
        Command::new("cargo")
            .args(["metadata", "--format-version", "1", "--locked"])
            .args(extra)
            .current_dir(workspace.root()),
    )?;
    serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("`cargo metadata` answered no JSON: {error}.")))
}

/// The elements of a JSON array; none when it is something else.
pub fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The text of a JSON string; empty when it is something else.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
