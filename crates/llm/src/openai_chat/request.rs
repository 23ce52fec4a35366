//! The request: headers and body.

use crate::fit::{LateImages, Shown, can};
use crate::kept::write_fields;
use crate::write::Writer;
use crate::{AssistantCall, ChatRequest, Endpoint, LlmError, Message, ToolSpec, WireRequest};

use tabwright_protocol::{Capability, ReasoningEffort};

pub(super) fn request(
    endpoint: &Endpoint,
    chat: &ChatRequest<'_>,
) -> Result<WireRequest, LlmError> {
    let url = endpoint.url("/chat/completions")?;
    let model = endpoint.model()?;
    let key = endpoint.key()?.map(|key| format!("Bearer {key}"));
    let own: Vec<_> = key.into_iter().map(|key| ("authorization", key)).collect();
    let options = &endpoint.options;
    let body = Writer::document(|w| {
        w.text_field("model", model);
        w.key("messages").array(|w| messages(w, chat));
        // Some servers refuse an empty list, and a choice without a list.
        if !chat.tools.is_empty() {
            w.key("tools").array(|w| {
                chat.tools.iter().for_each(|tool| write_tool(w, tool));
            });
            w.text_field("tool_choice", "auto");
            if !can(options.can.parallel_tools) {
                w.raw_field("parallel_tool_calls", "false");
            }
        }
        w.raw_field("stream", "true");
        w.raw_field("stream_options", r#"{"include_usage":true}"#);
        // Brokers hand on only what was asked for; nobody else has a model that makes images.
        if options.can.image_output == Capability::Yes {
            w.raw_field("modalities", r#"["image","text"]"#);
        }
        w.hundredths_field("temperature", options.temperature);
        w.count_field(limit_name(&url), options.output_limit);
        if can(options.can.thinking)
            && let Some(effort) = options.reasoning
        {
            w.text_field("reasoning_effort", effort_name(effort));
        }
    });
    Ok(WireRequest {
        headers: endpoint.headers(&own)?,
        url,
        body,
    })
}

/// The maker of the format has renamed the field and refuses the old name; everybody else knows the
/// old one.
fn limit_name(url: &str) -> &'static str {
    if url.contains(".openai.com/") || url.contains(".openai.azure.com/") {
        "max_completion_tokens"
    } else {
        "max_tokens"
    }
}

/// OpenAI's word for it.
pub(crate) fn effort_name(effort: ReasoningEffort) -> &'static str {
    match effort {
        ReasoningEffort::Off => "none",
        ReasoningEffort::Minimal => "minimal",
        ReasoningEffort::Low => "low",
        ReasoningEffort::Medium => "medium",
        ReasoningEffort::High => "high",
    }
}

/// A tool in the form that others have taken over.
pub(crate) fn write_tool(w: &mut Writer, tool: &ToolSpec) {
    w.object(|w| {
        w.text_field("type", "function");
        w.key("function").object(|w| {
            w.text_field("name", &tool.name);
            w.text_field("description", &tool.description);
            w.value_field("parameters", &tool.schema);
        });
    });
}

fn messages(w: &mut Writer, chat: &ChatRequest<'_>) {
    if !chat.system.trim().is_empty() {
        w.object(|w| {
            w.text_field("role", "system");
            w.text_field("content", chat.system);
        });
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
                // The results before it had images, and no word of the person came in between.
                if !late.is_empty() {
                    write_user(w, &late.before(&[]));
                }
                w.object(|w| {
                    w.text_field("role", "assistant");
                    // A message of calls only has no content; an empty one is refused by some.
                    match text.as_str() {
                        "" => w.raw_field("content", "null"),
                        text => w.text_field("content", text),
                    }
                    if !calls.is_empty() {
                        w.key("tool_calls").array(|w| {
                            calls.iter().for_each(|call| write_call(w, call));
                        });
                    }
                    write_fields(w, opaque);
                });
            }
            Message::ToolResult {
                call_id,
                tool,
                text,
                images,
                is_error: _,
            } => {
                late.keep(tool, images);
                w.object(|w| {
                    w.text_field("role", "tool");
                    w.text_field("tool_call_id", call_id);
                    w.text_field("content", text);
                });
            }
        }
    }
    if !late.is_empty() {
        write_user(w, &late.before(&[]));
    }
}

/// One string where there are texts only: every server takes that. With images a list of parts.
fn write_user(w: &mut Writer, parts: &[Shown<'_>]) {
    let texts: Vec<_> = parts.iter().filter_map(Shown::text).collect();
    w.object(|w| {
        w.text_field("role", "user");
        if texts.len() == parts.len() {
            w.text_field("content", &texts.join("\n\n"));
            return;
        }
        w.key("content").array(|w| {
            for part in parts {
                w.object(|w| write_part(w, part));
            }
        });
    });
}

fn write_part(w: &mut Writer, part: &Shown<'_>) {
    match part {
        Shown::Text(_) | Shown::ImagesOf(_) => {
            w.text_field("type", "text");
            w.text_field("text", &part.text().unwrap_or_default());
        }
        Shown::Image(image) => {
            w.text_field("type", "image_url");
            w.key("image_url")
                .object(|w| w.text_field("url", &image.data_url()));
        }
    }
}

fn write_call(w: &mut Writer, call: &AssistantCall) {
    w.object(|w| {
        w.text_field("id", &call.id);
        w.text_field("type", "function");
        w.key("function").object(|w| {
            w.text_field("name", &call.name);
            w.text_field("arguments", &call.arguments);
        });
        write_fields(w, &call.opaque);
    });
}
