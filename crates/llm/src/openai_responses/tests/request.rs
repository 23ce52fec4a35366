//! Requests, and the way back of what the provider wants to see again.

use serde_json::{Value, json};
use tabwright_protocol::{Capability, ProviderKind, ReasoningEffort};

use super::{CREATED, added, completed, delta, done};
use crate::testing::{
    self, endpoint, failed, image, kept, model, result, result_with_image, stream, tool, user,
    user_with_image,
};
use crate::{ChatRequest, Message, ToolSpec};

const KIND: ProviderKind = ProviderKind::OpenAiResponses;
const ADDRESS: &str = "https://api.openai.com/v1";

fn chat<'a>(messages: &'a [Message], tools: &'a [ToolSpec]) -> ChatRequest<'a> {
    ChatRequest {
        system: "Be brief.",
        messages,
        tools,
    }
}

#[test]
fn call_ids_of_another_provider_become_short_enough_and_stay_apart() {
    let long = |end: &str| format!("call_{}{end}", "x".repeat(100));
    let (first, second, longest) = (long("a"), long("b"), "é".repeat(64));
    let messages = [
        user("Go"),
        model(
            "",
            &[
                (&first, "f", "{}"),
                (&second, "f", "{}"),
                (&longest, "f", "{}"),
            ],
        ),
        failed(&first, "f", "one"),
        failed(&second, "f", "two"),
        failed(&longest, "f", "three"),
    ];
    let (body, _) = testing::body(KIND, &endpoint(ADDRESS, "gpt-4.1"), &chat(&messages, &[]));
    let items = body["input"].as_array().unwrap();
    let ids: Vec<_> = items
        .iter()
        .filter_map(|item| item["call_id"].as_str())
        .collect();
    let (calls, outputs) = ids.split_at(3);
    assert_eq!(calls, outputs);
    assert_eq!(calls[2], longest);
    assert!(calls[0] != calls[1]);
    for id in calls {
        assert_eq!(id.chars().count(), 64);
    }
}

#[test]
fn a_whole_conversation_is_written_and_nothing_is_stored() {
    let messages = [
        user_with_image("Look"),
        model("I do.", &[("1", "f", r#"{"n": 1.0}"#), ("2", "f", "{}")]),
        result_with_image("1", "f", "one"),
        failed("2", "f", "no"),
        user("And?"),
    ];
    let tools = [tool("f")];
    let (body, _) = testing::body(
        KIND,
        &endpoint(ADDRESS, "gpt-4.1"),
        &chat(&messages, &tools),
    );
    let image = json!({"type": "input_image", "image_url": image().data_url()});
    assert_eq!(
        body,
        json!({
            "model": "gpt-4.1", "stream": true, "store": false, "instructions": "Be brief.",
            "tools": [{"type": "function", "name": "f", "description": "Does f.",
                "parameters": tools[0].schema, "strict": false}],
            "tool_choice": "auto",
            "input": [
                {"role": "user", "content": [{"type": "input_text", "text": "Look"}, image]},
                {"type": "message", "role": "assistant", "content": [
                    {"type": "output_text", "text": "I do."},
                ]},
                {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{\"n\": 1.0}"},
                {"type": "function_call", "call_id": "2", "name": "f", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "1", "output": [
                    {"type": "input_text", "text": "one"}, image,
                ]},
                {"type": "function_call_output", "call_id": "2", "output": "no"},
                {"role": "user", "content": [{"type": "input_text", "text": "And?"}]},
            ],
        })
    );
}

#[test]
fn thoughts_go_back_byte_for_byte_before_what_came_of_them() {
    let thought =
        r#"{"id":"rs_1","type":"reasoning", "summary":[],"encrypted_content":"gAAA+\/=="}"#;
    let message =
        r#"{"id":"msg_1","type":"message","role":"assistant","content":[],"phase":"commentary"}"#;
    let call = r#"{"id":"fc_1","type":"function_call","call_id":"c","name":"f","arguments":"{}"}"#;
    let answer = kept(
        KIND,
        &stream(
            &[
                CREATED,
                &done(0, thought),
                &added(1, message),
                &delta("output_text", 1, "I look."),
                &done(1, message),
                &done(2, call),
                &completed(""),
            ],
            true,
        ),
    );
    let messages = [user("Hi"), answer, result("c", "f", "x")];
    let (_, text) = testing::body(
        KIND,
        &endpoint(ADDRESS, "gpt-5"),
        &chat(&messages, &[tool("f")]),
    );
    let expected = r#"{"id":"rs_1","type":"reasoning", "summary":[],"encrypted_content":"gAAA+\/=="},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look."}],"phase":"commentary"},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}"#;
    assert!(text.contains(expected), "{text}");
}

#[test]
fn thoughts_are_asked_for_where_the_model_has_any() {
    let messages = [user("Hi")];
    let check = |model: &str, effort: Option<ReasoningEffort>, can: Capability, asked: bool| {
        let mut endpoint = endpoint(ADDRESS, model);
        endpoint.options.reasoning = effort;
        endpoint.options.can.thinking = can;
        let (body, _) = testing::body(KIND, &endpoint, &chat(&messages, &[]));
        assert_eq!(body.get("include").is_some(), asked, "{model}");
        body.get("reasoning").cloned().unwrap_or_default()
    };
    use Capability::{No, Unknown, Yes};
    check("gpt-5.2", None, Unknown, true);
    check("openai/o3", None, Unknown, true);
    check("gpt-5-chat-latest", None, Unknown, false);
    check("gpt-4.1", None, Unknown, false);
    check("gpt-4.1", None, Yes, true);
    check("gpt-5.2", None, No, false);
    let effort = check("grok-4", Some(ReasoningEffort::Low), Unknown, true);
    assert_eq!(effort, json!({"effort": "low", "summary": "auto"}));
    let effort = check("grok-4", Some(ReasoningEffort::Off), Unknown, false);
    assert_eq!(effort, json!({"effort": "none"}));
}

#[test]
fn what_the_person_set_is_asked() {
    let messages = [user("Hi")];
    let mut endpoint = endpoint(ADDRESS, "m");
    endpoint.options.temperature = Some(50);
    endpoint.options.output_limit = Some(9);
    endpoint.options.can.parallel_tools = Capability::No;
    let (body, _) = testing::body(KIND, &endpoint, &chat(&messages, &[tool("f")]));
    assert_eq!(body["temperature"], json!(0.5));
    assert_eq!(body["max_output_tokens"], json!(9));
    assert_eq!(body["parallel_tool_calls"], json!(false));
    assert_eq!(body.get("reasoning"), None::<&Value>);
}
