//! Posts about articles in Chinese or Japanese: their sentences stand as they are; only the few words by which the writers
//! of a paper or a newspaper speak of themselves are exchanged.

use super::frames::{Credit, Day};
use crate::characters::{is_hiragana, is_ideographic, is_katakana};

/// The language of a text, as far as frames differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Anything with spaces.
    Spaced,
    Chinese,
    Japanese,
}

/// Judged by the writing: mostly ideographs, with kana or without.
pub(crate) fn language(text: &str) -> Language {
    // No ideograph and no kana has a first byte below this one.
    if text.bytes().all(|byte| byte < 0xE3) {
        return Language::Spaced;
    }
    let (mut kana, mut ideographs, mut letters) = (0, 0, 0);
    for character in text.chars().take(2000) {
        if is_hiragana(character) || is_katakana(character) {
            kana += 1;
        } else if is_ideographic(character) {
            ideographs += 1;
        } else if character.is_alphabetic() {
            letters += 1;
        }
    }
    if (kana + ideographs) * 3 < letters || kana + ideographs == 0 {
        Language::Spaced
    } else if kana * 10 > ideographs {
        Language::Japanese
    } else {
        Language::Chinese
    }
}

fn long(day: Day) -> String {
    format!("{}年{}月{}日", day.year, day.month, day.day)
}

/// Where a title and the day stand before the sentences of an article.
pub(crate) fn framed(said: &str, credit: &Credit, language: Language) -> String {
    let brackets = match (credit.source.is_empty(), credit.day) {
        (false, Some(day)) => format!("（{}、{}）", credit.source, long(day)),
        (false, None) => format!("（{}）", credit.source),
        (true, Some(day)) => format!("（{}）", long(day)),
        (true, None) => String::new(),
    };
    let title = &credit.title;
    match (language, title.is_empty()) {
        (Language::Chinese, false) => format!("《{title}》{brackets}：{said}"),
        (Language::Chinese, true) => format!("有文章{brackets}写道：{said}"),
        (_, false) => format!("「{title}」{brackets}によると、{said}"),
        (_, true) => format!("ある記事{brackets}によると、{said}"),
    }
}

/// How a sentence begins that tells what others did before.
const BACKGROUND: [&str; 16] = [
    "以往",
    "以前",
    "传统",
    "傳統",
    "现有",
    "現有",
    "近年",
    "目前",
    "一般",
    "通常",
    "従来",
    "これまで",
    "既存",
    "最近",
    "近来",
    "尽管",
];

/// Whether a sentence leans on the one before it.
pub(crate) fn is_leaning(sentence: &str) -> bool {
    const STARTS: [&str; 46] = [
        "这",
        "此",
        "该",
        "其",
        "他",
        "她",
        "它",
        "同时",
        "另外",
        "但",
        "然而",
        "不过",
        "而",
        "因此",
        "据此",
        "由此",
        "所以",
        "并",
        "于是",
        "对此",
        "与此",
        "首先",
        "其次",
        "最后",
        "これ",
        "それ",
        "この",
        "その",
        "同",
        "彼",
        "また",
        "しかし",
        "一方",
        "さらに",
        "そこ",
        "ただ",
        "だが",
        "なお",
        "そして",
        "こうした",
        "こう",
        "両",
        "いずれ",
        "ここ",
        "あわせて",
        "うち",
    ];
    let bare = sentence.trim_start_matches(['「', '“', '『']);
    STARTS.iter().any(|start| bare.starts_with(start))
}

/// Whether a sentence points at what stands before it, though it begins with something else, or only says who spoke.
pub(super) fn points_back(sentence: &str) -> bool {
    const POINTING: [&str; 9] =
        ["这样的", "这项", "这种", "这些", "这一", "这类", "そうした", "こうした", "このような"];
    const SPEAKING: [&str; 5] = ["说", "说道", "と話す", "と語る", "と話した"];
    let quoted_from = sentence.find(['“', '「', '"', '『']);
    let own = &sentence[..quoted_from.unwrap_or(sentence.len())];
    let is_noun = ["小说", "演说", "传说", "学说"].iter().any(|noun| sentence.ends_with(noun));
    POINTING.iter().any(|pointing| own.contains(pointing))
        || quoted_from.is_none() && !is_noun && SPEAKING.iter().any(|speaking| sentence.ends_with(speaking))
}

/// Whether the writers of a paper say what they did themselves; what stands before was known.
pub(crate) fn is_own(sentence: &str) -> bool {
    const MADE: [&str; 6] = ["提出", "提案", "本文", "本研究", "本論文", "本稿"];
    const OF_OTHERS: [&str; 8] = ["等人", "此前", "已有", "以往", "先行研究", "既存", "従来", "ら（"];
    let is_background = BACKGROUND.iter().any(|start| sentence.starts_with(start));
    let is_others = OF_OTHERS.iter().any(|cue| sentence.contains(cue));
    let is_made = || !is_others && MADE.iter().any(|cue| has_word(sentence, cue));
    !is_background && (speaks_of_itself(sentence) || is_made())
}

/// Whether the writers of a text tell research of their own, outside of what is quoted.
pub(super) fn tells_research(text: &str) -> bool {
    const OWN_WORK: [&str; 5] = ["本研究", "本論文", "本论文", "本稿", "本文"];
    // What "we" do in research; anybody may say "we" of what they think.
    const DEEDS: [&str; 24] = [
        "提出", "发现", "用", "使用", "利用", "采用", "构建", "训练", "比较", "观察", "收集", "设计", "测试",
        "评测", "评估", "分析", "开发", "建立", "考察", "招募", "调查", "选取", "测量", "记录",
    ];
    const DEEDS_AT_END: [&str; 19] = [
        "開発し",
        "提案",
        "構築し",
        "検証し",
        "比較し",
        "調べ",
        "収集し",
        "収録し",
        "分析し",
        "測定し",
        "学習さ",
        "試み",
        "示し",
        "試験し",
        "点検し",
        "計測し",
        "推定し",
        "評価し",
        "集め",
    ];
    let is_free = |at: usize| {
        let before = &text[..at];
        let count = |marks: [char; 2]| before.chars().filter(|mark| marks.contains(mark)).count();
        (text[at..].starts_with("我们") || begins_word(text, at))
            && count(['“', '「']) <= count(['”', '」'])
            && before.matches('"').count().is_multiple_of(2)
    };
    let names_work = || OWN_WORK.iter().any(|own| text.match_indices(own).any(|(at, _)| is_free(at)));
    let does = |we: &'static str, is_deed: &dyn Fn(&str) -> bool| {
        text.match_indices(we).any(|(at, we)| is_deed(&text[at + we.len()..]) && is_free(at))
    };
    let in_chinese = || does("我们", &|behind| DEEDS.iter().any(|deed| behind.starts_with(deed)));
    let is_done = |behind: &str| {
        let sentence = behind.split('。').next().unwrap_or_default();
        DEEDS_AT_END.iter().any(|deed| sentence.contains(deed))
    };
    let in_japanese = || ["我々は", "私たちは", "われわれは"].iter().any(|we| does(we, &is_done));
    names_work() || in_chinese() || in_japanese()
}

/// Whether a word may begin there: of "日本研究" the end is none.
fn begins_word(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(|before| !is_ideographic(before))
}

fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| !word.starts_with('本') || begins_word(text, at))
}

/// Whether a sentence of the own part of a paper tells what came of it: with a share, or with a figure that is neither a
/// date nor how much data there is.
pub(super) fn tells_result(sentence: &str) -> bool {
    const DATA: [&str; 12] = [
        "用いた",
        "対象に",
        "対象と",
        "を収集",
        "収録した",
        "学習には",
        "采集",
        "收集",
        "招募",
        "标注",
        "训练数据",
        "纳入",
    ];
    let is_data = || DATA.iter().any(|data| sentence.contains(data));
    let is_figure = |(at, figure): (usize, &str)| {
        let is_date = sentence[at + figure.len()..].starts_with(['年', '月', '日']);
        !is_date && (figure.contains('.') || !is_data())
    };
    let starts = sentence.match_indices(is_digit).filter(|(at, _)| !sentence[..*at].ends_with(is_digit));
    let mut figures = starts.map(|(at, _)| (at, figure_of(&sentence[at..])));
    has_share(sentence) || !is_own(sentence) && figures.any(is_figure)
}

/// The figure that a text begins with.
fn figure_of(text: &str) -> &str {
    let end = text.find(|c: char| !is_digit(c) && !matches!(c, '.' | ',' | '，')).unwrap_or(text.len());
    &text[..end]
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('０'..='９').contains(&c)
}

/// Whether it has a share, in figures or in words: "百分之十四", "三割".
fn has_share(sentence: &str) -> bool {
    const SHARES: [&str; 6] = ["%", "％", "‰", "百分之", "百分点", "パーセント"];
    let is_counted = |before: &str| {
        // "统一成" makes things alike.
        let is_verb = before.ends_with("统一") || before.ends_with("統一");
        !is_verb && before.ends_with(|c| is_digit(c) || NUMERALS.contains(c))
    };
    let counted = |unit: &str| sentence.match_indices(unit).any(|(at, _)| is_counted(&sentence[..at]));
    SHARES.iter().any(|share| sentence.contains(share))
        || ["割", "成", "倍", "ポイント"].into_iter().any(counted)
}

const NUMERALS: &str = "一二三四五六七八九十";

/// A sentence in which the writers of a paper, or a newspaper, speak of themselves, as another tells it.
pub(super) fn retold(sentence: &str, language: Language, is_paper: bool) -> String {
    const OF_NEWS: [(&str, &str); 5] =
        [("本紙", "同紙"), ("本誌", "同誌"), ("本报", "该报"), ("本報", "該報"), ("本刊", "该刊")];
    const CHINESE: [(&str, &str); 5] =
        [("我们", "作者"), ("我們", "作者"), ("本文", "该文"), ("本研究", "该研究"), ("本论文", "该论文")];
    const JAPANESE: [(&str, &str); 6] = [
        ("私たち", "著者ら"),
        ("我々", "著者ら"),
        ("われわれ", "著者ら"),
        ("本研究", "同研究"),
        ("本論文", "同論文"),
        ("本稿", "同論文"),
    ];
    let words: &[(&str, &str)] = match (is_paper, language) {
        (false, _) => &OF_NEWS,
        (true, Language::Japanese) => &JAPANESE,
        (true, _) => &CHINESE,
    };
    // What is quoted stays word for word.
    let quoted_from = sentence.find(['「', '“']).unwrap_or(sentence.len());
    let (own, quoted) = sentence.split_at(quoted_from);
    words.iter().fold(own.to_owned(), |own, (of_writers, of_others)| replaced(&own, of_writers, of_others))
        + quoted
}

/// A text with a word replaced where it is one.
fn replaced(text: &str, word: &str, other: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (at, _) in text.match_indices(word) {
        if !word.starts_with('本') || begins_word(text, at) {
            out.push_str(&text[from..at]);
            out.push_str(other);
            from = at + word.len();
        }
    }
    out + &text[from..]
}

/// Whether its writers speak of themselves in a sentence, outside of what is quoted.
pub(crate) fn speaks_of_itself(sentence: &str) -> bool {
    const SELVES: [&str; 6] = ["我们", "我們", "私たち", "我々", "われわれ", "当社"];
    let quoted_from = sentence.find(['「', '“']).unwrap_or(sentence.len());
    SELVES.iter().any(|word| sentence[..quoted_from].contains(word))
}

/// Heading of a post of which every article is in the language.
pub(crate) fn heading(topic: Option<&str>, days: &[Option<Day>]) -> Option<String> {
    let topic = topic?;
    let first = days.iter().copied().collect::<Option<Vec<Day>>>()?;
    let (first, last) = (first.iter().min()?, first.iter().max()?);
    Some(if (first.year, first.month) == (last.year, last.month) {
        format!("# {topic}（{}年{}月）", first.year, first.month)
    } else {
        format!("# {topic}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_spoke_is_told_only_beside_what_was_said() {
        assert!(points_back("骑手陈志强说") && points_back("从今年起，这样的事有望减少"));
        assert!(points_back("为考察模型能否分担这项工作，研究选取了12所初中"));
        assert!(!points_back("老船长去年写了一部小说") && !points_back("他说：“这种灯好”"));
        assert!(!points_back("他说：“今年会好”") && !points_back("平台须提前公示规则"));
    }

    #[test]
    fn only_whole_words_of_writers_are_exchanged_and_no_name_is_cut() {
        for (sentence, is_paper, retold_as) in [
            ("本紙が尋ねた。", false, "同紙が尋ねた。"),
            ("日本報告によると増えた。", false, "日本報告によると増えた。"),
            ("本研究では日本研究の資料を使う。", true, "同研究では日本研究の資料を使う。"),
            ("著者は「本研究は終わった」と言う。", true, "著者は「本研究は終わった」と言う。"),
        ] {
            assert_eq!(retold(sentence, Language::Japanese, is_paper), retold_as);
        }
        assert_eq!(retold("我们研究日本文化。", Language::Chinese, true), "作者研究日本文化。");
    }

    #[test]
    fn what_others_proposed_and_a_year_are_neither_the_own_part_nor_a_result() {
        assert!(
            is_own("本文提出潮钟。") && !is_own("张等人于2019年提出模型。") && !is_own("日本研究人员来了。")
        );
        assert!(!tells_result("本文将标注统一成一种格式。") && tells_result("三割に減った。"));
        assert!(tells_result("准确率为78.5%。") && !tells_result("该方法始于2024年。"));
        assert!(
            tells_research("因此我们采用潮钟。")
                && tells_research("他写道。本研究提出潮钟。")
                && !tells_research("日本研究人员说：“我们发现潮钟。”")
        );
    }
}
