//! `cargo xtask check`: everything that needs no test to be seen as wrong. It runs all the way, and
//! names at the end each thing that failed with the command that shows or mends it.

use std::{
    process::{Command, ExitCode},
    time::Instant,
};

use crate::{
    arrows,
    build_extension::{self, Profile},
    failure::Failure,
    files, generate, licences, scan,
    setup::Tools,
    shell, size,
    summary::Counts,
    workspace::Workspace,
};

/// Makes Clippy fail on what it would only warn of.
const DENY: &[&str] = &["--", "-D", "warnings"];

/// How the checks went.
pub struct Report {
    passed: u32,
    /// What failed, with the command that shows or mends it.
    failed: Vec<(&'static str, &'static str)>,
}

impl Report {
    /// How many checks passed and failed.
    pub fn counts(&self) -> Counts {
        Counts {
            passed: self.passed,
            failed: u32::try_from(self.failed.len()).unwrap_or(u32::MAX),
        }
    }

    /// The names of those that failed.
    pub fn failures(&self) -> String {
        let names: Vec<&str> = self.failed.iter().map(|(name, _)| *name).collect();
        names.join(", ")
    }

    /// Prints what failed, and answers the exit code.
    pub fn print(&self) -> ExitCode {
        if self.failed.is_empty() {
            eprintln!("All {} checks passed.", self.passed);
            return ExitCode::SUCCESS;
        }
        eprintln!("\n{} of the checks failed:", self.failed.len());
        for (name, command) in &self.failed {
            eprintln!("  {name:<12} {command}");
        }
        ExitCode::FAILURE
    }

    fn step(
        &mut self,
        name: &'static str,
        mend: &'static str,
        run: impl FnOnce() -> Result<(), Failure>,
    ) {
        let started = Instant::now();
        let result = run();
        let seconds = started.elapsed().as_secs_f32();
        match result {
            Ok(()) => {
                eprintln!("  ok     {name:<12} {seconds:.1} s");
                self.passed += 1;
            }
            Err(failure) => {
                eprintln!("  FAILED {name:<12} {seconds:.1} s\n{failure}");
                self.failed.push((name, mend));
            }
        }
    }
}

/// Runs every check; with `fix`, what can be mended mechanically is mended first.
pub fn check(workspace: &Workspace, tools: &Tools, fix: bool) -> Report {
    let mut report = Report {
        passed: 0,
        failed: Vec::new(),
    };
    let cargo = |arguments: &[&str]| {
        let mut command = tools.cargo(workspace);
        command.args(arguments);
        command
    };
    let node = |script: &str, arguments: &[&str]| {
        let mut command = Command::new("node");
        command
            .arg(workspace.node_program(script))
            .args(arguments)
            .current_dir(workspace.root());
        command
    };

    report.step("generated", "cargo xtask gen", || {
        if fix {
            generate::write(workspace)?;
        }
        generate::check(workspace)
    });
    report.step("rustfmt", "cargo fmt --all", || {
        let check: &[&str] = if fix { &[] } else { &["--", "--check"] };
        quiet(cargo(&["fmt", "--all"]).args(check))
    });
    report.step("arrows", "cargo xtask deps", || arrows::check(workspace));
    report.step("boundaries", "cargo xtask deps", || scan::check(workspace));
    let mend = "cargo clippy --workspace --all-targets -- -D warnings";
    report.step("clippy", mend, || {
        quiet(cargo(&["clippy", "--quiet", "--workspace", "--all-targets"]).args(DENY))
    });
    let mend = "CLIPPY_CONF_DIR=clippy-wasm cargo clippy -p tabwright-web --target wasm32-unknown-unknown -- -D warnings";
    report.step("clippy-wasm", mend, || clippy_wasm(workspace, cargo(&[])));

    // The types that wasm-bindgen writes are among what TypeScript checks, so it comes after.
    report.step("build", "cargo xtask build", || {
        build_extension::build(workspace, tools, Profile::Release)
    });
    if report.failed.iter().any(|(name, _)| *name == "build") {
        eprintln!("  (types, lints, sizes and licences need a build, so they were not checked)");
        return report;
    }
    for (name, mend, project) in [
        ("types", "npx tsc -p tsconfig.json", "tsconfig.json"),
        (
            "types-browser",
            "npx tsc -p tsconfig.browser.json",
            "tsconfig.browser.json",
        ),
    ] {
        report.step(name, mend, || {
            quiet(&mut node("typescript/bin/tsc", &["-p", project]))
        });
    }
    report.step("eslint", "npx eslint . --fix", || {
        let fix: &[&str] = if fix { &["--fix"] } else { &[] };
        quiet(node("eslint/bin/eslint.js", &[".", "--max-warnings", "0"]).args(fix))
    });
    report.step("sizes", "cargo xtask size", || {
        size::judge(&size::measure(&workspace.dist())?)
    });
    report.step("licences", "cargo xtask licences", || {
        licences::check(workspace)
    });
    report
}

/// Lints the core as it is compiled for the browser, with the list of what would panic or block
/// there.
fn clippy_wasm(workspace: &Workspace, mut cargo: Command) -> Result<(), Failure> {
    let folder = workspace.path("clippy-wasm");
    files::read(&folder.join("clippy.toml"))?;
    quiet(
        cargo
            .args(["clippy", "--quiet", "--package", "tabwright-web"])
            .args(["--package", "tabwright-reader"])
            .args(["--target", "wasm32-unknown-unknown"])
            .args(DENY)
            .env("CLIPPY_CONF_DIR", folder),
    )
}

/// Runs a program whose output matters only when it fails.
fn quiet(command: &mut Command) -> Result<(), Failure> {
    let captured = shell::capture(command)?;
    if captured.success {
        return Ok(());
    }
    Err(Failure::new(captured.text()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_runs_and_every_failure_is_remembered_with_its_command() {
        let mut report = Report {
            passed: 0,
            failed: Vec::new(),
        };
        report.step("a", "mend a", || Err(Failure::new("wrong")));
        report.step("b", "mend b", || Ok(()));
        report.step("c", "mend c", || Err(Failure::new("wrong")));
        assert_eq!(
            report.counts(),
            Counts {
                passed: 1,
                failed: 2
            }
        );
        assert_eq!(report.failures(), "a, c");
        assert_eq!(report.failed, [("a", "mend a"), ("c", "mend c")]);
    }

    #[test]
    fn a_failing_program_is_shown_with_both_of_its_outputs() {
        let failure =
            quiet(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 1"])).unwrap_err();
        assert_eq!(failure.to_string(), "out\nerr\n");
        assert_eq!(quiet(Command::new("sh").args(["-c", "echo out"])), Ok(()));
    }
}
