//! A disk in memory whose power can fail, under the real store.
//!
//! What was flushed survives a crash. Of what was written since the last flush, each file keeps
//! some first part in the order of writing, the last write possibly torn at any byte; files lose
//! independently of each other. Writes are not reordered within a file: SQLite's checksums would
//! tolerate it in the log, but not in the database proper, and no disk that a browser runs on does
//! so within one file handle.

mod file;
mod vfs;

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind, Result};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::power::{Moment, Power};
use crate::random::Random;
use file::File;

pub use vfs::Bay;

/// A disk. A clone is the same disk.
#[derive(Clone, Default)]
pub struct SimDisk {
    state: Arc<Mutex<State>>,
    power: Power,
}

#[derive(Default)]
struct State {
    files: BTreeMap<&'static str, File>,
    /// Files whose deletion was not flushed yet.
    ghosts: BTreeMap<&'static str, File>,
    /// After so many more changes one fails, and the computer lives on.
    glitch: Option<Glitch>,
    /// Whether a flush is a lie.
    lies: bool,
}

/// A failure that does not end the computer's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glitch {
    /// How many changes of the disk go well before.
    pub after: u64,
    /// Whether the disk is full; else it fails for another reason.
    pub full: bool,
}

/// What a disk holds, to begin others with: its files by what they are to the database.
pub type Image = Vec<(&'static str, Vec<u8>)>;

impl SimDisk {
    /// An empty disk.
    pub fn new(power: Power) -> Self {
        Self {
            state: Arc::default(),
            power,
        }
    }

    /// A disk that holds this, flushed.
    pub fn from_image(image: &Image, power: Power) -> Self {
        let files = image
            .iter()
            .map(|(name, bytes)| (*name, File::flushed(bytes.clone())))
            .collect();
        Self {
            state: Arc::new(Mutex::new(State {
                files,
                ..State::default()
            })),
            power,
        }
    }

    /// What it holds now, flushed or not.
    pub fn image(&self) -> Image {
        let state = self.lock();
        let files = state.files.iter();
        files
            .map(|(name, file)| (*name, file.bytes().to_vec()))
            .collect()
    }

    /// What a crash at this moment would leave at the least: only what was flushed.
    pub fn flushed_image(&self) -> Image {
        let state = self.lock();
        let files = state.files.iter();
        files
            .map(|(name, file)| (*name, file.flushed_bytes()))
            .collect()
    }

    /// The power failed: what was not flushed is lost, but for some of it.
    pub fn crash(&self, random: &mut Random) {
        let mut state = self.lock();
        let ghosts = std::mem::take(&mut state.ghosts);
        for (name, file) in ghosts {
            if random.chance(50) {
                state.files.entry(name).or_insert(file);
            }
        }
        for file in state.files.values_mut() {
            file.crash(random);
        }
        state.glitch = None;
    }

    /// From now on it says that it has flushed, and has not, as some cheap disks do. Nothing can be
    /// kept on such a disk: it is for seeing that losses are noticed.
    pub fn lie(&self) {
        self.lock().lies = true;
    }

    /// Makes one of the next changes fail.
    pub fn plan_glitch(&self, glitch: Glitch) {
        self.lock().glitch = Some(glitch);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails when the power is off.
    fn powered(&self) -> Result<()> {
        if self.power.is_off() {
            return Err(no_power());
        }
        Ok(())
    }

    /// A boundary, and perhaps the planned failure.
    fn change(&self, moment: Moment) -> Result<()> {
        if !self.power.pass(moment) {
            return Err(no_power());
        }
        let mut state = self.lock();
        if let Some(glitch) = &mut state.glitch {
            if glitch.after == 0 {
                let kind = if glitch.full {
                    ErrorKind::WriteZero
                } else {
                    ErrorKind::Other
                };
                state.glitch = None;
                return Err(Error::new(kind, "the disk failed as planned"));
            }
            glitch.after -= 1;
        }
        Ok(())
    }

    fn create(&self, name: &'static str) -> Result<()> {
        self.powered()?;
        self.lock().files.entry(name).or_default();
        Ok(())
    }

    fn exists(&self, name: &'static str) -> Result<bool> {
        self.powered()?;
        Ok(self.lock().files.contains_key(name))
    }

    fn delete(&self, name: &'static str) -> Result<()> {
        self.change(Moment::Write)?;
        let mut state = self.lock();
        let file = state.files.remove(name);
        let file = file.ok_or_else(|| Error::new(ErrorKind::NotFound, "no such file"))?;
        // SQLite flushes the deletion of a rollback journal, and does not care for that of a log.
        if name.ends_with("-wal") {
            state.ghosts.insert(name, file);
        }
        Ok(())
    }

    fn write(&self, name: &'static str, at: usize, bytes: &[u8]) -> Result<()> {
        self.change(Moment::Write)?;
        self.with(name, |file| file.write(at, bytes))
    }

    fn resize(&self, name: &'static str, length: usize) -> Result<()> {
        self.change(Moment::Write)?;
        self.with(name, |file| file.resize(length))
    }

    fn sync(&self, name: &'static str) -> Result<()> {
        self.change(Moment::Sync)?;
        let mut state = self.lock();
        if state.lies {
            return Ok(());
        }
        state.ghosts.clear();
        drop(state);
        self.with(name, File::sync)
    }

    fn length(&self, name: &'static str) -> Result<usize> {
        self.powered()?;
        self.with(name, |file| file.bytes().len())
    }

    /// Reads as much as there is; the rest of the buffer is zero. Returns how much there was.
    fn read(&self, name: &'static str, at: usize, buffer: &mut [u8]) -> Result<usize> {
        self.powered()?;
        self.with(name, |file| {
            let there = file.bytes().get(at..).unwrap_or_default();
            let count = there.len().min(buffer.len());
            buffer[..count].copy_from_slice(&there[..count]);
            buffer[count..].fill(0);
            count
        })
    }

    fn with<T>(&self, name: &'static str, work: impl FnOnce(&mut File) -> T) -> Result<T> {
        match self.lock().files.get_mut(name) {
            Some(file) => Ok(work(file)),
            None => Err(Error::new(ErrorKind::NotFound, "no such file")),
        }
    }
}

fn no_power() -> Error {
    Error::other("the power is off")
}

#[cfg(test)]
mod tests;
