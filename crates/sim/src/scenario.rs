//! What happens in a run: what the model is to do, what the person does, and what goes wrong.

use tabwright_protocol::Settings;

use crate::disk::Glitch;
use crate::plan::Plan;
use crate::tools::ToolKind;

mod generate;

pub use generate::{Size, generate};

/// A whole run before it runs.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Where all its choices come from.
    pub seed: u64,
    /// The settings.
    pub settings: Settings,
    /// How many tokens the model reads at once, as its server sees it.
    pub window: u32,
    /// The same as its record says.
    pub told_window: u32,
    /// What the model is to do.
    pub plans: Vec<Plan>,
    /// What the person does in each conversation.
    pub threads: Vec<Vec<Act>>,
    /// How the person is.
    pub habits: Habits,
    /// Whether every single write is a moment to die at, or only the first of those between flushes.
    pub every_write: bool,
    /// After so many boundaries each life ends, the first ones; later ones do not die.
    pub lives: Vec<u64>,
    /// After how many deaths a disk failure comes, and which.
    pub glitch: Option<(u32, Glitch)>,
    /// Whether the disk says that it has flushed, and has not.
    pub disk_lies: bool,
    /// How often the database is found locked after a death.
    pub locked: u32,
    /// How many percent of the calls to the browser fail.
    pub failing: u64,
    /// Every how many tool calls it is checked that the disk knows of the call first; 0 for never.
    pub probe_every: u32,
    /// What the disk holds at first.
    pub begins: Begins,
    /// By how many milliseconds the wall clock jumps after a death.
    pub jump: i64,
}

/// What the disk holds at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    /// Nothing.
    Bare,
    /// A database with nothing in it.
    Empty,
    /// A database with the models and the settings.
    SetUp,
}

/// Something the person does in a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// When.
    pub when: When,
    /// What.
    pub deed: Deed,
}

/// When the person does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// When nothing runs in the conversation.
    Idle,
    /// After so many events in it, or when nothing runs.
    Events(u64),
    /// So many milliseconds after the last thing.
    After(u64),
}

/// What the person does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Writes a message that a plan follows.
    Say {
        /// The plan.
        plan: u32,
    },
    /// Writes something beside.
    Steer {
        /// Its number, unique in the run.
        number: u32,
    },
    /// Presses Stop.
    Stop,
    /// Presses Stop in a sub-agent's conversation, if there is one.
    StopSubAgent,
    /// Presses Continue.
    Retry,
    /// Wants another answer to the last message.
    Regenerate,
    /// Writes another message in the place of the last.
    Edit {
        /// The plan of the new one.
        plan: u32,
    },
    /// Wants a summary.
    Compact,
    /// Clears the conversation.
    Clear,
    /// Gives it a title.
    Rename {
        /// Its number, unique in the run.
        number: u32,
    },
    /// Deletes it.
    Delete,
    /// Runs a tool by hand.
    CallTool {
        /// Which.
        tool: ToolKind,
        /// The number, unique in the run.
        number: u32,
    },
    /// Closes the panel, for so many milliseconds.
    CloseView {
        /// How many.
        millis: u64,
    },
    /// Takes the other model.
    SwitchModel,
}

/// How the person is. All in percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Habits {
    /// Allows what asks for it.
    pub allows: u64,
    /// Answers questions.
    pub answers: u64,
    /// Presses Continue when a turn failed or reached a limit.
    pub retries: u64,
    /// Sends things twice.
    pub repeats: u64,
}
