//! Requests to the model and their answers.

use tabwright_llm::{Answer, ModelCall, StopReason};
use tabwright_protocol::{
    CallId, CallState, CutReason, MessageState, Millis, NoticeLevel, TurnEndReason,
};
use tabwright_tools::Replay;

use super::{
    CallClass, CallResult, CheckedCall, Conversation, Effect, ModelChoice, Phase, Purpose, Request,
    RequestNumber, Step, Surroundings, Timer, Trouble,
};
use crate::item::{Body, Call, error_text};

/// How often a request is made before the turn fails.
const ATTEMPTS: u32 = 5;
/// The same for a request that the turn can do without.
const ATTEMPTS_AT_EXTRAS: u32 = 2;
/// The same where another model can go on.
const ATTEMPTS_BEFORE_FALLBACK: u32 = 2;
/// The first pause; each further one is twice as long.
const FIRST_PAUSE: u64 = 500;
/// The model that sums up gets what fills at most this share of its window, in percent.
const HELPER_ROOM: u64 = 80;
/// Where another model can go on, none is waited for longer than this, in milliseconds.
const LONGEST_WAIT_WITH_FALLBACK: u64 = 30_000;
/// No pause is longer, unless the provider asks for it.
const LONGEST_PAUSE: u64 = 30_000;

impl Conversation {
    /// Moves on to the next round, or ends the turn at a limit.
    pub(super) fn next_round(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        if let Some(limit) = self.reached_limit(around) {
            return self.reach(around, step, limit);
        }
        let Some(run) = &mut self.run else { return };
        run.record.round += 1;
        step.run = true;
        self.ask(around, step);
    }

    /// Makes the round's request, after making room for it where there is none.
    pub(super) fn ask(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let purpose = match self.make_room(around, step) {
            None => Purpose::Round,
            Some(keep) => Purpose::Summary { keep },
        };
        self.request(around, step, purpose, 1);
    }

    /// Makes a request.
    pub(super) fn request(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        purpose: Purpose,
        attempt: u32,
    ) {
        if let Some(limit) = self.spent_up(around) {
            if let Some(run) = &mut self.run {
                run.record.reached.get_or_insert(limit);
            }
            return self.end_at_limit(around, step, false);
        }
        let seen = self.next_position();
        let bytes = self.request_bytes(around);
        let asked = self.whom_to_ask(around, purpose, attempt, bytes).clone();
        let model = asked.id.clone();
        let Some(run) = &mut self.run else { return };
        let number = RequestNumber(around.ids.number());
        run.phase = Phase::Model(Box::new(Request {
            number,
            purpose,
            attempt,
            asked,
            seen,
            bytes,
            message: None,
            heard: false,
        }));
        let request = Effect::Request {
            request: number,
            purpose,
            model,
        };
        step.effects.push(request);
        step.effects.push(Effect::Progress);
    }

    /// The turn's own model, or for a summary the one that is there for it: once, if it has the room.
    fn whom_to_ask<'a>(
        &self,
        around: &Surroundings<'a>,
        purpose: Purpose,
        attempt: u32,
        bytes: u64,
    ) -> &'a ModelChoice {
        let has_room = |model: &&ModelChoice| {
            self.tokens(around, bytes) * 100 <= u64::from(model.window) * HELPER_ROOM
        };
        match purpose {
            Purpose::Summary { .. } if attempt == 1 => {
                around.summary.filter(has_room).unwrap_or(around.model)
            }
            Purpose::Summary { .. } | Purpose::Round | Purpose::Closing => around.model,
        }
    }

    pub(super) fn heard(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        number: RequestNumber,
        result: Result<Answer, Trouble>,
    ) {
        let Some(request) = self.current(number) else {
            return;
        };
        let purpose = request.purpose;
        let attempt = request.attempt;
        let by_helper = is_helper(request, around);
        match (result, purpose) {
            (Ok(answer), Purpose::Round) => self.answered(around, step, answer),
            (Ok(answer), Purpose::Summary { keep }) => {
                self.note_usage(around, step, &answer);
                // Half a summary would be all that the model remembers.
                let whole = match ending(&answer.stop) {
                    (_, None) => Some(answer.text.as_str()),
                    (_, Some(_)) => None,
                };
                let is_empty = whole.is_none_or(|text| text.trim().is_empty());
                if is_empty && by_helper {
                    return self.request(around, step, purpose, attempt + 1);
                }
                self.summed_up(around, step, keep, whole);
            }
            (Ok(answer), Purpose::Closing) => self.closed(around, step, answer),
            (Err(trouble), _) => self.unanswered(around, step, purpose, trouble),
        }
    }

    /// Adds an answer's tokens to the turn's, and learns from them how many tokens a byte is.
    fn note_usage(&mut self, around: &Surroundings<'_>, step: &mut Step, answer: &Answer) {
        self.spend_on_answer(around, step, answer);
        let Some(run) = &mut self.run else { return };
        run.record.deaths = 0;
        step.run = true;
        if let Phase::Model(request) = &run.phase
            && matches!(request.purpose, Purpose::Round)
            && answer.usage.input > 0
        {
            self.about.measured = Some(super::Measured {
                source: around.model.source.clone(),
                bytes: request.bytes,
                tokens: answer.usage.input,
            });
            step.row = true;
        }
    }

    fn answered(&mut self, around: &mut Surroundings<'_>, step: &mut Step, answer: Answer) {
        self.note_usage(around, step, &answer);
        let Some(run) = &self.run else { return };
        let Phase::Model(request) = &run.phase else {
            return;
        };
        let seen = request.seen;
        if request.message.is_none() {
            self.open_message(around, step);
        }
        let (state, end) = ending(&answer.stop);
        let empty = answer.text.trim().is_empty() && answer.calls.is_empty();
        let unread_call = answer.unread_call;
        if let Some(run) = &mut self.run
            && !unread_call
        {
            run.record.unread_calls = 0;
        }
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
            self.advance(around, step);
        } else if self.round_has_calls() {
            self.after_calls(around, step);
        } else if unread_call {
            self.ask_for_the_call_again(around, step);
        } else if self.person_wrote_after(seen) {
            self.next_round(around, step);
        } else if empty {
            let text = "The model answered with nothing. Try again, or choose another model.";
            self.fail(around, step, "empty_answer", text.to_owned());
        } else {
            self.end_turn(around, step, TurnEndReason::Done);
        }
    }

    /// The answer seems to hold a call that cannot be read: the model is told once how to write it.
    fn ask_for_the_call_again(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let Some(run) = &mut self.run else { return };
        run.record.unread_calls += 1;
        if run.record.unread_calls > 1 {
            let text = "The model wrote a call that cannot be read, also after it was told how. Try again, or choose a model that is made to call tools.";
            return self.fail(around, step, "unread_call", text.to_owned());
        }
        let turn = run.record.turn.clone();
        let text = format!(
            "Your last answer seems to hold a call that cannot be read, so nothing was run. Write a call as JSON and nothing else: {{\"name\": \"…\", \"arguments\": {{…}}}}. The tools are: {}. If you meant no call, say it without JSON.",
            around.tools.names().join(", ")
        );
        let code = "unread_call".to_owned();
        self.append(around, step, turn, Body::Hint { code, text });
        self.next_round(around, step);
    }

    /// The last word of a turn that has reached a limit: what it still asks for is not done.
    fn closed(&mut self, around: &mut Surroundings<'_>, step: &mut Step, answer: Answer) {
        self.note_usage(around, step, &answer);
        let Some(run) = &self.run else { return };
        let Phase::Model(request) = &run.phase else {
            return;
        };
        let has_words = !answer.text.trim().is_empty();
        let is_open = request.message.is_some();
        if !is_open && (has_words || !answer.calls.is_empty()) {
            self.open_message(around, step);
        }
        // Without anything to say there is no message of it, and an earlier one stays as it was.
        if is_open || has_words || !answer.calls.is_empty() {
            let (state, _) = ending(&answer.stop);
            self.close_message(step, &answer, state);
        }
        self.add_calls(around, step, answer.calls);
        self.refuse_waiting(step, "The turn has reached its limit; it was not run.");
        self.end_at_limit(around, step, has_words);
    }

    fn add_calls(&mut self, around: &mut Surroundings<'_>, step: &mut Step, calls: Vec<ModelCall>) {
        for call in calls {
            let Some(run) = &self.run else { return };
            let turn = run.record.turn.clone();
            let round = run.record.round;
            let checked = if call.complete {
                around.tools.check(&call.name, &call.arguments)
            } else {
                incomplete()
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
                hash: String::new(),
                class: CallClass::Look,
                approved: false,
                file: None,
                left_out: false,
                child: None,
                fingerprint: None,
            };
            match checked {
                CheckedCall::Ready(ready) => {
                    body.title = ready.title;
                    body.replay = ready.replay;
                    body.concurrent = ready.concurrent;
                    body.hash = ready.hash;
                    body.class = ready.class;
                }
                CheckedCall::Refused { result } => {
                    // Equal mistakes are equal calls for the loop guard.
                    body.hash = format!("{} {}", body.tool, body.arguments);
                    body.state = CallState::Done {
                        result: result.result,
                        is_error: result.is_error,
                        millis: result.millis,
                    };
                    body.model_text = result.model_text;
                }
            }
            self.append(around, step, turn, Body::Call(Box::new(body)));
        }
    }

    /// Whether the person wrote something that the last request did not show the model.
    pub(super) fn person_wrote_after(&self, seen: u32) -> bool {
        self.items
            .iter()
            .rev()
            .take_while(|item| item.position >= seen)
            .any(|item| item.body.written().is_some())
    }

    fn unanswered(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        purpose: Purpose,
        trouble: Trouble,
    ) {
        let Some(run) = &mut self.run else { return };
        let Phase::Model(request) = &run.phase else {
            return;
        };
        let attempt = request.attempt;
        let nothing_shown = !request.heard || matches!(purpose, Purpose::Summary { .. });
        let by_helper = is_helper(request, around);
        let is_round = matches!(purpose, Purpose::Round);
        let fallback = around
            .fallback
            .filter(|it| is_round && nothing_shown && it.id != around.model.id);
        let most = match fallback {
            None if is_round => ATTEMPTS,
            None => ATTEMPTS_AT_EXTRAS,
            Some(_) if trouble.retry_after > Some(LONGEST_WAIT_WITH_FALLBACK) => 1,
            Some(_) => ATTEMPTS_BEFORE_FALLBACK,
        };
        self.spend_on_cut(around, step);
        if by_helper {
            // The turn's own model can sum up as well.
            return self.request(around, step, purpose, attempt + 1);
        }
        let Some(run) = &mut self.run else { return };
        if nothing_shown && trouble.may_retry && attempt < most {
            let millis = pause(attempt, trouble.retry_after, around.ids.number());
            let timer = Timer(around.ids.number());
            run.phase = Phase::Pause {
                timer,
                purpose,
                attempt: attempt + 1,
                until: Millis(around.now.0.saturating_add(millis)),
                reason: trouble.reason,
            };
            step.effects.push(Effect::Sleep { timer, millis });
            step.effects.push(Effect::Progress);
            return;
        }
        self.cut_message(step, CutReason::Connection);
        match purpose {
            Purpose::Summary { keep } => self.not_summed_up(around, step, keep, &trouble),
            Purpose::Closing => self.end_at_limit(around, step, false),
            Purpose::Round if trouble.too_long && self.shorten(around, step) => {}
            Purpose::Round => match fallback {
                Some(fallback) => self.fall_back(around, step, fallback, &trouble),
                None => {
                    let text = format!("{} {}", trouble.reason, trouble.advice);
                    self.fail(around, step, trouble.code, text);
                }
            },
        }
    }

    /// Goes on with another model: the turn's own has given no answer, and nothing was shown of one.
    fn fall_back<'a>(
        &mut self,
        around: &mut Surroundings<'a>,
        step: &mut Step,
        fallback: &'a ModelChoice,
        trouble: &Trouble,
    ) {
        let Some(run) = &mut self.run else { return };
        let record = &mut run.record;
        record.model = fallback.id.clone();
        // What the other server has taught of its window says nothing of this one's.
        record.learned_window = None;
        record.overflows = 0;
        step.run = true;
        let turn = record.turn.clone();
        let text = format!(
            "{} The turn goes on with {} instead of {}.",
            trouble.reason, fallback.name, around.model.name
        );
        let level = NoticeLevel::Warning;
        self.notice(around, step, turn, level, "fallback_model", text);
        around.model = fallback;
        self.ask(around, step);
    }
}

/// Whether a summary was asked of another model than the turn's own. (A turn's own model may have
/// been deleted meanwhile: then another stands in for it, and this request was no helper's.)
fn is_helper(request: &Request, around: &Surroundings<'_>) -> bool {
    matches!(request.purpose, Purpose::Summary { .. }) && request.asked.id != around.model.id
}

/// How a message with that stop reason stands, and what the person is told where it ends the turn.
fn ending(stop: &StopReason) -> (MessageState, Option<&'static str>) {
    let cut = |reason| MessageState::Cut { reason };
    match stop {
        StopReason::Length => (
            cut(CutReason::Length),
            Some("The answer reached the model's output limit. Continue to let it go on."),
        ),
        StopReason::ContentFilter | StopReason::Refusal => (
            cut(CutReason::Refused),
            Some(
                "The provider ended the answer (content filter or refusal). Try other words, or another model.",
            ),
        ),
        StopReason::EndTurn | StopReason::ToolCalls | StopReason::Other(_) => {
            (MessageState::Complete, None)
        }
    }
}

fn incomplete() -> CheckedCall {
    let text = error_text(
        "The arguments arrived incomplete, so the call was not run. Make the call again.",
        "incomplete_arguments",
    );
    CheckedCall::Refused {
        result: CallResult {
            result: text.clone(),
            model_text: text,
            is_error: true,
            ..CallResult::default()
        },
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
