//! Randomness that follows from a seed (the SplitMix64 generator).

use std::cell::Cell;
use std::rc::Rc;

use crate::Entropy;

/// Randomness that follows from a seed.
#[derive(Clone)]
pub struct SeededEntropy(Rc<Cell<u64>>);

impl SeededEntropy {
    /// The sequence of that seed, from its beginning.
    pub fn new(seed: u64) -> Self {
        Self(Rc::new(Cell::new(seed)))
    }
}

impl Entropy for SeededEntropy {
    fn next(&self) -> u64 {
        let state = self.0.get().wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.0.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}
