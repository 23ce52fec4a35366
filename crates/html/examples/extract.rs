//! Reads every page of a folder: `cargo xtask extract DIR` prints one JSON line a page.
//!
//! Reads `NAME.html` and `NAME.html.gz`; the text is Markdown.

use std::{fs, io::Read, path::Path, time::Instant};

use tabwright_html::{charset, page};

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("Name the folder with the pages: extract DIR");
        std::process::exit(2);
    };
    let mut paths: Vec<_> = fs::read_dir(folder)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    paths.sort();
    for path in paths {
        let Some((name, bytes)) = read(&path)? else {
            continue;
        };
        let started = Instant::now();
        let html = charset::decode(&bytes, None).text;
        let page = page::read(&html, "");
        let ms = started.elapsed().as_secs_f64() * 1_000.0;
        println!(
            "{}",
            serde_json::json!({
                "id": name, "text": page.markdown, "ms": ms, "type": page.page_type,
            })
        );
    }
    Ok(())
}

/// The name without its ending and the bytes; none for a file that is no page.
fn read(path: &Path) -> std::io::Result<Option<(String, Vec<u8>)>> {
    let Some(file) = path.file_name().and_then(|name| name.to_str()) else {
        return Ok(None);
    };
    if let Some(name) = file.strip_suffix(".html.gz") {
        let mut bytes = Vec::new();
        flate2::read::GzDecoder::new(fs::File::open(path)?).read_to_end(&mut bytes)?;
        return Ok(Some((name.to_owned(), bytes)));
    }
    match file.strip_suffix(".html") {
        Some(name) => Ok(Some((name.to_owned(), fs::read(path)?))),
        None => Ok(None),
    }
}
