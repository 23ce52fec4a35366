//! Answers of models that keep to the schema and of some that do not. Every answer is also fed cut at
//! every byte and byte by byte: the outcome must be the same.

use proptest::prelude::*;
use serde_json::json;

use crate::chrome_built_in::ChromeBuiltIn;
use crate::{Answer, ModelEvent, Provider};

fn decode<'a>(
    has_tools: bool,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (String, Answer, bool) {
    let mut decoder = ChromeBuiltIn.read(has_tools);
    let mut shown = String::new();
    for piece in pieces {
        for event in decoder.feed(piece).unwrap() {
            match event {
                ModelEvent::Text(text) => shown.push_str(&text),
                ModelEvent::Thinking(_)
                | ModelEvent::CallStarted { .. }
                | ModelEvent::CallArguments { .. } => panic!("{event:?}"),
            }
        }
    }
    let so_far = decoder.so_far();
    assert!(so_far.calls.iter().all(|call| !call.complete));
    assert_eq!(so_far.text, shown);
    let is_done = decoder.is_done();
    (shown, decoder.finish().unwrap(), is_done)
}

/// Decodes an answer in one piece, in every two pieces and byte by byte.
fn decode_all(has_tools: bool, body: &[u8]) -> Answer {
    let (shown, whole, is_done) = decode(has_tools, [body]);
    assert!(whole.text.starts_with(&shown));
    for cut in 0..=body.len() {
        let (head, tail) = body.split_at(cut);
        let cut_outcome = decode(has_tools, [head, tail]);
        assert_eq!(
            cut_outcome,
            (shown.clone(), whole.clone(), is_done),
            "cut at {cut}"
        );
    }
    let bytewise = decode(has_tools, body.chunks(1));
    assert_eq!(bytewise, (shown, whole.clone(), is_done), "byte by byte");
    whole
}

fn check_answer(has_tools: bool, body: &[u8], expected: &str) {
    let answer = decode_all(has_tools, body);
    let mut lines = vec![format!("{:?}", answer.text)];
    for call in &answer.calls {
        let mark = if call.complete { "" } else { " incomplete" };
        let (id, name, arguments) = (&call.provider_id, &call.name, &call.arguments);
        lines.push(format!("{id} {name} {arguments}{mark}"));
    }
    lines.push(format!("{:?}", answer.stop));
    let shown = String::from_utf8_lossy(body);
    assert_eq!(lines.join(" | "), expected, "{shown}");
}

fn check(body: &str, expected: &str) {
    check_answer(true, body.as_bytes(), expected);
}

#[test]
fn an_answer_without_calls_ends_the_turn() {
    check(r#"{"say":"Hé 😀"}"#, r#""Hé 😀" | EndTurn"#);
    check(r#"{"say":"a","calls":[]}"#, r#""a" | EndTurn"#);
    check(r#"{"say":""}"#, r#""" | EndTurn"#);
    check("\n{ \"say\" : \"a\" }\n", r#""a" | EndTurn"#);
}

#[test]
fn calls_are_complete_when_the_object_is() {
    check(
        r#"{"say":"Let me look.","calls":[{"tool":"list_tabs","arguments":{}},{"tool":"open_tab","arguments":{"url": "x","n":1.0}}]}"#,
        r#""Let me look." | call_1 list_tabs {} | call_2 open_tab {"url": "x","n":1.0} | ToolCalls"#,
    );
    check(
        r#"{"calls":[{"arguments":{},"tool":"a"}],"say":"later"}"#,
        r#""later" | call_1 a {} | ToolCalls"#,
    );
}

#[test]
fn calls_of_models_that_know_no_schema_are_taken_as_they_are_meant() {
    check(
        r#"{"calls":[{"tool":"a"},{"tool":"b","arguments":null},{"tool":"c","arguments":"{\"n\":1}"},7,{"arguments":{}}]}"#,
        r#""" | call_1 a {} | call_2 b {} | call_3 c {"n":1} | call_4  {} | ToolCalls"#,
    );
    check(
        r#"{"calls":{"tool":"a","arguments":{}}}"#,
        r#""" | call_1 a {} | ToolCalls"#,
    );
    for body in [
        "```json\n{\"say\":\"a\"}\n```",
        "```\n{\"say\":\"a\"}\n```\nDone!",
        "```JSON {\"say\":\"a\"}",
        "{\"say\":\"a\"} {\"say\":\"b\"}",
        "{\"say\":\"a\"}\nuser: Thanks!",
    ] {
        check(body, r#""a" | EndTurn"#);
    }
}

#[test]
fn only_the_text_for_the_person_is_text() {
    check(
        r#"{"say":"a","calls":[{"tool":"t","arguments":{"say":"b","x":["say",{"say":"c"}]}}]}"#,
        r#""a" | call_1 t {"say":"b","x":["say",{"say":"c"}]} | ToolCalls"#,
    );
    check(
        r#"{"say":"{\"say\": [","other":{"say":"no"}}"#,
        r#""{\"say\": [" | EndTurn"#,
    );
    check(r#"{"say":["no"],"more":"no"}"#, r#""" | EndTurn"#);
}

#[test]
fn escapes_are_resolved() {
    check(
        r#"{"say":"\n\t\r\b\f\/\\\"\u00e9\ud83d\ude00"}"#,
        r#""\n\t\r\u{8}\u{c}/\\\"é😀" | EndTurn"#,
    );
    check(
        r#"{"say":"\ud83db\ude00\ud83d"}"#,
        "\"\u{FFFD}b\u{FFFD}\u{FFFD}\" | EndTurn",
    );
    check(
        r#"{"say":"\ud83d\ud83d\ude00\ud83d\n"}"#,
        "\"\u{FFFD}😀\u{FFFD}\\n\" | EndTurn",
    );
    check(
        r#"{"\u0073ay":"no"}"#,
        r#""{\"\\u0073ay\":\"no\"}" | EndTurn"#,
    );
    check(r#"{"say":"","\u0073ay":"a"}"#, r#""a" | EndTurn"#);
}

#[test]
fn an_object_that_breaks_off_keeps_its_text_and_no_call_of_it_may_run() {
    check(r#"{"say":"Half"#, r#""Half" | Length"#);
    check(r#"{"say":"Half\u00"#, r#""Half" | Length"#);
    check(r#"{"say":"Half"}"#, r#""Half" | EndTurn"#);
    check(
        r#"{"say":"a","calls":[{"tool":"b","arguments":{}}, {"tool":"c","argum"#,
        r#""a" | call_1 b {} incomplete | Length"#,
    );
    check(
        r#"{"say":"a","calls":[{"tool":"b","arguments":{}}]"#,
        r#""a" | call_1 b {} incomplete | Length"#,
    );
}

#[test]
fn a_closed_object_that_is_no_json_runs_nothing() {
    check(
        r#"{"say":"a","calls":[{"tool":"b","arguments":{}},{"tool":}]}"#,
        r#""a" | call_1 b {} incomplete | ToolCalls"#,
    );
    check(r#"{"say":"a","calls":[{tool}]}"#, r#""a" | EndTurn"#);
}

#[test]
fn anything_else_is_text() {
    for text in [
        "",
        " ",
        "Hello {\"say\":\"a\"}",
        "{",
        "{}",
        "{\"sa",
        "{\"saying\":\"a\"}",
        "{\"url\":\"x\"}",
        "[{\"say\":\"a\"}]",
        "``",
        "```",
        "```json\n",
        "```json\n{\"name\": 1}\n```",
        "```rust fn main() {}\n```",
        "\"say\"",
    ] {
        check(text, &format!("{text:?} | EndTurn"));
    }
}

#[test]
fn without_tools_an_object_is_text_too() {
    let body = r#"{"say":"a","calls":[{"tool":"b","arguments":{}}]}"#;
    check_answer(false, body.as_bytes(), &format!("{body:?} | EndTurn"));
}

#[test]
fn what_is_not_utf8_becomes_one_replacement_a_piece() {
    for (bytes, expected) in [
        (b"a\xFFb".as_slice(), "a\u{FFFD}b"),
        (b"\xE2\x82a\xF0\x9F\x98", "\u{FFFD}a\u{FFFD}"),
        (b"\xE2\x82\xE2\x82\xAC\xC3", "\u{FFFD}€\u{FFFD}"),
    ] {
        assert_eq!(String::from_utf8_lossy(bytes), expected);
        check_answer(false, bytes, &format!("{expected:?} | EndTurn"));
        let object = [b"{\"say\":\"".as_slice(), bytes, b"\"}"].concat();
        check_answer(true, &object, &format!("{expected:?} | EndTurn"));
    }
}

#[test]
fn the_end_of_the_object_is_the_end_of_the_answer() {
    let is_done = |body: &str| decode(true, [body.as_bytes()]).2;
    assert!(!is_done(r#"{"say":"}""#));
    assert!(is_done(r#"{"say":"}"}"#));
    assert!(!is_done("Hello"));
}

/// Pieces of what models write, sound and broken.
fn any_body() -> impl Strategy<Value = Vec<u8>> {
    let parts: Vec<Vec<u8>> = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u",
        "d83d",
        "\\ude00",
        "\"say\"",
        "\"calls\"",
        "\"tool\"",
        "\"arguments\"",
        "{\"say\":\"",
        "\"calls\":[",
        "€",
        "😀",
        "a",
        "1",
        " ",
        "\n",
        "```",
        "json",
        "{\"tool\":\"a\",\"arguments\":{}}",
    ]
    .map(|part| part.as_bytes().to_vec())
    .to_vec();
    let noise = prop::collection::vec(any::<u8>(), 0..3);
    let part = prop_oneof![12 => prop::sample::select(parts), 1 => noise];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_cut_changes_what_comes_of_an_answer(body in any_body(), has_tools: bool) {
        decode_all(has_tools, &body);
    }

    #[test]
    fn any_text_survives_the_way_through_an_answer(text: String, cut in 0..64usize) {
        let body = json!({"say": text}).to_string();
        let (head, tail) = body.as_bytes().split_at(cut.min(body.len()));
        prop_assert_eq!(decode(true, [head, tail]).1.text, text);
    }
}
