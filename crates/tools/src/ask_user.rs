//! `ask_user`: a question to the person.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::core_request::{CoreRequest, Question};
use crate::{Access, CoreTool, Declaration, Effects, Replay, ToolError};

/// The tool.
pub struct AskUser;

/// Its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct AskUserInput {
    /// One clear question.
    pub question: String,
    /// Answers to choose from. A free answer is always possible.
    #[serde(default)]
    pub options: Option<Vec<String>>,
    /// Several options may be chosen. Default false.
    #[serde(default)]
    pub multiple: Option<bool>,
}

impl CoreTool for AskUser {
    type Input = AskUserInput;

    fn declaration(&self, schema: Value) -> Declaration {
        Declaration {
            name: "ask_user".into(),
            title: "Ask you".into(),
            description: "Ask the person and wait for the answer (at most 5 minutes). Only for what you cannot find out and must not guess.".into(),
            schema,
            access: Access::Read,
            // A question that was open when the core died is simply still open.
            replay: Replay::Keyed,
            concurrent: true,
            effects: Effects::USER,
            // The person's own words, not an outsider's.
            untrusted: false,
        }
    }

    fn request(&self, input: AskUserInput) -> Result<CoreRequest, ToolError> {
        if input.question.trim().is_empty() {
            return Err(ToolError::reply(
                "empty_question",
                "The argument `question` is empty. Write the question.",
            ));
        }
        Ok(CoreRequest::Ask(Question {
            question: input.question,
            options: input.options.unwrap_or_default(),
            multiple: input.multiple.unwrap_or(false),
        }))
    }
}
