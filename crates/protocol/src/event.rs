//! What the core tells its views.

use serde::{Deserialize, Serialize};

use crate::{
    Block, CallId, ConversationId, Epoch, ItemId, ItemView, Millis, ModelId, ModelReport,
    ModelRoles, ModelServer, ModelView, OpId, Seq, Settings, TaskView, TurnId, Usage, UsageOfDay,
};

/// An event with its place in the stream. A view that sees a gap, or a new epoch, attaches again
/// from the last number it has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct EventEnvelope {
    /// Which life of the core sent it.
    pub epoch: Epoch,
    /// Its number.
    pub seq: Seq,
    /// What happened.
    pub event: Event,
}

/// What happened. All views get all events; answers name the op they answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The core has started, or its health has changed. A view sends its unanswered ops again.
    Core {
        /// How it is.
        health: CoreHealth,
    },
    /// The op is done, and on disk. Sent again for an op that is sent again.
    Applied {
        /// Which op.
        op: OpId,
    },
    /// The op was not done, and will not be.
    Refused {
        /// Which op.
        op: OpId,
        /// Why, and what would work.
        refusal: Refusal,
    },
    /// Answers `hello`.
    Welcome {
        /// Which op.
        op: OpId,
        /// All that a view needs beside the conversations' contents.
        welcome: Welcome,
    },
    /// Answers `list_conversations`.
    Conversations {
        /// Which op.
        op: OpId,
        /// Newest first.
        conversations: Vec<ConversationSummary>,
        /// Whether there are older ones.
        more: bool,
    },
    /// Answers `attach`: put each item in the place of the one with its id, or at its position.
    Snapshot {
        /// Which op.
        op: OpId,
        /// Which conversation.
        conversation: ConversationId,
        /// True when the items are all there are; false when they are what changed since.
        complete: bool,
        /// Ordered by position.
        items: Vec<ItemView>,
        /// The agent's own to-do list.
        tasks: Vec<TaskView>,
        /// What runs in it.
        run: RunView,
    },
    /// Answers `call_tool`.
    ToolAnswer {
        /// Which op.
        op: OpId,
        /// Exactly what a model would be given.
        text: String,
        /// Whether it is an error result.
        is_error: bool,
        /// How long the tool took.
        #[cfg_attr(feature = "ts", ts(type = "number"))]
        millis: u64,
    },
    /// An item is new or changed.
    Item {
        /// Which conversation.
        conversation: ConversationId,
        /// The whole item.
        item: ItemView,
    },
    /// A streaming message has grown: keep its first `keep` blocks, then these.
    Blocks {
        /// Which conversation.
        conversation: ConversationId,
        /// Which item.
        item: ItemId,
        /// How many blocks stay as they are.
        keep: u32,
        /// What follows them.
        blocks: Vec<Block>,
    },
    /// The agent's own to-do list has changed.
    Tasks {
        /// Which conversation.
        conversation: ConversationId,
        /// All of it.
        tasks: Vec<TaskView>,
    },
    /// All that was said in a conversation is forgotten.
    Cleared {
        /// Which one.
        conversation: ConversationId,
    },
    /// Something happened in a sub-agent's conversation.
    SubAgentEvent {
        /// The conversation whose call started the sub-agent.
        conversation: ConversationId,
        /// The call.
        call: CallId,
        /// The sub-agent's own conversation.
        child: ConversationId,
        /// What happened in it: an item, blocks, a run or tasks.
        event: Box<Event>,
    },
    /// A run began, moved on or ended.
    Run {
        /// Which conversation.
        conversation: ConversationId,
        /// Its state now.
        run: RunView,
    },
    /// A conversation is new, or its line in the list has changed.
    Conversation {
        /// The line.
        summary: ConversationSummary,
    },
    /// A conversation is gone.
    ConversationDeleted {
        /// Which one.
        conversation: ConversationId,
    },
    /// The model records changed.
    Models {
        /// All of them.
        models: Vec<ModelView>,
        /// Which of them does what.
        roles: ModelRoles,
    },
    /// Answers `check_model`.
    ModelChecked {
        /// Which op.
        op: OpId,
        /// Which record.
        model: ModelId,
        /// What came of it.
        report: ModelReport,
    },
    /// Answers `find_models`.
    ModelsFound {
        /// Which op.
        op: OpId,
        /// The servers that answered.
        servers: Vec<ModelServer>,
    },
    /// The settings changed.
    Settings {
        /// All of them.
        settings: Settings,
    },
    /// Answers `list_usage`.
    UsageByDay {
        /// Which op.
        op: OpId,
        /// The day it is where the person is, such as `2026-03-09`.
        today: String,
        /// Newest first; what open turns have used so far is in today's.
        days: Vec<UsageOfDay>,
    },
}

/// How the core is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum CoreHealth {
    /// It takes ops.
    Ready,
    /// It cannot open its database yet and is trying again.
    WaitingForStorage {
        /// What is wrong, for a person.
        message: String,
    },
    /// It cannot work. Nothing was deleted.
    Failed {
        /// What is wrong and what to do, for a person.
        message: String,
    },
}

/// Why an op was not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Refusal {
    /// snake_case, stable.
    pub code: String,
    /// One or two sentences: what was wrong, and what would work.
    pub message: String,
}

/// All that a view needs beside the conversations' contents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Welcome {
    /// The newest, newest first.
    pub conversations: Vec<ConversationSummary>,
    /// Whether there are older ones: `list_conversations` gives them.
    pub more_conversations: bool,
    /// The model records, without their keys.
    pub models: Vec<ModelView>,
    /// The one for new turns.
    pub roles: ModelRoles,
    /// The settings.
    pub settings: Settings,
}

/// A conversation's line in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ConversationSummary {
    /// Which one.
    pub id: ConversationId,
    /// Given by the person, else the start of the first message.
    pub title: String,
    /// When it was made.
    pub created_at: Millis,
    /// When its last item came.
    pub updated_at: Millis,
    /// Whether a turn is running in it.
    pub running: bool,
    /// Whether that turn waits for the person.
    pub waiting: bool,
    /// What its turns that are over have used, their sub-agents included.
    pub usage: Usage,
}

/// What runs in a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum RunView {
    /// Nothing.
    Idle,
    /// A turn.
    Working {
        /// Which turn.
        turn: TurnId,
        /// The model request it is at, from 1.
        round: u32,
        /// What it is doing.
        activity: Activity,
        /// What it has used so far, its sub-agents included.
        usage: Usage,
    },
}

/// What a running turn is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "activity", rename_all = "snake_case")]
pub enum Activity {
    /// The request is out, nothing has come back yet.
    WaitingForModel,
    /// The answer is arriving.
    Streaming,
    /// Tools are running.
    RunningTools,
    /// A question or a decision is open, and nothing else runs.
    WaitingForPerson,
    /// The model is summing up what was said so far, to make room.
    Compacting,
    /// The model could not be reached; the request will be made again.
    Retrying {
        /// When.
        at: Millis,
        /// Which attempt will be made then, from 2.
        attempt: u32,
        /// Why, for a person.
        reason: String,
    },
}
