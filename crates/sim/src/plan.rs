//! What the puppet model is to do: a plan for each message of the person's and each sub-agent.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::tools::{Ending, ToolKind};
use crate::world::StepId;

/// What the model does with one message.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its number, unique in the run.
    pub id: u32,
    /// Which of the conversations it belongs to, from 0; a sub-agent's to its parent's.
    pub conversation: u32,
    /// The plan whose step starts the sub-agent that follows this one, if it is one's.
    pub parent: Option<u32>,
    /// The rounds, in order.
    pub rounds: Vec<Vec<Call>>,
    /// How many characters the last answer has.
    pub last_words: u32,
    /// What goes wrong with its requests, by their number from 0.
    pub mischief: BTreeMap<u32, Mischief>,
}

/// A call that the model makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// One of the simulation's tools.
    Step {
        /// Which.
        tool: ToolKind,
        /// Milliseconds before its effect.
        before: u64,
        /// Milliseconds after it.
        after: u64,
        /// How it ends.
        ending: Ending,
        /// How long its result is.
        length: u32,
    },
    /// A question to the person.
    Ask {
        /// Whether it is a choice.
        options: bool,
        /// Whether several may be chosen.
        multiple: bool,
    },
    /// A sub-agent.
    Delegate {
        /// The plan it follows.
        plan: u32,
    },
    /// A new task.
    CreateTask,
    /// A change of the task with that number, which may not exist.
    UpdateTask {
        /// The number.
        task: u32,
    },
    /// All tasks. Every such call is equal to the others, so the loop guard notices many.
    ListTasks,
    /// A tool that does not exist.
    Unknown,
    /// Arguments that do not fit.
    Misfit,
}

/// What goes wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mischief {
    /// Too many requests; come back after so many seconds.
    TooMany(u64),
    /// The server fails with that status.
    Status(u16),
    /// No connection.
    Unreachable,
    /// The connection breaks after so many pieces.
    BreaksAfter(usize),
    /// The body ends after so many pieces, as if that were all.
    EndsAfter(usize),
    /// Nothing comes after so many pieces, and the connection stays.
    StallsAfter(usize),
    /// Not even a head comes.
    Silent,
    /// A piece that is not JSON comes after so many.
    GarbageAfter(usize),
    /// An error comes instead of a piece, after so many.
    ErrorAfter(usize),
    /// A web page comes instead of an answer.
    WebPage,
    /// The server says that the conversation is too long, though it is not.
    TooLong,
    /// Every piece of a call comes twice.
    Repeated,
    /// The answer is cut at the output limit, in the middle of a call where there is one.
    CutShort,
    /// The content filter ends the answer.
    Filtered,
    /// An answer with nothing in it.
    Empty,
    /// Every piece takes that long.
    Slow(u64),
    /// The whole answer in one JSON object, as servers that do not stream send it.
    Whole,
}

impl Plan {
    /// Its steps, in order.
    pub fn steps(&self) -> impl Iterator<Item = (StepId, &Call)> {
        let id = self.id;
        (0..).zip(&self.rounds).flat_map(move |(round, calls)| {
            (0..).zip(calls).map(move |(call, what)| {
                let step = StepId {
                    plan: id,
                    round,
                    call,
                };
                (step, what)
            })
        })
    }

    /// The words by which the puppet knows which plan a conversation follows.
    pub fn marker(&self) -> String {
        match self.parent {
            None => format!("[plan:{}]", self.id),
            Some(_) => format!("[brief:{}]", self.id),
        }
    }
}

impl Call {
    /// The tool's name and the arguments, as the model sends them. All have the step in `id`, also
    /// where the tool has no such argument and drops it.
    pub fn request(&self, step: StepId) -> (&'static str, Value) {
        let id = step.to_string();
        match self {
            Self::Step {
                tool,
                before,
                after,
                ending,
                length,
            } => {
                let arguments = json!({
                    "id": id, "before": before, "after": after, "ending": ending, "length": length,
                });
                (tool.name(), arguments)
            }
            Self::Ask { options, multiple } => {
                let mut arguments = json!({"id": id, "question": format!("Step {step}: which?")});
                if *options {
                    arguments["options"] = json!(["red", "green", "blue"]);
                    arguments["multiple"] = json!(multiple);
                }
                ("ask_user", arguments)
            }
            Self::Delegate { plan } => {
                let arguments = json!({
                    "id": id, "prompt": format!("[brief:{plan}] Do your part."),
                    "description": format!("part {plan}"),
                });
                ("agent", arguments)
            }
            Self::CreateTask => (
                "create_task",
                json!({"id": id, "subject": format!("Task of step {step}")}),
            ),
            Self::UpdateTask { task } => (
                "update_task",
                json!({"id": id, "task_id": task.to_string(), "status": "completed"}),
            ),
            Self::ListTasks => ("list_tasks", json!({"id": id})),
            Self::Unknown => ("no_such_tool", json!({"id": id})),
            Self::Misfit => ("look", json!({"id": id, "before": "soon"})),
        }
    }

    /// The simulation's tool that it calls, if it is one.
    pub fn tool(&self) -> Option<ToolKind> {
        match self {
            Self::Step { tool, .. } => Some(*tool),
            Self::Ask { .. }
            | Self::Delegate { .. }
            | Self::CreateTask
            | Self::UpdateTask { .. }
            | Self::ListTasks
            | Self::Unknown
            | Self::Misfit => None,
        }
    }
}
