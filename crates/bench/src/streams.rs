//! Bodies of answers as the providers stream them: thinking, text, and a call with long arguments,
//! in deltas of one to four tokens, each in the whole of what that provider wraps around one.

use serde_json::{Value, json};
use tabwright_protocol::ProviderKind;

/// So many deltas of each kind.
const DELTAS: usize = 6_000;
/// Calls that come whole are more, and each as long as a page that is written into a file.
const WHOLE_CALLS: usize = 6;
const WHOLE_DELTAS: usize = 1_000;

/// Tokens as they are: words with a blank before them, line ends, quotes, other alphabets.
const TOKENS: [&str; 40] = [
    " the", " a", " of", "and", " tab", "s", " opens", ".", ",", " page", "\n", "\n\n", " \"",
    "\"", " {", "}", ":", " https", "://", "example", ".org", "/", " 42", " it", "ing", " user",
    " wants", " –", " für", "é", " 日本", "語", " 😀", "`", "- ", "**", " list", " then", "\t",
    "\\n",
];

pub(crate) fn build(format: ProviderKind) -> Vec<u8> {
    let body = match format {
        ProviderKind::OpenAiChat | ProviderKind::ChromeBuiltIn => chat(),
        ProviderKind::OpenAiResponses => responses(),
        ProviderKind::Anthropic => anthropic(),
        ProviderKind::Gemini => gemini(),
        ProviderKind::Ollama => ollama(),
    };
    body.into_bytes()
}

/// Deltas, the same each time.
struct Tokens(u32);

impl Tokens {
    fn next(&mut self, below: u32) -> usize {
        // Knuth's and Lewis's constants; the high bits are the good ones.
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((self.0 >> 16) % below) as usize
    }

    fn delta(&mut self) -> String {
        let count = 1 + self.next(4);
        (0..count)
            .map(|_| TOKENS[self.next(40) % TOKENS.len()])
            .collect()
    }

    fn deltas(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.delta()).collect()
    }

    /// The text of an object, in the pieces in which a model writes it.
    fn arguments(&mut self, count: usize) -> Vec<String> {
        let text = |delta: String| {
            let quoted = Value::String(delta).to_string();
            quoted[1..quoted.len() - 1].to_owned()
        };
        let mut pieces = vec!["{\"".to_owned(), "content".to_owned(), "\":\"".to_owned()];
        pieces.extend(self.deltas(count).into_iter().map(text));
        pieces.extend([
            "\",\"path\":\"".to_owned(),
            "notes/a.md".to_owned(),
            "\"}".to_owned(),
        ]);
        pieces
    }
}

/// Fields that the providers write before all others; a reader may be faster for it.
const FIRST: [&str; 8] = [
    "type",
    "sequence_number",
    "id",
    "object",
    "created",
    "index",
    "model",
    "role",
];

/// The text of a value, its fields as the providers order them.
fn wire(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let place = |name: &str| FIRST.iter().position(|first| *first == name);
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| place(name).unwrap_or(FIRST.len()));
            let fields = fields.into_iter();
            let fields = fields.map(|(name, value)| format!("\"{name}\":{}", wire(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        }
        Value::Array(values) => {
            let values: Vec<_> = values.iter().map(wire).collect();
            format!("[{}]", values.join(","))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

fn unnamed(events: impl IntoIterator<Item = Value>) -> String {
    let events = events.into_iter();
    events
        .map(|event| format!("data: {}\n\n", wire(&event)))
        .collect()
}

fn named(events: impl IntoIterator<Item = Value>) -> String {
    let events = events.into_iter();
    events
        .map(|event| {
            let name = event["type"].as_str().unwrap_or_default();
            format!("event: {name}\ndata: {}\n\n", wire(&event))
        })
        .collect()
}

fn chat() -> String {
    let mut tokens = Tokens(1);
    let chunk = |delta: Value, reason: Value| {
        json!({
            "id": "chatcmpl-CmXw8hYl0vVbNqkM2rTgE5uPzQa1d", "object": "chat.completion.chunk",
            "created": 1_764_590_000, "model": "some-model-2026-10-01", "service_tier": "default",
            "system_fingerprint": "fp_6d01b3e4a7", "usage": null,
            "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": reason}],
        })
    };
    let call = |function: Value| json!({"tool_calls": [{"index": 0, "function": function}]});
    let mut events = vec![chunk(
        json!({"role": "assistant", "content": ""}),
        Value::Null,
    )];
    for delta in tokens.deltas(DELTAS) {
        events.push(chunk(json!({"reasoning_content": delta}), Value::Null));
    }
    for delta in tokens.deltas(DELTAS) {
        events.push(chunk(json!({"content": delta}), Value::Null));
    }
    let head = json!({"tool_calls": [{"index": 0, "id": "call_Xy1", "type": "function",
        "function": {"name": "write_file", "arguments": ""}}]});
    events.push(chunk(head, Value::Null));
    for piece in tokens.arguments(DELTAS) {
        events.push(chunk(call(json!({"arguments": piece})), Value::Null));
    }
    events.push(chunk(json!({}), json!("tool_calls")));
    unnamed(events) + "data: [DONE]\n\n"
}

/// An item of a response: its deltas' name, the index beside them, the deltas, and it as a whole.
type Part<'a> = (&'a str, &'a str, Vec<String>, &'a dyn Fn(&str) -> Value);

fn responses() -> String {
    let mut tokens = Tokens(2);
    let mut events = vec![json!({"type": "response.created", "sequence_number": 0,
        "response": {"id": "resp_1", "object": "response", "status": "in_progress", "output": []}})];
    let mut whole = Vec::new();
    let message = |text: &str| {
        json!({"id": "msg_0a1b2c3d4e5f60718293a4b5", "type": "message",
        "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}]})
    };
    let thought = |text: &str| {
        json!({"id": "rs_0a1b2c3d4e5f60718293a4b5", "type": "reasoning",
        "encrypted_content": "gAAAAA", "summary": [{"type": "summary_text", "text": text}]})
    };
    let call = |text: &str| {
        json!({"id": "fc_0a1b2c3d4e5f60718293a4b5", "type": "function_call",
        "status": "completed", "call_id": "call_Xy1", "name": "write_file", "arguments": text})
    };
    let thinking = tokens.deltas(DELTAS);
    let text = tokens.deltas(DELTAS);
    let arguments = tokens.arguments(DELTAS);
    let parts: [Part<'_>; 3] = [
        (
            "reasoning_summary_text",
            "summary_index",
            thinking,
            &thought,
        ),
        ("output_text", "content_index", text, &message),
        ("function_call_arguments", "", arguments, &call),
    ];
    for (output, (kind, part, deltas, item)) in parts.into_iter().enumerate() {
        let mut begun = item("");
        begun["status"] = json!("in_progress");
        if kind == "output_text" {
            begun["content"] = json!([]);
        } else if kind == "reasoning_summary_text" {
            begun["summary"] = json!([]);
        }
        events.push(
            json!({"type": "response.output_item.added", "output_index": output,
            "sequence_number": events.len(), "item": begun}),
        );
        for delta in &deltas {
            let mut event = json!({"type": format!("response.{kind}.delta"),
                "sequence_number": events.len(), "item_id": "msg_0a1b2c3d4e5f60718293a4b5",
                "output_index": output, "delta": delta, "obfuscation": "kQ3vXw9TzP"});
            if !part.is_empty() {
                event[part] = json!(0);
                event["logprobs"] = json!([]);
            }
            events.push(event);
        }
        let item = item(&deltas.concat());
        events.push(
            json!({"type": "response.output_item.done", "output_index": output,
            "sequence_number": events.len(), "item": item}),
        );
        whole.push(item);
    }
    events.push(
        json!({"type": "response.completed", "sequence_number": events.len(),
        "response": {"id": "resp_1", "object": "response", "status": "completed", "output": whole,
        "usage": {"input_tokens": 900, "output_tokens": 45_000}}}),
    );
    named(events)
}

fn anthropic() -> String {
    let mut tokens = Tokens(3);
    let mut events = vec![
        json!({"type": "message_start", "message": {"id": "msg_01Xy",
        "type": "message", "role": "assistant", "model": "some-model", "content": [],
        "stop_reason": null, "usage": {"input_tokens": 900, "output_tokens": 1}}}),
    ];
    let parts = [
        (
            json!({"type": "thinking", "thinking": "", "signature": ""}),
            "thinking_delta",
            "thinking",
            tokens.deltas(DELTAS),
        ),
        (
            json!({"type": "text", "text": ""}),
            "text_delta",
            "text",
            tokens.deltas(DELTAS),
        ),
        (
            json!({"type": "tool_use", "id": "toolu_01Xy", "name": "write_file", "input": {}}),
            "input_json_delta",
            "partial_json",
            tokens.arguments(DELTAS),
        ),
    ];
    for (index, (block, kind, field, deltas)) in parts.into_iter().enumerate() {
        events.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        for text in deltas {
            let mut delta = json!({"type": kind});
            delta[field] = json!(text);
            events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        if field == "thinking" {
            events.push(json!({"type": "content_block_delta", "index": index,
                "delta": {"type": "signature_delta", "signature": "EqQBCkYIAhgCKkBm"}}));
        }
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    events.push(
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"},
        "usage": {"output_tokens": 45_000}}),
    );
    events.push(json!({"type": "message_stop"}));
    named(events)
}

fn gemini() -> String {
    let mut tokens = Tokens(4);
    let chunk = |part: Value, reason: Option<&str>| {
        let mut candidate = json!({"content": {"parts": [part], "role": "model"}, "index": 0});
        if let Some(reason) = reason {
            candidate["finishReason"] = json!(reason);
        }
        json!({"candidates": [candidate], "usageMetadata": {"promptTokenCount": 900,
            "candidatesTokenCount": 12, "totalTokenCount": 912,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 900}]},
            "modelVersion": "some-model", "responseId": "aB3dEfGhIjKlMnOp"})
    };
    let mut events = Vec::new();
    for delta in tokens.deltas(DELTAS) {
        events.push(chunk(json!({"text": delta, "thought": true}), None));
    }
    for delta in tokens.deltas(DELTAS) {
        events.push(chunk(json!({"text": delta}), None));
    }
    for call in 0..WHOLE_CALLS {
        let content = tokens.deltas(WHOLE_DELTAS).concat();
        let arguments = json!({"content": content, "path": format!("notes/{call}.md")});
        events.push(chunk(
            json!({"functionCall": {"name": "write_file", "args": arguments}}),
            None,
        ));
    }
    events.push(chunk(json!({"text": ""}), Some("STOP")));
    unnamed(events)
}

fn ollama() -> String {
    let mut tokens = Tokens(5);
    let line = |field: &str, value: Value| {
        let mut message = json!({"role": "assistant", "content": ""});
        message[field] = value;
        json!({"model": "some-model:8b", "created_at": "2026-12-01T12:00:00.123456789Z",
            "message": message, "done": false})
    };
    let mut lines = Vec::new();
    for delta in tokens.deltas(DELTAS) {
        lines.push(line("thinking", json!(delta)));
    }
    for delta in tokens.deltas(DELTAS) {
        lines.push(line("content", json!(delta)));
    }
    for call in 0..WHOLE_CALLS {
        let content = tokens.deltas(WHOLE_DELTAS).concat();
        let arguments = json!({"content": content, "path": format!("notes/{call}.md")});
        let function = json!({"name": "write_file", "arguments": arguments});
        lines.push(line("tool_calls", json!([{"function": function}])));
    }
    let mut last = line("content", json!(""));
    last["done"] = json!(true);
    last["done_reason"] = json!("stop");
    last["prompt_eval_count"] = json!(900);
    last["eval_count"] = json!(45_000);
    lines.push(last);
    lines.into_iter().map(|line| wire(&line) + "\n").collect()
}
