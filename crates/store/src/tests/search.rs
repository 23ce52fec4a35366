//! What a search finds, in the languages of the people who use it.

use super::{conversation, conversations, item, items, store};

/// The snippets that a search finds in items with these texts, newest first.
#[track_caller]
fn check(texts: &[&str], search: &str, expected: &[&str]) {
    let mut store = store();
    store
        .commit(&conversations([conversation("c", 1)]))
        .unwrap();
    let rows = (0u32..).zip(texts).map(|(n, text)| item("c", n, text));
    store.commit(&items(rows)).unwrap();
    let hits = store.search(search, 10).unwrap();
    let snippets: Vec<_> = hits.into_iter().map(|hit| hit.snippet).collect();
    assert_eq!(snippets, expected, "{search}");
}

#[test]
fn every_word_must_be_there_and_the_newest_comes_first() {
    let texts = ["red apple", "green apple", "red pear", "apple, RED!"];
    check(&texts, "red apple", &["apple, RED!", "red apple"]);
    check(&texts, "apple red blue", &[]);
}

#[test]
fn a_word_is_found_by_its_beginning() {
    check(&["databases"], "data", &["databases"]);
    check(&["databases"], "bases", &[]);
}

#[test]
fn two_chinese_characters_are_found_anywhere() {
    let texts = ["请打开数据库的设置页面", "天气预报"];
    check(&texts, "数据", &[texts[0]]);
    check(&texts, "据库", &[texts[0]]);
    check(&texts, "数据库", &[texts[0]]);
    check(&texts, "页", &[texts[0]]);
    check(&texts, "面", &[texts[0]]);
    check(&texts, "数库", &[]);
    check(&texts, "设置 数据", &[texts[0]]);
}

#[test]
fn persian_is_found_however_it_was_typed() {
    let texts = ["من می\u{200c}خواهم یک کتاب بخرم"];
    check(&texts, "كتاب", &texts);
    check(&texts, "میخواهم", &texts);
    check(&texts, "می\u{200c}خواهم کتا", &texts);
}

#[test]
fn vietnamese_is_found_without_its_accents() {
    check(
        &["Đọc nội dung trang"],
        "doc noi dung",
        &["Đọc nội dung trang"],
    );
    check(&["noi dung"], "nội", &["noi dung"]);
}

#[test]
fn nothing_a_person_types_is_an_operator() {
    let texts = ["and or not near", "plain"];
    check(&texts, "plain OR near", &[]);
    check(&texts, "NOT near", &[texts[0]]);
    check(&texts, "NEAR(", &[texts[0]]);
    check(&texts, "words:plain", &[]);
    check(&texts, "pla*", &[texts[1]]);
    check(&texts, "^plain", &[texts[1]]);
    let hostile = [
        "\"", "\"\"", "'", "(", ")", "{", "*", "^", "-", "+", "\0", ":", "\\",
    ];
    for word in hostile {
        check(&texts, word, &[]);
        check(&texts, &format!("{word}plain"), &[texts[1]]);
        check(&texts, &format!("plain{word}"), &[texts[1]]);
    }
    check(&texts, "", &[]);
}

#[test]
fn a_name_with_signs_is_found_as_it_stands() {
    let texts = ["call get_tab_content now", "get the tab"];
    check(&texts, "get_tab", &[texts[0]]);
    check(&texts, "get tab", &[texts[1], texts[0]]);
}

#[test]
fn a_snippet_is_one_line_around_the_match() {
    let long = format!(
        "{}needle\n\n in {}",
        "hay ".repeat(100),
        "straw ".repeat(100)
    );
    let hay = "hay ".repeat(10);
    let straw = "straw ".repeat(18);
    let expected = format!("…{hay}needle in {}…", straw.trim_end());
    check(&[&long], "needle", &[&expected]);
}

#[test]
fn a_changed_item_is_found_by_its_new_text_only() {
    let mut store = store();
    store
        .commit(&conversations([conversation("c", 1)]))
        .unwrap();
    for text in ["first words", "", "second words"] {
        store.commit(&items([item("c", 0, text)])).unwrap();
    }
    let found = |text: &str| store.search(text, 10).unwrap().len();
    assert_eq!(found("first"), 0);
    assert_eq!(found("second"), 1);
    assert_eq!(found("words"), 1);
}

#[test]
fn a_search_gives_no_more_than_it_was_asked_for() {
    let mut store = store();
    store
        .commit(&conversations([conversation("c", 1)]))
        .unwrap();
    store
        .commit(&items((0..5).map(|n| item("c", n, "same"))))
        .unwrap();
    let hits = store.search("same", 2).unwrap();
    let found: Vec<_> = hits.iter().map(|hit| hit.item.as_str()).collect();
    assert_eq!(found, ["i4", "i3"]);
}
