//! The differences between two versions of a text, by words.

use crate::{is_hiragana, is_ideographic};

/// Total number of words above which two texts are not compared by words.
const MOST_WORDS: usize = 6000;

/// How a part of a text changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextChange {
    /// It is in both versions.
    Same,
    /// It is in the earlier version alone.
    Removed,
    /// It is in the later version alone.
    Added,
}

/// The parts of both versions in order; what was removed comes before what was added in its place. The parts that are
/// not [`TextChange::Added`] make up the earlier version, those that are not [`TextChange::Removed`] the later one.
pub fn differences(before: &str, after: &str) -> Vec<(TextChange, String)> {
    let (old, new) = (words(before), words(after));
    let start = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let rest = old.len().min(new.len()) - start;
    let end =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(one, other)| one == other).count();
    let (old_middle, new_middle) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    let mut parts = Parts::default();
    parts.push(TextChange::Same, &new[..start].concat());
    if old_middle.len() + new_middle.len() > MOST_WORDS {
        parts.push(TextChange::Removed, &old_middle.concat());
        parts.push(TextChange::Added, &new_middle.concat());
    } else {
        compare(&mut parts, old_middle, new_middle);
    }
    parts.push(TextChange::Same, &new[new.len() - end..].concat());
    parts.0
}

/// Parts, of which no two in a row have the same kind.
#[derive(Default)]
struct Parts(Vec<(TextChange, String)>);

impl Parts {
    fn push(&mut self, change: TextChange, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some((last, so_far)) if *last == change => so_far.push_str(text),
            _ => self.0.push((change, text.to_owned())),
        }
    }
}

/// The words with the white space after them; for scripts without spaces, single characters.
fn words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut before: Option<char> = None;
    for (at, character) in text.char_indices() {
        let is_dense = |c: char| is_ideographic(c) || is_hiragana(c);
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
fn compare(parts: &mut Parts, old: &[&str], new: &[&str]) {
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
            parts.push(TextChange::Removed, &std::mem::take(&mut gone));
            parts.push(TextChange::Added, &std::mem::take(&mut come));
            parts.push(TextChange::Same, new[other]);
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
    parts.push(TextChange::Removed, &gone);
    parts.push(TextChange::Added, &come);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The version without the parts of one kind.
    fn without(parts: &[(TextChange, String)], left_out: TextChange) -> String {
        parts.iter().filter(|(change, _)| *change != left_out).map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn both_versions_can_be_put_together_from_the_parts() {
        let long: String = (0..4_000).map(|at| format!("w{at} ")).collect();
        let other: String = (0..4_000).map(|at| format!("v{at} ")).collect();
        for (before, after) in [
            ("", ""),
            ("", "new"),
            ("The moon draws the sea.", "The moon and the sun draw the sea."),
            ("潮は月が引く。", "潮は月と太陽が引く。"),
            (long.as_str(), other.as_str()),
        ] {
            let parts = differences(before, after);
            assert_eq!(without(&parts, TextChange::Added), before);
            assert_eq!(without(&parts, TextChange::Removed), after);
            assert!(parts.windows(2).all(|pair| pair[0].0 != pair[1].0), "{parts:?}");
        }
    }

    #[test]
    fn single_words_are_told_apart() {
        use TextChange::{Added, Removed, Same};
        let parts = differences("a fine day", "a rainy day");
        let told: Vec<(TextChange, &str)> =
            parts.iter().map(|(change, text)| (*change, text.as_str())).collect();
        assert_eq!(told, [(Same, "a "), (Removed, "fine "), (Added, "rainy "), (Same, "day")]);
    }
}
