//! What a view may ask of the core.

use serde::{Deserialize, Serialize};

use crate::{
    ConversationId, ItemId, ModelDraft, ModelId, ModelRole, OpId, Seq, Settings, TabId, TurnId,
    WorkingTab,
};

/// An op with the id that makes sending it twice harmless.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct OpEnvelope {
    /// Made by the view, a fresh one for each thing the person does.
    pub id: OpId,
    /// What is asked.
    pub op: Op,
}

/// What a view may ask of the core. Each is answered by `applied`, `refused`, or, for those that
/// only read (`hello`, `attach`, `list_conversations`), by the event named there. `applied` means: on disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Op {
    /// A view opened. Answered by `welcome`.
    Hello,
    /// Show a conversation from `since` on (all of it when null). Answered by `snapshot`.
    Attach {
        /// Which conversation; one that does not exist yet has an empty snapshot.
        conversation: ConversationId,
        /// The last sequence number this view has seen of it.
        since: Option<Seq>,
    },
    /// The conversations that come after one in the list. Answered by `conversations`.
    ListConversations {
        /// The last one that the view has.
        after: ConversationId,
    },
    /// The person's message. Makes the conversation when it does not exist, and starts a turn. While
    /// a turn runs it steers that one: the model sees it with its next request.
    SendMessage {
        /// Which conversation.
        conversation: ConversationId,
        /// What the person wrote; refused when it is empty.
        text: String,
        /// The tab the person is looking at.
        tab: Option<WorkingTab>,
    },
    /// Answer an open question, of the model's or of the loop guard's.
    AnswerQuestion {
        /// Which conversation; a sub-agent's calls are in its own.
        conversation: ConversationId,
        /// The item that asks.
        item: ItemId,
        /// The options chosen, or one free answer. Refused when there is none, or more than one
        /// where one was asked for.
        answers: Vec<String>,
    },
    /// Allow or forbid a call that waits for it.
    Decide {
        /// Which conversation; a sub-agent's calls are in its own.
        conversation: ConversationId,
        /// The call's item.
        item: ItemId,
        /// True: it runs. False: it does not, and the model is told.
        approve: bool,
        /// What the model is told beside; may be empty.
        note: String,
    },
    /// End the running turn. Applied also when nothing runs. In a sub-agent's conversation it ends
    /// that sub-agent only.
    Stop {
        /// Which conversation.
        conversation: ConversationId,
    },
    /// Go on after a turn that failed, was stopped or met a limit, with the same history.
    Retry {
        /// Which conversation.
        conversation: ConversationId,
    },
    /// Put another message in the place of one of the person's, and go on from there. What came
    /// after it is no longer part of the conversation. Refused while a turn runs.
    EditMessage {
        /// Which conversation.
        conversation: ConversationId,
        /// The message's item.
        item: ItemId,
        /// The new text; refused when it is empty.
        text: String,
        /// The tab the person is looking at.
        tab: Option<WorkingTab>,
    },
    /// Answer a turn's message again. What came after it is no longer part of the conversation.
    /// Refused while a turn runs.
    Regenerate {
        /// Which conversation.
        conversation: ConversationId,
        /// Which turn.
        turn: TurnId,
    },
    /// Let the model sum up what was said so far, to make room. The whole conversation stays in
    /// view. While a turn runs it is done before the next request.
    Compact {
        /// Which conversation.
        conversation: ConversationId,
        /// What the summary should dwell on; may be empty.
        instruction: String,
    },
    /// Forget all that was said in a conversation and its task list. A running turn is stopped first.
    Clear {
        /// Which conversation.
        conversation: ConversationId,
    },
    /// Give the conversation a title.
    RenameConversation {
        /// Which conversation.
        conversation: ConversationId,
        /// The new title; refused when it is empty.
        title: String,
    },
    /// Delete a conversation and all that belongs to it. A running turn is stopped first.
    DeleteConversation {
        /// Which conversation.
        conversation: ConversationId,
    },
    /// Run one tool through the same door as a model's call: the tool author's console.
    /// Answered by `tool_answer`.
    CallTool {
        /// The tool's name.
        tool: String,
        /// The arguments as JSON text, exactly as a model would send them.
        arguments: String,
        /// The tab to stand in for the conversation's.
        tab: Option<TabId>,
    },
    /// Make a model record, or change one. The first becomes the default.
    SaveModel {
        /// The record.
        model: ModelDraft,
    },
    /// Forget a model record and its key.
    DeleteModel {
        /// Which record.
        model: ModelId,
    },
    /// Give a model something to do.
    UseModel {
        /// Which record; null: none. There is always one for new turns.
        model: Option<ModelId>,
        /// What for.
        role: ModelRole,
    },
    /// What was used on the last days. Answered by `usage_by_day`.
    ListUsage {
        /// How many days, today included. 1 to 366.
        days: u32,
    },
    /// Try a model record out: it is sent what the agent sends, in a few small requests. What it can
    /// do is stored with the record. Answered by `model_checked`.
    CheckModel {
        /// Which record.
        model: ModelId,
    },
    /// Look for model servers on this computer. Answered by `models_found`.
    FindModels,
    /// Change the settings.
    SaveSettings {
        /// All of them: a view sends back what it got with its change.
        settings: Settings,
    },
}
