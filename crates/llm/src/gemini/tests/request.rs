//! Requests, and the way back of what the provider wants to see again.

use serde_json::{Value, json};
use tabwright_protocol::{Capability, ProviderKind, ReasoningEffort};

use super::{end, parts};
use crate::testing::{
    self, endpoint, failed, image, kept, model, result, result_with_image, stream, tool, user,
    user_with_image,
};
use crate::{ChatRequest, Message, ToolSpec, provider_for};

const KIND: ProviderKind = ProviderKind::Gemini;
const ADDRESS: &str = "https://generativelanguage.googleapis.com";

fn chat<'a>(messages: &'a [Message], tools: &'a [ToolSpec]) -> ChatRequest<'a> {
    ChatRequest {
        system: "Be brief.",
        messages,
        tools,
    }
}

fn body(model: &str, chat: &ChatRequest<'_>) -> (Value, String) {
    testing::body(KIND, &endpoint(ADDRESS, model), chat)
}

#[test]
fn the_address_has_the_model_and_never_the_key() {
    let messages = [user("Hi")];
    let check = |address: &str, model: &str, expected: &str| {
        let request = provider_for(KIND)
            .request(&endpoint(address, model), &chat(&messages, &[]))
            .unwrap();
        assert_eq!(request.url, expected);
        let key = ("x-goog-api-key".to_owned(), "sk-test-key".to_owned());
        assert!(request.headers.contains(&key));
    };
    let end = ":streamGenerateContent?alt=sse";
    check(
        ADDRESS,
        "models/gemini-2.5-pro",
        &format!("{ADDRESS}/v1beta/models/gemini-2.5-pro{end}"),
    );
    check(
        "https://a.test/v1/?x=1",
        "tuned/a b",
        "https://a.test/v1/tuned/a%20b:streamGenerateContent?x=1&alt=sse",
    );
}

#[test]
fn a_whole_conversation_is_written() {
    let messages = [
        user_with_image("Look"),
        model("I do.", &[("1", "f", r#"{"n": 1.0}"#), ("2", "f", "{}")]),
        result_with_image("1", "f", "one"),
        failed("2", "f", "no"),
        user("And?"),
    ];
    let mut bare = tool("g");
    bare.schema = json!({"type": "object", "properties": {}});
    let tools = [tool("f"), bare];
    let (body, _) = body("gemini-2.5-flash", &chat(&messages, &tools));
    let image = json!({"inlineData": {"mimeType": image().media_type, "data": image().data}});
    assert_eq!(
        body,
        json!({
            "systemInstruction": {"parts": [{"text": "Be brief."}]},
            "contents": [
                {"role": "user", "parts": [{"text": "Look"}, image]},
                {"role": "model", "parts": [
                    {"text": "I do."},
                    {"functionCall": {"name": "f", "args": {"n": 1.0}}},
                    {"functionCall": {"name": "f", "args": {}}},
                ]},
                {"role": "user", "parts": [
                    {"functionResponse": {"name": "f", "response": {"output": "one"}}},
                    image,
                    {"functionResponse": {"name": "f", "response": {"error": "no"}}},
                    {"text": "And?"},
                ]},
            ],
            "tools": [{"functionDeclarations": [
                {"name": "f", "description": "Does f.", "parametersJsonSchema": tools[0].schema},
                {"name": "g", "description": "Does g."},
            ]}],
            "generationConfig": {},
        })
    );
}

#[test]
fn signatures_go_back_byte_for_byte_with_their_parts() {
    let answer = kept(
        KIND,
        &stream(
            &[
                &parts(r#"{"text":"I look."}"#),
                &parts(
                    r#"{"functionCall":{"id":"c1","name":"f","args":{"n": 1.0}},"thoughtSignature":"Cs\/+=="}"#,
                ),
                &parts(r#"{"functionCall":{"name":"g","args":{}}}"#),
                &end(r#"{"text":"","thoughtSignature":"T="}"#, "STOP"),
            ],
            false,
        ),
    );
    let messages = [
        user("Hi"),
        answer,
        result("c1", "f", "x"),
        result("call", "g", "y"),
    ];
    let (_, text) = body("gemini-3-pro", &chat(&messages, &[tool("f")]));
    let expected = r#"{"role":"model","parts":[{"text":"I look."},{"functionCall":{"id":"c1","name":"f","args":{"n": 1.0}},"thoughtSignature":"Cs\/+=="},{"functionCall":{"name":"g","args":{}}},{"text":"","thoughtSignature":"T="}]},{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"x"}}},{"functionResponse":{"name":"g","response":{"output":"y"}}}]}"#;
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_call_of_another_model_gets_what_stands_for_a_signature() {
    let messages = [
        user("a"),
        model("", &[("1", "f", "{}"), ("2", "f", "{}")]),
        result("1", "f", "x"),
        result("2", "f", "x"),
    ];
    let check = |model: &str, expected: usize| {
        let (_, text) = body(model, &chat(&messages, &[tool("f")]));
        assert_eq!(text.matches("skip_thought_signature").count(), expected);
    };
    check("gemini-3-flash", 1);
    check("gemini-flash-latest", 1);
    check("gemini-2.5-pro", 0);
    check("gemma-3-27b-it", 0);
}

#[test]
fn effort_is_a_level_or_a_number_of_tokens() {
    let messages = [user("Hi")];
    let check = |model: &str, effort: Option<ReasoningEffort>, can: Capability, expected: Value| {
        let mut endpoint = endpoint(ADDRESS, model);
        endpoint.options.reasoning = effort;
        endpoint.options.can.thinking = can;
        endpoint.options.output_limit = Some(9);
        endpoint.options.temperature = Some(105);
        let (body, _) = testing::body(KIND, &endpoint, &chat(&messages, &[]));
        let config = &body["generationConfig"];
        let thinking = config.get("thinkingConfig").cloned().unwrap_or_default();
        assert_eq!(thinking, expected, "{model} {effort:?}");
        assert_eq!(
            (&config["maxOutputTokens"], &config["temperature"]),
            (&json!(9), &json!(1.05))
        );
    };
    use Capability::{No, Unknown, Yes};
    use ReasoningEffort::{High, Medium, Minimal, Off};
    check("gemini-3-pro", None, Unknown, Value::Null);
    check("gemini-3-pro", None, Yes, json!({"includeThoughts": true}));
    check("gemini-3-pro", Some(High), No, Value::Null);
    check(
        "gemini-3-pro",
        Some(Minimal),
        Unknown,
        json!({"includeThoughts": true, "thinkingLevel": "low"}),
    );
    check(
        "gemini-3-flash",
        Some(Off),
        Unknown,
        json!({"includeThoughts": false, "thinkingLevel": "minimal"}),
    );
    check(
        "gemini-2.5-flash",
        Some(Off),
        Unknown,
        json!({"includeThoughts": false, "thinkingBudget": 0}),
    );
    check(
        "gemini-2.5-pro",
        Some(Medium),
        Yes,
        json!({"includeThoughts": true, "thinkingBudget": 8192}),
    );
}
