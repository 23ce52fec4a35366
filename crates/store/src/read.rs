//! What the store can be asked.

use rusqlite::{OptionalExtension, Params, Row, params};
use tabwright_protocol::{
    ConversationId, ItemId, Millis, ModelId, OpId, Seq, TurnId, Usage, UsageOfDay,
};

use crate::rows::{ConversationRow, Hit, ItemRow, ModelRow, OpRow, RunRow};
use crate::search::Query;
use crate::{Store, StoreError, sql};

impl Store {
    /// The conversations, without those of sub-agents, newest first, from the one after `before` on: the time and id of the
    /// last one of the page before.
    pub fn conversations(
        &self,
        limit: u32,
        before: Option<(Millis, &ConversationId)>,
    ) -> Result<Vec<ConversationRow>, StoreError> {
        let (updated_at, id) = match before {
            Some((updated_at, id)) => (updated_at.0, id.as_str()),
            None => (i64::MAX.unsigned_abs(), ""),
        };
        let values = params![updated_at, id, limit];
        self.all(sql::CONVERSATIONS, values, conversation_row)
    }

    /// One conversation.
    pub fn conversation(&self, id: &ConversationId) -> Result<Option<ConversationRow>, StoreError> {
        self.one(sql::CONVERSATION, [id.as_str()], conversation_row)
    }

    /// All items of a conversation, by position.
    pub fn items(&self, conversation: &ConversationId) -> Result<Vec<ItemRow>, StoreError> {
        self.all(sql::ITEMS, [conversation.as_str()], item_row)
    }

    /// The last `limit` items before a position (the very last ones when null), by position.
    pub fn items_page(
        &self,
        conversation: &ConversationId,
        before_position: Option<u32>,
        limit: u32,
    ) -> Result<Vec<ItemRow>, StoreError> {
        let before = before_position.map_or(i64::MAX, i64::from);
        let values = params![conversation.as_str(), before, limit];
        let mut items = self.all(sql::ITEMS_PAGE, values, item_row)?;
        items.reverse();
        Ok(items)
    }

    /// The runs that have not ended, oldest first.
    pub fn open_runs(&self) -> Result<Vec<RunRow>, StoreError> {
        self.all(sql::OPEN_RUNS, [], run_row)
    }

    /// What became of an op; null when it was never settled, or too long ago.
    pub fn op(&self, id: &OpId) -> Result<Option<OpRow>, StoreError> {
        self.one(sql::OP, [id.as_str()], op_row)
    }

    /// The model records, in the order in which they were made.
    pub fn models(&self) -> Result<Vec<ModelRow>, StoreError> {
        self.all(sql::MODELS, [], model_row)
    }

    /// The value of a setting.
    pub fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.one(sql::SETTING, [name], |row| row.get(0))
    }

    /// What was used from a day on, newest first.
    pub fn usage_since(&self, day: &str) -> Result<Vec<UsageOfDay>, StoreError> {
        self.all(sql::USAGE, [day], usage_row)
    }

    /// The items whose text has every word of `text`, newest first. Words match by their
    /// beginning, without regard to case and accents; Chinese and Japanese match anywhere.
    /// Nothing in `text` is an operator.
    pub fn search(&self, text: &str, limit: u32) -> Result<Vec<Hit>, StoreError> {
        let Some(query) = Query::parse(text) else {
            return Ok(Vec::new());
        };
        let values = params![query.expression(), limit];
        self.all(sql::SEARCH, values, |row| {
            Ok(Hit {
                conversation: ConversationId(row.get(0)?),
                item: ItemId(row.get(1)?),
                snippet: query.snippet(row.get_ref(2)?.as_str()?),
            })
        })
    }

    fn one<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row(values, read).optional())
            .map_err(|error| StoreError::from_sqlite(&self.location, &error))
    }

    fn all<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_map(values, read)?.collect())
            .map_err(|error| StoreError::from_sqlite(&self.location, &error))
    }
}

fn conversation_row(row: &Row<'_>) -> rusqlite::Result<ConversationRow> {
    Ok(ConversationRow {
        id: ConversationId(row.get(0)?),
        title: row.get(1)?,
        titled_by_person: row.get(2)?,
        created_at: Millis(row.get(3)?),
        updated_at: Millis(row.get(4)?),
        parent: row.get::<_, Option<String>>(5)?.map(ConversationId),
        body: row.get(6)?,
    })
}

fn item_row(row: &Row<'_>) -> rusqlite::Result<ItemRow> {
    Ok(ItemRow {
        id: ItemId(row.get(0)?),
        conversation: ConversationId(row.get(1)?),
        position: row.get(2)?,
        seq: Seq(row.get(3)?),
        turn: TurnId(row.get(4)?),
        at: Millis(row.get(5)?),
        kind: row.get(6)?,
        body: row.get(7)?,
        text: row.get(8)?,
    })
}

fn run_row(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    Ok(RunRow {
        id: row.get(0)?,
        parent: row.get(1)?,
        conversation: ConversationId(row.get(2)?),
        turn: TurnId(row.get(3)?),
        started_at: Millis(row.get(4)?),
        body: row.get(5)?,
    })
}

fn op_row(row: &Row<'_>) -> rusqlite::Result<OpRow> {
    Ok(OpRow {
        id: OpId(row.get(0)?),
        applied_at: Millis(row.get(1)?),
        outcome: row.get(2)?,
    })
}

fn model_row(row: &Row<'_>) -> rusqlite::Result<ModelRow> {
    Ok(ModelRow {
        id: ModelId(row.get(0)?),
        body: row.get(1)?,
        key: row.get(2)?,
    })
}

fn usage_row(row: &Row<'_>) -> rusqlite::Result<UsageOfDay> {
    Ok(UsageOfDay {
        day: row.get(0)?,
        model: row.get(1)?,
        usage: Usage {
            input: row.get(2)?,
            cached: row.get(3)?,
            written: row.get(4)?,
            output: row.get(5)?,
            reasoning: row.get(6)?,
            cost: row.get(7)?,
            unpriced: row.get(8)?,
        },
    })
}
