//! Time and randomness: both enter the core here and nowhere else.

use futures::future::LocalBoxFuture;
use tabwright_protocol::Millis;

/// Time.
pub trait Clock {
    /// Unix time. May jump either way.
    fn now(&self) -> Millis;

    /// Ends after that many milliseconds.
    fn sleep(&self, millis: u64) -> LocalBoxFuture<'static, ()>;
}

/// Randomness, good enough for ids and boundary nonces.
pub trait Entropy {
    /// 64 random bits.
    fn next(&self) -> u64;
}

/// It is always the beginning of 1970, and no sleep ends.
pub struct NullClock;

impl Clock for NullClock {
    fn now(&self) -> Millis {
        Millis(0)
    }

    fn sleep(&self, _: u64) -> LocalBoxFuture<'static, ()> {
        Box::pin(futures::future::pending())
    }
}

/// Always zero.
pub struct NullEntropy;

impl Entropy for NullEntropy {
    fn next(&self) -> u64 {
        0
    }
}
