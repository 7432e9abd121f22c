//! The kind of value that the name of a placeholder asks for, and whether a value is of that kind.

use crate::number_words::spelt_figures;

/// Words in names of placeholders for figures.
pub(crate) const FIGURES: &str = " n number count percentage percent share proportion rate ratio amount total date day month year \
    time duration age dose cost price fee score weight size length ";
const WIDE_FIGURES: [char; 15] =
    ['数', '量', '率', '日', '月', '年', '时', '時', '刻', '间', '間', '额', '額', '费', '費'];

/// Whether the name of a placeholder asks for a figure.
pub(crate) fn asks_for_figure(name: &str) -> bool {
    let lowered = name.to_lowercase();
    let mut words = lowered.split(|c: char| !c.is_alphanumeric());
    words.any(|word| !word.is_empty() && FIGURES.contains(&format!(" {word} ")))
        || name.trim().ends_with(WIDE_FIGURES)
}

/// Whether a part of a sentence is a figure if one is asked for, and a percentage if that is.
pub(crate) fn is_of_kind(name: &str, value: &str) -> bool {
    let asks_for_share = name.to_lowercase().contains("percent")
        || ["率", "比例", "割合"].iter().any(|word| name.ends_with(word));
    let is_share = value.contains(['%', '％', '割', '成', '/', '／']) || value.to_lowercase().contains("per");
    (!asks_for_figure(name) || begins_with_figure(value)) && (is_share || !asks_for_share)
}

/// Words that only show that a name is asked for.
static NAMES: [&str; 5] = ["name", "姓名", "氏名", "名称", "名前"];

pub(crate) fn without_name(name: &str) -> String {
    let lowered = name.to_lowercase().replace('_', " ");
    NAMES.iter().find_map(|word| lowered.strip_suffix(word)).map_or(lowered.clone(), str::to_owned)
}

/// Whether a value is a figure, with an optional currency: a clause without a verb may leave half a sentence as the
/// value.
pub(crate) fn begins_with_figure(value: &str) -> bool {
    let figure = value.trim_start_matches(|c: char| c.is_ascii_uppercase() || !c.is_alphanumeric());
    figure.starts_with(char::is_numeric)
        || spelt_figures(value).first().is_some_and(|(place, _)| place.start == 0)
}
