//! From a seed to a scenario.

use std::collections::BTreeMap;

use tabwright_protocol::Settings;

use super::{Act, Begins, Deed, Habits, Scenario, When};
use crate::disk::Glitch;
use crate::plan::{Call, Mischief, Plan};
use crate::random::Random;
use crate::tools::{Ending, ToolKind};

/// How much happens in a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Little, so that every moment of it can be died at.
    Small,
    /// As much as a person may want.
    Full,
}

/// The scenario of a seed.
pub fn generate(seed: u64, size: Size) -> Scenario {
    let random = Random::new(seed);
    let mut choice = random.fork(1);
    let is_full = size == Size::Full;
    let mut maker = Maker {
        size,
        random: random.fork(2),
        has_bad_server: choice.chance(50),
        plans: Vec::new(),
        numbers: 0,
    };
    let count = match choice.below(100) {
        0..60 => 1,
        60..90 => 2,
        _ => 3,
    };
    let count = if is_full {
        count
    } else {
        1 + u32::from(count > 2)
    };
    let threads = (0..count).map(|thread| maker.thread(thread)).collect();
    let window = if choice.chance(35) {
        below_u32(&mut choice, 14_000) + 5_000
    } else {
        200_000
    };
    let told_window = if choice.chance(20) {
        window * 2
    } else {
        window
    };
    Scenario {
        seed,
        settings: settings(&mut choice),
        window,
        told_window,
        plans: maker.plans,
        threads,
        habits: Habits {
            allows: choice.between(50, 100),
            answers: choice.between(50, 100),
            retries: choice.between(50, 100),
            repeats: choice.below(8),
        },
        every_write: false,
        lives: lives(&mut random.fork(3)),
        glitch: glitch(&mut random.fork(4)),
        disk_lies: false,
        locked: if choice.chance(20) {
            below_u32(&mut choice, 3) + 1
        } else {
            0
        },
        failing: if choice.chance(30) {
            choice.between(10, 50)
        } else {
            0
        },
        probe_every: if is_full { 12 } else { 8 },
        begins: match choice.below(100) {
            0..4 => Begins::Bare,
            4..12 => Begins::Empty,
            _ => Begins::SetUp,
        },
        jump: if choice.chance(6) {
            *choice
                .pick(&[3_600_000, -3_600_000, 60_000, -60_000])
                .unwrap_or(&0)
        } else {
            0
        },
    }
}

fn below_u32(random: &mut Random, limit: u32) -> u32 {
    u32::try_from(random.below(u64::from(limit))).unwrap_or(0)
}

fn settings(random: &mut Random) -> Settings {
    let mut settings = Settings::default();
    if random.chance(12) {
        settings.max_rounds = below_u32(random, 5) + 2;
    }
    if random.chance(8) {
        settings.max_tokens = random.between(10_000, 60_000);
    }
    if random.chance(5) {
        settings.max_minutes = 1;
    }
    settings.max_sub_agents = below_u32(random, 4) + 1;
    settings.ask_before_acting = random.chance(25);
    settings
}

/// Most lives that end early end soon; some late.
fn lives(random: &mut Random) -> Vec<u64> {
    if random.chance(40) {
        return Vec::new();
    }
    let count = random.between(1, 6);
    let life = |_| {
        let order = random.between(2, 11);
        1 + random.below(1 << order)
    };
    (0..count).map(life).collect()
}

fn glitch(random: &mut Random) -> Option<(u32, Glitch)> {
    random.chance(15).then(|| {
        let glitch = Glitch {
            after: random.below(200),
            full: random.chance(50),
        };
        (below_u32(random, 2), glitch)
    })
}

/// Makes plans, and what the person does.
struct Maker {
    size: Size,
    random: Random,
    has_bad_server: bool,
    plans: Vec<Plan>,
    numbers: u32,
}

impl Maker {
    fn is_full(&self) -> bool {
        self.size == Size::Full
    }

    fn number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }

    fn thread(&mut self, thread: u32) -> Vec<Act> {
        let mut acts = Vec::new();
        let messages = match (self.random.below(100), self.is_full()) {
            (0..60, true) | (0..85, false) => 1,
            (60..90, true) | (_, false) => 2,
            (_, true) => 3,
        };
        for message in 0..messages {
            let plan = self.plan(thread, None);
            let when = if message == 0 {
                When::After(self.random.below(5_000))
            } else {
                When::Idle
            };
            acts.push(Act {
                when,
                deed: Deed::Say { plan },
            });
            if self.random.chance(40) {
                self.meanwhile(thread, &mut acts);
            }
            if self.random.chance(30) {
                self.afterwards(thread, &mut acts);
            }
        }
        acts
    }

    /// What the person does while a turn runs.
    fn meanwhile(&mut self, thread: u32, acts: &mut Vec<Act>) {
        let when = When::Events(self.random.between(1, 50));
        let deed = match self.random.below(100) {
            0..30 => Deed::Steer {
                number: self.number(),
            },
            30..52 => Deed::Stop,
            52..60 => Deed::StopSubAgent,
            60..68 => Deed::Compact,
            68..74 => Deed::Rename {
                number: self.number(),
            },
            74..80 => Deed::CallTool {
                tool: *self.random.pick(&ToolKind::ALL).unwrap_or(&ToolKind::Look),
                number: self.number(),
            },
            80..84 => Deed::SwitchModel,
            84..87 => Deed::Clear,
            87..90 => Deed::Delete,
            90..92 => Deed::Retry,
            92..94 => Deed::Edit {
                plan: self.plan(thread, None),
            },
            _ => Deed::CloseView {
                millis: self.random.below(30_000),
            },
        };
        acts.push(Act { when, deed });
        if self.random.chance(30) {
            self.meanwhile(thread, acts);
        }
    }

    /// What the person does when a turn is over.
    fn afterwards(&mut self, thread: u32, acts: &mut Vec<Act>) {
        let deed = match self.random.below(100) {
            0..28 => Deed::Regenerate,
            28..56 => Deed::Edit {
                plan: self.plan(thread, None),
            },
            56..76 => Deed::Compact,
            76..84 => Deed::Retry,
            84..90 => Deed::Rename {
                number: self.number(),
            },
            90..96 => Deed::Clear,
            _ => Deed::Delete,
        };
        acts.push(Act {
            when: When::Idle,
            deed,
        });
        if self.random.chance(40) {
            self.meanwhile(thread, acts);
        }
    }

    /// A new plan; its number.
    fn plan(&mut self, conversation: u32, parent: Option<u32>) -> u32 {
        let id = self.number();
        let most = match (self.is_full(), parent) {
            (true, None) if self.random.chance(10) => 12,
            (true, None) => 4,
            (true, Some(_)) => 3,
            (false, None) => 2,
            (false, Some(_)) => 1,
        };
        let count = self.random.between(u64::from(parent.is_none()), most);
        let rounds: Vec<Vec<Call>> = (0..count)
            .map(|_| self.round(conversation, id, parent))
            .collect();
        let mischief = self.mischief(count);
        self.plans.push(Plan {
            id,
            conversation,
            parent,
            rounds,
            last_words: below_u32(&mut self.random, 300),
            mischief,
        });
        id
    }

    fn round(&mut self, conversation: u32, plan: u32, parent: Option<u32>) -> Vec<Call> {
        let count = match (self.random.below(100), self.is_full()) {
            (0..55, true) | (0..75, false) => 1,
            (55..80, true) | (75..95, false) => 2,
            (80..93, true) | (_, false) => 3,
            (_, true) => 4,
        };
        (0..count)
            .map(|_| self.call(conversation, plan, parent))
            .collect()
    }

    fn call(&mut self, conversation: u32, plan: u32, parent: Option<u32>) -> Call {
        match self.random.below(100) {
            0..8 if parent.is_none() => Call::Delegate {
                plan: self.plan(conversation, Some(plan)),
            },
            8..15 if parent.is_none() => {
                let options = self.random.chance(60);
                Call::Ask {
                    options,
                    multiple: options && self.random.chance(40),
                }
            }
            15..19 => Call::CreateTask,
            19..22 => Call::UpdateTask {
                task: below_u32(&mut self.random, 3) + 1,
            },
            22..25 => Call::ListTasks,
            25..27 => Call::Unknown,
            27..29 => Call::Misfit,
            _ => self.step(),
        }
    }

    fn step(&mut self) -> Call {
        let tool = *self.random.pick(&ToolKind::ALL).unwrap_or(&ToolKind::Look);
        let ending = match self.random.below(100) {
            0..86 => Ending::Well,
            86..92 => Ending::Refused,
            92..98 => Ending::AnswerLost,
            _ => Ending::Fatal,
        };
        Call::Step {
            tool,
            before: self.pause(),
            after: self.pause(),
            ending,
            length: self.length(tool),
        }
    }

    fn pause(&mut self) -> u64 {
        match self.random.below(100) {
            0..45 => 0,
            45..90 => self.random.between(1, 400),
            90..98 => self.random.between(400, 5_000),
            _ => 30_000,
        }
    }

    fn length(&mut self, tool: ToolKind) -> u32 {
        let is_long = self
            .random
            .chance(if tool == ToolKind::Fetch { 50 } else { 8 });
        match (is_long, self.is_full()) {
            (false, _) => below_u32(&mut self.random, 60),
            (true, false) => below_u32(&mut self.random, 8_000),
            // Longer than any result may be.
            (true, true) if self.random.chance(6) => 60_000,
            (true, true) => below_u32(&mut self.random, 16_000),
        }
    }

    /// What goes wrong with the requests of a plan of so many rounds.
    fn mischief(&mut self, rounds: u64) -> BTreeMap<u32, Mischief> {
        let mut mischief = BTreeMap::new();
        if !self.has_bad_server {
            return mischief;
        }
        let requests = u32::try_from(rounds * 2 + 4).unwrap_or(4);
        for request in 0..requests {
            if self.random.chance(16) {
                mischief.insert(request, self.one_mischief());
            }
        }
        mischief
    }

    fn one_mischief(&mut self) -> Mischief {
        let random = &mut self.random;
        let after = random.index(6);
        match random.below(20) {
            0 => Mischief::TooMany(random.between(1, 90)),
            1 => Mischief::Status(*random.pick(&[500, 502, 503, 529]).unwrap_or(&500)),
            2 => Mischief::Status(*random.pick(&[401, 404, 400]).unwrap_or(&400)),
            3 => Mischief::Unreachable,
            4 | 5 => Mischief::BreaksAfter(after),
            6 | 7 => Mischief::EndsAfter(after),
            8 => Mischief::StallsAfter(after),
            9 => Mischief::Silent,
            10 => Mischief::GarbageAfter(after),
            11 => Mischief::ErrorAfter(after),
            12 => Mischief::WebPage,
            13 => Mischief::TooLong,
            14 => Mischief::Repeated,
            15 => Mischief::CutShort,
            16 => Mischief::Filtered,
            17 => Mischief::Empty,
            18 => Mischief::Slow(random.between(200, 4_000)),
            _ => Mischief::Whole,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_one_scenario_whose_numbers_are_unique() {
        for seed in 0..300 {
            for size in [Size::Small, Size::Full] {
                let scenario = generate(seed, size);
                let again = generate(seed, size);
                assert_eq!(format!("{scenario:?}"), format!("{again:?}"));
                assert!(!scenario.threads.is_empty());
                assert_eq!(scenario.settings.fault(), None);
                let mut plans: Vec<u32> = scenario.plans.iter().map(|plan| plan.id).collect();
                plans.sort_unstable();
                let all = plans.len();
                plans.dedup();
                assert_eq!(plans.len(), all);
            }
        }
    }

    #[test]
    fn everything_that_may_happen_does_in_some_scenario() {
        let text: String = (0..3_000)
            .map(|seed| format!("{:?}", generate(seed, Size::Full)))
            .collect();
        for what in [
            "Delegate",
            "Ask",
            "CreateTask",
            "ListTasks",
            "Unknown",
            "Misfit",
            "Fatal",
            "AnswerLost",
            "Refused",
            "Steer",
            "StopSubAgent",
            "Regenerate",
            "Edit",
            "Compact",
            "Clear",
            "Rename",
            "Delete",
            "CallTool",
            "CloseView",
            "SwitchModel",
            "TooMany",
            "Status",
            "Unreachable",
            "BreaksAfter",
            "EndsAfter",
            "StallsAfter",
            "Silent",
            "GarbageAfter",
            "ErrorAfter",
            "WebPage",
            "TooLong",
            "Repeated",
            "CutShort",
            "Filtered",
            "Empty",
            "Slow",
            "Whole",
            "ask_before_acting: true",
            "begins: Bare",
            "begins: Empty",
        ] {
            assert!(text.contains(what), "{what}");
        }
    }
}
