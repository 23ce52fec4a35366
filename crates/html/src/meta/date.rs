//! Dates as pages write them.

/// A date in ISO 8601: the day, and the time with its zone where the text has both. None for what is no
/// date, or one that leaves its order open (`03/04/2024`).
pub fn iso_date(text: &str) -> Option<String> {
    let text = text.trim();
    numeric(text).or_else(|| in_words(text))
}

/// `2024-03-01`, `2024/3/1`, `2024.03.01`, `20240301`, `2024年3月1日`, each with a time behind it or not.
fn numeric(text: &str) -> Option<String> {
    let (year, rest) = digits(text, 4)?;
    let rest_is_compact = rest.bytes().take_while(u8::is_ascii_digit).count() == 4;
    let (month, day, rest) = if rest_is_compact {
        let (month, rest) = digits(rest, 2)?;
        let (day, rest) = digits(rest, 2)?;
        (month, day, rest)
    } else {
        let rest = rest.strip_prefix(['-', '/', '.', '年'])?;
        let (month, rest) = one_or_two_digits(rest)?;
        let rest = rest.strip_prefix(['-', '/', '.', '月'])?;
        let (day, rest) = one_or_two_digits(rest)?;
        (month, day, rest)
    };
    let day = day_of(year, month, day)?;
    Some(with_time(day, rest))
}

/// The day with the time that follows it, if that is whole.
fn with_time(day: String, rest: &str) -> String {
    let Some(rest) = rest.strip_prefix(['T', 't', ' ']) else {
        return day;
    };
    time_of(rest).map_or(day.clone(), |time| format!("{day}T{time}"))
}

/// `08:30`, `08:30:15`, `08:30:15.123`, with `Z`, `+01:00`, `+0100` or `GMT` behind it. Without a zone
/// a time says little, so there is none.
fn time_of(text: &str) -> Option<String> {
    let (hour, rest) = digits(text, 2)?;
    let (minute, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let (second, rest) = match rest.strip_prefix(':') {
        Some(rest) => digits(rest, 2)?,
        None => (0, rest),
    };
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let zone = zone_of(rest.trim())?;
    Some(format!("{hour:02}:{minute:02}:{second:02}{zone}"))
}

fn zone_of(text: &str) -> Option<String> {
    if matches!(text, "Z" | "z" | "GMT" | "UTC") {
        return Some("Z".to_owned());
    }
    let sign = text.chars().next().filter(|c| matches!(c, '+' | '-'))?;
    let (hours, rest) = digits(text.get(1..)?, 2)?;
    let (minutes, _) = match digits(rest.strip_prefix(':').unwrap_or(rest), 2) {
        Some(found) => found,
        None if rest.is_empty() => (0, rest),
        None => return None,
    };
    (hours <= 14 && minutes <= 59).then(|| format!("{sign}{hours:02}:{minutes:02}"))
}

/// `March 1, 2024`, `1 Mar 2024`, `Fri, 01 Mar 2024 08:30:00 GMT`.
fn in_words(text: &str) -> Option<String> {
    // Only what is a date and little else: "in March 2024 we" is a sentence.
    if text.len() > 60 {
        return None;
    }
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .collect();
    let (place, month) = words
        .iter()
        .enumerate()
        .find_map(|(place, word)| Some((place, month_of(word)?)))?;
    let number = |word: Option<&&str>| -> Option<u32> {
        word?
            .trim_end_matches(|c: char| c.is_alphabetic() || c == '.')
            .parse()
            .ok()
    };
    let before = place
        .checked_sub(1)
        .and_then(|place| number(words.get(place)));
    let (day, year_place) = match before.filter(|day| (1..=31).contains(day)) {
        Some(day) => (day, place + 1),
        None => (number(words.get(place + 1))?, place + 2),
    };
    let year = number(words.get(year_place))?;
    let date = day_of(year, month, day)?;
    let rest = words.get(year_place + 1..).unwrap_or_default().join(" ");
    Some(time_of(&rest).map_or(date.clone(), |time| format!("{date}T{time}")))
}

fn month_of(word: &str) -> Option<u32> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let word = word.trim_end_matches('.').to_ascii_lowercase();
    if word.len() < 3 {
        return None;
    }
    let place = MONTHS
        .iter()
        .position(|month| month.starts_with(&word) || (word == "sept" && *month == "september"))?;
    u32::try_from(place + 1).ok()
}

fn day_of(year: u32, month: u32, day: u32) -> Option<String> {
    let real =
        (1900..=2200).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    real.then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// The number in the first `count` characters, which are digits, and the rest.
fn digits(text: &str, count: usize) -> Option<(u32, &str)> {
    let (head, rest) = text.split_at_checked(count)?;
    let all = head.bytes().all(|byte| byte.is_ascii_digit());
    Some((head.parse().ok().filter(|_| all)?, rest))
}

fn one_or_two_digits(text: &str) -> Option<(u32, &str)> {
    digits(text, 2).or_else(|| digits(text, 1))
}
