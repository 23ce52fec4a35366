//! What waits for the person: questions, decisions, the loop guard.

#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that meets something else has failed, and most events do not concern it"
)]

mod support;

use serde_json::{Value, json};
use support::tools::with_test_tools;
use support::*;
use tabwright_protocol::{
    Activity, CallState, Event, ItemBody, ItemId, Op, QuestionState, RunView, Settings,
};

fn asking(question: &str) -> tabwright_host::fake::ScriptedResponse {
    calls(&[("ask_user", question)])
}

/// The item of the first call or question that waits for the person.
fn waiting_item(world: &World, life: &mut Life) -> ItemId {
    let items = world.snapshot(life, None);
    let waits = items.iter().find(|item| match &item.body {
        ItemBody::ToolCall { state, .. } => matches!(
            state,
            CallState::Asking { .. } | CallState::AwaitingApproval { .. }
        ),
        ItemBody::Question { state, .. } => matches!(state, QuestionState::Open { .. }),
        _ => false,
    });
    waits.unwrap().id.clone()
}

fn answer_op(item: ItemId, answers: &[&str]) -> Op {
    Op::AnswerQuestion {
        conversation: conversation(),
        item,
        answers: answers.iter().map(|it| (*it).to_owned()).collect(),
    }
}

/// The result that the model was given for its last call.
fn result_in(request: &Value) -> Value {
    let messages = request["messages"].as_array().unwrap();
    let tool = messages.iter().rev().find(|it| it["role"] == "tool");
    serde_json::from_str(tool.unwrap()["content"].as_str().unwrap()).unwrap()
}

#[test]
fn an_answer_becomes_the_result_of_the_call() {
    let check = |arguments: &str, answers: &[&str], expected: Value| {
        let world = World::new();
        world.fake.http.push(asking(arguments));
        world.fake.http.push(answer(&["thanks"]));
        let mut life = world.start_with_model();
        world.say(&life, "hi");
        life.work();
        let item = waiting_item(&world, &mut life);
        let op = world.send(&life, answer_op(item, answers));
        life.work();
        assert_eq!(world.applied(&op), 1);
        assert_eq!(result_in(&world.request(1)), expected);
        assert_eq!(
            short(&world.snapshot(&mut life, None)).last().unwrap(),
            "end: done"
        );
    };
    check(
        r#"{"question": "Which?"}"#,
        &[" blue "],
        json!({"answer": "blue"}),
    );
    check(
        r#"{"question": "Which?", "options": ["a", "b"]}"#,
        &["neither"],
        json!({"answer": "neither"}),
    );
    check(
        r#"{"question": "Which?", "options": ["a", "b"], "multiple": true}"#,
        &["a", "b"],
        json!({"answer": r#"["a","b"]"#, "answers": ["a", "b"]}),
    );
}

#[test]
fn an_answer_that_does_not_fit_is_refused_and_the_question_stays_open() {
    let world = World::new();
    world.fake.http.push(asking(r#"{"question": "Which?"}"#));
    world.fake.http.push(answer(&["thanks"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let item = waiting_item(&world, &mut life);
    let check = |life: &mut Life, item: ItemId, answers: &[&str], code: &str| {
        let op = world.send(life, answer_op(item, answers));
        life.work();
        assert_eq!(world.refusal(&op).as_deref(), Some(code));
    };
    check(&mut life, item.clone(), &[" "], "empty_answer");
    check(&mut life, item.clone(), &["a", "b"], "one_answer");
    check(&mut life, "elsewhere".into(), &["a"], "not_open");
    let op = world.send(&life, answer_op(item.clone(), &["a"]));
    life.work();
    assert_eq!(world.applied(&op), 1);
    check(&mut life, item, &["b"], "not_open");
}

#[test]
fn nobody_answers_within_five_minutes() {
    let world = World::new();
    world.fake.http.push(asking(r#"{"question": "Which?"}"#));
    world.fake.http.push(answer(&["I go on without."]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    waiting_item(&world, &mut life);
    world.fake.clock.advance(299_000);
    life.settle();
    waiting_item(&world, &mut life);
    world.fake.clock.advance(1_000);
    life.work();
    let expected = json!({"answer": null, "reason": "timeout"});
    assert_eq!(result_in(&world.request(1)), expected);
}

#[test]
fn stop_answers_every_open_question() {
    let world = World::new();
    world.fake.http.push(calls(&[
        ("ask_user", r#"{"question": "One?"}"#),
        ("ask_user", r#"{"question": "Two?"}"#),
    ]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    world.send(
        &life,
        Op::Stop {
            conversation: conversation(),
        },
    );
    life.work();
    world.fake.http.push(answer(&["ok"]));
    world.say(&life, "go on");
    life.work();
    let aborted = json!({"answer": null, "reason": "aborted"});
    let request = world.request(1);
    let results: Vec<_> = request["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["role"] == "tool")
        .map(|it| serde_json::from_str::<Value>(it["content"].as_str().unwrap()).unwrap())
        .collect();
    assert_eq!(results, [aborted.clone(), aborted]);
}

#[test]
fn a_question_outlives_the_core_and_waits_anew() {
    let world = World::new();
    world.fake.http.push(asking(r#"{"question": "Which?"}"#));
    world.fake.http.push(answer(&["thanks"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let item = waiting_item(&world, &mut life);
    world.fake.clock.advance(200_000);
    drop(life);
    let mut life = world.start();
    life.work();
    world.fake.clock.advance(200_000);
    life.settle();
    assert_eq!(waiting_item(&world, &mut life), item);
    world.send(&life, answer_op(item, &["blue"]));
    life.work();
    assert_eq!(result_in(&world.request(1)), json!({"answer": "blue"}));
}

#[test]
fn a_question_waits_however_often_the_browser_is_closed() {
    let world = World::new();
    world.fake.http.push(asking(r#"{"question": "Which?"}"#));
    world.fake.http.push(answer(&["thanks"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    for _ in 0..8 {
        drop(life);
        life = world.start();
        life.work();
    }
    let item = waiting_item(&world, &mut life);
    world.send(&life, answer_op(item, &["blue"]));
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(items.last().unwrap(), "end: done");
}

#[test]
fn views_know_that_a_turn_waits() {
    let world = World::new();
    world.fake.http.push(asking(r#"{"question": "Which?"}"#));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let events = world.events();
    let last = |pick: &dyn Fn(&Event) -> Option<bool>| {
        events.iter().rev().find_map(|it| pick(&it.event)).unwrap()
    };
    assert!(last(&|event| match event {
        Event::Conversation { summary } => Some(summary.waiting && summary.running),
        _ => None,
    }));
    assert!(last(&|event| match event {
        Event::Run {
            run: RunView::Working { activity, .. },
            ..
        } => Some(*activity == Activity::WaitingForPerson),
        _ => None,
    }));
}

fn ask_first() -> Op {
    Op::SaveSettings {
        settings: Settings {
            ask_before_acting: true,
            ..Settings::default()
        },
    }
}

fn decide(item: ItemId, approve: bool, note: &str) -> Op {
    Op::Decide {
        conversation: conversation(),
        item,
        approve,
        note: note.into(),
    }
}

fn world_with_a_call_to_send() -> (World, Life) {
    let mut world = World::new();
    world.tools = with_test_tools;
    world
        .fake
        .http
        .push(calls(&[("look", "{}"), ("send", r#"{"text": "letter"}"#)]));
    world.fake.http.push(answer(&["done"]));
    let life = world.start_with_model();
    world.send(&life, ask_first());
    world.say(&life, "hi");
    let mut life = life;
    life.work();
    (world, life)
}

#[test]
fn nothing_is_changed_before_the_person_allows_it() {
    let (world, mut life) = world_with_a_call_to_send();
    assert_eq!(
        short(&world.snapshot(&mut life, None))[2..],
        [
            "call: look [done] x1",
            "call: send [awaiting_approval You have set that you are asked before anything is changed.] x0"
        ]
    );
    assert_eq!(world.fake.files.get("sent/letter"), None);
    let item = waiting_item(&world, &mut life);
    world.send(&life, decide(item, true, ""));
    life.work();
    assert!(world.fake.files.get("sent/letter").is_some());
    assert_eq!(
        short(&world.snapshot(&mut life, None))[3..],
        [
            "call: send [done] x1",
            "model: done [complete]",
            "end: done"
        ]
    );
}

#[test]
fn what_the_person_forbids_is_not_done_and_the_model_is_told() {
    let (world, mut life) = world_with_a_call_to_send();
    let item = waiting_item(&world, &mut life);
    world.send(&life, decide(item, false, "not today"));
    life.work();
    assert_eq!(world.fake.files.get("sent/letter"), None);
    let result = result_in(&world.request(1));
    assert_eq!(result["code"], "denied");
    assert!(result["error"].as_str().unwrap().contains("not today"));
}

#[test]
fn a_decision_outlives_the_core_wherever_it_dies() {
    // Before the decision, in the middle of the write, and after it.
    let (world, mut life) = world_with_a_call_to_send();
    let item = waiting_item(&world, &mut life);
    drop(life);
    let mut life = world.start();
    life.work();
    assert_eq!(waiting_item(&world, &mut life), item);
    world.send(&life, decide(item, true, ""));
    life.settle();
    drop(life);
    let mut life = world.start();
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(
        items[3..5],
        ["call: send [unknown] x1", "notice: outcome_unknown"]
    );
    assert_eq!(world.fake.files.get("sent/letter"), None);
}

#[test]
fn the_time_in_which_a_turn_waits_does_not_count() {
    let world = World::new();
    world.fake.http.push(asking(r#"{"question": "Which?"}"#));
    // It is looked at before each request, also at those after the next.
    world.fake.http.push(calls(&[("list_tabs", "{}")]));
    world.fake.http.push(answer(&["thanks"]));
    let mut life = world.start_with_model();
    world.send(
        &life,
        Op::SaveSettings {
            settings: Settings {
                max_minutes: 1,
                ..Settings::default()
            },
        },
    );
    world.say(&life, "hi");
    life.work();
    for _ in 0..4 {
        world.fake.clock.advance(60_000);
        life.settle();
    }
    let item = waiting_item(&world, &mut life);
    world.send(&life, answer_op(item, &["blue"]));
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(items.last().unwrap(), "end: done");
}

/// A turn in which the model makes these rounds of calls.
fn rounds(rounds: &[&[(&str, &str)]]) -> (World, Life) {
    let mut world = World::new();
    world.tools = with_test_tools;
    for round in rounds {
        world.fake.http.push(calls(round));
    }
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    (world, life)
}

fn hints(world: &World, life: &mut Life) -> usize {
    let items = short(&world.snapshot(life, None));
    items
        .iter()
        .filter(|it| *it == "notice: loop_guard")
        .count()
}

#[test]
fn the_guard_warns_of_each_kind_of_circle_and_of_nothing_else() {
    let check = |made: &[&[(&str, &str)]], warnings: usize| {
        let (world, mut life) = rounds(made);
        assert_eq!(hints(&world, &mut life), warnings, "{made:?}");
    };
    let look = |text: &str| format!(r#"{{"text": "{text}"}}"#);
    let (a, b) = (look("a"), look("b"));
    // The same call with the same arguments, however they are written.
    check(&[&[("look", &a)], &[("look", &b)]], 0);
    check(&[&[("look", &a)], &[("look", r#"{ "text":"a" }"#)]], 1);
    // Looking at the tabs and the task list may be repeated.
    check(&[[("list_tabs", "{}")].as_slice(); 9], 0);
    check(&[[("list_tasks", "{}")].as_slice(); 9], 0);
    // One tool five times in eight calls.
    let texts: Vec<String> = ["1", "2", "3", "4", "5"].map(look).into();
    let made: Vec<Vec<(&str, &str)>> = texts.iter().map(|it| vec![("look", it.as_str())]).collect();
    let made: Vec<&[(&str, &str)]> = made.iter().map(Vec::as_slice).collect();
    check(&made[..4], 0);
    check(&made, 1);
    // The same mistake twice.
    check(&[&[("nonsense", "{}")], &[("nonsense", "{}")]], 1);
}

#[test]
fn the_model_is_warned_first_and_then_the_person_is_asked() {
    let same: &[(&str, &str)] = &[("look", "{}")];
    let (world, mut life) = rounds(&[same, same, same, same]);
    let request = world.request(2).to_string();
    assert!(
        request.contains("was made 2 times with the same arguments"),
        "{request}"
    );
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(items.last().unwrap(), "question: [open]");

    let item = waiting_item(&world, &mut life);
    let op = world.send(&life, answer_op(item.clone(), &["Perhaps"]));
    life.work();
    assert_eq!(world.refusal(&op).as_deref(), Some("not_an_option"));
    world.fake.http.push(answer(&["done at last"]));
    world.send(&life, answer_op(item, &["Continue"]));
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(
        items[items.len() - 3..],
        [
            "question: [answered]",
            "model: done at last [complete]",
            "end: done"
        ]
    );
}

#[test]
fn the_person_stops_a_circle_and_nobody_there_stops_it_too() {
    let same: &[(&str, &str)] = &[("look", "{}")];
    let (world, mut life) = rounds(&[same, same, same, same]);
    let item = waiting_item(&world, &mut life);
    world.send(&life, answer_op(item, &["Stop"]));
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(items.last().unwrap(), "end: stopped");

    let (world, mut life) = rounds(&[same, same, same, same]);
    drop(life);
    life = world.start();
    life.work();
    waiting_item(&world, &mut life);
    world.fake.http.push(answer(&["It went round."]));
    world.fake.clock.advance(300_000);
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(
        items[items.len() - 4..],
        [
            "question: [expired]",
            "model: It went round. [complete]",
            "notice: no_progress",
            "end: limit"
        ]
    );
}
