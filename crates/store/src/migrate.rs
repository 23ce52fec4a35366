//! The schema's versions: one file a version, each applied in a transaction of its own.
//!
//! Invariant: `user_version` is the number of migrations that were applied. A released migration
//! is never edited; a change is a new one.

use rusqlite::{Connection, TransactionBehavior};

/// The migrations in order. The first takes an empty database to version 1.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_journal.sql"),
    include_str!("../migrations/0002_sub_agents.sql"),
    include_str!("../migrations/0003_fewer_indexes.sql"),
    include_str!("../migrations/0004_usage.sql"),
];

/// The schema version of the database; 0 when it is empty.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// The newest version, which every database has once it is open.
pub(crate) fn newest() -> u32 {
    u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX)
}

/// Applies the migrations that the database has not seen. One that fails leaves the version
/// before it.
pub(crate) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    let from = version(connection)?;
    for (number, migration) in (1u32..).zip(MIGRATIONS) {
        if number > from {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.execute_batch(migration)?;
            transaction.pragma_update(None, "user_version", number)?;
            transaction.commit()?;
        }
    }
    Ok(())
}
