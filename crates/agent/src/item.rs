//! The journal's lines as the agent keeps them: more than a view is shown, nothing a view needs less.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use tabwright_protocol::{
    CallId, CallState, ConversationId, ItemId, MessageState, Millis, NoticeLevel, QuestionState,
    Seq, TabId, TurnEndReason, TurnId, Usage, WorkingTab,
};
use tabwright_tools::Replay;

use crate::machine::CallClass;

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
        #[serde(default, deserialize_with = "working_tab")]
        tab: Option<WorkingTab>,
    },
    /// What the model wrote in one round.
    Assistant(Message),
    /// A tool call of a round.
    Call(Box<Call>),
    /// Something the person should know. The model is not told.
    Notice {
        /// How much it matters.
        level: NoticeLevel,
        /// snake_case, stable.
        code: String,
        /// For the person.
        text: String,
    },
    /// Something that the model should know, and the person too.
    Hint {
        /// snake_case, stable.
        code: String,
        /// For both.
        text: String,
    },
    /// A question of Tabwright's own.
    Question {
        /// The question.
        question: String,
        /// What may be answered.
        options: Vec<String>,
        /// Whether it is answered.
        state: QuestionState,
    },
    /// What was said before, summed up.
    Summary {
        /// The summary.
        text: String,
        /// The first position that the model still sees as it was.
        keep: u32,
        /// Whether a model made it.
        by_model: bool,
    },
    /// No longer part of the conversation; kept on disk.
    Gone {
        /// What it was.
        was: Box<Body>,
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
    /// Equal for calls of one tool with equal arguments.
    #[serde(default)]
    pub hash: String,
    /// What the loop guard takes it for.
    #[serde(default)]
    pub class: CallClass,
    /// Whether the person has allowed it.
    #[serde(default)]
    pub approved: bool,
    /// The workspace file with the whole result, where one was written.
    #[serde(default)]
    pub file: Option<String>,
    /// Whether the model is told where the result is, instead of the result, to save room.
    #[serde(default)]
    pub left_out: bool,
    /// The sub-agent's own conversation, where the call started one.
    #[serde(default)]
    pub child: Option<ConversationId>,
    /// What the page looked like afterwards.
    #[serde(default)]
    pub fingerprint: Option<String>,
}

impl Call {
    /// Whether it still needs a result.
    pub fn is_open(&self) -> bool {
        match self.state {
            CallState::Waiting
            | CallState::Running { .. }
            | CallState::AwaitingApproval { .. }
            | CallState::Asking { .. } => true,
            CallState::Done { .. } | CallState::Unknown => false,
        }
    }

    /// Whether it waits for the person.
    pub fn waits_for_person(&self) -> bool {
        match self.state {
            CallState::AwaitingApproval { .. } | CallState::Asking { .. } => true,
            CallState::Waiting
            | CallState::Running { .. }
            | CallState::Done { .. }
            | CallState::Unknown => false,
        }
    }

    /// Gives it a result in this program's own words, told to the model and to views alike.
    pub fn finish(&mut self, text: String, is_error: bool) {
        self.model_text.clone_from(&text);
        self.state = CallState::Done {
            result: text,
            is_error,
            millis: 0,
        };
    }

    /// Gives it an error result.
    pub fn fail(&mut self, message: &str, code: &str) {
        self.finish(error_text(message, code), true);
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
            Self::Hint { .. } => "hint",
            Self::Question { .. } => "question",
            Self::Summary { .. } => "summary",
            Self::Gone { .. } => "gone",
            Self::TurnEnd { .. } => "turn_end",
        }
    }

    /// What a search for text should find it by.
    pub fn search_text(&self) -> &str {
        match self {
            Self::User { text, .. } | Self::Notice { text, .. } => text,
            Self::Assistant(message) => &message.text,
            Self::Call(call) => &call.arguments,
            Self::Question { question, .. } => question,
            // Everything in a summary stands in the conversation already.
            Self::Summary { .. } | Self::Hint { .. } | Self::Gone { .. } | Self::TurnEnd { .. } => {
                ""
            }
        }
    }

    /// The call, if it is one.
    pub fn call(&self) -> Option<&Call> {
        match self {
            Self::Call(call) => Some(call.as_ref()),
            Self::User { .. }
            | Self::Assistant(_)
            | Self::Notice { .. }
            | Self::Hint { .. }
            | Self::Question { .. }
            | Self::Summary { .. }
            | Self::Gone { .. }
            | Self::TurnEnd { .. } => None,
        }
    }

    /// The call, to be changed, if it is one.
    pub fn call_mut(&mut self) -> Option<&mut Call> {
        match self {
            Self::Call(call) => Some(call.as_mut()),
            Self::User { .. }
            | Self::Assistant(_)
            | Self::Notice { .. }
            | Self::Hint { .. }
            | Self::Question { .. }
            | Self::Summary { .. }
            | Self::Gone { .. }
            | Self::TurnEnd { .. } => None,
        }
    }

    /// The model's message, if it is one.
    pub fn message(&self) -> Option<&Message> {
        match self {
            Self::Assistant(message) => Some(message),
            Self::Call(_)
            | Self::User { .. }
            | Self::Notice { .. }
            | Self::Hint { .. }
            | Self::Question { .. }
            | Self::Summary { .. }
            | Self::Gone { .. }
            | Self::TurnEnd { .. } => None,
        }
    }

    /// What the person wrote, if it is that.
    pub fn written(&self) -> Option<&str> {
        match self {
            Self::User { text, .. } => Some(text),
            Self::Assistant(_)
            | Self::Call(_)
            | Self::Notice { .. }
            | Self::Hint { .. }
            | Self::Question { .. }
            | Self::Summary { .. }
            | Self::Gone { .. }
            | Self::TurnEnd { .. } => None,
        }
    }

    /// How many bytes it adds to what a model is sent, roughly: the measure from which tokens are
    /// estimated. Costs nothing to know.
    pub fn weight(&self) -> u64 {
        /// What the names and brackets around a message come to.
        const AROUND: usize = 40;
        let bytes = match self {
            Self::User { text, .. } | Self::Hint { text, .. } => text.len() + AROUND,
            Self::Assistant(message) => message.text.len() + AROUND,
            Self::Call(call) => {
                let result = if call.left_out {
                    200
                } else {
                    call.model_text.len()
                };
                call.arguments.len() + call.tool.len() + result + 3 * AROUND
            }
            Self::Summary { text, .. } => text.len() + AROUND,
            Self::Notice { .. }
            | Self::Question { .. }
            | Self::Gone { .. }
            | Self::TurnEnd { .. } => 0,
        };
        bytes as u64
    }
}

/// A working tab; an earlier version kept its id only.
fn working_tab<'de, D: Deserializer<'de>>(from: D) -> Result<Option<WorkingTab>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Stored {
        Whole(WorkingTab),
        Id(TabId),
    }
    Ok(
        Option::<Stored>::deserialize(from)?.map(|stored| match stored {
            Stored::Whole(tab) => tab,
            Stored::Id(id) => WorkingTab {
                id,
                url: String::new(),
                title: String::new(),
            },
        }),
    )
}
