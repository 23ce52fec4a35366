//! What an element's tag means here.

use crate::{LocalName, local_name};

/// What an element's tag means here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Tag {
    Body,
    Main,
    Article,
    Section,
    Nav,
    Header,
    Footer,
    Aside,
    /// `h1` to `h6`, by number.
    Heading(u8),
    Paragraph,
    Quote,
    List,
    Item,
    Table,
    /// `tbody`, `thead`, `tfoot`, `tr`.
    TablePart,
    Cell,
    Link,
    Pre,
    Code,
    Form,
    /// A control whose text is no content.
    Control,
    Button,
    Label,
    Time,
    Image,
    Dialog,
    /// Only of a page parsed without scripting.
    NoScript,
    /// `details`, `summary`, `figure` and other elements that stand on lines of their own.
    Block,
    Inline,
}

impl Tag {
    /// None for elements that never hold text for readers.
    pub fn of(name: &LocalName) -> Option<Self> {
        Some(match *name {
            local_name!("script")
            | local_name!("style")
            | local_name!("template")
            | local_name!("iframe")
            | local_name!("svg")
            | local_name!("canvas")
            | local_name!("object")
            | local_name!("embed")
            | local_name!("noframes")
            | local_name!("audio")
            | local_name!("video")
            | local_name!("map")
            | local_name!("head")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("title") => return None,
            local_name!("body") | local_name!("frameset") => Self::Body,
            local_name!("main") => Self::Main,
            local_name!("article") => Self::Article,
            local_name!("section") => Self::Section,
            local_name!("nav") | local_name!("menu") => Self::Nav,
            local_name!("header") => Self::Header,
            local_name!("footer") => Self::Footer,
            local_name!("aside") => Self::Aside,
            local_name!("h1") => Self::Heading(1),
            local_name!("h2") => Self::Heading(2),
            local_name!("h3") => Self::Heading(3),
            local_name!("h4") => Self::Heading(4),
            local_name!("h5") => Self::Heading(5),
            local_name!("h6") => Self::Heading(6),
            local_name!("p") => Self::Paragraph,
            local_name!("blockquote") => Self::Quote,
            local_name!("ul") | local_name!("ol") | local_name!("dl") => Self::List,
            local_name!("li") | local_name!("dt") | local_name!("dd") => Self::Item,
            local_name!("table") => Self::Table,
            local_name!("tbody")
            | local_name!("thead")
            | local_name!("tfoot")
            | local_name!("tr")
            | local_name!("colgroup")
            | local_name!("caption") => Self::TablePart,
            local_name!("td") | local_name!("th") => Self::Cell,
            local_name!("a") => Self::Link,
            local_name!("pre") => Self::Pre,
            local_name!("code") | local_name!("kbd") | local_name!("samp") => Self::Code,
            local_name!("form") => Self::Form,
            local_name!("select")
            | local_name!("textarea")
            | local_name!("input")
            | local_name!("option")
            | local_name!("datalist")
            | local_name!("progress")
            | local_name!("meter") => Self::Control,
            local_name!("button") => Self::Button,
            local_name!("label") => Self::Label,
            local_name!("time") => Self::Time,
            local_name!("img") | local_name!("picture") => Self::Image,
            local_name!("dialog") => Self::Dialog,
            local_name!("noscript") => Self::NoScript,
            local_name!("div")
            | local_name!("center")
            | local_name!("details")
            | local_name!("summary")
            | local_name!("figure")
            | local_name!("figcaption")
            | local_name!("fieldset")
            | local_name!("legend")
            | local_name!("address")
            | local_name!("hgroup")
            | local_name!("search")
            | local_name!("hr") => Self::Block,
            // What a site defines itself stands for a part of it, not for words in a line.
            ref own if own.contains('-') => Self::Block,
            _ => Self::Inline,
        })
    }

    /// The number of a heading.
    pub fn rank(self) -> Option<u8> {
        if let Self::Heading(rank) = self {
            Some(rank)
        } else {
            None
        }
    }

    /// Whether it stands on lines of its own.
    pub fn is_block(self) -> bool {
        match self {
            Self::Link
            | Self::Code
            | Self::Control
            | Self::Button
            | Self::Label
            | Self::Time
            | Self::Image
            | Self::Inline => false,
            Self::Body
            | Self::Main
            | Self::Article
            | Self::Section
            | Self::Nav
            | Self::Header
            | Self::Footer
            | Self::Aside
            | Self::Heading(_)
            | Self::Paragraph
            | Self::Quote
            | Self::List
            | Self::Item
            | Self::Table
            | Self::TablePart
            | Self::Cell
            | Self::Pre
            | Self::Form
            | Self::Dialog
            | Self::NoScript
            | Self::Block => true,
        }
    }
}
