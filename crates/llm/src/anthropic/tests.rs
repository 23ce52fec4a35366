//! The format against what servers send, sound and broken.

mod request;
mod streams;

use tabwright_protocol::ProviderKind;

use crate::testing;

/// Checks the outcome of a stream of these events, however it is cut, with and without their names.
fn check(events: &[&str], expected: &str) {
    let body = testing::stream(events, true);
    testing::check_body(ProviderKind::Anthropic, body.as_bytes(), expected);
    let body = testing::stream(events, false);
    testing::check_whole(ProviderKind::Anthropic, body.as_bytes(), expected);
}

const START: &str = r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":25,"cache_creation_input_tokens":100,"cache_read_input_tokens":75,"output_tokens":1}}}"#;
const STOP: &str = r#"{"type":"message_stop"}"#;

/// The start of a block.
fn start(index: u8, block: &str) -> String {
    format!(r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#)
}

/// A piece of a block.
fn delta(index: u8, delta: &str) -> String {
    format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}}}"#)
}

/// The end of a block.
fn stop(index: u8) -> String {
    format!(r#"{{"type":"content_block_stop","index":{index}}}"#)
}

/// The end of the answer.
fn end(reason: &str) -> String {
    format!(
        r#"{{"type":"message_delta","delta":{{"stop_reason":"{reason}","stop_sequence":null}},"usage":{{"output_tokens":15}}}}"#
    )
}

/// A call whose arguments come in two pieces.
fn call(index: u8, id: &str, arguments: (&str, &str)) -> Vec<String> {
    let piece = |text: &str| {
        let text = serde_json::Value::from(text);
        delta(
            index,
            &format!(r#"{{"type":"input_json_delta","partial_json":{text}}}"#),
        )
    };
    vec![
        start(
            index,
            &format!(r#"{{"type":"tool_use","id":"{id}","name":"f","input":{{}}}}"#),
        ),
        piece(""),
        piece(arguments.0),
        piece(arguments.1),
        stop(index),
    ]
}

fn check_all(events: &[String], expected: &str) {
    let mut all = vec![START];
    all.extend(events.iter().map(String::as_str));
    all.push(STOP);
    check(&all, expected);
}
