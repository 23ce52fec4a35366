//! Looks at what Markdown becomes of pages.
//!
//! `markdown FILE [ADDRESS]` prints a page as Markdown; `markdown --cases FILE` runs cases (JSON:
//! `base_url`, and `cases` of `id`, `html`, `must`, `must_not`, regular expressions in multi-line
//! mode) and says which fail; `markdown --time FILE...` compares rendering with parsing.

use std::{error::Error, fs, time::Instant};

use regex_lite::RegexBuilder;
use serde_json::Value;
use tabwright_html::{Document, NodeId, markdown};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let first = args.next().ok_or("what to read?")?;
    match first.as_str() {
        "--cases" => cases(&args.next().ok_or("which file?")?),
        "--time" => args.try_for_each(|path| time(&path)),
        path => {
            println!(
                "{}",
                rendered(&fs::read_to_string(path)?, args.next().as_deref())
            );
            Ok(())
        }
    }
}

fn rendered(html: &str, base_url: Option<&str>) -> String {
    let options = markdown::Options {
        base_url,
        ..markdown::Options::default()
    };
    markdown::render(&Document::parse(html), NodeId::ROOT, &options).text
}

fn cases(path: &str) -> Result<(), Box<dyn Error>> {
    let all: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
    let cases = all["cases"].as_array().ok_or("no cases")?;
    let mut failed = 0;
    for case in cases {
        let html = case["html"].as_str().ok_or("no html")?;
        let text = rendered(html, all["base_url"].as_str());
        let mut faults = Vec::new();
        for (list, wanted) in [("must", true), ("must_not", false)] {
            for pattern in case[list].as_array().into_iter().flatten() {
                let pattern = pattern.as_str().ok_or("a pattern is not a text")?;
                let pattern = RegexBuilder::new(pattern).multi_line(true).build()?;
                if pattern.is_match(&text) != wanted {
                    faults.push(format!("{list}: {pattern}"));
                }
            }
        }
        if !faults.is_empty() {
            failed += 1;
            println!(
                "{}\n  {html}\n  {}\n{text}\n",
                case["id"],
                faults.join("\n  ")
            );
        }
    }
    println!("{failed} of {} fail", cases.len());
    Ok(())
}

/// The best of several runs of each.
fn time(path: &str) -> Result<(), Box<dyn Error>> {
    let html = fs::read_to_string(path)?;
    let best = |mut run: Box<dyn FnMut() + '_>| {
        let times = (0..15).map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        });
        times.min().unwrap_or_default().as_secs_f64() * 1e3
    };
    let document = Document::parse(&html);
    let options = markdown::Options {
        base_url: Some("https://example.com/a/b"),
        ..markdown::Options::default()
    };
    let parse = best(Box::new(|| drop(Document::parse(&html))));
    let render = best(Box::new(|| {
        markdown::render(&document, NodeId::ROOT, &options);
    }));
    let size = markdown::render(&document, NodeId::ROOT, &options)
        .text
        .len();
    println!(
        "{path}: {} KB in, {} KB out, parse {parse:.2} ms, render {render:.2} ms ({:.0} %)",
        html.len() / 1024,
        size / 1024,
        100.0 * render / parse
    );
    Ok(())
}
