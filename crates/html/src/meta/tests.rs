use super::{Metadata, iso_date, metadata};
use crate::Document;

#[track_caller]
fn check(html: &str, read: impl Fn(&Metadata) -> Option<&str>, expect: &str) {
    let found = metadata(
        &Document::parse(html),
        Some("https://www.example.com/a/b?c"),
    );
    assert_eq!(read(&found).unwrap_or("(none)"), expect, "of {html}");
}

#[test]
fn titles_lose_the_site() {
    let title = |html: &str, expect: &str| check(html, |found| found.title.as_deref(), expect);
    title("<title>A walk in spring</title>", "A walk in spring");
    title(
        "<title>A walk in spring | Example</title>",
        "A walk in spring",
    );
    title("<title>Example.com: home</title>", "Example.com: home");
    title(
        "<title>A walk - in spring - Daily News</title><meta property=og:site_name content='Daily News'>",
        "A walk - in spring",
    );
    title(
        "<title>Daily News » A walk</title><meta property=og:site_name content='Daily News'>",
        "A walk",
    );
    title(
        "<title>A walk in spring – Notes</title><h1>A walk  in\nspring</h1>",
        "A walk in spring",
    );
    title(
        "<title>x</title><meta property=og:title content='A walk'>",
        "A walk",
    );
    title("<title>Walk – or run?</title>", "Walk – or run?");
    title(
        r#"<title>x</title><script type="application/ld+json">{"@type":"NewsArticle","headline":"A walk"}</script>"#,
        "A walk",
    );
    title("<svg><title>icon</title></svg><h1>A walk</h1>", "A walk");
    title("<p>nothing", "(none)");
}

#[test]
fn bylines_are_names() {
    let byline = |html: &str, expect: &str| check(html, |found| found.byline.as_deref(), expect);
    byline("<meta name=author content='By Ada Smith'>", "Ada Smith");
    byline(
        r#"<script type="application/ld+json">{"@graph":[{"@type":"Article","author":[{"name":"Ada"},{"name":"Bo"}]}]}</script>"#,
        "Ada, Bo",
    );
    byline(
        "<meta property=article:author content=https://x.example/ada><a rel=author href=/ada>Ada</a>",
        "Ada",
    );
    byline(
        "<div itemprop=author itemscope><span>text</span><span itemprop=name>Ada</span></div>",
        "Ada",
    );
    byline("<p class=byline>by Ada Smith,</p>", "Ada Smith");
    byline(
        "<meta name=citation_author content=Ada><meta name=citation_author content=Bo>",
        "Ada, Bo",
    );
    byline("<p>by nobody", "(none)");
}

#[test]
fn dates_are_iso() {
    let published =
        |html: &str, expect: &str| check(html, |found| found.published.as_deref(), expect);
    published(
        "<meta property=article:published_time content=2024-03-01T08:30:00+0100>",
        "2024-03-01T08:30:00+01:00",
    );
    published(
        "<p>Seen <time datetime=2024-03-01>yesterday</time>",
        "2024-03-01",
    );
    published(
        "<time datetime=2020-01-01></time><time itemprop=datePublished datetime=2024-03-01></time>",
        "2024-03-01",
    );
    published("<time datetime=soon>", "(none)");
    let modified =
        |html: &str, expect: &str| check(html, |found| found.modified.as_deref(), expect);
    modified(
        r#"<script type="application/ld+json">[{"@type":"BlogPosting","dateModified":"2024-03-02"}]</script>"#,
        "2024-03-02",
    );
}

#[test]
fn iso_dates() {
    let check = |text: &str, expect: &str| {
        assert_eq!(
            iso_date(text).as_deref().unwrap_or("(none)"),
            expect,
            "of {text}"
        );
    };
    check("2024-03-01", "2024-03-01");
    check("2024-03-01T08:30", "2024-03-01");
    check("2024-03-01T08:30Z", "2024-03-01T08:30:00Z");
    check("2024-03-01 08:30:15.250 +0530", "2024-03-01T08:30:15+05:30");
    check("2024/3/1", "2024-03-01");
    check("20240301", "2024-03-01");
    check("2024年3月1日", "2024-03-01");
    check("March 1, 2024", "2024-03-01");
    check("1st March 2024", "2024-03-01");
    check("Fri, 01 Mar 2024 08:30:00 GMT", "2024-03-01T08:30:00Z");
    check("Sept. 9, 2023", "2023-09-09");
    check("03/04/2024", "(none)");
    check("2024-13-01", "(none)");
    check("maybe", "(none)");
    check("", "(none)");
}

#[test]
fn site_language_description_and_address() {
    check(
        "<meta property=og:site_name content='Daily  News'>",
        |found| found.site_name.as_deref(),
        "Daily News",
    );
    let language =
        |html: &str, expect: &str| check(html, |found| found.language.as_deref(), expect);
    language("<html lang=pt_BR>", "pt-BR");
    language("<meta property=og:locale content=de_DE>", "de-DE");
    language("<html lang='{{lang}}'>", "(none)");
    check(
        "<meta name=Description content=' About\nwalks '>",
        |found| found.description.as_deref(),
        "About walks",
    );
    let canonical =
        |html: &str, expect: &str| check(html, |found| found.canonical.as_deref(), expect);
    canonical(
        "<link rel=canonical href=/a/b>",
        "https://www.example.com/a/b",
    );
    canonical(
        "<link rel=canonical href=//m.example.com/a>",
        "https://m.example.com/a",
    );
    canonical("<link rel=canonical href=javascript:x>", "(none)");
    canonical(
        "<meta property=og:url content=http://example.org/>",
        "http://example.org/",
    );
}

#[test]
fn broken_data_is_passed_over() {
    let title = |html: &str, expect: &str| check(html, |found| found.title.as_deref(), expect);
    title(
        r#"<script type="application/ld+json">{"@type":</script><title>T</title>"#,
        "T",
    );
    title(
        "<script type=application/ld+json>{\"@type\":\"Article\",\"headline\":\"two\nlines\"}</script>",
        "two lines",
    );
    let deep = format!(
        "<script type=application/ld+json>{}{}</script><title>T</title>",
        "[".repeat(5_000),
        "]".repeat(5_000)
    );
    title(&deep, "T");
}
