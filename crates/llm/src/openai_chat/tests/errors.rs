//! Errors inside a body that began as a success, and errors instead of one.

use tabwright_protocol::Millis;

use super::{check, check_body, decode, delta, end, show, stream};
use crate::{Endpoint, OpenAiChat, Provider, ProviderError, ProviderErrorKind};

#[test]
fn an_error_in_a_successful_body_is_an_error() {
    let check_error = |error: &str, expected: &str| {
        check(&[error], expected);
        check_body(error.as_bytes(), expected);
        check(
            &[&delta(r#"{"content":"a"}"#), error, &end("stop")],
            expected,
        );
    };
    check_error(
        r#"{"error":{"message":"The model is busy","type":"overloaded_error"}}"#,
        "Overloaded: The model's server ended the answer with an error: The model is busy",
    );
    check_error(
        r#"{"error":{"message":"Slow down","code":429}}"#,
        "RateLimited: The model's server ended the answer with an error: Slow down",
    );
    check_error(
        r#"{"error":"out of memory"}"#,
        "Server: The model's server ended the answer with an error: out of memory",
    );
    check_error(
        r#"{"object":"error","message":"This model's maximum context length is 10 tokens.","code":400}"#,
        "ContextOverflow: The model's server ended the answer with an error: This model's maximum context length is 10 tokens.",
    );
    check_error(
        r#"{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"upstream is down"}},"choices":[]}"#,
        "Server: The model's server ended the answer with an error: Provider returned error: upstream is down",
    );
    check_error(
        r#"{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error","error":{"code":429,"message":"Slow down"}}]}"#,
        "RateLimited: The model's server ended the answer with an error: Slow down",
    );
}

#[test]
fn the_wait_that_an_error_in_a_successful_body_asks_for_is_told() {
    let error = r#"data: {"error":{"code":429,"message":"m","details":[{"reason":"x"},{"retryDelay":"34s"}]}}"#;
    let (_, result) = decode([format!("{error}\n\n").as_bytes()]);
    assert_eq!(result.unwrap_err().retry_after, Some(34_000));
}

#[test]
fn an_error_event_is_an_error() {
    check_body(
        b"event: error\ndata: {\"code\":\"rate_limit_exceeded\",\"message\":\"slow\"}\n\n",
        "RateLimited: The model's server ended the answer with an error: slow",
    );
    check_body(
        b"event: error\ndata: it broke\n\n",
        "Server: The model's server ended the answer with an error: it broke",
    );
    let text = format!("data: {}\n\n", delta(r#"{"content":"a"}"#));
    let error = r#"error: {"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}"#;
    check_body(
        format!("{text}{error}\n\n").as_bytes(),
        "ContextOverflow: The model's server ended the answer with an error: the request exceeds the available context size",
    );
}

#[test]
fn other_json_is_an_error_with_the_servers_words() {
    check_body(
        br#"[{"error":{"code":503,"message":"try later","status":"UNAVAILABLE"}}]"#,
        "Overloaded: The model's server ended the answer with an error: try later",
    );
    check_body(
        br#"{"detail":"Not Found"}"#,
        "Server: The model's server ended the answer with an error: Not Found",
    );
    check_body(
        b"{\"error\":{\"message\":\"no\",\"code\":401}}\n\ndata: [DONE]\n\n",
        "Auth: The model's server ended the answer with an error: no",
    );
    check_body(
        br#"{"errors":[{"code":7003}]}"#,
        r#"Server: The model's server ended the answer with an error: {"errors":[{"code":7003}]}"#,
    );
    let line = format!("{}\n", delta(r#"{"content":"a"}"#));
    let cut = "Cut: The model's answer ended before it was complete.";
    check_body(format!("{line}{line}").as_bytes(), cut);
    check_body(
        format!("{line}{line}{}\n", end("stop")).as_bytes(),
        "text \"aa\"\nEndTurn",
    );
    check_body(
        b"{}",
        "Server: The model's server ended the answer with an error: it gave no reason",
    );
    check_body(
        b"{\"choices\":[{\"mess",
        "Cut: The model's answer ended before it was complete.",
    );
}

#[test]
fn a_piece_that_is_of_no_answer_is_told_where_nothing_else_came() {
    let check_odd = |piece: &str, expected: &str| {
        check(&[piece], expected);
        check_body(piece.as_bytes(), expected);
        // With an answer it is an aside.
        check(
            &[piece, &delta(r#"{"content":"a"}"#), &end("stop")],
            "text \"a\"\nEndTurn",
        );
    };
    // MiniMax.
    check_odd(
        r#"{"id":"1","choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}"#,
        "Quota: The model's server ended the answer with an error: insufficient balance",
    );
    check_odd(
        r#"{"base_resp":{"status_code":1004,"status_msg":"login fail: carry the key"}}"#,
        "Auth: The model's server ended the answer with an error: login fail: carry the key",
    );
    check_odd(
        r#"{"code":50505,"message":"Service overloaded","data":null}"#,
        "Server: The model's server ended the answer with an error: Service overloaded",
    );
}

#[test]
fn an_answer_that_its_server_gave_up_is_an_error() {
    let text = delta(r#"{"content":"a"}"#);
    check(
        &[
            &text,
            r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"x_groq":{"id":"r","error":"over capacity"}}"#,
        ],
        "Server: The model's server ended the answer with an error: over capacity",
    );
    check(
        &[&text, &end("abort")],
        "Server: The model's server failed in the middle of the answer.",
    );
}

#[test]
fn a_web_page_or_other_text_is_no_answer() {
    check_body(
        b"<!doctype html><html><head><title>\n Sign in </title></head><body>x</body></html>",
        "Malformed: The model's server sent something else than an answer: Sign in",
    );
    check_body(
        b"\n<html><body>x",
        "Malformed: The model's server sent something else than an answer: a web page without a title",
    );
    check_body(
        b"upstream connect error\nreset",
        "Malformed: The model's server sent something else than an answer: upstream connect error reset",
    );
    check(
        &["{\"choices\":"],
        "Malformed: The model's server sent a piece that is not JSON: {\"choices\":",
    );
}

#[test]
fn an_answer_without_its_end_is_cut() {
    let text = format!("data: {}\n\n", delta(r#"{"content":"a"}"#));
    let expected = "Cut: The model's answer ended before it was complete.";
    check_body(text.as_bytes(), expected);
    check_body(format!("{text}data: {{\"choi").as_bytes(), expected);
    check_body(b": keep-alive\n\n", expected);
    check_body(b"data: [DONE]\n\n", expected);
    check_body(b"data: {\"choices\":[]}\n\ndata: [DONE]\n\n", expected);
    check_body(b"", "Cut: The model's server sent nothing.");
    check_body(b" \n ", "Cut: The model's server sent nothing.");
}

#[test]
fn what_came_before_a_break_is_still_there_and_its_calls_are_incomplete() {
    let mut decoder = OpenAiChat.read(true);
    let chunks = [
        delta(r#"{"content":"a","reasoning_content":"hm"}"#),
        delta(r#"{"tool_calls":[{"index":0,"id":"i","function":{"name":"f","arguments":"{}"}}]}"#),
        r#"{"choices":[],"usage":{"prompt_tokens":9}}"#.to_owned(),
    ];
    for chunk in &chunks {
        decoder
            .feed(format!("data: {chunk}\n\n").as_bytes())
            .unwrap();
    }
    let error = decoder.feed(b"data: {\"error\":\"x\"}\n\n").unwrap_err();
    assert_eq!(decoder.feed(b"data: more\n\n"), Err(error.clone()));
    let expected = [
        r#"text "a""#,
        r#"thinking "hm""#,
        "call i f {} incomplete",
        "usage 0/9 0/0",
        r#"kept {"reasoning_content":"\"hm\""}"#,
        "ToolCalls",
    ];
    assert_eq!(show(&decoder.so_far()), expected.join("\n"));
    assert_eq!(decoder.finish(), Err(error));
}

#[test]
fn every_cut_of_an_answer_is_an_error_and_never_a_shorter_answer() {
    let body = stream(&[
        &delta(r#"{"content":"a"}"#),
        &delta(
            r#"{"tool_calls":[{"index":0,"id":"i","function":{"name":"f","arguments":"{\"n\":12}"}}]}"#,
        ),
        &end("tool_calls"),
    ]);
    let (_, whole) = decode([body.as_bytes()]);
    // The last chunk is whole two bytes before the blank line after it ends.
    let needed = body.find("data: [DONE]").unwrap() - 2;
    for length in 0..body.len() {
        let (_, result) = decode([&body.as_bytes()[..length]]);
        match result {
            Ok(answer) => assert!(
                length >= needed && Ok(&answer) == whole.as_ref(),
                "{length}"
            ),
            Err(error) => assert!(length < needed && error.may_retry(), "{length}: {error}"),
        }
    }
}

#[test]
fn a_body_without_end_is_given_up() {
    let mut decoder = OpenAiChat.read(true);
    let piece = format!(
        "data: {}\n\n",
        delta(&format!(r#"{{"content":"{}"}}"#, "a".repeat(1 << 20)))
    );
    let error = (0..100)
        .find_map(|_| decoder.feed(piece.as_bytes()).err())
        .unwrap();
    assert_eq!(error.kind, ProviderErrorKind::Malformed);
}

fn error(address: &str, status: u16, headers: &[(&str, &str)], body: &str) -> ProviderError {
    let endpoint = Endpoint {
        address: address.to_owned(),
        key: Some("sk-secret-key".to_owned()),
        model: "m".to_owned(),
        ..Endpoint::default()
    };
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    OpenAiChat.error(&endpoint, status, &headers, body.as_bytes(), Millis(0))
}

#[test]
fn a_status_and_what_the_server_says_make_the_kind() {
    use ProviderErrorKind::*;
    let check = |status: u16, body: &str, kind: ProviderErrorKind, retry: bool| {
        let error = error("https://a.test/v1", status, &[], body);
        assert_eq!(
            (error.kind, error.may_retry()),
            (kind, retry),
            "{status} {body}: {error}"
        );
        assert!(error.message.contains(&status.to_string()));
        assert!(error.advice().ends_with('.') && error.code().starts_with("model_"));
    };
    check(400, "", BadRequest, false);
    check(
        400,
        r#"{"error":{"message":"API key not valid."}}"#,
        Auth,
        false,
    );
    check(
        400,
        r#"{"error":{"code":"context_length_exceeded","message":"too long"}}"#,
        ContextOverflow,
        false,
    );
    check(
        400,
        r#"{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}"#,
        ContextOverflow,
        false,
    );
    check(
        400,
        r#"{"error":{"code":"content_policy_violation","message":"no"}}"#,
        Refused,
        false,
    );
    check(
        400,
        r#"{"error":{"message":"<400> InternalError: Range of input length should be [1, 129024]"}}"#,
        ContextOverflow,
        false,
    );
    check(
        400,
        r#"{"error":{"code":400,"message":"API key expired.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}"#,
        Auth,
        false,
    );
    check(
        400,
        r#"{"code":"Client specified an invalid argument","error":"Incorrect API key provided: x. See the console."}"#,
        Auth,
        false,
    );
    check(
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}"#,
        Quota,
        false,
    );
    check(
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"You have reached your specified API usage limits. You will regain access on 2027-01-01."}}"#,
        Quota,
        false,
    );
    check(
        400,
        r#"{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}"#,
        Forbidden,
        false,
    );
    check(
        429,
        r#"{"error":{"type":"exceeded_current_quota_error","message":"Your account is suspended."}}"#,
        Quota,
        false,
    );
    check(
        403,
        r#"{"error":{"message":"Monthly token limit exceeded for this key"}}"#,
        Forbidden,
        false,
    );
    check(
        400,
        r#"{"error":{"message":"Failed to call a function.","code":"tool_use_failed","failed_generation":"<function"}}"#,
        Server,
        true,
    );
    check(401, "Unauthorized", Auth, false);
    check(402, "", Quota, false);
    check(403, "", Forbidden, false);
    check(
        404,
        r#"{"error":{"message":"model 'x' not found"}}"#,
        NotFound,
        false,
    );
    check(
        404,
        r#"{"error":{"message":"No endpoints found that support tool use.","code":404}}"#,
        BadRequest,
        false,
    );
    check(408, "", Server, true);
    check(409, "", BadRequest, false);
    check(413, "", ContextOverflow, false);
    check(
        422,
        r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#,
        BadRequest,
        false,
    );
    check(425, "", Server, true);
    check(
        429,
        r#"{"error":{"message":"Too many tokens, please wait"}}"#,
        RateLimited,
        true,
    );
    check(
        429,
        r#"{"error":{"message":"maximum context length of 10 tokens a request"}}"#,
        RateLimited,
        true,
    );
    check(
        429,
        r#"{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}"#,
        Quota,
        false,
    );
    check(
        429,
        r#"{"error":{"message":"Request too large for m on tokens per min (TPM): Limit 30000, Requested 30610. The input or output tokens must be reduced in order to run successfully.","type":"tokens","code":"rate_limit_exceeded"}}"#,
        ContextOverflow,
        false,
    );
    check(
        429,
        r#"{"error":{"message":"Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000.","type":"tokens","code":"rate_limit_exceeded"}}"#,
        RateLimited,
        true,
    );
    check(500, "", Server, true);
    check(
        500,
        r#"{"error":{"message":"the request exceeds the available context size"}}"#,
        ContextOverflow,
        false,
    );
    check(503, "<html><title>503</title></html>", Overloaded, true);
    check(
        529,
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        Overloaded,
        true,
    );
    check(599, "", Server, true);
    check(304, "", Malformed, false);
}

#[test]
fn the_message_has_the_servers_own_words_but_no_key_and_no_end_of_them() {
    let check = |body: &str, expected: &str| {
        let error = error("https://a.test/v1", 400, &[], body);
        let expected = format!("The model's server answered with status 400{expected}");
        assert_eq!(error.to_string(), expected);
    };
    check("", ".");
    check("  \n ", ".");
    check(
        r#"{"errors":[{"code":7003,"message":"no route"}]}"#,
        r#": {"errors":[{"code":7003,"message":"no route"}]}"#,
    );
    check(
        "event: error\r\ndata: {\"error\":{\"message\":\"busy\"}}\r\n\r\n",
        ": busy",
    );
    check("bad\r\n\u{7} request", ": bad request");
    check(
        r#"{"error":{"message":"Wrong key sk-secret-key given"}}"#,
        ": Wrong key … given",
    );
    check(r#"{"error":{"message":"<400> wrong"}}"#, ": <400> wrong");
    check("<html><head><TITLE>Bad gateway</TITLE>", ": Bad gateway");
    let long = "é".repeat(600);
    check(&long, &format!(": {}…", "é".repeat(500)));
}

#[test]
fn the_wait_that_the_server_asks_for_is_told() {
    let wait = |value| error("https://a.test", 429, &[("retry-after", value)], "").retry_after;
    assert_eq!(wait("20"), Some(20_000));
    assert_eq!(wait("nonsense"), None);
}

#[test]
fn advice_knows_a_local_server() {
    let advice = |address, status| error(address, status, &[], "").advice();
    assert!(advice("http://localhost:11434/v1", 403).contains("OLLAMA_ORIGINS"));
    assert!(!advice("https://a.test/v1", 403).contains("OLLAMA_ORIGINS"));
    assert!(advice("https://a.test", 404).contains("/v1"));
    let endpoint = Endpoint {
        address: "http://127.0.0.1:1234/v1".to_owned(),
        key: None,
        model: "m".to_owned(),
        ..Endpoint::default()
    };
    let error = ProviderError::network(&endpoint, "Failed to fetch");
    assert!(
        error.may_retry() && error.advice().contains("running"),
        "{error}"
    );
}

/// Recorded: LiteLLM's proxy.
#[test]
fn errors_of_a_proxy_are_told_apart_and_shown_without_their_frame() {
    let said = |status: u16, body: &str| error("http://127.0.0.1:4000/v1", status, &[], body);
    let framed = "data: {\"error\": {\"message\": \"Error processing stream start\", \"type\": \"internal_server_error\", \"param\": null, \"code\": \"500\"}}\n\ndata: [DONE]\n\n";
    let broken = said(500, framed);
    assert_eq!(broken.kind, ProviderErrorKind::Server);
    assert_eq!(
        broken.message,
        "The model's server answered with status 500: Error processing stream start"
    );
    let key = r#"{"error":{"message":"No connected db.","type":"no_db_connection","param":null,"code":"400"}}"#;
    assert_eq!(said(400, key).kind, ProviderErrorKind::Auth);
}
