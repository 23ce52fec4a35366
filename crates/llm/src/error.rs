//! What can go wrong: before anything is sent ([`LlmError`]), and with the server's answer
//! ([`ProviderError`]). The messages are for people and hold no key.

use crate::Endpoint;

/// A request that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum LlmError {
    /// The base address cannot be asked.
    #[error(
        "The model's address \"{address}\" cannot be used: {fault}. An address looks like https://api.openai.com/v1."
    )]
    Address {
        /// The address.
        address: String,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// The base address carries a user name or password.
    #[error(
        "The model's address has a user name or password in it, which browsers refuse to send. Put the key into its own field."
    )]
    AddressWithKey,
    /// The key has characters that no header can carry.
    #[error(
        "The model's key has characters in it that no key has, such as a line break. Copy it again."
    )]
    Key,
    /// An extra header cannot be sent. Its value may be a secret, so it is not shown.
    #[error(
        "The model's extra header \"{name}\" cannot be sent: its name or its value has characters that no header has. Write it again."
    )]
    Header {
        /// Its name.
        name: String,
    },
    /// There is no model id.
    #[error("The model record names no model. Put the model's id at the provider into it.")]
    NoModel,
}

/// A server's answer that is no answer of a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    /// What kind of failure.
    pub kind: ProviderErrorKind,
    /// The status code; none for what came in a successful response.
    pub status: Option<u16>,
    /// How many milliseconds the server asks to wait, at most an hour.
    pub retry_after: Option<u64>,
    /// For a person: what happened, with the server's own words.
    pub message: String,
    /// Whether the server is on this machine: other advice helps then.
    pub local: bool,
}

/// What kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderErrorKind {
    /// The key is missing or wrong.
    Auth,
    /// The key, or this browser, may not do that.
    Forbidden,
    /// No such model or address.
    NotFound,
    /// The browser does not have the model, or does not let it be used.
    Unavailable,
    /// Too many requests.
    RateLimited,
    /// The server has too much to do.
    Overloaded,
    /// The conversation is longer than the model can read.
    ContextOverflow,
    /// There is no credit left.
    Quota,
    /// The server does not take the request as it is.
    BadRequest,
    /// The server failed.
    Server,
    /// No response came.
    Network,
    /// The answer ended before it was whole.
    Cut,
    /// What came is not what such a server sends.
    Malformed,
    /// The provider's content rules.
    Refused,
}

impl ProviderError {
    /// An error found in a response that began as a success.
    pub(crate) fn in_answer(kind: ProviderErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            status: None,
            retry_after: None,
            message: message.into(),
            local: false,
        }
    }

    /// The answer broke off; `reason` is in the network's own words.
    pub fn broken_off(endpoint: &Endpoint, reason: &str) -> Self {
        Self {
            kind: ProviderErrorKind::Cut,
            status: None,
            retry_after: None,
            message: format!("The answer broke off: {}.", reason.trim_end_matches('.')),
            local: endpoint.is_local(),
        }
    }

    /// No response came; `reason` is in the network's own words.
    pub fn network(endpoint: &Endpoint, reason: &str) -> Self {
        Self {
            kind: ProviderErrorKind::Network,
            status: None,
            retry_after: None,
            message: format!(
                "The model's server could not be reached: {}.",
                reason.trim_end_matches('.')
            ),
            local: endpoint.is_local(),
        }
    }

    /// The same without the endpoint's key and the values of its headers, which some servers repeat
    /// in their errors; also where a cut went through one.
    pub fn without_key(mut self, endpoint: &Endpoint) -> Self {
        let headers = endpoint.options.headers.iter();
        let values = headers.filter_map(|header| header.value.as_deref());
        let of_address = endpoint.secrets_of_address();
        for secret in endpoint
            .key
            .as_deref()
            .into_iter()
            .chain(values)
            .chain(of_address)
        {
            self.hide(secret.trim());
            // Of “Bearer …” a server repeats what it takes for the key.
            secret.split_whitespace().for_each(|word| self.hide(word));
        }
        self
    }

    fn hide(&mut self, secret: &str) {
        // A shorter one is a word such as "none", and no secret.
        if secret.len() < 8 {
            return;
        }
        self.message = self.message.replace(secret, "…");
        let cut = self.message.strip_suffix('…').and_then(|head| {
            let part = (4..secret.len())
                .rev()
                .filter_map(|length| secret.get(..length))
                .find(|part| head.ends_with(part))?;
            Some(format!("{}…", head.strip_suffix(part)?))
        });
        if let Some(cut) = cut {
            self.message = cut;
        }
    }

    /// Whether the same request may succeed later.
    pub fn may_retry(&self) -> bool {
        match self.kind {
            ProviderErrorKind::RateLimited
            | ProviderErrorKind::Overloaded
            | ProviderErrorKind::Server
            | ProviderErrorKind::Network
            | ProviderErrorKind::Cut => true,
            ProviderErrorKind::Auth
            | ProviderErrorKind::Forbidden
            | ProviderErrorKind::NotFound
            | ProviderErrorKind::Unavailable
            | ProviderErrorKind::ContextOverflow
            | ProviderErrorKind::Quota
            | ProviderErrorKind::BadRequest
            | ProviderErrorKind::Malformed
            | ProviderErrorKind::Refused => false,
        }
    }

    /// snake_case, stable.
    pub fn code(&self) -> &'static str {
        match self.kind {
            ProviderErrorKind::Auth => "model_auth",
            ProviderErrorKind::Forbidden => "model_forbidden",
            ProviderErrorKind::NotFound => "model_not_found",
            ProviderErrorKind::Unavailable => "model_unavailable",
            ProviderErrorKind::RateLimited => "model_rate_limited",
            ProviderErrorKind::Overloaded => "model_overloaded",
            ProviderErrorKind::ContextOverflow => "model_context_overflow",
            ProviderErrorKind::Quota => "model_quota",
            ProviderErrorKind::BadRequest => "model_bad_request",
            ProviderErrorKind::Server => "model_server",
            ProviderErrorKind::Network => "model_network",
            ProviderErrorKind::Cut => "model_cut",
            ProviderErrorKind::Malformed => "model_malformed",
            ProviderErrorKind::Refused => "model_refused",
        }
    }

    /// For a person: what to do about it.
    pub fn advice(&self) -> &'static str {
        match self.kind {
            ProviderErrorKind::Auth => "Check the key in the model's settings.",
            ProviderErrorKind::Forbidden if self.local => {
                "The local server refuses browser extensions. Allow its origin; for Ollama, start it with OLLAMA_ORIGINS=chrome-extension://*."
            }
            ProviderErrorKind::Forbidden => {
                "Check that the key may use this model and that the provider serves your region."
            }
            ProviderErrorKind::NotFound => {
                "Check the model's id, and that the address ends with /v1 or the provider's own base path."
            }
            ProviderErrorKind::Unavailable => "Until it is, choose another model.",
            ProviderErrorKind::RateLimited => "Wait a little, or choose another model.",
            ProviderErrorKind::Overloaded | ProviderErrorKind::Server => {
                "Try again in a moment, or choose another model."
            }
            ProviderErrorKind::ContextOverflow => {
                "Begin a new conversation, or choose a model that can read more."
            }
            ProviderErrorKind::Quota => "Add credit at the provider, or choose another model.",
            ProviderErrorKind::BadRequest => {
                "Check the model's id and that the model can call tools, or choose another model."
            }
            ProviderErrorKind::Network if self.local => {
                "Check that the server is running and that the address has its port."
            }
            ProviderErrorKind::Network => "Check the connection and the model's address.",
            ProviderErrorKind::Cut => "Try again.",
            ProviderErrorKind::Malformed => {
                "Check that the address is the base address of an API, such as https://api.openai.com/v1."
            }
            ProviderErrorKind::Refused => "Try other words, or choose another model.",
        }
    }
}
