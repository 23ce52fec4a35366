//! The one error of this crate.

use tabwright_protocol::BrokerErrorKind;

/// A call to the outside that failed: which call, what kind, and the other side's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{call}: {message}")]
pub struct HostError {
    /// The call, as `trait.method`: `tabs.list`.
    pub call: &'static str,
    /// What kind of failure.
    pub kind: HostErrorKind,
    /// What the other side said.
    pub message: String,
}

/// What kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostErrorKind {
    /// The arguments cannot be right.
    Invalid,
    /// The thing is not there.
    NotFound,
    /// It is not allowed.
    Denied,
    /// The other side is away; whether the call had an effect is not known.
    Unavailable,
    /// No answer in time; whether the call had an effect is not known.
    Timeout,
    /// There is no room left.
    Full,
    /// Somebody else holds it.
    Locked,
    /// Anything else.
    Failed,
}

impl HostError {
    /// An error of the given call.
    pub fn new(call: &'static str, kind: HostErrorKind, message: impl Into<String>) -> Self {
        Self {
            call,
            kind,
            message: message.into(),
        }
    }

    /// What a null host answers.
    pub fn absent(call: &'static str) -> Self {
        Self::new(
            call,
            HostErrorKind::Unavailable,
            "there is nothing here to ask",
        )
    }
}

impl HostErrorKind {
    /// Whether the call may have had its effect all the same.
    pub fn leaves_doubt(self) -> bool {
        match self {
            Self::Unavailable | Self::Timeout | Self::Failed => true,
            Self::Invalid | Self::NotFound | Self::Denied | Self::Full | Self::Locked => false,
        }
    }
}

impl From<BrokerErrorKind> for HostErrorKind {
    fn from(kind: BrokerErrorKind) -> Self {
        match kind {
            BrokerErrorKind::Invalid => Self::Invalid,
            BrokerErrorKind::NotFound => Self::NotFound,
            BrokerErrorKind::Denied => Self::Denied,
            BrokerErrorKind::Unavailable => Self::Unavailable,
            BrokerErrorKind::Timeout => Self::Timeout,
            BrokerErrorKind::Failed => Self::Failed,
        }
    }
}
