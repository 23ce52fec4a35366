//! Items as views see them. The one place where model text becomes blocks.

use tabwright_markdown::blocks;
use tabwright_protocol::{ItemBody, ItemView, NoticeLevel};

use crate::item::{Body, Item};

/// The item as a view sees it.
pub fn view(item: &Item) -> ItemView {
    ItemView {
        id: item.id.clone(),
        position: item.position,
        seq: item.seq,
        turn: item.turn.clone(),
        at: item.at,
        body: body(&item.body),
    }
}

fn body(body: &Body) -> ItemBody {
    match body {
        Body::User { text, tab: _ } => ItemBody::UserMessage { text: text.clone() },
        Body::Assistant(message) => ItemBody::AssistantMessage {
            blocks: blocks(&message.text),
            text: message.text.clone(),
            thinking: message.thinking.clone(),
            state: message.state.clone(),
            model: message.model.clone(),
        },
        Body::Call(call) => ItemBody::ToolCall {
            call: call.call.clone(),
            tool: call.tool.clone(),
            title: call.title.clone(),
            arguments: call.arguments.clone(),
            state: call.state.clone(),
            attempts: call.attempts,
            child: call.child.clone(),
        },
        Body::Hint { code, text } => ItemBody::Notice {
            level: NoticeLevel::Warning,
            code: code.clone(),
            text: text.clone(),
        },
        Body::Question {
            question,
            options,
            state,
        } => ItemBody::Question {
            question: question.clone(),
            options: options.clone(),
            state: state.clone(),
        },
        Body::Summary { text, by_model, .. } => ItemBody::Summary {
            blocks: blocks(text),
            text: text.clone(),
            by_model: *by_model,
        },
        Body::Gone { .. } => ItemBody::Gone,
        Body::Notice { level, code, text } => ItemBody::Notice {
            level: *level,
            code: code.clone(),
            text: text.clone(),
        },
        Body::TurnEnd {
            reason,
            usage,
            millis,
        } => ItemBody::TurnEnd {
            reason: *reason,
            usage: *usage,
            millis: *millis,
        },
    }
}
