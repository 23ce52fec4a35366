//! Which addresses a link or image may have.

use url::Url;

/// The address of a link, as a browser would understand it, if it is one that may be followed.
pub(crate) fn link(address: &str) -> Option<String> {
    with_scheme(address, &["http", "https", "mailto"])
}

/// The address of an image, if it is one that may be shown: of the web, when the person asks for it,
/// or `workspace:` with the path of a file of the workspace.
pub(crate) fn image(address: &str) -> Option<String> {
    with_scheme(address, &["http", "https"]).or_else(|| file(address))
}

fn file(address: &str) -> Option<String> {
    let path = address.strip_prefix("workspace:")?;
    let is_name = |part: &str| !matches!(part, "" | "." | "..");
    path.split('/')
        .all(is_name)
        .then(|| with_scheme(address, &["workspace"]))?
}

fn with_scheme(address: &str, schemes: &[&str]) -> Option<String> {
    // Parsing first: browsers skip tabs and line breaks inside a scheme, and so does this.
    let url = Url::parse(address).ok()?;
    schemes.contains(&url.scheme()).then(|| url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_and_of_mail_are_links() {
        let check = |address: &str, expected: Option<&str>| {
            assert_eq!(link(address).as_deref(), expected, "{address:?}");
        };
        check("https://a.test/x?y#z", Some("https://a.test/x?y#z"));
        check("HTTP://A.test", Some("http://a.test/"));
        check("mailto:a@b.test", Some("mailto:a@b.test"));
        check("https://аpple.test", Some("https://xn--pple-43d.test/"));
        for address in [
            "",
            "x",
            "/x",
            "//a.test/x",
            "#x",
            "javascript:alert(1)",
            " javascript:alert(1)",
            "java\tscript:alert(1)",
            "JAVASCRIPT:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "blob:https://a.test/1",
            "chrome://settings",
            "chrome-extension://a/b.html",
            "filesystem:https://a.test/x",
            "view-source:https://a.test",
            "about:blank",
            "http:",
        ] {
            check(address, None);
        }
    }

    #[test]
    fn images_are_of_the_web_or_of_the_workspace() {
        assert!(image("https://a.test/x.png").is_some());
        assert!(image("mailto:a@b.test").is_none());
        let check = |address: &str, expected: Option<&str>| {
            assert_eq!(image(address).as_deref(), expected, "{address:?}");
        };
        check("workspace:images/a.png", Some("workspace:images/a.png"));
        for address in [
            "workspace:",
            "workspace:/a",
            "workspace:a/../b",
            "workspace:a//b",
        ] {
            check(address, None);
        }
        assert!(link("workspace:images/a.png").is_none());
        assert!(image("data:image/png;base64,AA").is_none());
    }
}
