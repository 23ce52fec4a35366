//! The journal's lines as the agent keeps them: more than a view is shown, nothing a view needs less.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tabwright_protocol::{
    CallId, CallState, ItemId, MessageState, Millis, NoticeLevel, Seq, TabId, TurnEndReason,
    TurnId, Usage,
};
use tabwright_tools::Replay;

/// One line of a conversation's journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Which item.
    pub id: ItemId,
    /// Its place in the conversation.
    pub position: u32,
    /// When it last changed; given by the driver with the commit.
    pub seq: Seq,
    /// The turn it belongs to.
    pub turn: TurnId,
    /// When it was made.
    pub at: Millis,
    /// What it is.
    pub body: Body,
}

/// What an item is. Stored as JSON: a field added later needs a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Body {
    /// What the person wrote.
    User {
        /// The text.
        text: String,
        /// The tab the person was looking at.
        tab: Option<TabId>,
    },
    /// What the model wrote in one round.
    Assistant(Message),
    /// A tool call of a round.
    Call(Call),
    /// Something the person should know. The model is not told.
    Notice {
        /// How much it matters.
        level: NoticeLevel,
        /// snake_case, stable.
        code: String,
        /// For the person.
        text: String,
    },
    /// The turn is over.
    TurnEnd {
        /// Why.
        reason: TurnEndReason,
        /// What it used.
        usage: Usage,
        /// How long it took.
        millis: u64,
    },
}

/// What the model wrote in one round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The round within the turn: its calls carry the same.
    pub round: u32,
    /// The text.
    pub text: String,
    /// What it thought aloud.
    pub thinking: String,
    /// Whether it is whole.
    pub state: MessageState,
    /// The model's id at the provider.
    pub model: String,
    /// Who answered: the opaque values go back to nobody else.
    #[serde(default)]
    pub source: String,
    /// The first position that the model was not shown when it answered. What the person wrote from
    /// there on, although it stands before the answer, comes after it for the model.
    #[serde(default)]
    pub seen: Option<u32>,
    /// What the provider wants to see again, untouched.
    #[serde(default)]
    pub opaque: Value,
}

/// A tool call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The round within the turn whose answer asked for it.
    pub round: u32,
    /// Ours, unique.
    pub call: CallId,
    /// The provider's, for the history we send it.
    pub provider_id: String,
    /// The tool's name.
    pub tool: String,
    /// What it does, in words.
    pub title: String,
    /// The arguments as the model sent them.
    pub arguments: String,
    /// What the provider wants to see again with the call, untouched.
    #[serde(default)]
    pub opaque: Value,
    /// What may be done after an interruption.
    pub replay: Replay,
    /// Whether it may run beside its neighbours.
    pub concurrent: bool,
    /// How far it is.
    pub state: CallState,
    /// How often its effect was started.
    pub attempts: u32,
    /// Exactly what the model is given, boundary included; empty until there is a result.
    #[serde(default)]
    pub model_text: String,
}

impl Call {
    /// Whether it still needs a result.
    pub fn is_open(&self) -> bool {
        match self.state {
            CallState::Waiting | CallState::Running { .. } => true,
            CallState::Done { .. } | CallState::Unknown => false,
        }
    }

    /// Gives it an error result.
    pub fn fail(&mut self, message: &str, code: &str) {
        let text = error_text(message, code);
        self.model_text.clone_from(&text);
        self.state = CallState::Done {
            result: text,
            is_error: true,
            millis: 0,
        };
    }

    /// Its effect was started and nobody knows whether it happened.
    pub fn be_unknown(&mut self, message: &str) {
        self.model_text = error_text(message, "outcome_unknown");
        self.state = CallState::Unknown;
    }
}

/// An error result as its JSON text.
pub fn error_text(message: &str, code: &str) -> String {
    serde_json::json!({ "error": message, "code": code }).to_string()
}

impl Body {
    /// The name under which the store files it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::User { .. } => "user",
            Self::Assistant(_) => "assistant",
            Self::Call(_) => "call",
            Self::Notice { .. } => "notice",
            Self::TurnEnd { .. } => "turn_end",
        }
    }

    /// What a search for text should find it by.
    pub fn search_text(&self) -> &str {
        match self {
            Self::User { text, .. } | Self::Notice { text, .. } => text,
            Self::Assistant(message) => &message.text,
            Self::Call(call) => &call.arguments,
            Self::TurnEnd { .. } => "",
        }
    }
}
