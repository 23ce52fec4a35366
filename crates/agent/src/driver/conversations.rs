//! Loading conversations, stepping them, and putting each step on disk before it acts.

use tabwright_protocol::{
    ConversationId, ConversationSummary, Event, MessageState, OpId, Refusal, Seq, TurnId,
};
use tabwright_store::{Batch, OpRow};

use super::ops::Outcome;
use super::tool::Checks;
use super::{AgentError, Driver};
use crate::ids::Ids;
use crate::item::Body;
use crate::machine::{Conversation, Input, ModelChoice, Step, Surroundings};
use crate::rows;
use crate::view::view;

/// How many conversations without a run stay in memory, so that showing one again is quick.
const KEPT: usize = 8;

impl Driver {
    /// Makes sure that a conversation is in memory. False when it does not exist.
    pub(super) fn load(&mut self, id: &ConversationId) -> Result<bool, AgentError> {
        if self.loaded.contains_key(id) {
            return Ok(true);
        }
        let Some(conversation) = rows::load(&self.store, id)? else {
            return Ok(false);
        };
        self.loaded.insert(id.clone(), conversation);
        Ok(true)
    }

    /// Lets go of conversations that nothing runs in, when there are many.
    pub(super) fn forget_shown(&mut self) {
        let idle: Vec<ConversationId> = self
            .loaded
            .values()
            .filter(|conversation| conversation.run.is_none())
            .map(|conversation| conversation.id.clone())
            .collect();
        if idle.len() > KEPT {
            self.loaded.retain(|id, _| !idle.contains(id));
        }
    }

    /// Feeds an input to a conversation's machine. The step is on disk before anything of it
    /// begins; with an op, so is the fact that the op was applied.
    pub(super) fn apply(
        &mut self,
        id: &ConversationId,
        input: Input,
        op: Option<OpId>,
    ) -> Result<(), AgentError> {
        // A late answer for a conversation that was deleted meanwhile has nowhere to go.
        let Some(conversation) = self.loaded.get(id) else {
            return Ok(());
        };
        let before = conversation.run.as_ref().map(|run| run.record.turn.clone());
        let choice = self
            .models
            .of(self.record_of(id))
            .map_or_else(ModelChoice::none, |model| model.choice().clone());
        let summary = self.models.summary().map(|model| model.choice().clone());
        let fallback = self.models.fallback().map(|model| model.choice().clone());
        let today = self.today()?;
        let (place, used_elsewhere) = self.place(id);
        let mut ids = Ids::new(self.host.entropy.next());
        let now = self.host.clock.now();
        let door = self.door_of(id);
        let tools = Checks::new(&door, &self.host);
        let Some(conversation) = self.loaded.get_mut(id) else {
            return Ok(());
        };
        let step = conversation.step(
            &mut Surroundings {
                now,
                ids: &mut ids,
                tools: &tools,
                model: &choice,
                summary: summary.as_ref(),
                fallback: fallback.as_ref(),
                place,
                used_elsewhere,
                today,
            },
            input,
        );
        let has_ended = before.is_some() && conversation.run.is_none();
        match step {
            Ok(step) if has_ended => {
                self.settle(id, step, before, op)?;
                self.sub_agent_ended(id);
                Ok(())
            }
            Ok(step) => self.settle(id, step, before, op),
            Err(refusal) => match op {
                Some(op) => self.conclude(Batch::default(), op, Outcome::Refused { refusal }),
                None => Ok(()),
            },
        }
    }

    fn settle(
        &mut self,
        id: &ConversationId,
        step: Step,
        before: Option<TurnId>,
        op: Option<OpId>,
    ) -> Result<(), AgentError> {
        let Some(conversation) = self.loaded.get_mut(id) else {
            return Ok(());
        };
        let mut batch = Batch::default();
        let mut events = Vec::new();
        if step.cleared {
            conversation.about.cleared_at = Some(self.outbox.upcoming(1));
            batch.clear_conversations.push(id.clone());
            events.push(Event::Cleared {
                conversation: id.clone(),
            });
        }
        // A view may have had another conversation by this id, and not have heard that it is gone.
        let is_born = conversation.about.cleared_at.is_none()
            && conversation.items.len() == step.items.len()
            && step.row;
        if is_born {
            conversation.about.cleared_at = Some(self.outbox.upcoming(1));
        }
        for (position, number) in step.items.iter().zip(1 + events.len() as u64..) {
            if let Some(item) = conversation.item_mut(*position) {
                item.seq = self.outbox.upcoming(number);
                batch.put_items.push(rows::item_row(id, item)?);
                events.push(Event::Item {
                    conversation: id.clone(),
                    item: view(item),
                });
            }
        }
        if step.row {
            batch
                .put_conversations
                .push(rows::conversation_row(conversation)?);
        }
        if step.run {
            match &conversation.run {
                Some(run) => batch.put_runs.push(rows::run_row(id, &run.record)?),
                // A turn has one run, which has the turn's id.
                None => batch.end_runs = before.map(|turn| turn.0).into_iter().collect(),
            }
        }
        let is_listed = conversation.about.parent.is_none();
        let waits = conversation.waits_for_person();
        let changes_summary = is_listed && (step.row || step.run);
        let summary = changes_summary.then(|| self.summary(id)).flatten();
        if let Some(op) = &op {
            batch.put_ops.push(self.op_row(op, &Outcome::Applied)?);
        }
        self.book(&mut batch, step.spent);
        self.store.commit(&batch)?;
        self.booked(&batch);
        for event in events {
            self.tell(id, event);
        }
        if let Some(summary) = summary {
            self.outbox.send(Event::Conversation { summary });
        }
        if let Some(op) = op {
            self.outbox.send(Event::Applied { op });
        }
        for effect in step.effects {
            self.act(id, effect)?;
        }
        self.tell_family_waits(id, waits);
        Ok(())
    }

    /// The conversation's line in the list, if it is in memory.
    pub(super) fn summary(&self, id: &ConversationId) -> Option<ConversationSummary> {
        let conversation = self.loaded.get(id)?;
        Some(ConversationSummary {
            id: id.clone(),
            title: conversation.title.clone(),
            created_at: conversation.created_at,
            updated_at: conversation.updated_at,
            running: conversation.run.is_some(),
            waiting: self.family_waits(id),
            usage: conversation.about.usage,
        })
    }

    /// What a view is shown that has seen everything up to `since`.
    pub(super) fn attach(
        &mut self,
        op: OpId,
        id: ConversationId,
        since: Option<Seq>,
    ) -> Result<(), AgentError> {
        let exists = match self.load(&id) {
            Ok(exists) => exists,
            Err(error) => return self.unreadable(op, error),
        };
        let empty = Conversation::new(id.clone(), self.host.clock.now());
        let conversation = self.loaded.get(&id).unwrap_or(&empty);
        let items = conversation
            .items
            .iter()
            .filter(|item| {
                // An arriving message grows without a new number of its own.
                since.is_none_or(|since| item.seq > since) || is_arriving(&item.body)
            })
            .map(view)
            .collect();
        let snapshot = Event::Snapshot {
            op,
            // What is gone is gone for a view that had it, too.
            complete: since.is_none_or(|since| {
                !exists || conversation.about.cleared_at.is_some_and(|at| at > since)
            }),
            items,
            tasks: conversation.about.tasks.clone(),
            run: conversation.run_view(),
            conversation: id,
        };
        self.outbox.send(snapshot);
        Ok(())
    }

    /// Answers an op whose conversation cannot be read. The other conversations are not concerned.
    pub(super) fn unreadable(&mut self, op: OpId, error: AgentError) -> Result<(), AgentError> {
        match error {
            AgentError::Unreadable { .. } => {
                let refusal = Refusal {
                    code: "unreadable".into(),
                    message: error.to_string(),
                };
                self.outbox.send(Event::Refused { op, refusal });
                Ok(())
            }
            AgentError::Store(_) => Err(error),
        }
    }

    /// A row that says what became of an op.
    pub(super) fn op_row(&self, op: &OpId, outcome: &Outcome) -> Result<OpRow, AgentError> {
        Ok(OpRow {
            id: op.clone(),
            applied_at: self.host.clock.now(),
            outcome: serde_json::to_string(outcome).map_err(rows::unreadable("op"))?,
        })
    }
}

fn is_arriving(body: &Body) -> bool {
    match body {
        Body::Assistant(message) => message.state == MessageState::Streaming,
        Body::User { .. }
        | Body::Call(_)
        | Body::Notice { .. }
        | Body::Hint { .. }
        | Body::Question { .. }
        | Body::Summary { .. }
        | Body::Gone { .. }
        | Body::TurnEnd { .. } => false,
    }
}
