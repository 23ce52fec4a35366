//! What is put comes back, and a batch is all or nothing.

use tabwright_protocol::{ConversationId, Millis, ModelId, OpId, Seq, TurnId, Usage, UsageOfDay};

use super::{conversation, conversations, item, items, store};
use crate::{
    Batch, ConversationRow, ItemRow, ModelRow, OpRow, RunRow, SettingRow, Store, StoreErrorKind,
};

fn run(id: &str, parent: Option<&str>, conversation: &str) -> RunRow {
    RunRow {
        id: id.to_owned(),
        parent: parent.map(str::to_owned),
        conversation: ConversationId::from(conversation),
        turn: TurnId::from("t1"),
        started_at: Millis(5),
        body: "{}".to_owned(),
    }
}

fn runs(rows: impl IntoIterator<Item = RunRow>) -> Batch {
    Batch {
        put_runs: rows.into_iter().collect(),
        ..Batch::default()
    }
}

fn op(id: &str) -> OpRow {
    OpRow {
        id: OpId::from(id),
        applied_at: Millis(7),
        outcome: "{\"applied\":true}".to_owned(),
    }
}

fn ops(rows: impl IntoIterator<Item = OpRow>) -> Batch {
    Batch {
        put_ops: rows.into_iter().collect(),
        ..Batch::default()
    }
}

fn model(id: &str, key: Option<&str>) -> ModelRow {
    ModelRow {
        id: ModelId::from(id),
        body: format!("{{\"name\":\"{id}\"}}"),
        key: key.map(str::to_owned),
    }
}

fn positions(rows: &[ItemRow]) -> Vec<u32> {
    rows.iter().map(|row| row.position).collect()
}

fn open_run_ids(store: &Store) -> Vec<String> {
    let runs = store.open_runs().unwrap();
    runs.into_iter().map(|run| run.id).collect()
}

#[test]
fn a_conversation_comes_back_and_changes_in_place() {
    let mut store = store();
    let mut row = conversation("c", 10);
    store.commit(&conversations([row.clone()])).unwrap();
    assert_eq!(store.conversation(&row.id).unwrap(), Some(row.clone()));

    row.title = "Mine".to_owned();
    row.titled_by_person = true;
    row.updated_at = Millis(11);
    store.commit(&conversations([row.clone()])).unwrap();
    assert_eq!(store.conversations(10, None).unwrap(), [row]);
    assert_eq!(
        store.conversation(&ConversationId::from("x")).unwrap(),
        None
    );
}

#[test]
fn conversations_are_paged_newest_first_without_gap_or_repeat() {
    let mut store = store();
    let times = [("a", 3), ("b", 1), ("c", 2), ("d", 2), ("e", 2)];
    store
        .commit(&conversations(times.map(|(id, at)| conversation(id, at))))
        .unwrap();

    let mut seen = Vec::new();
    let mut last = None;
    loop {
        let before = last.as_ref().map(|(at, id)| (*at, id));
        let page = store.conversations(2, before).unwrap();
        let Some(end) = page.last() else { break };
        last = Some((end.updated_at, end.id.clone()));
        seen.extend(page.into_iter().map(|row| row.id.0));
    }
    assert_eq!(seen, ["a", "e", "d", "c", "b"]);
}

#[test]
fn an_item_comes_back_whole_and_is_replaced_by_its_id() {
    let mut store = store();
    let mut row = item("c", 0, "first");
    let batch = Batch {
        put_conversations: vec![conversation("c", 1), conversation("d", 1)],
        put_items: vec![row.clone(), item("d", 0, "the same id elsewhere")],
        ..Batch::default()
    };
    store.commit(&batch).unwrap();
    assert_eq!(store.items(&row.conversation).unwrap(), [row.clone()]);

    row.seq = Seq((1 << 53) - 1);
    row.body = "[1,2]".to_owned();
    row.text = "second".to_owned();
    row.kind = "notice".to_owned();
    store.commit(&items([row.clone()])).unwrap();
    assert_eq!(store.items(&row.conversation).unwrap(), [row]);
    assert_eq!(store.items(&"d".into()).unwrap().len(), 1);
}

#[test]
fn items_are_read_by_page_in_order_of_position() {
    let mut store = store();
    store
        .commit(&conversations([conversation("c", 1)]))
        .unwrap();
    store
        .commit(&items((0..10).rev().map(|n| item("c", n, "words"))))
        .unwrap();

    let id = ConversationId::from("c");
    let page = |before, limit| positions(&store.items_page(&id, before, limit).unwrap());
    assert_eq!(page(None, 3), [7, 8, 9]);
    assert_eq!(page(Some(7), 3), [4, 5, 6]);
    assert_eq!(page(Some(1), 3), [0]);
    assert_eq!(page(Some(0), 3), [0u32; 0]);
}

#[test]
fn a_place_that_is_taken_is_not_given_to_another_item() {
    let mut store = store();
    store
        .commit(&conversations([conversation("c", 1)]))
        .unwrap();
    let row = item("c", 0, "first");
    store.commit(&items([row.clone()])).unwrap();
    let mut other = item("c", 0, "second");
    other.id = "other".into();
    let error = store.commit(&items([other])).unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Bug, "{error}");
    assert_eq!(store.items(&row.conversation).unwrap(), [row]);
}

#[test]
fn deleting_a_conversation_takes_all_that_belongs_to_it() {
    let mut store = store();
    let batch = Batch {
        put_conversations: vec![conversation("c", 1), conversation("d", 1)],
        put_items: vec![item("c", 0, "apple"), item("d", 0, "apple")],
        put_runs: vec![run("r", None, "c"), run("s", None, "d")],
        ..Batch::default()
    };
    store.commit(&batch).unwrap();
    let batch = Batch {
        delete_conversations: vec!["c".into()],
        ..Batch::default()
    };
    store.commit(&batch).unwrap();

    assert_eq!(store.conversation(&"c".into()).unwrap(), None);
    assert_eq!(store.items(&"c".into()).unwrap(), []);
    assert_eq!(open_run_ids(&store), ["s"]);
    let hits = store.search("apple", 10).unwrap();
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].conversation, "d".into());
}

#[test]
fn a_run_is_open_until_it_ends_and_its_children_end_with_it() {
    let mut store = store();
    store
        .commit(&conversations([conversation("c", 1)]))
        .unwrap();
    let parent = run("r", None, "c");
    let child = run("k", Some("r"), "c");
    store
        .commit(&runs([parent.clone(), child.clone()]))
        .unwrap();
    assert_eq!(store.open_runs().unwrap(), [child, parent.clone()]);

    let moved_on = RunRow {
        body: "{\"round\":2}".to_owned(),
        ..parent
    };
    store.commit(&runs([moved_on.clone()])).unwrap();
    assert!(store.open_runs().unwrap().contains(&moved_on));

    let batch = Batch {
        end_runs: vec!["r".to_owned()],
        put_runs: vec![run("next", None, "c")],
        ..Batch::default()
    };
    store.commit(&batch).unwrap();
    assert_eq!(open_run_ids(&store), ["next"]);
}

#[test]
fn an_op_is_remembered_until_ten_thousand_newer_ones() {
    let mut store = store();
    store.commit(&ops([op("first"), op("second")])).unwrap();
    assert_eq!(store.op(&"first".into()).unwrap(), Some(op("first")));

    store
        .commit(&ops((0..9_999).map(|n| op(&n.to_string()))))
        .unwrap();
    assert_eq!(store.op(&"first".into()).unwrap(), None);
    assert_eq!(store.op(&"second".into()).unwrap(), Some(op("second")));
}

#[test]
fn models_keep_their_order_and_their_keys() {
    let mut store = store();
    let put = |rows: Vec<ModelRow>| Batch {
        put_models: rows,
        ..Batch::default()
    };
    store
        .commit(&put(vec![model("z", Some("k1")), model("a", None)]))
        .unwrap();
    store.commit(&put(vec![model("z", Some("k2"))])).unwrap();
    assert_eq!(
        store.models().unwrap(),
        [model("z", Some("k2")), model("a", None)]
    );

    let batch = Batch {
        delete_models: vec!["z".into()],
        ..Batch::default()
    };
    store.commit(&batch).unwrap();
    assert_eq!(store.models().unwrap(), [model("a", None)]);
}

#[test]
fn debug_output_hides_a_models_key() {
    let batch = Batch {
        put_models: vec![model("m", Some("sk-secret"))],
        ..Batch::default()
    };
    let shown = format!("{batch:?}");
    assert!(
        shown.contains("\"m\"") && !shown.contains("secret"),
        "{shown}"
    );
}

#[test]
fn a_setting_is_put_changed_and_forgotten() {
    let mut store = store();
    for value in [Some("1"), Some("2"), None] {
        let value = value.map(str::to_owned);
        let batch = Batch {
            put_settings: vec![SettingRow {
                name: "n".to_owned(),
                value: value.clone(),
            }],
            ..Batch::default()
        };
        store.commit(&batch).unwrap();
        assert_eq!(store.setting("n").unwrap(), value);
    }
}

#[test]
fn an_op_that_was_begun_is_settled_in_its_place() {
    let mut store = store();
    store.commit(&ops([op("o")])).unwrap();
    let settled = OpRow {
        applied_at: Millis(9),
        outcome: "{\"answered\":true}".to_owned(),
        ..op("o")
    };
    let batch = Batch {
        settle_ops: vec![settled.clone(), op("never begun")],
        ..Batch::default()
    };
    store.commit(&batch).unwrap();
    assert_eq!(store.op(&"o".into()).unwrap(), Some(settled));
    assert_eq!(store.op(&"never begun".into()).unwrap(), None);
}

/// The batch is refused as a mistake, and nothing of it is left.
#[track_caller]
fn check_refused(mut batch: Batch) {
    let mut store = store();
    let before = Batch {
        put_conversations: vec![conversation("c", 1)],
        put_items: vec![item("c", 0, "kept")],
        put_runs: vec![run("r", None, "c")],
        put_ops: vec![op("o")],
        ..Batch::default()
    };
    store.commit(&before).unwrap();

    batch.put_conversations.push(conversation("new", 2));
    let error = store.commit(&batch).unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Bug, "{error}");
    assert_eq!(
        store.conversations(9, None).unwrap(),
        before.put_conversations
    );
    assert_eq!(store.items(&"c".into()).unwrap(), before.put_items);
    assert_eq!(store.open_runs().unwrap(), before.put_runs);

    store
        .commit(&conversations([conversation("later", 3)]))
        .unwrap();
}

#[test]
fn an_item_of_no_conversation_is_refused() {
    check_refused(items([item("nowhere", 0, "lost")]));
}

#[test]
fn two_items_at_one_position_are_refused() {
    let mut second = item("c", 0, "the same place");
    second.id = "other".into();
    check_refused(items([second]));
}

#[test]
fn a_second_run_of_a_conversation_is_refused() {
    check_refused(runs([run("q", None, "c")]));
}

#[test]
fn an_op_that_was_settled_before_is_refused() {
    check_refused(ops([op("o")]));
}

#[test]
fn a_number_that_sqlite_cannot_hold_is_refused() {
    let mut row = item("c", 1, "");
    row.seq = Seq(u64::MAX);
    check_refused(items([row]));
}

#[test]
fn a_sub_agents_conversation_is_in_no_list_and_goes_with_its_own() {
    let mut store = store();
    let child = ConversationRow {
        parent: Some("c".into()),
        body: r#"{"a":1}"#.into(),
        ..conversation("child", 9)
    };
    store
        .commit(&conversations([conversation("c", 1), child.clone()]))
        .unwrap();
    store
        .commit(&items([item("c", 0, "above"), item("child", 0, "below")]))
        .unwrap();
    let listed = store.conversations(9, None).unwrap();
    assert_eq!(listed, [conversation("c", 1)]);
    assert_eq!(store.conversation(&"child".into()).unwrap(), Some(child));
    assert_eq!(store.search("above", 9).unwrap().len(), 1);
    assert_eq!(store.search("below", 9).unwrap().len(), 0);

    let delete = Batch {
        delete_conversations: vec!["c".into()],
        ..Batch::default()
    };
    store.commit(&delete).unwrap();
    assert_eq!(store.conversation(&"child".into()).unwrap(), None);
    assert_eq!(store.items(&"child".into()).unwrap(), []);
}

#[test]
fn a_cleared_conversation_stays_and_is_empty() {
    let mut store = store();
    store
        .commit(&conversations([conversation("c", 1), conversation("d", 2)]))
        .unwrap();
    store
        .commit(&items([item("c", 0, "gone"), item("d", 0, "stays")]))
        .unwrap();
    let clear = Batch {
        clear_conversations: vec!["c".into()],
        put_items: vec![item("c", 7, "new")],
        ..Batch::default()
    };
    store.commit(&clear).unwrap();
    assert_eq!(store.items(&"c".into()).unwrap(), [item("c", 7, "new")]);
    assert_eq!(store.search("gone", 9).unwrap().len(), 0);
    assert_eq!(store.search("stays", 9).unwrap().len(), 1);
}

fn used(day: &str, model: &str, input: u64, cost: u64) -> Batch {
    Batch {
        add_usage: vec![UsageOfDay {
            day: day.into(),
            model: model.into(),
            usage: Usage {
                input,
                cached: 1,
                written: 2,
                output: 3,
                reasoning: 4,
                cost,
                unpriced: 6,
            },
        }],
        ..Batch::default()
    }
}

#[test]
fn what_was_used_adds_up_by_day_and_model() {
    let mut store = store();
    store.commit(&used("2026-03-08", "a", 9, 9)).unwrap();
    store.commit(&used("2026-03-09", "b", 10, 5)).unwrap();
    store.commit(&used("2026-03-09", "a", 10, 5)).unwrap();
    store.commit(&used("2026-03-09", "a", 20, 7)).unwrap();
    let rows = store.usage_since("2026-03-09").unwrap();
    let expected = Usage {
        input: 30,
        cached: 2,
        written: 4,
        output: 6,
        reasoning: 8,
        cost: 12,
        unpriced: 12,
    };
    let of = |row: &UsageOfDay| (row.day.clone(), row.model.clone());
    assert_eq!(rows.len(), 2);
    assert_eq!(of(&rows[0]), ("2026-03-09".into(), "b".into()));
    assert_eq!(of(&rows[1]), ("2026-03-09".into(), "a".into()));
    assert_eq!(rows[1].usage, expected);
    let all: Vec<_> = store.usage_since("").unwrap().iter().map(of).collect();
    assert_eq!(all[2], ("2026-03-08".into(), "a".into()));
}

#[test]
fn a_server_that_counts_nonsense_breaks_no_step() {
    let mut store = store();
    for _ in 0..200 {
        store
            .commit(&used("2026-03-09", "a", u64::MAX, u64::MAX))
            .unwrap();
    }
    let rows = store.usage_since("2026-03-09").unwrap();
    assert_eq!(rows[0].usage.input, 9_000_000_000_000_000_000);
    assert_eq!(rows[0].usage.reasoning, 800);
}
