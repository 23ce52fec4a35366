//! `cargo xtask extract DIR`: the content of every page in a folder, a line of JSON each, by the
//! extractor as it is natively or as it is shipped.

use std::process::{Command, ExitCode};

use crate::{
    build_core, build_extension::Profile, failure::Failure, setup::Tools, shell,
    workspace::Workspace,
};

/// Prints to standard output; what is built says so on standard error.
pub fn extract(
    workspace: &Workspace,
    tools: &Tools,
    folder: &str,
    wasm: bool,
) -> Result<ExitCode, Failure> {
    // The commands run in the workspace, and the folder is named from where the person is.
    let folder = std::path::absolute(folder)
        .map_err(|error| Failure::new(format!("{folder} is no folder: {error}.")))?;
    if !folder.is_dir() {
        return Err(Failure::new(format!(
            "{} is no folder. Name one that holds `.html` or `.html.gz` files.",
            folder.display()
        )));
    }
    let mut command = if wasm {
        build_core::build_reader(workspace, tools, Profile::Release)?;
        let mut node = Command::new("node");
        node.args(["--import", "tsx", "tests/extract/wasm.ts"]);
        node.current_dir(workspace.root());
        node
    } else {
        let mut cargo = tools.cargo(workspace);
        cargo.args(["run", "--quiet", "--profile", "sim"]);
        cargo.args(["--package", "tabwright-html", "--features", "decode"]);
        cargo.args(["--example", "extract", "--"]);
        cargo
    };
    let code = shell::exit_code(command.arg(folder))?;
    Ok(if code == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
