//! Model records. A key goes in with a [`ModelDraft`] and never comes out.

use serde::{Deserialize, Serialize};

use crate::ModelId;

/// How a model is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    /// OpenAI's chat completions, and every server that speaks the same.
    OpenAiChat,
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
    /// How many tokens it reads at once, 2,000 or more; null for what its name suggests.
    #[serde(default)]
    pub context_window: Option<u32>,
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
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_hides_the_key() {
        let draft = ModelDraft {
            id: ModelId::from("m"),
            name: "Mine".into(),
            provider: ProviderKind::OpenAiChat,
            address: "https://example.test/v1".into(),
            model: "some-model".into(),
            key: Some("sk-secret".into()),
            scripted: false,
            context_window: None,
        };
        let shown = format!("{draft:?}");
        assert!(
            shown.contains("some-model") && !shown.contains("secret"),
            "{shown}"
        );
    }
}
