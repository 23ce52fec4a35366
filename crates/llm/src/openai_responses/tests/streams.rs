//! Answers as they arrive.

use tabwright_protocol::ProviderKind;

use super::{CREATED, added, check, completed, delta, done, incomplete};
use crate::testing::check_body;

const CUT: &str = "Cut: The model's answer ended before it was complete.";
const MESSAGE: &str =
    r#"{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]}"#;
const CALL: &str = r#"{"id":"fc_1","type":"function_call","status":"in_progress","call_id":"call_a","name":"f","arguments":""}"#;
const SAID: &str = r#"{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hello","annotations":[]}]}"#;

fn check_all(events: &[String], expected: &str) {
    let mut all = vec![CREATED];
    all.extend(events.iter().map(String::as_str));
    check(&all, expected);
}

#[test]
fn text_streams_and_is_not_said_again_by_what_is_whole() {
    check_all(
        &[
            r#"{"type":"response.in_progress"}"#.to_owned(),
            added(0, MESSAGE),
            r#"{"type":"response.content_part.added","output_index":0,"part":{"type":"output_text","text":""}}"#.to_owned(),
            delta("output_text", 0, "Hel"),
            delta("output_text", 0, "lo"),
            r#"{"type":"response.output_text.done","output_index":0,"text":"Hello"}"#.to_owned(),
            done(0, SAID),
            completed(SAID),
        ],
        "text \"Hello\"\nusage 30/36 64/87\nEndTurn",
    );
}

#[test]
fn thoughts_and_phases_are_kept_as_they_came_and_in_their_order() {
    let thought = r#"{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"One"}],"encrypted_content":"gAAA+\/=="}"#;
    let phased = SAID.replace(r#""role""#, r#""phase":"commentary","role""#);
    let arguments = CALL.replace(r#""arguments":"""#, r#""arguments":"{\"n\":1}""#);
    check_all(
        &[
            added(0, r#"{"id":"rs_1","type":"reasoning","summary":[]}"#),
            r#"{"type":"response.reasoning_summary_part.added","output_index":0}"#.to_owned(),
            delta("reasoning_summary_text", 0, "One"),
            r#"{"type":"response.reasoning_summary_part.added","output_index":0}"#.to_owned(),
            delta("reasoning_summary_text", 0, "Two"),
            done(0, thought),
            added(1, MESSAGE),
            delta("output_text", 1, "Hello"),
            done(1, &phased),
            added(2, CALL),
            delta("function_call_arguments", 2, "{\"n\""),
            delta("function_call_arguments", 2, ":1}"),
            r#"{"type":"response.function_call_arguments.done","output_index":2,"arguments":"{\"n\":1}"}"#.to_owned(),
            done(2, &arguments),
            completed(&format!("{thought},{phased},{arguments}")),
        ],
        r#"
        text "Hello"
        thinking "One\n\nTwo"
        call call_a f {"n":1}
        usage 30/36 64/87
        kept ["{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"One\"}],\"encrypted_content\":\"gAAA+\\/==\"}",{"beside":{"phase":"\"commentary\""},"bytes":5},null]
        ToolCalls"#,
    );
}

#[test]
fn a_thought_that_is_not_encrypted_is_shown_and_not_kept() {
    let thought = r#"{"id":"rs_1","type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"hm"}]}"#;
    check_all(
        &[
            done(0, thought),
            added(1, MESSAGE),
            delta("output_text", 1, "a"),
            completed(""),
        ],
        "text \"a\"\nthinking \"hm\"\nusage 30/36 64/87\nEndTurn",
    );
}

#[test]
fn what_does_not_stream_is_read_when_it_is_whole() {
    let call = CALL.replace(r#""arguments":"""#, r#""arguments":"{\"n\":1}""#);
    let expected = "text \"Hello\"\ncall call_a f {\"n\":1}\nusage 30/36 64/87\nToolCalls";
    check_all(&[completed(&format!("{SAID},{call}"))], expected);
    check_all(&[done(0, SAID), done(1, &call), completed("")], expected);
    check_all(
        &[
            added(0, MESSAGE),
            added(1, CALL),
            completed(&format!("{SAID},{call}")),
        ],
        expected,
    );
}

#[test]
fn an_answer_that_is_not_streamed_is_read_too() {
    let call = CALL.replace(r#""arguments":"""#, r#""arguments":"{}""#);
    let body = completed(&format!("{SAID},{call}"));
    let response = body.split_once("\"response\":").unwrap().1;
    check_body(
        ProviderKind::OpenAiResponses,
        &response.as_bytes()[..response.len() - 1],
        "text \"Hello\"\ncall call_a f {}\nusage 30/36 64/87\nToolCalls",
    );
}

#[test]
fn parallel_calls_are_told_apart_also_when_they_are_mixed_or_not_numbered() {
    let second = CALL.replace("call_a", "call_b").replace("fc_1", "fc_2");
    let expected = r#"
        call call_a f {"n":1}
        call call_b f {"n":2}
        usage 30/36 64/87
        ToolCalls"#;
    check_all(
        &[
            added(0, CALL),
            added(1, &second),
            delta("function_call_arguments", 0, "{\"n\":"),
            delta("function_call_arguments", 1, "{\"n\":"),
            delta("function_call_arguments", 0, "1}"),
            delta("function_call_arguments", 1, "2}"),
            completed(""),
        ],
        expected,
    );
    let bare = |event: String| event.replace(r#""output_index":0,"#, "");
    check_all(
        &[
            bare(added(0, CALL)),
            bare(delta("function_call_arguments", 0, "{\"n\":1}")),
            bare(added(0, &second)),
            bare(delta("function_call_arguments", 0, "{\"n\":2}")),
            completed(""),
        ],
        expected,
    );
}

#[test]
fn ids_are_unique_and_arguments_may_be_absent() {
    check_all(
        &[
            added(0, CALL),
            added(1, CALL),
            added(2, r#"{"type":"function_call","name":"g"}"#),
            completed(""),
        ],
        r#"
        call call_a f {}
        call call_a_2 f {}
        call call g {}
        usage 30/36 64/87
        ToolCalls"#,
    );
}

#[test]
fn an_incomplete_answer_says_why_and_half_a_call_of_it_never_runs() {
    let events = |reason: &str| {
        [
            added(0, CALL),
            delta("function_call_arguments", 0, "{\"n\":"),
            incomplete(reason),
        ]
    };
    let check_reason = |reason: &str, expected: &str| {
        check_all(
            &events(reason),
            &format!("call call_a f {{\"n\": incomplete\nusage 30/36 64/87\n{expected}"),
        );
    };
    check_reason("max_output_tokens", "Length");
    check_reason("content_filter", "ContentFilter");
    check_all(
        &[
            added(0, MESSAGE),
            delta("refusal", 0, "I can't."),
            completed(""),
        ],
        "text \"I can't.\"\nusage 30/36 64/87\nRefusal",
    );
}

#[test]
fn an_answer_without_its_end_is_cut() {
    check(&[CREATED], CUT);
    check_all(&[added(0, MESSAGE), delta("output_text", 0, "a")], CUT);
    check_all(
        &[added(0, CALL), delta("function_call_arguments", 0, "{}")],
        CUT,
    );
}

#[test]
fn a_failure_is_an_error_of_its_kind_and_never_text() {
    let check_error = |code: &str, message: &str, expected: &str| {
        let expected =
            format!("{expected}: The model's server ended the answer with an error: {message}");
        let failed = format!(
            r#"{{"type":"response.failed","response":{{"object":"response","status":"failed","error":{{"code":"{code}","message":"{message}"}},"output":[]}}}}"#
        );
        let error = format!(
            r#"{{"type":"error","code":"{code}","message":"{message}","param":null,"sequence_number":3}}"#
        );
        for event in [failed, error] {
            check(&[&event], &expected);
            check_all(
                &[added(0, MESSAGE), delta("output_text", 0, "half"), event],
                &expected,
            );
        }
    };
    check_error("server_error", "It broke.", "Server");
    check_error("rate_limit_exceeded", "Slow down.", "RateLimited");
    check_error("context_length_exceeded", "Too long.", "ContextOverflow");
    check_error("insufficient_quota", "No credit.", "Quota");
    check_error("invalid_api_key", "Wrong key.", "Auth");
}

#[test]
fn nothing_after_the_end_is_read_and_what_is_not_known_is_passed_over() {
    check_all(
        &[
            added(0, r#"{"type":"web_search_call","id":"ws"}"#),
            r#"{"type":"response.audio.delta","delta":"AA"}"#.to_owned(),
            r#"{"type":"weather","sky":"clear"}"#.to_owned(),
            added(1, MESSAGE),
            delta("output_text", 1, "a"),
            completed(""),
            delta("output_text", 1, "late"),
            r#"{"type":"error","message":"late"}"#.to_owned(),
        ],
        "text \"a\"\nusage 30/36 64/87\nEndTurn",
    );
}

#[test]
fn an_image_that_the_model_made_is_part_of_the_answer() {
    let item = |result: &str| {
        format!(
            r#"{{"type":"image_generation_call","id":"ig_1","status":"completed","result":"{result}"}}"#
        )
    };
    check_all(
        &[
            added(0, r#"{"type":"image_generation_call","id":"ig_1"}"#),
            done(0, &item("iVBO")),
            added(1, MESSAGE),
            delta("output_text", 1, "Here."),
            added(2, r#"{"type":"image_generation_call","id":"ig_2"}"#),
            done(2, &item("/9j/")),
            completed(""),
        ],
        "text \"Here.\"\nimage image/png iVBO\nimage image/jpeg /9j/\nusage 30/36 64/87\nEndTurn",
    );
}

#[test]
fn what_is_said_twice_counts_once() {
    let whole = CALL.replace(r#""arguments":"""#, r#""arguments":"{\"n\":1}""#);
    let other = whole.replace("fc_1", "fc_2");
    check_all(
        &[
            added(0, CALL),
            added(0, CALL),
            done(0, &whole),
            done(0, &whole),
            // Another place is another call.
            done(1, &other),
            done(2, SAID),
            done(2, SAID),
            completed(&format!("{whole},{other},{SAID}")),
        ],
        r#"
        text "Hello"
        call call_a f {"n":1}
        call call_a_2 f {"n":1}
        usage 30/36 64/87
        ToolCalls"#,
    );
}

/// llama.cpp says the whole items at the end.
#[test]
fn items_without_numbers_are_known_by_their_ids() {
    let item = |id: u8, arguments: &str| {
        format!(
            r#"{{"id":"fc_{id}","type":"function_call","call_id":"call_{id}","name":"f","arguments":"{arguments}"}}"#
        )
    };
    let event = |kind: &str, item: &str| {
        format!(r#"{{"type":"response.output_item.{kind}","item":{item}}}"#)
    };
    check_all(
        &[
            event("added", &item(1, "")),
            event("added", &item(2, "")),
            r#"{"type":"response.function_call_arguments.delta","item_id":"fc_1","delta":"{\"a\":1}"}"#.to_owned(),
            event("done", &item(1, r#"{\"a\":1}"#)),
            event("done", &item(2, r#"{\"b\":1}"#)),
            completed(""),
        ],
        r#"
        call call_1 f {"a":1}
        call call_2 f {"b":1}
        usage 30/36 64/87
        ToolCalls"#,
    );
}

#[test]
fn a_failure_is_told_with_its_words_wherever_they_are() {
    let check_failure = |event: &str, expected: &str| {
        let expected = format!("{expected}: The model's server ended the answer with an error: ");
        let words = if event.contains("slow") {
            "slow"
        } else {
            "it gave no reason"
        };
        check_all(&[event.to_owned()], &(expected + words));
    };
    check_failure(
        r#"{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow"}}}"#,
        "RateLimited",
    );
    check_failure(
        r#"{"type":"response.error","code":"rate_limit_exceeded","message":"slow"}"#,
        "RateLimited",
    );
    check_failure(
        r#"{"type":"response.failed","response":{"status":"failed","error":null,"instructions":"long"}}"#,
        "Server",
    );
}
