//! Detects the language of a text by its script.

/// A language in which a text is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Japanese,
    SimplifiedChinese,
    TraditionalChinese,
    Korean,
}

/// Common characters that only one of the writing systems has.
const SIMPLIFIED: &str = "这个们说时对发经过还开关为长门问题业东书车见语译读让认识该现场应实进运动电话";
const TRADITIONAL: &str = "這們來說國學對會發經關點為與譯讀寫讓應實將從兩氣電圖變歷總據傳單廣";
const JAPANESE: &str = "検拡発対応関続図読売変実験経済戦気楽単広帰仏価働込歩毎両覧権転録従総効囲駅県";
/// Words of which any longer English text has several.
const ENGLISH: [&str; 10] = ["the", "and", "of", "to", "that", "for", "with", "from", "was", "are"];

impl Language {
    /// The language tag (BCP 47).
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Japanese => "ja",
            Language::SimplifiedChinese => "zh-Hans",
            Language::TraditionalChinese => "zh-Hant",
            Language::Korean => "ko",
        }
    }

    /// Whether fonts are chosen for it as an East Asian language.
    pub(crate) fn is_east_asian(self) -> bool {
        self != Language::English
    }
}

/// The language of a text; `None` if its script does not show it.
pub(crate) fn language_of(text: &str) -> Option<Language> {
    language_within(text, None)
}

/// The language of a part of a text with this East Asian language: a few ideographs may belong to any.
pub(crate) fn language_within(text: &str, whole: Option<Language>) -> Option<Language> {
    let (mut kana, mut ideographs, mut hangul, mut letters) = (0, 0, 0, 0);
    for character in text.chars() {
        match character as u32 {
            0x3041..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9D => kana += 1,
            0x1100..=0x11FF | 0xAC00..=0xD7AF => hangul += 1,
            _ if prose::is_ideographic(character) => ideographs += 1,
            _ if character.is_alphabetic() => letters += 1,
            _ => {}
        }
    }
    // One ideograph corresponds to a few letters.
    let east_asian = (kana + ideographs + hangul) * 3;
    if east_asian < letters || east_asian == 0 {
        return is_english(text).then_some(Language::English);
    }
    if hangul > kana + ideographs {
        return Some(Language::Korean);
    }
    // Longer Japanese text always has kana; Chinese text may quote some.
    if kana * 10 > ideographs {
        return Some(Language::Japanese);
    }
    let count = |of: &str| text.chars().filter(|c| of.contains(*c)).count();
    let found = [
        (count(SIMPLIFIED), Language::SimplifiedChinese),
        (count(TRADITIONAL), Language::TraditionalChinese),
        (count(JAPANESE), Language::Japanese),
    ];
    match found.into_iter().max_by_key(|(count, _)| *count) {
        Some((1.., language)) => Some(language),
        _ => whole.or(Some(Language::SimplifiedChinese)),
    }
}

fn is_english(text: &str) -> bool {
    let words = || text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let common = words().filter(|word| ENGLISH.iter().any(|known| word.eq_ignore_ascii_case(known))).count();
    common > 0 && common * 12 >= words().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_a_text_is_detected_by_its_script() {
        for (text, language) in [
            ("The price of the model fell to a third.", Some(Language::English)),
            ("検索拡張生成とは何か。", Some(Language::Japanese)),
            ("The film 君の名は。 is the most watched of the year.", Some(Language::English)),
            ("检索增强生成是什么？这个问题很重要。", Some(Language::SimplifiedChinese)),
            ("檢索增強生成是什麼？這個問題很重要。", Some(Language::TraditionalChinese)),
            ("电影《君の名は》在这个国家上映，观众说很好看，票房也很高。", Some(Language::SimplifiedChinese)),
            ("検索拡張生成", Some(Language::Japanese)),
            ("검색 증강 생성", Some(Language::Korean)),
            ("Le prix du modèle a baissé d’un tiers.", None),
            ("", None),
            ("🙂 42", None),
        ] {
            assert_eq!(language_of(text), language, "{text}");
        }
        assert_eq!(language_within("東京", Some(Language::Japanese)), Some(Language::Japanese));
    }
}
