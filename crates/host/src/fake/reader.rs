//! A reader that answers what a test says.

use std::cell::RefCell;
use std::rc::Rc;

use futures::future::LocalBoxFuture;

use crate::{HostError, PageText, Reader};

/// How pages are read: by address.
type Read = dyn Fn(&[u8], &str, &str) -> Result<PageText, HostError>;

/// A reader that a test gives its way to read. At first the body is the text.
#[derive(Clone)]
pub struct FakeReader(Rc<RefCell<Rc<Read>>>);

impl FakeReader {
    /// Reads this way from now on: body, content type and address in.
    pub fn set(&self, read: impl Fn(&[u8], &str, &str) -> Result<PageText, HostError> + 'static) {
        *self.0.borrow_mut() = Rc::new(read);
    }
}

impl Default for FakeReader {
    fn default() -> Self {
        let as_it_is: Rc<Read> = Rc::new(|body, _, _| {
            Ok(PageText {
                markdown: String::from_utf8_lossy(body).into_owned(),
                ..PageText::default()
            })
        });
        Self(Rc::new(RefCell::new(as_it_is)))
    }
}

impl Reader for FakeReader {
    fn page(
        &self,
        body: Vec<u8>,
        content_type: &str,
        url: &str,
    ) -> LocalBoxFuture<'static, Result<PageText, HostError>> {
        let read = Rc::clone(&self.0.borrow());
        let result = read(&body, content_type, url);
        Box::pin(async move { result })
    }
}
