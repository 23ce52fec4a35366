//! Builds, runs, tests and checks Tabwright.
fn main() {}
