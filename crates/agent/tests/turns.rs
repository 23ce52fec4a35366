//! Turns against the fake host: what a person would see, and what the model was sent.

#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that meets something else has failed, and most events do not concern it"
)]

mod support;

use serde_json::json;
use support::*;
use tabwright_host::HostErrorKind;
use tabwright_host::fake::{RequestState, ScriptedResponse};
use tabwright_protocol::{Event, Op, RunView, Settings};

/// Runs one turn with these answers and compares the conversation.
#[track_caller]
fn check(answers: Vec<ScriptedResponse>, expected: &[&str]) -> World {
    let world = World::new();
    for answer in answers {
        world.fake.http.push(answer);
    }
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    assert_eq!(short(&world.snapshot(&mut life, None)), expected);
    drop(life);
    // What is on disk is what was shown.
    assert_eq!(short(&world.items()), expected);
    world
}

#[test]
fn a_turn_streams_text() {
    let world = check(
        vec![answer(&["Hel", "lo ", "there."])],
        &["person: hi", "model: Hello there. [complete]", "end: done"],
    );
    let body = world.request(0);
    assert_eq!(body["model"], "test-model");
    assert_eq!(body["stream"], true);
    assert_eq!(
        body["messages"][1],
        json!({"role": "user", "content": "hi"})
    );
    let tools = body["tools"].as_array().unwrap();
    assert!(tools.iter().any(|it| it["function"]["name"] == "list_tabs"));
}

#[test]
fn a_turn_calls_a_tool_and_the_model_sees_its_result() {
    let world = check(
        vec![calls(&[("list_tabs", "")]), answer(&["Two tabs."])],
        &[
            "person: hi",
            "model:  [complete]",
            "call: list_tabs [done] x1",
            "model: Two tabs. [complete]",
            "end: done",
        ],
    );
    assert_eq!(world.tool_runs(), 1);
    let messages = &world.request(1)["messages"];
    assert_eq!(messages[2]["tool_calls"][0]["id"], "call_0");
    assert_eq!(messages[3]["tool_call_id"], "call_0");
    let result = messages[3]["content"].as_str().unwrap();
    assert!(result.contains("https://news.test/today"), "{result}");
    assert!(
        result.lines().count() > 1 && !result.starts_with("[{"),
        "text from outside stands inside a boundary: {result}"
    );
}

#[test]
fn the_history_of_a_turn_has_one_result_for_each_call_in_order() {
    let world = check(
        vec![
            calls(&[
                ("list_tabs", r#"{"active": "true"}"#),
                ("no_such_tool", "{}"),
                ("list_tabs", r#"{"title_pattern": "("}"#),
            ]),
            answer(&["ok"]),
        ],
        &[
            "person: hi",
            "model:  [complete]",
            "call: list_tabs [done] x1",
            "call: no_such_tool [done error] x0",
            "call: list_tabs [done error] x1",
            "model: ok [complete]",
            "end: done",
        ],
    );
    let messages = world.request(1)["messages"].clone();
    let ids: Vec<_> = messages.as_array().unwrap()[3..]
        .iter()
        .map(|message| message["tool_call_id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids, ["call_0", "call_1", "call_2"]);
}

#[test]
fn a_failure_before_anything_was_seen_is_tried_again() {
    check(
        vec![
            ScriptedResponse::new(503),
            ScriptedResponse::fail(HostErrorKind::Unavailable, "connection refused"),
            ScriptedResponse::new(429).header("retry-after", "7"),
            answer(&["ok"]),
        ],
        &["person: hi", "model: ok [complete]", "end: done"],
    );
}

#[test]
fn a_failure_that_cannot_mend_itself_ends_the_turn_with_a_notice() {
    let check = |response: ScriptedResponse, code: &str| {
        let notice = format!("notice: {code}");
        check(vec![response], &["person: hi", &notice, "end: failed"]);
    };
    check(ScriptedResponse::new(401), "model_auth");
    check(ScriptedResponse::new(404), "model_not_found");
    check(
        ScriptedResponse::new(400)
            .chunk(r#"{"error": {"code": "context_length_exceeded", "message": "too long"}}"#),
        "model_context_overflow",
    );
}

#[test]
fn a_connection_that_breaks_in_the_middle_keeps_what_came_and_is_not_repeated() {
    let broken = stream()
        .chunk(sse(
            &json!({"choices": [{"index": 0, "delta": {"content": "half an ans"}}]}),
        ))
        .break_with(HostErrorKind::Unavailable);
    check(
        vec![broken],
        &[
            "person: hi",
            "model: half an ans [cut connection]",
            "notice: model_cut",
            "end: failed",
        ],
    );
}

#[test]
fn text_that_had_come_before_a_death_is_kept() {
    let piece = |text: &str| sse(&json!({"choices": [{"index": 0, "delta": {"content": text}}]}));
    let world = World::new();
    let half = stream()
        .chunk(piece("It began "))
        .wait(1_500)
        .chunk(piece("and went on"))
        .hang();
    world.fake.http.push(half);
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.settle();
    world.fake.clock.advance(1_500);
    life.settle();
    drop(life);

    world.fake.http.push(answer(&["Whole."]));
    let mut life = world.start();
    life.work();
    assert_eq!(
        short(&world.snapshot(&mut life, None)),
        [
            "person: hi",
            "model: It began and went on [cut interrupted]",
            "model: Whole. [complete]",
            "end: done"
        ]
    );
}

#[test]
fn calls_of_an_answer_that_was_cut_are_never_run() {
    let cut = stream()
        .chunk(sse(
            &json!({"choices": [{"index": 0, "delta": {"tool_calls": [{
                "index": 0, "id": "call_0", "type": "function",
                "function": {"name": "list_tabs", "arguments": "{\"act"},
            }]}}]}),
        ))
        .chunk(sse(
            &json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]}),
        ))
        .chunk("data: [DONE]\n\n");
    let world = check(
        vec![cut],
        &[
            "person: hi",
            "model:  [cut length]",
            "call: list_tabs [done error] x0",
            "notice: answer_cut",
            "end: failed",
        ],
    );
    assert_eq!(world.tool_runs(), 0);
}

#[test]
fn a_turn_ends_at_its_limit_and_continues() {
    let world = World::new();
    let mut life = world.start_with_model();
    world.send(
        &life,
        Op::SaveSettings {
            settings: Settings {
                max_rounds: 2,
                ..Settings::default()
            },
        },
    );
    for _ in 0..2 {
        world.fake.http.push(calls(&[("list_tabs", "{}")]));
    }
    world.fake.http.push(answer(&["Two lists, more to do."]));
    world.say(&life, "go on for ever");
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(
        items[items.len() - 3..],
        [
            "model: Two lists, more to do. [complete]",
            "notice: round_limit",
            "end: limit"
        ]
    );
    let last = world.request(2)["messages"].as_array().unwrap().len() - 1;
    let asked = world.request(2)["messages"][last]["content"].to_string();
    assert!(asked.contains("has reached its limit"), "{asked}");

    world.fake.http.push(answer(&["done"]));
    world.send(
        &life,
        Op::Retry {
            conversation: conversation(),
        },
    );
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(
        items[items.len() - 2..],
        ["model: done [complete]", "end: done"]
    );
    let messages = world.request(3)["messages"].clone();
    let roles: Vec<_> = messages
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        roles,
        [
            "system",
            "user",
            "assistant",
            "tool",
            "assistant",
            "tool",
            "assistant",
            "user"
        ]
    );
}

#[test]
fn stop_ends_the_turn_once_and_gives_the_request_up() {
    let world = World::new();
    let mut life = world.start_with_model();
    let half = stream()
        .chunk(sse(
            &json!({"choices": [{"index": 0, "delta": {"content": "half"}}]}),
        ))
        .hang();
    world.fake.http.push(half);
    world.say(&life, "hi");
    life.settle();
    let stop = Op::Stop {
        conversation: conversation(),
    };
    let first = world.send(&life, stop.clone());
    let second = world.send(&life, stop);
    life.settle();
    assert_eq!(
        short(&world.snapshot(&mut life, None)),
        ["person: hi", "model: half [cut stopped]", "end: stopped"]
    );
    assert_eq!(world.fake.http.requests()[0].state, RequestState::Aborted);
    assert_eq!((world.applied(&first), world.applied(&second)), (1, 1));
}

#[test]
fn a_message_while_a_turn_runs_is_seen_with_the_next_request() {
    let world = World::new();
    let mut life = world.start_with_model();
    let slow = stream()
        .chunk(sse(
            &json!({"choices": [{"index": 0, "delta": {"content": "First."}}]}),
        ))
        .wait(1_000)
        .chunk(sse(
            &json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
        ))
        .chunk("data: [DONE]\n\n");
    world.fake.http.push(slow);
    world.fake.http.push(answer(&["Second."]));
    world.say(&life, "one");
    life.settle();
    world.say(&life, "two");
    life.work();
    assert_eq!(
        short(&world.snapshot(&mut life, None)),
        [
            "person: one",
            "model: First. [complete]",
            "person: two",
            "model: Second. [complete]",
            "end: done"
        ]
    );
    assert_eq!(world.request(1)["messages"][3]["content"], "two");
}

#[test]
fn two_conversations_run_at_once_and_never_mix() {
    let world = World::new();
    let mut life = world.start_with_model();
    for name in ["a", "b"] {
        world.fake.http.push(answer(&[name, name, name]));
        world.send(
            &life,
            Op::SendMessage {
                conversation: name.into(),
                text: format!("I am {name}"),
                tab: None,
            },
        );
        life.settle();
    }
    life.work();
    for name in ["a", "b"] {
        let text: Vec<_> = world
            .events()
            .into_iter()
            .filter_map(|envelope| match envelope.event {
                Event::Item { conversation, item } if conversation.as_str() == name => {
                    short(&[item]).pop()
                }
                _ => None,
            })
            .filter(|line| line.contains("complete"))
            .collect();
        assert_eq!(text, [format!("model: {} [complete]", name.repeat(3))]);
    }
}

#[test]
fn the_run_is_idle_at_the_end_and_the_browser_is_told_to_stop_waking() {
    let world = check(
        vec![answer(&["ok"])],
        &["person: hi", "model: ok [complete]", "end: done"],
    );
    let runs: Vec<_> = world
        .events()
        .into_iter()
        .filter_map(|envelope| match envelope.event {
            Event::Run { run, .. } => Some(run == RunView::Idle),
            _ => None,
        })
        .collect();
    assert_eq!(runs.iter().filter(|idle| **idle).count(), 1);
    assert_eq!(runs.last(), Some(&true));
    assert!(!world.fake.browser.wakes());
}

#[test]
fn an_image_that_the_model_made_is_a_file_that_the_answer_names() {
    let made_as = |media_type: &str, data: &str| {
        let url = format!("data:{media_type};base64,{data}");
        let images = json!([{"image_url": {"url": url}}]);
        let delta = json!({"content": "Here.", "images": images});
        stream().chunk(sse(
            &json!({"choices": [{"index": 0, "finish_reason": "stop", "delta": delta}]}),
        ))
    };
    let made = |data: &str| made_as("image/png", data);
    let world = World::new();
    let mut life = world.start_with_model();
    world.fake.http.push(made("iVBORw=="));
    world.say(&life, "Draw.");
    life.work();
    let shown = short(&world.snapshot(&mut life, None));
    assert!(shown[1].contains("Here."), "{shown:?}");
    // FNV-1a of the four bytes, as a second program gives it.
    let path = "images/09935de427cea543.png";
    assert_eq!(world.fake.files.get(path), Some(b"\x89PNG".to_vec()));
    // The next request tells the model too where its image is.
    world.fake.http.push(made("not base64"));
    world.say(&life, "Again.");
    life.work();
    let asked = world.request(1).to_string();
    assert!(asked.contains(&format!("(workspace:{path})")), "{asked}");
    let shown = short(&world.snapshot(&mut life, None)).join("\n");
    assert!(
        shown.contains("could not be kept: its data is not Base64."),
        "{shown}"
    );
    // Named by what it is, not by what it is said to be: three bytes of a JPEG.
    for (said, data) in [("image/jpg", "AAAA"), ("image/png", "/9j/")] {
        world.fake.http.push(made_as(said, data));
        world.say(&life, "Once more.");
        life.work();
        let all = short(&world.snapshot(&mut life, None)).join("\n");
        assert!(
            all.ends_with(".jpg) [complete]\nend: done"),
            "{said}: {all}"
        );
    }
}
