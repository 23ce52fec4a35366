//! Death at any instruction: a log that ends anywhere, a log with flipped bits, a killed process.
//!
//! Whatever is found afterwards is exactly the state after some batch, and never before the last
//! one that was acknowledged.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::{Batch, ConversationRow, ItemRow, Location, OpRow, RunRow, Store};
use tabwright_protocol::{ConversationId, ItemId, Millis, OpId, Seq, TurnId};

/// Everything that step `number` writes names the number, so that a mixture of two steps shows.
fn step(number: u32) -> Batch {
    let conversation = ConversationId::from("c");
    let turn = TurnId(format!("turn{number}"));
    Batch {
        put_conversations: vec![ConversationRow {
            id: conversation.clone(),
            title: format!("step {number}"),
            titled_by_person: false,
            created_at: Millis(0),
            updated_at: Millis(u64::from(number)),
            parent: None,
            body: "{}".into(),
        }],
        put_items: vec![ItemRow {
            id: ItemId(format!("item{number}")),
            conversation: conversation.clone(),
            position: number,
            seq: Seq(u64::from(number)),
            turn: turn.clone(),
            at: Millis(u64::from(number)),
            kind: "user_message".to_owned(),
            body: format!("{{\"number\":{number}}}"),
            text: format!("common step{number}"),
        }],
        put_runs: vec![RunRow {
            id: "run".to_owned(),
            parent: None,
            conversation,
            turn,
            started_at: Millis(0),
            body: format!("{{\"round\":{number}}}"),
        }],
        put_ops: vec![OpRow {
            id: OpId(format!("op{number}")),
            applied_at: Millis(0),
            outcome: number.to_string(),
        }],
        ..Batch::default()
    }
}

/// How many steps the database holds. Panics unless it holds exactly the first so many, whole.
#[track_caller]
fn steps_in(store: &Store) -> u32 {
    let items = store.items(&"c".into()).unwrap();
    let expected: Vec<_> = (1u32..)
        .take(items.len())
        .flat_map(|number| step(number).put_items)
        .collect();
    assert_eq!(items, expected);

    let count = u32::try_from(items.len()).unwrap();
    let last = step(count);
    if count > 0 {
        assert_eq!(
            store.conversations(9, None).unwrap(),
            last.put_conversations
        );
        assert_eq!(store.open_runs().unwrap(), last.put_runs);
        assert_eq!(
            store.op(&last.put_ops[0].id).unwrap(),
            last.put_ops.first().cloned()
        );
        assert_eq!(store.search(&format!("step{count}"), 9).unwrap().len(), 1);
    }
    let next = step(count + 1);
    assert_eq!(store.op(&next.put_ops[0].id).unwrap(), None);
    assert_eq!(store.search(&format!("step{}", count + 1), 9).unwrap(), []);
    count
}

/// The database is sound by SQLite's own checks, of the search index too, and goes on from here.
fn goes_on(path: &Path) {
    let mut store = Store::open(Location::File(path.to_owned())).unwrap();
    let count = steps_in(&store);
    store.begin_epoch().unwrap();
    store.commit(&step(count + 1)).unwrap();
    assert_eq!(steps_in(&store), count + 1);
    store.close().unwrap();

    let connection = rusqlite::Connection::open(path).unwrap();
    let verdict: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(verdict, "ok");
    connection
        .execute_batch("INSERT INTO item_words (item_words) VALUES ('integrity-check')")
        .unwrap();
}

/// A small generator of numbers that look random, the same ones in each test run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// A database whose last step is in the log between two offsets.
struct Torn {
    folder: tempfile::TempDir,
    steps: u32,
    from: u64,
    to: u64,
}

impl Torn {
    fn new() -> Self {
        let steps = 6;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("db");
        let log = folder.path().join("db-wal");
        let begin = || {
            let mut store = Store::open(Location::File(path.clone())).unwrap();
            store.begin_epoch().unwrap();
            store
        };
        let mut store = begin();
        for number in 1..steps - 1 {
            store.commit(&step(number)).unwrap();
        }
        // Closing empties the log, so that each of the many openings reads a short one.
        store.close().unwrap();
        let mut store = begin();
        store.commit(&step(steps - 1)).unwrap();
        let from = fs::metadata(&log).unwrap().len();
        store.commit(&step(steps)).unwrap();
        let to = fs::metadata(&log).unwrap().len();
        assert!(from < to);
        Self {
            folder,
            steps,
            from,
            to,
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("db")
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("db-wal")
    }

    /// Opens the database as it is now and returns how many steps it holds.
    fn open(&self) -> u32 {
        steps_in(&Store::open(Location::File(self.path())).unwrap())
    }

    /// Goes on in a copy, so that this one stays as it is.
    fn goes_on(&self) {
        let copy = tempfile::tempdir().unwrap();
        fs::copy(self.path(), copy.path().join("db")).unwrap();
        fs::copy(self.log(), copy.path().join("db-wal")).unwrap();
        goes_on(&copy.path().join("db"));
    }
}

#[test]
fn a_log_cut_at_any_byte_of_the_last_step_holds_it_whole_or_not_at_all() {
    let torn = Torn::new();
    assert_eq!(torn.open(), torn.steps);
    let log = OpenOptions::new().write(true).open(torn.log()).unwrap();
    for length in (torn.from..torn.to).rev() {
        log.set_len(length).unwrap();
        assert_eq!(torn.open(), torn.steps - 1, "cut at {length}");
        if length % 1009 == 0 || length == torn.from {
            torn.goes_on();
        }
    }
}

#[test]
fn a_bit_flipped_in_the_last_step_undoes_all_of_it() {
    let torn = Torn::new();
    let mut log = OpenOptions::new()
        .read(true)
        .write(true)
        .open(torn.log())
        .unwrap();
    let mut flip = |at: u64, mask: u8| {
        let mut byte = [0];
        log.seek(SeekFrom::Start(at)).unwrap();
        log.read_exact(&mut byte).unwrap();
        log.seek(SeekFrom::Start(at)).unwrap();
        log.write_all(&[byte[0] ^ mask]).unwrap();
    };
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for round in 0..3_000 {
        let at = torn.from + numbers.below(torn.to - torn.from);
        let mask = 1 << numbers.below(8);
        flip(at, mask);
        assert_eq!(torn.open(), torn.steps - 1, "bit {mask} of byte {at}");
        if round % 100 == 0 {
            torn.goes_on();
        }
        flip(at, mask);
    }
    assert_eq!(torn.open(), torn.steps);
}

#[test]
fn a_bit_flipped_anywhere_in_the_log_undoes_whole_steps_only() {
    let torn = Torn::new();
    let whole = fs::read(torn.log()).unwrap();
    let mut numbers = Numbers(42);
    for _ in 0..1_000 {
        let at = usize::try_from(numbers.below(torn.to)).unwrap();
        let mask = 1 << numbers.below(8);
        let mut damaged = whole.clone();
        damaged[at] ^= mask;
        fs::write(torn.log(), &damaged).unwrap();
        let found = torn.open();
        assert!(
            found < torn.steps && found >= torn.steps - 2,
            "bit {mask} of byte {at}: {found} steps"
        );
    }
}

const CHILD_DATABASE: &str = "TABWRIGHT_STORE_TEST_CHILD_DATABASE";

/// Not a test by itself: the process that the next test kills.
#[test]
fn child_that_commits_until_it_is_killed() {
    let Some(path) = std::env::var_os(CHILD_DATABASE) else {
        return;
    };
    let mut store = Store::open(Location::File(path.into())).unwrap();
    store.begin_epoch().unwrap();
    let mut output = std::io::stdout();
    let mut number = steps_in(&store);
    loop {
        number += 1;
        store.commit(&step(number)).unwrap();
        writeln!(output, "\nacknowledged {number}").unwrap();
        output.flush().unwrap();
    }
}

#[test]
fn every_acknowledged_step_is_there_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("db");
    let mut numbers = Numbers(7);
    let mut before = 0;
    let mut rounds_with_steps = 0;
    for round in 0..20 {
        let test = concat!(module_path!(), "::child_that_commits_until_it_is_killed");
        let (_, test) = test.split_once("::").unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test])
            .args(["--nocapture", "--test-threads=1"])
            .env(CHILD_DATABASE, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut acknowledged = before;
        let mut read = |line: std::io::Result<String>| {
            if let Some(number) = line.unwrap().strip_prefix("acknowledged ") {
                acknowledged = number.parse().unwrap();
            }
            acknowledged > before
        };
        // Every fourth kill may come while the database is being opened.
        if round % 4 > 0 {
            lines.by_ref().any(&mut read);
        }
        thread::sleep(Duration::from_micros(numbers.below(80_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        for line in lines {
            read(line);
        }

        let store = Store::open(Location::File(path.clone())).unwrap();
        let found = steps_in(&store);
        // A kill between the commit and its acknowledgement leaves one more.
        assert!(
            found == acknowledged || found == acknowledged + 1,
            "{acknowledged} acknowledged, {found} found"
        );
        rounds_with_steps += u32::from(found > before);
        before = found;
    }
    assert!(rounds_with_steps >= 15, "the child hardly ran");
    goes_on(&path);
}
