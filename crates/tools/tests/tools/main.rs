//! The tools as the agent sees them: through the door.

// Clippy knows test functions, but not the helpers beside them.
#![allow(clippy::expect_used, clippy::panic)]

mod arguments;
mod boundary;
mod common;
mod door;
mod files;
mod list_tabs;
mod registry;
mod tab_tools;
mod web_fetch;
