//! The person's language and time zone.

use tabwright_protocol::Millis;

/// The person's language and time zone, as the browser tells them. Either may change at any time:
/// ask again instead of keeping the answer.
pub trait Locale {
    /// The language, as a BCP 47 tag: `de-CH`.
    fn language(&self) -> String;

    /// The time zone, by its IANA name: `Europe/Zurich`.
    fn time_zone(&self) -> String;

    /// How far local time is ahead of UTC at that moment, in minutes; negative west of Greenwich.
    fn utc_offset_minutes(&self, at: Millis) -> i32;
}

/// English, in UTC.
pub struct NullLocale;

impl Locale for NullLocale {
    fn language(&self) -> String {
        "en".to_owned()
    }

    fn time_zone(&self) -> String {
        "UTC".to_owned()
    }

    fn utc_offset_minutes(&self, _: Millis) -> i32 {
        0
    }
}
