//! The tools that come with Tabwright.

use crate::{
    ActivateTab, AskUser, CloseTab, CreateTask, Delegate, ListTabs, ListTasks, OpenTab, OpfsDelete,
    OpfsList, OpfsRead, OpfsWrite, Registry, ToolError, UpdateTask, WebFetch,
};

/// A registry with every tool that comes with Tabwright.
pub fn builtin() -> Result<Registry, ToolError> {
    let mut registry = Registry::new();
    registry.add(ListTabs)?;
    registry.add(OpenTab)?;
    registry.add(CloseTab)?;
    registry.add(ActivateTab)?;
    registry.add(WebFetch)?;
    registry.add(OpfsWrite)?;
    registry.add(OpfsRead)?;
    registry.add(OpfsList)?;
    registry.add(OpfsDelete)?;
    registry.add_core(AskUser)?;
    registry.add_core(Delegate)?;
    registry.add_core(CreateTask)?;
    registry.add_core(UpdateTask)?;
    registry.add_core(ListTasks)?;
    Ok(registry)
}
