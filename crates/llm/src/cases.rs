//! The cases that real servers have been seen to produce, each in every wire format it applies to:
//! each ends as an answer, as an error that may be tried again, or as one that may not.
//!
//! The numbers are those of the list of cases that this table follows. What a case is beyond its
//! class (which arguments, which text) is in the formats' own tests.

mod dialects;

use dialects::{DIALECTS, Dialect, End};
use serde_json::{Value, json};
use tabwright_protocol::{Millis, ProviderKind};

use crate::checks::decode;
use crate::testing::{self, KINDS, endpoint, model, outcome, result, tool, user};
use crate::{
    Answer, AssistantCall, ChatRequest, Message, ProviderError, ProviderErrorKind, StopReason,
    make_legal, provider_for,
};

/// What a case ends as.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Class {
    Ok,
    /// An error that may be tried again.
    Retry,
    /// An error that may not.
    Final,
}

fn class(result: &Result<Answer, ProviderError>) -> Class {
    match result {
        Ok(_) => Class::Ok,
        Err(error) if error.may_retry() => Class::Retry,
        Err(_) => Class::Final,
    }
}

/// Runs the cases in each format and says how many that were, and in how many ways they were cut.
fn each(cases: impl Fn(&Dialect) -> Vec<(u8, String, Class)>) -> (usize, usize) {
    let (mut count, mut all_cuts) = (0, 0);
    for dialect in &DIALECTS {
        for (number, body, expected) in cases(dialect) {
            let (result, cuts) = dialect.read_cut(body.as_bytes());
            all_cuts += cuts;
            let (kind, shown) = (dialect.kind, outcome(&result));
            let head: String = body.chars().take(300).collect();
            assert_eq!(
                class(&result),
                expected,
                "case {number}, {kind:?}: {shown}\n{head}"
            );
            if let Err(error) = &result {
                assert!(!error.message.is_empty() && !error.advice().is_empty());
            }
            count += 1;
        }
    }
    (count, all_cuts)
}

/// 1 to 14: bytes and framing.
fn framing(dialect: &Dialect) -> Vec<(u8, String, Class)> {
    let plain = dialect.answer("aé€😀", &[("i", "{}")], End::Stop);
    let mut cases = vec![
        (1, plain.clone(), Class::Ok),
        (3, plain.replace('\n', "\r\n"), Class::Ok),
        (3, plain.replace('\n', "\r"), Class::Ok),
        (3, format!("\u{FEFF}{plain}"), Class::Ok),
        (3, plain.trim_end().to_owned(), Class::Ok),
        (
            9,
            "<!DOCTYPE html><title>502</title>".to_owned(),
            Class::Final,
        ),
        (9, "upstream connect error".to_owned(), Class::Final),
        (10, plain[..plain.len() / 2].replace('€', ""), Class::Retry),
        (
            12,
            dialect.answer(&"a".repeat(10 << 20), &[], End::Stop),
            Class::Ok,
        ),
        (14, String::new(), Class::Retry),
        (14, "\n\n\n".to_owned(), Class::Retry),
    ];
    let error = (dialect.error)("server_error", 500, "Internal error.").to_string();
    cases.push((8, error, Class::Retry));
    if !dialect.is_lines() {
        let event = "event: weather\nid: 7\nretry: 10\ndata: {\"sky\":\"clear\"}\n\n";
        for (number, body) in [
            (4, plain.replace("data: ", "data:")),
            (5, plain.replace("data: ", ": keep-alive\n\ndata: ")),
            (5, plain.replace("data: ", ":\ndata: ")),
            (5, plain.replace("data: ", "data: : comment\n\ndata: ")),
            (6, plain.replace("\"},", "\"},\ndata: ")),
            (7, format!("{plain}data: [DONE]\n\n")),
            (13, plain.replace("data: ", &format!("{event}data: "))),
        ] {
            cases.push((number, body, Class::Ok));
        }
        cases.push((14, ": ping\n\n".repeat(300), Class::Retry));
    }
    let text = dialect.body(&(dialect.text)("a"));
    cases.push((7, text, Class::Retry));
    cases
}

/// 15 to 31: calls.
fn calls(dialect: &Dialect) -> Vec<(u8, String, Class)> {
    let answer = |calls: &[(&str, &str)]| dialect.answer("", calls, End::Stop);
    let deep = format!("{{\"d\":{}{}}}", "[".repeat(100), "]".repeat(100));
    let two = [("i", "{\"n\":1}"), ("i", "{\"n\":2}")];
    let end = dialect.body(&(dialect.end)(End::Stop));
    vec![
        (15, answer(&[("i", "{}")]), Class::Ok),
        (20, answer(&two), Class::Ok),
        (
            21,
            answer(&[("", "{\"n\":1}"), ("", "{\"n\":2}")]),
            Class::Ok,
        ),
        (23, answer(&[("i", "{}")]) + &end, Class::Ok),
        (25, answer(&[("i", "{}")]), Class::Ok),
        (
            26,
            dialect.answer("", &[("i", "{\"n\":1}")], End::Length),
            Class::Ok,
        ),
        (27, answer(&[("i", "{\"n\":{\"wrong\":1}}")]), Class::Ok),
        (28, answer(&[("i", "{\"n\":1,\"n\":2}")]), Class::Ok),
        (28, answer(&[("i", &deep)]), Class::Ok),
        (
            29,
            answer(&[("i", "{}")]).replace("\"f\"", "\"no such tool\""),
            Class::Ok,
        ),
        (
            29,
            answer(&[("i", "{}")]).replace("\"f\"", &format!("\"{}\"", "n".repeat(99))),
            Class::Ok,
        ),
        (
            31,
            dialect.answer("<tool_call>{\"name\":\"f\"}</tool_call>", &[], End::Stop),
            Class::Ok,
        ),
    ]
}

/// 38 to 52: errors inside a stream that began as a success, and counts.
fn errors(dialect: &Dialect) -> Vec<(u8, String, Class)> {
    let text = dialect.body(&(dialect.text)("half"));
    let with = |name: &str, code: u16, message: &str| {
        format!(
            "{text}{}",
            dialect.body(&[(dialect.error)(name, code, message)])
        )
    };
    let too_long = "This model's maximum context length is 8192 tokens.";
    vec![
        (
            39,
            with("overloaded_error", 529, "Overloaded"),
            Class::Retry,
        ),
        (39, with("unavailable", 503, "Overloaded"), Class::Retry),
        (40, with("server_error", 500, "It broke."), Class::Retry),
        (
            41,
            with("rate_limit_error", 429, "Slow down."),
            Class::Retry,
        ),
        (42, text.clone(), Class::Retry),
        (
            46,
            with("invalid_request_error", 400, too_long),
            Class::Final,
        ),
        (
            47,
            with("rate_limit_error", 429, "Too many tokens, please wait."),
            Class::Retry,
        ),
        (
            49,
            with("authentication_error", 401, "Revoked."),
            Class::Final,
        ),
        (
            50,
            with("not_found_error", 404, "No such model."),
            Class::Final,
        ),
        (52, dialect.answer("a", &[], End::Stop), Class::Ok),
    ]
}

#[test]
fn every_case_ends_in_its_class_in_every_format() {
    let done = [each(framing), each(calls), each(errors)];
    let count: usize = done.iter().map(|(count, _)| count).sum();
    let cuts: usize = done.iter().map(|(_, cuts)| cuts).sum();
    println!(
        "{count} cases in {} formats, cut in {cuts} ways",
        DIALECTS.len()
    );
    assert!(count >= 150 && cuts > 10_000, "{count} {cuts}");
}

#[test]
fn truncated_arguments_never_run_and_no_call_runs_twice() {
    for dialect in &DIALECTS {
        let half = dialect.answer("", &[("i", "{\"n\":")], End::Length);
        let answer = dialect.read(half.as_bytes()).unwrap();
        let can_run = answer.calls.iter().any(|call| call.complete);
        // On this wire a call is never cut: what stands for one here is a call without arguments.
        let is_whole = dialect.kind == ProviderKind::Gemini;
        assert!(!can_run || is_whole, "{:?}", dialect.kind);
        assert_eq!(answer.stop, StopReason::Length);
        let mut twice = (dialect.call)("i", "{\"n\":1}");
        twice.extend((dialect.end)(End::Stop));
        twice.extend((dialect.end)(End::Stop));
        let answer = dialect.read(dialect.body(&twice).as_bytes()).unwrap();
        assert_eq!(answer.calls.len(), 1, "{:?}", dialect.kind);
        // What comes before the end of the whole is never more than begun.
        let whole = dialect.answer("a", &[("i", "{\"n\":1}")], End::Stop);
        for length in 0..whole.len() {
            if let Ok(answer) = decode(
                provider_for(dialect.kind).read(true),
                &[&whole.as_bytes()[..length]],
            )
            .1
            {
                assert_eq!(answer.calls.len(), 1, "{:?} {length}", dialect.kind);
                assert_eq!(answer.calls[0].arguments, "{\"n\":1}");
            }
        }
    }
}

/// A connection that breaks after the end takes nothing of the answer with it (42).
#[test]
fn the_end_of_an_answer_is_known_and_nothing_before_it_is_taken_for_it() {
    for dialect in &DIALECTS {
        let mut decoder = provider_for(dialect.kind).read(true);
        let mut pieces = (dialect.text)("a");
        pieces.extend((dialect.call)("i", "{\"n\":1}"));
        decoder.feed(dialect.body(&pieces).as_bytes()).unwrap();
        assert!(!decoder.has_ended(), "{:?}", dialect.kind);
        let end = dialect.body(&(dialect.end)(End::Stop));
        decoder.feed(end.as_bytes()).unwrap();
        // There some models give a reason with each piece.
        let is_known = dialect.kind != ProviderKind::Gemini;
        assert_eq!(decoder.has_ended(), is_known, "{:?}", dialect.kind);
    }
}

/// Arguments that no JSON reader of values takes, as a server writes them (28).
#[test]
fn odd_arguments_stay_as_they_were_sent() {
    for dialect in DIALECTS.iter().filter(|it| {
        // Where arguments are a text, it may hold anything; elsewhere the piece itself is no JSON.
        !matches!(it.kind, ProviderKind::Gemini | ProviderKind::Ollama)
    }) {
        for arguments in [
            r#"{"n":1e400}"#,
            r#"{"n":NaN}"#,
            r#"{"n":"\ud83d"}"#,
            "[1]",
            "{n}",
        ] {
            let body = dialect.answer("", &[("i", arguments)], End::Stop);
            let answer = dialect.read(body.as_bytes()).unwrap();
            assert_eq!(answer.calls[0].arguments, arguments, "{:?}", dialect.kind);
        }
    }
    for (kind, body) in [
        (
            ProviderKind::Gemini,
            r#"data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":ARGS}}]},"finishReason":"STOP"}]}"#,
        ),
        (
            ProviderKind::Ollama,
            r#"{"message":{"tool_calls":[{"function":{"name":"f","arguments":ARGS}}]},"done":true}"#,
        ),
    ] {
        for arguments in [r#"{"n":1e400}"#, r#"{"n":"\ud83d"}"#, r#"{"n":1,"n":2}"#] {
            let body = body.replace("ARGS", arguments);
            let (_, answer) = decode(provider_for(kind).read(true), &[body.as_bytes()]);
            assert_eq!(answer.unwrap().calls[0].arguments, arguments);
        }
        let deep = format!("{{\"d\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
        let body = body.replace("ARGS", &deep);
        let (_, answer) = decode(provider_for(kind).read(true), &[body.as_bytes()]);
        assert_eq!(answer.unwrap().calls[0].arguments, deep);
    }
}

/// 32 to 37: whatever the history is, each format gets a legal request.
#[test]
fn every_history_makes_a_request_that_each_format_takes() {
    let call = |arguments: &str| AssistantCall {
        id: "1".to_owned(),
        name: "bad name".to_owned(),
        arguments: arguments.to_owned(),
        opaque: Value::Null,
    };
    let asked = |arguments: &str, opaque: Value| Message::Assistant {
        text: " ".to_owned(),
        thinking: "t".to_owned(),
        calls: vec![call(arguments)],
        opaque,
    };
    let histories = [
        vec![user("a"), model("", &[("1", "f", "{}")])],
        vec![user("a"), result("9", "f", "x")],
        vec![user(" "), user("a"), model("\n", &[]), user("")],
        vec![user("a"), user("b")],
        vec![
            user("a"),
            asked("{\"n\":", Value::Null),
            result("1", "f", ""),
        ],
        // Another format's own, and what is none.
        vec![
            user("a"),
            asked("{}", json!(["{\"type\":\"thinking\"}", 5, null])),
        ],
        vec![
            user("a"),
            asked("{}", json!({"reasoning_content": "\"x\"", "y": "{"})),
        ],
        vec![
            user("a"),
            asked("{}", json!([7, {"bytes": 1}, "x", {"beside": 3}])),
        ],
    ];
    let tools = [tool("f")];
    for history in histories {
        let messages = make_legal(history);
        for kind in KINDS {
            let chat = ChatRequest {
                system: "s",
                messages: &messages,
                tools: &tools,
            };
            let (_, text) = testing::body(kind, &endpoint("https://a.test", "m"), &chat);
            let (call, result) = marks(kind);
            let count = |mark: &str| text.matches(mark).count();
            assert_eq!(count(call), count(result), "{kind:?} {text}");
            assert!(
                !text.contains("{\"n\":,") && !text.contains("\"text\":\" \""),
                "{text}"
            );
        }
    }
}

/// What stands in a request for each message with calls, and for each result: none of the histories
/// has more than one call.
fn marks(kind: ProviderKind) -> (&'static str, &'static str) {
    match kind {
        ProviderKind::OpenAiChat | ProviderKind::Ollama => ("\"tool_calls\":", "\"role\":\"tool\""),
        ProviderKind::OpenAiResponses => ("\"function_call\"", "\"function_call_output\""),
        ProviderKind::Anthropic => ("\"tool_use\"", "\"tool_result\""),
        ProviderKind::Gemini => ("\"functionCall\"", "\"functionResponse\""),
        // Its calls are text.
        ProviderKind::ChromeBuiltIn => ("prompts", "prompts"),
    }
}

/// 38, 39, 46, 47, 49, 50: errors instead of a stream.
#[test]
fn every_status_has_its_class_in_every_format() {
    use ProviderErrorKind::{
        Auth, ContextOverflow, Forbidden, NotFound, Overloaded, Quota, RateLimited, Server,
    };
    let too_long = "prompt is too long: 213462 tokens > 200000 maximum";
    let cases = [
        (401, "authentication_error", "invalid x-api-key", Auth),
        (402, "billing_error", "no credit", Quota),
        (403, "permission_error", "no", Forbidden),
        (404, "not_found_error", "no such model", NotFound),
        (
            413,
            "request_too_large",
            "Request exceeds the maximum size",
            ContextOverflow,
        ),
        (400, "invalid_request_error", too_long, ContextOverflow),
        (500, "api_error", too_long, ContextOverflow),
        (
            429,
            "rate_limit_error",
            "Too many tokens, please wait",
            RateLimited,
        ),
        (429, "rate_limit_error", too_long, RateLimited),
        (500, "api_error", "oops", Server),
        (502, "bad_gateway", "oops", Server),
        (503, "unavailable", "overloaded", Overloaded),
        (529, "overloaded_error", "Overloaded", Overloaded),
    ];
    let mut count = 0;
    for dialect in &DIALECTS {
        for (status, name, message, expected) in cases {
            let body = (dialect.error)(name, status, message).to_string();
            let endpoint = endpoint("https://a.test", "m");
            let headers = [("retry-after".to_owned(), "7".to_owned())];
            let error = provider_for(dialect.kind).error(
                &endpoint,
                status,
                &headers,
                body.as_bytes(),
                Millis(0),
            );
            assert_eq!(error.kind, expected, "{:?} {status} {body}", dialect.kind);
            assert_eq!(error.retry_after, Some(7_000));
            count += 1;
        }
    }
    assert_eq!(count, 65);
}

#[test]
fn a_wait_that_is_said_in_the_body_counts() {
    let body = json!({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "Quota.",
        "details": [{"@type": "type.googleapis.com/google.rpc.Help"},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}]}});
    let error = provider_for(ProviderKind::Gemini).error(
        &endpoint("https://a.test", "m"),
        429,
        &[],
        body.to_string().as_bytes(),
        Millis(0),
    );
    assert_eq!(
        (error.kind, error.retry_after),
        (ProviderErrorKind::RateLimited, Some(34_500))
    );
}
