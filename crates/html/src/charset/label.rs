//! The names of encodings.

pub(super) const UTF_8: &str = "utf-8";
pub(super) const UTF_16LE: &str = "utf-16le";
pub(super) const UTF_16BE: &str = "utf-16be";
pub(super) const GB18030: &str = "gb18030";
pub(super) const BIG5: &str = "big5";
pub(super) const SHIFT_JIS: &str = "shift_jis";
pub(super) const EUC_JP: &str = "euc-jp";
pub(super) const ISO_2022_JP: &str = "iso-2022-jp";
pub(super) const EUC_KR: &str = "euc-kr";
pub(super) const KOI8_R: &str = "koi8-r";
pub(super) const WINDOWS_1250: &str = "windows-1250";
pub(super) const WINDOWS_1251: &str = "windows-1251";
pub(super) const WINDOWS_1252: &str = "windows-1252";
pub(super) const WINDOWS_1253: &str = "windows-1253";
pub(super) const WINDOWS_1254: &str = "windows-1254";
pub(super) const WINDOWS_1255: &str = "windows-1255";
pub(super) const WINDOWS_1256: &str = "windows-1256";
pub(super) const WINDOWS_1257: &str = "windows-1257";
pub(super) const WINDOWS_874: &str = "windows-874";

/// The label that the Encoding Standard has for what a page or server calls an encoding; none for a
/// name it does not know. The older Chinese names give GB18030, which contains them.
pub fn canonical(name: &str) -> Option<&'static str> {
    let name = name
        .trim_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '"' | '\''))
        .to_ascii_lowercase();
    let bare = name.strip_prefix("x-").unwrap_or(&name);
    let bare = bare.strip_prefix("cs").unwrap_or(bare);
    Some(match bare {
        "utf-8" | "utf8" | "unicode-1-1-utf-8" | "unicode11utf8" | "unicode20utf8" => UTF_8,
        "utf-16" | "utf-16le" | "ucs-2" | "unicode" | "iso-10646-ucs-2" => UTF_16LE,
        "utf-16be" | "unicodefffe" => UTF_16BE,
        "gb2312" | "gbk" | "gb18030" | "gb_2312" | "gb_2312-80" | "chinese" | "iso-ir-58"
        | "iso58gb231280" => GB18030,
        "big5" | "big5-hkscs" | "cn-big5" | "x-big5" => BIG5,
        "shift_jis" | "shift-jis" | "shiftjis" | "sjis" | "ms_kanji" | "ms932" | "windows-31j" => {
            SHIFT_JIS
        }
        "euc-jp" | "eucpkdfmtjapanese" => EUC_JP,
        "iso-2022-jp" | "iso2022jp" => ISO_2022_JP,
        "euc-kr" | "euckr" | "korean" | "ks_c_5601-1987" | "ks_c_5601-1989" | "ksc5601"
        | "ksc_5601" | "windows-949" | "ksc56011987" | "iso-ir-149" => EUC_KR,
        "koi8-r" | "koi8" | "koi8_r" | "koi" | "koi8r" => KOI8_R,
        "koi8-u" | "koi8-ru" => "koi8-u",
        "ibm866" | "cp866" | "866" => "ibm866",
        "macintosh" | "mac" | "mac-roman" => "macintosh",
        "mac-cyrillic" | "mac-ukrainian" => "x-mac-cyrillic",
        "tis-620" | "dos-874" => WINDOWS_874,
        "ascii" | "us-ascii" | "ansi_x3.4-1968" | "latin1" | "l1" | "isolatin1" | "ibm819"
        | "cp819" | "iso-ir-100" | "user-defined" => WINDOWS_1252,
        "latin2" | "l2" | "isolatin2" => "iso-8859-2",
        "latin5" | "l5" | "isolatin5" => WINDOWS_1254,
        "cyrillic" | "isolatincyrillic" => "iso-8859-5",
        "arabic" | "isolatinarabic" | "asmo-708" => "iso-8859-6",
        "greek" | "greek8" | "isolatingreek" => "iso-8859-7",
        "hebrew" | "visual" | "isolatinhebrew" => "iso-8859-8",
        "logical" => "iso-8859-8-i",
        _ => return of_family(bare),
    })
}

/// `windows-1251`, `cp1251`, `iso-8859-2`, `iso8859-2`, `iso_8859-2:1987` and the like.
fn of_family(name: &str) -> Option<&'static str> {
    let page = name
        .strip_prefix("windows-")
        .or_else(|| name.strip_prefix("windows"))
        .or_else(|| name.strip_prefix("cp"));
    if let Some(page) = page {
        return Some(match page {
            "874" => WINDOWS_874,
            "1250" => WINDOWS_1250,
            "1251" => WINDOWS_1251,
            "1252" => WINDOWS_1252,
            "1253" => WINDOWS_1253,
            "1254" => WINDOWS_1254,
            "1255" => WINDOWS_1255,
            "1256" => WINDOWS_1256,
            "1257" => WINDOWS_1257,
            "1258" => "windows-1258",
            "936" => GB18030,
            "950" => BIG5,
            "932" => SHIFT_JIS,
            "949" => EUC_KR,
            _ => return None,
        });
    }
    let part = name
        .strip_prefix("iso")?
        .trim_start_matches(['-', '_'])
        .strip_prefix("8859")?
        .trim_start_matches(['-', '_']);
    let part = part.split(':').next().unwrap_or(part);
    Some(match part {
        "1" => WINDOWS_1252,
        "2" => "iso-8859-2",
        "3" => "iso-8859-3",
        "4" => "iso-8859-4",
        "5" => "iso-8859-5",
        "6" | "6-e" | "6-i" => "iso-8859-6",
        "7" => "iso-8859-7",
        "8" | "8-e" => "iso-8859-8",
        "8-i" => "iso-8859-8-i",
        "9" => WINDOWS_1254,
        "10" => "iso-8859-10",
        "11" => WINDOWS_874,
        "13" => "iso-8859-13",
        "14" => "iso-8859-14",
        "15" => "iso-8859-15",
        "16" => "iso-8859-16",
        _ => return None,
    })
}
