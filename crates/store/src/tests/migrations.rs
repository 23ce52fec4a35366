//! Every released version of the schema opens, keeps its rows and becomes the newest.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::{conversation, conversations, item, items};
use crate::{Location, Store, migrate};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The database of a version, as it was dumped when the version was made.
fn fixture(version: u32) -> String {
    let path = folder("fixtures").join(format!("{version:04}.sql"));
    fs::read_to_string(&path).unwrap_or_else(|error| {
        panic!(
            "version {version} needs a dump of a database with rows as {}: {error}",
            path.display()
        )
    })
}

/// The schema's statements by name, without those that SQLite makes itself.
fn schema(connection: &Connection) -> BTreeMap<String, String> {
    connection
        .prepare("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

#[test]
fn every_migration_file_is_listed_in_order() {
    let mut names: Vec<_> = fs::read_dir(folder("migrations"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), migrate::MIGRATIONS.len());
    for (number, (name, listed)) in (1u32..).zip(names.iter().zip(migrate::MIGRATIONS)) {
        assert!(name.starts_with(&format!("{number:04}_")), "{name}");
        let text = fs::read_to_string(folder("migrations").join(name)).unwrap();
        assert_eq!(&text, listed, "{name}");
    }
}

#[test]
fn an_empty_file_becomes_the_newest_version() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("db");
    fs::write(&path, "").unwrap();
    let store = Store::open(Location::File(path)).unwrap();
    assert_eq!(
        migrate::version(&store.connection).unwrap(),
        migrate::newest()
    );
}

#[test]
fn every_fixture_has_exactly_the_schema_of_its_version() {
    for version in 1..=migrate::newest() {
        let dumped = Connection::open_in_memory().unwrap();
        dumped.execute_batch(&fixture(version)).unwrap();
        assert_eq!(migrate::version(&dumped).unwrap(), version);

        let migrated = Connection::open_in_memory().unwrap();
        for migration in &migrate::MIGRATIONS[..version as usize] {
            migrated.execute_batch(migration).unwrap();
        }
        assert_eq!(schema(&dumped), schema(&migrated), "version {version}");
    }
}

#[test]
fn every_fixture_keeps_its_rows_and_goes_on() {
    for version in 1..=migrate::newest() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("db");
        let dumped = Connection::open(&path).unwrap();
        dumped.execute_batch(&fixture(version)).unwrap();
        dumped.close().unwrap();

        let mut store = Store::open(Location::File(path)).unwrap();
        assert_eq!(
            migrate::version(&store.connection).unwrap(),
            migrate::newest()
        );
        let id = "conv-1".into();
        let row = store.conversation(&id).unwrap().unwrap();
        assert_eq!(
            (row.title.as_str(), row.titled_by_person),
            ("Größe 数据库", true)
        );
        let texts: Vec<_> = store
            .items(&id)
            .unwrap()
            .into_iter()
            .map(|item| (item.kind, item.text))
            .collect();
        let expected = [
            ("user_message", "打开数据库"),
            ("assistant_message", "It is open."),
        ];
        assert_eq!(
            texts,
            expected.map(|(kind, text)| (kind.to_owned(), text.to_owned()))
        );
        assert_eq!(store.search("数据", 9).unwrap().len(), 1);
        assert_eq!(store.open_runs().unwrap()[0].body, "{\"round\":2}");
        assert_eq!(
            store.op(&"op-1".into()).unwrap().unwrap().outcome,
            "{\"applied\":true}"
        );
        assert_eq!(
            store.models().unwrap()[0].key.as_deref(),
            Some("sk-fixture")
        );
        assert_eq!(
            store.setting("current_model").unwrap().as_deref(),
            Some("model-1")
        );

        assert_eq!(store.begin_epoch().unwrap().0, 8);
        store
            .commit(&conversations([conversation("new", 1)]))
            .unwrap();
        store.commit(&items([item("new", 0, "more")])).unwrap();
        assert_eq!(store.search("more", 9).unwrap().len(), 1);
    }
}

#[test]
fn a_migration_that_fails_leaves_the_version_before_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("db");
    let foreign = Connection::open(&path).unwrap();
    foreign
        .execute_batch("CREATE TABLE run (a); INSERT INTO run VALUES (1)")
        .unwrap();
    foreign.close().unwrap();

    assert!(Store::open(Location::File(path.clone())).is_err());
    let foreign = Connection::open(&path).unwrap();
    assert_eq!(migrate::version(&foreign).unwrap(), 0);
    assert_eq!(schema(&foreign).keys().collect::<Vec<_>>(), ["run"]);
}
