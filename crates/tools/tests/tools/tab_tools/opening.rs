//! What `open_tab` waits for, and what it says of pages that do not come.

use super::*;

#[test]
fn a_new_tab_is_waited_for_and_shown() {
    let fake = browser();
    fake.browser.set_page(URL, 12_000, loads("A page"));
    let result = opened(4, URL, "A page", 1, 2, "complete");
    check(&fake, "open_tab", json!({"url": URL}), Ok(result));
    assert_eq!(shown(&fake), [4]);
    let started = FakeHost::START.0;
    let waited = tabwright_host::Clock::now(&fake.clock).0 - started;
    assert!((12_000..12_500).contains(&waited), "{waited}");
    assert_eq!(names(&fake)[0], "tabs.open");
}

#[test]
fn a_new_tab_goes_where_it_is_told_and_shows_only_if_wanted() {
    let fake = browser();
    let arguments = json!({"url": "about:blank", "window_id": 2, "active": false});
    let result = opened(4, "about:blank", "", 2, 1, "complete");
    check(&fake, "open_tab", arguments, Ok(result));
    assert_eq!(shown(&fake), [1]);
}

#[test]
fn a_tab_that_is_there_is_navigated_and_waited_for() {
    let fake = browser();
    fake.browser.set_page(URL, 7_000, loads("New"));
    let arguments = json!({"url": URL, "tab_id": 2, "active": false});
    let result = opened(2, URL, "New", 1, 0, "complete");
    check(&fake, "open_tab", arguments, Ok(result.clone()));
    assert_eq!(shown(&fake), [1]);
    // The same page once more is another document, and shown by default.
    check(
        &fake,
        "open_tab",
        json!({"url": URL, "tab_id": "2"}),
        Ok(result),
    );
    assert_eq!(shown(&fake), [2]);
    assert_eq!(fake.browser.tabs().len(), 3);
}

#[test]
fn a_redirect_ends_at_its_target() {
    let fake = browser();
    let to = "https://a.test/else".to_owned();
    fake.browser.set_page(URL, 10, Page::Redirects { to });
    let result = opened(4, "https://a.test/else", "", 1, 2, "complete");
    check(&fake, "open_tab", json!({"url": URL}), Ok(result));
}

#[test]
fn what_is_not_waited_for_is_loading() {
    let fake = browser();
    fake.browser.set_page(URL, 1, loads("Late"));
    let arguments = json!({"url": URL, "wait_until_loaded": false});
    check(
        &fake,
        "open_tab",
        arguments,
        Ok(opened(4, URL, "", 1, 2, "loading")),
    );
    let arguments = json!({"url": URL, "tab_id": 3, "wait_until_loaded": "false"});
    let result = opened(3, "https://old.test/3", "Old 3", 2, 0, "loading");
    check(&fake, "open_tab", arguments, Ok(result));
}

#[test]
fn after_half_a_minute_it_says_that_it_is_loading() {
    for (page, url, title) in [
        (Page::Unfinished, URL, ""),
        (Page::Silent, "https://old.test/2", "Old 2"),
    ] {
        let fake = browser();
        fake.browser.set_page(URL, 100, page);
        let result = opened(2, url, title, 1, 0, "loading");
        check(
            &fake,
            "open_tab",
            json!({"url": URL, "tab_id": 2}),
            Ok(result),
        );
        check(
            &fake,
            "open_tab",
            json!({"url": URL}),
            Ok(opened(4, URL, "", 1, 2, "loading")),
        );
        let waited = tabwright_host::Clock::now(&fake.clock).0 - FakeHost::START.0;
        assert_eq!(waited, 60_000);
    }
}

#[test]
fn a_load_error_is_an_error_and_names_the_reason() {
    for (error, part) in [
        (
            "net::ERR_CONNECTION_REFUSED",
            "net::ERR_CONNECTION_REFUSED. Nothing answers at that port.",
        ),
        ("net::ERR_NAME_NOT_RESOLVED", "There is no such host"),
        ("net::ERR_CERT_DATE_INVALID", "only the person may decide"),
        (
            "net::ERR_EMPTY_RESPONSE",
            "ERR_EMPTY_RESPONSE. Tab 4 is open and shows the error.",
        ),
    ] {
        for after in [0, 6_000] {
            let fake = browser();
            let error = error.to_owned();
            fake.browser.set_page(URL, after, Page::Fails { error });
            check(
                &fake,
                "open_tab",
                json!({"url": URL}),
                Err(("load_failed", part)),
            );
            // From the error page another address can be loaded.
            let good = json!({"url": "https://a.test/good", "tab_id": 4});
            let result = opened(4, "https://a.test/good", "", 1, 2, "complete");
            check(&fake, "open_tab", good, Ok(result));
            check(
                &fake,
                "open_tab",
                json!({"url": URL, "tab_id": 4}),
                Err(("load_failed", part)),
            );
        }
    }
}

#[test]
fn an_answer_without_a_page_is_an_error() {
    let empty = ("no_page", "Tab 4 is open and empty.");
    let gone_at_once = (
        "tab_closed",
        "The new tab closed before its page was loaded",
    );
    let gone = ("tab_closed", "Tab 4 closed before its page was loaded");
    for (page, after, new_tab) in [
        (Page::Nothing, 10, empty),
        (Page::Nothing, 6_000, empty),
        (Page::Download, 10, gone_at_once),
        (Page::Download, 6_000, gone),
    ] {
        let fake = browser();
        fake.browser.set_page(URL, after, page);
        let kept = ("no_page", "Tab 2 still shows the page before.");
        check(
            &fake,
            "open_tab",
            json!({"url": URL, "tab_id": 2}),
            Err(kept),
        );
        check(&fake, "open_tab", json!({"url": URL}), Err(new_tab));
    }
}

#[test]
fn an_unfinished_page_that_the_next_address_leaves_alone_is_no_success() {
    let fake = browser();
    let old = "https://old.test/2".to_owned();
    fake.browser
        .edit_tabs(|tabs| tabs[1].status = TabStatus::Loading);
    fake.browser.set_page(&old, 0, Page::Unfinished);
    let unfinished = opened(2, &old, "", 1, 0, "loading");
    check(
        &fake,
        "open_tab",
        json!({"url": old, "tab_id": 2}),
        Ok(unfinished),
    );
    fake.browser.set_page(URL, 0, Page::Nothing);
    let kept = ("no_page", "Tab 2 still shows the page before.");
    check(
        &fake,
        "open_tab",
        json!({"url": URL, "tab_id": 2}),
        Err(kept),
    );
}

#[test]
fn an_address_that_is_no_page_opens_nothing() {
    let fake = browser();
    for (url, code, part) in [
        (
            "chrome://settings",
            "address_refused",
            "not `chrome:` addresses",
        ),
        (
            "javascript:alert(1)",
            "address_refused",
            "not `javascript:` addresses",
        ),
        ("example.com", "invalid_url", "\"example.com\" came"),
    ] {
        check(&fake, "open_tab", json!({"url": url}), Err((code, part)));
        check(
            &fake,
            "open_tab",
            json!({"url": url, "tab_id": 2}),
            Err((code, part)),
        );
    }
    check(
        &fake,
        "open_tab",
        json!({}),
        Err(("invalid_arguments", "`url` is missing")),
    );
    assert_eq!(fake.browser.calls(), []);
}

/// Calls `open_tab` on an address that takes 20 s, and closes that tab after some time.
#[track_caller]
fn close_while_loading(arguments: Value, id: i32, after: u64, part: &str) {
    let fake = browser();
    fake.browser.set_page(URL, 20_000, loads("Late"));
    let (browser, clock) = (fake.browser.clone(), fake.clock.clone());
    let door = Door::new(builtin().expect("good names"), Vec::new());
    let opening = door.call(context(fake.host()), "open_tab", &arguments.to_string());
    let outcome = run(&fake.clock, async move {
        let closing = async {
            tabwright_host::Clock::sleep(&clock, after).await;
            browser.edit_tabs(|tabs| tabs.retain(|tab| tab.id != TabId(id)));
        };
        futures::join!(opening, closing).0
    });
    let value = outcome.expect("the call ends").value;
    assert_eq!(value["code"], "tab_closed");
    let message = value["error"].as_str().unwrap_or_default();
    assert!(message.starts_with(part), "{message}");
}

#[test]
fn a_tab_that_is_closed_while_it_loads_is_an_error() {
    close_while_loading(json!({"url": URL}), 4, 1_000, "The new tab closed");
    close_while_loading(json!({"url": URL}), 4, 7_000, "Tab 4 closed");
    let there = json!({"url": URL, "tab_id": 2});
    close_while_loading(there.clone(), 2, 1_000, "Tab 2 closed");
    close_while_loading(there, 2, 7_000, "Tab 2 closed");
}

#[test]
fn a_service_worker_that_goes_away_while_it_waits_is_asked_again() {
    let fake = browser();
    fake.browser.set_page(URL, 9_000, loads("A page"));
    fake.browser
        .set_faults(FaultPlan::new().lost(Which::nth_of("tabs.progress", 1).times(3)));
    let result = opened(4, URL, "A page", 1, 2, "complete");
    check(&fake, "open_tab", json!({"url": URL}), Ok(result));

    // For good: what is known is told.
    fake.browser
        .set_faults(FaultPlan::new().lost(Which::nth_of("tabs.progress", 1).times(u32::MAX)));
    let result = opened(5, URL, "", 1, 3, "loading");
    check(&fake, "open_tab", json!({"url": URL}), Ok(result));
}

#[test]
fn an_endless_address_is_cut_and_says_so() {
    let fake = browser();
    let long = format!("https://a.test/{}", "x".repeat(100_000));
    let value = call(&fake, "open_tab", json!({"url": long})).value;
    assert_eq!(value["truncated"], true);
    let url = value["url"].as_str().unwrap_or_default();
    assert_eq!(url.chars().count(), 2_001);
}
