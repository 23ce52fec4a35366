//! What the attributes of an element say of it: the words in `class` and `id`, its role, its microdata.

use super::tag::Tag;
use crate::{Document, NodeId};

/// A set of marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks(u32);

impl Marks {
    pub const NONE: Self = Self(0);
    /// Not shown.
    pub const HIDDEN: Self = Self(1);
    /// Of the site, not of the page: navigation, dialogs, banners, share buttons.
    pub const CHROME: Self = Self(1 << 1);
    /// Beside the content: related pages, side bars, tables of contents.
    pub const ASIDE: Self = Self(1 << 2);
    /// What readers wrote.
    pub const COMMENTS: Self = Self(1 << 3);
    /// A post of a forum, a question or an answer.
    pub const POST: Self = Self(1 << 4);
    /// A card, tile or product in a list.
    pub const CARD: Self = Self(1 << 5);
    /// Says that it is the content.
    pub const CONTENT: Self = Self(1 << 6);
    /// Says that it is the text of an article.
    pub const TEXT: Self = Self(1 << 7);
    /// About an author: small print, biography, statistics.
    pub const AUTHOR: Self = Self(1 << 8);
    /// Small print of a page: tags, dates, counts.
    pub const META: Self = Self(1 << 9);
    /// Advertisements.
    pub const ADVERT: Self = Self(1 << 10);
    /// Reviews of a product.
    pub const REVIEWS: Self = Self(1 << 11);
    /// A head or foot of something.
    pub const EDGE: Self = Self(1 << 12);
    /// Says it belongs to the site.
    pub const SITE: Self = Self(1 << 13);
    /// A note, warning or tip in the text.
    pub const NOTE: Self = Self(1 << 14);
    /// Choices that narrow a list down.
    pub const FILTER: Self = Self(1 << 15);
    /// The description or specification of a product.
    pub const DETAIL: Self = Self(1 << 16);
    /// For screen readers only.
    pub const SPOKEN: Self = Self(1 << 17);
    /// Of the page as a whole: its role is `main`.
    pub const MAIN: Self = Self(1 << 18);
    /// A signature under a post.
    pub const SIGNATURE: Self = Self(1 << 19);
    /// Navigation, by a word that content has too.
    pub const NAVIGATION: Self = Self(1 << 21);
    /// Buttons, counts and marks beside a post.
    pub const TOOLS: Self = Self(1 << 22);
    /// Puts something into a cart.
    pub const BUY: Self = Self(1 << 23);
    /// Stands over the page until it is answered.
    pub const DIALOG: Self = Self(1 << 24);
    /// The foot of the site.
    pub const FOOT: Self = Self(1 << 25);
    /// Of the shop, not of the product: how it sends, what else it sells, how to pay.
    pub const SHOP: Self = Self(1 << 26);
    /// Something that opens and closes, or one of several that are shown in turn.
    pub const FOLDED: Self = Self(1 << 20);

    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether they have one of these marks in common.
    pub const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The marks of an element.
pub(super) fn marks(document: &Document, id: NodeId, tag: Tag) -> Marks {
    let own_name = document.name(id);
    let mut marks = if own_name.contains('-') {
        of_names(own_name)
    } else {
        Marks::NONE
    };
    for (name, value) in document.attrs(id) {
        marks = marks.with(match name {
            "class" | "id" => of_names(value),
            "role" => of_role(value),
            "itemprop" => of_itemprop(value),
            "hidden" => Marks::HIDDEN,
            "aria-hidden" if value == "true" => Marks::FOLDED,
            "aria-modal" if value == "true" => Marks::DIALOG,
            "style" if hides(value) => Marks::HIDDEN,
            "data-testid" | "data-component" | "data-component-type" => of_names(value),
            _ => Marks::NONE,
        });
    }
    if matches!(tag, Tag::Body) {
        // A page's body is classed by what the site has: "has a side bar", "menu open".
        return Marks::NONE;
    }
    marks
}

/// The marks of an element in code: only the numbers of lines, which are no code.
pub(super) fn marks_in_code(document: &Document, id: NodeId) -> Marks {
    let numbers = document.classes(id).any(|class| {
        matches!(
            class,
            "linenos"
                | "lineno"
                | "line-number"
                | "line-numbers"
                | "gutter"
                | "hljs-ln-numbers"
                | "line-numbers-rows"
                | "rouge-gutter"
                | "blob-num"
        )
    });
    if numbers { Marks::CHROME } else { Marks::NONE }
}

fn hides(style: &str) -> bool {
    let mut plain = style
        .split(';')
        .filter_map(|part| part.split_once(':'))
        .map(|(name, value)| (name.trim(), value.trim()));
    plain.any(|(name, value)| {
        (name.eq_ignore_ascii_case("display") && starts(value, "none"))
            || (name.eq_ignore_ascii_case("visibility") && starts(value, "hidden"))
    })
}

fn starts(value: &str, word: &str) -> bool {
    value
        .get(..word.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(word))
}

fn of_role(role: &str) -> Marks {
    match role {
        "dialog" | "alertdialog" => Marks::DIALOG,
        "navigation" | "banner" | "contentinfo" | "search" | "menu" | "menubar" | "toolbar"
        | "tooltip" | "alert" | "status" | "menuitem" | "listbox" | "directory" => Marks::CHROME,
        "complementary" => Marks::ASIDE,
        "main" => Marks::MAIN,
        "article" => Marks::POST,
        "note" => Marks::NOTE,
        "tabpanel" => Marks::FOLDED,
        _ => Marks::NONE,
    }
}

fn of_itemprop(value: &str) -> Marks {
    let mut marks = Marks::NONE;
    for word in value.split_ascii_whitespace() {
        marks = marks.with(match word {
            "articleBody" | "reviewBody" | "text" => Marks::TEXT,
            "description" => Marks::DETAIL,
            "comment" => Marks::COMMENTS,
            "author" => Marks::AUTHOR,
            "review" => Marks::REVIEWS,
            "suggestedAnswer" | "acceptedAnswer" => Marks::POST,
            _ => Marks::NONE,
        });
    }
    marks
}

/// What the words in a `class` or `id` say. Words end at what is no letter and at a capital behind a
/// small letter; a word behind "has", "no" and the like says something of another element.
pub(super) fn of_names(names: &str) -> Marks {
    let mut marks = Marks::NONE;
    for name in names.split_ascii_whitespace() {
        // Names that tools make up from whole style rules say nothing ("md:hover:[&>nav]:p-2").
        if name.len() > 80 || name.contains('[') {
            continue;
        }
        let own = of_name(name);
        marks = marks.with(own);
        if own.any(Marks::EDGE) && own.any(Marks::SITE) {
            marks = marks.with(Marks::CHROME);
        }
    }
    marks
}

fn of_name(name: &str) -> Marks {
    let mut marks = Marks::NONE;
    let mut negated = false;
    let mut word = [0u8; 24];
    let mut length = 0usize;
    let mut small = false;
    let mut whole = [0u8; 40];
    let mut whole_length = 0usize;
    let mut first = true;
    for byte in name.bytes().chain([b' ']) {
        let capital = byte.is_ascii_uppercase();
        if (capital && small) || !byte.is_ascii_alphabetic() {
            if let Some(text) = word.get(..length).and_then(|w| std::str::from_utf8(w).ok())
                && !text.is_empty()
            {
                match text {
                    "has" | "with" | "no" | "without" | "not" | "is" | "enable" | "enabled"
                    | "open" | "hide" | "show" | "js" | "sticky" => negated = true,
                    _ => {
                        if !negated {
                            marks = marks.with(of_word(text));
                            if first {
                                marks = marks.with(of_first_word(text));
                            }
                        }
                        first = false;
                        negated = false;
                    }
                }
            }
            length = 0;
        }
        small = byte.is_ascii_lowercase();
        if byte.is_ascii_alphabetic() {
            let lower = byte.to_ascii_lowercase();
            if let Some(place) = word.get_mut(length) {
                *place = lower;
            }
            // A word that is too long is none of ours.
            length += 1;
            if let Some(place) = whole.get_mut(whole_length) {
                *place = lower;
            }
            whole_length += 1;
        }
    }
    match whole
        .get(..whole_length)
        .and_then(|w| std::str::from_utf8(w).ok())
    {
        Some(text) => marks.with(of_compound(text)),
        None => marks,
    }
}

/// What a name is of when it begins so: "footer-top", "Footer-styled__Links".
fn of_first_word(word: &str) -> Marks {
    match word {
        "footer" | "sitefooter" | "globalfooter" => Marks::FOOT,
        "header" => Marks::NAVIGATION,
        _ => Marks::NONE,
    }
}

/// Single words.
fn of_word(word: &str) -> Marks {
    match word {
        "cookie" | "cookies" | "cookiebanner" | "consent" | "gdpr" | "onetrust" | "popup"
        | "popups" | "modal" | "modals" | "lightbox" | "popover" | "usercentrics" => Marks::DIALOG,
        "breadcrumb" | "breadcrumbs" | "crumbs" | "crumb" | "share" | "sharing" | "sharebar"
        | "sharer" | "social" | "socials" | "socialmedia" | "newsletter" | "newsletters"
        | "subscribe" | "subscription" | "overlay" | "megamenu" | "submenu" | "pagination"
        | "pager" | "paginator" | "masthead" | "skip" | "skiplink" | "toolbar" | "signup"
        | "signin" | "login" | "minicart" | "offcanvas" | "tooltip" | "toast" | "snackbar"
        | "topbar" | "announcement" | "captcha" | "headerlink" | "quickview" | "localization"
        | "backtotop" | "printfriendly" | "editsection" | "catlinks" | "navbox" | "jumplinks"
        | "noprint" | "addtoany" | "paywall" | "colophon" | "copyright" | "flyout" | "hotjar"
        | "preloader" | "searchbox" | "searchform" | "autocomplete" | "typeahead" | "emoji"
        | "wishlist" => Marks::CHROME,
        "navbar" | "nav" | "navigation" | "navigator" | "menu" | "menus" | "dropdown" | "cart"
        | "basket" | "locale" | "currency" | "language" | "languages" => Marks::NAVIGATION,
        "sidebar" | "sidebars" | "sidenav" | "related" | "recommended" | "recommendations"
        | "recommendation" | "recommend" | "upsell" | "upsells" | "crosssell" | "crosssells"
        | "toc" | "tableofcontents" | "recirc" | "recirculation" | "outbrain" | "taboola"
        | "trending" | "authorbox" | "authorbio" | "readmore" | "rail" | "suggested"
        | "suggestions" | "suggest" | "usp" | "usps" | "recently" | "similar" | "sider" => {
            Marks::ASIDE
        }
        "advert" | "adverts" | "advertisement" | "advertising" | "ads" | "ad" | "adsbygoogle"
        | "sponsored" | "sponsor" | "dfp" | "adslot" | "adunit" => Marks::ADVERT,
        "comment" | "comments" | "disqus" | "respond" | "commentlist" | "commentform"
        | "replies" => Marks::COMMENTS,
        "review" | "reviews" | "bazaarvoice" | "yotpo" | "bv" => Marks::REVIEWS,
        "post" | "posts" | "postbit" | "msg" | "message" | "reply" | "answer" | "question"
        | "topic" => Marks::POST,
        "product" | "card" | "tile" | "products" | "item" | "teaser" => Marks::CARD,
        "content" | "maincontent" | "primary" | "main" => Marks::CONTENT,
        "articlebody" | "postbody" => Marks::TEXT,
        "byline" | "author" | "authors" | "bio" | "avatar" | "userinfo" => Marks::AUTHOR,
        "tags" | "taglist" | "meta" | "metadata" | "timestamp" | "postmeta" | "categories"
        | "dateline" => Marks::META,
        "footer" | "header" | "head" | "foot" | "banner" => Marks::EDGE,
        "site" | "global" | "globalnav" | "top" | "bottom" | "corporate" => Marks::SITE,
        "note" | "admonition" | "callout" | "warning" | "tip" | "notecard" => Marks::NOTE,
        "filters" | "filter" | "facets" | "facet" | "refinement" | "refinements" | "sorting"
        | "sortby" | "sort" | "swatch" | "swatches" => Marks::FILTER,
        "description" | "specs" | "specifications" | "specification" | "details" | "features" => {
            Marks::DETAIL
        }
        "sr" | "visuallyhidden" | "srt" | "offscreen" => Marks::SPOKEN,
        "shipping" | "delivery" | "returns" | "warranty" | "warranties" | "bundle" | "bundles"
        | "financing" | "finance" | "payment" | "payments" | "installments" | "testimonial"
        | "testimonials" | "alternative" | "alternatives" | "guarantee" | "loyalty" | "rewards"
        | "klarna" | "afterpay" | "stores" | "pickup" | "instagram" | "ugc" | "looks"
        | "quantity" => Marks::SHOP,
        "signature" => Marks::SIGNATURE,
        "reactions" | "reaction" | "actions" | "action" | "controls" | "buttons" | "likes"
        | "votes" | "vote" | "voting" | "votecell" | "stats" | "extras" | "rank" | "badge"
        | "badges" | "usertitle" | "karma" | "reputation" | "postcount" | "interactions" => {
            Marks::TOOLS
        }
        "accordion" | "accordions" | "faq" | "faqs" | "panel" | "pane" | "tab" | "tabs"
        | "collapse" | "collapsible" | "slide" | "slider" | "carousel" => Marks::FOLDED,
        _ => Marks::NONE,
    }
}

/// Whole names, without what separates their words.
fn of_compound(name: &str) -> Marks {
    match name {
        "footer"
        | "sitefooter"
        | "siteheader"
        | "pagefooter"
        | "mainheader"
        | "mainfooter"
        | "footerwrapper"
        | "footercontainer"
        | "globalheader"
        | "globalfooter"
        | "shopifysectionheader"
        | "shopifysectionfooter"
        | "footertop"
        | "footerbottom"
        | "footerwidgets" => Marks::CHROME,
        "articlebody" | "articlecontent" | "postcontent" | "entrycontent" | "postbody"
        | "storybody" | "blogcontent" | "articletext" | "blogpostcontent" | "markdownbody"
        | "mwparseroutput" | "postbodycontent" | "singlecontent" | "richtext" => Marks::TEXT,
        "screenreadertext" | "screenreaderonly" | "uscreenreader" | "assistivetext" => {
            Marks::SPOKEN
        }
        "tooltip" | "tooltipcontent" => Marks::CHROME,
        "promobar" | "announcementbar" | "cookiebar" | "alertbar" | "noticebar" | "infobar"
        | "stickybar" | "cart" | "cartdrawer" | "ajaxcart" | "sidecart" | "cartnotification"
        | "cartpopup" | "drawercart" | "cartsidebar" | "countrypopup" | "ageverification" => {
            Marks::DIALOG
        }
        "pageheader" => Marks::NAVIGATION,
        "messageuser" | "userinfo" | "usercard" | "postprofile" | "postauthor" | "userdetails"
        | "authorinfo" | "cauthorpane" | "posterinfo" | "memberinfo" | "postuser" => Marks::AUTHOR,
        "hide" | "ishidden" => Marks::HIDDEN,
        "crosssells" | "youmayalsolike" | "morefrom" | "readnext" | "moreposts" | "latestposts"
        | "recentposts" | "popularposts" => Marks::ASIDE,
        "userextras" | "messageuserextras" | "cauthorpaneinfo" | "usertitle" | "ipscommentmeta" => {
            Marks::TOOLS
        }
        "addtocart"
        | "addtobag"
        | "addtobasket"
        | "addtocartbutton"
        | "buynow"
        | "buybox"
        | "productformsubmit"
        | "singleaddtocartbutton"
        | "productforminput" => Marks::BUY,
        "postcell" | "postmessage" | "cpost" => Marks::POST,
        "widgetarea" => Marks::ASIDE,
        _ => Marks::NONE,
    }
}
