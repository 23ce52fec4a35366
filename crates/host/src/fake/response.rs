//! What a scripted server answers.

use crate::HostErrorKind;

/// What the script answers to one request.
#[derive(Clone, Debug)]
pub struct ScriptedResponse {
    pub(super) head: Head,
    pub(super) head_after: u64,
    pub(super) final_url: Option<String>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<BodyStep>,
}

/// How the head of the response comes.
#[derive(Clone, Debug)]
pub(super) enum Head {
    Status(u16),
    Fail(HostErrorKind, String),
    Never,
}

/// What happens next in the body.
#[derive(Clone, Debug)]
pub(super) enum BodyStep {
    Chunk(Vec<u8>),
    Wait(u64),
    Break(HostErrorKind),
    Hang,
}

impl ScriptedResponse {
    /// A response with that status, no headers and an empty body.
    pub fn new(status: u16) -> Self {
        Self::with_head(Head::Status(status))
    }

    /// No response comes: the connection fails.
    pub fn fail(kind: HostErrorKind, message: impl Into<String>) -> Self {
        Self::with_head(Head::Fail(kind, message.into()))
    }

    /// No response comes, and no error either.
    pub fn never() -> Self {
        Self::with_head(Head::Never)
    }

    /// The head comes after that long.
    pub fn head_after(self, millis: u64) -> Self {
        Self {
            head_after: millis,
            ..self
        }
    }

    /// The address after redirects, where it is not the one that was asked.
    pub fn final_url(self, url: &str) -> Self {
        Self {
            final_url: Some(url.to_owned()),
            ..self
        }
    }

    /// A header; its name is lower-cased, as a host does.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers
            .push((name.to_ascii_lowercase(), value.to_owned()));
        self
    }

    /// The next piece of the body.
    pub fn chunk(self, bytes: impl AsRef<[u8]>) -> Self {
        self.then(BodyStep::Chunk(bytes.as_ref().to_vec()))
    }

    /// Nothing comes for that long.
    pub fn wait(self, millis: u64) -> Self {
        self.then(BodyStep::Wait(millis))
    }

    /// The connection breaks here.
    pub fn break_with(self, kind: HostErrorKind) -> Self {
        self.then(BodyStep::Break(kind))
    }

    /// Nothing comes from here on, and the connection stays open.
    pub fn hang(self) -> Self {
        self.then(BodyStep::Hang)
    }

    fn with_head(head: Head) -> Self {
        Self {
            head,
            head_after: 0,
            final_url: None,
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    fn then(mut self, step: BodyStep) -> Self {
        self.body.push(step);
        self
    }
}
