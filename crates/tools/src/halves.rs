//! Halves of characters in JSON text.

/// JSON text with U+FFFD for each half of a character. JavaScript's text can hold such a half, as
/// when a page cuts its title in the middle of an emoji, and models write them too; JSON has them as
/// an escape, and no Rust text can hold them. A whole character that is written as
/// two escapes stays.
pub fn without_halves(json: &str) -> String {
    let mut whole = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let length = match escape.get(1..2) {
            Some("u") => 6,
            Some(_) | None => escape.chars().take(2).map(char::len_utf8).sum(),
        };
        let (escape, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
        let (next, is_pair) = pair(escape, after);
        if is_half(escape) && !is_pair {
            whole.push_str("\\ufffd");
        } else {
            whole.push_str(escape);
            whole.push_str(&after[..after.len() - next.len()]);
        }
        rest = next;
    }
    whole + rest
}

/// What comes after an escape and, where it is the first half of a character, after the second one.
fn pair<'a>(escape: &str, after: &'a str) -> (&'a str, bool) {
    let second = after.get(..6).filter(|second| is_in(second, b"cdefCDEF"));
    match second {
        Some(_) if is_in(escape, b"89abAB") => (&after[6..], true),
        Some(_) | None => (after, false),
    }
}

fn is_half(escape: &str) -> bool {
    is_in(escape, b"89abcdefABCDEF")
}

/// Whether an escape is of the range for halves whose third digit is one of these.
fn is_in(escape: &str, digits: &[u8]) -> bool {
    let bytes = escape.as_bytes();
    matches!(bytes, [b'\\', b'u', b'd' | b'D', third, ..] if digits.contains(third))
}

#[cfg(test)]
mod tests {
    use super::without_halves;

    #[test]
    fn halves_get_a_mark_and_everything_else_stays() {
        let check = |json: &str, expected: &str| {
            assert_eq!(without_halves(json), expected, "{json}");
        };
        check(r#""a\ud83db""#, r#""a\ufffdb""#);
        check(r#""\ud83d\ude00""#, r#""\ud83d\ude00""#);
        check(r#""\uD83D\uDE00\uD83D""#, r#""\uD83D\uDE00\ufffd""#);
        check(r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#);
        check(r#""\ud83d\n""#, r#""\ufffd\n""#);
        check(r#""\\ud83d""#, r#""\\ud83d""#);
        check(r#""\u00e9 \ud7ff é\\""#, r#""\u00e9 \ud7ff é\\""#);
        check(r#""\é""#, r#""\é""#);
        check(r#"\ud8"#, r#"\ufffd"#);
        check("\\", "\\");
        check("", "");
    }
}
