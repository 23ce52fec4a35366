//! What the site puts around every page: navigation, head and foot, dialogs, controls.

use super::{
    flat::{Entry, Flat},
    names::Marks,
    page::Page,
    tag::Tag,
    words::percent,
};

/// Leaves out what is for readers without scripts, unless the page is nearly all for them: some
/// forums send their posts only so.
pub(super) fn without_scripts(page: &mut Page<'_>) {
    let all = page.flat.get(0).map_or(0, |body| body.sums.words);
    let found: Vec<(usize, u32)> = page
        .each_kept(0)
        // One without words has the real form of a picture that scripts load.
        .filter(|(_, entry)| entry.tag == Tag::NoScript && entry.sums.words > 0)
        .map(|(at, entry)| (at, entry.sums.plain()))
        .collect();
    for (at, plain) in found {
        if plain < 100 || percent(plain, all) < 40 {
            page.leave_out(at);
        }
    }
    page.settle();
}

/// Leaves out what belongs to the site: navigation, head and foot, dialogs, controls.
pub(super) fn leave_out(page: &mut Page<'_>) {
    let all = page.flat.get(0).map_or(0, |body| body.sums.words);
    page.sweep(0, |page, at, entry| is_chrome(page, at, entry, all));
    hidden(page);
}

fn is_chrome(page: &Page<'_>, at: usize, entry: &Entry, all: u32) -> bool {
    let sums = entry.sums;
    if sums.words == 0 {
        // The signs beside headings that link to themselves.
        return entry.tag == Tag::Link && entry.marks.any(Marks::CHROME);
    }
    // What holds half of the words may hold the content, unless it is a menu of a great site.
    let half = percent(sums.words, all) >= 40 && (sums.link_share() < 60 || sums.words + 60 > all);
    if let Some(decided) = by_tag(page, at, entry, half, all) {
        return decided;
    }
    by_marks(page, at, entry, half)
}

/// What the tag alone says; none where the names of the element are to be asked.
fn by_tag(page: &Page<'_>, at: usize, entry: &Entry, half: bool, all: u32) -> Option<bool> {
    let sums = entry.sums;
    match entry.tag {
        Tag::Control | Tag::Dialog => Some(!half),
        Tag::Button => Some(!is_title_of_fold(page, at)),
        Tag::Main | Tag::Body | Tag::Heading(_) => Some(entry.marks.any(Marks::SPOKEN)),
        Tag::Nav => Some(!half && !holds_content(page, at)),
        Tag::Footer => {
            let of_text = is_prose(entry) && page.is_within(at, &[Tag::Article]);
            Some(!half && !of_text)
        }
        Tag::Header => {
            let of_site = !page.is_within(at, &[Tag::Main, Tag::Article, Tag::Section])
                && !half
                && !is_head_of_content(page, at)
                && !holds_content(page, at);
            of_site.then_some(true)
        }
        Tag::Aside => {
            let of_post = entry.marks.any(Marks::AUTHOR) && sums.words < 40;
            Some(!half && !entry.marks.any(Marks::NOTE) && !is_prose(entry) && !of_post)
        }
        Tag::Form => {
            let small = percent(sums.words, all) < 20 && sums.words < 120;
            let goes = !half
                && (small || asks(page, at, entry))
                && !holds_content(page, at)
                && !is_head_of_content(page, at);
            Some(goes)
        }
        Tag::Article
        | Tag::Section
        | Tag::Paragraph
        | Tag::Quote
        | Tag::List
        | Tag::Item
        | Tag::Table
        | Tag::TablePart
        | Tag::Cell
        | Tag::Link
        | Tag::Pre
        | Tag::Code
        | Tag::Label
        | Tag::Time
        | Tag::Image
        | Tag::NoScript
        | Tag::Block
        | Tag::Inline => None,
    }
}

/// What the names and the role of the element say.
fn by_marks(page: &Page<'_>, at: usize, entry: &Entry, half: bool) -> bool {
    let sums = entry.sums;
    let marks = entry.marks;
    if is_link_of_heading(page, entry) {
        return false;
    }
    if marks.any(Marks::SPOKEN) && sums.words < 30 {
        return true;
    }
    if marks == Marks::NONE || half || holds_content(page, at) || is_head_of_content(page, at) {
        return false;
    }
    if marks.any(Marks::DIALOG) {
        return true;
    }
    if marks.any(Marks::FOOT) && !page.is_within(at, &[Tag::Article]) {
        return true;
    }
    if page.lenient {
        return false;
    }
    if marks.any(Marks::SIGNATURE) {
        // Some sign a post with its author and time, others with their favourite saying.
        return !page.has(at, |inner| {
            inner.tag == Tag::Time || inner.marks.any(Marks::AUTHOR)
        });
    }
    if marks.any(Marks::CHROME.with(Marks::ADVERT)) {
        return !is_prose(entry);
    }
    if marks.any(Marks::HIDDEN) && sums.stops == 0 && sums.link_share() >= 50 {
        return true;
    }
    if marks.any(Marks::NAVIGATION) {
        // The head of a section: a heading, and nothing that leads away.
        let heads_section = sums.link_share() < 25
            && page
                .flat
                .children(at)
                .filter_map(|child| page.flat.get(child))
                .any(|child| child.tag.rank().is_some());
        return !has_sentences(entry) && !heads_section;
    }
    if marks.any(Marks::ASIDE) {
        return !is_prose(entry) || sums.link_share() > 40;
    }
    false
}

/// A heading that is a link has names like "header" on the link.
fn is_link_of_heading(page: &Page<'_>, entry: &Entry) -> bool {
    let parent = page.flat.get(entry.parent);
    entry.tag == Tag::Link
        && parent.is_some_and(|parent| {
            parent.tag.rank().is_some() && parent.sums.words <= 2 * entry.sums.words
        })
}

/// What opens when it is asked for (answers, tabs) is content though it is hidden at first; but where
/// most of a page is hidden, or a form is, it is what may never be shown.
fn hidden(page: &mut Page<'_>) {
    let mut found = Vec::new();
    let mut words = 0;
    let mut behind = 0;
    for (at, entry) in page.each_kept(0) {
        // A page that is hidden as a whole shows itself when it is ready.
        let whole = percent(page.kept(at).words, page.kept(0).words) >= 50;
        if at >= behind && entry.marks.any(Marks::HIDDEN) && !whole {
            behind = entry.end;
            words += page.kept(at).words;
            found.push(at);
        }
    }
    let shown = page.kept(0).words.saturating_sub(words);
    for at in found {
        let folded = page
            .flat
            .get(at)
            .is_some_and(|entry| entry.marks.any(Marks::FOLDED));
        let asks = page.has(at, |inner| {
            matches!(inner.tag, Tag::Form | Tag::Label | Tag::Control)
        });
        if !folded && (asks || percent(words, shown) > 20) {
            page.leave_out(at);
        }
    }
    page.settle();
}

/// Sentences, be they in links or not: cards with a few words each, not the names of pages.
fn has_sentences(entry: &Entry) -> bool {
    entry.sums.words >= 30 && entry.sums.stops * 14 >= entry.sums.words
}

/// A form with fields to fill in and little to read.
fn asks(page: &Page<'_>, at: usize, entry: &Entry) -> bool {
    let fields = page
        .each_kept(at)
        .filter(|(_, inner)| matches!(inner.tag, Tag::Label | Tag::Control))
        .take(4)
        .count();
    fields >= 4 && entry.sums.stops * 15 < entry.sums.words
}

/// A button in a heading, or one that says what it opens.
fn is_title_of_fold(page: &Page<'_>, at: usize) -> bool {
    let heading = page
        .flat
        .ancestors(at)
        .take(3)
        .filter_map(|place| page.flat.get(place))
        .any(|around| matches!(around.tag, Tag::Heading(_)) || around.marks.any(Marks::FOLDED));
    let own = page
        .flat
        .get(at)
        .is_some_and(|entry| entry.marks.any(Marks::FOLDED) && entry.sums.words >= 2);
    heading || own || page.has(at, |inner| matches!(inner.tag, Tag::Heading(_)))
}

/// Sentences, and more of them than links.
fn is_prose(entry: &Entry) -> bool {
    let sums = entry.sums;
    sums.plain() >= 80 && sums.stops >= 6 && sums.link_share() < 25
}

/// A head that has the page's title, and is no row of links.
fn is_head_of_content(page: &Page<'_>, at: usize) -> bool {
    page.flat.get(at).is_some_and(|entry| {
        entry.sums.link_share() <= 70 && Flat::has_place(&page.flat.titles, at, entry.end)
    })
}

/// Whether the page's main element or the text of an article is in it.
fn holds_content(page: &Page<'_>, at: usize) -> bool {
    page.flat
        .get(at)
        .is_some_and(|entry| Flat::has_place(&page.flat.contents, at, entry.end))
}
