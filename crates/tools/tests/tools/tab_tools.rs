//! `open_tab`, `close_tab` and `activate_tab` through the door.

use serde_json::{Value, json};
use tabwright_host::HostErrorKind;
use tabwright_host::fake::{FakeHost, FaultPlan, Page, Which, run};
use tabwright_protocol::{Tab, TabId, TabStatus, WindowId};
use tabwright_tools::{Access, CallOutcome, Door, Effects, Replay, builtin};

use crate::common::context;

mod opening;

const URL: &str = "https://a.test/page";

fn tab(id: i32, window: i32) -> Tab {
    Tab {
        id: TabId(id),
        url: format!("https://old.test/{id}"),
        title: format!("Old {id}"),
        active: id == 1,
        window_id: WindowId(window),
        index: 0,
        audible: false,
        status: TabStatus::Complete,
    }
}

/// A browser with the tabs 1 (shown) and 2 in window 1, and 3 in window 2.
fn browser() -> FakeHost {
    let fake = FakeHost::new(1);
    let tabs = vec![tab(1, 1), tab(2, 1), tab(3, 2)];
    fake.browser.set_tabs(tabs);
    fake
}

fn call(fake: &FakeHost, tool: &str, arguments: Value) -> CallOutcome {
    let door = Door::new(builtin().expect("good names"), Vec::new());
    let arguments = arguments.to_string();
    let outcome = run(
        &fake.clock,
        door.call(context(fake.host()), tool, &arguments),
    );
    outcome.expect("the call ends")
}

/// The result, exactly; or the error's code and a part of its text.
#[track_caller]
fn check(fake: &FakeHost, tool: &str, arguments: Value, expected: Result<Value, (&str, &str)>) {
    let outcome = call(fake, tool, arguments.clone());
    assert_eq!(outcome.is_error, expected.is_err(), "{}", outcome.value);
    match expected {
        Ok(value) => assert_eq!(outcome.value, value, "{tool} {arguments}"),
        Err((code, part)) => {
            assert_eq!(
                outcome.value["code"], code,
                "{tool} {arguments}: {}",
                outcome.value
            );
            let message = outcome.value["error"].as_str().unwrap_or_default();
            assert!(message.contains(part), "{message}");
        }
    }
}

fn names(fake: &FakeHost) -> Vec<&'static str> {
    fake.browser.calls().iter().map(|call| call.name).collect()
}

fn shown(fake: &FakeHost) -> Vec<i32> {
    let tabs = fake.browser.tabs();
    let shown = tabs.iter().filter(|tab| tab.active);
    shown.map(|tab| tab.id.0).collect()
}

fn opened(id: i32, url: &str, title: &str, window: i32, index: u32, status: &str) -> Value {
    json!({"id": id, "url": url, "title": title, "windowId": window, "index": index, "status": status})
}

fn loads(title: &str) -> Page {
    let title = title.to_owned();
    Page::Loads { title }
}

#[test]
fn a_tab_that_is_not_there_is_an_error_that_says_where_to_look() {
    let fake = browser();
    let missing = ("not_found", "No tab with id: 9.). List what is there");
    for tool in ["close_tab", "activate_tab"] {
        check(&fake, tool, json!({"tab_id": 9}), Err(missing));
    }
    check(
        &fake,
        "open_tab",
        json!({"url": URL, "tab_id": 9}),
        Err(missing),
    );
    let wrong = json!({"url": URL, "tab_id": 3, "window_id": 1});
    check(
        &fake,
        "open_tab",
        wrong,
        Err(("wrong_window", "Tab 3 is in window 2")),
    );
    let nowhere = json!({"url": URL, "window_id": 9});
    check(
        &fake,
        "open_tab",
        nowhere,
        Err(("no_such_window", "There is no window 9")),
    );
    let right = json!({"url": URL, "tab_id": 3, "window_id": 2});
    check(
        &fake,
        "open_tab",
        right,
        Ok(opened(3, URL, "", 2, 0, "complete")),
    );
}

#[test]
fn an_answer_that_is_lost_says_that_it_may_have_happened_and_is_not_repeated() {
    let doubt = ("unavailable", "It may have happened all the same");
    for (tool, name, arguments) in [
        ("open_tab", "tabs.open", json!({"url": URL})),
        (
            "open_tab",
            "tabs.navigate",
            json!({"url": URL, "tab_id": 2}),
        ),
        ("close_tab", "tabs.close", json!({"tab_id": 2})),
        ("activate_tab", "tabs.activate", json!({"tab_id": 2})),
    ] {
        let fake = browser();
        fake.browser
            .set_faults(FaultPlan::new().lost_answer(Which::nth_of(name, 1)));
        check(&fake, tool, arguments, Err(doubt));
        let times = names(&fake)
            .iter()
            .filter(|called| **called == name)
            .count();
        assert_eq!(times, 1, "{name}");
    }
}

#[test]
fn what_chrome_refuses_is_told_in_its_kind() {
    for (kind, code) in [
        (HostErrorKind::Denied, "denied"),
        (HostErrorKind::Invalid, "rejected"),
    ] {
        let fake = browser();
        fake.browser
            .set_faults(FaultPlan::new().fail(Which::nth_of("tabs.open", 1), kind));
        check(
            &fake,
            "open_tab",
            json!({"url": URL}),
            Err((code, "tabs.open")),
        );
    }
}

#[test]
fn closing_says_so_only_when_the_tab_is_gone() {
    let fake = browser();
    let success = json!({"success": true, "tab_id": 2});
    check(&fake, "close_tab", json!({"tab_id": 2}), Ok(success));
    assert_eq!(fake.browser.tabs().len(), 2);
    fake.browser.hold_open(TabId(3));
    let held = (
        "still_open",
        "Tab 3 is still open: its page asks the person",
    );
    check(&fake, "close_tab", json!({"tab_id": 3}), Err(held));
}

#[test]
fn the_only_tab_is_not_closed() {
    let fake = FakeHost::new(1);
    fake.browser.set_tabs(vec![tab(1, 1)]);
    let last = ("last_tab", "Open another one first");
    check(&fake, "close_tab", json!({"tab_id": 1}), Err(last));
    check(
        &fake,
        "close_tab",
        json!({"tab_id": 2}),
        Err(("not_found", "No tab with id: 2")),
    );
    assert_eq!(fake.browser.tabs().len(), 1);
}

#[test]
fn activating_shows_the_tab_in_its_window() {
    let fake = browser();
    let row = |id: i32, window: i32| {
        json!({
            "id": id,
            "url": format!("https://old.test/{id}"),
            "title": format!("Old {id}"),
            "active": true,
            "windowId": window,
        })
    };
    check(&fake, "activate_tab", json!({"tab_id": 2}), Ok(row(2, 1)));
    check(&fake, "activate_tab", json!({"tab_id": 3}), Ok(row(3, 2)));
    check(&fake, "activate_tab", json!({"tab_id": 2}), Ok(row(2, 1)));
    assert_eq!(shown(&fake), [2, 3]);
}

#[test]
fn each_declares_what_it_does() {
    let registry = builtin().expect("good names");
    for (name, replay, effects, untrusted) in [
        (
            "open_tab",
            Replay::BareWrite,
            Effects::TABS | Effects::NETWORK,
            true,
        ),
        ("close_tab", Replay::BareWrite, Effects::TABS, false),
        ("activate_tab", Replay::Keyed, Effects::TABS, true),
    ] {
        let tool = registry.get(name).expect("it is built in");
        let declaration = tool.declaration();
        assert_eq!(declaration.access, Access::Write);
        assert_eq!(
            (declaration.replay, declaration.effects),
            (replay, effects),
            "{name}"
        );
        assert_eq!(
            (declaration.concurrent, declaration.untrusted),
            (false, untrusted),
            "{name}"
        );
    }
}
