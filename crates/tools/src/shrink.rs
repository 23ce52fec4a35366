//! Making a JSON value fit into a number of characters, so that it stays JSON and keeps what says
//! most: the first elements of an array, all keys of an object, the beginning of a text.

use serde_json::{Map, Value};

/// What every member of an object gets before the longer ones share the rest.
const LEAST: usize = 40;

/// The length of the value as compact JSON, in Unicode scalar values.
pub(crate) fn json_length(value: &Value) -> usize {
    match value {
        Value::Null => 4,
        Value::Bool(truth) => truth.to_string().len(),
        Value::Number(number) => number.to_string().len(),
        Value::String(text) => string_length(text),
        // Two brackets, and a comma before each element but the first.
        Value::Array(items) => {
            let inner: usize = items.iter().map(json_length).sum();
            inner + items.len().saturating_sub(1) + 2
        }
        Value::Object(map) => {
            let inner: usize = map
                .iter()
                .map(|(key, value)| string_length(key) + 1 + json_length(value))
                .sum();
            inner + map.len().saturating_sub(1) + 2
        }
    }
}

/// The value, or as much of it as fits. `limit` is at least [`LEAST`].
pub(crate) fn shrink(value: &Value, limit: usize) -> Value {
    if json_length(value) <= limit {
        return value.clone();
    }
    match value {
        Value::String(text) => Value::String(shrink_text(text, limit)),
        Value::Array(items) => Value::Array(shrink_array(items, limit)),
        Value::Object(map) => Value::Object(shrink_object(map, limit)),
        // No number is as long as the least limit.
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_)) => plain.clone(),
    }
}

fn string_length(text: &str) -> usize {
    text.chars().map(char_length).sum::<usize>() + 2
}

/// How many characters one takes inside a JSON string.
pub(crate) fn char_length(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => 1,
    }
}

/// The beginning of the text, and dots.
fn shrink_text(text: &str, limit: usize) -> String {
    // Two quotes and the dots.
    let mut room = limit.saturating_sub(3);
    let kept = text.chars().take_while(|c| {
        let length = char_length(*c);
        let fits = length <= room;
        room = room.saturating_sub(length);
        fits
    });
    let mut kept: String = kept.collect();
    kept.push('…');
    kept
}

/// The first elements, whole; if not even one fits, the beginning of that one.
fn shrink_array(items: &[Value], limit: usize) -> Vec<Value> {
    let mut room = limit.saturating_sub(2);
    let mut kept = Vec::new();
    for item in items {
        let needed = json_length(item) + usize::from(!kept.is_empty());
        if needed > room {
            break;
        }
        room -= needed;
        kept.push(item.clone());
    }
    if let (true, Some(first)) = (kept.is_empty() && room >= LEAST, items.first()) {
        kept.push(shrink(first, room));
    }
    kept
}

/// As many keys as fit (all, unless there are hundreds). Short members stay whole; the long ones
/// share the room that is left.
fn shrink_object(map: &Map<String, Value>, limit: usize) -> Map<String, Value> {
    let mut room = limit.saturating_sub(2);
    let mut members = Vec::new();
    let mut reserved = 0;
    for (key, value) in map {
        // The key, a colon and a comma.
        let around = string_length(key) + 2;
        let length = json_length(value);
        if reserved + around + length.min(LEAST) > room {
            break;
        }
        room -= around;
        reserved += length.min(LEAST);
        members.push((length, key, value));
    }
    members.sort_by_key(|(length, _, _)| *length);

    let mut kept = Map::new();
    let mut waiting = members.len();
    for (_, key, value) in members {
        let shrunk = shrink(value, room / waiting);
        room = room.saturating_sub(json_length(&shrunk));
        waiting -= 1;
        kept.insert(key.clone(), shrunk);
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn check(value: Value, limit: usize, expected: Value) {
        let shrunk = shrink(&value, limit);
        assert_eq!(shrunk, expected, "{value} in {limit}");
        assert!(json_length(&shrunk) <= limit);
    }

    #[test]
    fn what_fits_is_left_alone() {
        check(
            json!({"a": [1, "two", null]}),
            40,
            json!({"a": [1, "two", null]}),
        );
    }

    #[test]
    fn an_array_loses_whole_elements_at_its_end() {
        let items: Vec<_> = (0..20).map(|n| json!({"id": n + 100})).collect();
        check(
            json!(items),
            42,
            json!([{"id": 100}, {"id": 101}, {"id": 102}]),
        );
    }

    #[test]
    fn an_array_whose_first_element_is_too_long_keeps_its_beginning() {
        let long = "x".repeat(100);
        check(
            json!([long, "y"]),
            50,
            json!([format!("{}…", "x".repeat(45))]),
        );
    }

    #[test]
    fn an_object_keeps_its_short_members_and_cuts_the_long_ones() {
        let long = "x".repeat(500);
        check(
            json!({"id": 7, "text": long, "url": "https://example.test/"}),
            100,
            json!({"id": 7, "text": format!("{}…", "x".repeat(50)), "url": "https://example.test/"}),
        );
    }

    #[test]
    fn an_object_with_too_many_keys_loses_some() {
        let map: Map<_, _> = (100..400).map(|n| (n.to_string(), json!(n))).collect();
        let shrunk = shrink(&Value::Object(map), 100);
        let Value::Object(kept) = &shrunk else {
            panic!("{shrunk}");
        };
        assert!(kept.len() >= 9 && kept.contains_key("100"), "{shrunk}");
        assert!(json_length(&shrunk) <= 100);
    }

    #[test]
    fn a_cut_text_counts_its_escapes() {
        let text = "\"\n\u{1}é".repeat(20);
        let shrunk = shrink(&json!(text), 45);
        assert_eq!(json_length(&shrunk), shrunk.to_string().chars().count());
        assert!(json_length(&shrunk) <= 45, "{shrunk}");
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,60}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
                proptest::collection::btree_map(".{0,12}", inner, 0..8)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_length_is_that_of_the_text(value in any_json()) {
            prop_assert_eq!(json_length(&value), value.to_string().chars().count());
        }

        #[test]
        fn everything_is_made_to_fit(value in any_json(), limit in LEAST..400) {
            let shrunk = shrink(&value, limit);
            prop_assert!(json_length(&shrunk) <= limit, "{} in {}", shrunk, limit);
        }
    }
}
