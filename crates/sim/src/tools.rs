//! The tools of the simulated runs: one of each kind, each of which can be slow, fail, or lose its
//! answer, as its arguments say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tabwright_host::{HostError, HostErrorKind, LocalBoxFuture};
use tabwright_tools::{
    Access, AskUser, CreateTask, Declaration, Delegate, Effects, ListTasks, Registry, Replay, Tool,
    ToolContext, ToolError, ToolOutput, ToolResult, UpdateTask,
};

use crate::power::{Moment, Power};
use crate::world::{StepId, World};

/// A kind of tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolKind {
    /// Reads, beside others.
    Look,
    /// Reads, alone.
    Study,
    /// Reads text from outside, beside others.
    Fetch,
    /// Writes with a key, alone.
    Put,
    /// Writes with a key, beside others.
    Save,
    /// Writes what may not be repeated, alone.
    Send,
    /// Writes what may not be repeated, beside others.
    Post,
}

impl ToolKind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Look,
        Self::Study,
        Self::Fetch,
        Self::Put,
        Self::Save,
        Self::Send,
        Self::Post,
    ];

    /// The tool's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Look => "look",
            Self::Study => "study",
            Self::Fetch => "fetch",
            Self::Put => "put",
            Self::Save => "save",
            Self::Send => "send",
            Self::Post => "post",
        }
    }

    /// What may be done when it is not known whether it ran.
    pub fn replay(self) -> Replay {
        match self {
            Self::Look | Self::Study | Self::Fetch => Replay::Pure,
            Self::Put | Self::Save => Replay::Keyed,
            Self::Send | Self::Post => Replay::BareWrite,
        }
    }

    /// Whether it may run beside other calls.
    pub fn is_concurrent(self) -> bool {
        match self {
            Self::Look | Self::Fetch | Self::Save | Self::Post => true,
            Self::Study | Self::Put | Self::Send => false,
        }
    }
}

/// What a call is told to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepInput {
    /// The step.
    pub id: String,
    /// Milliseconds before its effect.
    #[serde(default)]
    pub before: u64,
    /// Milliseconds after its effect.
    #[serde(default)]
    pub after: u64,
    /// How it ends.
    #[serde(default)]
    pub ending: Ending,
    /// How many characters its result has beside.
    #[serde(default)]
    pub length: u32,
}

/// How a call ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// With a result.
    #[default]
    Well,
    /// With an error, without its effect.
    Refused,
    /// Its effect happened, and the answer was lost.
    AnswerLost,
    /// With an error that ends the turn.
    Fatal,
}

/// A tool.
#[derive(Clone)]
pub struct SimTool {
    kind: ToolKind,
    world: World,
    power: Power,
}

/// All tools: these, and the conversation's own.
pub fn registry(world: &World, power: &Power) -> Result<Registry, ToolError> {
    let mut registry = Registry::new();
    for kind in ToolKind::ALL {
        registry.add(SimTool {
            kind,
            world: world.clone(),
            power: power.clone(),
        })?;
    }
    registry.add_core(AskUser)?;
    registry.add_core(Delegate)?;
    registry.add_core(CreateTask)?;
    registry.add_core(UpdateTask)?;
    registry.add_core(ListTasks)?;
    Ok(registry)
}

impl Tool for SimTool {
    type Input = StepInput;

    fn declaration(&self, schema: Value) -> Declaration {
        let access = match self.kind.replay() {
            Replay::Pure => Access::Read,
            Replay::Keyed | Replay::BareWrite => Access::Write,
        };
        Declaration {
            name: self.kind.name().into(),
            title: format!("Simulated {}", self.kind.name()),
            description: "Does a step of the simulation.".into(),
            schema,
            access,
            replay: self.kind.replay(),
            concurrent: self.kind.is_concurrent(),
            effects: Effects::NETWORK,
            untrusted: self.kind == ToolKind::Fetch,
        }
    }

    fn run(&self, cx: ToolContext, input: StepInput) -> LocalBoxFuture<'static, ToolResult> {
        let tool = self.clone();
        Box::pin(async move {
            let Some(step) = StepId::parse(&input.id) else {
                return Err(ToolError::reply("no_step", "The argument `id` is no step."));
            };
            tool.perform(cx, step, input).await
        })
    }
}

/// Says that a call is over when it is, or is given up.
struct Stay<'a> {
    tool: &'a SimTool,
    cx: &'a ToolContext,
}

impl Drop for Stay<'_> {
    fn drop(&mut self) {
        self.tool.world.leave(&self.cx.call);
    }
}

impl SimTool {
    async fn perform(&self, cx: ToolContext, step: StepId, input: StepInput) -> ToolResult {
        self.powered(Moment::ToolBegins).await;
        let name = self.kind.name();
        self.world
            .begin(&cx.call, step, name, !self.kind.is_concurrent());
        let _stay = Stay {
            tool: self,
            cx: &cx,
        };
        if input.before > 0 {
            cx.host.clock.sleep(input.before).await;
        }
        let did_it = match input.ending {
            Ending::Refused => {
                return Err(ToolError::reply(
                    "refused",
                    format!("The step {step} was refused as planned."),
                ));
            }
            Ending::Fatal => return Err(ToolError::Fatal(format!("step {step} as planned"))),
            Ending::Well | Ending::AnswerLost => self.have_effect(&cx, step).await,
        };
        if input.after > 0 {
            cx.host.clock.sleep(input.after).await;
        }
        self.powered(Moment::ToolEnds).await;
        if input.ending == Ending::AnswerLost {
            let kind = HostErrorKind::Timeout;
            return Err(HostError::new("sim.step", kind, "the answer was lost as planned").into());
        }
        self.world.end(&cx.call, step, name);
        ToolOutput::new(json!({
            "step": step.to_string(),
            "call": cx.call,
            "did_it": did_it,
            "text": filler(input.length),
        }))
    }

    /// False when a call with the same key had it before.
    async fn have_effect(&self, cx: &ToolContext, step: StepId) -> bool {
        let name = self.kind.name();
        match self.kind.replay() {
            Replay::Pure => true,
            Replay::Keyed => {
                self.powered(Moment::Effect).await;
                self.world.apply(&cx.call, step, name)
            }
            Replay::BareWrite => {
                self.powered(Moment::Effect).await;
                self.world.change(&cx.call, step, name);
                true
            }
        }
    }

    /// A boundary: nothing comes after it when the power is off.
    async fn powered(&self, moment: Moment) {
        if !self.power.pass(moment) {
            futures::future::pending::<()>().await;
        }
    }
}

/// So many characters that look like words.
pub fn filler(length: u32) -> String {
    const WORDS: &str = "so it goes on and on, word by word, until there is enough of it; ";
    let length = usize::try_from(length).unwrap_or(0);
    WORDS.chars().cycle().take(length).collect()
}
