//! Finding the programs that a build needs. Nothing here installs anything.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{shell, workspace::Workspace};

/// The C compiler for wasm32: SQLite is C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WasmCompiler {
    /// What the `cc` crate reads from `CC_wasm32_unknown_unknown`.
    pub compiler: String,
    /// What the `cc` crate reads from `AR_wasm32_unknown_unknown`.
    pub archiver: String,
}

impl WasmCompiler {
    /// Tells the `cc` crate about it, if that was not found out before.
    pub fn describe_to(&self, command: &mut Command) {
        command
            .env("CC_wasm32_unknown_unknown", &self.compiler)
            .env("AR_wasm32_unknown_unknown", &self.archiver);
    }
}

/// The numbers in a version such as `v20.19.1` or `rustc 1.95.0 (5980 2026-04-14)`: major, minor.
pub fn version(text: &str) -> Option<(u32, u32)> {
    let number = text
        .split_whitespace()
        .find(|word| word.trim_start_matches('v').starts_with(char::is_numeric))?;
    let mut parts = number.trim_start_matches('v').split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The version that `PROGRAM --version` tells.
pub fn version_of(program: &str) -> Option<(u32, u32)> {
    version(&shell::output(Command::new(program).arg("--version")).ok()?)
}

/// Whether the Rust compiler in use has the standard library for wasm32.
pub fn has_wasm_target() -> bool {
    shell::output(Command::new("rustc").args(["--print", "sysroot"])).is_ok_and(|sysroot| {
        Path::new(sysroot.trim())
            .join("lib/rustlib/wasm32-unknown-unknown/lib")
            .is_dir()
    })
}

/// A compiler for wasm32: the one that the environment names, else the first `clang` with a wasm32
/// backend, else `zig cc` from the Python package `ziglang`.
pub fn wasm_compiler() -> Option<WasmCompiler> {
    if let Ok(compiler) = env::var("CC_wasm32_unknown_unknown") {
        let archiver =
            env::var("AR_wasm32_unknown_unknown").unwrap_or_else(|_| archiver_of(&compiler));
        return Some(WasmCompiler { compiler, archiver });
    }
    let clang = clang_names().into_iter().find(|name| compiles_wasm(name));
    if let Some(compiler) = clang {
        let archiver = archiver_of(&compiler);
        return Some(WasmCompiler { compiler, archiver });
    }
    let has_zig = shell::output(Command::new("python3").args(["-m", "ziglang", "version"])).is_ok();
    has_zig.then(|| WasmCompiler {
        compiler: "python3 -m ziglang cc".to_owned(),
        archiver: "python3 -m ziglang ar".to_owned(),
    })
}

fn clang_names() -> Vec<String> {
    let mut names = vec!["clang".to_owned()];
    names.extend((15..=23).rev().map(|version| format!("clang-{version}")));
    // Homebrew keeps its own clang off the search path, because Apple's is there.
    names.extend(
        ["/opt/homebrew/opt/llvm", "/usr/local/opt/llvm"].map(|llvm| format!("{llvm}/bin/clang")),
    );
    names
}

fn compiles_wasm(clang: &str) -> bool {
    // Apple's clang answers too, but has no wasm32 among its targets.
    shell::output(Command::new(clang).arg("--print-targets"))
        .is_ok_and(|targets| targets.contains("wasm32"))
}

/// The archiver beside a clang. The system's own `ar` may write no index for WASM objects.
fn archiver_of(clang: &str) -> String {
    let told = shell::output(Command::new(clang).arg("--print-prog-name=llvm-ar"));
    told.map_or_else(|_| "llvm-ar".to_owned(), |path| path.trim().to_owned())
}

/// A Chromium that loads unpacked extensions from the command line. Branded Google Chrome is not
/// looked for, because it ignores `--load-extension`.
pub fn chromium(workspace: &Workspace) -> Option<PathBuf> {
    if let Some(path) = env::var_os("TABWRIGHT_CHROMIUM") {
        let path = PathBuf::from(path);
        return path.is_file().then_some(path);
    }
    let on_path = ["chromium", "chromium-browser"]
        .iter()
        .find_map(|name| on_search_path(name));
    let applications = || {
        ["Chromium", "Google Chrome for Testing"]
            .map(|name| PathBuf::from(format!("/Applications/{name}.app/Contents/MacOS/{name}")))
            .into_iter()
            .find(|path| path.is_file())
    };
    on_path
        .or_else(applications)
        .or_else(|| playwright_chromium(workspace))
}

fn on_search_path(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

/// The browser that `npx playwright install chromium` puts into the person's cache folder.
fn playwright_chromium(workspace: &Workspace) -> Option<PathBuf> {
    let script = "console.log(require('playwright-core').chromium.executablePath())";
    let path = shell::output(
        Command::new("node")
            .args(["-e", script])
            .current_dir(workspace.root()),
    );
    let path = PathBuf::from(path.ok()?.trim());
    path.is_file().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_programs_print() {
        let check = |text, expected| assert_eq!(version(text), expected, "{text}");
        check("rustc 1.95.0 (59807616e 2026-04-14)", Some((1, 95)));
        check("v20.19.1", Some((20, 19)));
        check("10.9.9", Some((10, 9)));
        check("rustc 1.96.0-nightly (abc 2026-05-01)", Some((1, 96)));
        check("", None);
        check("no numbers here", None);
    }

    #[test]
    fn the_newest_clang_is_tried_before_older_ones() {
        let names = clang_names();
        let place = |name: &str| names.iter().position(|found| found == name).unwrap();
        assert_eq!(place("clang"), 0);
        assert!(place("clang-19") < place("clang-18"));
    }
}
