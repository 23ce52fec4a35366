//! Long results: the whole goes into a file of the workspace, the model gets the beginning and the
//! end, and is told how to read on. With the file on disk the result can also be left out of later
//! requests to save room.

use serde_json::{Value, json};
use tabwright_host::Host;
use tabwright_protocol::ConversationId;
use tabwright_tools::{CallOutcome, Door, boundary};

use super::tool::call_result;
use crate::machine::CallResult;

/// A result of so many characters is put into a file, so that it may be left out later.
const WORTH_A_FILE: usize = 2_000;
/// The most that is given to a model at once, in characters: some 5,000 tokens,
const MOST_AT_ONCE: usize = 20_000;
/// or so many tokens of its window for each character,
const WINDOW_SHARE: u32 = 4;
/// but never less than this.
const LEAST_AT_ONCE: usize = 2_000;
/// The tool with which a file is read on.
const READER: &str = "opfs_read";

/// Where a call's result goes.
pub(super) struct Shelf {
    pub(super) conversation: ConversationId,
    /// The call's place in the conversation.
    pub(super) position: u32,
    pub(super) tool: String,
    /// How many tokens the model reads at once.
    pub(super) window: u32,
}

impl Shelf {
    /// The call's result, shortened if it is long, with its file.
    pub(super) async fn put(
        &self,
        door: &Door,
        outcome: CallOutcome,
        host: &Host,
        millis: u64,
    ) -> CallResult {
        let length = boundary::length(&outcome.value);
        let can_be_read = door.registry().get(READER).is_some() && self.tool != READER;
        if length < WORTH_A_FILE || outcome.is_error || !can_be_read {
            return call_result(&outcome, host, millis);
        }
        let text = readable(&outcome.value);
        let lines = text.lines().count();
        let path = self.path();
        // Without a file (no room is left, say) the result is given as far as it may be.
        if host.files.write(&path, text.into_bytes()).await.is_err() {
            return call_result(&outcome, host, millis);
        }
        let most = self.most_at_once();
        if length <= most {
            return CallResult {
                file: Some(path),
                ..call_result(&outcome, host, millis)
            };
        }
        let short = CallOutcome {
            value: boundary::head_and_tail(&outcome.value, most),
            ..outcome
        };
        let mut result = call_result(&short, host, millis);
        let note = json!({
            "truncated": true, "characters": length, "file": path, "lines": lines,
            "hint": format!("Beginning and end only. Read on with {READER}: path \"{path}\", offset and limit in lines."),
        });
        result.model_text.push_str(&format!("\n{note}"));
        result.result.push_str(&format!("\n{note}"));
        result.file = Some(path);
        result
    }

    fn most_at_once(&self) -> usize {
        let share = usize::try_from(self.window / WINDOW_SHARE).unwrap_or(MOST_AT_ONCE);
        share.clamp(LEAST_AT_ONCE, MOST_AT_ONCE)
    }

    fn path(&self) -> String {
        let tool: String = self
            .tool
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
            .collect();
        format!(
            "{}/{:04}-{tool}.txt",
            folder(&self.conversation),
            self.position
        )
    }
}

/// The folder of a conversation's results.
pub(super) fn folder(id: &ConversationId) -> String {
    // Ids are long and may hold anything; a folder's name is read by people and models.
    let hash = id.0.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    format!("results/{hash:08x}")
}

/// A value as lines that a person or a model can page through: long texts as they are, the rest as
/// compact JSON.
fn readable(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(rows) => rows
            .iter()
            .map(|row| row.as_str().map_or_else(|| row.to_string(), str::to_owned))
            .collect::<Vec<_>>()
            .join("\n"),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| {
                let text = value.as_str().unwrap_or_default();
                if value.is_array() || text.len() > 200 || text.contains('\n') {
                    format!("{name}:\n{}", readable(value))
                } else {
                    format!("{name}: {value}")
                }
            })
            .collect::<Vec<_>>()
            .join("\n"),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_read_in_lines() {
        let check = |value: Value, expected: &str| assert_eq!(readable(&value), expected);
        check(json!("a\nb"), "a\nb");
        check(json!([{"id": 1}, "x"]), "{\"id\":1}\nx");
        check(
            json!({"content": "a\nb", "truncated": false, "title": "T"}),
            "content:\na\nb\ntitle: \"T\"\ntruncated: false",
        );
    }

    #[test]
    fn a_conversations_results_have_a_folder_of_their_own() {
        let of = |id: &str| folder(&ConversationId::from(id));
        assert_ne!(of("a"), of("b"));
        assert_eq!(of("a"), of("a"));
        assert!(of("../x").starts_with("results/") && !of("../x").contains(".."));
    }
}
