//! What a tool is.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tabwright_host::{Host, LocalBoxFuture};
use tabwright_protocol::{CallId, TabId};

use crate::core_request::CoreRequest;
use crate::{Declaration, ToolError, schema_of};

/// What a call may use.
#[derive(Clone)]
pub struct ToolContext {
    /// Everything outside.
    pub host: Host,
    /// The tab that the conversation is about.
    pub tab: Option<TabId>,
    /// The call; also the key of a keyed one.
    pub call: CallId,
    /// Whether the person has allowed this very call.
    pub approved: bool,
}

/// What a call gives.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOutput {
    /// The result.
    pub value: Value,
}

impl ToolOutput {
    /// The result as JSON.
    pub fn new(result: impl Serialize) -> Result<Self, ToolError> {
        match serde_json::to_value(result) {
            Ok(value) => Ok(Self { value }),
            Err(error) => Err(ToolError::Fatal(format!(
                "A tool's result could not be written as JSON: {error}."
            ))),
        }
    }
}

/// How a call ends inside the tool.
pub type ToolResult = Result<ToolOutput, ToolError>;

/// A tool that was compiled in. The doc comments of its input become the argument descriptions.
pub trait Tool {
    /// Its arguments.
    type Input: DeserializeOwned + JsonSchema;

    /// What it says of itself; `schema` is that of its input.
    fn declaration(&self, schema: Value) -> Declaration;

    /// Runs it. Dropping the future stops it.
    fn run(&self, cx: ToolContext, input: Self::Input) -> LocalBoxFuture<'static, ToolResult>;
}

/// Any tool, also one whose schema is known only at run time: that of a user script or a server.
pub trait AnyTool {
    /// What it says of itself.
    fn declaration(&self) -> Declaration;

    /// Runs it with arguments that fit its schema. Dropping the future stops it.
    fn run(
        &self,
        cx: ToolContext,
        arguments: Map<String, Value>,
    ) -> LocalBoxFuture<'static, ToolResult>;
}

/// A tool that the conversation itself carries out, because what it does is a step of the run: it
/// asks the person, starts a sub-agent, or changes the task list. The doc comments of its input
/// become the argument descriptions.
pub trait CoreTool {
    /// Its arguments.
    type Input: DeserializeOwned + JsonSchema;

    /// What it says of itself; `schema` is that of its input.
    fn declaration(&self, schema: Value) -> Declaration;

    /// What it asks of the conversation.
    fn request(&self, input: Self::Input) -> Result<CoreRequest, ToolError>;
}

/// Any [`CoreTool`].
pub(crate) trait AnyCoreTool {
    fn declaration(&self) -> Declaration;
    fn request(&self, arguments: Map<String, Value>) -> Result<CoreRequest, ToolError>;
}

impl<T: CoreTool> AnyCoreTool for T {
    fn declaration(&self) -> Declaration {
        CoreTool::declaration(self, schema_of::<T::Input>())
    }

    fn request(&self, arguments: Map<String, Value>) -> Result<CoreRequest, ToolError> {
        CoreTool::request(self, typed(arguments)?)
    }
}

/// The arguments as the tool's own type. The schema says less than the type does, such as how large
/// a number may be.
fn typed<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, ToolError> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let (argument, error) = (error.path(), error.inner());
        let message = format!("The argument `{argument}` does not fit: {error}.");
        ToolError::reply("invalid_arguments", message)
    })
}

impl<T: Tool> AnyTool for T {
    fn declaration(&self) -> Declaration {
        Tool::declaration(self, schema_of::<T::Input>())
    }

    fn run(
        &self,
        cx: ToolContext,
        arguments: Map<String, Value>,
    ) -> LocalBoxFuture<'static, ToolResult> {
        match typed(arguments) {
            Ok(input) => Tool::run(self, cx, input),
            Err(error) => Box::pin(async move { Err(error) }),
        }
    }
}
