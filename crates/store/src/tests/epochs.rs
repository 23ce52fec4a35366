//! Only the core that began the newest epoch can write.

use tabwright_protocol::{Epoch, Seq};

use super::{begun, conversation, conversations, item, items};
use crate::{Location, Store, StoreError, StoreErrorKind};

#[test]
fn every_start_begins_the_next_epoch() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    for number in 1..=3 {
        let mut store = Store::open(Location::File(path.clone())).unwrap();
        let epoch = store.begin_epoch().unwrap();
        assert_eq!(epoch, Epoch(number));
        assert!(Seq::start_of(epoch) > Seq::start_of(Epoch(number - 1)));
    }
}

#[test]
fn a_superseded_owner_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::SharedFile(folder.path().join("db"));
    let mut old = begun(location.clone());
    old.commit(&conversations([conversation("c", 1)])).unwrap();
    let mut new = begun(location);

    let refused = old.commit(&items([item("c", 0, "too late")]));
    assert_eq!(refused, Err(StoreError::Superseded { ours: 1, stored: 2 }));
    assert_eq!(new.items(&"c".into()).unwrap(), []);

    new.commit(&items([item("c", 0, "in time")])).unwrap();
    assert_eq!(new.items(&"c".into()).unwrap(), [item("c", 0, "in time")]);
}

#[test]
fn a_batch_before_an_epoch_is_a_mistake() {
    let mut store = Store::open(Location::Memory).unwrap();
    let error = store
        .commit(&conversations([conversation("c", 1)]))
        .unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Bug);
    assert_eq!(store.conversations(9, None).unwrap(), []);
}

#[test]
fn there_is_no_epoch_after_the_last() {
    let mut store = begun(Location::Memory);
    store
        .connection
        .execute("UPDATE core SET epoch = ?1", [Epoch::MAX.0])
        .unwrap();
    assert_eq!(store.begin_epoch().unwrap_err().kind(), StoreErrorKind::Bug);
}
