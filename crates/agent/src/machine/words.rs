//! What goes into the machine and comes out of it.

use std::collections::BTreeSet;

use tabwright_llm::{Answer, ModelEvent};
use tabwright_protocol::{
    Block, CallId, ItemId, Millis, ModelId, Prices, TabId, TurnId, Usage, WorkingTab,
};
use tabwright_tools::{AgentKind, Brief, CoreRequest, Replay};

use super::run::{Limits, Purpose, RequestNumber, Timer};
use super::spend::Spent;
use crate::ids::Ids;

/// What comes in.
#[derive(Debug)]
pub enum Input {
    /// The person wrote; or, in a sub-agent's conversation, its brief came.
    Send {
        /// What.
        text: String,
        /// The tab they were looking at.
        tab: Option<WorkingTab>,
    },
    /// The person pressed Stop.
    Stop,
    /// The person wants the turn to go on.
    Retry,
    /// The person answers a question.
    Answer {
        /// The item that asks.
        item: ItemId,
        /// How.
        answers: Vec<String>,
    },
    /// The person allows or forbids a call.
    Decide {
        /// The call's item.
        item: ItemId,
        /// Whether it may run.
        approve: bool,
        /// What the model is told beside.
        note: String,
    },
    /// The person puts another message in the place of one.
    Edit {
        /// Which.
        item: ItemId,
        /// The new text.
        text: String,
        /// The tab they were looking at.
        tab: Option<WorkingTab>,
    },
    /// The person wants another answer to a turn's message.
    Regenerate {
        /// Which turn.
        turn: TurnId,
    },
    /// The person wants what was said summed up.
    Compact {
        /// What the summary should dwell on.
        instruction: String,
    },
    /// The person wants all forgotten.
    Clear,
    /// The core has started and found this run open.
    Resume,
    /// Something of an answer arrived.
    Model {
        /// Of which request.
        request: RequestNumber,
        /// What.
        events: Vec<ModelEvent>,
    },
    /// An answer is over.
    ModelDone {
        /// Of which request.
        request: RequestNumber,
        /// How it ended.
        result: Result<Answer, Trouble>,
    },
    /// A call has its result.
    CallDone {
        /// Which call.
        call: CallId,
        /// What came of it.
        outcome: CallResult,
    },
    /// A timer ended.
    Timer(Timer),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// snake_case, stable.
    pub code: &'static str,
    /// The status of the server's response, where there was one.
    pub status: Option<u16>,
    /// What happened, for a person.
    pub reason: String,
    /// What to do about it, for a person.
    pub advice: &'static str,
    /// Whether the same request may succeed later.
    pub may_retry: bool,
    /// Whether the request was too long for the model.
    pub too_long: bool,
    /// How many milliseconds the server asks to wait.
    pub retry_after: Option<u64>,
}

/// What came of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallResult {
    /// For views.
    pub result: String,
    /// For the model, boundary included.
    pub model_text: String,
    /// Whether it is an error result.
    pub is_error: bool,
    /// How long it took.
    pub millis: u64,
    /// The turn must end: the tool met something that no further call can mend.
    pub fatal: bool,
    /// The workspace file with the whole result, where one was written.
    pub file: Option<String>,
    /// What a sub-agent has used.
    pub usage: Usage,
    /// What the page looked like afterwards, for the loop guard.
    pub fingerprint: Option<String>,
}

/// What may begin once the step is on disk.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Ask the model.
    Request {
        /// The request's number.
        request: RequestNumber,
        /// What it is for.
        purpose: Purpose,
        /// Whom to ask.
        model: ModelId,
    },
    /// Give a request up.
    AbandonRequest {
        /// Which.
        request: RequestNumber,
    },
    /// Run a tool.
    Call {
        /// Which call.
        call: CallId,
        /// Its place in the conversation.
        position: u32,
        /// The tool.
        tool: String,
        /// The arguments as the model sent them.
        arguments: String,
        /// Whether the person has allowed it.
        approved: bool,
    },
    /// Let a sub-agent work, or go on.
    Delegate {
        /// The call that asks for it.
        call: CallId,
        /// What it is to do.
        brief: Brief,
    },
    /// Give a call up.
    AbandonCall {
        /// Which.
        call: CallId,
    },
    /// Send [`Input::Timer`] later.
    Sleep {
        /// The timer.
        timer: Timer,
        /// After how long.
        millis: u64,
    },
    /// Forget a timer.
    Cancel {
        /// Which.
        timer: Timer,
    },
    /// Tell views that a message has grown.
    Blocks {
        /// Which message.
        item: ItemId,
        /// How many blocks stay.
        keep: usize,
        /// What follows them.
        blocks: Vec<Block>,
    },
    /// Tell views what the run is doing.
    Progress,
    /// Tell views the task list.
    Tasks,
}

/// What a step changed, and what may begin once that is on disk.
#[derive(Debug, Default, PartialEq)]
pub struct Step {
    /// All items before this step are forgotten.
    pub cleared: bool,
    /// Positions of the items that are new or changed.
    pub items: BTreeSet<u32>,
    /// Whether the conversation's own row changed.
    pub row: bool,
    /// Whether the run's record changed, began or ended.
    pub run: bool,
    /// What a run that ended has used of its own: it belongs to the day from now on.
    pub spent: Vec<Spent>,
    /// What may begin, in order.
    pub effects: Vec<Effect>,
}

impl Step {
    /// Whether there is something to put on disk.
    pub fn must_commit(&self) -> bool {
        self.cleared || !self.items.is_empty() || self.row || self.run
    }
}

/// What the machine must know of a call before it may run: answered without I/O.
pub trait Toolbox {
    /// Looks a call up and checks its arguments.
    fn check(&self, tool: &str, arguments: &str) -> CheckedCall;

    /// The names of the tools, in order.
    fn names(&self) -> Vec<String>;
}

/// What is known of a call before it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckedCall {
    /// It may run.
    Ready(Box<ReadyCall>),
    /// It will not run; this is its result.
    Refused {
        /// The result.
        result: CallResult,
    },
}

/// A call that may run.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadyCall {
    /// What it does, in words.
    pub title: String,
    /// What may be done after an interruption.
    pub replay: Replay,
    /// Whether it may run beside its neighbours.
    pub concurrent: bool,
    /// Equal for calls of one tool with equal arguments, however they were written.
    pub hash: String,
    /// Why the person must allow it first, if they must.
    pub approval: Option<String>,
    /// What it asks of the conversation, if it is the conversation that carries it out.
    pub core: Option<CoreRequest>,
    /// What the loop guard takes it for.
    pub class: CallClass,
}

/// What the loop guard takes a call for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallClass {
    /// It looks at something.
    #[default]
    Look,
    /// It looks at what may rightly be looked at again and again, or waits.
    Poll,
    /// It acts on a page or a tab.
    Act,
    /// It changes something else.
    Change,
}

/// What a step is given beside its input.
pub struct Surroundings<'a> {
    /// The time.
    pub now: Millis,
    /// Fresh ids.
    pub ids: &'a mut Ids,
    /// The tools.
    pub tools: &'a dyn Toolbox,
    /// The model of the turn, or for a turn that begins.
    pub model: &'a ModelChoice,
    /// The model that sums up, where that is another.
    pub summary: Option<&'a ModelChoice>,
    /// The model that a turn goes on with when its own gives no answer.
    pub fallback: Option<&'a ModelChoice>,
    /// Where and when, and what a turn that begins may use.
    pub place: Place,
    /// What the turn's relatives have used: a sub-agent's parent and siblings, or the sub-agents of
    /// this turn that are still at work.
    pub used_elsewhere: Usage,
    /// What all turns of the day have used, this one included.
    pub today: Usage,
}

/// Where and when, and what a turn that begins may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The person's language, such as `de-CH`.
    pub language: String,
    /// Their time zone, such as `Europe/Zurich`.
    pub time_zone: String,
    /// Its distance from UTC now, in minutes, east positive.
    pub utc_offset: i32,
    /// What a turn may use.
    pub limits: Limits,
    /// Bytes of every request beside the history: the prompt and the tools.
    pub fixed_bytes: u64,
}

/// What the machine keeps of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelChoice {
    /// The record.
    pub id: ModelId,
    /// The model's id at the provider.
    pub name: String,
    /// Who answers: what a provider wants to see again goes back to no other.
    pub source: String,
    /// How many tokens it reads at once.
    pub window: u32,
    /// What it costs, if that is known.
    pub prices: Option<Prices>,
}

impl ModelChoice {
    /// There is none: a request ends with a notice that says so.
    pub fn none() -> Self {
        Self {
            id: ModelId(String::new()),
            name: String::new(),
            source: String::new(),
            window: u32::MAX,
            prices: None,
        }
    }
}

/// Where a sub-agent comes from.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Parent {
    /// The conversation whose call started it.
    pub conversation: tabwright_protocol::ConversationId,
    /// The call.
    pub call: CallId,
    /// What it may use.
    pub kind: AgentKind,
    /// The tab that was handed to it.
    pub tab: Option<TabId>,
}
