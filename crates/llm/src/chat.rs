//! What is said to a model and what it answers, in no provider's format.
//!
//! `opaque` values are a provider's own: whoever keeps a conversation stores them and hands them
//! back with the message or call they came with, but only to the endpoint they came from.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tabwright_protocol::Usage;

/// One request to a model.
#[derive(Clone, Copy, Debug)]
pub struct ChatRequest<'a> {
    /// The system prompt; empty for none.
    pub system: &'a str,
    /// The conversation, legal as [`crate::make_legal`] makes it.
    pub messages: &'a [Message],
    /// The tools the model may call.
    pub tools: &'a [ToolSpec],
}

/// A message of the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    /// From the person.
    User {
        /// What it holds.
        parts: Vec<Part>,
    },
    /// From the model.
    Assistant {
        /// Its text.
        text: String,
        /// What it thought aloud. For people: what a provider wants back is in `opaque`.
        thinking: String,
        /// The calls it asked for.
        calls: Vec<AssistantCall>,
        /// The provider's own, null for nothing.
        #[serde(default)]
        opaque: Value,
    },
    /// What came of a call.
    ToolResult {
        /// The call's id.
        call_id: String,
        /// The tool's name.
        tool: String,
        /// The result.
        text: String,
        /// Images that belong to it.
        #[serde(default)]
        images: Vec<Image>,
        /// Whether it is an error.
        is_error: bool,
    },
}

/// A part of a person's message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Text.
    Text(String),
    /// An image.
    Image(Image),
}

/// An image, as the formats carry it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// What it is, such as `image/png`.
    pub media_type: String,
    /// Its bytes in Base64, with padding and without line breaks.
    pub data: String,
}

impl Image {
    /// As an address that has it in itself.
    pub(crate) fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.data)
    }

    /// The image that such an address has in itself.
    pub(crate) fn from_data_url(url: &str) -> Option<Self> {
        let (media_type, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
        Self::made(media_type, data)
    }

    /// An image that a model made, if it is one.
    pub(crate) fn made(media_type: &str, data: &str) -> Option<Self> {
        let is_image = media_type.starts_with("image/") && !data.is_empty();
        is_image.then(|| Self {
            media_type: media_type.to_owned(),
            data: data.to_owned(),
        })
    }
}

/// A call in the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssistantCall {
    /// The provider's id.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as JSON text.
    pub arguments: String,
    /// The provider's own, null for nothing.
    #[serde(default)]
    pub opaque: Value,
}

/// A tool as a model is told of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// The JSON schema of its arguments.
    pub schema: Value,
}

/// Something of an answer has arrived. For showing: the [`Answer`] is what counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelEvent {
    /// More text.
    Text(String),
    /// More of what the model thinks aloud.
    Thinking(String),
    /// A call began. Sent again when its name comes in pieces: the last one counts.
    CallStarted {
        /// Its place among the answer's calls, from 0.
        index: usize,
        /// The tool's name.
        name: String,
    },
    /// More of a call's arguments.
    CallArguments {
        /// Its place among the answer's calls, from 0.
        index: usize,
        /// The piece.
        text: String,
    },
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Its text.
    pub text: String,
    /// What it thought aloud.
    pub thinking: String,
    /// The images it made, in order.
    pub images: Vec<Image>,
    /// The calls it asks for, in order.
    pub calls: Vec<ModelCall>,
    /// Why it ended.
    pub stop: StopReason,
    /// The tokens used.
    pub usage: Usage,
    /// The provider's own, null for nothing.
    pub opaque: Value,
    /// Whether its text seems to hold a call that cannot be read. Only said of models whose record
    /// says that they write calls into their text, and only where no call was found.
    pub unread_call: bool,
}

/// A call a model asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelCall {
    /// The provider's id: never empty, and no other call of the answer has it.
    pub provider_id: String,
    /// The tool's name, as the model wrote it.
    pub name: String,
    /// The arguments as JSON text, `{}` when it sent none; what is not JSON is as it was sent.
    pub arguments: String,
    /// The provider's own, null for nothing.
    pub opaque: Value,
    /// False when the end of it may be missing: it must not be run.
    pub complete: bool,
}

/// Why an answer ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model had nothing more to say.
    EndTurn,
    /// It waits for the results of its calls.
    ToolCalls,
    /// The output limit.
    Length,
    /// The provider's content filter.
    ContentFilter,
    /// The model declined.
    Refusal,
    /// A reason of the provider's own.
    Other(String),
}
