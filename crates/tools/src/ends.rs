//! The beginning and the end of a value that is too long.

use serde_json::{Value, json};

use crate::shrink::{json_length, shrink};

/// Room for the words between beginning and end.
const BETWEEN: usize = 60;

/// The value, or its beginning and end in at most `limit` characters of JSON: of a text its first
/// and last characters, of an array its first and last elements, of an object those of its longest
/// member.
pub(crate) fn head_and_tail(value: &Value, limit: usize) -> Value {
    if json_length(value) <= limit {
        return value.clone();
    }
    let ends = match value {
        Value::String(text) => Value::String(text_ends(text, limit)),
        Value::Array(rows) => Value::Array(array_ends(rows, limit)),
        Value::Object(fields) => {
            let mut fields = fields.clone();
            let whole = json_length(value);
            let longest = fields
                .iter_mut()
                .max_by_key(|(_, value)| json_length(value));
            if let Some((_, longest)) = longest {
                let rest = whole - json_length(longest);
                *longest = head_and_tail(longest, limit.saturating_sub(rest).max(2 * BETWEEN));
            }
            Value::Object(fields)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    };
    shrink(&ends, limit)
}

/// Two thirds of the room for the beginning, the rest for the end.
fn text_ends(text: &str, limit: usize) -> String {
    // What a character takes in JSON is counted only roughly here; `shrink` makes it exact.
    let as_json = json_length(&Value::String(text.to_owned())).max(1);
    let characters = text.chars().count();
    let room = limit.saturating_sub(BETWEEN) * characters / as_json;
    let head = room * 2 / 3;
    let tail = room - head;
    let left_out = characters.saturating_sub(head + tail);
    let beginning: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(head + left_out).collect();
    format!("{beginning}\n[… {left_out} characters left out …]\n{end}")
}

fn array_ends(rows: &[Value], limit: usize) -> Vec<Value> {
    let room = limit.saturating_sub(BETWEEN);
    let head = fitting(rows.iter(), room * 2 / 3);
    let tail = fitting(rows[head..].iter().rev(), room / 3);
    let left_out = rows.len() - head - tail;
    let mut ends = rows[..head].to_vec();
    ends.push(json!(format!("[… {left_out} rows left out …]")));
    ends.extend_from_slice(&rows[rows.len() - tail..]);
    ends
}

/// How many of the rows fit.
fn fitting<'a>(rows: impl Iterator<Item = &'a Value>, room: usize) -> usize {
    let mut used = 0;
    rows.take_while(|row| {
        used += json_length(row) + 1;
        used <= room
    })
    .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginning_and_end_stay_and_the_whole_fits() {
        let check = |value: Value, limit: usize, starts: &str, ends: &str| {
            let cut = head_and_tail(&value, limit).to_string();
            assert!(
                cut.chars().count() <= limit,
                "{} > {limit}",
                cut.chars().count()
            );
            assert!(cut.starts_with(starts) && cut.ends_with(ends), "{cut}");
        };
        let text: String = (0..1_000).map(|n| format!("{n},")).collect();
        check(json!(text), 300, "\"0,1,2,", "998,999,\"");
        check(
            json!({"a": 1, "content": text}),
            300,
            "{\"a\":1,\"content\":\"0,1,",
            ",999,\"}",
        );
        let rows: Vec<u32> = (0..1_000).collect();
        check(json!(rows), 300, "[0,1,2,", ",998,999]");
        check(json!("\n".repeat(1_000)), 300, "\"\\n", "\"");
        check(json!("short"), 300, "\"short\"", "\"short\"");
    }
}
