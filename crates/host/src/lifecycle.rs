//! What brings the core back after its context went away, and what lets it go.

use futures::future::LocalBoxFuture;
use tabwright_protocol::OriginRule;

use crate::HostError;

/// What surrounds the core's own life.
pub trait Lifecycle {
    /// While `on`, the core is started again whenever its context or the whole browser went away.
    fn keep_waking(&self, on: bool) -> LocalBoxFuture<'static, Result<(), HostError>>;

    /// The local servers that are to see no `Origin` of ours; replaces the list before.
    fn local_origins(
        &self,
        rules: Vec<OriginRule>,
    ) -> LocalBoxFuture<'static, Result<(), HostError>>;

    /// The core has nothing to do and everything is on disk: its context may be closed.
    /// A message that arrives in between is not lost: nobody has acknowledged it yet.
    fn rest(&self);
}

/// Nothing brings the core back, and nobody closes it.
pub struct NullLifecycle;

impl Lifecycle for NullLifecycle {
    fn keep_waking(&self, _: bool) -> LocalBoxFuture<'static, Result<(), HostError>> {
        Box::pin(async { Err(HostError::absent("lifecycle.keep_waking")) })
    }

    fn local_origins(&self, _: Vec<OriginRule>) -> LocalBoxFuture<'static, Result<(), HostError>> {
        Box::pin(async { Err(HostError::absent("lifecycle.local_origins")) })
    }

    fn rest(&self) {}
}
