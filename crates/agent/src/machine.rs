//! The run as a state machine without I/O.
//!
//! [`Conversation::step`] takes an input and answers with a [`Step`]: what has changed (one
//! transaction) and the effects that may begin once that transaction is flushed. That order is in
//! the types, so no effect can start before its intent is on disk. Time, ids and the model's words
//! come in with the input; the same inputs give the same steps, natively and in the browser.
//!
//! A round is one model request and the tool calls of its answer. A turn is the rounds from a
//! person's message to the end of the answer. The run is what is known of a turn in progress; it is
//! stored with every step, and everything else is read back from the items.

mod calls;
mod model;
mod person;
mod resume;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tabwright_llm::{Answer, ModelEvent};
use tabwright_markdown::StreamingBlocks;
use tabwright_protocol::{
    Activity, Block, CallId, ConversationId, ItemId, Millis, ModelId, NoticeLevel, Refusal,
    RunView, TabId, TurnEndReason, TurnId, Usage,
};
use tabwright_tools::Replay;

use crate::ids::Ids;
use crate::item::{Body, Item};

/// A conversation in memory: the items as they are on disk, and the run, if one is going.
#[derive(Debug)]
pub struct Conversation {
    /// Which one.
    pub id: ConversationId,
    /// Given by the person, else the start of the first message.
    pub title: String,
    /// Whether the person gave the title.
    pub titled_by_person: bool,
    /// When it was made.
    pub created_at: Millis,
    /// When its last item came.
    pub updated_at: Millis,
    /// Ordered by position.
    pub items: Vec<Item>,
    /// The turn in progress.
    pub run: Option<Run>,
}

/// A turn in progress.
#[derive(Debug)]
pub struct Run {
    /// What is stored of it.
    pub record: RunRecord,
    /// What it waits for.
    pub phase: Phase,
}

/// What is stored of a run: enough, with the items, to go on after any death.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The turn.
    pub turn: TurnId,
    /// The round it is at, from 1.
    pub round: u32,
    /// The first round since the turn began or went on: the limit counts from it.
    pub first_round: u32,
    /// When the turn began, or went on after a retry.
    pub started_at: Millis,
    /// The tab the person was looking at.
    pub tab: Option<TabId>,
    /// The model record that the turn began with: another choice holds for new turns.
    pub model: ModelId,
    /// How often the core has died since the turn last got anywhere.
    pub deaths: u32,
    /// What it has used so far.
    pub usage: Usage,
}

/// What a run waits for.
#[derive(Debug)]
pub enum Phase {
    /// The answer to a request.
    Model(Box<Request>),
    /// The moment to make the request again.
    Pause {
        /// The timer that ends it.
        timer: Timer,
        /// Which attempt comes then.
        attempt: u32,
        /// When.
        until: Millis,
        /// Why.
        reason: String,
    },
    /// The results of the round's calls.
    Calls,
}

/// A request to the model and what has come of it.
#[derive(Debug)]
pub struct Request {
    /// Tells this request's answers from those of one given up before.
    pub number: RequestNumber,
    /// From 1.
    pub attempt: u32,
    /// The last position the model was shown: what comes later it has not seen.
    pub seen: u32,
    /// The message that is arriving, once something has.
    pub message: Option<Arriving>,
}

/// A message that is arriving.
#[derive(Debug)]
pub struct Arriving {
    /// Its item.
    pub item: ItemId,
    /// Its text as blocks.
    pub blocks: StreamingBlocks,
    /// Blocks that views have not been told yet: keep that many, then these.
    pub untold: Option<(usize, Vec<Block>)>,
    /// When views were last told.
    pub told_at: Millis,
    /// The timer that will tell them the rest.
    pub tell: Option<Timer>,
    /// When the text was last put on disk.
    pub saved_at: Millis,
}

/// Tells a request's answers from those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestNumber(pub u64);

/// Tells a timer from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timer(pub u64);

/// What comes in.
#[derive(Debug)]
pub enum Input {
    /// The person wrote.
    Send {
        /// What.
        text: String,
        /// The tab they were looking at.
        tab: Option<TabId>,
    },
    /// The person pressed Stop.
    Stop,
    /// The person wants the turn to go on.
    Retry,
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
    /// What happened, for a person.
    pub reason: String,
    /// What to do about it, for a person.
    pub advice: &'static str,
    /// Whether the same request may succeed later.
    pub may_retry: bool,
    /// How many milliseconds the server asks to wait.
    pub retry_after: Option<u64>,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
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
}

/// What may begin once the step is on disk.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Ask the model.
    Request {
        /// The request's number.
        request: RequestNumber,
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
        /// The tool.
        tool: String,
        /// The arguments as the model sent them.
        arguments: String,
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
}

/// What a step changed, and what may begin once that is on disk.
#[derive(Debug, Default, PartialEq)]
pub struct Step {
    /// Positions of the items that are new or changed.
    pub items: BTreeSet<u32>,
    /// Whether the conversation's own row changed.
    pub row: bool,
    /// Whether the run's record changed, began or ended.
    pub run: bool,
    /// What may begin, in order.
    pub effects: Vec<Effect>,
}

impl Step {
    /// Whether there is something to put on disk.
    pub fn must_commit(&self) -> bool {
        !self.items.is_empty() || self.row || self.run
    }
}

/// What the machine must know of a call before it may run: answered without I/O.
pub trait Toolbox {
    /// Looks a call up and checks its arguments.
    fn check(&self, tool: &str, arguments: &str) -> CheckedCall;
}

/// What is known of a call before it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckedCall {
    /// It may run.
    Ready {
        /// What it does, in words.
        title: String,
        /// What may be done after an interruption.
        replay: Replay,
        /// Whether it may run beside its neighbours.
        concurrent: bool,
    },
    /// It will not run; this is its result.
    Refused {
        /// The result.
        result: CallResult,
    },
}

/// What a step is given beside its input.
pub struct Surroundings<'a> {
    /// The time.
    pub now: Millis,
    /// Fresh ids.
    pub ids: &'a mut Ids,
    /// The tools.
    pub tools: &'a dyn Toolbox,
    /// How many rounds a turn may have.
    pub max_rounds: u32,
    /// The model of the turn, or for a turn that begins.
    pub model: &'a ModelChoice,
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
}

impl ModelChoice {
    /// There is none: a request ends with a notice that says so.
    pub fn none() -> Self {
        Self {
            id: ModelId(String::new()),
            name: String::new(),
            source: String::new(),
        }
    }
}

impl Conversation {
    /// A conversation that has nothing in it yet.
    pub fn new(id: ConversationId, now: Millis) -> Self {
        Self {
            id,
            title: String::new(),
            titled_by_person: false,
            created_at: now,
            updated_at: now,
            items: Vec::new(),
            run: None,
        }
    }

    /// Takes an input. A refusal leaves everything as it was.
    pub fn step(&mut self, around: &mut Surroundings<'_>, input: Input) -> Result<Step, Refusal> {
        let mut step = Step::default();
        match input {
            Input::Send { text, tab } => self.send(around, &mut step, text, tab)?,
            Input::Retry => self.retry(around, &mut step)?,
            Input::Stop => self.stop(around, &mut step),
            Input::Resume => self.resume(around, &mut step),
            Input::Model { request, events } => self.hear(around, &mut step, request, events),
            Input::ModelDone { request, result } => self.heard(around, &mut step, request, result),
            Input::CallDone { call, outcome } => self.called(around, &mut step, &call, outcome),
            Input::Timer(timer) => self.tick(around, &mut step, timer),
        }
        Ok(step)
    }

    /// What views are told of the run.
    pub fn run_view(&self) -> RunView {
        let Some(run) = &self.run else {
            return RunView::Idle;
        };
        let activity = match &run.phase {
            Phase::Model(request) if request.message.is_none() => Activity::WaitingForModel,
            Phase::Model(_) => Activity::Streaming,
            Phase::Calls => Activity::RunningTools,
            Phase::Pause {
                attempt,
                until,
                reason,
                timer: _,
            } => Activity::Retrying {
                at: *until,
                attempt: *attempt,
                reason: reason.clone(),
            },
        };
        RunView::Working {
            turn: run.record.turn.clone(),
            round: run.record.round,
            activity,
        }
    }

    /// The item at a position.
    pub fn item(&self, position: u32) -> Option<&Item> {
        let index = self
            .items
            .binary_search_by_key(&position, |item| item.position)
            .ok()?;
        self.items.get(index)
    }

    /// The item at a position, to be numbered by the driver.
    pub fn item_mut(&mut self, position: u32) -> Option<&mut Item> {
        let index = self
            .items
            .binary_search_by_key(&position, |item| item.position)
            .ok()?;
        self.items.get_mut(index)
    }

    fn next_position(&self) -> u32 {
        self.items.last().map_or(0, |item| item.position + 1)
    }

    fn append(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        turn: TurnId,
        body: Body,
    ) -> ItemId {
        let item = Item {
            id: ItemId(around.ids.fresh()),
            position: self.next_position(),
            seq: Default::default(),
            turn,
            at: around.now,
            body,
        };
        let id = item.id.clone();
        step.items.insert(item.position);
        self.items.push(item);
        self.updated_at = around.now;
        step.row = true;
        id
    }

    fn notice(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        turn: TurnId,
        level: NoticeLevel,
        code: &str,
        text: String,
    ) {
        let body = Body::Notice {
            level,
            code: code.to_owned(),
            text,
        };
        self.append(around, step, turn, body);
    }

    /// Ends the run. Whoever calls this has closed the message and the calls.
    fn end_turn(&mut self, around: &mut Surroundings<'_>, step: &mut Step, reason: TurnEndReason) {
        let Some(run) = self.run.take() else { return };
        let body = Body::TurnEnd {
            reason,
            usage: run.record.usage,
            millis: around.now.0.saturating_sub(run.record.started_at.0),
        };
        self.append(around, step, run.record.turn, body);
        step.run = true;
        step.effects.push(Effect::Progress);
    }

    fn tick(&mut self, around: &mut Surroundings<'_>, step: &mut Step, timer: Timer) {
        let Some(run) = &mut self.run else { return };
        match &mut run.phase {
            Phase::Pause {
                timer: pause,
                attempt,
                ..
            } if *pause == timer => {
                let attempt = *attempt;
                self.request(around, step, attempt);
            }
            Phase::Model(request) => {
                if let Some(message) = &mut request.message
                    && message.tell == Some(timer)
                {
                    message.tell = None;
                    model::tell(message, around.now, step);
                }
            }
            Phase::Pause { .. } | Phase::Calls => {}
        }
    }
}
