//! The content of a page without what the site puts around it.
//!
//! Meant for documents of [`Document::parse_without_scripting`]: some sites send their text only to
//! readers without scripts, and where a page is nearly all in a `<noscript>`, what stands in it is the
//! content. Elsewhere such elements are left out.
//!
//! In four steps, each linear in the page: `chrome` leaves out what is the site's, `kind` tells the type
//! of the page from what is left, `root` says where the content begins, `prune` leaves out what is beside
//! it, by the rules of that type. All ask one flat list of the elements (`flat`). Rules are made of words
//! and shapes that many sites share, never of one site's.

mod chrome;
mod controls;
mod data;
mod facts;
mod flat;
mod forum;
mod kind;
mod names;
mod page;
mod phrases;
mod pictures;
mod plain;
mod product;
mod prune;
mod repeats;
mod root;
mod tag;
#[cfg(test)]
mod tests;
mod words;

use std::collections::HashSet;

use crate::{Document, NodeId};

/// What a page is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PageType {
    /// One text: news, a blog post, an essay.
    Article,
    /// Products to choose from.
    Collection,
    /// A text about how something works, often with code.
    Documentation,
    /// Posts of several people.
    Forum,
    /// Links to other pages, each with a few words.
    Listing,
    /// One thing for sale.
    Product,
    /// What an organisation offers, in sections.
    Service,
}

impl PageType {
    /// Every type.
    pub const ALL: [Self; 7] = [
        Self::Article,
        Self::Collection,
        Self::Documentation,
        Self::Forum,
        Self::Listing,
        Self::Product,
        Self::Service,
    ];
}

/// What is known of a page beside its markup.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    /// The page's address. Without it the page's own word on it counts.
    pub url: Option<&'a str>,
}

/// Where the content of a page is.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// What the page looks like.
    pub page_type: PageType,
    /// What the page says only in its data (JSON-LD, description), to be shown before the content: a
    /// paragraph each, plain text. Nearly always empty.
    pub lead: Vec<String>,
    /// The subtrees that hold the content, in the page's order.
    pub roots: Vec<NodeId>,
    /// What stands in them and is no content, each with all in it. Elements that never hold text for
    /// readers (scripts, drawings, frames) are not named.
    pub left_out: HashSet<NodeId>,
}

impl Extraction {
    /// The content as plain text, a line for each block.
    pub fn plain_text(&self, document: &Document) -> String {
        let mut text = String::new();
        for paragraph in &self.lead {
            text.push_str(paragraph);
            text.push('\n');
        }
        text + &plain::text(document, &self.roots, &self.left_out)
    }
}

/// Below so many words an extraction has found nothing yet.
const FEW_WORDS: u32 = 30;

/// Leaves out what is no content, and says where the rest begins.
fn find(page: &mut page::Page<'_>) -> usize {
    chrome::without_scripts(page);
    chrome::leave_out(page);
    let group = repeats::entries(page.flat, |at| page.is_out(at));
    page.page_type = kind::page_type(page, group.as_ref());
    let root = root::find(page);
    prune::beside(page, root);
    pictures::leave_out(page, root);
    root
}

/// Finds the content of a page.
pub fn extract(document: &Document, options: &Options<'_>) -> Extraction {
    let flat = flat::Flat::new(document);
    let facts = facts::Facts::new(document, &flat, options.url);
    let mut page = page::Page::new(document, &flat, &facts);
    let mut root = find(&mut page);
    let all = flat.get(0).map_or(0, |body| body.sums.words);
    if page.kept(root).words < FEW_WORDS && all > 3 * FEW_WORDS {
        // Nearly nothing is left of a page that has text: some names did not mean what they say.
        let mut second = page::Page::new(document, &flat, &facts);
        second.lenient = true;
        let second_root = find(&mut second);
        if second.kept(second_root).words > 2 * FEW_WORDS {
            (page, root) = (second, second_root);
        }
    }
    Extraction {
        page_type: page.page_type,
        lead: data::missing(&page, root),
        roots: match flat.get(root) {
            // Whoever shows the content need not know that such an element has any here.
            Some(entry) if entry.tag == tag::Tag::NoScript => {
                document.children(entry.node).collect()
            }
            Some(entry) => vec![entry.node],
            None => Vec::new(),
        },
        left_out: flat
            .entries
            .iter()
            .enumerate()
            .filter(|(at, _)| page.is_out(*at))
            .map(|(_, entry)| entry.node)
            .collect(),
    }
}
