//! The format against what servers send, sound and broken.

mod request;
mod streams;

use tabwright_protocol::ProviderKind;

use crate::testing;

/// Checks the outcome of a stream of these events, however it is cut, with and without their names.
fn check(events: &[&str], expected: &str) {
    let body = testing::stream(events, true);
    testing::check_body(ProviderKind::OpenAiResponses, body.as_bytes(), expected);
    let body = testing::stream(events, false);
    testing::check_whole(ProviderKind::OpenAiResponses, body.as_bytes(), expected);
}

const CREATED: &str = r#"{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","error":null,"incomplete_details":null,"output":[],"usage":null}}"#;

fn added(index: u8, item: &str) -> String {
    format!(r#"{{"type":"response.output_item.added","output_index":{index},"item":{item}}}"#)
}

fn done(index: u8, item: &str) -> String {
    format!(r#"{{"type":"response.output_item.done","output_index":{index},"item":{item}}}"#)
}

fn delta(kind: &str, index: u8, delta: &str) -> String {
    let delta = serde_json::Value::from(delta);
    format!(r#"{{"type":"response.{kind}.delta","output_index":{index},"delta":{delta}}}"#)
}

const USAGE: &str = r#"{"input_tokens":36,"input_tokens_details":{"cached_tokens":30},"output_tokens":87,"output_tokens_details":{"reasoning_tokens":64},"total_tokens":123}"#;

/// The last event, with these items.
fn completed(output: &str) -> String {
    format!(
        r#"{{"type":"response.completed","response":{{"id":"resp_1","object":"response","status":"completed","error":null,"incomplete_details":null,"output":[{output}],"usage":{USAGE}}}}}"#
    )
}

/// The last event of an answer that is incomplete.
fn incomplete(reason: &str) -> String {
    format!(
        r#"{{"type":"response.incomplete","response":{{"object":"response","status":"incomplete","error":null,"incomplete_details":{{"reason":"{reason}"}},"output":[],"usage":{USAGE}}}}}"#
    )
}
