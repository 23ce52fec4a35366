//! Reading from the network: which address may be read, what its server answers, and that as text.

mod address;
mod content;
mod download;
mod json;

pub(crate) use address::fetch_address;
pub(crate) use content::{Content, read};
pub(crate) use download::{Download, download};
