//! The one error of this crate. A tool's error is text for the model, or fatal; nothing else.

use tabwright_host::{HostError, HostErrorKind};

use crate::{Access, CallOutcome, Declaration};

/// Why a call gave no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// The model is told, and goes on.
    #[error("{message}")]
    Reply {
        /// snake_case, stable.
        code: String,
        /// One or two sentences: what was wrong, and what would work.
        message: String,
        /// Whether the message holds text from a page, a server or a script.
        outside: bool,
    },
    /// A call to the outside failed; the model is told which, and goes on.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The turn cannot go on.
    #[error("{0}")]
    Fatal(String),
}

impl ToolError {
    /// An error in this program's own words.
    pub fn reply(code: &str, message: impl Into<String>) -> Self {
        Self::Reply {
            code: code.to_owned(),
            message: message.into(),
            outside: false,
        }
    }

    /// An error that holds text from outside, such as what a page's code threw.
    pub fn outside(code: &str, message: impl Into<String>) -> Self {
        Self::Reply {
            code: code.to_owned(),
            message: message.into(),
            outside: true,
        }
    }

    /// The error result that the given tool's call ends with.
    pub(crate) fn into_outcome(self, declaration: &Declaration) -> CallOutcome {
        match self {
            Self::Reply {
                code,
                message,
                outside,
            } => CallOutcome {
                untrusted: outside,
                ..CallOutcome::error(&code, message)
            },
            // The other side's words may quote a page's address or a server's answer.
            Self::Host(error) => CallOutcome {
                untrusted: declaration.untrusted,
                ..CallOutcome::error(host_code(error.kind), host_message(&error, declaration))
            },
            Self::Fatal(message) => CallOutcome {
                fatal: true,
                ..CallOutcome::error("fatal", message)
            },
        }
    }
}

fn host_code(kind: HostErrorKind) -> &'static str {
    match kind {
        HostErrorKind::Invalid => "rejected",
        HostErrorKind::NotFound => "not_found",
        HostErrorKind::Denied => "denied",
        HostErrorKind::Unavailable => "unavailable",
        HostErrorKind::Timeout => "timeout",
        HostErrorKind::Full => "storage_full",
        HostErrorKind::Locked => "locked",
        HostErrorKind::Failed => "failed",
    }
}

/// Which call failed, the other side's words, and what would work.
fn host_message(error: &HostError, declaration: &Declaration) -> String {
    let in_doubt = error.kind.leaves_doubt() && declaration.access == Access::Write;
    let advice = match error.kind {
        _ if in_doubt => "It may have happened all the same: look before you try again.",
        HostErrorKind::Invalid => "Change the arguments.",
        HostErrorKind::NotFound => "List what is there and use an id or name from the list.",
        HostErrorKind::Denied => "Do without it, or ask the person to allow it.",
        HostErrorKind::Unavailable | HostErrorKind::Timeout => "Try again in a moment.",
        HostErrorKind::Full => "Delete what is not needed, then try again.",
        HostErrorKind::Locked => "Try again when whoever uses it is done.",
        HostErrorKind::Failed => "Try again, or try another way.",
    };
    let words: String = error.message.chars().take(300).collect();
    format!("The call {} failed ({words}). {advice}", error.call)
}
