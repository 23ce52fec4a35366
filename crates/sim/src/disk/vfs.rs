//! The disk as a VFS of SQLite.
//!
//! Every thread that runs simulations has a [`Bay`] with a VFS of its own, because the VFS
//! library keeps state that two threads must not change at the same time.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Error, ErrorKind, Result};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlite_vfs::{DatabaseHandle, LockKind, OpenAccess, OpenOptions, Vfs, WalDisabled};
use tabwright_store::Location;

use super::SimDisk;
use crate::SimError;

/// A place for disks, under a name that SQLite knows. It stays known for the life of the process.
pub struct Bay {
    vfs: String,
    disks: Disks,
}

/// The mounted disks by their database's name.
type Disks = Arc<Mutex<BTreeMap<String, SimDisk>>>;

impl Bay {
    /// A new place without disks.
    pub fn new() -> std::result::Result<Self, SimError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let vfs = format!("tabwright-sim-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let disks = Disks::default();
        let shelf = Shelf {
            disks: disks.clone(),
        };
        match sqlite_vfs::register(&vfs, shelf, false) {
            Ok(()) => Ok(Self { vfs, disks }),
            Err(error) => Err(SimError::Vfs(error.to_string())),
        }
    }

    /// Puts a disk in, in the place of the one with that name, and says where its database is.
    pub fn mount(&self, name: &str, disk: &SimDisk) -> Location {
        let mut disks = self.disks.lock().unwrap_or_else(PoisonError::into_inner);
        disks.insert(name.to_owned(), disk.clone());
        Location::Vfs {
            name: name.to_owned(),
            vfs: self.vfs.clone(),
        }
    }
}

/// The VFS.
struct Shelf {
    disks: Disks,
}

impl Shelf {
    /// The disk that holds the database whose file this is, and what the file is to the database.
    fn find(&self, file: &str) -> Result<(SimDisk, &'static str)> {
        let (database, role) = ["-wal", "-journal"]
            .into_iter()
            .find_map(|role| Some((file.strip_suffix(role)?, role)))
            .unwrap_or((file, ""));
        let disks = self.disks.lock().unwrap_or_else(PoisonError::into_inner);
        match disks.get(database) {
            Some(disk) => Ok((disk.clone(), role)),
            None => Err(Error::new(ErrorKind::NotFound, "no such disk")),
        }
    }
}

impl Vfs for Shelf {
    type Handle = Handle;

    fn open(&self, name: &str, options: OpenOptions) -> Result<Handle> {
        let (disk, name) = self.find(name)?;
        match options.access {
            OpenAccess::Create | OpenAccess::CreateNew => disk.create(name)?,
            OpenAccess::Read | OpenAccess::Write => {
                if !disk.exists(name)? {
                    return Err(Error::new(ErrorKind::NotFound, "no such file"));
                }
            }
        }
        Ok(Handle {
            disk,
            name,
            lock: LockKind::None,
        })
    }

    fn delete(&self, name: &str) -> Result<()> {
        let (disk, name) = self.find(name)?;
        disk.delete(name)
    }

    fn exists(&self, name: &str) -> Result<bool> {
        let (disk, name) = self.find(name)?;
        disk.exists(name)
    }

    fn temporary_name(&self) -> String {
        // The store keeps what is temporary in memory.
        "temporary".to_owned()
    }

    fn random(&self, buffer: &mut [i8]) {
        buffer.fill(4);
    }

    fn sleep(&self, duration: Duration) -> Duration {
        duration
    }

    fn full_pathname<'a>(&self, name: &'a str) -> Result<Cow<'a, str>> {
        Ok(name.into())
    }
}

/// An open file.
struct Handle {
    disk: SimDisk,
    name: &'static str,
    lock: LockKind,
}

/// SQLite's offsets and lengths as this machine's.
fn size(number: u64) -> Result<usize> {
    usize::try_from(number).map_err(|_| Error::new(ErrorKind::InvalidInput, "too large a number"))
}

impl DatabaseHandle for Handle {
    type WalIndex = WalDisabled;

    fn size(&self) -> Result<u64> {
        Ok(self.disk.length(self.name)? as u64)
    }

    fn read_exact_at(&mut self, buffer: &mut [u8], offset: u64) -> Result<()> {
        let count = self.disk.read(self.name, size(offset)?, buffer)?;
        if count < buffer.len() {
            return Err(Error::new(ErrorKind::UnexpectedEof, "the file is shorter"));
        }
        Ok(())
    }

    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> Result<()> {
        self.disk.write(self.name, size(offset)?, bytes)
    }

    fn sync(&mut self, _: bool) -> Result<()> {
        self.disk.sync(self.name)
    }

    fn set_len(&mut self, length: u64) -> Result<()> {
        self.disk.resize(self.name, size(length)?)
    }

    // One store at a time has a disk open, so every lock is free.
    fn lock(&mut self, lock: LockKind) -> Result<bool> {
        self.lock = lock;
        Ok(true)
    }

    fn reserved(&mut self) -> Result<bool> {
        Ok(false)
    }

    fn current_lock(&self) -> Result<LockKind> {
        Ok(self.lock)
    }

    fn wal_index(&self, _: bool) -> Result<WalDisabled> {
        Ok(WalDisabled)
    }
}
