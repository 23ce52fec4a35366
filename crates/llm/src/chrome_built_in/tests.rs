//! What the model is sent, what comes of its answers, and what its troubles are.

mod answers;
mod request;

use tabwright_protocol::Millis;

use super::ChromeBuiltIn;
use crate::{Endpoint, Provider};

fn endpoint() -> Endpoint {
    Endpoint {
        address: String::new(),
        key: None,
        model: String::new(),
        ..Endpoint::default()
    }
}

#[test]
fn the_status_says_what_kind_of_trouble_it_is() {
    let check = |status: u16, body: &str, expected: &str| {
        let error = ChromeBuiltIn.error(&endpoint(), status, &[], body.as_bytes(), Millis(0));
        let retry = if error.may_retry() { "retry" } else { "final" };
        assert_eq!(format!("{} {retry}: {error}", error.code()), expected);
    };
    check(
        501,
        "It is not here.",
        "model_unavailable final: It is not here.",
    );
    check(503, "Soon.", "model_overloaded retry: Soon.");
    check(413, "Too long.", "model_context_overflow final: Too long.");
    check(500, "It failed.", "model_server retry: It failed.");
    check(
        500,
        "",
        "model_server retry: Chrome's built-in model failed and gave no reason.",
    );
    let error = ChromeBuiltIn.broken(&endpoint(), "it stopped.");
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        (
            "model_cut",
            "Chrome's built-in model gave no whole answer: it stopped."
        )
    );
}
