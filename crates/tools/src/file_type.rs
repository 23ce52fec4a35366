//! What a file is: text or not, and its MIME type.

/// How much of a file its type is judged by, in bytes.
pub(crate) const SAMPLE: u32 = 64 * 1024;

/// Whether bytes are text. `is_all` is false for the beginning of something longer.
pub(crate) fn is_text(bytes: &[u8], is_all: bool) -> bool {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // The last character may be cut in two.
        Err(error) if !is_all && error.error_len().is_none() => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !text.chars().any(is_never_in_text)
}

/// Control characters but for tab, the line and page breaks, and the escape of coloured logs.
fn is_never_in_text(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{e}'..='\u{1a}' | '\u{1c}'..='\u{1f}' | '\u{7f}')
}

/// The MIME type: what the name says, unless the content is of another sort; then what the content
/// says. `head` is the beginning of the file.
pub(crate) fn mime_type(path: &str, head: &[u8], is_text: bool) -> &'static str {
    let by_name = extension(path).and_then(|extension| {
        let known = BY_EXTENSION.iter();
        known
            .filter(|(known, _)| *known == extension)
            .map(|(_, mime)| *mime)
            .next()
    });
    match by_name {
        Some(mime) if is_text_type(mime) == is_text => mime,
        Some(_) | None if is_text => "text/plain",
        Some(_) | None => by_content(head),
    }
}

fn by_content(head: &[u8]) -> &'static str {
    let known = SIGNATURES.iter();
    known
        .filter(|(at, signature, _)| {
            head.get(*at..)
                .is_some_and(|rest| rest.starts_with(signature))
        })
        .map(|(_, _, mime)| *mime)
        .next()
        .unwrap_or("application/octet-stream")
}

fn extension(path: &str) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let (_, extension) = name.rsplit_once('.')?;
    Some(extension.to_ascii_lowercase())
}

fn is_text_type(mime: &str) -> bool {
    mime.starts_with("text/")
        || matches!(
            mime,
            "application/json"
                | "application/x-ndjson"
                | "application/xml"
                | "application/yaml"
                | "application/toml"
                | "image/svg+xml"
        )
}

const BY_EXTENSION: [(&str, &str); 47] = [
    ("txt", "text/plain"),
    ("log", "text/plain"),
    ("md", "text/markdown"),
    ("markdown", "text/markdown"),
    ("html", "text/html"),
    ("htm", "text/html"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("tsv", "text/tab-separated-values"),
    ("js", "text/javascript"),
    ("mjs", "text/javascript"),
    ("ics", "text/calendar"),
    ("vtt", "text/vtt"),
    ("json", "application/json"),
    ("jsonl", "application/x-ndjson"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("toml", "application/toml"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("avif", "image/avif"),
    ("bmp", "image/bmp"),
    ("ico", "image/x-icon"),
    ("mp3", "audio/mpeg"),
    ("wav", "audio/wav"),
    ("ogg", "audio/ogg"),
    ("flac", "audio/flac"),
    ("m4a", "audio/mp4"),
    ("mp4", "video/mp4"),
    ("webm", "video/webm"),
    ("mov", "video/quicktime"),
    ("pdf", "application/pdf"),
    ("zip", "application/zip"),
    ("gz", "application/gzip"),
    ("tar", "application/x-tar"),
    ("7z", "application/x-7z-compressed"),
    ("wasm", "application/wasm"),
    ("woff2", "font/woff2"),
    ("ttf", "font/ttf"),
    (
        "docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
    (
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ),
    (
        "pptx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ),
];

/// Where it begins, the bytes, and what they mean.
const SIGNATURES: [(usize, &[u8], &str); 15] = [
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF8", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (8, b"WAVE", "audio/wav"),
    (4, b"ftypavif", "image/avif"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1a\x45\xdf\xa3", "video/webm"),
    (0, b"OggS", "audio/ogg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"%PDF-", "application/pdf"),
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"\x1f\x8b", "application/gzip"),
    (0, b"\0asm", "application/wasm"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, content: &[u8], expected: (bool, &str)) {
        let is_text = is_text(content, true);
        assert_eq!(
            (is_text, mime_type(path, content, is_text)),
            expected,
            "{path}"
        );
    }

    #[test]
    fn text_is_what_is_utf_8_and_has_no_control_characters() {
        for text in [
            "",
            "plain",
            "a\r\n\tb\u{c}",
            "\u{1b}[31mred\u{1b}[0m",
            "日本語 🎉",
            "\u{feff}bom",
        ] {
            check("f", text.as_bytes(), (true, "text/plain"));
        }
        for bytes in [
            &b"a\0b"[..],
            b"\x01",
            b"\x7f",
            b"caf\xe9",
            b"\xff\xfea\0",
            b"\xe6\x97",
        ] {
            check("f", bytes, (false, "application/octet-stream"));
        }
        assert!(
            is_text(b"ok \xe6\x97", false),
            "cut in the middle of a character"
        );
        assert!(!is_text(b"ok \xe6\x97 no", false));
    }

    #[test]
    fn the_name_says_what_text_is() {
        check("a/b.JSON", b"{}", (true, "application/json"));
        check("b.md", b"# x", (true, "text/markdown"));
        check("v1.2/notes", b"x", (true, "text/plain"));
        check(".svg", b"<svg/>", (true, "image/svg+xml"));
        check("b.png", b"not a picture", (true, "text/plain"));
    }

    #[test]
    fn the_content_says_what_has_no_name_or_a_wrong_one() {
        let png = b"\x89PNG\r\n\x1a\n\0";
        check("b.png", png, (false, "image/png"));
        check("picture", png, (false, "image/png"));
        check("b.txt", png, (false, "image/png"));
        check("b.webp", b"\0\0", (false, "image/webp"));
        check("b", b"RIFF\0\0\0\0WEBPVP8 ", (false, "image/webp"));
        check("b", b"\0\0\0\x20ftypisom", (false, "video/mp4"));
        check("b", b"%PDF-1.7\n\xff", (false, "application/pdf"));
        check("b.docx", b"PK\x03\x04", (false, BY_EXTENSION[44].1));
        check("b", b"\xff\xd8\xff\xe0", (false, "image/jpeg"));
    }
}
