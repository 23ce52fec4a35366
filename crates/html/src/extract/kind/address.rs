//! What the address of a page hints at.

use super::{super::PageType, Points};

/// The words of the address.
pub(super) fn hint(url: &str, points: &mut Points) {
    let lower = url.to_ascii_lowercase();
    let rest = lower
        .split_once("://")
        .map_or(lower.as_str(), |(_, rest)| rest);
    let (host, path) = match rest.find(['/', '?']) {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    for label in host.split('.') {
        match label {
            "forum" | "forums" | "community" | "discuss" | "discussion" | "discussions"
            | "board" | "boards" | "stackexchange" | "stackoverflow" => {
                points.add(PageType::Forum, 4)
            }
            "docs" | "doc" | "documentation" | "developer" | "developers" | "readthedocs"
            | "devdocs" | "manual" => points.add(PageType::Documentation, 4),
            "shop" | "store" => {
                points.add(PageType::Product, 1);
                points.add(PageType::Collection, 1);
            }
            "blog" | "news" => points.add(PageType::Article, 1),
            _ => {}
        }
    }
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() && query.is_empty() {
        points.add(PageType::Service, 2);
        points.add(PageType::Listing, 1);
        points.add(PageType::Collection, 1);
        points.add(PageType::Article, -4);
        points.add(PageType::Product, -4);
    }
    for (place, &part) in parts.iter().enumerate() {
        let last = place + 1 == parts.len();
        by_part(part, last, points);
    }
    let numbered = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    let is_thread = parts.windows(2).any(|two| match two {
        ["d", thread] => numbered(thread),
        _ => false,
    }) || parts.windows(3).any(|three| match three {
        ["t", _, thread] => numbered(thread),
        _ => false,
    });
    points.add_if(is_thread, PageType::Forum, 4);
    if ["viewtopic", "showthread", "/topic/", "/thread/"]
        .iter()
        .any(|word| path.contains(word) || query.contains(word))
    {
        points.add(PageType::Forum, 6);
    }
    let last = parts.last().copied().unwrap_or_default();
    if parts.len() > 1 && last.matches('-').count() >= 4 {
        // A headline as address.
        points.add(PageType::Article, 1);
    }
}

fn by_part(part: &str, last: bool, points: &mut Points) {
    match part {
        "blog" | "blogs" | "news" | "insights" | "article" | "articles" | "post" | "posts"
        | "story" | "stories" | "magazine" | "learn" | "resources" => {
            if last {
                points.add(PageType::Listing, 3);
            } else {
                points.add(PageType::Article, 3);
            }
        }
        "product" | "products" | "p" | "dp" | "item" | "itm" | "pd" | "prod" => {
            if !last {
                points.add(PageType::Product, 4);
            } else if part.ends_with('s') {
                points.add(PageType::Collection, 3);
            }
        }
        "collections" | "collection" | "category" | "categories" | "catalog" | "c" | "shop"
        | "departments" | "department" | "browse" | "cp" | "b" | "product-category" | "cat"
        | "subcategory" => {
            points.add(PageType::Collection, 4);
        }
        "threads" | "thread" | "topic" | "topics" | "questions" | "question" | "discussion"
        | "discussions" | "forum" | "forums" | "comments" => {
            points.add(PageType::Forum, 3);
        }
        "docs" | "doc" | "documentation" | "reference" | "api" | "manual" | "guide" | "guides"
        | "book" | "tutorial" | "tutorials" | "userguide" | "handbook" | "sdk" | "man" => {
            points.add(PageType::Documentation, if last { 2 } else { 4 });
        }
        "services" | "service" | "solutions" | "pricing" | "features" | "about" | "platform"
        | "about-us" | "programs" | "admissions" => {
            points.add(PageType::Service, 3);
        }
        "list" | "lists" | "latest" | "trending" | "tag" | "tags" | "archive" | "archives"
        | "search" | "newest" | "top" | "sections" | "section" | "rankings" | "jobs" | "events"
        | "directory" => {
            points.add(PageType::Listing, 4);
        }
        _ if part.len() == 4
            && part.starts_with("20")
            && part.bytes().all(|b| b.is_ascii_digit()) =>
        {
            points.add(PageType::Article, 2);
        }
        _ if part.ends_with("-services") || part.ends_with("-solutions") => {
            points.add(PageType::Service, 3);
        }
        _ if part.ends_with("-rankings") || part.ends_with("-news") => {
            points.add(PageType::Listing, 2);
        }
        _ if part.starts_with("list_of_") => points.add(PageType::Listing, 4),
        _ => {}
    }
}
