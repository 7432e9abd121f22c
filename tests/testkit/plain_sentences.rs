//! Cuts running text into sentences, well enough for a model that quotes its sources.
//! Not in it: anything of the program's own measures of text: the server must not share their mistakes.

/// Words after which a full stop ends no sentence.
const ABBREVIATIONS: [&str; 12] =
    ["al.", "approx.", "cf.", "dr.", "e.g.", "eq.", "fig.", "i.e.", "no.", "prof.", "resp.", "vs."];

/// The sentences of a text, each with its ending mark, without the space around it.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (index, character) in text.char_indices() {
        let end = index + character.len_utf8();
        let is_end = match character {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => {
                let next = text[end..].trim_start_matches(['"', '\'', ')', '”']);
                let begins_anew = next.starts_with(char::is_whitespace)
                    && next
                        .trim_start()
                        .starts_with(|c: char| c.is_uppercase() || c.is_numeric() || c == '"' || c == '“');
                next.trim().is_empty() || (begins_anew && !ends_in_abbreviation(&text[start..end]))
            }
            _ => false,
        };
        if is_end {
            push_trimmed(&mut found, &text[start..end]);
            start = end;
        }
    }
    push_trimmed(&mut found, &text[start..]);
    found
}

fn push_trimmed<'t>(found: &mut Vec<&'t str>, sentence: &'t str) {
    let sentence = sentence.trim();
    if sentence.chars().any(char::is_alphanumeric) {
        found.push(sentence);
    }
}

fn ends_in_abbreviation(sentence: &str) -> bool {
    let last =
        sentence.split_whitespace().next_back().unwrap_or_default().trim_start_matches('(').to_lowercase();
    let is_initial = last.chars().count() == 2;
    is_initial || ABBREVIATIONS.contains(&last.as_str())
}

/// Words as a writer counts them.
pub(crate) fn words(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count()
}

/// The sentence with its citation before the closing mark: `… was measured [2].`
pub(crate) fn cited(sentence: &str, number: usize) -> String {
    let body = without_markers(sentence);
    let mark = body.chars().next_back().filter(|last| matches!(last, '.' | '!' | '?' | '。' | '！' | '？'));
    match mark {
        Some(mark) => format!("{} [{number}]{mark}", body.trim_end_matches(mark).trim_end()),
        None => format!("{} [{number}].", body.trim_end()),
    }
}

/// Without the `[7]` of the source's own references, which would count as ours.
fn without_markers(sentence: &str) -> String {
    let mut kept = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some(open) = rest.find('[') {
        let (before, after) = rest.split_at(open);
        kept.push_str(before);
        match after.find(']') {
            Some(close) if after[1..close].chars().all(|c| c.is_ascii_digit() || ", -–".contains(c)) => {
                rest = &after[close + 1..];
            }
            _ => {
                kept.push('[');
                rest = &after[1..];
            }
        }
    }
    kept.push_str(rest);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}
