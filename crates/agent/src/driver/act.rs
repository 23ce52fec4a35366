//! Beginning what a step asks for. Everything here comes after the step's commit.

use tabwright_protocol::{ConversationId, Event};

use super::tool::ToolRun;
use super::{AgentError, Driver, Message, Task};
use crate::machine::{Effect, Input};

impl Driver {
    pub(super) fn act(&mut self, id: &ConversationId, effect: Effect) -> Result<(), AgentError> {
        match effect {
            Effect::Request {
                request,
                purpose,
                model,
            } => self.ask_model(id, request, purpose, &model),
            Effect::AbandonRequest { request } => self.abandon(&Task::Request(request)),
            Effect::Call {
                call,
                position,
                tool,
                arguments,
                approved,
            } => self.run_tool(
                id,
                ToolRun {
                    call,
                    position,
                    tool,
                    arguments,
                    approved,
                },
            ),
            Effect::Delegate { call, brief } => self.delegate(id, call, brief)?,
            Effect::AbandonCall { call } => {
                self.abandon(&Task::Call(call.clone()));
                self.abandon_sub_agent(&call)?;
            }
            Effect::Sleep { timer, millis } => {
                let clock = self.host.clock.clone();
                let sender = self.sender.clone();
                let id = id.clone();
                self.spawn_as(Task::Timer(timer), async move {
                    clock.sleep(millis).await;
                    let _ = sender.unbounded_send(Message::Input(id, Input::Timer(timer)));
                });
            }
            Effect::Cancel { timer } => self.abandon(&Task::Timer(timer)),
            Effect::Blocks { item, keep, blocks } => {
                let event = Event::Blocks {
                    conversation: id.clone(),
                    item,
                    keep: u32::try_from(keep).unwrap_or(u32::MAX),
                    blocks,
                };
                self.tell(id, event);
            }
            Effect::Progress => {
                if let Some(conversation) = self.loaded.get(id) {
                    let run = conversation.run_view();
                    let event = Event::Run {
                        conversation: id.clone(),
                        run,
                    };
                    self.tell(id, event);
                }
            }
            Effect::Tasks => {
                if let Some(conversation) = self.loaded.get(id) {
                    let event = Event::Tasks {
                        conversation: id.clone(),
                        tasks: conversation.about.tasks.clone(),
                    };
                    self.tell(id, event);
                }
            }
        }
        Ok(())
    }

    /// Tells views what happened in a conversation; in a sub-agent's, as something of the
    /// conversation that it belongs to.
    pub(super) fn tell(&mut self, id: &ConversationId, event: Event) {
        let event = match self.parent_of(id) {
            None => event,
            Some(parent) => Event::SubAgentEvent {
                conversation: parent.conversation.clone(),
                call: parent.call.clone(),
                child: id.clone(),
                event: Box::new(event),
            },
        };
        self.outbox.send(event);
    }
}
