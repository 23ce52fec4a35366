//! What SQLite plans for each statement that runs in every step or that a person waits for.

use super::store;
use crate::sql;

#[track_caller]
fn check(sql: &str, expected: &[&str]) {
    let store = store();
    let mut statement = store
        .connection
        .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
        .unwrap();
    let mut rows = statement.raw_query();
    let mut plan = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        plan.push(row.get::<_, String>(3).unwrap());
    }
    assert_eq!(plan, expected, "{sql}");
}

#[test]
fn a_conversation_is_found_by_its_id() {
    let by_id = "SEARCH conversation USING INDEX sqlite_autoindex_conversation_1 (id=?)";
    check(sql::CONVERSATION, &[by_id]);
}

#[test]
fn a_page_of_conversations_starts_at_its_place() {
    check(
        sql::CONVERSATIONS,
        &["SEARCH conversation USING INDEX conversation_by_update ((updated_at,id)<(?,?))"],
    );
}

#[test]
fn a_deleted_conversation_finds_what_belongs_to_it_by_index() {
    check(
        sql::DELETE_CONVERSATION,
        &[
            "SEARCH conversation USING INDEX sqlite_autoindex_conversation_1 (id=?)",
            "SEARCH run USING COVERING INDEX run_by_conversation (conversation=?)",
            "SEARCH item USING COVERING INDEX item_by_position (conversation=?)",
            "SEARCH conversation USING COVERING INDEX conversation_by_parent (parent=?)",
        ],
    );
}

#[test]
fn items_are_found_and_ordered_by_index() {
    check(
        sql::FIND_ITEM,
        &["SEARCH item USING INDEX item_by_position (conversation=? AND position=?)"],
    );
    check(
        sql::UPDATE_ITEM,
        &["SEARCH item USING INTEGER PRIMARY KEY (rowid=?)"],
    );
    check(
        sql::ITEMS,
        &["SEARCH item USING INDEX item_by_position (conversation=?)"],
    );
    check(
        sql::ITEMS_PAGE,
        &["SEARCH item USING INDEX item_by_position (conversation=? AND position<?)"],
    );
}

#[test]
fn a_search_goes_from_the_word_index_to_the_items() {
    // 192: the index itself gives the rows in falling order, so a search stops at its limit.
    check(
        sql::SEARCH,
        &[
            "SCAN item_words VIRTUAL TABLE INDEX 192:M1",
            "SEARCH item USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH conversation USING INDEX sqlite_autoindex_conversation_1 (id=?)",
        ],
    );
}

#[test]
fn an_op_is_found_by_its_id_and_pruned_from_its_oldest() {
    check(
        sql::OP,
        &["SEARCH op USING INDEX sqlite_autoindex_op_1 (id=?)"],
    );
    check(
        sql::PRUNE_OPS,
        &[
            "SEARCH op USING INTEGER PRIMARY KEY (rowid<?)",
            "SCALAR SUBQUERY 1",
            "SEARCH op",
        ],
    );
}

#[test]
fn small_tables_are_found_by_key() {
    check(
        sql::EPOCH,
        &["SEARCH core USING INTEGER PRIMARY KEY (rowid=?)"],
    );
    check(
        sql::END_RUN,
        &[
            "SEARCH run USING INDEX sqlite_autoindex_run_1 (id=?)",
            "SEARCH run USING COVERING INDEX run_by_parent (parent=?)",
        ],
    );
    check(
        sql::DELETE_MODEL,
        &["SEARCH model USING INDEX sqlite_autoindex_model_1 (id=?)"],
    );
    check(
        sql::SETTING,
        &["SEARCH setting USING INDEX sqlite_autoindex_setting_1 (name=?)"],
    );
}

#[test]
fn what_was_used_is_found_by_its_day() {
    check(
        sql::USAGE,
        &["SEARCH usage_of_day USING PRIMARY KEY (day>?)"],
    );
}
