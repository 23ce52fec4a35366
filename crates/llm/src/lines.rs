//! Lines from bytes, however the network cut them: one JSON value a line.
//!
//! Invariants: as for events, the lines do not depend on the cuts, memory is bounded, and text is
//! decoded a whole line at a time.

/// No line is longer than this many bytes.
const MOST: usize = 16 << 20;

/// The stream has a line that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineTooLong;

/// The state between two pieces.
#[derive(Debug, Default)]
pub struct LineDecoder {
    held: Vec<u8>,
}

impl LineDecoder {
    /// Reads the next bytes and adds the lines that end in them, without their ends; blank ones are
    /// left out.
    pub fn feed(&mut self, mut bytes: &[u8], lines: &mut Vec<String>) -> Result<(), LineTooLong> {
        while let Some(at) = memchr::memchr2(b'\n', b'\r', bytes) {
            if self.held.is_empty() && at <= MOST {
                lines.extend(line(&bytes[..at]));
            } else {
                self.hold(&bytes[..at])?;
                lines.extend(self.take());
            }
            bytes = &bytes[at + 1..];
        }
        self.hold(bytes)
    }

    /// The stream is over: what has no line end is a line too.
    pub fn finish(mut self) -> Option<String> {
        self.take()
    }

    fn hold(&mut self, bytes: &[u8]) -> Result<(), LineTooLong> {
        if self.held.len() + bytes.len() > MOST {
            return Err(LineTooLong);
        }
        self.held.extend_from_slice(bytes);
        Ok(())
    }

    fn take(&mut self) -> Option<String> {
        let line = line(&self.held);
        self.held.clear();
        line
    }
}

/// The text of a line, unless it is blank.
fn line(bytes: &[u8]) -> Option<String> {
    let line = String::from_utf8_lossy(bytes);
    let line = line.trim_start_matches('\u{FEFF}').trim();
    (!line.is_empty()).then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
        let mut decoder = LineDecoder::default();
        let mut lines = Vec::new();
        for piece in pieces {
            decoder.feed(piece, &mut lines).unwrap();
        }
        lines.extend(decoder.finish());
        lines
    }

    #[test]
    fn every_line_ending_ends_a_line_wherever_it_is_cut() {
        let check = |stream: &[u8], expected: &[&str]| {
            assert_eq!(decode([stream]), expected);
            for cut in 0..=stream.len() {
                let (head, tail) = stream.split_at(cut);
                assert_eq!(decode([head, tail]), expected, "cut at {cut}");
            }
            assert_eq!(decode(stream.chunks(1)), expected, "byte by byte");
        };
        check(b"{}\n{}\n", &["{}", "{}"]);
        check(b"{}\r\n\r\n{}", &["{}", "{}"]);
        check(b"a\rb\n \nc", &["a", "b", "c"]);
        check("\u{FEFF}é€😀\n".as_bytes(), &["é€😀"]);
        check(b"a\xFFb\n", &["a\u{FFFD}b"]);
        check(b"", &[]);
    }

    #[test]
    fn a_line_that_is_too_long_is_an_error() {
        let mut decoder = LineDecoder::default();
        let mebibyte = vec![b'a'; 1 << 20];
        let fed = (0..17).try_for_each(|_| decoder.feed(&mebibyte, &mut Vec::new()));
        assert_eq!(fed, Err(LineTooLong));
    }
}
