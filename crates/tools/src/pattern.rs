//! Case-insensitive regular expressions that a model wrote.
//!
//! Invariant: the time a search takes is bounded: the engine is linear, and both the compiled
//! pattern and the searched text have a limit.

use regex_lite::{Regex, RegexBuilder};

use crate::ToolError;

/// The longest pattern, in Unicode scalar values.
const MAX_PATTERN: usize = 1_000;

/// The largest compiled pattern, in bytes: enough for every pattern of that length without large
/// repetition counts.
const MAX_COMPILED: usize = 64 * 1024;

/// How much of a text is searched, in Unicode scalar values. The worst pattern that compiles takes
/// some 25 ms for that.
const MAX_SEARCHED: usize = 2_000;

/// A case-insensitive regular expression.
///
/// The engine folds the case of ASCII letters only, so a second form with folded letters of other
/// scripts is tried on the folded text. The pattern as it was written is tried as well, because
/// folding can change what a range such as `[Ÿ-ż]` covers.
pub(crate) struct TextPattern {
    written: Regex,
    folded: Option<Regex>,
}

impl TextPattern {
    /// Compiles the value of an argument.
    pub(crate) fn new(argument: &str, pattern: &str) -> Result<Self, ToolError> {
        let length = pattern.chars().count();
        if length > MAX_PATTERN {
            return Err(ToolError::reply(
                "pattern_too_long",
                format!(
                    "`{argument}` is {length} characters long; at most {MAX_PATTERN} are taken. Use a shorter pattern."
                ),
            ));
        }
        let written = compile(pattern).map_err(|error| {
            ToolError::reply(
                "invalid_regex",
                format!(
                    "`{argument}` is not a valid regular expression: \"{pattern}\" ({error}). Escape special characters with a backslash."
                ),
            )
        })?;
        let folded = fold(pattern);
        let folded = (folded != pattern).then(|| compile(&folded).ok()).flatten();
        Ok(Self { written, folded })
    }

    /// Whether it occurs in the text.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let text = match text.char_indices().nth(MAX_SEARCHED) {
            Some((end, _)) => &text[..end],
            None => text,
        };
        if self.written.is_match(text) {
            return true;
        }
        if text.is_ascii() && self.folded.is_none() {
            return false;
        }
        let folded = self.folded.as_ref().unwrap_or(&self.written);
        folded.is_match(&fold(text))
    }
}

fn compile(pattern: &str) -> Result<Regex, regex_lite::Error> {
    RegexBuilder::new(pattern)
        .case_insensitive(true)
        .size_limit(MAX_COMPILED)
        .build()
}

/// Lower case, letter by letter. ASCII is left to the engine: `\S` is not `\s`.
fn fold(text: &str) -> String {
    text.chars().map(fold_char).collect()
}

fn fold_char(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        // The final form of sigma is the same letter.
        (Some('ς'), None) => 'σ',
        (Some(one), None) => one,
        (Some(_) | None, _) => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, text: &str, expected: bool) {
        let compiled = TextPattern::new("title_pattern", pattern).unwrap();
        assert_eq!(compiled.matches(text), expected, "/{pattern}/ in {text:?}");
    }

    #[test]
    fn case_does_not_matter_in_any_script() {
        for (pattern, text) in [
            ("git(hub|lab)", "GitHub"),
            ("ÉCOLE", "l'école"),
            ("école", "L'ÉCOLE"),
            ("новости", "Новости дня"),
            ("^НОВОСТИ", "новости"),
            ("[А-Я]{3}", "мир"),
            ("ΟΔΟΣ", "οδος"),
            ("οδός", "ΟΔΌΣ"),
            ("tiếng VIỆT", "TIẾNG việt"),
            ("日本", "日本語"),
            ("İstanbul", "İSTANBUL"),
        ] {
            check(pattern, text, true);
        }
    }

    #[test]
    fn classes_and_escapes_keep_their_meaning() {
        check(r"^\S+$", "one two", false);
        check(r"^\D+$", "É12", false);
        check("é.*é", "É and É", true);
        check("é", "e", false);
        check("", "anything", true);
    }

    #[test]
    fn a_pattern_is_searched_in_the_beginning_of_a_long_text_only() {
        let text = format!("{}end", "é".repeat(MAX_SEARCHED));
        check("end", &text, false);
        check("é$", &text, true);
    }

    #[test]
    fn a_long_broken_or_huge_pattern_is_refused() {
        let error = |pattern: &str| {
            let error = TextPattern::new("url_pattern", pattern).err();
            error.expect("it is refused").to_string()
        };
        let long = error(&"é".repeat(MAX_PATTERN + 1));
        assert!(long.contains("1001 characters"), "{long}");
        let broken = error("git(hub");
        assert!(
            broken.contains("url_pattern") && broken.contains("\"git(hub\""),
            "{broken}"
        );
        assert!(TextPattern::new("url_pattern", &"z".repeat(MAX_PATTERN)).is_ok());
        let huge = error("(a{1000}){1000}");
        assert!(huge.contains("(a{1000}){1000}"), "{huge}");
        assert!(TextPattern::new("url_pattern", &"é".repeat(MAX_PATTERN)).is_ok());
    }
}
