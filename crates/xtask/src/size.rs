//! Size budgets: what a person downloads, and what a page loads before it shows anything.

use std::{fmt::Write as _, io::Write as _, path::Path};

use flate2::{Compression, write::GzEncoder};

use crate::{failure::Failure, files};

/// A budget in bytes; a kilobyte is 1000 of them.
struct Budget {
    name: &'static str,
    files: &'static [&'static str],
    raw: Option<u64>,
    gzip: u64,
}

const BUDGETS: &[Budget] = &[
    Budget {
        name: "core.wasm",
        files: &["core.wasm"],
        raw: Some(2_600_000),
        gzip: 1_100_000,
    },
    Budget {
        name: "reader.wasm",
        files: &["reader.wasm"],
        raw: Some(1_200_000),
        gzip: 450_000,
    },
    Budget {
        name: "panel",
        files: &["panel.js", "panel.css"],
        raw: None,
        gzip: 80_000,
    },
    Budget {
        name: "sw.js",
        files: &["sw.js"],
        raw: None,
        gzip: 40_000,
    },
];

/// An artefact's size beside its budget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    name: &'static str,
    raw: u64,
    gzip: u64,
    raw_budget: Option<u64>,
    gzip_budget: u64,
}

impl Measured {
    fn is_over(&self) -> bool {
        self.gzip > self.gzip_budget || self.raw_budget.is_some_and(|budget| self.raw > budget)
    }
}

/// Measures what is in `dist/`.
pub fn measure(dist: &Path) -> Result<Vec<Measured>, Failure> {
    BUDGETS
        .iter()
        .map(|budget| {
            let mut measured = Measured {
                name: budget.name,
                raw: 0,
                gzip: 0,
                raw_budget: budget.raw,
                gzip_budget: budget.gzip,
            };
            for file in budget.files {
                let bytes = files::read(&dist.join(file))?;
                measured.raw += length(&bytes);
                measured.gzip += length(&gzip(&bytes)?);
            }
            Ok(measured)
        })
        .collect()
}

/// Fails when something is over its budget.
pub fn judge(measured: &[Measured]) -> Result<(), Failure> {
    let over: Vec<&str> = measured
        .iter()
        .filter(|measured| measured.is_over())
        .map(|measured| measured.name)
        .collect();
    if over.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "Over budget: {}. Make it smaller, or argue for a higher budget in crates/xtask/src/size.rs.",
        over.join(", ")
    )))
}

/// The sizes as a table for people.
pub fn table(measured: &[Measured]) -> String {
    let mut table = format!(
        "{:<10} {:>20} {:>20}\n",
        "", "raw / budget", "gzip / budget"
    );
    for row in measured {
        let raw_budget = row.raw_budget.map_or("-".to_owned(), kilobytes);
        let raw = format!("{} / {raw_budget}", kilobytes(row.raw));
        let gzip = format!("{} / {}", kilobytes(row.gzip), kilobytes(row.gzip_budget));
        let mark = if row.is_over() { "  OVER" } else { "" };
        // Writing to a String cannot fail.
        let _ = writeln!(table, "{:<10} {raw:>20} {gzip:>20}{mark}", row.name);
    }
    table
}

/// Kilobytes, rounded up: 80,001 bytes are not within 80.0 KB.
fn kilobytes(bytes: u64) -> String {
    let tenths = bytes.div_ceil(100);
    format!("{}.{} KB", tenths / 10, tenths % 10)
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let compressed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    compressed.map_err(|error| Failure::new(format!("gzip failed: {error}.")))
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::TestFolder;

    fn core(raw: u64, gzip: u64) -> Measured {
        Measured {
            name: "core.wasm",
            raw,
            gzip,
            raw_budget: Some(2_600_000),
            gzip_budget: 1_100_000,
        }
    }

    #[test]
    fn the_table_shows_each_size_beside_its_budget() {
        let mut panel = core(150_000, 80_001);
        panel.name = "panel";
        panel.raw_budget = None;
        panel.gzip_budget = 80_000;
        let table = table(&[core(2_600_000, 900_050), panel]);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(
            lines,
            [
                "                   raw / budget        gzip / budget",
                "core.wasm  2600.0 KB / 2600.0 KB 900.1 KB / 1100.0 KB",
                "panel              150.0 KB / -    80.1 KB / 80.0 KB  OVER",
            ]
        );
    }

    #[test]
    fn the_line_itself_is_within_the_budget_and_one_byte_more_is_not() {
        assert_eq!(judge(&[core(2_600_000, 1_100_000)]), Ok(()));
        for over in [core(2_600_001, 1), core(1, 1_100_001)] {
            let failure = judge(&[over]).unwrap_err();
            assert!(failure.to_string().contains("Over budget: core.wasm"));
        }
    }

    #[test]
    fn an_artefact_of_two_files_is_their_sum() {
        let folder = TestFolder::new("size");
        for (name, length) in [
            ("core.wasm", 1),
            ("reader.wasm", 2),
            ("panel.js", 3000),
            ("panel.css", 400),
            ("sw.js", 5),
        ] {
            folder.write(name, &"x".repeat(length));
        }
        let measured = measure(&folder.0).unwrap();
        assert_eq!(measured[2].raw, 3400);
        assert!(measured[2].gzip < 200, "{}", measured[2].gzip);
    }

    #[test]
    fn a_missing_artefact_is_an_error() {
        let folder = TestFolder::new("size-missing");
        let failure = measure(&folder.0).unwrap_err();
        assert!(failure.to_string().contains("core.wasm"));
    }
}
