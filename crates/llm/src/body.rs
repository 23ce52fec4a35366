//! The body of a response: a stream of events or lines, as asked for, or what else servers send.

use serde_json::value::RawValue;

use crate::draft::{Draft, Progress};
use crate::json::{Fields, elements};
use crate::lines::{LineDecoder, LineTooLong};
use crate::server_error::{self, excerpt};
use crate::sse::{SseDecoder, SseEvent, SseTooLong};
use crate::{Answer, ModelEvent, ProviderError, ProviderErrorKind, StreamDecoder};

/// No body is longer than this many bytes, and none that is not a stream longer than a quarter.
const MOST: usize = 64 << 20;
/// Of a stream without events, this much is kept to tell people what came instead.
const HEAD: usize = 4 << 10;

/// How a body is cut into pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Server-sent events.
    Events,
    /// One JSON value a line.
    Lines,
}

/// Decodes one body.
pub(crate) struct Decoder {
    length: usize,
    framing: Framing,
    body: Body,
    draft: Box<dyn Draft>,
    /// The server said that this is all: whatever follows is not looked at.
    done: bool,
    error: Option<ProviderError>,
    /// A piece that is of no answer and seems to say what went wrong, while nothing else has come.
    odd: Option<String>,
}

/// What the body has turned out to be.
enum Body {
    /// Not known yet: only blanks have come.
    Unknown(Vec<u8>),
    /// Events, and the beginning of the body for as long as there has been none.
    Events(Box<SseDecoder>, Vec<u8>),
    /// Lines, and those of one JSON value that is written over several of them: an error.
    Lines(LineDecoder, String),
    /// One JSON value: an error, or an answer of a server that does not stream.
    Json(Vec<u8>),
    /// A web page.
    Page(Vec<u8>),
}

impl Default for Body {
    fn default() -> Self {
        Self::Unknown(Vec::new())
    }
}

impl StreamDecoder for Decoder {
    fn feed(&mut self, bytes: &[u8]) -> Result<Vec<ModelEvent>, ProviderError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let mut events = Vec::new();
        if let Err(error) = self.read(bytes, &mut events) {
            self.error = Some(error.clone());
            // What came before the error is told first, as it would be had they come apart.
            if events.is_empty() {
                return Err(error);
            }
        }
        Ok(events)
    }

    fn is_done(&self) -> bool {
        self.done || self.error.is_some()
    }

    fn has_ended(&self) -> bool {
        let has_end = match self.draft.progress() {
            Progress::Ended => self.draft.ends_once(),
            Progress::Done => true,
            Progress::Begun | Progress::Nothing => self.done,
        };
        has_end && self.error.is_none()
    }

    fn so_far(&self) -> Answer {
        self.draft.answer(true)
    }

    fn finish(mut self: Box<Self>) -> Result<Answer, ProviderError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        self.end()?;
        if let Some(failure) = self.draft.failure() {
            return Err(failure);
        }
        match self.draft.progress() {
            Progress::Ended | Progress::Done => Ok(self.draft.answer(false)),
            Progress::Begun if self.done => Ok(self.draft.answer(false)),
            Progress::Begun => Err(cut()),
            Progress::Nothing => Err(self
                .odd
                .map_or_else(cut, |odd| server_error::in_answer(&odd))),
        }
    }
}

impl Decoder {
    /// A decoder that puts an answer together with `draft`.
    pub(crate) fn boxed(framing: Framing, draft: impl Draft + 'static) -> Box<dyn StreamDecoder> {
        Box::new(Self {
            length: 0,
            framing,
            body: Body::default(),
            draft: Box::new(draft),
            done: false,
            error: None,
            odd: None,
        })
    }

    fn read(&mut self, bytes: &[u8], out: &mut Vec<ModelEvent>) -> Result<(), ProviderError> {
        self.length = self.length.saturating_add(bytes.len());
        if self.length > MOST {
            return Err(too_long());
        }
        match &mut self.body {
            Body::Unknown(held) => {
                held.extend_from_slice(bytes);
                let first = match first_visible(held) {
                    Some(first) => first,
                    None if held.len() < HEAD => return Ok(()),
                    None => b'\n',
                };
                let held = std::mem::take(held);
                match (first, self.framing) {
                    (b'<', _) => self.body = Body::Page(held),
                    (b'{', Framing::Lines) => {
                        self.body = Body::Lines(LineDecoder::default(), String::new());
                        return self.read_lines(&held, out);
                    }
                    (b'{' | b'[', _) => self.body = Body::Json(held),
                    (_, _) => {
                        self.body = Body::Events(Box::default(), Vec::new());
                        return self.read_events(&held, out);
                    }
                }
                Ok(())
            }
            Body::Events(..) => self.read_events(bytes, out),
            Body::Lines(..) => self.read_lines(bytes, out),
            Body::Json(held) | Body::Page(held) => {
                if held.len() + bytes.len() > MOST / 4 {
                    return Err(too_long());
                }
                held.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    fn read_events(
        &mut self,
        bytes: &[u8],
        out: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        let Body::Events(decoder, head) = &mut self.body else {
            return Ok(());
        };
        let room = HEAD.saturating_sub(head.len()).min(bytes.len());
        head.extend_from_slice(&bytes[..room]);
        let mut events = Vec::new();
        let fed = decoder.feed(bytes, &mut events);
        for event in &events {
            self.read_event(event, out)?;
        }
        fed.map_err(|SseTooLong| too_long())
    }

    fn read_event(
        &mut self,
        event: &SseEvent,
        out: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        let data = event.data.trim();
        if self.done {
            return Ok(());
        }
        if data == "[DONE]" {
            self.done = true;
            return Ok(());
        }
        if event.event == "error" {
            return Err(server_error::in_answer(data));
        }
        // Anything else than an object is a comment that somebody wrapped again.
        if !data.starts_with('{') {
            return Ok(());
        }
        match Fields::parse(data) {
            Some(piece) => self.read_piece(&event.event, &piece, data, out),
            None => Err(no_json(data)),
        }
    }

    fn read_lines(&mut self, bytes: &[u8], out: &mut Vec<ModelEvent>) -> Result<(), ProviderError> {
        let Body::Lines(decoder, _) = &mut self.body else {
            return Ok(());
        };
        let mut lines = Vec::new();
        let fed = decoder.feed(bytes, &mut lines);
        for line in &lines {
            self.read_line(line, out)?;
        }
        fed.map_err(|LineTooLong| too_long())
    }

    fn read_line(&mut self, line: &str, out: &mut Vec<ModelEvent>) -> Result<(), ProviderError> {
        if self.done {
            return Ok(());
        }
        let Body::Lines(_, spread) = &mut self.body else {
            return Ok(());
        };
        match Fields::parse(line) {
            Some(piece) if spread.is_empty() => self.read_piece("", &piece, line, out),
            Some(_) | None if self.draft.progress() != Progress::Nothing => Err(no_json(line)),
            Some(_) | None if spread.len() + line.len() > MOST / 4 => Err(too_long()),
            // Read when it is whole.
            Some(_) | None => {
                spread.push_str(line);
                Ok(())
            }
        }
    }

    fn read_piece(
        &mut self,
        event: &str,
        piece: &Fields<'_>,
        text: &str,
        out: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        let says_error = ["object", "type"]
            .iter()
            .any(|name| piece.says(name, "error"));
        let says_error =
            says_error || (piece.says("type", "response.error") && piece.get("response").is_none());
        if piece.get("error").is_some() || says_error {
            return Err(server_error::in_answer(text));
        }
        self.draft.read(event, piece, out)?;
        if self.draft.progress() == Progress::Nothing && server_error::says_fault(piece) {
            self.odd = Some(text.to_owned()).filter(|odd| odd.len() <= HEAD);
        }
        self.done = self.draft.progress() == Progress::Done;
        Ok(())
    }

    /// Reads what only the end of the body makes readable.
    fn end(&mut self) -> Result<(), ProviderError> {
        match std::mem::take(&mut self.body) {
            Body::Unknown(_) => Err(ProviderError::in_answer(
                ProviderErrorKind::Cut,
                "The model's server sent nothing.",
            )),
            Body::Page(page) => Err(not_an_answer(&page)),
            Body::Json(body) => self.end_json(&body),
            Body::Lines(decoder, spread) => match decoder.finish() {
                last if !spread.is_empty() => {
                    self.end_json((spread + &last.unwrap_or_default()).as_bytes())
                }
                // Half a line at the very end is a cut, and no fault of the server's JSON.
                Some(last) if Fields::parse(&last).is_some() => {
                    self.body = Body::Lines(LineDecoder::default(), spread);
                    self.read_line(&last, &mut Vec::new())
                }
                Some(_) | None => Ok(()),
            },
            Body::Events(decoder, head) => {
                let last = decoder.finish().map_err(|SseTooLong| too_long())?;
                let nothing_read = !self.done && self.draft.progress() == Progress::Nothing;
                let Some(last) = last else {
                    return if nothing_read && !looks_like_events(&head) {
                        Err(not_an_answer(&head))
                    } else {
                        Ok(())
                    };
                };
                // Half a piece at the very end is a cut, and no fault of the server's JSON.
                let broken = last.data.trim_start().starts_with('{')
                    && Fields::parse(last.data.trim()).is_none();
                if broken {
                    return Ok(());
                }
                self.read_event(&last, &mut Vec::new())
            }
        }
    }

    fn end_json(&mut self, body: &[u8]) -> Result<(), ProviderError> {
        let text = String::from_utf8_lossy(body);
        let text = text.trim_start_matches('\u{FEFF}').trim();
        // Some send a line for each piece, or the end of a stream behind an error.
        let values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
        let mut count = 0;
        for value in values {
            count += 1;
            let Ok(value) = value else {
                return Err(cut());
            };
            // An answer may be an array of its pieces, and an error the only element of one.
            for piece in elements(value) {
                if let Some(fields) = Fields::parse(piece.get()).filter(|_| !self.done) {
                    self.read_piece("", &fields, piece.get(), &mut Vec::new())?;
                }
            }
        }
        if self.draft.progress() == Progress::Nothing {
            return Err(server_error::in_answer(text));
        }
        // One value is whole; of several only their own end says that none is missing.
        self.done |= count == 1;
        Ok(())
    }
}

/// The first byte that is neither blank nor of a byte order mark.
fn first_visible(bytes: &[u8]) -> Option<u8> {
    bytes
        .iter()
        .copied()
        .find(|byte| !byte.is_ascii_whitespace() && !b"\xEF\xBB\xBF".contains(byte))
}

/// Whether a beginning has a line that only an event stream has, be it cut in its field's name.
fn looks_like_events(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let lines = text.trim_start_matches('\u{FEFF}').split(['\n', '\r']);
    lines.filter(|line| !line.is_empty()).any(|line| {
        ["data:", ":", "event:", "id:", "retry:"]
            .iter()
            .any(|field| line.starts_with(field) || field.starts_with(line))
    })
}

fn cut() -> ProviderError {
    ProviderError::in_answer(
        ProviderErrorKind::Cut,
        "The model's answer ended before it was complete.",
    )
}

fn no_json(piece: &str) -> ProviderError {
    ProviderError::in_answer(
        ProviderErrorKind::Malformed,
        format!(
            "The model's server sent a piece that is not JSON: {}",
            excerpt(piece)
        ),
    )
}

fn too_long() -> ProviderError {
    ProviderError::in_answer(
        ProviderErrorKind::Malformed,
        "The model's server sent more in one piece than any answer has.",
    )
}

fn not_an_answer(body: &[u8]) -> ProviderError {
    let text = String::from_utf8_lossy(body);
    ProviderError::in_answer(
        ProviderErrorKind::Malformed,
        format!(
            "The model's server sent something else than an answer: {}",
            excerpt(&text)
        ),
    )
}
