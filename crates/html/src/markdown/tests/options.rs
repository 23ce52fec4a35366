//! What the options change.

use super::{PAGE, markdown};
use crate::{
    dom::{Document, NodeId},
    markdown::{Options, render, render_all},
};

#[track_caller]
fn check(html: &str, options: &Options<'_>, expected: &str) {
    let found = render(&Document::parse(html), NodeId::ROOT, options);
    assert_eq!(found.text, expected);
}

#[test]
fn links_and_images_can_be_left_out() {
    let html = "<p>a <a href=/x>b <img src=i.png alt=c></a><iframe src=/f title=d></iframe>";
    let base_url = Some(PAGE);
    let no_links = Options {
        base_url,
        links: false,
        ..Options::default()
    };
    check(
        html,
        &no_links,
        "a b ![c](https://example.com/docs/a/i.png)\n\nd",
    );
    let no_images = Options {
        base_url,
        images: false,
        ..Options::default()
    };
    check(
        html,
        &no_images,
        "a [b](https://example.com/x)\n\n[d](https://example.com/f)",
    );
}

#[test]
fn without_an_address_links_stay_relative() {
    let html = "<a href=/x>a</a> <a href='y (z)'>b</a> <a href=#c>c</a> <a href=javascript:x>d</a>";
    let expected = "[a](/x) [b](y%20%28z%29) [c](#c) d";
    check(html, &Options::default(), expected);
    for base_url in ["", "nonsense", "file:///x", "data:text/html,x"] {
        let options = Options {
            base_url: Some(base_url),
            ..Options::default()
        };
        check(html, &options, expected);
    }
}

#[test]
fn nodes_can_be_left_out() {
    let html = "<nav>n</nav><p>a<b>b</b>c</p><table><tr><th>A<th>B<tr><td>1<td><i>2</i></table>\
                <sup><a href=#f>1</a></sup><p id=f>f</p><pre>x<b>y</b></pre>";
    let document = Document::parse(html);
    let skip = |id: NodeId| {
        document.is_any(id, &["nav", "b", "i"]) || document.attr(id, "id") == Some("f")
    };
    let options = Options {
        skip: Some(&skip),
        ..Options::default()
    };
    let found = render(&document, NodeId::ROOT, &options);
    assert_eq!(
        found.text,
        "ac\n\n| A | B |\n| --- | --- |\n| 1 | |\n\n<sup>[1](#f)</sup>\n\n```\nx\n```"
    );
}

#[test]
fn several_nodes_are_blocks_in_the_order_given() {
    let document = Document::parse("<p id=a>a <b>b</b><ul><li>c<li>d</ul>e<td>f");
    let find = |name: &str| -> Vec<NodeId> {
        document
            .descendants(NodeId::ROOT)
            .filter(|&id| document.is(id, name))
            .collect()
    };
    let all = |roots: &[NodeId]| render_all(&document, roots, &Options::default()).text;
    let body = document.body().unwrap();
    let text = document.last_child(body).unwrap();
    assert_eq!(
        all(&[find("p"), find("ul"), vec![text]].concat()),
        "a **b**\n\n- c\n- d\n\nef"
    );
    assert_eq!(all(&find("li")), "- c\n\n- d");
    assert_eq!(all(&[find("b"), find("p")].concat()), "**b**\n\na **b**");
    assert_eq!(all(&[]), "");
}

#[test]
fn what_is_cut_ends_with_a_line() {
    let html = "<p>first</p><p>second and more</p>";
    for (limit, expected) in [
        (100, "first\n\nsecond and more"),
        (22, "first\n\nsecond and more"),
        (21, "first\n\nsecond and mor"),
        (10, "first"),
        (3, "fir"),
        (0, ""),
    ] {
        let options = Options {
            limit,
            ..Options::default()
        };
        let found = render(&Document::parse(html), NodeId::ROOT, &options);
        assert_eq!(found.text, expected);
        assert_eq!(found.truncated, limit < 22, "of {limit}");
    }
}

#[test]
fn a_page_without_scripts_reads_the_same() {
    let html = "<p>a<noscript>no <img src=/i.png alt=i></noscript>b";
    let document = Document::parse_without_scripting(html);
    let options = Options {
        base_url: Some(PAGE),
        ..Options::default()
    };
    let found = render(&document, NodeId::ROOT, &options);
    assert_eq!(found.text, markdown(html));
    assert_eq!(found.text, "a![i](https://example.com/i.png)b");
}
