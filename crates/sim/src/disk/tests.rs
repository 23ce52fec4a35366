//! The real store on the simulated disk: whatever the moment of the death, what was acknowledged
//! is there afterwards, and nothing is there by halves.

use tabwright_protocol::{ConversationId, ItemId, Millis, OpId, Seq, TurnId};
use tabwright_store::{Batch, ConversationRow, ItemRow, OpRow, Store, StoreError};

use super::{Bay, Glitch, SimDisk};
use crate::power::Power;
use crate::random::Random;

fn step(number: u32) -> Batch {
    let conversation = ConversationId::from("c");
    Batch {
        put_conversations: vec![ConversationRow {
            id: conversation.clone(),
            title: format!("step {number}"),
            titled_by_person: false,
            created_at: Millis(0),
            updated_at: Millis(u64::from(number)),
            parent: None,
            body: "{}".to_owned(),
        }],
        put_items: vec![ItemRow {
            id: ItemId(format!("item{number}")),
            conversation,
            position: number,
            seq: Seq(u64::from(number)),
            turn: TurnId::from("t"),
            at: Millis(0),
            kind: "user".to_owned(),
            body: "{}".to_owned(),
            text: format!("words {number} ").repeat(200),
        }],
        put_ops: vec![OpRow {
            id: OpId(format!("op{number}")),
            applied_at: Millis(0),
            outcome: number.to_string(),
        }],
        ..Batch::default()
    }
}

/// Commits the steps up to `to` that are not there yet and returns the last one that was acknowledged.
fn work(bay: &Bay, disk: &SimDisk, to: u32) -> Result<u32, (u32, StoreError)> {
    let mut done = 0;
    let mut run = || {
        let mut store = Store::open(bay.mount("test.db", disk))?;
        done = found(&store);
        store.begin_epoch()?;
        while done < to {
            store.commit(&step(done + 1))?;
            done += 1;
        }
        store.close()
    };
    match run() {
        Ok(()) => Ok(done),
        Err(error) => Err((done, error)),
    }
}

/// How many steps there are. Panics unless they are the first so many, whole.
fn found(store: &Store) -> u32 {
    let items = store.items(&"c".into()).unwrap();
    let expected: Vec<ItemRow> = (1..)
        .take(items.len())
        .flat_map(|number| step(number).put_items)
        .collect();
    assert_eq!(items, expected);
    let count = u32::try_from(items.len()).unwrap();
    assert!(
        store
            .op(&OpId(format!("op{}", count + 1)))
            .unwrap()
            .is_none()
    );
    if count > 0 {
        assert!(store.op(&OpId(format!("op{count}"))).unwrap().is_some());
        assert_eq!(
            store.search(&format!("words {count}"), 99).unwrap().len(),
            1
        );
    }
    count
}

#[test]
fn what_was_acknowledged_survives_a_death_at_any_boundary() {
    const STEPS: u32 = 5;
    let bay = Bay::new().unwrap();
    let power = Power::counting_every_write();
    let disk = SimDisk::new(power.clone());
    assert_eq!(work(&bay, &disk, STEPS).unwrap(), STEPS);
    let boundaries = power.boundaries();
    assert!(boundaries > 50, "{boundaries}");

    let mut more_than_acknowledged = 0;
    for dies_at in 1..=boundaries {
        for seed in 0..4 {
            let power = Power::counting_every_write();
            power.restore(Some(dies_at));
            let disk = SimDisk::new(power.clone());
            // Closing takes the failed deletion of the log for nothing that matters.
            let acknowledged = work(&bay, &disk, STEPS).unwrap_or_else(|(done, _)| done);
            assert!(power.is_off());
            disk.crash(&mut Random::new(dies_at * 4 + seed));
            power.restore(None);
            let store = Store::open(bay.mount("test.db", &disk)).unwrap();
            let count = found(&store);
            assert!(
                count == acknowledged || count == acknowledged + 1,
                "death at {dies_at}, seed {seed}: {acknowledged} acknowledged, {count} found"
            );
            more_than_acknowledged += u32::from(count > acknowledged);
            drop(store);
            assert_eq!(work(&bay, &disk, STEPS).unwrap(), STEPS);
        }
    }
    assert!(more_than_acknowledged > 0);
}

#[test]
fn the_flushed_image_holds_what_was_acknowledged_and_no_more() {
    let bay = Bay::new().unwrap();
    let disk = SimDisk::new(Power::default());
    let mut store = Store::open(bay.mount("test.db", &disk)).unwrap();
    store.begin_epoch().unwrap();
    for number in 1..=3 {
        store.commit(&step(number)).unwrap();
        let copy = SimDisk::from_image(&disk.flushed_image(), Power::default());
        let copy = Store::open(bay.mount("copy.db", &copy)).unwrap();
        assert_eq!(found(&copy), number);
    }
}

#[test]
fn a_failed_change_is_an_error_and_the_store_goes_on_when_it_is_opened_again() {
    let bay = Bay::new().unwrap();
    for full in [true, false] {
        for after in 0..40 {
            let disk = SimDisk::new(Power::default());
            work(&bay, &disk, 2).unwrap();
            disk.plan_glitch(Glitch { after, full });
            if let Err((acknowledged, _)) = work(&bay, &disk, 5) {
                let store = Store::open(bay.mount("test.db", &disk)).unwrap();
                let count = found(&store);
                assert!(count == acknowledged || count == acknowledged + 1);
            }
            assert_eq!(work(&bay, &disk, 5).unwrap(), 5);
        }
    }
}
