//! The machine alone: which effects a step asks for, and what may never be started twice.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "a test that meets something else has failed, and most effects do not concern it"
)]

use serde_json::Value;
use tabwright_agent::machine::{
    CallClass, CallResult, CheckedCall, Conversation, Effect, Input, ModelChoice, Phase, Place,
    ReadyCall, RequestNumber, Step, Surroundings, Toolbox,
};
use tabwright_agent::{Body, Ids};
use tabwright_llm::{Answer, ModelCall, ModelEvent, StopReason};
use tabwright_protocol::{CallId, CallState, Millis, TurnEndReason, Usage};
use tabwright_tools::Replay;

/// Tools whose names say what they are: `read…`, `keyed…`, `write…`.
struct Named;

impl Toolbox for Named {
    fn check(&self, tool: &str, _: &str) -> CheckedCall {
        let (replay, concurrent) = match tool {
            _ if tool.starts_with("read") => (Replay::Pure, true),
            _ if tool.starts_with("keyed") => (Replay::Keyed, false),
            _ if tool.starts_with("write") => (Replay::BareWrite, false),
            _ => {
                return CheckedCall::Refused {
                    result: outcome("unknown", true),
                };
            }
        };
        CheckedCall::Ready(Box::new(ReadyCall {
            title: tool.into(),
            replay,
            concurrent,
            hash: tool.into(),
            approval: None,
            core: None,
            class: CallClass::Poll,
        }))
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

struct Bench {
    conversation: Conversation,
    ids: Ids,
    model: ModelChoice,
    now: u64,
}

impl Bench {
    /// A conversation whose model has just answered with these calls.
    fn with_calls(tools: &[&str]) -> (Self, Step) {
        let mut bench = Self {
            conversation: Conversation::new("c".into(), Millis(0)),
            ids: Ids::new(1),
            model: ModelChoice {
                id: "m".into(),
                name: "some-model".into(),
                source: "here".into(),
                window: 100_000,
                prices: None,
            },
            now: 0,
        };
        bench.step(Input::Send {
            text: "go".into(),
            tab: None,
        });
        let step = bench.answer(tools);
        (bench, step)
    }

    fn step(&mut self, input: Input) -> Step {
        self.now += 1_000;
        let mut around = Surroundings {
            now: Millis(self.now),
            ids: &mut self.ids,
            tools: &Named,
            model: &self.model,
            place: Place::default(),
            summary: None,
            fallback: None,
            used_elsewhere: Usage::default(),
            today: Usage::default(),
        };
        self.conversation.step(&mut around, input).unwrap()
    }

    fn answer(&mut self, tools: &[&str]) -> Step {
        let calls: Vec<_> = tools.iter().map(|tool| call_of(tool)).collect();
        let text = if calls.is_empty() { "done" } else { "" };
        self.step(Input::ModelDone {
            request: self.request(),
            result: Ok(answer_of(text, calls)),
        })
    }

    /// The request that is out.
    fn request(&self) -> RequestNumber {
        match &self.conversation.run.as_ref().unwrap().phase {
            Phase::Model(request) => request.number,
            other => panic!("no request is out, but {other:?}"),
        }
    }

    fn done(&mut self, tool: &str) -> Step {
        let call = self.call(tool).0;
        self.step(Input::CallDone {
            call,
            outcome: outcome("ok", false),
        })
    }

    fn call(&self, tool: &str) -> (CallId, CallState, u32) {
        self.conversation
            .items
            .iter()
            .find_map(|item| match &item.body {
                Body::Call(call) if call.tool == tool => {
                    Some((call.call.clone(), call.state.clone(), call.attempts))
                }
                _ => None,
            })
            .unwrap()
    }

    /// The core died: all that is left is what the steps had put on disk.
    fn die(&mut self) -> Step {
        self.conversation.run.as_mut().unwrap().phase = Phase::Calls;
        self.step(Input::Resume)
    }

    fn notices(&self) -> Vec<String> {
        self.conversation
            .items
            .iter()
            .filter_map(|item| match &item.body {
                Body::Notice { code, .. } => Some(code.clone()),
                _ => None,
            })
            .collect()
    }
}

fn call_of(tool: &str) -> ModelCall {
    ModelCall {
        provider_id: format!("p-{tool}"),
        name: tool.into(),
        arguments: "{}".into(),
        opaque: Value::Null,
        complete: true,
    }
}

fn answer_of(text: &str, calls: Vec<ModelCall>) -> Answer {
    Answer {
        text: text.into(),
        thinking: String::new(),
        images: Vec::new(),
        stop: StopReason::EndTurn,
        calls,
        usage: Default::default(),
        opaque: Value::Null,
        unread_call: false,
    }
}

fn outcome(result: &str, is_error: bool) -> CallResult {
    CallResult {
        result: result.into(),
        model_text: result.into(),
        is_error,
        millis: 1,
        fatal: false,
        ..CallResult::default()
    }
}

/// The tools that a step starts, `request` for a request, and what it gives up.
fn started(step: &Step) -> Vec<String> {
    step.effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Call { tool, .. } => Some(tool.clone()),
            Effect::Request { .. } => Some("request".into()),
            Effect::AbandonCall { .. } => Some("give up a call".into()),
            Effect::AbandonRequest { .. } => Some("give up the request".into()),
            _ => None,
        })
        .collect()
}

#[test]
fn neighbours_that_may_run_side_by_side_start_together_and_others_in_order() {
    let (mut bench, step) =
        Bench::with_calls(&["read-1", "read-2", "write-1", "read-3", "write-2"]);
    assert_eq!(started(&step), ["read-1", "read-2"]);
    assert_eq!(started(&bench.done("read-2")), [""; 0]);
    assert_eq!(started(&bench.done("read-1")), ["write-1"]);
    assert_eq!(started(&bench.done("write-1")), ["read-3"]);
    assert_eq!(started(&bench.done("read-3")), ["write-2"]);
    assert_eq!(started(&bench.done("write-2")), ["request"]);
    let step = bench.answer(&[]);
    assert!(step.run && bench.conversation.run.is_none());
}

#[test]
fn what_starts_an_effect_has_put_its_intent_on_disk_in_the_same_step() {
    let (bench, step) = Bench::with_calls(&["write-1"]);
    assert_eq!(started(&step), ["write-1"]);
    let position = bench.conversation.items.last().unwrap().position;
    assert!(step.items.contains(&position) && step.must_commit());
    let (_, state, attempts) = bench.call("write-1");
    assert!(matches!(state, CallState::Running { .. }));
    assert_eq!(attempts, 1);
}

#[test]
fn after_a_death_reads_run_again_and_a_bare_write_never_does() {
    let check = |tool: &str, again: &[&str], attempts: u32, notices: &[&str]| {
        let (mut bench, _) = Bench::with_calls(&[tool]);
        assert_eq!(started(&bench.die()), again, "{tool}");
        assert_eq!(bench.call(tool).2, attempts, "{tool}");
        assert_eq!(bench.notices(), notices, "{tool}");
    };
    check("read", &["read"], 2, &[]);
    check("keyed", &["keyed"], 2, &[]);
    check("write", &["request"], 1, &["outcome_unknown"]);
}

#[test]
fn a_bare_write_that_had_not_begun_begins_after_a_death() {
    let (mut bench, _) = Bench::with_calls(&["write-1", "write-2"]);
    let step = bench.die();
    assert_eq!(started(&step), ["write-2"]);
    assert_eq!(bench.call("write-1").1, CallState::Unknown);
    // The result of the first life's effect, should it arrive, changes nothing any more.
    let step = bench.done("write-1");
    assert_eq!((started(&step), step.must_commit()), (vec![], false));
    assert_eq!(started(&bench.done("write-2")), ["request"]);
}

#[test]
fn an_unknown_outcome_is_told_to_the_model() {
    let (mut bench, _) = Bench::with_calls(&["write"]);
    bench.die();
    let text = bench
        .conversation
        .items
        .iter()
        .find_map(|item| match &item.body {
            Body::Call(call) => Some(call.model_text.clone()),
            _ => None,
        })
        .unwrap();
    assert!(text.contains("may have happened"), "{text}");
}

#[test]
fn stop_gives_every_open_call_a_result_and_ends_the_turn_once() {
    let (mut bench, _) = Bench::with_calls(&["write-1", "write-2"]);
    let step = bench.step(Input::Stop);
    assert_eq!(started(&step), ["give up a call"]);
    assert_eq!(bench.call("write-1").1, CallState::Unknown);
    assert!(matches!(
        bench.call("write-2").1,
        CallState::Done { is_error: true, .. }
    ));
    assert!(!bench.step(Input::Stop).must_commit());
    assert!(!bench.done("write-1").must_commit());
    let ends: Vec<_> = bench
        .conversation
        .items
        .iter()
        .filter_map(|item| match &item.body {
            Body::TurnEnd { reason, .. } => Some(*reason),
            _ => None,
        })
        .collect();
    assert_eq!(ends, [TurnEndReason::Stopped]);
}

#[test]
fn an_answer_that_comes_twice_or_too_late_is_heard_once() {
    let (mut bench, _) = Bench::with_calls(&["write"]);
    let before = bench.conversation.items.len();
    let stale = Input::ModelDone {
        request: RequestNumber(1),
        result: Ok(answer_of("late", vec![])),
    };
    assert!(!bench.step(stale).must_commit());
    assert_eq!(bench.conversation.items.len(), before);
}

#[test]
fn an_answer_to_a_request_that_was_given_up_is_not_taken_for_the_next_ones() {
    let (mut bench, _) = Bench::with_calls(&[]);
    bench.step(Input::Send {
        text: "more".into(),
        tab: None,
    });
    let given_up = bench.request();
    bench.step(Input::Stop);
    bench.step(Input::Retry);
    let before = bench.conversation.items.len();
    let late = |result| Input::ModelDone {
        request: given_up,
        result: Ok(result),
    };
    assert!(!bench.step(late(answer_of("late", vec![]))).must_commit());
    let heard = Input::Model {
        request: given_up,
        events: vec![ModelEvent::Text("late".into())],
    };
    assert!(!bench.step(heard).must_commit());
    assert_eq!(bench.conversation.items.len(), before);
    assert!(bench.conversation.run.is_some());
}

#[test]
fn a_call_that_may_have_been_cut_is_not_run_whatever_its_arguments_look_like() {
    let (mut bench, _) = Bench::with_calls(&[]);
    bench.step(Input::Send {
        text: "more".into(),
        tab: None,
    });
    let cut = ModelCall {
        complete: false,
        ..call_of("write")
    };
    let step = bench.step(Input::ModelDone {
        request: bench.request(),
        result: Ok(answer_of("", vec![cut])),
    });
    // Nothing but the next request, which tells the model.
    assert_eq!(started(&step), ["request"]);
    let (_, state, attempts) = bench.call("write");
    assert!(
        matches!(&state, CallState::Done { is_error: true, result, .. } if result.contains("incomplete_arguments")),
        "{state:?}"
    );
    assert_eq!(attempts, 0);
}

#[test]
fn a_failure_that_no_call_can_mend_ends_the_turn_with_all_calls_closed() {
    let (mut bench, _) = Bench::with_calls(&["read-1", "read-2", "write"]);
    let call = bench.call("read-1").0;
    let fatal = CallResult {
        fatal: true,
        ..outcome("broken", true)
    };
    let step = bench.step(Input::CallDone {
        call,
        outcome: fatal,
    });
    assert_eq!(started(&step), ["give up a call"]);
    assert_eq!(bench.notices(), ["tool_failed"]);
    assert!(bench.conversation.run.is_none());
    assert_eq!(bench.call("write").2, 0);
}

#[test]
fn the_same_inputs_give_the_same_steps() {
    let play = || {
        let (mut bench, first) = Bench::with_calls(&["read-1", "write"]);
        let second = bench.done("read-1");
        let third = bench.die();
        (
            format!("{first:?}{second:?}{third:?}"),
            bench.conversation.items,
        )
    };
    assert_eq!(play(), play());
}

#[test]
fn a_turn_that_kills_the_core_again_and_again_is_ended() {
    let (mut bench, _) = Bench::with_calls(&["read"]);
    for _ in 0..3 {
        assert_eq!(started(&bench.die()), ["read"]);
    }
    let step = bench.die();
    assert_eq!(started(&step), [""; 0]);
    assert_eq!(bench.notices(), ["interrupted_often"]);
    assert!(bench.conversation.run.is_none());
    // Every call has a result all the same.
    assert!(matches!(bench.call("read").1, CallState::Done { .. }));
}

#[test]
fn deaths_are_counted_from_the_last_progress() {
    let (mut bench, _) = Bench::with_calls(&["read-1", "write"]);
    for _ in 0..3 {
        bench.die();
    }
    bench.done("read-1");
    assert_eq!(started(&bench.die()), ["request"]);
    assert_eq!(bench.notices(), ["outcome_unknown"]);
}
