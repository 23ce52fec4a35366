//! Requests as they are written.

use serde_json::{Value, json};

use super::endpoint;
use crate::chrome_built_in::ChromeBuiltIn;
use crate::{AssistantCall, ChatRequest, Message, Part, Provider, ToolSpec};

fn body(chat: &ChatRequest<'_>) -> (Value, String) {
    let request = ChromeBuiltIn.request(&endpoint(), chat).unwrap();
    assert_eq!(request.url, "builtin:prompt");
    let text = String::from_utf8(request.body).unwrap();
    (serde_json::from_str(&text).unwrap(), text)
}

fn user(text: &str) -> Message {
    Message::User {
        parts: vec![Part::Text(text.to_owned())],
    }
}

fn assistant(text: &str, calls: &[(&str, &str)]) -> Message {
    let calls = calls.iter().map(|(name, arguments)| AssistantCall {
        id: (*name).to_owned(),
        name: (*name).to_owned(),
        arguments: (*arguments).to_owned(),
        opaque: Value::Null,
    });
    Message::Assistant {
        text: text.to_owned(),
        thinking: "not sent".to_owned(),
        calls: calls.collect(),
        opaque: Value::Null,
    }
}

fn result(tool: &str, text: &str, is_error: bool) -> Message {
    Message::ToolResult {
        call_id: tool.to_owned(),
        tool: tool.to_owned(),
        text: text.to_owned(),
        images: Vec::new(),
        is_error,
    }
}

fn tool(name: &str, schema: Value) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: format!("Does {name}."),
        schema,
    }
}

#[test]
fn without_tools_the_request_is_the_texts() {
    let chat = ChatRequest {
        system: " Be brief.\n",
        messages: &[user("Hi"), assistant("Hello.", &[]), user("Go"), user("on")],
        tools: &[],
    };
    assert_eq!(
        body(&chat).0,
        json!({
            "system": "Be brief.",
            "prompts": [
                {"role": "user", "content": "Hi"},
                {"role": "assistant", "content": "Hello."},
                {"role": "user", "content": "Go\n\non"},
            ],
            "constraint": null,
        })
    );
}

#[test]
fn with_tools_earlier_answers_have_the_form_of_an_answer_and_results_are_the_users() {
    let chat = ChatRequest {
        system: "",
        messages: &[
            user("Hi"),
            assistant("", &[("a", r#"{"n": 1.0}"#), ("b", "{}")]),
            result("a", "[1]", false),
            result("b", "{\"error\":\"no\"}", true),
            user("And?"),
            assistant("None.", &[]),
            user("Sure?"),
        ],
        tools: &[tool("a", json!({}))],
    };
    assert_eq!(
        body(&chat).0["prompts"],
        json!([
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": r#"{"say":"","calls":[{"tool":"a","arguments":{"n": 1.0}},{"tool":"b","arguments":{}}]}"#},
            {"role": "user", "content": "Result of a:\n[1]\n\nError of b:\n{\"error\":\"no\"}\n\nAnd?"},
            {"role": "assistant", "content": r#"{"say":"None."}"#},
            {"role": "user", "content": "Sure?"},
        ])
    );
}

/// The order matters: a model writes the fields as the schema lists them.
#[test]
fn the_constraint_puts_the_text_before_the_calls_and_the_name_before_the_arguments() {
    let chat = ChatRequest {
        system: "",
        messages: &[user("Hi")],
        tools: &[tool("a", json!({})), tool("b", json!({}))],
    };
    let (_, text) = body(&chat);
    let constraint = r#""constraint":{"type":"object","properties":{"say":{"type":"string"},"calls":{"type":"array","items":{"type":"object","properties":{"tool":{"type":"string","enum":["a","b"]},"arguments":{"type":"object"}},"required":["tool","arguments"],"additionalProperties":false}}},"required":["say"],"additionalProperties":false}}"#;
    assert!(text.ends_with(constraint), "{text}");
}

fn check_description(schema: Value, expected: &str) {
    let chat = ChatRequest {
        system: "Be brief.",
        messages: &[user("Hi")],
        tools: &[tool("a", schema)],
    };
    let (body, _) = body(&chat);
    let system = body["system"].as_str().unwrap();
    assert!(system.starts_with("Be brief.\n\nAnswer with one JSON object"));
    let (_, description) = system.split_once("\n\na: Does a.").unwrap();
    assert_eq!(description.trim_start(), expected);
}

#[test]
fn a_tool_is_described_in_as_few_words_as_its_schema_allows() {
    check_description(json!({"type": "object"}), "");
    check_description(
        json!({
            "type": "object",
            "properties": {
                "id": {"type": "integer", "format": "int32"},
                "mode": {"enum": ["full", "outline"]},
                "names": {"type": "array", "items": {"type": "string"}, "description": "Which."},
                "url": {"type": ["string", "null"], "description": " Where to.\n"},
            },
            "required": ["id"],
        }),
        "- id (integer, required)\n\
         - mode (\"full\" or \"outline\", optional)\n\
         - names (array of string, optional): Which.\n\
         - url (string, optional): Where to.",
    );
    let nested = r##"{"properties":{"x":{"$ref":"#/$defs/X"}}}"##;
    check_description(
        serde_json::from_str(nested).unwrap(),
        &format!("- JSON schema of the arguments: {nested}"),
    );
    check_description(
        json!({"anyOf": []}),
        r#"- JSON schema of the arguments: {"anyOf":[]}"#,
    );
}
