//! A browser: tabs, lifecycle and views behind one handle.

use std::cell::RefCell;
use std::rc::Rc;

use futures::future::LocalBoxFuture;
use tabwright_protocol::{EventEnvelope, Millis, OriginRule, Tab, TabId, TabProgress};

use super::faults::Switchboard;
use super::tab_strip::{Page, TabStrip};
use super::{Call, FakeClock, FaultPlan};
use crate::{Clock, HostError, Lifecycle, NewTab, Tabs, Views};

/// A browser whose tabs a test edits, and which records what the core asks of it.
#[derive(Clone)]
pub struct FakeBrowser {
    clock: FakeClock,
    calls: Rc<Switchboard>,
    state: Rc<RefCell<State>>,
}

#[derive(Default)]
struct State {
    strip: TabStrip,
    events: Vec<EventEnvelope>,
    wakes: bool,
    origins: Vec<OriginRule>,
}

impl FakeBrowser {
    /// A browser without tabs.
    pub fn new(clock: FakeClock) -> Self {
        Self {
            calls: Rc::new(Switchboard::new(clock.clone())),
            clock,
            state: Rc::default(),
        }
    }

    /// Replaces all tabs.
    pub fn set_tabs(&self, tabs: Vec<Tab>) {
        self.state.borrow_mut().strip.tabs = tabs;
    }

    /// Changes the tabs.
    pub fn edit_tabs(&self, edit: impl FnOnce(&mut Vec<Tab>)) {
        edit(&mut self.state.borrow_mut().strip.tabs);
    }

    /// What becomes of an address that a tab loads, that long after the load began. Any other
    /// address is loaded at once, without a title.
    pub fn set_page(&self, url: &str, after_millis: u64, page: Page) {
        let mut state = self.state.borrow_mut();
        state.strip.set_page(url, after_millis, page);
    }

    /// From now on the tab's page asks the person before it closes, and nobody answers.
    pub fn hold_open(&self, tab: TabId) {
        self.state.borrow_mut().strip.hold_open(tab);
    }

    /// The tabs as they are now, past all faults.
    pub fn tabs(&self) -> Vec<Tab> {
        let mut state = self.state.borrow_mut();
        state.strip.settle(self.clock.now());
        state.strip.tabs.clone()
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
        effect: impl FnOnce(&mut State, Millis) -> Result<T, HostError> + 'static,
    ) -> LocalBoxFuture<'static, Result<T, HostError>> {
        let (state, clock) = (Rc::clone(&self.state), self.clock.clone());
        let effect = move || effect(&mut state.borrow_mut(), clock.now());
        Box::pin(Rc::clone(&self.calls).call(name, arguments, effect))
    }

    /// A call whose answer waits for the tab's load.
    fn ask_and_wait(
        &self,
        name: &'static str,
        arguments: String,
        wait_millis: u32,
        effect: impl FnOnce(&mut TabStrip, Millis) -> Result<TabId, HostError> + 'static,
    ) -> LocalBoxFuture<'static, Result<TabProgress, HostError>> {
        let (state, clock) = (Rc::clone(&self.state), self.clock.clone());
        let asked = self.ask(name, arguments, |state, now| effect(&mut state.strip, now));
        Box::pin(async move {
            let id = asked.await?;
            let limit = u64::from(wait_millis);
            let left = state.borrow().strip.left(id, clock.now());
            let is_loading = state.borrow().strip.is_loading(id);
            let wait = left.unwrap_or(if is_loading { limit } else { 0 });
            clock.sleep(wait.min(limit)).await;
            let mut state = state.borrow_mut();
            state.strip.progress(name, id, clock.now())
        })
    }
}

impl Tabs for FakeBrowser {
    fn list(&self) -> LocalBoxFuture<'static, Result<Vec<Tab>, HostError>> {
        self.ask("tabs.list", String::new(), |state, now| {
            state.strip.settle(now);
            Ok(state.strip.tabs.clone())
        })
    }

    fn open(
        &self,
        tab: NewTab,
        wait_millis: u32,
    ) -> LocalBoxFuture<'static, Result<TabProgress, HostError>> {
        let arguments = tab.url.clone();
        self.ask_and_wait("tabs.open", arguments, wait_millis, move |strip, now| {
            Ok(strip.open(&tab, now))
        })
    }

    fn navigate(
        &self,
        tab: TabId,
        url: &str,
        active: bool,
        wait_millis: u32,
    ) -> LocalBoxFuture<'static, Result<TabProgress, HostError>> {
        let url = url.to_owned();
        let arguments = format!("{} {url}", tab.0);
        self.ask_and_wait(
            "tabs.navigate",
            arguments,
            wait_millis,
            move |strip, now| strip.navigate(tab, &url, active, now),
        )
    }

    fn progress(
        &self,
        tab: TabId,
        wait_millis: u32,
    ) -> LocalBoxFuture<'static, Result<TabProgress, HostError>> {
        let arguments = format!("{} for {wait_millis}", tab.0);
        self.ask_and_wait(
            "tabs.progress",
            arguments,
            wait_millis,
            move |strip, now| {
                strip.progress("tabs.progress", tab, now)?;
                Ok(tab)
            },
        )
    }

    fn close(&self, tab: TabId) -> LocalBoxFuture<'static, Result<(), HostError>> {
        self.ask("tabs.close", tab.0.to_string(), move |state, _| {
            state.strip.close(tab)
        })
    }

    fn activate(&self, tab: TabId) -> LocalBoxFuture<'static, Result<Tab, HostError>> {
        self.ask("tabs.activate", tab.0.to_string(), move |state, now| {
            state.strip.activate(tab, now)
        })
    }
}

impl Lifecycle for FakeBrowser {
    fn keep_waking(&self, on: bool) -> LocalBoxFuture<'static, Result<(), HostError>> {
        self.ask("lifecycle.keep_waking", on.to_string(), move |state, _| {
            state.wakes = on;
            Ok(())
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
        self.ask(
            "lifecycle.local_origins",
            servers.join(" "),
            move |state, _| {
                state.origins = rules;
                Ok(())
            },
        )
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
