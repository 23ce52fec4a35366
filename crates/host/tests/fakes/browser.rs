//! The browser and the fault plan.

use tabwright_host::fake::{Call, FakeHost, FaultPlan, Which, run, run_until_stalled};
use tabwright_host::{Clock, HostErrorKind, Lifecycle, Tabs};
use tabwright_protocol::{
    CoreHealth, Epoch, Event, EventEnvelope, Millis, OriginRule, Seq, Tab, TabId, TabStatus,
    WindowId,
};

fn tab(id: i32) -> Tab {
    Tab {
        id: TabId(id),
        url: format!("https://example.test/{id}"),
        title: format!("Tab {id}"),
        active: false,
        window_id: WindowId(1),
        index: 0,
        audible: false,
        status: TabStatus::Complete,
    }
}

/// Lists tabs and keeps waking in turn, six calls 10 ms apart, and expects what each was answered.
fn check(plan: FaultPlan, expected: [&str; 6]) {
    let fake = FakeHost::new(1);
    fake.browser.set_faults(plan);
    let answers: Vec<String> = (0..6)
        .map(|round| {
            let browser = fake.browser.clone();
            let before = fake.clock.now();
            let answer = run(&fake.clock, async move {
                if round % 2 == 0 {
                    browser.list().await.map(|_| ())
                } else {
                    browser.keep_waking(true).await
                }
            });
            let waited = fake.clock.now().0 - before.0;
            fake.clock.advance(10);
            let word = match answer {
                None => "nothing".to_owned(),
                Some(Ok(())) => "ok".to_owned(),
                Some(Err(error)) => format!("{:?}", error.kind),
            };
            if waited == 0 {
                word
            } else {
                format!("{word} after {waited}")
            }
        })
        .collect();
    assert_eq!(answers, expected);
}

#[test]
fn without_a_plan_everything_works() {
    check(FaultPlan::new(), ["ok"; 6]);
}

#[test]
fn the_nth_call_fails_with_the_planned_kind() {
    check(
        FaultPlan::new().fail(Which::nth(2), HostErrorKind::Denied),
        ["ok", "Denied", "ok", "ok", "ok", "ok"],
    );
    check(
        FaultPlan::new().fail(Which::nth_of("tabs.list", 2), HostErrorKind::Timeout),
        ["ok", "ok", "Timeout", "ok", "ok", "ok"],
    );
    check(
        FaultPlan::new().lost(Which::nth_of("lifecycle.keep_waking", 2).times(5)),
        ["ok", "ok", "ok", "Unavailable", "ok", "Unavailable"],
    );
}

#[test]
fn a_lost_broker_is_away_for_some_calls_or_until_a_time() {
    check(
        FaultPlan::new().lost(Which::nth(2).times(3)),
        [
            "ok",
            "Unavailable",
            "Unavailable",
            "Unavailable",
            "ok",
            "ok",
        ],
    );
    check(
        FaultPlan::new().lost(Which::nth(2).until(Millis(FakeHost::START.0 + 30))),
        ["ok", "Unavailable", "Unavailable", "ok", "ok", "ok"],
    );
    check(FaultPlan::new().lost(Which::every()), ["Unavailable"; 6]);
}

#[test]
fn a_call_can_be_late_and_fail() {
    check(
        FaultPlan::new()
            .delay(Which::nth(1), 40)
            .delay(Which::nth(2), 5)
            .lost(Which::nth(2)),
        ["ok after 40", "Unavailable after 5", "ok", "ok", "ok", "ok"],
    );
}

#[test]
fn calls_are_recorded_in_order_and_say_whether_they_happened() {
    let fake = FakeHost::new(1);
    let browser = fake.browser.clone();
    browser.set_faults(
        FaultPlan::new()
            .lost(Which::nth_of("lifecycle.keep_waking", 1))
            .lost_answer(Which::nth_of("lifecycle.local_origins", 1)),
    );
    let rule = OriginRule {
        host: "localhost".into(),
        port: 11_434,
    };
    let rules = vec![rule.clone()];
    let results = run_until_stalled(async move {
        let first = browser.keep_waking(true).await;
        let second = browser.local_origins(rules).await;
        browser.rest();
        [first, second].map(|result| result.map_err(|error| error.kind))
    });
    assert_eq!(results, Some([Err(HostErrorKind::Unavailable); 2]));

    let call = |name, arguments: &str, happened| Call {
        name,
        arguments: arguments.to_owned(),
        happened,
    };
    assert_eq!(
        fake.browser.calls(),
        [
            call("lifecycle.keep_waking", "true", false),
            call("lifecycle.local_origins", "localhost:11434", true),
            call("lifecycle.rest", "", true),
        ]
    );
    assert!(!fake.browser.wakes(), "a lost call has no effect");
    assert_eq!(
        fake.browser.origins(),
        [rule],
        "a lost answer leaves the effect"
    );
}

#[test]
fn tabs_are_those_of_the_moment_the_call_ends() {
    let fake = FakeHost::new(1);
    fake.browser.set_tabs(vec![tab(1)]);
    fake.browser
        .set_faults(FaultPlan::new().delay(Which::nth(1), 10));
    let (browser, clock) = (fake.browser.clone(), fake.clock.clone());
    let listed = run(&fake.clock, async move {
        let ((), listed) = futures::join!(
            async {
                clock.sleep(5).await;
                browser.edit_tabs(|tabs| tabs.push(tab(2)));
            },
            browser.list()
        );
        listed
    });
    assert_eq!(listed, Some(Ok(vec![tab(1), tab(2)])));
}

#[test]
fn a_new_plan_counts_from_one_again() {
    let fake = FakeHost::new(1);
    let ask = || {
        let browser = fake.browser.clone();
        run_until_stalled(async move { browser.list().await.is_ok() })
    };
    assert_eq!(ask(), Some(true));
    fake.browser
        .set_faults(FaultPlan::new().lost(Which::nth(1)));
    assert_eq!([ask(), ask()], [Some(false), Some(true)]);
    fake.browser
        .set_faults(FaultPlan::new().lost(Which::nth_of("tabs.list", 2)));
    assert_eq!([ask(), ask()], [Some(true), Some(false)]);
}

#[test]
fn events_are_kept_until_they_are_taken() {
    let fake = FakeHost::new(1);
    let event = EventEnvelope {
        epoch: Epoch(1),
        seq: Seq(1),
        event: Event::Core {
            health: CoreHealth::Ready,
        },
    };
    fake.host().views.emit(event.clone());
    assert_eq!(fake.browser.events().len(), 1);
    assert_eq!(fake.browser.take_events(), [event]);
    assert_eq!(fake.browser.events(), []);
}
