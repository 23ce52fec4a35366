//! The host of a simulated core: every call passes the power switch.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use tabwright_host::fake::{FakeClock, FakeFiles, SeededEntropy};
use tabwright_host::{Host, HostError, HostErrorKind, Lifecycle, LocalBoxFuture, Views};
use tabwright_protocol::{EventEnvelope, OriginRule};

use crate::power::{Moment, Power};
use crate::puppet::Puppet;
use crate::random::Random;
use crate::trace::Trace;

/// Everything outside the core. A clone is the same outside; it outlives the core.
#[derive(Clone)]
pub struct SimHost {
    /// Time.
    pub clock: FakeClock,
    /// The power switch.
    pub power: Power,
    /// The model.
    pub puppet: Puppet,
    /// What happened.
    pub trace: Trace,
    files: FakeFiles,
    entropy: SeededEntropy,
    shared: Rc<Shared>,
}

struct Shared {
    events: RefCell<Vec<EventEnvelope>>,
    rested: Cell<bool>,
    /// How often, in percent, a call to the browser fails.
    failing: u64,
    random: RefCell<Random>,
}

impl SimHost {
    /// An outside in which so many percent of the calls to the browser fail.
    pub fn new(
        clock: FakeClock,
        power: Power,
        puppet: Puppet,
        trace: Trace,
        failing: u64,
        random: &Random,
    ) -> Self {
        let mut seeds = random.fork(11);
        Self {
            files: FakeFiles::new(clock.clone(), seeds.bits()),
            entropy: SeededEntropy::new(seeds.bits()),
            clock,
            power,
            puppet,
            trace,
            shared: Rc::new(Shared {
                events: RefCell::default(),
                rested: Cell::new(false),
                failing,
                random: RefCell::new(random.fork(12)),
            }),
        }
    }

    /// What a core is handed.
    pub fn host(&self) -> Host {
        Host {
            http: Rc::new(self.puppet.clone()),
            files: Rc::new(self.files.clone()),
            clock: Rc::new(self.clock.clone()),
            entropy: Rc::new(self.entropy.clone()),
            views: Rc::new(self.clone()),
            lifecycle: Rc::new(self.clone()),
            // What the tools of these runs do not use is not there.
            ..Host::null()
        }
    }

    /// The events since they were last taken.
    pub fn take_events(&self) -> Vec<EventEnvelope> {
        self.shared.events.take()
    }

    /// Whether the core has said since the last time that it has nothing to do.
    pub fn take_rested(&self) -> bool {
        self.shared.rested.take()
    }

    /// A call to the browser, which may be late or fail.
    fn browser<T: 'static>(
        &self,
        call: &'static str,
        answer: T,
    ) -> LocalBoxFuture<'static, Result<T, HostError>> {
        if !self.power.pass(Moment::Host) {
            return Box::pin(futures::future::pending());
        }
        let mut random = self.shared.random.borrow_mut();
        let fails = random.chance(self.shared.failing);
        let late = if random.chance(30) {
            random.between(1, 300)
        } else {
            0
        };
        let clock = self.clock.clone();
        self.trace
            .note("browser", || format!("{call} fails {fails}"));
        Box::pin(async move {
            if late > 0 {
                tabwright_host::Clock::sleep(&clock, late).await;
            }
            if fails {
                let kind = HostErrorKind::Unavailable;
                return Err(HostError::new(call, kind, "it is asleep as planned"));
            }
            Ok(answer)
        })
    }
}

impl Views for SimHost {
    fn emit(&self, event: EventEnvelope) {
        if !self.power.pass(Moment::Event) {
            return;
        }
        self.trace.note("event", || {
            serde_json::to_string(&event).unwrap_or_default()
        });
        self.shared.events.borrow_mut().push(event);
    }
}

impl Lifecycle for SimHost {
    fn keep_waking(&self, _: bool) -> LocalBoxFuture<'static, Result<(), HostError>> {
        self.browser("lifecycle.keep_waking", ())
    }

    fn local_origins(&self, _: Vec<OriginRule>) -> LocalBoxFuture<'static, Result<(), HostError>> {
        self.browser("lifecycle.local_origins", ())
    }

    fn rest(&self) {
        self.shared.rested.set(true);
    }
}

impl SimHost {
    /// The core died: what was being written to the workspace is there or not.
    pub fn crash(&self) {
        self.files.crash();
    }
}
