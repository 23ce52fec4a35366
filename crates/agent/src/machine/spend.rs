//! What a turn uses and what that costs.
//!
//! A request's price is that of the model that was asked, which need not be the turn's own. What was
//! used belongs to the turn at once, and to the day when the turn ends, in the same transaction.

use serde::{Deserialize, Serialize};
use tabwright_llm::Answer;
use tabwright_protocol::{MessageState, Prices, Usage};

use super::{Conversation, Limit, ModelChoice, Phase, Run, Step, Surroundings};

/// What one model was used for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// The model's id at the provider.
    pub model: String,
    /// What was used.
    pub usage: Usage,
}

impl ModelChoice {
    /// The usage with what it costs at this model.
    pub fn priced(&self, usage: Usage) -> Usage {
        let (cost, unpriced) = match &self.prices {
            Some(prices) => (prices.cost(&usage), 0),
            None => (0, usage.tokens()),
        };
        Usage {
            cost,
            unpriced,
            ..usage
        }
    }

    /// Whether it is known to cost something.
    fn costs(&self) -> bool {
        let prices = self.prices.iter().flat_map(Prices::each);
        prices.into_iter().any(|(_, price)| price.unwrap_or(0) > 0)
    }
}

impl Run {
    /// Adds what a model was used for.
    pub(super) fn spend(&mut self, step: &mut Step, asked: &ModelChoice, usage: Usage) {
        let usage = asked.priced(usage);
        let record = &mut self.record;
        record.usage += usage;
        step.run = true;
        match record.spent.iter_mut().find(|it| it.model == asked.name) {
            Some(spent) => spent.usage += usage,
            None => record.spent.push(Spent {
                model: asked.name.clone(),
                usage,
            }),
        }
    }
}

impl Conversation {
    /// A whole answer. Where it costs something and its server did not count it, or its counts did not
    /// come, it is estimated: else no limit in money would ever be reached.
    pub(super) fn spend_on_answer(
        &mut self,
        around: &Surroundings<'_>,
        step: &mut Step,
        answer: &Answer,
    ) {
        let Some(run) = &self.run else { return };
        let Phase::Model(request) = &run.phase else {
            return;
        };
        let (bytes, asked) = (request.bytes, request.asked.clone());
        if answer.usage == Usage::default() && asked.costs() {
            let calls = answer.calls.iter().map(|call| call.arguments.len());
            let written = answer.text.len() + answer.thinking.len() + calls.sum::<usize>();
            return self.spend_estimate(around, step, bytes, written as u64, &asked);
        }
        if let Some(run) = &mut self.run {
            run.spend(step, &asked, answer.usage);
        }
    }

    /// An answer that was cut was paid for as well, and the server did not come to count it: what it
    /// read and wrote is estimated. One that nothing has come of is taken to be free.
    pub(super) fn spend_on_cut(&mut self, around: &Surroundings<'_>, step: &mut Step) {
        let Some(run) = &self.run else { return };
        let Phase::Model(request) = &run.phase else {
            return;
        };
        if !request.heard {
            return;
        }
        let (bytes, asked) = (request.bytes, request.asked.clone());
        let written = self.arrived().unwrap_or(0);
        self.spend_estimate(around, step, bytes, written, &asked);
    }

    /// The same for an answer that was arriving when the core died.
    pub(super) fn spend_on_interrupted(&mut self, around: &Surroundings<'_>, step: &mut Step) {
        if let Some(written) = self.arrived() {
            let bytes = self.request_bytes(around);
            self.spend_estimate(around, step, bytes, written, around.model);
        }
    }

    fn spend_estimate(
        &mut self,
        around: &Surroundings<'_>,
        step: &mut Step,
        bytes: u64,
        written: u64,
        asked: &ModelChoice,
    ) {
        let usage = Usage {
            input: self.tokens(around, bytes),
            output: self.tokens(around, written),
            ..Usage::default()
        };
        if let Some(run) = &mut self.run {
            run.spend(step, asked, usage);
        }
    }

    /// How many bytes of an answer have arrived that is not whole.
    fn arrived(&self) -> Option<u64> {
        let mut messages = self.items.iter().rev().filter_map(|it| it.body.message());
        let message = messages.find(|message| message.state == MessageState::Streaming)?;
        Some((message.text.len() + message.thinking.len()) as u64)
    }

    /// The limit in money, or of the day, that the next request would pass, if any. It is not made:
    /// there is no last word that would cost more.
    pub(super) fn spent_up(&self, around: &Surroundings<'_>) -> Option<Limit> {
        let record = &self.run.as_ref()?.record;
        let limits = &around.place.limits;
        // Weighing a long conversation takes its time, which most people need not spend.
        [record.limits.cost, limits.day_cost, limits.day_tokens]
            .iter()
            .find(|limit| limit.is_some())?;
        let used = record.usage.cost.saturating_add(around.used_elsewhere.cost);
        let next = self.next_input(around);
        let passes = |limit: Option<u64>, used: u64, next: u64| {
            limit.is_some_and(|limit| used >= limit || used.saturating_add(next) > limit)
        };
        // The day's limits hold as they are now: who raises them wants that to count.
        let (now, today) = (&around.place.limits, &around.today);
        if passes(record.limits.cost, used, next.cost) {
            Some(Limit::Cost)
        } else if passes(now.day_cost, today.cost, next.cost)
            || passes(now.day_tokens, today.tokens(), next.input)
        {
            Some(Limit::Day)
        } else {
            None
        }
    }

    /// The tokens of the next request and what they will cost at least, as far as can be told before.
    fn next_input(&self, around: &Surroundings<'_>) -> Usage {
        let input = self.tokens(around, self.request_bytes(around));
        let so_far = self.run.as_ref().map(|run| run.record.usage);
        let usage = Usage {
            input,
            // As much of it will come from the provider's cache as of the requests before.
            cached: so_far
                .filter(|usage| usage.input > 0)
                .map_or(0, |usage| share(input, usage.cached, usage.input)),
            ..Usage::default()
        };
        around.model.priced(usage)
    }
}

/// That part of a number.
fn share(number: u64, part: u64, whole: u64) -> u64 {
    let share = u128::from(number) * u128::from(part.min(whole)) / u128::from(whole.max(1));
    u64::try_from(share).unwrap_or(number)
}
