//! Forums: each post's author, time and text stay; buttons, counts and portraits around them go.

use std::collections::HashMap;

use super::{
    flat::{Entry, Flat},
    names::Marks,
    page::Page,
    tag::Tag,
    words::percent,
};

/// Leaves out what stands around the posts.
pub(super) fn tidy(page: &mut Page<'_>, root: usize) {
    let posts = posts(page, root);
    if let (Some(&first), Some(&last)) = (posts.first(), posts.last()) {
        let end = page.flat.get(last).map_or(last, |entry| entry.end);
        page.sweep(root, |page, at, entry| {
            is_between(page, at, entry, &posts) && (at >= end || !is_opening(page, at, first))
        });
    }
    people(page, root);
    tools(page, root);
}

/// The places of the posts, if most of the text is in elements that repeat and are named for it.
fn posts(page: &Page<'_>, root: usize) -> Vec<usize> {
    let mut groups: HashMap<(Tag, u64), Vec<usize>> = HashMap::new();
    for (at, entry) in page.each_kept(root) {
        let named = entry.marks.any(Marks::POST.with(Marks::COMMENTS)) || entry.tag == Tag::Article;
        if !named || at == root || !entry.tag.is_block() || page.kept(at).words < 4 {
            continue;
        }
        let places = groups.entry((entry.tag, name_of(page, entry))).or_default();
        // A post in a post of its kind is a part of it here.
        let inside = places.last().is_some_and(|&last| page.flat.holds(last, at));
        if !inside {
            places.push(at);
        }
    }
    let words = |places: &Vec<usize>| places.iter().map(|&at| page.kept(at).words).sum::<u32>();
    groups
        .into_values()
        .filter(|places| places.len() >= 2)
        .map(|places| (words(&places), places))
        .filter(|(words, _)| percent(*words, page.kept(root).words) >= 50)
        .max_by_key(|(words, places)| (*words, places.len()))
        .map(|(_, places)| places)
        .unwrap_or_default()
}

/// A number for the first class of an element, without digits: posts of one page share it.
fn name_of(page: &Page<'_>, entry: &Entry) -> u64 {
    let class = page.document.classes(entry.node).next();
    class
        .unwrap_or_default()
        .bytes()
        .filter(|byte| !byte.is_ascii_digit())
        .fold(0, |hash: u64, byte| {
            hash.wrapping_mul(31).wrapping_add(u64::from(byte))
        })
}

/// Whether it is no post, has none in it and is in none.
fn is_between(page: &Page<'_>, at: usize, entry: &Entry, posts: &[usize]) -> bool {
    let next = posts.partition_point(|&post| post <= at);
    let before = next.checked_sub(1).and_then(|place| posts.get(place));
    let inside = before.is_some_and(|&post| page.flat.holds(post, at));
    !inside && !Flat::has_place(posts, at, entry.end)
}

/// Whether it may be the title, or the first post where that is made otherwise than the answers.
fn is_opening(page: &Page<'_>, at: usize, first: usize) -> bool {
    if at > first {
        return false;
    }
    let Some(entry) = page.flat.get(at) else {
        return false;
    };
    let kept = page.kept(at);
    let is_text = kept.words >= 15 && kept.stops >= 1 && kept.link_share() < 40;
    is_text
        || Flat::has_place(&page.flat.titles, at, entry.end)
        || page
            .flat
            .ancestors(at)
            .filter_map(|around| page.flat.get(around).map(|entry| (around, entry)))
            .take_while(|(_, around)| around.end <= first)
            .any(|(around, _)| page.kept(around).stops >= 1 && page.kept(around).words >= 15)
}

/// Of what is told of an author only the name stays.
fn people(page: &mut Page<'_>, root: usize) {
    let found: Vec<usize> = page
        .each_kept(root)
        .filter(|(_, entry)| entry.marks.any(Marks::AUTHOR))
        .map(|(at, _)| at)
        .filter(|&at| {
            let kept = page.kept(at);
            (4..60).contains(&kept.words) && kept.stops <= 2 && !holds_text(page, at)
        })
        .collect();
    for at in found {
        let mut named = false;
        let lines: Vec<usize> = page
            .each_kept(at)
            .filter(|(_, entry)| entry.own == entry.sums.words && entry.own > 0)
            .map(|(line, _)| line)
            .collect();
        let mut behind = 0;
        for line in lines {
            if line < behind || line == at {
                continue;
            }
            behind = page.flat.get(line).map_or(line, |entry| entry.end);
            if named && !page.has(line, |inner| inner.tag == Tag::Time) {
                page.leave_out(line);
            }
            named = true;
        }
    }
    page.settle();
}

fn holds_text(page: &Page<'_>, at: usize) -> bool {
    page.has(at, |inner| {
        matches!(inner.tag, Tag::Paragraph | Tag::Quote | Tag::Pre) || inner.marks.any(Marks::TEXT)
    })
}

fn tools(page: &mut Page<'_>, root: usize) {
    let all = page.kept(root).words;
    page.sweep(root, |page, at, entry| {
        let kept = page.kept(at);
        if kept.words == 0 || percent(kept.words, all) >= 30 {
            return false;
        }
        if entry.marks.any(Marks::TOOLS) && kept.words < 40 && !holds_post(page, at) {
            return true;
        }
        let is_line = entry.tag.is_block() && entry.own == entry.sums.words
            || matches!(entry.tag, Tag::Link | Tag::Inline) && page.is_alone(entry);
        is_line && kept.words <= 8 && is_tool(&page.beginning(at, 48), kept.words)
            || entry.tag == Tag::Link
                && kept.words <= 2
                && !is_in_text(page, at)
                && is_tool(&page.beginning(at, 48), kept.words)
            || entry.tag == Tag::List && kept.words <= 8 && is_label(&page.beginning(at, 48))
    });
}

/// Whether the block it stands in is a paragraph, or the like.
fn is_in_text(page: &Page<'_>, at: usize) -> bool {
    page.flat
        .ancestors(at)
        .filter_map(|around| page.flat.get(around))
        .find(|around| around.tag.is_block() || around.marks.any(Marks::TEXT))
        .is_some_and(|around| {
            matches!(
                around.tag,
                Tag::Paragraph | Tag::Quote | Tag::Pre | Tag::Heading(_) | Tag::Cell
            ) || around.marks.any(Marks::TEXT)
        })
}

/// Text that somebody wrote, or when they did.
fn holds_post(page: &Page<'_>, at: usize) -> bool {
    page.has(at, |inner| {
        matches!(
            inner.tag,
            Tag::Time | Tag::Paragraph | Tag::Quote | Tag::Pre
        ) || inner.marks.any(Marks::TEXT)
    })
}

/// Whether a line is a button, a count or a number and no text.
fn is_tool(line: &str, words: u32) -> bool {
    if words > 5 {
        return is_label(line);
    }
    let line = line.trim_matches(|c: char| !c.is_alphanumeric());
    let bare = line.trim_start_matches(|c: char| !c.is_alphabetic());
    if bare.is_empty() {
        return !line.contains(':');
    }
    let first = bare
        .split(|c: char| !c.is_alphabetic() && c != ' ')
        .next()
        .unwrap_or_default()
        .trim();
    TOOLS.contains(&first)
}

/// Whether a line tells a fact of the author: "Joined: May 2012".
fn is_label(line: &str) -> bool {
    let label = line.split([':', '-']).next().unwrap_or_default().trim();
    LABELS.contains(&label)
        || LABELS
            .iter()
            .any(|known| line.starts_with(known) && line.len() < 28)
}

const LABELS: &[&str] = &[
    "joined",
    "join date",
    "date joined",
    "registered",
    "member since",
    "location",
    "posts",
    "messages",
    "threads",
    "reaction score",
    "likes received",
    "likes",
    "thanks",
    "thanked",
    "rep power",
    "reputation",
    "trophy points",
    "points",
    "age",
    "gender",
    "country",
    "occupation",
    "interests",
    "real name",
    "karma",
    "solutions",
    "rank",
    "favorite",
    "website",
    "quote",
    "registriert",
    "beiträge",
    "inscrit",
    "messages postés",
    "mensajes",
    "registrado",
    "сообщения",
    "регистрация",
    "注册时间",
    "帖子",
    "积分",
    "最后登录",
    "精华",
];

const TOOLS: &[&str] = &[
    "like",
    "likes",
    "reply",
    "replies",
    "quote",
    "report",
    "share",
    "link to post",
    "link to comment",
    "share on other sites",
    "more sharing options",
    "permalink",
    "edit",
    "edited",
    "delete",
    "flag",
    "follow",
    "joined",
    "messages",
    "posts",
    "reaction score",
    "points",
    "location",
    "age",
    "member",
    "members",
    "new member",
    "active member",
    "senior member",
    "well-known member",
    "registered",
    "moderator",
    "administrator",
    "staff",
    "guest",
    "guests",
    "author",
    "level",
    "click to expand",
    "add a comment",
    "show more",
    "load more",
    "views",
    "view",
    "users",
    "solved",
    "solution",
    "thanks",
    "add bookmark",
    "bookmark",
    "unread",
    "go to solution",
    "topic starter",
    "original poster",
    "op",
    "advertisement",
    "jump to",
    "first",
    "prev",
    "previous",
    "next",
    "last",
    "page",
    "go to page",
    "next page",
    "previous page",
    "sort by",
    "sorted by",
    "reset to default",
    "newest",
    "oldest",
    "top",
    "sign in",
    "log in",
    "register",
    "expand",
    "collapse",
    "reputation",
    "country",
    "gender",
    "interests",
    "rep",
    "reactions",
    "in topic",
    "created",
    "last reply",
    "quote reply",
    "up",
    "down",
    "upvote",
    "downvote",
    "vote",
    "votes",
    "score",
    "not open for further replies",
    "status",
];
