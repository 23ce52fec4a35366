//! What the person does: send, stop, retry, answer, decide.

use serde_json::json;
use tabwright_protocol::{
    CallState, CutReason, ItemId, Refusal, TurnEndReason, TurnId, Usage, WorkingTab,
};

use super::{Conversation, Effect, GuardMemory, Phase, Run, RunRecord, Step, Surroundings};
use crate::item::{Body, Call};
use crate::prompt::Facts;

/// How much of the first message becomes the title.
const TITLE_LENGTH: usize = 60;

impl Conversation {
    /// A message starts a turn, or steers the one that runs: the model sees it with the next request.
    pub(super) fn send(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        text: String,
        tab: Option<WorkingTab>,
    ) -> Result<(), Refusal> {
        if text.trim().is_empty() {
            return Err(Refusal {
                code: "empty_message".into(),
                message: "The message is empty; write something to send.".into(),
            });
        }
        if self.title.is_empty() {
            self.title = title_of(&text);
        }
        let running = self.run.as_ref().map(|run| run.record.turn.clone());
        let turn = match &running {
            Some(turn) => turn.clone(),
            None => TurnId(around.ids.fresh()),
        };
        let body = Body::User {
            text,
            tab: tab.clone(),
        };
        self.append(around, step, turn.clone(), body);
        match &mut self.run {
            None => self.begin(around, step, turn, tab.as_ref()),
            Some(run) => {
                // What came before it is no circle any more: the person has said something new.
                run.record.guard = GuardMemory {
                    from: self.items.last().map_or(0, |item| item.position),
                    ..GuardMemory::default()
                };
                step.run = true;
            }
        }
        self.take_as_continue(around, step)
    }

    /// Goes on after a turn that did not end by itself, with the same history.
    pub(super) fn retry(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
    ) -> Result<(), Refusal> {
        self.not_a_sub_agents("Continue the conversation that it belongs to instead.")?;
        self.not_running()?;
        if self.only_summed_up() {
            return self.compact(around, step, String::new());
        }
        let last = self.items.iter().rev().find(|item| {
            let is_message = item.body.message().is_some() || item.body.written().is_some();
            is_message || item.body.call().is_some()
        });
        let Some(turn) = last.map(|item| item.turn.clone()) else {
            return Err(Refusal {
                code: "nothing_to_retry".into(),
                message: "This conversation has no message yet; send one.".into(),
            });
        };
        let tab = self.last_tab();
        self.begin(around, step, turn, tab.as_ref());
        Ok(())
    }

    /// Whether the last turn was nothing but a summary that the person asked for.
    fn only_summed_up(&self) -> bool {
        let Some(turn) = self.items.last().map(|item| &item.turn) else {
            return false;
        };
        let mut of_turn = self
            .items
            .iter()
            .rev()
            .take_while(|item| item.turn == *turn);
        of_turn.all(|item| {
            item.body.written().is_none()
                && item.body.message().is_none()
                && item.body.call().is_none()
                && !matches!(item.body, Body::Gone { .. })
        })
    }

    /// The tab the person was looking at when they last wrote.
    pub(super) fn last_tab(&self) -> Option<WorkingTab> {
        let last = self.items.iter().rev().find_map(|item| match &item.body {
            Body::User { tab, .. } => Some(tab.clone()),
            Body::Assistant(_)
            | Body::Call(_)
            | Body::Notice { .. }
            | Body::Hint { .. }
            | Body::Question { .. }
            | Body::Summary { .. }
            | Body::Gone { .. }
            | Body::TurnEnd { .. } => None,
        });
        last.flatten()
    }

    pub(super) fn begin(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        turn: TurnId,
        tab: Option<&WorkingTab>,
    ) {
        let record = self.new_record(around, turn, tab);
        self.run = Some(Run::new(record));
        self.arm_deadline(around, step);
        self.next_round(around, step);
    }

    /// A run before its first round: `next_round` moves on from it. A turn that goes on keeps
    /// counting, because a round's number ties its calls to its message.
    pub(super) fn new_record(
        &self,
        around: &mut Surroundings<'_>,
        turn: TurnId,
        tab: Option<&WorkingTab>,
    ) -> RunRecord {
        let round = self
            .items
            .iter()
            .filter(|item| item.turn == turn)
            .map(|item| item.body.message().map_or(0, |message| message.round))
            .max()
            .unwrap_or(0);
        let nonce = around.ids.fresh();
        let tools = around.tools.names();
        let handed = self.about.parent.as_ref().and_then(|parent| parent.tab);
        RunRecord {
            facts: Facts::new(&around.place, around.now, tab, &tools, &nonce),
            turn,
            round,
            first_round: round + 1,
            started_at: around.now,
            tab: tab.map(|tab| tab.id).or(handed),
            model: around.model.id.clone(),
            deaths: 0,
            usage: Usage::default(),
            spent: Vec::new(),
            limits: around.place.limits,
            waited: 0,
            waiting_since: None,
            guard: GuardMemory {
                from: self.next_position(),
                ..GuardMemory::default()
            },
            wanted_summary: None,
            only_summary: false,
            learned_window: None,
            overflows: 0,
            unread_calls: 0,
            reached: None,
        }
    }

    /// Ends the turn now: nothing of it goes on, and every open call has a result.
    pub(super) fn stop(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let Some(run) = &mut self.run else { return };
        if let Phase::Model(request) = &run.phase {
            step.effects.push(Effect::AbandonRequest {
                request: request.number,
            });
        }
        self.spend_on_cut(around, step);
        self.cut_message(step, CutReason::Stopped);
        self.close_calls(step, "Stopped by the person", "stopped");
        self.close_questions(step);
        self.end_turn(around, step, TurnEndReason::Stopped);
    }

    /// The person's answer becomes the result of the call that asked.
    pub(super) fn answer(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        id: &ItemId,
        answers: Vec<String>,
    ) -> Result<(), Refusal> {
        let answers: Vec<String> = answers
            .into_iter()
            .map(|answer| answer.trim().to_owned())
            .filter(|answer| !answer.is_empty())
            .collect();
        let Some(first) = answers.first() else {
            return Err(Refusal {
                code: "empty_answer".into(),
                message: "The answer is empty; choose one, or write one.".into(),
            });
        };
        let Some(item) = self.items.iter_mut().rev().find(|item| item.id == *id) else {
            return Err(not_open());
        };
        let position = item.position;
        match &mut item.body {
            Body::Question {
                state: tabwright_protocol::QuestionState::Open { .. },
                ..
            } => {
                let first = first.clone();
                self.answer_guard(around, step, position, &first)
            }
            Body::Call(call) => {
                answer_call(call, &answers)?;
                step.items.insert(position);
                self.forget_question(step, id);
                self.got_on(around, step);
                Ok(())
            }
            Body::Question { .. }
            | Body::User { .. }
            | Body::Assistant(_)
            | Body::Notice { .. }
            | Body::Hint { .. }
            | Body::Summary { .. }
            | Body::Gone { .. }
            | Body::TurnEnd { .. } => Err(not_open()),
        }
    }

    /// The person allows or forbids a call.
    pub(super) fn decide(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        id: &ItemId,
        approve: bool,
        note: &str,
    ) -> Result<(), Refusal> {
        let found = self.items.iter_mut().rev().find(|item| item.id == *id);
        let call = found.and_then(|item| {
            let position = item.position;
            item.body.call_mut().map(|call| (position, call))
        });
        let Some((position, call)) = call else {
            return Err(not_open());
        };
        let CallState::AwaitingApproval { .. } = call.state else {
            return Err(not_open());
        };
        let note = note.trim();
        if approve {
            call.approved = true;
            call.state = CallState::Waiting;
        } else {
            let said = if note.is_empty() {
                String::new()
            } else {
                format!(" They say: {note}")
            };
            call.fail(
                &format!("The person did not allow this call, so it was not run.{said} Do without it, or ask what they want instead."),
                "denied",
            );
        }
        step.items.insert(position);
        if approve && !note.is_empty() {
            self.say_beside(around, step, note.to_owned());
        }
        self.got_on(around, step);
        Ok(())
    }

    /// What the person says while a turn runs.
    fn say_beside(&mut self, around: &mut Surroundings<'_>, step: &mut Step, text: String) {
        let Some(run) = &self.run else { return };
        let turn = run.record.turn.clone();
        self.append(around, step, turn, Body::User { text, tab: None });
    }

    /// A call that waited for the person waits no more.
    fn got_on(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let Some(run) = &mut self.run else { return };
        run.record.deaths = 0;
        step.run = true;
        if matches!(run.phase, Phase::Calls) {
            step.effects.push(Effect::Progress);
            self.advance(around, step);
        }
    }

    /// Nobody has answered in time.
    pub(super) fn expire(&mut self, around: &mut Surroundings<'_>, step: &mut Step, id: &ItemId) {
        let Some(item) = self.items.iter_mut().rev().find(|item| item.id == *id) else {
            return;
        };
        let position = item.position;
        match &mut item.body {
            Body::Call(call) => {
                let CallState::Asking { .. } = call.state else {
                    return;
                };
                call.finish(r#"{"answer":null,"reason":"timeout"}"#.to_owned(), false);
                step.items.insert(position);
                self.got_on(around, step);
            }
            Body::Question { .. } => self.expire_guard(around, step, position),
            Body::User { .. }
            | Body::Assistant(_)
            | Body::Notice { .. }
            | Body::Hint { .. }
            | Body::Summary { .. }
            | Body::Gone { .. }
            | Body::TurnEnd { .. } => {}
        }
    }

    fn forget_question(&mut self, step: &mut Step, id: &ItemId) {
        let Some(run) = &mut self.run else { return };
        run.questions.retain(|(timer, item)| {
            if item == id {
                step.effects.push(Effect::Cancel { timer: *timer });
            }
            item != id
        });
    }

    /// A refusal while a turn runs.
    pub(super) fn not_running(&self) -> Result<(), Refusal> {
        if self.run.is_none() {
            return Ok(());
        }
        Err(Refusal {
            code: "already_running".into(),
            message: "This conversation is already working; stop it first.".into(),
        })
    }

    /// A refusal in a sub-agent's conversation.
    pub(super) fn not_a_sub_agents(&self, instead: &str) -> Result<(), Refusal> {
        if self.about.parent.is_none() {
            return Ok(());
        }
        Err(Refusal {
            code: "sub_agent".into(),
            message: format!("This is a sub-agent's conversation. {instead}"),
        })
    }
}

fn not_open() -> Refusal {
    Refusal {
        code: "not_open".into(),
        message: "Nothing waits for this answer any more: it was answered, ran out of time, or the turn was stopped.".into(),
    }
}

fn answer_call(call: &mut Call, answers: &[String]) -> Result<(), Refusal> {
    let CallState::Asking { multiple, .. } = call.state else {
        return Err(not_open());
    };
    let result = match answers {
        answers if multiple => json!({
            "answer": json!(answers).to_string(),
            "answers": answers,
        }),
        [only] => json!({ "answer": only }),
        _ => {
            return Err(Refusal {
                code: "one_answer".into(),
                message: "Only one answer can be chosen here.".into(),
            });
        }
    };
    call.finish(result.to_string(), false);
    Ok(())
}

/// The first line of a message, cut at a word.
fn title_of(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default().trim();
    if line.chars().count() <= TITLE_LENGTH {
        return line.to_owned();
    }
    let cut: String = line.chars().take(TITLE_LENGTH).collect();
    let end = cut.rfind(char::is_whitespace).unwrap_or(cut.len());
    format!("{}…", cut[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::title_of;

    #[test]
    fn a_title_is_the_first_line_cut_at_a_word() {
        let check = |text: &str, expected: &str| assert_eq!(title_of(text), expected);
        check("  list my tabs\nplease", "list my tabs");
        check(
            &"word ".repeat(30),
            &format!("{}…", "word ".repeat(12).trim_end()),
        );
        check(&"字".repeat(100), &format!("{}…", "字".repeat(60)));
    }
}
