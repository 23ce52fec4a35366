//! The one way a call runs.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};
use tabwright_host::fake::{FakeHost, run, run_until_stalled};
use tabwright_host::{HostError, HostErrorKind};
use tabwright_tools::{
    Access, CallFacts, CallOutcome, Door, Inspector, Registry, Replay, ToolError, ToolOutput,
    ToolResult, Verdict,
};

use crate::common::{Scripted, any_context, context};

fn host_error(kind: HostErrorKind) -> ToolResult {
    Err(HostError::new("tabs.list", kind, "some words").into())
}

/// Calls the tool; gives the outcome, how often it ran, and how long it took.
fn call(tool: &Scripted) -> (CallOutcome, usize, u64) {
    let fake = FakeHost::new(1);
    let outcome = run(
        &fake.clock,
        tool.door().call(context(fake.host()), "tool", "{}"),
    );
    let took = tabwright_host::Clock::now(&fake.clock).0 - FakeHost::START.0;
    (
        outcome.expect("the call ends"),
        tool.runs.borrow().len(),
        took,
    )
}

#[test]
fn a_result_is_as_trusted_as_its_tool() {
    for untrusted in [false, true] {
        let tool = Scripted::new("tool").with(|declaration| declaration.untrusted = untrusted);
        let expected = CallOutcome {
            value: json!({}),
            is_error: false,
            untrusted,
            fatal: false,
        };
        assert_eq!(call(&tool), (expected, 1, 0));
    }
}

#[test]
fn a_tools_own_words_are_trusted_and_words_from_outside_are_not() {
    for (error, untrusted) in [
        (ToolError::reply("bad_thing", "Do it so."), false),
        (ToolError::outside("bad_thing", "Do it so."), true),
    ] {
        let tool = Scripted::new("tool").answers([Err(error)]);
        let expected = CallOutcome {
            value: json!({"error": "Do it so.", "code": "bad_thing"}),
            is_error: true,
            untrusted,
            fatal: false,
        };
        assert_eq!(call(&tool), (expected, 1, 0));
    }
}

#[test]
fn a_fatal_error_is_still_one_result() {
    let tool = Scripted::new("tool").answers([Err(ToolError::Fatal("The disk is gone.".into()))]);
    let (outcome, runs, _) = call(&tool);
    assert!(outcome.fatal && outcome.is_error);
    assert_eq!(
        (outcome.value, runs),
        (json!({"error": "The disk is gone.", "code": "fatal"}), 1)
    );
}

#[test]
fn a_failed_host_call_says_which_and_what_would_work() {
    let message = |kind, access| {
        let tool = Scripted::new("tool")
            .with(|declaration| {
                declaration.access = access;
                declaration.replay = Replay::BareWrite;
                declaration.untrusted = true;
            })
            .answers([host_error(kind)]);
        let (outcome, _, _) = call(&tool);
        assert!(outcome.untrusted, "the words came from outside");
        let word = |key: &str| outcome.value[key].as_str().unwrap_or_default().to_owned();
        (word("code"), word("error"))
    };
    let said = "The call tabs.list failed (some words). ";
    for (kind, code, advice) in [
        (HostErrorKind::Invalid, "rejected", "Change the arguments."),
        (
            HostErrorKind::NotFound,
            "not_found",
            "List what is there and use an id or name from the list.",
        ),
        (
            HostErrorKind::Denied,
            "denied",
            "Do without it, or ask the person to allow it.",
        ),
        (
            HostErrorKind::Unavailable,
            "unavailable",
            "Try again in a moment.",
        ),
        (HostErrorKind::Timeout, "timeout", "Try again in a moment."),
        (
            HostErrorKind::Full,
            "storage_full",
            "Delete what is not needed, then try again.",
        ),
        (
            HostErrorKind::Locked,
            "locked",
            "Try again when whoever uses it is done.",
        ),
        (
            HostErrorKind::Failed,
            "failed",
            "Try again, or try another way.",
        ),
    ] {
        assert_eq!(
            message(kind, Access::Read),
            (code.to_owned(), format!("{said}{advice}"))
        );
        let advice = if kind.leaves_doubt() {
            "It may have happened all the same: look before you try again."
        } else {
            advice
        };
        assert_eq!(
            message(kind, Access::Write),
            (code.to_owned(), format!("{said}{advice}"))
        );
    }
}

/// How often a tool of that class runs, and how long it takes, when these are its first answers.
fn check_retry(replay: Replay, answers: &[HostErrorKind], runs: usize, took: u64, fails: bool) {
    let tool = Scripted::new("tool")
        .with(|declaration| declaration.replay = replay)
        .answers(answers.iter().copied().map(host_error));
    let (outcome, actual_runs, actual_took) = call(&tool);
    assert_eq!(
        (actual_runs, actual_took, outcome.is_error),
        (runs, took, fails),
        "{replay:?} {answers:?}"
    );
}

#[test]
fn a_pure_call_is_tried_again_while_the_other_side_is_away() {
    use HostErrorKind::{Failed, Timeout, Unavailable};
    check_retry(Replay::Pure, &[Unavailable], 2, 100, false);
    check_retry(Replay::Pure, &[Unavailable; 2], 3, 400, false);
    check_retry(Replay::Pure, &[Unavailable; 3], 4, 1_300, false);
    check_retry(Replay::Pure, &[Unavailable; 4], 4, 1_300, true);
    check_retry(Replay::Pure, &[Unavailable, Failed], 2, 100, true);
    check_retry(Replay::Pure, &[Timeout], 1, 0, true);
}

#[test]
fn no_other_call_is_tried_again() {
    for replay in [Replay::Keyed, Replay::BareWrite] {
        check_retry(replay, &[HostErrorKind::Unavailable], 1, 0, true);
    }
}

/// Says what it was told, and refuses one name.
struct Recorder {
    refused: &'static str,
    seen: Rc<RefCell<Vec<String>>>,
}

impl Inspector for Recorder {
    fn name(&self) -> &'static str {
        "recorder"
    }

    fn inspect(&self, call: &CallFacts<'_>) -> Verdict {
        self.seen.borrow_mut().push(format!(
            "{} {} {:?} {}",
            call.declaration.name,
            call.canonical,
            call.tab.map(|tab| tab.0),
            call.call
        ));
        if call.declaration.name == self.refused {
            Verdict::Refuse {
                rule: "repeated_call".into(),
                message: "Try something else.".into(),
            }
        } else {
            Verdict::Allow
        }
    }
}

#[test]
fn inspectors_see_checked_arguments_and_the_first_refusal_ends_the_call() {
    let tool = Scripted::new("tool").with(|declaration| {
        declaration.schema =
            json!({"properties": {"b": {"type": "integer"}, "a": {"type": "string"}}});
    });
    let mut registry = Registry::new();
    registry.add(tool.clone()).expect("a good name");
    let [first, second, third] = [(); 3].map(|()| Rc::new(RefCell::new(Vec::new())));
    let recorder = |refused, seen: &Rc<RefCell<Vec<String>>>| -> Rc<dyn Inspector> {
        Rc::new(Recorder {
            refused,
            seen: Rc::clone(seen),
        })
    };
    let inspectors = vec![
        recorder("other", &first),
        recorder("tool", &second),
        recorder("other", &third),
    ];
    let door = Door::new(registry, inspectors);

    let bad = run_until_stalled(door.call(any_context(), "tool", r#"{"b": "x"}"#));
    assert_eq!(bad.map(|outcome| outcome.is_error), Some(true));
    assert_eq!(first.borrow().len(), 0, "bad arguments are not inspected");

    let arguments = r#"{"b": "2", "a": "x", "c": 3}"#;
    let refused = run_until_stalled(door.call(any_context(), "tool", arguments));
    assert_eq!(
        refused,
        Some(CallOutcome::error("repeated_call", "Try something else."))
    );
    let facts = r#"tool {"a":"x","b":2} Some(7) call-1"#;
    assert_eq!(*first.borrow(), [facts]);
    assert_eq!(*second.borrow(), [facts]);
    assert_eq!(third.borrow().len(), 0);
    assert_eq!(tool.runs.borrow().len(), 0, "a refused call does not run");
}

#[test]
fn preparing_runs_nothing_and_running_runs_what_was_prepared() {
    let tool = Scripted::new("tool").with(|declaration| {
        declaration.schema = json!({"properties": {"n": {"type": "integer"}}});
    });
    let door = tool.door();
    let prepared = door.prepare(any_context(), "tool", r#"{"n": "4"}"#).ok();
    let prepared = prepared.expect("it fits");
    assert_eq!(prepared.declaration(), &tool.declaration);
    assert_eq!(tool.runs.borrow().len(), 0);
    let outcome = run_until_stalled(door.run(prepared));
    assert_eq!(outcome.map(|outcome| outcome.value), Some(json!({"n": 4})));
    assert_eq!(*tool.runs.borrow(), [json!({"n": 4})]);
}

#[test]
fn equal_arguments_have_equal_hashes_however_they_are_written() {
    let schema = json!({"properties": {"a": {"type": "integer"}, "b": {"type": "object"}}});
    let hash = |name: &str, arguments: &str| {
        let tool = Scripted::new(name).with(|declaration| declaration.schema = schema.clone());
        let prepared = tool.door().prepare(any_context(), name, arguments).ok();
        prepared.expect("it fits").arguments_hash()
    };
    let reference = hash("tool", r#"{"a": 1, "b": {"x": 1, "y": 2}}"#);
    assert_eq!(reference.len(), 16);
    for same in [
        r#"{"b":{"y":2,"x":1},"a":"1"}"#,
        r#"{ "a": 1.0, "b": {"x": 1, "y": 2}, "unknown": true }"#,
    ] {
        assert_eq!(hash("tool", same), reference, "{same}");
    }
    assert_ne!(
        hash("tool", r#"{"a": 2, "b": {"x": 1, "y": 2}}"#),
        reference
    );
    assert_ne!(hash("tool", r#"{"a": 1}"#), reference);
    assert_ne!(
        hash("tool2", r#"{"a": 1, "b": {"x": 1, "y": 2}}"#),
        reference
    );
}

#[test]
fn an_output_that_is_no_json_is_fatal() {
    let no_json: std::collections::BTreeMap<Vec<u8>, Value> = [(vec![1], json!(1))].into();
    assert!(matches!(ToolOutput::new(no_json), Err(ToolError::Fatal(_))));
}
