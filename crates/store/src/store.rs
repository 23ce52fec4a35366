//! Opening, owning and closing the database, and the one way to write to it.

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use tabwright_protocol::Epoch;

use crate::{Batch, Location, StoreError, migrate, sql, write};

/// Enough for every statement of `sql`, so that each is compiled once.
const STATEMENTS_KEPT: usize = 64;

/// An open database.
///
/// Dropping it lets go of the file without tidying up, exactly as a death would; [`Store::close`]
/// tidies up first.
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) location: String,
    epoch: Option<Epoch>,
}

impl Store {
    /// Opens the database, makes it when it is not there, and brings its schema up to date.
    /// A database of a newer version is refused untouched.
    pub fn open(location: Location) -> Result<Self, StoreError> {
        let name = location.to_string();
        let failed = |error| StoreError::from_sqlite(&name, &error);

        let mut connection = connect(&location).map_err(failed)?;
        let found = prepare(&connection, &location).map_err(failed)?;
        if found > migrate::newest() {
            return Err(StoreError::TooNew {
                location: name,
                found,
                known: migrate::newest(),
            });
        }
        set_durability(&connection).map_err(failed)?;
        migrate::migrate(&mut connection).map_err(failed)?;

        Ok(Self {
            connection,
            location: name,
            epoch: None,
        })
    }

    /// Begins a new epoch and makes this store its owner: from here on only this store can write.
    pub fn begin_epoch(&mut self) -> Result<Epoch, StoreError> {
        let failed = |error| StoreError::from_sqlite(&self.location, &error);

        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        let stored = stored_epoch(&transaction).map_err(failed)?;
        if stored >= Epoch::MAX {
            return Err(StoreError::bug("there is no epoch left to begin"));
        }
        let next = Epoch(stored.0 + 1);
        transaction
            .prepare_cached(sql::SET_EPOCH)
            .and_then(|mut statement| statement.execute([next.0]))
            .map_err(failed)?;
        transaction.commit().map_err(failed)?;

        self.epoch = Some(next);
        Ok(next)
    }

    /// Writes the batch, all or nothing. When it returns, the batch is on disk. An empty batch
    /// costs nothing.
    pub fn commit(&mut self, batch: &Batch) -> Result<(), StoreError> {
        if batch.is_empty() {
            return Ok(());
        }
        let failed = |error| StoreError::from_sqlite(&self.location, &error);
        let Some(ours) = self.epoch else {
            return Err(StoreError::bug("a batch came before an epoch was begun"));
        };

        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        let stored = stored_epoch(&transaction).map_err(failed)?;
        if stored != ours {
            return Err(StoreError::superseded(ours, stored));
        }
        write::apply(&transaction, batch).map_err(failed)?;
        transaction.commit().map_err(failed)
    }

    /// Moves everything into the database proper and lets go of it. Nothing is lost without it;
    /// the next open is faster with it.
    pub fn close(self) -> Result<(), StoreError> {
        let Self {
            connection,
            location,
            epoch: _,
        } = self;
        let failed = |error| StoreError::from_sqlite(&location, &error);

        connection
            .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
            .map_err(failed)?;
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
            .map_err(failed)?;
        connection.close().map_err(|(_, error)| failed(error))
    }
}

/// A connection that has read nothing yet.
fn connect(location: &Location) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    match location {
        Location::Memory => Connection::open_in_memory_with_flags(flags),
        Location::File(path) | Location::SharedFile(path) => {
            Connection::open_with_flags(path, flags)
        }
        Location::Vfs { name, vfs } => {
            Connection::open_with_flags_and_vfs(name, flags, vfs.as_str())
        }
    }
}

/// Sets what changes nothing on disk, takes the database, and returns its schema version.
fn prepare(connection: &Connection, location: &Location) -> rusqlite::Result<u32> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    // A refused database stays byte for byte as it is, and a dropped store is as a killed one.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // Exclusive comes before the first read: only then does a write-ahead log need no shared
    // memory, which no VFS over OPFS has.
    let locking = match location {
        Location::Memory | Location::File(_) | Location::Vfs { .. } => "exclusive",
        Location::SharedFile(_) => "normal",
    };
    connection.execute_batch(&format!(
        "PRAGMA locking_mode = {locking};
         PRAGMA busy_timeout = 0;
         PRAGMA temp_store = memory;
         PRAGMA foreign_keys = on;"
    ))?;
    migrate::version(connection)
}

/// Makes a commit durable before it returns. In memory there is no log, and nothing to lose.
fn set_durability(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "PRAGMA page_size = 4096;
         PRAGMA journal_mode = wal;
         PRAGMA synchronous = full;",
    )
}

fn stored_epoch(connection: &Connection) -> rusqlite::Result<Epoch> {
    connection
        .prepare_cached(sql::EPOCH)?
        .query_row([], |row| row.get(0))
        .map(Epoch)
}
