//! One request to the model, from the history to the end of the answer.

use std::cell::RefCell;
use std::time::Duration;

use futures::FutureExt;
use futures::channel::mpsc::UnboundedSender;
use futures::future::{Either, select};
use futures::stream::StreamExt;
use tabwright_host::{Host, HostError, HttpRequest, HttpResponse, Method, Redirects};
use tabwright_llm::{
    Answer, ChatRequest, Endpoint, ModelEvent, Provider, ProviderError, ProviderErrorKind,
    ToolSpec, WireRequest, provider_for,
};
use tabwright_protocol::{ConversationId, ModelId, OriginRule};
use tabwright_tools::Declaration;

use super::images;
use super::records::local_origin;
use super::{Driver, Message, Task};
use crate::machine::{Conversation, Input, Purpose, RequestNumber, Trouble};
use crate::{history, prompt};

/// How long a server may think before its first byte. A model on a small computer reads a long
/// prompt for minutes.
const FIRST_BYTE: Duration = Duration::from_secs(600);
/// How long a stream may be silent.
const SILENCE: Duration = Duration::from_secs(120);
/// How long the counts may take that follow the end of an answer.
const AFTER_END: Duration = Duration::from_secs(10);
/// How long the rest of a body is waited for after the answer is whole, in milliseconds.
const LINGER: u64 = 1_000;
/// What a model is asked for when a turn has reached a limit.
const CLOSE: &str = "[Tabwright] This turn has reached its limit: nothing more can be done in it, so call no tool. Say briefly what was done, with results and addresses, what is left, and what comes next.";
/// How much of an error's body is read, in bytes.
const ERROR_BODY: usize = 64 * 1024;

/// A request that is ready to go, and who understands its answer.
pub(super) struct Outgoing {
    pub(super) endpoint: Endpoint,
    pub(super) wire: WireRequest,
    pub(super) provider: &'static dyn Provider,
    pub(super) tools: Vec<ToolSpec>,
}

impl Driver {
    pub(super) fn ask_model(
        &mut self,
        id: &ConversationId,
        number: RequestNumber,
        purpose: Purpose,
        model: &ModelId,
    ) {
        let (host, sender) = (self.host.clone(), self.sender.clone());
        let name = Task::Request(number);
        let outgoing = self.outgoing(id, purpose, model);
        let is_local =
            matches!(&outgoing, Ok(outgoing) if local_origin(&outgoing.endpoint.address).is_some());
        let origins = if is_local {
            self.models.local_origins()
        } else {
            Vec::new()
        };
        let told = self.told_origins.clone();
        let waking = self.waking.clone();
        let id = id.clone();
        self.spawn_as(name, async move {
            let listener = Listener {
                sender,
                conversation: id,
            };
            // From here on there is something that a death of the whole browser must not end.
            waking.until_on(&host).await;
            if !origins.is_empty() {
                hide_origins(&host, origins, &told).await;
            }
            let (result, rest) = match outgoing {
                Ok(outgoing) => {
                    let endpoint = outgoing.endpoint.clone();
                    let hear = |events| {
                        listener.hear(Input::Model {
                            request: number,
                            events,
                        });
                    };
                    match ask(&host, outgoing, &hear).await {
                        Ok((mut answer, rest)) => {
                            images::keep(&host, &mut answer).await;
                            (Ok(answer), rest)
                        }
                        Err(error) => (Err(trouble(error.without_key(&endpoint))), None),
                    }
                }
                Err(trouble) => (Err(trouble), None),
            };
            listener.hear(Input::ModelDone {
                request: number,
                result,
            });
            if let Some(rest) = rest {
                drain(&host, rest).await;
            }
        });
    }

    fn outgoing(
        &self,
        id: &ConversationId,
        purpose: Purpose,
        model: &ModelId,
    ) -> Result<Outgoing, Trouble> {
        let conversation = self.loaded.get(id);
        let run = conversation.and_then(|it| it.run.as_ref());
        // One that was deleted just now is stood in for by the current one.
        let Some(model) = self.models.get(model).or_else(|| self.models.current()) else {
            return Err(unsendable(
                "no_model",
                "No model is set up.".into(),
                "Add one in the options, then continue.",
            ));
        };
        let provider = provider_for(model.draft.provider);
        let endpoint = model.endpoint();
        let (system, messages) = match (conversation, run) {
            (Some(conversation), Some(run)) => {
                let kind = conversation.about.parent.as_ref().map(|parent| parent.kind);
                let record = &run.record;
                (
                    Some(prompt::system(&record.facts, kind, record.tab)),
                    messages(conversation, purpose, &model.choice().source),
                )
            }
            (Some(_), None) | (None, _) => (None, Vec::new()),
        };
        let tools: Vec<ToolSpec> = self
            .kit_of(id)
            .door
            .registry()
            .declarations()
            .map(tool_spec)
            .collect();
        let chat = ChatRequest {
            system: system.as_deref().unwrap_or_default(),
            messages: &messages,
            tools: &tools,
        };
        match provider.request(&endpoint, &chat) {
            Ok(wire) => Ok(Outgoing {
                endpoint,
                wire,
                provider,
                tools,
            }),
            Err(error) => Err(unsendable(
                "model_settings",
                error.to_string(),
                "Mend it in the options, then continue.",
            )),
        }
    }
}

/// What the model is shown.
fn messages(conversation: &Conversation, purpose: Purpose, source: &str) -> Vec<history::Said> {
    let items = &conversation.items;
    match purpose {
        Purpose::Round => history::messages(items, source),
        Purpose::Summary { keep } => {
            history::to_sum_up(items, keep, source, &conversation.summary_request())
        }
        Purpose::Closing => history::to_close(items, source, CLOSE),
    }
}

fn trouble(error: ProviderError) -> Trouble {
    Trouble {
        code: error.code(),
        status: error.status,
        too_long: error.kind == ProviderErrorKind::ContextOverflow,
        advice: error.advice(),
        may_retry: error.may_retry(),
        retry_after: error.retry_after,
        reason: error.message,
    }
}

fn unsendable(code: &'static str, reason: String, advice: &'static str) -> Trouble {
    Trouble {
        code,
        status: None,
        too_long: false,
        reason,
        advice,
        may_retry: false,
        retry_after: None,
    }
}

pub(super) fn tool_spec(declaration: &Declaration) -> ToolSpec {
    ToolSpec {
        name: declaration.name.clone(),
        description: declaration.description.clone(),
        schema: declaration.schema.clone(),
    }
}

struct Listener {
    sender: UnboundedSender<Message>,
    conversation: ConversationId,
}

impl Listener {
    fn hear(&self, input: Input) {
        // The driver outlives its tasks.
        let _ = self
            .sender
            .unbounded_send(Message::Input(self.conversation.clone(), input));
    }
}

/// Makes a request and reads its answer, whose pieces are heard as they come.
pub(super) async fn ask(
    host: &Host,
    outgoing: Outgoing,
    hear: &dyn Fn(Vec<ModelEvent>),
) -> Result<(Answer, Option<HttpResponse>), ProviderError> {
    let Outgoing {
        endpoint,
        wire,
        provider,
        tools,
    } = outgoing;
    let request = HttpRequest {
        method: Method::Post,
        url: wire.url,
        headers: wire.headers,
        body: wire.body,
        redirects: Redirects::Refused,
    };
    let mut response = within(host, FIRST_BYTE, host.http.send(request))
        .await
        .map_err(|reason| provider.unreachable(&endpoint, &reason))?;
    if !(200..300).contains(&response.status) {
        let body = error_body(host, &mut response).await;
        return Err(provider.error(
            &endpoint,
            response.status,
            &response.headers,
            &body,
            host.clock.now(),
        ));
    }
    let mut decoder = provider.decoder(&endpoint, &tools);
    // A server may leave the connection open after the end of its answer.
    loop {
        let has_ended = decoder.has_ended();
        let patience = if has_ended { AFTER_END } else { SILENCE };
        let bytes = match next_chunk(host, &mut response, patience).await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok((decoder.finish()?, None)),
            // What breaks off then is no part of the answer, and the person has seen all of it.
            Err(_) if has_ended => return Ok((decoder.finish()?, None)),
            Err(reason) => return Err(provider.broken(&endpoint, &reason)),
        };
        let events = decoder.feed(&bytes)?;
        if !decoder.is_done() {
            if !events.is_empty() {
                hear(events);
            }
            continue;
        }
        // The whole answer says all that its last piece does, and is on disk in one go with it.
        return match decoder.finish() {
            Ok(answer) => Ok((answer, Some(response))),
            Err(error) => {
                hear(events);
                Err(error)
            }
        };
    }
}

/// Some local servers refuse a browser extension; without its origin they take it for a program on
/// this computer, which it is. Told once: the browser keeps the rules for its session.
pub(super) async fn hide_origins(
    host: &Host,
    origins: Vec<OriginRule>,
    told: &RefCell<Option<Vec<OriginRule>>>,
) {
    if told.borrow().as_ref() == Some(&origins) {
        return;
    }
    // When it fails, the server's own refusal says what is wrong, and the next request tries again.
    if host.lifecycle.local_origins(origins.clone()).await.is_ok() {
        told.replace(Some(origins));
    }
}

/// Reads what follows an answer, which is nothing or a few bytes: a connection that was read to its
/// end serves the next request, one that is given up does not.
async fn drain(host: &Host, mut rest: HttpResponse) {
    let read = async { while let Some(Ok(_)) = rest.body.next().await {} };
    select(Box::pin(read), host.clock.sleep(LINGER)).await;
}

async fn next_chunk(
    host: &Host,
    response: &mut HttpResponse,
    patience: Duration,
) -> Result<Option<Vec<u8>>, String> {
    let next = response.body.next().map(Option::transpose);
    within(host, patience, next).await
}

/// The start of an error's body; what breaks off is enough.
async fn error_body(host: &Host, response: &mut HttpResponse) -> Vec<u8> {
    let mut body = Vec::new();
    while body.len() < ERROR_BODY {
        match next_chunk(host, response, SILENCE).await {
            Ok(Some(bytes)) => body.extend(bytes),
            Ok(None) | Err(_) => break,
        }
    }
    body
}

async fn within<T>(
    host: &Host,
    limit: Duration,
    work: impl Future<Output = Result<T, HostError>> + Unpin,
) -> Result<T, String> {
    let seconds = limit.as_secs();
    match select(work, host.clock.sleep(seconds * 1_000)).await {
        Either::Left((result, _)) => result.map_err(|error| error.message),
        Either::Right(_) => Err(format!("it sent nothing for {seconds} s")),
    }
}
