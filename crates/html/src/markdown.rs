//! A page, or parts of it, as Markdown: CommonMark with the tables, task lists, strikethrough and
//! footnotes of GitHub's, and mathematics as TeX between dollars.
//!
//! It reads like the page does in a browser: white space collapses across element borders, what is
//! hidden is left out, the order is the page's. A character is escaped only where a Markdown reader
//! would take it for markup. Nothing recurses; the work is linear in the page and the output is
//! limited ([`Options::limit`], [`MAX_OUTPUT`]).

mod address;
mod cells;
mod code;
mod escape;
mod grid;
mod image;
mod inline;
mod leaves;
mod lists;
mod look;
mod math;
mod mathml;
mod notes;
mod table;
#[cfg(test)]
mod tests;
mod walk;
mod writer;

use crate::dom::{Document, NodeId};

/// Bytes of Markdown that are written whatever the options say.
pub const MAX_OUTPUT: usize = 64 << 20;

/// What to write, and how much.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The page's address: links and images become absolute with it and the page's `<base>`.
    /// Without it, or when it is not an http or https address, relative ones stay as the page has
    /// them.
    pub base_url: Option<&'a str>,
    /// Bytes after which the rest is left out, at the end of a line if there is one near;
    /// [`MAX_OUTPUT`] at most.
    pub limit: usize,
    /// Whether links keep their addresses; without, their text stays.
    pub links: bool,
    /// Whether images are written; without, they are left out with their descriptions.
    pub images: bool,
    /// Nodes to leave out with all that is in them.
    pub skip: Option<&'a dyn Fn(NodeId) -> bool>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            base_url: None,
            limit: MAX_OUTPUT,
            links: true,
            images: true,
            skip: None,
        }
    }
}

/// What [`render`] gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Markdown {
    /// Without white space at its ends.
    pub text: String,
    /// Whether something was left out because a limit was reached.
    pub truncated: bool,
}

/// A node and all in it as Markdown. There are no errors: what cannot be said in Markdown is said as
/// text. A node that shows nothing gives an empty text.
pub fn render(document: &Document, root: NodeId, options: &Options<'_>) -> Markdown {
    render_all(document, &[root], options)
}

/// Several nodes as one Markdown text, each as blocks of its own, in the order given. None should
/// stand in another: what is in both is written twice.
pub fn render_all(document: &Document, roots: &[NodeId], options: &Options<'_>) -> Markdown {
    walk::Walk::new(document, roots, options).run(roots)
}
