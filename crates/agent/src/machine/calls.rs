//! The tool calls of a round.

use tabwright_protocol::{CallId, CallState, ConversationId, Millis};
use tabwright_tools::{CoreRequest, Question, Replay};

use super::{
    CallResult, CheckedCall, Conversation, Effect, Phase, ReadyCall, Step, Surroundings, Timer,
};
use crate::item::Call;

/// How long a question waits for the person, in milliseconds.
pub(super) const PATIENCE: u64 = 300_000;

impl Conversation {
    /// The calls of the round in progress, the newest first.
    pub(super) fn round_calls(&self) -> impl Iterator<Item = &Call> {
        let round = self
            .run
            .as_ref()
            .map(|run| (&run.record.turn, run.record.round));
        self.items
            .iter()
            .rev()
            .take_while(move |item| round.is_some_and(|(turn, _)| *turn == item.turn))
            // The calls stand right after their message.
            .take_while(move |item| {
                let message = item.body.message();
                round.is_some_and(|(_, round)| message.is_none_or(|it| it.round >= round))
            })
            .filter_map(|item| item.body.call())
            .filter(move |call| round.is_some_and(|(_, round)| round == call.round))
    }

    /// Whether a call of the round still needs a result.
    pub(super) fn has_open_calls(&self) -> bool {
        self.round_calls().any(Call::is_open)
    }

    /// Whether the round has calls at all.
    pub(super) fn round_has_calls(&self) -> bool {
        self.round_calls().next().is_some()
    }

    /// Starts what may start; when nothing is open any more, goes on.
    pub(super) fn advance(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        self.start_calls(around, step);
        if !self.has_open_calls() {
            self.after_calls(around, step);
        }
    }

    /// Starts every waiting call whose turn it is: neighbours that may run side by side start
    /// together, any other call starts when all before it are done.
    fn start_calls(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let Some(run) = &self.run else { return };
        let turn = run.record.turn.clone();
        let round = run.record.round;
        let most_agents = run.record.limits.sub_agents;
        let mut alone_is_running = false;
        let mut any_is_running = false;
        let mut agents = 0;
        for index in self.first_of_round()..self.items.len() {
            let item = &mut self.items[index];
            let position = item.position;
            let Some(call) = item.body.call_mut() else {
                continue;
            };
            if item.turn != turn || call.round != round || !call.is_open() {
                continue;
            }
            if call.state != CallState::Waiting {
                any_is_running = true;
                alone_is_running |= !call.concurrent;
                agents += u32::from(call.child.is_some());
                continue;
            }
            if alone_is_running || (any_is_running && !call.concurrent) {
                return;
            }
            // Asked again now: what is allowed may have changed since the answer came.
            let ready = match around.tools.check(&call.tool, &call.arguments) {
                CheckedCall::Ready(ready) => ready,
                CheckedCall::Refused { result } => {
                    call.close(result);
                    step.items.insert(position);
                    continue;
                }
            };
            let is_agent = matches!(ready.core, Some(CoreRequest::Delegate(_)));
            if is_agent && agents >= most_agents {
                // It waits for one of the others to be done; what comes after it may start.
                any_is_running = true;
                continue;
            }
            agents += u32::from(is_agent);
            let concurrent = call.concurrent;
            step.items.insert(position);
            self.start(around, step, index, *ready);
            let is_open = self.items[index].body.call().is_some_and(Call::is_open);
            any_is_running |= is_open;
            alone_is_running |= is_open && !concurrent;
        }
    }

    /// The index of the round's message, or of what stands before its calls.
    fn first_of_round(&self) -> usize {
        let round = self.run.as_ref().map_or(0, |run| run.record.round);
        self.items
            .iter()
            .rposition(|item| {
                item.body
                    .message()
                    .is_some_and(|message| message.round <= round)
            })
            .unwrap_or(0)
    }

    /// Starts one call: asks the person first if need be, then does it, or lets the driver do it.
    fn start(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        index: usize,
        ready: ReadyCall,
    ) {
        let item = &mut self.items[index];
        let (id, position) = (item.id.clone(), item.position);
        let Some(call) = item.body.call_mut() else {
            return;
        };
        if let Some(reason) = ready.approval
            && !call.approved
        {
            call.state = CallState::AwaitingApproval { reason };
            return;
        }
        call.attempts += 1;
        match ready.core {
            None => {
                call.state = CallState::Running { since: around.now };
                step.effects.push(Effect::Call {
                    call: call.call.clone(),
                    position,
                    tool: call.tool.clone(),
                    arguments: call.arguments.clone(),
                    approved: call.approved,
                });
            }
            Some(CoreRequest::Ask(question)) => {
                let timer = Timer(around.ids.number());
                call.state = asking(question, around.now);
                if let Some(run) = &mut self.run {
                    run.questions.push((timer, id));
                }
                step.effects.push(Effect::Sleep {
                    timer,
                    millis: PATIENCE,
                });
            }
            Some(CoreRequest::Delegate(brief)) => {
                call.state = CallState::Running { since: around.now };
                call.title.clone_from(&brief.description);
                call.child = Some(ConversationId(call.call.0.clone()));
                step.effects.push(Effect::Delegate {
                    call: call.call.clone(),
                    brief,
                });
            }
            Some(CoreRequest::Tasks(wanted)) => {
                let (text, is_error) = self.task_list(step, wanted);
                if let Some(call) = self.items[index].body.call_mut() {
                    call.finish(text, is_error);
                }
            }
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
            let call = item.body.call_mut()?;
            (call.call == *id).then_some((position, call))
        });
        let Some((position, call)) = found else {
            return;
        };
        // A result that comes after Stop, or a second one, changes nothing.
        let CallState::Running { .. } = call.state else {
            return;
        };
        let (usage, fatal) = (outcome.usage, outcome.fatal);
        call.close(outcome);
        step.items.insert(position);
        let Some(run) = &mut self.run else { return };
        run.record.usage += usage;
        run.record.deaths = 0;
        step.run = true;
        if !matches!(run.phase, Phase::Calls) {
            return;
        }
        if fatal {
            self.close_calls(
                step,
                "Not done: another call of the turn failed for good",
                "not_run",
            );
            let text = "A tool met something that no further call can mend; its result says what. Try again once that is mended.";
            self.fail(around, step, "tool_failed", text.to_owned());
        } else {
            self.advance(around, step);
        }
    }

    /// Gives every open call a result and gives its effect up. A bare write that was running may
    /// have happened: that is what its result says.
    pub(super) fn close_calls(&mut self, step: &mut Step, why: &str, code: &str) {
        let Some(run) = &mut self.run else { return };
        for (timer, _) in run.questions.drain(..) {
            step.effects.push(Effect::Cancel { timer });
        }
        let turn = &run.record.turn;
        for item in self.items.iter_mut().rev() {
            if item.turn != *turn {
                break;
            }
            let position = item.position;
            let Some(call) = item.body.call_mut() else {
                continue;
            };
            match &call.state {
                CallState::Done { .. } | CallState::Unknown => continue,
                CallState::Asking { .. } => {
                    call.finish(r#"{"answer":null,"reason":"aborted"}"#.to_owned(), false);
                }
                // It was begun before a death, and not again since.
                CallState::Waiting if call.may_have_happened() => call.be_unknown(&format!(
                    "{why}. It was interrupted before, and may have happened then. Look before acting again."
                )),
                CallState::Waiting | CallState::AwaitingApproval { .. } => {
                    call.fail(&format!("{why} before it was begun."), code);
                }
                CallState::Running { .. } => {
                    step.effects.push(Effect::AbandonCall {
                        call: call.call.clone(),
                    });
                    if call.may_have_happened() {
                        call.be_unknown(&format!(
                            "{why} while it ran: it may have happened. Look before acting again."
                        ));
                    } else {
                        call.fail(&format!("{why} before it was done."), code);
                    }
                }
            }
            step.items.insert(position);
        }
    }

    /// Gives every call of the round that has not been started a result that says why it was not.
    pub(super) fn refuse_waiting(&mut self, step: &mut Step, why: &str) {
        let Some(run) = &self.run else { return };
        let turn = &run.record.turn;
        for item in self.items.iter_mut().rev() {
            if item.turn != *turn {
                break;
            }
            let Some(call) = item.body.call_mut() else {
                continue;
            };
            if call.state != CallState::Waiting {
                continue;
            }
            if call.may_have_happened() {
                call.be_unknown(
                    "Interrupted while it ran: it may have happened. Look before acting again.",
                );
            } else {
                call.fail(why, "not_run");
            }
            step.items.insert(item.position);
        }
    }
}

impl Call {
    /// Whether it changes something, and was begun. A sub-agent's own calls say what happened.
    fn may_have_happened(&self) -> bool {
        self.attempts > 0 && self.replay != Replay::Pure && self.child.is_none()
    }

    /// Gives it its result.
    fn close(&mut self, outcome: CallResult) {
        self.state = CallState::Done {
            result: outcome.result,
            is_error: outcome.is_error,
            millis: outcome.millis,
        };
        self.model_text = outcome.model_text;
        self.file = outcome.file;
        self.fingerprint = outcome.fingerprint;
    }
}

fn asking(question: Question, now: Millis) -> CallState {
    CallState::Asking {
        question: question.question,
        options: question.options,
        multiple: question.multiple,
        until: Millis(now.0.saturating_add(PATIENCE)),
    }
}
