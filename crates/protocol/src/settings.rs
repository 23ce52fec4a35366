//! What the person may set. Every field has a default, so that an older record still reads.

use serde::{Deserialize, Serialize};

/// What the person may set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Settings {
    /// How many model requests one turn may make before it ends with a way to continue. 1 to 500.
    pub max_rounds: u32,
    /// How many tokens one turn may use, requests and answers, sub-agents included, before it ends
    /// with a way to continue. 10,000 to 100,000,000.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub max_tokens: u64,
    /// How many minutes one turn may take, without those in which it waits for the person, before
    /// it ends with a way to continue. 1 to 1,440.
    pub max_minutes: u32,
    /// How many US cents one turn may cost, sub-agents included, before it ends with a way to
    /// continue; null: any number. 1 to 1,000,000. What a model without prices costs is not known.
    pub max_cents: Option<u32>,
    /// How many US cents all turns of a day may cost; null: any number. 1 to 1,000,000.
    pub max_cents_a_day: Option<u32>,
    /// How many tokens all turns of a day may use, requests and answers; null: any number. 10,000 or
    /// more.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub max_tokens_a_day: Option<u64>,
    /// How many sub-agents work at the same time. 1 to 8.
    pub max_sub_agents: u32,
    /// Whether the person is asked before every call that changes something.
    pub ask_before_acting: bool,
    /// After how many minutes without work the core lets go of its memory. 1 to 60.
    pub idle_minutes: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_rounds: 50,
            max_tokens: 2_000_000,
            max_minutes: 60,
            max_cents: None,
            max_cents_a_day: None,
            max_tokens_a_day: None,
            max_sub_agents: 4,
            ask_before_acting: false,
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
        if !(10_000..=100_000_000).contains(&self.max_tokens) {
            return Some(format!(
                "A turn may use 10,000 to 100,000,000 tokens, not {}.",
                self.max_tokens
            ));
        }
        if !(1..=1_440).contains(&self.max_minutes) {
            return Some(format!(
                "A turn may take 1 to 1,440 minutes, not {}.",
                self.max_minutes
            ));
        }
        for (what, cents) in [("A turn", self.max_cents), ("A day", self.max_cents_a_day)] {
            if let Some(cents) = cents.filter(|cents| !(1..=1_000_000).contains(cents)) {
                return Some(format!(
                    "{what} may cost 1 to 1,000,000 cents, not {cents}; leave the field empty for no limit."
                ));
            }
        }
        if let Some(tokens) = self.max_tokens_a_day.filter(|tokens| *tokens < 10_000) {
            return Some(format!(
                "A day may have 10,000 tokens or more, not {tokens}; leave the field empty for no limit."
            ));
        }
        if !(1..=8).contains(&self.max_sub_agents) {
            return Some(format!(
                "1 to 8 sub-agents may work at the same time, not {}.",
                self.max_sub_agents
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
