//! MathML that carries no TeX, as TeX.

use crate::dom::{Document, Edge, Kind, NodeId};

/// Nodes of a formula, and elements in each other, past which only its text is taken: what is deep is
/// copied at each level.
const MAX_NODES: usize = 2_000;
const MAX_DEPTH: usize = 48;

/// The TeX of a `<math>`, near enough to be read.
pub(super) fn tex(document: &Document, math: NodeId) -> String {
    if !is_small(document, math) {
        return document.text_content(math);
    }
    // The parts of each open element.
    let mut open: Vec<Vec<String>> = vec![Vec::new()];
    let mut walk = document.traverse(math);
    while let Some(edge) = walk.next() {
        match edge {
            Edge::Open(id) => match document.kind(id) {
                Kind::Text(_) | Kind::Root => {}
                Kind::Element(name) => {
                    if matches!(&**name, "annotation" | "annotation-xml" | "maligngroup") {
                        walk.skip_children(id);
                    }
                    open.push(Vec::new());
                }
            },
            Edge::Close(id) => {
                if !document.is_element(id) {
                    continue;
                }
                let parts = open.pop().unwrap_or_default();
                let made = element(document, id, &parts);
                if let Some(around) = open.last_mut() {
                    around.push(made);
                }
            }
        }
    }
    open.concat().concat()
}

fn is_small(document: &Document, math: NodeId) -> bool {
    let mut depth = 0_usize;
    let mut nodes = 0;
    for edge in document.traverse(math) {
        match edge {
            Edge::Open(_) => {
                depth += 1;
                nodes += 1;
            }
            Edge::Close(_) => depth -= 1,
        }
        if depth > MAX_DEPTH || nodes > MAX_NODES {
            return false;
        }
    }
    true
}

fn element(document: &Document, id: NodeId, parts: &[String]) -> String {
    let part = |at: usize| parts.get(at).map_or("", String::as_str);
    match document.name(id) {
        "annotation" | "annotation-xml" => String::new(),
        "mi" => identifier(document.text_content(id).trim()),
        "mo" => operator(document.text_content(id).trim()),
        "mn" => document.text_content(id).trim().to_owned(),
        "mtext" | "ms" => format!("\\text{{{}}}", document.text_content(id)),
        "mspace" => " ".to_owned(),
        "mfrac" => format!("\\frac{{{}}}{{{}}}", part(0), part(1)),
        "msqrt" => format!("\\sqrt{{{}}}", parts.concat()),
        "mroot" => format!("\\sqrt[{}]{{{}}}", part(1), part(0)),
        "msup" => format!("{}^{{{}}}", grouped(part(0)), part(1)),
        "msub" | "munder" => format!("{}_{{{}}}", grouped(part(0)), part(1)),
        "msubsup" | "munderover" => {
            format!("{}_{{{}}}^{{{}}}", grouped(part(0)), part(1), part(2))
        }
        "mover" => over(part(0), part(1)),
        "mfenced" => format!(
            "{}{}{}",
            document.attr(id, "open").unwrap_or("("),
            parts.join(", "),
            document.attr(id, "close").unwrap_or(")")
        ),
        "mtable" => format!("\\begin{{matrix}}{}\\end{{matrix}}", parts.join(" \\\\ ")),
        "mtr" | "mlabeledtr" => parts.join(" & "),
        _ => parts.concat(),
    }
}

fn over(base: &str, above: &str) -> String {
    match above {
        "¯" | "‾" | "-" => format!("\\overline{{{base}}}"),
        "^" => format!("\\hat{{{base}}}"),
        "~" => format!("\\tilde{{{base}}}"),
        "→" => format!("\\vec{{{base}}}"),
        "˙" | "." => format!("\\dot{{{base}}}"),
        _ => format!("{}^{{{above}}}", grouped(base)),
    }
}

/// Something that an index may stand at.
fn grouped(base: &str) -> String {
    if base.chars().count() <= 1 || base.starts_with('\\') && !base.contains([' ', '{']) {
        base.to_owned()
    } else {
        format!("{{{base}}}")
    }
}

fn identifier(name: &str) -> String {
    let is_function = matches!(
        name,
        "sin"
            | "cos"
            | "tan"
            | "cot"
            | "sec"
            | "csc"
            | "log"
            | "ln"
            | "exp"
            | "lim"
            | "max"
            | "min"
            | "sup"
            | "inf"
            | "det"
            | "dim"
            | "ker"
            | "gcd"
            | "arg"
            | "arcsin"
            | "arccos"
            | "arctan"
    );
    if is_function {
        format!("\\{name} ")
    } else if name.chars().count() > 1 && name.is_ascii() {
        format!("\\mathrm{{{name}}}")
    } else {
        name.to_owned()
    }
}

fn operator(sign: &str) -> String {
    match sign {
        "{" => "\\{".to_owned(),
        "}" => "\\}".to_owned(),
        "%" => "\\%".to_owned(),
        "&" => "\\&".to_owned(),
        "#" => "\\#".to_owned(),
        // Invisible multiplication, function application, separators.
        "\u{2061}" | "\u{2062}" | "\u{2063}" | "\u{2064}" => String::new(),
        "\u{2212}" => "-".to_owned(),
        other => other.to_owned(),
    }
}
