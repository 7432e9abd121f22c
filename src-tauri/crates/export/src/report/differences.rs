//! The differences between two versions of a text, by words.

use crate::html::escaped;

/// Total number of words above which two texts are not compared by words.
const MOST_WORDS: usize = 6000;

/// The later text as markup, with insertions and deletions.
pub(super) fn marked(before: &str, after: &str) -> String {
    let (old, new) = (words(before), words(after));
    let start = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let rest = old.len().min(new.len()) - start;
    let end =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(one, other)| one == other).count();
    let (old_middle, new_middle) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    let mut html = escaped(&new[..start].concat());
    if old_middle.len() + new_middle.len() > MOST_WORDS {
        part(&mut html, "del", &old_middle.concat());
        part(&mut html, "ins", &new_middle.concat());
    } else {
        compared(&mut html, old_middle, new_middle);
    }
    html.push_str(&escaped(&new[new.len() - end..].concat()));
    html
}

/// The words with the white space after them; for scripts without spaces, single characters.
fn words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut before: Option<char> = None;
    for (at, character) in text.char_indices() {
        let is_dense = |c: char| prose::is_ideographic(c) || prose::is_hiragana(c);
        let is_start = before.is_some_and(|before| {
            before.is_whitespace() && !character.is_whitespace() || is_dense(before) || is_dense(character)
        });
        if is_start {
            found.push(&text[from..at]);
            from = at;
        }
        before = Some(character);
    }
    if from < text.len() {
        found.push(&text[from..]);
    }
    found
}

/// Compares the texts by their longest common subsequence of words.
fn compared(html: &mut String, old: &[&str], new: &[&str]) {
    let width = new.len() + 1;
    let mut longest = vec![0_u32; (old.len() + 1) * width];
    for at in (0..old.len()).rev() {
        for other in (0..new.len()).rev() {
            longest[at * width + other] = match old[at] == new[other] {
                true => longest[(at + 1) * width + other + 1] + 1,
                false => longest[(at + 1) * width + other].max(longest[at * width + other + 1]),
            };
        }
    }
    let (mut at, mut other) = (0, 0);
    let (mut gone, mut come) = (String::new(), String::new());
    while at < old.len() || other < new.len() {
        if at < old.len() && other < new.len() && old[at] == new[other] {
            part(html, "del", &std::mem::take(&mut gone));
            part(html, "ins", &std::mem::take(&mut come));
            html.push_str(&escaped(new[other]));
            (at, other) = (at + 1, other + 1);
        } else if other == new.len()
            || at < old.len() && longest[(at + 1) * width + other] >= longest[at * width + other + 1]
        {
            gone.push_str(old[at]);
            at += 1;
        } else {
            come.push_str(new[other]);
            other += 1;
        }
    }
    part(html, "del", &gone);
    part(html, "ins", &come);
}

fn part(html: &mut String, tag: &str, text: &str) {
    if !text.is_empty() {
        html.push_str(&format!("<{tag}>{}</{tag}>", escaped(text)));
    }
}
