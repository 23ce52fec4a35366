//! What only the page's data says: shops that show a description by script, shells without text.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{FEW_WORDS, PageType, facts::Facts, page::Page};
use crate::{Document, json_ld};

/// Texts that belong before the content because it lacks them, a paragraph each.
pub(super) fn missing(page: &Page<'_>, root: usize) -> Vec<String> {
    let kept = page.kept(root);
    if page.page_type == PageType::Product {
        return product(page, root);
    }
    if kept.words >= FEW_WORDS {
        return Vec::new();
    }
    let mut out = texts_in_data(page.facts);
    if out.is_empty()
        && let Some(description) = page.facts.description
    {
        out.push(plain(description));
    }
    out
}

/// The name, price and description of the product, each if the content lacks it.
fn product(page: &Page<'_>, root: usize) -> Vec<String> {
    let mut out = Vec::new();
    let Some(product) = page
        .facts
        .data
        .of_types(&["Product", "ProductGroup", "IndividualProduct"])
        .next()
    else {
        return out;
    };
    let known = words_of(page, root);
    let description = json_ld::text(product, "description")
        .or(page.facts.description)
        .map(plain);
    if let Some(name) = json_ld::text(product, "name").map(plain)
        && lacks(&known, &name)
    {
        out.push(name);
    }
    if page.kept(root).prices == 0
        && let Some(price) = price(product)
    {
        out.push(price);
    }
    if let Some(description) = description
        && lacks(&known, &description)
    {
        out.push(description);
    }
    out
}

fn price(product: &Map<String, Value>) -> Option<String> {
    let mut offer = product.get("offers")?;
    if let Value::Array(offers) = offer {
        offer = offers.first()?;
    }
    let offer = offer.as_object()?;
    let price = offer.get("price").or_else(|| offer.get("lowPrice"))?;
    let price = match price {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    let currency = json_ld::text(offer, "priceCurrency").unwrap_or_default();
    Some(format!("{price} {currency}").trim().to_owned())
}

/// The texts of articles and posts, with their authors.
fn texts_in_data(facts: &Facts<'_>) -> Vec<String> {
    let mut out = Vec::new();
    for thing in facts.data.all() {
        let text = ["articleBody", "text", "reviewBody"]
            .iter()
            .find_map(|key| json_ld::text(thing, key));
        let Some(text) = text.filter(|text| text.len() > 80) else {
            continue;
        };
        if let Some(author) = json_ld::text(thing, "author") {
            out.push(author.to_owned());
        }
        out.push(plain(text));
    }
    out
}

/// A text of a page's data without the markup some have in it.
fn plain(text: &str) -> String {
    if text.contains('<') || text.contains('&') {
        let document = Document::parse(text);
        let roots: Vec<_> = document.body().into_iter().collect();
        return super::plain::text(&document, &roots, &HashSet::new());
    }
    text.trim().to_owned()
}

/// The words that are kept, as far as they tell texts apart.
fn words_of(page: &Page<'_>, root: usize) -> HashSet<String> {
    let mut words = HashSet::new();
    for (_, entry) in page.each_kept(root) {
        for child in page.document.children(entry.node) {
            if let Some(text) = page.document.text(child) {
                words.extend(telling_words(text));
            }
        }
    }
    words
}

fn telling_words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() > 3)
        .map(str::to_lowercase)
}

/// Whether much of what a text says is not said yet.
fn lacks(known: &HashSet<String>, text: &str) -> bool {
    let (mut all, mut found) = (0u32, 0u32);
    for word in telling_words(text) {
        all += 1;
        found += u32::from(known.contains(&word));
    }
    super::words::percent(found, all) < 70
}
