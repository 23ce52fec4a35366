//! HTML in, text out. So far: the document tree that everything else will read.
//!
//! Pure: no I/O, no clock. Invariants: any text parses; memory and depth are bounded by the limits
//! in [`dom`]; nothing here recurses over a page, so that no page, however deep, ends the stack.

pub mod charset;
pub mod dom;
pub mod extract;
mod json_ld;
pub mod markdown;
pub mod meta;
pub mod page;

pub use dom::{Document, NodeId};
pub use html5ever::{LocalName, local_name};
