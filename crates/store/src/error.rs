//! The one error of this crate, and how SQLite's result codes become one of its kinds.

use rusqlite::ffi;
use tabwright_protocol::Epoch;

/// Why the store did not do what it was asked. Unless the kind says otherwise, nothing changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Somebody else has the database: try again.
    #[error(
        "The database {location} is in use by another owner. It can be opened when that one has let go; try again."
    )]
    Locked {
        /// Where the database is.
        location: String,
    },
    /// The database is damaged. It is never deleted or repaired here.
    #[error(
        "The database {location} is damaged: {detail}. Nothing was deleted: copy it to a safe place, then move it away to start with an empty one."
    )]
    Corrupt {
        /// Where the database is.
        location: String,
        /// What SQLite found.
        detail: String,
    },
    /// The database was written by a newer version of this program.
    #[error(
        "The database {location} has schema version {found}, and this program knows versions up to {known}. Nothing was changed: update the program to open it."
    )]
    TooNew {
        /// Where the database is.
        location: String,
        /// Its schema version.
        found: u32,
        /// The newest schema version known here.
        known: u32,
    },
    /// There is no room left.
    #[error(
        "There is no room left for the database {location}. Nothing was lost: make room, then try again."
    )]
    Full {
        /// Where the database is.
        location: String,
    },
    /// Reading or writing failed. Whether a batch that failed so is on disk is known only after
    /// the database was closed and opened again.
    #[error(
        "The database {location} could not be read or written: {detail}. Open it again to see what it holds."
    )]
    Io {
        /// Where the database is.
        location: String,
        /// What SQLite said.
        detail: String,
    },
    /// A newer core has begun, so this one has lost its right to write.
    #[error(
        "A newer core has taken over (epoch {stored}, this one is {ours}). This core must stop."
    )]
    Superseded {
        /// The epoch this store began.
        ours: u32,
        /// The newest epoch.
        stored: u32,
    },
    /// The caller asked for something that cannot be right, or this crate is wrong.
    #[error("The store was misused, which is a mistake in the program: {detail}.")]
    Bug {
        /// What was wrong.
        detail: String,
    },
}

/// What kind of failure a [`StoreError`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreErrorKind {
    /// Somebody else has the database.
    Locked,
    /// The database is damaged.
    Corrupt,
    /// The database was written by a newer version.
    TooNew,
    /// There is no room left.
    Full,
    /// Reading or writing failed.
    Io,
    /// A newer core has begun.
    Superseded,
    /// A mistake in the program.
    Bug,
}

impl StoreError {
    /// What kind of failure it is.
    pub fn kind(&self) -> StoreErrorKind {
        match self {
            Self::Locked { .. } => StoreErrorKind::Locked,
            Self::Corrupt { .. } => StoreErrorKind::Corrupt,
            Self::TooNew { .. } => StoreErrorKind::TooNew,
            Self::Full { .. } => StoreErrorKind::Full,
            Self::Io { .. } => StoreErrorKind::Io,
            Self::Superseded { .. } => StoreErrorKind::Superseded,
            Self::Bug { .. } => StoreErrorKind::Bug,
        }
    }

    /// A write by an owner that a newer core has replaced.
    pub(crate) fn superseded(ours: Epoch, stored: Epoch) -> Self {
        Self::Superseded {
            ours: ours.0,
            stored: stored.0,
        }
    }

    /// A mistake in the program.
    pub(crate) fn bug(detail: impl Into<String>) -> Self {
        Self::Bug {
            detail: detail.into(),
        }
    }

    /// An error of SQLite in the database at `location`.
    pub(crate) fn from_sqlite(location: &str, error: &rusqlite::Error) -> Self {
        let location = location.to_owned();
        let detail = error.to_string();
        let Some(failure) = error.sqlite_error() else {
            return if is_unreadable_value(error) {
                Self::Corrupt { location, detail }
            } else {
                Self::Bug { detail }
            };
        };
        // Extended codes keep the primary code in their low byte.
        match failure.extended_code & 0xff {
            ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED | ffi::SQLITE_PROTOCOL => {
                Self::Locked { location }
            }
            ffi::SQLITE_CORRUPT | ffi::SQLITE_NOTADB => Self::Corrupt { location, detail },
            ffi::SQLITE_FULL => Self::Full { location },
            ffi::SQLITE_IOERR
            | ffi::SQLITE_CANTOPEN
            | ffi::SQLITE_READONLY
            | ffi::SQLITE_PERM
            | ffi::SQLITE_AUTH
            | ffi::SQLITE_NOMEM => Self::Io { location, detail },
            _ => Self::Bug { detail },
        }
    }
}

/// Whether a stored value is not of the type that its column promises: the tables are strict, so
/// only damage can have put it there.
fn is_unreadable_value(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::Utf8Error(..)
    )
}
