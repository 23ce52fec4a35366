//! The request: what the model is told, and the schema of its answer.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::describe::describe;
use crate::fit::texts;
use crate::{AssistantCall, ChatRequest, LlmError, Message, ToolSpec, WireRequest};

const ADDRESS: &str = "builtin:prompt";

/// How to answer, when there are tools.
const FORM: &str = r#"Answer with one JSON object and nothing else. To call tools: {"say": "", "calls": [{"tool": "its name", "arguments": {}}]}. To answer the person and end your turn: {"say": "your answer"}. The results of your calls are in the next message; never write them yourself. These are the tools, each with its arguments:"#;

pub(super) fn request(chat: &ChatRequest<'_>) -> Result<WireRequest, LlmError> {
    let has_tools = !chat.tools.is_empty();
    let body = Body {
        system: system(chat),
        prompts: prompts(chat.messages, has_tools)?,
        constraint: has_tools.then(|| Constraint::new(chat.tools)),
    };
    Ok(WireRequest {
        url: ADDRESS.to_owned(),
        headers: Vec::new(),
        body: serde_json::to_vec(&body)?,
    })
}

#[derive(Serialize)]
struct Body<'a> {
    system: String,
    prompts: Vec<Prompt>,
    constraint: Option<Constraint<'a>>,
}

#[derive(Serialize)]
struct Prompt {
    role: Role,
    content: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Role {
    User,
    Assistant,
}

fn system(chat: &ChatRequest<'_>) -> String {
    let mut text = chat.system.trim().to_owned();
    if chat.tools.is_empty() {
        return text;
    }
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(FORM);
    text.push_str(&describe(chat.tools));
    text
}

/// The messages, of which no two in a row have one role.
fn prompts(messages: &[Message], has_tools: bool) -> Result<Vec<Prompt>, LlmError> {
    let mut prompts: Vec<Prompt> = Vec::new();
    for message in messages {
        let (role, content) = match message {
            Message::User { parts } => (Role::User, texts(parts)),
            Message::Assistant { text, calls, .. } => {
                let content = if has_tools || !calls.is_empty() {
                    serde_json::to_string(&Said::new(text, calls)?)?
                } else {
                    text.clone()
                };
                (Role::Assistant, content)
            }
            Message::ToolResult {
                tool,
                text,
                is_error,
                ..
            } => {
                let what = if *is_error { "Error" } else { "Result" };
                (Role::User, format!("{what} of {tool}:\n{text}"))
            }
        };
        match prompts.last_mut() {
            Some(last) if last.role == role => {
                last.content.push_str("\n\n");
                last.content.push_str(&content);
            }
            Some(_) | None => prompts.push(Prompt { role, content }),
        }
    }
    Ok(prompts)
}

/// An earlier answer in the form of an answer.
#[derive(Serialize)]
struct Said<'a> {
    say: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<SaidCall<'a>>,
}

#[derive(Serialize)]
struct SaidCall<'a> {
    tool: &'a str,
    arguments: &'a RawValue,
}

impl<'a> Said<'a> {
    fn new(say: &'a str, calls: &'a [AssistantCall]) -> Result<Self, LlmError> {
        let calls = calls.iter().map(|call| {
            Ok(SaidCall {
                tool: &call.name,
                arguments: serde_json::from_str(&call.arguments)?,
            })
        });
        Ok(Self {
            say,
            calls: calls.collect::<Result<_, LlmError>>()?,
        })
    }
}

/// The schema of an answer. Written as structs because its fields' order is the order in which the
/// model writes them: the text before the calls, and a tool's name before its arguments.
#[derive(Serialize)]
struct Constraint<'a>(Object<AnswerFields<'a>>);

#[derive(Serialize)]
struct Object<Properties> {
    r#type: &'static str,
    properties: Properties,
    required: &'static [&'static str],
    #[serde(rename = "additionalProperties")]
    additional_properties: bool,
}

#[derive(Serialize)]
struct AnswerFields<'a> {
    say: Plain,
    calls: List<'a>,
}

#[derive(Serialize)]
struct List<'a> {
    r#type: &'static str,
    items: Object<CallFields<'a>>,
}

#[derive(Serialize)]
struct CallFields<'a> {
    tool: Name<'a>,
    arguments: Plain,
}

#[derive(Serialize)]
struct Name<'a> {
    r#type: &'static str,
    r#enum: Vec<&'a str>,
}

#[derive(Serialize)]
struct Plain {
    r#type: &'static str,
}

impl<'a> Constraint<'a> {
    fn new(tools: &'a [ToolSpec]) -> Self {
        let call = CallFields {
            tool: Name {
                r#type: "string",
                r#enum: tools.iter().map(|tool| tool.name.as_str()).collect(),
            },
            arguments: Plain { r#type: "object" },
        };
        let answer = AnswerFields {
            say: Plain { r#type: "string" },
            calls: List {
                r#type: "array",
                items: Object::new(call, &["tool", "arguments"]),
            },
        };
        Self(Object::new(answer, &["say"]))
    }
}

impl<Properties> Object<Properties> {
    fn new(properties: Properties, required: &'static [&'static str]) -> Self {
        Self {
            r#type: "object",
            properties,
            required,
            additional_properties: false,
        }
    }
}
