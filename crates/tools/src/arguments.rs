//! From the text a model sent to arguments that fit the tool's schema.
//!
//! Invariant: whatever the text is, this ends in arguments or in an error the model can act on; it
//! never panics, and its memory and depth are bounded.

use serde_json::{Map, Value};

use crate::ToolError;
use crate::fit::fit_arguments;
use crate::halves::without_halves;

/// The longest argument text, in bytes.
const MAX_BYTES: usize = 1_000_000;

/// How deep arrays and objects may be nested.
const MAX_DEPTH: usize = 64;

/// The arguments, coerced and checked; what the schema does not know is dropped.
pub(crate) fn parse_arguments(text: &str, schema: &Value) -> Result<Map<String, Value>, ToolError> {
    if text.len() > MAX_BYTES {
        return Err(ToolError::reply(
            "arguments_too_large",
            format!(
                "The arguments are {} bytes long; at most {MAX_BYTES} are taken. Send less at once.",
                text.len()
            ),
        ));
    }
    if depth(text) > MAX_DEPTH {
        return Err(ToolError::reply(
            "arguments_too_deep",
            format!(
                "The arguments are nested more than {MAX_DEPTH} deep. Send a flatter structure."
            ),
        ));
    }
    let arguments = if text.trim().is_empty() {
        Map::new()
    } else {
        parse_object(text)?
    };
    fit_arguments(arguments, schema)
}

fn parse_object(text: &str) -> Result<Map<String, Value>, ToolError> {
    // A model that cut a character in half is not asked to say the same again.
    let parsed =
        serde_json::from_str(text).or_else(|_| serde_json::from_str(&without_halves(text)));
    match parsed {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(other) => Err(ToolError::reply(
            "invalid_arguments",
            format!(
                "The arguments must be a JSON object such as {{\"name\": \"value\"}}, but {} came.",
                crate::fit::kind_of(&other)
            ),
        )),
        Err(error) => Err(ToolError::reply(
            "invalid_json",
            format!("The arguments are not valid JSON: {error}. Send one complete JSON object."),
        )),
    }
}

/// How deep the brackets outside of strings go. Known before parsing, so that the parser's own
/// recursion is bounded too.
fn depth(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut deepest = 0;
    let mut in_string = false;
    let mut escaped = false;
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
