//! What a reader of the Markdown sees is what the page shows.

use proptest::{collection::vec, prelude::*, sample::select};
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::markdown;
use crate::dom::Document;

/// The letters and signs of a text, without white space.
fn dense(text: &str) -> String {
    text.chars()
        .filter(|character| !character.is_whitespace())
        .collect()
}

/// What the page shows.
fn shown(html: &str) -> String {
    let document = Document::parse(html);
    dense(&document.text_content(document.body().unwrap()))
}

fn parse(markdown: &str) -> Parser<'_> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    Parser::new_ext(markdown, options)
}

/// What a reader of the Markdown sees.
fn read(markdown: &str) -> String {
    let mut text = String::new();
    for event in parse(markdown) {
        if let Event::Text(part) | Event::Code(part) | Event::Html(part) = event {
            text.push_str(&part);
        }
    }
    dense(&text)
}

/// Whether there is anything but paragraphs and lines. A bare address may become a link.
fn has_markup(markdown: &str) -> bool {
    parse(markdown).any(|event| match event {
        Event::Start(tag) => !matches!(tag, Tag::Paragraph | Tag::Link { .. }),
        Event::Code(_) | Event::Html(_) | Event::InlineHtml(_) | Event::Rule => true,
        Event::FootnoteReference(_) | Event::TaskListMarker(_) => true,
        Event::InlineMath(_) | Event::DisplayMath(_) => true,
        Event::Text(_) | Event::End(_) | Event::SoftBreak | Event::HardBreak => false,
    })
}

fn letters() -> impl Strategy<Value = String> {
    let signs = vec![
        "a",
        "b",
        " ",
        "*",
        "_",
        "`",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "#",
        "-",
        "+",
        "1.",
        "2)",
        "!",
        "\\",
        "|",
        "~",
        "~~",
        "&",
        "&amp;amp;",
        "=",
        "$",
        ".",
        "é",
        "。",
        "“",
        "\n",
        "^",
        "x",
        "http://x",
        "@",
        "\"",
        "'",
        "/",
    ];
    vec(select(signs), 0..7).prop_map(|parts| escaped(&parts.concat()))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn inline() -> impl Strategy<Value = String> {
    let leaf = letters();
    leaf.prop_recursive(3, 12, 4, |inner| {
        let tags = select(vec!["b", "i", "code", "span", "s", "a href=/u", "sub"]);
        let element = (tags, vec(inner.clone(), 0..4)).prop_map(|(tag, parts)| {
            let name = tag.split(' ').next().unwrap_or_default();
            format!("<{tag}>{}</{name}>", parts.concat())
        });
        prop_oneof![
            2 => letters(),
            2 => element,
            1 => Just("<br>".to_owned()),
        ]
    })
}

fn block() -> impl Strategy<Value = String> {
    let run = || vec(inline(), 0..4).prop_map(|parts| parts.concat());
    let leaf = prop_oneof![
        run().prop_map(|text| format!("<p>{text}</p>")),
        run().prop_map(|text| format!("<div>{text}</div>")),
        run().prop_map(|text| format!("<h2>{text}</h2>")),
        letters().prop_map(|text| format!("<pre>{text}</pre>")),
        (run(), run(), run()).prop_map(|(a, b, c)| {
            format!("<table><tr><th>h{a}<th>i<tr><td>{b}<td>{c}</table>")
        }),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let tags = select(vec![
            "ul><li",
            "ol><li",
            "blockquote",
            "div",
            "ol start=7><li",
        ]);
        (tags, vec(inner, 1..4)).prop_map(|(tag, parts)| {
            let between = if tag.contains("li") { "<li>" } else { "" };
            let name = tag.split(['>', ' ']).next().unwrap_or_default();
            format!("<{tag}>{}</{name}>", parts.join(between))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("ROUND_TRIPS").ok().and_then(|cases| cases.parse().ok()).unwrap_or(200)
    ))]

    #[test]
    fn a_reader_sees_what_the_page_shows(parts in vec(block(), 1..4)) {
        let html = parts.concat();
        // TeX is kept as it is, though a reader of Markdown sees less of it.
        let html = html.replace("\\(", "\\ (").replace("\\[", "\\ [").replace('$', "$ ");
        let text = markdown(&html);
        prop_assert_eq!(read(&text), shown(&html), "of {} as\n{}\n", html, text);
    }

    #[test]
    fn text_is_never_markup(text in letters(), other in letters()) {
        for html in [
            format!("<p>{text}</p>"),
            format!("<p>{text}<span>{other}</span></p>"),
            format!("<p>x<br>{text}</p>"),
            format!("<p>x</p><div>{text}</div>"),
        ] {
            let text = markdown(&html);
            prop_assert!(!has_markup(&text), "of {} as\n{}\n", html, text);
        }
    }
}
