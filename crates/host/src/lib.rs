//! One trait for each thing outside the core, each with a null and a recording, fault-injecting
//! fake.
//!
//! The core never names Chrome, JavaScript, a socket or a clock: it is handed a [`Host`]. In the
//! extension `web` supplies it; natively [`fake::FakeBrowser`] does, so that whole conversations
//! run under `cargo test`, deterministically. Futures are local (no `Send`): the core has one
//! thread. Dropping a future or a stream cancels what it stands for.

mod clock;
mod error;
pub mod fake;
mod files;
mod http;
mod lifecycle;
mod locale;
mod reader;
mod tabs;
mod texts;
mod views;

use std::rc::Rc;

pub use clock::{Clock, Entropy, NullClock, NullEntropy};
pub use error::{HostError, HostErrorKind};
pub use files::{Entry, EntryKind, FileHead, Files, NullFiles};
pub use futures::future::LocalBoxFuture;
pub use futures::stream::LocalBoxStream;
pub use http::{ByteStream, Http, HttpRequest, HttpResponse, Method, NullHttp, Redirects};
pub use lifecycle::{Lifecycle, NullLifecycle};
pub use locale::{Locale, NullLocale};
pub use reader::{NullReader, PageText, Reader};
pub use tabs::{NewTab, NullTabs, Tabs};
pub use texts::{NullTexts, Texts};
pub use views::{NullViews, Views};

/// Everything outside the core.
#[derive(Clone)]
pub struct Host {
    /// Requests to the network.
    pub http: Rc<dyn Http>,
    /// The browser's tabs.
    pub tabs: Rc<dyn Tabs>,
    /// The workspace's files.
    pub files: Rc<dyn Files>,
    /// Time.
    pub clock: Rc<dyn Clock>,
    /// Randomness.
    pub entropy: Rc<dyn Entropy>,
    /// Whoever watches.
    pub views: Rc<dyn Views>,
    /// What brings the core back, and lets it go.
    pub lifecycle: Rc<dyn Lifecycle>,
    /// The person's language and time zone.
    pub locale: Rc<dyn Locale>,
    /// Pages to text.
    pub reader: Rc<dyn Reader>,
    /// Bytes to text.
    pub texts: Rc<dyn Texts>,
}

impl Host {
    /// A host in which nothing is there: every call fails as unavailable.
    pub fn null() -> Self {
        Self {
            http: Rc::new(NullHttp),
            tabs: Rc::new(NullTabs),
            files: Rc::new(NullFiles),
            clock: Rc::new(NullClock),
            entropy: Rc::new(NullEntropy),
            views: Rc::new(NullViews),
            lifecycle: Rc::new(NullLifecycle),
            locale: Rc::new(NullLocale),
            reader: Rc::new(NullReader),
            texts: Rc::new(NullTexts),
        }
    }
}
