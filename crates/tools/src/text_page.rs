//! Some lines of a text, as many as fit into a result.
//!
//! A line ends with `\n` or `\r\n`; an end at the end of the text begins no further line. A page is
//! the text as it is, without the end of its last line, unless that is the end of the text.

use crate::ToolError;
use crate::shrink::char_length;

/// Which part of a text is wanted. Everything counts from 1.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    /// The first line.
    pub(crate) offset: Option<usize>,
    /// How many lines.
    pub(crate) limit: Option<usize>,
    /// The first character of the first line.
    pub(crate) column: Option<usize>,
}

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Page<'a> {
    pub(crate) content: &'a str,
    pub(crate) start_line: usize,
    /// The last line that is there, whole or in part.
    pub(crate) end_line: usize,
    /// Where to go on, when not all that was wanted fits.
    pub(crate) next: Option<Next>,
}

/// Where to go on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Next {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A text whose lines are known.
pub(crate) struct Lines<'a> {
    text: &'a str,
    /// Where each line begins.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let after_ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(after_ends);
        Self {
            text,
            starts: starts.filter(|start| *start < text.len()).collect(),
        }
    }

    /// How many lines there are; an empty text has none.
    pub(crate) fn count(&self) -> usize {
        self.starts.len()
    }

    /// The wanted part, or the beginning of it: its characters take at most `room` inside a JSON
    /// string.
    pub(crate) fn page(&self, wanted: Wanted, room: usize) -> Result<Page<'a>, ToolError> {
        let start_line = wanted.offset.unwrap_or(1);
        let count = self.count();
        let Some(line_start) = self.start_of(start_line) else {
            return Ok(Page {
                content: "",
                start_line,
                end_line: count,
                next: None,
            });
        };
        let column = wanted.column.unwrap_or(1);
        let start = line_start + self.skipped(start_line, column)?;
        let limit = wanted.limit.unwrap_or(usize::MAX);
        let last_line = start_line.saturating_add(limit - 1).min(count);
        let end = self.end_of(last_line);
        match cut_at(&self.text[start..end], room) {
            None => Ok(Page {
                content: &self.text[start..end],
                start_line,
                end_line: last_line,
                next: None,
            }),
            Some(length) => Ok(self.cut_page(start_line, column, start, start + length)),
        }
    }

    /// The page from `start` that has room up to `cut`: whole lines if there is one.
    fn cut_page(&self, start_line: usize, column: usize, start: usize, cut: usize) -> Page<'a> {
        // The cut is in this line, or in its line end: then the line is whole.
        let line = self.starts.partition_point(|start| *start <= cut);
        let last = if self.end_of(line) <= cut {
            line
        } else {
            line - 1
        };
        if last >= start_line {
            return Page {
                content: &self.text[start..self.end_of(last)],
                start_line,
                end_line: last,
                next: Some(Next {
                    line: last + 1,
                    column: 1,
                }),
            };
        }
        let content = &self.text[start..cut];
        Page {
            content,
            start_line,
            end_line: start_line,
            next: Some(Next {
                line: start_line,
                column: column + content.chars().count(),
            }),
        }
    }

    /// The bytes of a line before one of its characters.
    fn skipped(&self, line: usize, column: usize) -> Result<usize, ToolError> {
        let start = self.start_of(line).unwrap_or(self.text.len());
        let text = &self.text[start..self.end_of(line).max(start)];
        let skipped = text.char_indices().nth(column - 1).map(|(at, _)| at);
        match skipped {
            Some(bytes) => Ok(bytes),
            None if column == 1 => Ok(0),
            None => Err(ToolError::reply(
                "no_such_column",
                format!(
                    "Line {line} has {} characters, so `column` {column} is not in it. Leave `column` out.",
                    text.chars().count()
                ),
            )),
        }
    }

    fn start_of(&self, line: usize) -> Option<usize> {
        self.starts.get(line.checked_sub(1)?).copied()
    }

    /// Where the text of a line ends: before its line end, unless that is the end of the text.
    fn end_of(&self, line: usize) -> usize {
        let Some(next) = self.starts.get(line).copied() else {
            return self.text.len();
        };
        let line = &self.text[..next - 1];
        line.strip_suffix('\r').unwrap_or(line).len()
    }
}

/// Where the text must be cut so that what is before fits; none when all of it fits.
fn cut_at(text: &str, room: usize) -> Option<usize> {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += char_length(c);
        if used > room {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wanted(offset: usize, limit: usize, column: usize) -> Wanted {
        let given = |number: usize| (number > 0).then_some(number);
        Wanted {
            offset: given(offset),
            limit: given(limit),
            column: given(column),
        }
    }

    /// Content, first and last line; and where to go on.
    type Expected<'a> = ((&'a str, usize, usize), Option<(usize, usize)>);

    /// `wanted` is offset, limit and column; 0 is not given.
    #[track_caller]
    fn check(
        text: &str,
        (offset, limit, column): (usize, usize, usize),
        room: usize,
        expected: Expected<'_>,
    ) {
        let page = Lines::new(text).page(wanted(offset, limit, column), room);
        let page = page.unwrap();
        let next = page.next.map(|next| (next.line, next.column));
        let found = ((page.content, page.start_line, page.end_line), next);
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn lines_are_counted_as_a_person_counts_them() {
        for (text, count) in [
            ("", 0),
            ("a", 1),
            ("a\n", 1),
            ("a\nb", 2),
            ("a\r\nb\r\n", 2),
            ("\n", 1),
            ("\n\n", 2),
            ("a\n\nb", 3),
            ("a\rb", 1),
        ] {
            assert_eq!(Lines::new(text).count(), count, "{text:?}");
        }
    }

    #[test]
    fn a_page_is_its_lines_as_they_are() {
        let text = "one\r\ntwo\n\nfour\n";
        check(text, (0, 0, 0), 99, ((text, 1, 4), None));
        check(text, (1, 1, 0), 99, (("one", 1, 1), None));
        check(text, (1, 2, 0), 99, (("one\r\ntwo", 1, 2), None));
        check(text, (2, 2, 0), 99, (("two\n", 2, 3), None));
        check(text, (3, 1, 0), 99, (("", 3, 3), None));
        check(text, (3, 0, 0), 99, (("\nfour\n", 3, 4), None));
        check(text, (4, 10, 0), 99, (("four\n", 4, 4), None));
        check(text, (5, 0, 0), 99, (("", 5, 4), None));
        check(text, (99, 1, 7), 99, (("", 99, 4), None));
        check("", (0, 0, 0), 99, (("", 1, 0), None));
        check("\r\n", (1, 1, 0), 99, (("\r\n", 1, 1), None));
    }

    #[test]
    fn what_does_not_fit_is_cut_between_lines() {
        let text = "one\ntwo\nthree\nfour";
        check(text, (0, 0, 0), 21, ((text, 1, 4), None));
        check(
            text,
            (0, 0, 0),
            20,
            (("one\ntwo\nthree", 1, 3), Some((4, 1))),
        );
        check(text, (2, 0, 0), 5, (("two", 2, 2), Some((3, 1))));
        // The line end takes two characters in JSON; the text alone fits.
        check(text, (1, 2, 0), 7, (("one", 1, 1), Some((2, 1))));
        check(text, (1, 1, 0), 3, (("one", 1, 1), None));
    }

    #[test]
    fn a_line_that_does_not_fit_is_cut_between_characters() {
        let text = "àé\"日本語x\nnext";
        check(text, (0, 0, 0), 5, (("àé\"日", 1, 1), Some((1, 5))));
        check(text, (1, 0, 5), 3, (("本語x", 1, 1), Some((2, 1))));
        check(text, (1, 1, 5), 3, (("本語x", 1, 1), None));
        check(text, (1, 1, 6), 1, (("語", 1, 1), Some((1, 7))));
        check(text, (1, 0, 1), 1, (("à", 1, 1), Some((1, 2))));
    }

    #[test]
    fn a_column_that_is_not_there_is_an_error() {
        let error = Lines::new("abc\nd").page(wanted(1, 0, 4), 99).unwrap_err();
        assert!(
            error.to_string().contains("Line 1 has 3 characters"),
            "{error}"
        );
        check("\nd", (1, 1, 1), 99, (("", 1, 1), None));
    }

    proptest! {
        #[test]
        fn page_after_page_gives_the_whole_text(text in "([a-c\"é\r]{0,9}\r?\n?){0,9}", room in 2_usize..20) {
            let lines = Lines::new(&text);
            let mut read = String::new();
            let mut at = Wanted::default();
            for _ in 0..=text.len() {
                let page = lines.page(at, room).unwrap();
                prop_assert!(page.content.chars().map(char_length).sum::<usize>() <= room);
                read.push_str(page.content);
                let Some(next) = page.next else { break };
                if next.column == 1 {
                    // The line end that the page leaves out.
                    let end = lines.starts[next.line - 1];
                    read.push_str(&text[lines.end_of(next.line - 1)..end]);
                }
                at = wanted(next.line, 0, next.column);
            }
            prop_assert_eq!(read, text);
        }
    }
}
