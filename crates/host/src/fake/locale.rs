//! A language and a time zone that a test sets.

use std::cell::RefCell;
use std::rc::Rc;

use tabwright_protocol::Millis;

use crate::Locale;

/// A language and a time zone that a test sets. At first American English, in UTC.
#[derive(Clone)]
pub struct FakeLocale(Rc<RefCell<State>>);

struct State {
    language: String,
    time_zone: String,
    utc_offset_minutes: i32,
}

impl FakeLocale {
    /// Sets the language.
    pub fn set_language(&self, language: &str) {
        self.0.borrow_mut().language = language.to_owned();
    }

    /// Sets the time zone. Its offset is the same all year round.
    pub fn set_time_zone(&self, name: &str, utc_offset_minutes: i32) {
        let mut state = self.0.borrow_mut();
        state.time_zone = name.to_owned();
        state.utc_offset_minutes = utc_offset_minutes;
    }
}

impl Default for FakeLocale {
    fn default() -> Self {
        Self(Rc::new(RefCell::new(State {
            language: "en-US".to_owned(),
            time_zone: "UTC".to_owned(),
            utc_offset_minutes: 0,
        })))
    }
}

impl Locale for FakeLocale {
    fn language(&self) -> String {
        self.0.borrow().language.clone()
    }

    fn time_zone(&self) -> String {
        self.0.borrow().time_zone.clone()
    }

    fn utc_offset_minutes(&self, _: Millis) -> i32 {
        self.0.borrow().utc_offset_minutes
    }
}
