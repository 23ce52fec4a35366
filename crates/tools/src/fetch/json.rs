//! JSON made readable without changing what it says: numbers keep their digits and objects their
//! order, so it is not read and written again.

use serde::de::IgnoredAny;

/// Deeper levels are not indented further: lines must not be all space.
const MAX_INDENT: usize = 32;

/// The text with a line for each value and two spaces a level; none if it is not JSON.
pub(super) fn pretty(text: &str) -> Option<String> {
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    let mut out = String::with_capacity(text.len() + text.len() / 2);
    let mut depth = 0_usize;
    let mut rest = text.trim().chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => {
                out.push(c);
                copy_string(&mut rest, &mut out);
            }
            '{' | '[' => {
                out.push(c);
                while rest.next_if(|c| c.is_ascii_whitespace()).is_some() {}
                if let Some(end) = rest.next_if(|c| matches!(c, '}' | ']')) {
                    out.push(end);
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    Some(out)
}

fn copy_string(rest: &mut impl Iterator<Item = char>, out: &mut String) {
    while let Some(c) = rest.next() {
        out.push(c);
        match c {
            '"' => return,
            '\\' => out.extend(rest.next()),
            _ => {}
        }
    }
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth.min(MAX_INDENT)));
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(pretty(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn each_value_has_its_line_and_nothing_is_changed() {
        check(
            r#" {"b":[1,2.50,{"a":null}],"a":"x, {\"}:","n":12345678901234567890.10, "e" : [ ] ,"o":{ }} "#,
            Some(
                "{\n  \"b\": [\n    1,\n    2.50,\n    {\n      \"a\": null\n    }\n  ],\n  \"a\": \"x, {\\\"}:\",\n  \"n\": 12345678901234567890.10,\n  \"e\": [],\n  \"o\": {}\n}",
            ),
        );
        check("\"a\\\\\"", Some("\"a\\\\\""));
        check("-1e5", Some("-1e5"));
    }

    #[test]
    fn what_is_no_json_is_left_alone() {
        for text in ["", "{", "{'a':1}", "[1,]", "a", "{} {}"] {
            check(text, None);
        }
    }
}
