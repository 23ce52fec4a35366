//! What happened in a run, as one number, and on demand as text.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A record of what happened. A clone is the same record.
#[derive(Clone, Default)]
pub struct Trace(Rc<Inner>);

#[derive(Default)]
struct Inner {
    keeps: Cell<Keeps>,
    hash: Cell<u64>,
    lines: RefCell<Vec<String>>,
}

/// What is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keeps {
    /// Nothing: the quickest.
    #[default]
    Nothing,
    /// A number that is equal for equal runs.
    Hash,
    /// That, and the text.
    Text,
}

impl Trace {
    /// An empty record.
    pub fn new(keeps: Keeps) -> Self {
        let trace = Self::default();
        trace.0.keeps.set(keeps);
        trace.0.hash.set(0xcbf2_9ce4_8422_2325);
        trace
    }

    /// Something happened. The text is made only if it is kept.
    pub fn note(&self, what: &str, text: impl FnOnce() -> String) {
        let keeps = self.0.keeps.get();
        if keeps == Keeps::Nothing {
            return;
        }
        let text = text();
        let bytes = what
            .bytes()
            .chain([b' '])
            .chain(text.bytes())
            .chain([b'\n']);
        // The 64-bit FNV-1a hash.
        let hash = bytes.fold(self.0.hash.get(), |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        self.0.hash.set(hash);
        if keeps == Keeps::Text {
            self.0.lines.borrow_mut().push(format!("{what:8} {text}"));
        }
    }

    /// The number.
    pub fn hash(&self) -> u64 {
        self.0.hash.get()
    }

    /// The text so far.
    pub fn take_lines(&self) -> Vec<String> {
        self.0.lines.take()
    }
}
