//! One small page of each type, and the ways pages of that type differ.

use super::{check, lines, paragraphs, sentence};
use crate::{
    Document,
    extract::{Options, PageType, extract},
};

/// What stands around the content of most sites.
fn site(head: &str, content: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head>{head}</head><body class='has-sidebar menu-closed'>
        <header class=site-header><a href=/>Mill Gazette</a>
          <nav><ul><li><a href=/a>News</a><li><a href=/b>Sport</a><li><a href=/c>Weather</a></ul></nav>
        </header>
        <div class=cookie-banner><p>We use cookies to make this site better. Do you agree?</p><button>Yes</button></div>
        {content}
        <aside class=sidebar><h3>Most read</h3><ul><li><a href=/1>One thing</a><li><a href=/2>Another thing</a></ul></aside>
        <footer><p>© 2024 Mill Gazette. All rights reserved.</p><a href=/imprint>Imprint</a></footer>
        </body></html>"
    )
}

#[test]
fn an_article_is_its_text() {
    let page = site(
        "<meta property=og:type content=article>",
        &format!(
            "<article><h1>The mill</h1>
            <div class=share-buttons><a href=#>Share</a><a href=#>Tweet</a></div>
            {}<h2>The wheel</h2>{}
            <ul><li>grey stone</li><li>oak</li></ul>
            <div class=related-posts><h3>Related posts</h3><a href=/x>The bakery</a></div>
            <div id=comments><h2>2 comments</h2><p>What a nice story this is, thank you for it.</p></div>
            </article>",
            paragraphs(1..5),
            paragraphs(5..8)
        ),
    );
    let expect = format!(
        "The mill\n{}The wheel\n{}grey stone\noak",
        lines(1..5),
        lines(5..8)
    );
    check(&page, PageType::Article, &expect);
}

#[test]
fn an_article_is_found_without_any_helpful_element() {
    let page = format!(
        "<meta property=og:type content=article><body><div><div><a href=/>Home</a> <a href=/n>News</a>
        <a href=/s>Sport</a></div><div><div><div>{}</div></div></div>
        <div>Follow us</div><div><a href=/t>Terms</a> <a href=/p>Privacy</a> <a href=/c>Contact</a></div></div>",
        paragraphs(1..9)
    );
    check(&page, PageType::Article, &lines(1..9));
}

#[test]
fn sections_about_other_things_go_by_their_headings() {
    let page = site(
        "<meta property=og:type content=article>",
        &format!(
            "<main>{}<section><h2>You may also like</h2><div><a href=/1>The old bridge</a></div></section>
            <h3>Read next</h3><ul><li><a href=/2>The ferry</a></li><li><a href=/3>The tower</a></li></ul></main>",
            paragraphs(1..9)
        ),
    );
    check(&page, PageType::Article, &lines(1..9));
}

#[test]
fn documentation_keeps_code_as_it_is() {
    let code = "let wheel = Wheel::new();\n    wheel.turn(); // slowly";
    let page = site(
        "<meta name=generator content='mkdocs-1.6'>",
        &format!(
            "<main><h1>Turning wheels<a class=headerlink href=#t>¶</a></h1>{}
            <div class=highlight><pre><code><span class=nav>{code}</span><span class=comment></span></code></pre></div>
            <div class='admonition note'><p>Oil it first.</p></div>
            <table><tr><th>Name<th>Meaning<tr><td>turn<td>once round</table></main>",
            paragraphs(1..4)
        ),
    );
    let expect = format!(
        "Turning wheels\n{}{code}\nOil it first.\nName\nMeaning\nturn\nonce round",
        lines(1..4)
    );
    check(&page, PageType::Documentation, &expect);
}

#[test]
fn headings_that_are_links_and_heads_of_sections_stay() {
    let page = format!(
        "<meta name=generator content=mdBook><body><main><h1><a class=header href=#a>The mill</a></h1>{}
        <div class=header><h2>The wheel</h2><p>Made of oak.</p></div>{}
        <div class=page-header><a href=/1>One</a> <a href=/2>Two</a> <a href=/3>Three</a></div></main>",
        paragraphs(1..3),
        paragraphs(3..5)
    );
    let expect = format!(
        "The mill\n{}The wheel\nMade of oak.\n{}",
        lines(1..3),
        lines(3..5)
    );
    check(&page, PageType::Documentation, &expect);
}

#[test]
fn readers_may_write_more_than_the_author() {
    let page = format!(
        "<meta property=og:type content=article><body><main><h1>The mill</h1>{}
        <div class=comments>{}</div></main>",
        paragraphs(1..5),
        paragraphs(5..20)
    );
    check(
        &page,
        PageType::Article,
        &format!("The mill\n{}", lines(1..5)),
    );
}

#[test]
fn teasers_of_articles_are_no_part_of_a_service() {
    let page = format!(
        "<link rel=canonical href=https://example.com/services/><body><main>{}
        <div><a href=/a><b>Why stones wear</b> <span>6 min read</span> <p>A mill stone lasts for years.</p></a></div>
        </main>",
        paragraphs(1..4)
    );
    check(&page, PageType::Service, &lines(1..4));
}

#[test]
fn code_is_not_left_out_by_the_names_of_its_tokens() {
    let page = format!(
        "<meta name=generator content=Sphinx><body><main>{}<pre><span class='hljs-comment'># nav</span>
<span class='token footer'>run</span></pre></main>",
        paragraphs(1..4)
    );
    check(
        &page,
        PageType::Documentation,
        &format!("{}# nav\nrun", lines(1..4)),
    );
}

fn post(n: usize) -> String {
    format!(
        "<article class='message post' id=post-{n}><div class=message-user><a href=/u/{n} class=username>Miller{n}</a>
        <div class=userTitle>Member</div><dl><dt>Joined</dt><dd>May 2012</dd></dl></div>
        <div><time datetime=2024-03-0{n}>March {n}, 2024</time> <a href=#p{n}>#{n}</a>
        <div class=post-body><p>{}</p></div><div class=reactions>{n} likes</div><a href=#>Reply</a></div></article>",
        sentence(n)
    )
}

#[test]
fn a_forum_page_has_each_post_with_author_and_time() {
    let posts: String = (1..6).map(post).collect();
    let page = site(
        "<meta name=generator content=XenForo>",
        &format!(
            "<div class=p-body><h1>How do wheels turn?</h1><ul class=thread-tools><li><a href=#>Watch</a></ul>
            <div class=posts-list>{posts}</div><form><textarea></textarea><button>Post reply</button></form>
            <div><h3>Similar threads</h3><a href=/t/1>Stones</a></div></div>"
        ),
    );
    let expect: String = (1..6)
        .map(|n| format!("Miller{n}\nMarch {n}, 2024\n{}\n", sentence(n)))
        .collect();
    check(
        &page,
        PageType::Forum,
        &format!("How do wheels turn?\n{expect}"),
    );
}

#[test]
fn posts_that_are_only_for_readers_without_scripts() {
    let posts: String = (1..12)
        .map(|n| {
            format!(
                "<div class=topic-post><b>Miller{n}</b><p>{}</p></div>",
                sentence(n)
            )
        })
        .collect();
    let page = format!(
        "<meta name=generator content='Discourse 3'><body><div id=app>Loading</div><noscript>{posts}</noscript>"
    );
    let expect: String = (1..12)
        .map(|n| format!("Miller{n}\n{}\n", sentence(n)))
        .collect();
    check(&page, PageType::Forum, &expect);
}

#[test]
fn elements_for_readers_without_scripts_are_no_roots_and_keep_their_pictures() {
    let posts = paragraphs(1..8);
    let html = format!("<body><div>Loading</div><noscript>{posts}</noscript>");
    let document = Document::parse_without_scripting(&html);
    let found = extract(&document, &Options::default());
    assert!(found.roots.iter().all(|&root| document.is(root, "p")));
    let html = format!(
        "<meta property=og:type content=article><body><main>{posts}<img data-src=a><noscript><img src=a></noscript>
        <noscript><p>Turn on scripts!</p></noscript></main>"
    );
    let document = Document::parse_without_scripting(&html);
    let found = extract(&document, &Options::default());
    let left_out: Vec<String> = found
        .left_out
        .iter()
        .map(|&id| document.text_content(id))
        .collect();
    assert_eq!(left_out, ["Turn on scripts!"]);
}

#[test]
fn pictures_that_lead_where_words_lead_are_left_out() {
    let left_out = |html: &str, page_type: PageType| {
        let document = Document::parse_without_scripting(html);
        let found = extract(&document, &Options::default());
        assert_eq!(found.page_type, page_type);
        let mut sources: Vec<String> = found
            .left_out
            .iter()
            .flat_map(|&id| std::iter::once(id).chain(document.descendants(id)))
            .filter_map(|id| document.attr(id, "src").map(str::to_owned))
            .collect();
        sources.sort();
        sources
    };
    let text = paragraphs(1..8);
    let article = format!(
        "<meta property=og:type content=article><body><main><a href=/ada><img src=portrait></a><a href=/ada>Ada</a>{text}
        <a href=/bridge><img src=card>The bridge</a><a href=large.jpg><img src=figure></a><img src=plain></main>"
    );
    assert_eq!(left_out(&article, PageType::Article), ["card", "portrait"]);
    let listing = format!(
        "<link rel=canonical href=https://example.com/news/latest><body><main>{}<a href=/x><img src=only></a></main>",
        (1..9)
            .map(|n| format!(
                "<article><a href=/{n}>Story {n} of the mill</a><p>{}</p></article>",
                sentence(n)
            ))
            .collect::<String>()
    );
    assert_eq!(left_out(&listing, PageType::Listing), ["only"]);
}

fn card(n: usize) -> String {
    format!(
        "<li class=product-card><a href=/p/{n}><img alt=''><h3>Wheel of oak, size {n}</h3></a>
        <span class=price>€{n}49.00</span><button>Add to cart</button></li>"
    )
}

#[test]
fn a_collection_has_its_products() {
    let cards: String = (1..9).map(card).collect();
    let page = site(
        "<link rel=canonical href=https://example.com/collections/wheels>",
        &format!(
            "<main><nav class=breadcrumb><a href=/>Home</a></nav><h1>Wheels</h1><p>All wheels are made by hand.</p>
            <div class=filters><label>Oak<input type=checkbox></label><label>Ash<input type=checkbox></label></div>
            <ul>{cards}</ul><div class=pagination><a href=?p=2>2</a></div></main>"
        ),
    );
    let expect: String = (1..9)
        .map(|n| format!("Wheel of oak, size {n}\n€{n}49.00\n"))
        .collect();
    check(
        &page,
        PageType::Collection,
        &format!("Wheels\nAll wheels are made by hand.\n{expect}"),
    );
}

#[test]
fn a_product_has_name_price_description_and_specification() {
    let page = site(
        r#"<meta property=og:type content=product>
        <script type="application/ld+json">{"@type":"Product","name":"Oak wheel","offers":{"price":149}}</script>"#,
        &format!(
            "<main><h1>Oak wheel</h1><span class=price>$149.00</span>
            <select><option>Small<option>Large</select><button>Add to cart</button>
            <div class=tab-panel style='display:none'><h2>Description</h2>{}</div>
            <table class=specs><tr><th>Weight<td>12 kg<tr><th>Wood<td>oak</table>
            <section class=customer-reviews><h2>Customer reviews</h2><p>It turns very well, I like it a lot.</p></section>
            <section><h2>Related products</h2><ul>{}</ul></section></main>",
            paragraphs(1..4),
            (1..5).map(card).collect::<String>()
        ),
    );
    let expect = format!(
        "Oak wheel\n$149.00\nDescription\n{}Weight\n12 kg\nWood\noak",
        lines(1..4)
    );
    check(&page, PageType::Product, &expect);
}

#[test]
fn a_product_that_is_described_by_script_only() {
    let description = format!("{} {}", sentence(1), sentence(2));
    let page = format!(
        r#"<link rel=canonical href=https://example.com/products/oak-wheel><body>
        <script type="application/ld+json">{{"@graph":[{{"@type":"Product","name":"Oak wheel","description":"<p>{description}</p>",
        "offers":[{{"price":"149.00","priceCurrency":"EUR"}}]}}]}}</script>
        <main><h1>Oak wheel</h1><button>Add to cart</button></main>"#
    );
    check(
        &page,
        PageType::Product,
        &format!("149.00 EUR\n{description}\nOak wheel"),
    );
}

#[test]
fn a_listing_has_its_entries_with_links() {
    let entries: String = (1..12)
        .map(|n| {
            format!(
                "<article><h2><a href=/n/{n}>Story {n} of the mill</a></h2><p>{}</p></article>",
                sentence(n)
            )
        })
        .collect();
    let page = site(
        "<link rel=canonical href=https://example.com/news/latest>",
        &format!(
            "<main><h1>Latest</h1>{entries}<nav class=pagination><a href=?2>Next</a></nav></main>"
        ),
    );
    let expect: String = (1..12)
        .map(|n| format!("Story {n} of the mill\n{}\n", sentence(n)))
        .collect();
    check(&page, PageType::Listing, &format!("Latest\n{expect}"));
}

#[test]
fn a_service_page_has_all_its_sections() {
    let sections: String = (1..5)
        .map(|n| format!("<section><h2>Reason {n}</h2><p>{}</p><a href=/more>Find out about it</a></section>", sentence(n)))
        .collect();
    let page = site(
        "<link rel=canonical href=https://example.com/services/wheels><meta property=og:type content=website>",
        &format!(
            "<main><div class=hero><h1>We turn wheels</h1></div>{sections}
            <div class=faq><h3><button>Is it loud?</button></h3><div class=answer hidden><p>No, it is not loud at all.</p></div></div>
            <form class=newsletter><label>Name<input></label><button>Send</button></form></main>"
        ),
    );
    let expect: String = (1..5)
        .map(|n| format!("Reason {n}\n{}\nFind out about it\n", sentence(n)))
        .collect();
    check(
        &page,
        PageType::Service,
        &format!("We turn wheels\n{expect}Is it loud?\nNo, it is not loud at all."),
    );
}

#[test]
fn what_is_said_twice_is_kept_once() {
    let copy = format!("<div>{}</div>", paragraphs(1..3));
    let page = format!(
        "<meta property=og:type content=article><body><main>{copy}{}<div class=only-small>{copy}</div></main>",
        paragraphs(4..9)
    );
    check(
        &page,
        PageType::Article,
        &format!("{}{}", lines(1..3), lines(4..9)),
    );
}

#[test]
fn a_page_without_text_gives_what_its_data_says() {
    check(
        "<meta name=description content='A mill &amp;amp; a river.'><body><div id=root></div>",
        PageType::Service,
        "A mill & a river.",
    );
    let body = sentence(1).repeat(3);
    check(
        &format!(
            r#"<body><script type="application/ld+json">{{"@type":"NewsArticle","author":{{"name":"Ada"}},"articleBody":"{body}"}}</script>"#
        ),
        PageType::Article,
        &format!("Ada\n{body}"),
    );
    check("", PageType::Service, "");
}

#[test]
fn names_that_do_not_mean_what_they_say() {
    // All of the page is in an element named like a menu.
    let page = format!(
        "<body><div class=menu><div class=navigation>{}</div></div>",
        paragraphs(1..6)
    );
    check(&page, PageType::Article, &lines(1..6));
}

#[test]
fn the_address_that_is_given_counts_before_the_page_s_own() {
    let html = "<link rel=canonical href=https://example.com/><p>Hello there.";
    let document = Document::parse(html);
    let options = Options {
        url: Some("https://forum.example.com/viewtopic.php?t=1"),
    };
    assert_eq!(extract(&document, &options).page_type, PageType::Forum);
}
