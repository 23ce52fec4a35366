//! What a server says when it does not answer: one reader for the shapes that all vendors use.

use tabwright_protocol::Millis;

use crate::json::{Fields, elements, string};
use crate::overflow::{is_over_the_rate_alone, is_overflow};
use crate::retry_after::{delay_of, retry_after};
use crate::{Endpoint, ProviderError, ProviderErrorKind};

/// Of a server's own text, people are shown at most this many characters.
const SHOWN: usize = 500;
/// Of a body that is not JSON, no more than this many bytes are looked at.
const LOOKED_AT: usize = 64 << 10;

/// Where servers put their words.
const MESSAGES: [&str; 7] = [
    "message",
    "detail",
    "error",
    "msg",
    "error_description",
    "error_msg",
    "status_msg",
];
/// Where MiniMax puts its own, also when all is well.
const WRAPPER: &str = "base_resp";

/// An error of a response that is not a success.
pub(crate) fn of_response(
    endpoint: &Endpoint,
    status: u16,
    headers: &[(String, String)],
    body: &[u8],
    now: Millis,
) -> ProviderError {
    let text = String::from_utf8_lossy(body);
    let said = Said::read(&text);
    let kind = said.kind(Some(status));
    let words = &said.message;
    let message = if words.is_empty() {
        format!("The model's server answered with status {status}.")
    } else {
        format!("The model's server answered with status {status}: {words}")
    };
    ProviderError {
        kind,
        status: Some(status),
        retry_after: retry_after(headers, now).or(said.wait),
        message,
        local: endpoint.is_local(),
    }
    .without_key(endpoint)
}

/// An error that came inside a response which began as a success.
pub(crate) fn in_answer(text: &str) -> ProviderError {
    let said = Said::read(text);
    let kind = said.kind(None);
    let words = if said.message.is_empty() {
        "it gave no reason"
    } else {
        &said.message
    };
    let mut error = ProviderError::in_answer(
        kind,
        format!("The model's server ended the answer with an error: {words}"),
    );
    error.status = said.status;
    error.retry_after = said.wait;
    error
}

/// The first characters of what a server sent where an answer should be, for a person.
pub(crate) fn excerpt(text: &str) -> String {
    let head = text
        .char_indices()
        .nth(LOOKED_AT)
        .map_or(text, |(at, _)| &text[..at]);
    let mut words = String::new();
    let visible = head.trim_start_matches('\u{FEFF}').trim_start();
    let plain = if is_page(visible) {
        title(visible).unwrap_or("a web page without a title")
    } else {
        visible
    };
    for word in plain.split(|c: char| c.is_whitespace() || c.is_control()) {
        if !word.is_empty() {
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(word);
        }
    }
    match words.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &words[..at]),
        None => words,
    }
}

/// Whether a text is markup: some servers begin a message with a number in such brackets.
fn is_page(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next() == Some('<')
        && characters
            .next()
            .is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '!' | '?'))
}

fn title(page: &str) -> Option<&str> {
    let lower = page.to_ascii_lowercase();
    let open = lower.find("<title")?;
    let start = open + lower[open..].find('>')? + 1;
    let end = start + lower[start..].find("</title")?;
    Some(page[start..end].trim()).filter(|title| !title.is_empty())
}

/// What a server said, as far as it can be told.
struct Said {
    /// For a person.
    message: String,
    /// All codes and types it named, in lower case.
    codes: String,
    /// A status inside the text.
    status: Option<u16>,
    /// How many milliseconds to wait.
    wait: Option<u64>,
}

/// What Google says beside the message: how long to wait, and why.
fn details<'a>(error: &Fields<'a>) -> Vec<Fields<'a>> {
    let details = error.list("details").into_iter();
    details
        .filter_map(|detail| Fields::parse(detail.get()))
        .collect()
}

/// The first event's data, where the error is framed as the stream that was asked for.
fn unframed(text: &str) -> Option<&str> {
    let is_framed = ["data:", "event:"]
        .iter()
        .any(|field| text.trim_start().starts_with(field));
    let mut lines = text.lines().filter(|_| is_framed);
    lines.find_map(|line| line.trim_start().strip_prefix("data:"))
}

/// Whether a piece of a stream seems to say what went wrong, in none of the usual ways.
pub(crate) fn says_fault(piece: &Fields<'_>) -> bool {
    let names = MESSAGES.iter().chain(&["code", WRAPPER]);
    names.into_iter().any(|name| piece.get(name).is_some())
}

impl Said {
    fn read(text: &str) -> Self {
        let text = unframed(text).unwrap_or(text);
        // Some send the error as the only element of an array.
        let first = serde_json::from_str(text)
            .ok()
            .and_then(|value| elements(value).first().copied());
        let Some(top) = first.and_then(|value| Fields::parse(value.get())) else {
            return Self {
                message: excerpt(text),
                codes: String::new(),
                status: None,
                wait: None,
            };
        };
        let inner = top.object("error").or_else(|| top.object(WRAPPER));
        let fields = inner.as_ref().unwrap_or(&top);
        let mut message = MESSAGES
            .iter()
            .find_map(|name| {
                let value = fields.get(name).or_else(|| top.get(name))?;
                let text = string(value).unwrap_or_else(|| value.get().to_owned());
                Some(text).filter(|text| !text.trim().is_empty())
            })
            .unwrap_or_default();
        // Words under a name that is not known are better than none.
        if message.is_empty() && top.iter().next().is_some() {
            text.clone_into(&mut message);
        }
        // A broker's own message is often only that somebody behind it failed.
        if let Some(behind) = fields.object("metadata").and_then(|data| data.text("raw")) {
            message = format!("{message}: {behind}");
        }
        let mut codes = String::new();
        let details = details(fields);
        for name in ["code", "type", "status", "reason"] {
            for fields in [fields, &top].into_iter().chain(&details) {
                if let Some(value) = fields.get(name) {
                    codes.push_str(value.get());
                    codes.push(' ');
                }
            }
        }
        let status = ["code", "status", "status_code"].iter().find_map(|name| {
            let value = fields.get(name).or_else(|| top.get(name))?;
            let status: u16 = value.get().trim_matches('"').parse().ok()?;
            (400..600).contains(&status).then_some(status)
        });
        Self {
            message: excerpt(&message),
            codes: codes.to_ascii_lowercase(),
            status,
            wait: details
                .iter()
                .find_map(|detail| delay_of(&detail.text("retryDelay")?)),
        }
    }

    fn kind(&self, status: Option<u16>) -> ProviderErrorKind {
        let status = status.or(self.status);
        let message = self.message.to_lowercase();
        let names = |signs: &[&str]| signs.iter().any(|sign| self.codes.contains(sign));
        let says = |signs: &[&str]| signs.iter().any(|sign| message.contains(sign));
        let of_money = [
            "insufficient_quota",
            "insufficient_balance",
            "exceeded_current_quota",
            "billing",
            "credit_balance",
        ];
        // Some have no code for it.
        let without_money = [
            "credit balance is too low",
            "insufficient balance",
            "insufficient credit",
            "used all available credits",
            "reached your specified api usage limits",
        ];
        if names(&of_money) || says(&without_money) {
            return ProviderErrorKind::Quota;
        }
        // What a key may use in a month is no length of a conversation.
        let is_of_key = matches!(status, Some(401 | 402 | 403 | 429));
        let too_long = names(&["context_length", "context_size", "request_too_large"])
            || (!is_of_key && is_overflow(&message))
            || is_over_the_rate_alone(&message);
        if too_long || status == Some(413) {
            return ProviderErrorKind::ContextOverflow;
        }
        // LiteLLM looks a key that is not its own up in a database, and has none.
        let of_key = ["invalid_api_key", "api_key_invalid", "no_db_connection"];
        let wrong_key = [
            "api key not valid",
            "incorrect api key",
            "invalid api key",
            "login fail",
        ];
        if names(&of_key) || says(&wrong_key) {
            return ProviderErrorKind::Auth;
        }
        if says(&["location is not supported"]) {
            return ProviderErrorKind::Forbidden;
        }
        // The model wrote what its own server could not read: the next time it may do better.
        if names(&["tool_use_failed"]) {
            return ProviderErrorKind::Server;
        }
        // A router says that there is no such model where there is none that can call tools.
        if message.contains("support tool") {
            return ProviderErrorKind::BadRequest;
        }
        if names(&["content_filter", "content_policy", "moderation"]) {
            return ProviderErrorKind::Refused;
        }
        match status {
            Some(status) => self.kind_of_status(status),
            None => self.kind_of_codes(),
        }
    }

    fn kind_of_status(&self, status: u16) -> ProviderErrorKind {
        match status {
            401 => ProviderErrorKind::Auth,
            402 => ProviderErrorKind::Quota,
            403 => ProviderErrorKind::Forbidden,
            404 | 405 | 410 => ProviderErrorKind::NotFound,
            408 | 425 => ProviderErrorKind::Server,
            429 => ProviderErrorKind::RateLimited,
            503 | 529 => ProviderErrorKind::Overloaded,
            500..=599 if self.codes.contains("overloaded") => ProviderErrorKind::Overloaded,
            500..=599 => ProviderErrorKind::Server,
            400 if self.codes.contains("model_not_found") => ProviderErrorKind::NotFound,
            400..=499 => ProviderErrorKind::BadRequest,
            // A redirect that nobody followed, or no status at all.
            _ => ProviderErrorKind::Malformed,
        }
    }

    /// The kind of an error without a status. One that says nothing is the server's fault.
    fn kind_of_codes(&self) -> ProviderErrorKind {
        const TABLE: [(&str, ProviderErrorKind); 15] = [
            ("rate_limit", ProviderErrorKind::RateLimited),
            ("too_many_requests", ProviderErrorKind::RateLimited),
            ("resource_exhausted", ProviderErrorKind::RateLimited),
            ("throttl", ProviderErrorKind::RateLimited),
            ("overloaded", ProviderErrorKind::Overloaded),
            ("unavailable", ProviderErrorKind::Overloaded),
            ("authentication", ProviderErrorKind::Auth),
            ("unauthorized", ProviderErrorKind::Auth),
            ("permission", ProviderErrorKind::Forbidden),
            ("forbidden", ProviderErrorKind::Forbidden),
            ("not_found", ProviderErrorKind::NotFound),
            ("notfound", ProviderErrorKind::NotFound),
            ("invalid_request", ProviderErrorKind::BadRequest),
            ("invalid_argument", ProviderErrorKind::BadRequest),
            ("bad_request", ProviderErrorKind::BadRequest),
        ];
        TABLE
            .iter()
            .find(|(sign, _)| self.codes.contains(sign))
            .map_or(ProviderErrorKind::Server, |(_, kind)| *kind)
    }
}
