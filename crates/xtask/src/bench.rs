//! `cargo xtask bench`: the measurements of `tests/bench`, one file each: in real Chromium, or, where
//! only the decoders are measured, natively and in Node.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::{
    build_core,
    build_extension::{self, Profile},
    failure::Failure,
    setup::Tools,
    shell,
    workspace::Workspace,
};

/// The measurement that needs no browser, but a crate of its own.
const DECODERS: &str = "decoders";

/// Builds, then runs the named measurement, or all.
pub fn bench(
    workspace: &Workspace,
    tools: &Tools,
    name: Option<&str>,
) -> Result<ExitCode, Failure> {
    let all = names(workspace)?;
    let wanted: Vec<&String> = match name {
        None => all.iter().collect(),
        Some(name) => all.iter().filter(|known| *known == name).collect(),
    };
    if wanted.is_empty() {
        return Err(Failure::new(format!(
            "There is no measurement `{}`. There are: {}.",
            name.unwrap_or_default(),
            all.join(", ")
        )));
    }
    if wanted.iter().any(|name| *name == DECODERS) {
        build_decoders(workspace, tools)?;
    }
    if wanted.iter().any(|name| *name != DECODERS) {
        build_extension::build(workspace, tools, Profile::Release)?;
    }
    for name in wanted {
        let mut node = Command::new("node");
        node.args(["--import", "tsx"])
            .arg(format!("tests/bench/{name}.ts"))
            .env("TABWRIGHT_CHROMIUM", tools.chromium()?)
            .env("TABWRIGHT_BENCH", native_bench(workspace)?)
            .current_dir(workspace.root());
        let code = shell::exit_code(&mut node)?;
        if code != 0 {
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The WASM as it is shipped; natively everything as fast as it can be compiled.
fn build_decoders(workspace: &Workspace, tools: &Tools) -> Result<(), Failure> {
    build_core::build_bench(workspace, tools)?;
    let mut cargo = tools.cargo(workspace);
    cargo.args(["build", "--package", "tabwright-bench", "--profile", "sim"]);
    shell::run(&mut cargo)
}

fn native_bench(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let program = format!("tabwright-bench{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.cargo_target()?.join("sim").join(program))
}

fn names(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let folder = workspace.root().join("tests/bench");
    let entries = fs::read_dir(&folder)
        .map_err(|error| Failure::new(format!("{} cannot be read: {error}.", folder.display())))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".ts").map(str::to_owned))
        .collect();
    names.sort();
    Ok(names)
}
