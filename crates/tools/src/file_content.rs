//! What a model writes into a file: text as it is, or the bytes of a base64 data URL.

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::ToolError;

/// Models leave the padding out now and then.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The bytes of the content.
pub(crate) fn file_content(content: String) -> Result<Vec<u8>, ToolError> {
    let Some(payload) = payload_of(&content) else {
        return Ok(content.into_bytes());
    };
    let packed: String = payload.split_ascii_whitespace().collect();
    BASE64.decode(&packed).map_err(|error| {
        ToolError::reply(
            "invalid_base64",
            format!("The data URL in `content` is not valid base64: {error}. Nothing was written; send all of it, or plain text."),
        )
    })
}

/// What stands behind the head of a base64 data URL.
fn payload_of(content: &str) -> Option<&str> {
    let (head, payload) = content.split_once(',')?;
    let head = head.to_ascii_lowercase();
    let type_and_parameters = head.strip_prefix("data:")?.strip_suffix(";base64")?;
    // A text may begin with the word `data:`; a type has no space in it.
    let is_type = !type_and_parameters.contains(char::is_whitespace);
    is_type.then_some(payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(content: &str, expected: &[u8]) {
        let bytes = file_content(content.to_owned());
        assert_eq!(bytes, Ok(expected.to_vec()), "{content:?}");
    }

    #[test]
    fn text_is_written_as_it_is() {
        for text in [
            "",
            "hello, wörld\r\n",
            "data:text/plain,not base64",
            "data: see;base64,AA==",
            "x data:image/png;base64,AA==",
            "data:",
        ] {
            check(text, text.as_bytes());
        }
    }

    #[test]
    fn a_base64_data_url_is_written_as_its_bytes() {
        check("data:image/png;base64,iVBORw==", b"\x89PNG");
        check("data:image/png;base64,iVBORw", b"\x89PNG");
        check("data:text/plain;charset=utf-8;base64,aGk=", b"hi");
        check("DATA:;BASE64,aGk=", b"hi");
        check("data:a/b;base64,\n aG\r\nk= \n", b"hi");
        check("data:a/b;base64,", b"");
        check("data:a/b;base64,+/+/", &[251, 255, 191]);
    }

    #[test]
    fn a_broken_data_url_writes_nothing_and_says_where() {
        for (content, part) in [
            ("data:a/b;base64,aGk*", "Invalid symbol 42, offset 3"),
            ("data:a/b;base64,a", "Nothing was written"),
            ("data:a/b;base64,-_-_", "Invalid symbol 45"),
        ] {
            let message = file_content(content.to_owned()).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
