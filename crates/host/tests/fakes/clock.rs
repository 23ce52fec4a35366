//! The clock and the randomness.

use std::cell::RefCell;
use std::rc::Rc;

use futures::FutureExt;
use futures::executor::LocalPool;
use futures::task::LocalSpawnExt;
use tabwright_host::fake::{FakeClock, SeededEntropy, run, run_until_stalled};
use tabwright_host::{Clock, Entropy};
use tabwright_protocol::Millis;

/// Begins the sleeps, advances by the steps, and expects these sleeps to end in this order.
fn check(sleeps: &[u64], steps: &[u64], expected: &[u64]) {
    let clock = FakeClock::new(Millis(1_000));
    let ended = Rc::new(RefCell::new(Vec::new()));
    let mut pool = LocalPool::new();
    for &millis in sleeps {
        let sleep = clock.sleep(millis);
        let ended = Rc::clone(&ended);
        pool.spawner()
            .spawn_local(async move {
                sleep.await;
                ended.borrow_mut().push(millis);
            })
            .expect("the pool takes tasks");
    }
    pool.run_until_stalled();
    for &step in steps {
        clock.advance(step);
        pool.run_until_stalled();
    }
    assert_eq!(*ended.borrow(), expected, "{sleeps:?} after {steps:?}");
    assert_eq!(clock.pending_sleeps(), sleeps.len() - expected.len());
    assert_eq!(clock.now(), Millis(1_000 + steps.iter().sum::<u64>()));
}

#[test]
fn sleeps_end_only_when_the_clock_is_moved_and_in_the_order_they_are_due() {
    check(&[100, 50], &[], &[]);
    check(&[100], &[99], &[]);
    check(&[100], &[99, 1], &[100]);
    check(&[300, 100, 200], &[1_000], &[100, 200, 300]);
    check(&[300, 100, 200], &[250], &[100, 200]);
    check(&[0], &[], &[0]);
}

#[test]
fn a_sleep_counts_from_when_it_was_asked_for_and_a_dropped_one_is_gone() {
    let clock = FakeClock::new(Millis(0));
    let mut sleep = clock.sleep(10);
    clock.advance(10);
    assert!(sleep.as_mut().now_or_never().is_some());

    let dropped = clock.sleep(10);
    assert_eq!((clock.pending_sleeps(), clock.next_due()), (1, Some(10)));
    drop(dropped);
    assert_eq!((clock.pending_sleeps(), clock.next_due()), (0, None));
}

#[test]
fn a_jump_of_the_wall_clock_ends_no_sleep() {
    let clock = FakeClock::new(Millis(5_000));
    let sleep = clock.sleep(10);
    clock.jump(Millis(90_000));
    assert_eq!((clock.now(), clock.pending_sleeps()), (Millis(90_000), 1));
    clock.jump(Millis(7));
    clock.advance(10);
    assert_eq!((clock.now(), clock.pending_sleeps()), (Millis(17), 0));
    drop(sleep);
}

#[test]
fn running_moves_the_clock_from_sleep_to_sleep_and_no_further() {
    let clock = FakeClock::new(Millis(0));
    let inner = clock.clone();
    let seen = run(&clock, async move {
        inner.sleep(100).await;
        let first = inner.now();
        inner.sleep(20).await;
        (first, inner.now())
    });
    assert_eq!(seen, Some((Millis(100), Millis(120))));
    assert_eq!(run(&clock, futures::future::pending::<()>()), None);
    assert_eq!(run_until_stalled(clock.sleep(1)), None);
    assert_eq!(clock.now(), Millis(120));
}

#[test]
fn one_seed_gives_one_sequence() {
    let take = |seed| {
        let entropy = SeededEntropy::new(seed);
        [entropy.next(), entropy.next(), entropy.next()]
    };
    assert_eq!(take(7), take(7));
    assert_ne!(take(7), take(8));
    // The published first outputs of SplitMix64 for the seed 0.
    assert_eq!(
        take(0),
        [
            0xE220_A839_7B1D_CDAF,
            0x6E78_9E6A_A1B9_65F4,
            0x06C4_5D18_8009_454F
        ]
    );
}
