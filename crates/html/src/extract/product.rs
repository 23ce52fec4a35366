//! Products: name, price, description and specification stay; other products, choices and reviews go.

use super::{flat::Flat, names::Marks, page::Page, words::percent};

/// Leaves out what is about the shop or other products.
pub(super) fn tidy(page: &mut Page<'_>, root: usize) {
    let all = page.kept(root).words;
    page.sweep(root, |page, at, entry| {
        let kept = page.kept(at);
        let whole = percent(kept.words, all) >= 60 || kept.words < 3;
        !whole
            && !Flat::has_place(&page.flat.titles, at, entry.end)
            && (entry.marks.any(Marks::SHOP) || is_row_of_products(page, at))
    });
}

/// Cards that each have a link and most of them a price.
fn is_row_of_products(page: &Page<'_>, at: usize) -> bool {
    let (mut cards, mut priced, mut words) = (0u32, 0u32, 0u32);
    for child in page.flat.children(at).filter(|&child| !page.is_out(child)) {
        let kept = page.kept(child);
        if kept.linked > 0 && (3..80).contains(&kept.words) {
            cards += 1;
            words += kept.words;
            priced += u32::from(kept.prices > 0);
        }
    }
    cards >= 3 && priced * 2 >= cards && percent(words, page.kept(at).words) >= 60
}
