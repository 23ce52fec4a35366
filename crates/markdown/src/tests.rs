//! What becomes of each kind of text.

use proptest::prelude::*;
use tabwright_protocol::{Block, Inline};

use crate::blocks;

/// The blocks in short: one line a block, indented by its depth.
pub(crate) fn show(blocks: &[Block]) -> String {
    let mut out = String::new();
    for block in blocks {
        show_block(block, 0, &mut out);
    }
    out
}

fn show_block(block: &Block, depth: usize, out: &mut String) {
    let line = match block {
        Block::Paragraph { content } => format!("p {}", inlines(content)),
        Block::Heading { level, content } => format!("h{level} {}", inlines(content)),
        Block::Code { language, text } => format!("code {language} {text:?}"),
        Block::Quote { .. } => "quote".to_owned(),
        Block::List { start, .. } => start.map_or("ul".to_owned(), |start| format!("ol {start}")),
        Block::Table { align, head, rows } => {
            let row = |cells: &Vec<Vec<Inline>>| {
                let cells: Vec<_> = cells.iter().map(|cell| inlines(cell)).collect();
                cells.join("|")
            };
            let rows: Vec<_> = rows.iter().map(row).collect();
            format!("table {align:?} {} / {}", row(head), rows.join(" / "))
        }
        Block::Math { tex } => format!("math {tex:?}"),
        Block::Rule => "rule".to_owned(),
    };
    out.push_str(&"  ".repeat(depth));
    out.push_str(line.trim_end());
    out.push('\n');
    match block {
        Block::Quote { blocks } => blocks
            .iter()
            .for_each(|block| show_block(block, depth + 1, out)),
        Block::List { items, .. } => {
            for item in items {
                let mark = match item.checked {
                    None => "-",
                    Some(false) => "[ ]",
                    Some(true) => "[x]",
                };
                out.push_str(&format!("{}{mark}\n", "  ".repeat(depth + 1)));
                for block in &item.blocks {
                    show_block(block, depth + 2, out);
                }
            }
        }
        Block::Paragraph { .. }
        | Block::Heading { .. }
        | Block::Code { .. }
        | Block::Table { .. }
        | Block::Math { .. }
        | Block::Rule => {}
    }
}

fn inlines(content: &[Inline]) -> String {
    let one = |inline: &Inline| match inline {
        Inline::Text { text } => text.replace('\n', "\\n"),
        Inline::Code { text } => format!("`{text}`"),
        Inline::Emphasis { content } => format!("<em {}>", inlines(content)),
        Inline::Strong { content } => format!("<strong {}>", inlines(content)),
        Inline::Strike { content } => format!("<strike {}>", inlines(content)),
        Inline::Link { url, content } => format!("<link {url} {}>", inlines(content)),
        Inline::Image { url, alt } => format!("<image {url} {alt:?}>"),
        Inline::Math { tex } => format!("<math {tex}>"),
        Inline::Break => "<break>".to_owned(),
    };
    content.iter().map(one).collect()
}

fn check(text: &str, expected: &str) {
    let expected: Vec<_> = expected.lines().map(str::trim_end).collect();
    let shown = show(&blocks(text));
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn paragraphs_headings_and_rules() {
    check("", "");
    check(" \n\n", "");
    check("a\nb  \nc\\\nd\n\ne", "p a\\nb<break>c<break>d\np e");
    check(
        "# a\n\n### b *c*\n\nd\n---\n\n***",
        "h1 a\nh3 b <em c>\nh2 d\nrule",
    );
    check("&lt;b&gt; &amp; \\*", "p <b> & *");
}

#[test]
fn emphasis_code_and_strikethrough() {
    check(
        "*a* **b** ***c*** ~~d~~ `e <f>` _g **h**_",
        "p <em a> <strong b> <em <strong c>> <strike d> `e <f>` <em g <strong h>>",
    );
    check("a * b ** c", "p a * b ** c");
}

#[test]
fn code_blocks_keep_their_text() {
    check(
        "```rust ignore\nfn a() {}\n\n  b\n```",
        r#"code rust "fn a() {}\n\n  b""#,
    );
    check("```\n```", r#"code  """#);
    check("    a\n    b", r#"code  "a\nb""#);
    check("```\n<script>", r#"code  "<script>""#);
}

#[test]
fn lists_of_every_kind() {
    check(
        "- a\n- b\n  - c\n\n7. d\n8. e",
        "ul\n  -\n    p a\n  -\n    p b\n    ul\n      -\n        p c\nol 7\n  -\n    p d\n  -\n    p e",
    );
    check("- a\n\n- b", "ul\n  -\n    p a\n  -\n    p b");
    check(
        "- [ ] a\n- [x] *b*\n- c",
        "ul\n  [ ]\n    p a\n  [x]\n    p <em b>\n  -\n    p c",
    );
    check("- [x] a\n\n  b", "ul\n  [x]\n    p a\n    p b");
    check(
        "- a\n  ```\n  b\n  ```\n  c\n-\n- # d",
        "ul\n  -\n    p a\n    code  \"b\"\n    p c\n  -\n  -\n    h1 d",
    );
}

#[test]
fn quotes_hold_blocks() {
    check(
        "> a\nb\n> - c\n\nd",
        "quote\n  p a\\nb\n  ul\n    -\n      p c\np d",
    );
}

#[test]
fn tables_have_aligned_columns() {
    check(
        "| a | *b* | c | d |\n|---|:--|:-:|--:|\n| 1 | `2\\|` | 3 |\n\nx",
        "table [None, Left, Center, Right] a|<em b>|c|d / 1|`2|`|3|\np x",
    );
}

#[test]
fn math_is_a_block_where_a_block_may_be() {
    check("a $x^2$ b", "p a <math x^2> b");
    check("$$\nx\n$$", "math \"\\nx\\n\"");
    check("a\n$$x$$\nb", "p a\nmath \"x\"\np b");
    check(
        "a $$x$$ and $$y$$.",
        "p a\nmath \"x\"\np and\nmath \"y\"\np .",
    );
    check("- $$x$$\n- b", "ul\n  -\n    math \"x\"\n  -\n    p b");
    check("# $$x$$\n\n*$$y$$*", "h1 <math x>\np <em <math y>>");
    check("It costs $5 and then $10.", "p It costs $5 and then $10.");
}

#[test]
fn html_is_shown_and_never_interpreted() {
    check(
        "<div onclick=x>\n*a*\n</div>\n\nb",
        "code html \"<div onclick=x>\\n*a*\\n</div>\"\np b",
    );
    check(
        "a <b>c</b><br> <script>x</script>",
        "p a <b>c</b><br> <script>x</script>",
    );
    check("<!-- a -->", "code html \"<!-- a -->\"");
    check(
        "- <img src=x onerror=y>",
        "ul\n  -\n    code html \"<img src=x onerror=y>\"",
    );
}

#[test]
fn links_lead_to_allowed_addresses_or_are_their_text() {
    check(
        "[a *b*](https://a.test/x \"t\") <https://b.test> <c@d.test>",
        "p <link https://a.test/x a <em b>> <link https://b.test/ https://b.test> <link mailto:c@d.test c@d.test>",
    );
    check("[a *b*](javascript:x) [c](/d) e", "p a <em b> c e");
    check("<javascript:x>", "p javascript:x");
    check(
        "[](https://a.test/)",
        "p <link https://a.test/ https://a.test/>",
    );
    check(
        "[a][r] [r]\n\n[r]: https://a.test/",
        "p <link https://a.test/ a> <link https://a.test/ r>",
    );
    check("[a][r]\n\n[r]: data:x", "p a");
}

#[test]
fn images_are_their_address_and_alternative_text_or_only_that() {
    check(
        "![a *b* `c`](https://a.test/x.png)",
        "p <image https://a.test/x.png \"a b c\">",
    );
    check("![a](data:image/png;base64,AA) b", "p a b");
    check(
        "[![a](https://a.test/x)](https://b.test/)",
        "p <link https://b.test/ <image https://a.test/x \"a\">>",
    );
    check(
        "![a ![b](https://a.test/1) [c](https://a.test/2)](https://a.test/3)",
        "p <image https://a.test/3 \"a b c\">",
    );
}

fn depth(blocks: &[Block]) -> usize {
    let below = |block: &Block| match block {
        Block::Quote { blocks } => depth(blocks),
        Block::List { items, .. } => items
            .iter()
            .map(|item| depth(&item.blocks) + 1)
            .max()
            .unwrap_or(0),
        Block::Table { head, rows, .. } => {
            let cells = head.iter().chain(rows.iter().flatten());
            cells.map(|cell| inline_depth(cell) + 2).max().unwrap_or(0)
        }
        Block::Paragraph { content } | Block::Heading { content, .. } => inline_depth(content),
        Block::Code { .. } | Block::Math { .. } | Block::Rule => 0,
    };
    blocks
        .iter()
        .map(|block| below(block) + 1)
        .max()
        .unwrap_or(0)
}

fn inline_depth(content: &[Inline]) -> usize {
    let below = |inline: &Inline| match inline {
        Inline::Emphasis { content }
        | Inline::Strong { content }
        | Inline::Strike { content }
        | Inline::Link { content, .. } => inline_depth(content),
        Inline::Text { .. }
        | Inline::Code { .. }
        | Inline::Image { .. }
        | Inline::Math { .. }
        | Inline::Break => 0,
    };
    content
        .iter()
        .map(|inline| below(inline) + 1)
        .max()
        .unwrap_or(0)
}

/// Nesting without end stays within bounds, and no word of it is lost.
#[test]
fn what_is_too_deep_becomes_text() {
    let check = |text: &str| {
        let blocks = blocks(text);
        assert!(
            (20..=40).contains(&depth(&blocks)),
            "{} {:.60}",
            depth(&blocks),
            text
        );
        assert!(show(&blocks).contains("word"), "{text:.60}");
    };
    for deep in [100, 5_000] {
        check(&format!("{}word", "> ".repeat(deep)));
        check(&format!("{}word\n\nnext", ">".repeat(deep)));
        check(&format!("{}word", "- ".repeat(deep)));
        check(&format!(
            "{}a | word\n{}--|--\n",
            "> ".repeat(deep),
            "> ".repeat(deep)
        ));
        check(&format!(
            "{}```\n{}word",
            "> ".repeat(deep),
            "> ".repeat(deep)
        ));
        check(&format!(
            "{}word{}",
            "*a **b ".repeat(deep),
            " b** a*".repeat(deep)
        ));
        check(&format!("{}> *word*", "1. ".repeat(deep)));
    }
}

#[test]
fn two_paragraphs_that_are_too_deep_stay_two() {
    let quote = "> ".repeat(100);
    let shown = show(&blocks(&format!("{quote}a\n{quote}\n{quote}b")));
    let texts: Vec<_> = shown
        .lines()
        .map(str::trim)
        .filter(|line| *line != "quote")
        .collect();
    assert_eq!(texts, ["p a", "p b"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(2_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_bounded_blocks(text in crate::streaming::tests::markdown_text(), noise in ".{0,40}") {
        for text in [text.clone(), noise.clone(), format!("{text}{noise}")] {
            prop_assert!(depth(&blocks(&text)) <= 40);
        }
    }
}
