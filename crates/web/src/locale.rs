//! `Locale` over the worker's `Intl`.

use serde::Deserialize;
use tabwright_host::{Locale, NullLocale};
use tabwright_protocol::Millis;

use crate::host::{JsHost, from_js_value};

/// `Locale` over the worker's `Intl`.
pub struct JsLocale(JsHost);

impl JsLocale {
    /// Over this host.
    pub fn new(js: JsHost) -> Self {
        Self(js)
    }

    // A time below 2^53 milliseconds loses nothing.
    #[allow(clippy::cast_precision_loss)]
    fn at(&self, at: Millis) -> Answer {
        let answer = self.0.locale(at.0 as f64);
        // It always fits; should it not, English in UTC is better than no core.
        from_js_value(&answer).unwrap_or_else(|_| Answer {
            language: NullLocale.language(),
            time_zone: NullLocale.time_zone(),
            utc_offset_minutes: NullLocale.utc_offset_minutes(at),
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    language: String,
    time_zone: String,
    utc_offset_minutes: i32,
}

impl Locale for JsLocale {
    fn language(&self) -> String {
        self.at(Millis(0)).language
    }

    fn time_zone(&self) -> String {
        self.at(Millis(0)).time_zone
    }

    fn utc_offset_minutes(&self, at: Millis) -> i32 {
        self.at(at).utc_offset_minutes
    }
}
