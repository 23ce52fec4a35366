//! The core and the page reader: Rust to WASM (cargo), its JavaScript half (wasm-bindgen), then smaller
//! (wasm-opt).
//!
//! Invariant: `target/core/` and `dist/core.wasm` come from the same build of the same profile, and so
//! do those of the reader.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
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

/// A crate that becomes a module: its package, and what the files of the module are called.
struct Module {
    package: &'static str,
    compiled: &'static str,
    name: &'static str,
}

const CORE: Module = Module {
    package: "tabwright-web",
    compiled: "tabwright_web.wasm",
    name: "core",
};
const READER: Module = Module {
    package: "tabwright-reader",
    compiled: "tabwright_reader.wasm",
    name: "reader",
};
const BENCH: Module = Module {
    package: "tabwright-bench",
    compiled: "tabwright_bench.wasm",
    name: "bench",
};

impl Module {
    /// Where wasm-bindgen writes. The path is fixed, whatever Cargo's own target folder is, because
    /// `tsconfig.json` names the core's.
    fn folder(&self, workspace: &Workspace) -> PathBuf {
        workspace.path("target").join(self.name)
    }
}

/// The modules that are shipped, as bytes.
#[derive(Clone)]
pub struct Modules {
    /// `core.wasm`.
    pub core: Vec<u8>,
    /// `reader.wasm`.
    pub reader: Vec<u8>,
}

/// Builds the modules into `target/core/` and `target/reader/`.
pub fn build(workspace: &Workspace, tools: &Tools, profile: Profile) -> Result<Modules, Failure> {
    let started = Instant::now();
    let core = build_module(workspace, tools, profile, &CORE)?;
    let reader = build_reader(workspace, tools, profile)?;
    let seconds = started.elapsed().as_secs_f32();
    eprintln!("core and reader built in {seconds:.1} s");
    Ok(Modules { core, reader })
}

/// Builds the reader alone into `target/reader/`.
pub fn build_reader(
    workspace: &Workspace,
    tools: &Tools,
    profile: Profile,
) -> Result<Vec<u8>, Failure> {
    build_module(workspace, tools, profile, &READER)
}

/// Builds what `bench decoders` measures into `target/bench/`, in the way of the shipped core:
/// `bench.js` and `optimised.wasm`.
pub fn build_bench(workspace: &Workspace, tools: &Tools) -> Result<(), Failure> {
    build_module(workspace, tools, Profile::Release, &BENCH).map(drop)
}

fn build_module(
    workspace: &Workspace,
    tools: &Tools,
    profile: Profile,
    module: &Module,
) -> Result<Vec<u8>, Failure> {
    let bytes = compile(workspace, tools, profile, module)?;
    let compiled = bind(workspace, module, &bytes, profile)?;
    match profile {
        Profile::Release => optimise(workspace, module, &compiled),
        Profile::Fast => Ok(compiled),
    }
}

fn compile(
    workspace: &Workspace,
    tools: &Tools,
    profile: Profile,
    module: &Module,
) -> Result<Vec<u8>, Failure> {
    let mut cargo = tools.cargo(workspace);
    // A library alone: what else a package has is for this machine.
    cargo.args(["build", "--lib", "--package", module.package]);
    cargo.args(["--target", "wasm32-unknown-unknown"]);
    cargo.args(["--profile", profile.cargo_name()]);
    crate::shell::run(&mut cargo)?;
    let folder = workspace.cargo_target()?.join("wasm32-unknown-unknown");
    files::read(&folder.join(profile.cargo_name()).join(module.compiled))
}

/// Writes `NAME.js`, `NAME.d.ts` and `NAME_bg.wasm`, and answers the bytes of the last.
fn bind(
    workspace: &Workspace,
    of: &Module,
    module: &[u8],
    profile: Profile,
) -> Result<Vec<u8>, Failure> {
    let core = of.folder(workspace);
    let bound = core.join(format!("{}_bg.wasm", of.name));
    let key = key(module, &[profile.cargo_name()]);
    let outputs = ["js", "d.ts"].map(|ending| core.join(format!("{}.{ending}", of.name)));
    if is_current(&core.join("bound.key"), &key)
        && bound.is_file()
        && outputs.iter().all(|path| path.is_file())
    {
        return files::read(&bound);
    }
    generate(&core, of.name, module, profile)?;
    files::write_if_changed(&core.join("bound.key"), key.as_bytes())?;
    files::read(&bound)
}

fn generate(core: &Path, name: &str, module: &[u8], profile: Profile) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(format!(
            "wasm-bindgen refused the compiled core: {error:#}. When this speaks of versions, pin the same one in crates/web and crates/xtask."
        ))
    };
    let release = profile == Profile::Release;
    let mut bindgen = Bindgen::new();
    bindgen
        .input_bytes(name, module.to_vec())
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
fn optimise(workspace: &Workspace, module: &Module, compiled: &[u8]) -> Result<Vec<u8>, Failure> {
    let core = module.folder(workspace);
    let output = core.join("optimised.wasm");
    let key = key(compiled, WASM_OPT);
    if is_current(&core.join("optimised.key"), &key) && output.is_file() {
        return files::read(&output);
    }
    let mut command = Command::new("node");
    command
        .arg(workspace.node_program("binaryen/bin/wasm-opt"))
        .args(WASM_OPT)
        .arg(core.join(format!("{}_bg.wasm", module.name)))
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
