//! The simulation itself: it repeats, it finds nothing where nothing is wrong, and it finds what is.

use tabwright_sim::fault::FaultKind;
use tabwright_sim::run::{Bench, Stats};
use tabwright_sim::scenario::{Scenario, Size, generate};
use tabwright_sim::sweep::{dying_at, in_matrix};
use tabwright_sim::trace::Keeps;

#[test]
fn a_seed_gives_the_same_run_each_time() {
    let bench = Bench::new().unwrap();
    let hash = |seed| {
        let scenario = generate(seed, Size::Full);
        bench.run(&scenario, Keeps::Hash).hash
    };
    for seed in 0..10 {
        assert_eq!(hash(seed), hash(seed), "seed {seed}");
    }
    assert_ne!(hash(0), hash(1));
}

#[test]
fn runs_with_faults_and_deaths_break_no_rule() {
    let bench = Bench::new().unwrap();
    let mut stats = Stats::default();
    for seed in 0..40 {
        let outcome = bench.run(&generate(seed, Size::Full), Keeps::Nothing);
        assert_eq!(outcome.faults, [], "seed {seed}");
        stats += outcome.stats;
    }
    assert!(stats.deaths > 10 && stats.requests > 100, "{stats:?}");
    assert!(stats.acknowledged > 100 && stats.changes > 50, "{stats:?}");
}

#[test]
fn a_death_comes_exactly_where_it_is_planned() {
    let bench = Bench::new().unwrap();
    let scenario = in_matrix(1, false);
    let image = bench.prepare(&scenario);
    let whole = bench.run_from(&image, &scenario, Keeps::Nothing).stats;
    assert_eq!(whole.deaths, 0);
    for boundary in (1..=whole.boundaries).step_by(11) {
        let dying = dying_at(&scenario, boundary);
        let outcome = bench.run_from(&image, &dying, Keeps::Nothing);
        assert_eq!(outcome.faults, [], "death at {boundary}");
        assert_eq!(outcome.stats.deaths, 1, "death at {boundary}");
    }
    // Beyond the last one there is nothing to die at.
    let late = dying_at(&scenario, whole.boundaries + 1);
    let outcome = bench.run_from(&image, &late, Keeps::Nothing);
    assert_eq!(outcome.stats.deaths, 0);
}

#[test]
fn a_disk_that_loses_what_was_flushed_is_noticed() {
    let bench = Bench::new().unwrap();
    let mut kinds = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let scenario = Scenario {
            disk_lies: true,
            ..generate(seed, Size::Full)
        };
        let outcome = bench.run(&scenario, Keeps::Nothing);
        kinds.extend(outcome.faults.iter().map(|fault| fault.kind));
    }
    for expected in [
        FaultKind::AcknowledgedOpLost,
        FaultKind::EffectBeforeIntent,
        FaultKind::ResultDropped,
    ] {
        assert!(
            kinds.contains(&expected),
            "{expected:?} is not in {kinds:?}"
        );
    }
}
