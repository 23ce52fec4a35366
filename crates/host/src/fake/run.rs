//! Running a future on the fake clock.

use std::cell::RefCell;
use std::future::Future;
use std::rc::Rc;

use futures::executor::LocalPool;
use futures::task::LocalSpawnExt;

use super::FakeClock;

/// Runs a future until it is done, or nothing moves any more: then it is dropped.
pub fn run_until_stalled<T: 'static>(future: impl Future<Output = T> + 'static) -> Option<T> {
    let (mut pool, result) = start(future);
    pool.run_until_stalled();
    result.take()
}

/// Runs a future until it is done, moving the clock to the end of the next sleep whenever nothing
/// else moves. `None` when it waits for something that is not a sleep.
pub fn run<T: 'static>(clock: &FakeClock, future: impl Future<Output = T> + 'static) -> Option<T> {
    let (mut pool, result) = start(future);
    loop {
        pool.run_until_stalled();
        if result.borrow().is_some() {
            return result.take();
        }
        clock.advance(clock.next_due()?);
    }
}

fn start<T: 'static>(
    future: impl Future<Output = T> + 'static,
) -> (LocalPool, Rc<RefCell<Option<T>>>) {
    let pool = LocalPool::new();
    let result = Rc::new(RefCell::new(None));
    let slot = Rc::clone(&result);
    let spawned = pool.spawner().spawn_local(async move {
        let value = future.await;
        *slot.borrow_mut() = Some(value);
    });
    debug_assert!(spawned.is_ok(), "a pool that was just made takes tasks");
    (pool, result)
}
