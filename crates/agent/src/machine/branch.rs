//! Going back: another message, another answer, all forgotten. What is put away stays on disk, but
//! is no longer part of the conversation.

use std::collections::BTreeSet;

use tabwright_protocol::{ItemId, Refusal, TurnId, WorkingTab};

use super::{Conversation, Effect, Step, Surroundings};
use crate::item::Body;

impl Conversation {
    /// Puts another message in the place of one of the person's.
    pub(super) fn edit(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        id: &ItemId,
        text: String,
        tab: Option<WorkingTab>,
    ) -> Result<(), Refusal> {
        self.not_a_sub_agents("Edit the message in the conversation that it belongs to instead.")?;
        self.not_running()?;
        if text.trim().is_empty() {
            return Err(Refusal {
                code: "empty_message".into(),
                message: "The message is empty; write something to send.".into(),
            });
        }
        let message = self
            .items
            .iter()
            .find(|item| item.id == *id && item.body.written().is_some());
        let Some(from) = message.map(|item| item.position) else {
            return Err(Refusal {
                code: "no_message".into(),
                message: "That message is no longer part of the conversation.".into(),
            });
        };
        self.put_away(step, from, None);
        self.send(around, step, text, tab)
    }

    /// Answers a turn's message again.
    pub(super) fn regenerate(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        turn: &TurnId,
    ) -> Result<(), Refusal> {
        self.not_a_sub_agents("Regenerate the answer of the conversation that it belongs to.")?;
        self.not_running()?;
        let message = self
            .items
            .iter()
            .find(|item| item.turn == *turn && item.body.written().is_some());
        let Some((from, body)) = message.map(|item| (item.position, item.body.clone())) else {
            return Err(Refusal {
                code: "no_turn".into(),
                message: "That turn is no longer part of the conversation.".into(),
            });
        };
        self.put_away(step, from + 1, Some(turn));
        let tab = match body {
            Body::User { tab, .. } => tab,
            Body::Assistant(_)
            | Body::Call(_)
            | Body::Notice { .. }
            | Body::Hint { .. }
            | Body::Question { .. }
            | Body::Summary { .. }
            | Body::Gone { .. }
            | Body::TurnEnd { .. } => None,
        };
        self.begin(around, step, turn.clone(), tab.as_ref());
        Ok(())
    }

    /// Everything from this position on is no longer part of the conversation, but for what the
    /// person wrote in the turn that is answered again, and for the calls of an answer that came
    /// before: those have happened, and the model is to know.
    fn put_away(&mut self, step: &mut Step, from: u32, answered: Option<&TurnId>) {
        let begun: BTreeSet<(TurnId, u32)> = self
            .items
            .iter()
            .take_while(|item| item.position < from)
            .filter_map(|item| Some((item.turn.clone(), item.body.message()?.round)))
            .collect();
        for item in &mut self.items {
            if item.position < from || matches!(item.body, Body::Gone { .. }) {
                continue;
            }
            let is_kept_message = answered == Some(&item.turn) && item.body.written().is_some();
            let call = item.body.call();
            let is_kept_call =
                call.is_some_and(|call| begun.contains(&(item.turn.clone(), call.round)));
            if is_kept_message || is_kept_call {
                continue;
            }
            let was = std::mem::replace(
                &mut item.body,
                Body::Hint {
                    code: String::new(),
                    text: String::new(),
                },
            );
            item.body = Body::Gone { was: Box::new(was) };
            step.items.insert(item.position);
        }
    }

    /// Forgets all that was said, and the task list.
    pub(super) fn clear(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        self.stop(around, step);
        self.about.first_position = self.next_position();
        self.about.tasks.clear();
        self.about.measured = None;
        self.items.clear();
        step.items.clear();
        step.cleared = true;
        step.row = true;
        step.effects.push(Effect::Tasks);
    }
}
