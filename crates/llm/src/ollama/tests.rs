//! The format against what the server sends, sound and broken, and its requests.

use serde_json::{Value, json};
use tabwright_protocol::{ProviderKind, ReasoningEffort};

use crate::testing::{
    self, check_body, endpoint, image, kept, model, result, result_with_image, tool, user,
    user_with_image,
};
use crate::{ChatRequest, Message, ToolSpec, provider_for};

const KIND: ProviderKind = ProviderKind::Ollama;
const CUT: &str = "Cut: The model's answer ended before it was complete.";

fn line(message: &str) -> String {
    format!(
        r#"{{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{{"role":"assistant",{message}}},"done":false}}"#
    )
}

fn end(reason: &str) -> String {
    format!(
        r#"{{"model":"m","message":{{"role":"assistant","content":""}},"done":true,"done_reason":"{reason}","total_duration":1,"prompt_eval_count":26,"eval_count":8}}"#
    )
}

/// Checks the outcome of these lines, with every kind of line end.
fn check(lines: &[&str], expected: &str) {
    for ending in ["\n", "\r\n", "\n\n"] {
        let body = lines.join(ending) + ending;
        testing::check_whole(KIND, body.as_bytes(), expected);
    }
    check_body(KIND, lines.join("\n").as_bytes(), expected);
}

#[test]
fn text_and_thinking_stream() {
    check(
        &[
            &line(r#""content":"","thinking":"h""#),
            &line(r#""content":"","thinking":"m""#),
            &line(r#""content":"Hé""#),
            &line(r#""content":"llo 😀""#),
            &end("stop"),
        ],
        "text \"Héllo 😀\"\nthinking \"hm\"\nusage 0/26 0/8\nkept {\"thinking\":\"\\\"hm\\\"\"}\nEndTurn",
    );
    check(
        &[
            &line(r#""content":"<thi""#),
            &line(r#""content":"nk>hm</think>\n\na""#),
            &end("stop"),
        ],
        "text \"a\"\nthinking \"hm\"\nusage 0/26 0/8\nEndTurn",
    );
}

#[test]
fn calls_come_whole_and_the_same_one_twice_counts_once() {
    check(
        &[
            &line(
                r#""content":"","tool_calls":[{"function":{"name":"f","arguments":{"n": 1.0}}},{"function":{"name":"f","arguments":{"n": 1.0}}}]"#,
            ),
            &line(
                r#""content":"","tool_calls":[{"id":"c","function":{"index":0,"name":"g","arguments":{}}}]"#,
            ),
            &line(
                r#""content":"","tool_calls":[{"id":"c","function":{"index":0,"name":"g","arguments":{}}}]"#,
            ),
            &end("stop"),
        ],
        r#"
        call call f {"n": 1.0}
        call call_2 f {"n": 1.0}
        call c g {}
        usage 0/26 0/8
        ToolCalls"#,
    );
    check(
        &[
            &line(
                r#""tool_calls":[{"function":{"name":"f","arguments":"{\"n\":1}"}},{"function":{"name":"g"}},{"function":7},8,{"function":{"arguments":null}}]"#,
            ),
            &end("stop"),
        ],
        r#"
        call call f {"n":1}
        call call_2 g {}
        call call_3  {}
        usage 0/26 0/8
        ToolCalls"#,
    );
}

#[test]
fn reasons_to_end_are_understood_and_nothing_after_the_end_is_read() {
    let check_reason = |reason: &str, expected: &str| {
        check(
            &[
                &line(r#""content":"a""#),
                &end(reason),
                &line(r#""content":"late""#),
                r#"{"error":"late"}"#,
            ],
            &format!("text \"a\"\nusage 0/26 0/8\n{expected}"),
        );
    };
    check_reason("stop", "EndTurn");
    check_reason("length", "Length");
    check_reason("load", "EndTurn");
    check_reason("", "EndTurn");
    check_reason("odd", "Other(\"odd\")");
}

#[test]
fn an_answer_without_its_end_is_cut() {
    check(&[&line(r#""content":"a""#)], CUT);
    check(&[], "Cut: The model's server sent nothing.");
    let call = line(r#""tool_calls":[{"function":{"name":"f","arguments":{"n":1}}}]"#);
    let body = format!("{call}\n{}\n", end("stop"));
    let whole = body.len() - 1;
    for length in 1..whole {
        let decoder = provider_for(KIND).read(true);
        let (_, result) = crate::checks::decode(decoder, &[&body.as_bytes()[..length]]);
        assert!(result.unwrap_err().may_retry(), "{length}");
    }
}

#[test]
fn an_error_is_an_error_wherever_it_stands() {
    let check_error = |message: &str, expected: &str| {
        let error = format!(r#"{{"error":"{message}"}}"#);
        let expected =
            format!("{expected}: The model's server ended the answer with an error: {message}");
        check(&[&error], &expected);
        check(&[&line(r#""content":"a""#), &error], &expected);
        let pretty = format!("{{\n  \"error\": \"{message}\"\n}}\n");
        check_body(KIND, pretty.as_bytes(), &expected);
    };
    check_error("llama runner process has terminated", "Server");
    check_error(
        "the prompt is too long: 5000, model maximum context length: 4096",
        "ContextOverflow",
    );
    check_error(
        "the input length exceeds the context length",
        "ContextOverflow",
    );
    check_body(
        KIND,
        b"<html><title>Bad gateway</title></html>",
        "Malformed: The model's server sent something else than an answer: Bad gateway",
    );
    check_body(
        KIND,
        b"upstream down",
        "Malformed: The model's server sent something else than an answer: upstream down",
    );
    check(
        &[&line(r#""content":"a""#), "{\"mess", &end("stop")],
        "Malformed: The model's server sent a piece that is not JSON: {\"mess",
    );
    check_body(KIND, b"{\"model\":\"m\",\"mess", CUT);
}

#[test]
fn an_answer_that_is_not_streamed_is_read_too() {
    let whole = r#"{"model":"m","message":{"role":"assistant","content":"a"},"done":true,"done_reason":"stop","prompt_eval_count":3,"eval_count":2}"#;
    check(&[whole], "text \"a\"\nusage 0/3 0/2\nEndTurn");
    let events = format!("data: {whole}\n\n");
    check_body(
        KIND,
        events.as_bytes(),
        "text \"a\"\nusage 0/3 0/2\nEndTurn",
    );
}

fn chat<'a>(messages: &'a [Message], tools: &'a [ToolSpec]) -> ChatRequest<'a> {
    ChatRequest {
        system: "Be brief.",
        messages,
        tools,
    }
}

#[test]
fn the_address_of_either_side_leads_to_the_chat() {
    let messages = [user("Hi")];
    for address in [
        "http://localhost:11434",
        "http://localhost:11434/",
        "http://localhost:11434/v1",
        "http://localhost:11434/v1/",
        "http://localhost:11434/api",
        "http://localhost:11434/api/chat",
    ] {
        let request = provider_for(KIND)
            .request(&endpoint(address, "m"), &chat(&messages, &[]))
            .unwrap();
        assert_eq!(request.url, "http://localhost:11434/api/chat", "{address}");
    }
}

#[test]
fn a_whole_conversation_is_written_with_how_much_the_model_shall_read() {
    let messages = [
        user_with_image("Look"),
        model("", &[("1", "f", r#"{"n": 1.0}"#)]),
        result_with_image("1", "f", "one"),
        model("Hm.", &[]),
        user("Well?"),
    ];
    let tools = [tool("f")];
    let mut endpoint = endpoint("http://localhost:11434", "qwen3");
    endpoint.context_window = Some(32_768);
    endpoint.options.temperature = Some(0);
    endpoint.options.output_limit = Some(500);
    let (body, _) = testing::body(KIND, &endpoint, &chat(&messages, &tools));
    assert_eq!(
        body,
        json!({
            "model": "qwen3",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Look", "images": [image().data]},
                {"role": "assistant", "content": "", "tool_calls": [
                    {"function": {"name": "f", "arguments": {"n": 1.0}}},
                ]},
                {"role": "tool", "content": "one", "tool_name": "f"},
                {"role": "user", "content": "What f returned as images:", "images": [image().data]},
                {"role": "assistant", "content": "Hm."},
                {"role": "user", "content": "Well?"},
            ],
            "tools": [{"type": "function", "function": {
                "name": "f", "description": "Does f.", "parameters": tools[0].schema,
            }}],
            "stream": true,
            "truncate": false,
            "options": {"num_ctx": 32768, "temperature": 0.0, "num_predict": 500},
        })
    );
}

#[test]
fn thinking_goes_back_and_effort_is_said_as_the_model_knows_it() {
    let answer = kept(
        KIND,
        &format!(
            "{}\n{}",
            line(r#""thinking":"h\u00e9","tool_calls":[{"function":{"name":"f","arguments":{}}}]"#),
            end("stop")
        ),
    );
    let messages = [user("Hi"), answer, result("call", "f", "x")];
    let check = |model: &str, effort: ReasoningEffort, expected: Value| {
        let mut endpoint = endpoint("http://localhost:11434", model);
        endpoint.options.reasoning = Some(effort);
        let (body, text) = testing::body(KIND, &endpoint, &chat(&messages, &[tool("f")]));
        assert_eq!(body["think"], expected);
        assert!(text.contains(r#""thinking":"h\u00e9""#), "{text}");
    };
    check("qwen3", ReasoningEffort::Off, json!(false));
    check("qwen3", ReasoningEffort::High, json!(true));
    check("gpt-oss:20b", ReasoningEffort::Off, json!("low"));
    check("gpt-oss:20b", ReasoningEffort::Medium, json!("medium"));
}
