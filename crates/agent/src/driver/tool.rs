//! Tool calls: through the one door, whoever makes them.

use serde::{Deserialize, Serialize};
use tabwright_host::Host;
use tabwright_protocol::{CallId, ConversationId, Event, OpId, TabId};
use tabwright_store::Batch;
use tabwright_tools::{CallOutcome, Door, ToolContext, boundary};

use super::ops::Outcome;
use super::{AgentError, Driver, Message, Task};
use crate::ids::Ids;
use crate::machine::{CallResult, CheckedCall, Input, Toolbox};

/// What a tool run by hand answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ToolAnswer {
    /// What a model would be given.
    text: String,
    /// Whether it is an error result.
    is_error: bool,
    /// How long it took.
    millis: u64,
}

impl ToolAnswer {
    /// The event that tells of it.
    pub(super) fn event(self, op: OpId) -> Event {
        Event::ToolAnswer {
            op,
            text: self.text,
            is_error: self.is_error,
            millis: self.millis,
        }
    }
}

/// The door's checks, as the machine wants them.
pub(super) struct Checks<'a> {
    door: &'a Door,
    host: &'a Host,
}

impl<'a> Checks<'a> {
    /// The checks of this door.
    pub(super) fn new(door: &'a Door, host: &'a Host) -> Self {
        Self { door, host }
    }
}

impl Toolbox for Checks<'_> {
    fn check(&self, tool: &str, arguments: &str) -> CheckedCall {
        let cx = ToolContext {
            host: self.host.clone(),
            tab: None,
            call: CallId::from(""),
        };
        match self.door.prepare(cx, tool, arguments) {
            Ok(prepared) => {
                let declaration = prepared.declaration();
                CheckedCall::Ready {
                    title: declaration.title.clone(),
                    replay: declaration.replay,
                    concurrent: declaration.concurrent,
                }
            }
            Err(outcome) => CheckedCall::Refused {
                result: call_result(&outcome, self.host, 0),
            },
        }
    }
}

fn call_result(outcome: &CallOutcome, host: &Host, millis: u64) -> CallResult {
    CallResult {
        result: boundary::result_text(outcome),
        model_text: boundary::model_text(outcome, host.entropy.as_ref()),
        is_error: outcome.is_error,
        millis,
        fatal: outcome.fatal,
    }
}

impl Driver {
    pub(super) fn run_tool(
        &mut self,
        id: &ConversationId,
        call: CallId,
        tool: String,
        arguments: String,
    ) {
        let tab = self
            .loaded
            .get(id)
            .and_then(|conversation| conversation.run.as_ref())
            .and_then(|run| run.record.tab);
        let host = self.host.clone();
        let door = self.door.clone();
        let sender = self.sender.clone();
        let id = id.clone();
        let name = Task::Call(call.clone());
        self.spawn_as(name, async move {
            let began = host.clock.now();
            let cx = ToolContext {
                host: host.clone(),
                tab,
                call: call.clone(),
            };
            let outcome = door.call(cx, &tool, &arguments).await;
            let millis = host.clock.now().0.saturating_sub(began.0);
            let outcome = call_result(&outcome, &host, millis);
            let _ = sender.unbounded_send(Message::Input(id, Input::CallDone { call, outcome }));
        });
    }

    /// Whether a tool run by hand has been started in this life and has not answered.
    pub(super) fn is_console(&self, op: &OpId) -> bool {
        self.aborts.contains_key(&console(op))
    }

    pub(super) fn call_by_hand(
        &mut self,
        op: OpId,
        tool: String,
        arguments: String,
        tab: Option<TabId>,
    ) -> Result<(), AgentError> {
        // On disk before the effect: the same op sent after a death must not run the tool again.
        self.conclude(Batch::default(), op.clone(), Outcome::Started)?;
        self.consoles += 1;
        let host = self.host.clone();
        let door = self.door.clone();
        let sender = self.sender.clone();
        let call = CallId(Ids::new(host.entropy.next()).fresh());
        self.spawn_as(console(&op), async move {
            let began = host.clock.now();
            let cx = ToolContext {
                host: host.clone(),
                tab,
                call,
            };
            let outcome = door.call(cx, &tool, &arguments).await;
            let answer = ToolAnswer {
                text: boundary::model_text(&outcome, host.entropy.as_ref()),
                is_error: outcome.is_error,
                millis: host.clock.now().0.saturating_sub(began.0),
            };
            let _ = sender.unbounded_send(Message::ToolAnswer(op, answer));
        });
        Ok(())
    }

    pub(super) fn tool_answered(&mut self, op: OpId, answer: ToolAnswer) -> Result<(), AgentError> {
        self.consoles = self.consoles.saturating_sub(1);
        self.aborts.remove(&console(&op));
        self.settle_op(op, Outcome::Answered { answer })
    }
}

/// The task of a tool run by hand: its op stands for the call.
fn console(op: &OpId) -> Task {
    Task::Call(CallId(op.0.clone()))
}
