//! A person's search words as an FTS5 expression, and the snippet shown for a hit.
//!
//! Invariant: an expression is built from words of letters and digits in quotes only, so that no
//! input can be read as FTS5 syntax.

use crate::words::{self, Word};

/// How many words of a query count; the rest of a pasted page is ignored.
const PHRASES_MAX: usize = 16;

/// Characters of a snippet before its match.
const SNIPPET_BEFORE: usize = 40;

/// Characters of a snippet from its match on.
const SNIPPET_AFTER: usize = 120;

/// What a person searches for.
pub(crate) struct Query {
    /// Each is a run of words that must stand next to each other; all must be found.
    phrases: Vec<Vec<Word>>,
}

impl Query {
    /// The query, or nothing when there is no word in the text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let phrases: Vec<_> = text
            .split_whitespace()
            .map(words::searched)
            .filter(|phrase| !phrase.is_empty())
            .take(PHRASES_MAX)
            .collect();
        (!phrases.is_empty()).then_some(Self { phrases })
    }

    /// The query for FTS5: each phrase in quotes, its last word open at the end.
    pub(crate) fn expression(&self) -> String {
        let phrases: Vec<_> = self
            .phrases
            .iter()
            .map(|phrase| format!("\"{}\" *", words::joined(phrase)))
            .collect();
        phrases.join(" AND ")
    }

    /// The text around the first match of any phrase, on one line.
    pub(crate) fn snippet(&self, text: &str) -> String {
        let words = words::of_text(text);
        let matched = (0..words.len()).find(|&at| {
            self.phrases
                .iter()
                .any(|phrase| stands_at(phrase, &words[at..]))
        });
        let middle = matched.map_or(0, |at| words[at].start);
        let start = text[..middle]
            .char_indices()
            .rev()
            .nth(SNIPPET_BEFORE - 1)
            .map_or(0, |(at, _)| at);
        let end = text[middle..]
            .char_indices()
            .nth(SNIPPET_AFTER)
            .map_or(text.len(), |(at, _)| middle + at);

        let mut snippet = String::new();
        if start > 0 {
            snippet.push('…');
        }
        for (number, part) in text[start..end].split_whitespace().enumerate() {
            if number > 0 {
                snippet.push(' ');
            }
            snippet.push_str(part);
        }
        if end < text.len() {
            snippet.push('…');
        }
        snippet
    }
}

/// Whether the words begin with the phrase, whose last word may be the beginning of a longer one.
fn stands_at(phrase: &[Word], words: &[Word]) -> bool {
    let Some((last, rest)) = phrase.split_last() else {
        return false;
    };
    let Some(last_found) = words.get(rest.len()) else {
        return false;
    };
    last_found.text.starts_with(&last.text)
        && rest
            .iter()
            .zip(words)
            .all(|(wanted, found)| wanted.text == found.text)
}
