//! Model records and settings.

use tabwright_llm::{Endpoint, context_window, known};
use tabwright_protocol::{
    Event, ModelDraft, ModelId, ModelRole, ModelRoles, ModelView, OpId, OriginRule, Prices,
    ProviderKind, Refusal, Settings,
};
use tabwright_store::{Batch, ModelRow, SettingRow, Store};
use url::{Host, Url};

use super::ops::Outcome;
use super::request::hide_origins;
use super::{AgentError, Driver};
use crate::machine::{ModelChoice, RunRecord};
use crate::rows::unreadable;

const CURRENT_MODEL: &str = "current_model";
const SUMMARY_MODEL: &str = "summary_model";
const FALLBACK_MODEL: &str = "fallback_model";
const SETTINGS: &str = "settings";
/// A model that reads less at once, in tokens, has no room for the tools.
const LEAST_WINDOW: u32 = 2_000;
/// In hundredths: no server takes more.
const MOST_TEMPERATURE: u16 = 200;

/// A model record with its key: never leaves the core.
pub(super) struct Model {
    pub(super) draft: ModelDraft,
    /// What the machine keeps of it, which every step wants to know and no step changes.
    choice: ModelChoice,
}

impl Model {
    pub(super) fn new(draft: ModelDraft) -> Self {
        Self {
            choice: choice_of(&draft),
            draft,
        }
    }

    /// Where its requests go.
    pub(super) fn endpoint(&self) -> Endpoint {
        Endpoint {
            address: self.draft.address.clone(),
            key: self.draft.key.clone().filter(|key| !key.is_empty()),
            model: self.draft.model.clone(),
            // The very figure that the history is kept within.
            context_window: Some(self.choice.window),
            options: self.draft.options.clone(),
        }
    }

    /// What the machine keeps of it.
    pub(super) fn choice(&self) -> &ModelChoice {
        &self.choice
    }

    fn view(&self) -> ModelView {
        ModelView {
            id: self.draft.id.clone(),
            name: self.draft.name.clone(),
            provider: self.draft.provider,
            address: self.draft.address.clone(),
            model: self.draft.model.clone(),
            has_key: self.draft.key.as_ref().is_some_and(|key| !key.is_empty()),
            scripted: self.draft.scripted,
            context_window: self.draft.context_window,
            window: self.choice.window,
            prices: self.choice.prices,
            options: self.draft.options.without_values(),
        }
    }

    pub(super) fn row(&self) -> Result<ModelRow, AgentError> {
        let body = ModelDraft {
            key: None,
            ..self.draft.clone()
        };
        Ok(ModelRow {
            id: self.draft.id.clone(),
            body: serde_json::to_string(&body).map_err(unreadable("model"))?,
            key: self.draft.key.clone(),
        })
    }
}

fn choice_of(draft: &ModelDraft) -> ModelChoice {
    let known = known(&draft.address, &draft.model);
    let window = known.and_then(|known| known.window);
    let guess = || context_window(&draft.model, is_local(draft));
    let free = || {
        is_local(draft).then_some(Prices {
            input: 0,
            output: 0,
            cached: None,
            written: None,
        })
    };
    ModelChoice {
        id: draft.id.clone(),
        name: draft.model.clone(),
        window: draft.context_window.or(window).unwrap_or_else(guess),
        // As the person set it, else what is known. On this computer nothing.
        prices: (draft.options.prices)
            .or(known.map(|known| known.prices))
            .or_else(free),
        // The same server may be spoken to in another format, which does not know what this one
        // keeps for the next request.
        source: format!("{:?} {} {}", draft.provider, draft.address, draft.model),
    }
}

/// Whether its server is on this computer.
fn is_local(draft: &ModelDraft) -> bool {
    match draft.provider {
        ProviderKind::ChromeBuiltIn => true,
        ProviderKind::OpenAiChat
        | ProviderKind::OpenAiResponses
        | ProviderKind::Anthropic
        | ProviderKind::Gemini
        | ProviderKind::Ollama => local_origin(&draft.address).is_some(),
    }
}

/// All model records.
pub(super) struct Models {
    all: Vec<Model>,
    roles: ModelRoles,
}

impl Models {
    /// As they are on disk.
    pub(super) fn load(store: &Store) -> Result<Self, AgentError> {
        let mut all = Vec::new();
        for row in store.models()? {
            let mut draft: ModelDraft =
                serde_json::from_str(&row.body).map_err(unreadable("model"))?;
            draft.key = row.key;
            all.push(Model::new(draft));
        }
        let role = |name| Ok::<_, AgentError>(store.setting(name)?.map(ModelId));
        let roles = ModelRoles {
            current: role(CURRENT_MODEL)?,
            summary: role(SUMMARY_MODEL)?,
            fallback: role(FALLBACK_MODEL)?,
        };
        Ok(Self { all, roles })
    }

    /// The one for new turns.
    pub(super) fn current(&self) -> Option<&Model> {
        self.get(self.roles.current.as_ref()?)
    }

    /// The one that sums up, where that is another than the turn's own.
    pub(super) fn summary(&self) -> Option<&Model> {
        self.get(self.roles.summary.as_ref()?)
    }

    /// The one that a turn goes on with when its own gives no answer.
    pub(super) fn fallback(&self) -> Option<&Model> {
        self.get(self.roles.fallback.as_ref()?)
    }

    /// Which does what, of those that there are.
    pub(super) fn roles(&self) -> ModelRoles {
        let id = |model: Option<&Model>| model.map(|model| model.draft.id.clone());
        ModelRoles {
            current: id(self.current()),
            summary: id(self.summary()),
            fallback: id(self.fallback()),
        }
    }

    /// The one that a run began with, else (it was deleted meanwhile) the current one; without a
    /// run the current one.
    pub(super) fn of(&self, run: Option<&RunRecord>) -> Option<&Model> {
        run.and_then(|run| self.all.get(self.find(&run.model)?))
            .or_else(|| self.current())
    }

    /// What views may know of them.
    pub(super) fn views(&self) -> Vec<ModelView> {
        self.all.iter().map(Model::view).collect()
    }

    /// The servers on this computer: they are to see no `Origin` of ours, because Ollama refuses an
    /// extension's.
    pub(super) fn local_origins(&self) -> Vec<OriginRule> {
        let mut rules: Vec<OriginRule> = self
            .all
            .iter()
            .filter_map(|model| local_origin(&model.draft.address))
            .collect();
        rules.sort_by(|a, b| (&a.host, a.port).cmp(&(&b.host, b.port)));
        rules.dedup();
        rules
    }

    /// One of them.
    pub(super) fn get(&self, id: &ModelId) -> Option<&Model> {
        self.all.get(self.find(id)?)
    }

    /// Puts a record in the place of the one with its id, or at the end.
    pub(super) fn put(&mut self, model: Model) {
        let known = self.find(&model.draft.id);
        match known.and_then(|index| self.all.get_mut(index)) {
            Some(slot) => *slot = model,
            None => self.all.push(model),
        }
    }

    fn find(&self, id: &ModelId) -> Option<usize> {
        self.all.iter().position(|model| model.draft.id == *id)
    }
}

/// The scheme, host and port of an address.
fn origin(address: &str) -> Option<String> {
    Some(Url::parse(address).ok()?.origin().ascii_serialization())
}

/// The host and port of an address on this computer.
pub(super) fn local_origin(address: &str) -> Option<OriginRule> {
    let url = Url::parse(address).ok()?;
    let port = url.port_or_known_default()?;
    let host = match url.host()? {
        Host::Domain("localhost") => "localhost",
        Host::Ipv4(ip) if ip == std::net::Ipv4Addr::LOCALHOST => "127.0.0.1",
        Host::Ipv6(ip) if ip == std::net::Ipv6Addr::LOCALHOST => "[::1]",
        Host::Domain(_) | Host::Ipv4(_) | Host::Ipv6(_) => return None,
    };
    Some(OriginRule {
        host: host.to_owned(),
        port,
    })
}

/// A header that comes without its value keeps the one that is stored, if it goes to the same server.
fn keep_header_values(draft: &mut ModelDraft, before: &ModelDraft) {
    if origin(&before.address) != origin(&draft.address) {
        return;
    }
    for header in &mut draft.options.headers {
        if header.value.is_none() {
            let mut stored = before.options.headers.iter();
            header.value = stored
                .find(|other| other.name.eq_ignore_ascii_case(&header.name))
                .and_then(|other| other.value.clone());
        }
    }
}

/// What is wrong with a model record, in words.
fn fault(draft: &ModelDraft) -> Option<String> {
    if draft.name.trim().is_empty() {
        return Some("The model has no name; give it one.".into());
    }
    if let Some(tokens) = draft.context_window.filter(|tokens| *tokens < LEAST_WINDOW) {
        return Some(format!(
            "A model must read at least {LEAST_WINDOW} tokens at once to be of use here, not {tokens}. Leave the field empty if you do not know it."
        ));
    }
    let temperature = draft.options.temperature.unwrap_or_default();
    if temperature > MOST_TEMPERATURE {
        let limit = MOST_TEMPERATURE / 100;
        return Some(format!(
            "A temperature is between 0 and {limit}; leave it empty for the model's own."
        ));
    }
    if let Some(prices) = draft.options.prices {
        for (what, price) in prices.each() {
            if price.is_some_and(|price| price > Prices::MOST) {
                let most = Prices::MOST / 1_000_000;
                return Some(format!(
                    "The price of {what} is above ${most} for a million tokens; it is that of a million, not of one."
                ));
            }
        }
    }
    if draft.options.output_limit == Some(0) {
        return Some(
            "An answer of no tokens is none; leave the limit empty for the model's own.".into(),
        );
    }
    match draft.provider {
        ProviderKind::ChromeBuiltIn => return None,
        ProviderKind::OpenAiChat
        | ProviderKind::OpenAiResponses
        | ProviderKind::Anthropic
        | ProviderKind::Gemini
        | ProviderKind::Ollama => {}
    }
    if draft.model.trim().is_empty() {
        return Some("The model id is empty; write the one your provider lists.".into());
    }
    match Url::parse(&draft.address) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => None,
        Ok(_) | Err(_) => Some(format!(
            "“{}” is not a web address; it must start with http:// or https://, such as https://api.openai.com/v1.",
            draft.address
        )),
    }
}

/// The settings as they are on disk.
pub(super) fn load_settings(store: &Store) -> Result<Settings, AgentError> {
    match store.setting(SETTINGS)? {
        Some(text) => serde_json::from_str(&text).map_err(unreadable("setting")),
        None => Ok(Settings::default()),
    }
}

/// Which model does what, as rows.
fn role_rows(roles: &ModelRoles) -> Vec<SettingRow> {
    [
        (CURRENT_MODEL, &roles.current),
        (SUMMARY_MODEL, &roles.summary),
        (FALLBACK_MODEL, &roles.fallback),
    ]
    .map(|(name, id)| SettingRow {
        name: name.into(),
        value: id.as_ref().map(|id| id.0.clone()),
    })
    .into()
}

fn refused(code: &str, message: String) -> Outcome {
    Outcome::Refused {
        refusal: Refusal {
            code: code.into(),
            message,
        },
    }
}

pub(super) fn no_model(id: &ModelId) -> Outcome {
    refused(
        "no_such_model",
        format!("There is no model record “{id}”; it may have been deleted."),
    )
}

impl Driver {
    pub(super) fn save_model(&mut self, op: OpId, mut draft: ModelDraft) -> Result<(), AgentError> {
        if let Some(fault) = fault(&draft) {
            return self.conclude(Batch::default(), op, refused("invalid_model", fault));
        }
        let before = self.models.get(&draft.id);
        if draft.key.is_none()
            && let Some(before) = before
        {
            // A key that was given for one server is not shown to another.
            let is_same = origin(&before.draft.address) == origin(&draft.address);
            draft.key = before.draft.key.clone().filter(|_| is_same);
        }
        if let Some(before) = before {
            keep_header_values(&mut draft, &before.draft);
        }
        let model = Model::new(draft);
        let mut batch = Batch {
            put_models: vec![model.row()?],
            ..Batch::default()
        };
        let becomes_current = self.models.current().is_none();
        if becomes_current {
            batch.put_settings.push(SettingRow {
                name: CURRENT_MODEL.into(),
                value: Some(model.draft.id.0.clone()),
            });
        }
        self.conclude(batch, op, Outcome::Applied)?;
        if becomes_current {
            self.models.roles.current = Some(model.draft.id.clone());
        }
        self.models.put(model);
        self.tell_models();
        Ok(())
    }

    pub(super) fn delete_model(&mut self, op: OpId, id: ModelId) -> Result<(), AgentError> {
        let Some(index) = self.models.find(&id) else {
            return self.conclude(Batch::default(), op, no_model(&id));
        };
        // Another takes its place, so that a person with two models is not left without one.
        let mut roles = self.models.roles();
        if roles.current.as_ref() == Some(&id) {
            let ids = self.models.all.iter().map(|model| &model.draft.id);
            roles.current = ids.into_iter().find(|other| **other != id).cloned();
        }
        for role in [&mut roles.summary, &mut roles.fallback] {
            role.take_if(|it| *it == id);
        }
        let batch = Batch {
            delete_models: vec![id],
            put_settings: role_rows(&roles),
            ..Batch::default()
        };
        self.conclude(batch, op, Outcome::Applied)?;
        self.models.all.remove(index);
        self.models.roles = roles;
        self.tell_models();
        Ok(())
    }

    pub(super) fn use_model(
        &mut self,
        op: OpId,
        model: Option<ModelId>,
        role: ModelRole,
    ) -> Result<(), AgentError> {
        if let Some(id) = &model
            && self.models.find(id).is_none()
        {
            return self.conclude(Batch::default(), op, no_model(id));
        }
        let mut roles = self.models.roles();
        match role {
            ModelRole::Current if model.is_none() => {
                let message = "There is always a model for new turns; choose another instead.";
                let outcome = refused("model_needed", message.to_owned());
                return self.conclude(Batch::default(), op, outcome);
            }
            ModelRole::Current => roles.current = model,
            ModelRole::Summary => roles.summary = model,
            ModelRole::Fallback => roles.fallback = model,
        }
        let batch = Batch {
            put_settings: role_rows(&roles),
            ..Batch::default()
        };
        self.conclude(batch, op, Outcome::Applied)?;
        self.models.roles = roles;
        self.tell_models();
        Ok(())
    }

    pub(super) fn save_settings(&mut self, op: OpId, settings: Settings) -> Result<(), AgentError> {
        if let Some(fault) = settings.fault() {
            return self.conclude(Batch::default(), op, refused("invalid_settings", fault));
        }
        let batch = Batch {
            put_settings: vec![SettingRow {
                name: SETTINGS.into(),
                value: Some(serde_json::to_string(&settings).map_err(unreadable("setting"))?),
            }],
            ..Batch::default()
        };
        self.conclude(batch, op, Outcome::Applied)?;
        self.settings = settings.clone();
        self.doors.set_ask_first(settings.ask_before_acting);
        self.arm_idle_timer();
        self.outbox.send(Event::Settings { settings });
        Ok(())
    }

    /// After a change of the records: views are told, and the browser of the local servers, also of
    /// those that are no longer there.
    pub(super) fn tell_models(&mut self) {
        let host = self.host.clone();
        let told = self.told_origins.clone();
        let origins = self.models.local_origins();
        let had = self.had_local_model;
        self.had_local_model = !origins.is_empty();
        if had || self.had_local_model {
            self.spawn(async move { hide_origins(&host, origins, &told).await });
        }
        self.outbox.send(Event::Models {
            models: self.models.views(),
            roles: self.models.roles(),
        });
    }
}
