//! What a page says of itself, gathered once.

use super::flat::Flat;
use crate::{Document, json_ld::JsonLd};

/// The words of a page's head and data that the passes ask for.
#[derive(Debug, Default)]
pub(super) struct Facts<'a> {
    /// The page's address: as given, else as the page gives it.
    pub url: Option<&'a str>,
    pub title: String,
    pub og_type: Option<&'a str>,
    pub description: Option<&'a str>,
    pub generator: Option<&'a str>,
    /// The classes of body and html, which name templates.
    pub body_class: &'a str,
    pub data: JsonLd,
    /// The types of microdata things.
    pub item_types: Vec<&'a str>,
}

impl<'a> Facts<'a> {
    pub fn new(document: &'a Document, flat: &Flat, url: Option<&'a str>) -> Self {
        let mut facts = Self {
            url,
            ..Self::default()
        };
        let mut scripts = Vec::new();
        let mut linked = None;
        for id in document
            .head()
            .into_iter()
            .flat_map(|head| document.children(head))
            .chain(flat.about.iter().copied())
        {
            match document.name(id) {
                "meta" => facts.meta(document, id, &mut linked),
                "title" if facts.title.is_empty() => facts.title = document.text_content(id),
                "link" if document.attr(id, "rel") == Some("canonical") => {
                    linked = document.attr(id, "href").or(linked);
                }
                "script" if JsonLd::is_script(document, id) => scripts.push(id),
                _ => {}
            }
        }
        facts.url = facts.url.or(linked);
        facts.data = JsonLd::read(document, &scripts);
        facts.item_types = flat
            .entries
            .iter()
            .filter_map(|entry| document.attr(entry.node, "itemtype"))
            .map(|kind| kind.trim_end_matches('/'))
            .map(|kind| kind.rsplit('/').next().unwrap_or(kind))
            .collect();
        facts.body_class = document
            .body()
            .and_then(|body| document.attr(body, "class"))
            .unwrap_or_default();
        facts
    }

    fn meta(&mut self, document: &'a Document, id: crate::NodeId, linked: &mut Option<&'a str>) {
        let name = document
            .attr(id, "property")
            .or_else(|| document.attr(id, "name"))
            .unwrap_or_default();
        let Some(content) = document.attr(id, "content").map(str::trim) else {
            return;
        };
        if content.is_empty() {
            return;
        }
        match name {
            "og:type" => self.og_type = Some(content),
            "og:url" => *linked = linked.or(Some(content)),
            "description" | "Description" => self.description = Some(content),
            "og:description" => self.description = self.description.or(Some(content)),
            "generator" | "Generator" => self.generator = Some(content),
            _ => {}
        }
    }

    /// Whether microdata has a thing of one of these types.
    pub fn has_item(&self, types: &[&str]) -> bool {
        self.item_types.iter().any(|kind| types.contains(kind))
    }
}
