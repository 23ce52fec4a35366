//! A view: what a panel knows that follows the events, and asks for what it missed.

use std::collections::{BTreeMap, BTreeSet};

use tabwright_protocol::{
    Activity, CallState, ConversationId, ConversationSummary, Epoch, Event, EventEnvelope,
    ItemBody, ItemId, ItemView, MessageState, QuestionState, RunView, Seq, TaskView,
};

use crate::fault::FaultKind;
use crate::world::World;

/// What a view knows.
pub struct View {
    world: World,
    /// By conversation, those of sub-agents too.
    pub conversations: BTreeMap<ConversationId, Shown>,
    /// The lines of the list.
    pub list: BTreeMap<ConversationId, ConversationSummary>,
    /// Which conversation an item was first shown in.
    home: BTreeMap<ItemId, ConversationId>,
    deleted: BTreeSet<ConversationId>,
    /// Those in which the person wrote after they had deleted them.
    may_return: BTreeSet<ConversationId>,
    last: Option<(Epoch, Seq)>,
    /// The conversations of which it may have missed something, with the last number before.
    gaps: BTreeMap<ConversationId, Gap>,
}

/// What may have been missed of a conversation.
#[derive(Clone, Copy, Debug)]
struct Gap {
    since: Seq,
    /// Whether it was asked for.
    is_asked: bool,
}

/// What is shown of a conversation.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The items, those that are gone too.
    pub items: BTreeMap<ItemId, ItemView>,
    /// The task list.
    pub tasks: Vec<TaskView>,
    /// What runs.
    pub run: RunView,
    /// The conversation that it belongs to, if it is a sub-agent's.
    pub parent: Option<ConversationId>,
    /// How many events it has had.
    pub events: u64,
    /// The last number of the stream that it is up to date with.
    pub seen: Seq,
}

impl Default for Shown {
    fn default() -> Self {
        Self {
            items: BTreeMap::new(),
            tasks: Vec::new(),
            run: RunView::Idle,
            parent: None,
            events: 0,
            seen: Seq(0),
        }
    }
}

impl Shown {
    /// The items that are part of the conversation, in order.
    pub fn in_order(&self) -> Vec<&ItemView> {
        let mut items: Vec<&ItemView> = self
            .items
            .values()
            .filter(|item| item.body != ItemBody::Gone)
            .collect();
        items.sort_by_key(|item| item.position);
        items
    }

    /// Whether nothing runs.
    pub fn is_idle(&self) -> bool {
        self.run == RunView::Idle
    }

    /// Whether something in it waits for the person.
    pub fn asks(&self) -> bool {
        self.items.values().any(asks)
    }

    /// Whether what runs says that it waits for the person, or for its sub-agents and nothing else.
    pub fn only_waits(&self) -> bool {
        match &self.run {
            RunView::Idle => false,
            RunView::Working { activity, .. } => match activity {
                Activity::WaitingForPerson => true,
                Activity::RunningTools => !self.items.values().any(works),
                Activity::WaitingForModel
                | Activity::Streaming
                | Activity::Compacting
                | Activity::Retrying { .. } => false,
            },
        }
    }
}

/// Whether an item is a call that does something now, and does not stand for a sub-agent.
pub fn works(item: &ItemView) -> bool {
    matches!(
        &item.body,
        ItemBody::ToolCall {
            state: CallState::Running { .. },
            child: None,
            ..
        }
    )
}

/// Whether an item waits for the person.
pub fn asks(item: &ItemView) -> bool {
    match &item.body {
        ItemBody::ToolCall { state, .. } => match state {
            CallState::AwaitingApproval { .. } | CallState::Asking { .. } => true,
            CallState::Waiting
            | CallState::Running { .. }
            | CallState::Done { .. }
            | CallState::Unknown => false,
        },
        ItemBody::Question { state, .. } => {
            matches!(state, QuestionState::Open { .. })
        }
        ItemBody::UserMessage { .. }
        | ItemBody::AssistantMessage { .. }
        | ItemBody::Summary { .. }
        | ItemBody::Notice { .. }
        | ItemBody::TurnEnd { .. }
        | ItemBody::Gone => false,
    }
}

/// Whether an item is over: it may go away, but not change.
fn is_settled(body: &ItemBody) -> bool {
    match body {
        ItemBody::AssistantMessage { state, .. } => *state != MessageState::Streaming,
        ItemBody::ToolCall { state, .. } => match state {
            CallState::Done { .. } | CallState::Unknown => true,
            CallState::Waiting
            | CallState::AwaitingApproval { .. }
            | CallState::Asking { .. }
            | CallState::Running { .. } => false,
        },
        ItemBody::Question { state, .. } => !matches!(state, QuestionState::Open { .. }),
        ItemBody::UserMessage { .. }
        | ItemBody::Summary { .. }
        | ItemBody::Notice { .. }
        | ItemBody::TurnEnd { .. }
        | ItemBody::Gone => true,
    }
}

/// The conversation of the sub-agent that a call started.
fn child_of(item: &ItemView) -> Option<&ConversationId> {
    match &item.body {
        ItemBody::ToolCall { child, .. } => child.as_ref(),
        ItemBody::UserMessage { .. }
        | ItemBody::AssistantMessage { .. }
        | ItemBody::Question { .. }
        | ItemBody::Summary { .. }
        | ItemBody::Notice { .. }
        | ItemBody::TurnEnd { .. }
        | ItemBody::Gone => None,
    }
}

impl View {
    /// A view that knows nothing.
    pub fn new(world: World) -> Self {
        Self {
            world,
            conversations: BTreeMap::new(),
            list: BTreeMap::new(),
            home: BTreeMap::new(),
            deleted: BTreeSet::new(),
            may_return: BTreeSet::new(),
            last: None,
            gaps: BTreeMap::new(),
        }
    }

    /// The conversations to attach to again, with the last number before the gap in each.
    pub fn take_gaps(&mut self) -> Vec<(ConversationId, Seq)> {
        let mut gaps = Vec::new();
        for (id, gap) in self.gaps.iter_mut().filter(|(_, gap)| !gap.is_asked) {
            gap.is_asked = true;
            gaps.push((id.clone(), gap.since));
        }
        gaps
    }

    /// Whether it may have missed something.
    pub fn is_behind(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// Events were missed, or are to come from another life of the core, which has not heard what
    /// the last one was asked.
    fn note_gap(&mut self) {
        for gap in self.gaps.values_mut() {
            gap.is_asked = false;
        }
        for (id, shown) in &self.conversations {
            let gap = Gap {
                since: shown.seen,
                is_asked: false,
            };
            self.gaps.entry(id.clone()).or_insert(gap);
        }
    }

    /// A conversation of which nothing is known yet.
    fn note_unknown(&mut self, id: &ConversationId) {
        if !self.conversations.contains_key(id) {
            let gap = Gap {
                since: Seq(0),
                is_asked: false,
            };
            self.gaps.entry(id.clone()).or_insert(gap);
        }
    }

    /// Checks an event's number, also of one that the view does not see because it is closed.
    pub fn count(&mut self, envelope: &EventEnvelope, is_seen: bool) {
        // A core that has no epoch yet tells of its health only, without a place in the stream.
        if envelope.epoch == Epoch(0) {
            return;
        }
        let expected = match self.last {
            Some((epoch, last)) if epoch == envelope.epoch => last.next(),
            Some((epoch, _)) if epoch > envelope.epoch => Seq(0),
            Some(_) | None => Seq::start_of(envelope.epoch).next(),
        };
        if envelope.seq != expected {
            let about = format!(
                "{:?} in {:?}, not {expected:?}",
                envelope.seq, envelope.epoch
            );
            self.world.fault(FaultKind::SequenceBroken, about);
        }
        let is_new_life = self.last.is_some_and(|(epoch, _)| epoch != envelope.epoch);
        if is_new_life || !is_seen {
            self.note_gap();
        }
        self.last = Some((envelope.epoch, envelope.seq));
    }

    /// Takes an event in.
    pub fn apply(&mut self, envelope: &EventEnvelope) {
        let seq = envelope.seq;
        match &envelope.event {
            Event::SubAgentEvent {
                conversation,
                call: _,
                child,
                event,
            } => {
                let shown = self.shown(child, seq);
                shown.parent = Some(conversation.clone());
                self.inner(event, seq, Some(child));
            }
            event @ (Event::Item { .. }
            | Event::Blocks { .. }
            | Event::Tasks { .. }
            | Event::Cleared { .. }
            | Event::Run { .. }) => self.inner(event, seq, None),
            Event::Snapshot {
                op: _,
                conversation,
                complete,
                items,
                tasks,
                run,
            } => {
                // Asked for before the conversation was deleted, answered after.
                if items.is_empty() && self.deleted.contains(conversation) {
                    self.gaps.remove(conversation);
                    return;
                }
                for child in items.iter().filter_map(child_of) {
                    self.note_unknown(child);
                }
                let shown = self.shown(conversation, seq);
                if *complete {
                    shown.items.clear();
                }
                shown.tasks.clone_from(tasks);
                shown.run = run.clone();
                for item in items {
                    self.item(conversation, item);
                }
                self.gaps.remove(conversation);
            }
            Event::Conversation { summary } => {
                self.not_deleted(&summary.id);
                self.list.insert(summary.id.clone(), summary.clone());
            }
            Event::ConversationDeleted { conversation } => {
                self.conversations.retain(|id, shown| {
                    id != conversation && shown.parent.as_ref() != Some(conversation)
                });
                let known = &self.conversations;
                self.gaps.retain(|id, _| known.contains_key(id));
                self.list.remove(conversation);
                self.deleted.insert(conversation.clone());
            }
            Event::Welcome { welcome, .. } => {
                for line in &welcome.conversations {
                    self.note_unknown(&line.id);
                }
                let lines = welcome.conversations.iter();
                self.list = lines.map(|line| (line.id.clone(), line.clone())).collect();
            }
            Event::Core { .. }
            | Event::Applied { .. }
            | Event::Refused { .. }
            | Event::Conversations { .. }
            | Event::ToolAnswer { .. }
            | Event::Models { .. }
            | Event::ModelChecked { .. }
            | Event::ModelsFound { .. }
            | Event::UsageByDay { .. }
            | Event::Settings { .. } => {}
        }
    }

    /// The person writes in a conversation. If they have deleted it, it may come back.
    pub fn write_in(&mut self, id: &ConversationId, was_deleted: bool) {
        self.conversations.entry(id.clone()).or_default();
        if was_deleted {
            self.deleted.remove(id);
            self.may_return.insert(id.clone());
        }
    }

    /// What happened in one conversation. `child` is the one that the envelope names, if it does.
    fn inner(&mut self, event: &Event, seq: Seq, child: Option<&ConversationId>) {
        let at = match event {
            Event::Item { conversation, item } => {
                if item.seq != seq {
                    let about = format!("item {} says {:?} in {seq:?}", item.id, item.seq);
                    self.world.fault(FaultKind::SequenceBroken, about);
                }
                self.shown(conversation, seq);
                self.item(conversation, item);
                conversation
            }
            Event::Blocks {
                conversation,
                item,
                keep,
                blocks: new,
            } => {
                let shown = self.shown(conversation, seq);
                if let Some(item) = shown.items.get_mut(item)
                    && let ItemBody::AssistantMessage { blocks, .. } = &mut item.body
                {
                    blocks.truncate(usize::try_from(*keep).unwrap_or(usize::MAX));
                    blocks.extend(new.iter().cloned());
                }
                conversation
            }
            Event::Tasks {
                conversation,
                tasks,
            } => {
                self.shown(conversation, seq).tasks.clone_from(tasks);
                conversation
            }
            Event::Cleared { conversation } => {
                self.shown(conversation, seq).items.clear();
                conversation
            }
            Event::Run { conversation, run } => {
                self.shown(conversation, seq).run = run.clone();
                conversation
            }
            Event::Core { .. }
            | Event::Applied { .. }
            | Event::Refused { .. }
            | Event::Welcome { .. }
            | Event::Conversations { .. }
            | Event::Snapshot { .. }
            | Event::ToolAnswer { .. }
            | Event::SubAgentEvent { .. }
            | Event::Conversation { .. }
            | Event::ConversationDeleted { .. }
            | Event::Models { .. }
            | Event::ModelChecked { .. }
            | Event::ModelsFound { .. }
            | Event::UsageByDay { .. }
            | Event::Settings { .. } => {
                let about = format!("{event:?} inside a sub-agent's event");
                self.world.fault(FaultKind::ForeignItem, about);
                return;
            }
        };
        if child.is_some_and(|child| child != at) {
            let about = format!("an event of {at} was told as one of {child:?}");
            self.world.fault(FaultKind::ForeignItem, about);
        }
    }

    fn item(&mut self, conversation: &ConversationId, item: &ItemView) {
        let home = self.home.entry(item.id.clone());
        let home = home.or_insert_with(|| conversation.clone());
        if home != conversation {
            let about = format!("item {} of {home} was shown in {conversation}", item.id);
            self.world.fault(FaultKind::ForeignItem, about);
        }
        let before = self
            .conversations
            .get_mut(conversation)
            .and_then(|shown| shown.items.insert(item.id.clone(), item.clone()));
        if let Some(before) = before
            && is_settled(&before.body)
            && item.body != before.body
            && item.body != ItemBody::Gone
        {
            let about = format!("{:?} became {:?}", before.body, item.body);
            self.world.fault(FaultKind::SettledChanged, about);
        }
        if let Some(child) = child_of(item) {
            if self.is_behind() {
                self.note_unknown(child);
            }
            let shown = self.conversations.entry(child.clone()).or_default();
            shown.parent = Some(conversation.clone());
        }
    }

    fn shown(&mut self, id: &ConversationId, seq: Seq) -> &mut Shown {
        self.not_deleted(id);
        // What began while something was missed may have been missed itself.
        if self.is_behind() {
            self.note_unknown(id);
        }
        let shown = self.conversations.entry(id.clone()).or_default();
        shown.events += 1;
        shown.seen = shown.seen.max(seq);
        shown
    }

    fn not_deleted(&self, id: &ConversationId) {
        if self.deleted.contains(id) && !self.may_return.contains(id) {
            let about = format!("conversation {id}");
            self.world.fault(FaultKind::AfterDeletion, about);
        }
    }
}
