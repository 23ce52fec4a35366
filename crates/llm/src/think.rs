//! Thinking that a server leaves in the text, between `<think>` tags at its very beginning.
//!
//! Only there: a model that writes about the tags later in its answer means what it writes.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// How far the text is.
#[derive(Clone, Debug)]
pub(crate) enum ThinkTags {
    /// It may still turn out to begin with the tag; held back until that is known.
    Beginning(String),
    /// Within the tags; held back is what may be the beginning of the closing one.
    Inside(String),
    /// After the closing tag, before the text proper: blanks are dropped.
    Closed,
    /// In the text.
    Text,
}

/// A piece of text, told apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Split {
    /// What belongs to the thinking.
    pub(crate) thinking: String,
    /// What belongs to the text.
    pub(crate) text: String,
}

impl Default for ThinkTags {
    fn default() -> Self {
        Self::Beginning(String::new())
    }
}

impl ThinkTags {
    /// Reads the next piece of text.
    pub(crate) fn read(&mut self, piece: &str) -> Split {
        let mut split = Split::default();
        match self {
            Self::Beginning(held) => {
                held.push_str(piece);
                let begun = held.trim_start();
                if let Some(inside) = begun.strip_prefix(OPEN) {
                    let inside = inside.to_owned();
                    *self = Self::Inside(String::new());
                    return self.read(&inside);
                }
                if !OPEN.starts_with(begun) {
                    split.text = std::mem::take(held);
                    *self = Self::Text;
                }
            }
            Self::Inside(held) => {
                held.push_str(piece);
                if let Some(at) = held.find(CLOSE) {
                    let after = held[at + CLOSE.len()..].to_owned();
                    held.truncate(at);
                    split.thinking = std::mem::take(held);
                    *self = Self::Closed;
                    split.text = self.read(&after).text;
                } else {
                    let doubtful = (1..CLOSE.len())
                        .rev()
                        .find(|len| held.ends_with(&CLOSE[..*len]))
                        .unwrap_or(0);
                    let rest = held.split_off(held.len() - doubtful);
                    split.thinking = std::mem::replace(held, rest);
                }
            }
            Self::Closed => {
                let text = piece.trim_start();
                if !text.is_empty() {
                    text.clone_into(&mut split.text);
                    *self = Self::Text;
                }
            }
            Self::Text => piece.clone_into(&mut split.text),
        }
        split
    }

    /// What is held back, when nothing follows any more.
    pub(crate) fn rest(&self) -> Split {
        match self {
            Self::Beginning(held) => Split {
                text: held.clone(),
                ..Split::default()
            },
            Self::Inside(held) => Split {
                thinking: held.clone(),
                ..Split::default()
            },
            Self::Closed | Self::Text => Split::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, thinking: &str, rest: &str) {
        let expected = Split {
            thinking: thinking.to_owned(),
            text: rest.to_owned(),
        };
        for size in 1..=text.len().max(1) {
            let mut tags = ThinkTags::default();
            let mut split = Split::default();
            let mut add = |piece: Split| {
                split.thinking.push_str(&piece.thinking);
                split.text.push_str(&piece.text);
            };
            let characters: Vec<char> = text.chars().collect();
            for piece in characters.chunks(size) {
                add(tags.read(&piece.iter().collect::<String>()));
            }
            add(tags.rest());
            assert_eq!(split, expected, "{text:?} in pieces of {size}");
        }
    }

    #[test]
    fn tags_at_the_beginning_are_told_apart_however_they_are_cut() {
        check("<think>a</think>b", "a", "b");
        check(
            "\n<think>\na < b </thin k</think>\n\nb <think>c</think>",
            "\na < b </thin k",
            "b <think>c</think>",
        );
        check("<think></think>b", "", "b");
        check("<think>é", "é", "");
        check("<think>a</thi", "a</thi", "");
    }

    #[test]
    fn any_other_text_stays_as_it_is() {
        check("", "", "");
        check("a <think>b</think>", "", "a <think>b</think>");
        check("<thi", "", "<thi");
        check("  <thinker>", "", "  <thinker>");
        check(" \n a", "", " \n a");
        check("</think>a", "", "</think>a");
    }
}
