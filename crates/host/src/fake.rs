//! Fakes that record every call and fail on purpose, for whole conversations under `cargo test`.
//!
//! Invariant: the same seed and the same script give the same run, byte for byte. Nothing here
//! reads a real clock, real randomness, a disk or a network.

mod browser;
mod clock;
mod entropy;
mod faults;
mod files;
mod http;
mod locale;
mod reader;
mod response;
mod run;
mod tab_strip;
mod texts;
mod tree;

use std::rc::Rc;

use tabwright_protocol::Millis;

use crate::Host;

pub use browser::FakeBrowser;
pub use clock::FakeClock;
pub use entropy::SeededEntropy;
pub use faults::{Call, FaultPlan, Which};
pub use files::{Crash, FakeFiles};
pub use http::{RecordedRequest, RequestState, ScriptedHttp};
pub use locale::FakeLocale;
pub use reader::FakeReader;
pub use response::ScriptedResponse;
pub use run::{run, run_until_stalled};
pub use tab_strip::Page;
pub use texts::FakeTexts;

/// One of each fake, on one clock. Every part is a handle: a clone steers the same thing.
#[derive(Clone)]
pub struct FakeHost {
    /// Time.
    pub clock: FakeClock,
    /// Randomness.
    pub entropy: SeededEntropy,
    /// Tabs, lifecycle and views.
    pub browser: FakeBrowser,
    /// The network.
    pub http: ScriptedHttp,
    /// The workspace's files.
    pub files: FakeFiles,
    /// The person's language and time zone.
    pub locale: FakeLocale,
    /// What reads pages.
    pub reader: FakeReader,
}

impl FakeHost {
    /// What the clock shows at first: some day in 2026.
    pub const START: Millis = Millis(1_780_000_000_000);

    /// A host whose random choices all follow from the seed.
    pub fn new(seed: u64) -> Self {
        let clock = FakeClock::new(Self::START);
        Self {
            entropy: SeededEntropy::new(seed),
            browser: FakeBrowser::new(clock.clone()),
            http: ScriptedHttp::new(clock.clone()),
            files: FakeFiles::new(clock.clone(), seed),
            locale: FakeLocale::default(),
            reader: FakeReader::default(),
            clock,
        }
    }

    /// The host to hand to the core.
    pub fn host(&self) -> Host {
        Host {
            http: Rc::new(self.http.clone()),
            tabs: Rc::new(self.browser.clone()),
            files: Rc::new(self.files.clone()),
            clock: Rc::new(self.clock.clone()),
            entropy: Rc::new(self.entropy.clone()),
            views: Rc::new(self.browser.clone()),
            lifecycle: Rc::new(self.browser.clone()),
            locale: Rc::new(self.locale.clone()),
            reader: Rc::new(self.reader.clone()),
            texts: Rc::new(FakeTexts),
        }
    }
}
