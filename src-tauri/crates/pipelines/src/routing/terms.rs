//! The terms by which requests are compared: stems of words, pairs of words, and pairs of characters in languages
//! without spaces between words.

use prose::{is_hiragana, is_ideographic, is_stop_word, stem};

/// The kind of a term, with its value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum TermKind {
    /// The stem of a word.
    Word(u64),
    /// The stems of two neighbouring words.
    Words(u64, u64),
    /// Two neighbouring characters of a text without spaces.
    Pair(char, char),
    /// One ideograph.
    Ideograph(char),
    /// A word in katakana.
    Katakana(String),
    /// A bracket, which marks a gap in a form.
    Bracket(char),
}

/// A term and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Term {
    pub(super) kind: TermKind,
    /// Byte offsets into the text.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl TermKind {
    /// Whether the term can be a name by itself; the terms that combine it with neighbours only repeat that.
    pub(super) fn is_name(&self) -> bool {
        matches!(self, TermKind::Word(_) | TermKind::Katakana(_) | TermKind::Pair(..))
    }

    /// The weight of the term: neighbouring pairs overlap, so each counts less.
    pub(super) fn share(&self) -> f64 {
        match self {
            TermKind::Word(_) | TermKind::Katakana(_) => 1.0,
            TermKind::Words(..) | TermKind::Bracket(_) => 0.5,
            TermKind::Pair(..) => 0.6,
            TermKind::Ideograph(_) => 0.25,
        }
    }
}

/// The script of a text, which decides how its terms are formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    /// Words with spaces between them.
    Spaced,
    /// Ideographs alone.
    Chinese,
    /// Ideographs with kana.
    Japanese,
}

impl Script {
    pub(super) fn of(text: &str) -> Script {
        let is_kana = |character: char| is_hiragana(character) || is_katakana(character);
        if text.chars().any(is_kana) {
            Script::Japanese
        } else if text.chars().any(is_ideographic) {
            Script::Chinese
        } else {
            Script::Spaced
        }
    }
}

/// The terms of a text in their order.
pub(super) fn terms(text: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    // The last word and the last character, while only spaces follow them.
    let mut word_before: Option<(u64, bool, usize)> = None;
    let mut dense_before: Option<(char, usize)> = None;
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let end_of = |belongs: &dyn Fn(char) -> bool| {
            let run = text[at..].chars().take_while(|character| belongs(*character));
            at + run.map(char::len_utf8).sum::<usize>()
        };
        let mut end = at + character.len_utf8();
        if is_katakana(character) {
            end = end_of(&is_katakana);
            if text[at..end].chars().count() > 1 {
                let kind = TermKind::Katakana(text[at..end].to_owned());
                terms.push(Term { kind, start: at, end });
            }
            (word_before, dense_before) = (None, None);
        } else if is_ideographic(character) {
            let is_empty = |character| is_hiragana(character) || is_function_character(character);
            if let Some((before, start)) = dense_before
                && !(is_empty(before) && is_empty(character))
            {
                terms.push(Term { kind: TermKind::Pair(before, character), start, end });
            }
            if !is_empty(character) {
                terms.push(Term { kind: TermKind::Ideograph(character), start: at, end });
            }
            (word_before, dense_before) = (None, Some((character, at)));
        } else if character.is_alphabetic() {
            end = end_of(&is_of_word);
            let lowered = text[at..end].to_lowercase().replace('’', "'");
            let (key, is_stop) = (stem(&lowered), is_empty_word(&lowered));
            if let Some((before, was_stop, start)) = word_before
                && !(was_stop && is_stop)
            {
                terms.push(Term { kind: TermKind::Words(before, key), start, end });
            }
            if !is_stop {
                terms.push(Term { kind: TermKind::Word(key), start: at, end });
            }
            (word_before, dense_before) = (Some((key, is_stop, at)), None);
        } else if matches!(character, '{' | '[' | '【') {
            terms.push(Term { kind: TermKind::Bracket(character), start: at, end });
            (word_before, dense_before) = (None, None);
        } else if character != ' ' && character != '-' {
            (word_before, dense_before) = (None, None);
        }
        at = end;
    }
    terms
}

fn is_katakana(character: char) -> bool {
    matches!(character, 'ァ'..='ヺ' | 'ー')
}

fn is_of_word(character: char) -> bool {
    matches!(character, '\'' | '’') || (character.is_alphabetic() && !is_ideographic(character))
}

/// Words of grammar, and words that occur in any request.
fn is_empty_word(lowered: &str) -> bool {
    const WRAPPING: [&str; 14] = [
        "can", "could", "get", "give", "help", "just", "let", "like", "make", "need", "please", "thing",
        "want", "would",
    ];
    is_stop_word(lowered) || WRAPPING.contains(&lowered)
}

/// Chinese characters that occur in any request.
fn is_function_character(character: char) -> bool {
    "的了是我你您他她它们这那个一下些吗呢吧啊有没在和与或请给帮把被对从到很就都也还要会能可以不什么怎样几两张条里上出来去做让用"
        .contains(character)
}
