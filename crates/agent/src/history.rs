//! The history that a model is sent, made from the items.
//!
//! It is legal by construction: each round's message is followed by exactly one result for each of
//! its calls, in order, before anything that came later, also when the person wrote meanwhile.

use serde_json::Value;
use tabwright_llm::{AssistantCall, Message, Part};
use tabwright_protocol::{CallState, CutReason, MessageState};

use crate::item::{self, Body, Call, Item};

/// The messages for a request to `source`.
pub fn messages(items: &[Item], source: &str) -> Vec<Message> {
    let mut messages = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match &item.body {
            Body::User { .. } if answer_unaware_of(item, &items[index..]) => {}
            Body::User { text, .. } => messages.push(written(text)),
            Body::Assistant(message) if is_history(message) => {
                let calls = calls_of(&items[index..], item, message.round);
                let is_own = message.source == source;
                let opaque = |value: &Value| if is_own { value.clone() } else { Value::Null };
                messages.push(Message::Assistant {
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
                messages.extend(unseen_by(message, &items[..index]));
            }
            Body::Assistant(_) | Body::Call(_) | Body::Notice { .. } | Body::TurnEnd { .. } => {}
        }
    }
    tabwright_llm::make_legal(messages)
}

/// Whether an answer stands later in the conversation that was made without this message: the
/// message then comes after it.
fn answer_unaware_of(item: &Item, later: &[Item]) -> bool {
    let mut of_turn = later.iter().take_while(|answer| answer.turn == item.turn);
    of_turn.any(|answer| match &answer.body {
        Body::Assistant(message) => {
            is_history(message) && message.seen.is_some_and(|seen| seen <= item.position)
        }
        Body::User { .. } | Body::Call(_) | Body::Notice { .. } | Body::TurnEnd { .. } => false,
    })
}

/// What the person wrote before the answer came, and the model had not been shown.
fn unseen_by(message: &item::Message, before: &[Item]) -> Vec<Message> {
    let Some(seen) = message.seen else {
        return Vec::new();
    };
    before
        .iter()
        .filter(|item| item.position >= seen)
        .filter_map(|item| match &item.body {
            Body::User { text, .. } => Some(written(text)),
            Body::Assistant(_) | Body::Call(_) | Body::Notice { .. } | Body::TurnEnd { .. } => None,
        })
        .collect()
}

fn written(text: &str) -> Message {
    Message::User {
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
    later
        .iter()
        .take_while(|item| item.turn == of.turn)
        .filter_map(|item| match &item.body {
            Body::Call(call) if call.round == round => Some(call),
            Body::Call(_)
            | Body::User { .. }
            | Body::Assistant(_)
            | Body::Notice { .. }
            | Body::TurnEnd { .. } => None,
        })
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

fn result(call: &Call) -> Message {
    let is_error = match &call.state {
        CallState::Done { is_error, .. } => *is_error,
        CallState::Unknown | CallState::Waiting | CallState::Running { .. } => true,
    };
    Message::ToolResult {
        call_id: call.provider_id.clone(),
        tool: call.tool.clone(),
        text: call.model_text.clone(),
        is_error,
    }
}
