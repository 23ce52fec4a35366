//! Whole agent runs over a fake host, with seeded faults and deaths.
//!
//! A [`scenario`] follows from a seed: what the model is to do ([`plan`]), what the person does, and
//! what goes wrong. A [`run`] plays it with the real core, the real store on a disk in memory whose
//! power can fail ([`disk`], [`power`]), a model server that follows its plan and misbehaves
//! ([`puppet`]), a person with a panel ([`person`], [`view`]) and tools that keep a record of what
//! they did ([`tools`], [`world`]). The core is polled by hand, and time passes only when nothing
//! else happens, so that the same seed gives the same run, event for event.
//!
//! At the end the core is killed once more and started again, and what it shows is held against what
//! was acknowledged and what was done ([`check`]). What must never happen has a name each, in
//! [`fault`]. [`sweep`] plays many: seeds, and the matrix, in which short scenarios are played once
//! for every moment at which the core can die.
//!
//! Invariant: nothing here reads a clock, randomness, a disk or a network of this computer.

pub mod check;
pub mod disk;
pub mod fault;
pub mod host;
pub mod person;
pub mod plan;
pub mod power;
pub mod puppet;
pub mod random;
pub mod run;
pub mod scenario;
pub mod sweep;
pub mod tools;
pub mod trace;
pub mod view;
pub mod world;

/// Why a simulation cannot run at all.
#[derive(Debug, thiserror::Error)]
pub enum SimError {
    /// SQLite does not take the simulated disk.
    #[error("SQLite does not take the simulated disk: {0}.")]
    Vfs(String),
    /// The store does not open on an empty disk.
    #[error("the store cannot begin: {0}")]
    Store(#[from] tabwright_store::StoreError),
    /// A thread that ran simulations ended in a panic outside of any run.
    #[error("a thread of the simulation panicked outside of a run.")]
    Worker,
}
