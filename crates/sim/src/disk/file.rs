//! A file that remembers what was not flushed.

use crate::random::Random;

/// A file. Its bytes are as a reader sees them; what was not flushed can be undone.
#[derive(Debug, Default)]
pub(super) struct File {
    bytes: Vec<u8>,
    /// Since the last flush, in order.
    changes: Vec<Change>,
}

/// A change and how to undo it.
#[derive(Debug)]
struct Change {
    /// How long the file was.
    old_length: usize,
    /// The bytes that were replaced or cut off, and where.
    at: usize,
    replaced: Vec<u8>,
    new: New,
}

#[derive(Debug)]
enum New {
    Bytes(Vec<u8>),
    Length(usize),
}

impl File {
    pub(super) fn flushed(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            changes: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn write(&mut self, at: usize, bytes: &[u8]) {
        let old_length = self.bytes.len();
        let end = at + bytes.len();
        let replaced = self.bytes.get(at..end.min(old_length)).unwrap_or_default();
        self.changes.push(Change {
            old_length,
            at,
            replaced: replaced.to_vec(),
            new: New::Bytes(bytes.to_vec()),
        });
        put(&mut self.bytes, at, bytes);
    }

    pub(super) fn resize(&mut self, length: usize) {
        let old_length = self.bytes.len();
        let replaced = self.bytes.get(length..).unwrap_or_default();
        self.changes.push(Change {
            old_length,
            at: length,
            replaced: replaced.to_vec(),
            new: New::Length(length),
        });
        self.bytes.resize(length, 0);
    }

    pub(super) fn sync(&mut self) {
        self.changes.clear();
    }

    pub(super) fn flushed_bytes(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        for change in self.changes.iter().rev() {
            change.undo(&mut bytes);
        }
        bytes
    }

    /// Keeps a random first part of what was not flushed, the last write of it possibly torn.
    pub(super) fn crash(&mut self, random: &mut Random) {
        let changes = std::mem::take(&mut self.changes);
        // All and nothing are the likeliest, and there are many ways to keep some.
        let kept = match random.below(4) {
            0 => changes.len(),
            1 => 0,
            _ => random.index(changes.len() + 1),
        };
        for change in changes.iter().rev() {
            change.undo(&mut self.bytes);
        }
        for change in &changes[..kept] {
            change.redo(&mut self.bytes);
        }
        if let Some(torn) = changes.get(kept)
            && random.chance(50)
        {
            torn.tear(&mut self.bytes, random);
        }
    }
}

impl Change {
    fn undo(&self, bytes: &mut Vec<u8>) {
        bytes.resize(self.old_length, 0);
        if !self.replaced.is_empty() {
            put(bytes, self.at, &self.replaced);
        }
    }

    fn redo(&self, bytes: &mut Vec<u8>) {
        match &self.new {
            New::Bytes(new) => put(bytes, self.at, new),
            New::Length(length) => bytes.resize(*length, 0),
        }
    }

    /// Does the first part of a write. A change of the length happens whole or not at all.
    fn tear(&self, bytes: &mut Vec<u8>, random: &mut Random) {
        match &self.new {
            New::Bytes(new) => put(bytes, self.at, &new[..random.index(new.len())]),
            New::Length(_) => {}
        }
    }
}

fn put(bytes: &mut Vec<u8>, at: usize, new: &[u8]) {
    let end = at + new.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[at..end].copy_from_slice(new);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undoing_gives_what_was_flushed_whatever_was_done_since() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let mut file = File::flushed(vec![7; random.index(60)]);
            let before = file.bytes().to_vec();
            for number in 0..8 {
                if random.chance(30) {
                    file.resize(random.index(80));
                } else {
                    let bytes = vec![number; 1 + random.index(30)];
                    file.write(random.index(50), &bytes);
                }
            }
            assert_eq!(file.flushed_bytes(), before, "seed {seed}");
            let now = file.bytes().to_vec();
            file.sync();
            file.crash(&mut random);
            assert_eq!(file.bytes(), now, "seed {seed}");
        }
    }

    #[test]
    fn a_crash_keeps_a_first_part_and_may_tear_the_next_write() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let mut file = File::default();
            file.write(0, b"ab");
            file.write(2, b"cd");
            file.crash(&mut Random::new(seed));
            seen.insert(String::from_utf8_lossy(file.bytes()).into_owned());
        }
        let expected = ["", "a", "ab", "abc", "abcd"];
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), expected);
    }
}
