//! The tabs of the fake browser, and what becomes of the addresses they load.
//!
//! Invariant: what a load does is done when the tabs are next looked at after it was due, so one
//! order of calls and one clock give one order of events.

use std::collections::{BTreeMap, BTreeSet};

use tabwright_protocol::{Millis, Tab, TabId, TabProgress, TabStatus, WindowId};

use crate::{HostError, HostErrorKind, NewTab};

/// What becomes of an address that a tab of the fake browser loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// It is loaded.
    Loads {
        /// The page's title.
        title: String,
    },
    /// The server sends the tab on, and that address is loaded.
    Redirects {
        /// Where to.
        to: String,
    },
    /// An error page comes instead.
    Fails {
        /// Such as `net::ERR_CONNECTION_REFUSED`.
        error: String,
    },
    /// An answer without a page: the tab stays as it was.
    Nothing,
    /// A download: a tab that was opened for it closes, any other stays as it was.
    Download,
    /// The page begins to arrive and never ends.
    Unfinished,
    /// The server takes the request and never answers.
    Silent,
}

/// The tabs.
#[derive(Default)]
pub(super) struct TabStrip {
    pub(super) tabs: Vec<Tab>,
    pages: BTreeMap<String, (u64, Page)>,
    loads: BTreeMap<TabId, Load>,
    documents: BTreeMap<TabId, u64>,
    failures: BTreeMap<TabId, String>,
    held: BTreeSet<TabId>,
    /// How many documents there have been.
    last_document: u64,
}

/// A load that has begun.
struct Load {
    url: String,
    due: Millis,
    page: Page,
}

impl TabStrip {
    pub(super) fn set_page(&mut self, url: &str, after_millis: u64, page: Page) {
        self.pages.insert(url.to_owned(), (after_millis, page));
    }

    /// From now on the tab's page asks the person before it closes.
    pub(super) fn hold_open(&mut self, tab: TabId) {
        self.held.insert(tab);
    }

    pub(super) fn open(&mut self, new: &NewTab, now: Millis) -> TabId {
        let id = TabId(self.tabs.iter().map(|tab| tab.id.0).max().unwrap_or(0) + 1);
        let window_id = new.window.unwrap_or(WindowId(1));
        let beside = self.tabs.iter().filter(|tab| tab.window_id == window_id);
        let index = u32::try_from(beside.count()).unwrap_or(u32::MAX);
        self.tabs.push(Tab {
            id,
            url: String::new(),
            title: String::new(),
            active: false,
            window_id,
            index,
            audible: false,
            status: TabStatus::Loading,
        });
        // A tab that was just opened shows nothing, not even a document.
        if new.active {
            self.show(id);
        }
        self.begin(id, &new.url, now);
        id
    }

    pub(super) fn navigate(
        &mut self,
        id: TabId,
        url: &str,
        active: bool,
        now: Millis,
    ) -> Result<TabId, HostError> {
        self.settle(now);
        self.find("tabs.navigate", id)?.status = TabStatus::Loading;
        if active {
            self.show(id);
        }
        self.begin(id, url, now);
        Ok(id)
    }

    pub(super) fn close(&mut self, id: TabId) -> Result<(), HostError> {
        self.find("tabs.close", id)?;
        if !self.held.contains(&id) {
            self.tabs.retain(|tab| tab.id != id);
        }
        Ok(())
    }

    pub(super) fn activate(&mut self, id: TabId, now: Millis) -> Result<Tab, HostError> {
        self.settle(now);
        self.find("tabs.activate", id)?;
        self.show(id);
        Ok(self.find("tabs.activate", id)?.clone())
    }

    pub(super) fn progress(
        &mut self,
        call: &'static str,
        id: TabId,
        now: Millis,
    ) -> Result<TabProgress, HostError> {
        self.settle(now);
        let tab = self.find(call, id)?.clone();
        let pending = self.loads.get(&id).map(|load| load.url.clone());
        let document = self.documents.get(&id).copied();
        let is_new = tab.url.is_empty();
        Ok(TabProgress {
            pending,
            // Tabs that a test put there have a page from the beginning.
            document: (!is_new).then(|| format!("document {}", document.unwrap_or(0))),
            failure: self.failures.get(&id).cloned(),
            tab,
        })
    }

    /// How long until the tab's load ends, if it ever does.
    pub(super) fn left(&self, id: TabId, now: Millis) -> Option<u64> {
        let load = self.loads.get(&id)?;
        match load.page {
            Page::Unfinished | Page::Silent => None,
            Page::Loads { .. }
            | Page::Redirects { .. }
            | Page::Fails { .. }
            | Page::Nothing
            | Page::Download => Some(load.due.0.saturating_sub(now.0)),
        }
    }

    /// Whether the tab is there and loading.
    pub(super) fn is_loading(&self, id: TabId) -> bool {
        let tab = self.tabs.iter().find(|tab| tab.id == id);
        tab.is_some_and(|tab| tab.status == TabStatus::Loading)
    }

    /// Does what the loads that are due do.
    pub(super) fn settle(&mut self, now: Millis) {
        let due: Vec<TabId> = self
            .loads
            .iter()
            .filter(|(_, load)| load.due <= now)
            .map(|(id, _)| *id)
            .collect();
        for id in due {
            if let Some(load) = self.loads.remove(&id) {
                self.end(id, load);
            }
        }
    }

    fn begin(&mut self, id: TabId, url: &str, now: Millis) {
        let at_once = || {
            let title = String::new();
            (0, Page::Loads { title })
        };
        let (after, page) = self.pages.get(url).cloned().unwrap_or_else(at_once);
        self.loads.insert(
            id,
            Load {
                url: url.to_owned(),
                due: Millis(now.0.saturating_add(after)),
                page,
            },
        );
    }

    fn end(&mut self, id: TabId, load: Load) {
        match load.page {
            Page::Loads { title } => self.arrive(id, &load.url, &title, TabStatus::Complete),
            Page::Redirects { to } => self.arrive(id, &to, "", TabStatus::Complete),
            Page::Fails { error } => {
                self.arrive(id, &load.url, "", TabStatus::Complete);
                self.failures.insert(id, error);
            }
            Page::Nothing => self.stay(id),
            Page::Download => {
                let is_new = |tab: &Tab| tab.id == id && tab.url.is_empty();
                self.tabs.retain(|tab| !is_new(tab));
                self.stay(id);
            }
            Page::Unfinished => self.arrive(id, &load.url, "", TabStatus::Loading),
            Page::Silent => {
                self.loads.insert(
                    id,
                    Load {
                        due: Millis(u64::MAX),
                        ..load
                    },
                );
            }
        }
    }

    /// Another document is shown.
    fn arrive(&mut self, id: TabId, url: &str, title: &str, status: TabStatus) {
        self.last_document += 1;
        self.documents.insert(id, self.last_document);
        self.failures.remove(&id);
        if let Some(tab) = self.tabs.iter_mut().find(|tab| tab.id == id) {
            tab.url = url.to_owned();
            tab.title = title.to_owned();
            tab.status = status;
        }
    }

    fn stay(&mut self, id: TabId) {
        if let Some(tab) = self.tabs.iter_mut().find(|tab| tab.id == id) {
            tab.status = TabStatus::Complete;
        }
    }

    fn show(&mut self, id: TabId) {
        let shown = self.tabs.iter().find(|tab| tab.id == id);
        let Some(window) = shown.map(|tab| tab.window_id) else {
            return;
        };
        for tab in self.tabs.iter_mut().filter(|tab| tab.window_id == window) {
            tab.active = tab.id == id;
        }
    }

    fn find(&mut self, call: &'static str, id: TabId) -> Result<&mut Tab, HostError> {
        let found = self.tabs.iter_mut().find(|tab| tab.id == id);
        found.ok_or_else(|| {
            // The browser's own words.
            let message = format!("No tab with id: {}.", id.0);
            HostError::new(call, HostErrorKind::NotFound, message)
        })
    }
}
