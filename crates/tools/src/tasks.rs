//! `create_task`, `update_task`, `list_tasks`: the agent's own to-do list, shown to the person.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tabwright_protocol::TaskStatus;

use crate::core_request::{CoreRequest, TaskRequest};
use crate::{Access, CoreTool, Declaration, Effects, Replay, ToolError};

/// The longest subject, in characters.
const LONGEST_SUBJECT: usize = 300;
/// The longest description, in characters.
const LONGEST_DESCRIPTION: usize = 4_000;

/// `create_task`.
pub struct CreateTask;
/// `update_task`.
pub struct UpdateTask;
/// `list_tasks`.
pub struct ListTasks;

/// The arguments of `create_task`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct CreateTaskInput {
    /// What is to be done.
    pub subject: String,
    /// More of it.
    #[serde(default)]
    pub description: Option<String>,
}

/// The arguments of `update_task`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct UpdateTaskInput {
    /// The task's id.
    pub task_id: String,
    /// How far it is now.
    #[serde(default)]
    pub status: Option<Status>,
    /// Replaces the subject.
    #[serde(default)]
    pub subject: Option<String>,
    /// Replaces the description.
    #[serde(default)]
    pub description: Option<String>,
}

/// The arguments of `list_tasks`: none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct ListTasksInput {}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not begun.
    Pending,
    /// Begun.
    InProgress,
    /// Done.
    Completed,
}

impl From<Status> for TaskStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Pending => Self::Pending,
            Status::InProgress => Self::InProgress,
            Status::Completed => Self::Completed,
        }
    }
}

impl CoreTool for CreateTask {
    type Input = CreateTaskInput;

    fn declaration(&self, schema: Value) -> Declaration {
        let about = "Add a step to your to-do list, which the person sees. For work of three steps or more.";
        declaration("create_task", "Add a task", about, Access::Write, schema)
    }

    fn request(&self, input: CreateTaskInput) -> Result<CoreRequest, ToolError> {
        Ok(CoreRequest::Tasks(TaskRequest::Create {
            subject: subject(input.subject)?,
            description: input.description.map(description).transpose()?,
        }))
    }
}

impl CoreTool for UpdateTask {
    type Input = UpdateTaskInput;

    fn declaration(&self, schema: Value) -> Declaration {
        let about = "Change a task: in_progress when you begin it, completed when a result shows that it is done.";
        declaration("update_task", "Update a task", about, Access::Write, schema)
    }

    fn request(&self, input: UpdateTaskInput) -> Result<CoreRequest, ToolError> {
        Ok(CoreRequest::Tasks(TaskRequest::Update {
            id: input.task_id,
            status: input.status.map(TaskStatus::from),
            subject: input.subject.map(subject).transpose()?,
            description: input.description.map(description).transpose()?,
        }))
    }
}

impl CoreTool for ListTasks {
    type Input = ListTasksInput;

    fn declaration(&self, schema: Value) -> Declaration {
        let about = "All tasks with id and status.";
        declaration("list_tasks", "List tasks", about, Access::Read, schema)
    }

    fn request(&self, _: ListTasksInput) -> Result<CoreRequest, ToolError> {
        Ok(CoreRequest::Tasks(TaskRequest::List))
    }
}

fn declaration(
    name: &str,
    title: &str,
    description: &str,
    access: Access,
    schema: Value,
) -> Declaration {
    Declaration {
        name: name.into(),
        title: title.into(),
        description: description.into(),
        schema,
        access,
        // The list changes in the transaction that holds the result: it never changes without one.
        replay: Replay::Keyed,
        concurrent: false,
        effects: Effects::NONE,
        untrusted: false,
    }
}

fn subject(text: String) -> Result<String, ToolError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ToolError::reply(
            "empty_subject",
            "The argument `subject` is empty. Write what is to be done.",
        ));
    }
    at_most(text, LONGEST_SUBJECT, "subject")
}

fn description(text: String) -> Result<String, ToolError> {
    at_most(&text, LONGEST_DESCRIPTION, "description")
}

fn at_most(text: &str, limit: usize, argument: &str) -> Result<String, ToolError> {
    let length = text.chars().count();
    if length > limit {
        return Err(ToolError::reply(
            "too_long",
            format!(
                "The argument `{argument}` is {length} characters long; at most {limit} are taken. Shorten it."
            ),
        ));
    }
    Ok(text.to_owned())
}
