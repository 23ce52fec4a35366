//! Tool calls: through the one door, whoever makes them.

use serde::{Deserialize, Serialize};
use tabwright_host::Host;
use tabwright_protocol::{CallId, ConversationId, Event, OpId, TabId};
use tabwright_store::Batch;
use tabwright_tools::{Access, CallOutcome, Declaration, Door, Effects, ToolContext, boundary};

use super::ops::Outcome;
use super::shelf::Shelf;
use super::{AgentError, Driver, Message, Task};
use crate::ids::Ids;
use crate::machine::{CallClass, CallResult, CheckedCall, Input, ReadyCall, Toolbox};

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

/// A call that is to run.
pub(super) struct ToolRun {
    pub(super) call: CallId,
    /// Its place in the conversation.
    pub(super) position: u32,
    pub(super) tool: String,
    pub(super) arguments: String,
    /// Whether the person has allowed it.
    pub(super) approved: bool,
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

    fn ready(&self, tool: &str, arguments: &str) -> Result<ReadyCall, CallOutcome> {
        let cx = ToolContext {
            host: self.host.clone(),
            tab: None,
            call: CallId::from(""),
            approved: false,
        };
        let prepared = self.door.prepare(cx, tool, arguments)?;
        let declaration = prepared.declaration();
        Ok(ReadyCall {
            title: declaration.title.clone(),
            replay: declaration.replay,
            concurrent: declaration.concurrent,
            hash: prepared.arguments_hash(),
            approval: prepared.approval().map(str::to_owned),
            core: prepared.core_request()?,
            class: class_of(declaration),
        })
    }
}

impl Toolbox for Checks<'_> {
    fn check(&self, tool: &str, arguments: &str) -> CheckedCall {
        match self.ready(tool, arguments) {
            Ok(ready) => CheckedCall::Ready(Box::new(ready)),
            Err(outcome) => CheckedCall::Refused {
                result: call_result(&outcome, self.host, 0),
            },
        }
    }

    fn names(&self) -> Vec<String> {
        let tools = self.door.registry().declarations();
        tools.map(|tool| tool.name.clone()).collect()
    }
}

/// What the loop guard takes a call for.
fn class_of(tool: &Declaration) -> CallClass {
    const POLLS: [&str; 6] = [
        "list_tabs",
        "list_tasks",
        "create_task",
        "update_task",
        "ask_user",
        "agent",
    ];
    let on_a_page = [Effects::PAGE, Effects::TABS]
        .into_iter()
        .any(|effect| tool.effects.contains(effect));
    match tool.access {
        _ if POLLS.contains(&tool.name.as_str()) => CallClass::Poll,
        Access::Read => CallClass::Look,
        Access::Write if on_a_page => CallClass::Act,
        Access::Write => CallClass::Change,
    }
}

/// The result of a call, as the machine keeps it.
pub(super) fn call_result(outcome: &CallOutcome, host: &Host, millis: u64) -> CallResult {
    CallResult {
        result: boundary::result_text(outcome),
        model_text: boundary::model_text(outcome, host.entropy.as_ref()),
        is_error: outcome.is_error,
        millis,
        fatal: outcome.fatal,
        ..CallResult::default()
    }
}

impl Driver {
    pub(super) fn run_tool(&mut self, id: &ConversationId, run: ToolRun) {
        let record = self
            .loaded
            .get(id)
            .and_then(|it| it.run.as_ref())
            .map(|run| &run.record);
        let tab = record.and_then(|record| record.tab);
        let window = self
            .models
            .of(record)
            .map_or(u32::MAX, |model| model.choice().window);
        let shelf = Shelf {
            conversation: id.clone(),
            position: run.position,
            tool: run.tool.clone(),
            window,
        };
        let host = self.host.clone();
        let door = self.door_of(id);
        let sender = self.sender.clone();
        let id = id.clone();
        let name = Task::Call(run.call.clone());
        self.spawn_as(name, async move {
            let began = host.clock.now();
            let cx = ToolContext {
                host: host.clone(),
                tab,
                call: run.call.clone(),
                approved: run.approved,
            };
            let outcome = door.call(cx, &run.tool, &run.arguments).await;
            let millis = host.clock.now().0.saturating_sub(began.0);
            let outcome = shelf.put(&door, outcome, &host, millis).await;
            let call = run.call;
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
        let door = self.doors.of(None).door.clone();
        let sender = self.sender.clone();
        let call = CallId(Ids::new(host.entropy.next()).fresh());
        self.spawn_as(console(&op), async move {
            let began = host.clock.now();
            let cx = ToolContext {
                host: host.clone(),
                tab,
                call,
                // Whoever runs a tool by hand has allowed it.
                approved: true,
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
