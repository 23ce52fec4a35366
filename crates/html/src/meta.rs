//! What a page says of itself: title, author, dates, site, language.

mod date;
#[cfg(test)]
mod tests;
mod title;

use serde_json::{Map, Value};

use crate::{
    Document, LocalName, NodeId,
    json_ld::{self, JsonLd},
    local_name,
};

pub use date::iso_date;

/// Longest value that is believed: longer ones are texts in the wrong place.
const MAX_VALUE: usize = 2_000;

/// Longest line that is believed to name an author.
const MAX_BYLINE: usize = 100;

/// What is known of a page beside its text. A field is none when nothing on the page says it.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Metadata {
    /// The title, without the name of the site.
    pub title: Option<String>,
    /// Who wrote it: names, separated by commas.
    pub byline: Option<String>,
    /// When it was published: `2024-03-01`, or with time and zone `2024-03-01T08:30:00+01:00`.
    pub published: Option<String>,
    /// When it was last changed, in the same form.
    pub modified: Option<String>,
    /// The name of the site.
    pub site_name: Option<String>,
    /// The language as a BCP 47 tag, for instance `en` or `pt-BR`.
    pub language: Option<String>,
    /// What the page says it is about.
    pub description: Option<String>,
    /// The address the page wants to be known by.
    pub canonical: Option<String>,
}

const ARTICLES: &[&str] = &[
    "Article",
    "NewsArticle",
    "BlogPosting",
    "ReportageNewsArticle",
    "AnalysisNewsArticle",
    "OpinionNewsArticle",
    "TechArticle",
    "ScholarlyArticle",
    "DiscussionForumPosting",
    "Question",
    "Recipe",
    "Review",
    "LiveBlogPosting",
    "Report",
    "SocialMediaPosting",
];

const THINGS: &[&str] = &[
    "Product",
    "ProductGroup",
    "WebPage",
    "ItemPage",
    "CollectionPage",
    "AboutPage",
    "Event",
    "Book",
    "Movie",
    "VideoObject",
    "SoftwareApplication",
];

/// Reads what a page says of itself. `url` is its address, for a canonical address that is relative.
pub fn metadata(document: &Document, url: Option<&str>) -> Metadata {
    let found = Found::gather(document);
    let article = found.data.of_types(ARTICLES).next();
    let thing = article.or_else(|| found.data.of_types(THINGS).next());
    let said = |key: &str| article.and_then(|article| json_ld::text(article, key));
    let site_name = found
        .meta(&["og:site_name"])
        .or_else(|| article.and_then(|article| json_ld::text(article, "publisher")))
        .or_else(|| {
            let site = found.data.of_types(&["WebSite"]).next()?;
            json_ld::text(site, "name")
        })
        .or_else(|| found.meta(&["application-name", "apple-mobile-web-app-title"]))
        .filter(|name| !name.starts_with("http"))
        .map(clean);
    let title = title::choose(
        &[
            said("headline"),
            found.meta(&["og:title"]),
            found.meta(&["twitter:title", "dc.title"]),
            Some(found.title.as_str()),
            Some(found.heading.as_str()),
            thing.and_then(|thing| json_ld::text(thing, "name")),
        ],
        &found.heading,
        site_name.as_deref(),
        url,
    );
    let date = |text: Option<&str>| text.and_then(iso_date);
    Metadata {
        title,
        byline: article
            .and_then(authors)
            .or_else(|| found.byline())
            .or_else(|| found.data.of_types(THINGS).find_map(authors)),
        published: date(said("datePublished"))
            .or_else(|| date(found.meta(PUBLISHED)))
            .or_else(|| date(thing.and_then(|thing| json_ld::text(thing, "datePublished"))))
            .or_else(|| date(found.published))
            .or_else(|| date(said("dateCreated")))
            .or_else(|| date(found.time)),
        modified: date(said("dateModified"))
            .or_else(|| date(found.meta(MODIFIED)))
            .or_else(|| date(thing.and_then(|thing| json_ld::text(thing, "dateModified"))))
            .or_else(|| date(found.modified)),
        site_name,
        language: found.language(document),
        description: found
            .meta(&[
                "description",
                "og:description",
                "twitter:description",
                "dc.description",
            ])
            .or_else(|| thing.and_then(|thing| json_ld::text(thing, "description")))
            .map(clean),
        canonical: found
            .canonical
            .or_else(|| found.meta(&["og:url"]))
            .and_then(|address| absolute(address, url)),
    }
}

const PUBLISHED: &[&str] = &[
    "article:published_time",
    "og:article:published_time",
    "datepublished",
    "date",
    "dc.date",
    "dc.date.issued",
    "dcterms.date",
    "dcterms.created",
    "citation_publication_date",
    "citation_date",
    "parsely-pub-date",
    "sailthru.date",
    "publishdate",
    "publish-date",
    "pubdate",
    "publication_date",
    "article.published",
];

const MODIFIED: &[&str] = &[
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "last-modified",
    "dcterms.modified",
    "article.updated",
];

/// What stands on the page, by where it stands.
#[derive(Debug, Default)]
struct Found<'a> {
    /// Names in lower case, with their first values.
    metas: Vec<(String, &'a str)>,
    title: String,
    /// The first `h1`.
    heading: String,
    canonical: Option<&'a str>,
    data: JsonLd,
    /// Names of authors in the markup: microdata, `rel=author`, a class that says "byline".
    author: Option<String>,
    published: Option<&'a str>,
    modified: Option<&'a str>,
    /// The first time in the text.
    time: Option<&'a str>,
}

impl<'a> Found<'a> {
    fn gather(document: &'a Document) -> Self {
        let mut found = Self::default();
        let mut scripts = Vec::new();
        for id in document.descendants(NodeId::ROOT) {
            let Some(name) = document.local_name(id) else {
                continue;
            };
            match *name {
                local_name!("meta") => found.see_meta(document, id),
                local_name!("link") => {
                    let canonical = document.attr(id, "rel") == Some("canonical");
                    found.canonical = found
                        .canonical
                        .or(document.attr(id, "href").filter(|_| canonical));
                }
                local_name!("title") if found.title.is_empty() => {
                    let in_svg = document.namespace(id) != Some(crate::dom::Namespace::Html);
                    if !in_svg {
                        found.title = clean(&document.text_content(id));
                    }
                }
                local_name!("h1") if found.heading.is_empty() => {
                    found.heading = clean(&document.text_content(id));
                }
                local_name!("script") if JsonLd::is_script(document, id) => scripts.push(id),
                _ => found.see_element(document, id, name),
            }
        }
        found.data = JsonLd::read(document, &scripts);
        found
    }

    fn see_meta(&mut self, document: &'a Document, id: NodeId) {
        let Some(content) = document.attr(id, "content").map(str::trim) else {
            return;
        };
        let fits = !content.is_empty() && content.len() <= MAX_VALUE;
        for key in ["property", "name", "itemprop", "http-equiv"] {
            if let Some(name) = document.attr(id, key).filter(|_| fits) {
                self.metas.push((name.trim().to_ascii_lowercase(), content));
            }
        }
    }

    fn see_element(&mut self, document: &'a Document, id: NodeId, name: &LocalName) {
        let stamp = document
            .attr(id, "datetime")
            .or_else(|| document.attr(id, "content"));
        match document.attr(id, "itemprop") {
            Some("datePublished") => self.published = self.published.or(stamp),
            Some("dateModified") => self.modified = self.modified.or(stamp),
            Some("author") => self.see_author(document, id),
            _ => {}
        }
        if *name == local_name!("time") {
            self.time = self.time.or(stamp);
        }
        let by_link = *name == local_name!("a") && document.attr(id, "rel") == Some("author");
        let by_class = document.classes(id).any(|class| {
            matches!(
                class,
                "byline"
                    | "author-name"
                    | "entry-author"
                    | "post-author"
                    | "article-author"
                    | "author__name"
                    | "byline__name"
                    | "p-author"
            )
        });
        if by_link || by_class {
            self.see_author(document, id);
        }
    }

    fn see_author(&mut self, document: &Document, id: NodeId) {
        if self.author.is_some() {
            return;
        }
        let named = document
            .descendants(id)
            .find(|&inner| document.attr(inner, "itemprop") == Some("name"))
            .unwrap_or(id);
        let text = document
            .attr(named, "content")
            .map_or_else(|| clean(&document.text_content(named)), clean);
        self.author = without_by(&text).filter(|name| name.len() <= MAX_BYLINE);
    }

    /// The value of the first of these names that the page has.
    fn meta(&self, names: &[&str]) -> Option<&'a str> {
        names.iter().find_map(|name| {
            self.metas
                .iter()
                .find(|(own, _)| own == name)
                .map(|(_, value)| *value)
        })
    }

    fn byline(&self) -> Option<String> {
        let said = self
            .meta(&[
                "author",
                "article:author",
                "dc.creator",
                "parsely-author",
                "sailthru.author",
            ])
            // An address is no name.
            .filter(|name| !name.contains("://") && name.len() <= MAX_BYLINE)
            .and_then(without_by);
        let authors: Vec<&str> = self
            .metas
            .iter()
            .filter(|(name, _)| name == "citation_author")
            .map(|(_, value)| *value)
            .collect();
        if !authors.is_empty() {
            return Some(authors.join(", "));
        }
        said.or_else(|| self.author.clone())
    }

    fn language(&self, document: &Document) -> Option<String> {
        let html = document.html()?;
        let tag = document
            .attr(html, "lang")
            .filter(|tag| !tag.trim().is_empty())
            .or_else(|| self.meta(&["content-language", "og:locale", "language"]))?
            .trim()
            .replace('_', "-");
        let known = tag.len() <= 35
            && tag
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && tag
                .split('-')
                .next()
                .is_some_and(|first| (2..=3).contains(&first.len()));
        known.then_some(tag)
    }
}

/// The names of the authors of a thing.
fn authors(thing: &Map<String, Value>) -> Option<String> {
    let names: Vec<String> = match thing.get("author").or_else(|| thing.get("creator"))? {
        Value::Array(authors) => authors.iter().filter_map(name_of).collect(),
        one @ (Value::String(_) | Value::Object(_)) => name_of(one).into_iter().collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    };
    let joined = names.join(", ");
    (!joined.is_empty()).then_some(joined)
}

fn name_of(author: &Value) -> Option<String> {
    let name = match author {
        Value::String(name) => name,
        Value::Object(person) => json_ld::text(person, "name")?,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return None,
    };
    let usable = !name.contains("://") && name.len() <= MAX_BYLINE;
    without_by(name).filter(|_| usable)
}

/// A name without "By" before it.
fn without_by(text: &str) -> Option<String> {
    let text = clean(text);
    let name = [
        "by ", "By ", "BY ", "von ", "Von ", "par ", "Par ", "por ", "Por ",
    ]
    .iter()
    .find_map(|by| text.strip_prefix(by))
    .unwrap_or(&text)
    .trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '|' | '·' | ':' | '•'));
    (!name.is_empty()).then(|| name.to_owned())
}

/// A text on one line, with single spaces.
fn clean(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The whole address of one that may leave out the site.
fn absolute(address: &str, page: Option<&str>) -> Option<String> {
    let address = address.trim();
    if address.starts_with("http://") || address.starts_with("https://") {
        return Some(address.to_owned());
    }
    let (scheme, rest) = page?.split_once("://")?;
    if let Some(other) = address.strip_prefix("//") {
        return Some(format!("{scheme}://{other}"));
    }
    let host = rest.split(['/', '?', '#']).next()?;
    address
        .starts_with('/')
        .then(|| format!("{scheme}://{host}{address}"))
}
