//! Whoever watches: panels and options pages, if any.

use tabwright_protocol::EventEnvelope;

/// Whoever watches. The core does not know whether anybody does.
pub trait Views {
    /// Sends an event to all views.
    fn emit(&self, event: EventEnvelope);
}

/// Nobody watches.
pub struct NullViews;

impl Views for NullViews {
    fn emit(&self, _: EventEnvelope) {}
}
