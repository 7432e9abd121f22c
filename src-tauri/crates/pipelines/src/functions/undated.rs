//! Sources without a known date: files that the person added. They are called undated wherever their date would stand
//! and where a text cites them.

use prose::{citations, is_hiragana, is_ideographic, sentences};

use interpreter::SourceItem;

/// The value that replaces the date of such a source.
pub(crate) const UNDATED: &str = "undated";

/// Words by which a text marks a source as undated.
const WORDS: [&str; 5] = [UNDATED, "未注明日期", "日期不明", "日付なし", "日付不明"];

/// The indexes of the undated sources that a text cites without marking them.
pub(crate) fn unmarked(text: &str, sources: &[SourceItem]) -> Vec<usize> {
    let is_said = |index: usize| {
        sentences(text).iter().any(|sentence| {
            let lower = sentence.text.to_lowercase();
            let is_cited = citations(sentence.text).iter().any(|citation| citation.number == index + 1);
            is_cited && WORDS.iter().any(|word| lower.contains(word))
        })
    };
    let used = prose::sources_used(text);
    let is_undated = |index: &usize| sources.get(*index).is_some_and(|source| source.published == UNDATED);
    used.into_iter().filter(is_undated).filter(|index| !is_said(*index)).collect()
}

/// Marks each undated source where the text first cites it.
pub(crate) fn marked(text: &str, sources: &[SourceItem]) -> String {
    let mut text = text.to_owned();
    for index in unmarked(&text, sources) {
        let Some(first) = citations(&text).into_iter().find(|citation| citation.number == index + 1) else {
            continue;
        };
        text.insert_str(first.end, mark_for(&text));
    }
    text
}

fn mark_for(text: &str) -> &'static str {
    let dense = text.chars().filter(|character| is_ideographic(*character)).count();
    match text.chars().any(is_hiragana) {
        true => "（日付なし）",
        false if dense * 4 > text.chars().count() => "（未注明日期）",
        false => " (undated)",
    }
}

#[cfg(test)]
mod tests {
    use super::{UNDATED, marked, unmarked};
    use interpreter::SourceItem;

    fn source(published: &str) -> SourceItem {
        SourceItem { published: published.to_owned(), ..SourceItem::default() }
    }

    #[test]
    fn a_text_marks_an_undated_source_once_in_its_language() {
        let sources = [source("2026-06-02"), source(UNDATED)];
        for (text, expected) in [
            ("Old [1]. New [2]. Again [2].", "Old [1]. New [2] (undated). Again [2]."),
            ("An undated file says so [2].", "An undated file says so [2]."),
            ("Both [2][1].", "Both [2] (undated)[1]."),
            ("新しい[2]。", "新しい[2]（日付なし）。"),
            ("新模型更小[2]。", "新模型更小[2]（未注明日期）。"),
            ("Old [1].", "Old [1]."),
        ] {
            assert_eq!(marked(text, &sources), expected);
            assert!(unmarked(&marked(text, &sources), &sources).is_empty(), "{text}");
        }
        assert_eq!(unmarked("Undated is this [1]. That is [2].", &sources), [1]);
    }
}
