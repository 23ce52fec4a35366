//! Requests to the model and their answers.

use tabwright_llm::{Answer, ModelCall, ModelEvent, StopReason};
use tabwright_markdown::StreamingBlocks;
use tabwright_protocol::{
    CallId, CallState, CutReason, MessageState, Millis, NoticeLevel, TurnEndReason,
};
use tabwright_tools::Replay;

use super::{
    Arriving, CheckedCall, Conversation, Effect, Phase, Request, RequestNumber, Step, Surroundings,
    Timer, Trouble,
};
use crate::item::{Body, Call, Message, error_text};

/// Views are told of new text at most this often: about as often as an eye can follow.
const TELL_EVERY: u64 = 60;
/// Arriving text is put on disk at most this often: a death loses no more than this of it.
const SAVE_EVERY: u64 = 1_000;
/// How often a request is made before the turn fails.
const ATTEMPTS: u32 = 5;
/// The first pause; each further one is twice as long.
const FIRST_PAUSE: u64 = 500;
/// No pause is longer, unless the provider asks for it.
const LONGEST_PAUSE: u64 = 30_000;

impl Conversation {
    /// Moves on to the next round, or ends the turn at its limit.
    pub(super) fn next_round(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let Some(run) = &mut self.run else { return };
        let done = run.record.round + 1 - run.record.first_round;
        if done >= around.max_rounds {
            let turn = run.record.turn.clone();
            let text = format!(
                "This turn has made {done} model requests, which is the limit set in the options. Continue to let it go on."
            );
            self.notice(
                around,
                step,
                turn,
                NoticeLevel::Warning,
                "round_limit",
                text,
            );
            self.end_turn(around, step, TurnEndReason::Limit);
            return;
        }
        run.record.round += 1;
        step.run = true;
        self.request(around, step, 1);
    }

    /// Makes the round's request.
    pub(super) fn request(&mut self, around: &mut Surroundings<'_>, step: &mut Step, attempt: u32) {
        let seen = self.next_position();
        let Some(run) = &mut self.run else { return };
        let number = RequestNumber(around.ids.number());
        run.phase = Phase::Model(Box::new(Request {
            number,
            attempt,
            seen,
            message: None,
        }));
        step.effects.push(Effect::Request { request: number });
        step.effects.push(Effect::Progress);
    }

    /// The request with this number, if it is the one being answered.
    fn current(&mut self, number: RequestNumber) -> Option<&mut Request> {
        match &mut self.run.as_mut()?.phase {
            Phase::Model(request) if request.number == number => Some(request),
            Phase::Model(_) | Phase::Pause { .. } | Phase::Calls => None,
        }
    }

    pub(super) fn hear(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        number: RequestNumber,
        events: Vec<ModelEvent>,
    ) {
        let Some(request) = self.current(number) else {
            return;
        };
        if request.message.is_none() && !events.is_empty() {
            self.open_message(around, step);
        }
        let mut text = String::new();
        let mut thinking = String::new();
        for event in events {
            match event {
                ModelEvent::Text(piece) => text.push_str(&piece),
                ModelEvent::Thinking(piece) => thinking.push_str(&piece),
                // Views see a call when it is whole: half of its arguments mean nothing.
                ModelEvent::CallStarted { .. } | ModelEvent::CallArguments { .. } => {}
            }
        }
        self.grow_message(around, step, &text, &thinking);
    }

    fn open_message(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let Some(run) = &self.run else { return };
        let Phase::Model(request) = &run.phase else {
            return;
        };
        let seen = request.seen;
        let turn = run.record.turn.clone();
        let body = Body::Assistant(Message {
            round: run.record.round,
            text: String::new(),
            thinking: String::new(),
            state: MessageState::Streaming,
            model: around.model.name.clone(),
            source: around.model.source.clone(),
            seen: Some(seen),
            opaque: Default::default(),
        });
        let item = self.append(around, step, turn, body);
        if let Some(run) = &mut self.run
            && let Phase::Model(request) = &mut run.phase
        {
            request.message = Some(Arriving {
                item,
                blocks: StreamingBlocks::default(),
                untold: None,
                told_at: around.now,
                tell: None,
                saved_at: around.now,
            });
        }
        step.effects.push(Effect::Progress);
    }

    fn grow_message(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        text: &str,
        thinking: &str,
    ) {
        let Some(run) = &mut self.run else { return };
        let Phase::Model(request) = &mut run.phase else {
            return;
        };
        let Some(arriving) = &mut request.message else {
            return;
        };
        let Some(item) = self
            .items
            .iter_mut()
            .rev()
            .find(|item| item.id == arriving.item)
        else {
            return;
        };
        let Body::Assistant(message) = &mut item.body else {
            return;
        };
        message.text.push_str(text);
        message.thinking.push_str(thinking);
        if around.now.0.saturating_sub(arriving.saved_at.0) >= SAVE_EVERY {
            arriving.saved_at = around.now;
            step.items.insert(item.position);
        }
        if let Some(change) = arriving.blocks.push(text) {
            arriving.untold = Some(match arriving.untold.take() {
                None => (change.keep, change.blocks),
                Some((keep, mut blocks)) if change.keep >= keep => {
                    blocks.truncate(change.keep - keep);
                    blocks.extend(change.blocks);
                    (keep, blocks)
                }
                Some(_) => (change.keep, change.blocks),
            });
        }
        if arriving.untold.is_none() {
            return;
        }
        let since = around.now.0.saturating_sub(arriving.told_at.0);
        if since >= TELL_EVERY {
            tell(arriving, around.now, step);
        } else if arriving.tell.is_none() {
            let timer = Timer(around.ids.number());
            arriving.tell = Some(timer);
            step.effects.push(Effect::Sleep {
                timer,
                millis: TELL_EVERY - since,
            });
        }
    }

    /// Marks the arriving message, if there is one, as ended early. What came is kept.
    pub(super) fn cut_message(&mut self, step: &mut Step, reason: CutReason) {
        for item in self.items.iter_mut().rev() {
            if let Body::Assistant(message) = &mut item.body
                && message.state == MessageState::Streaming
            {
                message.state = MessageState::Cut { reason };
                step.items.insert(item.position);
            }
        }
    }

    pub(super) fn heard(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        number: RequestNumber,
        result: Result<Answer, Trouble>,
    ) {
        if self.current(number).is_none() {
            return;
        }
        match result {
            Ok(answer) => self.answered(around, step, answer),
            Err(trouble) => self.unanswered(around, step, trouble),
        }
    }

    fn answered(&mut self, around: &mut Surroundings<'_>, step: &mut Step, answer: Answer) {
        let Some(run) = &mut self.run else { return };
        let Phase::Model(request) = &run.phase else {
            return;
        };
        let seen = request.seen;
        let opened = request.message.is_some();
        run.record.usage += answer.usage;
        run.record.deaths = 0;
        step.run = true;
        if !opened {
            self.open_message(around, step);
        }
        let (state, end) = match &answer.stop {
            StopReason::Length => (
                MessageState::Cut {
                    reason: CutReason::Length,
                },
                Some("The answer reached the model's output limit. Continue to let it go on."),
            ),
            StopReason::ContentFilter | StopReason::Refusal => (
                MessageState::Cut {
                    reason: CutReason::Refused,
                },
                Some(
                    "The provider ended the answer (content filter or refusal). Try other words, or another model.",
                ),
            ),
            StopReason::EndTurn | StopReason::ToolCalls | StopReason::Other(_) => {
                (MessageState::Complete, None)
            }
        };
        let empty = answer.text.trim().is_empty() && answer.calls.is_empty();
        self.close_message(step, &answer, state);
        self.add_calls(around, step, answer.calls);
        if let Some(text) = end {
            self.refuse_waiting(
                step,
                "The answer that asked for this call was cut; it was not run.",
            );
            self.fail(around, step, "answer_cut", text.to_owned());
        } else if self.has_open_calls() {
            if let Some(run) = &mut self.run {
                run.phase = Phase::Calls;
            }
            step.effects.push(Effect::Progress);
            self.start_calls(around, step);
        } else if self.round_has_calls() || self.person_wrote_after(seen) {
            self.next_round(around, step);
        } else if empty {
            let text = "The model answered with nothing. Try again, or choose another model.";
            self.fail(around, step, "empty_answer", text.to_owned());
        } else {
            self.end_turn(around, step, TurnEndReason::Done);
        }
    }

    fn close_message(&mut self, step: &mut Step, answer: &Answer, state: MessageState) {
        for item in self.items.iter_mut().rev() {
            if let Body::Assistant(message) = &mut item.body {
                message.text.clone_from(&answer.text);
                message.thinking.clone_from(&answer.thinking);
                message.opaque = answer.opaque.clone();
                message.state = state;
                step.items.insert(item.position);
                return;
            }
        }
    }

    fn add_calls(&mut self, around: &mut Surroundings<'_>, step: &mut Step, calls: Vec<ModelCall>) {
        for call in calls {
            let Some(run) = &self.run else { return };
            let turn = run.record.turn.clone();
            let round = run.record.round;
            let checked = if call.complete {
                around.tools.check(&call.name, &call.arguments)
            } else {
                let text = error_text(
                    "The arguments arrived incomplete, so the call was not run. Make the call again.",
                    "incomplete_arguments",
                );
                CheckedCall::Refused {
                    result: super::CallResult {
                        result: text.clone(),
                        model_text: text,
                        is_error: true,
                        millis: 0,
                        fatal: false,
                    },
                }
            };
            let mut body = Call {
                round,
                call: CallId(around.ids.fresh()),
                provider_id: call.provider_id,
                title: call.name.clone(),
                tool: call.name,
                arguments: call.arguments,
                opaque: call.opaque,
                replay: Replay::Pure,
                concurrent: false,
                state: CallState::Waiting,
                attempts: 0,
                model_text: String::new(),
            };
            match checked {
                CheckedCall::Ready {
                    title,
                    replay,
                    concurrent,
                } => {
                    body.title = title;
                    body.replay = replay;
                    body.concurrent = concurrent;
                }
                CheckedCall::Refused { result } => {
                    body.state = CallState::Done {
                        result: result.result,
                        is_error: result.is_error,
                        millis: result.millis,
                    };
                    body.model_text = result.model_text;
                }
            }
            self.append(around, step, turn, Body::Call(body));
        }
    }

    /// Whether the person wrote something that the last request did not show the model.
    pub(super) fn person_wrote_after(&self, seen: u32) -> bool {
        self.items
            .iter()
            .rev()
            .take_while(|item| item.position >= seen)
            .any(|item| matches!(item.body, Body::User { .. }))
    }

    fn unanswered(&mut self, around: &mut Surroundings<'_>, step: &mut Step, trouble: Trouble) {
        let Some(run) = &mut self.run else { return };
        let Phase::Model(request) = &run.phase else {
            return;
        };
        let attempt = request.attempt;
        let nothing_seen = request.message.is_none();
        if nothing_seen && trouble.may_retry && attempt < ATTEMPTS {
            let millis = pause(attempt, trouble.retry_after, around.ids.number());
            let timer = Timer(around.ids.number());
            run.phase = Phase::Pause {
                timer,
                attempt: attempt + 1,
                until: Millis(around.now.0 + millis),
                reason: trouble.reason,
            };
            step.effects.push(Effect::Sleep { timer, millis });
            step.effects.push(Effect::Progress);
            return;
        }
        self.cut_message(step, CutReason::Connection);
        let text = format!("{} {}", trouble.reason, trouble.advice);
        self.fail(around, step, trouble.code, text);
    }

    /// Ends the turn with an error that the person is told.
    pub(super) fn fail(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        code: &str,
        text: String,
    ) {
        let Some(run) = &self.run else { return };
        let turn = run.record.turn.clone();
        self.notice(around, step, turn, NoticeLevel::Error, code, text);
        self.end_turn(around, step, TurnEndReason::Failed);
    }
}

/// Tells views the blocks they have not been told.
pub(super) fn tell(message: &mut Arriving, now: Millis, step: &mut Step) {
    message.told_at = now;
    if let Some((keep, blocks)) = message.untold.take() {
        step.effects.push(Effect::Blocks {
            item: message.item.clone(),
            keep,
            blocks,
        });
    }
}

/// How long to wait before the next attempt: at least what the provider asks for, else twice as
/// long each time, of which the upper half is random so that clients do not come back in step.
fn pause(attempt: u32, asked: Option<u64>, random: u64) -> u64 {
    let doubled = FIRST_PAUSE.saturating_mul(1 << attempt.saturating_sub(1).min(10));
    let longest = doubled.min(LONGEST_PAUSE);
    let jittered = longest / 2 + random % (longest / 2 + 1);
    jittered.max(asked.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::pause;

    #[test]
    fn a_pause_doubles_stays_bounded_and_is_never_shorter_than_asked() {
        assert_eq!(pause(1, None, 0), 250);
        assert_eq!(pause(1, None, 250), 500);
        assert_eq!(pause(2, None, 500), 1_000);
        assert_eq!(pause(30, None, 15_000), 30_000);
        assert_eq!(pause(1, Some(20_000), 0), 20_000);
    }
}
