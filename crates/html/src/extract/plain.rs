//! The content as plain text, a line for each block: for measurements and for whoever wants no markup.

use std::collections::HashSet;

use crate::{
    Document, NodeId,
    dom::{Edge, Kind},
    local_name,
};

/// The text of these subtrees without the nodes that are left out.
pub(super) fn text(document: &Document, roots: &[NodeId], left_out: &HashSet<NodeId>) -> String {
    let mut out = Lines::default();
    for &root in roots {
        let mut walk = document.traverse(root);
        let mut pre = 0u32;
        while let Some(edge) = walk.next() {
            match edge {
                Edge::Open(id) => match document.kind(id) {
                    Kind::Text(text) if pre > 0 => out.verbatim(text),
                    Kind::Text(text) => out.words(text),
                    Kind::Element(name) => {
                        if left_out.contains(&id)
                            || is_silent(name)
                            || super::flat::is_raw_noscript(document, id)
                        {
                            walk.skip_children(id);
                        } else if *name == local_name!("br") || !is_inline(name) {
                            out.line();
                        }
                        pre += u32::from(*name == local_name!("pre"));
                    }
                    Kind::Root => {}
                },
                Edge::Close(id) => {
                    if let Some(name) = document.local_name(id) {
                        pre -= u32::from(*name == local_name!("pre"));
                        if !is_inline(name) {
                            out.line();
                        }
                    }
                }
            }
        }
        out.line();
    }
    out.text.truncate(out.text.trim_end().len());
    out.text
}

#[derive(Default)]
struct Lines {
    text: String,
    /// Whether a space is due before the next word.
    space: bool,
}

impl Lines {
    fn words(&mut self, text: &str) {
        let mut first = true;
        for word in text.split_whitespace() {
            self.space |= !first || text.starts_with(char::is_whitespace);
            if self.space && !self.text.is_empty() && !self.text.ends_with('\n') {
                self.text.push(' ');
            }
            self.text.push_str(word);
            self.space = false;
            first = false;
        }
        self.space |= text.ends_with(char::is_whitespace);
    }

    fn verbatim(&mut self, text: &str) {
        self.text.push_str(text);
        self.space = false;
    }

    fn line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.space = false;
    }
}

fn is_silent(name: &crate::LocalName) -> bool {
    matches!(
        *name,
        local_name!("script")
            | local_name!("style")
            | local_name!("template")
            | local_name!("iframe")
            | local_name!("svg")
            | local_name!("canvas")
            | local_name!("object")
            | local_name!("audio")
            | local_name!("video")
    )
}

fn is_inline(name: &crate::LocalName) -> bool {
    matches!(
        *name,
        local_name!("a")
            | local_name!("span")
            | local_name!("b")
            | local_name!("strong")
            | local_name!("i")
            | local_name!("em")
            | local_name!("u")
            | local_name!("s")
            | local_name!("small")
            | local_name!("big")
            | local_name!("sub")
            | local_name!("sup")
            | local_name!("code")
            | local_name!("kbd")
            | local_name!("samp")
            | local_name!("var")
            | local_name!("font")
            | local_name!("abbr")
            | local_name!("cite")
            | local_name!("q")
            | local_name!("mark")
            | local_name!("time")
            | local_name!("bdi")
            | local_name!("bdo")
            | local_name!("ins")
            | local_name!("del")
            | local_name!("img")
            | local_name!("wbr")
            | local_name!("tt")
            | local_name!("label")
            | local_name!("data")
            | local_name!("dfn")
            | local_name!("ruby")
    )
}
