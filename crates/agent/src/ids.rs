//! Fresh ids from a seed: the same seed gives the same ids.

/// A source of ids (SplitMix64 by Guy Steele and others, public domain).
#[derive(Clone, Debug)]
pub struct Ids(u64);

impl Ids {
    /// Ids from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 bits that look random.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A fresh id: 128 bits as hexadecimal.
    pub fn fresh(&mut self) -> String {
        format!("{:016x}{:016x}", self.number(), self.number())
    }
}
