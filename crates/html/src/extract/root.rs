//! Where the content begins.

use super::{PageType, names::Marks, page::Page, tag::Tag, words::percent};

/// The element that holds the content.
pub(super) fn find(page: &Page<'_>) -> usize {
    let only_without_scripts = page
        .each_kept(0)
        .find(|(_, entry)| entry.tag == Tag::NoScript && entry.sums.words > 0)
        .map(|(at, _)| at);
    if let Some(at) = only_without_scripts {
        return at;
    }
    let main = main_element(page).unwrap_or(0);
    match page.page_type {
        PageType::Documentation if main > 0 => main,
        PageType::Article | PageType::Documentation => {
            let root = descend(page, main, 95);
            // One card of many is no article.
            let share = percent(page.kept(root).words, page.kept(main).words);
            if share < 30 { main } else { root }
        }
        PageType::Service
        | PageType::Listing
        | PageType::Collection
        | PageType::Product
        | PageType::Forum => main,
    }
}

/// The element that says that it is the main one, if it holds enough of what is left.
fn main_element(page: &Page<'_>) -> Option<usize> {
    let all = page.kept(0).words;
    let mut best: Option<(u32, usize)> = None;
    for (at, entry) in page.each_kept(0) {
        let says_so = entry.tag == Tag::Main || entry.marks.any(Marks::MAIN);
        let words = page.kept(at).words;
        if says_so && best.is_none_or(|(most, _)| words > most) {
            best = Some((words, at));
        }
    }
    best.filter(|(words, _)| percent(*words, all) >= 40)
        .map(|(_, at)| at)
}

/// Goes down as long as one child has nearly all the prose.
fn descend(page: &Page<'_>, from: usize, most: u32) -> usize {
    let prose = prose(page);
    let of = |at: usize| prose.get(at).copied().unwrap_or(0);
    let mut at = from;
    loop {
        let best = page
            .flat
            .children(at)
            .filter(|&child| !page.is_out(child))
            .max_by_key(|&child| of(child));
        match best {
            Some(child)
                if of(at) > 0
                    && percent(of(child), of(at)) >= most
                    && is_container(page, child) =>
            {
                at = child
            }
            _ => return at,
        }
    }
}

fn is_container(page: &Page<'_>, at: usize) -> bool {
    page.flat.get(at).is_some_and(|entry| {
        let holds_lines = matches!(
            entry.tag,
            Tag::Paragraph | Tag::Heading(_) | Tag::List | Tag::Item | Tag::Pre | Tag::Quote
        );
        entry.tag.is_block() && !holds_lines
    })
}

/// By place: the words of prose that are kept in the subtree.
fn prose(page: &Page<'_>) -> Vec<u32> {
    let mut prose = vec![0u32; page.flat.len()];
    for (at, entry) in page.each_kept(0) {
        let is_prose = entry.tag.is_block()
            && entry.own >= 10
            && entry.sums.link_share() < 50
            && entry.sums.stops > 0;
        if is_prose && let Some(own) = prose.get_mut(at) {
            *own = entry.own;
        }
    }
    for (at, entry) in page.flat.entries.iter().enumerate().rev() {
        let words = prose.get(at).copied().unwrap_or(0);
        if entry.parent != at
            && let Some(parent) = prose.get_mut(entry.parent)
        {
            *parent = parent.saturating_add(words);
        }
    }
    prose
}
