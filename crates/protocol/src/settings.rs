//! What the person may set. Every field has a default, so that an older record still reads.

use serde::{Deserialize, Serialize};

/// What the person may set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Settings {
    /// How many model requests one turn may make before it ends with a way to continue. 1 to 500.
    pub max_rounds: u32,
    /// After how many minutes without work the core lets go of its memory. 1 to 60.
    pub idle_minutes: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_rounds: 50,
            idle_minutes: 5,
        }
    }
}

impl Settings {
    /// The field that is out of its range, in words, if any.
    pub fn fault(&self) -> Option<String> {
        if !(1..=500).contains(&self.max_rounds) {
            return Some(format!(
                "A turn may make 1 to 500 model requests, not {}.",
                self.max_rounds
            ));
        }
        if !(1..=60).contains(&self.idle_minutes) {
            return Some(format!(
                "The core may rest after 1 to 60 minutes without work, not {}.",
                self.idle_minutes
            ));
        }
        None
    }
}
