//! The store's tests, one file a subject, and the rows they share.

mod crash;
mod epochs;
mod full;
mod growth;
mod migrations;
mod opening;
mod plans;
mod rows;
mod search;

use tabwright_protocol::{ConversationId, ItemId, Millis, Seq, TurnId};

use crate::{Batch, ConversationRow, ItemRow, Location, Store};

/// A store in memory that may write.
fn store() -> Store {
    begun(Location::Memory)
}

/// A store that may write.
fn begun(location: Location) -> Store {
    let mut store = Store::open(location).unwrap();
    store.begin_epoch().unwrap();
    store
}

/// A conversation that changed last at that time.
fn conversation(id: &str, updated_at: u64) -> ConversationRow {
    ConversationRow {
        id: ConversationId::from(id),
        title: format!("Title of {id}"),
        titled_by_person: false,
        created_at: Millis(1),
        updated_at: Millis(updated_at),
        parent: None,
        body: "{}".into(),
    }
}

/// An item whose id and seq follow from its position.
fn item(conversation: &str, position: u32, text: &str) -> ItemRow {
    ItemRow {
        id: ItemId(format!("i{position}")),
        conversation: ConversationId::from(conversation),
        position,
        seq: Seq(u64::from(position) + 100),
        turn: TurnId::from("t1"),
        at: Millis(1_000 + u64::from(position)),
        kind: "user_message".to_owned(),
        body: format!("{{\"text\":{text:?}}}"),
        text: text.to_owned(),
    }
}

/// A batch that makes conversations.
fn conversations(rows: impl IntoIterator<Item = ConversationRow>) -> Batch {
    Batch {
        put_conversations: rows.into_iter().collect(),
        ..Batch::default()
    }
}

/// A batch that puts items.
fn items(rows: impl IntoIterator<Item = ItemRow>) -> Batch {
    Batch {
        put_items: rows.into_iter().collect(),
        ..Batch::default()
    }
}
