//! The tool calls of a round.

use tabwright_protocol::{CallId, CallState};
use tabwright_tools::Replay;

use super::{CallResult, Conversation, Effect, Phase, Step, Surroundings};
use crate::item::{Body, Call};

impl Conversation {
    /// The calls of the round in progress, in order.
    fn round_calls(&self) -> impl Iterator<Item = &Call> {
        let round = self
            .run
            .as_ref()
            .map(|run| (&run.record.turn, run.record.round));
        self.items
            .iter()
            .rev()
            .take_while(move |item| round.is_some_and(|(turn, _)| *turn == item.turn))
            .filter_map(move |item| match &item.body {
                Body::Call(call) if round.is_some_and(|(_, round)| round == call.round) => {
                    Some(call)
                }
                Body::Call(_)
                | Body::User { .. }
                | Body::Assistant(_)
                | Body::Notice { .. }
                | Body::TurnEnd { .. } => None,
            })
    }

    /// Whether a call of the round still needs a result.
    pub(super) fn has_open_calls(&self) -> bool {
        self.round_calls().any(Call::is_open)
    }

    /// Whether the round has calls at all.
    pub(super) fn round_has_calls(&self) -> bool {
        self.round_calls().next().is_some()
    }

    /// Starts every waiting call whose turn it is: neighbours that may run side by side start
    /// together, any other call starts when all before it are done.
    pub(super) fn start_calls(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let Some(run) = &self.run else { return };
        let (turn, round) = (run.record.turn.clone(), run.record.round);
        let mut alone_is_running = false;
        let mut any_is_running = false;
        for item in &mut self.items {
            if item.turn != turn {
                continue;
            }
            let Body::Call(call) = &mut item.body else {
                continue;
            };
            if call.round != round || !call.is_open() {
                continue;
            }
            if let CallState::Running { .. } = call.state {
                any_is_running = true;
                alone_is_running |= !call.concurrent;
                continue;
            }
            if alone_is_running || (any_is_running && !call.concurrent) {
                return;
            }
            call.state = CallState::Running { since: around.now };
            call.attempts += 1;
            step.items.insert(item.position);
            step.effects.push(Effect::Call {
                call: call.call.clone(),
                tool: call.tool.clone(),
                arguments: call.arguments.clone(),
            });
            any_is_running = true;
            alone_is_running |= !call.concurrent;
        }
    }

    pub(super) fn called(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        id: &CallId,
        outcome: CallResult,
    ) {
        let found = self.items.iter_mut().rev().find_map(|item| {
            let position = item.position;
            match &mut item.body {
                Body::Call(call) if call.call == *id => Some((position, call)),
                Body::Call(_)
                | Body::User { .. }
                | Body::Assistant(_)
                | Body::Notice { .. }
                | Body::TurnEnd { .. } => None,
            }
        });
        let Some((position, call)) = found else {
            return;
        };
        // A result that comes after Stop, or a second one, changes nothing.
        let CallState::Running { .. } = call.state else {
            return;
        };
        call.state = CallState::Done {
            result: outcome.result,
            is_error: outcome.is_error,
            millis: outcome.millis,
        };
        call.model_text = outcome.model_text;
        step.items.insert(position);
        let Some(run) = &mut self.run else { return };
        run.record.deaths = 0;
        step.run = true;
        if !matches!(run.phase, Phase::Calls) {
            return;
        }
        if outcome.fatal {
            self.close_calls(
                step,
                "Not done: another call of the turn failed for good",
                "not_run",
            );
            let text = "A tool met something that no further call can mend; its result says what. Try again once that is mended.";
            self.fail(around, step, "tool_failed", text.to_owned());
        } else if self.has_open_calls() {
            self.start_calls(around, step);
        } else {
            self.next_round(around, step);
        }
    }

    /// Gives every open call a result and gives its effect up. A bare write that was running may
    /// have happened: that is what its result says.
    pub(super) fn close_calls(&mut self, step: &mut Step, why: &str, code: &str) {
        for item in &mut self.items {
            let Body::Call(call) = &mut item.body else {
                continue;
            };
            let running = match &call.state {
                CallState::Running { .. } => true,
                CallState::Waiting => false,
                CallState::Done { .. } | CallState::Unknown => continue,
            };
            if running {
                step.effects.push(Effect::AbandonCall {
                    call: call.call.clone(),
                });
            }
            if running && call.replay == Replay::BareWrite {
                call.be_unknown(&format!(
                    "{why} while it ran: it may have happened. Look before acting again."
                ));
            } else {
                call.fail(&format!("{why} before it was done."), code);
            }
            step.items.insert(item.position);
        }
    }

    /// Gives every call that has not been started a result that says why it was not.
    pub(super) fn refuse_waiting(&mut self, step: &mut Step, why: &str) {
        for item in &mut self.items {
            let Body::Call(call) = &mut item.body else {
                continue;
            };
            if call.state != CallState::Waiting {
                continue;
            }
            call.fail(why, "not_run");
            step.items.insert(item.position);
        }
    }
}
