//! What pages become. `check` compares whole texts.

mod blocks;
mod code;
mod hostile;
mod inline;
mod options;
mod round_trip;
mod tables;

use super::{Options, render};
use crate::dom::{Document, NodeId};

const PAGE: &str = "https://example.com/docs/a/page.html";

fn markdown(html: &str) -> String {
    let options = Options {
        base_url: Some(PAGE),
        ..Options::default()
    };
    render(&Document::parse(html), NodeId::ROOT, &options).text
}

#[track_caller]
fn check(html: &str, expected: &str) {
    let found = markdown(html);
    assert_eq!(found, expected, "of {html}\nfound:\n{found}\n");
}
