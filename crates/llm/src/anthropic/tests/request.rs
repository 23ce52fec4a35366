//! Requests, and the way back of what the provider wants to see again.

use serde_json::{Value, json};
use tabwright_protocol::{Capability, ProviderKind, ReasoningEffort};

use super::{START, STOP, delta, end, start};
use crate::testing::{
    self, endpoint, failed, image, kept, model, result, result_with_image, tool, user,
    user_with_image,
};
use crate::{ChatRequest, Endpoint, Message, provider_for};

const KIND: ProviderKind = ProviderKind::Anthropic;

fn claude() -> Endpoint {
    endpoint("https://api.anthropic.com", "claude-sonnet-4-6")
}

fn body(endpoint: &Endpoint, chat: &ChatRequest<'_>) -> Value {
    testing::body(KIND, endpoint, chat).0
}

fn chat<'a>(messages: &'a [Message], tools: &'a [crate::ToolSpec]) -> ChatRequest<'a> {
    ChatRequest {
        system: "Be brief.",
        messages,
        tools,
    }
}

#[test]
fn the_address_and_the_headers_are_the_providers() {
    let messages = [user("Hi")];
    let check = |address: &str, url: &str, bearer: bool| {
        let endpoint = endpoint(address, "m");
        let request = provider_for(KIND)
            .request(&endpoint, &chat(&messages, &[]))
            .unwrap();
        assert_eq!(request.url, url);
        let has = |name: &str| request.headers.iter().any(|(key, _)| key == name);
        assert!(has("x-api-key") && has("anthropic-version"));
        assert_eq!(has("authorization"), bearer);
    };
    check(
        "https://api.anthropic.com",
        "https://api.anthropic.com/v1/messages",
        false,
    );
    check(
        "https://api.anthropic.com/v1/",
        "https://api.anthropic.com/v1/messages",
        false,
    );
    check(
        "https://broker.test/anthropic",
        "https://broker.test/anthropic/v1/messages",
        true,
    );
}

#[test]
fn the_smallest_request() {
    let mut endpoint = claude();
    endpoint.options.temperature = Some(20);
    let chat = ChatRequest {
        system: " ",
        messages: &[user("Hi")],
        tools: &[],
    };
    assert_eq!(
        body(&endpoint, &chat),
        json!({
            "model": "claude-sonnet-4-6", "max_tokens": 32000, "stream": true, "temperature": 0.2,
            "messages": [{"role": "user", "content": [
                {"type": "text", "text": "Hi", "cache_control": {"type": "ephemeral"}},
            ]}],
        })
    );
}

#[test]
fn results_go_before_what_the_person_says_and_the_ends_are_marked_for_the_cache() {
    let messages = [
        user_with_image("Look"),
        model(
            "I do.",
            &[("a.1:x", "f", r#"{"n": 1.0}"#), ("b", "f", "{}")],
        ),
        result_with_image("a.1:x", "f", "one"),
        failed("b", "f", "no"),
        user("And?"),
        model("Hm.", &[]),
        user("Well?"),
    ];
    let tools = [tool("f"), tool("g")];
    let mark = json!({"type": "ephemeral"});
    let source = json!({"type": "base64", "media_type": image().media_type, "data": image().data});
    let body = body(&claude(), &chat(&messages, &tools));
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [
                {"type": "text", "text": "Look"}, {"type": "image", "source": source},
            ]},
            {"role": "assistant", "content": [
                {"type": "text", "text": "I do."},
                {"type": "tool_use", "id": "a_2e1_3ax", "name": "f", "input": {"n": 1.0}},
                {"type": "tool_use", "id": "b", "name": "f", "input": {}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a_2e1_3ax", "content": [
                    {"type": "text", "text": "one"}, {"type": "image", "source": source},
                ]},
                {"type": "tool_result", "tool_use_id": "b", "content": "no", "is_error": true},
                {"type": "text", "text": "And?", "cache_control": mark},
            ]},
            {"role": "assistant", "content": [{"type": "text", "text": "Hm."}]},
            {"role": "user", "content": [{"type": "text", "text": "Well?", "cache_control": mark}]},
        ])
    );
    assert_eq!(
        body["system"],
        json!([{"type": "text", "text": "Be brief.", "cache_control": mark}])
    );
    assert_eq!(body["tools"][0].get("cache_control"), None);
    assert_eq!(body["tools"][1]["cache_control"], mark);
    assert_eq!(body["tools"][1]["input_schema"], tools[1].schema);
}

#[test]
fn a_result_at_the_end_is_marked_too() {
    let messages = [
        user("a"),
        model("", &[("1", "f", "{}")]),
        result("1", "f", "x"),
    ];
    let body = body(&claude(), &chat(&messages, &[tool("f")]));
    let marks = body.to_string().matches("cache_control").count();
    assert_eq!(marks, 4);
    assert!(!body["messages"][2]["content"][0]["cache_control"].is_null());
}

#[test]
fn thoughts_go_back_byte_for_byte_in_their_place() {
    let thought = r#"{"type":"thinking","thinking":"","signature":""}"#;
    let events = [
        START.to_owned(),
        start(0, thought),
        delta(0, r#"{"type":"thinking_delta","thinking":"a \u00e9\n"}"#),
        delta(0, r#"{"type":"signature_delta","signature":"S+\/="}"#),
        start(1, r#"{"type":"text","text":"One."}"#),
        start(2, r#"{"type":"tool_use","id":"t1","name":"f","input":{}}"#),
        start(3, r#"{"type":"redacted_thinking","data":"D+/="}"#),
        start(4, r#"{"type":"tool_use","id":"t2","name":"f","input":{}}"#),
        end("tool_use"),
        STOP.to_owned(),
    ];
    let events: Vec<_> = events.iter().map(String::as_str).collect();
    let answer = kept(KIND, &testing::stream(&events, true));
    let messages = [
        user("Hi"),
        answer,
        result("t1", "f", "x"),
        result("t2", "f", "y"),
    ];
    let (_, text) = testing::body(KIND, &claude(), &chat(&messages, &[tool("f")]));
    let expected = r#"{"role":"assistant","content":[{"type":"thinking","thinking":"a \u00e9\n","signature":"S+\/="},{"type":"text","text":"One."},{"type":"tool_use","id":"t1","name":"f","input":{}},{"type":"redacted_thinking","data":"D+/="},{"type":"tool_use","id":"t2","name":"f","input":{}}]}"#;
    assert!(text.contains(expected), "{text}");
}

#[test]
fn effort_is_said_in_the_way_that_the_model_knows() {
    let messages = [user("Hi")];
    let check = |model: &str, effort: ReasoningEffort, limit: Option<u32>, expected: Value| {
        let mut endpoint = endpoint("https://a.test/v1", model);
        endpoint.options.reasoning = Some(effort);
        endpoint.options.output_limit = limit;
        endpoint.options.temperature = Some(70);
        let body = body(&endpoint, &chat(&messages, &[]));
        let thinking = body.get("thinking").cloned().unwrap_or_default();
        assert_eq!(thinking, expected, "{model}");
        assert_eq!(body.get("temperature").is_some(), thinking.is_null());
        body
    };
    let adaptive = json!({"type": "adaptive", "display": "summarized"});
    let budget = |tokens: u32| json!({"type": "enabled", "budget_tokens": tokens});
    let body = check(
        "claude-opus-4-7",
        ReasoningEffort::Minimal,
        None,
        adaptive.clone(),
    );
    assert_eq!(body["output_config"], json!({"effort": "low"}));
    check("claude-next", ReasoningEffort::High, None, adaptive);
    check("claude-next", ReasoningEffort::Off, None, Value::Null);
    check(
        "claude-sonnet-4-5-20250929",
        ReasoningEffort::Medium,
        None,
        budget(8_192),
    );
    check(
        "claude-opus-4-20250514",
        ReasoningEffort::High,
        None,
        budget(16_000),
    );
    for name in [
        "claude-sonnet-4",
        "claude-opus-4@20250514",
        "anthropic/claude-opus-4.1",
        "claude-3.7-sonnet",
    ] {
        check(name, ReasoningEffort::Low, None, budget(2_048));
    }
    check("other", ReasoningEffort::Low, None, budget(2_048));
    check("other", ReasoningEffort::Low, Some(1_500), Value::Null);
}

#[test]
fn the_limit_of_an_answer_fits_the_model_and_its_window() {
    let messages = [user("Hi")];
    let check = |model: &str, window: Option<u32>, limit: Option<u32>, expected: u32| {
        let mut endpoint = endpoint("https://a.test/v1", model);
        endpoint.context_window = window;
        endpoint.options.output_limit = limit;
        let body = body(&endpoint, &chat(&messages, &[]));
        assert_eq!(body["max_tokens"], expected, "{model}");
    };
    check("claude-opus-4-1", Some(200_000), None, 30_000);
    check("claude-3-haiku-20240307", Some(200_000), None, 4_096);
    check("claude-3-5-sonnet", None, None, 8_192);
    check("deepseek-chat", Some(20_000), None, 3_000);
    check("deepseek-chat", Some(2_000), None, 1_024);
    check("claude-opus-4-1", None, Some(77), 77);
}

#[test]
fn what_the_model_cannot_do_is_not_asked() {
    let messages = [user_with_image("Look")];
    let tools = [tool("f")];
    let mut endpoint = claude();
    endpoint.options.can.vision = Capability::No;
    endpoint.options.can.parallel_tools = Capability::No;
    endpoint.options.can.thinking = Capability::No;
    endpoint.options.reasoning = Some(ReasoningEffort::High);
    let (body, text) = testing::body(KIND, &endpoint, &chat(&messages, &tools));
    assert!(!text.contains("base64") && text.contains("An image was left out"));
    assert_eq!(body["tool_choice"]["disable_parallel_tool_use"], true);
    assert_eq!(body.get("thinking"), None);
}

#[test]
fn a_model_that_wants_its_thoughts_back_is_not_asked_to_think_on_from_anothers_calls() {
    let answer = kept(
        KIND,
        &testing::stream(
            &[
                START,
                &start(0, r#"{"type":"thinking","thinking":"hm","signature":"S"}"#),
                &start(1, r#"{"type":"tool_use","id":"t","name":"f","input":{}}"#),
                &end("tool_use"),
                STOP,
            ],
            true,
        ),
    );
    let foreign = model("", &[("1", "f", "{}")]);
    let tools = [tool("f")];
    let thinks = |model: &str, messages: &[Message]| {
        let mut endpoint = endpoint("https://api.anthropic.com", model);
        endpoint.options.reasoning = Some(ReasoningEffort::Medium);
        endpoint.options.temperature = Some(50);
        let body = body(&endpoint, &chat(messages, &tools));
        assert_eq!(body["thinking"].is_null(), body["temperature"] == 0.5);
        !body["thinking"].is_null()
    };
    let own = [user("a"), answer, result("t", "f", "x")];
    let others = [user("a"), foreign.clone(), result("1", "f", "x")];
    let over = [
        user("a"),
        foreign,
        result("1", "f", "x"),
        model("b", &[]),
        user("c"),
    ];
    assert!(thinks("claude-sonnet-4-5", &own));
    assert!(!thinks("claude-sonnet-4-5", &others));
    assert!(thinks("claude-sonnet-4-5", &over));
    // These ask for no thought before a call.
    assert!(thinks("claude-opus-4-6", &others));
    assert!(thinks("other", &others));
}
