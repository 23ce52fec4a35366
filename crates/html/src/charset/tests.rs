use super::{canonical, charset_of, detect};

#[track_caller]
fn check(bytes: &[u8], declared: Option<&str>, expect: &str) {
    assert_eq!(
        detect(bytes, declared),
        expect,
        "of {:?}",
        String::from_utf8_lossy(bytes)
    );
}

#[test]
fn marks_come_first() {
    check(b"\xEF\xBB\xBFx", Some("gbk"), "utf-8");
    check(b"\xFF\xFE<\0", None, "utf-16le");
    check(b"\xFE\xFF\0<", None, "utf-16be");
    check(b"<\0h\0t\0m\0l\0>\0", None, "utf-16le");
    check(b"\0<\0h\0t\0m\0l\0>", None, "utf-16be");
}

#[test]
fn valid_utf_8_overrules_everybody() {
    check("<p>grün".as_bytes(), Some("iso-8859-1"), "utf-8");
    check("<meta charset=gbk><p>中文".as_bytes(), None, "utf-8");
    // Cut within a character.
    check(b"<p>gr\xC3\xBCn \xE4\xB8", None, "utf-8");
}

#[test]
fn headers_and_pages_are_believed() {
    check(b"<p>gr\xFCn", Some("ISO-8859-1"), "windows-1252");
    check(b"<p>x", Some("windows-1251"), "windows-1251");
    check(b"<meta charset='GBK'>\xD6\xD0", None, "gb18030");
    check(
        b"<META content='text/html; charset=\"Big5\"' http-equiv=Content-Type>\xA4\xA4",
        None,
        "big5",
    );
    check(
        b"<?xml version='1.0' encoding='EUC-JP'?>\xC6\xFC",
        None,
        "euc-jp",
    );
    check(
        b"<!-- <meta charset=gbk> --><meta charset=koi8-r>\xC1",
        None,
        "koi8-r",
    );
    check(
        b"<meta charset=nonsense><meta charset=shift_jis>\x93\xFA",
        None,
        "shift_jis",
    );
    check(
        b"<meta name=description content='charset=gbk'>x",
        None,
        "utf-8",
    );
    check(b"<meta charset=utf-16>x", None, "utf-8");
    check(b"<p>x", Some("nonsense"), "utf-8");
    check(b"", None, "utf-8");
    check(b"\x1b$BF|K\\\x1b(B", None, "iso-2022-jp");
}

#[test]
fn a_page_that_is_mostly_utf_8_is_utf_8() {
    check(
        "<meta charset=utf-8>äöüß é"
            .as_bytes()
            .iter()
            .copied()
            .chain([0xFF])
            .collect::<Vec<_>>()
            .as_slice(),
        None,
        "utf-8",
    );
}

#[test]
fn content_types() {
    let check = |header: &str, expect: Option<&str>| assert_eq!(charset_of(header), expect);
    check("text/html; charset=utf-8", Some("utf-8"));
    check("text/html;a=b; Charset=\"GBK\"", Some("GBK"));
    check("text/html", None);
    check("text/html; charset=", None);
}

#[test]
fn labels() {
    let check = |name: &str, expect: Option<&str>| assert_eq!(canonical(name), expect, "{name}");
    check(" UTF8 ", Some("utf-8"));
    check("gb2312", Some("gb18030"));
    check("x-sjis", Some("shift_jis"));
    check("csISOLatin1", Some("windows-1252"));
    check("ISO_8859-2:1987", Some("iso-8859-2"));
    check("iso8859-15", Some("iso-8859-15"));
    check("CP1251", Some("windows-1251"));
    check("x-cp1250", Some("windows-1250"));
    check("utf-7", None);
    check("", None);
}

#[cfg(feature = "decode")]
mod with_tables {
    use super::super::{canonical, decode, detect};

    const CHINESE: &str =
        "<p>今天的新闻说，这个城市的天气很好，人们都到公园里去散步。我们在那里看到了很多花。</p>";
    const TAIWAN: &str =
        "<p>今天的新聞說，這個城市的天氣很好，人們都到公園裡去散步。我們在那裡看到了很多花。</p>";
    const JAPANESE: &str =
        "<p>今日の天気はとてもよく、人々は公園を散歩しています。ニュースで見ました。</p>";
    const KOREAN: &str = "<p>오늘은 날씨가 매우 좋아서 사람들이 공원에서 산책을 하고 있습니다. 뉴스에서 보았습니다.</p>";
    const RUSSIAN: &str =
        "<p>Сегодня хорошая погода, и люди гуляют в парке. Об этом сказали в новостях.</p>";
    const GREEK: &str =
        "<p>Σήμερα ο καιρός είναι καλός και οι άνθρωποι περπατούν στο πάρκο της πόλης.</p>";
    const HEBREW: &str = "<p>היום מזג האוויר נעים ואנשים רבים הולכים לטייל בפארק של העיר</p>";
    const ARABIC: &str = "<p>الطقس جميل اليوم والناس يمشون في الحديقة العامة في المدينة</p>";
    const GERMAN: &str =
        "<p>Heute ist schönes Wetter, und die Leute gehen über die grüne Wiese spazieren.</p>";
    const POLISH: &str =
        "<p>Dziś jest ładna pogoda i ludzie spacerują po parku, choć może jeszcze być źle.</p>";
    const TURKISH: &str = "<p>Bugün hava çok güzel, insanlar şehrin parkında yürüyüş yapıyor ve ağaçlara bakıyor.</p>";

    const ICELANDIC: &str =
        "<p>Það er gott veður í dag og fólkið gengur í garðinum þar sem blómin vaxa.</p>";

    #[track_caller]
    fn check(text: &str, label: &str) {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a label");
        let (bytes, _, lossy) = encoding.encode(text);
        assert!(!lossy, "{label} has not all of {text}");
        let decoded = decode(&bytes, None);
        assert_eq!((decoded.encoding, decoded.text.as_str()), (label, text));
    }

    #[test]
    fn text_that_says_nothing_is_known_by_its_looks() {
        check(CHINESE, "gb18030");
        check(TAIWAN, "big5");
        check(JAPANESE, "shift_jis");
        check(JAPANESE, "euc-jp");
        check(KOREAN, "euc-kr");
        check(RUSSIAN, "windows-1251");
        check(RUSSIAN, "koi8-r");
        check(GREEK, "windows-1253");
        check(HEBREW, "windows-1255");
        check(ARABIC, "windows-1256");
        check(GERMAN, "windows-1252");
        check(POLISH, "windows-1250");
        check(TURKISH, "windows-1254");
        check(ICELANDIC, "windows-1252");
        check(
            &format!("<html lang=cs>{}", "<p>Příliš žluťoučký kůň"),
            "windows-1250",
        );
    }

    #[test]
    fn every_label_can_be_decoded() {
        for name in [
            "gbk",
            "iso-8859-6-e",
            "iso-8859-8-i",
            "x-mac-cyrillic",
            "cp874",
            "koi8-u",
            "ibm866",
        ] {
            let label = canonical(name).expect(name);
            assert!(
                encoding_rs::Encoding::for_label(label.as_bytes()).is_some(),
                "{label}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_decode(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300)) {
            let label = detect(&bytes, None);
            proptest::prop_assert!(encoding_rs::Encoding::for_label(label.as_bytes()).is_some());
            decode(&bytes, None);
        }
    }
}
