//! Reading pages, apart from the core.

use futures::future::LocalBoxFuture;
use serde::{Deserialize, Serialize};

use crate::HostError;

/// The content of a page, and what it says of itself. What nothing on the page says is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageText {
    /// Its content as Markdown: navigation, advertisements and the like left out.
    pub markdown: String,
    /// Whether something was left out because it is larger or deeper than what is read.
    pub truncated: bool,
    /// The title, without the site's name.
    pub title: Option<String>,
    /// Who wrote it.
    pub byline: Option<String>,
    /// When it was published, in the form of ISO 8601.
    pub published: Option<String>,
    /// The site's name.
    pub site_name: Option<String>,
    /// The language, as a BCP 47 tag.
    pub language: Option<String>,
}

/// Reads pages. Pages are large and hostile, so what reads them is not part of the core and may fail
/// by itself: on a page that takes too long, for instance.
pub trait Reader {
    /// The content of a page: the body of a response, the header `content-type` that came with it,
    /// and its address.
    fn page(
        &self,
        body: Vec<u8>,
        content_type: &str,
        url: &str,
    ) -> LocalBoxFuture<'static, Result<PageText, HostError>>;
}

/// Nothing that reads.
pub struct NullReader;

impl Reader for NullReader {
    fn page(
        &self,
        _: Vec<u8>,
        _: &str,
        _: &str,
    ) -> LocalBoxFuture<'static, Result<PageText, HostError>> {
        Box::pin(async { Err(HostError::absent("reader.page")) })
    }
}
