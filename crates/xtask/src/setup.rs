//! `cargo xtask setup`: is everything here that a build or a test needs? What can be installed
//! without asking is; for the rest it names one command each, and stops.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

use crate::{
    failure::Failure,
    shell,
    tools::{self, WasmCompiler},
    workspace::Workspace,
};

/// The oldest Rust that the workspace's `rust-version` allows.
const RUST: (u32, u32) = (1, 95);
/// The oldest Node that the lint tools run on.
const NODE: (u32, u32) = (20, 19);

/// One thing that a command may need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A recent Rust with its wasm32 library, rustfmt and clippy.
    Rust,
    /// A recent Node.
    Node,
    /// The packages of `package-lock.json`.
    NodeModules,
    /// A C compiler for wasm32.
    WasmCompiler,
    /// A Chromium that loads unpacked extensions.
    Chromium,
}

impl Need {
    /// To build and check.
    pub const BUILD: &[Self] = &[
        Self::Rust,
        Self::Node,
        Self::NodeModules,
        Self::WasmCompiler,
    ];
    /// To build, check and run in a browser. (The npm packages come before Chromium, because one of
    /// them may know where a Chromium is.)
    pub const ALL: &[Self] = &[
        Self::Rust,
        Self::Node,
        Self::NodeModules,
        Self::WasmCompiler,
        Self::Chromium,
    ];
}

/// What was found.
#[derive(Debug, Default)]
pub struct Tools {
    compiler: Option<WasmCompiler>,
    chromium: Option<PathBuf>,
}

impl Tools {
    /// A `cargo` command that can compile the core for wasm32.
    pub fn cargo(&self, workspace: &Workspace) -> Command {
        let mut command = Command::new("cargo");
        command.current_dir(workspace.root());
        if let Some(compiler) = &self.compiler {
            compiler.describe_to(&mut command);
        }
        command
    }

    /// The browser, for a command that said that it needs one.
    pub fn chromium(&self) -> Result<&Path, Failure> {
        self.chromium.as_deref().ok_or_else(|| {
            Failure::new(
                "No Chromium was looked for. `cargo xtask setup` says whether there is one.",
            )
        })
    }
}

/// Makes sure that all of these are here, or says what to do about each that is not.
pub fn setup(workspace: &Workspace, needs: &[Need], install: bool) -> Result<Tools, Failure> {
    let mut tools = look(workspace, needs)?;
    let named = std::env::var_os("TABWRIGHT_CHROMIUM").is_some();
    let mut installable = tools.missing_packages(needs);
    // Another Chromium would not be the one that was asked for.
    installable.retain(|package| !(named && *package == Package::Chromium));
    if !installable.is_empty() && has_apt() && (install || is_root()) {
        apt_install(&installable)?;
        tools = look(workspace, needs)?;
    }
    let missing = tools.missing_packages(needs);
    if missing.is_empty() {
        return Ok(tools);
    }
    let advice: Vec<&str> = missing
        .iter()
        .map(|package| package.advice(cfg!(target_os = "macos"), named))
        .collect();
    Err(Failure::new(advice.join("\n       ")))
}

fn look(workspace: &Workspace, needs: &[Need]) -> Result<Tools, Failure> {
    let mut tools = Tools::default();
    for need in needs {
        match need {
            Need::Rust => rust()?,
            Need::Node => node()?,
            Need::NodeModules => node_modules(workspace)?,
            Need::WasmCompiler => tools.compiler = tools::wasm_compiler(),
            Need::Chromium => tools.chromium = tools::chromium(workspace),
        }
    }
    Ok(tools)
}

fn rust() -> Result<(), Failure> {
    match tools::version_of("rustc") {
        Some(found) if found >= RUST => {}
        Some((major, minor)) => {
            return Err(Failure::new(format!(
                "Rust {major}.{minor} is too old, {}.{} is needed. Run: rustup update stable",
                RUST.0, RUST.1
            )));
        }
        None => {
            return Err(Failure::new(
                "No Rust compiler was found. Install Rust with rustup.",
            ));
        }
    }
    if !tools::has_wasm_target() {
        rustup(&["target", "add", "wasm32-unknown-unknown"])?;
    }
    for (program, component) in [("rustfmt", "rustfmt"), ("cargo-clippy", "clippy")] {
        if !shell::exists(program) {
            rustup(&["component", "add", component])?;
        }
    }
    Ok(())
}

fn rustup(arguments: &[&str]) -> Result<(), Failure> {
    shell::run(Command::new("rustup").args(arguments))
}

fn node() -> Result<(), Failure> {
    let wanted = format!("{}.{}", NODE.0, NODE.1);
    match tools::version_of("node") {
        Some(found) if found >= NODE => Ok(()),
        Some((major, minor)) => Err(Failure::new(format!(
            "Node {major}.{minor} is too old. Install Node {wanted} or newer."
        ))),
        None => Err(Failure::new(format!(
            "Node was not found. Install Node {wanted} or newer, with npm."
        ))),
    }
}

fn node_modules(workspace: &Workspace) -> Result<(), Failure> {
    let modified = |path: &str| -> Option<SystemTime> {
        std::fs::metadata(workspace.path(path))
            .ok()?
            .modified()
            .ok()
    };
    // npm writes this file last, so it is missing after an installation that was cut short.
    let installed = modified("node_modules/.package-lock.json");
    let locked = modified("package-lock.json");
    if installed.is_some() && installed >= locked {
        return Ok(());
    }
    shell::run(
        Command::new("npm")
            .args(["ci", "--no-fund", "--no-audit"])
            .current_dir(workspace.root()),
    )
}

/// A thing that comes from the system's package manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Package {
    WasmCompiler,
    Chromium,
}

impl Package {
    /// Debian's names for it, the first available one is taken.
    fn debian(self) -> &'static [&'static [&'static str]] {
        match self {
            // The second name of each brings llvm-ar.
            Self::WasmCompiler => &[&["clang-19", "llvm-19"], &["clang", "llvm"]],
            Self::Chromium => &[&["chromium"]],
        }
    }

    /// What to do about it. `named`: the environment names a Chromium.
    fn advice(self, macos: bool, named: bool) -> &'static str {
        match (self, macos) {
            (Self::WasmCompiler, true) => {
                "No C compiler for wasm32 (Apple's clang has no such target). Run: brew install llvm"
            }
            (Self::WasmCompiler, false) => {
                "No C compiler for wasm32. Run: sudo apt-get install clang-19 llvm-19"
            }
            (Self::Chromium, _) if named => {
                "The environment variable TABWRIGHT_CHROMIUM names no file. Set it to the path of a Chromium, or unset it."
            }
            (Self::Chromium, true) => {
                "No Chromium (Google Chrome loads no unpacked extension from the command line). Run: npx playwright install chromium"
            }
            (Self::Chromium, false) => {
                "No Chromium (Google Chrome loads no unpacked extension from the command line). Run: sudo apt-get install chromium"
            }
        }
    }
}

impl Tools {
    fn missing_packages(&self, needs: &[Need]) -> Vec<Package> {
        let mut missing = Vec::new();
        if needs.contains(&Need::WasmCompiler) && self.compiler.is_none() {
            missing.push(Package::WasmCompiler);
        }
        if needs.contains(&Need::Chromium) && self.chromium.is_none() {
            missing.push(Package::Chromium);
        }
        missing
    }
}

fn has_apt() -> bool {
    Path::new("/usr/bin/apt-get").exists()
}

fn is_root() -> bool {
    shell::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

fn apt_install(packages: &[Package]) -> Result<(), Failure> {
    // A fresh container has no package lists at all.
    if !packages.iter().all(|package| available(*package).is_some()) {
        apt_get(&["update"])?;
    }
    let names: Vec<&str> = packages
        .iter()
        .filter_map(|package| available(*package))
        .flatten()
        .copied()
        .collect();
    if names.is_empty() {
        return Ok(());
    }
    let mut arguments = vec!["install", "-y"];
    arguments.extend(names);
    apt_get(&arguments)
}

fn available(package: Package) -> Option<&'static [&'static str]> {
    let candidate = |name: &&str| {
        shell::output(Command::new("apt-cache").args(["policy", name]))
            .is_ok_and(|policy| has_candidate(&policy))
    };
    package
        .debian()
        .iter()
        .find(|names| names.iter().all(candidate))
        .copied()
}

fn has_candidate(policy: &str) -> bool {
    policy
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Candidate: "))
        .any(|candidate| candidate != "(none)")
}

fn apt_get(arguments: &[&str]) -> Result<(), Failure> {
    let mut command = if is_root() {
        Command::new("apt-get")
    } else {
        let mut command = Command::new("sudo");
        command.arg("apt-get");
        command
    };
    shell::run(
        command
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_without_a_candidate_is_not_available() {
        assert!(has_candidate(
            "clang-19:\n  Installed: (none)\n  Candidate: 1:19.1.7\n"
        ));
        assert!(!has_candidate(
            "clang-19:\n  Installed: (none)\n  Candidate: (none)\n"
        ));
        assert!(!has_candidate(""));
    }

    #[test]
    fn only_what_the_command_needs_is_missing() {
        let tools = Tools::default();
        assert_eq!(tools.missing_packages(Need::BUILD), [Package::WasmCompiler]);
        assert_eq!(
            tools.missing_packages(Need::ALL),
            [Package::WasmCompiler, Package::Chromium]
        );
        assert_eq!(tools.missing_packages(&[Need::Rust]), []);
    }

    #[test]
    fn each_missing_thing_comes_with_one_command() {
        for package in [Package::WasmCompiler, Package::Chromium] {
            for macos in [true, false] {
                let advice = package.advice(macos, false);
                assert_eq!(advice.matches("Run: ").count(), 1, "{advice}");
            }
        }
    }
}
