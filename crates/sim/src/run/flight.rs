//! What works must be at work at something: before much time passes, each turn that is going has a
//! request out, a tool running, a pause that ends, a sub-agent at work, or a question open.

use tabwright_protocol::{Activity, CallState, ItemBody, RunView};

use super::Run;
use crate::fault::FaultKind;
use crate::view::Shown;

/// A shorter wait may be one for the browser, before a request goes out.
const LONG: u64 = 5_000;

impl Run<'_> {
    /// Looks at what is going on, when nothing will happen for so many milliseconds.
    pub(super) fn look_before_waiting(&self, millis: u64) {
        if millis < LONG || self.life.is_none() || !self.person.sees_all() {
            return;
        }
        let mut at_model = 0;
        let mut at_tools = 0;
        for (id, shown) in &self.person.view.conversations {
            let RunView::Working { activity, .. } = &shown.run else {
                continue;
            };
            let is_named = match activity {
                Activity::WaitingForModel | Activity::Streaming | Activity::Compacting => {
                    at_model += 1;
                    true
                }
                Activity::RunningTools => {
                    at_tools += running(shown);
                    self.has_open_call(shown)
                }
                Activity::WaitingForPerson => shown.asks() || self.has_open_call(shown),
                Activity::Retrying { .. } => true,
            };
            if !is_named {
                let about = format!("{id} is at work ({activity:?}), and nothing of it is");
                self.world.fault(FaultKind::TurnStuck, about);
            }
        }
        let requests = self.host.puppet.open_requests();
        if at_model > requests {
            let about =
                format!("{at_model} turns wait for the model, and {requests} requests are out");
            self.world.fault(FaultKind::TurnStuck, about);
        }
        let tools = self.world.running();
        if at_tools > tools {
            let about = format!("{at_tools} calls are shown as running, and {tools} run");
            self.world.fault(FaultKind::TurnStuck, about);
        }
    }

    /// Whether a call of the conversation is going on, or its sub-agent.
    fn has_open_call(&self, shown: &Shown) -> bool {
        shown.items.values().any(|item| match &item.body {
            ItemBody::ToolCall { state, child, .. } => match (state, child) {
                (CallState::Running { .. }, Some(child)) => {
                    let shown = self.person.view.conversations.get(child);
                    shown.is_some_and(|shown| !shown.is_idle())
                }
                (CallState::Running { .. }, None) => true,
                (CallState::AwaitingApproval { .. } | CallState::Asking { .. }, _) => true,
                (CallState::Waiting | CallState::Done { .. } | CallState::Unknown, _) => false,
            },
            ItemBody::UserMessage { .. }
            | ItemBody::AssistantMessage { .. }
            | ItemBody::Question { .. }
            | ItemBody::Summary { .. }
            | ItemBody::Notice { .. }
            | ItemBody::TurnEnd { .. }
            | ItemBody::Gone => false,
        })
    }
}

/// How many calls are shown as running that are no sub-agents.
fn running(shown: &Shown) -> usize {
    let items = shown.items.values();
    items.filter(|item| crate::view::works(item)).count()
}
