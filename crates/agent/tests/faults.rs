//! What servers, models and people do that is not as it should be, and what must not come of it.

#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that meets something else has failed, and most events do not concern it"
)]

mod support;

use serde_json::{Value, json};
use support::*;
use tabwright_host::HostErrorKind;
use tabwright_host::fake::{FaultPlan, ScriptedResponse, Which};
use tabwright_protocol::{ConversationId, Event, ModelDraft, ModelRole, Op, ProviderKind};

fn draft(id: &str, address: &str, key: Option<&str>) -> ModelDraft {
    ModelDraft {
        id: id.into(),
        name: id.into(),
        provider: ProviderKind::OpenAiChat,
        address: address.into(),
        model: "test-model".into(),
        key: key.map(Into::into),
        scripted: false,
        context_window: None,
        options: Default::default(),
    }
}

fn delta(delta: &Value) -> String {
    sse(&json!({"choices": [{"index": 0, "delta": delta}]}))
}

fn stop(reason: &str) -> String {
    sse(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}))
}

#[test]
fn an_answer_is_whole_however_its_body_ends() {
    let check = |response: ScriptedResponse| {
        let world = World::new();
        world.fake.http.push(response);
        let mut life = world.start_with_model();
        world.say(&life, "hi");
        life.work();
        assert_eq!(
            short(&world.snapshot(&mut life, None)),
            ["person: hi", "model: Hello. [complete]", "end: done"]
        );
    };
    let text = delta(&json!({"content": "Hello."}));
    // No `[DONE]`; no last blank line; no stream at all.
    check(stream().chunk(&text).chunk(stop("stop")));
    check(stream().chunk(format!("{text}{}", stop("stop").trim_end())));
    // The connection breaks, or nothing more comes, after the end.
    let ended = || stream().chunk(&text).chunk(stop("stop"));
    check(ended().break_with(HostErrorKind::Unavailable));
    check(
        ended()
            .chunk("data: {\"cho")
            .break_with(HostErrorKind::Unavailable),
    );
    check(ended().hang());
    let whole = json!({"choices": [{"index": 0, "finish_reason": "stop",
        "message": {"role": "assistant", "content": "Hello."}}]});
    check(
        ScriptedResponse::new(200)
            .header("content-type", "application/json")
            .chunk(whole.to_string()),
    );
}

#[test]
fn a_key_that_a_server_repeats_is_shown_to_nobody() {
    let check = |response: ScriptedResponse| {
        let world = World::new();
        world.fake.http.push(response);
        let mut life = world.start_with_model();
        world.say(&life, "hi");
        life.work();
        let all = serde_json::to_string(&world.events()).unwrap();
        assert!(
            all.contains("model_auth") || all.contains("model_"),
            "{all}"
        );
        assert!(!all.contains(KEY) && !all.contains(&KEY[..12]), "{all}");
    };
    let error = |words: String| json!({"error": {"message": words, "code": "invalid_api_key"}});
    let said = error(format!("Incorrect API key provided: {KEY}. Mend it."));
    check(ScriptedResponse::new(401).chunk(said.to_string()));
    check(stream().chunk(sse(&said)));
    check(ScriptedResponse::new(200).chunk(said.to_string()));
    // Cut in the middle of the key.
    let long = error(format!("{}{KEY}", "x".repeat(480)));
    check(ScriptedResponse::new(401).chunk(long.to_string()));
}

#[test]
fn what_a_provider_wants_back_goes_to_no_other() {
    let world = World::new();
    world.fake.http.push(
        stream()
            .chunk(delta(&json!({"reasoning_content": "private thought"})))
            .chunk(delta(&json!({"content": "One."})))
            .chunk(stop("stop")),
    );
    let mut life = world.start_with_model();
    world.say(&life, "one");
    life.work();
    world.fake.http.push(answer(&["Two."]));
    world.say(&life, "two");
    life.work();
    assert!(world.request(1).to_string().contains("private thought"));

    let other = draft("other", "https://other.test/v1", None);
    world.send(&life, Op::SaveModel { model: other });
    world.send(
        &life,
        Op::UseModel {
            model: Some("other".into()),
            role: ModelRole::Current,
        },
    );
    world.fake.http.push(answer(&["Three."]));
    world.say(&life, "three");
    life.work();
    let sent = world.request(2).to_string();
    assert!(
        sent.contains("One.") && !sent.contains("private thought"),
        "{sent}"
    );
}

#[test]
fn another_model_is_for_new_turns() {
    let world = World::new();
    world.fake.http.push(calls(&[("list_tabs", "{}")]));
    world.fake.http.push(answer(&["ok"]));
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    let other = draft("other", "https://other.test/v1", None);
    world.send(&life, Op::SaveModel { model: other });
    world.say(&life, "one");
    life.settle();
    world.send(
        &life,
        Op::UseModel {
            model: Some("other".into()),
            role: ModelRole::Current,
        },
    );
    life.work();
    world.say(&life, "two");
    life.work();
    let hosts: Vec<_> = world
        .fake
        .http
        .requests()
        .iter()
        .map(|recorded| recorded.request.url.split('/').nth(2).unwrap().to_owned())
        .collect();
    assert_eq!(hosts, ["model.test", "model.test", "other.test"]);
}

#[test]
fn a_key_stays_with_the_server_it_was_given_for() {
    let check = |address: &str, has_key: bool| {
        let world = World::new();
        let mut life = world.start_with_model();
        let moved = draft("m", address, None);
        world.send(&life, Op::SaveModel { model: moved });
        world.fake.http.push(answer(&["ok"]));
        world.say(&life, "hi");
        life.work();
        let headers = world.fake.http.requests()[0].request.headers.clone();
        let sent = headers.iter().any(|(_, value)| value.contains(KEY));
        assert_eq!(sent, has_key, "{address}");
    };
    check("https://model.test/v2", true);
    check("https://other.test/v1", false);
    check("http://model.test/v1", false);
    check("https://model.test:8443/v1", false);
}

#[test]
fn a_conversation_that_cannot_be_read_stops_no_other() {
    let world = World::new();
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    drop(life);
    let database = rusqlite::Connection::open(&world.path).unwrap();
    database
        .execute_batch("UPDATE item SET body = '{\"kind\":\"from the future\"}'")
        .unwrap();
    database.close().unwrap();

    let mut life = world.start();
    let attach = world.send(
        &life,
        Op::Attach {
            conversation: conversation(),
            since: None,
        },
    );
    life.work();
    assert_eq!(world.refusal(&attach).as_deref(), Some("unreadable"));
    let say = world.say(&life, "more");
    life.work();
    assert_eq!(world.refusal(&say).as_deref(), Some("unreadable"));

    world.fake.http.push(answer(&["fine"]));
    let other = world.send(
        &life,
        Op::SendMessage {
            conversation: "other".into(),
            text: "hi".into(),
            tab: None,
        },
    );
    life.work();
    assert_eq!(world.applied(&other), 1);
    let delete = world.send(
        &life,
        Op::DeleteConversation {
            conversation: conversation(),
        },
    );
    life.work();
    assert_eq!(world.applied(&delete), 1);
    assert!(!life.has_ended());
}

#[test]
fn a_message_that_the_answer_did_not_know_comes_after_it_for_the_model() {
    let world = World::new();
    world.fake.http.push(answer(&["4"]).head_after(1_000));
    world.fake.http.push(answer(&["6"]));
    let mut life = world.start_with_model();
    world.say(&life, "2+2?");
    life.settle();
    world.say(&life, "3+3?");
    life.work();
    let messages = world.request(1)["messages"].clone();
    let said: Vec<_> = messages.as_array().unwrap()[1..]
        .iter()
        .map(|message| message["content"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(said, ["2+2?", "4", "3+3?"]);
    // In the conversation everything stands where the person saw it happen.
    assert_eq!(
        short(&world.snapshot(&mut life, None)),
        [
            "person: 2+2?",
            "person: 3+3?",
            "model: 4 [complete]",
            "model: 6 [complete]",
            "end: done"
        ]
    );
}

#[test]
fn thinking_aloud_is_put_on_disk_once_a_second() {
    let world = World::new();
    let mut response = stream();
    for _ in 0..300 {
        response = response
            .chunk(delta(&json!({"reasoning_content": "hmm "})))
            .wait(10);
    }
    world.fake.http.push(
        response
            .chunk(delta(&json!({"content": "ok"})))
            .chunk(stop("stop")),
    );
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let items = world
        .events()
        .iter()
        .filter(|envelope| matches!(envelope.event, Event::Item { .. }))
        .count();
    assert!((4..12).contains(&items), "{items} items in three seconds");
}

#[test]
fn a_conversation_that_is_gone_is_gone_for_a_late_view() {
    let world = World::new();
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let seen = world.events().last().unwrap().seq;
    world.send(
        &life,
        Op::DeleteConversation {
            conversation: conversation(),
        },
    );
    world.snapshot(&mut life, Some(seen));
    let snapshot = world
        .events()
        .into_iter()
        .rev()
        .find_map(|it| match it.event {
            Event::Snapshot {
                complete, items, ..
            } => Some((complete, items.len())),
            _ => None,
        });
    assert_eq!(snapshot, Some((true, 0)));
}

#[test]
fn the_browser_hears_the_last_word_about_waking() {
    let world = World::new();
    // The word that nothing is open any more is lost once, and a turn begins before it is repeated.
    let lost = FaultPlan::new().fail(
        Which::nth_of("lifecycle.keep_waking", 3),
        HostErrorKind::Unavailable,
    );
    world.fake.browser.set_faults(lost);
    let mut life = world.start_with_model();
    world.fake.http.push(answer(&["one"]));
    world.say(&life, "one");
    life.settle();
    while world.fake.browser.calls().len() < 3 && life.pass() {}
    assert_eq!(world.fake.browser.calls().len(), 3);
    world.fake.http.push(ScriptedResponse::never());
    world.say(&life, "two");
    life.settle();
    for _ in 0..20 {
        life.pass();
    }
    assert!(world.fake.browser.wakes());
}

#[test]
fn a_core_that_finds_a_turn_open_asks_to_be_woken() {
    let world = World::new();
    world.fake.http.push(ScriptedResponse::never());
    let mut life = world.start_with_model();
    // The first core dies before it could say so.
    let never = FaultPlan::new().fail(Which::every(), HostErrorKind::Unavailable);
    world.fake.browser.set_faults(never);
    world.say(&life, "hi");
    life.settle();
    drop(life);
    world.fake.browser.set_faults(FaultPlan::new());
    assert!(!world.fake.browser.wakes());
    world.fake.http.push(ScriptedResponse::never());
    let mut life = world.start();
    life.settle();
    assert!(world.fake.browser.wakes());
}

#[test]
fn a_local_server_that_is_no_model_any_more_sees_our_origin_again() {
    let world = World::new();
    let mut life = world.start();
    let local = draft("local", "http://127.0.0.1:11434/v1", None);
    world.send(&life, Op::SaveModel { model: local });
    life.work();
    assert_eq!(world.fake.browser.origins().len(), 1);
    drop(life);
    let mut life = world.start();
    world.send(
        &life,
        Op::DeleteModel {
            model: "local".into(),
        },
    );
    life.work();
    assert_eq!(world.fake.browser.origins(), []);
}

#[test]
fn every_conversation_can_be_reached() {
    let world = World::new();
    let mut life = world.start_with_model();
    for number in 0..205 {
        world.fake.http.push(answer(&["ok"]));
        world.send(
            &life,
            Op::SendMessage {
                conversation: ConversationId(format!("c-{number}")),
                text: "hi".into(),
                tab: None,
            },
        );
        life.work();
    }
    world.send(&life, Op::Hello);
    life.work();
    let last = world
        .events()
        .into_iter()
        .rev()
        .find_map(|it| match it.event {
            Event::Welcome { welcome, .. } => Some((
                welcome.conversations.len(),
                welcome.more_conversations,
                welcome.conversations.last().unwrap().id.clone(),
            )),
            _ => None,
        });
    let (count, more, after) = last.unwrap();
    assert_eq!((count, more, after.as_str()), (200, true, "c-5"));
    world.send(&life, Op::ListConversations { after });
    life.work();
    let rest = world
        .events()
        .into_iter()
        .rev()
        .find_map(|it| match it.event {
            Event::Conversations {
                conversations,
                more,
                ..
            } => Some((conversations, more)),
            _ => None,
        });
    let (conversations, more) = rest.unwrap();
    let ids: Vec<_> = conversations
        .iter()
        .map(|it| it.id.as_str().to_owned())
        .collect();
    assert_eq!((ids.join(" "), more), ("c-4 c-3 c-2 c-1 c-0".into(), false));
}

#[test]
fn stop_is_done_also_where_nothing_runs() {
    let world = World::new();
    let mut life = world.start();
    let stop = world.send(
        &life,
        Op::Stop {
            conversation: conversation(),
        },
    );
    life.work();
    assert_eq!(world.applied(&stop), 1);
}

#[test]
fn the_browser_knows_of_an_open_turn_before_the_model_is_asked() {
    let world = World::new();
    let slow = FaultPlan::new().delay(Which::nth_of("lifecycle.keep_waking", 1).times(9), 50);
    world.fake.browser.set_faults(slow);
    let mut life = world.start_with_model();
    life.work();
    world.fake.http.push(ScriptedResponse::never());
    world.say(&life, "hi");
    life.settle();
    assert!(world.fake.http.requests().is_empty());
    while world.fake.http.requests().is_empty() && life.pass() {}
    assert!(world.fake.browser.wakes());
    // A broker that cannot be reached holds no turn up for long.
    let world = World::new();
    let away = FaultPlan::new().fail(Which::every(), HostErrorKind::Unavailable);
    world.fake.browser.set_faults(away);
    let mut life = world.start_with_model();
    world.fake.http.push(answer(&["ok"]));
    world.say(&life, "hi");
    life.settle();
    for _ in 0..20 {
        life.pass();
    }
    assert_eq!(
        short(&world.snapshot(&mut life, None)),
        ["person: hi", "model: ok [complete]", "end: done"]
    );
}
