//! What a page says of itself as data: its `application/ld+json` scripts.

use serde_json::{Map, Value};

use crate::{Document, NodeId};

/// Bytes of one script that are read. Pages exist that list a whole shop.
const MAX_SCRIPT: usize = 1 << 20;

/// Things that are kept.
const MAX_THINGS: usize = 2_000;

/// The things that the scripts of a page describe, outer ones first.
#[derive(Debug, Default)]
pub(crate) struct JsonLd {
    things: Vec<Map<String, Value>>,
    listed_products: usize,
}

impl JsonLd {
    /// Whether a script holds such data.
    pub fn is_script(document: &Document, id: NodeId) -> bool {
        document
            .attr(id, "type")
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/ld+json"))
    }

    /// Of a page's scripts.
    pub fn read(document: &Document, scripts: &[NodeId]) -> Self {
        let mut things = Vec::new();
        for &script in scripts {
            let text = document.text_content(script);
            if text.len() > MAX_SCRIPT {
                continue;
            }
            // Some pages wrap it against old browsers or break lines in the middle of a text.
            let trimmed = text
                .trim()
                .trim_start_matches("<!--")
                .trim_start_matches("//<![CDATA[")
                .trim_end_matches("-->")
                .trim_end_matches("//]]>")
                .trim_end_matches(';');
            let parsed = serde_json::from_str(trimmed).or_else(|_| {
                let cleaned: String = trimmed
                    .chars()
                    .map(|c| if c.is_control() { ' ' } else { c })
                    .collect();
                serde_json::from_str(&cleaned)
            });
            if let Ok(value) = parsed {
                collect(value, &mut things);
            }
        }
        let listed_products = things
            .iter()
            .filter_map(|thing| thing.get("itemListElement")?.as_array())
            .flatten()
            .filter_map(|element| element.get("item").or(Some(element))?.as_object())
            .filter(|item| kinds(item).any(|kind| kind == "Product"))
            .count();
        Self {
            things,
            listed_products,
        }
    }

    /// How many products stand in lists.
    pub fn listed_products(&self) -> usize {
        self.listed_products
    }

    /// All things.
    pub fn all(&self) -> impl Iterator<Item = &Map<String, Value>> {
        self.things.iter()
    }

    /// The things that have one of these types.
    pub fn of_types<'a>(
        &'a self,
        types: &'a [&str],
    ) -> impl Iterator<Item = &'a Map<String, Value>> {
        self.things
            .iter()
            .filter(move |thing| kinds(thing).any(|kind| types.contains(&kind)))
    }

    /// Whether something has one of these types.
    pub fn has(&self, types: &[&str]) -> bool {
        self.of_types(types).next().is_some()
    }

    /// How many things have one of these types.
    pub fn count(&self, types: &[&str]) -> usize {
        self.of_types(types).count()
    }
}

/// The types of a thing, without the address before the name.
fn kinds(thing: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let (one, many) = match thing.get("@type") {
        Some(Value::String(kind)) => (Some(kind.as_str()), &[][..]),
        Some(Value::Array(kinds)) => (None, kinds.as_slice()),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => {
            (None, &[][..])
        }
    };
    one.into_iter()
        .chain(many.iter().filter_map(Value::as_str))
        .map(|kind| kind.rsplit(['/', ':']).next().unwrap_or(kind))
}

/// Lists the outer things: what stands in arrays, in `@graph` and as a page's main thing.
fn collect(value: Value, things: &mut Vec<Map<String, Value>>) {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(values) => rest.extend(values.into_iter().rev()),
            Value::Object(mut thing) => {
                if things.len() >= MAX_THINGS {
                    return;
                }
                for inner in ["mainEntity", "@graph"] {
                    if matches!(thing.get(inner), Some(Value::Array(_) | Value::Object(_)))
                        && let Some(value) = thing.remove(inner)
                    {
                        rest.push(value);
                    }
                }
                things.push(thing);
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// A text in a thing: the string, the first of several, or the `name` of a thing.
pub(crate) fn text<'a>(thing: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    let mut value = thing.get(key)?;
    // A name in a list of lists is nobody's.
    for _ in 0..4 {
        value = match value {
            Value::String(text) => return Some(text.trim()).filter(|text| !text.is_empty()),
            Value::Array(values) => values.first()?,
            Value::Object(inner) => inner
                .get("name")
                .or_else(|| inner.get("@value"))
                .or_else(|| inner.get("@id"))?,
            Value::Null | Value::Bool(_) | Value::Number(_) => return None,
        };
    }
    None
}
