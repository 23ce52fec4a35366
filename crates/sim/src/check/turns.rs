//! Every turn has ended once, or waits for something that has a name.

use std::collections::{BTreeMap, BTreeSet};

use tabwright_protocol::{
    Activity, CallState, ConversationId, ItemBody, ItemView, Op, QuestionState, RunView,
    TurnEndReason, TurnId,
};

use super::{Looked, Snapshot};
use crate::fault::FaultKind;
use crate::puppet::markers_in;

impl Looked<'_> {
    pub(super) fn turns(&self) {
        for (id, snapshot) in &self.last.snapshots {
            self.positions(id, snapshot);
            self.ends(id, snapshot);
            match &snapshot.run {
                RunView::Idle => self.at_rest(id, snapshot),
                RunView::Working { activity, .. } => self.at_work(id, snapshot, activity),
            }
        }
        for (number, thread) in (0..).zip(&self.person.threads) {
            if let Some(snapshot) = self.last.snapshots.get(&thread.id) {
                self.shown_to_model(number, &thread.id, snapshot);
            }
        }
    }

    fn positions(&self, id: &ConversationId, snapshot: &Snapshot) {
        let positions: Vec<u32> = snapshot.items.iter().map(|item| item.position).collect();
        if !positions.is_sorted_by(|a, b| a < b) {
            let about = format!("{id}: the positions are {positions:?}");
            self.fault(FaultKind::ViewDiffers, about);
        }
    }

    /// A turn ends once, and once more for each time it is continued.
    fn ends(&self, id: &ConversationId, snapshot: &Snapshot) {
        let mut ends: BTreeMap<&TurnId, u64> = BTreeMap::new();
        for item in snapshot.present() {
            if matches!(item.body, ItemBody::TurnEnd { .. }) {
                *ends.entry(&item.turn).or_default() += 1;
            }
        }
        let continued = self.person.sent.iter().filter(|sent| {
            let begins_again = match &sent.op {
                Op::Retry { conversation }
                | Op::Regenerate { conversation, .. }
                | Op::Compact { conversation, .. } => conversation == id,
                Op::Hello
                | Op::Attach { .. }
                | Op::ListConversations { .. }
                | Op::SendMessage { .. }
                | Op::AnswerQuestion { .. }
                | Op::Decide { .. }
                | Op::Stop { .. }
                | Op::EditMessage { .. }
                | Op::Clear { .. }
                | Op::RenameConversation { .. }
                | Op::DeleteConversation { .. }
                | Op::CallTool { .. }
                | Op::SaveModel { .. }
                | Op::DeleteModel { .. }
                | Op::UseModel { .. }
                | Op::CheckModel { .. }
                | Op::FindModels
                | Op::ListUsage { .. }
                | Op::SaveSettings { .. } => false,
            };
            begins_again && sent.is_applied()
        });
        let most = 1 + continued.count() as u64;
        for (turn, count) in ends {
            if count > most {
                let about = format!("{id}: the turn {turn} ended {count} times, not {most}");
                self.fault(FaultKind::TurnEndedTwice, about);
            }
        }
    }

    /// Nothing is open in a conversation in which nothing runs, and its last word is an end.
    fn at_rest(&self, id: &ConversationId, snapshot: &Snapshot) {
        for item in snapshot.present().filter(|item| is_open(item)) {
            let about = format!("{id} rests, and {:?} is open", item.body);
            self.fault(FaultKind::CallLeftOpen, about);
        }
        let mut last = None;
        for item in snapshot.present() {
            last = Some(item);
        }
        // An edit puts an end away with what came before it; what it begins has an end of its own.
        if let Some(last) = last
            && !matches!(last.body, ItemBody::TurnEnd { .. })
        {
            let about = format!("{id} rests after {:?}", last.body);
            self.fault(FaultKind::TurnStuck, about);
        }
    }

    /// What is at work at the end of a run waits for the person.
    fn at_work(&self, id: &ConversationId, snapshot: &Snapshot, activity: &Activity) {
        let family = self.last.snapshots.iter().filter(|(other, _)| {
            let shown = self.person.view.conversations.get(*other);
            *other == id || shown.is_some_and(|shown| shown.parent.as_ref() == Some(id))
        });
        let asks = family
            .flat_map(|(_, snapshot)| snapshot.present())
            .any(crate::view::asks);
        let waits = match activity {
            Activity::WaitingForPerson => asks,
            Activity::RunningTools => asks,
            Activity::WaitingForModel
            | Activity::Streaming
            | Activity::Compacting
            | Activity::Retrying { .. } => false,
        };
        if !waits {
            let about = format!(
                "{id} is at work ({activity:?}) at {:?}, and asks nothing",
                snapshot.present().last().map(|item| &item.body)
            );
            self.fault(FaultKind::TurnStuck, about);
        }
    }

    /// When a turn has ended well, the model's last request held all that the person had written.
    fn shown_to_model(&self, number: u32, id: &ConversationId, snapshot: &Snapshot) {
        let last_end = snapshot.present().filter_map(|item| match &item.body {
            ItemBody::TurnEnd { reason, .. } => Some(*reason),
            ItemBody::UserMessage { .. }
            | ItemBody::AssistantMessage { .. }
            | ItemBody::ToolCall { .. }
            | ItemBody::Question { .. }
            | ItemBody::Summary { .. }
            | ItemBody::Notice { .. }
            | ItemBody::Gone => None,
        });
        if !snapshot.is_idle() || last_end.last() != Some(TurnEndReason::Done) {
            return;
        }
        let shown = self.puppet.last_markers(number);
        let written: BTreeSet<String> = snapshot
            .present()
            .filter_map(|item| match &item.body {
                ItemBody::UserMessage { text } => Some(markers_in(text)),
                ItemBody::AssistantMessage { .. }
                | ItemBody::ToolCall { .. }
                | ItemBody::Question { .. }
                | ItemBody::Summary { .. }
                | ItemBody::Notice { .. }
                | ItemBody::TurnEnd { .. }
                | ItemBody::Gone => None,
            })
            .flatten()
            .collect();
        let missing: Vec<&String> = written.difference(&shown).collect();
        if !missing.is_empty() {
            let about = format!("{id}: the turn is done, and the model was not shown {missing:?}");
            self.fault(FaultKind::NotShownToModel, about);
        }
    }
}

/// Whether an item is not over.
fn is_open(item: &ItemView) -> bool {
    match &item.body {
        ItemBody::ToolCall { state, .. } => match state {
            CallState::Waiting
            | CallState::AwaitingApproval { .. }
            | CallState::Asking { .. }
            | CallState::Running { .. } => true,
            CallState::Done { .. } | CallState::Unknown => false,
        },
        ItemBody::Question { state, .. } => matches!(state, QuestionState::Open { .. }),
        ItemBody::AssistantMessage { state, .. } => {
            *state == tabwright_protocol::MessageState::Streaming
        }
        ItemBody::UserMessage { .. }
        | ItemBody::Summary { .. }
        | ItemBody::Notice { .. }
        | ItemBody::TurnEnd { .. }
        | ItemBody::Gone => false,
    }
}
