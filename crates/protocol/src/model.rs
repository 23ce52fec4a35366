//! Model records. A key goes in with a [`ModelDraft`] and never comes out.

use serde::{Deserialize, Serialize};

use crate::{ModelId, Prices};

/// How a model is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    /// OpenAI's chat completions, and every server that speaks the same.
    OpenAiChat,
    /// OpenAI's Responses, and the servers that speak the same.
    OpenAiResponses,
    /// Anthropic's Messages, and the servers that speak the same.
    Anthropic,
    /// Google's Gemini.
    Gemini,
    /// Ollama's own chat, which can be told how much the model shall read at once.
    Ollama,
    /// The model that Chrome itself carries, where it does.
    ChromeBuiltIn,
}

/// What a view sends to make or change a model record.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ModelDraft {
    /// Which record; a new id makes a new one.
    pub id: ModelId,
    /// What the person calls it.
    pub name: String,
    /// How it is spoken to.
    pub provider: ProviderKind,
    /// The server's base address, such as `https://api.openai.com/v1`. Empty for Chrome's own model.
    pub address: String,
    /// The model's id at the provider.
    pub model: String,
    /// The key; null keeps the one that is stored, empty forgets it.
    pub key: Option<String>,
    /// Says that its answers come from a script, so that nobody takes it for a model.
    pub scripted: bool,
    /// How many tokens it reads at once, 2,000 or more; null for what its name suggests. Ollama is
    /// told the same figure (`num_ctx`), so that it never drops the beginning of a prompt unsaid.
    #[serde(default)]
    pub context_window: Option<u32>,
    /// What is asked of it beyond that, and what it can do.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<ModelOptions>", optional))]
    pub options: ModelOptions,
}

/// What a view sees of a model record: everything but the key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ModelView {
    /// Which record.
    pub id: ModelId,
    /// What the person calls it.
    pub name: String,
    /// How it is spoken to.
    pub provider: ProviderKind,
    /// The server's base address.
    pub address: String,
    /// The model's id at the provider.
    pub model: String,
    /// Whether a key is stored.
    pub has_key: bool,
    /// Its answers come from a script.
    pub scripted: bool,
    /// How many tokens it reads at once, as the person set it.
    pub context_window: Option<u32>,
    /// How many that are, as far as is known.
    pub window: u32,
    /// What it costs: as the person set it, else what is known of it.
    pub prices: Option<Prices>,
    /// What is asked of it beyond that. Its headers have no values.
    #[serde(default)]
    pub options: ModelOptions,
}

/// How a model is asked, and what it can do, as far as the person says. Every field may be missing:
/// then the server's own default holds, or what is known of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct ModelOptions {
    /// The temperature in hundredths, 0 to 200: 70 is 0.7.
    pub temperature: Option<u16>,
    /// How long it shall think before it answers.
    pub reasoning: Option<ReasoningEffort>,
    /// The most tokens of one answer, thinking included.
    pub output_limit: Option<u32>,
    /// Headers that go with each request, for brokers and gateways.
    pub headers: Vec<ExtraHeader>,
    /// What it can do.
    pub can: Capabilities,
    /// It writes its calls into its text, so they are looked for there.
    pub text_calls: bool,
    /// What it costs, as the person set it; null for what is known of it, if anything is.
    pub prices: Option<Prices>,
}

/// How long a model shall think before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReasoningEffort {
    /// Not at all, where it can be switched off.
    Off,
    /// As little as it can.
    Minimal,
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

/// What a model can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(default)]
pub struct Capabilities {
    /// Call tools. Without, it is told of them in words, or not at all.
    pub tools: Capability,
    /// Make several calls in one answer.
    pub parallel_tools: Capability,
    /// Look at images. Without, it is told that one was left out.
    pub vision: Capability,
    /// Think before it answers.
    pub thinking: Capability,
    /// Make images.
    pub image_output: Capability,
}

/// Which model does what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ModelRoles {
    /// The one for new turns.
    pub current: Option<ModelId>,
    /// The one that sums up long conversations; null: the turn's own.
    pub summary: Option<ModelId>,
    /// The one that a turn goes on with when its own gives no answer; null: none.
    pub fallback: Option<ModelId>,
}

/// What a model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ModelRole {
    /// New turns.
    Current,
    /// Summing up long conversations.
    Summary,
    /// Going on with a turn whose own model gives no answer.
    Fallback,
}

/// What came of trying a model out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ModelReport {
    /// What the agent can do with it.
    pub verdict: ModelVerdict,
    /// For a person: what works, or what is wrong and what to do.
    pub message: String,
    /// What was put right in the record, each in a sentence.
    pub mended: Vec<String>,
    /// What it can do.
    pub can: Capabilities,
}

/// What the agent can do with a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ModelVerdict {
    /// Everything: it calls tools.
    Works,
    /// It answers, and calls no tools.
    ChatOnly,
    /// Nothing.
    Fails,
}

/// A model server on this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ModelServer {
    /// What it is, such as `Ollama`.
    pub name: String,
    /// How it is spoken to.
    pub provider: ProviderKind,
    /// Its base address.
    pub address: String,
    /// The ids of its models.
    pub models: Vec<String>,
}

/// Whether a model can do a thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    /// Nobody has said: it is tried.
    #[default]
    Unknown,
    /// It can.
    Yes,
    /// It cannot: it is not asked to.
    No,
}

/// A header that goes with each request. Its value may be a secret, so no view is sent it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ExtraHeader {
    /// Its name.
    pub name: String,
    /// Its value; null in a draft keeps the one that is stored, and is all that a view sees.
    #[serde(default)]
    pub value: Option<String>,
}

impl ModelOptions {
    /// The same without what may be secret.
    pub fn without_values(&self) -> Self {
        let mut options = self.clone();
        for header in &mut options.headers {
            header.value = None;
        }
        options
    }
}

impl std::fmt::Debug for ExtraHeader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExtraHeader")
            .field("name", &self.name)
            .field("value", &self.value.as_ref().map(|_| "…"))
            .finish()
    }
}

// A key must not reach a log by way of `{:?}`.
impl std::fmt::Debug for ModelDraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelDraft")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("provider", &self.provider)
            .field("address", &self.address)
            .field("model", &self.model)
            .field("key", &self.key.as_ref().map(|_| "…"))
            .field("scripted", &self.scripted)
            .field("context_window", &self.context_window)
            .field("options", &self.options)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft() -> ModelDraft {
        let header = ExtraHeader {
            name: "x-broker".into(),
            value: Some("hush-secret".into()),
        };
        ModelDraft {
            id: ModelId::from("m"),
            name: "Mine".into(),
            provider: ProviderKind::OpenAiChat,
            address: "https://example.test/v1".into(),
            model: "some-model".into(),
            key: Some("sk-secret".into()),
            scripted: false,
            context_window: None,
            options: ModelOptions {
                headers: vec![header],
                ..ModelOptions::default()
            },
        }
    }

    #[test]
    fn debug_output_hides_the_key_and_the_headers_values() {
        let shown = format!("{:?}", draft());
        assert!(
            shown.contains("some-model") && shown.contains("x-broker") && !shown.contains("secret"),
            "{shown}"
        );
        let options = draft().options.without_values();
        assert_eq!(options.headers[0].value, None);
    }

    #[test]
    fn a_record_from_before_there_were_options_is_read() {
        let text = r#"{"id":"m","name":"Mine","provider":"open_ai_chat","address":"a","model":"x","key":null,"scripted":false}"#;
        let draft: ModelDraft = serde_json::from_str(text).unwrap();
        assert_eq!(draft.options, ModelOptions::default());
        let some = r#"{"reasoning":"low","can":{"vision":"no"}}"#;
        let options: ModelOptions = serde_json::from_str(some).unwrap();
        assert_eq!(options.reasoning, Some(ReasoningEffort::Low));
        assert_eq!(options.can.vision, Capability::No);
        assert_eq!(options.can.tools, Capability::Unknown);
    }

    #[test]
    fn the_names_of_the_providers_stay_as_they_are_stored() {
        let check = |kind: ProviderKind, expected: &str| {
            let name = serde_json::to_value(kind).unwrap();
            assert_eq!(name.as_str(), Some(expected));
        };
        check(ProviderKind::OpenAiChat, "open_ai_chat");
        check(ProviderKind::OpenAiResponses, "open_ai_responses");
        check(ProviderKind::Anthropic, "anthropic");
        check(ProviderKind::Gemini, "gemini");
        check(ProviderKind::Ollama, "ollama");
        check(ProviderKind::ChromeBuiltIn, "chrome_built_in");
    }
}
