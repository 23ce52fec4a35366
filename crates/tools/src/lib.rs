//! The Tool trait, the registry, the one door, and one file a tool.
//!
//! Whoever calls a tool (the model, a sub-agent, the tool author's console) goes through
//! [`Door`]: look-up, arguments, inspectors, run. Invariant: nothing runs that was not declared,
//! whose arguments do not fit its schema, or that an inspector refused; and every call ends in
//! exactly one [`CallOutcome`].

mod arguments;
pub mod boundary;
mod builtin;
mod declaration;
mod door;
mod error;
mod fit;
mod inspector;
mod invisible;
mod list_tabs;
mod outcome;
mod pattern;
mod registry;
mod schema;
mod shrink;
mod tool;

pub use builtin::builtin;
pub use declaration::{Access, Declaration, Effects, Replay};
pub use door::{Door, Prepared};
pub use error::ToolError;
pub use inspector::{CallFacts, Inspector, Verdict};
pub use list_tabs::{ListTabs, ListTabsInput};
pub use outcome::CallOutcome;
pub use registry::{Registered, Registry};
pub use schema::schema_of;
pub use tool::{AnyTool, Tool, ToolContext, ToolOutput, ToolResult};
