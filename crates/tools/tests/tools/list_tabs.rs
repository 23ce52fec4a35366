//! `list_tabs` through the door.

use serde_json::{Value, json};
use tabwright_host::HostErrorKind;
use tabwright_host::fake::{FakeHost, FaultPlan, Which, run};
use tabwright_protocol::{Tab, TabId, TabStatus, WindowId};
use tabwright_tools::{Access, CallOutcome, Door, Effects, Replay, builtin};

use crate::common::context;

fn tab(id: i32, window: i32, url: &str, title: &str) -> Tab {
    Tab {
        id: TabId(id),
        url: url.into(),
        title: title.into(),
        active: id % 2 == 1,
        window_id: WindowId(window),
        index: 0,
        audible: id == 2,
        status: TabStatus::Complete,
    }
}

fn four_tabs() -> Vec<Tab> {
    vec![
        tab(1, 10, "https://github.com/a/b?q=1", "A GitHub page"),
        tab(2, 10, "https://radio.example/live", "Новости дня"),
        tab(3, 20, "https://example.test/École", "ÉCOLE"),
        tab(4, 20, "", ""),
    ]
}

fn call(fake: &FakeHost, arguments: &str) -> CallOutcome {
    let door = Door::new(builtin().expect("good names"), Vec::new());
    let outcome = run(
        &fake.clock,
        door.call(context(fake.host()), "list_tabs", arguments),
    );
    outcome.expect("the call ends")
}

/// The ids of the tabs that are listed.
fn check(arguments: Value, expected: &[i64]) {
    let fake = FakeHost::new(1);
    fake.browser.set_tabs(four_tabs());
    let outcome = call(&fake, &arguments.to_string());
    assert!(outcome.untrusted && !outcome.is_error, "{outcome:?}");
    let rows = outcome.value.as_array().expect("an array");
    let ids: Vec<_> = rows.iter().filter_map(|row| row["id"].as_i64()).collect();
    assert_eq!(ids, expected, "{arguments}");
}

#[test]
fn without_filters_every_tab_is_listed_in_the_browsers_order() {
    check(json!({}), &[1, 2, 3, 4]);
    check(json!({"active": null, "url_pattern": null}), &[1, 2, 3, 4]);
}

#[test]
fn each_filter_chooses_by_its_own_field() {
    check(json!({"url_pattern": "GITHUB\\.com"}), &[1]);
    check(json!({"url_pattern": "école"}), &[3]);
    check(json!({"url_pattern": "^https://"}), &[1, 2, 3]);
    check(json!({"url_pattern": "Новости"}), &[]);
    check(json!({"url_pattern": "^$"}), &[4]);
    check(json!({"title_pattern": "новости"}), &[2]);
    check(json!({"title_pattern": "github|école"}), &[1, 3]);
    check(json!({"title_pattern": "radio"}), &[]);
    check(json!({"active": true}), &[1, 3]);
    check(json!({"active": "false"}), &[2, 4]);
    check(json!({"window_id": 20}), &[3, 4]);
    check(json!({"window_id": "10"}), &[1, 2]);
    check(json!({"window_id": 30}), &[]);
    check(json!({"audible": true}), &[2]);
    check(json!({"audible": false}), &[1, 3, 4]);
}

#[test]
fn filters_must_all_hold() {
    check(json!({"window_id": 10, "active": true}), &[1]);
    check(
        json!({"url_pattern": "https", "title_pattern": "e", "window_id": 20}),
        &[3],
    );
    check(json!({"audible": true, "active": true}), &[]);
}

#[test]
fn a_row_has_exactly_the_promised_keys() {
    let fake = FakeHost::new(1);
    let mut sleeping = tab(5, 10, "https://example.test/", "Title");
    sleeping.index = 3;
    sleeping.status = TabStatus::Unloaded;
    fake.browser.set_tabs(vec![sleeping]);
    assert_eq!(
        call(&fake, "").value,
        json!([{
            "id": 5,
            "url": "https://example.test/",
            "title": "Title",
            "active": true,
            "windowId": 10,
            "index": 3,
            "audible": false,
            "status": "unloaded",
        }])
    );
}

#[test]
fn an_endless_address_is_cut_and_says_so_without_hiding_other_tabs() {
    let fake = FakeHost::new(1);
    let endless = format!("data:text/html,{}", "é".repeat(100_000));
    fake.browser
        .set_tabs(vec![tab(1, 10, &endless, "Data"), tab(2, 10, "", "After")]);
    let value = call(&fake, "{}").value;
    let url = value[0]["url"].as_str().unwrap_or_default();
    assert_eq!(url.chars().count(), 2_001);
    assert!(url.ends_with("é…"));
    assert_eq!(value[0]["truncated"], true);
    assert_eq!(value[1]["title"], "After");
    assert_eq!(value[1].get("truncated"), None);
}

#[test]
fn a_bad_or_long_pattern_is_an_error_that_asks_the_browser_nothing() {
    let fake = FakeHost::new(1);
    for (arguments, code, part) in [
        (
            json!({"url_pattern": "git(hub"}),
            "invalid_regex",
            "`url_pattern` is not a valid regular expression: \"git(hub\"",
        ),
        (
            json!({"title_pattern": "[z-a]"}),
            "invalid_regex",
            "`title_pattern` is not a valid regular expression: \"[z-a]\"",
        ),
        (
            json!({"title_pattern": "x".repeat(1_001)}),
            "pattern_too_long",
            "`title_pattern` is 1001 characters long",
        ),
        (json!({"active": "maybe"}), "invalid_arguments", "`active`"),
        (
            json!({"window_id": 3_000_000_000_u64}),
            "invalid_arguments",
            "`window_id` does not fit: invalid value: integer `3000000000`",
        ),
    ] {
        let outcome = call(&fake, &arguments.to_string());
        assert!(outcome.is_error && !outcome.untrusted);
        assert_eq!(outcome.value["code"], code);
        let message = outcome.value["error"].as_str().unwrap_or_default();
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(fake.browser.calls(), []);
}

#[test]
fn a_stopped_service_worker_is_asked_again() {
    let fake = FakeHost::new(1);
    fake.browser.set_tabs(four_tabs());
    fake.browser
        .set_faults(FaultPlan::new().lost(Which::nth(1).times(3)));
    assert_eq!(call(&fake, "{}").value.as_array().map(Vec::len), Some(4));
    assert_eq!(fake.browser.calls().len(), 4);

    fake.browser
        .set_faults(FaultPlan::new().fail(Which::every(), HostErrorKind::Denied));
    assert_eq!(call(&fake, "{}").value["code"], "denied");
}

#[test]
fn it_declares_that_it_only_looks() {
    let registry = builtin().expect("good names");
    let declaration = registry.get("list_tabs").map(|tool| tool.declaration());
    let declaration = declaration.expect("it is built in");
    assert_eq!(
        (
            declaration.access,
            declaration.replay,
            declaration.concurrent,
            declaration.effects,
            declaration.untrusted
        ),
        (Access::Read, Replay::Pure, true, Effects::TABS, true)
    );
    insta::assert_snapshot!(serde_json::to_string_pretty(&declaration.schema).unwrap_or_default());
}
