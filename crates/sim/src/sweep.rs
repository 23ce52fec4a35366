//! Many runs on all cores: seeds, and the matrix of deaths.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::SimError;
use crate::disk::Image;
use crate::fault::{Fault, FaultKind, Group};
use crate::run::{Bench, Outcome, Stats};
use crate::scenario::{Scenario, Size, generate};
use crate::trace::Keeps;

/// In every so manieth scenario of the matrix, every single write is a moment to die at.
const EVERY_WRITE_IN: u64 = 10;
/// Every so many seeds are run twice, to see that they give the same run.
const TWICE_EVERY: u64 = 16;
/// So many failures are told in full.
const MOST_TOLD: usize = 40;

/// What came of many runs.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many scenarios.
    pub scenarios: u64,
    /// How many runs.
    pub runs: u64,
    /// How many of them were runs of the same scenario again, to compare.
    pub compared: u64,
    /// What happened in them.
    pub stats: Stats,
    /// Acknowledged things that were lost.
    pub lost: u64,
    /// Things that were done twice.
    pub duplicated: u64,
    /// Unknown outcomes that nobody was told of.
    pub hidden: u64,
    /// Requests that were not legal, or not true.
    pub illegal: u64,
    /// Everything else that broke a rule.
    pub other: u64,
    /// The first failures.
    pub failures: Vec<Failure>,
    /// How many runs failed.
    pub failed: u64,
}

/// A run that broke a rule.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The scenario's seed.
    pub seed: u64,
    /// Which run of it.
    pub place: Place,
    /// The rules.
    pub faults: Vec<Fault>,
}

/// Which run of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The seed's own, with the deaths that it says.
    Seed,
    /// The one of the matrix without a death.
    Whole,
    /// The one of the matrix with a death at that boundary.
    Death(u64),
}

impl Report {
    fn add(&mut self, seed: u64, place: Place, outcome: Outcome) {
        self.runs += 1;
        self.stats += outcome.stats;
        if outcome.faults.is_empty() {
            return;
        }
        self.failed += 1;
        for fault in &outcome.faults {
            let count = match fault.kind.group() {
                Group::Lost => &mut self.lost,
                Group::Duplicated => &mut self.duplicated,
                Group::UnknownHidden => &mut self.hidden,
                Group::History => &mut self.illegal,
                Group::Other => &mut self.other,
            };
            *count += 1;
        }
        if self.failures.len() < MOST_TOLD {
            self.failures.push(Failure {
                seed,
                place,
                faults: outcome.faults,
            });
        }
    }

    fn merge(&mut self, other: Self) {
        self.scenarios += other.scenarios;
        self.runs += other.runs;
        self.compared += other.compared;
        self.stats += other.stats;
        self.lost += other.lost;
        self.duplicated += other.duplicated;
        self.hidden += other.hidden;
        self.illegal += other.illegal;
        self.other += other.other;
        self.failed += other.failed;
        self.failures.extend(other.failures);
    }
}

/// Runs the seeds from `first` on.
pub fn seeds(first: u64, count: u64) -> Result<Report, SimError> {
    in_parallel(count, |bench, number, report| {
        let seed = first + number;
        let scenario = generate(seed, Size::Full);
        report.scenarios += 1;
        let twice = number % TWICE_EVERY == 0;
        let keeps = if twice { Keeps::Hash } else { Keeps::Nothing };
        let mut outcome = run(bench, &scenario, keeps);
        if twice {
            report.compared += 1;
            let again = run(bench, &scenario, keeps);
            if again.hash != outcome.hash {
                outcome.faults.push(Fault {
                    kind: FaultKind::NotRepeatable,
                    about: format!("{:016x}, then {:016x}", outcome.hash, again.hash),
                });
            }
        }
        report.add(seed, Place::Seed, outcome);
    })
}

/// Runs each scenario once without a death, and once for each of its boundaries with a death there.
/// With `every_write` each single write is one in all scenarios, which takes three times as long.
pub fn matrix(scenarios: u64, every_write: bool) -> Result<Report, SimError> {
    in_parallel(scenarios, |bench, number, report| {
        let scenario = in_matrix(number, every_write);
        report.scenarios += 1;
        let image = bench.prepare(&scenario);
        let whole = run_from(bench, &image, &scenario, Keeps::Nothing);
        let boundaries = whole.stats.boundaries;
        report.add(number, Place::Whole, whole);
        for boundary in 1..=boundaries {
            let dying = dying_at(&scenario, boundary);
            let outcome = run_from(bench, &image, &dying, Keeps::Nothing);
            report.add(number, Place::Death(boundary), outcome);
        }
    })
}

/// A scenario of the matrix: little happens in it, and nothing dies by itself.
pub fn in_matrix(number: u64, every_write: bool) -> Scenario {
    Scenario {
        every_write: every_write || number.is_multiple_of(EVERY_WRITE_IN),
        lives: Vec::new(),
        glitch: None,
        jump: 0,
        ..generate(number, Size::Small)
    }
}

/// The same scenario with a death.
pub fn dying_at(scenario: &Scenario, boundary: u64) -> Scenario {
    Scenario {
        lives: vec![boundary],
        ..scenario.clone()
    }
}

/// Runs one scenario.
pub fn run(bench: &Bench, scenario: &Scenario, keeps: Keeps) -> Outcome {
    run_from(bench, &bench.prepare(scenario), scenario, keeps)
}

/// Runs one scenario on a prepared disk; a panic is one of the things that must not happen.
fn run_from(bench: &Bench, image: &Image, scenario: &Scenario, keeps: Keeps) -> Outcome {
    match catch_unwind(AssertUnwindSafe(|| bench.run_from(image, scenario, keeps))) {
        Ok(outcome) => outcome,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Outcome {
                faults: vec![Fault {
                    kind: FaultKind::Panicked,
                    about: text.unwrap_or_default(),
                }],
                ..Outcome::default()
            }
        }
    }
}

/// Does pieces of work on all cores, each with a bench and a report of its own.
fn in_parallel(
    count: u64,
    work: impl Fn(&Bench, u64, &mut Report) + Sync,
) -> Result<Report, SimError> {
    let next = AtomicU64::new(0);
    let total = Mutex::new(Report::default());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let one = || -> Result<(), SimError> {
        let bench = Bench::new()?;
        let mut report = Report::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            work(&bench, number, &mut report);
        }
        total
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .merge(report);
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        for worker in workers {
            match worker.join() {
                Ok(result) => result?,
                Err(_) => return Err(SimError::Worker),
            }
        }
        Ok(())
    })?;
    let mut total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    total
        .failures
        .sort_by_key(|failure| (failure.seed, failure.place));
    total.failures.truncate(MOST_TOLD);
    Ok(total)
}
