//! The labelled lines of a summary: "Order number: 4711", "| Site | Harbour Road |", "姓名：王素琴".

use crate::sections::Sections;
use crate::tokens::{is_present, key};
use prose::{is_ideographic, is_stop_word, sentences};

/// A name with its value.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) key: String,
    /// The value as it is written.
    pub(crate) value: String,
    /// The words that it was read from.
    pub(crate) from: String,
    /// The heading above it.
    pub(crate) section: Option<String>,
    pub(crate) kind: LabelKind,
}

/// How a label is joined with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelKind {
    Colon,
    /// "The claim number is 000318."
    Is,
    /// The same with a value that may be part of a sentence: "The treasurer was absent."
    IsForForms,
}

/// Longest name before a colon in characters, and after a comma in words.
const LONGEST_NAME: usize = 60;
const LONGEST_NAME_BEHIND_COMMA: usize = 4;

pub(crate) fn labels(text: &str, sections: &Sections) -> Vec<Label> {
    let mut start_of_next = 0;
    let mut found = Vec::new();
    let mut add = |name: &str, value: &str, from: &str, section: &Option<String>| {
        let (name, value) = (name.trim(), value.trim());
        let key = key(name);
        if !value.is_empty() && !key.is_empty() && name.chars().count() <= LONGEST_NAME {
            let (value, from, section) = (value.to_owned(), from.to_owned(), section.clone());
            found.push(Label { key, value, from, section, kind: LabelKind::Colon });
        }
    };
    for line in text.split_inclusive('\n') {
        let section = sections.at(start_of_next);
        start_of_next += line.len();
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        let bare = line.trim_start_matches(['>', '-', '*', '+', '•', '·', ' ']).replace("**", "");
        if let Some(row) = line.strip_prefix('|') {
            let cells: Vec<&str> = row.trim_end_matches('|').split('|').map(str::trim).collect();
            if let [name, value] = cells[..] {
                add(name.trim_end_matches([':', '：']), value, line, &section);
            }
            continue;
        }
        let names = names(&bare);
        for (at, (start, colon)) in names.iter().enumerate() {
            let end = names.get(at + 1).map_or(bare.len(), |next| next.0);
            let width = bare[*colon..].chars().next().map_or(1, char::len_utf8);
            let value = bare[colon + width..end].trim();
            let value = if at + 1 < names.len() {
                value.trim_end_matches([',', ';', '.', '，', '；', '。', '、', '　', ' '])
            } else {
                value_of_line(value)
            };
            add(&bare[*start..*colon], value, line, &section);
        }
    }
    found
}

/// Whether a line is a form line: a short name, a colon, and a placeholder or a value.
pub(crate) fn is_form(line: &str) -> bool {
    let line = line.trim().trim_start_matches(['>', '-', '*', '+', '•', '·', ' ']);
    let Some((_, colon)) = names(line).first().copied() else { return false };
    let name = &line[..colon];
    let is_short = name.chars().count() <= 40 && name.split_whitespace().count() < 7;
    is_short && !name.contains(['.', '。', '，', '、', ','])
}

/// A text whose form lines are separated from the sentences before and after them.
pub(crate) fn parted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut was_form = false;
    for line in text.split_inclusive('\n') {
        let is_form = is_form(line) && !line.trim_start().starts_with('|');
        if (is_form || was_form) && !out.is_empty() {
            out.push('\n');
        }
        out.push_str(line);
        was_form = is_form;
    }
    out
}

/// The starts of the names in a line, and the positions of their colons.
fn names(line: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    for (colon, mark) in line.char_indices().filter(|(_, c)| matches!(c, ':' | '：')) {
        let before = &line[from..colon];
        let behind = line[colon + mark.len_utf8()..].chars().next();
        let is_inner = mark == ':'
            && behind.is_some_and(|c| !c.is_whitespace())
            && (!found.is_empty() || behind == Some('/') || before.ends_with(|c: char| c.is_ascii_digit()));
        if is_inner {
            continue;
        }
        let is_parting = |c: char| matches!(c, ',' | ';' | '，' | '；' | '。' | '、' | '　' | '\t');
        let part =
            before.rfind(is_parting).map(|at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let stop = before.rfind(". ").map(|at| at + 2);
        let start = part.max(stop);
        let name = before[start.unwrap_or(0)..].trim();
        let is_name = name.starts_with(|c: char| c.is_uppercase() || is_ideographic(c))
            && name.split_whitespace().count() <= LONGEST_NAME_BEHIND_COMMA;
        match start {
            Some(start) if is_name => found.push((from + start, colon)),
            _ if found.is_empty() => found.push((0, colon)),
            _ => continue,
        }
        from = colon + mark.len_utf8();
    }
    found
}

/// The value at the end of a line: all of it, or its first sentence if the line continues as prose.
fn value_of_line(rest: &str) -> &str {
    // In "3. A room is booked." the value is 3, and a sentence follows; in "3. Mai 2026." the value is the whole date.
    if let Some((figure, behind)) = rest.split_once(". ")
        && figure.chars().all(|c| c.is_ascii_digit())
        && behind.starts_with(char::is_uppercase)
        && behind
            .split(' ')
            .enumerate()
            .any(|(at, word)| is_present(word).is_some() || at == 0 && is_stop_word(&word.to_lowercase()))
    {
        return figure;
    }
    let all = sentences(rest);
    let is_text = all.len() > 1 && rest.ends_with(['.', '!', '?', '。', '！', '？']);
    let value = all.first().filter(|_| is_text).map_or(rest, |first| first.text);
    let last = value.trim_end_matches(['.', '。']).rsplit([' ', '.']).next().unwrap_or_default();
    // "INC-2041." ends a sentence, "B.V." and "Ltd." are written so.
    let ends = value.ends_with('。') || last.chars().count() > 4 || last.chars().any(|c| c.is_ascii_digit());
    if ends { value.trim_end_matches(['.', '。']) } else { value }
}
