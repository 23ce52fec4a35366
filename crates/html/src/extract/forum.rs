//! Forums: each post's author, time and text stay; buttons, counts and portraits around them go.

use std::collections::{HashMap, HashSet};

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
    copies(page, &posts);
}

/// Leaves out short lines that a post has twice: author and time, once for each size of screen.
fn copies(page: &mut Page<'_>, posts: &[usize]) {
    for &post in posts {
        let mut seen = HashSet::new();
        page.sweep_only(post, |page, at, entry| {
            let is_line =
                entry.own == entry.sums.words && (entry.tag.is_block() || page.is_alone(entry));
            let short = (1..=6).contains(&entry.sums.words);
            // What is all of a line inside another line has been asked already.
            let inner = page
                .flat
                .get(entry.parent)
                .is_some_and(|parent| parent.hash == entry.hash && parent.own == parent.sums.words);
            // What somebody wrote may say a thing twice.
            let is_text = matches!(
                entry.tag,
                Tag::Paragraph | Tag::Cell | Tag::Quote | Tag::Pre | Tag::Code | Tag::Heading(_)
            ) || page.is_within(at, &[Tag::Paragraph, Tag::Quote, Tag::Pre]);
            is_line && short && !inner && !is_text && !seen.insert(entry.hash)
        });
    }
    page.settle();
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
        .map(|(_, places)| widened(page, root, places))
        .unwrap_or_default()
}

/// What is named may be the text alone: its author and time stand beside it, in what is around it and
/// around no other post. All posts of a page are made alike, so all are widened as far as each can be.
fn widened(page: &Page<'_>, root: usize, mut posts: Vec<usize>) -> Vec<usize> {
    let signed = posts.iter().filter(|&&post| {
        page.has(post, |inner| {
            inner.tag == Tag::Time || inner.marks.any(Marks::AUTHOR)
        })
    });
    if signed.count() * 2 >= posts.len() {
        return posts;
    }
    loop {
        let wider: Option<Vec<usize>> = posts
            .iter()
            .map(|&post| {
                let around = page.flat.get(post)?.parent;
                let end = page.flat.get(around)?.end;
                let first = posts.partition_point(|&other| other < around);
                let held = posts.get(first..)?.iter().take_while(|&&other| other < end);
                (around > root && held.take(2).count() == 1).then_some(around)
            })
            .collect();
        match wider {
            Some(wider) => posts = wider,
            None => return posts,
        }
    }
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
        || Flat::has_place(&page.flat.heads, at, entry.end)
        || page
            .flat
            .ancestors(at)
            .filter_map(|around| page.flat.get(around).map(|entry| (around, entry)))
            .take_while(|(_, around)| around.end <= first)
            .any(|(place, around)| {
                let kept = page.kept(place);
                matches!(around.tag, Tag::Heading(_)) || kept.stops >= 1 && kept.words >= 15
            })
}

/// Of what is told of an author only the name and the time of the post stay.
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
        let mut behind = 0;
        let inside: Vec<(usize, Entry)> = page
            .each_kept(at)
            .skip(1)
            .map(|(place, entry)| (place, *entry))
            .collect();
        for (place, entry) in inside {
            if place < behind {
                continue;
            }
            let has_time = Flat::has_place(&page.flat.times, place, entry.end);
            let is_line = entry.own == entry.sums.words && entry.own > 0;
            if entry.tag == Tag::List && !has_time {
                // How much was posted since when.
                page.leave_out(place);
                behind = entry.end;
            } else if is_line {
                behind = entry.end;
                let line = page.beginning(place, 60);
                if has_time || tells_time(&line) {
                    continue;
                }
                // One letter stands for a portrait.
                let letter = line.chars().count() == 1;
                if named || letter {
                    page.leave_out(place);
                }
                named |= !letter;
            }
        }
    }
    page.settle();
}

/// Whether a line (in lower case) has a date, or says how long ago it was.
fn tells_time(line: &str) -> bool {
    let year = line
        .split(|c: char| !c.is_ascii_digit())
        .any(|number| number.len() == 4 && (number.starts_with("19") || number.starts_with("20")));
    (year && !is_label(line))
        || ["ago", "yesterday", "today", "just now"]
            .iter()
            .any(|word| line.split_whitespace().any(|own| own == *word))
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
        let by_name = entry.marks.any(Marks::TOOLS) && kept.words < 40;
        if by_name && !holds_post(page, at) && !tells_time(&page.beginning(at, 60)) {
            return true;
        }
        let is_list_of_tags = entry.marks.any(Marks::META) && kept.link_share() >= 80;
        if is_list_of_tags && kept.words < 20 && !tells_time(&page.beginning(at, 60)) {
            return true;
        }
        // An answer has the title of the page again.
        if entry.tag.rank().is_some() && page.beginning(at, 8).starts_with("re:") {
            return true;
        }
        // Posts are numbered beside their time.
        if matches!(entry.tag, Tag::Inline | Tag::Link)
            && kept.words == 1
            && is_number(&page.beginning(at, 12))
            && has_time_beside(page, entry)
        {
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

fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches('#');
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn has_time_beside(page: &Page<'_>, entry: &Entry) -> bool {
    page.flat.get(entry.parent).is_some_and(|parent| {
        parent.sums.words < 20 && Flat::has_place(&page.flat.times, entry.parent, parent.end)
    })
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
    if line.starts_with("last edited") || line.starts_with("edited ") {
        return true;
    }
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
    "parent",
    "reply with quote",
    "reply to",
    "thread tools",
    "search this thread",
    "hide",
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
