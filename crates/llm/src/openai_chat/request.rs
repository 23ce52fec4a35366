//! The request: headers and body.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use super::kept;
use crate::{AssistantCall, ChatRequest, Endpoint, LlmError, Message, Part, ToolSpec, WireRequest};

pub(super) fn request(
    endpoint: &Endpoint,
    chat: &ChatRequest<'_>,
) -> Result<WireRequest, LlmError> {
    let url = endpoint.url("/chat/completions")?;
    let model = endpoint.model.trim();
    if model.is_empty() {
        return Err(LlmError::NoModel);
    }
    let mut headers = vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        ("accept".to_owned(), "text/event-stream".to_owned()),
    ];
    if let Some(key) = endpoint.key()? {
        headers.push(("authorization".to_owned(), format!("Bearer {key}")));
    }
    let system = Some(chat.system)
        .filter(|text| !text.trim().is_empty())
        .map(|content| WireMessage::System { content });
    let body = Body {
        model,
        messages: system
            .into_iter()
            .chain(chat.messages.iter().map(WireMessage::from))
            .collect(),
        tools: chat.tools.iter().map(WireTool::from).collect(),
        tool_choice: (!chat.tools.is_empty()).then_some("auto"),
        stream: true,
        stream_options: StreamOptions {
            include_usage: true,
        },
    };
    Ok(WireRequest {
        url,
        headers,
        body: serde_json::to_vec(&body)?,
    })
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<WireMessage<'a>>,
    // Some servers refuse an empty list, and a choice without a list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'a str>,
    stream: bool,
    stream_options: StreamOptions,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
enum WireMessage<'a> {
    System {
        content: &'a str,
    },
    User {
        content: String,
    },
    Assistant(WireAssistant<'a>),
    Tool {
        tool_call_id: &'a str,
        content: &'a str,
    },
}

impl<'a> From<&'a Message> for WireMessage<'a> {
    fn from(message: &'a Message) -> Self {
        match message {
            // One string rather than a list of parts: every server takes it.
            Message::User { parts } => Self::User {
                content: parts
                    .iter()
                    .map(|Part::Text(text)| text.as_str())
                    .collect::<Vec<_>>()
                    .join("\n\n"),
            },
            Message::Assistant {
                text,
                thinking: _,
                calls,
                opaque,
            } => Self::Assistant(WireAssistant {
                text,
                calls,
                opaque,
            }),
            Message::ToolResult { call_id, text, .. } => Self::Tool {
                tool_call_id: call_id,
                content: text,
            },
        }
    }
}

struct WireAssistant<'a> {
    text: &'a str,
    calls: &'a [AssistantCall],
    opaque: &'a Value,
}

impl Serialize for WireAssistant<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        // A message of calls only has no content; an empty one is refused by some servers.
        let content = Some(self.text).filter(|text| !text.is_empty());
        map.serialize_entry("content", &content)?;
        if !self.calls.is_empty() {
            let calls: Vec<_> = self.calls.iter().map(WireCall).collect();
            map.serialize_entry("tool_calls", &calls)?;
        }
        for (name, value) in kept::fields(self.opaque) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

struct WireCall<'a>(&'a AssistantCall);

impl Serialize for WireCall<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let call = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &call.id)?;
        map.serialize_entry("type", "function")?;
        map.serialize_entry(
            "function",
            &WireFunction {
                name: &call.name,
                arguments: &call.arguments,
            },
        )?;
        for (name, value) in kept::fields(&call.opaque) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[derive(Serialize)]
struct WireFunction<'a> {
    name: &'a str,
    arguments: &'a str,
}

#[derive(Serialize)]
struct WireTool<'a> {
    r#type: &'static str,
    function: WireToolFunction<'a>,
}

#[derive(Serialize)]
struct WireToolFunction<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
}

impl<'a> From<&'a ToolSpec> for WireTool<'a> {
    fn from(tool: &'a ToolSpec) -> Self {
        Self {
            r#type: "function",
            function: WireToolFunction {
                name: &tool.name,
                description: &tool.description,
                parameters: &tool.schema,
            },
        }
    }
}
