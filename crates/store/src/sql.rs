//! Every statement that runs more than once, in one place, so that a test can ask SQLite for the
//! plan of each: none may read more of a table than it needs. An update names only columns that can
//! change: SQLite writes a page of every index over a column that is named, changed or not.

pub(crate) const EPOCH: &str = "SELECT epoch FROM core WHERE line = 1";

pub(crate) const SET_EPOCH: &str = "UPDATE core SET epoch = ?1 WHERE line = 1";

pub(crate) const DELETE_CONVERSATION: &str = "DELETE FROM conversation WHERE id = ?1";

pub(crate) const PUT_CONVERSATION: &str = "
    INSERT INTO conversation (id, title, titled_by_person, created_at, updated_at, parent, body)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    ON CONFLICT (id) DO UPDATE SET title = excluded.title,
        titled_by_person = excluded.titled_by_person, updated_at = excluded.updated_at,
        body = excluded.body";

pub(crate) const CLEAR_CONVERSATION: &str = "DELETE FROM item WHERE conversation = ?1";

pub(crate) const CONVERSATION: &str = "
    SELECT id, title, titled_by_person, created_at, updated_at, parent, body FROM conversation
    WHERE id = ?1";

pub(crate) const CONVERSATIONS: &str = "
    SELECT id, title, titled_by_person, created_at, updated_at, parent, body FROM conversation
    WHERE parent IS NULL AND (updated_at, id) < (?1, ?2) ORDER BY updated_at DESC, id DESC LIMIT ?3";

pub(crate) const FIND_ITEM: &str =
    "SELECT number, id, text FROM item WHERE conversation = ?1 AND position = ?2";

pub(crate) const INSERT_ITEM: &str = "
    INSERT INTO item (conversation, id, position, seq, turn, at, kind, body, text)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

pub(crate) const UPDATE_ITEM: &str = "
    UPDATE item SET seq = ?2, turn = ?3, at = ?4, kind = ?5, body = ?6, text = ?7 WHERE number = ?1";

pub(crate) const ITEMS: &str = "
    SELECT id, conversation, position, seq, turn, at, kind, body, text FROM item
    WHERE conversation = ?1 ORDER BY position";

pub(crate) const ITEMS_PAGE: &str = "
    SELECT id, conversation, position, seq, turn, at, kind, body, text FROM item
    WHERE conversation = ?1 AND position < ?2 ORDER BY position DESC LIMIT ?3";

pub(crate) const INDEX_WORDS: &str = "INSERT INTO item_words (rowid, words) VALUES (?1, ?2)";

pub(crate) const FORGET_WORDS: &str = "DELETE FROM item_words WHERE rowid = ?1";

/// CROSS keeps the order: the index names the items, newest first, and each is then looked up.
pub(crate) const SEARCH: &str = "
    SELECT item.conversation, item.id, item.text
    FROM item_words CROSS JOIN item ON item.number = item_words.rowid
    CROSS JOIN conversation ON conversation.id = item.conversation
    WHERE item_words MATCH ?1 AND conversation.parent IS NULL ORDER BY item_words.rowid DESC LIMIT ?2";

pub(crate) const END_RUN: &str = "DELETE FROM run WHERE id = ?1";

pub(crate) const PUT_RUN: &str = "
    INSERT INTO run (id, parent, conversation, turn, started_at, body)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (id) DO UPDATE SET turn = excluded.turn, started_at = excluded.started_at,
        body = excluded.body";

pub(crate) const OPEN_RUNS: &str = "
    SELECT id, parent, conversation, turn, started_at, body FROM run ORDER BY started_at, id";

pub(crate) const PUT_OP: &str = "INSERT INTO op (id, applied_at, outcome) VALUES (?1, ?2, ?3)";

pub(crate) const SETTLE_OP: &str = "UPDATE op SET applied_at = ?2, outcome = ?3 WHERE id = ?1";

pub(crate) const PRUNE_OPS: &str =
    "DELETE FROM op WHERE number <= (SELECT max(number) FROM op) - ?1";

pub(crate) const OP: &str = "SELECT id, applied_at, outcome FROM op WHERE id = ?1";

pub(crate) const DELETE_MODEL: &str = "DELETE FROM model WHERE id = ?1";

pub(crate) const PUT_MODEL: &str = "
    INSERT INTO model (id, body, key) VALUES (?1, ?2, ?3)
    ON CONFLICT (id) DO UPDATE SET body = excluded.body, key = excluded.key";

pub(crate) const MODELS: &str = "SELECT id, body, key FROM model ORDER BY number";

pub(crate) const FORGET_SETTING: &str = "DELETE FROM setting WHERE name = ?1";

pub(crate) const PUT_SETTING: &str = "
    INSERT INTO setting (name, value) VALUES (?1, ?2)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";

/// A server may count nonsense: no sum grows out of what a column holds.
pub(crate) const ADD_USAGE: &str = "
    INSERT INTO usage_of_day (day, model, input, cached, written, output, reasoning, cost, unpriced)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    ON CONFLICT (day, model) DO UPDATE SET
        input = min(input + excluded.input, 9000000000000000000),
        cached = min(cached + excluded.cached, 9000000000000000000),
        written = min(written + excluded.written, 9000000000000000000),
        output = min(output + excluded.output, 9000000000000000000),
        reasoning = min(reasoning + excluded.reasoning, 9000000000000000000),
        cost = min(cost + excluded.cost, 9000000000000000000),
        unpriced = min(unpriced + excluded.unpriced, 9000000000000000000)";

pub(crate) const USAGE: &str = "
    SELECT day, model, input, cached, written, output, reasoning, cost, unpriced FROM usage_of_day
    WHERE day >= ?1 ORDER BY day DESC, model DESC";

pub(crate) const SETTING: &str = "SELECT value FROM setting WHERE name = ?1";
