//! What the core may ask of the service worker: a closed list, each call checked there again.
//!
//! The broker never evaluates a path or code it was sent. It holds no state and decides nothing:
//! filters, limits and rules are the core's.

use serde::{Deserialize, Serialize};

use crate::{TabId, WindowId};

/// The longest that a broker call may wait for a tab's load, in milliseconds: a service worker that
/// goes away in the middle takes no more than that with it.
pub const MAX_TAB_WAIT_MILLIS: u32 = 5_000;

/// A call to Chrome that only an extension's own page or worker can make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum BrokerCall {
    /// All tabs of all windows, in Chrome's order (`chrome.tabs.query`). Answered by `tabs`.
    TabsList,
    /// Opens a tab (`chrome.tabs.create`). Answered by `progress`.
    TabsOpen {
        /// An http or https address, or `about:blank`; the broker refuses any other.
        url: String,
        /// Whether its window shows it.
        active: bool,
        /// Its window; none means the one used last.
        window: Option<WindowId>,
        /// How long the answer may wait for the load to end, at most [`MAX_TAB_WAIT_MILLIS`].
        wait_millis: u32,
    },
    /// Loads another address in a tab (`chrome.tabs.update`). Answered by `progress`.
    TabsNavigate {
        /// The tab.
        tab: TabId,
        /// As for `tabs_open`.
        url: String,
        /// Whether its window is to show it; false leaves that as it is.
        active: bool,
        /// As for `tabs_open`.
        wait_millis: u32,
    },
    /// How far a tab's load is (`chrome.tabs.get`). Answered by `progress`.
    TabsProgress {
        /// The tab.
        tab: TabId,
        /// As for `tabs_open`.
        wait_millis: u32,
    },
    /// Closes a tab (`chrome.tabs.remove`). Answered by `done`.
    TabsClose {
        /// The tab.
        tab: TabId,
    },
    /// Makes a window show a tab and focuses the window (`chrome.tabs.update`,
    /// `chrome.windows.update`). Answered by `tab`.
    TabsActivate {
        /// The tab.
        tab: TabId,
    },
    /// Whether turns are open: while they are, an alarm and a stored mark bring the core back when
    /// its document or the whole browser went away. Answered by `done`.
    KeepWaking {
        /// Whether to.
        on: bool,
    },
    /// The local servers that refuse a browser extension's `Origin` and get none from us
    /// (a session rule of `chrome.declarativeNetRequest` for exactly these). Answered by `done`.
    LocalOrigins {
        /// All of them: what is not listed any more is taken back.
        rules: Vec<OriginRule>,
    },
}

/// A local server that is to see no `Origin` of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct OriginRule {
    /// `localhost`, `127.0.0.1` or `[::1]`; the broker refuses any other.
    pub host: String,
    /// The port.
    pub port: u16,
}

/// The broker's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum BrokerReply {
    /// It was done.
    Ok {
        /// What came of it.
        value: BrokerValue,
    },
    /// It was not done, or (for `unavailable` and `timeout`) it is not known whether.
    Error {
        /// What kind of failure.
        kind: BrokerErrorKind,
        /// Chrome's own words, or the broker's.
        message: String,
    },
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "value", rename_all = "snake_case")]
pub enum BrokerValue {
    /// Nothing to tell.
    Done,
    /// Tabs.
    Tabs {
        /// The tabs.
        tabs: Vec<Tab>,
    },
    /// One tab.
    Tab {
        /// The tab.
        tab: Tab,
    },
    /// A tab and its load.
    Progress {
        /// How far it is.
        progress: TabProgress,
    },
}

/// What kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum BrokerErrorKind {
    /// The call, or an argument of it, is not one the broker knows.
    Invalid,
    /// The tab, window or frame is not there.
    NotFound,
    /// Chrome, or the person's choice of permissions, does not allow it.
    Denied,
    /// The service worker went away in the middle, or could not be woken.
    Unavailable,
    /// No answer in time.
    Timeout,
    /// Anything else Chrome said.
    Failed,
}

/// A tab, with the keys that `list_tabs` promises.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Tab {
    /// Chrome's id.
    pub id: TabId,
    /// The address; empty when Chrome does not tell.
    pub url: String,
    /// The title; empty when Chrome does not tell.
    pub title: String,
    /// Whether it is the one shown in its window.
    pub active: bool,
    /// Its window.
    #[serde(rename = "windowId")]
    pub window_id: WindowId,
    /// Its place in the window, from 0.
    pub index: u32,
    /// Whether it makes sound.
    pub audible: bool,
    /// How far it is.
    pub status: TabStatus,
}

/// How far a tab's load is: what Chrome says, without a judgement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TabProgress {
    /// The tab.
    pub tab: Tab,
    /// The address that it is leaving its page for, until the first byte of the next one.
    pub pending: Option<String>,
    /// Which document it shows, in Chrome's words: each load has another, a jump inside a page has
    /// not. None when Chrome does not tell, as for a tab that shows nothing yet.
    pub document: Option<String>,
    /// Why it shows an error page instead: `net::ERR_…`, or that Chrome does not tell why.
    pub failure: Option<String>,
}

/// The tab that a conversation is about, as it was when the person wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct WorkingTab {
    /// Chrome's id.
    pub id: TabId,
    /// The address; empty when Chrome does not tell.
    pub url: String,
    /// The title; empty when Chrome does not tell.
    pub title: String,
}

/// How far a tab is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TabStatus {
    /// Chrome has put it to sleep to save memory.
    Unloaded,
    /// It is loading.
    Loading,
    /// It is loaded.
    Complete,
}
