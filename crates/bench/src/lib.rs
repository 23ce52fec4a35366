//! Never shipped: how fast our decoders are beside a known parser, on the same bytes.
//!
//! `cargo xtask bench decoders` runs it natively (`main.rs`) and in Node (`binding.rs`); what is
//! measured is here, so that both measure the same.

#[cfg(target_family = "wasm")]
mod binding;
mod ours;
mod peer;
mod streams;

use tabwright_protocol::ProviderKind;

/// A wire format, with its name as it is printed.
pub const FORMATS: [(&str, ProviderKind); 5] = [
    ("openai_chat", ProviderKind::OpenAiChat),
    ("openai_responses", ProviderKind::OpenAiResponses),
    ("anthropic", ProviderKind::Anthropic),
    ("gemini", ProviderKind::Gemini),
    ("ollama", ProviderKind::Ollama),
];

/// Who reads a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The decoder of `crates/llm`.
    Ours,
    /// `eventsource-stream` (for Ollama, lines) and `serde_json` into the provider's types.
    Peer,
}

/// What a reader made of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The text.
    pub text: String,
    /// The thinking.
    pub thinking: String,
    /// The arguments of all calls, one after the other.
    pub arguments: String,
}

impl Said {
    /// The bytes of each, by which readers in other languages are compared.
    pub fn lengths(&self) -> [usize; 3] {
        [self.text.len(), self.thinking.len(), self.arguments.len()]
    }
}

/// The recorded body of an answer in that format: some megabytes, the same each time.
pub fn stream(format: ProviderKind) -> Vec<u8> {
    streams::build(format)
}

/// Reads a whole body in pieces of that many bytes; an error says what was wrong with it.
pub fn read(
    reader: Reader,
    format: ProviderKind,
    body: &[u8],
    piece: usize,
) -> Result<Said, String> {
    match reader {
        Reader::Ours => ours::read(format, body, piece),
        Reader::Peer => peer::read(format, body, piece),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_readers_understand_the_same_whatever_the_pieces() {
        for (name, format) in FORMATS {
            let body = stream(format);
            let ours = read(Reader::Ours, format, &body, 4_096).unwrap();
            assert!(
                ours.lengths().iter().all(|length| *length > 20_000),
                "{name}"
            );
            for piece in [64, 4_096] {
                let peer = read(Reader::Peer, format, &body, piece).unwrap();
                assert!(peer == ours, "{name} {piece}");
            }
        }
    }
}
