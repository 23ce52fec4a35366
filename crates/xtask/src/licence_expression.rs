//! SPDX licence expressions, as far as packages use them: `OR`, `AND`, `WITH`, parentheses, and
//! the old `A/B` for `A OR B`.

/// Whether an expression can be satisfied with these licences alone. An expression that cannot be
/// read cannot be satisfied.
pub fn is_satisfied(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Parser {
        words: &words,
        allowed,
    };
    parser.any_of() == Some(true) && parser.words.is_empty()
}

struct Parser<'text> {
    words: &'text [&'text str],
    allowed: &'text [&'text str],
}

impl<'text> Parser<'text> {
    fn any_of(&mut self) -> Option<bool> {
        let mut satisfied = self.all_of()?;
        while self.take("OR") {
            satisfied |= self.all_of()?;
        }
        Some(satisfied)
    }

    fn all_of(&mut self) -> Option<bool> {
        let mut satisfied = self.one()?;
        while self.take("AND") {
            satisfied &= self.one()?;
        }
        Some(satisfied)
    }

    fn one(&mut self) -> Option<bool> {
        if self.take("(") {
            let inner = self.any_of()?;
            return self.take(")").then_some(inner);
        }
        let licence = self.next()?;
        if matches!(licence, "OR" | "AND" | "WITH" | ")") {
            return None;
        }
        if self.take("WITH") {
            // An exception only ever gives more rights, so the licence alone is enough.
            self.next()?;
        }
        Some(self.allowed.contains(&licence))
    }

    fn next(&mut self) -> Option<&'text str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.words.first() == Some(&word);
        if found {
            self.words = &self.words[1..];
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expression: &str, expected: bool) {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"];
        assert_eq!(is_satisfied(expression, &allowed), expected, "{expression}");
    }

    #[test]
    fn a_single_licence() {
        check("MIT", true);
        check("GPL-3.0-only", false);
    }

    #[test]
    fn one_of_several_is_enough() {
        check("MIT OR GPL-3.0-only", true);
        check("GPL-3.0-only OR MIT", true);
        check("LGPL-2.1 OR GPL-3.0-only", false);
        check("Unlicense/MIT", true);
    }

    #[test]
    fn all_of_several_are_needed() {
        check("MIT AND Unicode-3.0", true);
        check("MIT AND GPL-3.0-only", false);
        check("(MIT OR Apache-2.0) AND Unicode-3.0", true);
        check("(MIT OR Apache-2.0) AND GPL-3.0-only", false);
    }

    #[test]
    fn and_binds_tighter_than_or() {
        check("MIT OR GPL-3.0-only AND LGPL-2.1", true);
        check("GPL-3.0-only AND MIT OR LGPL-2.1", false);
    }

    #[test]
    fn an_exception_gives_more_rights() {
        check("Apache-2.0 WITH LLVM-exception", true);
        check("GPL-3.0-only WITH GCC-exception-3.1", false);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for broken in [
            "",
            "MIT OR",
            "(MIT",
            "MIT MIT",
            "OR MIT",
            "MIT)",
            "MIT WITH",
            "SEE LICENSE IN x",
        ] {
            check(broken, false);
        }
    }
}
