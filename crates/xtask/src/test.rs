//! `cargo xtask test`: every test of the project, then the checks, then one line that counts.

use std::{
    process::{Command, ExitCode},
    time::Instant,
};

use crate::{
    arguments::Only,
    build_extension::{self, Profile},
    check,
    failure::Failure,
    files,
    setup::{self, Need, Tools},
    shell::{self, Captured},
    sim,
    summary::{self, Counts, Part},
    workspace::Workspace,
};

const PLAYWRIGHT_CONFIG: &str = "tests/e2e/playwright.config.ts";
/// Where unit tests in TypeScript are.
const UNIT_TEST_FOLDERS: &[&str] = &[
    "www",
    "extension",
    "tests/model-server",
    "tests/rig",
    "tests/kill",
];

/// Runs the tests (only some, when asked), and fails when one fails or none ran.
pub fn test(
    workspace: &Workspace,
    only: Option<Only>,
    filter: Option<&str>,
) -> Result<ExitCode, Failure> {
    let wants = |kind| only.is_none_or(|only| only == kind);
    let needs = match only {
        None | Some(Only::Browser) => Need::ALL,
        Some(Only::Rust) => &[Need::Rust],
        Some(Only::Ts) => &[Need::Node, Need::NodeModules],
    };
    let tools = setup::setup(workspace, needs, false)?;
    let mut parts = Vec::new();
    if wants(Only::Rust) {
        parts.push(part("rust", || rust(workspace, filter)));
        // The simulation has no names to filter by.
        if filter.is_none() {
            parts.push(part("sim", || {
                counted(&sim::all(workspace)?, summary::sim_counts)
            }));
        }
    }
    if wants(Only::Ts) {
        parts.push(part("ts", || typescript(workspace, filter)));
    }
    if wants(Only::Browser) {
        parts.push(part("browser", || browser(workspace, &tools, filter)));
    }
    // Whoever runs some of the tests wants their answer soon.
    if only.is_none() && filter.is_none() {
        parts.push(checks(workspace, &tools));
    }
    print!("{}", summary::table(&parts));
    let total = summary::total(&parts);
    let success = total.failed == 0 && total.passed > 0;
    Ok(if success {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Runs one part. One that could not run at all is one failure.
fn part(name: &'static str, run: impl FnOnce() -> Result<Counts, Failure>) -> Part {
    let started = Instant::now();
    let (counts, note) = match run() {
        Ok(counts) => (counts, String::new()),
        Err(failure) => {
            eprintln!("error: {failure}");
            let one = Counts {
                passed: 0,
                failed: 1,
            };
            (one, "could not run, see above".to_owned())
        }
    };
    Part {
        name,
        time: started.elapsed(),
        counts,
        note,
    }
}

fn rust(workspace: &Workspace, filter: Option<&str>) -> Result<Counts, Failure> {
    let mut cargo = Command::new("cargo");
    cargo
        .args(["test", "--workspace", "--no-fail-fast"])
        .args(filter)
        .current_dir(workspace.root());
    counted(&shell::tee(&mut cargo)?, summary::cargo_counts)
}

fn typescript(workspace: &Workspace, filter: Option<&str>) -> Result<Counts, Failure> {
    let mut test_files = Vec::new();
    for folder in UNIT_TEST_FOLDERS {
        for file in files::walk(&workspace.path(folder))? {
            let path = files::relative(&file, workspace.root());
            if path.ends_with(".test.ts") || path.ends_with(".test.tsx") {
                test_files.push(path);
            }
        }
    }
    if test_files.is_empty() {
        return Ok(Counts::default());
    }
    let mut node = Command::new("node");
    node.args(["--import", "tsx", "--test", "--test-reporter", "spec"]);
    if let Some(filter) = filter {
        node.args(["--test-name-pattern", &escaped(filter)]);
    }
    node.args(test_files).current_dir(workspace.root());
    counted(&shell::tee(&mut node)?, summary::node_counts)
}

fn browser(workspace: &Workspace, tools: &Tools, filter: Option<&str>) -> Result<Counts, Failure> {
    build_extension::build(workspace, tools, Profile::Release)?;
    if !workspace.path(PLAYWRIGHT_CONFIG).is_file() {
        return Err(Failure::new(format!(
            "{PLAYWRIGHT_CONFIG} is missing, so there is no browser test to run. Restore it."
        )));
    }
    let mut node = Command::new("node");
    node.arg(workspace.node_program("@playwright/test/cli.js"))
        .args(["test", "-c", PLAYWRIGHT_CONFIG, "--reporter", "list"])
        .env("TABWRIGHT_CHROMIUM", tools.chromium()?)
        .current_dir(workspace.root());
    if let Some(filter) = filter {
        // A filter that names a test of another kind is no failure here.
        node.args(["--pass-with-no-tests", "-g", &escaped(filter)]);
    }
    counted(&shell::tee(&mut node)?, summary::playwright_counts)
}

/// A filter is plain text, as Cargo takes it; the other runners take patterns.
fn escaped(filter: &str) -> String {
    let mut pattern = String::new();
    for c in filter.chars() {
        if r".*+?^${}()|[]\/".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

fn counted(captured: &Captured, counts: fn(&str) -> Counts) -> Result<Counts, Failure> {
    Ok(summary::with_exit(
        counts(&captured.stdout),
        captured.success,
    ))
}

/// The checks as one row. Those that pass are not tests, so only a failed one is counted.
fn checks(workspace: &Workspace, tools: &Tools) -> Part {
    let started = Instant::now();
    eprintln!("checks:");
    let report = check::check(workspace, tools, false);
    report.print();
    let counts = report.counts();
    let note = match counts.failed {
        0 => format!("{} checks passed", counts.passed),
        _ => format!("failed: {}", report.failures()),
    };
    Part {
        name: "check",
        time: started.elapsed(),
        counts: Counts {
            passed: 0,
            failed: counts.failed,
        },
        note,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_plain_text_for_every_runner() {
        assert_eq!(escaped("opens a tab"), "opens a tab");
        assert_eq!(escaped("a.b (c)"), r"a\.b \(c\)");
    }

    #[test]
    fn a_part_that_cannot_run_is_one_failure() {
        let part = part("browser", || Err(Failure::new("no config")));
        assert_eq!(
            part.counts,
            Counts {
                passed: 0,
                failed: 1
            }
        );
        assert_eq!(part.note, "could not run, see above");
    }
}
