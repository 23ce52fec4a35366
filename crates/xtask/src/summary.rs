//! Counting tests: what the runners print, and the table at the end.

use std::{fmt::Write as _, time::Duration};

/// How many tests passed and failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tests that passed.
    pub passed: u32,
    /// Tests that failed, were cut short, or passed only when they were run again.
    pub failed: u32,
}

/// One row of the table.
#[derive(Debug)]
pub struct Part {
    /// What ran.
    pub name: &'static str,
    /// How long it took.
    pub time: Duration,
    /// How it went.
    pub counts: Counts,
    /// What else there is to say.
    pub note: String,
}

/// Counts from `cargo test`: one `test result:` line a binary.
pub fn cargo_counts(output: &str) -> Counts {
    let mut counts = Counts::default();
    for line in output.lines() {
        if let Some(result) = line.strip_prefix("test result: ") {
            counts.passed += number_before(result, "passed");
            counts.failed += number_before(result, "failed");
        }
    }
    counts
}

/// Counts from the simulation: one closing line a part, such as `10000 passed, 0 failed`.
pub fn sim_counts(output: &str) -> Counts {
    let mut counts = Counts::default();
    for line in output.lines() {
        let Some((passed, failed)) = line.split_once(" passed, ") else {
            continue;
        };
        let failed = failed.strip_suffix(" failed").map(str::parse::<u32>);
        if let (Ok(passed), Some(Ok(failed))) = (passed.parse::<u32>(), failed) {
            counts.passed += passed;
            counts.failed += failed;
        }
    }
    counts
}

/// Counts from `node --test` with the spec reporter: one `ℹ name N` line for each number.
pub fn node_counts(output: &str) -> Counts {
    let mut counts = Counts::default();
    for line in output.lines() {
        let mut words = line.split_whitespace();
        if words.next() != Some("ℹ") {
            continue;
        }
        let name = words.next().unwrap_or_default();
        let number = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        match name {
            "pass" => counts.passed += number,
            // A cancelled test ran out of time, or was still running at the end.
            "fail" | "cancelled" => counts.failed += number,
            _ => {}
        }
    }
    counts
}

/// Counts from Playwright: the closing lines, such as `3 passed (2.1s)` and `1 flaky`.
pub fn playwright_counts(output: &str) -> Counts {
    let mut counts = Counts::default();
    for line in output.lines() {
        let Some((number, what)) = line.trim().split_once(' ') else {
            continue;
        };
        let Ok(number) = number.parse::<u32>() else {
            continue;
        };
        // The time is behind the last of them only.
        match what.split(" (").next().unwrap_or_default() {
            "passed" => counts.passed += number,
            "failed" | "flaky" | "interrupted" | "did not run" => counts.failed += number,
            _ => {}
        }
    }
    counts
}

/// A runner that failed without naming a test that did, still failed.
pub fn with_exit(counts: Counts, success: bool) -> Counts {
    Counts {
        passed: counts.passed,
        failed: if success {
            counts.failed
        } else {
            counts.failed.max(1)
        },
    }
}

/// The sum of all parts.
pub fn total(parts: &[Part]) -> Counts {
    let mut total = Counts::default();
    for part in parts {
        total.passed += part.counts.passed;
        total.failed += part.counts.failed;
    }
    total
}

/// The table, and the line that closes it.
pub fn table(parts: &[Part]) -> String {
    let mut table = String::from("\npart          time   passed  failed\n");
    for part in parts {
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "{:<10} {:>5.1} s {:>8} {:>7}  {}",
            part.name,
            part.time.as_secs_f32(),
            part.counts.passed,
            part.counts.failed,
            part.note
        );
    }
    let total = total(parts);
    let _ = writeln!(table, "\n{} passed, {} failed", total.passed, total.failed);
    table
}

fn number_before(text: &str, word: &str) -> u32 {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let place = words.iter().position(|found| *found == word);
    place
        .and_then(|place| words.get(place.checked_sub(1)?)?.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(found: Counts, passed: u32, failed: u32) {
        assert_eq!(found, Counts { passed, failed });
    }

    #[test]
    fn cargo_output_is_summed_over_binaries() {
        let output = "
running 3 tests
test arrows ... ok
test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.01s
test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s
";
        check(cargo_counts(output), 13, 2);
        check(cargo_counts("error: could not compile"), 0, 0);
    }

    #[test]
    fn the_simulations_parts_are_summed() {
        let output = "FAILED --seed 7  TurnStuck: 3 passed, no\n40 passed, 1 failed\nscenarios 9\n10 passed, 0 failed\n";
        check(sim_counts(output), 50, 1);
    }

    #[test]
    fn node_output_counts_cancelled_tests_as_failed() {
        let output = "✔ adds (1ms)\nℹ tests 9\nℹ suites 0\nℹ pass 5\nℹ fail 1\nℹ cancelled 2\nℹ skipped 1\nℹ todo 0\n";
        check(node_counts(output), 5, 3);
    }

    #[test]
    fn playwright_output_counts_flaky_and_unrun_tests_as_failed() {
        check(playwright_counts("\n  12 passed (30.1s)\n"), 12, 0);
        let output = "  2 failed\n    [x] › a.spec.ts:3:1 › 1 passed thing\n  1 flaky\n  1 interrupted\n  3 skipped\n  4 did not run\n  7 passed (1.2m)\n";
        check(playwright_counts(output), 7, 8);
    }

    #[test]
    fn a_runner_that_failed_counts_at_least_one_failure() {
        let none = Counts::default();
        check(with_exit(none, false), 0, 1);
        check(with_exit(none, true), 0, 0);
        check(
            with_exit(
                Counts {
                    passed: 1,
                    failed: 2,
                },
                false,
            ),
            1,
            2,
        );
    }

    #[test]
    fn the_last_line_is_the_sum() {
        let part = |name, passed, failed| Part {
            name,
            time: Duration::from_millis(1500),
            counts: Counts { passed, failed },
            note: String::new(),
        };
        let table = table(&[part("rust", 10, 0), part("browser", 3, 1)]);
        assert!(
            table.contains("rust         1.5 s       10       0"),
            "{table}"
        );
        assert_eq!(table.lines().last(), Some("13 passed, 1 failed"));
    }
}
