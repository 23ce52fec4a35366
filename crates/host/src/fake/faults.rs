//! Which calls go wrong, and how: the plan that the fakes follow.
//!
//! Invariant: a plan counts calls, not time, unless it is told a time; the same calls in the same
//! order meet the same faults.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use tabwright_protocol::Millis;

use super::FakeClock;
use crate::{Clock, HostError, HostErrorKind};

/// A call that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its name, as `trait.method`: `tabs.list`.
    pub name: &'static str,
    /// Its arguments, as text.
    pub arguments: String,
    /// Whether it had its effect, whatever was answered.
    pub happened: bool,
}

/// Which calls a fault meets.
#[derive(Clone, Debug)]
pub struct Which {
    name: Option<&'static str>,
    first: u32,
    times: u32,
    until: Option<Millis>,
}

impl Which {
    /// The n-th call of all, from 1.
    pub fn nth(n: u32) -> Self {
        Self {
            name: None,
            first: n,
            times: 1,
            until: None,
        }
    }

    /// The n-th call with that name, from 1.
    pub fn nth_of(name: &'static str, n: u32) -> Self {
        Self {
            name: Some(name),
            ..Self::nth(n)
        }
    }

    /// Every call.
    pub fn every() -> Self {
        Self::nth(1).times(u32::MAX)
    }

    /// That many calls from there on, instead of one.
    pub fn times(self, times: u32) -> Self {
        Self { times, ..self }
    }

    /// All calls from there on, until the clock shows `end`.
    pub fn until(self, end: Millis) -> Self {
        Self {
            times: u32::MAX,
            until: Some(end),
            ..self
        }
    }

    /// `number` is the call's place among those that this rule counts.
    fn meets(&self, number: u32, now: Millis) -> bool {
        let counted = number >= self.first && number - self.first < self.times;
        counted && self.until.is_none_or(|end| now < end)
    }
}

/// What goes wrong.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The call has no effect and fails.
    Fail(HostErrorKind),
    /// The call has its effect, and fails as unavailable all the same.
    LoseAnswer,
    /// The call takes that long.
    Delay(u64),
}

/// Which calls go wrong, and how. Rules add up: a call can be late and lost.
#[derive(Clone, Debug, Default)]
pub struct FaultPlan {
    rules: Vec<(Which, Fault)>,
}

impl FaultPlan {
    /// Nothing goes wrong.
    pub fn new() -> Self {
        Self::default()
    }

    /// These calls have no effect and fail.
    pub fn fail(self, which: Which, kind: HostErrorKind) -> Self {
        self.with(which, Fault::Fail(kind))
    }

    /// The other side is away: these calls have no effect and fail as unavailable.
    pub fn lost(self, which: Which) -> Self {
        self.fail(which, HostErrorKind::Unavailable)
    }

    /// These calls have their effect, but the other side goes away before it answers.
    pub fn lost_answer(self, which: Which) -> Self {
        self.with(which, Fault::LoseAnswer)
    }

    /// These calls take that long; their effect comes at the end.
    pub fn delay(self, which: Which, millis: u64) -> Self {
        self.with(which, Fault::Delay(millis))
    }

    fn with(mut self, which: Which, fault: Fault) -> Self {
        self.rules.push((which, fault));
        self
    }
}

/// The calls that were made and the plan they met: what each fake holds one of.
pub(super) struct Switchboard {
    clock: FakeClock,
    inner: RefCell<Inner>,
}

#[derive(Default)]
struct Inner {
    plan: FaultPlan,
    calls: Vec<Call>,
    /// Counted since the plan was set.
    seen: u32,
    seen_by_name: BTreeMap<&'static str, u32>,
}

/// What a call meets.
struct Decision {
    index: usize,
    delay: u64,
    failure: Option<HostErrorKind>,
    answer_lost: bool,
}

impl Switchboard {
    pub(super) fn new(clock: FakeClock) -> Self {
        Self {
            clock,
            inner: RefCell::default(),
        }
    }

    /// A new plan, which counts calls from 1 again.
    pub(super) fn set_plan(&self, plan: FaultPlan) {
        let mut inner = self.inner.borrow_mut();
        inner.plan = plan;
        inner.seen = 0;
        inner.seen_by_name.clear();
    }

    pub(super) fn calls(&self) -> Vec<Call> {
        self.inner.borrow().calls.clone()
    }

    /// Logs a call that cannot fail.
    pub(super) fn note(&self, name: &'static str) {
        self.inner.borrow_mut().calls.push(Call {
            name,
            arguments: String::new(),
            happened: true,
        });
    }

    /// Makes one call: logs it, waits as the plan says, and has its effect unless the plan says no.
    pub(super) async fn call<T>(
        self: Rc<Self>,
        name: &'static str,
        arguments: String,
        effect: impl FnOnce() -> Result<T, HostError>,
    ) -> Result<T, HostError> {
        let decision = self.decide(name, arguments);
        if decision.delay > 0 {
            self.clock.sleep(decision.delay).await;
        }
        if let Some(kind) = decision.failure {
            return Err(HostError::new(name, kind, "it failed as planned"));
        }
        let value = effect()?;
        if let Some(call) = self.inner.borrow_mut().calls.get_mut(decision.index) {
            call.happened = true;
        }
        if decision.answer_lost {
            return Err(HostError::new(
                name,
                HostErrorKind::Unavailable,
                "the answer was lost as planned",
            ));
        }
        Ok(value)
    }

    fn decide(&self, name: &'static str, arguments: String) -> Decision {
        let now = self.clock.now();
        let mut guard = self.inner.borrow_mut();
        let inner = &mut *guard;
        inner.seen += 1;
        let by_name = inner.seen_by_name.entry(name).or_insert(0);
        *by_name += 1;

        let mut decision = Decision {
            index: inner.calls.len(),
            delay: 0,
            failure: None,
            answer_lost: false,
        };
        for (which, fault) in &inner.plan.rules {
            let number = match which.name {
                None => inner.seen,
                Some(wanted) if wanted == name => *by_name,
                Some(_) => continue,
            };
            if !which.meets(number, now) {
                continue;
            }
            match *fault {
                Fault::Fail(kind) => decision.failure = Some(kind),
                Fault::LoseAnswer => decision.answer_lost = true,
                Fault::Delay(millis) => decision.delay = decision.delay.saturating_add(millis),
            }
        }
        inner.calls.push(Call {
            name,
            arguments,
            happened: false,
        });
        decision
    }
}
