//! One life of a core, polled by hand.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Wake, Waker};

use futures::channel::mpsc::UnboundedSender;
use tabwright_host::{Host, LocalBoxFuture};
use tabwright_protocol::{CallId, OpEnvelope};
use tabwright_store::{Location, Store, StoreError};
use tabwright_tools::{Registry, ToolError};

use crate::power::{Moment, Power};

/// A core that is polled more often in a row, without time passing, works without end.
const MOST_POLLS: u32 = 20_000;

/// One life of a core. Dropping it is its death.
pub(super) struct Life {
    ops: UnboundedSender<OpEnvelope>,
    future: LocalBoxFuture<'static, ()>,
    woken: Arc<Woken>,
}

/// How far a core came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    /// Only time, or an op, moves it on.
    Waits,
    /// It has ended by itself.
    Ended,
    /// The power failed.
    Dead,
    /// It does not stop working.
    Restless,
}

/// Whether the core was woken since its last poll.
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Life {
    pub(super) fn begin(
        host: Host,
        location: Location,
        locked: u32,
        tools: Result<Registry, ToolError>,
    ) -> Self {
        let locked = Cell::new(locked);
        let open = move || -> LocalBoxFuture<'static, Result<Store, StoreError>> {
            let location = location.clone();
            let is_locked = locked.get() > 0;
            locked.set(locked.get().saturating_sub(1));
            Box::pin(async move {
                if is_locked {
                    let location = location.to_string();
                    return Err(StoreError::Locked { location });
                }
                Store::open(location)
            })
        };
        let (ops, future) = tabwright_agent::core(host, Box::new(open), tools);
        Self {
            ops,
            future,
            woken: Arc::new(Woken(AtomicBool::new(true))),
        }
    }

    pub(super) fn send(&self, op: OpEnvelope) {
        // A core that has ended takes nothing more; the op is sent again to the next one.
        let _ = self.ops.unbounded_send(op);
    }

    /// Polls until nothing moves any more without time.
    pub(super) fn settle(&mut self, power: &Power) -> Settled {
        let waker = Waker::from(Arc::clone(&self.woken));
        let mut context = Context::from_waker(&waker);
        for _ in 0..MOST_POLLS {
            if !self.woken.0.swap(false, Ordering::Relaxed) {
                return Settled::Waits;
            }
            let has_ended = self.future.as_mut().poll(&mut context).is_ready();
            if !power.pass(Moment::Poll) {
                return Settled::Dead;
            }
            if has_ended {
                return Settled::Ended;
            }
        }
        Settled::Restless
    }
}

/// Whether the database holds a call as one that was begun.
pub(super) fn knows_as_begun(location: Location, call: &CallId) -> Result<bool, StoreError> {
    let store = Store::open(location)?;
    for run in store.open_runs()? {
        for item in store.items(&run.conversation)?.iter().rev() {
            if item.body.contains(&call.0) && item.body.contains(r#""state":"running""#) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
