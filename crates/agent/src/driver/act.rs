//! Beginning what a step asks for. Everything here comes after the step's commit.

use tabwright_protocol::{ConversationId, Event};

use super::{Driver, Message, Task};
use crate::machine::{Effect, Input};

impl Driver {
    pub(super) fn act(&mut self, id: &ConversationId, effect: Effect) {
        match effect {
            Effect::Request { request } => self.ask_model(id, request),
            Effect::AbandonRequest { request } => self.abandon(&Task::Request(request)),
            Effect::Call {
                call,
                tool,
                arguments,
            } => self.run_tool(id, call, tool, arguments),
            Effect::AbandonCall { call } => self.abandon(&Task::Call(call)),
            Effect::Sleep { timer, millis } => {
                let clock = self.host.clock.clone();
                let sender = self.sender.clone();
                let id = id.clone();
                self.spawn(async move {
                    clock.sleep(millis).await;
                    let _ = sender.unbounded_send(Message::Input(id, Input::Timer(timer)));
                });
            }
            Effect::Blocks { item, keep, blocks } => self.outbox.send(Event::Blocks {
                conversation: id.clone(),
                item,
                keep: u32::try_from(keep).unwrap_or(u32::MAX),
                blocks,
            }),
            Effect::Progress => {
                if let Some(conversation) = self.loaded.get(id) {
                    let run = conversation.run_view();
                    self.outbox.send(Event::Run {
                        conversation: id.clone(),
                        run,
                    });
                }
            }
        }
    }
}
