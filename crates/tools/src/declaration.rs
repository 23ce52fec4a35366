//! What a tool says of itself: the one place from which policy, approval, parallel execution and
//! resume take what they know.

use serde_json::Value;

/// What a tool says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Its name: 1 to 64 letters, digits, `_` or `-`.
    pub name: String,
    /// A few words for the person.
    pub title: String,
    /// For the model.
    pub description: String,
    /// The JSON schema of its arguments: an object.
    pub schema: Value,
    /// Whether it changes anything.
    pub access: Access,
    /// What may be done when it is not known whether it ran.
    pub replay: Replay,
    /// Whether it may run beside other calls.
    pub concurrent: bool,
    /// What it reaches.
    pub effects: Effects,
    /// Whether its result holds text from outside.
    pub untrusted: bool,
}

/// Whether a tool changes anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It only looks.
    Read,
    /// It changes something.
    Write,
}

/// What may be done when it is not known whether a call ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replay {
    /// Run it again: it changes nothing.
    Pure,
    /// Run it again with the same call id: the other side applies one id once.
    Keyed,
    /// Never run it again by itself.
    BareWrite,
}

/// A set of things that a tool reaches.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Effects(u8);

impl Effects {
    /// It reaches nothing outside.
    pub const NONE: Self = Self(0);
    /// The network.
    pub const NETWORK: Self = Self(1);
    /// The content of a page.
    pub const PAGE: Self = Self(1 << 1);
    /// The browser's tabs.
    pub const TABS: Self = Self(1 << 2);
    /// The workspace's files.
    pub const FILES: Self = Self(1 << 3);
    /// The person.
    pub const USER: Self = Self(1 << 4);
    /// Work at a later time.
    pub const SCHEDULE: Self = Self(1 << 5);

    const NAMES: [(&'static str, Self); 6] = [
        ("network", Self::NETWORK),
        ("page", Self::PAGE),
        ("tabs", Self::TABS),
        ("files", Self::FILES),
        ("user", Self::USER),
        ("schedule", Self::SCHEDULE),
    ];

    /// Both sets.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` is in here.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The names of what is in here.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES
            .into_iter()
            .filter(move |(_, effect)| self.contains(*effect))
            .map(|(name, _)| name)
    }
}

impl std::ops::BitOr for Effects {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl std::fmt::Debug for Effects {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_effects_contains_what_was_put_in_and_nothing_else() {
        let both = Effects::PAGE | Effects::USER;
        assert!(both.contains(Effects::PAGE) && both.contains(Effects::USER));
        assert!(!both.contains(Effects::TABS) && !both.contains(Effects::PAGE | Effects::TABS));
        assert!(both.contains(Effects::NONE) && !Effects::NONE.contains(both));
        assert_eq!(format!("{both:?}"), r#"{"page", "user"}"#);
    }
}
