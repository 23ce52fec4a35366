//! Pictures that only lead where words lead as well: thumbnails of cards, portraits of authors.

use std::collections::HashSet;

use super::{PageType, page::Page, tag::Tag};

/// Leaves out pictures in links that have words or whose address another link with words has.
pub(super) fn leave_out(page: &mut Page<'_>, root: usize) {
    let document = page.document;
    let told: HashSet<&str> = page
        .each_kept(root)
        .filter(|(at, entry)| entry.tag == Tag::Link && page.kept(*at).words > 0)
        .filter_map(|(_, entry)| document.attr(entry.node, "href"))
        .collect();
    let untold: HashSet<&str> = page
        .each_kept(root)
        .filter(|(at, entry)| entry.tag == Tag::Link && page.kept(*at).words == 0)
        .filter_map(|(_, entry)| document.attr(entry.node, "href"))
        .filter(|address| !told.contains(address))
        .collect();
    // Where entries have words, a picture alone is an ornament; but where most are pictures, they are
    // the entries. A text may show a picture of its own that leads to a larger one.
    let is_ornament = match page.page_type {
        PageType::Collection | PageType::Listing | PageType::Product | PageType::Service => {
            untold.len() <= told.len()
        }
        PageType::Article | PageType::Documentation | PageType::Forum => false,
    };
    let mut link: Option<(usize, bool)> = None;
    page.sweep(root, |page, at, entry| {
        if entry.tag == Tag::Link {
            let words = page.kept(at).words > 0;
            link = Some((entry.end, words));
            let address = document.attr(entry.node, "href").unwrap_or_default();
            return !words && (is_ornament || told.contains(address));
        }
        entry.tag == Tag::Image && link.is_some_and(|(end, words)| at < end && words)
    });
}
