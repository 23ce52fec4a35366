//! Mathematics as TeX: pages carry it in many ways beside what they show.

use super::{look, mathml};
use crate::dom::{Document, Kind, NodeId};

/// Nodes that are looked through for the formula in a wrapper.
const NEAR: usize = 64;

/// A formula.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Formula {
    pub tex: String,
    /// It stands on a line of its own.
    pub display: bool,
}

impl Formula {
    fn new(tex: &str, display: bool) -> Option<Self> {
        let tex = bare(tex);
        (!tex.is_empty()).then_some(Self { tex, display })
    }
}

/// Of a `<math>`: its TeX if it carries it, else TeX that looks like it.
pub(super) fn of_math(document: &Document, math: NodeId) -> Option<Formula> {
    let display = document.attr(math, "display") == Some("block")
        || document.attr(math, "mode") == Some("display");
    let annotation = document.descendants(math).find(|&id| {
        let encoding = document.attr(id, "encoding").unwrap_or_default();
        document.is(id, "annotation") && encoding.to_ascii_lowercase().contains("tex")
    });
    if let Some(annotation) = annotation {
        let tex = document.text_content(annotation);
        let display = display || tex.contains("\\displaystyle") && stands_alone(document, math);
        return Formula::new(&tex, display);
    }
    match document.attr(math, "alttext") {
        Some(tex) if !tex.trim().is_empty() => Formula::new(tex, display),
        Some(_) | None => Formula::new(&mathml::tex(document, math), display),
    }
}

/// Of a wrapper that shows a formula in several forms, by its classes or name: none for others.
pub(super) fn of_wrapper(document: &Document, id: NodeId) -> Option<Formula> {
    let is_wrapper = document.is(id, "mjx-container")
        || look::classes(document, id).any(|class| {
            matches!(
                class,
                "katex"
                    | "katex-display"
                    | "katex-mathml"
                    | "mwe-math-element"
                    | "MathJax"
                    | "MathJax_Display"
                    | "MathJax_CHTML"
                    | "MathJax_SVG"
                    | "mjx-chtml"
                    | "MJXc-display"
                    | "math-tex"
            )
        });
    if !is_wrapper {
        return None;
    }
    let mut near = document.descendants(id).take(NEAR);
    let display = is_display(document, id);
    if let Some(math) = near.find(|&id| document.is(id, "math")) {
        let formula = of_math(document, math)?;
        let display = display || formula.display;
        return Some(Formula { display, ..formula });
    }
    let image = document
        .descendants(id)
        .take(NEAR)
        .find(|&id| is_image(document, id))?;
    Formula::new(document.attr(image, "alt")?, display)
}

fn is_display(document: &Document, id: NodeId) -> bool {
    document.has_attr(id, "display") && document.attr(id, "display") == Some("true")
        || look::classes(document, id).any(|class| {
            matches!(
                class,
                "katex-display" | "MathJax_Display" | "MJXc-display" | "mwe-math-element-block"
            )
        })
}

/// Whether an image is a formula whose description is its TeX.
pub(super) fn is_image(document: &Document, id: NodeId) -> bool {
    document.is(id, "img")
        && look::classes(document, id).any(|class| {
            matches!(class, "latex" | "tex" | "math" | "texmath" | "mathtex")
                || class.starts_with("mwe-math-fallback-image")
        })
}

/// Of such an image.
pub(super) fn of_image(document: &Document, id: NodeId) -> Option<Formula> {
    let block = |class: &str| class.ends_with("-display") || class.ends_with("-block");
    let display = look::classes(document, id).any(block);
    Formula::new(document.attr(id, "alt")?, display)
}

/// Of a `<script>` that holds TeX for MathJax.
pub(super) fn of_script(document: &Document, script: NodeId) -> Option<Formula> {
    let kind = document.attr(script, "type")?;
    if kind.starts_with("math/mml") {
        return None;
    }
    let display = kind.strip_prefix("math/tex")?.contains("display");
    Formula::new(&document.text_content(script), display)
}

/// Whether an element only shows the formula of the script after it.
pub(super) fn is_shown_script(document: &Document, id: NodeId) -> bool {
    look::classes(document, id)
        .any(|class| class.starts_with("MathJax") || class.starts_with("mjx-"))
        && document.next_siblings(id).take(4).any(|next| {
            let kind = document.attr(next, "type").unwrap_or_default();
            document.is(next, "script") && kind.starts_with("math/tex")
        })
}

/// Whether nothing else stands where a formula does.
fn stands_alone(document: &Document, math: NodeId) -> bool {
    document.parent(math).is_some_and(|parent| {
        let mut children = document.children(parent).take(8);
        !children.any(|child| match document.kind(child) {
            Kind::Text(text) => text.len() > 64 || !text.trim().is_empty(),
            Kind::Element(_) => child != math,
            Kind::Root => false,
        })
    }) && document
        .parent(math)
        .is_some_and(|parent| document.is_any(parent, &["p", "div", "dd", "td"]))
}

/// TeX in one line, without the delimiters and the wrapper that pages put around it.
fn bare(tex: &str) -> String {
    let one_line: Vec<&str> = tex.split_whitespace().collect();
    let one_line = one_line.join(" ");
    let mut inner = one_line.as_str();
    for (open, close) in [
        ("$$", "$$"),
        ("$", "$"),
        ("\\(", "\\)"),
        ("\\[", "\\]"),
        ("{\\displaystyle", "}"),
        ("{\\textstyle", "}"),
        ("\\displaystyle", ""),
    ] {
        let within = inner
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close));
        if let Some(within) = within {
            inner = within.trim();
        }
    }
    inner.to_owned()
}
