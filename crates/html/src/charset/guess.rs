//! The encoding of bytes that say nothing of it, from their looks: no tables, only which bytes may
//! follow which, and which are common.

use super::{label, prescan};

/// As many bytes outside ASCII as are looked at: enough to tell encodings apart, a bound on the work.
const SAMPLE: usize = 64 << 10;

/// UTF-16 shows even without a mark: markup is ASCII, so every second byte of its beginning is zero.
/// ISO-2022-JP hides in ASCII, and is known by its escapes.
pub(super) fn escaped_or_wide(bytes: &[u8]) -> Option<&'static str> {
    let head = bytes.get(..512).unwrap_or(bytes);
    if head.len() >= 4 {
        let zeros = |odd: usize| {
            let every_second = head.iter().skip(odd).step_by(2);
            every_second.filter(|&&byte| byte == 0).count()
        };
        let (even, odd, half) = (zeros(0), zeros(1), head.len() / 2);
        if odd * 10 >= half * 4 && even * 20 <= half {
            return Some(label::UTF_16LE);
        }
        if even * 10 >= half * 4 && odd * 20 <= half {
            return Some(label::UTF_16BE);
        }
    }
    let window = bytes.get(..SAMPLE).unwrap_or(bytes);
    let escaped = window.is_ascii()
        && window
            .windows(3)
            .any(|three| matches!(three, b"\x1b$B" | b"\x1b$@"));
    escaped.then_some(label::ISO_2022_JP)
}

/// The encoding in which the bytes look most like text.
pub(super) fn by_looks(bytes: &[u8]) -> &'static str {
    let sample = foreign_parts(bytes);
    let language = prescan::language(bytes);
    // Every fifth character of a Japanese text is kana, of a Chinese one none.
    if double_bytes(&sample, kana).is_some_and(|share| share >= 20) {
        return label::EUC_JP;
    }
    let double = [
        (label::GB18030, double_bytes(&sample, gb18030)),
        (label::BIG5, double_bytes(&sample, big5)),
        (label::SHIFT_JIS, double_bytes(&sample, shift_jis)),
        (label::EUC_KR, double_bytes(&sample, euc_kr)),
    ];
    let best = double
        .iter()
        .filter_map(|&(label, worth)| Some((worth?, label)))
        .max_by_key(|(worth, _)| *worth);
    match best {
        Some((worth, label)) if worth >= 50 => label,
        Some(_) | None => single_bytes(&sample, language.as_deref()),
    }
}

/// The runs of text with bytes outside ASCII: what all encodings share says nothing.
fn foreign_parts(bytes: &[u8]) -> Vec<u8> {
    let mut parts = Vec::new();
    for part in bytes.split(|&byte| matches!(byte, b'\n' | b'\r' | b'<' | b'>')) {
        if part.is_ascii() {
            continue;
        }
        let room = SAMPLE.saturating_sub(parts.len());
        parts.extend_from_slice(part.get(..room).unwrap_or(part));
        parts.push(b'\n');
        if parts.len() >= SAMPLE {
            break;
        }
    }
    parts
}

/// What two bytes are in an encoding.
enum Pair {
    /// A character that texts are full of.
    Common,
    Rare,
    /// The first byte is a character alone.
    Single,
    Invalid,
}

/// How many of the characters outside ASCII are common ones, in hundredths; none where too many bytes
/// are no text in this encoding.
fn double_bytes(sample: &[u8], pair: fn(u8, u8) -> Pair) -> Option<usize> {
    let (mut common, mut all, mut invalid) = (0usize, 0usize, 0usize);
    let mut at = 0;
    while let Some(&first) = sample.get(at) {
        if first < 0x80 {
            at += 1;
            continue;
        }
        all += 1;
        let second = sample.get(at + 1).copied().unwrap_or(0);
        match pair(first, second) {
            Pair::Common => {
                common += 1;
                at += 2;
            }
            Pair::Rare => at += 2,
            Pair::Single => at += 1,
            Pair::Invalid => {
                invalid += 1;
                at += 1;
            }
        }
    }
    (all > 0 && invalid * 50 <= all).then(|| common * 100 / all)
}

fn gb18030(first: u8, second: u8) -> Pair {
    match (first, second) {
        // The 3,755 most used characters, and the punctuation.
        (0xB0..=0xD7, 0xA1..=0xFE) | (0xA1 | 0xA3, 0xA1..=0xFE) => Pair::Common,
        (0x81..=0xFE, 0x40..=0x7E | 0x80..=0xFE | b'0'..=b'9') => Pair::Rare,
        _ => Pair::Invalid,
    }
}

fn big5(first: u8, second: u8) -> Pair {
    match (first, second) {
        (0xA4..=0xC6, 0x40..=0x7E | 0xA1..=0xFE) => Pair::Common,
        (0xA1, 0x40..=0x7E | 0xA1..=0xFE) => Pair::Common,
        (0x81..=0xFE, 0x40..=0x7E | 0xA1..=0xFE) => Pair::Rare,
        _ => Pair::Invalid,
    }
}

fn shift_jis(first: u8, second: u8) -> Pair {
    match (first, second) {
        // Hiragana, katakana, punctuation, then the most used characters.
        (0x82, 0x9F..=0xF1) | (0x83, 0x40..=0x96) | (0x81, 0x40..=0x5B) => Pair::Common,
        (0x88..=0x97, 0x40..=0x7E | 0x80..=0xFC) => Pair::Common,
        (0x81..=0x9F | 0xE0..=0xFC, 0x40..=0x7E | 0x80..=0xFC) => Pair::Rare,
        (0xA1..=0xDF, _) => Pair::Single,
        _ => Pair::Invalid,
    }
}

/// EUC-JP, with only kana as common characters.
fn kana(first: u8, second: u8) -> Pair {
    match (first, second) {
        (0xA4, 0xA1..=0xF3) | (0xA5, 0xA1..=0xF6) => Pair::Common,
        (0x8E, 0xA1..=0xDF) | (0x8F | 0xA1..=0xFE, 0xA1..=0xFE) => Pair::Rare,
        _ => Pair::Invalid,
    }
}

fn euc_kr(first: u8, second: u8) -> Pair {
    match (first, second) {
        // Syllables: 2,350 in 25 rows. A Chinese text uses the rows behind them as much.
        (0xB0..=0xC8, 0xA1..=0xFE) => Pair::Common,
        (0xA1..=0xFE, 0xA1..=0xFE) => Pair::Rare,
        (0x81..=0xC6, 0x41..=0x5A | 0x61..=0x7A | 0x81..=0xFE) => Pair::Rare,
        _ => Pair::Invalid,
    }
}

/// Letters of alphabets that have none of ASCII's: the most used ones, by their bytes.
const ALPHABETS: &[(&str, &[u8])] = &[
    (
        label::WINDOWS_1251,
        b"\xEE\xE5\xE0\xE8\xED\xF2\xF1\xF0\xE2\xEB\xEA\xEC",
    ),
    (
        label::KOI8_R,
        b"\xCF\xC5\xC1\xC9\xCE\xD4\xD3\xD2\xD7\xCC\xCB\xCD",
    ),
    (
        label::WINDOWS_1253,
        b"\xE1\xEF\xE9\xE5\xF4\xED\xF3\xE7\xF2\xF1\xF0\xEA",
    ),
    (
        label::WINDOWS_1255,
        b"\xE9\xE5\xE4\xEC\xF8\xE0\xFA\xE1\xEE\xF9\xED\xF0",
    ),
    (
        label::WINDOWS_1256,
        b"\xC7\xE1\xED\xE3\xE4\xE6\xD1\xCA\xC8\xCF\xC9\xD3",
    ),
    (
        label::WINDOWS_874,
        b"\xD2\xB9\xC3\xCD\xE0\xE8\xA1\xC7\xC5\xC1\xE9\xD1",
    ),
];

fn single_bytes(sample: &[u8], language: Option<&str>) -> &'static str {
    let high = sample.iter().filter(|byte| **byte >= 0x80).count();
    let in_runs = sample
        .windows(2)
        .filter(|pair| pair.iter().all(|byte| *byte >= 0x80))
        .count();
    if in_runs * 2 >= high && high > 0 {
        let count = |letters: &[u8]| sample.iter().filter(|byte| letters.contains(byte)).count();
        let best = ALPHABETS
            .iter()
            .max_by_key(|(_, letters)| count(letters))
            .filter(|(_, letters)| count(letters) * 2 >= high);
        if let Some((label, _)) = best {
            return label;
        }
    }
    latin(sample, language)
}

/// Letters with accents among letters of ASCII. They differ little, so the language counts, if the
/// page names it.
fn latin(sample: &[u8], language: Option<&str>) -> &'static str {
    match language {
        Some("pl" | "cs" | "sk" | "hu" | "hr" | "sl" | "ro" | "bs" | "sq") => {
            return label::WINDOWS_1250;
        }
        Some("tr" | "az") => return label::WINDOWS_1254,
        Some("lt" | "lv" | "et") => return label::WINDOWS_1257,
        Some("ru" | "uk" | "bg" | "be" | "sr" | "mk") => return label::WINDOWS_1251,
        Some("el") => return label::WINDOWS_1253,
        Some("he") => return label::WINDOWS_1255,
        Some("ar" | "fa" | "ur") => return label::WINDOWS_1256,
        Some("th") => return label::WINDOWS_874,
        Some(_) | None => {}
    }
    let between_letters = |letters: &[u8]| {
        sample
            .windows(2)
            .filter(|pair| match pair {
                [before, byte] => before.is_ascii_alphabetic() && letters.contains(byte),
                _ => false,
            })
            .count()
    };
    let high = sample.iter().filter(|byte| **byte >= 0x80).count();
    // Polish, Czech and Hungarian letters that are signs or rare letters in the West.
    if between_letters(b"\xB3\xB9\xBF\x9C\x9F\xEC\xF5\xFB\x9A\x9E") * 4 >= high {
        return label::WINDOWS_1250;
    }
    // Turkish letters, which are Icelandic ones in the West; Icelandic has its vowels as well.
    let count = |letters: &[u8]| sample.iter().filter(|byte| letters.contains(byte)).count();
    if count(b"\xFD\xFE\xF0\xDD\xDE") * 3 >= high && count(b"\xE1\xED\xF3\xE6") * 10 < high {
        return label::WINDOWS_1254;
    }
    label::WINDOWS_1252
}
