//! What the tests of the formats have in common.

use serde_json::Value;
use tabwright_protocol::ProviderKind;

use crate::checks::{assert_adds_up, assert_sound, decode};
use crate::{
    Answer, AssistantCall, ChatRequest, Endpoint, Image, Message, ModelCall, Part, ProviderError,
    ToolSpec, provider_for,
};

/// Every wire format.
pub(crate) const KINDS: [ProviderKind; 6] = [
    ProviderKind::OpenAiChat,
    ProviderKind::OpenAiResponses,
    ProviderKind::Anthropic,
    ProviderKind::Gemini,
    ProviderKind::Ollama,
    ProviderKind::ChromeBuiltIn,
];

/// An answer, in one line for each thing in it.
pub(crate) fn show(answer: &Answer) -> String {
    let mut lines = Vec::new();
    for (name, text) in [("text", &answer.text), ("thinking", &answer.thinking)] {
        if !text.is_empty() {
            lines.push(format!("{name} {text:?}"));
        }
    }
    for image in &answer.images {
        lines.push(format!("image {} {}", image.media_type, image.data));
    }
    for call in &answer.calls {
        let mark = if call.complete { "" } else { " incomplete" };
        let (id, name, arguments) = (&call.provider_id, &call.name, &call.arguments);
        lines.push(format!("call {id} {name} {arguments}{mark}"));
        if !call.opaque.is_null() {
            lines.push(format!("  kept {}", call.opaque));
        }
    }
    let usage = answer.usage;
    if usage != Default::default() {
        lines.push(format!(
            "usage {}/{} {}/{}",
            usage.cached, usage.input, usage.reasoning, usage.output
        ));
    }
    if !answer.opaque.is_null() {
        lines.push(format!("kept {}", answer.opaque));
    }
    lines.push(format!("{:?}", answer.stop));
    lines.join("\n")
}

/// The outcome of a body, in one line for each thing in it.
pub(crate) fn outcome(result: &Result<Answer, ProviderError>) -> String {
    match result {
        Ok(answer) => show(answer),
        Err(error) => format!("{:?}: {error}", error.kind),
    }
}

/// Checks the outcome of a body, and that its events add up to it.
pub(crate) fn check_whole(kind: ProviderKind, body: &[u8], expected: &str) {
    let (events, result) = decode(provider_for(kind).read(true), &[body]);
    let expected: Vec<_> = expected.trim().lines().map(str::trim_start).collect();
    let actual = outcome(&result);
    let actual: Vec<_> = actual.lines().map(str::trim_start).collect();
    assert_eq!(actual, expected, "{}", String::from_utf8_lossy(body));
    if let Ok(answer) = &result {
        assert_adds_up(&events, answer);
        assert_sound(answer);
    }
}

/// The same, however the body is cut.
pub(crate) fn check_body(kind: ProviderKind, body: &[u8], expected: &str) {
    check_whole(kind, body, expected);
    let read = |pieces: &[&[u8]]| decode(provider_for(kind).read(true), pieces);
    let whole = read(&[body]);
    for cut in 0..=body.len() {
        let (head, tail) = body.split_at(cut);
        assert_eq!(read(&[head, tail]), whole, "cut at {cut}");
    }
    let bytes: Vec<_> = body.chunks(1).collect();
    assert_eq!(read(&bytes), whole, "byte by byte");
}

/// An endpoint to write requests for.
pub(crate) fn endpoint(address: &str, model: &str) -> Endpoint {
    Endpoint {
        address: address.to_owned(),
        key: Some("sk-test-key".to_owned()),
        model: model.to_owned(),
        ..Endpoint::default()
    }
}

/// The body of a request, and its text.
pub(crate) fn body(
    kind: ProviderKind,
    endpoint: &Endpoint,
    chat: &ChatRequest<'_>,
) -> (Value, String) {
    let request = provider_for(kind).request(endpoint, chat).unwrap();
    let text = String::from_utf8(request.body).unwrap();
    (serde_json::from_str(&text).unwrap(), text)
}

/// A person's message.
pub(crate) fn user(text: &str) -> Message {
    Message::User {
        parts: vec![Part::Text(text.to_owned())],
    }
}

/// A person's message with an image.
pub(crate) fn user_with_image(text: &str) -> Message {
    Message::User {
        parts: vec![Part::Text(text.to_owned()), Part::Image(image())],
    }
}

/// An image.
pub(crate) fn image() -> Image {
    Image {
        media_type: "image/png".to_owned(),
        data: "iVBORw0=".to_owned(),
    }
}

/// A model's message with calls that are the same in each format.
pub(crate) fn model(text: &str, calls: &[(&str, &str, &str)]) -> Message {
    let calls = calls.iter().map(|(id, name, arguments)| AssistantCall {
        id: (*id).to_owned(),
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

/// A result.
pub(crate) fn result(id: &str, tool: &str, text: &str) -> Message {
    Message::ToolResult {
        call_id: id.to_owned(),
        tool: tool.to_owned(),
        text: text.to_owned(),
        images: Vec::new(),
        is_error: false,
    }
}

/// A result that is an error.
pub(crate) fn failed(id: &str, tool: &str, text: &str) -> Message {
    Message::ToolResult {
        call_id: id.to_owned(),
        tool: tool.to_owned(),
        text: text.to_owned(),
        images: Vec::new(),
        is_error: true,
    }
}

/// A result with an image.
pub(crate) fn result_with_image(id: &str, tool: &str, text: &str) -> Message {
    Message::ToolResult {
        call_id: id.to_owned(),
        tool: tool.to_owned(),
        text: text.to_owned(),
        images: vec![image()],
        is_error: false,
    }
}

/// A tool with one argument.
pub(crate) fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: format!("Does {name}."),
        schema: serde_json::json!({"type": "object", "properties": {"n": {"type": "integer"}}}),
    }
}

/// The answer of a body, as the history keeps it.
pub(crate) fn kept(kind: ProviderKind, body: &str) -> Message {
    let (_, answer) = decode(provider_for(kind).read(true), &[body.as_bytes()]);
    let answer = answer.unwrap();
    let keep = |call: ModelCall| AssistantCall {
        id: call.provider_id,
        name: call.name,
        arguments: call.arguments,
        opaque: call.opaque,
    };
    Message::Assistant {
        text: answer.text,
        thinking: answer.thinking,
        calls: answer.calls.into_iter().map(keep).collect(),
        opaque: answer.opaque,
    }
}

/// Events as a stream, each with its name before it if it is to have one.
pub(crate) fn stream(events: &[&str], named: bool) -> String {
    let mut body = String::new();
    for event in events {
        if named {
            let value: Value = serde_json::from_str(event).unwrap_or_default();
            let name = value["type"].as_str().unwrap_or("message");
            body.push_str(&format!("event: {name}\n"));
        }
        body.push_str(&format!("data: {event}\n\n"));
    }
    body
}
