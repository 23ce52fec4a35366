//! How the person reacts: to questions, to what waits for their word, and to turns that ended
//! before they were done.

use tabwright_protocol::{
    CallState, ConversationId, ItemBody, ItemId, ItemView, Millis, Op, QuestionState, TurnEndReason,
};

use super::Person;
use crate::scenario::{Act, Deed, When};

/// How often a turn is continued.
const MOST_RETRIES: u32 = 5;

/// What the person makes of something that waits for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reaction {
    /// They will react then.
    At(Millis),
    /// They will not.
    Never,
}

impl Reaction {
    pub(super) fn due(&self) -> Option<u64> {
        match self {
            Self::At(at) => Some(at.0),
            Self::Never => None,
        }
    }

    pub(super) fn is_never(&self) -> bool {
        *self == Self::Never
    }
}

impl Person {
    /// Notices what waits, and reacts where it is time.
    pub(super) fn react(&mut self, now: Millis) {
        let mut waiting: Vec<(ConversationId, ItemView)> = Vec::new();
        for (id, shown) in &self.view.conversations {
            let asking = shown.items.values().filter(|item| crate::view::asks(item));
            waiting.extend(asking.map(|item| (id.clone(), item.clone())));
        }
        self.reactions
            .retain(|id, _| waiting.iter().any(|(_, item)| item.id == *id));
        for (conversation, item) in waiting {
            match self.reactions.get(&item.id) {
                None => {
                    let reaction = self.new_reaction(now);
                    self.reactions.insert(item.id.clone(), reaction);
                }
                Some(Reaction::At(at)) if at.0 <= now.0 => {
                    // If it still waits after that, the answer was lost, or came too late.
                    let again = Reaction::At(Millis(now.0 + 30_000));
                    self.reactions.insert(item.id.clone(), again);
                    if !self.has_answered(&item.id) {
                        self.answer(conversation, &item);
                    }
                }
                Some(Reaction::At(_) | Reaction::Never) => {}
            }
        }
    }

    fn new_reaction(&mut self, now: Millis) -> Reaction {
        if !self.random.chance(self.habits.answers.max(85)) {
            return Reaction::Never;
        }
        let after = if self.random.chance(8) {
            self.random.between(200_000, 400_000)
        } else {
            self.random.between(100, 15_000)
        };
        Reaction::At(Millis(now.0 + after))
    }

    /// Whether an answer to the item is on its way.
    fn has_answered(&self, id: &ItemId) -> bool {
        let mut waiting = self.sent.iter().filter(|sent| !sent.is_answered());
        waiting.any(|sent| {
            matches!(
                &sent.op,
                Op::AnswerQuestion { item, .. } | Op::Decide { item, .. } if item == id
            )
        })
    }

    fn answer(&mut self, conversation: ConversationId, item: &ItemView) {
        let id = item.id.clone();
        match &item.body {
            ItemBody::ToolCall { state, .. } => match state {
                CallState::AwaitingApproval { .. } => {
                    let approve = self.random.chance(self.habits.allows);
                    let note = if self.random.chance(20) {
                        format!("note on {id}")
                    } else {
                        String::new()
                    };
                    self.send(Op::Decide {
                        conversation,
                        item: id,
                        approve,
                        note,
                    });
                }
                CallState::Asking {
                    options, multiple, ..
                } => {
                    let answers = self.choose(options, *multiple);
                    self.send(Op::AnswerQuestion {
                        conversation,
                        item: id,
                        answers,
                    });
                }
                CallState::Waiting
                | CallState::Running { .. }
                | CallState::Done { .. }
                | CallState::Unknown => {}
            },
            ItemBody::Question { options, state, .. } => {
                if let (QuestionState::Open { .. }, Some(option)) =
                    (state, self.random.pick(options))
                {
                    let answers = vec![option.clone()];
                    self.send(Op::AnswerQuestion {
                        conversation,
                        item: id,
                        answers,
                    });
                }
            }
            ItemBody::UserMessage { .. }
            | ItemBody::AssistantMessage { .. }
            | ItemBody::Summary { .. }
            | ItemBody::Notice { .. }
            | ItemBody::TurnEnd { .. }
            | ItemBody::Gone => {}
        }
    }

    fn choose(&mut self, options: &[String], multiple: bool) -> Vec<String> {
        if multiple && self.random.chance(60) {
            return options.iter().take(2).cloned().collect();
        }
        match self.random.pick(options).cloned() {
            Some(option) if self.random.chance(80) => vec![option],
            Some(_) | None => vec!["something else".to_owned()],
        }
    }

    /// Continues a turn that ended before it was done, now and then.
    pub(super) fn continue_what_ended(&mut self, index: usize, now: Millis) {
        let habit = self.habits.retries;
        let Some(thread) = self.threads.get_mut(index).filter(|_| self.is_open) else {
            return;
        };
        let Some(shown) = self.view.conversations.get(&thread.id) else {
            return;
        };
        if !shown.is_idle() || thread.given_up {
            return;
        }
        let in_order = shown.in_order();
        let Some(last) = in_order.last() else { return };
        let ItemBody::TurnEnd { reason, .. } = &last.body else {
            return;
        };
        if !thread.ends.insert(last.id.clone()) {
            return;
        }
        let chance = match reason {
            TurnEndReason::Done => 0,
            TurnEndReason::Stopped => habit / 3,
            TurnEndReason::Limit | TurnEndReason::Failed => habit,
        };
        if thread.retries < MOST_RETRIES && self.random.chance(chance) {
            thread.retries += 1;
            thread.since = now;
            thread.acts.push_front(Act {
                when: When::After(self.random.between(100, 8_000)),
                deed: Deed::Retry,
            });
        }
    }
}
