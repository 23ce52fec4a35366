//! Files in memory, with a model of what a crash leaves behind.
//!
//! Invariant: whatever is planned, a file holds what some write gave it whole, except after a crash
//! in [`Crash::Torn`], which breaks the contract of [`Files`] on purpose.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::future::LocalBoxFuture;

use super::faults::Switchboard;
use super::tree::Tree;
use super::{Call, FakeClock, FaultPlan, SeededEntropy};
use crate::{Entropy, Entry, FileHead, Files, HostError, HostErrorKind};

/// Files in memory, with a model of what a crash leaves behind.
#[derive(Clone)]
pub struct FakeFiles {
    calls: Rc<Switchboard>,
    disk: Rc<RefCell<Disk>>,
}

/// What a crash makes of the changes in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crash {
    /// Each file holds its old or its new content, as the seed says.
    Seeded,
    /// No change in flight reached the disk.
    Old,
    /// Every change in flight reached the disk.
    New,
    /// A file that was being written holds the beginning of its new content and the end of its old
    /// one. The contract forbids this; it shows a test what its checks would catch.
    Torn,
}

struct Disk {
    tree: Tree,
    entropy: SeededEntropy,
    crash: Crash,
    begun: u64,
    in_flight: BTreeMap<u64, Change>,
}

/// A change that has begun.
#[derive(Clone)]
enum Change {
    Write { path: String, bytes: Vec<u8> },
    Remove { path: String },
}

impl FakeFiles {
    /// An empty workspace.
    pub fn new(clock: FakeClock, seed: u64) -> Self {
        Self {
            calls: Rc::new(Switchboard::new(clock)),
            disk: Rc::new(RefCell::new(Disk {
                tree: Tree::default(),
                entropy: SeededEntropy::new(seed),
                crash: Crash::Seeded,
                begun: 0,
                in_flight: BTreeMap::new(),
            })),
        }
    }

    /// What goes wrong from now on; calls are counted from 1 again.
    pub fn set_faults(&self, plan: FaultPlan) {
        self.calls.set_plan(plan);
    }

    /// Every call, in order.
    pub fn calls(&self) -> Vec<Call> {
        self.calls.calls()
    }

    /// The content of a file, past all faults.
    pub fn get(&self, path: &str) -> Option<Vec<u8>> {
        self.disk.borrow().tree.read(path).ok()
    }

    /// Makes a file, past all faults.
    pub fn put(&self, path: &str, bytes: impl AsRef<[u8]>) -> Result<(), HostError> {
        let mut disk = self.disk.borrow_mut();
        disk.tree.write(path, bytes.as_ref().to_vec())
    }

    /// What the next crashes make of the changes in flight.
    pub fn on_crash(&self, crash: Crash) {
        self.disk.borrow_mut().crash = crash;
    }

    /// The core dies: the changes in flight end as [`FakeFiles::on_crash`] says, and whoever still
    /// waits for one of them is told that it is unavailable.
    pub fn crash(&self) {
        self.disk.borrow_mut().crash();
    }

    /// Reads: an effect at once, nothing in flight.
    fn look<T: 'static>(
        &self,
        name: &'static str,
        path: &str,
        read: impl FnOnce(&Tree, &str) -> Result<T, HostError> + 'static,
    ) -> LocalBoxFuture<'static, Result<T, HostError>> {
        let disk = Rc::clone(&self.disk);
        let path = path.to_owned();
        let arguments = path.clone();
        let effect = move || {
            let result = read(&disk.borrow().tree, &path);
            result.map_err(|error| HostError {
                call: name,
                ..error
            })
        };
        Box::pin(Rc::clone(&self.calls).call(name, arguments, effect))
    }

    /// Changes: in flight from the first poll until it is answered or dropped.
    fn change(
        &self,
        name: &'static str,
        arguments: String,
        change: Change,
    ) -> LocalBoxFuture<'static, Result<(), HostError>> {
        let calls = Rc::clone(&self.calls);
        let disk = Rc::clone(&self.disk);
        Box::pin(async move {
            let flight = Flight::begin(disk, change);
            calls.call(name, arguments, || flight.land(name)).await
        })
    }
}

impl Files for FakeFiles {
    fn read(&self, path: &str) -> LocalBoxFuture<'static, Result<Vec<u8>, HostError>> {
        self.look("files.read", path, Tree::read)
    }

    fn head(
        &self,
        path: &str,
        max_bytes: u32,
    ) -> LocalBoxFuture<'static, Result<FileHead, HostError>> {
        self.look("files.head", path, move |tree, path| {
            let mut bytes = tree.read(path)?;
            let size = bytes.len() as u64;
            bytes.truncate(usize::try_from(max_bytes).unwrap_or(usize::MAX));
            Ok(FileHead { bytes, size })
        })
    }

    fn blob_url(
        &self,
        path: &str,
        mime_type: &str,
    ) -> LocalBoxFuture<'static, Result<String, HostError>> {
        let url = format!("blob:fake/{path}#{mime_type}");
        self.look("files.blob_url", path, move |tree, path| {
            tree.read(path).map(|_| url)
        })
    }

    fn write(&self, path: &str, bytes: Vec<u8>) -> LocalBoxFuture<'static, Result<(), HostError>> {
        let arguments = format!("{path} ({} bytes)", bytes.len());
        let path = path.to_owned();
        self.change("files.write", arguments, Change::Write { path, bytes })
    }

    fn list(&self, path: &str) -> LocalBoxFuture<'static, Result<Vec<Entry>, HostError>> {
        self.look("files.list", path, Tree::list)
    }

    fn remove(&self, path: &str) -> LocalBoxFuture<'static, Result<(), HostError>> {
        let path = path.to_owned();
        self.change("files.remove", path.clone(), Change::Remove { path })
    }
}

/// A change on its way. Dropping it takes it back.
struct Flight {
    disk: Rc<RefCell<Disk>>,
    number: u64,
}

impl Flight {
    fn begin(shared: Rc<RefCell<Disk>>, change: Change) -> Self {
        let number = {
            let mut disk = shared.borrow_mut();
            let number = disk.begun;
            disk.begun += 1;
            disk.in_flight.insert(number, change);
            number
        };
        Self {
            disk: shared,
            number,
        }
    }

    fn land(&self, name: &'static str) -> Result<(), HostError> {
        let mut disk = self.disk.borrow_mut();
        match disk.in_flight.remove(&self.number) {
            Some(Change::Write { path, bytes }) => disk.tree.write(&path, bytes),
            Some(Change::Remove { path }) => disk.tree.remove(&path),
            // A crash has ended it.
            None => Err(HostError::new(
                name,
                HostErrorKind::Unavailable,
                "the core died before this was answered",
            )),
        }
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.disk.borrow_mut().in_flight.remove(&self.number);
    }
}

impl Disk {
    fn crash(&mut self) {
        for (_, change) in std::mem::take(&mut self.in_flight) {
            // A change that could not have been made leaves nothing behind.
            let _ = match change {
                Change::Write { path, bytes } => self.crash_write(&path, bytes),
                Change::Remove { path } => self.crash_remove(&path),
            };
        }
    }

    fn crash_write(&mut self, path: &str, new: Vec<u8>) -> Result<(), HostError> {
        match self.crash {
            Crash::Old => Ok(()),
            Crash::New => self.tree.write(path, new),
            Crash::Seeded if self.coin() => self.tree.write(path, new),
            Crash::Seeded => Ok(()),
            Crash::Torn => {
                let old = self.tree.read(path).unwrap_or_default();
                let cut = new.len() / 2;
                let mut mixed = new;
                mixed.truncate(cut);
                mixed.extend(old.into_iter().skip(cut));
                self.tree.write(path, mixed)
            }
        }
    }

    /// A directory goes file by file, so that a crash may leave some of them.
    fn crash_remove(&mut self, path: &str) -> Result<(), HostError> {
        match self.crash {
            Crash::Old => Ok(()),
            Crash::New => self.tree.remove(path),
            Crash::Seeded | Crash::Torn => {
                for file in self.tree.files_under(path) {
                    if self.coin() {
                        self.tree.remove(&file)?;
                    }
                }
                Ok(())
            }
        }
    }

    fn coin(&self) -> bool {
        self.entropy.next() & 1 == 1
    }
}
