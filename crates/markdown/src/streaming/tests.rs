//! However a text is cut, the changes add up to the blocks of the whole.

use proptest::prelude::*;
use tabwright_protocol::Block;

use super::{Change, StreamingBlocks};
use crate::blocks;
use crate::tests::show;

/// A view: it knows nothing but the changes.
#[derive(Default)]
struct View(Vec<Block>);

impl View {
    fn apply(&mut self, change: Option<Change>) {
        if let Some(Change { keep, blocks }) = change {
            assert!(keep <= self.0.len(), "there are no {keep} blocks to keep");
            self.0.truncate(keep);
            self.0.extend(blocks);
        }
    }
}

/// Streams the pieces and checks the end, and, where no definition can change what came before,
/// each state between.
fn check<'a>(pieces: impl IntoIterator<Item = &'a str>) {
    let mut streaming = StreamingBlocks::default();
    let mut view = View::default();
    let mut text = String::new();
    for piece in pieces {
        text.push_str(piece);
        let change = streaming.push(piece);
        let is_change = change.is_some();
        view.apply(change);
        if is_change && !text.contains("]:") {
            assert_eq!(show(&view.0), show(&blocks(&text)), "{text:?}");
        }
    }
    view.apply(streaming.finish());
    assert_eq!(show(&view.0), show(&blocks(&text)), "{text:?}");
    assert_eq!(view.0, blocks(&text));
    assert_eq!(streaming.finish(), None);
}

fn check_all_cuts(text: &str) {
    for (at, _) in text.char_indices() {
        let (head, tail) = text.split_at(at);
        check([head, tail]);
    }
    check(
        text.char_indices()
            .map(|(at, c)| &text[at..at + c.len_utf8()]),
    );
}

#[test]
fn what_goes_on_is_not_taken_for_finished() {
    for text in [
        "1. a\n\n2. b\n\n3. c\n",
        "- a\n\n- b\n\nc\n\n- d",
        "- a\n\n  b\n\n      c\n\nd",
        "a\n---\nb\n===\n",
        "a\n-\nb\n- c",
        "```\na\n\n# b\n```\nc",
        "~~~\n```\n\n~~~\n\nd",
        "    a\n\n    b\n\nc",
        "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nc",
        "a\n| b |\n|---|\n| c |",
        "a\n|b\n|---|c",
        "a \n```b c\rd```",
        "> a\nb\n\n> c\n>\n> d",
        "<div>\n\n*a*\n\n</div>\n\nb",
        "<!-- a\n\nb -->\n\nc",
        "<script>\n\n# a\n</script>\nb",
        "a\n$$\nx\n$$\nb\n\n$$y$$\n\nc",
        "a  \r\nb\r\n\r\n- c\r\n\r\n2) d\r\n",
        "a\r\rb\r- c\r",
        "*a\n\nb* **c\n\nd**",
        "  # a\n   b\n\n \tc\n",
        "\u{FEFF}# a\n\n\u{FEFF}b\n",
        "é\n\n漢字\n\n😀\n",
        "- [ ] a\n- [x] b\n\n* c\n+ d",
    ] {
        check_all_cuts(text);
    }
}

#[test]
fn definitions_reach_back_at_the_end() {
    for text in [
        "[a][r]\n\nb\n\n[r]: https://a.test/\n",
        "[r]\n\n[r]: https://a.test/\n[r]: https://b.test/\n\n[r]",
        "[r]: https://a.test/\n\"a\nb\"\n\n[r]\n",
        "[r]:\nhttps://a.test/\n\n[R]\n\n[r]: https://b.test\n\n[r]",
        "> [r]: https://a.test/\n\n[r]\n\nb",
        "[r]: <\n\n[r]: x",
    ] {
        check_all_cuts(text);
    }
}

#[test]
fn a_change_keeps_the_blocks_that_stay() {
    let mut streaming = StreamingBlocks::default();
    let first = streaming.push("# a\n\nb\n\nc").unwrap();
    assert_eq!((first.keep, first.blocks.len()), (0, 3));
    let second = streaming.push("d").unwrap();
    assert_eq!((second.keep, second.blocks), (2, blocks("cd")));
    assert_eq!(streaming.push(""), None);
    assert_eq!(streaming.push("\n\n"), None);
    let third = streaming.push("e").unwrap();
    assert_eq!((third.keep, third.blocks), (3, blocks("e")));
}

/// Bytes parsed for each byte that came, for a text of about `size` bytes in pieces of 20.
fn work(part: &str, size: usize) -> usize {
    let text = part.repeat(size / part.len());
    let mut streaming = StreamingBlocks::default();
    let bytes = text.as_bytes().chunks(20);
    for piece in bytes {
        streaming.push(std::str::from_utf8(piece).unwrap());
    }
    streaming.finish();
    streaming.work / text.len()
}

#[test]
fn the_work_grows_no_faster_than_the_text() {
    for part in [
        "A paragraph of an ordinary answer, a line or two of it.\n\n",
        "one word after another in a paragraph that never ends ",
        "a line of a paragraph that never ends\n",
        "- an item of a list that never ends\n",
        "    some code that never ends\n",
        "| a | row |\n|---|---|\n",
        "> a quotation that never ends\n",
        "[name]: https://a.test/\n",
    ] {
        for size in [20_000, 200_000] {
            let work = work(part, size);
            assert!(
                work <= 36,
                "{part:?} {size}: each byte was parsed {work} times"
            );
        }
    }
    assert!(work("A short paragraph.\n\n", 200_000) <= 4);
    assert!(work(&format!("```\n{}```\n\n", "code\n".repeat(100)), 200_000) <= 36);
}

/// Texts made of what Markdown is made of.
pub(crate) fn markdown_text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => prop::sample::select(vec![
            "a", "word ", "b c", "é", "😀", "1", "2", " ", "  ", "    ", "\t",
        ]).prop_map(str::to_owned),
        4 => prop::sample::select(vec!["\n", "\n\n", "\r\n", "\r", "\n\n\n", "\n  ", "\n    "]).prop_map(str::to_owned),
        4 => prop::sample::select(vec![
            "- ", "* ", "+ ", "1. ", "2) ", "-", "1.", "> ", ">", "# ", "## ", "---", "===", "***",
            "```", "```rust", "~~~", "|", "|---|", "| a | b |", "|-|-|", "- [ ] ", "[x] ", ":-:",
        ]).prop_map(str::to_owned),
        3 => prop::sample::select(vec![
            "*", "**", "_", "~~", "`", "``", "$", "$$", "[", "]", "(", ")", "![", "](https://a.test)",
            "<div>", "</div>", "<b>", "<!--", "-->", "<script>", "</script>", "<?", "?>", "<", ">",
            "\\", "&amp;", "<https://a.test>", "]", "\u{FEFF}", "\0",
        ]).prop_map(str::to_owned),
        1 => prop::sample::select(vec![
            "[r]: https://a.test", "[r]", "[a][r]", "[r]:", "[^1]", "[^1]: x", "\"t\"", "[R]: /x 't'",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(4_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_in_any_pieces_gives_the_blocks_of_the_whole(
        text in markdown_text(),
        sizes in prop::collection::vec(1_usize..12, 1..8),
    ) {
        let mut rest = text.as_str();
        let mut pieces = Vec::new();
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let at = rest.char_indices().nth(*size).map_or(rest.len(), |(at, _)| at);
            let (piece, after) = rest.split_at(at);
            pieces.push(piece);
            rest = after;
        }
        check(pieces);
    }
}
