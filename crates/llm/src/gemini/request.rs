//! The request: headers and body.

use serde_json::Value;
use tabwright_protocol::{Capability, ReasoningEffort};

use crate::fit::can;
use crate::json::legal;
use crate::kept::{fields, write_fields};
use crate::layout::{Block, blocks};
use crate::write::Writer;
use crate::{
    AssistantCall, ChatRequest, Endpoint, Image, LlmError, Message, Part, ToolSpec, WireRequest,
};

/// What Gemini takes in the place of a signature, for a call that another model made.
pub(crate) const NO_SIGNATURE: &str = "skip_thought_signature_validator";

pub(super) fn request(
    endpoint: &Endpoint,
    chat: &ChatRequest<'_>,
) -> Result<WireRequest, LlmError> {
    let model = endpoint.model()?;
    let url = url(endpoint, model)?;
    // Never in the address, where it would be logged.
    let key = endpoint.key()?.map(str::to_owned);
    let own: Vec<_> = key.into_iter().map(|key| ("x-goog-api-key", key)).collect();
    let body = Writer::document(|w| {
        if !chat.system.trim().is_empty() {
            w.key("systemInstruction").object(|w| {
                w.key("parts")
                    .array(|w| write_text(w, chat.system, &Value::Null))
            });
        }
        w.key("contents").array(|w| write_contents(w, model, chat));
        if !chat.tools.is_empty() {
            w.key("tools").array(|w| {
                w.object(|w| {
                    w.key("functionDeclarations").array(|w| {
                        chat.tools.iter().for_each(|tool| write_tool(w, tool));
                    });
                });
            });
        }
        write_config(w, endpoint, model);
    });
    Ok(WireRequest {
        headers: endpoint.headers(&own)?,
        url,
        body,
    })
}

fn url(endpoint: &Endpoint, model: &str) -> Result<String, LlmError> {
    let name = model.strip_prefix("models/").unwrap_or(model);
    let folder = if name.contains('/') { "" } else { "/models" };
    let mut path = format!("{folder}/");
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'/' | b'@' => {
                path.push(char::from(byte));
            }
            _ => path.push_str(&format!("%{byte:02X}")),
        }
    }
    path.push_str(":streamGenerateContent");
    let url = endpoint.url_in("/v1beta", &path)?;
    let joint = if url.contains('?') { '&' } else { '?' };
    Ok(format!("{url}{joint}alt=sse"))
}

fn write_config(w: &mut Writer, endpoint: &Endpoint, model: &str) {
    let options = &endpoint.options;
    w.key("generationConfig").object(|w| {
        w.hundredths_field("temperature", options.temperature);
        w.count_field("maxOutputTokens", options.output_limit);
        if options.can.image_output == Capability::Yes {
            w.raw_field("responseModalities", r#"["TEXT","IMAGE"]"#);
        }
        let says_it_thinks = match options.can.thinking {
            Capability::Yes => true,
            Capability::Unknown | Capability::No => false,
        };
        if !can(options.can.thinking) || (options.reasoning.is_none() && !says_it_thinks) {
            return;
        }
        w.key("thinkingConfig").object(|w| {
            let is_off = options.reasoning == Some(ReasoningEffort::Off);
            w.raw_field("includeThoughts", if is_off { "false" } else { "true" });
            if let Some(effort) = options.reasoning {
                write_effort(w, model, effort);
            }
        });
    });
}

/// Gemini 2.5 is told a number of tokens, later ones a level. The large ones cannot be switched off.
fn write_effort(w: &mut Writer, model: &str, effort: ReasoningEffort) {
    let is_large = model.contains("pro");
    let (budget, level) = match effort {
        ReasoningEffort::Off if is_large => (128, "low"),
        ReasoningEffort::Off => (0, "minimal"),
        ReasoningEffort::Minimal if is_large => (512, "low"),
        ReasoningEffort::Minimal => (512, "minimal"),
        ReasoningEffort::Low => (2_048, "low"),
        ReasoningEffort::Medium => (8_192, "medium"),
        ReasoningEffort::High => (24_576, "high"),
    };
    if model.contains("gemini-2") {
        w.count_field("thinkingBudget", Some(budget));
    } else {
        w.text_field("thinkingLevel", level);
    }
}

fn write_tool(w: &mut Writer, tool: &ToolSpec) {
    w.object(|w| {
        w.text_field("name", &tool.name);
        w.text_field("description", &tool.description);
        // An object without fields is refused; no schema says the same.
        let properties = tool.schema.get("properties").and_then(Value::as_object);
        if properties.is_some_and(|properties| !properties.is_empty()) {
            w.value_field("parametersJsonSchema", &tool.schema);
        }
    });
}

fn write_contents(w: &mut Writer, model: &str, chat: &ChatRequest<'_>) {
    // The ids of the last message's calls that the server gave.
    let mut own: Vec<&str> = Vec::new();
    // Results and what the person says after them are one message.
    for turn in chat
        .messages
        .chunk_by(|before, after| is_persons(before) && is_persons(after))
    {
        w.object(|w| {
            let is_persons = turn.first().is_some_and(is_persons);
            w.text_field("role", if is_persons { "user" } else { "model" });
            w.key("parts").array(|w| {
                for message in turn {
                    write_parts(w, model, message, &mut own);
                }
            });
        });
    }
}

fn is_persons(message: &Message) -> bool {
    match message {
        Message::User { .. } | Message::ToolResult { .. } => true,
        Message::Assistant { .. } => false,
    }
}

fn write_parts<'a>(w: &mut Writer, model: &str, message: &'a Message, own: &mut Vec<&'a str>) {
    match message {
        Message::User { parts } => {
            for part in parts {
                match part {
                    Part::Text(text) => write_text(w, text, &Value::Null),
                    Part::Image(image) => write_image(w, image),
                }
            }
        }
        Message::Assistant {
            text,
            thinking: _,
            calls,
            opaque,
        } => {
            own.clear();
            own.extend(
                calls
                    .iter()
                    .filter(|call| call.opaque.get("id").is_some())
                    .map(|call| call.id.as_str()),
            );
            let mut unsigned = wants_signatures(model) && !calls.iter().any(is_signed);
            for block in blocks(opaque, text, calls) {
                match block {
                    // There is no such block here.
                    Block::Kept(_) => {}
                    Block::Text(text, beside) => write_text(w, text, beside),
                    Block::Call(call) => {
                        write_call(w, call, own.contains(&call.id.as_str()), unsigned);
                        unsigned = false;
                    }
                }
            }
        }
        Message::ToolResult {
            call_id,
            tool,
            text,
            images,
            is_error,
        } => {
            w.object(|w| {
                w.key("functionResponse").object(|w| {
                    if own.contains(&call_id.as_str()) {
                        w.text_field("id", call_id);
                    }
                    w.text_field("name", tool);
                    let name = if *is_error { "error" } else { "output" };
                    w.key("response").object(|w| w.text_field(name, text));
                });
            });
            images.iter().for_each(|image| write_image(w, image));
        }
    }
}

/// Whether the model refuses calls of which none is signed.
pub(crate) fn wants_signatures(model: &str) -> bool {
    model.contains("gemini") && !model.contains("gemini-1") && !model.contains("gemini-2")
}

fn is_signed(call: &AssistantCall) -> bool {
    call.opaque.get("thoughtSignature").is_some()
}

fn write_call(w: &mut Writer, call: &AssistantCall, with_id: bool, unsigned: bool) {
    w.object(|w| {
        w.key("functionCall").object(|w| {
            if with_id {
                w.text_field("id", &call.id);
            }
            w.text_field("name", &call.name);
            w.raw_field("args", &legal(&call.arguments));
        });
        for (name, value) in fields(&call.opaque).filter(|(name, _)| *name != "id") {
            w.raw_field(name, value.get());
        }
        if unsigned {
            w.text_field("thoughtSignature", NO_SIGNATURE);
        }
    });
}

fn write_text(w: &mut Writer, text: &str, beside: &Value) {
    w.object(|w| {
        w.text_field("text", text);
        write_fields(w, beside);
    });
}

fn write_image(w: &mut Writer, image: &Image) {
    w.object(|w| {
        w.key("inlineData").object(|w| {
            w.text_field("mimeType", &image.media_type);
            w.text_field("data", &image.data);
        });
    });
}
