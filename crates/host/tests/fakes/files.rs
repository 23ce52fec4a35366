//! The files and what a crash leaves of them.

use std::collections::BTreeSet;

use futures::FutureExt;
use proptest::prelude::*;
use tabwright_host::fake::{Crash, FakeFiles, FakeHost, FaultPlan, Which, run_until_stalled};
use tabwright_host::{Entry, EntryKind, Files, HostErrorKind};

/// Runs one operation after another (`write a/b=text`, `read a/b`, `list a`, `remove a`) and
/// expects these answers.
fn check(script: &[(&str, &str)]) {
    let fake = FakeHost::new(1);
    for (operation, expected) in script {
        let (verb, rest) = operation.split_once(' ').unwrap_or((operation, ""));
        let (files, rest) = (fake.files.clone(), rest.to_owned());
        let verb = verb.to_owned();
        let answer = run_until_stalled(async move {
            match verb.as_str() {
                "write" => {
                    let (path, text) = rest.split_once('=').expect("write path=text");
                    let done = files.write(path, text.into()).await;
                    done.map(|()| "done".to_owned())
                }
                "read" => {
                    let read = files.read(&rest).await;
                    read.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
                }
                "list" => files.list(&rest).await.map(|entries| show(&entries)),
                "remove" => files.remove(&rest).await.map(|()| "done".to_owned()),
                other => panic!("no such operation: {other}"),
            }
        });
        let answer = match answer.expect("files answer at once") {
            Ok(text) => text,
            Err(error) => format!("{:?}: {}", error.kind, error.message),
        };
        assert_eq!(&answer, expected, "{operation}");
    }
}

fn show(entries: &[Entry]) -> String {
    let words: Vec<_> = entries
        .iter()
        .map(|entry| match entry.kind {
            EntryKind::File { size } => format!("{}:{size}", entry.name),
            EntryKind::Directory => format!("{}/", entry.name),
        })
        .collect();
    words.join(" ")
}

#[test]
fn files_can_be_written_read_listed_and_removed() {
    check(&[
        ("list", ""),
        ("write a/b/c.txt=hello", "done"),
        ("write a/b.txt=x", "done"),
        ("write z=zz", "done"),
        ("list", "a/ z:2"),
        ("list a", "b/ b.txt:1"),
        ("read a/b/c.txt", "hello"),
        ("write a/b/c.txt=bye", "done"),
        ("read a/b/c.txt", "bye"),
        ("remove a/b", "done"),
        ("list a", "b.txt:1"),
        ("remove a/b.txt", "done"),
        ("list a", ""),
    ]);
}

#[test]
fn what_is_not_there_or_is_something_else_is_an_error() {
    check(&[
        ("read no", "NotFound: there is no `no`"),
        ("list no", "NotFound: there is no `no`"),
        ("remove no", "NotFound: there is no `no`"),
        ("write a/b=x", "done"),
        ("read a", "Invalid: `a` is not a file"),
        ("write a=x", "Invalid: `a` is not a file"),
        ("list a/b", "Invalid: `a/b` is not a directory"),
        ("write a/b/c=x", "Invalid: `a/b` is not a directory"),
        ("write a//c=x", "Invalid: `a//c` is no path of a file"),
        ("list a", "b:1"),
    ]);
}

#[test]
fn the_nth_write_fails_and_changes_nothing() {
    let fake = FakeHost::new(1);
    fake.files
        .set_faults(FaultPlan::new().fail(Which::nth_of("files.write", 2), HostErrorKind::Full));
    let write = |text: &'static str| {
        let files = fake.files.clone();
        run_until_stalled(async move {
            let result = files.write("f", text.into()).await;
            result.map_err(|error| error.kind)
        })
    };
    assert_eq!(write("one"), Some(Ok(())));
    assert_eq!(write("two"), Some(Err(HostErrorKind::Full)));
    assert_eq!(fake.files.get("f"), Some(b"one".to_vec()));
    assert_eq!(write("three"), Some(Ok(())));
    let happened: Vec<_> = fake
        .files
        .calls()
        .iter()
        .map(|call| call.happened)
        .collect();
    assert_eq!(happened, [true, false, true]);
}

/// The files' content after a crash in the middle of a write of `NEW!` over `old`.
fn after_crash(seed: u64, crash: Crash) -> String {
    let fake = FakeHost::new(seed);
    fake.files.put("f", "old").expect("a good path");
    fake.files.on_crash(crash);
    fake.files
        .set_faults(FaultPlan::new().delay(Which::every(), 10));
    let mut write = fake.files.write("f", b"NEW!".to_vec());
    assert!(write.as_mut().now_or_never().is_none());
    assert_eq!(fake.files.get("f"), Some(b"old".to_vec()), "not yet");
    fake.files.crash();
    let after = fake.files.get("f").expect("the file stays");

    // Whoever still waits belongs to the life before.
    fake.clock.advance(10);
    let answer = write.now_or_never().expect("the delay is over");
    assert_eq!(
        answer.map_err(|error| error.kind),
        Err(HostErrorKind::Unavailable)
    );
    assert_eq!(fake.files.get("f").as_ref(), Some(&after));
    String::from_utf8(after).expect("text")
}

#[test]
fn a_crash_leaves_the_old_or_the_new_content_as_planned() {
    assert_eq!(after_crash(1, Crash::Old), "old");
    assert_eq!(after_crash(1, Crash::New), "NEW!");
    let seeded: BTreeSet<_> = (0..20)
        .map(|seed| after_crash(seed, Crash::Seeded))
        .collect();
    assert_eq!(seeded, ["NEW!", "old"].map(str::to_owned).into());
    assert_eq!(after_crash(5, Crash::Seeded), after_crash(5, Crash::Seeded));
}

#[test]
fn a_torn_write_is_a_mixture_only_where_it_is_asked_for() {
    assert_eq!(after_crash(1, Crash::Torn), "NEd");
}

#[test]
fn a_write_that_was_dropped_or_finished_is_not_in_flight() {
    let fake = FakeHost::new(1);
    fake.files.on_crash(Crash::New);
    fake.files
        .set_faults(FaultPlan::new().delay(Which::nth(1), 10));
    let mut write = fake.files.write("f", b"dropped".to_vec());
    assert!(write.as_mut().now_or_never().is_none());
    drop(write);
    fake.files.crash();
    assert_eq!(fake.files.get("f"), None);

    assert!(matches!(
        fake.files.write("f", b"kept".to_vec()).now_or_never(),
        Some(Ok(()))
    ));
    fake.files.on_crash(Crash::Old);
    fake.files.crash();
    assert_eq!(fake.files.get("f"), Some(b"kept".to_vec()));
}

#[test]
fn a_crash_in_the_middle_of_removing_a_directory_leaves_some_files_whole() {
    let left = |seed| -> usize {
        let fake = FakeHost::new(seed);
        let names = ["d/a", "d/b", "d/c"];
        for name in names {
            fake.files.put(name, name).expect("a good path");
        }
        fake.files
            .set_faults(FaultPlan::new().delay(Which::every(), 10));
        let mut remove = fake.files.remove("d");
        assert!(remove.as_mut().now_or_never().is_none());
        fake.files.crash();
        let kept = names.map(|name| {
            fake.files
                .get(name)
                .filter(|bytes| bytes == name.as_bytes())
        });
        kept.iter().flatten().count()
    };
    let counts: BTreeSet<_> = (0..40).map(left).collect();
    assert_eq!(counts, [0, 1, 2, 3].into());
}

proptest! {
    #[test]
    fn no_crash_that_keeps_the_contract_ever_mixes_two_contents(
        seed: u64,
        old in proptest::collection::vec(any::<u8>(), 0..20),
        writes in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..20), 1..4),
    ) {
        let fake = FakeHost::new(seed);
        prop_assert!(fake.files.put("f", &old).is_ok());
        fake.files.set_faults(FaultPlan::new().delay(Which::every(), 10));
        let begin = |bytes: &Vec<u8>| {
            let mut write = FakeFiles::write(&fake.files, "f", bytes.clone());
            assert!(write.as_mut().now_or_never().is_none());
            write
        };
        let in_flight: Vec<_> = writes.iter().map(begin).collect();
        fake.files.crash();
        drop(in_flight);
        let after = fake.files.get("f");
        prop_assert!(after.as_ref() == Some(&old) || writes.iter().any(|new| after.as_ref() == Some(new)));
    }
}

#[test]
fn the_head_of_a_file_and_its_address_are_those_of_the_file() {
    let fake = FakeHost::new(1);
    fake.files.put("d/f", "hello").expect("a good path");
    let files = fake.files.clone();
    let answers = run_until_stalled(async move {
        let heads = [
            files.head("d/f", 2).await,
            files.head("d/f", 99).await,
            files.head("no", 2).await,
        ];
        let urls = [
            files.blob_url("d/f", "image/png").await,
            files.blob_url("d", "image/png").await,
        ];
        (heads, urls)
    });
    let (heads, urls) = answers.expect("files answer at once");
    let heads = heads.map(|head| {
        let head = head.map_err(|error| (error.call, error.kind));
        head.map(|head| (String::from_utf8_lossy(&head.bytes).into_owned(), head.size))
    });
    assert_eq!(
        heads,
        [
            Ok(("he".to_owned(), 5)),
            Ok(("hello".to_owned(), 5)),
            Err(("files.head", HostErrorKind::NotFound)),
        ]
    );
    let urls = urls.map(|url| url.map_err(|error| (error.call, error.kind)));
    assert_eq!(
        urls,
        [
            Ok("blob:fake/d/f#image/png".to_owned()),
            Err(("files.blob_url", HostErrorKind::Invalid)),
        ]
    );
}
