//! The request: headers and body.

use tabwright_protocol::ReasoningEffort;

use crate::fit::{LateImages, Shown, can};
use crate::json::legal;
use crate::kept::write_fields;
use crate::openai_chat::request::write_tool;
use crate::write::Writer;
use crate::{ChatRequest, Endpoint, LlmError, Message, WireRequest};

pub(super) fn request(
    endpoint: &Endpoint,
    chat: &ChatRequest<'_>,
) -> Result<WireRequest, LlmError> {
    let model = endpoint.model()?;
    let key = endpoint.key()?.map(|key| format!("Bearer {key}"));
    let own: Vec<_> = key.into_iter().map(|key| ("authorization", key)).collect();
    let options = &endpoint.options;
    let body = Writer::document(|w| {
        w.text_field("model", model);
        w.key("messages").array(|w| write_messages(w, chat));
        if !chat.tools.is_empty() {
            w.key("tools").array(|w| {
                chat.tools.iter().for_each(|tool| write_tool(w, tool));
            });
        }
        w.raw_field("stream", "true");
        // Rather an error than an answer to a prompt without its beginning.
        w.raw_field("truncate", "false");
        if can(options.can.thinking)
            && let Some(effort) = options.reasoning
        {
            write_effort(w, model, effort);
        }
        w.key("options").object(|w| {
            w.count_field("num_ctx", endpoint.context_window);
            w.hundredths_field("temperature", options.temperature);
            w.count_field("num_predict", options.output_limit);
        });
    });
    Ok(WireRequest {
        url: url(endpoint)?,
        headers: endpoint.headers(&own)?,
        body,
    })
}

/// People often have the address of the OpenAI side, which ends with its version.
fn url(endpoint: &Endpoint) -> Result<String, LlmError> {
    let address = endpoint.address.trim().trim_end_matches('/');
    let base = Endpoint {
        address: address.strip_suffix("/v1").unwrap_or(address).to_owned(),
        ..Endpoint::default()
    };
    base.url_in("/api", "/chat")
}

/// Most models can only be told whether to think; one family is told how much.
fn write_effort(w: &mut Writer, model: &str, effort: ReasoningEffort) {
    let level = match effort {
        ReasoningEffort::Off | ReasoningEffort::Minimal | ReasoningEffort::Low => "low",
        ReasoningEffort::Medium => "medium",
        ReasoningEffort::High => "high",
    };
    if model.contains("gpt-oss") {
        w.text_field("think", level);
    } else {
        let is_off = effort == ReasoningEffort::Off;
        w.raw_field("think", if is_off { "false" } else { "true" });
    }
}

fn write_messages(w: &mut Writer, chat: &ChatRequest<'_>) {
    if !chat.system.trim().is_empty() {
        write_message(w, "system", chat.system, |_| {});
    }
    let mut late = LateImages::new();
    for message in chat.messages {
        match message {
            Message::User { parts } => write_user(w, &late.before(parts)),
            Message::Assistant {
                text,
                thinking: _,
                calls,
                opaque,
            } => {
                if !late.is_empty() {
                    write_user(w, &late.before(&[]));
                }
                write_message(w, "assistant", text, |w| {
                    if !calls.is_empty() {
                        w.key("tool_calls").array(|w| {
                            for call in calls {
                                write_call(w, &call.name, &call.arguments);
                            }
                        });
                    }
                    write_fields(w, opaque);
                });
            }
            Message::ToolResult {
                call_id: _,
                tool,
                text,
                images,
                is_error: _,
            } => {
                late.keep(tool, images);
                write_message(w, "tool", text, |w| w.text_field("tool_name", tool));
            }
        }
    }
    if !late.is_empty() {
        write_user(w, &late.before(&[]));
    }
}

fn write_message(w: &mut Writer, role: &str, content: &str, more: impl FnOnce(&mut Writer)) {
    w.object(|w| {
        w.text_field("role", role);
        w.text_field("content", content);
        more(w);
    });
}

fn write_user(w: &mut Writer, parts: &[Shown<'_>]) {
    let texts: Vec<_> = parts.iter().filter_map(Shown::text).collect();
    write_message(w, "user", &texts.join("\n\n"), |w| {
        if texts.len() == parts.len() {
            return;
        }
        w.key("images").array(|w| {
            for part in parts {
                match part {
                    Shown::Text(_) | Shown::ImagesOf(_) => {}
                    Shown::Image(image) => w.text(&image.data),
                }
            }
        });
    });
}

fn write_call(w: &mut Writer, name: &str, arguments: &str) {
    w.object(|w| {
        w.key("function").object(|w| {
            w.text_field("name", name);
            w.raw_field("arguments", &legal(arguments));
        });
    });
}
