//! Which addresses a tool may load in a tab.
//!
//! Invariant: what passes is an http or https address or `about:blank`; so it can be neither code,
//! nor a file, nor a page of the browser or of an extension.

use url::Url;

use crate::ToolError;

/// The address as a browser writes it, or why no tab may load it.
pub(crate) fn page_address(text: &str) -> Result<String, ToolError> {
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url.into()),
        Ok(url) if url.as_str().eq_ignore_ascii_case("about:blank") => Ok("about:blank".to_owned()),
        Ok(url) if !looks_like_a_host(text) => Err(ToolError::reply(
            "address_refused",
            format!("{TAKEN}, not `{}:` addresses.", url.scheme()),
        )),
        Ok(_) | Err(_) => Err(ToolError::reply(
            "invalid_url",
            format!(
                "`url` must be a whole address such as https://example.com/, but \"{}\" came. {TAKEN}.",
                text.chars().take(100).collect::<String>()
            ),
        )),
    }
}

const TAKEN: &str = "Only http and https addresses and about:blank are opened";

/// `localhost:3000` is a scheme with a path to a parser, and a host with a port to a person.
fn looks_like_a_host(text: &str) -> bool {
    let after_colon = text.split_once(':').map(|(_, rest)| rest);
    after_colon.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn takes(url: &str, expected: &str) {
        assert_eq!(page_address(url), Ok(expected.to_owned()), "{url:?}");
    }

    #[track_caller]
    fn refuses(url: &str, expected: &str, part: &str) {
        let Err(ToolError::Reply { code, message, .. }) = page_address(url) else {
            panic!("{url:?} passes");
        };
        assert_eq!(code, expected, "{url:?}");
        assert!(message.contains(part), "{url:?}: {message}");
    }

    #[test]
    fn pages_of_the_web_and_the_blank_page_pass_as_a_browser_writes_them() {
        takes("https://example.com", "https://example.com/");
        takes("HTTPS://Example.COM:443/A?q#f", "https://example.com/A?q#f");
        takes(
            "  http://localhost:3000/a b \n",
            "http://localhost:3000/a%20b",
        );
        takes("http://[::1]/", "http://[::1]/");
        takes("https://例え.jp/", "https://xn--r8jz45g.jp/");
        takes("about:blank", "about:blank");
        takes("About:Blank", "about:blank");
    }

    #[test]
    fn what_is_no_page_of_the_web_is_refused_by_its_scheme() {
        for scheme in [
            "chrome",
            "chrome-extension",
            "chrome-search",
            "chrome-error",
            "chrome-untrusted",
            "edge",
            "file",
            "data",
            "javascript",
            "JavaScript",
            "view-source",
            "devtools",
            "blob",
            "filesystem",
            "ftp",
            "about",
            "mailto",
            "ws",
        ] {
            let named = format!("not `{}:` addresses", scheme.to_ascii_lowercase());
            refuses(&format!("{scheme}:x"), "address_refused", &named);
            refuses(&format!(" {scheme}://x/"), "address_refused", &named);
        }
        let view_source = "view-source:https://a.test/";
        refuses(view_source, "address_refused", "not `view-source:`");
        // A parser drops line breaks, so this is code.
        refuses("java\nscript:alert(1)", "address_refused", "`javascript:`");
        refuses(
            "\u{1}javascript:alert(1)",
            "address_refused",
            "`javascript:`",
        );
    }

    #[test]
    fn what_is_no_whole_address_says_what_one_looks_like() {
        for url in [
            "",
            "example.com",
            "/panel.html",
            "//a.test/",
            "localhost:3000",
            "https://",
            "http://a b/",
        ] {
            refuses(url, "invalid_url", "such as https://example.com/");
        }
    }
}
