//! The Tool trait, the registry, the one door, and one file a tool.
//!
//! Whoever calls a tool (the model, a sub-agent, the tool author's console) goes through
//! [`Door`]: look-up, arguments, inspectors, run. Invariant: nothing runs that was not declared,
//! whose arguments do not fit its schema, or that an inspector refused; and every call ends in
//! exactly one [`CallOutcome`].

mod activate_tab;
mod arguments;
mod ask_user;
pub mod boundary;
mod builtin;
mod close_tab;
mod core_request;
mod declaration;
mod delegate;
mod door;
mod ends;
mod error;
mod fetch;
mod file_content;
mod file_type;
mod fit;
mod halves;
mod inspector;
mod invisible;
mod list_tabs;
mod open_tab;
mod opfs_delete;
mod opfs_list;
mod opfs_read;
mod opfs_write;
mod outcome;
mod page_address;
mod pattern;
mod registry;
mod schema;
mod shrink;
mod tab_load;
mod tab_row;
mod tasks;
mod text_page;
mod tool;
mod web_fetch;
mod workspace_path;

pub use activate_tab::{ActivateTab, ActivateTabInput};
pub use ask_user::{AskUser, AskUserInput};
pub use builtin::builtin;
pub use close_tab::{CloseTab, CloseTabInput};
pub use core_request::{AgentKind, Brief, CoreRequest, Question, TaskRequest};
pub use declaration::{Access, Declaration, Effects, Replay};
pub use delegate::{Delegate, DelegateInput};
pub use door::{Door, Prepared};
pub use error::ToolError;
pub use halves::without_halves;
pub use inspector::{CallFacts, Inspector, Verdict};
pub use list_tabs::{ListTabs, ListTabsInput};
pub use open_tab::{OpenTab, OpenTabInput};
pub use opfs_delete::{OpfsDelete, OpfsDeleteInput};
pub use opfs_list::{OpfsList, OpfsListInput};
pub use opfs_read::{OpfsRead, OpfsReadInput, ReadMode};
pub use opfs_write::{OpfsWrite, OpfsWriteInput};
pub use outcome::CallOutcome;
pub use registry::{Registered, Registry};
pub use schema::schema_of;
pub use tasks::{CreateTask, ListTasks, UpdateTask};
pub use tool::{AnyTool, CoreTool, Tool, ToolContext, ToolOutput, ToolResult};
pub use web_fetch::{WebFetch, WebFetchInput};
