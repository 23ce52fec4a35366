//! `web_fetch` through the door: what servers answer, late, broken or elsewhere.

use serde_json::{Value, json};
use tabwright_host::fake::{FakeHost, RequestState, ScriptedResponse, run};
use tabwright_host::{HostError, HostErrorKind, PageText, Redirects};
use tabwright_tools::{CallOutcome, Door, boundary, builtin};

use crate::common::context;

const URL: &str = "https://example.com/a";

fn call(fake: &FakeHost, arguments: &Value) -> CallOutcome {
    let door = Door::new(builtin().expect("good names"), Vec::new());
    let call = door.call(context(fake.host()), "web_fetch", &arguments.to_string());
    run(&fake.clock, call).expect("the call ends")
}

/// What comes of these responses.
fn fetch(responses: Vec<ScriptedResponse>, arguments: &Value) -> (FakeHost, CallOutcome) {
    let fake = FakeHost::new(1);
    for response in responses {
        fake.http.push(response);
    }
    let outcome = call(&fake, arguments);
    (fake, outcome)
}

fn text(content_type: &str, body: impl AsRef<[u8]>) -> ScriptedResponse {
    ScriptedResponse::new(200)
        .header("content-type", content_type)
        .chunk(body)
}

fn to(location: &str) -> ScriptedResponse {
    ScriptedResponse::new(302).header("location", location)
}

#[track_caller]
fn check(response: ScriptedResponse, content_type: &str, content: &str) {
    let (_, outcome) = fetch(vec![response], &json!({ "url": URL }));
    assert!(!outcome.is_error && outcome.untrusted, "{outcome:?}");
    let expected = json!({
        "url": URL, "final_url": URL, "content_type": content_type, "content": content, "truncated": false,
    });
    assert_eq!(outcome.value, expected);
}

#[track_caller]
fn fails(responses: Vec<ScriptedResponse>, code: &str, part: &str) -> FakeHost {
    let (fake, outcome) = fetch(responses, &json!({ "url": URL }));
    assert!(outcome.is_error, "{outcome:?}");
    assert_eq!(outcome.value["code"], code, "{outcome:?}");
    let message = outcome.value["error"].as_str().unwrap_or_default();
    assert!(message.contains(part), "{message}");
    fake
}

#[test]
fn the_type_of_an_answer_says_how_it_is_read() {
    check(
        text("TEXT/Plain; charset=x", "as it is"),
        "text/plain",
        "as it is",
    );
    check(
        text("application/json", r#"{"a":[]}"#),
        "application/json",
        "{\n  \"a\": []\n}",
    );
    check(
        text("application/ld+json", "[1]"),
        "application/ld+json",
        "[\n  1\n]",
    );
    check(
        text("application/json", "{broken"),
        "application/json",
        "{broken",
    );
    check(
        text("application/rss+xml", "<rss/>"),
        "application/rss+xml",
        "<rss/>",
    );
    check(text("text/csv", "a,b"), "text/csv", "a,b");
    // The reader of these tests shows a page's source.
    check(text("text/html", "<p>x"), "text/html", "<p>x");
    check(
        text("application/xhtml+xml", "<p/>"),
        "application/xhtml+xml",
        "<p/>",
    );
    // Nothing that is known is said of these.
    check(
        ScriptedResponse::new(200).chunk("words"),
        "text/plain",
        "words",
    );
    check(
        text("application/octet-stream", " <!DocType HTML>x"),
        "text/html",
        " <!DocType HTML>x",
    );
    check(text("application/x-own", "words"), "text/plain", "words");
}

#[test]
fn text_in_any_encoding_is_decoded() {
    check(
        text("text/plain; charset=shift_jis", [0x93, 0xfa, 0x96, 0x7b]),
        "text/plain",
        "日本",
    );
    check(
        text("text/plain; charset=\"euc-kr\"", [0xc7, 0xd1]),
        "text/plain",
        "한",
    );
    check(
        text("text/plain", [0xff, 0xfe, b'h', 0, b'i', 0]),
        "text/plain",
        "hi",
    );
    check(
        text("text/plain; charset=windows-1252", [0x93, b'x', 0x94]),
        "text/plain",
        "“x”",
    );
    check(text("text/plain", "\u{feff}mark"), "text/plain", "mark");
}

#[test]
fn what_is_known_of_a_page_is_told() {
    let fake = FakeHost::new(1);
    fake.http.push(text("text/html; charset=gbk", "x"));
    fake.reader.set(|body, content_type, url| {
        assert_eq!(
            (body, content_type, url),
            (&b"x"[..], "text/html; charset=gbk", URL)
        );
        Ok(PageText {
            markdown: "# Hi".into(),
            title: Some("T".into()),
            byline: Some("B".into()),
            published: Some("2026-01-02".into()),
            site_name: Some("S".into()),
            truncated: true,
            ..PageText::default()
        })
    });
    let outcome = call(&fake, &json!({ "url": URL }));
    let expected = json!({
        "url": URL, "final_url": URL, "content_type": "text/html", "title": "T", "byline": "B",
        "published": "2026-01-02", "site": "S", "content": "# Hi", "truncated": true,
        "hint": "The page is too large to be read to its end.",
    });
    assert_eq!(outcome.value, expected);
}

#[test]
fn a_page_that_breaks_its_reader_is_an_error() {
    let fake = FakeHost::new(1);
    fake.http.push(text("text/html", "x"));
    fake.reader.set(|_, _, _| {
        Err(HostError::new(
            "reader.page",
            HostErrorKind::Failed,
            "too slow",
        ))
    });
    let outcome = call(&fake, &json!({ "url": URL }));
    assert_eq!(outcome.value["code"], "failed");
    assert!(outcome.is_error && outcome.untrusted);
}

#[test]
fn nothing_of_the_person_is_sent_along_and_redirects_are_told() {
    let (fake, _) = fetch(
        vec![text("text/plain", "x")],
        &json!({ "url": "https://example.com/a#b" }),
    );
    let requests = fake.http.requests();
    let [request] = requests.as_slice() else {
        panic!("{requests:?}");
    };
    assert_eq!(request.request.url, URL);
    assert_eq!(request.request.redirects, Redirects::Told);
    let names: Vec<_> = request
        .request
        .headers
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["accept"]);
}

#[test]
fn each_step_of_a_redirect_is_looked_at() {
    let (fake, outcome) = fetch(
        vec![
            to("/b"),
            to("http://other.example/c#d"),
            text("text/plain", "there"),
        ],
        &json!({ "url": "https://example.com/a#part" }),
    );
    assert_eq!(outcome.value["final_url"], "http://other.example/c#d");
    assert_eq!(outcome.value["content"], "there");
    let asked: Vec<_> = fake
        .http
        .requests()
        .into_iter()
        .map(|it| it.request.url)
        .collect();
    assert_eq!(
        asked,
        [URL, "https://example.com/b", "http://other.example/c"]
    );

    for location in [
        "http://127.0.0.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "//router/",
        "https://a@b.com/",
        "file:///a",
        "javascript:1",
        "http://",
    ] {
        let fake = fails(
            vec![to(location)],
            if location == "http://" {
                "invalid_url"
            } else {
                "address_refused"
            },
            "sends on to an address that is not read",
        );
        assert_eq!(fake.http.requests().len(), 1, "{location}");
    }
    fails(
        (0..12).map(|_| to("/a")).collect(),
        "too_many_redirects",
        "more than 10 times",
    );
    // A status that sends on without saying where, and a place named beside another status.
    fails(
        vec![ScriptedResponse::new(302)],
        "http_status",
        "status 302",
    );
    check(
        text("text/plain", "made").header("location", "http://127.0.0.1/"),
        "text/plain",
        "made",
    );
}

#[test]
fn a_server_that_fails_is_told_of_with_what_would_work() {
    for (status, part) in [
        (401, "sign-in required"),
        (403, "open it in a tab"),
        (404, "not found"),
        (410, "not found"),
        (429, "Wait a while"),
        (503, "the server failed"),
        (299 + 300, "the server failed"),
    ] {
        fails(vec![ScriptedResponse::new(status)], "http_status", part);
    }
    // A read that the network failed is tried again.
    let unreachable = ScriptedResponse::fail(HostErrorKind::Unavailable, "no name");
    fails(vec![unreachable; 6], "unavailable", "no name");
    let broken = text("text/plain", "half").break_with(HostErrorKind::Unavailable);
    fails(vec![broken; 6], "unavailable", "http.body");
    fails(
        vec![text("image/png", b"\x89PNG\r\n\x1a\n\0")],
        "not_text",
        "`image/png`",
    );
    fails(
        vec![ScriptedResponse::new(200).chunk([0, 1, 2])],
        "not_text",
        "something that is not text (3 bytes)",
    );
}

#[test]
fn thirty_seconds_are_for_all_of_it_and_what_is_given_up_is_aborted() {
    for responses in [
        vec![ScriptedResponse::never()],
        vec![text("text/plain", "half").hang()],
        vec![
            to("/b").head_after(20_000),
            text("text/plain", "x").head_after(20_000),
        ],
    ] {
        let fake = fails(responses, "timeout", "after 30 s");
        let last = fake.http.requests().pop().map(|it| it.state);
        assert_eq!(last, Some(RequestState::Aborted));
    }
}

#[test]
fn ten_megabytes_are_read_and_not_a_byte_more() {
    let mega = vec![b'a'; 1_000_000];
    let ten = (0..10).fold(text("text/plain", ""), |it, _| it.chunk(&mega));
    let (_, outcome) = fetch(vec![ten.clone()], &json!({ "url": URL, "max_length": 5 }));
    assert_eq!(outcome.value["total_length"], 10_000_000);
    let fake = fails(
        vec![ten.chunk("a").hang()],
        "too_large",
        "longer than 10 MB",
    );
    assert_eq!(fake.http.requests()[0].state, RequestState::Aborted);
}

#[test]
fn a_long_text_fits_into_results_and_can_be_read_on_to_its_end() {
    let whole: String = (0..20_000)
        .map(|n| format!("Line {n} \"é\\\" 😀\n"))
        .collect();
    let mut read = String::new();
    let mut offset = 0;
    for _ in 0..30 {
        let (_, outcome) = fetch(
            vec![text("text/plain", &whole)],
            &json!({ "url": URL, "offset": offset }),
        );
        assert!(boundary::result_text(&outcome).chars().count() <= boundary::RESULT_LIMIT);
        assert!(
            !boundary::result_text(&outcome).contains("longer than"),
            "cut by us, not by the door"
        );
        let part = outcome.value["content"].as_str().expect("content");
        assert!(part.ends_with('\n'));
        read.push_str(part);
        let Some(next) = outcome.value["next_offset"].as_u64() else {
            assert_eq!(outcome.value["truncated"], false);
            break;
        };
        assert_eq!(outcome.value["truncated"], true);
        assert_eq!(outcome.value["total_length"], whole.chars().count());
        offset = next;
    }
    assert!(read == whole, "{} of {}", read.len(), whole.len());
}

#[test]
fn what_is_wanted_of_a_text_is_given_by_characters() {
    let check = |arguments: Value, content: &str, next: Option<u64>| {
        let mut all = json!({ "url": URL });
        for (name, value) in arguments.as_object().expect("an object") {
            all[name] = value.clone();
        }
        let (_, outcome) = fetch(vec![text("text/plain", "añ😀de")], &all);
        assert_eq!(outcome.value["content"], content, "{arguments}");
        assert_eq!(outcome.value["next_offset"].as_u64(), next, "{arguments}");
    };
    check(json!({ "max_length": 3 }), "añ😀", Some(3));
    check(json!({ "offset": 2, "max_length": 1 }), "😀", Some(3));
    check(json!({ "offset": 3 }), "de", None);
    check(json!({ "offset": 5 }), "", None);
    check(json!({ "max_length": 4_294_967_295_u32 }), "añ😀de", None);
    let (_, outcome) = fetch(
        vec![text("text/plain", "añ😀de")],
        &json!({ "url": URL, "offset": 6 }),
    );
    assert_eq!(outcome.value["code"], "offset_past_end");
}
