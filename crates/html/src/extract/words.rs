//! Counting the words of a text.

/// Sums over the text in an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    /// Words; two ideographs count as one.
    pub words: u32,
    /// Those of them in links.
    pub linked: u32,
    /// Ends of sentences and commas.
    pub stops: u32,
    /// Amounts of money.
    pub prices: u32,
}

impl Sums {
    pub fn add(&mut self, other: Self) {
        self.words = self.words.saturating_add(other.words);
        self.linked = self.linked.saturating_add(other.linked);
        self.stops = self.stops.saturating_add(other.stops);
        self.prices = self.prices.saturating_add(other.prices);
    }

    pub fn subtract(&mut self, other: Self) {
        self.words = self.words.saturating_sub(other.words);
        self.linked = self.linked.saturating_sub(other.linked);
        self.stops = self.stops.saturating_sub(other.stops);
        self.prices = self.prices.saturating_sub(other.prices);
    }

    /// Words that are in no link.
    pub fn plain(self) -> u32 {
        self.words.saturating_sub(self.linked)
    }

    /// The share of words that are in links, in hundredths.
    pub fn link_share(self) -> u32 {
        percent(self.linked, self.words)
    }
}

/// `part` of `whole` in hundredths; nothing of nothing is 0.
pub(super) fn percent(part: u32, whole: u32) -> u32 {
    let share = u64::from(part) * 100 / u64::from(whole.max(1));
    u32::try_from(share).unwrap_or(u32::MAX)
}

/// Adds a part to a hash; the only part of a whole has the hash of the whole.
pub(super) fn mix(hash: u64, part: u64) -> u64 {
    if hash == 0 {
        return part;
    }
    (hash.rotate_left(5) ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Of a text's letters and digits, whatever stands between them.
pub(super) fn hash_of(text: &str) -> u64 {
    text.bytes()
        .filter(|&byte| byte.is_ascii_alphanumeric() || byte >= 0x80)
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x100_0000_01B3)
        })
}

/// Counts a text. One pass over bytes for ASCII, characters only where there are others.
pub(super) fn count(text: &str) -> Sums {
    let mut sums = Sums::default();
    let mut in_word = false;
    let mut ideographs = 0u32;
    let mut money = false;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte < 0x80 {
            if byte.is_ascii_alphanumeric() || byte == b'_' {
                if !in_word {
                    sums.words += 1;
                    if money && byte.is_ascii_digit() {
                        sums.prices += 1;
                    }
                }
                in_word = true;
                money = false;
            } else {
                in_word = false;
                match byte {
                    b'$' => money = true,
                    b' ' | b'\t' | b'\n' | b'\r' => {}
                    b'.' | b',' | b'!' | b'?' | b';' => {
                        money = false;
                        // A stop inside a number or an address is none.
                        if bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace) {
                            sums.stops += 1;
                        }
                    }
                    _ => money = false,
                }
            }
            at += 1;
            continue;
        }
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else {
            break;
        };
        at += c.len_utf8();
        match c {
            '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => {
                ideographs += 1;
                in_word = false;
            }
            '€' | '£' | '¥' | '₹' | '₩' | '₽' | '￥' => {
                // Some stand before the number and some behind it.
                if in_word {
                    sums.prices += 1;
                } else {
                    money = true;
                }
                in_word = false;
            }
            '。' | '，' | '、' | '！' | '？' | '；' => {
                sums.stops += 1;
                in_word = false;
            }
            '\u{A0}' => in_word = false,
            _ if c.is_alphanumeric() => {
                sums.words += u32::from(!in_word);
                in_word = true;
            }
            _ => in_word = in_word && matches!(c, '’' | '\u{AD}' | '\u{200D}'),
        }
    }
    sums.words += ideographs.div_ceil(2);
    sums
}
