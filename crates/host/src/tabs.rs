//! The browser's tabs.

use futures::future::LocalBoxFuture;
use tabwright_protocol::{Tab, TabId, TabProgress, WindowId};

use crate::HostError;

/// A tab to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTab {
    /// What it is to show: checked by the caller, and again by the browser's side.
    pub url: String,
    /// Whether its window shows it.
    pub active: bool,
    /// Its window; none means the one used last.
    pub window: Option<WindowId>,
}

/// The browser's tabs.
///
/// `wait_millis` is how long an answer may wait for the load to end: at most
/// [`tabwright_protocol::MAX_TAB_WAIT_MILLIS`]. A load that has ended is answered at once, one that
/// has not goes on; to wait for longer, ask again.
pub trait Tabs {
    /// All tabs of all windows, in the browser's order.
    fn list(&self) -> LocalBoxFuture<'static, Result<Vec<Tab>, HostError>>;

    /// Opens a tab.
    fn open(
        &self,
        tab: NewTab,
        wait_millis: u32,
    ) -> LocalBoxFuture<'static, Result<TabProgress, HostError>>;

    /// Loads another address in a tab; `active` makes its window show it as well.
    fn navigate(
        &self,
        tab: TabId,
        url: &str,
        active: bool,
        wait_millis: u32,
    ) -> LocalBoxFuture<'static, Result<TabProgress, HostError>>;

    /// How far a tab's load is.
    fn progress(
        &self,
        tab: TabId,
        wait_millis: u32,
    ) -> LocalBoxFuture<'static, Result<TabProgress, HostError>>;

    /// Closes a tab. Its page may ask the person first, so afterwards it may still be there.
    fn close(&self, tab: TabId) -> LocalBoxFuture<'static, Result<(), HostError>>;

    /// Makes its window show a tab, and focuses the window.
    fn activate(&self, tab: TabId) -> LocalBoxFuture<'static, Result<Tab, HostError>>;
}

/// No browser.
pub struct NullTabs;

impl Tabs for NullTabs {
    fn list(&self) -> LocalBoxFuture<'static, Result<Vec<Tab>, HostError>> {
        Box::pin(async { Err(HostError::absent("tabs.list")) })
    }

    fn open(&self, _: NewTab, _: u32) -> LocalBoxFuture<'static, Result<TabProgress, HostError>> {
        Box::pin(async { Err(HostError::absent("tabs.open")) })
    }

    fn navigate(
        &self,
        _: TabId,
        _: &str,
        _: bool,
        _: u32,
    ) -> LocalBoxFuture<'static, Result<TabProgress, HostError>> {
        Box::pin(async { Err(HostError::absent("tabs.navigate")) })
    }

    fn progress(
        &self,
        _: TabId,
        _: u32,
    ) -> LocalBoxFuture<'static, Result<TabProgress, HostError>> {
        Box::pin(async { Err(HostError::absent("tabs.progress")) })
    }

    fn close(&self, _: TabId) -> LocalBoxFuture<'static, Result<(), HostError>> {
        Box::pin(async { Err(HostError::absent("tabs.close")) })
    }

    fn activate(&self, _: TabId) -> LocalBoxFuture<'static, Result<Tab, HostError>> {
        Box::pin(async { Err(HostError::absent("tabs.activate")) })
    }
}
