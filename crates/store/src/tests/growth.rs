//! A commit costs the same in a long history as in a short one.

use std::fs;

use super::{begun, conversation, item};
use crate::{Batch, Location, OpRow, Store};
use tabwright_protocol::{Millis, OpId};

/// A step as the agent makes it: an item, the conversation's line, a settled op.
fn step(number: u32) -> Batch {
    Batch {
        put_conversations: vec![conversation("c", u64::from(number))],
        put_items: vec![item(
            "c",
            number,
            &format!("step {number} reads a page about databases and 数据库"),
        )],
        put_ops: vec![OpRow {
            id: OpId(format!("op{number}")),
            applied_at: Millis(1),
            outcome: "{}".to_owned(),
        }],
        ..Batch::default()
    }
}

/// The bytes that 64 steps from this one on write, one commit each.
fn bytes_written(store: &mut Store, log: &std::path::Path, from: u32) -> u64 {
    store
        .connection
        .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
        .unwrap();
    for number in from..from + 64 {
        store.commit(&step(number)).unwrap();
    }
    fs::metadata(log).unwrap().len()
}

#[test]
fn the_bytes_of_a_commit_do_not_grow_with_the_history() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let log = folder.path().join("db-wal");
    let mut store = begun(Location::File(path));
    store
        .connection
        .execute_batch("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = off")
        .unwrap();

    bytes_written(&mut store, &log, 0);
    let short = bytes_written(&mut store, &log, 64);
    for number in 128..12_000 {
        store.commit(&step(number)).unwrap();
    }
    let long = bytes_written(&mut store, &log, 12_000);
    assert!(
        long < short * 2,
        "64 steps wrote {short} bytes after 64 steps and {long} after 12,000"
    );
}
