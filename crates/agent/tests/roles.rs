//! Which model does what: the one that sums up, and the one that a turn goes on with.

#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that meets something else has failed, and most events do not concern it"
)]

mod support;

use serde_json::json;
use support::tools::with_test_tools;
use support::*;
use tabwright_host::fake::ScriptedResponse;
use tabwright_protocol::{
    Event, ItemBody, ModelDraft, ModelId, ModelRole, ModelRoles, Op, ProviderKind,
};

/// A core with a model `m` and another at another server, which has that role.
fn start(world: &World, role: ModelRole) -> Life {
    let mut life = world.start_with_model();
    add_other(world, &life);
    let model = Some("other".into());
    world.send(&life, Op::UseModel { model, role });
    life.settle();
    life
}

fn add_other(world: &World, life: &Life) {
    let model = ModelDraft {
        id: "other".into(),
        name: "Other".into(),
        provider: ProviderKind::OpenAiChat,
        address: "https://other.test/v1".into(),
        model: "other-model".into(),
        key: None,
        scripted: false,
        context_window: Some(100_000),
        options: Default::default(),
    };
    world.send(life, Op::SaveModel { model });
}

/// Who was asked, in order.
fn asked(world: &World) -> Vec<String> {
    let requests = world.fake.http.requests();
    let host = |url: &str| url.split('/').nth(2).unwrap().to_owned();
    requests.iter().map(|it| host(&it.request.url)).collect()
}

fn status(code: u16, body: &str) -> ScriptedResponse {
    ScriptedResponse::new(code).chunk(body)
}

fn broken() -> ScriptedResponse {
    status(500, "{\"error\": {\"message\": \"It broke.\"}}")
}

/// A call whose result is that long.
fn long(times: u32) -> ScriptedResponse {
    let arguments = json!({"text": "0123456789\n", "times": times}).to_string();
    uncounted_calls(&[("look", &arguments)])
}

fn roles(world: &World) -> ModelRoles {
    let mut events = world.events().into_iter().rev();
    events
        .find_map(|envelope| match envelope.event {
            Event::Models { roles, .. } => Some(roles),
            _ => None,
        })
        .unwrap()
}

#[test]
fn a_turn_goes_on_with_the_fallback_when_its_model_gives_no_answer() {
    let world = World::new();
    let mut life = start(&world, ModelRole::Fallback);
    world.fake.http.push(broken());
    world.fake.http.push(broken());
    world.fake.http.push(calls(&[("list_tabs", "{}")]));
    world.fake.http.push(answer(&["Two tabs."]));
    world.fake.http.push(answer(&["Hello."]));
    world.say(&life, "hi");
    life.work();
    assert_eq!(
        short(&world.snapshot(&mut life, None)),
        [
            "person: hi",
            "notice: fallback_model",
            "model:  [complete]",
            "call: list_tabs [done] x1",
            "model: Two tabs. [complete]",
            "end: done",
        ]
    );
    // The next turn begins with the chosen one again.
    world.say(&life, "hello");
    life.work();
    assert_eq!(
        asked(&world),
        [
            "model.test",
            "model.test",
            "other.test",
            "other.test",
            "model.test"
        ]
    );
}

#[test]
fn what_cannot_be_tried_again_goes_to_the_fallback_at_once() {
    let world = World::new();
    let mut life = start(&world, ModelRole::Fallback);
    world.fake.http.push(status(401, "{}"));
    world.fake.http.push(answer(&["Hello."]));
    world.say(&life, "hi");
    life.work();
    assert_eq!(asked(&world), ["model.test", "other.test"]);
    let items = world.snapshot(&mut life, None);
    let text = items.iter().find_map(|item| match &item.body {
        ItemBody::Notice { text, .. } => Some(text.clone()),
        _ => None,
    });
    let text = text.unwrap();
    assert!(
        text.contains("401") && text.contains("other-model") && text.contains("test-model"),
        "{text}"
    );
}

#[test]
fn a_fallback_that_fails_as_well_ends_the_turn_with_its_own_trouble() {
    let world = World::new();
    let mut life = start(&world, ModelRole::Fallback);
    world.fake.http.push(status(401, "{}"));
    world.fake.http.push(status(404, "{}"));
    world.say(&life, "hi");
    life.work();
    assert_eq!(asked(&world), ["model.test", "other.test"]);
    assert_eq!(
        short(&world.snapshot(&mut life, None))[1..],
        [
            "notice: fallback_model",
            "notice: model_not_found",
            "end: failed"
        ]
    );
}

#[test]
fn an_answer_that_broke_off_is_not_begun_anew_by_the_fallback() {
    let world = World::new();
    let mut life = start(&world, ModelRole::Fallback);
    let piece = json!({"choices": [{"index": 0, "delta": {"content": "Half"}}]});
    world.fake.http.push(stream().chunk(sse(&piece)));
    world.say(&life, "hi");
    life.work();
    assert_eq!(asked(&world), ["model.test"]);
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(items.last().unwrap(), "end: failed");
}

#[test]
fn a_turn_of_the_fallback_goes_on_with_it_after_a_death() {
    let world = World::new();
    let mut life = start(&world, ModelRole::Fallback);
    world.fake.http.push(status(401, "{}"));
    world.fake.http.push(stream().wait(50_000));
    world.fake.http.push(answer(&["Hello."]));
    world.say(&life, "hi");
    life.settle();
    life.pass();
    assert_eq!(asked(&world).len(), 2);
    drop(life);
    let mut life = world.start();
    life.work();
    assert_eq!(asked(&world), ["model.test", "other.test", "other.test"]);
}

#[test]
fn the_summary_is_made_by_the_model_for_it() {
    let mut world = World::new();
    world.tools = with_test_tools;
    let mut life = start(&world, ModelRole::Summary);
    world.fake.http.push(long(1_000));
    world.fake.http.push(answer(&["done"]));
    world.say(&life, "hi");
    life.work();
    world
        .fake
        .http
        .push(answer(&["<summary>It looked.</summary>"]));
    let conversation = conversation();
    let instruction = String::new();
    world.send(
        &life,
        Op::Compact {
            conversation,
            instruction,
        },
    );
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert!(
        items.contains(&"summary: by model true".to_owned()),
        "{items:?}"
    );
    assert_eq!(asked(&world).last().unwrap(), "other.test");
    let body = world.request(asked(&world).len() - 1);
    assert_eq!(body["model"], "other-model");
}

#[test]
fn a_model_that_cannot_sum_up_is_stood_in_for_by_the_turns_own() {
    let check = |failing: ScriptedResponse| {
        let mut world = World::new();
        world.tools = with_test_tools;
        let mut life = start(&world, ModelRole::Summary);
        world.fake.http.push(long(1_000));
        world.fake.http.push(answer(&["done"]));
        world.say(&life, "hi");
        life.work();
        world.fake.http.push(failing);
        world.fake.http.push(answer(&["It looked."]));
        let conversation = conversation();
        let instruction = String::new();
        world.send(
            &life,
            Op::Compact {
                conversation,
                instruction,
            },
        );
        life.work();
        let items = short(&world.snapshot(&mut life, None));
        assert!(
            items.contains(&"summary: by model true".to_owned()),
            "{items:?}"
        );
        assert_eq!(asked(&world)[2..], ["other.test", "model.test"]);
    };
    check(broken());
    check(status(401, "{}"));
    check(answer(&[]));
}

#[test]
fn a_role_outlives_the_core_and_ends_with_its_model() {
    let world = World::new();
    let mut life = start(&world, ModelRole::Fallback);
    let named = |current: &str, fallback: Option<&str>| ModelRoles {
        current: Some(ModelId::from(current)),
        summary: None,
        fallback: fallback.map(ModelId::from),
    };
    assert_eq!(roles(&world), named("m", Some("other")));
    drop(life);
    life = world.start();
    let hello = world.send(&life, Op::Hello);
    life.settle();
    let welcomed = world.events().into_iter().find_map(|it| match it.event {
        Event::Welcome { op, welcome } if op == hello => Some(welcome.roles),
        _ => None,
    });
    assert_eq!(welcomed, Some(named("m", Some("other"))));
    let model = "other".into();
    world.send(&life, Op::DeleteModel { model });
    life.settle();
    assert_eq!(roles(&world), named("m", None));
    let (model, role) = (None, ModelRole::Summary);
    let op = world.send(&life, Op::UseModel { model, role });
    life.settle();
    assert_eq!(world.applied(&op), 1);
}

#[test]
fn an_answer_of_a_model_that_was_deleted_meanwhile_is_not_begun_anew_by_another() {
    let world = World::new();
    let mut life = world.start_with_model();
    add_other(&world, &life);
    let piece = json!({"choices": [{"index": 0, "delta": {"content": "Half"}}]});
    world
        .fake
        .http
        .push(stream().chunk(sse(&piece)).wait(1_000));
    world.fake.http.push(answer(&["Again."]));
    world.say(&life, "hi");
    life.settle();
    life.pass();
    let model = "m".into();
    world.send(&life, Op::DeleteModel { model });
    life.work();
    assert_eq!(asked(&world), ["model.test"]);
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(items.last().unwrap(), "end: failed");
}
