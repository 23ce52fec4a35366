//! The request, and the way back of what the server wants to see again.

use serde_json::{Value, json};

use super::{decode, delta, end, stream};
use crate::{
    AssistantCall, ChatRequest, Endpoint, LlmError, Message, OpenAiChat, Part, Provider, ToolSpec,
};

fn endpoint(key: Option<&str>, model: &str) -> Endpoint {
    Endpoint {
        address: "https://a.test/v1/".to_owned(),
        key: key.map(str::to_owned),
        model: model.to_owned(),
        ..Endpoint::default()
    }
}

fn body(chat: &ChatRequest<'_>) -> Value {
    let request = OpenAiChat.request(&endpoint(None, "m"), chat).unwrap();
    serde_json::from_slice(&request.body).unwrap()
}

fn user(text: &str) -> Message {
    Message::User {
        parts: vec![Part::Text(text.to_owned())],
    }
}

#[test]
fn the_smallest_request_has_no_tools_and_no_system_message() {
    let chat = ChatRequest {
        system: "",
        messages: &[user("Hi")],
        tools: &[],
    };
    assert_eq!(
        body(&chat),
        json!({
            "model": "m",
            "messages": [{"role": "user", "content": "Hi"}],
            "stream": true,
            "stream_options": {"include_usage": true},
        })
    );
}

#[test]
fn a_whole_conversation_is_written() {
    let messages = [
        Message::User {
            parts: vec![Part::Text("a".to_owned()), Part::Text("b".to_owned())],
        },
        Message::Assistant {
            text: String::new(),
            thinking: "not sent".to_owned(),
            calls: vec![AssistantCall {
                id: "i".to_owned(),
                name: "list_tabs".to_owned(),
                arguments: "{}".to_owned(),
                opaque: Value::Null,
            }],
            opaque: Value::Null,
        },
        Message::ToolResult {
            call_id: "i".to_owned(),
            tool: "list_tabs".to_owned(),
            text: "[]".to_owned(),
            images: Vec::new(),
            is_error: false,
        },
        Message::Assistant {
            text: "None.".to_owned(),
            thinking: String::new(),
            calls: Vec::new(),
            opaque: Value::Null,
        },
    ];
    let tools = [ToolSpec {
        name: "list_tabs".to_owned(),
        description: "Lists tabs.".to_owned(),
        schema: json!({"type": "object"}),
    }];
    let body = body(&ChatRequest {
        system: "Be brief.",
        messages: &messages,
        tools: &tools,
    });
    assert_eq!(
        body["messages"],
        json!([
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "a\n\nb"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "i", "type": "function", "function": {"name": "list_tabs", "arguments": "{}"}},
            ]},
            {"role": "tool", "tool_call_id": "i", "content": "[]"},
            {"role": "assistant", "content": "None."},
        ])
    );
    assert_eq!(
        body["tools"],
        json!([{"type": "function", "function": {
            "name": "list_tabs", "description": "Lists tabs.", "parameters": {"type": "object"},
        }}])
    );
    assert_eq!(body["tool_choice"], "auto");
}

#[test]
fn the_key_is_a_header_and_only_when_there_is_one() {
    let chat = ChatRequest {
        system: "",
        messages: &[],
        tools: &[],
    };
    let headers = |key| {
        OpenAiChat
            .request(&endpoint(key, "m"), &chat)
            .unwrap()
            .headers
    };
    let names = |key| -> Vec<String> { headers(key).into_iter().map(|(name, _)| name).collect() };
    assert_eq!(names(None), ["content-type", "accept"]);
    assert_eq!(names(Some(" ")), ["content-type", "accept"]);
    let (name, value) = headers(Some("sk-1\n")).pop().unwrap();
    assert_eq!(
        (name.as_str(), value.as_str()),
        ("authorization", "Bearer sk-1")
    );
    let refused = OpenAiChat.request(&endpoint(Some("a\nb"), "m"), &chat);
    assert!(matches!(refused, Err(LlmError::Key)));
    let refused = OpenAiChat.request(&endpoint(None, " "), &chat);
    assert!(matches!(refused, Err(LlmError::NoModel)));
}

/// What the server sent comes back byte for byte, after a way through storage as JSON.
#[test]
fn what_only_the_server_understands_goes_back_as_it_came() {
    let signature = r#"{"google": {"thought_signature":"Cs\/+\u00e9==", "n": 1.0, "big": 123456789012345678901}}"#;
    let call = format!(
        r#"{{"tool_calls":[{{"index":0,"id":"i","extra_content":{signature},"function":{{"name":"f","arguments":"{{}}"}}}}]}}"#
    );
    let body = stream(&[
        &delta(r#"{"reasoning_content":"a\u00e9"}"#),
        &delta(r#"{"reasoning_content":"\/b"}"#),
        &delta(&call),
        &end("tool_calls"),
    ]);
    let answer = decode([body.as_bytes()]).1.unwrap();
    let message = Message::Assistant {
        text: answer.text,
        thinking: answer.thinking,
        calls: answer
            .calls
            .into_iter()
            .map(|call| AssistantCall {
                id: call.provider_id,
                name: call.name,
                arguments: call.arguments,
                opaque: call.opaque,
            })
            .collect(),
        opaque: answer.opaque,
    };
    let stored = serde_json::to_string(&message).unwrap();
    let message: Message = serde_json::from_str(&stored).unwrap();
    let request = OpenAiChat
        .request(
            &endpoint(None, "m"),
            &ChatRequest {
                system: "",
                messages: &[message],
                tools: &[],
            },
        )
        .unwrap();
    let sent = String::from_utf8(request.body).unwrap();
    assert!(
        sent.contains(&format!(r#""extra_content":{signature}"#)),
        "{sent}"
    );
    assert!(
        sent.contains(r#""reasoning_content":"a\u00e9\/b""#),
        "{sent}"
    );
}

#[test]
fn images_are_parts_and_those_of_results_come_with_what_the_person_says_next() {
    use crate::testing::{image, model, result_with_image, user_with_image};
    let messages = [
        user_with_image("Look"),
        model("", &[("1", "f", "{}"), ("2", "g", "{}")]),
        result_with_image("1", "f", "one"),
        result_with_image("2", "g", "two"),
        user("And?"),
        model("", &[("3", "f", "{}")]),
        result_with_image("3", "f", "three"),
        model("Hm.", &[]),
        user("So?"),
        model("", &[("4", "f", "{}")]),
        result_with_image("4", "f", "four"),
    ];
    let chat = ChatRequest {
        system: "",
        messages: &messages,
        tools: &[],
    };
    let written = body(&chat);
    let shown = json!({"type": "image_url", "image_url": {"url": image().data_url()}});
    let of =
        |tool: &str| json!({"type": "text", "text": format!("What {tool} returned as images:")});
    let text = |text: &str| json!({"type": "text", "text": text});
    let contents: Vec<_> = written["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["role"] == "user")
        .map(|message| message["content"].clone())
        .collect();
    assert_eq!(
        contents,
        [
            json!([text("Look"), shown]),
            json!([of("f"), shown, of("g"), shown, text("And?")]),
            json!([of("f"), shown]),
            json!("So?"),
            json!([of("f"), shown]),
        ]
    );
    let roles = written["messages"].as_array().unwrap().iter();
    let roles: Vec<_> = roles
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(
        roles.join(" "),
        "user assistant tool tool user assistant tool user assistant user assistant tool user"
    );
}

#[test]
fn what_the_person_set_is_asked_in_the_words_that_the_server_knows() {
    use tabwright_protocol::{Capability, ReasoningEffort};
    let tools = [crate::testing::tool("f")];
    let messages = [user("Hi")];
    let chat = ChatRequest {
        system: "",
        messages: &messages,
        tools: &tools,
    };
    let check = |address: &str, limit: &str| {
        let mut endpoint = endpoint(None, "m");
        endpoint.address = address.to_owned();
        endpoint.options.temperature = Some(7);
        endpoint.options.output_limit = Some(99);
        endpoint.options.reasoning = Some(ReasoningEffort::Off);
        endpoint.options.can.parallel_tools = Capability::No;
        let request = OpenAiChat.request(&endpoint, &chat).unwrap();
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        assert_eq!(body[limit], 99, "{address}");
        assert_eq!(body["temperature"], json!(0.07));
        assert_eq!(body["reasoning_effort"], "none");
        assert_eq!(body["parallel_tool_calls"], false);
    };
    check("https://api.openai.com/v1", "max_completion_tokens");
    check(
        "https://x.openai.azure.com/openai/v1",
        "max_completion_tokens",
    );
    check("https://openrouter.ai/api/v1", "max_tokens");
}

/// What is written at that address for that model: of a call, its result and the rest.
fn written_at(address: &str, model: &str, messages: &[Message]) -> Value {
    let mut endpoint = endpoint(None, model);
    endpoint.address = address.to_owned();
    let tools = [crate::testing::tool("f")];
    let chat = ChatRequest {
        system: "",
        messages,
        tools: &tools,
    };
    let request = OpenAiChat.request(&endpoint, &chat).unwrap();
    serde_json::from_slice(&request.body).unwrap()
}

#[test]
fn call_ids_of_another_provider_become_what_the_server_takes_and_stay_apart() {
    let check = |address: &str, model: &str, fits: fn(&str) -> bool, own: &str| {
        let long = "t".repeat(60);
        let ids = [own, "call_1", "call_1_2", &format!("{long}1"), &long];
        let calls: Vec<_> = ids.iter().map(|id| (*id, "f", "{}")).collect();
        let mut messages = vec![user("a"), crate::testing::model("", &calls)];
        messages.extend(ids.map(|id| crate::testing::result(id, "f", "x")));
        let body = written_at(address, model, &messages);
        let said = body["messages"].as_array().unwrap();
        let calls = said[1]["tool_calls"].as_array().unwrap();
        let ids: std::collections::BTreeSet<_> =
            calls.iter().map(|it| it["id"].as_str().unwrap()).collect();
        assert!(ids.len() == 5 && ids.iter().all(|id| fits(id)), "{ids:?}");
        assert_eq!(calls[0]["id"], own);
        for (call, result) in calls.iter().zip(&said[2..]) {
            assert_eq!(call["id"], result["tool_call_id"]);
        }
    };
    let nine = |id: &str| id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric());
    check("https://api.mistral.ai/v1", "m", nine, "D681PevKs");
    check(
        "https://openrouter.ai/api/v1",
        "mistralai/Devstral",
        nine,
        "D681PevKs",
    );
    let short = |id: &str| id.len() <= 40;
    check("https://api.openai.com/v1", "gpt-x", short, "call_a");
    // One of an id of its own that says more than which call it is.
    check("https://proxy.test/v1", "m", |_| true, &"c".repeat(200));
}

#[test]
fn a_server_that_refuses_the_word_on_counts_is_not_sent_it() {
    let options = |address: &str| {
        let body = written_at(address, "mistral-large-latest", &[user("a")]);
        body["stream_options"].clone()
    };
    assert_eq!(options("https://api.mistral.ai/v1"), Value::Null);
    let asked = options("https://openrouter.ai/api/v1");
    assert_eq!(asked, json!({"include_usage": true}));
}

#[test]
fn a_server_that_wants_a_thought_with_each_message_gets_one() {
    let thought = |address: &str, piece: &str| {
        let body = stream(&[&delta(piece), &end("stop")]);
        let (_, answer) = decode([body.as_bytes()]);
        let message = Message::Assistant {
            text: "b".to_owned(),
            thinking: "not sent".to_owned(),
            calls: Vec::new(),
            opaque: answer.unwrap().opaque,
        };
        let body = written_at(address, "m", &[user("a"), message, user("c")]);
        body["messages"][1]["reasoning_content"].clone()
    };
    for address in ["https://api.deepseek.com", "https://api.moonshot.ai/v1"] {
        assert_eq!(thought(address, r#"{"reasoning_content":"hm"}"#), "hm");
        assert_eq!(thought(address, r#"{"reasoning_content":""}"#), " ");
        assert_eq!(thought(address, r#"{"content":"b"}"#), " ");
    }
    let elsewhere = thought("https://a.test/v1", r#"{"content":"b"}"#);
    assert_eq!(elsewhere, Value::Null);
}

/// Half of a character in one call's arguments would have every later request refused.
#[test]
fn arguments_go_back_as_every_reader_takes_them() {
    let messages = [
        user("a"),
        crate::testing::model("", &[("1", "f", r#"{"n": 1.0, "t":"x\ud83d"}"#)]),
        crate::testing::result("1", "f", "x"),
    ];
    let body = written_at("https://a.test/v1", "m", &messages);
    assert_eq!(
        body["messages"][1]["tool_calls"][0]["function"]["arguments"],
        r#"{"n": 1.0, "t":"x\ufffd"}"#
    );
}

#[test]
fn a_model_that_wants_the_last_word_on_results_has_it() {
    let roles = |address: &str, model: &str| {
        let with_image = crate::testing::result_with_image("1", "f", "x");
        let asked = || crate::testing::model("", &[("1", "f", "{}")]);
        let messages = [
            user("a"),
            asked(),
            with_image.clone(),
            asked(),
            crate::testing::result("1", "f", "x"),
            user("b"),
            asked(),
            with_image,
        ];
        let body = written_at(address, model, &messages);
        let messages = body["messages"].as_array().unwrap().iter();
        let roles: Vec<_> = messages.map(|it| it["role"].as_str().unwrap()).collect();
        roles.join(" ")
    };
    let plain = "user assistant tool user assistant tool user assistant tool user";
    assert_eq!(roles("https://a.test/v1", "m"), plain);
    let answered = plain.replace("tool user", "tool assistant user");
    assert_eq!(roles("https://api.mistral.ai/v1", "m"), answered);
    let local = roles("http://localhost:8000/v1", "mistralai/Mistral-Small-4");
    assert_eq!(local, answered);
}

#[test]
fn gemini_takes_calls_that_another_model_made_also_in_this_format() {
    let google = "https://generativelanguage.googleapis.com/v1beta/openai";
    let signatures = |address: &str, model: &str, call: &str| {
        let body = stream(&[
            &delta(&format!(r#"{{"tool_calls":[{call}]}}"#)),
            &end("stop"),
        ]);
        let (_, answer) = decode([body.as_bytes()]);
        let calls = answer.unwrap().calls.into_iter().map(|call| AssistantCall {
            id: call.provider_id,
            name: call.name,
            arguments: call.arguments,
            opaque: call.opaque,
        });
        let message = Message::Assistant {
            text: String::new(),
            thinking: String::new(),
            calls: calls.collect(),
            opaque: Value::Null,
        };
        let body = written_at(address, model, &[user("a"), message]);
        let calls = body["messages"][1]["tool_calls"].as_array().unwrap();
        let signature = |call: &Value| call["extra_content"]["google"]["thought_signature"].clone();
        calls.iter().map(signature).collect::<Vec<_>>()
    };
    let bare = r#"{"id":"1","function":{"name":"f","arguments":"{}"}}"#;
    let two = format!("{bare},{}", bare.replace("\"1\"", "\"2\""));
    let none = "skip_thought_signature_validator";
    assert_eq!(
        signatures(google, "gemini-3-pro", &two),
        [json!(none), Value::Null]
    );
    assert_eq!(signatures(google, "gemini-2.5-pro", bare), [Value::Null]);
    assert_eq!(
        signatures("https://a.test/v1", "gemini-3-pro", bare),
        [Value::Null]
    );
    let signed = r#"{"id":"1","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"S"}}}"#;
    assert_eq!(signatures(google, "gemini-3-pro", signed), ["S"]);
}
