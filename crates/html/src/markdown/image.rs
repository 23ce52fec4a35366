//! Which address an image really has: pages put it into many attributes to load it late.

use super::address::Addresses;
use crate::dom::{Document, NodeId};

/// Where scripts that load images late find the address.
const LATE: [&str; 6] = [
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-original-src",
    "data-actualsrc",
];

/// What an `<img>` shows.
pub(super) struct Image<'a> {
    /// None if it stands in the page itself or nowhere.
    pub address: Option<String>,
    pub alt: &'a str,
    pub title: &'a str,
}

/// None for what is not meant to be seen.
pub(super) fn image<'a>(
    document: &'a Document,
    id: NodeId,
    addresses: &Addresses,
) -> Option<Image<'a>> {
    let is_dot = |name| matches!(document.attr(id, name), Some("0" | "1" | "0px" | "1px"));
    if is_dot("width") && is_dot("height") {
        return None;
    }
    Some(Image {
        address: source(document, id).and_then(|source| addresses.resource(source)),
        alt: document.attr(id, "alt").unwrap_or_default(),
        title: document.attr(id, "title").unwrap_or_default(),
    })
}

fn source(document: &Document, id: NodeId) -> Option<&str> {
    let late = LATE
        .iter()
        .filter_map(|name| document.attr(id, name))
        .find(|value| is_address(value));
    let src = document.attr(id, "src");
    late.or_else(|| src.filter(|src| is_address(src) && !is_placeholder(src)))
        .or_else(|| largest(document.attr(id, "data-srcset")?))
        .or_else(|| largest(document.attr(id, "srcset")?))
        .or_else(|| of_picture(document, id))
        .or_else(|| src.filter(|src| is_address(src)))
}

/// From the `<source>`s before an image, the last first: the others are in newer formats.
fn of_picture(document: &Document, id: NodeId) -> Option<&str> {
    if !document.is(document.parent(id)?, "picture") {
        return None;
    }
    std::iter::successors(document.previous_sibling(id), |&before| {
        document.previous_sibling(before)
    })
    .take(16)
    .take_while(|&before| document.is(before, "source") || !document.is_element(before))
    .find_map(|source| {
        let set = document
            .attr(source, "srcset")
            .or_else(|| document.attr(source, "data-srcset"));
        largest(set?)
    })
}

fn is_address(value: &str) -> bool {
    let value = value.trim();
    !value.is_empty()
        && !value.starts_with(['{', '[', '#'])
        && !value
            .get(..5)
            .is_some_and(|start| start.eq_ignore_ascii_case("data:"))
}

/// Whether the image at an address is one that stands in for others.
fn is_placeholder(src: &str) -> bool {
    let path = src.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let name = name.get(..40).unwrap_or(name).to_ascii_lowercase();
    [
        "placeholder",
        "blank.",
        "spacer.",
        "transparent.",
        "1x1.",
        "pixel.gif",
        "lazy.",
        "loading.gif",
    ]
    .iter()
    .any(|sign| name.contains(sign))
}

/// The address of the widest candidate of a `srcset`.
fn largest(srcset: &str) -> Option<&str> {
    let mut best: Option<(f64, &str)> = None;
    let mut rest = srcset;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        let end = rest
            .find(|c: char| c.is_ascii_whitespace())
            .unwrap_or(rest.len());
        let (address, after) = rest.split_at(end);
        if address.is_empty() {
            return best.map(|(_, address)| address);
        }
        let bare = address.trim_end_matches(',');
        let (size, after) = if bare.len() < address.len() {
            ("", after)
        } else {
            after.split_at(after.find(',').unwrap_or(after.len()))
        };
        let size = size.trim().trim_end_matches(['w', 'x', 'h']);
        let size = size.parse().unwrap_or(1.0);
        if is_address(bare) && best.is_none_or(|(most, _)| size > most) {
            best = Some((size, bare));
        }
        rest = after;
    }
}
