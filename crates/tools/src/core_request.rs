//! What a tool may ask of the conversation itself, and who a sub-agent may be.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tabwright_protocol::{TabId, TaskStatus};

use crate::Declaration;

/// What a tool asks of the conversation itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoreRequest {
    /// Ask the person.
    Ask(Question),
    /// Let a sub-agent work.
    Delegate(Brief),
    /// Change or read the task list.
    Tasks(TaskRequest),
}

/// A question to the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question.
    pub question: String,
    /// What the person may choose from; a free answer is always possible.
    pub options: Vec<String>,
    /// Whether several may be chosen.
    pub multiple: bool,
}

/// What a sub-agent is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brief {
    /// All that it is told.
    pub prompt: String,
    /// A short label for the person.
    pub description: String,
    /// What it may use.
    pub kind: AgentKind,
    /// The tab that is handed to it.
    pub tab: Option<TabId>,
}

/// What is wanted of the task list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskRequest {
    /// A new task.
    Create {
        /// What is to be done.
        subject: String,
        /// More of it.
        description: Option<String>,
    },
    /// A change of one.
    Update {
        /// Which.
        id: String,
        /// How far it is now.
        status: Option<TaskStatus>,
        /// What is to be done instead.
        subject: Option<String>,
        /// More of it.
        description: Option<String>,
    },
    /// All of them.
    List,
}

/// What a sub-agent may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    /// It searches, fetches, and reads pages and files.
    Researcher,
    /// It works in tabs and with files.
    PageOperator,
    /// All tools.
    #[default]
    General,
}

impl AgentKind {
    /// Whether it may use a tool. None may ask the person or start agents of its own: the person
    /// talks to one agent, and a tree of agents has no bound.
    pub fn may_use(self, tool: &Declaration) -> bool {
        const FILES: [&str; 4] = ["opfs_write", "opfs_read", "opfs_list", "opfs_delete"];
        const TASKS: [&str; 3] = ["create_task", "update_task", "list_tasks"];
        let name = tool.name.as_str();
        let by_all = || FILES.contains(&name) || TASKS.contains(&name);
        match self {
            Self::Researcher => {
                by_all()
                    || matches!(
                        name,
                        "web_search"
                            | "web_fetch"
                            | "get_tab_content"
                            | "list_tabs"
                            | "open_tab"
                            | "close_tab"
                    )
            }
            Self::PageOperator => {
                by_all()
                    || matches!(
                        name,
                        "web_fetch"
                            | "get_tab_content"
                            | "list_tabs"
                            | "open_tab"
                            | "close_tab"
                            | "activate_tab"
                            | "execute_script"
                            | "browser"
                    )
            }
            Self::General => !matches!(name, "ask_user" | "agent"),
        }
    }
}
