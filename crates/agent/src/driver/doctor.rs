//! Trying model records out, and finding the servers that are there.

use futures::FutureExt;
use futures::future::{Either, join_all, select};
use futures::stream::StreamExt;
use serde::Deserialize;
use tabwright_host::{Host, HttpRequest, Method, Redirects};
use tabwright_llm::{
    Answer, ChatRequest, LlmError, Message as Said, ProviderError, ProviderErrorKind, ToolSpec,
    provider_for,
};
use tabwright_protocol::{
    CallId, Event, ModelDraft, ModelId, ModelServer, OpId, OriginRule, ProviderKind,
};
use tabwright_store::Batch;

use super::records::{Model, local_origin, no_model};
use super::request::{Outgoing, ask, hide_origins, tool_spec};
use super::{AgentError, Driver, Message, Task};
use crate::doctor::{self, Examined};
use crate::machine::Spent;

/// How long one request of an examination may take, in milliseconds. A model on a small computer is
/// first read from its disk.
const PATIENCE: u64 = 180_000;
/// How long a server on this computer may take to say what it has, in milliseconds.
const PATIENCE_AT_HOME: u64 = 2_000;
/// More of a list of models is not read, in bytes.
const LONGEST_LIST: usize = 1 << 20;

/// What the model is told while it is tried out.
const SYSTEM: &str = "You are the model of a browser agent. Do exactly what you are asked.";

/// A server that may be on this computer.
struct Known {
    name: &'static str,
    provider: ProviderKind,
    /// Where it is when nobody has changed that.
    address: &'static str,
    /// Where it says what it has.
    list: &'static str,
}

const KNOWN: [Known; 3] = [
    Known {
        name: "Ollama",
        provider: ProviderKind::Ollama,
        address: "http://localhost:11434",
        list: "http://localhost:11434/api/tags",
    },
    Known {
        name: "LM Studio",
        provider: ProviderKind::OpenAiChat,
        address: "http://localhost:1234/v1",
        list: "http://localhost:1234/v1/models",
    },
    Known {
        name: "llama.cpp",
        provider: ProviderKind::OpenAiChat,
        address: "http://localhost:8080/v1",
        list: "http://localhost:8080/v1/models",
    },
];

/// What these servers answer.
#[derive(Deserialize)]
struct Listed {
    /// Ollama's.
    #[serde(default)]
    models: Vec<Named>,
    /// Everybody else's.
    #[serde(default)]
    data: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    #[serde(alias = "name")]
    id: String,
}

impl Driver {
    /// Tries a record out. Sent again while it is going on, it is not begun twice.
    pub(super) fn check_model(&mut self, op: OpId, id: ModelId) -> Result<(), AgentError> {
        let task = examination(&op);
        if self.aborts.contains_key(&task) {
            return Ok(());
        }
        let Some(model) = self.models.get(&id) else {
            self.tell_outcome(op, no_model(&id));
            return Ok(());
        };
        let draft = model.draft.clone();
        let is_local = local_origin(&draft.address).is_some();
        let origins = if is_local {
            self.models.local_origins()
        } else {
            Vec::new()
        };
        let registry = self.doors.of(None).door.registry();
        let tools: Vec<ToolSpec> = registry.declarations().map(tool_spec).collect();
        let (host, told, sender) = (
            self.host.clone(),
            self.told_origins.clone(),
            self.sender.clone(),
        );
        self.consoles += 1;
        self.spawn_as(task, async move {
            if !origins.is_empty() {
                hide_origins(&host, origins, &told).await;
            }
            let asks = |draft: &ModelDraft, messages: Vec<Said>, with_tools: bool| {
                let tools = if with_tools {
                    tools.clone()
                } else {
                    Vec::new()
                };
                once(host.clone(), draft.clone(), messages, tools).boxed_local()
            };
            let examined = doctor::examine(&asks, draft.clone(), is_local).await;
            let checked = Checked {
                op,
                before: draft,
                examined,
            };
            let _ = sender.unbounded_send(Message::Checked(Box::new(checked)));
        });
        Ok(())
    }

    /// Stores what was found out, unless the record was changed or deleted meanwhile.
    pub(super) fn checked(&mut self, checked: Checked) -> Result<(), AgentError> {
        let Checked {
            op,
            before,
            examined:
                Examined {
                    draft,
                    report,
                    usage,
                },
        } = checked;
        self.consoles = self.consoles.saturating_sub(1);
        self.aborts.remove(&examination(&op));
        let id = before.id.clone();
        let is_same = self.models.get(&id).is_some_and(|it| it.draft == before);
        let changes = is_same && draft != before;
        let model = Model::new(draft);
        let mut batch = Batch::default();
        let choice = model.choice();
        let spent = Spent {
            usage: choice.priced(usage),
            model: choice.name.clone(),
        };
        self.book(&mut batch, vec![spent]);
        if changes {
            batch.put_models = vec![model.row()?];
        }
        self.store.commit(&batch)?;
        self.booked(&batch);
        if changes {
            self.models.put(model);
            self.tell_models();
        }
        self.outbox.send(Event::ModelChecked {
            op,
            model: id,
            report,
        });
        Ok(())
    }

    /// Asks the servers that may be on this computer what they have.
    pub(super) fn find_models(&mut self, op: OpId) {
        let task = examination(&op);
        if self.aborts.contains_key(&task) {
            return;
        }
        let host = self.host.clone();
        let told = self.told_origins.clone();
        let own = self.models.local_origins();
        let mut origins: Vec<OriginRule> = own.clone();
        origins.extend(KNOWN.iter().filter_map(|known| local_origin(known.address)));
        origins.sort_by(|a, b| (&a.host, a.port).cmp(&(&b.host, b.port)));
        origins.dedup();
        let sender = self.sender.clone();
        self.consoles += 1;
        self.spawn_as(task, async move {
            hide_origins(&host, origins, &told).await;
            let servers = join_all(KNOWN.iter().map(|known| find(&host, known))).await;
            // Only the servers of the person's records stay without our origin.
            hide_origins(&host, own, &told).await;
            let servers = servers.into_iter().flatten().collect();
            let _ = sender.unbounded_send(Message::Found(op, servers));
        });
    }

    pub(super) fn found(&mut self, op: OpId, servers: Vec<ModelServer>) {
        self.consoles = self.consoles.saturating_sub(1);
        self.aborts.remove(&examination(&op));
        self.outbox.send(Event::ModelsFound { op, servers });
    }
}

/// An examination that is over.
pub(super) struct Checked {
    op: OpId,
    /// The record when it began.
    before: ModelDraft,
    examined: Examined,
}

/// The task of an examination.
fn examination(op: &OpId) -> Task {
    Task::Call(CallId(format!("check {}", op.0)))
}

/// One request.
async fn once(
    host: Host,
    draft: ModelDraft,
    messages: Vec<Said>,
    tools: Vec<ToolSpec>,
) -> Result<Answer, ProviderError> {
    let model = Model::new(draft);
    let endpoint = model.endpoint();
    let provider = provider_for(model.draft.provider);
    let chat = ChatRequest {
        system: SYSTEM,
        messages: &messages,
        tools: &tools,
    };
    let unsendable = |error: LlmError| ProviderError {
        kind: ProviderErrorKind::BadRequest,
        status: None,
        retry_after: None,
        message: error.to_string(),
        local: false,
    };
    let outgoing = Outgoing {
        wire: provider.request(&endpoint, &chat).map_err(unsendable)?,
        endpoint: endpoint.clone(),
        provider,
        tools,
    };
    let asked = Box::pin(ask(&host, outgoing, &|_| {}));
    match select(asked, host.clock.sleep(PATIENCE)).await {
        Either::Left((Ok((answer, _)), _)) => Ok(answer),
        Either::Left((Err(error), _)) => Err(error.without_key(&endpoint)),
        Either::Right(_) => {
            let reason = format!("it has not answered for {} s", PATIENCE / 1_000);
            Err(provider.unreachable(&endpoint, &reason))
        }
    }
}

/// The server, if it is there.
async fn find(host: &Host, known: &Known) -> Option<ModelServer> {
    let asked = Box::pin(body_of(host, known.list));
    let body = match select(asked, host.clock.sleep(PATIENCE_AT_HOME)).await {
        Either::Left((body, _)) => body?,
        Either::Right(_) => return None,
    };
    // Something else may live at the same port.
    let listed: Listed = serde_json::from_slice(&body).ok()?;
    let models = match listed.data.is_empty() {
        true => listed.models,
        false => listed.data,
    };
    Some(ModelServer {
        name: known.name.to_owned(),
        provider: known.provider,
        address: known.address.to_owned(),
        models: models.into_iter().map(|model| model.id).collect(),
    })
}

async fn body_of(host: &Host, url: &str) -> Option<Vec<u8>> {
    let request = HttpRequest {
        method: Method::Get,
        url: url.to_owned(),
        headers: Vec::new(),
        body: Vec::new(),
        redirects: Redirects::Refused,
    };
    let mut response = host.http.send(request).await.ok()?;
    if !(200..300).contains(&response.status) {
        return None;
    }
    let mut body = Vec::new();
    while let Some(bytes) = response.body.next().await {
        body.extend(bytes.ok()?);
        if body.len() > LONGEST_LIST {
            return None;
        }
    }
    Some(body)
}
