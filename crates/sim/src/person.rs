//! The person, and the panel in front of them: does what the scenario says, reacts to what is
//! shown, and sends again what was not acknowledged.

mod ops;
mod reactions;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tabwright_protocol::{
    ConversationId, CoreHealth, Event, EventEnvelope, ItemId, Millis, Op, OpEnvelope, OpId,
};

use crate::fault::FaultKind;
use crate::random::Random;
use crate::scenario::{Act, Begins, Deed, Habits, Scenario, When};
use crate::view::View;
use crate::world::World;

pub use ops::{Answer, Sent};
use reactions::Reaction;

/// After so many milliseconds without what they wait for, the person goes on with something else.
const PATIENCE: u64 = 40 * 60_000;

/// The person.
pub struct Person {
    /// What the panel shows.
    pub view: View,
    /// Everything that was sent, in order.
    pub sent: Vec<Sent>,
    /// The conversations that were begun.
    pub threads: Vec<Thread>,
    /// Why the core says that it cannot work, if it does.
    pub failed: Option<String>,
    world: World,
    random: Random,
    habits: Habits,
    reactions: BTreeMap<ItemId, Reaction>,
    /// Whether the core that lives now has said that it takes ops.
    is_ready: bool,
    is_open: bool,
    /// When a closed panel is opened again.
    opens_at: Millis,
    outgoing: Vec<OpEnvelope>,
    /// Reads that were not answered yet.
    reads: BTreeSet<OpId>,
    next_op: u32,
    /// How many answers came.
    answers: u64,
    uses_second_model: bool,
}

/// A conversation and what is still to be done in it.
pub struct Thread {
    /// Which.
    pub id: ConversationId,
    acts: VecDeque<Act>,
    /// When the last thing was done, and how many events there were then.
    since: Millis,
    events: u64,
    /// The ends of turns that were reacted to.
    ends: BTreeSet<ItemId>,
    retries: u32,
    /// Since when nothing could be done.
    stuck_since: Option<Millis>,
    /// Whether the rest is not done any more.
    given_up: bool,
    last_plan: u32,
}

impl Person {
    /// The person of a scenario.
    pub fn new(scenario: &Scenario, world: World, now: Millis, random: &Random) -> Self {
        let threads = scenario.threads.iter().enumerate();
        let threads = threads.map(|(number, acts)| Thread {
            id: ConversationId(format!("conversation-{number}")),
            acts: acts.iter().cloned().collect(),
            since: now,
            events: 0,
            ends: BTreeSet::new(),
            retries: 0,
            stuck_since: None,
            given_up: false,
            last_plan: 0,
        });
        let mut person = Self {
            view: View::new(world.clone()),
            sent: Vec::new(),
            threads: threads.collect(),
            failed: None,
            world,
            random: random.fork(21),
            habits: scenario.habits,
            reactions: BTreeMap::new(),
            is_ready: false,
            is_open: true,
            opens_at: now,
            outgoing: Vec::new(),
            reads: BTreeSet::new(),
            next_op: 0,
            answers: 0,
            uses_second_model: false,
        };
        person.read(Op::Hello);
        match scenario.begins {
            // The ids of what was done before are not used again.
            Begins::SetUp => person.next_op = 1_000,
            Begins::Bare | Begins::Empty => person.set_up(scenario),
        }
        person
    }

    /// A core begins to live.
    pub fn begin_life(&mut self) {
        self.is_ready = false;
    }

    /// What the core told.
    pub fn hear(&mut self, envelopes: &[EventEnvelope]) {
        for envelope in envelopes {
            self.view.count(envelope, self.is_open);
            self.note_answer(&envelope.event);
            if let Event::Core { health } = &envelope.event {
                match health {
                    CoreHealth::Ready => {
                        self.is_ready = true;
                        self.send_again();
                    }
                    CoreHealth::Failed { message } => self.failed = Some(message.clone()),
                    CoreHealth::WaitingForStorage { .. } => {}
                }
            }
            if self.is_open {
                self.view.apply(envelope);
            }
        }
    }

    /// What the person does now.
    pub fn act(&mut self, now: Millis) -> Vec<OpEnvelope> {
        if !self.is_open && self.opens_at <= now {
            self.open();
        }
        if self.is_open {
            self.catch_up();
            self.react(now);
        }
        for index in 0..self.threads.len() {
            // What there was nothing to do for is followed at once by the next thing.
            while self.go_on(index, now) && self.outgoing.is_empty() {}
        }
        if self.random.chance(self.habits.repeats) {
            self.repeat_something();
        }
        self.take_outgoing()
    }

    /// The next moment at which the person may do something by themselves.
    pub fn next_due(&self, now: Millis) -> Option<u64> {
        if !self.is_open {
            return Some(self.opens_at.0.saturating_sub(now.0));
        }
        let reactions = self.reactions.values().filter_map(Reaction::due);
        let acts = self.threads.iter().filter_map(|thread| {
            let act = thread.acts.front().filter(|_| !thread.given_up)?;
            match act.when {
                When::After(millis) => Some(thread.since.0 + millis),
                When::Idle | When::Events(_) => Some(thread.stuck_since?.0 + PATIENCE),
            }
        });
        let due = reactions.chain(acts).min()?;
        Some(due.saturating_sub(now.0))
    }

    /// Whether the panel shows all there is.
    pub fn sees_all(&self) -> bool {
        self.is_ready && self.is_open && !self.view.is_behind()
    }

    /// What the person still waits for, for whoever looks for a fault.
    pub fn waits_for(&self) -> String {
        let unanswered = self.sent.iter().filter(|sent| !sent.is_answered()).count();
        let acts: usize = self.threads.iter().map(|thread| thread.acts.len()).sum();
        format!(
            "ready {}, open {}, behind {}; unanswered: {unanswered} ops, {} reads; {acts} acts left",
            self.is_ready,
            self.is_open,
            self.view.is_behind(),
            self.reads.len()
        )
    }

    /// Whether the person has nothing more to do and to wait for.
    pub fn is_done(&self) -> bool {
        let all_answered = self.reads.is_empty() && self.sent.iter().all(Sent::is_answered);
        let nothing_to_do = self.threads.iter().all(|thread| {
            let is_over = thread.given_up || thread.acts.is_empty();
            is_over && self.rests(&thread.id)
        });
        self.is_ready && all_answered && nothing_to_do && self.is_open && !self.view.is_behind()
    }

    /// Whether nothing runs in a conversation, or all that runs waits for the person, who does not
    /// react.
    fn rests(&self, id: &ConversationId) -> bool {
        let family = self.view.conversations.iter();
        let mut running = family
            .filter(|(other, shown)| *other == id || shown.parent.as_ref() == Some(id))
            .map(|(_, shown)| shown)
            .filter(|shown| !shown.is_idle())
            .peekable();
        if running.peek().is_none() {
            return true;
        }
        let mut is_any_asking = false;
        let all_wait = running.all(|shown| {
            let mut asking = shown.items.values().filter(|item| super::view::asks(item));
            is_any_asking |= shown.asks();
            let ignored = asking.all(|item| {
                let reaction = self.reactions.get(&item.id);
                reaction.is_some_and(Reaction::is_never)
            });
            ignored && shown.only_waits()
        });
        all_wait && is_any_asking
    }

    /// Does the next thing in a conversation, if there is one and it is time.
    fn go_on(&mut self, index: usize, now: Millis) -> bool {
        self.continue_what_ended(index, now);
        let Some(thread) = self.threads.get(index) else {
            return false;
        };
        let Some(act) = thread.acts.front().cloned().filter(|_| !thread.given_up) else {
            return false;
        };
        let id = thread.id.clone();
        let shown = self.view.conversations.get(&id);
        let is_idle = shown.is_none_or(super::view::Shown::is_idle);
        let events = shown.map_or(0, |shown| shown.events);
        let has_unanswered = self.has_unanswered(&id);
        let is_time = match act.when {
            When::Idle => is_idle && !has_unanswered && self.is_open,
            When::Events(count) => {
                let is_enough = events >= thread.events + count;
                is_enough || (is_idle && !has_unanswered && self.is_open)
            }
            When::After(millis) => now.0 >= thread.since.0 + millis,
        };
        if !is_time {
            self.lose_patience(index, now);
            return false;
        }
        if let Some(thread) = self.threads.get_mut(index) {
            thread.acts.pop_front();
            thread.since = now;
            thread.events = events;
            thread.stuck_since = None;
        }
        self.perform(index, &id, &act.deed, now);
        true
    }

    /// A person who waits for nothing long enough leaves it, or presses Stop and goes on.
    fn lose_patience(&mut self, index: usize, now: Millis) {
        let Some(thread) = self.threads.get_mut(index) else {
            return;
        };
        let since = *thread.stuck_since.get_or_insert(now);
        if now.0 < since.0 + PATIENCE {
            return;
        }
        thread.stuck_since = None;
        let id = thread.id.clone();
        if self.random.chance(50) {
            self.send(Op::Stop { conversation: id });
        } else {
            thread.given_up = true;
        }
    }

    fn perform(&mut self, index: usize, id: &ConversationId, deed: &Deed, now: Millis) {
        match deed {
            Deed::Say { plan } => {
                if let Some(thread) = self.threads.get_mut(index) {
                    thread.last_plan = *plan;
                    thread.retries = 0;
                }
                self.say(id, ops::message(*plan));
            }
            Deed::Steer { number } => {
                let plan = self.threads.get(index).map_or(0, |thread| thread.last_plan);
                if self.view.conversations.contains_key(id) {
                    self.say(id, ops::beside(plan, *number));
                }
            }
            Deed::Stop => self.send(Op::Stop {
                conversation: id.clone(),
            }),
            Deed::StopSubAgent => {
                let mut all = self.view.conversations.iter();
                let child =
                    all.find(|(_, shown)| shown.parent.as_ref() == Some(id) && !shown.is_idle());
                if let Some((child, _)) = child {
                    let conversation = child.clone();
                    self.send(Op::Stop { conversation });
                }
            }
            Deed::Retry => self.send(Op::Retry {
                conversation: id.clone(),
            }),
            Deed::Regenerate => self.regenerate(id),
            Deed::Edit { plan } => self.edit(index, id, *plan),
            Deed::Compact => self.send(Op::Compact {
                conversation: id.clone(),
                instruction: String::new(),
            }),
            Deed::Clear => self.send(Op::Clear {
                conversation: id.clone(),
            }),
            Deed::Rename { number } => self.send(Op::RenameConversation {
                conversation: id.clone(),
                title: format!("Title {number}"),
            }),
            Deed::Delete => self.send(Op::DeleteConversation {
                conversation: id.clone(),
            }),
            Deed::CallTool { tool, number } => self.send(ops::by_hand(*tool, *number)),
            Deed::CloseView { millis } => {
                self.is_open = false;
                self.opens_at = Millis(now.0 + millis);
            }
            Deed::SwitchModel => self.switch_model(),
        }
    }

    /// Opens the panel again.
    pub fn open(&mut self) {
        self.is_open = true;
        self.read(Op::Hello);
    }

    /// What is to be sent.
    pub fn take_outgoing(&mut self) -> Vec<OpEnvelope> {
        std::mem::take(&mut self.outgoing)
    }

    /// Asks for what was missed.
    pub fn catch_up(&mut self) {
        for (conversation, since) in self.view.take_gaps() {
            self.read(Op::Attach {
                conversation,
                since: Some(since),
            });
        }
    }

    /// Something that went wrong on this side.
    fn fault(&self, kind: FaultKind, about: String) {
        self.world.fault(kind, about);
    }
}
