//! Ids and numbers with a meaning. Strings are opaque to everyone but their maker.

use serde::{Deserialize, Serialize};

macro_rules! string_id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

string_id! {
    /// Made by a view, unique for ever: the core applies an op with one id at most once.
    OpId;
    /// Made by the view that starts the conversation, so that its first message needs no round trip.
    ConversationId;
    /// One line of a conversation's journal.
    ItemId;
    /// From a person's message to the end of the answer. Everything in between carries it.
    TurnId;
    /// One tool call. Made by the core: a provider's own call id is not trusted to be unique.
    CallId;
    /// A model record the person made.
    ModelId;
}

macro_rules! number {
    ($($(#[$doc:meta])* $name:ident($inner:ty);)*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(transparent)]
        pub struct $name(#[cfg_attr(feature = "ts", ts(type = "number"))] pub $inner);
    )*};
}

number! {
    /// Unix time in milliseconds.
    Millis(u64);
    /// How many times a core has started on this profile. A core with an older epoch has lost its right to write.
    Epoch(u32);
    /// Position in the one stream of events of a profile. Contiguous within an epoch; it only ever
    /// grows, also over deaths, because the epoch is its upper half.
    Seq(u64);
    /// Chrome's tab id. Valid within one browser session.
    TabId(i32);
    /// Chrome's window id. Valid within one browser session.
    WindowId(i32);
}

impl Epoch {
    /// The highest epoch for which every [`Seq`] is still exact as a JavaScript number.
    pub const MAX: Self = Self((1 << 21) - 1);
}

impl Seq {
    /// The first number of an epoch. No event has it: it stands for "nothing yet".
    pub const fn start_of(epoch: Epoch) -> Self {
        Self((epoch.0 as u64) << 32)
    }

    /// The number after this one.
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_epoch_numbers_above_every_earlier_one() {
        let last_of_first = Seq(Seq::start_of(Epoch(1)).0 + u64::from(u32::MAX));
        assert!(Seq::start_of(Epoch(2)) > last_of_first);
    }

    #[test]
    fn the_highest_seq_is_exact_in_javascript() {
        let highest = Seq::start_of(Epoch::MAX).0 + u64::from(u32::MAX);
        assert!(highest < 1 << 53);
    }
}
