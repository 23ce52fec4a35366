//! The request: headers and body.

use tabwright_protocol::{Capability, ReasoningEffort};

use crate::fit::can;
use crate::json::legal;
use crate::kept::write_fields;
use crate::layout::{Block, blocks};
use crate::openai_chat::request::{effort_name, short_id};
use crate::write::Writer;
use crate::{ChatRequest, Endpoint, Image, LlmError, Message, Part, ToolSpec, WireRequest};

/// No call id is longer, in characters.
const LONGEST_ID: usize = 64;

pub(super) fn request(
    endpoint: &Endpoint,
    chat: &ChatRequest<'_>,
) -> Result<WireRequest, LlmError> {
    let url = endpoint.url_in("", "/responses")?;
    let model = endpoint.model()?;
    let key = endpoint.key()?.map(|key| format!("Bearer {key}"));
    let own: Vec<_> = key.into_iter().map(|key| ("authorization", key)).collect();
    let options = &endpoint.options;
    let body = Writer::document(|w| {
        w.text_field("model", model);
        w.raw_field("stream", "true");
        w.raw_field("store", "false");
        if thinks(endpoint, model) {
            w.raw_field("include", r#"["reasoning.encrypted_content"]"#);
        }
        if can(options.can.thinking)
            && let Some(effort) = options.reasoning
        {
            w.key("reasoning").object(|w| {
                w.text_field("effort", effort_name(effort));
                if effort != ReasoningEffort::Off {
                    w.text_field("summary", "auto");
                }
            });
        }
        w.hundredths_field("temperature", options.temperature);
        w.count_field("max_output_tokens", options.output_limit);
        if !chat.system.trim().is_empty() {
            w.text_field("instructions", chat.system);
        }
        if !chat.tools.is_empty() {
            w.key("tools").array(|w| {
                chat.tools.iter().for_each(|tool| write_tool(w, tool));
            });
            w.text_field("tool_choice", "auto");
            if !can(options.can.parallel_tools) {
                w.raw_field("parallel_tool_calls", "false");
            }
        }
        w.key("input").array(|w| {
            for message in chat.messages {
                write_items(w, message);
            }
        });
    });
    Ok(WireRequest {
        headers: endpoint.headers(&own)?,
        url,
        body,
    })
}

/// Whether the model's thoughts can be asked for: other models refuse the whole request then.
fn thinks(endpoint: &Endpoint, model: &str) -> bool {
    match endpoint.options.can.thinking {
        Capability::Yes => return true,
        Capability::No => return false,
        Capability::Unknown => {}
    }
    let name = model.rsplit('/').next().unwrap_or_default();
    let is_known = ["o1", "o3", "o4", "gpt-5", "gpt-oss", "codex"]
        .iter()
        .any(|family| name.starts_with(family));
    let asked = endpoint
        .options
        .reasoning
        .is_some_and(|effort| effort != ReasoningEffort::Off);
    asked || (is_known && !name.contains("-chat"))
}

fn write_tool(w: &mut Writer, tool: &ToolSpec) {
    w.object(|w| {
        w.text_field("type", "function");
        w.text_field("name", &tool.name);
        w.text_field("description", &tool.description);
        w.value_field("parameters", &tool.schema);
        // Else the schema would have to be of the strict kind.
        w.raw_field("strict", "false");
    });
}

fn write_items(w: &mut Writer, message: &Message) {
    match message {
        Message::User { parts } => w.object(|w| {
            w.text_field("role", "user");
            w.key("content").array(|w| {
                for part in parts {
                    match part {
                        Part::Text(text) => write_text(w, "input_text", text),
                        Part::Image(image) => write_image(w, image),
                    }
                }
            });
        }),
        Message::Assistant {
            text,
            thinking: _,
            calls,
            opaque,
        } => {
            for block in blocks(opaque, text, calls) {
                match block {
                    Block::Kept(json) => w.raw(json),
                    Block::Text(text, beside) => w.object(|w| {
                        w.text_field("type", "message");
                        w.text_field("role", "assistant");
                        w.key("content")
                            .array(|w| write_text(w, "output_text", text));
                        write_fields(w, beside);
                    }),
                    Block::Call(call) => w.object(|w| {
                        w.text_field("type", "function_call");
                        w.text_field("call_id", &short_id(&call.id, LONGEST_ID));
                        w.text_field("name", &call.name);
                        w.text_field("arguments", &legal(&call.arguments));
                    }),
                }
            }
        }
        Message::ToolResult {
            call_id,
            tool: _,
            text,
            images,
            is_error: _,
        } => w.object(|w| {
            w.text_field("type", "function_call_output");
            w.text_field("call_id", &short_id(call_id, LONGEST_ID));
            if images.is_empty() {
                w.text_field("output", text);
            } else {
                w.key("output").array(|w| {
                    write_text(w, "input_text", text);
                    images.iter().for_each(|image| write_image(w, image));
                });
            }
        }),
    }
}

fn write_text(w: &mut Writer, kind: &str, text: &str) {
    w.object(|w| {
        w.text_field("type", kind);
        w.text_field("text", text);
    });
}

fn write_image(w: &mut Writer, image: &Image) {
    w.object(|w| {
        w.text_field("type", "input_image");
        w.text_field("image_url", &image.data_url());
    });
}
