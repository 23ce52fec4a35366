//! The rules, once as examples and once as properties of any list.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;

use super::{is_legal, make_legal, mended};
use crate::{AssistantCall, Image, Message, Part};

fn user(text: &str) -> Message {
    Message::User {
        parts: vec![Part::Text(text.to_owned())],
    }
}

fn call(id: &str, name: &str, arguments: &str) -> AssistantCall {
    AssistantCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
        opaque: Value::Null,
    }
}

fn model(text: &str, ids: &[&str]) -> Message {
    Message::Assistant {
        text: text.to_owned(),
        thinking: String::new(),
        calls: ids.iter().map(|id| call(id, "f", "{}")).collect(),
        opaque: Value::from(text),
    }
}

fn result(id: &str, text: &str) -> Message {
    Message::ToolResult {
        call_id: id.to_owned(),
        tool: "f".to_owned(),
        text: text.to_owned(),
        images: Vec::new(),
        is_error: false,
    }
}

fn word(part: &Part) -> &str {
    match part {
        Part::Text(text) => text,
        Part::Image(_) => "image",
    }
}

/// A list in short: `u:` person, `m:` model with its calls' ids, `r:` result (`!` for an error).
fn show(messages: &[Message]) -> String {
    let line = |message: &Message| match message {
        Message::User { parts } => {
            let texts: Vec<_> = parts.iter().map(word).collect();
            format!("u:{}", texts.join("+"))
        }
        Message::Assistant { text, calls, .. } => {
            let ids: Vec<_> = calls.iter().map(|call| call.id.as_str()).collect();
            format!("m:{text}[{}]", ids.join(","))
        }
        Message::ToolResult {
            call_id,
            is_error: true,
            ..
        } => format!("r:{call_id}=!"),
        Message::ToolResult { call_id, text, .. } => format!("r:{call_id}={text}"),
    };
    messages
        .iter()
        .map(line)
        .collect::<Vec<_>>()
        .join(" ")
        .replace("\n\n", "/")
}

fn check(messages: &[Message], expected: &str) {
    assert_eq!(
        show(&make_legal(messages.to_vec())),
        expected,
        "{}",
        show(messages)
    );
}

#[test]
fn a_legal_list_stays_as_it_is() {
    let list = [
        user("a"),
        model("b", &["1", "2"]),
        result("1", "x"),
        result("2", "y"),
        model("c", &[]),
        user("d"),
    ];
    assert_eq!(make_legal(list.to_vec()), list);
}

#[test]
fn every_call_gets_exactly_one_result_right_after_it() {
    check(&[user("a"), model("", &["1"])], "u:a m:[1] r:1=!");
    check(
        &[
            user("a"),
            model("", &["1", "2"]),
            result("2", "y"),
            user("b"),
            result("1", "x"),
        ],
        "u:a m:[1,2] r:1=x r:2=y u:b",
    );
    check(
        &[
            user("a"),
            model("", &["1"]),
            result("1", "x"),
            result("1", "z"),
            result("9", "w"),
        ],
        "u:a m:[1] r:1=x",
    );
    check(
        &[result("1", "x"), user("a"), model("", &["1"])],
        "u:a m:[1] r:1=!",
    );
    check(
        &[user("a"), model("", &["1"]), result("1", " ")],
        "u:a m:[1] r:1=(nothing)",
    );
}

#[test]
fn ids_used_again_are_made_unique_and_keep_their_own_results() {
    check(
        &[
            user("a"),
            model("", &["1"]),
            model("", &["1"]),
            result("1", "x"),
        ],
        "u:a m:[1] r:1=! m:[1_2] r:1_2=x",
    );
    check(
        &[
            user("a"),
            model("", &["1", "1", ""]),
            result("1", "x"),
            result("1", "y"),
            result("", "z"),
        ],
        "u:a m:[1,1_2,call] r:1=x r:1_2=y r:call=z",
    );
}

#[test]
fn blank_texts_and_empty_messages_are_dropped() {
    let both = Message::User {
        parts: vec![Part::Text(" ".to_owned()), Part::Text("a".to_owned())],
    };
    check(&[both, model("\n", &[]), user("")], "u:a");
    check(
        &[user("a"), model(" ", &["1"]), result("1", "x")],
        "u:a m:[1] r:1=x",
    );
    check(&[], "");
}

#[test]
fn images_stay_where_they_are() {
    let image = Image {
        media_type: "image/png".to_owned(),
        data: "AA==".to_owned(),
    };
    let shown = Message::User {
        parts: vec![Part::Text(" ".to_owned()), Part::Image(image.clone())],
    };
    let mut seen = result("1", "");
    if let Message::ToolResult { images, .. } = &mut seen {
        images.push(image.clone());
    }
    let legal = make_legal(vec![shown, model("", &["1"]), seen]);
    assert_eq!(show(&legal), "u:image m:[1] r:1=(nothing)");
    assert!(matches!(&legal[2], Message::ToolResult { images, .. } if *images == [image]));
}

#[test]
fn the_person_begins_and_the_two_take_turns() {
    check(&[model("a", &[]), user("b")], "u:Continue. m:a[] u:b");
    check(&[user("a"), user("b")], "u:a+b");
    check(&[user("a"), model("b", &[])], "u:a m:b[] u:Continue.");
    check(
        &[user("a"), model("b", &[]), model("c", &["1"])],
        "u:a m:b/c[1] r:1=!",
    );
}

#[test]
fn names_and_arguments_become_what_every_provider_takes() {
    let check = |name: &str, arguments: &str, expected: (&str, &str)| {
        let message = Message::Assistant {
            text: String::new(),
            thinking: String::new(),
            calls: vec![call("1", name, arguments)],
            opaque: Value::Null,
        };
        let legal = make_legal(vec![user("a"), message]);
        let Message::Assistant { calls, .. } = &legal[1] else {
            panic!("{legal:?}");
        };
        assert_eq!(
            (calls[0].name.as_str(), calls[0].arguments.as_str()),
            expected
        );
        assert!(matches!(&legal[2], Message::ToolResult { tool, .. } if *tool == calls[0].name));
    };
    check("open_tab", r#"{"a": 1}"#, ("open_tab", r#"{"a": 1}"#));
    check("öpen tab.x", r#"{"a": "#, ("_pen_tab_x", "{}"));
    check("", "[1]", ("unnamed", "{}"));
    check(&"n".repeat(70), "", (&"n".repeat(64), "{}"));
}

fn any_message() -> impl Strategy<Value = Message> {
    let text = prop::sample::select(vec!["", " ", "a", "b"]);
    let id = prop::sample::select(vec!["", "1", "1_2", "2", "3"]);
    let name = prop::sample::select(vec!["f", "", "bad name"]);
    let arguments = prop::sample::select(vec!["{}", "", "{\"a\":", "[]"]);
    let calls = prop::collection::vec(
        (id.clone(), name, arguments).prop_map(|(id, name, arguments)| call(id, name, arguments)),
        0..4,
    );
    prop_oneof![
        prop::collection::vec(text.clone(), 0..3).prop_map(|texts| Message::User {
            parts: texts
                .into_iter()
                .map(|text| Part::Text(text.to_owned()))
                .collect(),
        }),
        (text.clone(), calls).prop_map(|(text, calls)| Message::Assistant {
            text: text.to_owned(),
            thinking: String::new(),
            calls,
            opaque: Value::Null,
        }),
        (id, text).prop_map(|(id, text)| result(id, text)),
    ]
}

fn assert_legal(messages: &[Message]) {
    let mut expected = Vec::new();
    let mut ids = BTreeSet::new();
    let mut speaker = "";
    for message in messages {
        match message {
            Message::User { parts } => {
                assert!(expected.is_empty() && speaker != "person" && !parts.is_empty());
                assert!(parts.iter().all(|part| !word(part).trim().is_empty()));
                speaker = "person";
            }
            Message::Assistant { text, calls, .. } => {
                assert!(expected.is_empty() && !matches!(speaker, "" | "model"));
                assert!(!calls.is_empty() || !text.trim().is_empty());
                for call in calls {
                    assert!(!call.id.is_empty() && ids.insert(call.id.clone()));
                    assert!((1..=64).contains(&call.name.len()) && !call.name.contains(' '));
                    assert!(serde_json::from_str::<serde_json::Map<_, _>>(&call.arguments).is_ok());
                }
                expected = calls.iter().rev().map(|call| call.id.clone()).collect();
                speaker = "model";
            }
            Message::ToolResult { call_id, text, .. } => {
                assert_eq!(expected.pop().as_ref(), Some(call_id));
                assert!(!text.trim().is_empty());
                speaker = "tool";
            }
        }
    }
    assert!(expected.is_empty() && speaker != "model");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(2_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_list_becomes_legal_and_then_stays_as_it_is(
        messages in prop::collection::vec(any_message(), 0..12),
    ) {
        let legal = make_legal(messages.clone());
        assert_legal(&legal);
        prop_assert_eq!(&legal, &mended(messages));
        // What is taken to be legal at a look is what mending would leave as it is.
        prop_assert!(is_legal(&legal));
        prop_assert_eq!(mended(legal.clone()), legal);
    }
}
