//! Pages that are made to be slow or large. A test here that does not end in seconds has found
//! something that grows faster than its page.

use proptest::{collection::vec, prelude::*, sample::select};

use super::{PAGE, markdown};
use crate::{
    dom::{Document, NodeId},
    markdown::{Options, render},
};

const MANY: usize = 100_000;
const WIDE: usize = 30_000;

fn page(open: &str, content: &str, close: &str) -> String {
    format!("{}{content}{}", open.repeat(MANY), close.repeat(MANY))
}

#[test]
fn deep_pages_end() {
    for (open, close) in [
        ("<div>", "</div>"),
        ("<b>", "</b>"),
        ("<i><b><s><code>", ""),
        ("<span>x", "</span>"),
        ("<blockquote>x", ""),
        ("<ul><li>x", ""),
        ("<ol><li><blockquote>", ""),
        ("<ul>", ""),
        ("<table><tr><td>x", ""),
        ("<table><tr><th>a<th>b<tr><td>", ""),
        ("<dl><dd>x", ""),
        ("<math><mrow>", ""),
        ("<math><mfrac><mi>x</mi>", ""),
        ("<math><mi>x", ""),
        ("<a href=/x>y", ""),
        ("<sup><a href=#x>1", ""),
        ("<h2>x", ""),
        ("<pre>x", ""),
        ("<code>`", ""),
        ("<span class=katex>x", ""),
        ("<figure class='highlight language-x'><pre>x</pre>", ""),
        ("<ruby>a<rt>b", ""),
        ("<details><summary>s", ""),
        ("<svg><g>", ""),
        ("<template>", ""),
    ] {
        let html = page(open, "end", close);
        let text = markdown(&html);
        assert!(
            text.len() <= 128 * html.len(),
            "{} bytes of {open}",
            text.len()
        );
    }
}

#[test]
fn wide_pages_end() {
    let long = "x".repeat(WIDE);
    let spaces = " ".repeat(WIDE);
    let row = "<td rowspan=65534 colspan=1000>x".repeat(2_000);
    for html in [
        "<p>".repeat(WIDE),
        "<br>".repeat(WIDE),
        "x<br>".repeat(WIDE),
        "<b>x</b>".repeat(WIDE),
        "<b>(</b>x".repeat(WIDE),
        "<code>x</code>".repeat(WIDE),
        "<ul><li>x</ul>".repeat(WIDE),
        "\\(".repeat(WIDE),
        "$$".repeat(WIDE),
        "$$x".repeat(WIDE),
        "&lt;".repeat(WIDE),
        "&amp;".repeat(WIDE),
        "* ".repeat(WIDE),
        "[".repeat(WIDE),
        "](".repeat(WIDE),
        "`".repeat(WIDE),
        "#".repeat(WIDE),
        format!("<h1>{}", " #".repeat(WIDE)),
        format!("<code>{}", "`".repeat(WIDE)),
        format!("<pre>{}", "\n".repeat(WIDE)),
        format!("<b>{}", "<i>(</i>x".repeat(WIDE)),
        format!(
            "<table>{}",
            "<tr><td rowspan=65534 colspan=1000>x".repeat(WIDE)
        ),
        format!("<table><tr>{row}{}", "<tr><td>x".repeat(WIDE)),
        format!("<table>{}", "<tr><th>a<th>b<tr><td><td>".repeat(WIDE / 4)),
        format!("<a href=/{long}>{}", "<p><img src=x alt=y>".repeat(WIDE)),
        format!(
            "<a href=/{}>{}",
            &long[..4_000],
            "<p><img src=x alt=y>".repeat(WIDE)
        ),
        format!(
            "<base href=http://a/{long}>{}",
            "<a href=x>y</a>".repeat(WIDE)
        ),
        format!(
            "<div data-lang={long} class={long}>{}",
            "<pre>x</pre>".repeat(WIDE / 4)
        ),
        format!("<div>{spaces}{}", "<img src=data:x><noscript>".repeat(WIDE)),
        format!("<sup>{long}{}", "<a href=#x>1</a>".repeat(WIDE)),
        "<sup><a href=#x>1</a></sup><p id=x>".repeat(WIDE),
        (0..WIDE)
            .map(|n| format!("<sup><a href=#n{n}>1</a></sup><p id=n{n}>x"))
            .collect(),
        format!(
            "<p>{spaces}{}",
            "<math><semantics><mi>x</mi><annotation encoding=tex>\\displaystyle x"
                .repeat(WIDE / 10)
        ),
        format!(
            "<picture><source srcset='{}'>{}",
            "a 1x, ".repeat(WIDE),
            "<img>".repeat(WIDE / 10)
        ),
        "<noscript><img src=x></noscript>".repeat(WIDE / 10),
        format!("<noscript>{}</noscript>", "<img src=x>".repeat(WIDE)),
        "<select><option>".repeat(WIDE),
        "<abbr title=x>y</abbr>".repeat(WIDE),
        "<dl><dt>x<dd>y".repeat(WIDE),
        "<input type=checkbox><hr>".repeat(WIDE),
    ] {
        let text = markdown(&html);
        let start = &html[..html.floor_char_boundary(40)];
        assert!(
            text.len() <= 64 * html.len(),
            "{} bytes of {start}",
            text.len()
        );
    }
}

#[test]
fn the_limit_holds_everywhere() {
    for html in [
        "<p>word <b>bold</b>".repeat(1_000),
        format!("<pre>{}", "line\n".repeat(5_000)),
        format!("<table><tr><th>a<th>b{}", "<tr><td>x<td>y".repeat(2_000)),
        format!("<table><tr><th>a<th>b<tr><td>{}", "word ".repeat(200)),
        format!("<p>{}", "é".repeat(5_000)),
        format!("<a href=/{}>x</a>", "y".repeat(3_000)),
    ] {
        let document = Document::parse(&html);
        let all = render(&document, NodeId::ROOT, &Options::default());
        assert!(!all.truncated);
        for limit in [0, 1, 7, 500] {
            let options = Options {
                limit,
                ..Options::default()
            };
            let part = render(&document, NodeId::ROOT, &options);
            assert!(part.truncated && part.text.len() <= limit);
        }
        let exact = Options {
            limit: all.text.len() + 64,
            ..Options::default()
        };
        assert_eq!(render(&document, NodeId::ROOT, &exact), all);
    }
}

fn anything() -> impl Strategy<Value = String> {
    let tags = vec![
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<i>",
        "</i>",
        "<a href=x>",
        "<a href='#n'>",
        "</a>",
        "<table>",
        "<tr>",
        "<td>",
        "<th rowspan=0>",
        "<td colspan=3 rowspan=2>",
        "</table>",
        "<caption>",
        "<thead>",
        "<ul>",
        "</ul>",
        "<ol start=-5 reversed>",
        "</ol>",
        "<li>",
        "<li value=99999999999>",
        "<pre>",
        "</pre>",
        "<code>",
        "</code>",
        "<br>",
        "<hr>",
        "<h1>",
        "</h1>",
        "<h3>",
        "<blockquote>",
        "</blockquote>",
        "<img src=x alt=']('>",
        "<img>",
        "<math>",
        "</math>",
        "<mfrac>",
        "<mi>",
        "<annotation encoding=tex>",
        "<sup>",
        "</sup>",
        "<p id=n>",
        "<noscript>",
        "</noscript>",
        "<svg>",
        "</svg>",
        "<script type=math/tex>",
        "</script>",
        "<select>",
        "<option>",
        "</select>",
        "<dl>",
        "<dt>",
        "<dd>",
        "</dl>",
        "<details>",
        "<summary>",
        "</details>",
        "<ruby>",
        "<rt>",
        "</ruby>",
        "<q>",
        "</q>",
        "<abbr title=t>",
        "</abbr>",
        "<input type=checkbox>",
        "<button>",
        "</button>",
        "<video src=v>",
        "</video>",
        "<iframe src=f>",
        "</iframe>",
        "<template>",
        "</template>",
        "<div hidden>",
        "</div>",
        "<span class=katex>",
        "</span>",
        "<td class=gutter>",
        "&nbsp;",
        "&amp",
        "<del>",
        "</del>",
        "[",
        "]",
        "(",
        "*",
        "`",
        "\\",
        "\n",
        " ",
        "text",
        "1.",
        "\0",
        "\u{200b}",
        "é",
    ];
    let part = prop_oneof![8 => select(tags).prop_map(str::to_owned), 1 => ".{0,8}"];
    vec(part, 0..60).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn any_page_ends_within_its_limit(html in anything(), limit in 0..200_usize, links: bool, images: bool) {
        let document = Document::parse(&html);
        let skip = |id: NodeId| id.index() % 17 == 16;
        let options = Options { base_url: Some(PAGE), limit, links, images, skip: Some(&skip) };
        let part = render(&document, NodeId::ROOT, &options);
        prop_assert!(part.text.len() <= limit);
        let all = Options { limit: usize::MAX, ..options };
        let all = render(&document, NodeId::ROOT, &all);
        prop_assert!(!all.truncated);
        prop_assert_eq!(all.text.trim(), &all.text);
        prop_assert!(part.truncated || part == all);
        for root in document.descendants(NodeId::ROOT).take(20) {
            render(&document, root, &options);
        }
    }
}
