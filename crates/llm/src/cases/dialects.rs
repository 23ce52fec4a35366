//! The same answer and the same error in every format.

use serde_json::{Value, json};
use tabwright_protocol::ProviderKind;

use crate::checks::{decode, same_however_cut};
use crate::{Answer, ProviderError, provider_for};

/// How one format says the same things.
pub(super) struct Dialect {
    pub(super) kind: ProviderKind,
    pub(super) text: fn(&str) -> Vec<Value>,
    pub(super) call: fn(&str, &str) -> Vec<Value>,
    pub(super) end: fn(End) -> Vec<Value>,
    pub(super) error: fn(&str, u16, &str) -> Value,
}

/// Why an answer ends.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum End {
    Stop,
    Length,
}

/// Every format of a server.
pub(super) const DIALECTS: [Dialect; 5] = [
    Dialect {
        kind: ProviderKind::OpenAiChat,
        text: |text| vec![json!({"choices": [{"index": 0, "delta": {"content": text}}]})],
        call: |id, arguments| {
            vec![json!({"choices": [{"index": 0, "delta": {"tool_calls": [
                {"index": 0, "id": id, "function": {"name": "f", "arguments": arguments}},
            ]}}]})]
        },
        end: |end| {
            let reason = if end == End::Stop { "stop" } else { "length" };
            vec![json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})]
        },
        error: |name, _, message| json!({"error": {"code": name, "message": message}}),
    },
    Dialect {
        kind: ProviderKind::OpenAiResponses,
        text: |text| {
            vec![json!({"type": "response.output_text.delta", "output_index": 0, "delta": text})]
        },
        call: |id, arguments| {
            vec![
                json!({"type": "response.output_item.added", "output_index": 1,
                    "item": {"type": "function_call", "call_id": id, "name": "f", "arguments": ""}}),
                json!({"type": "response.function_call_arguments.delta", "output_index": 1,
                    "delta": arguments}),
            ]
        },
        end: |end| {
            let kind = if end == End::Stop {
                "completed"
            } else {
                "incomplete"
            };
            let details = (end == End::Length).then(|| json!({"reason": "max_output_tokens"}));
            vec![json!({"type": format!("response.{kind}"), "response": {
                "object": "response", "status": kind, "incomplete_details": details, "output": [],
            }})]
        },
        error: |name, _, message| json!({"type": "error", "code": name, "message": message}),
    },
    Dialect {
        kind: ProviderKind::Anthropic,
        text: |text| {
            vec![json!({"type": "content_block_delta", "index": 0,
                "delta": {"type": "text_delta", "text": text}})]
        },
        call: |id, arguments| {
            vec![
                json!({"type": "content_block_start", "index": 1,
                    "content_block": {"type": "tool_use", "id": id, "name": "f", "input": {}}}),
                json!({"type": "content_block_delta", "index": 1,
                    "delta": {"type": "input_json_delta", "partial_json": arguments}}),
            ]
        },
        end: |end| {
            let reason = if end == End::Stop {
                "end_turn"
            } else {
                "max_tokens"
            };
            vec![
                json!({"type": "message_delta", "delta": {"stop_reason": reason}}),
                json!({"type": "message_stop"}),
            ]
        },
        error: |name, _, message| json!({"type": "error", "error": {"type": name, "message": message}}),
    },
    Dialect {
        kind: ProviderKind::Gemini,
        text: |text| vec![json!({"candidates": [{"content": {"parts": [{"text": text}]}}]})],
        call: |id, arguments| {
            let arguments = serde_json::from_str(arguments).unwrap_or(Value::Null);
            vec![json!({"candidates": [{"content": {"parts": [
                {"functionCall": {"id": id, "name": "f", "args": arguments}},
            ]}}]})]
        },
        end: |end| {
            let reason = if end == End::Stop {
                "STOP"
            } else {
                "MAX_TOKENS"
            };
            vec![json!({"candidates": [{"finishReason": reason}]})]
        },
        error: |name, code, message| json!({"error": {"code": code, "status": name, "message": message}}),
    },
    Dialect {
        kind: ProviderKind::Ollama,
        text: |text| vec![json!({"message": {"role": "assistant", "content": text}})],
        call: |id, arguments| {
            let arguments = serde_json::from_str(arguments).unwrap_or(Value::from(arguments));
            vec![json!({"message": {"content": "", "tool_calls": [
                {"id": id, "function": {"name": "f", "arguments": arguments}},
            ]}})]
        },
        end: |end| {
            let reason = if end == End::Stop { "stop" } else { "length" };
            vec![json!({"message": {"content": ""}, "done": true, "done_reason": reason})]
        },
        error: |name, _, message| json!({"error": {"type": name, "message": message}}),
    },
];

impl Dialect {
    pub(super) fn is_lines(&self) -> bool {
        self.kind == ProviderKind::Ollama
    }

    pub(super) fn body(&self, pieces: &[Value]) -> String {
        let (before, after) = if self.is_lines() {
            ("", "\n")
        } else {
            ("data: ", "\n\n")
        };
        pieces
            .iter()
            .map(|piece| format!("{before}{piece}{after}"))
            .collect()
    }

    /// Text, a call if there is one, and the end.
    pub(super) fn answer(&self, text: &str, calls: &[(&str, &str)], end: End) -> String {
        let mut pieces = (self.text)(text);
        for (id, arguments) in calls {
            pieces.extend((self.call)(id, arguments));
        }
        pieces.extend((self.end)(end));
        self.body(&pieces)
    }

    pub(super) fn read(&self, body: &[u8]) -> Result<Answer, ProviderError> {
        self.read_cut(body).0
    }

    /// The outcome, and in how many ways the body was cut without changing it.
    pub(super) fn read_cut(&self, body: &[u8]) -> (Result<Answer, ProviderError>, usize) {
        let read = |pieces: &[&[u8]]| decode(provider_for(self.kind).read(true), pieces);
        let cuts = match body.len() < 4_096 {
            true => same_however_cut(body, read),
            false => 0,
        };
        (read(&[body]).1, cuts)
    }
}
