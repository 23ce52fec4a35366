//! Which addresses a tool may read from the network.
//!
//! Invariant: what passes is an http or https address without a name or password in it, and its host
//! is neither this computer nor, as far as the address tells, a machine of its network. A public name
//! that leads to a private machine passes: only the browser knows what a name leads to.

use std::net::{Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use crate::ToolError;

/// The address as a browser writes it, or why it is not read.
pub(crate) fn fetch_address(text: &str) -> Result<Url, ToolError> {
    let shown = || text.chars().take(100).collect::<String>();
    let url = match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => url,
        Ok(url) => {
            return Err(refused(format!(
                "Only http and https addresses are read, not `{}:` addresses",
                url.scheme()
            )));
        }
        Err(_) => {
            return Err(ToolError::outside(
                "invalid_url",
                format!(
                    "`url` must be a whole address such as https://example.com/, but \"{}\" came.",
                    shown()
                ),
            ));
        }
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refused(
            "An address with a user name or password in it is not read".into(),
        ));
    }
    match url.host() {
        Some(Host::Domain(name)) if is_local_name(name) => Err(local(name)),
        Some(Host::Ipv4(address)) if is_local_v4(address) => Err(local(&address.to_string())),
        Some(Host::Ipv6(address)) if is_local_v6(address) => Err(local(&format!("[{address}]"))),
        Some(_) => Ok(url),
        None => Err(refused("The address names no host".into())),
    }
}

fn refused(why: String) -> ToolError {
    ToolError::outside("address_refused", format!("{why}."))
}

fn local(host: &str) -> ToolError {
    let host: String = host.chars().take(100).collect();
    refused(format!(
        "{host} is this computer or a machine of its own network, which is not read for a page's or a model's sake. If the person wants that, open it in a tab"
    ))
}

/// Names that the public DNS does not answer, by the registries of special names, by long use, or
/// because they have no dot.
const LOCAL_DOMAINS: &[&str] = &[
    "localhost",
    "local",
    "localdomain",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "home.arpa",
    "test",
    "invalid",
    "onion",
];

fn is_local_name(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let is_in = |domain: &&str| {
        name.strip_suffix(*domain)
            .is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    !name.contains('.') || LOCAL_DOMAINS.iter().any(is_in)
}

/// By the IANA's register of special-purpose addresses: everything that is not of the public net.
fn is_local_v4(address: Ipv4Addr) -> bool {
    match address.octets() {
        [0 | 10 | 127, ..]
        | [100, 64..=127, ..]
        | [169, 254, ..]
        | [172, 16..=31, ..]
        | [192, 0, 0 | 2, _]
        | [192, 88, 99, _]
        | [192, 168, ..]
        | [198, 18 | 19, ..]
        | [198, 51, 100, _]
        | [203, 0, 113, _]
        | [224..=255, ..] => true,
        [..] => false,
    }
}

fn is_local_v6(address: Ipv6Addr) -> bool {
    let half = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        Ipv4Addr::new(a, b, c, d)
    };
    match address.segments() {
        // An address of the old kind in the new form, by any of the ways to write one.
        [0, 0, 0, 0, 0, 0 | 0xFFFF, high, low]
        | [0, 0, 0, 0, 0xFFFF, 0, high, low]
        | [0x64, 0xFF9B, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => is_local_v4(half(high, low)),
        // Teredo, the local form of address translation, discarding, documentation.
        [0x64, 0xFF9B, 1, ..]
        | [0x100, 0, 0, 0, ..]
        | [0x2001, 0..=0x1FF, ..]
        | [0x2001, 0xDB8, ..]
        | [0x3FFF, 0..=0xFFF, ..] => true,
        // Only these are of the public net; private, link-local and multicast ones are others.
        [first, ..] => first & 0xE000 != 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn takes(text: &str, expected: &str) {
        let url = fetch_address(text).map(String::from);
        assert_eq!(url, Ok(expected.to_owned()), "{text}");
    }

    #[track_caller]
    fn refuses(text: &str, expected: &str, part: &str) {
        let Err(ToolError::Reply { code, message, .. }) = fetch_address(text) else {
            panic!("{text:?} passes");
        };
        assert_eq!(code, expected, "{text}");
        assert!(message.contains(part), "{text}: {message}");
    }

    #[test]
    fn addresses_of_the_public_net_pass() {
        takes("https://example.com", "https://example.com/");
        takes("http://8.8.8.8:81/a?b#c", "http://8.8.8.8:81/a?b#c");
        takes("https://例え.jp/", "https://xn--r8jz45g.jp/");
        takes("https://[2606:4700::1111]/", "https://[2606:4700::1111]/");
        takes(
            "https://localhost.example.com/",
            "https://localhost.example.com/",
        );
        takes("https://notlocal.com./", "https://notlocal.com./");
        takes("http://172.15.0.1/", "http://172.15.0.1/");
        takes("http://[64:ff9b::808:808]/", "http://[64:ff9b::808:808]/");
    }

    #[test]
    fn this_computer_and_its_network_are_refused_however_they_are_written() {
        for host in [
            "localhost",
            "LOCALHOST.",
            "a.localhost",
            "router",
            "printer.local",
            "nas.lan",
            "x.home.arpa",
            "metadata.google.internal",
            "wiki.corp",
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f.1",
            "0177.0.0.1",
            "0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.1",
            "169.254.169.254",
            "100.100.100.200",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "１２７.0.0.1",
            "[::1]",
            "[::]",
            "[fe80::1]",
            "[fc00::1]",
            "[fd12::1]",
            "[ff02::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:0:10.0.0.1]",
            "[::10.0.0.1]",
            "[64:ff9b::10.0.0.1]",
            "[2002:7f00:1::]",
            "[2001::1]",
            "[2001:db8::1]",
            "[fec0::1]",
            "[5f00::1]",
        ] {
            refuses(
                &format!("http://{host}/"),
                "address_refused",
                "this computer or a machine of its own network",
            );
            refuses(
                &format!("https://{host}:8443/a"),
                "address_refused",
                "open it in a tab",
            );
        }
    }

    #[test]
    fn what_is_no_web_address_or_holds_a_password_is_refused() {
        for scheme in [
            "file:///etc/passwd",
            "ftp://a.test/",
            "data:,x",
            "javascript:1",
            "chrome://settings/",
            "about:blank",
            "blob:https://a.com/x",
        ] {
            refuses(scheme, "address_refused", "Only http and https");
        }
        refuses(
            "https://user@example.com/",
            "address_refused",
            "user name or password",
        );
        refuses(
            "https://:secret@example.com/",
            "address_refused",
            "user name or password",
        );
        for text in [
            "",
            "example.com",
            "/a",
            "//a.com/",
            "https://",
            "http://a b/",
            "https://[::1/",
        ] {
            refuses(text, "invalid_url", "such as https://example.com/");
        }
    }
}
