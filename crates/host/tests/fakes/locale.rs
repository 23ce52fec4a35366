//! The person's language and time zone.

use tabwright_host::fake::{FakeHost, FakeLocale};
use tabwright_host::{Host, Locale};

fn check(locale: &dyn Locale, expected: (&str, &str, i32)) {
    let (language, zone, offset) = expected;
    assert_eq!(locale.language(), language);
    assert_eq!(locale.time_zone(), zone);
    assert_eq!(locale.utc_offset_minutes(FakeHost::START), offset);
}

#[test]
fn it_is_english_in_utc_until_a_test_says_otherwise() {
    check(&*Host::null().locale, ("en", "UTC", 0));
    check(&FakeLocale::default(), ("en-US", "UTC", 0));
    let fake = FakeHost::new(1);
    let host = fake.host();
    fake.locale.set_language("de-CH");
    fake.locale.set_time_zone("America/St_Johns", -210);
    check(&*host.locale, ("de-CH", "America/St_Johns", -210));
}
