mod forums;
mod hostile;
mod pages;

use super::{Options, PageType, extract};
use crate::Document;

/// The text that is found in a page, a line for each block.
#[track_caller]
fn check(html: &str, page_type: PageType, expect: &str) {
    let document = Document::parse_without_scripting(html);
    let found = extract(&document, &Options::default());
    let text = found.plain_text(&document);
    let lines = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.trim().to_owned())
            .filter(|line| !line.is_empty())
            .collect()
    };
    assert_eq!(lines(&text), lines(expect));
    assert_eq!(found.page_type, page_type);
}

/// A sentence that differs from others by its number.
fn sentence(n: usize) -> String {
    const ENDS: [&str; 5] = [
        "the mill by the river was built of grey stone, and its wheel turned slowly",
        "nobody in the village remembered who had planted the old walnut trees",
        "every autumn, the boats were drawn up and painted before the first storm",
        "a letter from the coast took three days, unless the pass was closed",
        "the bread was baked at night, so that the market had it warm",
    ];
    format!("In year {n}, {}.", ENDS[n % ENDS.len()])
}

fn paragraphs(numbers: std::ops::Range<usize>) -> String {
    numbers
        .map(|n| format!("<p>{} {}</p>", sentence(n), sentence(n + 2)))
        .collect()
}

fn lines(numbers: std::ops::Range<usize>) -> String {
    numbers
        .map(|n| format!("{} {}\n", sentence(n), sentence(n + 2)))
        .collect()
}
