//! A disk without room.

use super::{begun, conversation, conversations, item, items};
use crate::{Location, StoreErrorKind};

#[test]
fn a_full_disk_loses_nothing_and_heals_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::File(folder.path().join("db"));
    let mut store = begun(location.clone());
    store
        .commit(&conversations([conversation("c", 1)]))
        .unwrap();
    store.commit(&items([item("c", 0, "before")])).unwrap();

    let allow = |store: &crate::Store, pages: u32| {
        store
            .connection
            .query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))
            .unwrap();
    };
    let used: u32 = store
        .connection
        .query_row("PRAGMA page_count", [], |row| row.get(0))
        .unwrap();
    allow(&store, used + 2);
    let big = item("c", 1, &"words upon words ".repeat(20_000));
    for _ in 0..3 {
        let error = store.commit(&items([big.clone()])).unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Full, "{error}");
        assert_eq!(store.items(&"c".into()).unwrap(), [item("c", 0, "before")]);
        assert_eq!(store.search("words", 9).unwrap(), []);
    }

    allow(&store, 1_000_000);
    store.commit(&items([big.clone()])).unwrap();
    drop(store);
    let store = begun(location);
    assert_eq!(
        store.items(&"c".into()).unwrap(),
        [item("c", 0, "before"), big]
    );
}
