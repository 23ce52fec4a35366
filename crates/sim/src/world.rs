//! What outlives every death: what the tools did to the world, and what went wrong in the run.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tabwright_host::Clock;
use tabwright_host::fake::FakeClock;
use tabwright_protocol::{CallId, Millis};

use crate::fault::{Fault, FaultKind};
use crate::trace::Trace;

/// Says whether a call is on disk as begun, however badly the computer died right now.
pub type Probe = Rc<dyn Fn(&CallId) -> bool>;

/// The world. A clone is the same world.
#[derive(Clone)]
pub struct World(Rc<Inner>);

struct Inner {
    clock: FakeClock,
    trace: Trace,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    life: u32,
    deeds: Vec<Deed>,
    /// Keyed writes that were applied, by their key.
    applied: BTreeSet<CallId>,
    /// The calls that run now, with their plan and whether they run alone.
    running: BTreeMap<CallId, (u32, bool)>,
    faults: Vec<Fault>,
    probe: Option<Probe>,
}

/// Something a tool did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The call.
    pub call: CallId,
    /// The step of the plan that asked for it.
    pub step: StepId,
    /// The tool.
    pub tool: &'static str,
    /// In which life of the core.
    pub life: u32,
    /// When.
    pub at: Millis,
    /// What.
    pub what: What,
}

/// What a tool did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It began.
    Began,
    /// It changed something.
    Changed,
    /// It found that its key was applied before, and changed nothing.
    KnewTheKey,
    /// It gave a result.
    Ended,
}

/// A step of a plan: unique in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepId {
    /// The plan.
    pub plan: u32,
    /// The round in it, from 0.
    pub round: u32,
    /// The call in the round, from 0.
    pub call: u32,
}

impl StepId {
    /// Reads what `Display` writes.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.').map(str::parse);
        let mut next = || parts.next()?.ok();
        let id = Self {
            plan: next()?,
            round: next()?,
            call: next()?,
        };
        parts.next().is_none().then_some(id)
    }
}

impl std::fmt::Display for StepId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.plan, self.round, self.call)
    }
}

impl World {
    /// A world in which nothing has happened.
    pub fn new(clock: FakeClock, trace: Trace) -> Self {
        Self(Rc::new(Inner {
            clock,
            trace,
            state: RefCell::default(),
        }))
    }

    /// How deeds are checked for being on disk before they are done.
    pub fn set_probe(&self, probe: Option<Probe>) {
        self.0.state.borrow_mut().probe = probe;
    }

    /// A life of the core begins: nothing runs any more.
    pub fn begin_life(&self) {
        let mut state = self.0.state.borrow_mut();
        state.life += 1;
        state.running.clear();
    }

    /// Something went against a rule.
    pub fn fault(&self, kind: FaultKind, about: impl Into<String>) {
        let about = about.into();
        self.0.trace.note("fault", || format!("{kind:?} {about}"));
        self.0.state.borrow_mut().faults.push(Fault { kind, about });
    }

    /// What went wrong so far.
    pub fn faults(&self) -> Vec<Fault> {
        self.0.state.borrow().faults.clone()
    }

    /// What was done so far, in order.
    pub fn deeds(&self) -> Vec<Deed> {
        self.0.state.borrow().deeds.clone()
    }

    /// How many calls run now.
    pub fn running(&self) -> usize {
        self.0.state.borrow().running.len()
    }

    /// A call begins.
    pub(crate) fn begin(&self, call: &CallId, step: StepId, tool: &'static str, alone: bool) {
        self.note(call, step, tool, What::Began);
        let overlaps = {
            let mut state = self.0.state.borrow_mut();
            let beside = state
                .running
                .values()
                .any(|(plan, other_is_alone)| *plan == step.plan && (alone || *other_is_alone));
            let again = state.running.insert(call.clone(), (step.plan, alone));
            beside || again.is_some()
        };
        if overlaps {
            self.fault(FaultKind::NotAlone, format!("step {step} ({tool})"));
        }
        let probe = self.0.state.borrow().probe.clone();
        // A call by hand is in no conversation.
        if let Some(probe) = probe.filter(|_| step.plan > 0)
            && !probe(call)
        {
            self.fault(
                FaultKind::EffectBeforeIntent,
                format!("step {step} ({tool}), call {call}"),
            );
        }
    }

    /// A keyed write. False when its key was applied before.
    pub(crate) fn apply(&self, call: &CallId, step: StepId, tool: &'static str) -> bool {
        let is_new = self.0.state.borrow_mut().applied.insert(call.clone());
        let what = if is_new {
            What::Changed
        } else {
            What::KnewTheKey
        };
        self.note(call, step, tool, what);
        is_new
    }

    /// A bare write.
    pub(crate) fn change(&self, call: &CallId, step: StepId, tool: &'static str) {
        self.note(call, step, tool, What::Changed);
    }

    /// A call has its result.
    pub(crate) fn end(&self, call: &CallId, step: StepId, tool: &'static str) {
        self.note(call, step, tool, What::Ended);
    }

    /// A call runs no more, with or without a result.
    pub(crate) fn leave(&self, call: &CallId) {
        self.0.state.borrow_mut().running.remove(call);
    }

    fn note(&self, call: &CallId, step: StepId, tool: &'static str, what: What) {
        let at = self.0.clock.now();
        let life = self.0.state.borrow().life;
        self.0.trace.note("world", || {
            format!("{what:?} {tool} {step} call {call} at {}", at.0)
        });
        self.0.state.borrow_mut().deeds.push(Deed {
            call: call.clone(),
            step,
            tool,
            life,
            at,
            what,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::StepId;

    #[test]
    fn a_step_is_read_back_as_it_was_written() {
        let step = StepId {
            plan: 7,
            round: 0,
            call: 12,
        };
        assert_eq!(StepId::parse(&step.to_string()), Some(step));
        for wrong in ["", "7", "7.0", "7.0.x", "7.0.1.2"] {
            assert_eq!(StepId::parse(wrong), None, "{wrong}");
        }
    }
}
