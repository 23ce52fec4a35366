//! Sub-agents: each works in a conversation of its own, which outlives a death like any other. The
//! call that started it names it, so that the same call finds it again.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::json;
use tabwright_protocol::{
    CENT, CallId, CallState, ConversationId, Event, Millis, NoticeLevel, TurnEndReason, Usage,
};
use tabwright_tools::{Brief, CallOutcome, Door};

use super::doors::Kit;
use super::tool::call_result;
use super::{AgentError, Driver, Message};
use crate::item::{Body, Item};
use crate::machine::{CallResult, Conversation, Input, Limits, Parent, Place, RunRecord};

/// How long a sub-agent may take, in milliseconds.
const LONGEST: u64 = 600_000;
/// How many failed calls a report names.
const FAILURES_NAMED: usize = 5;

/// How long the person's language and time zone are taken to stay as they are, in milliseconds.
const HERE_HOLDS: u64 = 60_000;

/// The person's language and time zone.
#[derive(Clone)]
pub(super) struct Here {
    asked_at: Millis,
    language: String,
    time_zone: String,
    pub(super) utc_offset: i32,
}

impl Driver {
    /// Where a conversation comes from, if it is a sub-agent's.
    pub(super) fn parent_of(&self, id: &ConversationId) -> Option<&Parent> {
        self.loaded.get(id)?.about.parent.as_ref()
    }

    /// The tools of a conversation, and the checks before them.
    pub(super) fn kit_of(&self, id: &ConversationId) -> &Kit {
        self.doors.of(self.parent_of(id).map(|parent| parent.kind))
    }

    /// The door of a conversation's calls.
    pub(super) fn door_of(&self, id: &ConversationId) -> Rc<Door> {
        self.kit_of(id).door.clone()
    }

    /// The run of a conversation; of a sub-agent that is about to begin, the one it belongs to.
    pub(super) fn record_of(&self, id: &ConversationId) -> Option<&RunRecord> {
        let own = self.loaded.get(id)?;
        let run = match (&own.run, &own.about.parent) {
            (Some(run), _) => Some(run),
            (None, Some(parent)) => self.loaded.get(&parent.conversation)?.run.as_ref(),
            (None, None) => None,
        };
        run.map(|run| &run.record)
    }

    /// Where and when a conversation works and what it may use, and what its relatives have used.
    pub(super) fn place(&self, id: &ConversationId) -> (Place, Usage) {
        let parent = self.parent_of(id).map(|parent| &parent.conversation);
        let root = parent.unwrap_or(id);
        let elsewhere = self.used_by_relatives(root, id);
        let here = self.here();
        let place = Place {
            language: here.language,
            time_zone: here.time_zone,
            utc_offset: here.utc_offset,
            limits: self.limits(parent),
            fixed_bytes: self.kit_of(id).bytes,
        };
        (place, elsewhere)
    }

    /// The person's language and time zone. Asked for once a minute at most: every step wants them.
    pub(super) fn here(&self) -> Here {
        let now = self.host.clock.now();
        let mut known = self.here.borrow_mut();
        match &*known {
            Some(here) if now.0.abs_diff(here.asked_at.0) < HERE_HOLDS => here.clone(),
            Some(_) | None => {
                let locale = &self.host.locale;
                let here = Here {
                    asked_at: now,
                    language: locale.language(),
                    time_zone: locale.time_zone(),
                    utc_offset: locale.utc_offset_minutes(now),
                };
                *known = Some(here.clone());
                here
            }
        }
    }

    /// What a turn may use; a sub-agent's turn no more than is left of the one it belongs to.
    fn limits(&self, parent: Option<&ConversationId>) -> Limits {
        let settings = &self.settings;
        let own = Limits {
            rounds: settings.max_rounds,
            tokens: settings.max_tokens,
            millis: u64::from(settings.max_minutes) * 60_000,
            sub_agents: settings.max_sub_agents,
            cost: cents(settings.max_cents),
            day_cost: cents(settings.max_cents_a_day),
            day_tokens: settings.max_tokens_a_day,
        };
        let Some(parent) = parent else { return own };
        let run = self.loaded.get(parent).and_then(|it| it.run.as_ref());
        let Some(run) = run else {
            return Limits {
                millis: LONGEST,
                ..own
            };
        };
        let limits = run.record.limits;
        let rounds = (run.record.round + 1).saturating_sub(run.record.first_round);
        let worked = run.record.worked(self.host.clock.now());
        Limits {
            rounds: limits.rounds.saturating_sub(rounds).max(1),
            tokens: limits.tokens,
            millis: limits.millis.saturating_sub(worked).min(LONGEST),
            sub_agents: 0,
            cost: limits.cost,
            ..own
        }
    }

    /// What a turn and its sub-agents that are still at work have used, without one of them.
    fn used_by_relatives(&self, root: &ConversationId, without: &ConversationId) -> Usage {
        let own = self.loaded.get(root).into_iter();
        let mut usage = Usage::default();
        for relative in own.chain(self.sub_agents_of(root)) {
            if let Some(run) = &relative.run
                && relative.id != *without
            {
                usage += run.record.usage;
            }
        }
        usage
    }

    fn sub_agents_of<'a>(
        &'a self,
        root: &'a ConversationId,
    ) -> impl Iterator<Item = &'a Conversation> {
        self.loaded.values().filter(move |it| {
            let parent = it.about.parent.as_ref();
            parent.is_some_and(|parent| parent.conversation == *root)
        })
    }

    /// Starts a sub-agent, or finds it again after a death: still at work, or done.
    pub(super) fn delegate(
        &mut self,
        id: &ConversationId,
        call: CallId,
        brief: Brief,
    ) -> Result<(), AgentError> {
        let child = ConversationId(call.0.clone());
        if self.load(&child)? {
            self.sub_agent_ended(&child);
            return Ok(());
        }
        let parent = Parent {
            conversation: id.clone(),
            call,
            kind: brief.kind,
            tab: brief.tab,
        };
        let now = self.host.clock.now();
        let conversation =
            Conversation::of_sub_agent(child.clone(), now, brief.description, parent);
        self.loaded.insert(child.clone(), conversation);
        let input = Input::Send {
            text: brief.prompt,
            tab: None,
        };
        self.apply(&child, input, None)
    }

    /// Ends the sub-agent of a call that was given up.
    pub(super) fn abandon_sub_agent(&mut self, call: &CallId) -> Result<(), AgentError> {
        let child = ConversationId(call.0.clone());
        let runs = self.loaded.get(&child).is_some_and(|it| it.run.is_some());
        if runs {
            self.apply(&child, Input::Stop, None)?;
        }
        Ok(())
    }

    /// Ends all sub-agents of a conversation, before it is stopped itself: whatever they were in
    /// the middle of is then on disk, wherever the core dies.
    pub(super) fn stop_sub_agents(&mut self, id: &ConversationId) -> Result<(), AgentError> {
        let running: Vec<ConversationId> = self
            .sub_agents_of(id)
            .filter(|it| it.run.is_some())
            .map(|it| it.id.clone())
            .collect();
        for child in running {
            self.apply(&child, Input::Stop, None)?;
        }
        Ok(())
    }

    /// Whether a sub-agent's call still waits for it.
    pub(super) fn is_wanted(&mut self, child: &ConversationId) -> Result<bool, AgentError> {
        let Some(parent) = self.parent_of(child).cloned() else {
            return Ok(false);
        };
        match self.load(&parent.conversation) {
            Ok(true) => {}
            Ok(false) | Err(AgentError::Unreadable { .. }) => return Ok(false),
            Err(error) => return Err(error),
        }
        let Some(conversation) = self.loaded.get(&parent.conversation) else {
            return Ok(false);
        };
        let calls = conversation.items.iter().filter_map(|it| it.body.call());
        let mut of_it = calls.filter(|call| call.call == parent.call);
        Ok(conversation.run.is_some()
            && of_it.any(|call| matches!(call.state, CallState::Running { .. })))
    }

    /// Gives the call that started it what a sub-agent that is done has come to.
    pub(super) fn sub_agent_ended(&mut self, child: &ConversationId) {
        let Some(conversation) = self.loaded.get(child) else {
            return;
        };
        let (Some(parent), None) = (&conversation.about.parent, &conversation.run) else {
            return;
        };
        let (outcome, usage, millis) = report(conversation);
        let result = call_result(&outcome, &self.host, millis);
        let input = Input::CallDone {
            call: parent.call.clone(),
            outcome: CallResult { usage, ..result },
        };
        let message = Message::Input(parent.conversation.clone(), input);
        // The receiver is the driver's own.
        let _ = self.sender.unbounded_send(message);
    }

    /// Whether a conversation, or a sub-agent of it, waits for the person.
    pub(super) fn family_waits(&self, id: &ConversationId) -> bool {
        let own = self.loaded.get(id).into_iter();
        own.chain(self.sub_agents_of(id))
            .any(Conversation::waits_for_person)
    }

    /// Tells views when a sub-agent begins or ceases to wait for the person.
    pub(super) fn tell_family_waits(&mut self, id: &ConversationId, waits: bool) {
        let Some(parent) = self.parent_of(id).map(|it| it.conversation.clone()) else {
            return;
        };
        let changed = if waits {
            self.waiting.insert(id.clone())
        } else {
            self.waiting.remove(id)
        };
        if let (true, Some(summary)) = (changed, self.summary(&parent)) {
            self.outbox.send(Event::Conversation { summary });
        }
    }
}

/// A limit in cents, in billionths of a dollar.
fn cents(limit: Option<u32>) -> Option<u64> {
    limit.map(|cents| u64::from(cents) * CENT)
}

/// What a sub-agent that is done has come to, what it used, and how long it took.
fn report(conversation: &Conversation) -> (CallOutcome, Usage, u64) {
    let Some(turn) = conversation.items.last().map(|item| &item.turn) else {
        let outcome = CallOutcome::error("no_report", "The sub-agent did nothing.");
        return (outcome, Usage::default(), 0);
    };
    let items: Vec<&Item> = conversation
        .items
        .iter()
        .filter(|item| item.turn == *turn)
        .collect();
    let said = items
        .iter()
        .rev()
        .filter_map(|item| item.body.message())
        .map(|message| message.text.trim())
        .find(|text| !text.is_empty());
    let end = items.iter().rev().find_map(|item| match &item.body {
        Body::TurnEnd {
            reason,
            usage,
            millis,
        } => Some((*reason, *usage, *millis)),
        Body::User { .. }
        | Body::Assistant(_)
        | Body::Call(_)
        | Body::Notice { .. }
        | Body::Hint { .. }
        | Body::Question { .. }
        | Body::Summary { .. }
        | Body::Gone { .. } => None,
    });
    let (reason, usage, millis) = end.unwrap_or((TurnEndReason::Failed, Usage::default(), 0));
    let mut value = match (reason, said) {
        (TurnEndReason::Done, Some(text)) => json!({"result": text}),
        (TurnEndReason::Done, None) => {
            json!({"error": "The sub-agent ended without a report.", "code": "no_report"})
        }
        (TurnEndReason::Stopped, _) => {
            json!({"error": "The sub-agent was stopped before it was done.", "code": "stopped"})
        }
        (TurnEndReason::Limit | TurnEndReason::Failed, _) => {
            let why = last_notice(&items).unwrap_or("It ended early.");
            json!({"error": format!("The sub-agent was not done: {why}"), "code": "not_done"})
        }
    };
    let is_error = value.get("error").is_some();
    if let Some(map) = value.as_object_mut() {
        map.insert("agent_id".into(), json!(conversation.id));
        let failed = failures(&items);
        if !failed.is_empty() {
            map.insert("failed_calls".into(), json!(failed));
        }
        if let (true, Some(text)) = (is_error, said) {
            map.insert("partial".into(), json!(text));
        }
    }
    let outcome = CallOutcome {
        value,
        is_error,
        untrusted: true,
        fatal: false,
    };
    (outcome, usage, millis)
}

fn last_notice<'a>(items: &[&'a Item]) -> Option<&'a str> {
    items.iter().rev().find_map(|item| match &item.body {
        Body::Notice {
            level: NoticeLevel::Error | NoticeLevel::Warning,
            text,
            ..
        } => Some(text.as_str()),
        Body::Notice { .. }
        | Body::User { .. }
        | Body::Assistant(_)
        | Body::Call(_)
        | Body::Hint { .. }
        | Body::Question { .. }
        | Body::Summary { .. }
        | Body::Gone { .. }
        | Body::TurnEnd { .. } => None,
    })
}

/// How often each tool failed, and that which may have happened.
fn failures(items: &[&Item]) -> Vec<String> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for call in items.iter().filter_map(|item| item.body.call()) {
        let what = match &call.state {
            CallState::Done { is_error: true, .. } => format!("{} failed", call.tool),
            CallState::Unknown => format!("{} may have happened", call.tool),
            CallState::Done { .. }
            | CallState::Waiting
            | CallState::Running { .. }
            | CallState::AwaitingApproval { .. }
            | CallState::Asking { .. } => continue,
        };
        *counts.entry(what).or_default() += 1;
    }
    let mut named: Vec<String> = counts
        .into_iter()
        .map(|(what, times)| format!("{what} ({times})"))
        .collect();
    named.truncate(FAILURES_NAMED);
    named
}
