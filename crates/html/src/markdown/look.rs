//! What the attributes of an element say about how it is shown.

use crate::dom::{Document, NodeId};

/// Bytes of an attribute of classes that are read: ancestors are asked again and again.
const MAX_CLASSES: usize = 512;

/// What stands in pages beside their text, by class: signs to link to a heading, "edit" links, the
/// second forms of mathematics.
const ORNAMENTS: [&str; 9] = [
    "headerlink",
    "header-anchor",
    "anchorjs-link",
    "mw-editsection",
    "mw-cite-backlink",
    "katex-html",
    "MathJax_Preview",
    "MathJax_SVG_Hidden",
    "gutter-wrapper",
];

/// The attributes that decide, read once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Look<'a> {
    pub class: &'a str,
    /// It is not rendered at all.
    pub hidden: bool,
    /// The level it has as a heading, if its role makes it one.
    pub heading: Option<usize>,
    /// Its style takes the weight of bold text away.
    pub is_light: bool,
    /// It is kept from screen readers: a part of a line, mostly an icon.
    pub decorative: bool,
}

impl<'a> Look<'a> {
    pub fn of(document: &'a Document, id: NodeId) -> Self {
        let mut look = Self::default();
        for (name, value) in document.attrs(id) {
            match name {
                "class" => look.class = short(value),
                "hidden" => look.hidden |= !value.eq_ignore_ascii_case("until-found"),
                "style" => {
                    look.hidden |= hides(value);
                    look.is_light = value.starts_with("font-weight:normal");
                }
                "role" if value == "heading" => look.heading = Some(2),
                "aria-hidden" => look.decorative = value == "true",
                _ => {}
            }
        }
        if look.heading.is_some()
            && let Some(level) = document
                .attr(id, "aria-level")
                .and_then(|level| level.parse().ok())
        {
            look.heading = Some(usize::clamp(level, 1, 6));
        }
        look
    }

    /// Whether it only stands beside the text.
    pub fn is_ornament(&self) -> bool {
        !self.class.is_empty()
            && self
                .class
                .split_ascii_whitespace()
                .any(|own| ORNAMENTS.contains(&own))
    }
}

/// The classes of an element, no more than are looked at.
pub(super) fn classes(document: &Document, id: NodeId) -> impl Iterator<Item = &str> {
    short(document.attr(id, "class").unwrap_or_default()).split_ascii_whitespace()
}

fn short(value: &str) -> &str {
    &value[..value.floor_char_boundary(MAX_CLASSES)]
}

/// Whether a style keeps an element from being seen.
fn hides(style: &str) -> bool {
    if !style.contains("none") && !style.contains("hidden") {
        return false;
    }
    style.split(';').any(|declaration| {
        let Some((name, value)) = declaration.split_once(':') else {
            return false;
        };
        let value = value.split('!').next().unwrap_or_default().trim();
        let name = name.trim();
        name.eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none")
            || name.eq_ignore_ascii_case("visibility") && value.eq_ignore_ascii_case("hidden")
    })
}

/// What an element is, to the Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Inline,
    Block,
    Ignored,
}

/// By its name, for elements that need nothing else.
pub(super) fn role(name: &str) -> Role {
    match name {
        "address" | "article" | "aside" | "body" | "center" | "dir" | "div" | "dl" | "fieldset"
        | "figcaption" | "figure" | "footer" | "form" | "frameset" | "header" | "hgroup"
        | "html" | "legend" | "main" | "menu" | "nav" | "noframes" | "optgroup" | "p"
        | "search" | "section" | "details" | "dialog" | "caption" | "tbody" | "thead" | "tfoot"
        | "tr" | "td" | "th" | "table" | "colgroup" => Role::Block,
        "head" | "script" | "style" | "template" | "title" | "meta" | "link" | "base" | "param"
        | "source" | "track" | "area" | "datalist" | "canvas" | "col" | "rp" | "frame"
        | "noembed" | "progress" | "meter" => Role::Ignored,
        _ => Role::Inline,
    }
}

/// Whether an element only marks a part of a line.
pub(super) fn is_phrase(name: &str) -> bool {
    matches!(
        name,
        "a" | "b" | "em" | "i" | "img" | "small" | "span" | "strong" | "sub" | "sup"
    )
}
