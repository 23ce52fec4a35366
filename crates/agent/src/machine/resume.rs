//! Going on after a death, from what is on disk.

use tabwright_protocol::{CallState, CutReason, NoticeLevel};
use tabwright_tools::Replay;

use super::{Conversation, Phase, Purpose, Step, Surroundings};

/// How many deaths in a row a turn goes on after by itself.
const MOST_DEATHS: u32 = 3;

impl Conversation {
    /// Calls that may run again do; a bare write whose outcome is not known never does: the model
    /// is told that it may have happened, and so is the person. Questions that were open are open
    /// again. Without open calls the round's request is made again.
    pub(super) fn resume(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let delegates = self
            .round_calls()
            .any(|call| call.is_open() && call.child.is_some());
        let Some(run) = &mut self.run else { return };
        // A sub-agent counts its own; meanwhile the turn it belongs to does not get anywhere itself.
        // Nor does one that waits for the person, who may close the browser as often as they like.
        let waits = run.record.waiting_since.is_some();
        run.record.deaths += u32::from(!delegates && !waits);
        let deaths = run.record.deaths;
        // Whoever has to be waited for has had no way to answer meanwhile.
        if let Some(since) = run.record.waiting_since.take() {
            run.record.waited += around.now.0.saturating_sub(since.0);
        }
        step.run = true;
        self.spend_on_interrupted(around, step);
        self.cut_message(step, CutReason::Interrupted);
        let unknown = self.reopen_calls(step);
        if !unknown.is_empty()
            && let Some(run) = &self.run
        {
            let turn = run.record.turn.clone();
            let text = format!(
                "Interrupted while it ran, so it may have happened: {}. It is not repeated; the model was told to look first.",
                unknown.join(", ")
            );
            self.notice(
                around,
                step,
                turn,
                NoticeLevel::Warning,
                "outcome_unknown",
                text,
            );
        }
        if deaths > MOST_DEATHS {
            return self.give_up(around, step, deaths);
        }
        self.arm_deadline(around, step);
        self.go_on(around, step);
    }

    /// What was running waits again, or is unknown. Gives the titles of what is unknown.
    fn reopen_calls(&mut self, step: &mut Step) -> Vec<String> {
        let mut unknown = Vec::new();
        let Some(run) = &self.run else {
            return unknown;
        };
        for item in &mut self.items {
            if item.turn != run.record.turn {
                continue;
            }
            let position = item.position;
            let Some(call) = item.body.call_mut() else {
                continue;
            };
            match &call.state {
                CallState::Running { .. } if call.replay == Replay::BareWrite => {
                    call.be_unknown(
                        "Interrupted while it ran: it may have happened. Look before acting again; do not simply repeat it.",
                    );
                    unknown.push(call.title.clone());
                }
                CallState::Asking { .. } => {
                    call.attempts = call.attempts.saturating_sub(1);
                    call.state = CallState::Waiting;
                }
                CallState::Running { .. } | CallState::AwaitingApproval { .. } => {
                    call.state = CallState::Waiting;
                }
                CallState::Waiting | CallState::Done { .. } | CallState::Unknown => continue,
            }
            step.items.insert(position);
        }
        unknown
    }

    /// Whatever kills the core is likely to be in this very turn, and each try may cost money.
    fn give_up(&mut self, around: &mut Surroundings<'_>, step: &mut Step, deaths: u32) {
        self.refuse_waiting(
            step,
            "The core died again and again in this turn; it was not run.",
        );
        self.close_questions(step);
        let text = format!(
            "Tabwright was interrupted {deaths} times at this point, so the turn was ended. Try again to let it go on."
        );
        self.fail(around, step, "interrupted_often", text);
    }

    fn go_on(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let Some(run) = &mut self.run else { return };
        if run.record.reached.is_some() {
            return self.request(around, step, Purpose::Closing, 1);
        }
        if run.record.only_summary {
            // What the person wrote meanwhile is not for the summary, but to be answered.
            let turn = run.record.turn.clone();
            let keep = self.first_written_in(&turn);
            let keep = keep.unwrap_or_else(|| self.next_position());
            return self.request(around, step, Purpose::Summary { keep }, 1);
        }
        if self.wait_for_the_person(around, step) {
            return;
        }
        if self.has_open_calls() {
            if let Some(run) = &mut self.run {
                run.phase = Phase::Calls;
            }
            step.effects.push(super::Effect::Progress);
            self.advance(around, step);
        } else if self.round_has_calls() {
            self.after_calls(around, step);
        } else {
            self.ask(around, step);
        }
    }
}
