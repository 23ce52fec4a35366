//! The power switch of a simulated computer.
//!
//! Everything through which a core touches the outside asks the switch first. Each asking is a
//! *boundary*: a moment before which nothing of what follows has happened. A death is planned as
//! the number of a boundary, so that every moment that could matter can be counted, and died at.
//! From the death on nothing the core does reaches anything, until the harness has dropped it.
//!
//! Moments that leave the same behind are one boundary: a poll in which nothing happened and the
//! passing of time after it; and, unless every write is to count, the writes after a write that
//! were not flushed in between, because a crash keeps any first part of those anyway.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What kind of moment a boundary is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// A write, truncation or deletion on disk.
    Write,
    /// A flush.
    Sync,
    /// A call to the outside: the network, tabs, files, life cycle.
    Host,
    /// An event on its way to the views.
    Event,
    /// A tool is about to begin.
    ToolBegins,
    /// A tool is about to change something.
    Effect,
    /// A tool has its result.
    ToolEnds,
    /// The core has worked until it waits.
    Poll,
    /// Time is about to pass.
    Time,
}

/// A switch. A clone is the same switch.
#[derive(Clone, Debug, Default)]
pub struct Power(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    boundaries: AtomicU64,
    /// The boundary at which the power fails; `u64::MAX` for never.
    fails_at: AtomicU64,
    is_off: AtomicBool,
    /// Whether every write is a boundary.
    every_write: AtomicBool,
    /// The last moment.
    before: AtomicU8,
    failed_at: Mutex<Option<Moment>>,
}

impl Default for Inner {
    fn default() -> Self {
        Self {
            boundaries: AtomicU64::new(0),
            fails_at: AtomicU64::new(u64::MAX),
            is_off: AtomicBool::new(false),
            every_write: AtomicBool::new(false),
            before: AtomicU8::new(Moment::Poll as u8),
            failed_at: Mutex::new(None),
        }
    }
}

impl Power {
    /// A switch for which every single write is a boundary.
    pub fn counting_every_write() -> Self {
        let power = Self::default();
        power.0.every_write.store(true, Ordering::Relaxed);
        power
    }

    /// A moment, which may be a boundary. False when the power is off: then nothing may happen.
    pub fn pass(&self, moment: Moment) -> bool {
        let inner = &self.0;
        if inner.is_off.load(Ordering::Relaxed) {
            return false;
        }
        let before = inner.before.swap(moment as u8, Ordering::Relaxed);
        let is_same = |other: Moment| before == other as u8;
        let leaves_the_same = match moment {
            Moment::Poll | Moment::Time => is_same(Moment::Poll) || is_same(Moment::Time),
            Moment::Write => is_same(Moment::Write) && !inner.every_write.load(Ordering::Relaxed),
            Moment::Sync
            | Moment::Host
            | Moment::Event
            | Moment::ToolBegins
            | Moment::Effect
            | Moment::ToolEnds => false,
        };
        if leaves_the_same {
            return true;
        }
        let number = inner.boundaries.fetch_add(1, Ordering::Relaxed) + 1;
        if number < inner.fails_at.load(Ordering::Relaxed) {
            return true;
        }
        *inner
            .failed_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(moment);
        inner.is_off.store(true, Ordering::Relaxed);
        false
    }

    /// Whether the power is off.
    pub fn is_off(&self) -> bool {
        self.0.is_off.load(Ordering::Relaxed)
    }

    /// How many boundaries have been passed, over all lives.
    pub fn boundaries(&self) -> u64 {
        self.0.boundaries.load(Ordering::Relaxed)
    }

    /// Turns the power on again, until that boundary.
    pub fn restore(&self, fails_at: Option<u64>) {
        let inner = &self.0;
        inner
            .fails_at
            .store(fails_at.unwrap_or(u64::MAX), Ordering::Relaxed);
        inner.is_off.store(false, Ordering::Relaxed);
    }

    /// At what kind of moment the power failed last.
    pub fn failed_at(&self) -> Option<Moment> {
        *self
            .0
            .failed_at
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Moment, Power};

    #[test]
    fn nothing_passes_from_the_planned_boundary_on_until_the_power_is_back() {
        let power = Power::default();
        power.restore(Some(3));
        assert!(power.pass(Moment::Write) && power.pass(Moment::Sync));
        assert!(!power.pass(Moment::Host) && power.is_off());
        assert!(!power.pass(Moment::Event));
        assert_eq!(power.failed_at(), Some(Moment::Host));
        power.restore(None);
        assert!(power.pass(Moment::Poll));
        assert_eq!(power.boundaries(), 4);
    }

    #[test]
    fn moments_that_leave_the_same_behind_are_one_boundary() {
        let moments = [
            Moment::Poll,
            Moment::Time,
            Moment::Poll,
            Moment::Event,
            Moment::Poll,
            Moment::Write,
            Moment::Write,
            Moment::Sync,
            Moment::Write,
        ];
        let count = |power: Power| {
            for moment in moments {
                assert!(power.pass(moment));
            }
            power.boundaries()
        };
        assert_eq!(count(Power::default()), 5);
        assert_eq!(count(Power::counting_every_write()), 6);
    }
}
