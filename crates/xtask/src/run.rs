//! `cargo xtask run` and `cargo xtask call`: the extension in real Chromium, driven by `tests/rig`.

use std::process::{Command, ExitCode};

use crate::{
    build_extension::{self, Profile},
    failure::Failure,
    setup::Tools,
    shell,
    workspace::Workspace,
};

/// Builds, then hands over to the rig with these options; the exit code is the rig's.
pub fn rig(
    workspace: &Workspace,
    tools: &Tools,
    command: &str,
    rest: &[String],
) -> Result<ExitCode, Failure> {
    build_extension::build(workspace, tools, Profile::Release)?;
    let mut node = Command::new("node");
    node.args(["--import", "tsx", "tests/rig/cli.ts", command])
        .args(rest)
        .arg("--chromium")
        .arg(tools.chromium()?)
        .current_dir(workspace.root());
    let code = shell::exit_code(&mut node)?;
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
}
