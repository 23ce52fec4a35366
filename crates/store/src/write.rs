//! A batch as statements. All run inside the transaction that [`crate::Store::commit`] opened.

use rusqlite::{Connection, OptionalExtension, params};

use tabwright_protocol::UsageOfDay;

use crate::rows::{Batch, ConversationRow, ItemRow, ModelRow, OpRow, RunRow, SettingRow};
use crate::{sql, words};

/// How many settled ops are remembered. A view repeats an op within minutes, so these are plenty.
const OPS_KEPT: u32 = 10_000;
/// No number of tokens or cost of one step is larger, whatever a server counts.
const MOST_AT_ONCE: u64 = 100_000_000_000_000_000;

/// Applies the batch, in the order of its fields.
pub(crate) fn apply(connection: &Connection, batch: &Batch) -> rusqlite::Result<()> {
    for id in &batch.delete_conversations {
        run(connection, sql::DELETE_CONVERSATION, [id.as_str()])?;
    }
    for id in &batch.clear_conversations {
        run(connection, sql::CLEAR_CONVERSATION, [id.as_str()])?;
    }
    for row in &batch.put_conversations {
        put_conversation(connection, row)?;
    }
    for row in &batch.put_items {
        put_item(connection, row)?;
    }
    for id in &batch.end_runs {
        run(connection, sql::END_RUN, [id.as_str()])?;
    }
    for row in &batch.put_runs {
        put_run(connection, row)?;
    }
    put_ops(connection, &batch.put_ops)?;
    for row in &batch.settle_ops {
        let values = params![row.id.as_str(), row.applied_at.0, row.outcome];
        run(connection, sql::SETTLE_OP, values)?;
    }
    for id in &batch.delete_models {
        run(connection, sql::DELETE_MODEL, [id.as_str()])?;
    }
    for row in &batch.put_models {
        put_model(connection, row)?;
    }
    for row in &batch.put_settings {
        put_setting(connection, row)?;
    }
    for row in &batch.add_usage {
        add_usage(connection, row)?;
    }
    Ok(())
}

fn put_conversation(connection: &Connection, row: &ConversationRow) -> rusqlite::Result<()> {
    let values = params![
        row.id.as_str(),
        row.title,
        row.titled_by_person,
        row.created_at.0,
        row.updated_at.0,
        row.parent.as_ref().map(|parent| parent.as_str()),
        row.body,
    ];
    run(connection, sql::PUT_CONVERSATION, values)
}

fn put_item(connection: &Connection, row: &ItemRow) -> rusqlite::Result<()> {
    let place = params![row.conversation.as_str(), row.position];
    let found: Option<(i64, String, String)> = connection
        .prepare_cached(sql::FIND_ITEM)?
        .query_row(place, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    match found {
        Some((number, id, text)) if id == row.id.as_str() => {
            let values = params![
                number,
                row.seq.0,
                row.turn.as_str(),
                row.at.0,
                row.kind,
                row.body,
                row.text,
            ];
            run(connection, sql::UPDATE_ITEM, values)?;
            if text == row.text {
                return Ok(());
            }
            run(connection, sql::FORGET_WORDS, [number])?;
            index_words(connection, number, &row.text)
        }
        // Where another item stands already, SQLite refuses: a place is given once.
        Some(_) | None => {
            let values = params![
                row.conversation.as_str(),
                row.id.as_str(),
                row.position,
                row.seq.0,
                row.turn.as_str(),
                row.at.0,
                row.kind,
                row.body,
                row.text,
            ];
            run(connection, sql::INSERT_ITEM, values)?;
            index_words(connection, connection.last_insert_rowid(), &row.text)
        }
    }
}

fn index_words(connection: &Connection, number: i64, text: &str) -> rusqlite::Result<()> {
    let words = words::indexed(text);
    if words.is_empty() {
        return Ok(());
    }
    run(connection, sql::INDEX_WORDS, params![number, words])
}

fn put_run(connection: &Connection, row: &RunRow) -> rusqlite::Result<()> {
    let values = params![
        row.id,
        row.parent,
        row.conversation.as_str(),
        row.turn.as_str(),
        row.started_at.0,
        row.body,
    ];
    run(connection, sql::PUT_RUN, values)
}

fn put_ops(connection: &Connection, rows: &[OpRow]) -> rusqlite::Result<()> {
    for row in rows {
        let values = params![row.id.as_str(), row.applied_at.0, row.outcome];
        run(connection, sql::PUT_OP, values)?;
    }
    if rows.is_empty() {
        return Ok(());
    }
    run(connection, sql::PRUNE_OPS, [OPS_KEPT])
}

fn put_model(connection: &Connection, row: &ModelRow) -> rusqlite::Result<()> {
    let values = params![row.id.as_str(), row.body, row.key];
    run(connection, sql::PUT_MODEL, values)
}

fn put_setting(connection: &Connection, row: &SettingRow) -> rusqlite::Result<()> {
    match &row.value {
        Some(value) => run(connection, sql::PUT_SETTING, params![row.name, value]),
        None => run(connection, sql::FORGET_SETTING, [&row.name]),
    }
}

fn add_usage(connection: &Connection, row: &UsageOfDay) -> rusqlite::Result<()> {
    let usage = &row.usage;
    let values = params![
        row.day,
        row.model,
        usage.input.min(MOST_AT_ONCE),
        usage.cached.min(MOST_AT_ONCE),
        usage.written.min(MOST_AT_ONCE),
        usage.output.min(MOST_AT_ONCE),
        usage.reasoning.min(MOST_AT_ONCE),
        usage.cost.min(MOST_AT_ONCE),
        usage.unpriced.min(MOST_AT_ONCE),
    ];
    run(connection, sql::ADD_USAGE, values)
}

/// Runs one statement, compiled once a connection.
fn run(connection: &Connection, sql: &str, values: impl rusqlite::Params) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute(values).map(|_| ())
}
