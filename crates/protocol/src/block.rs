//! Model text as typed blocks: the only form in which it reaches a screen.
//!
//! No HTML string exists anywhere, and nothing in a block is fetched by itself: an image is a link
//! until the person asks for it.

use serde::{Deserialize, Serialize};

/// A block of text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "block", rename_all = "snake_case")]
pub enum Block {
    /// A paragraph.
    Paragraph {
        /// Its text.
        content: Vec<Inline>,
    },
    /// A heading.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Its text.
        content: Vec<Inline>,
    },
    /// Code, fenced or indented; also HTML that a model wrote, as its source.
    Code {
        /// The fence's language, empty when it has none.
        language: String,
        /// The code.
        text: String,
    },
    /// A quotation.
    Quote {
        /// What is quoted.
        blocks: Vec<Block>,
    },
    /// A list.
    List {
        /// The first number of an ordered list, null for bullets.
        #[cfg_attr(feature = "ts", ts(type = "number | null"))]
        start: Option<u64>,
        /// The items.
        items: Vec<ListItem>,
    },
    /// A table.
    Table {
        /// One a column.
        align: Vec<TableAlign>,
        /// The header's cells.
        head: Vec<Vec<Inline>>,
        /// The rows' cells.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// Display math, as TeX source.
    Math {
        /// The source.
        tex: String,
    },
    /// A line across.
    Rule,
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ListItem {
    /// Its box in a task list, null elsewhere.
    pub checked: Option<bool>,
    /// Its content.
    pub blocks: Vec<Block>,
}

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TableAlign {
    /// As the language runs.
    None,
    /// Left.
    Left,
    /// Centre.
    Center,
    /// Right.
    Right,
}

/// Text within a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "inline", rename_all = "snake_case")]
pub enum Inline {
    /// Plain text.
    Text {
        /// The text.
        text: String,
    },
    /// Code.
    Code {
        /// The code.
        text: String,
    },
    /// Emphasis.
    Emphasis {
        /// What is emphasised.
        content: Vec<Inline>,
    },
    /// Strong emphasis.
    Strong {
        /// What is emphasised.
        content: Vec<Inline>,
    },
    /// Struck out.
    Strike {
        /// What is struck out.
        content: Vec<Inline>,
    },
    /// A link. Its address is http, https or mailto; any other is shown as text.
    Link {
        /// The address.
        url: String,
        /// What is shown.
        content: Vec<Inline>,
    },
    /// An image: shown as a link with its alternative text until the person asks for it.
    Image {
        /// http or https.
        url: String,
        /// The alternative text.
        alt: String,
    },
    /// Math, as TeX source.
    Math {
        /// The source.
        tex: String,
    },
    /// A line break that the writer meant.
    Break,
}
