//! Room in the model's window: what is left out, what is summed up, and what the person still sees.

#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that meets something else has failed, and most events do not concern it"
)]

mod support;

use serde_json::{Value, json};
use support::tools::with_test_tools;
use support::*;
use tabwright_host::HostErrorKind;
use tabwright_host::fake::{FaultPlan, ScriptedResponse, Which};
use tabwright_protocol::{ItemBody, Op, Settings};

/// A call whose result is that long.
fn long(text: &str, times: u32) -> ScriptedResponse {
    let arguments = json!({"text": text, "times": times}).to_string();
    uncounted_calls(&[("look", &arguments)])
}

fn world(window: u32) -> World {
    let mut world = World::new();
    world.tools = with_test_tools;
    world.window = Some(window);
    world
}

fn messages(request: &Value) -> Vec<Value> {
    request["messages"].as_array().unwrap().clone()
}

/// What the model is given of each of its calls.
fn results(request: &Value) -> Vec<String> {
    messages(request)
        .iter()
        .filter(|it| it["role"] == "tool")
        .map(|it| it["content"].as_str().unwrap().to_owned())
        .collect()
}

fn last_said(request: &Value) -> String {
    messages(request).last().unwrap()["content"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_long_result_goes_into_a_file_and_the_model_gets_its_ends() {
    let world = world(100_000);
    world.fake.http.push(long("0123456789\n", 5_000));
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let told = results(&world.request(1)).remove(0);
    assert!(told.chars().count() < 21_000, "{}", told.len());
    assert!(told.contains("characters left out") && told.contains("[END OUTSIDE DATA"));
    let note: Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    assert_eq!(note["truncated"], true);
    assert_eq!(note["lines"], 5_001);
    let path = note["file"].as_str().unwrap();
    let file = String::from_utf8(world.fake.files.get(path).unwrap()).unwrap();
    assert_eq!(file.matches("0123456789\n").count(), 5_000);
    assert!(note["hint"].as_str().unwrap().contains(path));
}

#[test]
fn without_room_for_a_file_a_long_result_is_cut_as_it_was() {
    let world = world(100_000);
    let full = FaultPlan::new().fail(Which::every(), HostErrorKind::Full);
    world.fake.files.set_faults(full);
    world.fake.http.push(long("0123456789", 9_000));
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let told = results(&world.request(1)).remove(0);
    assert!(told.contains(r#""truncated":true"#) && !told.contains(r#""file""#));
    assert_eq!(
        short(&world.snapshot(&mut life, None)).last().unwrap(),
        "end: done"
    );
}

#[test]
fn old_results_are_left_out_before_anything_is_summed_up() {
    let world = world(20_000);
    for round in 0..10 {
        world.fake.http.push(long(&format!("{round}-word "), 1_000));
    }
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let items = world.snapshot(&mut life, None);
    assert!(!short(&items).iter().any(|it| it.starts_with("summary")));
    let given = results(&world.request(10));
    let left_out: Vec<bool> = given.iter().map(|it| it.contains("left_out")).collect();
    assert!(left_out[0] && !left_out[9], "{left_out:?}");
    // What was left out once stays so: the beginning of the requests does not change again.
    assert!(left_out.is_sorted_by(|a, b| a >= b), "{left_out:?}");
    let stub: Value = serde_json::from_str(&given[0]).unwrap();
    let file = world
        .fake
        .files
        .get(stub["file"].as_str().unwrap())
        .unwrap();
    assert!(String::from_utf8(file).unwrap().contains("0-word 0-word"));
    // The person sees all of it.
    let whole = items.iter().any(|item| match &item.body {
        ItemBody::ToolCall {
            state: tabwright_protocol::CallState::Done { result, .. },
            ..
        } => result.contains("0-word 0-word"),
        _ => false,
    });
    assert!(whole);
}

#[test]
fn the_beginning_of_the_requests_stays_the_same_between_rounds() {
    let world = world(100_000);
    for _ in 0..3 {
        world.fake.http.push(calls(&[("list_tabs", "{}")]));
    }
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    let settings = Settings {
        max_minutes: 1_440,
        ..Settings::default()
    };
    world.send(&life, Op::SaveSettings { settings });
    world.say(&life, "hi");
    life.settle();
    // A day goes by in the middle of the turn.
    world.fake.clock.advance(40_000_000);
    life.work();
    for round in 1..4 {
        let (before, now) = (world.request(round - 1), world.request(round));
        let before = messages(&before);
        assert_eq!(before, messages(&now)[..before.len()], "round {round}");
        assert_eq!(world.request(round)["tools"], world.request(0)["tools"]);
    }
}

/// A conversation of so many turns of that many words, in a window that they soon fill.
fn talk(world: &World, life: &mut Life, turns: usize) {
    for turn in 0..turns {
        world
            .fake
            .http
            .push(answer(&[&format!("answer {turn} ").repeat(150)]));
        world.say(life, &format!("question {turn}"));
        life.work();
    }
}

#[test]
fn what_was_said_is_summed_up_and_stays_in_view() {
    let world = world(4_000);
    let mut life = world.start_with_model();
    // Each answer would do as a summary, too: whenever one is asked for, it is there.
    let both = format!(
        "<summary>All about answers.</summary>{}",
        "word ".repeat(300)
    );
    let mut turn = 0;
    while !short(&world.snapshot(&mut life, None))
        .iter()
        .any(|it| it.starts_with("summary"))
    {
        assert!(turn < 40);
        world.fake.http.push(answer(&[&both]));
        world.fake.http.push(answer(&[&both]));
        world.say(&life, &format!("question {turn}"));
        life.work();
        turn += 1;
    }
    let items = short(&world.snapshot(&mut life, None));
    assert!(
        items.contains(&"summary: by model true".to_owned()),
        "{items:?}"
    );
    assert!(items.contains(&"person: question 0".to_owned()));
    let requests = world.fake.http.requests().len();
    let after = world.request(requests - 1);
    let first = messages(&after)[1]["content"].as_str().unwrap().to_owned();
    assert!(
        first.contains("All about answers.") && !first.contains("question 0"),
        "{first}"
    );
}

/// An answer that reached the output limit.
fn cut(pieces: &[&str]) -> ScriptedResponse {
    let chunk = |delta: Value, end: Option<&str>| {
        sse(&json!({"choices": [{"index": 0, "delta": delta, "finish_reason": end}]}))
    };
    let mut response = stream();
    for piece in pieces {
        response = response.chunk(chunk(json!({"content": piece}), None));
    }
    response
        .chunk(chunk(json!({}), Some("length")))
        .chunk("data: [DONE]\n\n")
}

/// A conversation that is about to be summed up: whether one more message makes it so is known from
/// how many there are.
fn until_full(turns: u32) -> (World, Life) {
    let world = world(6_000);
    let mut life = world.start_with_model();
    for turn in 0..turns {
        world.fake.http.push(answer(&[&"word ".repeat(250)]));
        world.say(&life, &format!("question {turn}"));
        life.work();
    }
    (world, life)
}

#[test]
fn a_summary_that_fails_fails_no_turn() {
    let asks_for_summary = |turns: &u32| {
        let (world, mut life) = until_full(*turns);
        world.fake.http.push(answer(&["ok"]));
        world.say(&life, "more");
        life.settle();
        last_said(&world.request(world.fake.http.requests().len() - 1)).contains("Write a summary")
    };
    let turns = (1..40).find(asks_for_summary).unwrap();
    for failure in [
        || refusal(400, &json!({"error": {"message": "no"}})),
        || answer(&[""]),
        || cut(&["<summary>What was ask"]),
    ] {
        let (world, mut life) = until_full(turns);
        world.fake.http.push(failure());
        world.fake.http.push(answer(&["still here"]));
        world.say(&life, "more");
        life.work();
        let items = short(&world.snapshot(&mut life, None));
        assert_eq!(
            items[items.len() - 4..],
            [
                "person: more",
                "summary: by model false",
                "model: still here [complete]",
                "end: done"
            ]
        );
        // The list that stands in for it tells the model what was asked.
        let request = world.request(world.fake.http.requests().len() - 1);
        let first = messages(&request)[1]["content"].to_string();
        assert!(first.contains("The person wrote:"), "{first}");
    }
}

#[test]
fn the_results_of_the_last_rounds_are_left_out_last() {
    const AT_ONCE: usize = 3;
    let world = world(20_000);
    for round in 0..5 {
        // Two rounds of them are more than is kept of older ones.
        let look = |side: usize| json!({"text": format!("{round}-{side} "), "times": 2_000});
        let looks: Vec<String> = (0..AT_ONCE).map(|side| look(side).to_string()).collect();
        let round: Vec<_> = looks.iter().map(|it| ("look", it.as_str())).collect();
        world.fake.http.push(uncounted_calls(&round));
    }
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let left_out = |it: &String| it.contains("left_out");
    let mut some_left_out = false;
    for index in 0..world.fake.http.requests().len() {
        let given = results(&world.request(index));
        some_left_out |= given.iter().any(left_out);
        let mut fresh = given.iter().rev().take(2 * AT_ONCE);
        assert!(!fresh.any(left_out), "request {index}: {given:?}");
    }
    assert!(some_left_out);
}

fn refusal(status: u16, body: &Value) -> ScriptedResponse {
    ScriptedResponse::new(status)
        .header("content-type", "application/json")
        .chunk(body.to_string())
}

fn too_long() -> ScriptedResponse {
    refusal(
        400,
        &json!({"error": {"message": "This model's maximum context length is 4096 tokens.", "code": "context_length_exceeded", "type": "invalid_request_error"}}),
    )
}

#[test]
fn a_request_that_was_too_long_is_never_sent_unchanged() {
    let world = world(100_000);
    let mut life = world.start_with_model();
    talk(&world, &mut life, 4);
    let before = world.fake.http.requests().len();
    world.fake.http.push(too_long());
    world.fake.http.push(answer(&["<summary>Short.</summary>"]));
    world.fake.http.push(answer(&["ok"]));
    world.say(&life, "one more");
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(
        items[items.len() - 4..],
        [
            "notice: context_shortened",
            "summary: by model true",
            "model: ok [complete]",
            "end: done"
        ]
    );
    let size = |index: usize| world.fake.http.requests()[index].request.body.len();
    assert!(size(before + 2) < size(before));
    assert!(last_said(&world.request(before + 2)).contains("one more"));
}

#[test]
fn a_message_that_alone_is_too_long_ends_with_one_clear_error() {
    let world = world(100_000);
    world.fake.http.push(too_long());
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(
        items,
        [
            "person: hi",
            "notice: model_context_overflow",
            "end: failed"
        ]
    );
    assert_eq!(world.fake.http.requests().len(), 1);
}

fn compact(instruction: &str) -> Op {
    Op::Compact {
        conversation: conversation(),
        instruction: instruction.into(),
    }
}

#[test]
fn a_summary_is_made_when_the_person_asks() {
    let world = world(100_000);
    let mut life = world.start_with_model();
    talk(&world, &mut life, 2);
    world
        .fake
        .http
        .push(answer(&["<summary>Two answers.</summary>"]));
    let op = world.send(&life, compact("the numbers"));
    life.work();
    assert_eq!(world.applied(&op), 1);
    assert!(last_said(&world.request(2)).contains("dwell on this: the numbers"));
    world.fake.http.push(answer(&["ok"]));
    world.say(&life, "go on");
    life.work();
    let sent = messages(&world.request(3));
    let said: Vec<&str> = sent
        .iter()
        .map(|it| it["content"].as_str().unwrap())
        .collect();
    assert!(
        said[1].contains("Two answers.") && said[1].contains("go on"),
        "{said:?}"
    );
    assert_eq!(sent.len(), 2);
}

#[test]
fn a_summary_the_person_asked_for_fails_openly_and_changes_nothing() {
    let world = world(100_000);
    let mut life = world.start_with_model();
    let op = world.send(&life, compact(""));
    life.work();
    assert_eq!(world.refusal(&op).as_deref(), Some("no_conversation"));
    talk(&world, &mut life, 1);
    world.fake.http.push(refusal(401, &json!({"error": "no"})));
    world.send(&life, compact(""));
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(
        items[items.len() - 2..],
        ["notice: not_compacted", "end: failed"]
    );
    world.fake.http.push(answer(&["ok"]));
    world.say(&life, "go on");
    life.work();
    let said = messages(&world.request(2)).len();
    assert_eq!(said, 4);
}
