//! One run: lives of a core over one disk and one world, until nothing more happens.

mod flight;
mod life;

use std::rc::Rc;

use tabwright_host::Clock;
use tabwright_host::fake::{FakeClock, FakeHost};
use tabwright_protocol::{ConversationId, Event, EventEnvelope, Millis, Op, OpEnvelope, OpId};
use tabwright_store::{Location, Store};
use tabwright_tools::Registry;

use crate::SimError;
use crate::check::{self, Last};
use crate::disk::{Bay, Image, SimDisk};
use crate::fault::{Fault, FaultKind};
use crate::host::SimHost;
use crate::person::Person;
use crate::power::{Moment, Power};
use crate::puppet::Puppet;
use crate::random::Random;
use crate::scenario::{Begins, Scenario};
use crate::trace::{Keeps, Trace};
use crate::world::{What, World};
use life::{Life, Settled};

/// The name of every run's database.
const DATABASE: &str = "run.db";
/// The name of a copy of it, to look at.
const COPY: &str = "copy.db";
/// A run that takes more moments is going nowhere.
const MOST_MOMENTS: u32 = 30_000;

/// What a thread needs to run scenarios, made once.
pub struct Bench {
    bay: Rc<Bay>,
    /// A database with the current schema and nothing in it.
    image: Image,
}

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What went wrong.
    pub faults: Vec<Fault>,
    /// What happened, counted.
    pub stats: Stats,
    /// Equal for equal runs.
    pub hash: u64,
    /// What happened, if it was kept.
    pub lines: Vec<String>,
}

/// What happened, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Deaths.
    pub deaths: u64,
    /// Moments at which the core could have died.
    pub boundaries: u64,
    /// Requests to the model.
    pub requests: u64,
    /// Summaries that were asked for.
    pub summaries: u64,
    /// Events to the views.
    pub events: u64,
    /// Ops that were acknowledged.
    pub acknowledged: u64,
    /// Changes that tools made.
    pub changes: u64,
    /// Calls of which it is not known whether they happened.
    pub unknown: u64,
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.deaths += other.deaths;
        self.boundaries += other.boundaries;
        self.requests += other.requests;
        self.summaries += other.summaries;
        self.events += other.events;
        self.acknowledged += other.acknowledged;
        self.changes += other.changes;
        self.unknown += other.unknown;
    }
}

impl Bench {
    /// A place to run scenarios on this thread.
    pub fn new() -> Result<Self, SimError> {
        let bay = Bay::new()?;
        let disk = SimDisk::new(Power::default());
        Store::open(bay.mount(DATABASE, &disk))?.close()?;
        Ok(Self {
            image: disk.image(),
            bay: Rc::new(bay),
        })
    }

    /// Runs a scenario.
    pub fn run(&self, scenario: &Scenario, keeps: Keeps) -> Outcome {
        self.run_from(&self.prepare(scenario), scenario, keeps)
    }

    /// What the disk holds when a scenario begins.
    pub fn prepare(&self, scenario: &Scenario) -> Image {
        match scenario.begins {
            Begins::Bare => Image::new(),
            Begins::Empty => self.image.clone(),
            Begins::SetUp => {
                let first = Scenario {
                    begins: Begins::Empty,
                    threads: Vec::new(),
                    lives: Vec::new(),
                    glitch: None,
                    failing: 0,
                    ..scenario.clone()
                };
                let mut run = Run::new(self, &self.image, &first, Keeps::Nothing);
                run.go();
                run.disk.image()
            }
        }
    }

    /// Runs a scenario from what [`Bench::prepare`] gave for it.
    pub fn run_from(&self, image: &Image, scenario: &Scenario, keeps: Keeps) -> Outcome {
        let mut run = Run::new(self, image, scenario, keeps);
        run.go();
        run.finish()
    }
}

/// A run in progress.
struct Run<'a> {
    bench: &'a Bench,
    scenario: &'a Scenario,
    trace: Trace,
    clock: FakeClock,
    power: Power,
    disk: SimDisk,
    world: World,
    host: SimHost,
    person: Person,
    tools: Registry,
    life: Option<Life>,
    random: Random,
    stats: Stats,
    moments: u32,
    /// Whether nothing more is to go wrong.
    is_over: bool,
}

impl<'a> Run<'a> {
    fn new(bench: &'a Bench, image: &Image, scenario: &'a Scenario, keeps: Keeps) -> Self {
        let random = Random::new(scenario.seed);
        let trace = Trace::new(keeps);
        let clock = FakeClock::new(FakeHost::START);
        let power = if scenario.every_write {
            Power::counting_every_write()
        } else {
            Power::default()
        };
        let disk = SimDisk::from_image(image, power.clone());
        let world = World::new(clock.clone(), trace.clone());
        let puppet = Puppet::new(
            clock.clone(),
            power.clone(),
            world.clone(),
            trace.clone(),
            scenario.plans.clone(),
            u64::from(scenario.window),
            random.fork(31),
        );
        let host = SimHost::new(
            clock.clone(),
            power.clone(),
            puppet,
            trace.clone(),
            scenario.failing,
            &random,
        );
        let person = Person::new(scenario, world.clone(), clock.now(), &random);
        let tools = match crate::tools::registry(&world, &power) {
            Ok(tools) => tools,
            Err(error) => {
                world.fault(FaultKind::CoreFailed, error.to_string());
                Registry::new()
            }
        };
        let run = Self {
            bench,
            scenario,
            trace,
            clock,
            power,
            disk,
            world,
            host,
            person,
            tools,
            life: None,
            random: random.fork(32),
            stats: Stats::default(),
            moments: 0,
            is_over: false,
        };
        if scenario.disk_lies {
            run.disk.lie();
        }
        run.world.set_probe(run.probe());
        run.plan_death();
        run
    }

    /// Looks on a copy of the disk, as a crash would leave it, whether a call is there as begun.
    fn probe(&self) -> Option<crate::world::Probe> {
        let every = self.scenario.probe_every;
        if every == 0 {
            return None;
        }
        let (disk, bay) = (self.disk.clone(), self.bench.bay.clone());
        let count = std::cell::Cell::new(0_u32);
        Some(Rc::new(move |call| {
            count.set(count.get() + 1);
            if !count.get().is_multiple_of(every) {
                return true;
            }
            let copy = SimDisk::from_image(&disk.flushed_image(), Power::default());
            let location = bay.mount(COPY, &copy);
            life::knows_as_begun(location, call).unwrap_or(false)
        }))
    }

    /// Until nothing more happens by itself and the person has nothing more to do.
    fn go(&mut self) {
        loop {
            self.live();
            if self.person.failed.is_some() || self.give_up() {
                return;
            }
            let now = self.clock.now();
            let ops = self.person.act(now);
            if !ops.is_empty() {
                self.send(ops);
                continue;
            }
            if self.person.is_done() {
                return;
            }
            if !self.pass_time() {
                let about = format!("nothing happens any more: {}", self.state());
                self.world.fault(FaultKind::TurnStuck, about);
                return;
            }
        }
    }

    /// Whether it has gone on for too long.
    fn give_up(&mut self) -> bool {
        self.moments += 1;
        if self.moments <= MOST_MOMENTS {
            return false;
        }
        let about = format!("it goes on for ever: {}", self.state());
        self.world.fault(FaultKind::TurnStuck, about);
        true
    }

    fn state(&self) -> String {
        let shown = self.person.view.conversations.iter();
        let runs: Vec<String> = shown
            .map(|(id, shown)| format!("{id} {:?}", shown.run))
            .collect();
        format!("{}; {}", runs.join(", "), self.person.waits_for())
    }

    /// Lets the core work until it waits, starting it anew whenever it dies.
    fn live(&mut self) {
        while let Some(life) = &mut self.life {
            let settled = life.settle(&self.power);
            self.hear();
            match settled {
                Settled::Waits => return,
                Settled::Ended => {
                    self.life = None;
                    return;
                }
                Settled::Dead => self.die(),
                Settled::Restless => {
                    self.world
                        .fault(FaultKind::TurnStuck, "the core works without end");
                    self.life = None;
                    return;
                }
            }
        }
    }

    fn hear(&mut self) -> Vec<EventEnvelope> {
        let events = self.host.take_events();
        self.stats.events += events.len() as u64;
        self.person.hear(&events);
        events
    }

    fn send(&mut self, ops: Vec<OpEnvelope>) {
        if self.life.is_none() {
            self.start();
        }
        for op in ops {
            self.trace.note("op", || format!("{op:?}"));
            if let Some(life) = &self.life {
                life.send(op);
            }
        }
    }

    fn start(&mut self) {
        self.world.begin_life();
        self.person.begin_life();
        let locked = if self.stats.deaths > 0 && !self.is_over {
            self.scenario.locked
        } else {
            0
        };
        let location: Location = self.bench.bay.mount(DATABASE, &self.disk);
        let tools = Ok(self.tools.clone());
        self.trace
            .note("life", || format!("begins; locked {locked}"));
        self.life = Some(Life::begin(self.host.host(), location, locked, tools));
    }

    /// The power has failed.
    fn die(&mut self) {
        self.trace
            .note("death", || format!("{:?}", self.power.failed_at()));
        self.stats.deaths += 1;
        self.crash();
        // What the core sent as it died was never sent.
        drop(self.host.take_events());
        if self.stats.deaths == 1 && self.scenario.jump != 0 {
            let now = self.clock.now().0;
            let then = now.saturating_add_signed(self.scenario.jump);
            self.clock.jump(Millis(then));
        }
        let away = match self.random.below(10) {
            0..5 => 0,
            5..9 => self.random.below(3_000),
            _ => self.random.below(1_800_000),
        };
        self.clock.advance(away);
        self.plan_death();
        self.start();
    }

    fn crash(&mut self) {
        self.life = None;
        self.disk.crash(&mut self.random);
        self.host.crash();
        if let Some((after, glitch)) = self.scenario.glitch
            && u64::from(after) == self.stats.deaths
            && !self.is_over
        {
            self.disk.plan_glitch(glitch);
        }
    }

    /// When the life to come ends.
    fn plan_death(&self) {
        let number = usize::try_from(self.stats.deaths).unwrap_or(usize::MAX);
        let life = self.scenario.lives.get(number);
        let at = life.map(|life| self.power.boundaries() + life);
        self.power.restore(at);
    }

    /// Lets time pass until the next thing is due. False when nothing ever is.
    fn pass_time(&mut self) -> bool {
        let own = self.clock.next_due();
        let person = self.person.next_due(self.clock.now());
        let Some(due) = own.into_iter().chain(person).min() else {
            return false;
        };
        self.look_before_waiting(due);
        if self.life.is_some() && !self.power.pass(Moment::Time) {
            self.die();
            return true;
        }
        self.clock.advance(due);
        true
    }

    /// Dies a last time, and looks at what is there.
    fn finish(mut self) -> Outcome {
        self.stats.boundaries = self.power.boundaries();
        self.power.restore(None);
        self.is_over = true;
        self.crash();
        if let Some(message) = self.person.failed.take() {
            self.world.fault(FaultKind::CoreFailed, message);
        } else {
            let last = self.look();
            check::check(
                self.scenario,
                &self.world,
                &self.person,
                &self.host.puppet,
                &last,
            );
            self.stats.unknown = last.unknown();
        }
        self.count();
        Outcome {
            faults: self.world.faults(),
            stats: self.stats,
            hash: self.trace.hash(),
            lines: self.trace.take_lines(),
        }
    }

    fn count(&mut self) {
        let puppet = &self.host.puppet;
        self.stats.requests = u64::from(puppet.requests());
        self.stats.summaries = u64::from(puppet.summaries());
        let answered = self.person.sent.iter().filter(|sent| sent.is_answered());
        self.stats.acknowledged = answered.count() as u64;
        let deeds = self.world.deeds();
        let changes = deeds.iter().filter(|deed| deed.what == What::Changed);
        self.stats.changes = changes.count() as u64;
    }

    /// Starts a core once more and asks for everything.
    fn look(&mut self) -> Last {
        self.start();
        self.live();
        // The panel asks for what it missed, as always, and sends nothing else.
        drop(self.person.take_outgoing());
        self.person.open();
        self.person.catch_up();
        let ops = self.person.take_outgoing();
        self.send(ops);
        self.live();

        let mut last = Last::default();
        let known = self.person.view.conversations.keys().cloned();
        let begun = self.person.threads.iter().map(|thread| thread.id.clone());
        let mut ids: Vec<ConversationId> = known.chain(begun).collect();
        ids.sort();
        ids.dedup();
        let mut ops = vec![OpEnvelope {
            id: OpId("last-hello".into()),
            op: Op::Hello,
        }];
        ops.extend(ids.into_iter().map(|conversation| OpEnvelope {
            id: OpId(format!("last-{conversation}")),
            op: Op::Attach {
                conversation,
                since: None,
            },
        }));
        self.send(ops);
        if let Some(life) = &mut self.life {
            life.settle(&self.power);
        }
        for envelope in self.host.take_events() {
            #[allow(clippy::wildcard_enum_match_arm, reason = "all others are noted alike")]
            match envelope.event {
                Event::Welcome { welcome, .. } => last.welcome = Some(welcome),
                event @ Event::Snapshot { .. } => last.add(event),
                event => {
                    // Nothing but these answers is to come when nothing is going on.
                    self.trace.note("late", || format!("{event:?}"));
                }
            }
        }
        last
    }
}
