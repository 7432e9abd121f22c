//! Posts about articles in Chinese or Japanese: their sentences are quoted, not retold, because turning the
//! first person of these languages into the third takes more than exchanging words.

use super::frames::{Credit, Day};
use crate::candidates::Candidate;
use crate::characters::{is_hiragana, is_ideographic, is_katakana};
use crate::words::count_words;

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

/// The article's sentence in a frame, with its citation: the best that fits in `most` words, else its title.
pub(crate) fn quoted(
    number: usize,
    credit: &Credit,
    candidates: &[Candidate],
    language: Language,
    most: usize,
) -> Vec<String> {
    let brackets = match (credit.source.is_empty(), credit.day) {
        (false, Some(day)) => format!("（{}、{}）", credit.source, long(day)),
        (false, None) => format!("（{}）", credit.source),
        (true, Some(day)) => format!("（{}）", long(day)),
        (true, None) => String::new(),
    };
    let title = &credit.title;
    let mut by_worth: Vec<&Candidate> = candidates.iter().collect();
    by_worth.sort_by(|one, other| worth(other).total_cmp(&worth(one)).then(one.index.cmp(&other.index)));
    let mut forms: Vec<String> = Vec::new();
    for (with_title, with_brackets) in [(true, true), (true, false), (false, true)] {
        for candidate in &by_worth {
            let said = candidate.text.trim_end_matches(['。', '！', '.', '!']).replace(['「', '」'], "");
            let brackets = if with_brackets { brackets.as_str() } else { "" };
            forms.push(match (language, with_title && !title.is_empty()) {
                (Language::Chinese, true) => format!("《{title}》{brackets}：「{said}」[{number}]。"),
                (Language::Chinese, false) => format!("有文章{brackets}写道：「{said}」[{number}]。"),
                (_, true) => format!("「{title}」{brackets}によると、「{said}」[{number}]。"),
                (_, false) => format!("ある記事{brackets}によると、「{said}」[{number}]。"),
            });
        }
    }
    if !title.is_empty() {
        forms.push(format!("「{title}」{brackets}[{number}]。"));
        forms.push(format!("「{title}」[{number}]。"));
    }
    let mut fitting: Vec<String> = forms.into_iter().filter(|form| count_words(form) <= most).collect();
    fitting.truncate(1);
    fitting
}

/// Sentences that announce something are worth most, as in every language; here by their verbs.
fn worth(candidate: &Candidate) -> f64 {
    let cues = [
        "提案",
        "提出",
        "開発",
        "开发",
        "本研究",
        "本文",
        "我们",
        "結果",
        "结果",
        "示",
        "発表",
        "发布",
        "達成",
        "%",
    ];
    let hits = cues.iter().filter(|cue| candidate.text.contains(**cue)).count();
    hits as f64 + candidate.as_lead * 0.1 - count_words(&candidate.text) as f64 * 0.01
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
