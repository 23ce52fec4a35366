//! The history that a model is sent, made from the items.
//!
//! It is legal by construction: each round's message is followed by exactly one result for each of
//! its calls, in order, before anything that came later, also when the person wrote meanwhile.

use tabwright_llm::{AssistantCall, Message, Part};
use tabwright_protocol::{CallState, CutReason, MessageState};

use crate::item::{self, Body, Call, Item};

/// The messages for a request.
pub fn messages(items: &[Item]) -> Vec<Message> {
    let mut messages = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match &item.body {
            Body::User { text, .. } => messages.push(Message::User {
                parts: vec![Part::Text(text.clone())],
            }),
            Body::Assistant(message) if is_history(message) => {
                let calls = calls_of(&items[index..], item, message.round);
                messages.push(Message::Assistant {
                    text: message.text.clone(),
                    thinking: message.thinking.clone(),
                    calls: calls.iter().map(|call| asked(call)).collect(),
                    opaque: message.opaque.clone(),
                });
                messages.extend(calls.into_iter().map(result));
            }
            Body::Assistant(_) | Body::Call(_) | Body::Notice { .. } | Body::TurnEnd { .. } => {}
        }
    }
    tabwright_llm::make_legal(messages)
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
        opaque: call.opaque.clone(),
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
