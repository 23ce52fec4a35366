//! What opening does with a database that is taken, damaged, newer or elsewhere.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::types::Value;

use super::{begun, conversation, conversations};
use crate::{Location, Store, StoreErrorKind, migrate};

/// Opening fails with this kind of error, whose message has these words, and leaves every file of
/// the folder as it was.
#[track_caller]
fn check_refused(path: &Path, kind: StoreErrorKind, words: &str) {
    let before = files(path);
    let Err(error) = Store::open(Location::File(path.to_owned())) else {
        panic!("it opened");
    };
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.to_string().contains(words), "{error}");
    assert!(files(path) == before, "a file changed");
}

fn files(path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.display().to_string(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn a_database_that_is_taken_is_locked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let owner = begun(Location::File(path.clone()));
    check_refused(&path, StoreErrorKind::Locked, "in use");
    drop(owner);
    begun(Location::File(path));
}

#[test]
fn a_file_that_is_no_database_is_corrupt_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    fs::write(
        &path,
        "not a database, but somebody's only copy of it".repeat(100),
    )
    .unwrap();
    check_refused(&path, StoreErrorKind::Corrupt, "Nothing was deleted");
}

#[test]
fn damage_found_while_reading_is_corrupt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let mut store = begun(Location::File(path.clone()));
    let rows = (0..500).map(|n| conversation(&n.to_string(), n));
    store.commit(&conversations(rows)).unwrap();
    store.close().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let tables = bytes.len() / 2;
    bytes[tables..].fill(0xa5);
    fs::write(&path, bytes).unwrap();

    let kind = match Store::open(Location::File(path)) {
        Ok(store) => store.conversations(1_000, None).unwrap_err().kind(),
        Err(error) => error.kind(),
    };
    assert_eq!(kind, StoreErrorKind::Corrupt);
}

#[test]
fn a_newer_database_is_refused_untouched() {
    for journal_mode in ["delete", "wal"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        let future = Connection::open(&path).unwrap();
        future
            .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
            .unwrap();
        future
            .execute_batch(&format!(
                "PRAGMA locking_mode = exclusive; PRAGMA journal_mode = {journal_mode};
                 CREATE TABLE future (a); PRAGMA user_version = {};",
                migrate::newest() + 1
            ))
            .unwrap();
        drop(future);
        check_refused(&path, StoreErrorKind::TooNew, "update the program");
    }
}

#[test]
fn a_folder_that_is_not_there_is_an_io_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no").join("db");
    let Err(error) = Store::open(Location::File(path)) else {
        panic!("it opened");
    };
    assert_eq!(error.kind(), StoreErrorKind::Io, "{error}");
}

#[test]
fn a_vfs_is_found_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("db").display().to_string();
    let location = |vfs: &str| Location::Vfs {
        name: name.clone(),
        vfs: vfs.to_owned(),
    };
    let mut store = begun(location("unix-none"));
    store
        .commit(&conversations([conversation("c", 1)]))
        .unwrap();
    store.close().unwrap();
    assert_eq!(
        begun(location("unix")).conversations(9, None).unwrap(),
        [conversation("c", 1)]
    );
    assert!(Store::open(location("no-such-vfs")).is_err());
}

#[test]
fn the_database_is_set_to_be_durable() {
    let folder = tempfile::tempdir().unwrap();
    let store = begun(Location::File(folder.path().join("db")));
    let expected = [
        ("locking_mode", Value::from("exclusive".to_owned())),
        ("journal_mode", Value::from("wal".to_owned())),
        ("synchronous", Value::from(2)),
        ("foreign_keys", Value::from(1)),
    ];
    for (name, value) in expected {
        let found: Value = store
            .connection
            .pragma_query_value(None, name, |row| row.get(0))
            .unwrap();
        assert_eq!(found, value, "{name}");
    }
}

#[test]
fn close_leaves_one_file_and_drop_leaves_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let mut store = begun(Location::File(path.clone()));
    store
        .commit(&conversations([conversation("c", 1)]))
        .unwrap();
    drop(store);
    assert_eq!(files(&path).len(), 2);

    let store = Store::open(Location::File(path.clone())).unwrap();
    assert_eq!(
        store.conversations(9, None).unwrap(),
        [conversation("c", 1)]
    );
    store.close().unwrap();
    assert_eq!(files(&path).len(), 1);
}
