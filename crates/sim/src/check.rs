//! What must hold at the end of a run, whatever happened in it.

mod calls;
mod ops;
mod turns;

use std::collections::BTreeMap;

use tabwright_protocol::{
    CallState, ConversationId, Event, ItemBody, ItemView, Op, RunView, TaskView, Welcome,
};

use crate::fault::FaultKind;
use crate::person::{Person, Sent};
use crate::puppet::Puppet;
use crate::scenario::Scenario;
use crate::view::Shown;
use crate::world::World;

/// What a core that has just started shows.
#[derive(Default)]
pub struct Last {
    /// Everything beside the conversations.
    pub welcome: Option<Welcome>,
    /// Each conversation.
    pub snapshots: BTreeMap<ConversationId, Snapshot>,
}

/// A conversation as it is.
pub struct Snapshot {
    /// All items, those that are gone too, in order.
    pub items: Vec<ItemView>,
    /// The task list.
    pub tasks: Vec<TaskView>,
    /// What runs.
    pub run: RunView,
}

impl Last {
    /// Adds an answered snapshot.
    pub fn add(&mut self, event: Event) {
        if let Event::Snapshot {
            conversation,
            items,
            tasks,
            run,
            ..
        } = event
        {
            self.snapshots
                .insert(conversation, Snapshot { items, tasks, run });
        }
    }

    /// How many calls are shown of which nobody knows whether they happened.
    pub fn unknown(&self) -> u64 {
        let items = self.snapshots.values().flat_map(|shown| &shown.items);
        let unknown = items.filter(|item| {
            matches!(
                item.body,
                ItemBody::ToolCall {
                    state: CallState::Unknown,
                    ..
                }
            )
        });
        unknown.count() as u64
    }
}

impl Snapshot {
    /// The items that are part of the conversation.
    pub fn present(&self) -> impl Iterator<Item = &ItemView> {
        self.items.iter().filter(|item| item.body != ItemBody::Gone)
    }

    /// Whether nothing runs.
    pub fn is_idle(&self) -> bool {
        self.run == RunView::Idle
    }
}

/// Everything that a check looks at.
struct Looked<'a> {
    scenario: &'a Scenario,
    world: &'a World,
    person: &'a Person,
    puppet: &'a Puppet,
    last: &'a Last,
}

/// Looks at all of it; what is wrong is noted in the world.
pub fn check(scenario: &Scenario, world: &World, person: &Person, puppet: &Puppet, last: &Last) {
    let looked = Looked {
        scenario,
        world,
        person,
        puppet,
        last,
    };
    looked.ops();
    looked.turns();
    looked.calls();
    looked.views();
}

impl Looked<'_> {
    fn fault(&self, kind: FaultKind, about: impl Into<String>) {
        self.world.fault(kind, about);
    }

    /// The applied ops that put parts of a conversation away, with their places.
    fn removers(&self, id: &ConversationId) -> Vec<(usize, &Sent)> {
        let sent = self.person.sent.iter().enumerate();
        sent.filter(|(_, sent)| sent.is_applied() && removes_from(&sent.op) == Some(id))
            .collect()
    }

    /// A view that followed the events sees what one sees that asks now.
    fn views(&self) {
        for (id, snapshot) in &self.last.snapshots {
            match self.person.view.conversations.get(id) {
                Some(shown) => self.view(id, shown, snapshot),
                None if snapshot.items.is_empty() => {}
                None => self.fault(
                    FaultKind::ViewDiffers,
                    format!("{id} is there and was never shown"),
                ),
            }
        }
    }

    fn view(&self, id: &ConversationId, shown: &Shown, snapshot: &Snapshot) {
        let mut seen: Vec<&ItemView> = shown.items.values().collect();
        seen.sort_by_key(|item| item.position);
        let asked: Vec<&ItemView> = snapshot.items.iter().collect();
        for item in &asked {
            if shown.items.get(&item.id) != Some(item) {
                let about = format!(
                    "{id}: the view has {:?}, not {item:?}",
                    shown.items.get(&item.id)
                );
                self.fault(FaultKind::ViewDiffers, about);
                return;
            }
        }
        if seen.len() != asked.len() {
            let about = format!(
                "{id}: the view has {} items, not {}",
                seen.len(),
                asked.len()
            );
            self.fault(FaultKind::ViewDiffers, about);
        }
        if shown.tasks != snapshot.tasks {
            let about = format!("{id}: the view has other tasks: {:?}", shown.tasks);
            self.fault(FaultKind::ViewDiffers, about);
        }
        if shown.is_idle() != snapshot.is_idle() {
            let about = format!(
                "{id}: the view says {:?}, not {:?}",
                shown.run, snapshot.run
            );
            self.fault(FaultKind::ViewDiffers, about);
        }
    }
}

/// The conversation that an op puts something away of, if it does.
fn removes_from(op: &Op) -> Option<&ConversationId> {
    match op {
        Op::EditMessage { conversation, .. }
        | Op::Regenerate { conversation, .. }
        | Op::Clear { conversation }
        | Op::DeleteConversation { conversation } => Some(conversation),
        Op::Hello
        | Op::Attach { .. }
        | Op::ListConversations { .. }
        | Op::SendMessage { .. }
        | Op::AnswerQuestion { .. }
        | Op::Decide { .. }
        | Op::Stop { .. }
        | Op::Retry { .. }
        | Op::Compact { .. }
        | Op::RenameConversation { .. }
        | Op::CallTool { .. }
        | Op::SaveModel { .. }
        | Op::DeleteModel { .. }
        | Op::UseModel { .. }
        | Op::CheckModel { .. }
        | Op::FindModels
        | Op::ListUsage { .. }
        | Op::SaveSettings { .. } => None,
    }
}
