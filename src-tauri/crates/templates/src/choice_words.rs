//! Distinguishes options such as "All/most/some" and "增加/减少" from other slashes.

use prose::{OPPOSITES_WITHOUT_SPACES, opposite_sides};

/// Words of quantity.
pub(crate) static QUANTITIES: [&str; 34] = [
    "all",
    "every",
    "most",
    "majority",
    "half",
    "many",
    "several",
    "some",
    "few",
    "minority",
    "none",
    "no",
    "全部",
    "所有",
    "全体",
    "大部分",
    "大多数",
    "多数",
    "半数",
    "一半",
    "许多",
    "很多",
    "部分",
    "一些",
    "少数",
    "个别",
    "没有",
    "すべて",
    "全員",
    "全て",
    "ほとんど",
    "大半",
    "過半数",
    "一部",
];
/// Other options in Chinese and Japanese.
static WIDE: [&str; 20] = [
    "有",
    "无",
    "無",
    "是",
    "否",
    "已",
    "未",
    "良好",
    "合格",
    "不合格",
    "多く",
    "半分",
    "なし",
    "扩展",
    "大于",
    "小于",
    "高于",
    "低于",
    "多于",
    "少于",
];
/// Pairs of options that are not in the table of opposites.
const PAIRS: &str = " was/were is/are has/have did/does within/outside yes/no met/missed found/missed major/minor good/poor \
    male/female girls/boys men/women first/second on/off true/false up/down over/under earlier/later larger/smaller \
    rose/fell positive/negative required/optional ";

/// Whether lower-case words joined by slashes offer a choice.
pub(crate) fn is_choice_of_words(words: &[String]) -> bool {
    let is_word = |word: &String| word.chars().count() > 1;
    if words.len() < 2 || words.len() > 9 || !words.iter().all(is_word) {
        return false;
    }
    if words.iter().all(|word| QUANTITIES.contains(&word.as_str())) {
        return true;
    }
    let [one, other] = words else {
        return words.iter().all(|word| word.len() > 2 && word != "and" && word != "or");
    };
    let is_pair = |one: &str, other: &str| PAIRS.contains(&format!(" {one}/{other} "));
    let theirs = opposite_sides(other);
    let is_opposite = opposite_sides(one).iter().any(|(pair, side)| theirs.contains(&(*pair, !side)));
    let endings = ["ed", "er", "ly", "ing", "able", "ive", "ful"];
    is_opposite
        || is_pair(one, other)
        || is_pair(other, one)
        || endings.iter().any(|end| words.iter().all(|word| word.len() > 4 && word.ends_with(end)))
}

fn wide_choices() -> impl Iterator<Item = &'static str> {
    let opposites =
        OPPOSITES_WITHOUT_SPACES.iter().flat_map(|(one, other)| one.iter().chain(*other)).copied();
    opposites.chain(QUANTITIES).chain(WIDE).filter(|word| !word.is_ascii())
}

/// The longest known option that ends a run of ideographs.
pub(crate) fn trailing_choice(run: &str) -> Option<&str> {
    let length = wide_choices().filter(|word| run.ends_with(word)).map(str::len).max()?;
    run.get(run.len() - length..)
}

/// The longest known option that begins a run of ideographs.
pub(crate) fn leading_choice(run: &str) -> Option<&str> {
    let length = wide_choices().filter(|word| run.starts_with(word)).map(str::len).max()?;
    run.get(..length)
}
