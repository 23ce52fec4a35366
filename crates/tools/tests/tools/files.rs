//! `opfs_write`, `opfs_read`, `opfs_list` and `opfs_delete` through the door.

use std::fmt::Write;

use serde_json::{Value, json};
use tabwright_host::HostErrorKind;
use tabwright_host::fake::{Crash, FakeHost, FaultPlan, Which, run, run_until_stalled};
use tabwright_tools::boundary::{RESULT_LIMIT, result_text};
use tabwright_tools::{Access, CallOutcome, Door, Effects, Replay, builtin};

use crate::common::context;

fn door() -> Door {
    Door::new(builtin().expect("good names"), Vec::new())
}

fn call(fake: &FakeHost, tool: &str, arguments: &Value) -> CallOutcome {
    let arguments = arguments.to_string();
    let call = door().call(context(fake.host()), tool, &arguments);
    run(&fake.clock, call).expect("the call ends")
}

/// The result, exactly; or the error's code and a part of its text.
#[track_caller]
fn check(fake: &FakeHost, tool: &str, arguments: Value, expected: Result<Value, (&str, &str)>) {
    let outcome = call(fake, tool, &arguments);
    let value = &outcome.value;
    assert_eq!(
        outcome.is_error,
        expected.is_err(),
        "{tool} {arguments}: {value}"
    );
    match expected {
        Ok(expected) => assert_eq!(*value, expected, "{tool} {arguments}"),
        Err((code, part)) => {
            assert_eq!(value["code"], code, "{tool} {arguments}: {value}");
            let message = value["error"].as_str().unwrap_or_default();
            assert!(message.contains(part), "{message}");
        }
    }
}

fn with_file(path: &str, content: impl AsRef<[u8]>) -> FakeHost {
    let fake = FakeHost::new(1);
    fake.files.put(path, content).expect("a good path");
    fake
}

fn text(path: &str, content: &str, lines: (usize, usize, usize), mime: &str) -> Value {
    let (total, start, end) = lines;
    json!({
        "path": path,
        "content": content,
        "totalLines": total,
        "startLine": start,
        "endLine": end,
        "mimeType": mime,
        "type": "text",
    })
}

fn numbered(count: usize) -> String {
    (1..=count).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "line {number}");
        text
    })
}

#[test]
fn what_is_written_is_read_listed_and_deleted() {
    let fake = FakeHost::new(1);
    let write = json!({"path": "/notes/a.md", "content": "# Tschüss\n"});
    let written = json!({"path": "notes/a.md", "size": 11});
    check(&fake, "opfs_write", write, Ok(written));
    assert_eq!(fake.files.get("notes/a.md"), Some("# Tschüss\n".into()));

    let read = text("notes/a.md", "# Tschüss\n", (1, 1, 1), "text/markdown");
    check(&fake, "opfs_read", json!({"path": "notes/a.md"}), Ok(read));

    let write = json!({"path": "b.bin", "content": "data:application/x;base64,AAH/"});
    check(
        &fake,
        "opfs_write",
        write,
        Ok(json!({"path": "b.bin", "size": 3})),
    );
    let root = json!([
        {"name": "b.bin", "type": "file", "size": 3},
        {"name": "notes", "type": "directory"},
    ]);
    for arguments in [json!({}), json!({"path": "/"}), json!({"path": ""})] {
        check(&fake, "opfs_list", arguments, Ok(root.clone()));
    }
    let notes = json!([{"name": "a.md", "type": "file", "size": 11}]);
    check(&fake, "opfs_list", json!({"path": "notes/"}), Ok(notes));

    let success = json!({"success": true});
    check(
        &fake,
        "opfs_delete",
        json!({"path": "/notes/"}),
        Ok(success.clone()),
    );
    check(&fake, "opfs_delete", json!({"path": "b.bin"}), Ok(success));
    check(&fake, "opfs_list", json!({}), Ok(json!([])));
}

#[test]
fn what_a_file_is_decides_its_content_unless_the_mode_does() {
    let png = b"\x89PNG\r\n\x1a\n\0\0";
    let fake = with_file("pic.png", png);
    fake.files.put("t.csv", "a,b\r\nc,d").expect("a good path");
    fake.files.put("empty", "").expect("a good path");
    let blob = |path: &str, size: usize, mime: &str| {
        let url = format!("blob:fake/{path}#{mime}");
        json!({"path": path, "blobUrl": url, "size": size, "mimeType": mime, "type": "binary"})
    };
    let picture = blob("pic.png", 10, "image/png");
    check(
        &fake,
        "opfs_read",
        json!({"path": "pic.png"}),
        Ok(picture.clone()),
    );
    check(
        &fake,
        "opfs_read",
        json!({"path": "pic.png", "mode": "auto"}),
        Ok(picture),
    );
    let as_text = text(
        "pic.png",
        "\u{fffd}PNG\r\n\u{1a}\n\0\0",
        (3, 1, 3),
        "image/png",
    );
    check(
        &fake,
        "opfs_read",
        json!({"path": "pic.png", "mode": "text"}),
        Ok(as_text),
    );

    let table = text("t.csv", "a,b\r\nc,d", (2, 1, 2), "text/csv");
    check(&fake, "opfs_read", json!({"path": "t.csv"}), Ok(table));
    let table = blob("t.csv", 8, "text/csv");
    check(
        &fake,
        "opfs_read",
        json!({"path": "t.csv", "mode": "blob"}),
        Ok(table),
    );
    let empty = text("empty", "", (0, 1, 0), "text/plain");
    check(&fake, "opfs_read", json!({"path": "empty"}), Ok(empty));

    let wrong = json!({"path": "t.csv", "mode": "base64"});
    let modes = r#"`mode` must be one of "text", "blob", "auto""#;
    check(&fake, "opfs_read", wrong, Err(("invalid_arguments", modes)));
}

#[test]
fn a_large_file_is_judged_by_all_of_it_and_read_whole_only_as_text() {
    let mut mixed = vec![b'a'; 100_000];
    mixed.push(0);
    let fake = with_file("mixed.txt", mixed);
    let outcome = call(&fake, "opfs_read", &json!({"path": "mixed.txt"}));
    assert_eq!(outcome.value["type"], "binary");
    assert_eq!(outcome.value["size"], 100_001);
    assert_eq!(outcome.value["mimeType"], "application/octet-stream");

    let huge = vec![b'a'; 20_000_001];
    let fake = with_file("huge.txt", huge);
    let limit = (
        "too_large",
        "`huge.txt` is 20000001 bytes long; text is read up to 20000000",
    );
    check(&fake, "opfs_read", json!({"path": "huge.txt"}), Err(limit));
    let blob = call(
        &fake,
        "opfs_read",
        &json!({"path": "huge.txt", "mode": "blob"}),
    );
    assert_eq!(blob.value["size"], 20_000_001);
    let names: Vec<_> = fake.files.calls().iter().map(|call| call.name).collect();
    assert_eq!(names, ["files.head", "files.head", "files.blob_url"]);
}

#[test]
fn lines_come_in_pages() {
    let fake = with_file("n", numbered(201));
    let too_many = (
        "too_many_lines",
        "`n` has 201 lines; more than 200 are given only in pages",
    );
    check(&fake, "opfs_read", json!({"path": "n"}), Err(too_many));
    for (arguments, content, start, end) in [
        (
            json!({"path": "n", "offset": 2, "limit": 2}),
            "line 2\nline 3",
            2,
            3,
        ),
        (
            json!({"path": "n", "offset": "201"}),
            "line 201\n",
            201,
            201,
        ),
        (json!({"path": "n", "offset": 202}), "", 202, 201),
        (json!({"path": "n", "limit": 1}), "line 1", 1, 1),
        (
            json!({"path": "n", "offset": 200, "limit": 99}),
            "line 200\nline 201\n",
            200,
            201,
        ),
    ] {
        let expected = text("n", content, (201, start, end), "text/plain");
        check(&fake, "opfs_read", arguments, Ok(expected));
    }
    let all = call(&fake, "opfs_read", &json!({"path": "n", "offset": 1}));
    assert_eq!(all.value["content"], numbered(201));
    for argument in ["offset", "limit", "column"] {
        let zero = json!({"path": "n", argument: 0});
        check(
            &fake,
            "opfs_read",
            zero,
            Err(("invalid_arguments", "at least 1")),
        );
    }

    let fake = with_file("n", numbered(200));
    let all = call(&fake, "opfs_read", &json!({"path": "n"}));
    assert_eq!(
        (&all.value["content"], &all.value["endLine"]),
        (&json!(numbered(200)), &json!(200))
    );
}

/// Reads a file to its end as the results say, and expects all of it again.
#[track_caller]
fn read_on(content: &str, pages: usize) {
    let fake = with_file("f", content);
    let mut arguments = json!({"path": "f", "offset": 1});
    let mut read = String::new();
    for page in 1.. {
        let outcome = call(&fake, "opfs_read", &arguments);
        let length = result_text(&outcome).chars().count();
        assert!(length <= RESULT_LIMIT, "{length}");
        let value = outcome.value;
        read.push_str(value["content"].as_str().expect("text"));
        let Some(hint) = value.get("hint").and_then(Value::as_str) else {
            assert_eq!(value.get("truncated"), None);
            assert_eq!(page, pages);
            break;
        };
        assert_eq!(value["truncated"], true);
        let numbers: Vec<usize> = hint
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|word| word.parse().ok())
            .collect();
        arguments = match numbers.as_slice() {
            [offset] => {
                read.push('\n');
                json!({"path": "f", "offset": offset})
            }
            [line, offset, column] => {
                assert_eq!(line, offset, "{hint}");
                json!({"path": "f", "offset": offset, "column": column})
            }
            _ => panic!("{hint}"),
        };
    }
    assert!(read == content, "{} of {}", read.len(), content.len());
}

#[test]
fn what_does_not_fit_says_how_to_go_on() {
    read_on(&format!("{}\n", "é".repeat(60_000)), 2);
    read_on(&format!("{}\n", "\"".repeat(60_000)), 3);
    read_on(&numbered(10_000), 3);
    read_on(
        &format!("a\n{}\nb\n{}", "x".repeat(49_000), "y".repeat(120_000)),
        4,
    );
}

#[test]
fn a_path_that_cannot_be_touches_nothing() {
    let fake = FakeHost::new(1);
    for (path, part) in [
        ("../secret", "a path cannot leave the workspace"),
        ("a/../../b", "a path cannot leave the workspace"),
        ("a//b", "has an empty part"),
        ("a\\b", "has a backslash"),
        ("./a", "has `.` as a part"),
        ("a\u{7}b", "has a control character"),
    ] {
        let invalid = ("invalid_path", part);
        let content = json!({"path": path, "content": "x"});
        check(&fake, "opfs_write", content, Err(invalid));
        for tool in ["opfs_read", "opfs_list", "opfs_delete"] {
            check(&fake, tool, json!({"path": path}), Err(invalid));
        }
    }
    let no_file = ("invalid_path", "names no file");
    check(
        &fake,
        "opfs_write",
        json!({"path": "d/", "content": ""}),
        Err(no_file),
    );
    check(&fake, "opfs_read", json!({"path": "/"}), Err(no_file));
    let root = ("invalid_path", "The workspace itself cannot be deleted");
    check(&fake, "opfs_delete", json!({"path": "/"}), Err(root));
    assert_eq!(fake.files.calls(), []);
}

#[test]
fn what_is_not_there_or_is_something_else_is_an_error() {
    let fake = with_file("d/f", "x");
    let missing = ("not_found", "there is no `no`");
    for tool in ["opfs_read", "opfs_list", "opfs_delete"] {
        check(&fake, tool, json!({"path": "no"}), Err(missing));
    }
    let directory = ("rejected", "`d` is not a file");
    check(&fake, "opfs_read", json!({"path": "d"}), Err(directory));
    check(
        &fake,
        "opfs_write",
        json!({"path": "d", "content": "x"}),
        Err(directory),
    );
    let file = ("rejected", "`d/f` is not a directory");
    check(&fake, "opfs_list", json!({"path": "d/f"}), Err(file));
    check(
        &fake,
        "opfs_write",
        json!({"path": "d/f/g", "content": "x"}),
        Err(file),
    );
    let broken = json!({"path": "d/f", "content": "data:a/b;base64,%%%"});
    check(
        &fake,
        "opfs_write",
        broken,
        Err(("invalid_base64", "Nothing was written")),
    );
    assert_eq!(fake.files.get("d/f"), Some(b"x".to_vec()));
}

#[test]
fn a_full_or_locked_disk_is_told_and_changes_nothing() {
    for (kind, code, part) in [
        (
            HostErrorKind::Full,
            "storage_full",
            "Delete what is not needed",
        ),
        (HostErrorKind::Locked, "locked", "whoever uses it is done"),
    ] {
        let fake = with_file("f", "old");
        fake.files
            .set_faults(FaultPlan::new().fail(Which::every(), kind));
        check(
            &fake,
            "opfs_write",
            json!({"path": "f", "content": "new"}),
            Err((code, part)),
        );
        check(
            &fake,
            "opfs_delete",
            json!({"path": "f"}),
            Err((code, part)),
        );
        assert_eq!(fake.files.get("f"), Some(b"old".to_vec()));
    }
}

#[test]
fn after_a_crash_a_file_is_old_or_new_and_writing_it_again_makes_it_new() {
    for (crash, left) in [(Crash::Old, "old"), (Crash::New, "new")] {
        let fake = with_file("f", "old");
        fake.files.on_crash(crash);
        fake.files
            .set_faults(FaultPlan::new().delay(Which::nth_of("files.write", 1), 10));
        let arguments = json!({"path": "f", "content": "new"});
        let writing = door().call(context(fake.host()), "opfs_write", &arguments.to_string());
        let files = fake.files.clone();
        // The core dies in the middle of the write: its future is dropped.
        let dying = async move {
            futures::future::select(writing, Box::pin(async move { files.crash() })).await;
        };
        assert_eq!(run_until_stalled(dying), Some(()));
        assert_eq!(fake.files.get("f"), Some(left.into()));

        check(
            &fake,
            "opfs_write",
            arguments,
            Ok(json!({"path": "f", "size": 3})),
        );
        assert_eq!(fake.files.get("f"), Some(b"new".to_vec()));
    }
}

#[test]
fn each_declares_what_it_does() {
    let registry = builtin().expect("good names");
    for (name, access, replay, concurrent, untrusted) in [
        ("opfs_write", Access::Write, Replay::Keyed, false, false),
        ("opfs_read", Access::Read, Replay::Pure, true, true),
        ("opfs_list", Access::Read, Replay::Pure, true, true),
        (
            "opfs_delete",
            Access::Write,
            Replay::BareWrite,
            false,
            false,
        ),
    ] {
        let tool = registry.get(name).expect("it is built in");
        let declaration = tool.declaration();
        assert_eq!(
            (declaration.access, declaration.replay),
            (access, replay),
            "{name}"
        );
        assert_eq!(
            (declaration.concurrent, declaration.untrusted),
            (concurrent, untrusted),
            "{name}"
        );
        assert_eq!(declaration.effects, Effects::FILES, "{name}");
    }
}
