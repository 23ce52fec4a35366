//! The core: Rust to WASM (cargo), its JavaScript half (wasm-bindgen), then smaller (wasm-opt).
//!
//! Invariant: `target/core/` and `dist/core.wasm` come from the same build of the same profile.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
    process::Command,
    time::Instant,
};

use wasm_bindgen_cli_support::Bindgen;

use crate::{
    build_extension::Profile, failure::Failure, files, setup::Tools, workspace::Workspace,
};

/// What wasm-opt may use. `--all-features` makes a module that Chromium refuses, so they are named.
/// `-Oz` gave the smaller file when compared with `-O2`, `-O3` and `-Os`, raw and gzipped.
const WASM_OPT: &[&str] = &[
    "-Oz",
    "--strip-debug",
    "--strip-producers",
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// Builds the core into `target/core/`, and answers the bytes of `core.wasm`.
pub fn build(workspace: &Workspace, tools: &Tools, profile: Profile) -> Result<Vec<u8>, Failure> {
    let started = Instant::now();
    let module = compile(workspace, tools, profile)?;
    let compiled = bind(workspace, &module, profile)?;
    let wasm = match profile {
        Profile::Release => optimise(workspace, &compiled)?,
        Profile::Fast => compiled,
    };
    eprintln!("core built in {:.1} s", started.elapsed().as_secs_f32());
    Ok(wasm)
}

fn compile(workspace: &Workspace, tools: &Tools, profile: Profile) -> Result<Vec<u8>, Failure> {
    let mut cargo = tools.cargo(workspace);
    cargo.args(["build", "--package", "tabwright-web"]);
    cargo.args(["--target", "wasm32-unknown-unknown"]);
    cargo.args(["--profile", profile.cargo_name()]);
    crate::shell::run(&mut cargo)?;
    let folder = workspace.cargo_target()?.join("wasm32-unknown-unknown");
    files::read(&folder.join(profile.cargo_name()).join("tabwright_web.wasm"))
}

/// Writes `core.js`, `core.d.ts` and `core_bg.wasm`, and answers the bytes of the last.
fn bind(workspace: &Workspace, module: &[u8], profile: Profile) -> Result<Vec<u8>, Failure> {
    let core = workspace.core();
    let bound = core.join("core_bg.wasm");
    let key = key(module, &[profile.cargo_name()]);
    let outputs = [core.join("core.js"), core.join("core.d.ts"), bound.clone()];
    if is_current(&core.join("bound.key"), &key) && outputs.iter().all(|path| path.is_file()) {
        return files::read(&bound);
    }
    generate(&core, module, profile)?;
    files::write_if_changed(&core.join("bound.key"), key.as_bytes())?;
    files::read(&bound)
}

fn generate(core: &Path, module: &[u8], profile: Profile) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(format!(
            "wasm-bindgen refused the compiled core: {error:#}. When this speaks of versions, pin the same one in crates/web and crates/xtask."
        ))
    };
    let release = profile == Profile::Release;
    let mut bindgen = Bindgen::new();
    bindgen
        .input_bytes("core", module.to_vec())
        .typescript(true)
        // The worker says where `core.wasm` is; a default would name a file that dist/ lacks.
        .omit_default_module_path(true)
        // Names make a stack trace readable, and are a third of the file.
        .remove_name_section(release)
        .remove_producers_section(release);
    let web = bindgen.web(true).map_err(|error| failed(&error))?;
    let mut output = web.generate_output().map_err(|error| failed(&error))?;
    let imports = output.wasm().imports.iter();
    let undefined: Vec<&str> = imports
        .filter(|import| import.module == "env")
        .map(|import| import.name.as_str())
        .collect();
    if !undefined.is_empty() {
        return Err(Failure::new(format!(
            "The core calls what nothing in it defines: {}. A crate with C code lacks a feature for wasm-bindgen, or is not meant for the browser.",
            undefined.join(", ")
        )));
    }
    output.emit(core).map_err(|error| failed(&error))
}

/// Runs wasm-opt, unless it made its result from these very bytes before.
fn optimise(workspace: &Workspace, compiled: &[u8]) -> Result<Vec<u8>, Failure> {
    let core = workspace.core();
    let output = core.join("optimised.wasm");
    let key = key(compiled, WASM_OPT);
    if is_current(&core.join("optimised.key"), &key) && output.is_file() {
        return files::read(&output);
    }
    let mut command = Command::new("node");
    command
        .arg(workspace.node_program("binaryen/bin/wasm-opt"))
        .args(WASM_OPT)
        .arg(core.join("core_bg.wasm"))
        .arg("-o")
        .arg(&output);
    crate::shell::output(&mut command)?;
    files::write_if_changed(&core.join("optimised.key"), key.as_bytes())?;
    files::read(&output)
}

/// Names an input and how it is worked on, so that equal work is not done twice.
fn key(input: &[u8], how: &[&str]) -> String {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    how.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn is_current(key_file: &Path, key: &str) -> bool {
    std::fs::read_to_string(key_file).is_ok_and(|found| found == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_names_the_input_and_how_it_is_worked_on() {
        assert_eq!(key(b"a", &["-Oz"]), key(b"a", &["-Oz"]));
        assert_ne!(key(b"a", &["-Oz"]), key(b"b", &["-Oz"]));
        assert_ne!(key(b"a", &["-Oz"]), key(b"a", &["-O2"]));
    }
}
