//! A core over the fake host and a real database on disk, which can be killed at any moment.

#![allow(dead_code, reason = "each test file uses its part")]

pub mod tools;

use std::cell::Cell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Context;

use futures::channel::mpsc::UnboundedSender;
use futures::stream::{self, StreamExt};
use serde_json::{Value, json};
use tabwright_host::fake::{FakeClock, FakeHost, ScriptedResponse};
use tabwright_host::{Clock, Host, HostError, Http, HttpRequest, HttpResponse, LocalBoxFuture};
use tabwright_protocol::{
    ConversationId, CoreHealth, Event, EventEnvelope, ItemBody, ItemView, ModelDraft, ModelId, Op,
    OpEnvelope, OpId, ProviderKind, Seq, Tab, TabId, TabStatus, WindowId, WorkingTab,
};
use tabwright_store::{Location, Store, StoreError};
use tabwright_tools::{Registry, ToolError};

pub const KEY: &str = "sk-secret-key-that-must-not-show";

/// Everything that outlives a core.
pub struct World {
    pub fake: FakeHost,
    pub path: PathBuf,
    /// How many more attempts to open the database find it locked.
    pub locked: Rc<Cell<u32>>,
    /// Whether another owner may have the database open at the same time.
    pub shared: bool,
    /// Whether the model decides by itself, instead of following a script.
    pub thinking: bool,
    /// How many tokens the model reads at once; none for what its name suggests.
    pub window: Option<u32>,
    /// The tools of the core.
    pub tools: fn() -> Result<Registry, ToolError>,
    next_op: Cell<u32>,
}

impl Drop for World {
    fn drop(&mut self) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let mut name = self.path.clone().into_os_string();
            name.push(suffix);
            let _ = std::fs::remove_file(name);
        }
    }
}

impl World {
    /// A browser with two tabs.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("tabwright-agent-{}-{number}.db", std::process::id());
        let fake = FakeHost::new(7);
        fake.browser.set_tabs(vec![
            tab(1, "https://example.test/", "Example", true),
            tab(2, "https://news.test/today", "News <b>now</b>", false),
        ]);
        Self {
            fake,
            path: std::env::temp_dir().join(name),
            locked: Rc::new(Cell::new(0)),
            shared: false,
            thinking: false,
            window: None,
            tools: tabwright_tools::builtin,
            next_op: Cell::new(0),
        }
    }

    /// Starts a core.
    pub fn start(&self) -> Life {
        let location = if self.shared {
            Location::SharedFile(self.path.clone())
        } else {
            Location::File(self.path.clone())
        };
        let locked = self.locked.clone();
        let open = move || -> LocalBoxFuture<'static, Result<Store, StoreError>> {
            let location = location.clone();
            let is_locked = locked.get() > 0;
            locked.set(locked.get().saturating_sub(1));
            Box::pin(async move {
                if is_locked {
                    return Err(StoreError::Locked {
                        location: "the test's".into(),
                    });
                }
                Store::open(location)
            })
        };
        let (ops, future) = tabwright_agent::core(self.host(), Box::new(open), (self.tools)());
        Life {
            ops,
            future: Some(future),
            clock: self.fake.clock.clone(),
        }
    }

    fn host(&self) -> Host {
        let mut host = self.fake.host();
        if self.thinking {
            host.http = Rc::new(ThinkingModel {
                clock: self.fake.clock.clone(),
            });
        }
        host
    }

    /// A core that has a model.
    pub fn start_with_model(&self) -> Life {
        let mut life = self.start();
        self.send(
            &life,
            Op::SaveModel {
                model: ModelDraft {
                    id: ModelId::from("m"),
                    name: "Test".into(),
                    provider: ProviderKind::OpenAiChat,
                    address: "https://model.test/v1".into(),
                    model: "test-model".into(),
                    key: Some(KEY.into()),
                    scripted: false,
                    context_window: self.window,
                    options: Default::default(),
                },
            },
        );
        life.settle();
        life
    }

    /// Sends an op with a fresh id.
    pub fn send(&self, life: &Life, op: Op) -> OpId {
        let number = self.next_op.get();
        self.next_op.set(number + 1);
        let id = OpId(format!("op-{number}"));
        life.send(id.clone(), op);
        id
    }

    pub fn say(&self, life: &Life, text: &str) -> OpId {
        self.send(
            life,
            Op::SendMessage {
                conversation: conversation(),
                text: text.into(),
                tab: Some(working_tab()),
            },
        )
    }

    pub fn events(&self) -> Vec<EventEnvelope> {
        self.fake.browser.events()
    }

    /// The conversation as a core that has just started shows it.
    pub fn items(&self) -> Vec<ItemView> {
        let mut life = self.start();
        self.snapshot(&mut life, None)
    }

    /// The conversation's items that have changed since.
    pub fn snapshot(&self, life: &mut Life, since: Option<Seq>) -> Vec<ItemView> {
        let asked = self.send(
            life,
            Op::Attach {
                conversation: conversation(),
                since,
            },
        );
        life.settle();
        let found = self
            .events()
            .into_iter()
            .rev()
            .find_map(|envelope| match envelope.event {
                Event::Snapshot { op, items, .. } if op == asked => Some(items),
                _ => None,
            });
        assert!(
            found.is_some(),
            "no snapshot; the core is {:?}",
            self.healths()
        );
        found.unwrap()
    }

    pub fn applied(&self, op: &OpId) -> usize {
        self.events()
            .iter()
            .filter(|envelope| matches!(&envelope.event, Event::Applied { op: done } if done == op))
            .count()
    }

    pub fn refusal(&self, op: &OpId) -> Option<String> {
        self.events()
            .into_iter()
            .find_map(|envelope| match envelope.event {
                Event::Refused {
                    op: refused,
                    refusal,
                } if refused == *op => Some(refusal.code),
                _ => None,
            })
    }

    pub fn healths(&self) -> Vec<CoreHealth> {
        self.events()
            .into_iter()
            .filter_map(|envelope| match envelope.event {
                Event::Core { health } => Some(health),
                _ => None,
            })
            .collect()
    }

    /// The body of the n-th request to the model.
    pub fn request(&self, index: usize) -> Value {
        serde_json::from_slice(&self.fake.http.requests()[index].request.body).unwrap()
    }

    pub fn tool_runs(&self) -> usize {
        self.fake
            .browser
            .calls()
            .iter()
            .filter(|call| call.name == "tabs.list")
            .count()
    }
}

/// One life of a core. Dropping it is its death.
pub struct Life {
    pub ops: UnboundedSender<OpEnvelope>,
    future: Option<LocalBoxFuture<'static, ()>>,
    clock: tabwright_host::fake::FakeClock,
}

impl Life {
    pub fn send(&self, id: OpId, op: Op) {
        self.ops.unbounded_send(OpEnvelope { id, op }).unwrap();
    }

    /// Polls once. False when the core has ended.
    pub fn poll(&mut self) -> bool {
        let Some(future) = &mut self.future else {
            return false;
        };
        let waker = futures::task::noop_waker();
        if future
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready()
        {
            self.future = None;
        }
        self.future.is_some()
    }

    /// Polls until only time could move it on.
    pub fn settle(&mut self) {
        for _ in 0..8 {
            self.poll();
        }
    }

    /// Lets time pass as far as the next thing due, but not as far as an idle core's rest.
    /// False when there is nothing of that kind.
    pub fn pass(&mut self) -> bool {
        match self.clock.next_due() {
            Some(due) if due < 60_000 => self.clock.advance(due),
            Some(_) | None => return false,
        }
        self.settle();
        true
    }

    /// Works until nothing more happens by itself.
    pub fn work(&mut self) {
        self.settle();
        while self.pass() {}
    }

    pub fn has_ended(&self) -> bool {
        self.future.is_none()
    }
}

/// A model that asks for the tabs until it has been given them, and then answers.
struct ThinkingModel {
    clock: FakeClock,
}

impl Http for ThinkingModel {
    fn send(
        &self,
        request: HttpRequest,
    ) -> LocalBoxFuture<'static, Result<HttpResponse, HostError>> {
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        let messages = body["messages"].as_array().unwrap();
        let has_result = messages.iter().any(|message| message["role"] == "tool");
        let deltas = if has_result {
            vec![json!({"content": "Two "}), json!({"content": "tabs."})]
        } else {
            vec![json!({"tool_calls": [{
                "index": 0, "id": "call_0", "type": "function",
                "function": {"name": "list_tabs", "arguments": "{}"},
            }]})]
        };
        let mut pieces: Vec<String> = deltas
            .iter()
            .map(|delta| sse(&json!({"choices": [{"index": 0, "delta": delta}]})))
            .collect();
        let reason = if has_result { "stop" } else { "tool_calls" };
        pieces.push(sse(
            &json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}),
        ));
        pieces.push("data: [DONE]\n\n".into());
        let clock = self.clock.clone();
        Box::pin(async move {
            clock.sleep(10).await;
            Ok(HttpResponse {
                status: 200,
                url: request.url,
                headers: vec![("content-type".into(), "text/event-stream".into())],
                body: stream::iter(pieces)
                    .then(move |piece| {
                        let pause = clock.sleep(10);
                        async move {
                            pause.await;
                            Ok(piece.into_bytes())
                        }
                    })
                    .boxed_local(),
            })
        })
    }
}

pub fn conversation() -> ConversationId {
    ConversationId::from("c")
}

pub fn working_tab() -> WorkingTab {
    WorkingTab {
        id: TabId(1),
        url: "https://example.test/".into(),
        title: "Example".into(),
    }
}

pub fn tab(id: i32, url: &str, title: &str, active: bool) -> Tab {
    Tab {
        id: TabId(id),
        url: url.into(),
        title: title.into(),
        active,
        window_id: WindowId(1),
        index: u32::try_from(id).unwrap() - 1,
        audible: false,
        status: TabStatus::Complete,
    }
}

/// A streamed answer, a chunk a piece, ten milliseconds apart.
pub fn answer(pieces: &[&str]) -> ScriptedResponse {
    let mut response = stream();
    for piece in pieces {
        response = response
            .chunk(sse(
                &json!({"choices": [{"index": 0, "delta": {"content": piece}}]}),
            ))
            .wait(10);
    }
    end(response, "stop")
}

/// A streamed answer that asks for calls.
pub fn calls(calls: &[(&str, &str)]) -> ScriptedResponse {
    end(asked(calls), "tool_calls")
}

/// The same from a server that does not count tokens.
pub fn uncounted_calls(calls: &[(&str, &str)]) -> ScriptedResponse {
    asked(calls)
        .chunk(sse(
            &json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
        ))
        .chunk("data: [DONE]\n\n")
}

fn asked(calls: &[(&str, &str)]) -> ScriptedResponse {
    let mut response = stream();
    for (index, (name, arguments)) in calls.iter().enumerate() {
        response = response
            .chunk(sse(
                &json!({"choices": [{"index": 0, "delta": {"tool_calls": [{
                    "index": index, "id": format!("call_{index}"), "type": "function",
                    "function": {"name": name, "arguments": arguments},
                }]}}]}),
            ))
            .wait(10);
    }
    response
}

pub fn stream() -> ScriptedResponse {
    ScriptedResponse::new(200).header("content-type", "text/event-stream")
}

fn end(response: ScriptedResponse, reason: &str) -> ScriptedResponse {
    response
        .chunk(sse(&json!({
            "choices": [{"index": 0, "delta": {}, "finish_reason": reason}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10},
        })))
        .chunk("data: [DONE]\n\n")
}

pub fn sse(value: &Value) -> String {
    format!("data: {value}\n\n")
}

/// The items in short: what a person would read.
pub fn short(items: &[ItemView]) -> Vec<String> {
    items
        .iter()
        .map(|item| match &item.body {
            ItemBody::UserMessage { text } => format!("person: {text}"),
            ItemBody::AssistantMessage { text, state, .. } => {
                format!(
                    "model: {text} {}",
                    tag(&serde_json::to_value(state).unwrap())
                )
            }
            ItemBody::ToolCall {
                tool,
                state,
                attempts,
                ..
            } => format!(
                "call: {tool} {} x{attempts}",
                tag(&serde_json::to_value(state).unwrap())
            ),
            ItemBody::Notice { code, .. } => format!("notice: {code}"),
            ItemBody::Question { state, .. } => {
                format!("question: {}", tag(&serde_json::to_value(state).unwrap()))
            }
            ItemBody::Summary { by_model, .. } => format!("summary: by model {by_model}"),
            ItemBody::Gone => "gone".to_owned(),
            ItemBody::TurnEnd { reason, .. } => {
                format!(
                    "end: {}",
                    serde_json::to_value(reason).unwrap().as_str().unwrap()
                )
            }
        })
        .collect()
}

fn tag(state: &Value) -> String {
    let name = state["state"].as_str().unwrap().to_owned();
    match state["reason"].as_str() {
        Some(reason) => format!("[{name} {reason}]"),
        None if state["is_error"] == json!(true) => format!("[{name} error]"),
        None => format!("[{name}]"),
    }
}
