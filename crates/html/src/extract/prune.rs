//! What is left out of the content because it is beside it: comments, other pages, copies, buttons.

use super::{
    PageType, controls,
    flat::{Entry, Flat},
    forum,
    names::Marks,
    page::Page,
    phrases, product,
    tag::Tag,
    words::percent,
};

/// Leaves out what is beside the content inside of it.
pub(super) fn beside(page: &mut Page<'_>, root: usize) {
    if page.lenient {
        return;
    }
    let all = page.kept(root).words;
    page.sweep(root, |page, at, entry| is_beside(page, at, entry, all));
    headed_sections(page, root);
    match page.page_type {
        PageType::Forum => forum::tidy(page, root),
        PageType::Product => product::tidy(page, root),
        PageType::Article
        | PageType::Collection
        | PageType::Documentation
        | PageType::Listing
        | PageType::Service => {}
    }
    if !matches!(page.page_type, PageType::Forum | PageType::Documentation) {
        repeated(page, root);
    }
    if page.page_type != PageType::Forum {
        buttons(page, root);
    }
    match page.page_type {
        PageType::Collection | PageType::Listing => {}
        PageType::Article
        | PageType::Documentation
        | PageType::Forum
        | PageType::Product
        | PageType::Service => dense_in_links(page, root),
    }
}

fn is_beside(page: &Page<'_>, at: usize, entry: &Entry, all: u32) -> bool {
    let kept = page.kept(at);
    if kept.words == 0 || Flat::has_place(&page.flat.titles, at, entry.end) {
        return false;
    }
    // Readers may write more than the author; but something must be left that they wrote about.
    let by_readers = match page.page_type {
        PageType::Forum => Marks::NONE,
        PageType::Product => Marks::COMMENTS.with(Marks::REVIEWS),
        PageType::Collection if kept.words > 150 => Marks::COMMENTS.with(Marks::REVIEWS),
        PageType::Article
        | PageType::Collection
        | PageType::Documentation
        | PageType::Listing
        | PageType::Service => Marks::COMMENTS,
    };
    if entry.marks.any(by_readers) && all.saturating_sub(kept.words) >= 60 {
        return true;
    }
    if percent(kept.words, all) >= 50 {
        return false;
    }
    match page.page_type {
        PageType::Collection | PageType::Listing | PageType::Product => {
            entry.marks.any(Marks::FILTER) || entry.tag == Tag::Label
        }
        PageType::Article | PageType::Documentation | PageType::Service => {
            entry.tag == Tag::Aside && entry.marks.any(Marks::AUTHOR) || is_teaser(page, at)
        }
        PageType::Forum => false,
    }
}

/// A card that leads to an article, and says how long reading that takes.
fn is_teaser(page: &Page<'_>, at: usize) -> bool {
    let kept = page.kept(at);
    if !(6..120).contains(&kept.words) || kept.link_share() < 60 {
        return false;
    }
    let text = page.beginning(at, 900);
    ["min read", "minute read", "mins read", "minutes read"]
        .iter()
        .any(|words| text.contains(words))
}

/// Leaves out what has been said before: copies for small screens, carousels that go round.
fn repeated(page: &mut Page<'_>, root: usize) {
    // Short lines repeat in lists of things; a product is one thing.
    let least = if page.page_type == PageType::Product {
        4
    } else {
        10
    };
    let mut seen = std::collections::HashSet::new();
    page.sweep(root, |page, at, entry| {
        if !entry.tag.is_block() || entry.sums.words < least || entry.tag == Tag::Pre {
            return false;
        }
        // An element that is all that another one holds has the other's words.
        let inner = page
            .flat
            .ancestors(at)
            .filter_map(|around| page.flat.get(around))
            .take_while(|around| around.hash == entry.hash)
            .any(|around| around.tag.is_block());
        !inner && !page.is_within(at, &[Tag::Pre]) && !seen.insert(entry.hash)
    });
}

/// Leaves out sections whose heading says that they are about other things.
fn headed_sections(page: &mut Page<'_>, root: usize) {
    let all = page.kept(root).words;
    let headings: Vec<usize> = page
        .each_kept(root)
        .filter(|(_, entry)| {
            let titled = matches!(entry.tag, Tag::Heading(2..=6))
                || (entry.tag.is_block() && entry.own == entry.sums.words);
            titled && (1..=8).contains(&entry.sums.words)
        })
        .map(|(at, _)| at)
        .collect();
    for at in headings {
        if page.is_out(at) || page.flat.ancestors(at).any(|around| page.is_out(around)) {
            continue;
        }
        let text = page.beginning(at, 80);
        if !phrases::is_about_others(&text, page.page_type) {
            continue;
        }
        // The largest element around it that begins with it.
        let mut section = at;
        for around in page.flat.ancestors(at) {
            if around <= root || !begins_with(page, around, at) {
                break;
            }
            if percent(page.kept(around).words, all) >= 40 {
                break;
            }
            section = around;
        }
        if section != at
            || matches!(
                page.flat.get(at).map(|entry| entry.tag),
                Some(Tag::Heading(_))
            )
        {
            let siblings = following(page, section, at);
            page.leave_out(section);
            for sibling in siblings {
                page.leave_out(sibling);
            }
        }
    }
    page.settle();
}

/// Whether no words stand before `inner` in `outer`.
fn begins_with(page: &Page<'_>, outer: usize, inner: usize) -> bool {
    page.each_kept(outer)
        .take_while(|(at, _)| *at < inner)
        .enumerate()
        // Behind so many elements without a word nothing begins: a bound on the work.
        .all(|(count, (at, entry))| {
            count < 300 && (page.flat.holds(at, inner) || entry.sums.words == 0)
        })
}

/// What belongs to a heading that stands alone: what follows it up to the next heading of its rank.
fn following(page: &Page<'_>, section: usize, heading: usize) -> Vec<usize> {
    let mut out = Vec::new();
    if page.kept(section).words != page.kept(heading).words {
        return out;
    }
    let rank = page
        .flat
        .get(heading)
        .and_then(|entry| entry.tag.rank())
        // A line that is no heading ends where any section begins.
        .unwrap_or(6);
    let all = page.kept(0).words;
    for sibling in page.flat.next_siblings(section) {
        let kept = page.kept(sibling);
        let heads = page.has(sibling, |inner| {
            inner.tag.rank().is_some_and(|inner| inner <= rank)
        });
        let links_only = kept.link_share() >= 40;
        let goes = links_only || page.page_type == PageType::Product;
        if heads || !goes || percent(kept.words, all) >= 40 {
            break;
        }
        out.push(sibling);
    }
    out
}

/// Leaves out lines that are buttons or their labels and no content.
fn buttons(page: &mut Page<'_>, root: usize) {
    page.sweep(root, |page, at, entry| {
        let kept = page.kept(at);
        let most = if page.page_type == PageType::Documentation {
            12
        } else {
            5
        };
        if kept.words == 0 || entry.sums.words > most || entry.tag == Tag::Code {
            return false;
        }
        let is_line = entry.own == entry.sums.words
            && (entry.tag.is_block() || page.is_alone(entry) || matches!(entry.tag, Tag::Link));
        is_line && controls::is_control(&page.beginning(at, 40), page.page_type)
    });
}

/// Leaves out blocks that are mostly links: in a text only those before its first sentence and behind
/// its last one, because lists of links within it are a part of it.
fn dense_in_links(page: &mut Page<'_>, root: usize) {
    let all = page.kept(root).words;
    let in_text = match page.page_type {
        PageType::Article | PageType::Documentation | PageType::Service => true,
        PageType::Collection | PageType::Forum | PageType::Listing | PageType::Product => false,
    };
    let mut prose = page
        .each_kept(root)
        .filter(|(_, entry)| entry.tag.is_block() && entry.own >= 12 && entry.sums.stops > 0)
        .filter(|(_, entry)| entry.sums.link_share() < 50)
        .map(|(at, _)| at);
    let first = prose.next().unwrap_or(root);
    let last = prose.last().unwrap_or(first);
    page.sweep(root, |page, at, entry| {
        let kept = page.kept(at);
        let is_group = matches!(
            entry.tag,
            Tag::List | Tag::Block | Tag::Section | Tag::Table | Tag::Article | Tag::Header
        );
        let most = if page.page_type == PageType::Product {
            85
        } else {
            70
        };
        is_group
            && (at > last || entry.end <= first || !in_text)
            // The head of a post: when, and a link to it.
            && !(page.page_type == PageType::Forum
                && Flat::has_place(&page.flat.times, at, entry.end))
            && kept.link_share() >= most
            && kept.words >= 3
            && percent(kept.words, all) < 40
            && kept.stops < 3
            && links(page, at) >= 3
    });
}

fn links(page: &Page<'_>, at: usize) -> usize {
    page.each_kept(at)
        .filter(|(_, entry)| entry.tag == Tag::Link)
        .take(3)
        .count()
}
