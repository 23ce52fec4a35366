//! The native half of `cargo xtask bench decoders`: prints one JSON array of the seconds that each
//! reader took in each round. `tests/bench/decoders.ts` runs it and prints the table.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::{Value, json};
use tabwright_bench::{FORMATS, Reader, read, stream};

/// Rounds when none are named.
const ROUNDS: usize = 9;
const PIECES: [usize; 2] = [4_096, 64];

fn main() -> ExitCode {
    let rounds = std::env::args().nth(1).and_then(|it| it.parse().ok());
    match measure(rounds.unwrap_or(ROUNDS)) {
        Ok(rows) => {
            println!("{}", Value::Array(rows));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(rounds: usize) -> Result<Vec<Value>, String> {
    let mut rows = Vec::new();
    for (name, format) in FORMATS {
        let body = stream(format);
        for piece in PIECES {
            let mut seconds = [Vec::new(), Vec::new()];
            let mut lengths = [0; 3];
            // Readers take turns, so that what else the machine does falls on both.
            for round in 0..=rounds {
                for (reader, taken) in [Reader::Ours, Reader::Peer].into_iter().zip(&mut seconds) {
                    let started = Instant::now();
                    let said = black_box(read(reader, format, black_box(&body), piece)?);
                    // The first round is to warm up.
                    if round > 0 {
                        taken.push(started.elapsed().as_secs_f64());
                    }
                    lengths = said.lengths();
                }
            }
            let [ours, peer] = seconds;
            rows.push(json!({"format": name, "bytes": body.len(), "piece": piece,
                "lengths": lengths, "ours": ours, "peer": peer}));
        }
    }
    Ok(rows)
}
