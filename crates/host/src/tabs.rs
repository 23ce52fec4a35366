//! The browser's tabs.

use futures::future::LocalBoxFuture;
use tabwright_protocol::Tab;

use crate::HostError;

/// The browser's tabs.
pub trait Tabs {
    /// All tabs of all windows, in the browser's order.
    fn list(&self) -> LocalBoxFuture<'static, Result<Vec<Tab>, HostError>>;
}

/// No browser.
pub struct NullTabs;

impl Tabs for NullTabs {
    fn list(&self) -> LocalBoxFuture<'static, Result<Vec<Tab>, HostError>> {
        Box::pin(async { Err(HostError::absent("tabs.list")) })
    }
}
