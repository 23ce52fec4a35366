//! What a turn costs, what a day costs, and the limits in money: nothing is asked beyond them, and
//! what was done stays.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    reason = "a test that meets something else has failed, and most events do not concern it"
)]

mod support;

use serde_json::json;
use support::*;
use tabwright_host::HostErrorKind;
use tabwright_host::fake::ScriptedResponse;
use tabwright_protocol::{
    CENT, ConversationSummary, Event, ItemBody, ItemView, ModelDraft, ModelOptions, Op, Prices,
    ProviderKind, Settings, Usage, UsageOfDay,
};

/// A thousand tokens are ten cents.
const PRICES: Prices = Prices {
    input: 100_000_000,
    output: 0,
    cached: None,
    written: None,
};

/// An answer whose request the server counts as so many tokens; with a call or without.
fn counted(tokens: u64, call: bool) -> ScriptedResponse {
    let delta = match call {
        true => json!({"tool_calls": [{"index": 0, "id": "c", "type": "function",
            "function": {"name": "list_tabs", "arguments": "{}"}}]}),
        false => json!({"content": "ok"}),
    };
    let reason = if call { "tool_calls" } else { "stop" };
    stream()
        .chunk(sse(&json!({"choices": [{"index": 0, "delta": delta}]})))
        .chunk(sse(&json!({
            "choices": [{"index": 0, "delta": {}, "finish_reason": reason}],
            "usage": {"prompt_tokens": tokens, "completion_tokens": 0},
        })))
        .chunk("data: [DONE]\n\n")
}

fn priced(prices: Option<Prices>) -> ModelDraft {
    ModelDraft {
        id: "m".into(),
        name: "Test".into(),
        provider: ProviderKind::OpenAiChat,
        address: "https://model.test/v1".into(),
        model: "test-model".into(),
        key: None,
        scripted: false,
        context_window: Some(100_000),
        options: ModelOptions {
            prices,
            ..ModelOptions::default()
        },
    }
}

/// A core with a model of these prices and these settings.
fn start(world: &World, prices: Option<Prices>, settings: Settings) -> Life {
    let mut life = world.start();
    let model = priced(prices);
    world.send(&life, Op::SaveModel { model });
    world.send(&life, Op::SaveSettings { settings });
    life.settle();
    life
}

fn ended(items: &[ItemView]) -> Usage {
    match items.last().unwrap().body {
        ItemBody::TurnEnd { usage, .. } => usage,
        ref other => panic!("the turn is not over: {other:?}"),
    }
}

fn days(world: &World, life: &mut Life) -> (String, Vec<UsageOfDay>) {
    let asked = world.send(life, Op::ListUsage { days: 7 });
    life.settle();
    let mut events = world.events().into_iter().rev();
    events
        .find_map(|envelope| match envelope.event {
            Event::UsageByDay { op, today, days } if op == asked => Some((today, days)),
            _ => None,
        })
        .unwrap()
}

fn summary(world: &World) -> ConversationSummary {
    let mut events = world.events().into_iter().rev();
    events
        .find_map(|envelope| match envelope.event {
            Event::Conversation { summary } => Some(summary),
            _ => None,
        })
        .unwrap()
}

fn requests(world: &World) -> usize {
    world.fake.http.requests().len()
}

fn notice(items: &[ItemView]) -> (String, String) {
    let mut items = items.iter().rev();
    items
        .find_map(|item| match &item.body {
            ItemBody::Notice { code, text, .. } => Some((code.clone(), text.clone())),
            _ => None,
        })
        .unwrap()
}

#[test]
fn a_cost_is_told_for_the_turn_the_conversation_and_the_day() {
    let world = World::new();
    let mut life = start(&world, Some(PRICES), Settings::default());
    for _ in 0..2 {
        world.fake.http.push(counted(1_000, true));
        world.fake.http.push(counted(1_500, false));
        world.say(&life, "hi");
        life.work();
    }
    let items = world.snapshot(&mut life, None);
    assert_eq!(ended(&items).cost, 25 * CENT);
    assert_eq!(ended(&items).unpriced, 0);
    assert_eq!(summary(&world).usage.cost, 50 * CENT);
    assert_eq!(summary(&world).usage.input, 5_000);
    // It outlives the core and the conversation.
    drop(life);
    let mut life = world.start();
    let conversation = conversation();
    world.send(&life, Op::DeleteConversation { conversation });
    life.settle();
    let (today, days) = days(&world, &mut life);
    assert_eq!((today.as_str(), days.len()), ("2026-05-28", 1));
    assert_eq!(
        (days[0].day.as_str(), days[0].model.as_str()),
        ("2026-05-28", "test-model")
    );
    assert_eq!(days[0].usage.cost, 50 * CENT);
}

#[test]
fn what_a_model_without_prices_costs_is_not_taken_for_nothing() {
    let world = World::new();
    let mut life = start(&world, None, Settings::default());
    world.fake.http.push(counted(1_000, false));
    world.say(&life, "hi");
    life.work();
    let usage = ended(&world.snapshot(&mut life, None));
    assert_eq!((usage.cost, usage.unpriced), (0, 1_000));
}

#[test]
fn a_turn_ends_before_it_costs_more_than_its_limit_and_can_go_on() {
    let world = World::new();
    let limited = Settings {
        max_cents: Some(30),
        ..Settings::default()
    };
    let mut life = start(&world, Some(PRICES), limited);
    for _ in 0..9 {
        world.fake.http.push(counted(1_000, true));
    }
    world.say(&life, "hi");
    life.work();
    // Two requests are 20 cents; a third, a little longer, would be more than 30.
    assert_eq!(requests(&world), 2);
    let items = world.snapshot(&mut life, None);
    assert_eq!(
        short(&items),
        [
            "person: hi",
            "model:  [complete]",
            "call: list_tabs [done] x1",
            "model:  [complete]",
            "call: list_tabs [done] x1",
            "notice: cost_limit",
            "end: limit",
        ]
    );
    assert_eq!(ended(&items).cost, 20 * CENT);
    let (_, text) = notice(&items);
    assert!(text.contains("$0.30") && text.contains("$0.20"), "{text}");
    // The person lets it use as much again.
    let conversation = conversation();
    world.send(&life, Op::Retry { conversation });
    life.work();
    assert_eq!(requests(&world), 4);
}

#[test]
fn a_day_ends_at_its_limit_until_it_is_raised_or_over() {
    let world = World::new();
    let limited = Settings {
        max_cents_a_day: Some(30),
        ..Settings::default()
    };
    let mut life = start(&world, Some(PRICES), limited.clone());
    for _ in 0..9 {
        world.fake.http.push(counted(1_000, false));
    }
    for _ in 0..2 {
        world.say(&life, "hi");
        life.work();
    }
    assert_eq!(requests(&world), 2);
    // What was used is not forgotten with the core.
    drop(life);
    let mut life = world.start();
    life.settle();
    world.say(&life, "once more");
    life.work();
    assert_eq!(requests(&world), 2);
    let items = world.snapshot(&mut life, None);
    let end = &short(&items)[6..];
    assert_eq!(
        end,
        ["person: once more", "notice: day_limit", "end: limit"]
    );
    assert!(
        notice(&items).1.contains("$0.20 today"),
        "{:?}",
        notice(&items)
    );
    let more = Settings {
        max_cents_a_day: Some(35),
        ..limited
    };
    world.send(&life, Op::SaveSettings { settings: more });
    let conversation = conversation();
    world.send(&life, Op::Retry { conversation });
    life.work();
    assert_eq!(requests(&world), 3);
    world.say(&life, "and again");
    life.work();
    assert_eq!(requests(&world), 3);
    // Another day.
    drop(life);
    world.fake.clock.advance(86_400_000);
    let mut life = world.start();
    life.settle();
    world.say(&life, "good morning");
    life.work();
    assert_eq!(requests(&world), 4);
    let (today, days) = days(&world, &mut life);
    assert_eq!(today, "2026-05-29");
    let costs: Vec<u64> = days.iter().map(|it| it.usage.cost / CENT).collect();
    assert_eq!(costs, [10, 30]);
}

#[test]
fn a_day_may_be_limited_in_tokens_where_no_price_is_known() {
    let world = World::new();
    let limited = Settings {
        max_tokens_a_day: Some(10_000),
        ..Settings::default()
    };
    let mut life = start(&world, None, limited);
    for _ in 0..9 {
        world.fake.http.push(counted(4_500, true));
    }
    world.say(&life, "hi");
    life.work();
    assert_eq!(requests(&world), 2);
    let items = world.snapshot(&mut life, None);
    assert_eq!(notice(&items).0, "day_limit");
}

#[test]
fn the_limit_holds_for_a_turn_with_its_sub_agents() {
    let world = World::new();
    let limited = Settings {
        max_cents: Some(60),
        ..Settings::default()
    };
    let mut life = start(&world, Some(PRICES), limited);
    let brief = json!({"prompt": "Look."}).to_string();
    let delegate = json!({"tool_calls": [{"index": 0, "id": "c", "type": "function",
        "function": {"name": "agent", "arguments": brief}}]});
    world.fake.http.push(
        stream()
            .chunk(sse(&json!({"choices": [{"index": 0, "delta": delegate}]})))
            .chunk(sse(&json!({
                "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}],
                "usage": {"prompt_tokens": 1_000, "completion_tokens": 0},
            })))
            .chunk("data: [DONE]\n\n"),
    );
    for _ in 0..9 {
        world.fake.http.push(counted(1_500, true));
    }
    world.say(&life, "hi");
    life.work();
    // 10 cents, then the sub-agent's: it ends before the whole is above 60, and with it the turn.
    let items = world.snapshot(&mut life, None);
    assert_eq!(notice(&items).0, "cost_limit");
    let cost = ended(&items).cost / CENT;
    assert!((40..=60).contains(&cost), "{cost}");
    assert_eq!(
        u64::try_from(requests(&world)).unwrap(),
        1 + (cost - 10) / 15
    );
    let (_, days) = days(&world, &mut life);
    let of_day: u64 = days.iter().map(|it| it.usage.cost).sum();
    assert_eq!(of_day, ended(&items).cost, "{days:?}");
}

#[test]
fn an_answer_that_is_stopped_or_interrupted_is_counted_as_far_as_it_came() {
    let world = World::new();
    let mut life = start(&world, Some(PRICES), Settings::default());
    let slow = |text: &str| {
        let piece = json!({"choices": [{"index": 0, "delta": {"content": text}}]});
        stream().chunk(sse(&piece)).wait(50_000)
    };
    world.fake.http.push(slow(&"word ".repeat(600)));
    world.say(&life, "hi");
    life.settle();
    life.pass();
    let conversation = conversation();
    world.send(&life, Op::Stop { conversation });
    life.settle();
    let stopped = ended(&world.snapshot(&mut life, None));
    // The prompt and the tools alone are some thousand tokens.
    assert!((1_500..4_000).contains(&stopped.input), "{stopped:?}");
    assert_eq!(stopped.output, 1_000);
    assert!(stopped.cost > 0);

    world.fake.http.push(slow(&"word ".repeat(600)));
    world.fake.http.push(counted(1_000, false));
    world.say(&life, "again");
    life.settle();
    // After a second what has arrived is on disk.
    for _ in 0..20 {
        life.pass();
    }
    drop(life);
    let mut life = world.start();
    life.work();
    let items = world.snapshot(&mut life, None);
    let usage = ended(&items);
    assert!(usage.input > 2_500, "{usage:?} {:?}", short(&items));
}

#[test]
fn a_model_with_prices_whose_server_counts_nothing_is_estimated() {
    let used = |prices: Option<Prices>| {
        let world = World::new();
        let mut life = start(&world, prices, Settings::default());
        world.fake.http.push(
            stream()
                .chunk(sse(
                    &json!({"choices": [{"index": 0, "delta": {"content": "ok"}, "finish_reason": "stop"}]}),
                ))
                .break_with(HostErrorKind::Unavailable),
        );
        world.say(&life, "hi");
        life.work();
        ended(&world.snapshot(&mut life, None))
    };
    let usage = used(Some(PRICES));
    assert!(
        usage.input > 500 && usage.cost == PRICES.cost(&usage),
        "{usage:?}"
    );
    // There is no limit in money to keep.
    assert_eq!(used(None), Usage::default());
    let free = Prices { input: 0, ..PRICES };
    assert_eq!(used(Some(free)), Usage::default());
}
