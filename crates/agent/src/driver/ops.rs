//! Ops: each is applied at most once, however often it is sent.

use serde::{Deserialize, Serialize};
use tabwright_protocol::{
    ConversationId, ConversationSummary, Event, Millis, Op, OpEnvelope, OpId, Refusal, Welcome,
    WorkingTab,
};
use tabwright_store::Batch;

use super::shelf::folder;
use super::tool::ToolAnswer;
use super::{AgentError, Driver};
use crate::machine::{Conversation, Input};
use crate::rows;

/// How many conversations a view is told of when it opens.
const LISTED: u32 = 200;

/// What became of an op. Stored with what it did, in one transaction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub(super) enum Outcome {
    /// It is done.
    Applied,
    /// It was not done.
    Refused {
        /// Why.
        refusal: Refusal,
    },
    /// A tool run by hand has been started.
    Started,
    /// It has answered.
    Answered {
        /// How.
        answer: ToolAnswer,
    },
}

impl Driver {
    pub(super) fn op(&mut self, envelope: OpEnvelope) -> Result<(), AgentError> {
        let OpEnvelope { id, op } = envelope;
        match op {
            Op::Hello => self.hello(id),
            Op::Attach {
                conversation,
                since,
            } => self.attach(id, conversation, since),
            Op::ListConversations { after } => self.list(id, &after),
            Op::CheckModel { model } => self.check_model(id, model),
            Op::FindModels => {
                self.find_models(id);
                Ok(())
            }
            Op::ListUsage { days } => self.list_usage(id, days),
            Op::SendMessage { .. }
            | Op::AnswerQuestion { .. }
            | Op::Decide { .. }
            | Op::Stop { .. }
            | Op::Retry { .. }
            | Op::EditMessage { .. }
            | Op::Regenerate { .. }
            | Op::Compact { .. }
            | Op::Clear { .. }
            | Op::RenameConversation { .. }
            | Op::DeleteConversation { .. }
            | Op::CallTool { .. }
            | Op::SaveModel { .. }
            | Op::DeleteModel { .. }
            | Op::UseModel { .. }
            | Op::SaveSettings { .. } => match self.store.op(&id)? {
                Some(row) => {
                    let outcome =
                        serde_json::from_str(&row.outcome).map_err(rows::unreadable("op"))?;
                    self.repeat(id, outcome)
                }
                None => {
                    let asked = id.clone();
                    self.change(id, op)
                        .or_else(|error| self.unreadable(asked, error))
                }
            },
        }
    }

    fn hello(&mut self, op: OpId) -> Result<(), AgentError> {
        let (conversations, more_conversations) = self.page(None)?;
        let welcome = Welcome {
            conversations,
            more_conversations,
            models: self.models.views(),
            roles: self.models.roles(),
            settings: self.settings.clone(),
        };
        self.outbox.send(Event::Welcome { op, welcome });
        Ok(())
    }

    /// The conversations that come after one in the list.
    fn list(&mut self, op: OpId, after: &ConversationId) -> Result<(), AgentError> {
        let (conversations, more) = match self.store.conversation(after)? {
            Some(row) => self.page(Some((row.updated_at, after)))?,
            None => (Vec::new(), false),
        };
        self.outbox.send(Event::Conversations {
            op,
            conversations,
            more,
        });
        Ok(())
    }

    fn page(
        &self,
        after: Option<(Millis, &ConversationId)>,
    ) -> Result<(Vec<ConversationSummary>, bool), AgentError> {
        let mut rows = self.store.conversations(LISTED + 1, after)?;
        let more = rows.len() > LISTED as usize;
        rows.truncate(LISTED as usize);
        let page = rows
            .into_iter()
            .map(|row| ConversationSummary {
                running: self.is_running(&row.id),
                waiting: self.family_waits(&row.id),
                id: row.id,
                title: row.title,
                created_at: row.created_at,
                updated_at: row.updated_at,
                usage: rows::usage(&row.body),
            })
            .collect();
        Ok((page, more))
    }

    fn is_running(&self, id: &ConversationId) -> bool {
        self.loaded.get(id).is_some_and(|it| it.run.is_some())
    }

    /// Tells again what became of an op that was sent before.
    fn repeat(&mut self, op: OpId, outcome: Outcome) -> Result<(), AgentError> {
        let is_lost = outcome == Outcome::Started && !self.is_console(&op);
        if is_lost {
            let refusal = Refusal {
                code: "outcome_unknown".into(),
                message: "The tool was interrupted while it ran, so a change it makes may have happened. Look before running it again.".into(),
            };
            return self.settle_op(op, Outcome::Refused { refusal });
        }
        self.tell_outcome(op, outcome);
        Ok(())
    }

    fn change(&mut self, id: OpId, op: Op) -> Result<(), AgentError> {
        match op {
            // They change nothing that must not be changed twice.
            Op::Hello
            | Op::Attach { .. }
            | Op::ListConversations { .. }
            | Op::CheckModel { .. }
            | Op::FindModels
            | Op::ListUsage { .. } => Ok(()),
            Op::SendMessage {
                conversation,
                text,
                tab,
            } => self.send_message(id, conversation, text, tab),
            Op::Stop { conversation } => self.stop(id, conversation),
            Op::AnswerQuestion {
                conversation,
                item,
                answers,
            } => self.feed_existing(id, conversation, Input::Answer { item, answers }),
            Op::Decide {
                conversation,
                item,
                approve,
                note,
            } => {
                let input = Input::Decide {
                    item,
                    approve,
                    note,
                };
                self.feed_existing(id, conversation, input)
            }
            Op::Retry { conversation } => self.begin_turn(id, conversation, Input::Retry),
            Op::EditMessage {
                conversation,
                item,
                text,
                tab,
            } => self.begin_turn(id, conversation, Input::Edit { item, text, tab }),
            Op::Regenerate { conversation, turn } => {
                self.begin_turn(id, conversation, Input::Regenerate { turn })
            }
            Op::Compact {
                conversation,
                instruction,
            } => self.begin_turn(id, conversation, Input::Compact { instruction }),
            Op::Clear { conversation } => self.clear(id, conversation),
            Op::RenameConversation {
                conversation,
                title,
            } => self.rename(id, conversation, title),
            Op::DeleteConversation { conversation } => self.delete(id, conversation),
            Op::CallTool {
                tool,
                arguments,
                tab,
            } => self.call_by_hand(id, tool, arguments, tab),
            Op::SaveModel { model } => self.save_model(id, model),
            Op::DeleteModel { model } => self.delete_model(id, model),
            Op::UseModel { model, role } => self.use_model(id, model, role),
            Op::SaveSettings { settings } => self.save_settings(id, settings),
        }
    }

    /// Puts an op's outcome on disk together with what it did, then tells it.
    pub(super) fn conclude(
        &mut self,
        mut batch: Batch,
        op: OpId,
        outcome: Outcome,
    ) -> Result<(), AgentError> {
        batch.put_ops.push(self.op_row(&op, &outcome)?);
        self.store.commit(&batch)?;
        self.tell_outcome(op, outcome);
        Ok(())
    }

    /// The same for an op that has been begun before.
    pub(super) fn settle_op(&mut self, op: OpId, outcome: Outcome) -> Result<(), AgentError> {
        let batch = Batch {
            settle_ops: vec![self.op_row(&op, &outcome)?],
            ..Batch::default()
        };
        self.store.commit(&batch)?;
        self.tell_outcome(op, outcome);
        Ok(())
    }

    pub(super) fn tell_outcome(&mut self, op: OpId, outcome: Outcome) {
        match outcome {
            Outcome::Applied => self.outbox.send(Event::Applied { op }),
            Outcome::Refused { refusal } => self.outbox.send(Event::Refused { op, refusal }),
            Outcome::Answered { answer } => self.outbox.send(answer.event(op)),
            Outcome::Started => {}
        }
    }

    fn send_message(
        &mut self,
        op: OpId,
        id: ConversationId,
        text: String,
        tab: Option<WorkingTab>,
    ) -> Result<(), AgentError> {
        if self.models.current().is_none() {
            return self.conclude(Batch::default(), op, no_model());
        }
        if !self.load(&id)? {
            let conversation = Conversation::new(id.clone(), self.host.clock.now());
            self.loaded.insert(id.clone(), conversation);
        }
        if self.parent_of(&id).is_some() {
            return self.conclude(Batch::default(), op, belongs());
        }
        self.apply(&id, Input::Send { text, tab }, Some(op))?;
        // A refused first message leaves no empty conversation behind.
        if self.loaded.get(&id).is_some_and(|it| it.items.is_empty()) {
            self.loaded.remove(&id);
        }
        Ok(())
    }

    /// Nothing runs in a conversation that does not exist, so there it is done.
    fn stop(&mut self, op: OpId, id: ConversationId) -> Result<(), AgentError> {
        if self.loaded.contains_key(&id) {
            self.stop_sub_agents(&id)?;
            self.apply(&id, Input::Stop, Some(op))
        } else {
            self.conclude(Batch::default(), op, Outcome::Applied)
        }
    }

    /// The same for what begins a turn: without a model there is none.
    fn begin_turn(&mut self, op: OpId, id: ConversationId, input: Input) -> Result<(), AgentError> {
        if self.models.current().is_none() {
            return self.conclude(Batch::default(), op, no_model());
        }
        self.feed_existing(op, id, input)
    }

    fn feed_existing(
        &mut self,
        op: OpId,
        id: ConversationId,
        input: Input,
    ) -> Result<(), AgentError> {
        if self.load(&id)? {
            self.apply(&id, input, Some(op))
        } else {
            self.conclude(Batch::default(), op, no_conversation())
        }
    }

    fn rename(&mut self, op: OpId, id: ConversationId, title: String) -> Result<(), AgentError> {
        let title = title.trim();
        if title.is_empty() {
            let refusal = Refusal {
                code: "empty_title".into(),
                message: "The title is empty; write one.".into(),
            };
            return self.conclude(Batch::default(), op, Outcome::Refused { refusal });
        }
        if !self.load(&id)? {
            return self.conclude(Batch::default(), op, no_conversation());
        }
        let mut batch = Batch::default();
        if let Some(conversation) = self.loaded.get_mut(&id) {
            conversation.title = title.to_owned();
            conversation.titled_by_person = true;
            batch
                .put_conversations
                .push(rows::conversation_row(conversation)?);
        }
        self.conclude(batch, op, Outcome::Applied)?;
        if let Some(summary) = self.summary(&id) {
            self.outbox.send(Event::Conversation { summary });
        }
        Ok(())
    }

    fn clear(&mut self, op: OpId, id: ConversationId) -> Result<(), AgentError> {
        if !self.load(&id)? {
            return self.conclude(Batch::default(), op, no_conversation());
        }
        if self.parent_of(&id).is_some() {
            return self.conclude(Batch::default(), op, belongs());
        }
        self.stop_sub_agents(&id)?;
        self.apply(&id, Input::Clear, Some(op))?;
        self.remove_results(&id);
        Ok(())
    }

    /// Lets go of a conversation and its sub-agents' in memory.
    fn forget(&mut self, id: &ConversationId) {
        self.loaded.retain(|other, it| {
            let parent = it.about.parent.as_ref();
            other != id && parent.is_none_or(|parent| parent.conversation != *id)
        });
    }

    /// Removes the files with the results of a conversation that is gone. A file that cannot be
    /// removed does no harm: nothing names it any more.
    fn remove_results(&mut self, id: &ConversationId) {
        let files = self.host.files.clone();
        let folder = folder(id);
        self.spawn(async move {
            let _ = files.remove(&folder).await;
        });
    }

    fn delete(&mut self, op: OpId, id: ConversationId) -> Result<(), AgentError> {
        match self.load(&id) {
            Ok(false) => return self.conclude(Batch::default(), op, no_conversation()),
            // Whatever runs in it is given up first, in a transaction of its own.
            Ok(true) => {
                self.stop_sub_agents(&id)?;
                self.apply(&id, Input::Stop, None)?;
            }
            // What cannot be read can be deleted all the same.
            Err(AgentError::Unreadable { .. }) => {}
            Err(error) => return Err(error),
        }
        if self.parent_of(&id).is_some() {
            return self.conclude(Batch::default(), op, belongs());
        }
        self.forget(&id);
        let batch = Batch {
            delete_conversations: vec![id.clone()],
            ..Batch::default()
        };
        self.conclude(batch, op, Outcome::Applied)?;
        self.remove_results(&id);
        self.outbox
            .send(Event::ConversationDeleted { conversation: id });
        Ok(())
    }
}

fn no_model() -> Outcome {
    Outcome::Refused {
        refusal: Refusal {
            code: "no_model".into(),
            message: "No model is set up yet. Add one in the options, then send again.".into(),
        },
    }
}

/// A sub-agent's conversation is part of another.
fn belongs() -> Outcome {
    Outcome::Refused {
        refusal: Refusal {
            code: "sub_agent".into(),
            message: "This is a sub-agent's conversation; it goes with the one that it belongs to."
                .into(),
        },
    }
}

fn no_conversation() -> Outcome {
    Outcome::Refused {
        refusal: Refusal {
            code: "no_conversation".into(),
            message: "That conversation does not exist; it may have been deleted.".into(),
        },
    }
}
