//! The TypeScript side of this crate, as the text of one file.

use ts_rs::{Config, TS};

use crate::*;

/// The text of `www/generated/protocol.ts`.
pub fn typescript() -> String {
    let config = Config::default();
    let mut text = String::from(
        "// Written by `cargo xtask gen` from crates/protocol. Do not edit: `cargo xtask check` compares.\n",
    );
    macro_rules! export {
        ($($name:ident),* $(,)?) => {$(
            text.push_str("\nexport ");
            text.push_str(&$name::decl(&config));
            text.push('\n');
        )*};
    }
    export!(
        OpId,
        ConversationId,
        ItemId,
        TurnId,
        CallId,
        ModelId,
        Millis,
        Epoch,
        Seq,
        TabId,
        WindowId,
        OpEnvelope,
        Op,
        EventEnvelope,
        Event,
        CoreHealth,
        Refusal,
        Welcome,
        ConversationSummary,
        RunView,
        Activity,
        ItemView,
        ItemBody,
        MessageState,
        CutReason,
        CallState,
        QuestionState,
        TaskView,
        TaskStatus,
        NoticeLevel,
        TurnEndReason,
        Usage,
        Prices,
        UsageOfDay,
        Block,
        ListItem,
        TableAlign,
        Inline,
        BrokerCall,
        OriginRule,
        BrokerReply,
        BrokerValue,
        BrokerErrorKind,
        Tab,
        TabStatus,
        TabProgress,
        WorkingTab,
        ModelDraft,
        ModelView,
        ModelRoles,
        ModelRole,
        ProviderKind,
        ModelOptions,
        ReasoningEffort,
        Capabilities,
        ModelReport,
        ModelVerdict,
        ModelServer,
        Capability,
        ExtraHeader,
        Settings,
    );
    text
}
