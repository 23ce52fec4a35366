//! What a turn may use, and how it ends when it has used it.

use std::collections::BTreeMap;

use tabwright_protocol::{
    CENT, CallState, CutReason, Millis, NoticeLevel, TaskStatus, TurnEndReason, TurnId,
};

use super::{Conversation, Effect, Limit, Phase, Purpose, Step, Surroundings, Timer};
use crate::item::Item;

/// How soon the clock is looked at again while the turn waits for the person, in milliseconds.
const LOOK_AGAIN: u64 = 60_000;

impl Conversation {
    /// The limit that the turn has reached, if any.
    pub(super) fn reached_limit(&self, around: &Surroundings<'_>) -> Option<Limit> {
        let record = &self.run.as_ref()?.record;
        let used = record.usage.tokens() + around.used_elsewhere.tokens();
        if record.round + 1 - record.first_round >= record.limits.rounds {
            Some(Limit::Rounds)
        } else if used >= record.limits.tokens {
            Some(Limit::Tokens)
        } else if record.worked(around.now) >= record.limits.millis {
            Some(Limit::Time)
        } else {
            None
        }
    }

    /// Ends the turn at a limit: nothing more is begun, and the model is asked for a last word on
    /// what was done. A sub-agent whose time is over has none left for that.
    pub(super) fn reach(&mut self, around: &mut Surroundings<'_>, step: &mut Step, limit: Limit) {
        let is_sub_agent = self.about.parent.is_some();
        let Some(run) = &mut self.run else { return };
        run.record.reached = Some(limit);
        step.run = true;
        if is_sub_agent && limit == Limit::Time {
            return self.end_at_limit(around, step, false);
        }
        // A round of its own: what the last word asks for is not taken for the last round's calls.
        run.record.round += 1;
        self.request(around, step, Purpose::Closing, 1);
    }

    /// The end of a turn that has reached a limit. `said` tells whether the model has said what was
    /// done; if not, a list of it stands in.
    pub(super) fn end_at_limit(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        said: bool,
    ) {
        let Some(run) = &self.run else { return };
        let record = &run.record;
        let turn = record.turn.clone();
        let limit = record.reached.unwrap_or(Limit::Rounds);
        let minutes = record.limits.millis / 60_000;
        let what = match limit {
            Limit::Rounds if record.limits.rounds == 1 => "has made one model request".to_owned(),
            Limit::Rounds => format!("has made {} model requests", record.limits.rounds),
            Limit::Tokens => format!("has used {} tokens", record.limits.tokens),
            Limit::Time => format!("has worked for {minutes} minutes"),
            Limit::Cost => format!(
                "was ended before it costs more than {}",
                dollars(record.limits.cost.unwrap_or_default())
            ),
            Limit::Day => "was ended because the day's limit would be passed".to_owned(),
            Limit::Loop => "went round in circles".to_owned(),
        };
        let mut done = if said {
            String::new()
        } else {
            format!(" {}", self.report_of(&turn))
        };
        // What the person wrote while the last word was on its way, the model has not seen.
        if let Phase::Model(request) = &run.phase
            && self.person_wrote_after(request.seen)
        {
            done.push_str(" Your last message has not been read yet.");
        }
        let text = match limit {
            Limit::Loop => {
                format!("This turn {what}, so it was ended.{done} Continue to let it go on.")
            }
            Limit::Cost => format!(
                "This turn {what}; {} were used.{done} Continue to let it use as much again; the limits are in the options.",
                dollars(record.usage.cost.saturating_add(around.used_elsewhere.cost))
            ),
            Limit::Day => format!(
                "This turn {what} ({} tokens, {} today).{done} Raise the limit in the options and continue, or continue tomorrow.",
                around.today.tokens(),
                dollars(around.today.cost)
            ),
            Limit::Rounds | Limit::Tokens | Limit::Time => format!(
                "This turn {what}, which is its limit.{done} Continue to let it go on; the limits are in the options."
            ),
        };
        let code = match limit {
            Limit::Rounds => "round_limit",
            Limit::Tokens => "token_limit",
            Limit::Time => "time_limit",
            Limit::Cost => "cost_limit",
            Limit::Day => "day_limit",
            Limit::Loop => "no_progress",
        };
        self.notice(around, step, turn, NoticeLevel::Warning, code, text);
        self.end_turn(around, step, TurnEndReason::Limit);
    }

    /// What was done in a turn, as a list.
    fn report_of(&self, turn: &TurnId) -> String {
        let items: Vec<&Item> = self
            .items
            .iter()
            .filter(|item| item.turn == *turn)
            .collect();
        let mut text = report(&items);
        let tasks = &self.about.tasks;
        if !tasks.is_empty() {
            let done = tasks
                .iter()
                .filter(|task| task.status == TaskStatus::Completed)
                .count();
            text.push_str(&format!(" {done} of {} tasks are completed.", tasks.len()));
        }
        text
    }

    /// Arms the timer that ends the turn when its time is over.
    pub(super) fn arm_deadline(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let timer = Timer(around.ids.number());
        let waits = self.waits_for_person();
        let Some(run) = &mut self.run else { return };
        let left = run
            .record
            .limits
            .millis
            .saturating_sub(run.record.worked(around.now));
        let millis = if waits { left.max(LOOK_AGAIN) } else { left };
        run.deadline = Some(timer);
        step.effects.push(Effect::Sleep { timer, millis });
    }

    /// The deadline's timer has ended: the time may be over, or not, if the turn waited meanwhile.
    pub(super) fn look_at_the_clock(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let Some(run) = &self.run else { return };
        let is_over = run.record.worked(around.now) >= run.record.limits.millis;
        if !is_over || self.waits_for_person() {
            return self.arm_deadline(around, step);
        }
        if run.record.reached.is_some() {
            return;
        }
        match &run.phase {
            Phase::Model(request) => step.effects.push(Effect::AbandonRequest {
                request: request.number,
            }),
            Phase::Pause { .. } | Phase::Calls | Phase::Question => {}
        }
        self.spend_on_cut(around, step);
        self.cut_message(step, CutReason::Stopped);
        self.close_calls(step, "The turn's time was over", "time_limit");
        self.reach(around, step, Limit::Time);
    }

    /// Keeps count of the time in which only the person could get the turn on.
    pub(super) fn count_waiting(&mut self, now: Millis, step: &mut Step) {
        let waits = self.waits_for_person();
        let Some(run) = &mut self.run else { return };
        let record = &mut run.record;
        match (waits, record.waiting_since) {
            (true, None) => {
                record.waiting_since = Some(now);
                step.run = true;
            }
            (false, Some(since)) => {
                record.waited += now.0.saturating_sub(since.0);
                record.waiting_since = None;
                step.run = true;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
}

/// An amount in billionths of a dollar, in words.
fn dollars(amount: u64) -> String {
    let cents = amount / CENT;
    if cents == 0 && amount > 0 {
        return "less than $0.01".to_owned();
    }
    format!("${}.{:02}", cents / 100, cents % 100)
}

/// What was called, and how that went, in a sentence or two.
pub fn report(items: &[&Item]) -> String {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let (mut all, mut failed, mut unknown) = (0, 0, 0);
    for call in items.iter().filter_map(|item| item.body.call()) {
        *counts.entry(&call.tool).or_default() += 1;
        all += 1;
        match &call.state {
            CallState::Done { is_error, .. } => failed += u32::from(*is_error),
            CallState::Unknown => unknown += 1,
            CallState::Waiting
            | CallState::Running { .. }
            | CallState::AwaitingApproval { .. }
            | CallState::Asking { .. } => {}
        }
    }
    if all == 0 {
        return "No tool was called.".to_owned();
    }
    let each: Vec<String> = counts
        .iter()
        .map(|(tool, count)| format!("{tool} {count}"))
        .collect();
    let mut text = format!("It made {all} calls ({}).", each.join(", "));
    if failed > 0 {
        text.push_str(&format!(" {failed} of them failed."));
    }
    if unknown > 0 {
        text.push_str(&format!(
            " Of {unknown} it is not known whether they happened."
        ));
    }
    text
}
