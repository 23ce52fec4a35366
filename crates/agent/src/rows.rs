//! Items, conversations and runs as rows of the store, and back.

use tabwright_protocol::{ConversationId, Usage};
use tabwright_store::{ConversationRow, ItemRow, RunRow, Store};

use crate::driver::AgentError;
use crate::item::Item;
use crate::machine::{Conversation, Run, RunRecord};

/// The conversation's row.
pub fn conversation_row(conversation: &Conversation) -> Result<ConversationRow, AgentError> {
    let about = &conversation.about;
    Ok(ConversationRow {
        parent: about
            .parent
            .as_ref()
            .map(|parent| parent.conversation.clone()),
        body: serde_json::to_string(about).map_err(unreadable("conversation"))?,
        id: conversation.id.clone(),
        title: conversation.title.clone(),
        titled_by_person: conversation.titled_by_person,
        created_at: conversation.created_at,
        updated_at: conversation.updated_at,
    })
}

/// The item's row.
pub fn item_row(conversation: &ConversationId, item: &Item) -> Result<ItemRow, AgentError> {
    Ok(ItemRow {
        id: item.id.clone(),
        conversation: conversation.clone(),
        position: item.position,
        seq: item.seq,
        turn: item.turn.clone(),
        at: item.at,
        kind: item.body.kind().to_owned(),
        body: serde_json::to_string(&item.body).map_err(unreadable("item"))?,
        text: item.body.search_text().to_owned(),
    })
}

/// The run's row. A turn has at most one run, so the turn's id is the run's.
pub fn run_row(conversation: &ConversationId, record: &RunRecord) -> Result<RunRow, AgentError> {
    Ok(RunRow {
        id: run_id(record),
        parent: None,
        conversation: conversation.clone(),
        turn: record.turn.clone(),
        started_at: record.started_at,
        body: serde_json::to_string(record).map_err(unreadable("run"))?,
    })
}

/// The id under which the store keeps a run.
pub fn run_id(record: &RunRecord) -> String {
    record.turn.0.clone()
}

/// The conversation as it is on disk, if it is there.
pub fn load(store: &Store, id: &ConversationId) -> Result<Option<Conversation>, AgentError> {
    let Some(row) = store.conversation(id)? else {
        return Ok(None);
    };
    let items = store
        .items(id)?
        .into_iter()
        .map(item)
        .collect::<Result<_, _>>()?;
    let run = store
        .open_runs()?
        .into_iter()
        .find(|run| run.conversation == *id)
        .map(|row| serde_json::from_str::<RunRecord>(&row.body).map_err(unreadable("run")))
        .transpose()?
        // What it was waiting for died with the core before; `Input::Resume` finds out anew.
        .map(Run::new);
    Ok(Some(Conversation {
        id: row.id,
        title: row.title,
        titled_by_person: row.titled_by_person,
        created_at: row.created_at,
        updated_at: row.updated_at,
        about: serde_json::from_str(&row.body).map_err(unreadable("conversation"))?,
        items,
        run,
    }))
}

fn item(row: ItemRow) -> Result<Item, AgentError> {
    Ok(Item {
        body: serde_json::from_str(&row.body).map_err(unreadable("item"))?,
        id: row.id,
        position: row.position,
        seq: row.seq,
        turn: row.turn,
        at: row.at,
    })
}

/// What a conversation has used, from its row; nothing where that cannot be read.
pub fn usage(body: &str) -> Usage {
    #[derive(serde::Deserialize)]
    struct Used {
        #[serde(default)]
        usage: Usage,
    }
    serde_json::from_str(body).map_or_else(|_| Usage::default(), |used: Used| used.usage)
}

/// Turns a JSON error into ours.
pub fn unreadable(what: &'static str) -> impl Fn(serde_json::Error) -> AgentError {
    move |error| AgentError::Unreadable {
        what,
        why: error.to_string(),
    }
}
