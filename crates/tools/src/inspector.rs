//! Checks before a call: policy, approval, repetition and budget are each one of these, not a
//! branch in the door.

use serde_json::{Map, Value};
use tabwright_protocol::{CallId, TabId};

use crate::Declaration;

/// What an inspector is told of a call. Its arguments fit the schema.
pub struct CallFacts<'a> {
    /// What the tool says of itself.
    pub declaration: &'a Declaration,
    /// The arguments.
    pub arguments: &'a Map<String, Value>,
    /// The arguments as text: equal for equal arguments.
    pub canonical: &'a str,
    /// The tab that the conversation is about.
    pub tab: Option<TabId>,
    /// The call.
    pub call: &'a CallId,
}

/// What an inspector says to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing against it.
    Allow,
    /// It runs only if the person allows it.
    Ask {
        /// For the person: why they are asked.
        reason: String,
    },
    /// It does not run.
    Refuse {
        /// The rule that forbids it, in snake_case: the error's code.
        rule: String,
        /// For the model: what the rule is, and what would work.
        message: String,
    },
}

/// A check before a call.
pub trait Inspector {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Looks at a call that is about to run.
    fn inspect(&self, call: &CallFacts<'_>) -> Verdict;
}
