//! What the tools did, and what is told of it.

use std::collections::{BTreeMap, BTreeSet};

use tabwright_protocol::{
    CallId, CallState, ConversationId, ItemBody, ItemView, Op, TurnEndReason,
};
use tabwright_tools::Replay;

use super::Looked;
use crate::fault::FaultKind;
use crate::tools::ToolKind;
use crate::world::{Deed, StepId, What};

/// A call of one of the simulation's tools, as it is shown.
struct Shown<'a> {
    conversation: &'a ConversationId,
    item: &'a ItemView,
    state: &'a CallState,
}

impl Looked<'_> {
    pub(super) fn calls(&self) {
        let deeds = self.world.deeds();
        self.once(&deeds);
        let shown = self.shown();
        let mut calls: BTreeMap<&CallId, Vec<&Deed>> = BTreeMap::new();
        for deed in &deeds {
            calls.entry(&deed.call).or_default().push(deed);
        }
        for (call, deeds) in &calls {
            self.call(call, deeds, shown.get(call));
        }
        for (call, shown) in &shown {
            self.result(call, shown);
        }
        self.approvals(&calls);
    }

    /// Writes that may not be repeated are not, and writes with a key are done once.
    fn once(&self, deeds: &[Deed]) {
        let mut begun: BTreeMap<&CallId, u32> = BTreeMap::new();
        let mut begun_steps: BTreeMap<StepId, BTreeSet<&CallId>> = BTreeMap::new();
        let mut changed_steps: BTreeMap<StepId, u32> = BTreeMap::new();
        for deed in deeds {
            match (kind_of(deed.tool).replay(), deed.what) {
                (Replay::BareWrite, What::Began) => {
                    *begun.entry(&deed.call).or_default() += 1;
                    begun_steps.entry(deed.step).or_default().insert(&deed.call);
                }
                (Replay::Keyed, What::Changed) => {
                    *changed_steps.entry(deed.step).or_default() += 1;
                }
                (Replay::Pure | Replay::Keyed | Replay::BareWrite, _) => {}
            }
        }
        for (call, count) in begun {
            if count > 1 {
                let about = format!("the call {call} was begun {count} times");
                self.fault(FaultKind::BareWriteTwice, about);
            }
        }
        for (step, calls) in begun_steps {
            if calls.len() > 1 && !self.may_be_asked_again(step) {
                let about = format!("the step {step} was begun by {calls:?}");
                self.fault(FaultKind::BareWriteTwice, about);
            }
        }
        for (step, count) in changed_steps {
            if count > 1 && !self.may_be_asked_again(step) {
                let about = format!("the step {step} was done {count} times");
                self.fault(FaultKind::KeyedWriteTwice, about);
            }
        }
    }

    /// Whether the history that held the step's result may have been put away.
    fn may_be_asked_again(&self, step: StepId) -> bool {
        let plan = self.scenario.plans.iter().find(|plan| plan.id == step.plan);
        let thread = plan.and_then(|plan| {
            let index = usize::try_from(plan.conversation).ok()?;
            self.person.threads.get(index)
        });
        thread.is_some_and(|thread| !self.removers(&thread.id).is_empty())
    }

    /// The calls of the simulation's tools that are shown.
    fn shown(&self) -> BTreeMap<&CallId, Shown<'_>> {
        let mut shown = BTreeMap::new();
        for (conversation, snapshot) in &self.last.snapshots {
            for item in &snapshot.items {
                if let ItemBody::ToolCall {
                    call, tool, state, ..
                } = &item.body
                    && ToolKind::ALL.iter().any(|kind| kind.name() == tool)
                {
                    let call_shown = Shown {
                        conversation,
                        item,
                        state,
                    };
                    shown.insert(call, call_shown);
                }
            }
        }
        shown
    }

    /// What is told of a call that was begun.
    fn call(&self, call: &CallId, deeds: &[&Deed], shown: Option<&Shown<'_>>) {
        let Some(first) = deeds.first() else { return };
        let replay = kind_of(first.tool).replay();
        let Some(shown) = shown else {
            // A call by hand is in no conversation.
            if first.step.plan > 0 && !self.may_be_asked_again(first.step) {
                let about = format!("the call {call} (step {}) ran and is not shown", first.step);
                self.fault(FaultKind::ResultDropped, about);
            }
            return;
        };
        let about = |what: &str| format!("the call {call} (step {}) {what}", first.step);
        if let Some(late) = self.after_the_end(deeds, shown) {
            let what = format!("{:?} after its turn was over", late.what);
            self.fault(FaultKind::AfterTheEnd, about(&what));
        }
        match shown.state {
            CallState::Unknown if replay != Replay::Pure => self.told(shown, first),
            CallState::Unknown => self.fault(
                FaultKind::ResultDropped,
                about("is unknown, though it may run again"),
            ),
            CallState::Done { result, .. } => {
                let is_the_tools = is_own_result(result, first.step);
                let denies = ["not_run", "before it was begun", "was not run"]
                    .iter()
                    .any(|word| result.contains(word));
                let changed = deeds.iter().any(|deed| deed.what == What::Changed);
                if replay == Replay::BareWrite && !is_the_tools {
                    let what = format!("began, and is told to be {result}");
                    self.fault(FaultKind::UnknownNotShown, about(&what));
                } else if replay == Replay::Keyed && changed && !is_the_tools && denies {
                    let what = format!("was done, and is told to be {result}");
                    self.fault(FaultKind::UnknownNotShown, about(&what));
                }
            }
            // Whether it may be open is for the turn to say.
            CallState::Waiting
            | CallState::AwaitingApproval { .. }
            | CallState::Asking { .. }
            | CallState::Running { .. } => {}
        }
    }

    /// What a call did after the end of its turn, if it did something.
    fn after_the_end<'a>(&self, deeds: &[&'a Deed], shown: &Shown<'_>) -> Option<&'a Deed> {
        // After a jump of the clock, times say nothing of what came first.
        if self.scenario.jump != 0 {
            return None;
        }
        let items = &self.last.snapshots.get(shown.conversation)?.items;
        let end = items.iter().find(|item| {
            let is_end = matches!(item.body, ItemBody::TurnEnd { .. });
            is_end && item.turn == shown.item.turn && item.position > shown.item.position
        })?;
        deeds.iter().find(|deed| deed.at > end.at).copied()
    }

    /// The person is told of what nobody knows: by a notice, or by having stopped it themselves.
    fn told(&self, shown: &Shown<'_>, first: &Deed) {
        let Some(snapshot) = self.last.snapshots.get(shown.conversation) else {
            return;
        };
        let is_told = snapshot.items.iter().any(|item| {
            let is_after = item.turn == shown.item.turn && item.position > shown.item.position;
            is_after
                && match &item.body {
                    ItemBody::Notice { code, .. } => {
                        let ends = [
                            "outcome_unknown",
                            "time_limit",
                            "tool_failed",
                            "interrupted_often",
                        ];
                        ends.contains(&code.as_str())
                    }
                    ItemBody::TurnEnd { reason, .. } => *reason == TurnEndReason::Stopped,
                    ItemBody::Gone => true,
                    ItemBody::UserMessage { .. }
                    | ItemBody::AssistantMessage { .. }
                    | ItemBody::ToolCall { .. }
                    | ItemBody::Question { .. }
                    | ItemBody::Summary { .. } => false,
                }
        });
        if !is_told {
            let about = format!("no notice of step {} in {}", first.step, shown.conversation);
            self.fault(FaultKind::UnknownNotShown, about);
        }
    }

    /// A result is that of its own call.
    fn result(&self, call: &CallId, shown: &Shown<'_>) {
        let CallState::Done {
            result,
            is_error: false,
            ..
        } = shown.state
        else {
            return;
        };
        if !result.contains(&call.0) {
            let about = format!("the call {call} has the result {result}");
            self.fault(FaultKind::ResultDropped, about);
        }
    }

    /// Where the person is asked first, no write began without their word.
    fn approvals(&self, calls: &BTreeMap<&CallId, Vec<&Deed>>) {
        if !self.scenario.settings.ask_before_acting {
            return;
        }
        let allowed: BTreeSet<_> = self
            .person
            .sent
            .iter()
            .filter_map(|sent| match &sent.op {
                Op::Decide {
                    item,
                    approve: true,
                    ..
                } => Some(item),
                Op::Decide { .. }
                | Op::Hello
                | Op::Attach { .. }
                | Op::ListConversations { .. }
                | Op::SendMessage { .. }
                | Op::AnswerQuestion { .. }
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
                | Op::CheckModel { .. }
                | Op::FindModels
                | Op::ListUsage { .. }
                | Op::SaveSettings { .. } => None,
            })
            .collect();
        let shown = self.shown();
        for (call, deeds) in calls {
            let Some(first) = deeds.first() else { continue };
            let is_write = kind_of(first.tool).replay() != Replay::Pure;
            let Some(shown) = shown.get(call).filter(|_| is_write) else {
                continue;
            };
            if !allowed.contains(&shown.item.id) {
                let about = format!("the call {call} (step {}) was never allowed", first.step);
                self.fault(FaultKind::Unapproved, about);
            }
        }
    }
}

/// Whether a result is what the tool itself gave.
fn is_own_result(result: &str, step: StepId) -> bool {
    result.contains(&step.to_string()) || result.contains("as planned")
}

fn kind_of(name: &str) -> ToolKind {
    let mut all = ToolKind::ALL.into_iter();
    all.find(|kind| kind.name() == name)
        .unwrap_or(ToolKind::Look)
}
