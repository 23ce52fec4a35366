//! Whole agent runs over a fake host, with seeded faults and deaths.

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
