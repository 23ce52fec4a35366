//! The request: what the model is told, and the schema of its answer.

use crate::describe::describe;
use crate::fit::{NO_IMAGE, texts};
use crate::json::legal;
use crate::write::Writer;
use crate::{AssistantCall, ChatRequest, Message, ToolSpec, WireRequest};

const ADDRESS: &str = "builtin:prompt";
const PERSON: &str = "user";

/// How to answer, when there are tools.
const FORM: &str = r#"Answer with one JSON object and nothing else. To call tools: {"say": "", "calls": [{"tool": "its name", "arguments": {}}]}. To answer the person and end your turn: {"say": "your answer"}. The results of your calls are in the next message; never write them yourself. These are the tools, each with its arguments:"#;

pub(super) fn request(chat: &ChatRequest<'_>) -> WireRequest {
    let has_tools = !chat.tools.is_empty();
    let body = Writer::document(|w| {
        w.text_field("system", &system(chat));
        w.key("prompts").array(|w| {
            for prompt in prompts(chat.messages, has_tools) {
                w.object(|w| {
                    w.text_field("role", prompt.role);
                    w.text_field("content", &prompt.content);
                });
            }
        });
        if has_tools {
            w.key("constraint").object(|w| write_schema(w, chat.tools));
        } else {
            w.raw_field("constraint", "null");
        }
    });
    WireRequest {
        url: ADDRESS.to_owned(),
        headers: Vec::new(),
        body,
    }
}

struct Prompt {
    role: &'static str,
    content: String,
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
fn prompts(messages: &[Message], has_tools: bool) -> Vec<Prompt> {
    let mut prompts: Vec<Prompt> = Vec::new();
    for message in messages {
        let (role, content) = match message {
            Message::User { parts } => (PERSON, texts(parts)),
            Message::Assistant { text, calls, .. } => {
                let content = if has_tools || !calls.is_empty() {
                    said(text, calls)
                } else {
                    text.clone()
                };
                ("assistant", content)
            }
            Message::ToolResult {
                call_id: _,
                tool,
                text,
                images,
                is_error,
            } => {
                let what = if *is_error { "Error" } else { "Result" };
                let mut said = format!("{what} of {tool}:\n{text}");
                for _ in images {
                    said.push_str("\n\n");
                    said.push_str(NO_IMAGE);
                }
                (PERSON, said)
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
    prompts
}

/// An earlier answer in the form of an answer.
fn said(text: &str, calls: &[AssistantCall]) -> String {
    Writer::text_of(|w| {
        w.text_field("say", text);
        if calls.is_empty() {
            return;
        }
        w.key("calls").array(|w| {
            for call in calls {
                w.object(|w| {
                    w.text_field("tool", &call.name);
                    w.raw_field("arguments", &legal(&call.arguments));
                });
            }
        });
    })
}

/// The schema of an answer. Its fields' order is the order in which the model writes them: the text
/// before the calls, and a tool's name before its arguments.
fn write_schema(w: &mut Writer, tools: &[ToolSpec]) {
    write_object(w, r#"["say"]"#, |w| {
        w.raw_field("say", r#"{"type":"string"}"#);
        w.key("calls").object(|w| {
            w.text_field("type", "array");
            w.key("items").object(|w| {
                write_object(w, r#"["tool","arguments"]"#, |w| {
                    w.key("tool").object(|w| {
                        w.text_field("type", "string");
                        w.key("enum").array(|w| {
                            tools.iter().for_each(|tool| w.text(&tool.name));
                        });
                    });
                    w.raw_field("arguments", r#"{"type":"object"}"#);
                });
            });
        });
    });
}

fn write_object(w: &mut Writer, required: &str, properties: impl FnOnce(&mut Writer)) {
    w.text_field("type", "object");
    w.key("properties").object(properties);
    w.raw_field("required", required);
    w.raw_field("additionalProperties", "false");
}
