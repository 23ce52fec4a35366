//! Which type of page it is: every hint adds points to types, and the type with most wins.

mod address;

use super::{
    PageType, controls, facts::Facts, names::Marks, page::Page, repeats::Group, tag::Tag,
    words::percent,
};

const ARTICLES: &[&str] = &[
    "Article",
    "NewsArticle",
    "BlogPosting",
    "ReportageNewsArticle",
    "AnalysisNewsArticle",
    "OpinionNewsArticle",
    "BackgroundNewsArticle",
    "Report",
    "ScholarlyArticle",
    "MedicalScholarlyArticle",
    "LiveBlogPosting",
    "Recipe",
    "Review",
];

/// Points by type.
#[derive(Debug, Default)]
pub(super) struct Points([i32; PageType::ALL.len()]);

impl Points {
    fn add(&mut self, kind: PageType, points: i32) {
        if let Some(own) = self.0.get_mut(kind as usize) {
            *own += points;
        }
    }

    fn add_if(&mut self, holds: bool, kind: PageType, points: i32) {
        if holds {
            self.add(kind, points);
        }
    }

    /// The first of those with most points.
    fn best(&self) -> PageType {
        let mut best = (i32::MIN, PageType::Article);
        for (&kind, &points) in PageType::ALL.iter().zip(&self.0) {
            if points > best.0 {
                best = (points, kind);
            }
        }
        best.1
    }
}

/// Sums over the page that hint at its type.
#[derive(Debug, Default)]
struct Shape {
    /// Words in blocks of prose: sentences, few links.
    prose: u32,
    /// Words in code blocks.
    code: u32,
    blocks_of_code: u32,
    articles: u32,
    posts: u32,
    /// Comments that stand in no other comment, and their words.
    comments: u32,
    comment_words: u32,
    /// Buttons that put something into a cart.
    buys: u32,
    /// Links to products, by their addresses.
    product_links: u32,
    words: u32,
    /// Of what is not the site's, in hundredths.
    link_share: u32,
}

impl Shape {
    fn of(page: &Page<'_>) -> Self {
        let flat = page.flat;
        let mut shape = Self::default();
        let mut behind = 0;
        let mut behind_comment = 0;
        for (at, entry) in flat.entries.iter().enumerate() {
            let share = entry.sums.link_share();
            if entry.tag == Tag::Pre {
                shape.code += entry.sums.words;
                shape.blocks_of_code += 1;
            }
            if entry.tag == Tag::Article && at >= behind {
                shape.articles += 1;
                behind = entry.end;
            }
            let is_comment = entry.marks.any(Marks::COMMENTS) && entry.sums.stops > 0;
            if is_comment
                && matches!(
                    entry.tag,
                    Tag::Item | Tag::Article | Tag::Block | Tag::TablePart
                )
            {
                shape.comments += 1;
                if at >= behind_comment {
                    behind_comment = entry.end;
                    shape.comment_words += entry.sums.words;
                }
            }
            let buys = entry.marks.any(Marks::BUY)
                || entry.tag == Tag::Button
                    && (2..6).contains(&entry.sums.words)
                    && controls::buys(&page.beginning(at, 40));
            shape.buys += u32::from(buys);
            if entry.tag.is_block() && entry.own >= 15 && share < 40 && entry.sums.stops > 0 {
                shape.prose += entry.own;
            }
            shape.posts += u32::from(entry.marks.any(Marks::POST) && entry.sums.words > 5);
        }
        shape.words = flat.get(0).map_or(0, |body| body.sums.words);
        shape.product_links = product_links(page);
        shape.link_share = page.kept(0).link_share();
        shape
    }
}

/// Links to different products beside what is the site's.
fn product_links(page: &Page<'_>) -> u32 {
    let mut count = 0;
    let mut last = "";
    for (_, entry) in page
        .each_kept(0)
        .filter(|(_, entry)| entry.tag == Tag::Link)
    {
        let address = page.document.attr(entry.node, "href").unwrap_or_default();
        let path = address.split(['?', '#']).next().unwrap_or_default();
        let named = [
            "/products/",
            "/product/",
            "/p/",
            "/dp/",
            "/itm/",
            "/item/",
            "/pd/",
        ]
        .iter()
        .any(|part| path.contains(part));
        // A card links its picture and its name to one product.
        if named && path != last {
            count += 1;
            last = path;
        }
    }
    count
}

/// The type of a page.
pub(super) fn page_type(page: &Page<'_>, group: Option<&Group>) -> PageType {
    let mut points = Points::default();
    let shape = Shape::of(page);
    let facts = page.facts;
    by_data(facts, &mut points);
    by_maker(facts, &mut points);
    if let Some(url) = facts.url {
        address::hint(url, &mut points);
    }
    by_shape(&shape, group, &mut points);
    points.best()
}

/// What the page says of itself as data.
fn by_data(facts: &Facts<'_>, points: &mut Points) {
    let data = &facts.data;
    let products = data.count(&["Product", "ProductGroup", "IndividualProduct"]);
    let listed = data.has(&["ItemList", "CollectionPage", "OfferCatalog"]);
    points.add_if(products == 1 && !listed, PageType::Product, 7);
    points.add_if(
        products > 1 || (products == 1 && listed),
        PageType::Product,
        2,
    );
    points.add_if(
        products > 1 || (products > 0 && listed),
        PageType::Collection,
        5,
    );
    points.add_if(data.listed_products() > 1, PageType::Collection, 5);
    points.add_if(listed && products == 0, PageType::Listing, 3);
    points.add_if(listed && products == 0, PageType::Collection, 3);
    points.add_if(
        data.has(&["SearchResultsPage", "Blog"]),
        PageType::Listing,
        4,
    );
    points.add_if(
        data.has(&["DiscussionForumPosting", "QAPage", "Question"]) && !data.has(&["FAQPage"]),
        PageType::Forum,
        7,
    );
    points.add_if(
        facts.has_item(&["DiscussionForumPosting", "QAPage", "Question"])
            && !facts.has_item(&["FAQPage"]),
        PageType::Forum,
        7,
    );
    points.add_if(data.has(ARTICLES), PageType::Article, 5);
    points.add_if(facts.has_item(ARTICLES), PageType::Article, 3);
    points.add_if(
        data.has(&["TechArticle", "APIReference"]),
        PageType::Documentation,
        6,
    );
    points.add_if(
        data.has(&[
            "Service",
            "SoftwareApplication",
            "LocalBusiness",
            "ProfessionalService",
        ]),
        PageType::Service,
        3,
    );
    let items = facts
        .item_types
        .iter()
        .filter(|kind| matches!(**kind, "Product" | "SomeProducts"))
        .count();
    points.add_if(items == 1, PageType::Product, 4);
    points.add_if(items > 3, PageType::Collection, 4);
    match facts.og_type.map(str::to_ascii_lowercase).as_deref() {
        Some("article" | "blog" | "news") => points.add(PageType::Article, 3),
        Some("product" | "og:product" | "product.item") => points.add(PageType::Product, 5),
        Some("product.group") => points.add(PageType::Collection, 5),
        Some("website") => points.add(PageType::Service, 1),
        _ => {}
    }
}

/// What made the page, and with which template.
fn by_maker(facts: &Facts<'_>, points: &mut Points) {
    let generator = facts.generator.unwrap_or_default().to_ascii_lowercase();
    let made_by = |names: &[&str]| names.iter().any(|name| generator.contains(name));
    points.add_if(
        made_by(&[
            "discourse",
            "phpbb",
            "vbulletin",
            "xenforo",
            "flarum",
            "nodebb",
            "mybb",
            "smf",
            "vanilla",
            "invision",
            "bbpress",
        ]),
        PageType::Forum,
        7,
    );
    points.add_if(
        made_by(&[
            "sphinx",
            "mkdocs",
            "docusaurus",
            "vitepress",
            "vuepress",
            "mdbook",
            "gitbook",
            "starlight",
            "docsy",
            "rustdoc",
            "doxygen",
            "antora",
            "javadoc",
            "typedoc",
            "readme",
            "docbook",
            "asciidoctor",
        ]),
        PageType::Documentation,
        7,
    );
    for class in facts.body_class.split_ascii_whitespace() {
        let (kind, worth) = match class {
            "single-product"
            | "product-page"
            | "template-product"
            | "product-template-default"
            | "catalog-product-view"
            | "product-page-body"
            | "page-product" => (PageType::Product, 6),
            "single-post" | "post-template-default" | "single-blog" | "template-article" => {
                (PageType::Article, 4)
            }
            "single" => (PageType::Article, 1),
            "template-collection"
            | "tax-product_cat"
            | "catalog-category-view"
            | "mz-category"
            | "post-type-archive-product" => (PageType::Collection, 6),
            "archive" | "blog" | "category" | "tag" | "search-results" => (PageType::Listing, 3),
            "page-template-default" | "page-template" => (PageType::Service, 2),
            "question-page" => (PageType::Forum, 5),
            _ => continue,
        };
        points.add(kind, worth);
    }
}

/// What the page looks like.
fn by_shape(shape: &Shape, group: Option<&Group>, points: &mut Points) {
    let prose = percent(shape.prose, shape.words);
    points.add_if(
        shape.blocks_of_code >= 3 && shape.code > 60,
        PageType::Documentation,
        3,
    );
    points.add_if(shape.articles >= 6, PageType::Listing, 2);
    points.add_if(shape.articles == 1, PageType::Article, 1);
    points.add_if(shape.prose > 400 && prose > 50, PageType::Article, 2);
    points.add_if(shape.prose > 100 && prose > 75, PageType::Article, 2);
    points.add_if(shape.prose > 400 && prose > 50, PageType::Documentation, 1);
    points.add_if(shape.prose < 150, PageType::Article, -2);
    points.add_if(prose < 35, PageType::Service, 1);
    points.add(PageType::Service, 2);
    if let Some(group) = group {
        let priced = group.priced * 3 >= group.count && group.count >= 4;
        points.add_if(priced, PageType::Collection, 4);
        points.add_if(
            !priced
                && group.count >= 8
                && group.share >= 30
                && group.link_share >= 30
                && shape.link_share >= 30,
            PageType::Listing,
            4,
        );
        let dated = group.dated * 3 >= group.count * 2 && group.count >= 5;
        points.add_if(dated && !priced && group.share >= 20, PageType::Listing, 4);
        points.add_if(group.share >= 50, PageType::Article, -2);
    }
    points.add_if(shape.product_links >= 6, PageType::Collection, 3);
    points.add_if(shape.product_links >= 12, PageType::Collection, 2);
    points.add_if((1..=4).contains(&shape.buys), PageType::Product, 3);
    points.add_if(shape.buys > 5, PageType::Collection, 3);
    points.add_if(shape.link_share >= 60, PageType::Listing, 3);
    points.add_if(shape.link_share >= 40, PageType::Article, -2);
    let in_comments = percent(shape.comment_words, shape.words);
    points.add_if(shape.comments >= 3 && in_comments >= 50, PageType::Forum, 2);
    points.add_if(shape.comments >= 8 && in_comments >= 50, PageType::Forum, 2);
    points.add_if(shape.comments >= 8 && in_comments >= 75, PageType::Forum, 4);
    points.add_if(shape.posts >= 6 && shape.articles > 3, PageType::Forum, 1);
}
