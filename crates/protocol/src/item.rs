//! The lines of a conversation, as a view sees them.

use serde::{Deserialize, Serialize};

use crate::{Block, CallId, ConversationId, ItemId, Millis, Seq, TurnId};

/// One line of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ItemView {
    /// Which item.
    pub id: ItemId,
    /// Its place: items are shown in rising order. Never reused.
    pub position: u32,
    /// When it last changed, as a place in the stream of events.
    pub seq: Seq,
    /// The turn it belongs to.
    pub turn: TurnId,
    /// When it was made.
    pub at: Millis,
    /// What it is.
    pub body: ItemBody,
}

/// What an item is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ItemBody {
    /// What the person wrote, as plain text.
    UserMessage {
        /// The text.
        text: String,
    },
    /// What the model wrote in one step.
    AssistantMessage {
        /// The text as typed blocks.
        blocks: Vec<Block>,
        /// The text as the model sent it, for copying. Empty while it streams.
        text: String,
        /// What the model thought aloud, as plain text.
        thinking: String,
        /// Whether it is whole.
        state: MessageState,
        /// The model's id at the provider.
        model: String,
    },
    /// A tool call.
    ToolCall {
        /// Which call.
        call: CallId,
        /// The tool's name.
        tool: String,
        /// What it does, in words: "List tabs".
        title: String,
        /// The arguments as the model sent them.
        arguments: String,
        /// How far it is.
        state: CallState,
        /// How often its effect was started. More than 1 only for calls that may run again.
        attempts: u32,
        /// The sub-agent's own conversation, where the call started one.
        child: Option<ConversationId>,
    },
    /// A question of Tabwright's own, not of the model's.
    Question {
        /// The question.
        question: String,
        /// What may be answered; nothing else may.
        options: Vec<String>,
        /// Whether it is answered.
        state: QuestionState,
    },
    /// What was said before, summed up: the model sees this in its place.
    Summary {
        /// The summary as typed blocks.
        blocks: Vec<Block>,
        /// The same as text.
        text: String,
        /// False when no model made it: a list of what was asked and done.
        by_model: bool,
    },
    /// Something the person should know.
    Notice {
        /// How much it matters.
        level: NoticeLevel,
        /// snake_case, stable.
        code: String,
        /// One or two sentences: what happened, and what to do.
        text: String,
    },
    /// The turn is over.
    TurnEnd {
        /// Why.
        reason: TurnEndReason,
        /// What it used.
        usage: Usage,
        /// How long it took.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        millis: u64,
    },
    /// No longer part of the conversation: a view drops it.
    Gone,
}

/// Whether a question is answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum QuestionState {
    /// It waits for the person.
    Open {
        /// Until when.
        until: Millis,
    },
    /// The person has answered.
    Answered {
        /// How.
        answer: String,
    },
    /// Nobody answered in time, or the turn was stopped.
    Expired,
}

/// Whether a message is whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum MessageState {
    /// It is arriving.
    Streaming,
    /// It is whole.
    Complete,
    /// It ended early; what came is kept.
    Cut {
        /// Why.
        reason: CutReason,
    },
}

/// Why a message ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CutReason {
    /// The person pressed Stop.
    Stopped,
    /// The core went away while it streamed.
    Interrupted,
    /// The connection broke.
    Connection,
    /// The model's output limit.
    Length,
    /// The provider's content filter, or a refusal.
    Refused,
}

/// How far a tool call is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum CallState {
    /// It waits for its turn.
    Waiting,
    /// It waits for the person to allow it.
    AwaitingApproval {
        /// What it is about to do and why the person is asked.
        reason: String,
    },
    /// It asks the person: its answer is its result.
    Asking {
        /// The question.
        question: String,
        /// What the person may choose from; a free answer is always possible.
        options: Vec<String>,
        /// Whether several may be chosen.
        multiple: bool,
        /// When it stops waiting.
        until: Millis,
    },
    /// Its effect was started at that time.
    Running {
        /// When.
        since: Millis,
    },
    /// It has a result.
    Done {
        /// What the model was given, without the boundary around untrusted text.
        result: String,
        /// Whether it is an error result.
        is_error: bool,
        /// How long it took.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        millis: u64,
    },
    /// It was interrupted after its effect was started: it may have happened. It is never repeated by itself.
    Unknown,
}

/// One entry of the agent's own to-do list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TaskView {
    /// A decimal number, from 1, never reused.
    pub id: String,
    /// What is to be done.
    pub subject: String,
    /// More of it.
    #[serde(default)]
    pub description: Option<String>,
    /// How far it is.
    pub status: TaskStatus,
}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Not begun.
    Pending,
    /// Begun.
    InProgress,
    /// Done.
    Completed,
}

/// How much a notice matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum NoticeLevel {
    /// Good to know.
    Info,
    /// Something is not as it should be; the work goes on.
    Warning,
    /// The work stopped here.
    Error,
}

/// Why a turn is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TurnEndReason {
    /// The model had nothing more to do.
    Done,
    /// The person pressed Stop.
    Stopped,
    /// A limit was reached; `retry` continues.
    Limit,
    /// An error, told in the notice before; `retry` tries again.
    Failed,
}

/// Tokens, as the provider counted them, and what they cost. Zero where it did not say; of an answer
/// that was cut, where it did not come to say, an estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Usage {
    /// Tokens of the requests, those read from the provider's cache included.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub input: u64,
    /// Of those, read from the provider's cache.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub cached: u64,
    /// Of those, written to the provider's cache.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub written: u64,
    /// Tokens of the answers, reasoning included.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub output: u64,
    /// Of those, reasoning.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub reasoning: u64,
    /// What they cost by the prices in the model's record, in billionths of a US dollar.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub cost: u64,
    /// How many of the tokens are of models without prices: their cost is not known.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub unpriced: u64,
}

impl Usage {
    /// All tokens.
    pub fn tokens(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        let add = |own: &mut u64, more: u64| *own = own.saturating_add(more);
        add(&mut self.input, other.input);
        add(&mut self.cached, other.cached);
        add(&mut self.written, other.written);
        add(&mut self.output, other.output);
        add(&mut self.reasoning, other.reasoning);
        add(&mut self.cost, other.cost);
        add(&mut self.unpriced, other.unpriced);
    }
}
