//! Sub-agents and the task list.

#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that meets something else has failed, and most events do not concern it"
)]

mod support;

use serde_json::{Value, json};
use support::tools::with_test_tools;
use support::*;
use tabwright_host::fake::ScriptedResponse;
use tabwright_protocol::{
    ConversationId, Event, ItemBody, ItemView, Op, Settings, TaskStatus, Usage,
};

fn agent(prompt: &str) -> (&'static str, String) {
    (
        "agent",
        json!({"prompt": prompt, "description": prompt}).to_string(),
    )
}

fn agents(prompts: &[&str]) -> ScriptedResponse {
    let asked: Vec<_> = prompts.iter().map(|it| agent(it)).collect();
    let asked: Vec<_> = asked
        .iter()
        .map(|(name, it)| (*name, it.as_str()))
        .collect();
    calls(&asked)
}

fn world() -> World {
    let mut world = World::new();
    world.tools = with_test_tools;
    world
}

/// The sub-agents' conversations, in the order of their calls.
fn children(world: &World, life: &mut Life) -> Vec<ConversationId> {
    let items = world.snapshot(life, None);
    items
        .into_iter()
        .filter_map(|item| match item.body {
            ItemBody::ToolCall { child, .. } => child,
            _ => None,
        })
        .collect()
}

fn snapshot_of(world: &World, life: &mut Life, id: &ConversationId) -> Vec<ItemView> {
    let asked = world.send(
        life,
        Op::Attach {
            conversation: id.clone(),
            since: None,
        },
    );
    life.settle();
    let mut events = world.events().into_iter().rev();
    events
        .find_map(|it| match it.event {
            Event::Snapshot { op, items, .. } if op == asked => Some(items),
            _ => None,
        })
        .unwrap()
}

/// What the model was told of a call: the text between the marks.
fn told(request: &Value, index: usize) -> Value {
    let messages = request["messages"].as_array().unwrap();
    let tools: Vec<_> = messages.iter().filter(|it| it["role"] == "tool").collect();
    let text = tools[index]["content"].as_str().unwrap();
    let line = text.lines().find(|it| it.starts_with('{')).unwrap();
    serde_json::from_str(line).unwrap()
}

#[test]
fn a_sub_agent_works_in_a_context_of_its_own_and_reports() {
    let world = world();
    world.fake.http.push(agents(&["Find the figure."]));
    world
        .fake
        .http
        .push(calls(&[("look", r#"{"text": "42"}"#)]));
    world.fake.http.push(answer(&["It is 42."]));
    world.fake.http.push(answer(&["The figure is 42."]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(
        items[2..],
        [
            "call: agent [done] x1",
            "model: The figure is 42. [complete]",
            "end: done"
        ]
    );
    let child = children(&world, &mut life).remove(0);
    assert_eq!(
        short(&snapshot_of(&world, &mut life, &child)),
        [
            "person: Find the figure.",
            "model:  [complete]",
            "call: look [done] x1",
            "model: It is 42. [complete]",
            "end: done"
        ]
    );
    let brief = world.request(1);
    assert_eq!(brief["messages"].as_array().unwrap().len(), 2);
    let names: Vec<_> = brief["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["function"]["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"look") && !names.contains(&"agent") && !names.contains(&"ask_user"));
    let report = told(&world.request(3), 0);
    assert_eq!(report["result"], "It is 42.");
    assert_eq!(report["agent_id"], json!(child));
}

#[test]
fn what_happens_in_a_sub_agent_is_told_with_its_call() {
    let world = world();
    world.fake.http.push(agents(&["Work."]));
    world.fake.http.push(answer(&["word "; 20]));
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let child = children(&world, &mut life).remove(0);
    let mut kinds = Vec::new();
    for envelope in world.events() {
        match envelope.event {
            Event::SubAgentEvent {
                conversation: parent,
                child: of,
                event,
                ..
            } => {
                assert_eq!((parent, of), (conversation(), child.clone()));
                let kind = serde_json::to_value(&event).unwrap()["type"].clone();
                kinds.push(kind.as_str().unwrap().to_owned());
            }
            Event::Item { conversation, .. } | Event::Run { conversation, .. } => {
                assert_ne!(conversation, child);
            }
            Event::Conversation { summary } => assert_ne!(summary.id, child),
            _ => {}
        }
    }
    for kind in ["item", "run", "blocks"] {
        assert!(kinds.iter().any(|it| it == kind), "{kind}: {kinds:?}");
    }
}

#[test]
fn several_work_side_by_side_up_to_the_limit_and_their_usage_is_added_up() {
    let world = world();
    world.fake.http.push(agents(&["One.", "Two.", "Three."]));
    for _ in 0..3 {
        world.fake.http.push(answer(&["Worked."]));
    }
    world.fake.http.push(answer(&["All three."]));
    let mut life = world.start_with_model();
    let settings = Settings {
        max_sub_agents: 2,
        ..Settings::default()
    };
    world.send(&life, Op::SaveSettings { settings });
    world.say(&life, "hi");
    life.settle();
    // Until the first of the sub-agents has its answer, only two have begun.
    while world.fake.http.requests().len() < 3 && life.pass() {}
    let begun = children(&world, &mut life);
    assert_eq!(begun.len(), 2);
    life.work();
    assert_eq!(children(&world, &mut life).len(), 3);
    let items = world.snapshot(&mut life, None);
    let ItemBody::TurnEnd { usage, .. } = items.last().unwrap().body else {
        unreachable!()
    };
    // Each answer says 100 tokens in and 10 out.
    let expected = Usage {
        input: 500,
        output: 50,
        // The model has no prices.
        unpriced: 550,
        ..Usage::default()
    };
    assert_eq!(usage, expected);
}

#[test]
fn a_sub_agents_rights_end_where_its_kind_says() {
    let world = world();
    let brief = json!({"prompt": "Try.", "type": "researcher"}).to_string();
    world.fake.http.push(calls(&[("agent", &brief)]));
    world.fake.http.push(calls(&[
        ("send", r#"{"text": "x"}"#),
        ("agent", r#"{"prompt": "more"}"#),
        ("ask_user", r#"{"question": "?"}"#),
    ]));
    world.fake.http.push(answer(&["I could not."]));
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let child = children(&world, &mut life).remove(0);
    assert_eq!(
        short(&snapshot_of(&world, &mut life, &child))[2..5],
        [
            "call: send [done error] x0",
            "call: agent [done error] x0",
            "call: ask_user [done error] x0"
        ]
    );
    let report = told(&world.request(3), 0);
    assert_eq!(report["result"], "I could not.");
    assert_eq!(
        report["failed_calls"],
        json!(["agent failed (1)", "ask_user failed (1)", "send failed (1)"])
    );
}

#[test]
fn a_sub_agent_that_takes_too_long_is_no_success() {
    let world = world();
    world.fake.http.push(agents(&["Wait for ever."]));
    world.fake.http.push(
        stream()
            .chunk(sse(
                &json!({"choices": [{"index": 0, "delta": {"content": "So far."}}]}),
            ))
            .hang(),
    );
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    // A stream that is silent for two minutes is given up, and this one is not: it is over before.
    for _ in 0..10 {
        world.fake.clock.advance(60_000);
        life.settle();
    }
    life.work();
    let report = told(&world.request(world.fake.http.requests().len() - 1), 0);
    assert_eq!(report["code"], "not_done", "{report}");
    assert_eq!(report["partial"], "So far.");
}

#[test]
fn stop_ends_the_sub_agents_and_theirs_ends_them_alone() {
    let hang = || stream().hang();
    let run = |stop: &dyn Fn(&World, &mut Life) -> ConversationId| {
        let world = world();
        world.fake.http.push(agents(&["One."]));
        world.fake.http.push(hang());
        world.fake.http.push(answer(&["Without it."]));
        let mut life = world.start_with_model();
        world.say(&life, "hi");
        life.work();
        let id = stop(&world, &mut life);
        world.send(&life, Op::Stop { conversation: id });
        life.work();
        let child = children(&world, &mut life).remove(0);
        let below = short(&snapshot_of(&world, &mut life, &child));
        assert_eq!(below.last().unwrap(), "end: stopped");
        short(&world.snapshot(&mut life, None))
    };
    let items = run(&|_, _| conversation());
    assert_eq!(items[2..], ["call: agent [done error] x1", "end: stopped"]);
    let items = run(&|world, life| children(world, life).remove(0));
    assert_eq!(
        items[2..],
        [
            "call: agent [done error] x1",
            "model: Without it. [complete]",
            "end: done"
        ]
    );
}

#[test]
fn a_sub_agent_goes_on_after_a_death_and_sends_nothing_twice() {
    let world = world();
    world.fake.http.push(agents(&["Send it."]));
    world
        .fake
        .http
        .push(calls(&[("send", r#"{"text": "letter"}"#)]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.settle();
    let runs = |world: &World, life: &mut Life| {
        let children = children(world, life);
        let items = children.first().map(|it| snapshot_of(world, life, it));
        items.is_some_and(|it| {
            short(&it)
                .iter()
                .any(|it| it.starts_with("call: send [running]"))
        })
    };
    while !runs(&world, &mut life) && life.pass() {}
    drop(life);
    world.fake.http.push(answer(&["It may have been sent."]));
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start();
    life.work();
    let child = children(&world, &mut life).remove(0);
    assert_eq!(
        short(&snapshot_of(&world, &mut life, &child))[2..],
        [
            "call: send [unknown] x1",
            "notice: outcome_unknown",
            "model: It may have been sent. [complete]",
            "end: done"
        ]
    );
    let items = short(&world.snapshot(&mut life, None));
    assert_eq!(
        items[2..],
        ["call: agent [done] x2", "model: ok [complete]", "end: done"]
    );
    let report = told(&world.request(3), 0);
    assert_eq!(
        report["failed_calls"],
        json!(["send may have happened (1)"])
    );
    assert_eq!(world.fake.files.get("sent/letter"), None);
}

#[test]
fn nothing_but_stop_and_decisions_goes_into_a_sub_agents_conversation() {
    let world = world();
    world.fake.http.push(agents(&["Work."]));
    world.fake.http.push(answer(&["Worked."]));
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let id = children(&world, &mut life).remove(0);
    let ops = [
        Op::Retry {
            conversation: id.clone(),
        },
        Op::SendMessage {
            conversation: id.clone(),
            text: "you there".into(),
            tab: None,
        },
        Op::Compact {
            conversation: id.clone(),
            instruction: String::new(),
        },
        Op::Clear {
            conversation: id.clone(),
        },
        Op::DeleteConversation { conversation: id },
    ];
    for op in ops {
        let asked = world.send(&life, op.clone());
        life.work();
        assert_eq!(
            world.refusal(&asked).as_deref(),
            Some("sub_agent"),
            "{op:?}"
        );
    }
}

#[test]
fn a_task_list_grows_changes_and_outlives_the_core() {
    let world = world();
    world.fake.http.push(calls(&[
        ("create_task", r#"{"subject": "Look"}"#),
        (
            "create_task",
            r#"{"subject": "Act", "description": "once"}"#,
        ),
        ("update_task", r#"{"task_id": "1", "status": "completed"}"#),
        ("update_task", r#"{"task_id": "7"}"#),
        ("list_tasks", "{}"),
    ]));
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let results: Vec<Value> = world.request(1)["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["role"] == "tool")
        .map(|it| serde_json::from_str(it["content"].as_str().unwrap()).unwrap())
        .collect();
    assert_eq!(
        results[0],
        json!({"id": "1", "subject": "Look", "status": "pending"})
    );
    assert_eq!(
        results[1],
        json!({"id": "2", "subject": "Act", "description": "once", "status": "pending"})
    );
    assert_eq!(results[2]["status"], "completed");
    assert_eq!(results[3]["code"], "no_such_task");
    assert!(
        results[3]["error"]
            .as_str()
            .unwrap()
            .contains("There are: 1, 2.")
    );
    assert_eq!(
        results[4],
        json!([
            {"id": "1", "subject": "Look", "status": "completed"},
            {"id": "2", "subject": "Act", "status": "pending"},
        ])
    );
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
        })
        .unwrap();
    let shown: Vec<_> = tasks.iter().map(|it| (it.id.as_str(), it.status)).collect();
    assert_eq!(
        shown,
        [("1", TaskStatus::Completed), ("2", TaskStatus::Pending)]
    );
}
