//! Models that write their calls into their text.

#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that meets something else has failed, and most events do not concern it"
)]

mod support;

use support::*;
use tabwright_protocol::{ModelDraft, ModelOptions, Op, ProviderKind};

/// A core whose model writes its calls into its text.
fn start_with_text_calls(world: &World) -> Life {
    let mut life = world.start();
    let model = ModelDraft {
        id: "m".into(),
        name: "Test".into(),
        provider: ProviderKind::OpenAiChat,
        address: "https://model.test/v1".into(),
        model: "test-model".into(),
        key: None,
        scripted: false,
        context_window: None,
        options: ModelOptions {
            text_calls: true,
            ..ModelOptions::default()
        },
    };
    world.send(&life, Op::SaveModel { model });
    life.settle();
    life
}

const BROKEN_CALL: &str = "<tool_call>{\"name\": \"list_tabs\", \"arguments\": {</tool_call>";

#[test]
fn a_call_in_text_that_cannot_be_read_is_asked_for_once_more() {
    let world = World::new();
    world.fake.http.push(answer(&[BROKEN_CALL]));
    let call = "<tool_call>{\"name\": \"list_tabs\", \"arguments\": {}}</tool_call>";
    world.fake.http.push(answer(&[call]));
    world.fake.http.push(answer(&["Two tabs."]));
    let mut life = start_with_text_calls(&world);
    world.say(&life, "list my tabs");
    life.work();
    assert_eq!(
        short(&world.snapshot(&mut life, None)),
        [
            "person: list my tabs".to_owned(),
            format!("model: {BROKEN_CALL} [complete]"),
            "notice: unread_call".to_owned(),
            "model:  [complete]".to_owned(),
            "call: list_tabs [done] x1".to_owned(),
            "model: Two tabs. [complete]".to_owned(),
            "end: done".to_owned(),
        ]
    );
    let told = world.request(1)["messages"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .to_string();
    assert!(
        told.contains("cannot be read") && told.contains("list_tabs"),
        "{told}"
    );
}

#[test]
fn a_call_in_text_that_cannot_be_read_twice_is_a_clear_error() {
    let world = World::new();
    for _ in 0..4 {
        world.fake.http.push(answer(&[BROKEN_CALL]));
    }
    let mut life = start_with_text_calls(&world);
    world.say(&life, "list my tabs");
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(items[4..], ["notice: unread_call", "end: failed"]);
    assert_eq!(world.fake.http.requests().len(), 2);
    assert_eq!(world.tool_runs(), 0);
    // Who goes on begins anew.
    let conversation = conversation();
    world.send(&life, Op::Retry { conversation });
    life.work();
    assert_eq!(world.fake.http.requests().len(), 4);
}
