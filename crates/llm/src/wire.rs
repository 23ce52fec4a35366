//! Where a model is asked, and what is posted there. Neither shows a key in `{:?}`.

use tabwright_protocol::ModelOptions;

use crate::LlmError;

/// A header's name in lower case, and its value.
pub(crate) type Header = (String, String);

/// Where and how a model is asked.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Endpoint {
    /// The server's base address, such as `https://api.openai.com/v1`.
    pub address: String,
    /// The key, if the server wants one.
    pub key: Option<String>,
    /// The model's id at the provider.
    pub model: String,
    /// How many tokens it is to read at once, if that is known.
    pub context_window: Option<u32>,
    /// What is asked of it beyond that.
    pub options: ModelOptions,
}

/// What is posted.
#[derive(Clone, PartialEq, Eq)]
pub struct WireRequest {
    /// The whole address.
    pub url: String,
    /// Header names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Endpoint {
    /// The base address with `path` at its end, unless it is there already. A query stays behind it.
    pub(crate) fn url(&self, path: &str) -> Result<String, LlmError> {
        self.url_in("", path)
    }

    /// The same with `version` before the path, unless the address names one.
    pub(crate) fn url_in(&self, version: &str, path: &str) -> Result<String, LlmError> {
        let address = self.address.trim();
        let fault = |fault| LlmError::Address {
            address: without_secrets(address).to_owned(),
            fault,
        };
        let rest =
            strip_scheme(address).ok_or_else(|| fault("it must begin with https:// or http://"))?;
        let host = authority(rest);
        if host.is_empty() {
            return Err(fault("it names no server"));
        }
        if host.contains('@') {
            return Err(LlmError::AddressWithKey);
        }
        if address.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(fault("it has a space or line break in it"));
        }
        let (base, query) = split_query(address);
        let base = base.trim_end_matches('/');
        if base.ends_with(path) {
            return Ok(format!("{base}{query}"));
        }
        let version = if names_version(base, version) {
            ""
        } else {
            version
        };
        Ok(format!("{base}{version}{path}{query}"))
    }

    /// The model's id without the blanks that pasting brings.
    pub(crate) fn model(&self) -> Result<&str, LlmError> {
        Some(self.model.trim())
            .filter(|model| !model.is_empty())
            .ok_or(LlmError::NoModel)
    }

    /// The headers of a request: those of every one, the format's own, and last the person's, which
    /// take the place of others of their name.
    pub(crate) fn headers(&self, own: &[(&str, String)]) -> Result<Vec<Header>, LlmError> {
        let mut headers: Vec<Header> = vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("accept".to_owned(), "text/event-stream".to_owned()),
        ];
        headers.extend(
            own.iter()
                .map(|(name, value)| ((*name).to_owned(), value.clone())),
        );
        for extra in &self.options.headers {
            let name = extra.name.trim().to_ascii_lowercase();
            let value = extra.value.as_deref().unwrap_or_default().trim();
            let of_names = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
            let is_name = !name.is_empty() && name.chars().all(of_names);
            let is_value = value
                .bytes()
                .all(|byte| byte == b' ' || byte.is_ascii_graphic());
            if !is_name || !is_value {
                // The whole line may have been put there, with a key behind the name.
                let end = name.find(|c| !of_names(c)).unwrap_or(name.len());
                let name = name[..end].to_owned();
                return Err(LlmError::Header { name });
            }
            headers.retain(|(other, _)| *other != name);
            if !value.is_empty() {
                headers.push((name, value.to_owned()));
            }
        }
        Ok(headers)
    }

    /// The key without the blanks that pasting brings, if there is one.
    pub(crate) fn key(&self) -> Result<Option<&str>, LlmError> {
        let Some(key) = self.key.as_deref().map(str::trim) else {
            return Ok(None);
        };
        if key.bytes().any(|byte| !byte.is_ascii_graphic()) {
            return Err(LlmError::Key);
        }
        Ok(Some(key).filter(|key| !key.is_empty()))
    }

    /// What of the address may be a key, as some servers want it.
    pub(crate) fn secrets_of_address(&self) -> impl Iterator<Item = &str> {
        let (_, query) = split_query(self.address.trim());
        let pairs = query.split(['?', '&']).filter_map(|it| it.split_once('='));
        let is_secret = |name: &str| {
            let name = name.to_ascii_lowercase();
            let marks = ["key", "token", "secret", "auth", "sig"];
            name == "code" || marks.iter().any(|mark| name.contains(mark))
        };
        pairs
            .filter(move |(name, _)| is_secret(name))
            .map(|(_, value)| value)
    }

    /// Whether the server is on this machine.
    pub(crate) fn is_local(&self) -> bool {
        let Some(rest) = strip_scheme(self.address.trim()) else {
            return false;
        };
        let host = authority(rest).to_ascii_lowercase();
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            Some(_) | None => host.as_str(),
        };
        let name = name.trim_end_matches('.');
        name == "localhost"
            || name.ends_with(".localhost")
            || name == "[::1]"
            || name
                .parse::<std::net::Ipv4Addr>()
                .is_ok_and(|address| address.is_loopback())
    }
}

fn strip_scheme(address: &str) -> Option<&str> {
    ["https://", "http://"].iter().find_map(|scheme| {
        let head = address.get(..scheme.len())?;
        head.eq_ignore_ascii_case(scheme)
            .then(|| &address[scheme.len()..])
    })
}

fn authority(rest: &str) -> &str {
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

/// Whether an address has a version in its path: this one, or any that looks like one.
fn names_version(base: &str, version: &str) -> bool {
    let path = strip_scheme(base).unwrap_or_default();
    path.split('/').skip(1).any(|part| {
        part == version.trim_start_matches('/')
            || matches!(part.as_bytes(), [b'v', digit, ..] if digit.is_ascii_digit())
    })
}

/// An address without what may be a key: its query, and what is before its server.
fn without_secrets(address: &str) -> &str {
    let address = address.split(['?', '#']).next().unwrap_or_default();
    address.rsplit('@').next().unwrap_or_default()
}

/// Splits off the query; a fragment is dropped, since it is never sent.
fn split_query(address: &str) -> (&str, &str) {
    let address = address.split('#').next().unwrap_or_default();
    match address.find('?') {
        Some(at) => address.split_at(at),
        None => (address, ""),
    }
}

impl std::fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Endpoint")
            .field("address", &self.address)
            .field("key", &self.key.as_ref().map(|_| "…"))
            .field("model", &self.model)
            .field("context_window", &self.context_window)
            .field("options", &self.options)
            .finish()
    }
}

impl std::fmt::Debug for WireRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("WireRequest")
            .field("url", &self.url)
            .field("headers", &names)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use tabwright_protocol::ExtraHeader;

    use super::*;
    use crate::ProviderError;

    fn endpoint(address: &str, key: Option<&str>) -> Endpoint {
        Endpoint {
            address: address.to_owned(),
            key: key.map(str::to_owned),
            model: "some-model".to_owned(),
            ..Endpoint::default()
        }
    }

    #[test]
    fn the_path_is_put_at_the_end_of_the_base_address() {
        let check = |address: &str, expected: &str| {
            let url = endpoint(address, None).url("/chat/completions").unwrap();
            assert_eq!(url, expected, "{address}");
        };
        check("https://a.test/v1", "https://a.test/v1/chat/completions");
        check(
            " https://a.test/v1// ",
            "https://a.test/v1/chat/completions",
        );
        check(
            "http://localhost:11434",
            "http://localhost:11434/chat/completions",
        );
        check("HTTPS://a.test/v1", "HTTPS://a.test/v1/chat/completions");
        check(
            "https://a.test/v1/chat/completions",
            "https://a.test/v1/chat/completions",
        );
        check(
            "https://a.test/v1/chat/completions/",
            "https://a.test/v1/chat/completions",
        );
        check(
            "https://a.test/deployments/x?api-version=1#top",
            "https://a.test/deployments/x/chat/completions?api-version=1",
        );
    }

    #[test]
    fn a_version_is_put_in_where_the_address_names_none() {
        let check = |address: &str, expected: &str| {
            let url = endpoint(address, None).url_in("/v1", "/messages").unwrap();
            assert_eq!(url, expected, "{address}");
        };
        check("https://a.test", "https://a.test/v1/messages");
        check("https://a.test/v1/", "https://a.test/v1/messages");
        check("https://v1.test/x", "https://v1.test/x/v1/messages");
        check(
            "https://a.test/v1beta/x",
            "https://a.test/v1beta/x/messages",
        );
        check("https://a.test/v1/messages", "https://a.test/v1/messages");
    }

    #[test]
    fn extra_headers_take_the_place_of_others_and_show_no_value() {
        let with = |name: &str, value: &str| {
            let mut endpoint = endpoint("https://a.test", None);
            endpoint.options.headers.push(ExtraHeader {
                name: name.to_owned(),
                value: Some(value.to_owned()),
            });
            endpoint
        };
        let own = [("x-api-key", "k".to_owned())];
        let sent = with(" X-Api-Key ", " other ").headers(&own).unwrap();
        assert_eq!(sent.last().unwrap(), &("x-api-key".into(), "other".into()));
        assert_eq!(sent.len(), 3);
        assert_eq!(with("accept", "").headers(&[]).unwrap().len(), 1);
        for (name, value) in [("", "x"), ("a b", "x"), ("a", "secret\nline"), ("a", "é")] {
            let error = with(name, value).headers(&[]).unwrap_err();
            assert!(!format!("{error:?} {error}").contains("secret"), "{error}");
        }
        let line = with("Authorization: Bearer hush-hush-hush", "");
        let error = line.headers(&[]).unwrap_err().to_string();
        assert!(
            error.contains("\"authorization\"") && !error.contains("hush"),
            "{error}"
        );
        let endpoint = with("x-key", "hush-hush-hush");
        assert!(!format!("{endpoint:?}").contains("hush"));
        let error = ProviderError::network(&endpoint, "no hush-hush-hush here");
        assert!(!error.without_key(&endpoint).message.contains("hush"));
        // A server says what it takes for the key, without the word before it.
        let endpoint = with("authorization", "Bearer hush-hush-hush");
        let error = ProviderError::network(&endpoint, "no hush-hush-hush here, Bearer!");
        let said = error.without_key(&endpoint).message;
        assert!(said.ends_with("no … here, Bearer!."), "{said}");
    }

    #[test]
    fn an_address_that_cannot_be_asked_says_what_is_wrong() {
        let check = |address: &str, expected: &str| {
            let error = endpoint(address, None).url("/x").unwrap_err().to_string();
            assert!(error.contains(expected), "{address}: {error}");
        };
        check("", "must begin with https://");
        check("localhost:11434/v1", "must begin with https://");
        check("ftp://a.test", "must begin with https://");
        check("https://", "names no server");
        check("https:///v1", "names no server");
        check("https://me:secret@a.test/v1", "user name or password");
        check("https://a.test/v 1", "space");
        let error = endpoint("https://me:secret@a.test/v1", None).url("/x");
        assert!(!format!("{error:?}").contains("secret"));
        for address in [
            "ftp://me:secret@a.test",
            "me:secret@a.test",
            "https://a.test/v 1?key=secret",
        ] {
            let error = endpoint(address, None).url("/x").unwrap_err();
            assert!(!format!("{error:?} {error}").contains("secret"), "{error}");
        }
        let endpoint = endpoint(
            "https://a.test/v1?api-version=2026-01-01&key=hush-hush#x",
            None,
        );
        let said = "Cannot POST /v1/x?api-version=2026-01-01&key=hush-hush";
        let error = ProviderError::network(&endpoint, said).without_key(&endpoint);
        assert!(
            error.message.contains("/v1/x?api-version=2026-01-01&key=…"),
            "{error}"
        );
    }

    #[test]
    fn a_key_is_trimmed_and_must_fit_into_a_header() {
        let check = |key: Option<&str>, expected: Option<Option<&str>>| {
            assert_eq!(endpoint("", key).key().ok(), expected, "{key:?}");
        };
        check(None, Some(None));
        check(Some(" \n"), Some(None));
        check(Some(" sk-1\n"), Some(Some("sk-1")));
        check(Some("sk-1\nsk-2"), None);
        check(Some("sk-…"), None);
    }

    #[test]
    fn a_server_on_this_machine_is_known() {
        let check = |address: &str, expected: bool| {
            assert_eq!(endpoint(address, None).is_local(), expected, "{address}");
        };
        check("http://localhost:11434/v1", true);
        check("http://LOCALHOST/v1", true);
        check("http://127.0.0.2:1234", true);
        check("http://[::1]:8080/v1", true);
        check("http://[::1]/v1", true);
        check("http://a.localhost", true);
        check("http://localhost.test", false);
        check("http://192.168.1.5:11434", false);
        check("https://api.openai.com/v1", false);
    }

    #[test]
    fn debug_output_hides_keys() {
        let shown = format!("{:?}", endpoint("https://a.test", Some("sk-secret")));
        assert!(
            shown.contains("some-model") && !shown.contains("secret"),
            "{shown}"
        );
        let request = WireRequest {
            url: "https://a.test".to_owned(),
            headers: vec![("authorization".to_owned(), "Bearer sk-secret".to_owned())],
            body: vec![0; 3],
        };
        let shown = format!("{request:?}");
        assert!(
            shown.contains("authorization")
                && shown.contains("3 bytes")
                && !shown.contains("secret"),
            "{shown}"
        );
    }
}
