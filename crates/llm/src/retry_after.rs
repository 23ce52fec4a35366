//! How long a server asks to wait, from its headers.

use tabwright_protocol::Millis;

/// Nobody waits longer than this.
const LONGEST: u64 = 3_600_000;

/// The milliseconds to wait, if the server named any that make sense. `retry-after-ms` is the more
/// exact one, so it is asked first. Header names are in lower case.
pub(crate) fn retry_after(headers: &[(String, String)], now: Millis) -> Option<u64> {
    let header = |name: &str| {
        headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.trim())
    };
    let exact = header("retry-after-ms").and_then(|value| thousandths(value).map(|n| n / 1_000));
    let wait = exact.or_else(|| {
        let value = header("retry-after")?;
        thousandths(value).or_else(|| until(value, now))
    })?;
    Some(wait.min(LONGEST))
}

/// The milliseconds of a text such as `34.07s`.
pub(crate) fn delay_of(text: &str) -> Option<u64> {
    let wait = thousandths(text.trim().strip_suffix('s')?)?;
    Some(wait.min(LONGEST))
}

/// A number without a sign, in thousandths: of seconds that is milliseconds.
fn thousandths(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
        return None;
    }
    // Digits only, so what does not parse is too large for any wait.
    let whole: u64 = whole.parse().unwrap_or(u64::MAX);
    let fraction: String = fraction.chars().chain("000".chars()).take(3).collect();
    let fraction: u64 = fraction.parse().unwrap_or(0);
    Some(whole.saturating_mul(1_000).saturating_add(fraction))
}

/// The milliseconds from now to an HTTP date; none left when it has passed.
fn until(date: &str, now: Millis) -> Option<u64> {
    let then = http_date(date)?.checked_mul(1_000)?;
    let now = i64::try_from(now.0).ok()?;
    Some(u64::try_from(then - now).unwrap_or(0))
}

/// An HTTP date as Unix seconds, in any of the three forms that servers may use: they differ only
/// in the order and separators of the same fields.
fn http_date(text: &str) -> Option<i64> {
    let (mut day, mut month, mut year, mut time) = (None, None, None, None);
    for token in text
        .split([' ', ',', '-'])
        .filter(|token| !token.is_empty())
    {
        if token.contains(':') {
            time = Some(seconds_of_day(token)?);
        } else if let Some(number) = month_number(token) {
            month = Some(number);
        } else if token.bytes().all(|byte| byte.is_ascii_digit()) {
            let number: i64 = token.parse().ok()?;
            match (day, year) {
                (None, _) => day = Some(number),
                (Some(_), None) => year = Some(full_year(number, token.len())),
                (Some(_), Some(_)) => return None,
            }
        }
    }
    let (day, month, year) = (day?, month?, year?);
    if !(1..=31).contains(&day) || !(1970..=9999).contains(&year) {
        return None;
    }
    Some(days_since_1970(year, month, day) * 86_400 + time?)
}

fn full_year(number: i64, digits: usize) -> i64 {
    match (digits, number) {
        (2, 0..70) => 2000 + number,
        (2, _) => 1900 + number,
        (_, _) => number,
    }
}

fn seconds_of_day(text: &str) -> Option<i64> {
    let mut fields = text.split(':').map(|field| field.parse::<i64>().ok());
    let (hour, minute, second) = (fields.next()??, fields.next()??, fields.next()??);
    let fits = (0..24).contains(&hour) && (0..60).contains(&minute) && (0..=60).contains(&second);
    (fits && fields.next().is_none()).then_some(hour * 3_600 + minute * 60 + second)
}

fn month_number(text: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let text = text.to_ascii_lowercase();
    let at = MONTHS.iter().position(|month| *month == text)?;
    i64::try_from(at + 1).ok()
}

/// Days in the Gregorian calendar, counted from years that begin in March so that the leap day is
/// the last of its year.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year * 365 + year / 4 - year / 100 + year / 400 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1994-11-06 08:49:00 UTC.
    const NOW: Millis = Millis(784_111_740_000);

    fn check(headers: &[(&str, &str)], expected: Option<u64>) {
        let owned: Vec<_> = headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        assert_eq!(retry_after(&owned, NOW), expected, "{headers:?}");
    }

    #[test]
    fn seconds_are_read_and_capped_and_nonsense_is_ignored() {
        check(&[], None);
        check(&[("retry-after", "20")], Some(20_000));
        check(&[("retry-after", " 1.5 ")], Some(1_500));
        check(&[("retry-after", "0")], Some(0));
        check(&[("retry-after", "1000000000")], Some(3_600_000));
        check(
            &[("retry-after", "99999999999999999999999999")],
            Some(3_600_000),
        );
        check(&[("retry-after", "-5")], None);
        check(&[("retry-after", "1e9")], None);
        check(&[("retry-after", "inf")], None);
        check(&[("retry-after", "")], None);
        check(&[("retry-after", ".")], None);
        check(&[("retry-after", "soon")], None);
    }

    #[test]
    fn a_delay_has_its_unit_behind_it() {
        assert_eq!(delay_of("34.074s"), Some(34_074));
        assert_eq!(delay_of("9999999999s"), Some(3_600_000));
        assert_eq!(delay_of("-1s"), None);
        assert_eq!(delay_of("5"), None);
    }

    #[test]
    fn milliseconds_come_first() {
        check(
            &[("retry-after", "20"), ("retry-after-ms", "350")],
            Some(350),
        );
        check(&[("retry-after-ms", "12.7")], Some(12));
        check(
            &[("retry-after-ms", "-1"), ("retry-after", "2")],
            Some(2_000),
        );
    }

    #[test]
    fn all_three_forms_of_an_http_date_are_read() {
        check(
            &[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")],
            Some(37_000),
        );
        check(
            &[("retry-after", "Sunday, 06-Nov-94 08:49:37 GMT")],
            Some(37_000),
        );
        check(&[("retry-after", "Sun Nov  6 08:49:37 1994")], Some(37_000));
        check(&[("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT")], Some(0));
        check(
            &[("retry-after", "Tue, 29 Feb 2028 00:00:00 GMT")],
            Some(3_600_000),
        );
        check(&[("retry-after", "Sun, 99 Nov 1994 08:49:37 GMT")], None);
        check(&[("retry-after", "Sun, 06 Nov 1994 25:49:37 GMT")], None);
        check(&[("retry-after", "Sun, 06 Nov 1994 GMT")], None);
    }

    #[test]
    fn days_are_counted_as_the_calendar_does() {
        assert_eq!(days_since_1970(1970, 1, 1), 0);
        assert_eq!(days_since_1970(2000, 2, 29), 11_016);
        assert_eq!(days_since_1970(2000, 3, 1), 11_017);
        assert_eq!(days_since_1970(2026, 11, 30), 20_787);
    }
}
