//! What goes into the store and comes out of it.

use std::fmt;

use tabwright_protocol::{ConversationId, ItemId, Millis, ModelId, OpId, Seq, TurnId, UsageOfDay};

/// A conversation's own line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationRow {
    /// Which conversation.
    pub id: ConversationId,
    /// What it is called.
    pub title: String,
    /// Whether the person chose the title.
    pub titled_by_person: bool,
    /// When it was made. Never changes.
    pub created_at: Millis,
    /// When its last item came.
    pub updated_at: Millis,
    /// The conversation that it belongs to and goes with, for a sub-agent's; such a one is in no
    /// list. Never changes.
    pub parent: Option<ConversationId>,
    /// What else is known of it, as the caller's JSON.
    pub body: String,
}

/// One line of a conversation's journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemRow {
    /// Which item. Unique within its conversation: the caller sees to it.
    pub id: ItemId,
    /// Which conversation it belongs to.
    pub conversation: ConversationId,
    /// Its place, which it keeps. Unique within its conversation.
    pub position: u32,
    /// When it last changed.
    pub seq: Seq,
    /// The turn it belongs to.
    pub turn: TurnId,
    /// When it was made.
    pub at: Millis,
    /// What it is, in the caller's words.
    pub kind: String,
    /// The item, as the caller's JSON.
    pub body: String,
    /// What a person can search for; empty for an item that is not to be found.
    pub text: String,
}

/// An open run. A run that has ended has no row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// Which run.
    pub id: String,
    /// The run that started it, null for a conversation's own: of those there is one at a time.
    /// Never changes.
    pub parent: Option<String>,
    /// Which conversation it works in. Never changes.
    pub conversation: ConversationId,
    /// The turn it carries out.
    pub turn: TurnId,
    /// When it began.
    pub started_at: Millis,
    /// The run's state, as the caller's JSON.
    pub body: String,
}

/// What became of an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpRow {
    /// Which op.
    pub id: OpId,
    /// When it was applied or refused.
    pub applied_at: Millis,
    /// What came of it, as the caller's JSON.
    pub outcome: String,
}

/// A model record with its key.
#[derive(Clone, PartialEq, Eq)]
pub struct ModelRow {
    /// Which record.
    pub id: ModelId,
    /// The record without its key, as the caller's JSON.
    pub body: String,
    /// The key, if any.
    pub key: Option<String>,
}

// A key must not reach a log by way of `{:?}`.
impl fmt::Debug for ModelRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelRow")
            .field("id", &self.id)
            .field("body", &self.body)
            .field("key", &self.key.as_ref().map(|_| "…"))
            .finish()
    }
}

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingRow {
    /// Its name.
    pub name: String,
    /// Its value; null forgets the setting.
    pub value: Option<String>,
}

/// A place where a search found its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Which conversation.
    pub conversation: ConversationId,
    /// Which item.
    pub item: ItemId,
    /// The text around the first match, on one line.
    pub snippet: String,
}

/// What one step changes. It is applied as a whole or not at all, in the order of the fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Conversations to delete, with their items and runs.
    pub delete_conversations: Vec<ConversationId>,
    /// Conversations to empty of their items.
    pub clear_conversations: Vec<ConversationId>,
    /// Conversations to make or change.
    pub put_conversations: Vec<ConversationRow>,
    /// Items to make or change. Their conversations must exist by now.
    pub put_items: Vec<ItemRow>,
    /// Runs that have ended, by id. Runs that they started end with them.
    pub end_runs: Vec<String>,
    /// Runs to open or change.
    pub put_runs: Vec<RunRow>,
    /// Ops that this step settles. An op that has a row already fails the batch: whatever it did
    /// is not done twice.
    pub put_ops: Vec<OpRow>,
    /// Ops whose row said that they were begun, with what has become of them since.
    pub settle_ops: Vec<OpRow>,
    /// Model records to forget.
    pub delete_models: Vec<ModelId>,
    /// Model records to make or change.
    pub put_models: Vec<ModelRow>,
    /// Settings to change.
    pub put_settings: Vec<SettingRow>,
    /// What was used, to be added to what that day and model have already.
    pub add_usage: Vec<UsageOfDay>,
}

impl Batch {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        let Self {
            delete_conversations,
            clear_conversations,
            put_conversations,
            put_items,
            end_runs,
            put_runs,
            put_ops,
            settle_ops,
            delete_models,
            put_models,
            put_settings,
            add_usage,
        } = self;
        delete_conversations.is_empty()
            && clear_conversations.is_empty()
            && put_conversations.is_empty()
            && put_items.is_empty()
            && end_runs.is_empty()
            && put_runs.is_empty()
            && put_ops.is_empty()
            && settle_ops.is_empty()
            && delete_models.is_empty()
            && put_models.is_empty()
            && put_settings.is_empty()
            && add_usage.is_empty()
    }
}
