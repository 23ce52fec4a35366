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

mod branch;
mod calls;
mod context;
mod guard;
mod limits;
mod model;
mod person;
mod resume;
mod run;
mod spend;
mod stream;
mod tasks;
mod words;

use serde::{Deserialize, Serialize};
use tabwright_protocol::{
    Activity, ConversationId, ItemId, Millis, NoticeLevel, Refusal, RunView, Seq, TaskView,
    TurnEndReason, TurnId, Usage,
};

pub use context::Measured;
pub use limits::report;
pub use run::{
    Arriving, GuardMemory, Limit, Limits, Phase, Purpose, Request, RequestNumber, Run, RunRecord,
    Timer,
};
pub use spend::Spent;
pub use words::{
    CallClass, CallResult, CheckedCall, Effect, Input, ModelChoice, Parent, Place, ReadyCall, Step,
    Surroundings, Toolbox, Trouble,
};

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
    /// What else is known of it.
    pub about: About,
    /// Ordered by position.
    pub items: Vec<Item>,
    /// The turn in progress.
    pub run: Option<Run>,
}

/// What is known of a conversation beside its title and items. Stored as JSON.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// Where it comes from, if it is a sub-agent's.
    pub parent: Option<Parent>,
    /// The agent's own to-do list.
    pub tasks: Vec<TaskView>,
    /// The number of the next task: none is used twice.
    pub next_task: u32,
    /// What a server last said of the length of a request: how many tokens a byte is.
    pub measured: Option<Measured>,
    /// What its turns that are over have used, their sub-agents included.
    pub usage: Usage,
    /// When it began, or all was forgotten: what a view has seen before is no part of it.
    pub cleared_at: Option<Seq>,
    /// The position of the next item after all was forgotten: none is used twice.
    pub first_position: u32,
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
            about: About::default(),
            items: Vec::new(),
            run: None,
        }
    }

    /// A sub-agent's conversation.
    pub fn of_sub_agent(id: ConversationId, now: Millis, title: String, parent: Parent) -> Self {
        Self {
            title,
            about: About {
                parent: Some(parent),
                ..About::default()
            },
            ..Self::new(id, now)
        }
    }

    /// Takes an input. A refusal leaves everything as it was.
    pub fn step(&mut self, around: &mut Surroundings<'_>, input: Input) -> Result<Step, Refusal> {
        let mut step = Step::default();
        match input {
            Input::Send { text, tab } => self.send(around, &mut step, text, tab)?,
            Input::Retry => self.retry(around, &mut step)?,
            Input::Stop => self.stop(around, &mut step),
            Input::Answer { item, answers } => self.answer(around, &mut step, &item, answers)?,
            Input::Decide {
                item,
                approve,
                note,
            } => self.decide(around, &mut step, &item, approve, &note)?,
            Input::Edit { item, text, tab } => self.edit(around, &mut step, &item, text, tab)?,
            Input::Regenerate { turn } => self.regenerate(around, &mut step, &turn)?,
            Input::Compact { instruction } => self.compact(around, &mut step, instruction)?,
            Input::Clear => self.clear(around, &mut step),
            Input::Resume => self.resume(around, &mut step),
            Input::Model { request, events } => self.hear(around, &mut step, request, events),
            Input::ModelDone { request, result } => self.heard(around, &mut step, request, result),
            Input::CallDone { call, outcome } => self.called(around, &mut step, &call, outcome),
            Input::Timer(timer) => self.tick(around, &mut step, timer),
        }
        self.count_waiting(around.now, &mut step);
        Ok(step)
    }

    /// What views are told of the run.
    pub fn run_view(&self) -> RunView {
        let Some(run) = &self.run else {
            return RunView::Idle;
        };
        let activity = match &run.phase {
            Phase::Model(request) if matches!(request.purpose, Purpose::Summary { .. }) => {
                Activity::Compacting
            }
            Phase::Model(request) if request.message.is_none() => Activity::WaitingForModel,
            Phase::Model(_) => Activity::Streaming,
            Phase::Calls | Phase::Question if self.waits_for_person() => Activity::WaitingForPerson,
            Phase::Calls | Phase::Question => Activity::RunningTools,
            Phase::Pause {
                attempt,
                until,
                reason,
                timer: _,
                purpose: _,
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
            usage: run.record.usage,
        }
    }

    /// Whether the run can get on only by what the person says.
    pub fn waits_for_person(&self) -> bool {
        let Some(run) = &self.run else { return false };
        match run.phase {
            Phase::Question => true,
            Phase::Calls => {
                let mut any = false;
                for call in self.round_calls().filter(|call| call.is_open()) {
                    let is_queued = matches!(call.state, tabwright_protocol::CallState::Waiting);
                    if !call.waits_for_person() && !is_queued {
                        return false;
                    }
                    any |= call.waits_for_person();
                }
                any
            }
            Phase::Model(_) | Phase::Pause { .. } => false,
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
        self.items
            .last()
            .map_or(self.about.first_position, |item| item.position + 1)
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

    /// Ends the run. Whoever calls this has closed the message, the calls and the questions.
    fn end_turn(&mut self, around: &mut Surroundings<'_>, step: &mut Step, reason: TurnEndReason) {
        let Some(run) = self.run.take() else { return };
        let paused = match run.phase {
            Phase::Pause { timer, .. } => Some(timer),
            Phase::Model(_) | Phase::Calls | Phase::Question => None,
        };
        let asked = run.questions.iter().map(|(timer, _)| *timer);
        for timer in asked.chain(run.deadline).chain(paused) {
            step.effects.push(Effect::Cancel { timer });
        }
        self.about.usage += run.record.usage;
        step.spent = run.record.spent;
        let body = Body::TurnEnd {
            reason,
            usage: run.record.usage,
            millis: around.now.0.saturating_sub(run.record.started_at.0),
        };
        self.append(around, step, run.record.turn, body);
        step.run = true;
        step.effects.push(Effect::Progress);
    }

    /// Ends the turn with an error that the person is told.
    fn fail(&mut self, around: &mut Surroundings<'_>, step: &mut Step, code: &str, text: String) {
        let Some(run) = &self.run else { return };
        let turn = run.record.turn.clone();
        self.notice(around, step, turn, NoticeLevel::Error, code, text);
        self.end_turn(around, step, TurnEndReason::Failed);
    }

    fn tick(&mut self, around: &mut Surroundings<'_>, step: &mut Step, timer: Timer) {
        let Some(run) = &mut self.run else { return };
        if run.deadline == Some(timer) {
            run.deadline = None;
            self.look_at_the_clock(around, step);
            return;
        }
        if let Some(index) = run.questions.iter().position(|(it, _)| *it == timer) {
            let (_, item) = run.questions.remove(index);
            self.expire(around, step, &item);
            return;
        }
        match &mut run.phase {
            Phase::Pause {
                timer: pause,
                attempt,
                purpose,
                ..
            } if *pause == timer => {
                let (attempt, purpose) = (*attempt, *purpose);
                self.request(around, step, purpose, attempt);
            }
            Phase::Model(request) => {
                if let Some(message) = &mut request.message
                    && message.tell == Some(timer)
                {
                    message.tell = None;
                    stream::tell(message, around.now, step);
                }
            }
            Phase::Pause { .. } | Phase::Calls | Phase::Question => {}
        }
    }
}
