//! The run: state machine, history, driver, resume.
//!
//! [`machine`] decides and does no I/O. [`core`] is the driver: it takes ops, feeds the machine,
//! puts each step on disk in one transaction, and only then begins what the step asks for. There is
//! no other writer. When a write fails, or another core has taken over, the driver lets go of
//! everything and starts again from the disk, the same way as after a death.

mod boot;
mod compaction;
mod doctor;
mod driver;
mod history;
mod ids;
mod item;
pub mod machine;
mod outbox;
mod prompt;
mod rows;
mod view;

pub use boot::{OpenStore, core};
pub use driver::AgentError;
pub use ids::Ids;
pub use item::{Body, Call, Item, Message};
