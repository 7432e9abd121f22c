//! Distinguishes text of a template that belongs in every report from text on the subject of one report.
//!
//! Form lines, check lists, references, notes on the document and contact details do not depend on the summary.

use crate::labels::is_form;
use crate::lines::Line;
use crate::placeholders::Placeholder;
use prose::Place;

static DOCUMENT_PHRASES: &[&str] = &[
    "this report",
    "this document",
    "this review",
    "this summary",
    "this version",
    "this form",
    "this template",
    "this paper",
    "this note",
    "this protocol",
    "this record",
    "report issued",
    "report signed",
    "report approved",
    "study report",
    "full report",
    "n/a",
    "not applicable",
    "see section",
    "see appendix",
    "本报告",
    "本报告书",
    "本文件",
    "本表",
    "本文",
    "【说明】",
    "【注】",
    "本報告書",
    "本報告",
    "本書",
    "本資料",
    "この報告書",
    "请填",
    "を参照",
    "参见",
    "详见",
    "附录",
    "別紙",
];

/// Whether a line belongs in every report. `before`: whether the previous line does; `after`: the text after the line.
pub(crate) fn is_fixed(text: &str, line: &Line, marks: &[Placeholder], before: bool, after: &str) -> bool {
    let sentence = text.get(line.range.clone()).unwrap_or_default();
    let lowered = sentence.to_lowercase();
    match line.place {
        Place::Heading | Place::Line => return true,
        Place::ListItem if is_check_box(sentence) || is_form(sentence) => return true,
        Place::ListItem | Place::Paragraph => {}
    }
    if sentence.starts_with("[^")
        || starts_with_citation(sentence)
        || line.words(text, marks).lines().any(is_form)
    {
        return true;
    }
    let has_markup = sentence.contains("](") || sentence.contains('`') || sentence.contains("://");
    if has_markup || !prose::citations(sentence).is_empty() || sentence.contains("[^") {
        return true;
    }
    if DOCUMENT_PHRASES.iter().any(|words| lowered.contains(words)) {
        return true;
    }
    let announces = sentence.ends_with([':', '：']) && after.trim_start().starts_with("```");
    let begins_with_pronoun =
        ["It ", "They ", "Its ", "Their "].iter().any(|word| sentence.starts_with(word));
    announces || (before && begins_with_pronoun && line.gaps.is_empty())
}

fn is_check_box(sentence: &str) -> bool {
    ["[ ] ", "[x] ", "[X] "].iter().any(|mark| sentence.starts_with(mark))
}

fn starts_with_citation(sentence: &str) -> bool {
    prose::citations(sentence).first().is_some_and(|citation| citation.start == 0)
}
