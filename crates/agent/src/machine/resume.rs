//! Going on after a death, from what is on disk.

use tabwright_protocol::{CallState, CutReason, NoticeLevel};
use tabwright_tools::Replay;

use super::{Conversation, Phase, Step, Surroundings};
use crate::item::Body;

/// How many deaths in a row a turn goes on after by itself.
const MOST_DEATHS: u32 = 3;

impl Conversation {
    /// Calls that may run again do; a bare write whose outcome is not known never does: the model
    /// is told that it may have happened, and so is the person. Without open calls the round's
    /// request is made again.
    pub(super) fn resume(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let Some(run) = &mut self.run else { return };
        run.record.deaths += 1;
        let deaths = run.record.deaths;
        step.run = true;
        self.cut_message(step, CutReason::Interrupted);
        let mut unknown = Vec::new();
        for item in &mut self.items {
            let Body::Call(call) = &mut item.body else {
                continue;
            };
            let CallState::Running { .. } = call.state else {
                continue;
            };
            match call.replay {
                Replay::Pure | Replay::Keyed => call.state = CallState::Waiting,
                Replay::BareWrite => {
                    call.be_unknown(
                        "Interrupted while it ran: it may have happened. Look before acting again; do not simply repeat it.",
                    );
                    unknown.push(call.title.clone());
                }
            }
            step.items.insert(item.position);
        }
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
            // Whatever kills the core is likely to be in this very turn, and each try may cost money.
            self.refuse_waiting(
                step,
                "The core died again and again in this turn; it was not run.",
            );
            let text = format!(
                "Tabwright was interrupted {deaths} times at this point, so the turn was ended. Try again to let it go on."
            );
            self.fail(around, step, "interrupted_often", text);
        } else if self.has_open_calls() {
            if let Some(run) = &mut self.run {
                run.phase = Phase::Calls;
            }
            step.effects.push(super::Effect::Progress);
            self.start_calls(around, step);
        } else if self.round_has_calls() {
            self.next_round(around, step);
        } else {
            self.request(around, step, 1);
        }
    }
}
