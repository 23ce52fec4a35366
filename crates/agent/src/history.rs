//! The history that a model is sent, made from the items.
//!
//! It is legal by construction: each round's message is followed by exactly one result for each of
//! its calls, in order, before anything that came later, also when the person wrote meanwhile.
//! What was summed up is not in it: the summary stands in its place.

use serde_json::{Value, json};
pub use tabwright_llm::Message as Said;
use tabwright_llm::{AssistantCall, Part};
use tabwright_protocol::{CallState, CutReason, MessageState};

use crate::item::{self, Body, Call, Item};

/// The messages for a request to `source`.
pub fn messages(items: &[Item], source: &str) -> Vec<Said> {
    tabwright_llm::make_legal(up_to(items, u32::MAX, source))
}

/// The messages for a summary of everything before the position `keep`, with what is asked for.
pub fn to_sum_up(items: &[Item], keep: u32, source: &str, asked: &str) -> Vec<Said> {
    let mut messages = up_to(items, keep, source);
    messages.push(written(asked));
    tabwright_llm::make_legal(messages)
}

/// The messages for a last word.
pub fn to_close(items: &[Item], source: &str, asked: &str) -> Vec<Said> {
    let mut messages = up_to(items, u32::MAX, source);
    messages.push(written(asked));
    tabwright_llm::make_legal(messages)
}

/// The last summary, with the items that the model still sees as they were.
pub fn in_view(items: &[Item]) -> (Option<(&str, u32)>, &[Item]) {
    let summary = items.iter().rev().find_map(|item| match &item.body {
        Body::Summary { text, keep, .. } => Some((text.as_str(), *keep)),
        Body::User { .. }
        | Body::Assistant(_)
        | Body::Call(_)
        | Body::Notice { .. }
        | Body::Hint { .. }
        | Body::Question { .. }
        | Body::Gone { .. }
        | Body::TurnEnd { .. } => None,
    });
    let Some((_, keep)) = summary else {
        return (None, items);
    };
    let first = items.partition_point(|item| item.position < keep);
    (summary, &items[first..])
}

/// Bytes of the history that a request would hold.
pub fn weight(items: &[Item]) -> u64 {
    let (summary, rest) = in_view(items);
    let kept: u64 = rest
        .iter()
        .filter(|item| !matches!(item.body, Body::Summary { .. }))
        .map(|item| item.body.weight())
        .sum();
    kept + summary.map_or(0, |(text, _)| text.len() as u64)
}

fn up_to(items: &[Item], end: u32, source: &str) -> Vec<Said> {
    let (summary, rest) = in_view(items);
    let mut messages = Vec::new();
    if let Some((text, keep)) = summary {
        messages.push(written(&summed_up(text, &asked_before(items, keep))));
    }
    for (index, item) in rest.iter().enumerate() {
        if item.position >= end {
            break;
        }
        match &item.body {
            Body::User { .. } if answer_unaware_of(item, &rest[index..]) => {}
            Body::User { text, .. } => messages.push(written(text)),
            Body::Hint { text, .. } => messages.push(written(&format!("[Tabwright] {text}"))),
            Body::Assistant(message) if is_history(message) => {
                let calls = calls_of(&rest[index..], item, message.round);
                let is_own = message.source == source;
                let opaque = |value: &Value| if is_own { value.clone() } else { Value::Null };
                messages.push(Said::Assistant {
                    text: message.text.clone(),
                    thinking: message.thinking.clone(),
                    calls: calls
                        .iter()
                        .map(|call| AssistantCall {
                            opaque: opaque(&call.opaque),
                            ..asked(call)
                        })
                        .collect(),
                    opaque: opaque(&message.opaque),
                });
                messages.extend(calls.into_iter().map(result));
                messages.extend(unseen_by(message, &rest[..index]));
            }
            Body::Assistant(_)
            | Body::Call(_)
            | Body::Notice { .. }
            | Body::Question { .. }
            | Body::Summary { .. }
            | Body::Gone { .. }
            | Body::TurnEnd { .. } => {}
        }
    }
    messages
}

/// The summary as the model gets it. The person's own words of a turn that goes on are not left to
/// a summary.
fn summed_up(text: &str, asked: &[&str]) -> String {
    let mut whole =
        format!("[Tabwright] The conversation so far, summed up to save room:\n\n{text}");
    if !asked.is_empty() {
        whole.push_str("\n\nThe person's last request, word for word:\n\n");
        whole.push_str(&asked.join("\n\n"));
    }
    whole
}

/// What the person wrote in the turn that the first kept position is in the middle of.
fn asked_before(items: &[Item], keep: u32) -> Vec<&str> {
    let Some(turn) = items
        .iter()
        .find(|item| item.position >= keep && item.body.weight() > 0)
        .map(|item| &item.turn)
    else {
        return Vec::new();
    };
    items
        .iter()
        .take_while(|item| item.position < keep)
        .filter(|item| item.turn == *turn)
        .filter_map(|item| item.body.written())
        .collect()
}

/// Whether an answer stands later in the conversation that was made without this message: the
/// message then comes after it.
fn answer_unaware_of(item: &Item, later: &[Item]) -> bool {
    let mut of_turn = later.iter().take_while(|answer| answer.turn == item.turn);
    of_turn.any(|answer| {
        answer.body.message().is_some_and(|message| {
            is_history(message) && message.seen.is_some_and(|seen| seen <= item.position)
        })
    })
}

/// What the person wrote before the answer came, and the model had not been shown.
fn unseen_by(message: &item::Message, before: &[Item]) -> Vec<Said> {
    let Some(seen) = message.seen else {
        return Vec::new();
    };
    let mut unseen: Vec<Said> = before
        .iter()
        .rev()
        .take_while(|item| item.position >= seen)
        .filter_map(|item| item.body.written().map(written))
        .collect();
    unseen.reverse();
    unseen
}

fn written(text: &str) -> Said {
    Said::User {
        parts: vec![Part::Text(text.to_owned())],
    }
}

/// A message that was lost on the way was asked for again: the model sees the second one only.
fn is_history(message: &item::Message) -> bool {
    match &message.state {
        MessageState::Complete => true,
        MessageState::Streaming => false,
        MessageState::Cut { reason } => match reason {
            CutReason::Stopped | CutReason::Length | CutReason::Refused => true,
            CutReason::Interrupted | CutReason::Connection => false,
        },
    }
}

fn calls_of<'a>(later: &'a [Item], of: &Item, round: u32) -> Vec<&'a Call> {
    let of_turn = later.iter().take_while(|item| item.turn == of.turn);
    // The calls stand right after their message; what follows the next message is not looked at.
    let next = |item: &Item| {
        let message = item.body.message();
        message.is_some_and(|message| message.round > round)
    };
    of_turn
        .take_while(|item| !next(item))
        .filter_map(|item| item.body.call())
        .filter(|call| call.round == round)
        .collect()
}

fn asked(call: &Call) -> AssistantCall {
    AssistantCall {
        id: call.provider_id.clone(),
        name: call.tool.clone(),
        arguments: call.arguments.clone(),
        opaque: Value::Null,
    }
}

fn result(call: &Call) -> Said {
    let is_error = match &call.state {
        CallState::Done { is_error, .. } => *is_error,
        CallState::Unknown
        | CallState::Waiting
        | CallState::Running { .. }
        | CallState::AwaitingApproval { .. }
        | CallState::Asking { .. } => true,
    };
    Said::ToolResult {
        call_id: call.provider_id.clone(),
        tool: call.tool.clone(),
        text: if call.left_out {
            left_out(call)
        } else {
            call.model_text.clone()
        },
        images: Vec::new(),
        is_error,
    }
}

/// What stands in the place of a result that was left out to save room.
fn left_out(call: &Call) -> String {
    let characters = call.model_text.chars().count();
    let how = match &call.file {
        Some(file) => json!({
            "left_out": true, "characters": characters, "file": file,
            "hint": "Left out to save room. Read the file with opfs_read if you need it again.",
        }),
        None => json!({
            "left_out": true, "characters": characters,
            "hint": "Left out to save room. Make the call again if you need it.",
        }),
    };
    how.to_string()
}
