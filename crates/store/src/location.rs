//! Where a database is.

use std::fmt;
use std::path::PathBuf;

/// Where a database is. Every location but [`Location::SharedFile`] has one owner at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// In memory; gone when the store is dropped.
    Memory,
    /// A file of the operating system.
    File(PathBuf),
    /// A file that several stores may have open at a time, as no browser allows: it lets a test
    /// see what a superseded owner may still do.
    SharedFile(PathBuf),
    /// A database of a VFS that was registered with SQLite before.
    Vfs {
        /// The database's name within the VFS.
        name: String,
        /// The name under which the VFS was registered.
        vfs: String,
    },
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory => f.write_str("in memory"),
            Self::File(path) | Self::SharedFile(path) => write!(f, "{}", path.display()),
            Self::Vfs { name, vfs } => write!(f, "{name} ({vfs})"),
        }
    }
}
