//! What repeats on a page: cards of products, entries of a list, posts.

use super::{flat::Flat, tag::Tag, words::percent};

/// Siblings of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The place of the element they stand in.
    pub parent: usize,
    pub count: u32,
    /// How many of them name a price.
    pub priced: u32,
    /// How many of them are articles or have a time.
    pub dated: u32,
    /// Their words, in hundredths of the page's.
    pub share: u32,
    /// How many of their words are in links, in hundredths.
    pub link_share: u32,
}

/// The group of siblings with most words among those that look like entries: each has a link and as
/// many words as an entry has.
pub(super) fn entries(flat: &Flat, left_out: impl Fn(usize) -> bool) -> Option<Group> {
    let all = flat.get(0)?.sums.words;
    let mut best: Option<(u32, Group)> = None;
    let mut at = 0;
    while at < flat.len() {
        let Some(entry) = flat.get(at) else { break };
        if left_out(at) {
            at = entry.end;
            continue;
        }
        if entry.end - at > 8 {
            let mut count = 0u32;
            let mut priced = 0;
            let mut dated = 0;
            let mut words = 0;
            let mut linked = 0;
            let mut kind = None;
            for place in flat.children(at) {
                let Some(child) = flat.get(place) else {
                    continue;
                };
                let sums = child.sums;
                let is_entry = child.tag != Tag::Paragraph
                    && (4..250).contains(&sums.words)
                    && sums.linked > 0
                    && kind.is_none_or(|kind| kind == child.tag);
                if is_entry {
                    kind = Some(child.tag);
                    count += 1;
                    words += sums.words;
                    linked += sums.linked;
                    priced += u32::from(sums.prices > 0);
                    let timed = Flat::has_place(&flat.times, place, child.end);
                    dated += u32::from(timed || child.tag == Tag::Article);
                }
            }
            // Words in prices count for more: they are what a shop shows.
            let weight = words + priced * 10;
            if count >= 4 && best.as_ref().is_none_or(|(most, _)| weight > *most) {
                let share = percent(words, all);
                best = Some((
                    weight,
                    Group {
                        parent: at,
                        count,
                        priced,
                        dated,
                        share,
                        link_share: percent(linked, words),
                    },
                ));
            }
        }
        at += 1;
    }
    best.map(|(_, group)| group)
}
