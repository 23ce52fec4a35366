//! SQLite: migrations, conversations, the journal of items, search.
//!
//! The store is the truth: a step of the agent is one [`Batch`], committed in one transaction and
//! flushed before the step's effects begin. What [`Store::commit`] acknowledged survives the death
//! of the process at any instruction; what it refused left no trace.
//!
//! Invariant: only the core that began the newest epoch can write. Bodies, outcomes and settings
//! are opaque text here: their meaning is the caller's.

mod error;
mod location;
mod migrate;
mod read;
mod rows;
mod search;
mod sql;
mod store;
mod words;
mod write;

pub use error::{StoreError, StoreErrorKind};
pub use location::Location;
pub use rows::{Batch, ConversationRow, Hit, ItemRow, ModelRow, OpRow, RunRow, SettingRow};
pub use store::Store;

#[cfg(test)]
mod tests;
