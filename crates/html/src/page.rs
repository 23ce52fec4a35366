//! A whole page: what it says of itself, and its content as Markdown.

use serde::Serialize;

use crate::dom::Document;
use crate::extract::{self, PageType};
use crate::markdown;
use crate::meta::{self, Metadata};

/// A page that was read.
#[derive(Clone, Debug, Serialize)]
pub struct Page {
    /// What it looks like.
    pub page_type: PageType,
    /// What it says of itself.
    #[serde(flatten)]
    pub about: Metadata,
    /// Its content: navigation, advertisements, notices on cookies and the like left out.
    pub markdown: String,
    /// Whether something was left out because the page is larger or deeper than what is read.
    pub truncated: bool,
}

/// Reads a page. `url` is its address, from which links are made absolute. Any text can be read; what
/// has no content gives an empty text. Time and memory are linear in the text, within the limits of
/// [`crate::dom`].
pub fn read(html: &str, url: &str) -> Page {
    let document = Document::parse_without_scripting(html);
    let found = extract::extract(&document, &extract::Options { url: Some(url) });
    let options = markdown::Options {
        base_url: Some(url),
        skip: Some(&|node| found.left_out.contains(&node)),
        ..markdown::Options::default()
    };
    let rendered = markdown::render_all(&document, &found.roots, &options);
    let mut text = found.lead.join("\n\n");
    if !text.is_empty() && !rendered.text.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(&rendered.text);
    Page {
        page_type: found.page_type,
        about: meta::metadata(&document, Some(url)),
        markdown: text,
        truncated: rendered.truncated || document.is_truncated(),
    }
}
