//! Text as searchable words: the same folding and splitting for what is indexed, what is searched
//! for, and what a snippet points at.
//!
//! Scripts that put spaces between words give words. Scripts that do not (Chinese, Japanese, Thai
//! and their neighbours) give every pair of neighbouring characters, so that any two characters
//! are found by the index. Invariant: a word is made of letters, digits and marks only.

/// A word, and where it stands in the text it came from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The word, folded.
    pub(crate) text: String,
    /// Its first byte in the text.
    pub(crate) start: usize,
}

/// The words of a text as they are indexed, with a space between two.
pub(crate) fn indexed(text: &str) -> String {
    joined(&of_text(text))
}

/// The words of a text as they are indexed.
pub(crate) fn of_text(text: &str) -> Vec<Word> {
    split(text, true)
}

/// The words that a search for this text must find next to each other.
pub(crate) fn searched(text: &str) -> Vec<Word> {
    split(text, false)
}

/// The words with a space between two.
pub(crate) fn joined(words: &[Word]) -> String {
    let texts: Vec<_> = words.iter().map(|word| word.text.as_str()).collect();
    texts.join(" ")
}

/// Splits a text. The last character of a run of pairs is also a word of its own where
/// `with_run_ends` says so: else a search for that one character would not find it.
fn split(text: &str, with_run_ends: bool) -> Vec<Word> {
    let mut splitter = Splitter {
        words: Vec::new(),
        word: None,
        pair: None,
        with_run_ends,
    };
    for (start, original) in text.char_indices() {
        fold(original, |folded| splitter.take(start, folded));
    }
    splitter.end_word();
    splitter.end_run();
    splitter.words
}

struct Splitter {
    words: Vec<Word>,
    /// The word that is being read.
    word: Option<Word>,
    /// The last character of the run that is being read.
    pair: Option<RunEnd>,
    with_run_ends: bool,
}

struct RunEnd {
    character: char,
    start: usize,
    is_alone: bool,
}

impl Splitter {
    fn take(&mut self, start: usize, character: char) {
        if is_unspaced(character) {
            self.end_word();
            let is_alone = self.pair.is_none();
            if let Some(before) = &self.pair {
                self.words.push(Word {
                    text: String::from_iter([before.character, character]),
                    start: before.start,
                });
            }
            self.pair = Some(RunEnd {
                character,
                start,
                is_alone,
            });
        } else if character.is_alphanumeric() {
            self.end_run();
            self.word
                .get_or_insert_with(|| Word {
                    text: String::new(),
                    start,
                })
                .text
                .push(character);
        } else {
            self.end_word();
            self.end_run();
        }
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    fn end_run(&mut self) {
        if let Some(end) = self.pair.take()
            && (end.is_alone || self.with_run_ends)
        {
            self.words.push(Word {
                text: end.character.to_string(),
                start: end.start,
            });
        }
    }
}

/// Whether the script writes its words without spaces between them.
fn is_unspaced(character: char) -> bool {
    matches!(
        character,
        '\u{0e01}'..='\u{0e3a}' | '\u{0e40}'..='\u{0e4e}' // Thai
            | '\u{0e81}'..='\u{0ecd}' // Lao
            | '\u{1000}'..='\u{103f}' // Burmese
            | '\u{1780}'..='\u{17d3}' // Khmer
            | '\u{3005}'..='\u{3007}' // Ideographic iteration mark, zero
            | '\u{3041}'..='\u{309f}' // Hiragana
            | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' // Katakana
            | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' // Han
            | '\u{20000}'..='\u{3ffff}'
    )
}

/// Gives the characters that this one counts as: in lower case, without accents, one form for
/// letters that people type in several. Some count as nothing and do not even end a word.
fn fold(original: char, mut give: impl FnMut(char)) {
    if original.is_ascii() {
        return give(original.to_ascii_lowercase());
    }
    for lower in half_width(original).to_lowercase() {
        if !is_ignored(lower) {
            give(base(lower));
        }
    }
}

/// The ASCII form of a full-width letter, digit or sign.
fn half_width(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character)
        }
        other => other,
    }
}

/// Whether a character changes how its neighbour looks, and not what a person searches for.
fn is_ignored(character: char) -> bool {
    matches!(
        character,
        '\u{0300}'..='\u{036f}' // Combining accents
            | '\u{064b}'..='\u{065f}' | '\u{0670}' | '\u{0640}' // Arabic vowel signs, tatweel
            | '\u{00ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' // Soft hyphen, joiners
            | '\u{fe00}'..='\u{fe0f}' // Variation selectors
    )
}

/// The plain form of a lower-case letter.
#[rustfmt::skip]
fn base(character: char) -> char {
    match character {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' | 'ǟ' | 'ǡ' | 'ǻ' | 'ȁ' | 'ȃ' | 'ȧ' | 'ḁ' | 'ẚ' | 'ạ' | 'ả' | 'ấ' | 'ầ' | 'ẩ' | 'ẫ' | 'ậ' | 'ắ' | 'ằ' | 'ẳ' | 'ẵ' | 'ặ' => 'a',
        'ḃ' | 'ḅ' | 'ḇ' => 'b',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' | 'ḉ' => 'c',
        'ď' | 'đ' | 'ḋ' | 'ḍ' | 'ḏ' | 'ḑ' | 'ḓ' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' | 'ȅ' | 'ȇ' | 'ȩ' | 'ḕ' | 'ḗ' | 'ḙ' | 'ḛ' | 'ḝ' | 'ẹ' | 'ẻ' | 'ẽ' | 'ế' | 'ề' | 'ể' | 'ễ' | 'ệ' => 'e',
        'ḟ' => 'f',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' | 'ǧ' | 'ǵ' | 'ḡ' => 'g',
        'ĥ' | 'ħ' | 'ȟ' | 'ḣ' | 'ḥ' | 'ḧ' | 'ḩ' | 'ḫ' | 'ẖ' => 'h',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' | 'ǐ' | 'ȉ' | 'ȋ' | 'ḭ' | 'ḯ' | 'ỉ' | 'ị' => 'i',
        'ĵ' | 'ǰ' => 'j',
        'ķ' | 'ǩ' | 'ḱ' | 'ḳ' | 'ḵ' => 'k',
        'ĺ' | 'ļ' | 'ľ' | 'ł' | 'ḷ' | 'ḹ' | 'ḻ' | 'ḽ' => 'l',
        'ḿ' | 'ṁ' | 'ṃ' => 'm',
        'ñ' | 'ń' | 'ņ' | 'ň' | 'ǹ' | 'ṅ' | 'ṇ' | 'ṉ' | 'ṋ' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'ơ' | 'ǒ' | 'ǫ' | 'ǭ' | 'ȍ' | 'ȏ' | 'ȫ' | 'ȭ' | 'ȯ' | 'ȱ' | 'ṍ' | 'ṏ' | 'ṑ' | 'ṓ' | 'ọ' | 'ỏ' | 'ố' | 'ồ' | 'ổ' | 'ỗ' | 'ộ' | 'ớ' | 'ờ' | 'ở' | 'ỡ' | 'ợ' => 'o',
        'ṕ' | 'ṗ' => 'p',
        'ŕ' | 'ŗ' | 'ř' | 'ȑ' | 'ȓ' | 'ṙ' | 'ṛ' | 'ṝ' | 'ṟ' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' | 'ṡ' | 'ṣ' | 'ṥ' | 'ṧ' | 'ṩ' => 's',
        'ţ' | 'ť' | 'ț' | 'ṫ' | 'ṭ' | 'ṯ' | 'ṱ' | 'ẗ' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ư' | 'ǔ' | 'ǖ' | 'ǘ' | 'ǚ' | 'ǜ' | 'ȕ' | 'ȗ' | 'ṳ' | 'ṵ' | 'ṷ' | 'ṹ' | 'ṻ' | 'ụ' | 'ủ' | 'ứ' | 'ừ' | 'ử' | 'ữ' | 'ự' => 'u',
        'ṽ' | 'ṿ' => 'v',
        'ŵ' | 'ẁ' | 'ẃ' | 'ẅ' | 'ẇ' | 'ẉ' | 'ẘ' => 'w',
        'ẋ' | 'ẍ' => 'x',
        'ý' | 'ÿ' | 'ŷ' | 'ȳ' | 'ẏ' | 'ẙ' | 'ỳ' | 'ỵ' | 'ỷ' | 'ỹ' => 'y',
        'ź' | 'ż' | 'ž' | 'ẑ' | 'ẓ' | 'ẕ' => 'z',
        'ё' => 'е',
        // Persian and Arabic keyboards give different letters for the same sound.
        'ي' | 'ى' | 'ئ' => 'ی',
        'ك' => 'ک',
        'أ' | 'إ' | 'آ' | 'ٱ' => 'ا',
        'ؤ' => 'و',
        'ة' | 'ۀ' => 'ه',
        '٠'..='٩' => digit(character, '٠'),
        '۰'..='۹' => digit(character, '۰'),
        other => other,
    }
}

/// The ASCII digit for one of a script whose zero is given.
fn digit(character: char, zero: char) -> char {
    char::from_digit(u32::from(character) - u32::from(zero), 10).unwrap_or(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(indexed(text), expected, "{text}");
    }

    #[test]
    fn words_are_split_at_everything_but_letters_and_digits() {
        check("Hello, world! get_tab(42)", "hello world get tab 42");
        check("\"AND\" OR* ^NEAR -not", "and or near not");
        check(" \t\n… ", "");
    }

    #[test]
    fn accents_and_case_do_not_count() {
        check("Tiếng Việt ĐẶT", "tieng viet dat");
        check("Cafe\u{0301} CAFÉ Straße", "cafe cafe straße");
        check("İstanbul ЁЛКА", "istanbul елка");
    }

    #[test]
    fn persian_letters_digits_and_joiners_have_one_form() {
        check("كتابي", "کتابی");
        check("می\u{200c}خواهم", "میخواهم");
        check("مُحَمَّد ۱۴۰۳ ١٢", "محمد 1403 12");
    }

    #[test]
    fn unspaced_scripts_give_pairs_and_the_last_character() {
        check("数据库", "数据 据库 库");
        check("用SQLite存。", "用 sqlite 存");
        check("ひらがな", "ひら らが がな な");
        check("ＡＢＣ１２", "abc12");
    }

    #[test]
    fn a_search_has_no_run_end_unless_it_is_all_there_is() {
        assert_eq!(joined(&searched("数据库")), "数据 据库");
        assert_eq!(joined(&searched("数")), "数");
    }

    #[test]
    fn a_word_knows_where_it_stands() {
        let starts: Vec<_> = of_text("é 数据 b").iter().map(|word| word.start).collect();
        assert_eq!(starts, [0, 3, 6, 10]);
    }
}
