//! Going back: edited messages, other answers, cleared conversations; and what a turn may use.

#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that meets something else has failed, and most events do not concern it"
)]

mod support;

use support::tools::with_test_tools;
use support::*;
use tabwright_protocol::{Event, ItemId, ItemView, Op, Settings, TurnId};

fn talk(world: &World, life: &mut Life, turns: &[(&str, &str)]) {
    for (said, answered) in turns {
        world.fake.http.push(answer(&[answered]));
        world.say(life, said);
        life.work();
    }
}

/// What is still part of the conversation.
fn shown(items: &[ItemView]) -> Vec<String> {
    short(items).into_iter().filter(|it| it != "gone").collect()
}

fn find(items: &[ItemView], line: &str) -> (ItemId, TurnId) {
    let at = short(items).iter().position(|it| it == line).unwrap();
    (items[at].id.clone(), items[at].turn.clone())
}

fn said_to_the_model(world: &World, index: usize) -> Vec<String> {
    let request = world.request(index);
    let messages = request["messages"].as_array().unwrap();
    let said = messages.iter().skip(1);
    said.map(|it| it["content"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn an_edited_message_takes_the_place_of_what_was_said_since() {
    let world = World::new();
    let mut life = world.start_with_model();
    talk(
        &world,
        &mut life,
        &[("one", "1"), ("two", "2"), ("three", "3")],
    );
    let items = world.snapshot(&mut life, None);
    let seen = world.events().last().unwrap().seq;
    let (item, _) = find(&items, "person: two");
    world.fake.http.push(answer(&["II"]));
    let op = Op::EditMessage {
        conversation: conversation(),
        item,
        text: "zwei".into(),
        tab: None,
    };
    let op = world.send(&life, op);
    life.work();
    assert_eq!(world.applied(&op), 1);
    let expected = [
        "person: one",
        "model: 1 [complete]",
        "end: done",
        "person: zwei",
        "model: II [complete]",
        "end: done",
    ];
    assert_eq!(shown(&world.snapshot(&mut life, None)), expected);
    assert_eq!(said_to_the_model(&world, 3), ["one", "1", "zwei"]);
    // A view that was away is told what is gone, and all of it is so after a death, too.
    let missed = short(&world.snapshot(&mut life, Some(seen)));
    assert_eq!(missed.iter().filter(|it| *it == "gone").count(), 6);
    drop(life);
    assert_eq!(shown(&world.items()), expected);
}

#[test]
fn another_answer_is_made_in_the_place_of_the_first() {
    let world = World::new();
    let mut life = world.start_with_model();
    talk(&world, &mut life, &[("one", "1"), ("two", "2")]);
    let items = world.snapshot(&mut life, None);
    let (_, turn) = find(&items, "person: one");
    world.fake.http.push(answer(&["I"]));
    let op = Op::Regenerate {
        conversation: conversation(),
        turn: turn.clone(),
    };
    world.send(&life, op);
    life.work();
    assert_eq!(
        shown(&world.snapshot(&mut life, None)),
        ["person: one", "model: I [complete]", "end: done"]
    );
    assert_eq!(said_to_the_model(&world, 2), ["one"]);
}

#[test]
fn what_is_gone_cannot_be_edited_and_what_runs_is_not_disturbed() {
    let world = World::new();
    let mut life = world.start_with_model();
    talk(&world, &mut life, &[("one", "1"), ("two", "2")]);
    let items = world.snapshot(&mut life, None);
    let (one, turn) = find(&items, "person: one");
    let (two, gone_turn) = find(&items, "person: two");
    let edit = |item: &ItemId, text: &str| Op::EditMessage {
        conversation: conversation(),
        item: item.clone(),
        text: text.into(),
        tab: None,
    };
    let check = |life: &mut Life, op: Op, code: &str| {
        let op = world.send(life, op);
        life.work();
        assert_eq!(world.refusal(&op).as_deref(), Some(code));
    };
    check(&mut life, edit(&one, "  "), "empty_message");
    world.fake.http.push(stream().hang());
    world.send(&life, edit(&one, "uno"));
    life.settle();
    check(&mut life, edit(&one, "eins"), "already_running");
    world.send(
        &life,
        Op::Stop {
            conversation: conversation(),
        },
    );
    life.work();
    check(&mut life, edit(&two, "zwei"), "no_message");
    let again = |turn: &TurnId| Op::Regenerate {
        conversation: conversation(),
        turn: turn.clone(),
    };
    check(&mut life, again(&gone_turn), "no_turn");
    check(&mut life, again(&turn), "no_turn");
}

#[test]
fn a_cleared_conversation_begins_anew_for_everybody() {
    let world = World::new();
    let mut life = world.start_with_model();
    talk(&world, &mut life, &[("one", "1")]);
    let seen = world.events().last().unwrap().seq;
    world.fake.http.push(stream().hang());
    world.say(&life, "two");
    life.settle();
    let op = world.send(
        &life,
        Op::Clear {
            conversation: conversation(),
        },
    );
    life.work();
    assert_eq!(world.applied(&op), 1);
    let cleared = world.events().into_iter().any(
        |it| matches!(&it.event, Event::Cleared { conversation: id } if *id == conversation()),
    );
    assert!(cleared);
    talk(&world, &mut life, &[("three", "3")]);
    let expected = ["person: three", "model: 3 [complete]", "end: done"];
    // A view that has seen what is gone gets all that there is.
    assert_eq!(short(&world.snapshot(&mut life, Some(seen))), expected);
    assert_eq!(said_to_the_model(&world, 2), ["three"]);
    drop(life);
    assert_eq!(short(&world.items()), expected);
}

fn world_with(settings: Settings) -> (World, Life) {
    let mut world = World::new();
    world.tools = with_test_tools;
    let mut life = world.start_with_model();
    world.send(&life, Op::SaveSettings { settings });
    life.settle();
    (world, life)
}

#[test]
fn a_turn_ends_at_its_tokens_and_says_what_was_done() {
    // Each answer says 110 tokens: the limit is reached with the 91st.
    let (world, mut life) = world_with(Settings {
        max_tokens: 10_000,
        max_rounds: 500,
        ..Settings::default()
    });
    for _ in 0..91 {
        world.fake.http.push(calls(&[("list_tabs", "{}")]));
    }
    world.fake.http.push(stream());
    world.say(&life, "hi");
    life.work();
    let items = world.snapshot(&mut life, None);
    let lines = short(&items);
    assert_eq!(
        lines[lines.len() - 2..],
        ["notice: token_limit", "end: limit"]
    );
    let notice = serde_json::to_string(&items[items.len() - 2]).unwrap();
    assert!(
        notice.contains("It made 91 calls (list_tabs 91)."),
        "{notice}"
    );
}

#[test]
fn a_turn_ends_when_its_time_is_over_also_in_the_middle_of_a_call() {
    let (world, mut life) = world_with(Settings {
        max_minutes: 1,
        ..Settings::default()
    });
    let sent: Vec<String> = (0..70).map(|n| format!(r#"{{"text": "{n}"}}"#)).collect();
    let made: Vec<_> = sent.iter().map(|it| ("send", it.as_str())).collect();
    world.fake.http.push(calls(&made));
    world.fake.http.push(answer(&["Fifty-nine are sent."]));
    world.say(&life, "send them all");
    life.settle();
    for _ in 0..205 {
        world.fake.clock.advance(300);
        life.settle();
    }
    life.work();
    let lines = short(&world.snapshot(&mut life, None));
    assert_eq!(
        lines[lines.len() - 3..],
        [
            "model: Fifty-nine are sent. [complete]",
            "notice: time_limit",
            "end: limit"
        ]
    );
    let count = |what: &str| lines.iter().filter(|it| it.starts_with(what)).count();
    assert_eq!(count("call: send [unknown] x1"), 1);
    assert_eq!(
        count("call: send [done] x1") + count("call: send [done error] x0"),
        69
    );
}

#[test]
fn an_answer_that_is_made_again_answers_all_that_was_said_in_its_turn() {
    let world = World::new();
    let mut life = world.start_with_model();
    world.fake.http.push(answer(&["One", "."]));
    world.fake.http.push(answer(&["Both."]));
    world.say(&life, "question one");
    // The answer has begun.
    life.settle();
    world.say(&life, "and two");
    life.work();
    let items = world.snapshot(&mut life, None);
    let (_, turn) = find(&items, "person: question one");

    world.fake.http.push(answer(&["Again."]));
    let conversation = conversation();
    world.send(&life, Op::Regenerate { conversation, turn });
    life.work();
    let requests = world.fake.http.requests().len();
    assert_eq!(
        said_to_the_model(&world, requests - 1),
        ["question one\n\nand two"]
    );
    assert_eq!(
        shown(&world.snapshot(&mut life, None)),
        [
            "person: question one",
            "person: and two",
            "model: Again. [complete]",
            "end: done"
        ]
    );
}

#[test]
fn a_message_in_the_middle_of_an_answer_is_edited_without_losing_what_the_answer_did() {
    let world = World::new();
    let mut life = world.start_with_model();
    let piece = |delta: serde_json::Value, end: Option<&str>| {
        sse(&serde_json::json!({"choices": [{"index": 0, "delta": delta, "finish_reason": end}]}))
    };
    let call = serde_json::json!({"tool_calls": [{"index": 0, "id": "c", "type": "function",
        "function": {"name": "opfs_write", "arguments": r#"{"path":"a.txt","content":"a"}"#}}]});
    let write = stream()
        .chunk(piece(serde_json::json!({"content": "I write."}), None))
        .wait(10)
        .chunk(piece(call, Some("tool_calls")))
        .chunk("data: [DONE]\n\n");
    world.fake.http.push(write);
    world.fake.http.push(answer(&["Done."]));
    world.say(&life, "write a file");
    life.settle();
    world.say(&life, "and then");
    life.work();
    let items = world.snapshot(&mut life, None);
    // It came between the answer's words and its call.
    assert_eq!(short(&items)[2], "person: and then");
    let (item, _) = find(&items, "person: and then");

    world.fake.http.push(answer(&["Yes."]));
    let op = Op::EditMessage {
        conversation: conversation(),
        item,
        text: "what then".into(),
        tab: None,
    };
    world.send(&life, op);
    life.work();
    let requests = world.fake.http.requests().len();
    let request = world.request(requests - 1);
    let roles: Vec<_> = request["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "user"]);
}
