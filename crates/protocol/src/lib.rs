//! The words shared by the core, the views (panel, options) and the broker.
//!
//! Views submit an [`Op`] in an [`OpEnvelope`]; the core answers with [`Event`]s in
//! [`EventEnvelope`]s. The core asks the service worker for what only Chrome can do with a
//! [`BrokerCall`]. All are closed enums: a new variant makes the compiler name every place that
//! must think about it, in Rust and (through the generated types) in TypeScript.
//!
//! Invariant: this crate holds data and nothing else; it does no I/O and has no clock.

mod block;
mod broker;
mod cost;
mod event;
mod ids;
mod item;
mod model;
mod op;
mod settings;
#[cfg(feature = "ts")]
mod typescript;

pub use block::{Block, Inline, ListItem, TableAlign};
pub use broker::{
    BrokerCall, BrokerErrorKind, BrokerReply, BrokerValue, MAX_TAB_WAIT_MILLIS, OriginRule, Tab,
    TabProgress, TabStatus, WorkingTab,
};
pub use cost::{CENT, Prices, UsageOfDay, undated};
pub use event::{
    Activity, ConversationSummary, CoreHealth, Event, EventEnvelope, Refusal, RunView, Welcome,
};
pub use ids::{CallId, ConversationId, ItemId, Millis, ModelId, OpId, Seq, TurnId, WindowId};
pub use ids::{Epoch, TabId};
pub use item::{
    CallState, CutReason, ItemBody, ItemView, MessageState, NoticeLevel, QuestionState, TaskStatus,
    TaskView, TurnEndReason, Usage,
};
pub use model::{
    Capabilities, Capability, ExtraHeader, ModelDraft, ModelOptions, ModelReport, ModelRole,
    ModelRoles, ModelServer, ModelVerdict, ModelView, ProviderKind, ReasoningEffort,
};
pub use op::{Op, OpEnvelope};
pub use settings::Settings;
#[cfg(feature = "ts")]
pub use typescript::typescript;
