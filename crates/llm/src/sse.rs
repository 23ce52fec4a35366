//! Server-sent events from bytes, however the network cut them.
//!
//! Invariants: the events do not depend on the cuts; memory is bounded by [`MOST`] for what has not
//! ended yet; text is decoded a whole line at a time, so a cut never damages a character.

/// No line, and no event's data, is longer than this many bytes.
const MOST: usize = 16 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SseEvent {
    /// Its type, empty when it names none.
    pub event: String,
    /// Its data lines, joined with line feeds.
    pub data: String,
}

/// The stream has a line or an event that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SseTooLong;

/// The state between two pieces.
#[derive(Debug, Default)]
pub struct SseDecoder {
    line: Vec<u8>,
    /// A carriage return ended the last line: a line feed right after it belongs to it.
    after_return: bool,
    /// A line has ended: a byte order mark can only be at the very beginning.
    begun: bool,
    event: String,
    data: Option<String>,
}

impl SseDecoder {
    /// Reads the next bytes and adds the events that end in them.
    pub fn feed(&mut self, mut bytes: &[u8], events: &mut Vec<SseEvent>) -> Result<(), SseTooLong> {
        if let (true, Some((b'\n', rest))) = (self.after_return, bytes.split_first()) {
            bytes = rest;
            self.after_return = false;
        }
        while let Some(at) = memchr::memchr2(b'\n', b'\r', bytes) {
            if self.line.is_empty() && at <= MOST {
                self.read_line(&bytes[..at], events)?;
            } else {
                self.hold(&bytes[..at])?;
                self.end_line(events)?;
            }
            let is_return = bytes[at] == b'\r';
            bytes = &bytes[at + 1..];
            if is_return {
                match bytes.split_first() {
                    Some((b'\n', rest)) => bytes = rest,
                    Some(_) => {}
                    None => self.after_return = true,
                }
            }
        }
        if !bytes.is_empty() {
            self.after_return = false;
        }
        self.hold(bytes)
    }

    /// The stream is over: an event without the blank line that ends it counts too.
    pub fn finish(mut self) -> Result<Option<SseEvent>, SseTooLong> {
        let mut events = Vec::new();
        if !self.line.is_empty() {
            self.end_line(&mut events)?;
        }
        self.dispatch(&mut events);
        Ok(events.pop())
    }

    fn hold(&mut self, bytes: &[u8]) -> Result<(), SseTooLong> {
        if self.line.len() + bytes.len() > MOST {
            return Err(SseTooLong);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self, events: &mut Vec<SseEvent>) -> Result<(), SseTooLong> {
        let mut held = std::mem::take(&mut self.line);
        self.read_line(&held, events)?;
        // The next line has about the same length.
        held.clear();
        self.line = held;
        Ok(())
    }

    fn read_line(
        &mut self,
        mut bytes: &[u8],
        events: &mut Vec<SseEvent>,
    ) -> Result<(), SseTooLong> {
        if !self.begun {
            self.begun = true;
            bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        }
        if bytes.is_empty() {
            self.dispatch(events);
            return Ok(());
        }
        let line = String::from_utf8_lossy(bytes);
        let (name, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "data" => self.add_data(value)?,
            "event" => value.clone_into(&mut self.event),
            // Older builds of llama.cpp write an error under a field of its own.
            "error" if value.trim_start().starts_with('{') => {
                name.clone_into(&mut self.event);
                self.add_data(value)?;
            }
            // A comment has an empty name; `id` and `retry` are for clients that reconnect.
            _ => {}
        }
        Ok(())
    }

    fn add_data(&mut self, value: &str) -> Result<(), SseTooLong> {
        match &mut self.data {
            None => self.data = Some(value.to_owned()),
            Some(data) if data.len() + value.len() < MOST => {
                data.push('\n');
                data.push_str(value);
            }
            Some(_) => return Err(SseTooLong),
        }
        Ok(())
    }

    fn dispatch(&mut self, events: &mut Vec<SseEvent>) {
        let event = std::mem::take(&mut self.event);
        if let Some(data) = self.data.take().filter(|data| !data.is_empty()) {
            events.push(SseEvent { event, data });
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decode<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<SseEvent> {
        let mut decoder = SseDecoder::default();
        let mut events = Vec::new();
        for piece in pieces {
            decoder.feed(piece, &mut events).unwrap();
        }
        events.extend(decoder.finish().unwrap());
        events
    }

    /// The events of the stream, after making sure that no cut changes them.
    fn check(stream: &[u8], expected: &[(&str, &str)]) {
        let whole = decode([stream]);
        let shown: Vec<_> = whole
            .iter()
            .map(|event| (event.event.as_str(), event.data.as_str()))
            .collect();
        assert_eq!(shown, expected, "{:?}", String::from_utf8_lossy(stream));
        assert_cuts_change_nothing(stream, &whole);
    }

    fn assert_cuts_change_nothing(stream: &[u8], whole: &[SseEvent]) {
        for cut in 0..=stream.len() {
            let (head, tail) = stream.split_at(cut);
            assert_eq!(decode([head, tail]), whole, "cut at {cut}");
        }
        assert_eq!(decode(stream.chunks(1)), whole, "byte by byte");
    }

    #[test]
    fn every_line_ending_ends_a_line() {
        check(b"data: a\n\ndata: b\n\n", &[("", "a"), ("", "b")]);
        check(b"data: a\r\n\r\ndata: b\r\n\r\n", &[("", "a"), ("", "b")]);
        check(b"data: a\r\rdata: b\r\r", &[("", "a"), ("", "b")]);
        check(b"data: a\r\n\ndata: b\n\r\n", &[("", "a"), ("", "b")]);
        check(b"data: a\r\ndata: b\r\n\r\n", &[("", "a\nb")]);
    }

    #[test]
    fn fields_are_read_with_and_without_the_space() {
        check(b"data:a\n\n", &[("", "a")]);
        check(b"data:  a\n\n", &[("", " a")]);
        check(
            b"event: x\ndata: a\n\ndata: b\n\n",
            &[("x", "a"), ("", "b")],
        );
        check(
            b"event:x\ndata:a\nid: 7\nretry: 10\nother: 1\n\n",
            &[("x", "a")],
        );
        check(b"data: a\ndata\ndata: b\n\n", &[("", "a\n\nb")]);
    }

    #[test]
    fn comments_and_events_without_data_are_nothing() {
        check(
            b": keep-alive\n\n:\n\ndata: a\n:x\ndata: b\n\n",
            &[("", "a\nb")],
        );
        check(b"event: ping\n\ndata: a\n\n", &[("", "a")]);
        check(b"data: : comment\n\n", &[("", ": comment")]);
        check(b"data:\n\n", &[]);
    }

    #[test]
    fn a_byte_order_mark_is_dropped_only_at_the_beginning() {
        check(b"\xEF\xBB\xBFdata: a\n\n", &[("", "a")]);
        check(b"\n\xEF\xBB\xBFdata: a\n\ndata: b\n\n", &[("", "b")]);
    }

    #[test]
    fn the_last_event_needs_no_blank_line() {
        check(b"data: a", &[("", "a")]);
        check(b"data: a\n", &[("", "a")]);
        check(b"data: a\r", &[("", "a")]);
        check(b"", &[]);
        check(b"dat", &[]);
    }

    #[test]
    fn characters_of_every_length_survive_every_cut() {
        check("data: aé€😀\n\n".as_bytes(), &[("", "aé€😀")]);
        check(b"data: a\xFFb\n\n", &[("", "a\u{FFFD}b")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_an_error_and_not_a_loss() {
        let mut decoder = SseDecoder::default();
        let mut events = Vec::new();
        let mebibyte = vec![b'a'; 1 << 20];
        decoder.feed(b"data: ", &mut events).unwrap();
        for _ in 0..15 {
            decoder.feed(&mebibyte, &mut events).unwrap();
        }
        assert_eq!(decoder.feed(&mebibyte, &mut events), Err(SseTooLong));
        assert_eq!(events, []);
    }

    #[test]
    fn many_data_lines_are_bounded_like_one() {
        let mut decoder = SseDecoder::default();
        let mut events = Vec::new();
        let line = [b"data:".as_slice(), &vec![b'a'; 1 << 20], b"\n"].concat();
        let fed = (0..20).try_for_each(|_| decoder.feed(&line, &mut events));
        assert_eq!(fed, Err(SseTooLong));
    }

    #[test]
    fn ten_mebibytes_in_one_piece_are_one_event() {
        let stream = [b"data: ".as_slice(), &vec![b'a'; 10 << 20], b"\n\n"].concat();
        assert_eq!(decode([stream.as_slice()])[0].data.len(), 10 << 20);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_cut_changes_the_events(
            lines in prop::collection::vec(
                (
                    prop::sample::select(vec![
                        "data: aé€😀", "data:x", "data", "event: e", "", "", ": c", "\u{FEFF}", "data: {\"a\":1}",
                    ]),
                    prop::sample::select(vec!["\n", "\r\n", "\r", ""]),
                ),
                0..12,
            ),
            noise in prop::collection::vec(any::<u8>(), 0..6),
        ) {
            let mut stream: Vec<u8> = lines.iter().flat_map(|(line, end)| [*line, *end]).collect::<String>().into();
            stream.extend(noise);
            let whole = decode([stream.as_slice()]);
            assert_cuts_change_nothing(&stream, &whole);
        }
    }
}
