//! Answers as they arrive.

use super::{check, end, parts};

#[test]
fn text_and_thoughts_stream_and_thoughts_are_counted_in_the_output() {
    check(
        &[
            &parts(r#"{"text":"Let me think","thought":true}"#),
            &parts(r#"{"text":"Hé"}"#),
            &parts(r#"{"text":"llo 😀"}"#),
            &end(r#"{"text":""}"#, "STOP"),
        ],
        "text \"Héllo 😀\"\nthinking \"Let me think\"\nusage 3/7 5/9\nEndTurn",
    );
}

#[test]
fn signatures_are_kept_with_the_part_they_came_with() {
    check(
        &[
            &parts(r#"{"text":"I look."}"#),
            &parts(
                r#"{"functionCall":{"id":"c1","name":"f","args":{"n": 1.0}},"thoughtSignature":"Cs\/+=="}"#,
            ),
            &parts(r#"{"functionCall":{"name":"g"}},{"functionCall":{"name":"g","args":{}}}"#),
            &end(r#"{"text":"","thoughtSignature":"T="}"#, "STOP"),
        ],
        r#"
        text "I look."
        call c1 f {"n": 1.0}
          kept {"id":"\"c1\"","thoughtSignature":"\"Cs\\/+==\""}
        call call g {}
        call call_2 g {}
        usage 3/7 5/9
        kept [7,null,null,null,{"beside":{"thoughtSignature":"\"T=\""},"bytes":0}]
        ToolCalls"#,
    );
}

#[test]
fn a_call_that_is_said_again_under_its_id_counts_once() {
    let call = parts(r#"{"functionCall":{"id":"c1","name":"f","args":{"n":1}}}"#);
    check(
        &[&call, &call, &end("", "STOP"), &end("", "STOP")],
        "call c1 f {\"n\":1}\nkept {\"id\":\"\\\"c1\\\"\"}\nusage 3/7 5/9\nToolCalls",
    );
    let other = call.replace(":1}", ":2}");
    check(
        &[&call, &other, &end("", "STOP")],
        r#"
        call c1 f {"n":1}
        kept {"id":"\"c1\""}
        call c1_2 f {"n":2}
        kept {"id":"\"c1\""}
        usage 3/7 5/9
        ToolCalls"#,
    );
}

#[test]
fn odd_calls_are_taken_as_they_are() {
    check(
        &[&end(
            r#"{"functionCall":{"args":[1]}},{"functionCall":{"name":"f","args":"{\"n\":1}"}},{"functionCall":7}"#,
            "STOP",
        )],
        r#"
        call call  [1]
        call call_2 f {"n":1}
        usage 3/7 5/9
        ToolCalls"#,
    );
}

#[test]
fn reasons_to_end_are_understood() {
    let check_reason = |reason: &str, expected: &str| {
        check(
            &[&end(r#"{"text":"a"}"#, reason)],
            &format!("text \"a\"\nusage 3/7 5/9\n{expected}"),
        );
    };
    check_reason("STOP", "EndTurn");
    check_reason("MAX_TOKENS", "Length");
    for reason in [
        "SAFETY",
        "RECITATION",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "IMAGE_RECITATION",
        "MODEL_ARMOR",
    ] {
        check_reason(reason, "ContentFilter");
    }
    check(
        &[&end("", "MALFORMED_RESPONSE")],
        "Server: The model wrote an answer that its own server could not read.",
    );
    check_reason("LANGUAGE", "Other(\"LANGUAGE\")");
    for reason in ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"] {
        check(
            &[&end("", reason)],
            "Server: The model wrote a tool call that its own server could not read.",
        );
    }
}

#[test]
fn a_prompt_that_is_blocked_is_an_answer_of_the_filter() {
    check(
        &[
            r#"{"promptFeedback":{"blockReason":"SAFETY","safetyRatings":[]},"usageMetadata":{"promptTokenCount":7}}"#,
        ],
        "usage 0/7 0/0\nContentFilter",
    );
}

#[test]
fn an_answer_without_its_end_is_cut() {
    for part in [
        r#"{"text":"a"}"#,
        r#"{"functionCall":{"name":"f","args":{}}}"#,
    ] {
        let body = crate::testing::stream(&[&parts(part)], false);
        crate::testing::check_body(
            tabwright_protocol::ProviderKind::Gemini,
            body.as_bytes(),
            "Cut: The model's answer ended before it was complete.",
        );
    }
    let body = crate::testing::stream(&[&end(r#"{"text":"a"}"#, "STOP")], false);
    for length in 0..body.len() - 2 {
        let (_, result) = crate::checks::decode(
            crate::Provider::read(&super::super::Gemini, true),
            &[&body.as_bytes()[..length]],
        );
        let error = result.unwrap_err();
        assert!(error.may_retry(), "{length}: {error}");
    }
}

#[test]
fn each_piece_of_an_older_model_may_say_that_it_is_the_end() {
    check(
        &[
            &end(r#"{"text":"a"}"#, "STOP"),
            &end(r#"{"text":"b"}"#, "STOP"),
            &end(r#"{"text":"c"}"#, "MAX_TOKENS"),
        ],
        "text \"abc\"\nusage 3/7 5/9\nLength",
    );
}

#[test]
fn an_error_inside_a_stream_is_an_error_of_its_kind() {
    let check_error = |code: u16, status: &str, message: &str, expected: &str| {
        let error =
            format!(r#"{{"error":{{"code":{code},"message":"{message}","status":"{status}"}}}}"#);
        let expected =
            format!("{expected}: The model's server ended the answer with an error: {message}");
        check(&[&error], &expected);
        check(&[&parts(r#"{"text":"half"}"#), &error], &expected);
        let pretty = format!("[{{\n \"error\": {}\n}}]", &error[9..error.len() - 1]);
        crate::testing::check_body(
            tabwright_protocol::ProviderKind::Gemini,
            pretty.as_bytes(),
            &expected,
        );
    };
    check_error(503, "UNAVAILABLE", "The model is overloaded.", "Overloaded");
    check_error(429, "RESOURCE_EXHAUSTED", "Slow down", "RateLimited");
    check_error(500, "INTERNAL", "oops", "Server");
    check_error(400, "INVALID_ARGUMENT", "bad", "BadRequest");
    check_error(
        400,
        "INVALID_ARGUMENT",
        "API key not valid. Please pass a valid API key.",
        "Auth",
    );
    check_error(
        400,
        "INVALID_ARGUMENT",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        "ContextOverflow",
    );
    check_error(404, "NOT_FOUND", "models/x is not found", "NotFound");
}

#[test]
fn what_is_not_known_is_passed_over() {
    check(
        &[
            r#"{"weatherReport":{"sky":"clear"}}"#,
            r#"{"candidates":[{"index":1,"content":{"parts":[{"text":"b"}]}}]}"#,
            r#"{"candidates":[{"content":{"role":"model"}}]}"#,
            &parts(r#"{"inlineData":{}},7,{"text":7},{"text":"a\ud83d"}"#),
            &end("", "STOP"),
        ],
        "text \"a\u{FFFD}\"\nusage 3/7 5/9\nEndTurn",
    );
}

#[test]
fn odd_counts_are_zero_or_the_largest() {
    let usage = |usage: &str| {
        format!(
            r#"{{"candidates":[{{"content":{{"parts":[{{"text":"a"}}]}},"finishReason":"STOP"}}],"usageMetadata":{usage}}}"#
        )
    };
    check(&[&usage("null")], "text \"a\"\nEndTurn");
    check(
        &[&usage(
            r#"{"promptTokenCount":-1,"candidatesTokenCount":"x"}"#,
        )],
        "text \"a\"\nEndTurn",
    );
    check(
        &[&usage(
            r#"{"promptTokenCount":5,"toolUsePromptTokenCount":2}"#,
        )],
        "text \"a\"\nusage 0/7 0/0\nEndTurn",
    );
}

#[test]
fn an_image_that_the_model_made_is_part_of_the_answer() {
    check(
        &[
            &parts(r#"{"text":"Here."}"#),
            &parts(
                r#"{"inlineData":{"mimeType":"image/png","data":"iVBO\/w=="},"thoughtSignature":"S="}"#,
            ),
            &parts(r#"{"inlineData":{"mimeType":"audio/wav","data":"UklG"}}"#),
            &end(
                r#"{"inlineData":{"mimeType":"image/jpeg","data":"\/9j\/"}}"#,
                "STOP",
            ),
        ],
        r#"
        text "Here."
        image image/png iVBO/w==
        image image/jpeg /9j/
        usage 3/7 5/9
        kept [5,{"beside":{"thoughtSignature":"\"S=\""},"bytes":0}]
        EndTurn"#,
    );
}
