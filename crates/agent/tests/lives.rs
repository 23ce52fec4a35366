//! Deaths, late views, repeated ops, locked databases: what must not be lost or doubled.

#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that meets something else has failed, and most events do not concern it"
)]

mod support;

use serde_json::json;
use support::*;
use tabwright_host::HostErrorKind;
use tabwright_host::fake::{FaultPlan, ScriptedResponse, Which};
use tabwright_protocol::{
    CoreHealth, Event, ExtraHeader, ModelDraft, ModelId, ModelOptions, ModelRole, Op, OpId,
};

/// What a finished turn with one tool call shows, whatever happened to the core meanwhile.
fn finished(items: &[String]) -> bool {
    let has = |line: &str| items.iter().filter(|item| item.starts_with(line)).count();
    has("person: hi") == 1
        && has("call: list_tabs [done]") == 1
        && has("model: Two tabs. [complete]") == 1
        && has("end: done") == 1
        && items.last().is_some_and(|last| last == "end: done")
}

#[test]
fn a_turn_ends_well_wherever_the_core_dies_and_a_finished_call_is_not_run_again() {
    let mut deaths = 0;
    loop {
        let mut world = World::new();
        world.thinking = true;
        // Each call takes a while, so that there are moments to die in the middle of one.
        let slow = FaultPlan::new().delay(Which::nth_of("tabs.list", 1).times(9), 10);
        world.fake.browser.set_faults(slow);
        let mut life = world.start_with_model();
        let op = world.say(&life, "hi");
        life.poll();
        let mut passed = 0;
        while passed < deaths && life.pass() {
            passed += 1;
        }
        let is_over = passed < deaths;
        let call_was_done = world.shown("call: list_tabs [done]");
        let runs_before = world.tool_runs();
        let acknowledged = world.applied(&op) > 0;
        drop(life);

        let mut life = world.start();
        if !acknowledged {
            life.send(op.clone(), say_again());
        }
        life.work();
        let items = short(&world.snapshot(&mut life, None));
        assert!(finished(&items), "death after {passed} steps: {items:?}");
        if call_was_done {
            assert_eq!(world.tool_runs(), runs_before, "death after {passed} steps");
        }
        if is_over {
            break;
        }
        deaths += 1;
    }
    assert!(deaths > 8, "the turn has only {deaths} points to die at");
}

impl World {
    fn shown(&self, line: &str) -> bool {
        self.events()
            .into_iter()
            .any(|envelope| match envelope.event {
                Event::Item { item, .. } => short(&[item])[0].starts_with(line),
                _ => false,
            })
    }
}

fn say_again() -> Op {
    Op::SendMessage {
        conversation: conversation(),
        text: "hi".into(),
        tab: Some(working_tab()),
    }
}

#[test]
fn an_op_that_is_sent_again_is_answered_again_and_applied_once() {
    let world = World::new();
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    let op = world.say(&life, "hi");
    life.work();
    life.send(op.clone(), say_again());
    life.work();
    drop(life);
    let mut life = world.start();
    life.send(op.clone(), say_again());
    life.work();
    assert_eq!(world.applied(&op), 3);
    assert_eq!(
        short(&world.snapshot(&mut life, None)),
        ["person: hi", "model: ok [complete]", "end: done"]
    );
}

#[test]
fn a_tool_run_by_hand_goes_through_the_door_and_runs_once() {
    let world = World::new();
    let mut life = world.start();
    let op = Op::CallTool {
        tool: "list_tabs".into(),
        arguments: r#"{"active": true}"#.into(),
        tab: None,
    };
    let id = OpId::from("by-hand");
    for _ in 0..2 {
        life.send(id.clone(), op.clone());
        life.work();
    }
    let answers: Vec<_> = world
        .events()
        .into_iter()
        .filter_map(|envelope| match envelope.event {
            Event::ToolAnswer { text, is_error, .. } => Some((text, is_error)),
            _ => None,
        })
        .collect();
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0], answers[1]);
    assert!(answers[0].0.contains("https://example.test/") && !answers[0].1);
    assert_eq!(world.tool_runs(), 1);
}

#[test]
fn a_broker_that_was_away_for_a_moment_is_asked_again() {
    let world = World::new();
    world
        .fake
        .browser
        .set_faults(FaultPlan::new().lost(Which::nth_of("tabs.list", 1).times(2)));
    world.fake.http.push(calls(&[("list_tabs", "{}")]));
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(items[2], "call: list_tabs [done] x1");
    assert_eq!(world.tool_runs(), 3);
}

#[test]
fn a_view_gets_what_it_missed_and_no_more() {
    let world = World::new();
    world.fake.http.push(answer(&["first"]));
    world.fake.http.push(answer(&["second"]));
    let mut life = world.start_with_model();
    world.say(&life, "one");
    life.work();
    let seen = world.events().last().unwrap().seq;
    world.say(&life, "two");
    life.work();
    let missed = world.snapshot(&mut life, Some(seen));
    assert_eq!(
        short(&missed),
        ["person: two", "model: second [complete]", "end: done"]
    );
    let seen = world.events().last().unwrap().seq;
    assert_eq!(world.snapshot(&mut life, Some(seen)), []);
}

#[test]
fn numbers_are_contiguous_in_an_epoch_and_grow_over_deaths() {
    let world = World::new();
    for text in ["one", "two"] {
        world.fake.http.push(answer(&["a", "b", "c"]));
        let mut life = world.start_with_model();
        world.say(&life, text);
        life.work();
    }
    let events = world.events();
    for pair in events.windows(2) {
        if pair[0].epoch == pair[1].epoch {
            assert_eq!(pair[0].seq.next(), pair[1].seq);
        } else {
            assert!(pair[0].epoch < pair[1].epoch && pair[0].seq < pair[1].seq);
        }
    }
    assert_eq!(events.last().unwrap().epoch.0, 2);
}

#[test]
fn a_locked_database_is_waited_for_and_views_are_told_when_it_takes_long() {
    let check = |locked: u32, told: usize| {
        let world = World::new();
        world.locked.set(locked);
        let mut life = world.start();
        life.work();
        let healths = world.healths();
        assert_eq!(healths.len(), told + 1, "{healths:?}");
        assert_eq!(healths.last(), Some(&CoreHealth::Ready));
    };
    check(0, 0);
    check(2, 0);
    check(5, 2);
}

#[test]
fn a_damaged_database_is_left_as_it_is_and_said() {
    let world = World::new();
    let junk = vec![7_u8; 10_000];
    std::fs::write(&world.path, &junk).unwrap();
    let mut life = world.start();
    life.work();
    assert!(life.has_ended());
    assert!(
        matches!(&world.healths()[..], [CoreHealth::Failed { message }] if message.contains("Nothing was deleted"))
    );
    assert_eq!(std::fs::read(&world.path).unwrap(), junk);
}

#[test]
fn an_idle_core_rests_and_comes_back_with_everything() {
    let world = World::new();
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    for _ in 0..3 {
        if let Some(due) = world.fake.clock.next_due() {
            world.fake.clock.advance(due);
            life.settle();
        }
    }
    assert!(life.has_ended());
    assert!(
        world
            .fake
            .browser
            .calls()
            .iter()
            .any(|call| call.name == "lifecycle.rest")
    );
    assert_eq!(
        short(&world.items()),
        ["person: hi", "model: ok [complete]", "end: done"]
    );
}

#[test]
fn a_key_never_leaves_the_core() {
    let world = World::new();
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.send(&life, Op::Hello);
    world.say(&life, "hi");
    life.work();
    let all = serde_json::to_string(&world.events()).unwrap();
    assert!(all.contains("test-model") && !all.contains(KEY));
    let sent = world.fake.http.requests()[0].request.headers.clone();
    assert!(sent.contains(&("authorization".into(), format!("Bearer {KEY}"))));
}

#[test]
fn a_model_saved_without_a_key_keeps_the_one_it_has() {
    let world = World::new();
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    let renamed = ModelDraft {
        name: "Renamed".into(),
        key: None,
        ..draft()
    };
    world.send(&life, Op::SaveModel { model: renamed });
    world.say(&life, "hi");
    life.work();
    let sent = world.fake.http.requests()[0].request.headers.clone();
    assert!(sent.contains(&("authorization".into(), format!("Bearer {KEY}"))));
}

#[test]
fn a_headers_value_never_leaves_the_core_and_is_kept_for_its_server_alone() {
    let check = |address: &str, kept: bool| {
        let world = World::new();
        world.fake.http.push(answer(&["ok"]));
        let mut life = world.start_with_model();
        for value in [Some("hush-hush"), None] {
            let mut model = draft();
            if value.is_none() {
                model.address = address.into();
            }
            model.options.headers.push(ExtraHeader {
                name: "X-Broker".into(),
                value: value.map(Into::into),
            });
            world.send(&life, Op::SaveModel { model });
        }
        world.say(&life, "hi");
        life.work();
        let all = serde_json::to_string(&world.events()).unwrap();
        assert!(all.contains("X-Broker") && !all.contains("hush-hush"));
        let sent = world.fake.http.requests()[0].request.headers.clone();
        let header = ("x-broker".to_owned(), "hush-hush".to_owned());
        assert_eq!(sent.contains(&header), kept, "{address}");
    };
    check("https://model.test/v2", true);
    check("https://other.test/v1", false);
}

fn draft() -> ModelDraft {
    serde_json::from_value(json!({
        "id": "m", "name": "Test", "provider": "open_ai_chat", "address": "https://model.test/v1",
        "model": "test-model", "key": null, "scripted": false,
    }))
    .unwrap()
}

#[test]
fn what_cannot_be_done_is_refused_with_its_reason_and_changes_nothing() {
    let check = |op: Op, code: &str| {
        let world = World::new();
        let mut life = world.start_with_model();
        let op = world.send(&life, op);
        life.work();
        assert_eq!(world.refusal(&op).as_deref(), Some(code));
        assert_eq!(world.applied(&op), 0);
        assert_eq!(short(&world.snapshot(&mut life, None)), [""; 0]);
    };
    let c = conversation;
    check(
        Op::SendMessage {
            conversation: c(),
            text: " \n".into(),
            tab: None,
        },
        "empty_message",
    );
    check(Op::Retry { conversation: c() }, "no_conversation");
    check(
        Op::RenameConversation {
            conversation: c(),
            title: "x".into(),
        },
        "no_conversation",
    );
    let use_model = |model: Option<&str>, role| Op::UseModel {
        model: model.map(ModelId::from),
        role,
    };
    check(use_model(Some("x"), ModelRole::Current), "no_such_model");
    check(use_model(Some("x"), ModelRole::Summary), "no_such_model");
    check(use_model(None, ModelRole::Current), "model_needed");
    check(
        Op::SaveModel {
            model: ModelDraft {
                address: "localhost:11434".into(),
                ..draft()
            },
        },
        "invalid_model",
    );
    let with = |options: ModelOptions| Op::SaveModel {
        model: ModelDraft { options, ..draft() },
    };
    let hot = ModelOptions {
        temperature: Some(201),
        ..Default::default()
    };
    check(with(hot), "invalid_model");
    let mute = ModelOptions {
        output_limit: Some(0),
        ..Default::default()
    };
    check(with(mute), "invalid_model");
    let settings = tabwright_protocol::Settings {
        max_rounds: 0,
        ..Default::default()
    };
    check(Op::SaveSettings { settings }, "invalid_settings");
}

#[test]
fn without_a_model_a_message_is_refused_and_not_lost_in_a_conversation() {
    let world = World::new();
    let mut life = world.start();
    let op = world.say(&life, "hi");
    life.work();
    assert_eq!(world.refusal(&op).as_deref(), Some("no_model"));
}

#[test]
fn a_core_that_was_superseded_stops_and_changes_nothing_more() {
    let mut world = World::new();
    world.shared = true;
    world.fake.http.push(answer(&["ok"]));
    let mut old = world.start_with_model();
    let mut new = world.start();
    new.work();
    world.say(&old, "from the old one");
    old.work();
    assert!(old.has_ended());
    assert!(matches!(
        world.healths().last(),
        Some(CoreHealth::Failed { .. })
    ));
    assert_eq!(short(&world.snapshot(&mut new, None)), [""; 0]);
}

#[test]
fn a_write_that_fails_is_waited_out_and_the_message_sent_again() {
    let mut world = World::new();
    world.shared = true;
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    let other = rusqlite::Connection::open(&world.path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let op = world.say(&life, "hi");
    life.settle();
    assert_eq!(world.applied(&op), 0);
    assert!(matches!(
        world.healths().last(),
        Some(CoreHealth::WaitingForStorage { .. })
    ));
    other.execute_batch("ROLLBACK").unwrap();
    life.work();
    assert_eq!(world.healths().last(), Some(&CoreHealth::Ready));
    life.send(op.clone(), say_again());
    life.work();
    assert_eq!(
        short(&world.snapshot(&mut life, None)),
        ["person: hi", "model: ok [complete]", "end: done"]
    );
}

#[test]
fn a_browser_call_that_fails_is_a_result_for_the_model() {
    let world = World::new();
    world
        .fake
        .browser
        .set_faults(FaultPlan::new().fail(Which::nth_of("tabs.list", 1), HostErrorKind::Failed));
    world.fake.http.push(calls(&[("list_tabs", "{}")]));
    world.fake.http.push(answer(&["could not"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(items[2], "call: list_tabs [done error] x1");
    assert_eq!(items.last().unwrap(), "end: done");
}

#[test]
fn the_browser_is_told_of_a_local_server_once_and_of_others_never() {
    let check = |address: &str, times: usize| {
        let world = World::new();
        let mut life = world.start_with_model();
        let local = ModelDraft {
            address: address.into(),
            ..draft()
        };
        world.send(&life, Op::SaveModel { model: local });
        for _ in 0..2 {
            world.fake.http.push(answer(&["ok"]));
            world.say(&life, "hi");
            life.work();
        }
        let calls = world.fake.browser.calls();
        let told = calls
            .iter()
            .filter(|call| call.name == "lifecycle.local_origins")
            .count();
        assert_eq!(told, times, "{address}");
    };
    check("http://127.0.0.1:11434/v1", 1);
    check("http://localhost:1234/v1", 1);
    check("http://[::1]:8080/v1", 1);
    check("https://model.test/v1", 0);
    check("http://127.0.0.1.model.test/v1", 0);
}

#[test]
fn a_changed_idle_time_holds_at_once() {
    let world = World::new();
    let mut life = world.start();
    life.settle();
    let settings = tabwright_protocol::Settings {
        idle_minutes: 1,
        ..Default::default()
    };
    world.send(&life, Op::SaveSettings { settings });
    life.settle();
    world.fake.clock.advance(59_999);
    life.settle();
    assert!(!life.has_ended());
    world.fake.clock.advance(1);
    life.settle();
    assert!(life.has_ended());
}

#[test]
fn a_task_that_was_made_after_another_call_outlives_the_core() {
    let world = World::new();
    world.fake.http.push(calls(&[
        ("opfs_write", r#"{"path":"a.txt","content":"a"}"#),
        ("create_task", r#"{"subject":"look"}"#),
    ]));
    world.fake.http.push(ScriptedResponse::never());
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    assert_eq!(world.fake.http.requests().len(), 2);
    drop(life);

    let mut life = world.start();
    world.snapshot(&mut life, None);
    let tasks = world
        .events()
        .into_iter()
        .rev()
        .find_map(|it| match it.event {
            Event::Snapshot { tasks, .. } => Some(tasks),
            _ => None,
        });
    let subjects: Vec<_> = tasks
        .unwrap()
        .into_iter()
        .map(|task| task.subject)
        .collect();
    assert_eq!(subjects, ["look"]);
}

#[test]
fn a_conversation_that_began_anew_under_its_old_id_is_shown_whole() {
    let world = World::new();
    let mut life = world.start_with_model();
    world.fake.http.push(answer(&["Old."]));
    world.say(&life, "old");
    life.work();
    let seen = world.events().last().unwrap().seq;
    let conversation = conversation();
    world.send(&life, Op::DeleteConversation { conversation });
    life.settle();
    // The view that asks has heard nothing of that.
    drop(life);
    let mut life = world.start();
    world.fake.http.push(answer(&["New."]));
    world.say(&life, "new");
    life.work();
    let items = world.snapshot(&mut life, Some(seen));
    let complete = world
        .events()
        .into_iter()
        .rev()
        .find_map(|it| match it.event {
            Event::Snapshot { complete, .. } => Some(complete),
            _ => None,
        });
    assert_eq!(complete, Some(true));
    let expected = ["person: new", "model: New. [complete]", "end: done"];
    assert_eq!(short(&items), expected);
    // One that has seen its beginning is told what is new, and no more.
    let born = items.first().unwrap().seq;
    assert_eq!(short(&world.snapshot(&mut life, Some(born))), expected[1..]);
}
