//! Answers as they arrive.

use tabwright_protocol::ProviderKind;

use super::{START, STOP, call, check, check_all, delta, end, start, stop};
use crate::testing::check_body;

const TEXT: &str = r#"{"type":"text","text":""}"#;

fn text(index: u8, piece: &str) -> String {
    delta(
        index,
        &format!(r#"{{"type":"text_delta","text":"{piece}"}}"#),
    )
}

#[test]
fn text_streams_and_counts_include_the_cache() {
    check_all(
        &[
            start(0, TEXT),
            r#"{"type": "ping"}"#.to_owned(),
            text(0, "Hé"),
            text(0, "llo 😀"),
            stop(0),
            end("end_turn"),
        ],
        "text \"Héllo 😀\"\nusage 75/200 0/15\nEndTurn",
    );
}

#[test]
fn thinking_with_its_signature_is_kept_in_its_place() {
    let mut events = vec![
        start(0, r#"{"type":"thinking","thinking":"","signature":""}"#),
        delta(0, r#"{"type":"thinking_delta","thinking":"Let \u00e9 "}"#),
        delta(0, r#"{"type":"thinking_delta","thinking":"me."}"#),
        delta(0, r#"{"type":"signature_delta","signature":"Eq+\/8="}"#),
        stop(0),
        start(1, r#"{"type":"redacted_thinking","data":"EmwK+/=="}"#),
        stop(1),
        start(2, TEXT),
        text(2, "I look."),
        stop(2),
    ];
    events.extend(call(3, "toolu_1", (r#"{"n":"#, "1}")));
    events.push(end("tool_use"));
    check_all(
        &events,
        r#"
        text "I look."
        thinking "Let é me."
        call toolu_1 f {"n":1}
        usage 75/200 0/15
        kept ["{\"type\":\"thinking\",\"thinking\":\"Let \\u00e9 me.\",\"signature\":\"Eq+\\/8=\"}","{\"type\":\"redacted_thinking\",\"data\":\"EmwK+/==\"}",7,null]
        ToolCalls"#,
    );
}

#[test]
fn a_thought_without_signature_is_shown_and_not_kept() {
    check_all(
        &[
            start(0, r#"{"type":"thinking","thinking":"hm"}"#),
            stop(0),
            start(1, r#"{"type":"thinking","thinking":"and"}"#),
            stop(1),
            start(2, TEXT),
            text(2, "a"),
            end("end_turn"),
        ],
        "text \"a\"\nthinking \"hm\\n\\nand\"\nusage 75/200 0/15\nEndTurn",
    );
}

#[test]
fn parallel_calls_are_told_apart_however_they_are_numbered() {
    let expected = r#"
        call a f {"n":1}
        call b f {"n":2}
        usage 75/200 0/15
        ToolCalls"#;
    for second in [1, 0] {
        let mut events = call(0, "a", (r#"{"n":"#, "1}"));
        events.extend(call(second, "b", (r#"{"n""#, ":2}")));
        events.push(end("tool_use"));
        check_all(&events, expected);
        let bare: Vec<_> = events
            .iter()
            .map(|event| {
                event
                    .replace(r#""index":0,"#, "")
                    .replace(r#""index":1,"#, "")
            })
            .collect();
        check_all(&bare, expected);
    }
}

#[test]
fn calls_with_one_id_or_none_get_ids_of_their_own() {
    for (id, expected) in [("x", ["x", "x_2"]), ("", ["call", "call_2"])] {
        let mut events = call(0, id, ("{}", ""));
        events.extend(call(1, id, ("{}", "")));
        events.push(end("tool_use"));
        let [first, second] = expected;
        check_all(
            &events,
            &format!("call {first} f {{}}\ncall {second} f {{}}\nusage 75/200 0/15\nToolCalls"),
        );
    }
}

#[test]
fn arguments_may_be_absent_whole_or_said_twice() {
    let check_input = |input: &str, pieces: (&str, &str), expected: &str| {
        let mut events = call(0, "a", pieces);
        events[0] = events[0].replace(r#""input":{}"#, &format!(r#""input":{input}"#));
        events.push(end("tool_use"));
        let expected = format!("call a f {expected}\nusage 75/200 0/15\nToolCalls");
        check_all(&events, &expected);
    };
    check_input("{}", ("", ""), "{}");
    check_input("null", ("", ""), "{}");
    check_input(r#"{"n": 1.0}"#, ("", ""), r#"{"n": 1.0}"#);
    check_input(r#"{"n":1}"#, (r#"{"n""#, ":1}"), r#"{"n":1}"#);
    check_input(r#"{"n":1}"#, (r#"{"n""#, ""), r#"{"n":1}"#);
}

#[test]
fn a_call_cut_by_the_output_limit_is_incomplete() {
    let mut events = call(0, "a", (r#"{"n":"#, "1}"));
    events.extend(call(1, "b", (r#"{"n":"#, "")));
    events.extend(call(2, "c", ("", "")));
    events.push(end("max_tokens"));
    check_all(
        &events,
        r#"
        call a f {"n":1}
        call b f {"n": incomplete
        call c f {} incomplete
        usage 75/200 0/15
        Length"#,
    );
}

#[test]
fn reasons_to_end_are_understood() {
    let check_reason = |reason: &str, expected: &str| {
        check_all(
            &[start(0, TEXT), text(0, "a"), end(reason)],
            &format!("text \"a\"\nusage 75/200 0/15\n{expected}"),
        );
    };
    check_reason("end_turn", "EndTurn");
    check_reason("stop_sequence", "EndTurn");
    check_reason("max_tokens", "Length");
    check_reason("model_context_window_exceeded", "Length");
    check_reason("refusal", "Refusal");
    check_reason("pause_turn", "Other(\"pause_turn\")");
    let mut events = call(0, "a", ("{}", ""));
    events.extend([end("end_turn"), end("max_tokens")]);
    check_all(&events, "call a f {}\nusage 75/200 0/15\nToolCalls");
}

#[test]
fn nothing_after_the_end_is_read_and_the_end_may_be_missing() {
    let events = [start(0, TEXT), text(0, "a"), end("end_turn")];
    let mut all = vec![START, &events[0], &events[1], &events[2]];
    check(&all, "text \"a\"\nusage 75/200 0/15\nEndTurn");
    let late = text(0, "late");
    all.extend([STOP, &late, r#"{"type":"error","error":{"message":"x"}}"#]);
    check(&all, "text \"a\"\nusage 75/200 0/15\nEndTurn");
    check(
        &all[..3],
        "Cut: The model's answer ended before it was complete.",
    );
    check(
        &[r#"{"type":"ping"}"#],
        "Cut: The model's answer ended before it was complete.",
    );
}

#[test]
fn an_error_inside_a_stream_is_an_error_of_its_kind() {
    let check_error = |kind: &str, message: &str, expected: &str| {
        let error = format!(
            r#"{{"type":"error","error":{{"type":"{kind}","message":"{message}"}},"request_id":"r"}}"#
        );
        let expected =
            format!("{expected}: The model's server ended the answer with an error: {message}");
        check(&[&error], &expected);
        check(
            &[START, &start(0, TEXT), &text(0, "half"), &error],
            &expected,
        );
        check_body(ProviderKind::Anthropic, error.as_bytes(), &expected);
    };
    check_error("overloaded_error", "Overloaded", "Overloaded");
    check_error("rate_limit_error", "Slow down", "RateLimited");
    check_error("api_error", "Internal server error", "Server");
    check_error("authentication_error", "invalid x-api-key", "Auth");
    check_error("permission_error", "no", "Forbidden");
    check_error("not_found_error", "model: x", "NotFound");
    check_error("billing_error", "Your credit is too low", "Quota");
    check_error("timeout_error", "took too long", "Server");
    check_error(
        "invalid_request_error",
        "prompt is too long: 213462 tokens > 200000 maximum",
        "ContextOverflow",
    );
}

#[test]
fn an_answer_that_is_not_streamed_is_read_too() {
    let body = r#"{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"S="},{"type":"text","text":"a"},{"type":"tool_use","id":"t","name":"f","input":{"n": 1}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":2}}"#;
    check_body(
        ProviderKind::Anthropic,
        body.as_bytes(),
        r#"
        text "a"
        thinking "hm"
        call t f {"n": 1}
        usage 0/3 0/2
        kept ["{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"S=\"}",1,null]
        ToolCalls"#,
    );
}

#[test]
fn what_is_not_known_is_passed_over() {
    check_all(
        &[
            r#"{"type":"weather_report","sky":"clear"}"#.to_owned(),
            start(0, r#"{"type":"server_tool_use","id":"s","name":"web"}"#),
            delta(0, r#"{"type":"citations_delta","citation":{}}"#),
            start(1, TEXT),
            text(1, "a"),
            delta(1, r#"{"type":"strange_delta"}"#),
            end("end_turn"),
        ],
        "text \"a\"\nusage 75/200 0/15\nEndTurn",
    );
    check(
        &[START, "{\"type\":"],
        "Malformed: The model's server sent a piece that is not JSON: {\"type\":",
    );
}

#[test]
fn odd_counts_are_zero_or_the_largest() {
    let usage = |usage: &str| {
        format!(
            r#"{{"type":"message_delta","delta":{{"stop_reason":"end_turn"}},"usage":{usage}}}"#
        )
    };
    let text = [start(0, TEXT), text(0, "a")];
    let check_usage = |usages: &[&str], expected: &str| {
        let mut events = text.to_vec();
        events.extend(usages.iter().map(|text| usage(text)));
        check_all(&events, &format!("text \"a\"\nusage {expected}\nEndTurn"));
    };
    check_usage(&["{\"output_tokens\":-1}"], "75/200 0/1");
    check_usage(&["null", "[]"], "75/200 0/1");
    check_usage(
        &["{\"output_tokens\":9}", "{\"output_tokens\":9}"],
        "75/200 0/9",
    );
    check_usage(
        &[
            r#"{"output_tokens":9,"input_tokens":300,"output_tokens_details":{"thinking_tokens":4}}"#,
        ],
        "75/300 4/9",
    );
}
