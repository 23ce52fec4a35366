//! `cargo xtask planted`: does the suite notice? Each planted bug is put into a copy of the source,
//! and the tests that should notice it are run there.
//!
//! A bug is a few exact replacements, so the list breaks, loudly, when the code it was made for has
//! changed. The tests of the agent come first; what they miss must be found by the simulation.

mod bugs;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use bugs::{BUGS, Bug};

use crate::{failure::Failure, shell, workspace::Workspace};

/// What is copied: all that the native tests need.
const COPIED: &[&str] = &["Cargo.toml", "Cargo.lock", "crates", "fuzz"];
/// Where bugs are planted, and their tests run.
const TESTED: &[&str] = &[
    "tabwright-store",
    "tabwright-llm",
    "tabwright-tools",
    "tabwright-agent",
];
/// How many names of tests are printed for a bug.
const NAMED: usize = 3;

/// What became of a bug.
enum Verdict {
    /// These tests failed.
    Caught(Vec<String>),
    /// The simulation failed, with this line.
    CaughtBySimulation(String),
    /// Everything passed.
    Missed,
}

/// Plants each bug whose name contains `filter`, and says which test catches it.
pub fn planted(workspace: &Workspace, filter: Option<&str>) -> Result<ExitCode, Failure> {
    let tree = workspace.path("target/planted/tree");
    let mut missed = 0;
    let mut caught = 0;
    // What fails without a bug would pass for catching every one of them.
    copy_all(workspace, &tree)?;
    match judge(workspace, &tree)? {
        Verdict::Missed => {}
        Verdict::Caught(tests) => {
            return Err(Failure::new(format!(
                "Without any bug these tests fail: {}. Mend them first.",
                tests.join(", ")
            )));
        }
        Verdict::CaughtBySimulation(line) => {
            return Err(Failure::new(format!(
                "Without any bug the simulation fails: {line}. Mend that first."
            )));
        }
    }
    for bug in BUGS
        .iter()
        .filter(|bug| filter.is_none_or(|it| bug.name.contains(it)))
    {
        copy_all(workspace, &tree)?;
        plant(&tree, bug)?;
        eprintln!("{} …", bug.name);
        match judge(workspace, &tree)? {
            Verdict::Caught(tests) => {
                caught += 1;
                let more = tests.len().saturating_sub(NAMED);
                let named = tests[..tests.len().min(NAMED)].join(", ");
                let rest = if more > 0 {
                    format!(" and {more} more")
                } else {
                    String::new()
                };
                println!("caught  {:42} {named}{rest}", bug.name);
            }
            Verdict::CaughtBySimulation(line) => {
                caught += 1;
                println!("caught  {:42} simulation: {line}", bug.name);
            }
            Verdict::Missed => {
                missed += 1;
                println!("MISSED  {}", bug.name);
            }
        }
    }
    println!("{caught} of {} planted bugs caught", caught + missed);
    Ok(if missed == 0 && caught > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn judge(workspace: &Workspace, tree: &Path) -> Result<Verdict, Failure> {
    let target = workspace.path("target/planted/build");
    let mut tests = Command::new("cargo");
    tests.args(["test", "--no-fail-fast", "--quiet"]);
    for package in TESTED {
        tests.args(["--package", package]);
    }
    tests.env("CARGO_TARGET_DIR", &target).current_dir(tree);
    let tested = shell::capture(&mut tests)?;
    let failed = failed_tests(&tested.stdout);
    if !tested.success && failed.is_empty() {
        return Err(Failure::new(format!(
            "The planted bug does not compile:\n{}",
            tested.stderr.trim_end()
        )));
    }
    if !failed.is_empty() {
        return Ok(Verdict::Caught(failed));
    }
    let mut simulation = Command::new("cargo");
    simulation
        .args([
            "run",
            "--quiet",
            "--profile",
            "sim",
            "--package",
            "tabwright-sim",
            "--",
        ])
        .args(["--matrix", "--scenarios", "40", "--seeds", "2000"])
        .env("CARGO_TARGET_DIR", &target)
        .current_dir(tree);
    let simulated = shell::capture(&mut simulation)?;
    if simulated.success {
        return Ok(Verdict::Missed);
    }
    let text = simulated.text();
    let line = text
        .lines()
        .find(|line| line.contains("seed") || line.contains("lost"))
        .or(text.lines().last());
    Ok(Verdict::CaughtBySimulation(
        line.unwrap_or_default().trim().to_owned(),
    ))
}

/// The names of the tests that failed, from what `cargo test` printed.
fn failed_tests(output: &str) -> Vec<String> {
    let mut names: Vec<String> = output
        .lines()
        .filter_map(|line| line.strip_prefix("---- ")?.strip_suffix(" stdout ----"))
        .map(str::to_owned)
        .collect();
    names.dedup();
    names
}

fn plant(tree: &Path, bug: &Bug) -> Result<(), Failure> {
    for edit in bug.edits {
        let path = tree.join(edit.file);
        let text = fs::read_to_string(&path)
            .map_err(|error| Failure::new(format!("{} cannot be read: {error}.", edit.file)))?;
        let times = text.matches(edit.find).count();
        if times != 1 {
            return Err(Failure::new(format!(
                "The bug \"{}\" looks for this in {}, where it stands {times} times instead of once. Bring the list of planted bugs up to date:\n{}",
                bug.name, edit.file, edit.find
            )));
        }
        let text = text.replace(edit.find, edit.replace);
        fs::write(&path, text)
            .map_err(|error| Failure::new(format!("{} cannot be written: {error}.", edit.file)))?;
    }
    Ok(())
}

/// Brings the copy up to date. A file that is the same already keeps its time, so that only what a
/// bug touches, or touched before, is compiled again.
fn copy_all(workspace: &Workspace, tree: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(format!(
            "The source could not be copied for planting: {error}."
        ))
    };
    fs::create_dir_all(tree).map_err(failed)?;
    for name in COPIED {
        copy(&workspace.path(name), &tree.join(name)).map_err(failed)?;
    }
    Ok(())
}

fn copy(from: &PathBuf, to: &PathBuf) -> std::io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    let new = fs::read(from)?;
    if fs::read(to).is_ok_and(|old| old == new) {
        return Ok(());
    }
    fs::write(to, new)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_names_of_failed_tests_are_read() {
        let output = "running 2 tests\n.F\n---- turns::a stdout ----\nthread\n---- b stdout ----\n";
        assert_eq!(failed_tests(output), ["turns::a", "b"]);
    }

    #[test]
    fn every_bug_fits_the_source_as_it_is() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut names = BTreeSet::new();
        for bug in BUGS {
            assert!(names.insert(bug.name), "{} twice", bug.name);
            for edit in bug.edits {
                let text = fs::read_to_string(root.join(edit.file)).unwrap_or_default();
                let times = text.matches(edit.find).count();
                assert_eq!(times, 1, "{}: {} in {}", bug.name, edit.find, edit.file);
                assert_ne!(edit.find, edit.replace, "{}", bug.name);
            }
        }
        assert!(names.len() >= 20);
    }
}
