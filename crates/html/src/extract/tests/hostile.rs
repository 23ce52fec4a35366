//! Pages made to cost time or to break something.

use proptest::strategy::Strategy;

use crate::{
    Document,
    extract::{Options, extract},
    meta::metadata,
};

fn run(html: &str) -> String {
    let document = Document::parse_without_scripting(html);
    metadata(&document, None);
    let scripted = Document::parse(html);
    extract(&scripted, &Options::default()).plain_text(&scripted);
    extract(&document, &Options::default()).plain_text(&document)
}

#[test]
fn large_and_deep_pages_end() {
    let words = "word ".repeat(20);
    for page in [
        "<div class=post>".repeat(20_000) + "x",
        "<div><p>a, b. c".repeat(4_000),
        "<a href=x>".repeat(10_000) + "x",
        format!("<nav class='menu modal'>{words}").repeat(4_000),
        format!("<aside class=author><article class=comment>{words}").repeat(3_000),
        "<h2>Related posts</h2>".repeat(8_000),
        "<form><label>x".repeat(8_000),
        "<ul><li><a href=x>one two three four</a> $5".repeat(5_000),
        "<noscript><p>x".repeat(4_000),
        "<pre><code>x".repeat(4_000),
        "x".repeat(10 << 20),
        "<p>".repeat(1 << 17),
        "<span>x</span>".repeat(60_000),
        format!("<div class='{}'>x</div>", "nav-".repeat(100_000)),
        format!("<div style='{}'>x</div>", "a:b;".repeat(100_000)),
    ] {
        run(&page);
    }
}

proptest::proptest! {
    #[test]
    fn any_page_gives_some_text(parts in proptest::collection::vec(
        proptest::prop_oneof![
            proptest::sample::select(vec![
                "<p>", "</p>", "<div class=post>", "</div>", "<a href=x>", "</a>", "<table>", "<tr>", "<td>",
                "</table>", "<nav>", "</nav>", "<article>", "</article>", "<main>", "</main>", "<h1>", "</h1>",
                "<h2>Related</h2>", "<aside class=author>", "</aside>", "<form>", "<label>", "<button>", "<pre>",
                "</pre>", "<noscript>", "</noscript>", "<ul>", "<li>", "</ul>", "<time datetime=2024-01-01>",
                "<div hidden>", "<section class='comments faq'>", "</section>", "<body itemtype=x/Product>",
                "<meta name=generator content=phpBB>", "<meta property=og:type content=product>",
                "<script type=application/ld+json>{\"@type\":\"Product\",\"offers\":[]}</script>",
                "<h3>$5.00</h3>", "One, two. Three! Four; five? Six words more than this.", "中文。",
            ]).prop_map(str::to_owned),
            ".{0,12}",
        ],
        0..80,
    )) {
        let page = parts.concat();
        let document = Document::parse_without_scripting(&page);
        let found = extract(&document, &Options::default());
        for &root in &found.roots {
            proptest::prop_assert!(!found.left_out.contains(&root));
        }
        run(&page);
    }
}
