//! Detects whether a mark of thinking or turns is only mentioned: in code, or inside a sentence that continues after
//! it.

/// Whether the mark at `start..end` of `text` is mentioned.
pub(crate) fn is_mentioned(text: &str, start: usize, end: usize) -> bool {
    is_in_code_span(text, start, end) || is_in_fence(text, start) || is_in_sentence(text, start, end)
}

fn line_around(text: &str, start: usize, end: usize) -> (&str, &str) {
    let before = text[..start].rsplit('\n').next().unwrap_or_default();
    let after = text[end..].split('\n').next().unwrap_or_default();
    (before, after)
}

/// An odd number of backticks precedes it on its line, and another follows it.
fn is_in_code_span(text: &str, start: usize, end: usize) -> bool {
    let (before, after) = line_around(text, start, end);
    let ticks = before.bytes().filter(|byte| *byte == b'`').count();
    ticks % 2 == 1 && after.contains('`')
}

/// A fence is opened before it and closed after it.
fn is_in_fence(text: &str, start: usize) -> bool {
    let is_fence = |line: &&str| line.trim_start().starts_with("```");
    let open = text[..start].lines().filter(is_fence).count();
    open % 2 == 1 && text[start..].lines().skip(1).any(|line| is_fence(&line))
}

/// It follows a word that ends no sentence, and the sentence continues after it.
fn is_in_sentence(text: &str, start: usize, end: usize) -> bool {
    let (before, after) = line_around(text, start, end);
    let is_inside = |c: char| c.is_alphanumeric() || ",;('\"".contains(c);
    let goes_on = |c: char| (c.is_alphabetic() && !c.is_uppercase()) || ",;).'\"".contains(c);
    before.trim_end().ends_with(is_inside) && after.trim_start().starts_with(goes_on)
}
