//! The request: headers and body.

use tabwright_protocol::ReasoningEffort;

use crate::fit::can;
use crate::json::legal;
use crate::layout::{Block, blocks};
use crate::write::Writer;
use crate::{ChatRequest, Endpoint, Image, LlmError, Message, Part, WireRequest};

/// Marks the end of what the provider's cache shall keep.
const CACHE: &str = r#"{"type":"ephemeral"}"#;
/// The person's last messages whose ends are marked: the last, and the one whose mark the round
/// before has written.
const MARKED: usize = 2;
/// A thought cannot be limited to less.
const LEAST_BUDGET: u32 = 1_024;
/// Models that can only be told how many tokens to think, by a part of their names.
const BUDGETED: [&str; 10] = [
    "claude-2",
    "claude-3",
    "opus-4-0",
    "opus-4-1",
    "opus-4-2",
    "opus-4-5",
    "sonnet-4-0",
    "sonnet-4-2",
    "sonnet-4-5",
    "haiku-4-5",
];

pub(super) fn request(
    endpoint: &Endpoint,
    chat: &ChatRequest<'_>,
) -> Result<WireRequest, LlmError> {
    let url = endpoint.url_in("/v1", "/messages")?;
    let model = endpoint.model()?;
    let mut own = vec![
        ("anthropic-version", "2023-06-01".to_owned()),
        // Without it a request that has an origin, as a browser's has, is refused.
        (
            "anthropic-dangerous-direct-browser-access",
            "true".to_owned(),
        ),
    ];
    if let Some(key) = endpoint.key()? {
        own.push(("x-api-key", key.to_owned()));
        // Others with the same format want it where everybody else has it.
        if !url.contains(".anthropic.com/") {
            own.push(("authorization", format!("Bearer {key}")));
        }
    }
    let limit = output_limit(endpoint, model);
    let body = Writer::document(|w| {
        w.text_field("model", model);
        w.count_field("max_tokens", Some(limit));
        w.raw_field("stream", "true");
        if !write_thinking(w, endpoint, model, limit, chat) {
            w.hundredths_field("temperature", endpoint.options.temperature);
        }
        write_tools(w, endpoint, chat);
        if !chat.system.trim().is_empty() {
            w.key("system").array(|w| write_text(w, chat.system, true));
        }
        w.key("messages").array(|w| write_messages(w, chat));
    });
    Ok(WireRequest {
        headers: endpoint.headers(&own)?,
        url,
        body,
    })
}

/// The format demands a limit. Where the person has set none, it is one that the model takes, and
/// no more than the room that is left free for an answer.
fn output_limit(endpoint: &Endpoint, model: &str) -> u32 {
    if let Some(limit) = endpoint.options.output_limit {
        return limit.max(1);
    }
    let takes = if model.contains("claude-3-opus") || model.contains("claude-3-haiku") {
        4_096
    } else if model.contains("claude") && !model.contains("claude-3") {
        32_000
    } else {
        8_192
    };
    let free = endpoint.context_window.map(|tokens| tokens / 20 * 3);
    free.map_or(takes, |free| takes.min(free.max(LEAST_BUDGET)))
}

/// Says whether the model is asked to think: then it takes no temperature.
fn write_thinking(
    w: &mut Writer,
    endpoint: &Endpoint,
    model: &str,
    limit: u32,
    chat: &ChatRequest<'_>,
) -> bool {
    let (effort, budget) = match endpoint.options.reasoning {
        // Nothing is what switches it off: newer models refuse to be told so.
        None | Some(ReasoningEffort::Off) => return false,
        Some(ReasoningEffort::Minimal) => ("low", LEAST_BUDGET),
        Some(ReasoningEffort::Low) => ("low", 2_048),
        Some(ReasoningEffort::Medium) => ("medium", 8_192),
        Some(ReasoningEffort::High) => ("high", 24_576),
    };
    if !can(endpoint.options.can.thinking) {
        return false;
    }
    if model.contains("claude") && !is_budgeted(model) {
        w.raw_field("thinking", r#"{"type":"adaptive","display":"summarized"}"#);
        w.key("output_config")
            .object(|w| w.text_field("effort", effort));
        return true;
    }
    if model.contains("claude") && goes_on_without_thoughts(chat) {
        return false;
    }
    // Half of the answer's room, at most, is for thinking.
    let budget = budget.min(limit / 2);
    if budget < LEAST_BUDGET {
        return false;
    }
    w.key("thinking").object(|w| {
        w.text_field("type", "enabled");
        w.count_field("budget_tokens", Some(budget));
    });
    true
}

/// Whether the last calls do not begin with a thought of the provider's own, because another model
/// made them or because it was not asked to think then: such a model refuses to think on from them.
fn goes_on_without_thoughts(chat: &ChatRequest<'_>) -> bool {
    let asked = chat
        .messages
        .iter()
        .rev()
        .find_map(|message| match message {
            Message::User { .. } | Message::ToolResult { .. } => None,
            Message::Assistant {
                text,
                thinking: _,
                calls,
                opaque,
            } => Some((text, calls, opaque)),
        });
    asked.is_some_and(|(text, calls, opaque)| {
        let first = blocks(opaque, text, calls).into_iter().next();
        !calls.is_empty() && !matches!(first, Some(Block::Kept(_)))
    })
}

/// Vendors part the version and the date from the name in different ways.
fn is_budgeted(model: &str) -> bool {
    let name = model.replace(['.', '@', ':'], "-");
    name.ends_with("-4") || BUDGETED.iter().any(|known| name.contains(known))
}

fn write_tools(w: &mut Writer, endpoint: &Endpoint, chat: &ChatRequest<'_>) {
    let Some(last) = chat.tools.len().checked_sub(1) else {
        return;
    };
    w.key("tools").array(|w| {
        for (place, tool) in chat.tools.iter().enumerate() {
            w.object(|w| {
                w.text_field("name", &tool.name);
                w.text_field("description", &tool.description);
                w.value_field("input_schema", &tool.schema);
                mark(w, place == last);
            });
        }
    });
    if !can(endpoint.options.can.parallel_tools) {
        w.raw_field(
            "tool_choice",
            r#"{"type":"auto","disable_parallel_tool_use":true}"#,
        );
    }
}

fn write_messages(w: &mut Writer, chat: &ChatRequest<'_>) {
    // Results and what the person says after them are one message.
    let turns = || {
        chat.messages
            .chunk_by(|before, after| is_persons(before) && is_persons(after))
    };
    let mut left = turns()
        .filter(|turn| turn.first().is_some_and(is_persons))
        .count();
    for turn in turns() {
        w.object(|w| {
            let is_persons = turn.first().is_some_and(is_persons);
            w.text_field("role", if is_persons { "user" } else { "assistant" });
            w.key("content").array(|w| {
                for (place, message) in turn.iter().enumerate() {
                    let is_last = place + 1 == turn.len();
                    write_blocks(w, message, is_last && left <= MARKED);
                }
            });
            left -= usize::from(is_persons);
        });
    }
}

fn is_persons(message: &Message) -> bool {
    match message {
        Message::User { .. } | Message::ToolResult { .. } => true,
        Message::Assistant { .. } => false,
    }
}

fn write_blocks(w: &mut Writer, message: &Message, marked: bool) {
    match message {
        Message::User { parts } => {
            for (place, part) in parts.iter().enumerate() {
                let marked = marked && place + 1 == parts.len();
                match part {
                    Part::Text(text) => write_text(w, text, marked),
                    Part::Image(image) => write_image(w, image, marked),
                }
            }
        }
        Message::Assistant {
            text,
            thinking: _,
            calls,
            opaque,
        } => {
            for block in blocks(opaque, text, calls) {
                match block {
                    Block::Kept(json) => w.raw(json),
                    Block::Text(text, _) => write_text(w, text, false),
                    Block::Call(call) => w.object(|w| {
                        w.text_field("type", "tool_use");
                        w.text_field("id", &id(&call.id));
                        w.text_field("name", &call.name);
                        w.raw_field("input", &legal(&call.arguments));
                    }),
                }
            }
        }
        Message::ToolResult {
            call_id,
            tool: _,
            text,
            images,
            is_error,
        } => w.object(|w| {
            w.text_field("type", "tool_result");
            w.text_field("tool_use_id", &id(call_id));
            if images.is_empty() {
                w.text_field("content", text);
            } else {
                w.key("content").array(|w| {
                    write_text(w, text, false);
                    images.iter().for_each(|image| write_image(w, image, false));
                });
            }
            if *is_error {
                w.raw_field("is_error", "true");
            }
            mark(w, marked);
        }),
    }
}

fn write_text(w: &mut Writer, text: &str, marked: bool) {
    w.object(|w| {
        w.text_field("type", "text");
        w.text_field("text", text);
        mark(w, marked);
    });
}

fn write_image(w: &mut Writer, image: &Image, marked: bool) {
    w.object(|w| {
        w.text_field("type", "image");
        w.key("source").object(|w| {
            w.text_field("type", "base64");
            w.text_field("media_type", &image.media_type);
            w.text_field("data", &image.data);
        });
        mark(w, marked);
    });
}

fn mark(w: &mut Writer, marked: bool) {
    if marked {
        w.raw_field("cache_control", CACHE);
    }
}

/// A call's id of the few characters that are allowed; another provider's may have others, and two
/// ids that differ must go on to differ.
fn id(id: &str) -> String {
    let mut legal = String::with_capacity(id.len());
    for c in id.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => legal.push(c),
            _ => legal.push_str(&format!("_{:x}", u32::from(c))),
        }
    }
    legal
}
