//! The languages that differ in the text around quotations.

use prose::{is_hiragana, is_ideographic};

/// The language of a text, as far as punctuation and spaces differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Any language that separates words by spaces.
    Spaced,
    Chinese,
    Japanese,
}

impl Language {
    /// Decides by the script of the first 2000 characters.
    pub(crate) fn of(text: &str) -> Language {
        let (mut unspaced, mut kana, mut letters) = (0, 0, 0);
        for character in text.chars().take(2_000).filter(|character| character.is_alphabetic()) {
            letters += 1;
            unspaced += usize::from(is_ideographic(character) || is_hiragana(character));
            kana += usize::from(is_hiragana(character));
        }
        match unspaced * 3 > letters {
            false => Language::Spaced,
            true if kana * 10 > unspaced => Language::Japanese,
            true => Language::Chinese,
        }
    }

    pub(crate) fn is_unspaced(self) -> bool {
        self != Language::Spaced
    }

    /// The separator between two sentences.
    pub(crate) fn blank(self) -> &'static str {
        if self.is_unspaced() { "" } else { " " }
    }
}
