//! A clock that moves only when it is told to.
//!
//! Invariant: sleeps end in the order in which they are due, and those due at the same moment in
//! the order in which they began.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use futures::future::LocalBoxFuture;
use tabwright_protocol::Millis;

use crate::Clock;

/// A clock that moves only when it is told to.
#[derive(Clone)]
pub struct FakeClock(Rc<RefCell<Inner>>);

struct Inner {
    /// What the wall shows.
    wall: u64,
    /// Milliseconds since the start; sleeps go by it, so that a jump of the wall does not end them.
    elapsed: u64,
    /// How many sleeps have begun: the second half of a sleep's key.
    begun: u64,
    sleeps: BTreeMap<SleepKey, Option<Waker>>,
}

/// When it is due, and which one it is.
type SleepKey = (u64, u64);

impl FakeClock {
    /// A clock that shows `start`.
    pub fn new(start: Millis) -> Self {
        Self(Rc::new(RefCell::new(Inner {
            wall: start.0,
            elapsed: 0,
            begun: 0,
            sleeps: BTreeMap::new(),
        })))
    }

    /// Lets time pass, and wakes the sleeps that end by then, in order. What they wake runs only
    /// when its executor polls it, and sees the time after the whole step.
    pub fn advance(&self, millis: u64) {
        let woken = self.0.borrow_mut().advance(millis);
        // The clock is free again: a waker may use it.
        for waker in woken {
            waker.wake();
        }
    }

    /// Sets the wall clock, either way, as a person or a time server does. No time passes: sleeps
    /// do not end.
    pub fn jump(&self, to: Millis) {
        self.0.borrow_mut().wall = to.0;
    }

    /// How many sleeps have begun and not ended; a dropped one has ended.
    pub fn pending_sleeps(&self) -> usize {
        self.0.borrow().sleeps.len()
    }

    /// In how many milliseconds the next sleep ends.
    pub fn next_due(&self) -> Option<u64> {
        let inner = self.0.borrow();
        let ((due, _), _) = inner.sleeps.first_key_value()?;
        Some(due.saturating_sub(inner.elapsed))
    }
}

impl Inner {
    fn advance(&mut self, millis: u64) -> Vec<Waker> {
        self.wall = self.wall.saturating_add(millis);
        self.elapsed = self.elapsed.saturating_add(millis);
        let mut woken = Vec::new();
        while let Some(sleep) = self.sleeps.first_entry() {
            if sleep.key().0 > self.elapsed {
                break;
            }
            woken.extend(sleep.remove());
        }
        woken
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Millis {
        Millis(self.0.borrow().wall)
    }

    fn sleep(&self, millis: u64) -> LocalBoxFuture<'static, ()> {
        let mut inner = self.0.borrow_mut();
        let key = (inner.elapsed.saturating_add(millis), inner.begun);
        inner.begun += 1;
        if millis > 0 {
            inner.sleeps.insert(key, None);
        }
        Box::pin(Sleep {
            clock: self.clone(),
            key,
        })
    }
}

/// A sleep that has ended when the clock no longer holds its key.
struct Sleep {
    clock: FakeClock,
    key: SleepKey,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        match self.clock.0.borrow_mut().sleeps.get_mut(&self.key) {
            None => Poll::Ready(()),
            Some(waker) => {
                *waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        // The waker goes after the borrow: what it drops may hold another sleep.
        let waker = self.clock.0.borrow_mut().sleeps.remove(&self.key);
        drop(waker);
    }
}
