//! The scripted network.

use futures::StreamExt;
use tabwright_host::fake::{FakeHost, RequestState, ScriptedResponse, run, run_until_stalled};
use tabwright_host::{Clock, HostErrorKind, Http, HttpRequest, Method, Redirects};

fn request(url: &str) -> HttpRequest {
    HttpRequest {
        method: Method::Post,
        url: url.into(),
        headers: vec![("authorization".into(), "Bearer secret".into())],
        body: b"{}".to_vec(),
        redirects: Redirects::Refused,
    }
}

/// Sends one request and reads its body; expects what came, with the time of each piece, and how
/// the request ended.
fn check(response: ScriptedResponse, expected: &[&str], state: RequestState) {
    let fake = FakeHost::new(1);
    fake.http.push(response);
    let seen = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let (http, clock, log) = (fake.http.clone(), fake.clock.clone(), seen.clone());
    let note = move |what: String| {
        let at = clock.now().0 - FakeHost::START.0;
        log.borrow_mut().push(format!("{at} {what}"));
    };
    run(&fake.clock, async move {
        match http.send(request("https://example.test/")).await {
            Err(error) => note(format!("{:?}: {error}", error.kind)),
            Ok(mut response) => {
                note(response.status.to_string());
                while let Some(piece) = response.body.next().await {
                    match piece {
                        Ok(bytes) => note(String::from_utf8_lossy(&bytes).into_owned()),
                        Err(error) => note(format!("{:?}: {error}", error.kind)),
                    }
                }
                note("end".into());
            }
        }
    });
    assert_eq!(*seen.borrow(), expected);
    assert_eq!(fake.http.requests()[0].state, state);
}

#[test]
fn a_response_arrives_in_the_scripted_pieces_at_the_scripted_times() {
    check(
        ScriptedResponse::new(204),
        &["0 204", "0 end"],
        RequestState::Done,
    );
    check(
        ScriptedResponse::new(200)
            .head_after(20)
            .chunk("one")
            .wait(5)
            .chunk("two"),
        &["20 200", "20 one", "25 two", "25 end"],
        RequestState::Done,
    );
}

#[test]
fn a_connection_can_break_in_the_middle() {
    check(
        ScriptedResponse::new(200)
            .chunk("one")
            .break_with(HostErrorKind::Failed)
            .chunk("never seen"),
        &[
            "0 200",
            "0 one",
            "0 Failed: http.body: the connection broke as scripted",
            "0 end",
        ],
        RequestState::Broken,
    );
}

#[test]
fn a_request_can_fail_or_never_be_answered() {
    check(
        ScriptedResponse::fail(HostErrorKind::Timeout, "too slow"),
        &["0 Timeout: http.send: too slow"],
        RequestState::Broken,
    );
    check(ScriptedResponse::never(), &[], RequestState::Aborted);
    check(
        ScriptedResponse::new(200).chunk("one").hang().chunk("two"),
        &["0 200", "0 one"],
        RequestState::Aborted,
    );
}

#[test]
fn requests_are_recorded_whole_and_take_the_script_in_order() {
    let fake = FakeHost::new(1);
    fake.http.push(
        ScriptedResponse::new(200)
            .header("Content-Type", "text/plain")
            .final_url("https://example.test/moved"),
    );
    fake.http.push(ScriptedResponse::new(404));
    let http = fake.http.clone();
    let heads = run_until_stalled(async move {
        let first = http.send(request("https://example.test/1")).await;
        let second = http.send(request("https://example.test/2")).await;
        [first, second].map(|result| {
            let head = result.ok()?;
            let kind = head.header("content-type").map(str::to_owned);
            Some((head.status, head.url, kind))
        })
    });
    assert_eq!(
        heads,
        Some([
            Some((
                200,
                "https://example.test/moved".into(),
                Some("text/plain".into())
            )),
            Some((404, "https://example.test/2".into(), None)),
        ])
    );
    let asked: Vec<_> = fake
        .http
        .requests()
        .into_iter()
        .map(|recorded| recorded.request)
        .collect();
    assert_eq!(
        asked,
        [
            request("https://example.test/1"),
            request("https://example.test/2")
        ]
    );
    assert_eq!(fake.http.left(), 0);
}

#[test]
fn a_request_beyond_the_script_is_an_error_that_names_it() {
    let fake = FakeHost::new(1);
    fake.http.push(ScriptedResponse::new(200));
    let http = fake.http.clone();
    let error = run_until_stalled(async move {
        let _first = http.send(request("https://example.test/1")).await;
        http.send(request("https://example.test/2")).await.err()
    });
    let message = error.flatten().map(|error| error.message);
    assert_eq!(
        message.as_deref(),
        Some("the script has no response for request 2: POST https://example.test/2")
    );
}

#[test]
fn dropping_the_request_or_its_body_is_recorded_as_an_abort() {
    let fake = FakeHost::new(1);
    fake.http.push(ScriptedResponse::new(200).head_after(50));
    assert!(run_until_stalled(fake.http.send(request("https://example.test/"))).is_none());

    fake.http
        .push(ScriptedResponse::new(200).chunk("one").chunk("two"));
    let http = fake.http.clone();
    let states = fake.clone();
    let before_the_drop = run_until_stalled(async move {
        let mut response = http.send(request("https://example.test/")).await.ok()?;
        response.body.next().await?.ok()?;
        Some(states.http.requests()[1].state)
    });
    assert_eq!(before_the_drop, Some(Some(RequestState::Streaming)));
    let states: Vec<_> = fake.http.requests().iter().map(|r| r.state).collect();
    assert_eq!(states, [RequestState::Aborted, RequestState::Aborted]);
}
