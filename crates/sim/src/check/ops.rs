//! What was acknowledged is there, once.

use tabwright_protocol::{
    CallState, ConversationId, ItemBody, ItemId, ItemView, Op, QuestionState,
};

use super::Looked;
use crate::fault::FaultKind;
use crate::person::Sent;

impl Looked<'_> {
    pub(super) fn ops(&self) {
        for (place, sent) in self.person.sent.iter().enumerate() {
            if !sent.is_answered() {
                self.fault(FaultKind::OpUnanswered, format!("{sent:?}"));
            } else if sent.is_applied() {
                self.applied(place, sent);
            }
        }
        self.settings();
    }

    fn applied(&self, place: usize, sent: &Sent) {
        match &sent.op {
            Op::SendMessage {
                conversation, text, ..
            }
            | Op::EditMessage {
                conversation, text, ..
            } => self.message(place, sent, conversation, text),
            Op::AnswerQuestion {
                conversation,
                item,
                answers,
            } => self.answer(sent, conversation, item, answers),
            Op::Decide {
                conversation,
                item,
                approve,
                ..
            } => self.decision(sent, conversation, item, *approve),
            Op::RenameConversation {
                conversation,
                title,
            } => self.title(place, sent, conversation, title),
            Op::DeleteConversation { conversation } => self.deletion(place, sent, conversation),
            Op::Hello
            | Op::Attach { .. }
            | Op::ListConversations { .. }
            | Op::Stop { .. }
            | Op::Retry { .. }
            | Op::Regenerate { .. }
            | Op::Compact { .. }
            | Op::Clear { .. }
            | Op::CallTool { .. }
            | Op::SaveModel { .. }
            | Op::DeleteModel { .. }
            | Op::UseModel { .. }
            | Op::CheckModel { .. }
            | Op::FindModels
            | Op::ListUsage { .. }
            | Op::SaveSettings { .. } => {}
        }
    }

    /// A message is in its conversation exactly once, unless something put it away later.
    fn message(&self, place: usize, sent: &Sent, id: &ConversationId, text: &str) {
        let snapshot = self.last.snapshots.get(id);
        let count = snapshot.map_or(0, |snapshot| {
            let messages = snapshot.present().filter(
                |item| matches!(&item.body, ItemBody::UserMessage { text: found } if found == text),
            );
            messages.count()
        });
        if count > 1 {
            self.fault(FaultKind::MessageTwice, format!("{text:?} in {id}"));
        }
        let surely_kept = self.removers(id).iter().all(|(other_place, other)| {
            other.id == sent.id || sent.is_after(other, (place, *other_place))
        });
        if count == 0 && surely_kept {
            self.fault(
                FaultKind::AcknowledgedOpLost,
                format!("{}: {text:?} in {id}", sent.id),
            );
        }
    }

    fn item(&self, id: &ConversationId, item: &ItemId) -> Option<&ItemView> {
        let snapshot = self.last.snapshots.get(id)?;
        snapshot.present().find(|found| found.id == *item)
    }

    /// An answer is the result of the call that asked, or settles the guard's question.
    fn answer(&self, sent: &Sent, id: &ConversationId, item: &ItemId, answers: &[String]) {
        let Some(item) = self.item(id, item) else {
            return;
        };
        let first = answers.first().map(String::as_str).unwrap_or_default();
        let is_there = match &item.body {
            ItemBody::ToolCall { state, .. } => match state {
                CallState::Done { result, .. } => result.contains(first),
                CallState::Waiting
                | CallState::AwaitingApproval { .. }
                | CallState::Asking { .. }
                | CallState::Running { .. }
                | CallState::Unknown => false,
            },
            ItemBody::Question { state, .. } => {
                matches!(state, QuestionState::Answered { answer } if answer == first)
            }
            ItemBody::UserMessage { .. }
            | ItemBody::AssistantMessage { .. }
            | ItemBody::Summary { .. }
            | ItemBody::Notice { .. }
            | ItemBody::TurnEnd { .. }
            | ItemBody::Gone => false,
        };
        if !is_there {
            let about = format!("{}: the answer {first:?} is not in {item:?}", sent.id);
            self.fault(FaultKind::AcknowledgedOpLost, about);
        }
    }

    fn decision(&self, sent: &Sent, id: &ConversationId, item: &ItemId, approve: bool) {
        let Some(item) = self.item(id, item) else {
            return;
        };
        let ItemBody::ToolCall { call, state, .. } = &item.body else {
            return;
        };
        let is_kept = match state {
            CallState::AwaitingApproval { .. } => false,
            CallState::Done { result, .. } => approve || result.contains("denied"),
            CallState::Waiting
            | CallState::Asking { .. }
            | CallState::Running { .. }
            | CallState::Unknown => approve,
        };
        if !is_kept {
            let about = format!("{}: the decision on {call} is not in {state:?}", sent.id);
            self.fault(FaultKind::AcknowledgedOpLost, about);
        }
        if !approve && self.world.deeds().iter().any(|deed| deed.call == *call) {
            self.fault(
                FaultKind::Unapproved,
                format!("{call} ran, though forbidden"),
            );
        }
    }

    /// The last title stays, unless the conversation was deleted later.
    fn title(&self, place: usize, sent: &Sent, id: &ConversationId, title: &str) {
        let others = self.person.sent.iter().enumerate();
        let mut later = others.filter(|(other_place, other)| {
            let concerns = match &other.op {
                Op::RenameConversation { conversation, .. }
                | Op::DeleteConversation { conversation } => conversation == id,
                Op::Hello
                | Op::Attach { .. }
                | Op::ListConversations { .. }
                | Op::SendMessage { .. }
                | Op::AnswerQuestion { .. }
                | Op::Decide { .. }
                | Op::Stop { .. }
                | Op::Retry { .. }
                | Op::EditMessage { .. }
                | Op::Regenerate { .. }
                | Op::Compact { .. }
                | Op::Clear { .. }
                | Op::CallTool { .. }
                | Op::SaveModel { .. }
                | Op::DeleteModel { .. }
                | Op::UseModel { .. }
                | Op::CheckModel { .. }
                | Op::FindModels
                | Op::ListUsage { .. }
                | Op::SaveSettings { .. } => false,
            };
            concerns && other.id != sent.id && !sent.is_after(other, (place, *other_place))
        });
        if later.next().is_some() {
            return;
        }
        let welcome = self.last.welcome.iter();
        let mut lines = welcome.flat_map(|welcome| &welcome.conversations);
        let found = lines.find(|line| line.id == *id).map(|line| &line.title);
        if found.map(String::as_str) != Some(title) {
            let about = format!("{}: the title is {found:?}, not {title:?}", sent.id);
            self.fault(FaultKind::AcknowledgedOpLost, about);
        }
    }

    /// What was deleted is gone, unless the person wrote in it again.
    fn deletion(&self, place: usize, sent: &Sent, id: &ConversationId) {
        let others = self.person.sent.iter().enumerate();
        let mut later = others.filter(|(other_place, other)| {
            let begins =
                matches!(&other.op, Op::SendMessage { conversation, .. } if conversation == id);
            begins && !sent.is_after(other, (place, *other_place))
        });
        if later.next().is_some() {
            return;
        }
        let is_empty = self
            .last
            .snapshots
            .get(id)
            .is_none_or(|snapshot| snapshot.items.is_empty());
        if !is_empty {
            let about = format!("{}: {id} is still there", sent.id);
            self.fault(FaultKind::AcknowledgedOpLost, about);
        }
    }

    fn settings(&self) {
        let Some(welcome) = &self.last.welcome else {
            self.fault(FaultKind::OpUnanswered, "the last hello");
            return;
        };
        if welcome.settings != self.scenario.settings || welcome.models.len() != 2 {
            let about = format!("the settings or models are others: {welcome:?}");
            self.fault(FaultKind::AcknowledgedOpLost, about);
        }
    }
}
