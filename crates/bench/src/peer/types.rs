//! The chunks of each format with the fields that the usual Rust clients give them, owned as theirs
//! are. What a client would keep is read even where nothing here looks at it.

use serde::Deserialize;
use serde_json::Value;

use crate::Said;

fn push(to: &mut String, text: Option<String>) {
    to.push_str(&text.unwrap_or_default());
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "a client keeps it")]
pub(super) struct ChatChunk {
    id: String,
    object: String,
    created: u64,
    model: String,
    system_fingerprint: Option<String>,
    choices: Vec<ChatChoice>,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "a client keeps it")]
struct ChatChoice {
    index: u32,
    delta: ChatDelta,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "a client keeps it")]
struct ChatDelta {
    role: Option<String>,
    content: Option<String>,
    reasoning_content: Option<String>,
    #[serde(default)]
    tool_calls: Vec<ChatCall>,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "a client keeps it")]
struct ChatCall {
    index: u32,
    id: Option<String>,
    function: ChatFunction,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "a client keeps it")]
struct ChatFunction {
    name: Option<String>,
    arguments: Option<String>,
}

impl ChatChunk {
    pub(super) fn add(self, said: &mut Said) {
        for choice in self.choices {
            push(&mut said.text, choice.delta.content);
            push(&mut said.thinking, choice.delta.reasoning_content);
            for call in choice.delta.tool_calls {
                push(&mut said.arguments, call.function.arguments);
            }
        }
    }
}

#[derive(Deserialize)]
#[serde(tag = "type")]
#[allow(dead_code, reason = "a client keeps it")]
pub(super) enum ResponseEvent {
    #[serde(rename = "response.output_text.delta")]
    Text(ResponseDelta),
    #[serde(rename = "response.reasoning_summary_text.delta")]
    Thinking(ResponseDelta),
    #[serde(rename = "response.function_call_arguments.delta")]
    Arguments(ResponseDelta),
    #[serde(rename = "response.output_item.added")]
    Added { item: Value },
    #[serde(rename = "response.output_item.done")]
    Done { item: Value },
    #[serde(rename = "response.completed")]
    Completed { response: Value },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "a client keeps it")]
pub(super) struct ResponseDelta {
    item_id: String,
    output_index: u32,
    sequence_number: u64,
    delta: String,
}

impl ResponseEvent {
    pub(super) fn add(self, said: &mut Said) {
        match self {
            Self::Text(it) => said.text.push_str(&it.delta),
            Self::Thinking(it) => said.thinking.push_str(&it.delta),
            Self::Arguments(it) => said.arguments.push_str(&it.delta),
            Self::Added { .. } | Self::Done { .. } | Self::Completed { .. } | Self::Other => {}
        }
    }
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(dead_code, reason = "a client keeps it")]
pub(super) enum MessageEvent {
    MessageStart { message: Value },
    ContentBlockStart { index: u32, content_block: Value },
    ContentBlockDelta { index: u32, delta: MessageDelta },
    ContentBlockStop { index: u32 },
    MessageDelta { delta: Value, usage: Value },
    MessageStop,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(clippy::enum_variant_names, reason = "as they are called on the wire")]
#[allow(dead_code, reason = "a client keeps it")]
pub(super) enum MessageDelta {
    TextDelta { text: String },
    ThinkingDelta { thinking: String },
    SignatureDelta { signature: String },
    InputJsonDelta { partial_json: String },
}

impl MessageEvent {
    pub(super) fn add(self, said: &mut Said) {
        let Self::ContentBlockDelta { delta, .. } = self else {
            return;
        };
        match delta {
            MessageDelta::TextDelta { text } => said.text.push_str(&text),
            MessageDelta::ThinkingDelta { thinking } => said.thinking.push_str(&thinking),
            MessageDelta::SignatureDelta { .. } => {}
            MessageDelta::InputJsonDelta { partial_json } => said.arguments.push_str(&partial_json),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "a client keeps it")]
pub(super) struct ContentChunk {
    candidates: Vec<Candidate>,
    usage_metadata: ContentUsage,
    model_version: String,
    response_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "a client keeps it")]
struct ContentUsage {
    prompt_token_count: u64,
    candidates_token_count: u64,
    total_token_count: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "a client keeps it")]
struct Candidate {
    content: Content,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "a client keeps it")]
struct Content {
    role: String,
    parts: Vec<ContentPart>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ContentPart {
    text: Option<String>,
    #[serde(default)]
    thought: bool,
    function_call: Option<FunctionCall>,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "a client keeps it")]
struct FunctionCall {
    name: String,
    #[serde(alias = "args")]
    arguments: Value,
}

impl ContentChunk {
    pub(super) fn add(self, said: &mut Said) {
        for part in self.candidates.into_iter().flat_map(|it| it.content.parts) {
            let to = if part.thought {
                &mut said.thinking
            } else {
                &mut said.text
            };
            push(to, part.text);
            if let Some(call) = part.function_call {
                said.arguments.push_str(&call.arguments.to_string());
            }
        }
    }
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "a client keeps it")]
pub(super) struct OllamaLine {
    model: String,
    created_at: String,
    message: OllamaMessage,
    done: bool,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "a client keeps it")]
struct OllamaMessage {
    role: String,
    content: String,
    thinking: Option<String>,
    #[serde(default)]
    tool_calls: Vec<OllamaCall>,
}

#[derive(Deserialize)]
struct OllamaCall {
    function: FunctionCall,
}

impl OllamaLine {
    pub(super) fn add(self, said: &mut Said) {
        said.text.push_str(&self.message.content);
        push(&mut said.thinking, self.message.thinking);
        for call in self.message.tool_calls {
            said.arguments
                .push_str(&call.function.arguments.to_string());
        }
    }
}
