//! Addresses as they stand in Markdown: absolute, and without characters that would end them.

use url::Url;

use crate::dom::Document;

/// Bytes of an address past which a link is not worth its length (and is no link to a page).
const MAX_ADDRESS: usize = 4_096;

/// Makes the page's addresses absolute.
pub(super) struct Addresses {
    base: Option<Base>,
}

struct Base {
    url: Url,
    /// Scheme and host: what an address that begins with `/` is appended to.
    origin: String,
    /// The page's address, for links within it.
    page: String,
}

impl Base {
    fn new(url: Url) -> Self {
        let mut page = url.clone();
        page.set_fragment(None);
        Self {
            origin: url[..url::Position::BeforePath].to_owned(),
            page: page.into(),
            url,
        }
    }
}

impl Addresses {
    /// For a page at this address; its first `<base>` counts.
    pub fn new(document: &Document, base_url: Option<&str>) -> Self {
        let page = base_url.and_then(|url| Url::parse(url).ok()).filter(is_web);
        let declared = document
            .head()
            .into_iter()
            .flat_map(|head| document.children(head))
            .filter(|&child| document.is(child, "base"))
            .find_map(|base| document.attr(base, "href"))
            .filter(|href| href.len() <= MAX_ADDRESS)
            .and_then(|href| match &page {
                Some(page) => page.join(href.trim()).ok(),
                None => Url::parse(href.trim()).ok(),
            })
            .filter(is_web);
        Self {
            base: declared.or(page).map(Base::new),
        }
    }

    /// The address of a link: none if nothing can be visited there.
    pub fn link(&self, href: &str) -> Option<String> {
        let href = href.trim();
        if href.is_empty() || href == "#" {
            return None;
        }
        let allowed = ["http", "https", "mailto", "tel", "ftp"];
        self.absolute(href, &allowed)
    }

    /// The address of an image or another thing in the page.
    pub fn resource(&self, src: &str) -> Option<String> {
        let src = src.trim();
        if src.is_empty() || src.starts_with('#') {
            return None;
        }
        self.absolute(src, &["http", "https"])
    }

    fn absolute(&self, address: &str, allowed: &[&str]) -> Option<String> {
        if address.len() > MAX_ADDRESS {
            return None;
        }
        let scheme = scheme(address);
        let scheme = scheme.as_deref();
        if scheme.is_some_and(|scheme| !allowed.contains(&scheme)) {
            return None;
        }
        let is_web = matches!(scheme, Some("http" | "https"));
        if is_web && is_normal(address) {
            return Some(address.to_owned());
        }
        match &self.base {
            _ if scheme.is_some() && !is_web => Some(escaped(address)),
            None if is_web => Url::parse(address).ok().map(|url| escaped(url.as_str())),
            None => Some(escaped(address)),
            Some(base) if is_normal(address) && address.starts_with('#') => {
                Some(escaped(&base.page) + address)
            }
            Some(base) if is_normal(address) && is_rooted(address) => {
                Some(escaped(&base.origin) + address)
            }
            Some(base) => base.url.join(address).ok().map(|url| escaped(url.as_str())),
        }
    }
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host() && url.as_str().len() <= MAX_ADDRESS
}

/// The scheme of an address, in lower case, as a browser reads it: tabs and line ends do not count.
fn scheme(address: &str) -> Option<String> {
    let mut scheme = String::new();
    for character in address.chars().take(64) {
        match character {
            '\t' | '\n' | '\r' => {}
            ':' => return (!scheme.is_empty()).then_some(scheme),
            'a'..='z' | 'A'..='Z' => scheme.push(character.to_ascii_lowercase()),
            '0'..='9' | '+' | '-' | '.' if !scheme.is_empty() => scheme.push(character),
            // A browser leaves control characters before the scheme out.
            control if control.is_ascii_control() && scheme.is_empty() => {}
            _ => return None,
        }
    }
    None
}

fn is_rooted(address: &str) -> bool {
    address.starts_with('/') && !address.starts_with("//")
}

/// Whether an address is already as it would be written.
fn is_normal(address: &str) -> bool {
    let clean = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b'-' | b'.'
                    | b'_'
                    | b'~'
                    | b':'
                    | b'/'
                    | b'?'
                    | b'#'
                    | b'@'
                    | b'!'
                    | b'$'
                    | b'&'
                    | b'\''
                    | b'*'
                    | b'+'
                    | b','
                    | b';'
                    | b'='
                    | b'%'
            )
    };
    address.bytes().all(clean) && !address.contains("/.")
}

/// An address with what Markdown would stumble over as percent codes.
fn escaped(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    for character in address.chars() {
        match character {
            '\t' | '\n' | '\r' => {}
            ' ' => out.push_str("%20"),
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '|' => out.push_str("%7C"),
            '\\' => out.push_str("%5C"),
            control if control.is_control() => {}
            other => out.push(other),
        }
    }
    out
}
