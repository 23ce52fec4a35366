//! Opening, navigating, closing and activating tabs of the fake browser.

use tabwright_host::fake::{Call, FakeHost, FaultPlan, Page, Which, run};
use tabwright_host::{Clock, HostErrorKind, NewTab, Tabs};
use tabwright_protocol::{TabId, TabProgress, TabStatus, WindowId};

const URL: &str = "https://a.test/";

fn new_tab(active: bool) -> NewTab {
    NewTab {
        url: URL.into(),
        active,
        window: Some(WindowId(5)),
    }
}

/// The progress in one line, and how long it took.
fn show(progress: &TabProgress) -> String {
    let TabProgress {
        tab,
        pending,
        document,
        failure,
    } = progress;
    let status = match tab.status {
        TabStatus::Unloaded => "unloaded",
        TabStatus::Loading => "loading",
        TabStatus::Complete => "complete",
    };
    let word = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".into());
    format!(
        "{} {status} {} {} {}",
        tab.url,
        word(pending),
        word(document),
        word(failure)
    )
}

/// Opens a tab whose address becomes that after 100 ms, looks at it at once and waits for at most
/// 250 ms, and expects what was seen.
#[track_caller]
fn check(page: Page, at_once: &str, later: Result<&str, HostErrorKind>, waited: u64) {
    let fake = FakeHost::new(1);
    fake.browser.set_page(URL, 100, page);
    let browser = fake.browser.clone();
    let answers = run(&fake.clock, async move {
        let first = browser.open(new_tab(false), 0).await;
        let first = first.expect("it opens");
        let later = browser.progress(first.tab.id, 250).await;
        (first, later)
    });
    let (first, then) = answers.expect("both end");
    assert_eq!(show(&first), at_once);
    let then = then.map(|progress| show(&progress));
    let then = then.map_err(|error| error.kind);
    assert_eq!(then.as_deref(), later.as_ref().copied());
    assert_eq!(fake.clock.now().0 - FakeHost::START.0, waited);
}

#[test]
fn a_new_tab_becomes_what_its_address_is() {
    let begun = " loading https://a.test/ - -";
    let title = "A".to_owned();
    let to = "https://b.test/".to_owned();
    let error = "net::ERR_FAILED".to_owned();
    let loaded = "https://a.test/ complete - document 1 -";
    check(Page::Loads { title }, begun, Ok(loaded), 100);
    let loaded = "https://b.test/ complete - document 1 -";
    check(Page::Redirects { to }, begun, Ok(loaded), 100);
    let failed = "https://a.test/ complete - document 1 net::ERR_FAILED";
    check(Page::Fails { error }, begun, Ok(failed), 100);
    check(Page::Nothing, begun, Ok(" complete - - -"), 100);
    check(Page::Download, begun, Err(HostErrorKind::NotFound), 100);
    let begins = "https://a.test/ loading - document 1 -";
    check(Page::Unfinished, begun, Ok(begins), 250);
    check(Page::Silent, begun, Ok(begun), 250);
}

#[test]
fn a_tab_that_is_navigated_keeps_its_page_until_the_next_one_is_there() {
    let fake = FakeHost::new(1);
    let other = "https://b.test/";
    let title = "B".to_owned();
    fake.browser.set_page(other, 100, Page::Loads { title });
    let browser = fake.browser.clone();
    let shown = run(&fake.clock, async move {
        let opened = browser.open(new_tab(true), 0).await.expect("it opens");
        let id = opened.tab.id;
        let begun = browser.navigate(id, other, false, 50).await;
        let done = browser.progress(id, 5_000).await;
        let again = browser.progress(id, 5_000).await;
        [Ok(opened), begun, done, again].map(|progress| show(&progress.expect("it is there")))
    });
    assert_eq!(
        shown.expect("all end"),
        [
            "https://a.test/ complete - document 1 -",
            "https://a.test/ loading https://b.test/ document 1 -",
            "https://b.test/ complete - document 2 -",
            "https://b.test/ complete - document 2 -",
        ]
    );
    assert_eq!(fake.clock.now().0 - FakeHost::START.0, 100);
}

#[test]
fn a_tab_is_shown_alone_in_its_window() {
    let fake = FakeHost::new(1);
    let browser = fake.browser.clone();
    let result = run(&fake.clock, async move {
        let first = browser.open(new_tab(true), 0).await?;
        let second = browser.open(new_tab(true), 0).await?;
        let shown = browser.activate(first.tab.id).await?;
        Ok::<_, tabwright_host::HostError>((first.tab.id, second.tab.id, shown))
    });
    let (first, second, shown) = result.expect("it ends").expect("nothing fails");
    assert_eq!((shown.id, shown.active), (first, true));
    let tabs = fake.browser.tabs();
    let states: Vec<_> = tabs
        .iter()
        .map(|tab| (tab.id, tab.active, tab.index))
        .collect();
    assert_eq!(states, [(first, true, 0), (second, false, 1)]);
}

#[test]
fn a_tab_is_closed_unless_its_page_holds_it() {
    let fake = FakeHost::new(1);
    let browser = fake.browser.clone();
    let result = run(&fake.clock, async move {
        let id = browser.open(new_tab(false), 0).await?.tab.id;
        browser.hold_open(id);
        browser.close(id).await?;
        let held = browser.tabs().len();
        let other = browser.open(new_tab(false), 0).await?.tab.id;
        browser.close(other).await?;
        Ok::<_, tabwright_host::HostError>((held, browser.tabs().len()))
    });
    assert_eq!(result, Some(Ok((1, 1))));
}

#[test]
fn a_tab_that_is_not_there_is_not_found_by_any_call() {
    let fake = FakeHost::new(1);
    let (browser, gone) = (fake.browser.clone(), TabId(9));
    let kinds = run(&fake.clock, async move {
        [
            browser.navigate(gone, URL, true, 0).await.err(),
            browser.progress(gone, 0).await.err(),
            browser.close(gone).await.err(),
            browser.activate(gone).await.err(),
        ]
        .map(|error| error.map(|error| (error.kind, error.message)))
    });
    let expected = Some((HostErrorKind::NotFound, "No tab with id: 9.".to_owned()));
    assert_eq!(kinds.expect("all end"), [(); 4].map(|()| expected.clone()));
}

#[test]
fn each_call_has_its_name_in_a_plan() {
    let fake = FakeHost::new(1);
    fake.browser.set_faults(
        FaultPlan::new()
            .lost_answer(Which::nth_of("tabs.open", 1))
            .lost(Which::nth_of("tabs.navigate", 1))
            .lost(Which::nth_of("tabs.close", 1))
            .lost(Which::nth_of("tabs.activate", 1)),
    );
    let browser = fake.browser.clone();
    let kinds = run(&fake.clock, async move {
        [
            browser.open(new_tab(true), 0).await.err(),
            browser.navigate(TabId(1), URL, true, 0).await.err(),
            browser.close(TabId(1)).await.err(),
            browser.activate(TabId(1)).await.err(),
        ]
        .map(|error| error.map(|error| error.kind))
    });
    assert_eq!(kinds, Some([Some(HostErrorKind::Unavailable); 4]));
    let call = |name, arguments: &str, happened| Call {
        name,
        arguments: arguments.to_owned(),
        happened,
    };
    assert_eq!(
        fake.browser.calls(),
        [
            call("tabs.open", URL, true),
            call("tabs.navigate", "1 https://a.test/", false),
            call("tabs.close", "1", false),
            call("tabs.activate", "1", false),
        ]
    );
    assert_eq!(
        fake.browser.tabs().len(),
        1,
        "a lost answer leaves the effect"
    );
}
