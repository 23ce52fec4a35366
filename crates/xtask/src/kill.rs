//! `cargo xtask kill` and `cargo xtask real-server`: turns in real Chromium, in the middle of which
//! something is taken away, by `tests/kill`; and with model servers of other makers, by
//! `tests/real-server`.

use std::process::{Command, ExitCode};

use crate::{
    build_extension::{self, Profile},
    failure::Failure,
    setup::Tools,
    shell,
    workspace::Workspace,
};

/// Builds, then runs the matrix with these options; the exit code says whether every turn was as it
/// should be.
pub fn kill(workspace: &Workspace, tools: &Tools, rest: &[String]) -> Result<ExitCode, Failure> {
    script(workspace, tools, "tests/kill/main.ts", rest)
}

/// Builds, then asks the named servers, or all; the exit code says whether a rule was broken.
pub fn real_server(
    workspace: &Workspace,
    tools: &Tools,
    rest: &[String],
) -> Result<ExitCode, Failure> {
    script(workspace, tools, "tests/real-server/main.ts", rest)
}

fn script(
    workspace: &Workspace,
    tools: &Tools,
    script: &str,
    rest: &[String],
) -> Result<ExitCode, Failure> {
    build_extension::build(workspace, tools, Profile::Release)?;
    let mut node = Command::new("node");
    node.args(["--import", "tsx", script])
        .args(rest)
        .env("TABWRIGHT_CHROMIUM", tools.chromium()?)
        .current_dir(workspace.root());
    let code = shell::exit_code(&mut node)?;
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
}
