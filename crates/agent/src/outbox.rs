//! The one stream of events, numbered.

use std::rc::Rc;

use tabwright_host::Views;
use tabwright_protocol::{Epoch, Event, EventEnvelope, Seq};

/// Gives each event its number. Numbers are contiguous within an epoch.
pub struct Outbox {
    views: Rc<dyn Views>,
    epoch: Epoch,
    last: Seq,
}

impl Outbox {
    /// The outbox of an epoch.
    pub fn new(views: Rc<dyn Views>, epoch: Epoch) -> Self {
        Self {
            views,
            epoch,
            last: Seq::start_of(epoch),
        }
    }

    /// The number that the n-th event from now on will have (from 1): what a commit writes beside
    /// the items that these events will tell of.
    pub fn upcoming(&self, n: u64) -> Seq {
        Seq(self.last.0 + n)
    }

    /// Sends an event to all views.
    pub fn send(&mut self, event: Event) {
        self.last = self.last.next();
        self.views.emit(EventEnvelope {
            epoch: self.epoch,
            seq: self.last,
            event,
        });
    }
}
