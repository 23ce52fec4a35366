//! What a page says of its own encoding, read from its bytes before anything is decoded.

use super::label::{self, canonical};

/// How far into a page its word is looked for. Browsers look at 1 KB, and again while they parse;
/// pages exist that put kilobytes of scripts before it.
const WINDOW: usize = 16 << 10;

/// The encoding that the page names: in an XML declaration, a `<meta charset>` or a
/// `<meta http-equiv="Content-Type">`, the first that names one.
pub(super) fn declared(bytes: &[u8]) -> Option<&'static str> {
    let window = bytes.get(..WINDOW).unwrap_or(bytes);
    let found = xml_declaration(window).or_else(|| meta(window))?;
    // A page that says so in single bytes is not in double bytes.
    let wide = found == label::UTF_16LE || found == label::UTF_16BE;
    Some(if wide { label::UTF_8 } else { found })
}

/// The language of the `<html>` element, in lower case, without the region.
pub(super) fn language(bytes: &[u8]) -> Option<String> {
    let window = bytes.get(..WINDOW).unwrap_or(bytes);
    let mut at = 0;
    while let Some(tag) = next_tag(window, &mut at) {
        if tag.name == b"html" {
            let (_, value) = tag.attributes().find(|(name, _)| name == b"lang")?;
            let first = value.split(|&byte| matches!(byte, b'-' | b'_')).next()?;
            return String::from_utf8(first.to_ascii_lowercase()).ok();
        }
    }
    None
}

fn xml_declaration(window: &[u8]) -> Option<&'static str> {
    let rest = window.strip_prefix(b"<?xml")?;
    let end = rest.iter().position(|&byte| byte == b'>')?;
    let declaration = rest.get(..end)?;
    let at = find(declaration, b"encoding")?;
    let value = declaration.get(at + 8..)?.trim_ascii_start();
    let value = value.strip_prefix(b"=")?.trim_ascii_start();
    let quote = *value.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let name = value.get(1..)?.split(|&byte| byte == quote).next()?;
    canonical(std::str::from_utf8(name).ok()?)
}

fn meta(window: &[u8]) -> Option<&'static str> {
    let mut at = 0;
    while let Some(tag) = next_tag(window, &mut at) {
        if tag.name != b"meta" {
            continue;
        }
        let (mut charset, mut content, mut is_pragma) = (None, None, false);
        for (name, value) in tag.attributes() {
            match name.as_slice() {
                b"charset" => charset = charset.or(Some(value)),
                b"content" => content = content.or(Some(value)),
                b"http-equiv" => is_pragma |= value.eq_ignore_ascii_case(b"content-type"),
                _ => {}
            }
        }
        let named = charset.or_else(|| in_content(content.filter(|_| is_pragma)?));
        let named = named.and_then(|name| canonical(std::str::from_utf8(name).ok()?));
        if named.is_some() {
            return named;
        }
    }
    None
}

/// The `charset=` in the value of a `content` attribute.
fn in_content(content: &[u8]) -> Option<&[u8]> {
    let lower = content.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let at = from + find(lower.get(from..)?, b"charset")? + 7;
        let rest = content.get(at..)?.trim_ascii_start();
        let Some(value) = rest.strip_prefix(b"=") else {
            from = at;
            continue;
        };
        let value = value.trim_ascii_start();
        let ends = |byte: &u8| matches!(byte, b'"' | b'\'' | b';') || byte.is_ascii_whitespace();
        let value = match value.first() {
            Some(b'"' | b'\'') => value.get(1..)?,
            Some(_) | None => value,
        };
        return value.split(ends).next().filter(|name| !name.is_empty());
    }
}

struct Tag<'a> {
    name: Vec<u8>,
    rest: &'a [u8],
}

/// The next start tag from a place on; comments are passed over.
fn next_tag<'a>(window: &'a [u8], at: &mut usize) -> Option<Tag<'a>> {
    loop {
        let rest = window.get(*at..)?;
        let start = rest.iter().position(|&byte| byte == b'<')?;
        let inner = rest.get(start + 1..)?;
        if let Some(comment) = inner.strip_prefix(b"!--") {
            *at += start + 4 + find(comment, b"-->")?;
            continue;
        }
        *at += start + 1;
        let length = inner
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        if length == 0 {
            continue;
        }
        let (name, rest) = inner.split_at(length);
        return Some(Tag {
            name: name.to_ascii_lowercase(),
            rest,
        });
    }
}

impl<'a> Tag<'a> {
    /// The attributes, names in lower case, up to the tag's end.
    fn attributes(&self) -> impl Iterator<Item = (Vec<u8>, &'a [u8])> {
        let mut rest = self.rest;
        std::iter::from_fn(move || {
            let skip = rest
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace() || **byte == b'/')
                .count();
            rest = rest.get(skip..)?;
            if rest.first().is_none_or(|&byte| byte == b'>') {
                return None;
            }
            // The first character is a part of the name whatever it is.
            let length = 1 + rest
                .iter()
                .skip(1)
                .take_while(|byte| {
                    !byte.is_ascii_whitespace() && !matches!(byte, b'=' | b'>' | b'/')
                })
                .count();
            let (name, after) = rest.split_at_checked(length)?;
            rest = after;
            let Some(value) = after.trim_ascii_start().strip_prefix(b"=") else {
                return Some((name.to_ascii_lowercase(), &[][..]));
            };
            let value = value.trim_ascii_start();
            let (value, after) = match value.first() {
                Some(&quote @ (b'"' | b'\'')) => {
                    let inner = value.get(1..)?;
                    let end = inner.iter().position(|&byte| byte == quote)?;
                    (inner.get(..end)?, inner.get(end + 1..)?)
                }
                Some(_) | None => {
                    let end = value
                        .iter()
                        .take_while(|byte| !byte.is_ascii_whitespace() && **byte != b'>')
                        .count();
                    value.split_at_checked(end)?
                }
            };
            rest = after;
            Some((name.to_ascii_lowercase(), value))
        })
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}
