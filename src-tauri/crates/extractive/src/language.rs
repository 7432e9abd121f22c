//! The languages that frames are written in.

use prose::{is_hiragana, is_ideographic};

/// The language of a text, as far as its frame and its joints differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Anything that separates words by blanks.
    Spaced,
    Chinese,
    Japanese,
}

impl Language {
    /// Judged by the script of the first two thousand characters.
    pub(crate) fn of(text: &str) -> Language {
        let (mut dense, mut kana, mut letters) = (0, 0, 0);
        for character in text.chars().take(2_000).filter(|character| character.is_alphabetic()) {
            letters += 1;
            dense += usize::from(is_ideographic(character) || is_hiragana(character));
            kana += usize::from(is_hiragana(character));
        }
        match dense * 3 > letters {
            false => Language::Spaced,
            true if kana * 10 > dense => Language::Japanese,
            true => Language::Chinese,
        }
    }

    pub(crate) fn is_dense(self) -> bool {
        self != Language::Spaced
    }

    /// What stands between two sentences.
    pub(crate) fn blank(self) -> &'static str {
        if self.is_dense() { "" } else { " " }
    }
}
