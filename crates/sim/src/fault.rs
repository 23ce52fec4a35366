//! What must never happen in a run.

/// A rule that was broken, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which rule.
    pub kind: FaultKind,
    /// Where.
    pub about: String,
}

/// The rules. Each is named after what breaks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// The core said that an op was applied, and what it did is not there.
    AcknowledgedOpLost,
    /// A message of the person's is in a conversation twice.
    MessageTwice,
    /// An op was answered in two ways.
    AnswerChanged,
    /// An op was never answered, however often it was sent.
    OpUnanswered,
    /// A write that may not be repeated was begun twice.
    BareWriteTwice,
    /// A write with a key was done twice under two keys.
    KeyedWriteTwice,
    /// A tool began before the disk held that it does.
    EffectBeforeIntent,
    /// A call began that the person had not allowed, or had forbidden.
    Unapproved,
    /// A call that runs alone ran beside another.
    NotAlone,
    /// It is not known whether a write happened, and nobody is told.
    UnknownNotShown,
    /// A request to the model breaks a rule that providers have.
    IllegalHistory,
    /// The model was not shown something that it had to see.
    NotShownToModel,
    /// A call has another result than its tool gave, or none.
    ResultDropped,
    /// Something that was over changed afterwards.
    SettledChanged,
    /// What the provider wanted to see again came back changed, or went to another provider.
    OpaqueChanged,
    /// A turn ended twice without having been continued.
    TurnEndedTwice,
    /// A call of a turn that is over went on.
    AfterTheEnd,
    /// A turn neither ended nor waits for something that has a name.
    TurnStuck,
    /// A call of a turn that is over has no result.
    CallLeftOpen,
    /// The numbers of events have a gap within a life, or go back.
    SequenceBroken,
    /// An item of one conversation was shown in another.
    ForeignItem,
    /// A view that followed the events sees something else than one that asks.
    ViewDiffers,
    /// Something happened in a conversation after it was deleted.
    AfterDeletion,
    /// The core said that it cannot work.
    CoreFailed,
    /// The same seed gave two different runs.
    NotRepeatable,
    /// The program panicked.
    Panicked,
}

impl FaultKind {
    /// Which of the promised counts it belongs to.
    pub fn group(self) -> Group {
        match self {
            Self::AcknowledgedOpLost | Self::OpUnanswered => Group::Lost,
            Self::MessageTwice
            | Self::AnswerChanged
            | Self::BareWriteTwice
            | Self::KeyedWriteTwice => Group::Duplicated,
            Self::UnknownNotShown => Group::UnknownHidden,
            Self::IllegalHistory | Self::NotShownToModel | Self::OpaqueChanged => Group::History,
            Self::EffectBeforeIntent
            | Self::Unapproved
            | Self::NotAlone
            | Self::ResultDropped
            | Self::SettledChanged
            | Self::TurnEndedTwice
            | Self::AfterTheEnd
            | Self::TurnStuck
            | Self::CallLeftOpen
            | Self::SequenceBroken
            | Self::ForeignItem
            | Self::ViewDiffers
            | Self::AfterDeletion
            | Self::CoreFailed
            | Self::NotRepeatable
            | Self::Panicked => Group::Other,
        }
    }
}

/// The promised counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Lost acknowledged ops.
    Lost,
    /// Things that were done twice.
    Duplicated,
    /// Unknown outcomes that nobody was told of.
    UnknownHidden,
    /// Requests that are not legal or not true.
    History,
    /// Anything else.
    Other,
}
