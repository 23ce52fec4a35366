//! How a call ended. Every call ends in exactly one of these.

use serde_json::{Value, json};

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub struct CallOutcome {
    /// The result, or `{"error", "code"}`.
    pub value: Value,
    /// Whether it is an error result.
    pub is_error: bool,
    /// Whether the value holds text from outside.
    pub untrusted: bool,
    /// Whether the turn must end here. The value is still the call's one result.
    pub fatal: bool,
}

impl CallOutcome {
    /// An error result in this program's own words.
    pub fn error(code: &str, message: impl Into<String>) -> Self {
        Self {
            value: json!({"error": message.into(), "code": code}),
            is_error: true,
            untrusted: false,
            fatal: false,
        }
    }
}
