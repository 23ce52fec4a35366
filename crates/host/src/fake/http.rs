//! A network that answers from a script and records what it was asked.
//!
//! Invariant: each request takes the next response of the script, in the order in which the
//! requests were first polled; a request beyond the script is an error that names it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use futures::future::{LocalBoxFuture, pending};
use futures::stream::{StreamExt, unfold};

use super::response::{BodyStep, Head};
use super::{FakeClock, ScriptedResponse};
use crate::{ByteStream, Clock, HostError, HostErrorKind, Http, HttpRequest, HttpResponse};

/// A network that answers from a script.
#[derive(Clone)]
pub struct ScriptedHttp {
    clock: FakeClock,
    inner: Rc<RefCell<Inner>>,
}

#[derive(Default)]
struct Inner {
    script: VecDeque<ScriptedResponse>,
    requests: Vec<RecordedRequest>,
}

/// A request that was made, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedRequest {
    /// The request.
    pub request: HttpRequest,
    /// How far it came.
    pub state: RequestState,
}

/// How far a request came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestState {
    /// No head has come.
    Waiting,
    /// The head has come, and the body has not been read to its end.
    Streaming,
    /// The body was read to its end.
    Done,
    /// The connection failed.
    Broken,
    /// Whoever asked dropped it before its end.
    Aborted,
}

impl ScriptedHttp {
    /// A network with an empty script.
    pub fn new(clock: FakeClock) -> Self {
        Self {
            clock,
            inner: Rc::default(),
        }
    }

    /// Adds a response to the end of the script.
    pub fn push(&self, response: ScriptedResponse) {
        self.inner.borrow_mut().script.push_back(response);
    }

    /// Every request, in order.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.inner.borrow().requests.clone()
    }

    /// How many responses of the script nobody has asked for.
    pub fn left(&self) -> usize {
        self.inner.borrow().script.len()
    }

    fn record(&self, request: HttpRequest) -> Exchange {
        let requests = &mut self.inner.borrow_mut().requests;
        requests.push(RecordedRequest {
            request,
            state: RequestState::Waiting,
        });
        Exchange {
            inner: Rc::clone(&self.inner),
            index: requests.len() - 1,
        }
    }
}

/// One request while it lasts. Dropping it before its end records an abort.
struct Exchange {
    inner: Rc<RefCell<Inner>>,
    index: usize,
}

impl Exchange {
    fn set(&self, state: RequestState) {
        if let Some(request) = self.inner.borrow_mut().requests.get_mut(self.index) {
            request.state = state;
        }
    }

    /// Ends it as `state`, unless it has ended already.
    fn end(&self, state: RequestState) {
        if let Some(request) = self.inner.borrow_mut().requests.get_mut(self.index) {
            request.state = match request.state {
                RequestState::Waiting | RequestState::Streaming => state,
                ended @ (RequestState::Done | RequestState::Broken | RequestState::Aborted) => {
                    ended
                }
            };
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.end(RequestState::Aborted);
    }
}

impl Http for ScriptedHttp {
    fn send(
        &self,
        request: HttpRequest,
    ) -> LocalBoxFuture<'static, Result<HttpResponse, HostError>> {
        Box::pin(answer(self.clone(), request))
    }
}

async fn answer(http: ScriptedHttp, request: HttpRequest) -> Result<HttpResponse, HostError> {
    let name = format!("{} {}", request.method.as_str(), request.url);
    let asked_url = request.url.clone();
    let exchange = http.record(request);
    let next = http.inner.borrow_mut().script.pop_front();
    let Some(response) = next else {
        exchange.set(RequestState::Broken);
        return Err(HostError::new(
            "http.send",
            HostErrorKind::Failed,
            format!(
                "the script has no response for request {}: {name}",
                exchange.index + 1
            ),
        ));
    };

    if response.head_after > 0 {
        http.clock.sleep(response.head_after).await;
    }
    let status = match response.head {
        Head::Status(status) => status,
        Head::Fail(kind, message) => {
            exchange.set(RequestState::Broken);
            return Err(HostError::new("http.send", kind, message));
        }
        Head::Never => pending().await,
    };
    exchange.set(RequestState::Streaming);
    Ok(HttpResponse {
        status,
        url: response.final_url.unwrap_or(asked_url),
        headers: response.headers,
        body: body(exchange, http.clock, response.body),
    })
}

fn body(exchange: Exchange, clock: FakeClock, steps: Vec<BodyStep>) -> ByteStream {
    let state = (exchange, clock, VecDeque::from(steps));
    unfold(state, |(exchange, clock, mut steps)| async move {
        loop {
            match steps.pop_front() {
                Some(BodyStep::Chunk(bytes)) => return Some((Ok(bytes), (exchange, clock, steps))),
                Some(BodyStep::Wait(millis)) => clock.sleep(millis).await,
                Some(BodyStep::Hang) => pending().await,
                Some(BodyStep::Break(kind)) => {
                    exchange.set(RequestState::Broken);
                    // A broken connection has nothing more to give.
                    steps.clear();
                    let error =
                        HostError::new("http.body", kind, "the connection broke as scripted");
                    return Some((Err(error), (exchange, clock, steps)));
                }
                None => {
                    exchange.end(RequestState::Done);
                    return None;
                }
            }
        }
    })
    .boxed_local()
}
