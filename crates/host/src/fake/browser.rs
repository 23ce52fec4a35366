//! A browser: tabs, lifecycle and views behind one handle.

use std::cell::RefCell;
use std::rc::Rc;

use futures::future::LocalBoxFuture;
use tabwright_protocol::{EventEnvelope, OriginRule, Tab};

use super::faults::Switchboard;
use super::{Call, FakeClock, FaultPlan};
use crate::{HostError, Lifecycle, Tabs, Views};

/// A browser whose tabs a test edits, and which records what the core asks of it.
#[derive(Clone)]
pub struct FakeBrowser {
    calls: Rc<Switchboard>,
    state: Rc<RefCell<State>>,
}

#[derive(Default)]
struct State {
    tabs: Vec<Tab>,
    events: Vec<EventEnvelope>,
    wakes: bool,
    origins: Vec<OriginRule>,
}

impl FakeBrowser {
    /// A browser without tabs.
    pub fn new(clock: FakeClock) -> Self {
        Self {
            calls: Rc::new(Switchboard::new(clock)),
            state: Rc::default(),
        }
    }

    /// Replaces all tabs.
    pub fn set_tabs(&self, tabs: Vec<Tab>) {
        self.state.borrow_mut().tabs = tabs;
    }

    /// Changes the tabs.
    pub fn edit_tabs(&self, edit: impl FnOnce(&mut Vec<Tab>)) {
        edit(&mut self.state.borrow_mut().tabs);
    }

    /// What goes wrong from now on; calls are counted from 1 again.
    pub fn set_faults(&self, plan: FaultPlan) {
        self.calls.set_plan(plan);
    }

    /// Every call, in order.
    pub fn calls(&self) -> Vec<Call> {
        self.calls.calls()
    }

    /// Every event that the views were sent and that was not taken.
    pub fn events(&self) -> Vec<EventEnvelope> {
        self.state.borrow().events.clone()
    }

    /// The events since they were last taken.
    pub fn take_events(&self) -> Vec<EventEnvelope> {
        std::mem::take(&mut self.state.borrow_mut().events)
    }

    /// Whether the browser would bring the core back.
    pub fn wakes(&self) -> bool {
        self.state.borrow().wakes
    }

    /// The local servers that see no `Origin` of ours.
    pub fn origins(&self) -> Vec<OriginRule> {
        self.state.borrow().origins.clone()
    }

    fn ask<T: 'static>(
        &self,
        name: &'static str,
        arguments: String,
        effect: impl FnOnce(&mut State) -> T + 'static,
    ) -> LocalBoxFuture<'static, Result<T, HostError>> {
        let state = Rc::clone(&self.state);
        let effect = move || Ok(effect(&mut state.borrow_mut()));
        Box::pin(Rc::clone(&self.calls).call(name, arguments, effect))
    }
}

impl Tabs for FakeBrowser {
    fn list(&self) -> LocalBoxFuture<'static, Result<Vec<Tab>, HostError>> {
        self.ask("tabs.list", String::new(), |state| state.tabs.clone())
    }
}

impl Lifecycle for FakeBrowser {
    fn keep_waking(&self, on: bool) -> LocalBoxFuture<'static, Result<(), HostError>> {
        self.ask("lifecycle.keep_waking", on.to_string(), move |state| {
            state.wakes = on;
        })
    }

    fn local_origins(
        &self,
        rules: Vec<OriginRule>,
    ) -> LocalBoxFuture<'static, Result<(), HostError>> {
        let servers: Vec<_> = rules
            .iter()
            .map(|rule| format!("{}:{}", rule.host, rule.port))
            .collect();
        self.ask("lifecycle.local_origins", servers.join(" "), move |state| {
            state.origins = rules;
        })
    }

    fn rest(&self) {
        self.calls.note("lifecycle.rest");
    }
}

impl Views for FakeBrowser {
    fn emit(&self, event: EventEnvelope) {
        self.state.borrow_mut().events.push(event);
    }
}
