//! What is a call in a text, what is not, and what a person sees meanwhile.

use serde_json::Value;
use tabwright_protocol::{Capability, ModelOptions, ProviderKind};

use crate::checks;
use crate::testing::{self, endpoint, image, model, result, tool, user, user_with_image};
use crate::{ChatRequest, Endpoint, Message, ModelEvent, ToolSpec, provider_for};

fn tools() -> [ToolSpec; 2] {
    [tool("list_tabs"), tool("open_tab")]
}

/// What is shown while the text arrives, and the outcome, however the text is cut.
fn read(text: &str) -> (String, String) {
    let tools = tools();
    let plain = || provider_for(ProviderKind::ChromeBuiltIn).read(false);
    let decode = |pieces: &[&[u8]]| checks::decode(super::reader(plain(), &tools), pieces);
    checks::same_however_cut(text.as_bytes(), decode);
    let (events, result) = decode(&[text.as_bytes()]);
    let shown: String = events
        .iter()
        .map(|event| match event {
            ModelEvent::Text(text) => text.as_str(),
            ModelEvent::Thinking(_)
            | ModelEvent::CallStarted { .. }
            | ModelEvent::CallArguments { .. } => panic!("{event:?}"),
        })
        .collect();
    (shown, testing::show(&result.unwrap()))
}

/// Checks the calls of a text, and what is left of it.
fn check(text: &str, left: &str, calls: &[&str]) {
    let (_, outcome) = read(text);
    let mut expected = Vec::new();
    if !left.is_empty() {
        expected.push(format!("text {left:?}"));
    }
    for (place, call) in calls.iter().enumerate() {
        let id = match place {
            0 => "call_1".to_owned(),
            _ => format!("call_1_{}", place + 1),
        };
        expected.push(format!("call {id} {call}"));
    }
    let stop = if calls.is_empty() {
        "EndTurn"
    } else {
        "ToolCalls"
    };
    expected.push(stop.to_owned());
    assert_eq!(outcome, expected.join("\n"), "{text}");
}

fn check_text(text: &str) {
    check(text, text, &[]);
}

const CALL: &str = r#"{"name": "open_tab", "arguments": {"url":"x"}}"#;

#[test]
fn calls_in_tags_are_calls() {
    let expected = [r#"open_tab {"url":"x"}"#];
    check(&format!("<tool_call>\n{CALL}\n</tool_call>"), "", &expected);
    check(
        &format!("I look.\n<tool_call>{CALL}</tool_call>\nDone."),
        "I look.\n\nDone.",
        &expected,
    );
    check(
        &format!("<function_call>{CALL}</function_call>"),
        "",
        &expected,
    );
    // The end of the answer closes the tag.
    check(&format!("Look: <tool_call>\n{CALL}"), "Look:", &expected);
    check(
        r#"<tool_call>{"name":"list_tabs"}</tool_call>"#,
        "",
        &["list_tabs {}"],
    );
    let two = format!("<tool_call>{CALL}</tool_call>");
    check(&format!("{two}\n{two}"), "", &[expected[0], expected[0]]);
    check(
        &format!("<tool_call>\n{CALL}\n{CALL}\n</tool_call>"),
        "",
        &[expected[0], expected[0]],
    );
}

#[test]
fn calls_in_fences_or_alone_are_calls() {
    let expected = [r#"open_tab {"url":"x"}"#];
    for fence in ["```json\n", "```\n", "```tool_call\n", "```JSON "] {
        check(&format!("{fence}{CALL}\n```"), "", &expected);
        check(
            &format!("Looking.\n{fence}{CALL}\n```\nSoon."),
            "Looking.\n\nSoon.",
            &expected,
        );
    }
    check(CALL, "", &expected);
    check(&format!("\n {CALL}\n"), "", &expected);
    check(&format!("[{CALL},{CALL}]"), "", &[expected[0], expected[0]]);
    check(&format!("[TOOL_CALLS] [{CALL}]"), "", &expected);
    check(&format!("<|python_tag|>{CALL}"), "", &expected);
}

#[test]
fn the_fields_have_many_names_and_commas_may_trail() {
    let expected = [r#"open_tab {"url":"x"}"#];
    for call in [
        r#"{"tool": "open_tab", "parameters": {"url":"x"}}"#,
        r#"{"function": "open_tab", "args": {"url":"x"}}"#,
        r#"{"id":"1","type":"function","function":{"name":"open_tab","arguments":{"url":"x"}}}"#,
        r#"{"name": "open_tab", "input": "{\"url\":\"x\"}"}"#,
    ] {
        check(call, "", &expected);
    }
    check(
        "```json\n{\"name\":\"open_tab\",\"arguments\":{\"url\":\"x, }\",},}\n```",
        "",
        &[r#"open_tab {"url":"x, }"}"#],
    );
}

#[test]
fn whatever_is_doubtful_stays_text() {
    for text in [
        // A tool that was not offered.
        r#"{"name": "delete_all", "arguments": {}}"#,
        r#"<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>"#,
        r#"{"name": "OPEN_TAB", "arguments": {}}"#,
        // In the middle of a sentence.
        &format!("I could write {CALL} and so on."),
        &format!("First {CALL}"),
        // More than calls.
        &format!("```json\n{CALL}\nand so on\n```"),
        r#"{"name": "open_tab", "arguments": {}, "price": 3}"#,
        r#"[{"name": "open_tab", "arguments": {}}, 7]"#,
        r#"{"name": "open_tab", "arguments": [1]}"#,
        r#"{"name": "open_tab", "arguments": "x"}"#,
        // A thing that has the name of a tool, but no arguments.
        r#"{"name": "list_tabs"}"#,
        // An example.
        &format!("Write `<tool_call>{CALL}</tool_call>` to call it."),
        // Broken.
        r#"<tool_call>{"name": "open_tab", "arguments": {"url":</tool_call>"#,
        r#"{"name": "open_tab", "arguments": {"url":"x""#,
        "<tool_call></tool_call>",
        "```json\n```",
        "```rust\nfn main() {}\n```",
        "a < b and `c`",
        "",
    ] {
        check_text(text.trim());
    }
}

#[test]
fn a_call_that_broke_off_at_the_limit_needs_its_closing_mark() {
    let names: Vec<_> = tools().iter().map(|tool| tool.name.clone()).collect();
    let calls = |text: &str| super::read(text, &names, false).1.len();
    assert_eq!(calls(&format!("<tool_call>{CALL}</tool_call>")), 1);
    assert_eq!(calls(&format!("```json\n{CALL}\n```")), 1);
    assert_eq!(calls(&format!("<tool_call>{CALL}")), 0);
    assert_eq!(calls(&format!("```json\n{CALL}")), 0);
    assert_eq!(calls(CALL), 0);
}

#[test]
fn a_person_sees_what_is_certainly_no_call_at_once() {
    let check_shown = |text: &str, expected: &str| {
        assert_eq!(read(text).0, expected, "{text}");
    };
    check_shown("Hello a < b `c` ", "Hello a < b `c` ");
    check_shown("Look: <tool_call>{\"na", "Look: ");
    check_shown("Look: <tool", "Look: ");
    check_shown("Look: <tools> {x} [y]", "Look: <tools> {x} [y]");
    check_shown(
        "```rust\nfn x() {}\n```\nand",
        "```rust\nfn x() {}\n```\nand",
    );
    check_shown("So:\n```json\n{\"a\"", "So:\n");
    check_shown("  {\"a\": 1}", "  ");
    check_shown("A {\"a\": 1}", "A {\"a\": 1}");
}

#[test]
fn thousands_of_openings_are_no_work() {
    let text = "<tool_call>{".repeat(10_000);
    let names = vec!["f".to_owned()];
    let (rest, calls) = super::read(&text, &names, true);
    assert!(calls.is_empty() && rest == text);
    let (rest, _) = super::read(&"```".repeat(10_000), &names, true);
    assert_eq!(rest.len(), 30_000);
}

fn options(tools: Capability, vision: Capability, text_calls: bool) -> ModelOptions {
    let mut options = ModelOptions {
        text_calls,
        ..ModelOptions::default()
    };
    options.can.tools = tools;
    options.can.vision = vision;
    options
}

/// An answer of these chunks of text in the chat format, read for a record with these options.
fn outcome(options: ModelOptions, tools: &[ToolSpec], delta: &str, reason: &str) -> String {
    let endpoint = Endpoint {
        options,
        ..endpoint("https://a.test", "m")
    };
    let body = format!(
        "data: {{\"choices\":[{{\"delta\":{delta},\"finish_reason\":\"{reason}\"}}]}}\n\ndata: [DONE]\n\n"
    );
    let decoder = provider_for(ProviderKind::OpenAiChat).decoder(&endpoint, tools);
    let (_, result) = checks::decode(decoder, &[body.as_bytes()]);
    testing::outcome(&result)
}

#[test]
fn only_a_record_that_says_so_and_a_request_with_tools_make_calls_of_text() {
    use Capability::{No, Unknown};
    let said = Value::from(format!("<tool_call>{CALL}</tool_call>"));
    let delta = format!(r#"{{"content":{said}}}"#);
    let text = format!("text {said}\nEndTurn");
    let call = "call call_1 open_tab {\"url\":\"x\"}\nToolCalls";
    let tools = tools();
    let with = |tools_can, text_calls| options(tools_can, Unknown, text_calls);
    assert_eq!(outcome(with(Unknown, false), &tools, &delta, "stop"), text);
    assert_eq!(outcome(with(Unknown, true), &[], &delta, "stop"), text);
    assert_eq!(outcome(with(Unknown, true), &tools, &delta, "stop"), call);
    assert_eq!(outcome(with(No, true), &tools, &delta, "stop"), call);
    let length = call.replace("ToolCalls", "Length");
    assert_eq!(
        outcome(with(Unknown, true), &tools, &delta, "length"),
        length
    );
    let thought = format!(r#"{{"reasoning":{said},"content":"a"}}"#);
    assert!(outcome(with(Unknown, true), &tools, &thought, "stop").starts_with("text \"a\""));
    let native = format!(
        r#"{{"content":{said},"tool_calls":[{{"index":0,"id":"i","function":{{"name":"list_tabs","arguments":"{{}}"}}}}]}}"#
    );
    let both = outcome(with(Unknown, true), &tools, &native, "stop");
    assert_eq!(
        both,
        format!("text {said}\ncall i list_tabs {{}}\nToolCalls")
    );
}

fn texts(body: &Value) -> Vec<(&str, &str)> {
    let messages = body["messages"].as_array().unwrap();
    messages
        .iter()
        .map(|message| {
            (
                message["role"].as_str().unwrap(),
                message["content"].as_str().unwrap(),
            )
        })
        .collect()
}

#[test]
fn a_model_without_tools_is_told_of_them_and_of_their_results_in_words() {
    use Capability::{No, Unknown};
    let messages = [
        user("Hi"),
        model("Look.", &[("1", "open_tab", r#"{"n": 1}"#)]),
        result("1", "open_tab", "opened"),
        user("And?"),
    ];
    let tools = tools();
    let chat = ChatRequest {
        system: "Be brief.",
        messages: &messages,
        tools: &tools,
    };
    let said =
        "Look.\n<tool_call>\n{\"name\": \"open_tab\", \"arguments\": {\"n\": 1}}\n</tool_call>";
    let rest = [
        ("user", "Hi"),
        ("assistant", said),
        ("user", "Result of open_tab:\nopened\n\nAnd?"),
    ];
    let request = |text_calls| {
        let endpoint = Endpoint {
            options: options(No, Unknown, text_calls),
            ..endpoint("https://a.test", "m")
        };
        testing::body(ProviderKind::OpenAiChat, &endpoint, &chat).0
    };
    let body = request(false);
    assert_eq!(body.get("tools"), None);
    assert_eq!(texts(&body)[0], ("system", "Be brief."));
    assert_eq!(texts(&body)[1..], rest);
    let body = request(true);
    let system = texts(&body)[0].1;
    assert!(
        system.starts_with("Be brief.\n\nYou can call tools.") && system.contains("open_tab: Does"),
        "{system}"
    );
    assert_eq!(body.get("tools"), None);
    assert_eq!(texts(&body)[1..], rest);
}

#[test]
fn a_model_that_cannot_see_is_told_that_an_image_was_left_out() {
    use Capability::{No, Unknown};
    let mut seen = result("1", "open_tab", "one");
    if let Message::ToolResult { images, .. } = &mut seen {
        images.push(image());
    }
    let messages = [
        user_with_image("Look"),
        model("", &[("1", "open_tab", "{}")]),
        seen,
    ];
    let tools = tools();
    let chat = ChatRequest {
        system: "",
        messages: &messages,
        tools: &tools,
    };
    for kind in crate::testing::KINDS {
        let endpoint = Endpoint {
            options: options(Unknown, No, false),
            ..endpoint("https://a.test", "m")
        };
        let (_, text) = testing::body(kind, &endpoint, &chat);
        let told = text.matches("An image was left out").count();
        assert!(told == 2 && !text.contains(&image().data), "{text}");
        let (_, text) = testing::body(kind, &self::endpoint("https://a.test", "m"), &chat);
        let shown = text.matches(&image().data).count();
        let told = text.matches("An image was left out").count();
        let expected = match kind {
            ProviderKind::ChromeBuiltIn => (0, 2),
            ProviderKind::OpenAiChat
            | ProviderKind::OpenAiResponses
            | ProviderKind::Anthropic
            | ProviderKind::Gemini
            | ProviderKind::Ollama => (2, 0),
        };
        assert_eq!((shown, told), expected, "{text}");
    }
}

/// Whether a text without a call that can be read seems to hold one.
fn check_seems(text: &str, expected: bool) {
    let tools = tools();
    let plain = provider_for(ProviderKind::ChromeBuiltIn).read(false);
    let (_, result) = checks::decode(super::reader(plain, &tools), &[text.as_bytes()]);
    let answer = result.unwrap();
    assert!(answer.calls.is_empty(), "{text}");
    assert_eq!(answer.unread_call, expected, "{text}");
}

#[test]
fn what_seems_a_call_and_cannot_be_read_is_said_to() {
    check_seems(
        r#"<tool_call>{"name": "open_tab", "arguments": {"url": }}</tool_call>"#,
        true,
    );
    check_seems(r#"I look. <tool_call>open_tab(url="x")</tool_call>"#, true);
    check_seems(
        r#"<tool_call>{"name": "no_such_tool", "arguments": {}}</tool_call>"#,
        true,
    );
    check_seems(
        "```json\n{\"name\": \"open_tab\", \"arguments\": {url: 'x'}}\n```",
        true,
    );
    check_seems(r#"{"tool": "open_tab", "arguments": {"url": "x}"#, true);
    check_seems("[TOOL_CALLS] open_tab", true);

    check_seems("There are two tabs.", false);
    check_seems("Write `<tool_call>` before a call.", false);
    check_seems("```json\n{\"name\": \"Ada\"}\n```", false);
    check_seems("{\"tabs\": [\"open_tab\"]}", false);
    check_seems("The tool \"open_tab\" has a \"name\".", false);
    check_seems("", false);
}
