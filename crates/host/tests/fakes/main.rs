//! The fakes do what other crates' tests rely on.

// Clippy knows test functions, but not the helpers beside them.
#![allow(clippy::expect_used, clippy::panic)]

mod browser;
mod clock;
mod files;
mod http;
mod locale;
mod tabs;
