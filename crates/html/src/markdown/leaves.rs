//! What is written as a whole: images, code blocks, formulas, controls, players.

use super::{
    code, escape, image, look,
    math::{self, Formula},
    walk::{Frame, Walk},
    writer::{Flow, Gap},
};
use crate::dom::{Document, NodeId};

/// Options of a `<select>` that are looked through for the chosen one.
const MAX_OPTIONS: usize = 1_000;

impl<'a> Walk<'a> {
    pub(super) fn image(&mut self, id: NodeId) {
        let document = self.document;
        if math::is_image(document, id)
            && let Some(formula) = math::of_image(document, id)
        {
            self.formula(Some(formula));
            return;
        }
        let is_character =
            |class: &str| matches!(class, "emoji" | "wp-smiley" | "twemoji" | "smilies");
        if look::classes(document, id).any(is_character) {
            let alt = document.attr(id, "alt").unwrap_or_default();
            self.writer.text(alt);
            return;
        }
        // Its real form stands in the <noscript> after it.
        let image = image::image(document, id, &self.addresses);
        let is_late = image.as_ref().is_some_and(|image| image.address.is_none());
        let next = document
            .next_siblings(id)
            .take(2)
            .find(|&next| document.is_element(next));
        if is_late && next.is_some_and(|next| document.is(next, "noscript")) {
            return;
        }
        if let Some(image) = image {
            self.push_image(&image);
        }
    }

    fn push_image(&mut self, image: &image::Image<'_>) {
        if !self.options.images || image.address.is_none() && image.alt.trim().is_empty() {
            return;
        }
        let address = image.address.as_deref().unwrap_or_default();
        let end = self.writer.out.len();
        let is_same =
            |(last, at): &(String, usize)| last == address && *at == end && !last.is_empty();
        if self.last_image.as_ref().is_some_and(is_same) {
            return;
        }
        let mut markdown = String::from("![");
        escape::push_alt(&mut markdown, image.alt);
        markdown.push_str("](");
        markdown.push_str(address);
        if !image.title.trim().is_empty() && image.title != image.alt {
            markdown.push_str(" \"");
            escape::push_title(&mut markdown, image.title);
            markdown.push('"');
        }
        markdown.push(')');
        self.end_code_span();
        self.writer.inline(&markdown);
        self.last_image = Some((address.to_owned(), self.writer.out.len()));
    }

    /// Pages that load images late repeat them for browsers without scripts.
    pub(super) fn images_without_scripts(&mut self, id: NodeId) {
        // Mostly they stand right after the image that a script would load.
        let follows = |(_, end): &(String, usize)| *end == self.writer.out.len();
        if !self.options.images || self.last_image.as_ref().is_some_and(follows) {
            return;
        }
        let text = self.document.text_content(id);
        let parsed = text
            .contains("<img")
            .then(|| Document::parse_without_scripting(&text));
        let (document, root) = match &parsed {
            Some(parsed) => (parsed, NodeId::ROOT),
            None => (self.document, id),
        };
        let images: Vec<NodeId> = document
            .descendants(root)
            .filter(|&node| document.is(node, "img"))
            .collect();
        for node in images {
            if let Some(image) = image::image(document, node, &self.addresses)
                && image.address.is_some()
            {
                self.push_image(&image);
            }
        }
    }

    /// A `<pre>`, or a table of lines of code.
    pub(super) fn code_block(&mut self, id: NodeId) -> Frame<'a> {
        self.end_code_span();
        let options = self.options;
        let skip = |id| options.skip.is_some_and(|skip| skip(id));
        let text = code::text(self.document, id, skip);
        self.block(Gap::Blank);
        if text.is_empty() {
            return Frame::Skipped;
        }
        match self.writer.flow {
            Flow::Blocks => {
                let fence = "`".repeat(escape::longest_run(&text, '`').max(2) + 1);
                let opening = format!("{fence}{}", code::language(self.document, id));
                let lines = std::iter::once(opening.as_str())
                    .chain(text.split('\n'))
                    .chain(std::iter::once(fence.as_str()));
                self.writer.lines(lines);
            }
            Flow::Heading(_) | Flow::Cell => {
                for line in text.split('\n') {
                    self.writer.code_span(line);
                    self.writer.line_break();
                }
            }
        }
        self.block(Gap::Blank);
        Frame::Skipped
    }

    pub(super) fn formula(&mut self, formula: Option<Formula>) -> Frame<'a> {
        let Some(Formula { tex, display }) = formula else {
            return Frame::Skipped;
        };
        self.end_code_span();
        match self.writer.flow {
            Flow::Blocks if display => {
                self.block(Gap::Blank);
                let line = format!("$${tex}$$");
                self.writer.lines(std::iter::once(line.as_str()));
                self.block(Gap::Blank);
            }
            Flow::Blocks | Flow::Heading(_) | Flow::Cell => {
                self.writer.inline(&format!("${tex}$"));
                self.writer.note_text();
            }
        }
        Frame::Skipped
    }

    pub(super) fn rule(&mut self) -> Frame<'a> {
        self.block(Gap::Blank);
        if self.writer.flow == Flow::Blocks {
            // `- ---` would be one rule, without the item.
            let rule = if self.writer.follows_marker() {
                "***"
            } else {
                "---"
            };
            self.writer.lines(std::iter::once(rule));
        }
        Frame::Block
    }

    pub(super) fn input(&mut self, id: NodeId) -> Frame<'a> {
        let kind = self.document.attr(id, "type").unwrap_or_default();
        match kind.to_ascii_lowercase().as_str() {
            // The box of a task in a list.
            "checkbox" if self.writer.is_fresh() => {
                let is_done = self.document.has_attr(id, "checked");
                self.writer.inline(if is_done { "[x]" } else { "[ ]" });
                self.writer.space();
            }
            "submit" | "button" | "reset" => {
                let value = self.document.attr(id, "value").unwrap_or_default();
                self.writer.space();
                self.writer.text(value);
                self.writer.space();
            }
            _ => self.writer.space(),
        }
        Frame::Skipped
    }

    /// What is chosen.
    pub(super) fn select(&mut self, id: NodeId) -> Frame<'a> {
        let document = self.document;
        let options = || {
            document
                .descendants(id)
                .take(MAX_OPTIONS)
                .filter(|&node| document.is(node, "option"))
        };
        let chosen = options()
            .find(|&option| document.has_attr(option, "selected"))
            .or_else(|| options().next());
        if let Some(option) = chosen {
            self.writer.space();
            self.writer.text(&document.text_content(option));
            self.writer.space();
        }
        Frame::Skipped
    }

    /// A player or a page in the page, as a link.
    pub(super) fn embedded(&mut self, id: NodeId, name: &str) -> Frame<'a> {
        let document = self.document;
        let source = document.children(id).find_map(|child| {
            document
                .attr(child, "src")
                .filter(|_| document.is(child, "source"))
        });
        let late = document.attr(id, "data-src");
        let address = [document.attr(id, "src"), late, source]
            .into_iter()
            .flatten()
            .find_map(|src| self.addresses.resource(src));
        let is_dot = |name| matches!(document.attr(id, name), Some("0" | "1"));
        let Some(address) = address.filter(|_| !(is_dot("width") && is_dot("height"))) else {
            return Frame::Skipped;
        };
        let label = match name {
            "video" => "Video",
            "audio" => "Audio",
            _ => "Embedded page",
        };
        let title = document
            .attr(id, "title")
            .or_else(|| document.attr(id, "aria-label"))
            .filter(|title| !title.trim().is_empty())
            .unwrap_or(label);
        self.block(Gap::Blank);
        if self.options.links {
            let mut markdown = String::from("[");
            escape::push_alt(&mut markdown, title);
            markdown.push_str(&format!("]({address})"));
            self.writer.inline(&markdown);
        } else {
            self.writer.text(title);
        }
        self.block(Gap::Blank);
        Frame::Skipped
    }
}
