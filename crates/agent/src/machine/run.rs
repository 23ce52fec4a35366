//! What is known of a turn in progress.

use serde::{Deserialize, Serialize};
use tabwright_markdown::StreamingBlocks;
use tabwright_protocol::{Block, ItemId, Millis, ModelId, TabId, TurnId, Usage};

use super::{ModelChoice, Spent};
use crate::prompt::Facts;

/// A turn in progress.
#[derive(Debug)]
pub struct Run {
    /// What is stored of it.
    pub record: RunRecord,
    /// What it waits for.
    pub phase: Phase,
    /// The timers of open questions, by the item that asks.
    pub questions: Vec<(Timer, ItemId)>,
    /// The timer that ends the turn when its time is over.
    pub deadline: Option<Timer>,
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
    /// The model record that the turn began with, or went on with when that one gave no answer:
    /// another choice holds for new turns.
    pub model: ModelId,
    /// How often the core has died since the turn last got anywhere.
    pub deaths: u32,
    /// What it has used so far, its sub-agents that are done included.
    pub usage: Usage,
    /// Of that, what its own requests have used, by model: it is added to the day's when it ends.
    #[serde(default)]
    pub spent: Vec<Spent>,
    /// What the system prompt says of here and now, taken when the turn began: the prompt is the
    /// same in every round, so that a provider's cache holds.
    #[serde(default)]
    pub facts: Facts,
    /// What it may use.
    #[serde(default)]
    pub limits: Limits,
    /// For how many milliseconds it has waited for the person.
    #[serde(default)]
    pub waited: u64,
    /// Since when it waits for the person, if it does.
    #[serde(default)]
    pub waiting_since: Option<Millis>,
    /// What the loop guard remembers.
    #[serde(default)]
    pub guard: GuardMemory,
    /// A summary that the person asks for, with what it should dwell on: made before the next request.
    #[serde(default)]
    pub wanted_summary: Option<String>,
    /// Whether the turn is nothing but a summary that the person asked for.
    #[serde(default)]
    pub only_summary: bool,
    /// The window, in tokens, that a server's refusal has taught: smaller than the model's record says.
    #[serde(default)]
    pub learned_window: Option<u32>,
    /// How often the server has refused a request of this turn as too long.
    #[serde(default)]
    pub overflows: u32,
    /// How many answers in a row seemed to hold a call that could not be read.
    #[serde(default)]
    pub unread_calls: u32,
    /// The limit that was reached: the turn ends with the answer to come.
    #[serde(default)]
    pub reached: Option<Limit>,
}

/// What a turn may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Model requests.
    pub rounds: u32,
    /// Tokens, its sub-agents included.
    pub tokens: u64,
    /// Milliseconds, without those in which it waits for the person.
    pub millis: u64,
    /// Sub-agents at the same time.
    pub sub_agents: u32,
    /// Billionths of a dollar, its sub-agents included.
    #[serde(default)]
    pub cost: Option<u64>,
    /// The same for all turns of a day.
    #[serde(default)]
    pub day_cost: Option<u64>,
    /// Tokens of all turns of a day.
    #[serde(default)]
    pub day_tokens: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rounds: 50,
            tokens: 2_000_000,
            millis: 3_600_000,
            sub_agents: 4,
            cost: None,
            day_cost: None,
            day_tokens: None,
        }
    }
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Model requests.
    Rounds,
    /// Tokens.
    Tokens,
    /// Time.
    Time,
    /// Money.
    Cost,
    /// What all turns of a day may use, in money or tokens.
    Day,
    /// The loop guard found no progress, and there is no person to ask.
    Loop,
}

/// What the loop guard remembers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardMemory {
    /// Calls before this position were judged.
    pub from: u32,
    /// How often the model was warned since the person last said Continue.
    pub strikes: u32,
    /// Tools that were used often and got on: not to be warned of again.
    #[serde(default)]
    pub busy: Vec<String>,
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
        /// What is asked then.
        purpose: Purpose,
        /// Which attempt comes then.
        attempt: u32,
        /// When.
        until: Millis,
        /// Why.
        reason: String,
    },
    /// The results of the round's calls.
    Calls,
    /// The person's answer to the loop guard's question.
    Question,
}

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The next round.
    Round,
    /// A summary of everything before this position, to make room.
    Summary {
        /// The first position that is kept as it is.
        keep: u32,
    },
    /// A last word on what was done, because a limit was reached.
    Closing,
}

/// A request to the model and what has come of it.
#[derive(Debug)]
pub struct Request {
    /// Tells this request's answers from those of one given up before.
    pub number: RequestNumber,
    /// What it is for.
    pub purpose: Purpose,
    /// From 1.
    pub attempt: u32,
    /// Who was asked: for a summary it may be another than the turn's own model.
    pub asked: ModelChoice,
    /// The last position the model was shown: what comes later it has not seen.
    pub seen: u32,
    /// How many bytes of history it holds: with the tokens that the server counts, this tells how
    /// many tokens a byte is.
    pub bytes: u64,
    /// The message that is arriving, once something has.
    pub message: Option<Arriving>,
    /// Whether the server has answered with anything: such a request is not made again by itself.
    pub heard: bool,
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

impl Run {
    /// A run that is about to make its first request.
    pub fn new(record: RunRecord) -> Self {
        Self {
            record,
            phase: Phase::Calls,
            questions: Vec::new(),
            deadline: None,
        }
    }
}

impl RunRecord {
    /// For how many milliseconds it has worked.
    pub fn worked(&self, now: Millis) -> u64 {
        let waiting = self.waiting_since.map_or(0, |since| since_then(since, now));
        since_then(self.started_at, now).saturating_sub(self.waited + waiting)
    }
}

/// The time between, never negative: the wall clock may jump.
fn since_then(then: Millis, now: Millis) -> u64 {
    now.0.saturating_sub(then.0)
}
