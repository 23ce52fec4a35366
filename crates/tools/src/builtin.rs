//! The tools that come with Tabwright.

use crate::{ListTabs, Registry, ToolError};

/// A registry with every tool that comes with Tabwright.
pub fn builtin() -> Result<Registry, ToolError> {
    let mut registry = Registry::new();
    registry.add(ListTabs)?;
    Ok(registry)
}
