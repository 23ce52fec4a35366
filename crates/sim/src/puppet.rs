//! The model of the simulated runs: a server that follows a plan, checks every request, and
//! misbehaves as planned.
//!
//! It knows which plan a request belongs to by the marker in what the person wrote. Its next action
//! is the first round of the plan of which it has not seen every result. A result that it has seen
//! once stays seen, also when the history no longer holds it; so it never asks for a step again
//! that has had a result, be it that the outcome is unknown.

mod answer;
mod read;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tabwright_host::fake::{FakeClock, RequestState, ScriptedHttp, ScriptedResponse};
use tabwright_host::{HostError, Http, HttpRequest, HttpResponse, LocalBoxFuture};

use crate::fault::FaultKind;
use crate::plan::{Call, Mischief, Plan};
use crate::power::{Moment, Power};
use crate::random::Random;
use crate::trace::Trace;
use crate::world::{StepId, World};
use answer::Answer;
use read::{Asked, Wants};

pub use read::markers_in;

/// The model. A clone is the same model.
#[derive(Clone)]
pub struct Puppet(Rc<Inner>);

struct Inner {
    clock: FakeClock,
    power: Power,
    world: World,
    trace: Trace,
    /// How many tokens it reads at once.
    window: u64,
    random: Random,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    plans: BTreeMap<u32, Progress>,
    requests: u32,
    /// The markers that the last request of each root plan's conversation held.
    last_markers: BTreeMap<u32, BTreeSet<String>>,
    summaries: u32,
    /// The last requests, one each.
    out: Vec<ScriptedHttp>,
}

/// How far a plan is.
struct Progress {
    plan: Plan,
    requests: u32,
    /// Steps that have had a result.
    results: BTreeSet<StepId>,
    /// Who asked for a step, once for each time.
    asked_by: BTreeMap<StepId, Vec<String>>,
}

/// What is answered when nothing goes wrong.
enum Decision {
    Calls(Vec<(StepId, Call)>),
    Text(String),
}

impl Puppet {
    /// A model that follows these plans.
    pub fn new(
        clock: FakeClock,
        power: Power,
        world: World,
        trace: Trace,
        plans: Vec<Plan>,
        window: u64,
        random: Random,
    ) -> Self {
        let progress = |plan: Plan| Progress {
            plan,
            requests: 0,
            results: BTreeSet::new(),
            asked_by: BTreeMap::new(),
        };
        let plans = plans.into_iter().map(|plan| (plan.id, progress(plan)));
        Self(Rc::new(Inner {
            clock,
            power,
            world,
            trace,
            window,
            random,
            state: RefCell::new(State {
                plans: plans.collect(),
                ..State::default()
            }),
        }))
    }

    /// How many requests came.
    pub fn requests(&self) -> u32 {
        self.0.state.borrow().requests
    }

    /// How many requests are out now.
    pub fn open_requests(&self) -> usize {
        let out = &mut self.0.state.borrow_mut().out;
        out.retain(|http| {
            // One that was never sent was given up before.
            http.requests().iter().any(|request| match request.state {
                RequestState::Waiting | RequestState::Streaming => true,
                RequestState::Done | RequestState::Broken | RequestState::Aborted => false,
            })
        });
        out.len()
    }

    /// How many summaries were asked for.
    pub fn summaries(&self) -> u32 {
        self.0.state.borrow().summaries
    }

    /// The markers in the last request that a conversation made, by the plans it may follow.
    pub fn last_markers(&self, conversation: u32) -> BTreeSet<String> {
        let state = self.0.state.borrow();
        let markers = state.last_markers.get(&conversation);
        markers.cloned().unwrap_or_default()
    }

    /// Whether every step of a plan has had a result.
    pub fn is_done(&self, plan: u32) -> bool {
        let state = self.0.state.borrow();
        state
            .plans
            .get(&plan)
            .is_some_and(|progress| progress.open_round().is_none())
    }

    fn answer(&self, request: &HttpRequest) -> ScriptedResponse {
        let mut state = self.0.state.borrow_mut();
        state.requests += 1;
        let asked = match read::read(&request.body) {
            Ok(asked) => asked,
            Err(why) => {
                self.0.world.fault(FaultKind::IllegalHistory, why);
                return ScriptedResponse::new(400).chunk("{}");
            }
        };
        let Some(number) = asked.plan() else {
            let about = "the request names no plan: what the person asked for is not in it";
            self.0.world.fault(FaultKind::NotShownToModel, about);
            return ScriptedResponse::new(400).chunk("{}");
        };
        let Some(progress) = state.plans.get_mut(&number) else {
            self.0.world.fault(
                FaultKind::IllegalHistory,
                format!("there is no plan {number}"),
            );
            return ScriptedResponse::new(400).chunk("{}");
        };
        self.check_opaque(progress, &asked);
        self.check_count(progress, &asked);
        progress.results.extend(asked.results.iter().copied());
        let nth = progress.requests;
        progress.requests += 1;
        let mischief = progress.plan.mischief.get(&nth).cloned();
        let decision = progress.decide(&asked);
        if let Decision::Calls(calls) = &decision {
            for (step, _) in calls {
                let models = progress.asked_by.entry(*step).or_default();
                models.push(asked.model.clone());
            }
        }
        let (conversation, is_root) = (progress.plan.conversation, progress.plan.parent.is_none());
        let random = self.0.random.fork(u64::from(number) << 20 | u64::from(nth));
        if is_root {
            state.last_markers.insert(conversation, asked.markers());
        }
        state.summaries += u32::from(asked.wants == Wants::Summary);
        self.respond(&asked, decision, mischief, random)
    }

    fn respond(
        &self,
        asked: &Asked,
        decision: Decision,
        mischief: Option<Mischief>,
        random: Random,
    ) -> ScriptedResponse {
        if asked.tokens > self.0.window {
            return answer::too_long(asked.tokens, self.0.window);
        }
        let answer = Answer {
            model: asked.model.clone(),
            tokens: asked.tokens,
            decision: match decision {
                Decision::Calls(calls) => answer::Content::Calls(calls),
                Decision::Text(text) => answer::Content::Text(text),
            },
        };
        answer.respond(mischief, random)
    }

    /// What the provider wants to see again must come back as it was, and to nobody else.
    fn check_opaque(&self, progress: &Progress, asked: &Asked) {
        for seen in &asked.opaque {
            let Some(models) = progress.asked_by.get(&seen.step) else {
                continue;
            };
            let expected = answer::signature(&asked.model, seen.step);
            let is_right = match &seen.signature {
                Some(signature) => *signature == expected,
                // It may have been another model that asked.
                None => models.iter().any(|model| *model != asked.model),
            };
            if !is_right {
                let about = format!(
                    "step {} for {}: {:?}, not {expected:?}",
                    seen.step, asked.model, seen.signature
                );
                self.0.world.fault(FaultKind::OpaqueChanged, about);
            }
        }
    }
}

impl Puppet {
    /// A call is in the history once for each time that it was asked for, and no more.
    fn check_count(&self, progress: &Progress, asked: &Asked) {
        let mut counts: BTreeMap<StepId, usize> = BTreeMap::new();
        for step in &asked.calls {
            *counts.entry(*step).or_default() += 1;
        }
        for (step, count) in counts {
            // Calls of earlier plans of the conversation are counted there.
            let times = progress.asked_by.get(&step).map_or(usize::MAX, Vec::len);
            if count > times {
                let about =
                    format!("step {step} is there {count} times, and was asked {times} times");
                self.0.world.fault(FaultKind::IllegalHistory, about);
            }
        }
    }
}

impl Progress {
    /// The first round with steps that have had no result, and those steps.
    fn open_round(&self) -> Option<Vec<(StepId, Call)>> {
        let open: Vec<_> = self
            .plan
            .steps()
            .filter(|(step, _)| !self.results.contains(step))
            .map(|(step, call)| (step, call.clone()))
            .collect();
        let round = open.first()?.0.round;
        let of_round = open.into_iter().take_while(|(step, _)| step.round == round);
        Some(of_round.collect())
    }

    fn decide(&self, asked: &Asked) -> Decision {
        match asked.wants {
            Wants::Summary => {
                let markers: Vec<&str> = asked.markers.iter().map(String::as_str).collect();
                return Decision::Text(format!(
                    "<summary>What was asked, in order: {}. Some of it is done.</summary>",
                    markers.join(" ")
                ));
            }
            // Some models do not listen, and ask for calls all the same.
            Wants::Closing if !self.plan.id.is_multiple_of(4) => {
                return Decision::Text("This is how far it came.".to_owned());
            }
            Wants::Closing | Wants::Round => {}
        }
        match self.open_round() {
            Some(calls) => Decision::Calls(calls),
            None => Decision::Text(format!(
                "Plan **{}** is done.\n\n- `as far as it goes`\n\n{}",
                self.plan.id,
                crate::tools::filler(self.plan.last_words)
            )),
        }
    }
}

impl Http for Puppet {
    fn send(
        &self,
        request: HttpRequest,
    ) -> LocalBoxFuture<'static, Result<HttpResponse, HostError>> {
        if !self.0.power.pass(Moment::Host) {
            return Box::pin(futures::future::pending());
        }
        self.0.trace.note("request", || {
            String::from_utf8_lossy(&request.body).into_owned()
        });
        let http = ScriptedHttp::new(self.0.clock.clone());
        http.push(self.answer(&request));
        self.0.state.borrow_mut().out.push(http.clone());
        http.send(request)
    }
}
