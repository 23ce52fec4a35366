//! What the person does: send, stop, retry.

use tabwright_protocol::{CutReason, Refusal, TabId, TurnEndReason, TurnId, Usage};

use super::{Conversation, Effect, Phase, Run, RunRecord, Step, Surroundings};
use crate::item::Body;

/// How much of the first message becomes the title.
const TITLE_LENGTH: usize = 60;

impl Conversation {
    /// A message starts a turn, or steers the one that runs: the model sees it with the next request.
    pub(super) fn send(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        text: String,
        tab: Option<TabId>,
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
        self.append(around, step, turn.clone(), Body::User { text, tab });
        if running.is_none() {
            self.begin(around, step, turn, tab);
        }
        Ok(())
    }

    /// Goes on after a turn that did not end by itself, with the same history.
    pub(super) fn retry(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
    ) -> Result<(), Refusal> {
        if self.run.is_some() {
            return Err(Refusal {
                code: "already_running".into(),
                message: "This conversation is already working; stop it first.".into(),
            });
        }
        let Some(turn) = self.items.last().map(|item| item.turn.clone()) else {
            return Err(Refusal {
                code: "nothing_to_retry".into(),
                message: "This conversation has no message yet; send one.".into(),
            });
        };
        let tab = self.items.iter().rev().find_map(|item| match &item.body {
            Body::User { tab, .. } => Some(*tab),
            Body::Assistant(_) | Body::Call(_) | Body::Notice { .. } | Body::TurnEnd { .. } => None,
        });
        self.begin(around, step, turn, tab.flatten());
        Ok(())
    }

    fn begin(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        turn: TurnId,
        tab: Option<TabId>,
    ) {
        // The round before the first: `next_round` moves on from it. A turn that goes on keeps
        // counting, because a round's number ties its calls to its message.
        let round = self
            .items
            .iter()
            .filter(|item| item.turn == turn)
            .map(|item| match &item.body {
                Body::Assistant(message) => message.round,
                Body::Call(call) => call.round,
                Body::User { .. } | Body::Notice { .. } | Body::TurnEnd { .. } => 0,
            })
            .max()
            .unwrap_or(0);
        self.run = Some(Run {
            record: RunRecord {
                turn,
                round,
                first_round: round + 1,
                started_at: around.now,
                tab,
                model: around.model.id.clone(),
                deaths: 0,
                usage: Usage::default(),
            },
            phase: Phase::Calls,
        });
        self.next_round(around, step);
    }

    /// Ends the turn now: nothing of it goes on, and every open call has a result.
    pub(super) fn stop(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let Some(run) = &mut self.run else { return };
        if let Phase::Model(request) = &run.phase {
            step.effects.push(Effect::AbandonRequest {
                request: request.number,
            });
        }
        self.cut_message(step, CutReason::Stopped);
        self.close_calls(step, "Stopped by the person", "stopped");
        self.end_turn(around, step, TurnEndReason::Stopped);
    }
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
