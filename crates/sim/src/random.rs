//! Randomness that follows from a seed: the same seed makes the same choices.

/// A generator (SplitMix64). A clone goes its own way.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of that seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A generator of its own for one purpose, so that a choice more or less for one thing changes
    /// nothing for another.
    pub fn fork(&self, purpose: u64) -> Self {
        let mut fork = Self(self.0 ^ purpose.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        fork.bits();
        fork
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`; 0 when the limit is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.bits().checked_rem(limit).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// The same for sizes in memory.
    pub fn index(&mut self, limit: usize) -> usize {
        usize::try_from(self.below(limit as u64)).unwrap_or(0)
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.index(from.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn a_seed_gives_one_sequence_and_stays_within_limits() {
        let numbers = |seed| {
            let mut random = Random::new(seed);
            (0..50).map(|_| random.between(3, 7)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
        assert!((3..=7).all(|wanted| numbers(1).contains(&wanted)));
        assert!(numbers(1).iter().all(|number| (3..=7).contains(number)));
        assert_eq!(Random::new(1).below(0), 0);
    }
}
