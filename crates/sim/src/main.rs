//! `tabwright-sim`: simulated runs by the thousand, or one of them in full.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use tabwright_sim::SimError;
use tabwright_sim::run::Bench;
use tabwright_sim::scenario::{Scenario, Size, generate};
use tabwright_sim::sweep::{self, Place, Report};
use tabwright_sim::trace::Keeps;

/// How many of the rules that a run broke are told.
const MOST_TOLD: usize = 5;

const USAGE: &str = "\
tabwright-sim [--matrix [--scenarios N] [--every-write]] [--seeds N [--from K]]
    --matrix         run each of N scenarios (200) once for each moment it can die at;
                     --every-write: each single write to the disk is such a moment
    --seeds N        run the seeds K (0) to K+N-1
tabwright-sim --seed S
    run one seed and print all that happens
tabwright-sim --scenario S [--death B] [--every-write]
    run one scenario of the matrix, with a death at that moment, and print all that happens
";

/// What is asked for.
enum Command {
    Matrix { scenarios: u64, every_write: bool },
    Seeds { first: u64, count: u64 },
    One(Box<Scenario>),
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(commands) = parse(&words) else {
        eprint!("{USAGE}");
        return ExitCode::FAILURE;
    };
    let mut is_well = true;
    for command in &commands {
        match execute(command) {
            Ok(went_well) => is_well &= went_well,
            Err(error) => {
                eprintln!("error: {error}");
                is_well = false;
            }
        }
    }
    if is_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// What the words ask for; none when they cannot be understood.
fn parse(words: &[String]) -> Option<Vec<Command>> {
    let mut given: BTreeMap<&str, u64> = BTreeMap::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let value = match word.as_str() {
            "--matrix" | "--every-write" => 1,
            "--scenarios" | "--seeds" | "--from" | "--seed" | "--scenario" | "--death" => {
                rest.next()?.parse().ok()?
            }
            _ => return None,
        };
        given.insert(word, value);
    }
    let value = |name: &str| given.get(name).copied();
    let every_write = value("--every-write").is_some();
    let mut commands = Vec::new();
    if value("--matrix").is_some() {
        commands.push(Command::Matrix {
            scenarios: value("--scenarios").unwrap_or(200),
            every_write,
        });
    }
    if let Some(count) = value("--seeds") {
        let first = value("--from").unwrap_or(0);
        commands.push(Command::Seeds { first, count });
    }
    if let Some(seed) = value("--seed") {
        let scenario = generate(seed, Size::Full);
        commands.push(Command::One(Box::new(scenario)));
    }
    if let Some(number) = value("--scenario") {
        let scenario = sweep::in_matrix(number, every_write);
        let scenario = match value("--death") {
            Some(boundary) => sweep::dying_at(&scenario, boundary),
            None => scenario,
        };
        commands.push(Command::One(Box::new(scenario)));
    }
    (!commands.is_empty()).then_some(commands)
}

/// True when nothing went wrong.
fn execute(command: &Command) -> Result<bool, SimError> {
    let began = Instant::now();
    match command {
        Command::Matrix {
            scenarios,
            every_write,
        } => {
            let report = sweep::matrix(*scenarios, *every_write)?;
            println!(
                "matrix of deaths: {} kill points",
                report.runs - report.scenarios
            );
            Ok(print(&report, began))
        }
        Command::Seeds { first, count } => {
            let report = sweep::seeds(*first, *count)?;
            println!("seeds {first} to {}", first + count.saturating_sub(1));
            Ok(print(&report, began))
        }
        Command::One(scenario) => one(scenario),
    }
}

fn one(scenario: &Scenario) -> Result<bool, SimError> {
    println!("{scenario:#?}");
    let outcome = sweep::run(&Bench::new()?, scenario, Keeps::Text);
    for line in &outcome.lines {
        println!("{line}");
    }
    println!("{:?}", outcome.stats);
    println!("hash {:016x}", outcome.hash);
    for fault in &outcome.faults {
        println!("BROKEN {:?}: {}", fault.kind, fault.about);
    }
    Ok(outcome.faults.is_empty())
}

fn print(report: &Report, began: Instant) -> bool {
    for failure in &report.failures {
        let which = match failure.place {
            Place::Seed => format!("--seed {}", failure.seed),
            Place::Whole => format!("--scenario {0} (seed {0})", failure.seed),
            Place::Death(at) => format!("--scenario {0} --death {at} (seed {0})", failure.seed),
        };
        let mut faults = failure.faults.iter().take(MOST_TOLD);
        if let Some(fault) = faults.next() {
            println!("FAILED {which}  {:?}: {}", fault.kind, fault.about);
        }
        for fault in faults {
            println!("    {:?}: {}", fault.kind, fault.about);
        }
    }
    let stats = &report.stats;
    let seconds = began.elapsed().as_secs_f64();
    let runs = report.runs + report.compared;
    // Only for people: precision is not needed.
    #[allow(clippy::cast_precision_loss)]
    let speed = runs as f64 / seconds.max(0.001);
    println!(
        "scenarios {}  runs {runs}  seconds {seconds:.1}  runs/s {speed:.0}",
        report.scenarios
    );
    println!(
        "deaths {}  moments {}  model requests {}  summaries {}  events {}  ops acknowledged {}  changes {}",
        stats.deaths,
        stats.boundaries,
        stats.requests,
        stats.summaries,
        stats.events,
        stats.acknowledged,
        stats.changes
    );
    println!(
        "lost {}  duplicated {}  unknown {}  unknown and not shown {}  illegal histories {}  other {}",
        report.lost, report.duplicated, stats.unknown, report.hidden, report.illegal, report.other
    );
    println!(
        "{} passed, {} failed",
        report.runs - report.failed,
        report.failed
    );
    report.failed == 0
}
