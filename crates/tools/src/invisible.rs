//! Taking out of a text what a person cannot see and a model can read.
//!
//! Invariant: what a reader of the text's own language needs stays: joiners inside Arabic and Indic
//! words and emoji sequences, and one variation selector after a character that can have one.

/// The text without invisible characters.
pub(crate) fn visible_text(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut kept = String::with_capacity(text.len());
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let stays = match c {
            ZWNJ | ZWJ => joiner_stays(c, before, rest.peek().copied()),
            '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => selector_stays(c, before),
            _ => !is_invisible(c),
        };
        if stays {
            kept.push(c);
            before = Some(c);
        }
    }
    kept
}

const ZWNJ: char = '\u{200C}';
const ZWJ: char = '\u{200D}';

/// Characters that show nothing, or only change the order of others.
fn is_invisible(c: char) -> bool {
    matches!(c,
        // Soft hyphen, combining grapheme joiner, Mongolian vowel separator, fillers.
        '\u{AD}' | '\u{34F}' | '\u{180E}' | '\u{3164}' | '\u{FFA0}'
        // Bidirectional marks, embeddings, overrides and isolates.
        | '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
        // Zero-width space, word joiner, invisible operators, deprecated controls, byte order mark.
        | '\u{200B}' | '\u{2060}'..='\u{2065}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}'
        // Interlinear annotations, and musical and shorthand format controls.
        | '\u{FFF9}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' | '\u{1BCA0}'..='\u{1BCA3}'
        // Tags, and what is unassigned beside them and ignored by default.
        | '\u{E0000}'..='\u{E00FF}' | '\u{E01F0}'..='\u{E0FFF}'
    )
}

fn joiner_stays(joiner: char, before: Option<char>, after: Option<char>) -> bool {
    let Some(before) = before else {
        return false;
    };
    if is_virama(before) {
        // Here it chooses the form of the letter before, also at the end of a word.
        return true;
    }
    let Some(after) = after else {
        return false;
    };
    let in_a_word = is_joining_script(before) && is_joining_script(after);
    let in_an_emoji = joiner == ZWJ && is_emoji_part(before) && is_emoji(after);
    in_a_word || in_an_emoji
}

/// A selector changes the look of the character before it. A second one changes nothing: rows of
/// them carry hidden text.
fn selector_stays(selector: char, before: Option<char>) -> bool {
    let Some(before) = before else {
        return false;
    };
    if selector <= '\u{FE0F}' {
        return is_emoji(before)
            || is_ideograph(before)
            || is_joining_script(before)
            || matches!(
                before,
                '#' | '*' | '0'..='9' | '©' | '®' | '‼' | '⁉' | '〰' | '〽'
            );
    }
    is_ideograph(before)
}

/// Scripts that are written with joiners: from Arabic to Mongolian, and their later blocks.
fn is_joining_script(c: char) -> bool {
    let in_block = matches!(c,
        '\u{600}'..='\u{109F}' | '\u{1780}'..='\u{18AF}' | '\u{1900}'..='\u{1CFF}'
        | '\u{A800}'..='\u{A8FF}' | '\u{A980}'..='\u{AAFF}' | '\u{ABC0}'..='\u{ABFF}'
        | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
        | '\u{10A00}'..='\u{10FFF}' | '\u{11000}'..='\u{11FFF}' | '\u{1E900}'..='\u{1E95F}'
    );
    in_block && !is_invisible(c) && !matches!(c, '،' | '؛' | '؟' | '۔' | '।' | '॥')
}

/// Signs that take the vowel from the letter before them.
fn is_virama(c: char) -> bool {
    matches!(
        c,
        '\u{94D}'
            | '\u{9CD}'
            | '\u{A4D}'
            | '\u{ACD}'
            | '\u{B4D}'
            | '\u{BCD}'
            | '\u{C4D}'
            | '\u{CCD}'
            | '\u{D4D}'
            | '\u{DCA}'
            | '\u{1039}'
            | '\u{103A}'
            | '\u{17D2}'
    )
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2BFF}' | '\u{3297}' | '\u{3299}' | '\u{1F000}'..='\u{1FAFF}')
}

/// An emoji, or what may stand between it and a joiner.
fn is_emoji_part(c: char) -> bool {
    is_emoji(c) || c == '\u{FE0F}'
}

fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(
            visible_text(text).escape_unicode().to_string(),
            expected.escape_unicode().to_string(),
            "{text}"
        );
    }

    /// These stay as they are.
    fn unchanged(text: &str) {
        check(text, text);
    }

    #[test]
    fn visible_text_of_every_script_stays() {
        for text in [
            "",
            "plain",
            "naïve café",
            "Tiếng Việt",
            "日本語",
            "한국어",
            "שלום",
            "हिन्दी",
            "😀 ok",
            "line\nbreak\ttab",
            "a\u{A0}b",
            "e\u{301}",
        ] {
            unchanged(text);
        }
    }

    #[test]
    fn tag_characters_go() {
        check("hi\u{E0001}\u{E0069}\u{E0067}\u{E007F}!", "hi!");
    }

    #[test]
    fn zero_width_characters_and_bidi_controls_go() {
        check("pass\u{200B}word\u{2060}\u{FEFF}", "password");
        check("so\u{AD}ft", "soft");
        check("a\u{202E}txt.exe\u{202C}b", "atxt.exeb");
        check("\u{2066}x\u{2069}\u{200E}\u{200F}\u{61C}", "x");
        check("\u{3164}\u{FFA0}\u{180E}\u{34F}z", "z");
    }

    #[test]
    fn joiners_inside_persian_and_indic_words_stay() {
        unchanged("می\u{200C}خواهم");
        unchanged("کتاب\u{200C}ها");
        unchanged("क्\u{200D}ष");
        unchanged("क्\u{200C}ष");
        // A Malayalam chillu at the end of a word.
        unchanged("അവന്\u{200D} വന്നു");
        unchanged("শ্রী র\u{200D}্য");
    }

    #[test]
    fn joiners_anywhere_else_go() {
        check("ig\u{200C}no\u{200D}re", "ignore");
        check("\u{200C}می\u{200C}", "می");
        check("می\u{200C}\u{200C}\u{200D}خواهم", "می\u{200D}خواهم");
        check("می\u{200C}، او", "می، او");
        check("a\u{200D}😀", "a😀");
        check("😀\u{200D}a", "😀a");
        check("😀\u{200C}😀", "😀😀");
    }

    #[test]
    fn emoji_sequences_stay() {
        unchanged("👩\u{200D}👩\u{200D}👧\u{200D}👦");
        unchanged("❤\u{FE0F}\u{200D}🔥");
        unchanged("🏳\u{FE0F}\u{200D}🌈");
        unchanged("👩🏽\u{200D}⚕\u{FE0F}");
        unchanged("1\u{FE0F}\u{20E3}");
    }

    #[test]
    fn a_variation_selector_stays_only_where_it_shows() {
        unchanged("葛\u{E0100}城");
        check("a\u{FE0F}", "a");
        check("😀\u{FE00}\u{FE01}\u{E0121}\u{FE0E}", "😀\u{FE00}");
        check("x\u{E0100}\u{E0133}", "x");
    }

    proptest! {
        #[test]
        fn cleaning_twice_is_cleaning_once(text in "[a\u{600}-\u{6FF}\u{94D}\u{200B}-\u{200F}\u{FE0F}\u{1F600}-\u{1F64F}\u{E0000}-\u{E01EF}]{0,30}") {
            let once = visible_text(&text);
            prop_assert_eq!(visible_text(&once), once);
        }
    }
}
