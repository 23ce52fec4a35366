//! The title of a page without the name of its site.

use super::clean;

/// What stands between a title and the name of a site. The longer forms come first.
const SEPARATORS: &[&str] = &[
    " | ", " – ", " — ", " - ", " · ", " • ", " :: ", " » ", " « ", " / ", " ‹ ", "｜", "_", " : ",
];

/// The first usable candidate, cleaned. `heading` is what the page shows as its title: where it is a
/// part of a candidate, it is the title.
pub(super) fn choose(
    candidates: &[Option<&str>],
    heading: &str,
    site: Option<&str>,
    url: Option<&str>,
) -> Option<String> {
    let candidate = candidates
        .iter()
        .flatten()
        .map(|candidate| clean(candidate))
        .find(|candidate| !candidate.is_empty())?;
    Some(without_site(&candidate, heading, site, url))
}

fn without_site(title: &str, heading: &str, site: Option<&str>, url: Option<&str>) -> String {
    for separator in SEPARATORS {
        let parts: Vec<&str> = title.split(separator).map(str::trim).collect();
        let (Some((first, after)), Some((last, before))) =
            (parts.split_first(), parts.split_last())
        else {
            continue;
        };
        if after.is_empty() {
            continue;
        }
        if let Some(part) = parts.iter().find(|part| same(part, heading)) {
            return (*part).to_owned();
        }
        let names_site =
            |part: &str| site.is_some_and(|site| same(part, site)) || is_host(part, url);
        if names_site(last) {
            let rest = before.join(separator);
            return without_site(&rest, heading, site, url);
        }
        if names_site(first) {
            return after.join(separator);
        }
        // Without a name to compare: a short end behind a long title is the site.
        let words = |text: &str| text.split_whitespace().count();
        let rest = before.join(separator);
        let clear = matches!(*separator, " | " | " – " | " — " | " - " | " · " | " » ");
        if site.is_none() && clear && words(last) <= 3 && words(&rest) >= 4 {
            return rest;
        }
    }
    title.to_owned()
}

/// Whether two texts have the same letters and digits.
fn same(one: &str, other: &str) -> bool {
    let letters = |text: &str| {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    let one = letters(one);
    !one.is_empty() && one == letters(other)
}

/// Whether it is the name in the page's address: "Example" or "example.com" of `www.example.com`.
fn is_host(part: &str, url: Option<&str>) -> bool {
    let Some((_, rest)) = url.and_then(|url| url.split_once("://")) else {
        return false;
    };
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let name = host.rsplit('.').nth(1).unwrap_or(host);
    same(part, host) || same(part, name)
}
