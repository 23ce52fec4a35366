//! `cargo xtask sim`: whole agent runs over a fake host, with seeded faults and deaths.

use std::process::{Command, ExitCode};

use crate::{
    failure::Failure,
    shell::{self, Captured},
    workspace::Workspace,
};

/// What runs when nothing is said, and as part of the tests: every moment that each of 200 short
/// runs can die at, and 10,000 longer runs.
const ALL: &[&str] = &["--matrix", "--seeds", "10000"];

/// Runs the simulation with these options; the exit code says whether any rule was broken.
pub fn sim(workspace: &Workspace, rest: &[String]) -> Result<ExitCode, Failure> {
    let mut command = command(workspace);
    if rest.is_empty() {
        command.args(ALL);
    } else {
        command.args(rest);
    }
    let code = shell::exit_code(&mut command)?;
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
}

/// Runs all of it, for the tests.
pub fn all(workspace: &Workspace) -> Result<Captured, Failure> {
    shell::tee(command(workspace).args(ALL))
}

fn command(workspace: &Workspace) -> Command {
    let mut cargo = Command::new("cargo");
    cargo
        .args(["run", "--quiet", "--profile", "sim"])
        .args(["--package", "tabwright-sim", "--"])
        .current_dir(workspace.root());
    cargo
}
