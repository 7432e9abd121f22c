//! Figures and names of a sentence that its sources do not contain.
//!
//! A claim is a figure (number, percentage, sum of money, year) or a name (a capitalised word inside a
//! sentence, an acronym, CamelCase, a product with its number). It is grounded when one text holds it, after
//! normalising case, width, separators, percent signs, plural and hyphens; `about 40 %` is also grounded by
//! 40.7 %, a short form by its words. Left out on purpose, because ordinary prose is full of them: numbers
//! spelt as words, single letters, the first word of a sentence unless it is a known or a compound name, and
//! the capitals of headings and of German nouns. Japanese katakana is compared only with Japanese sources.
//! Only the occurrence of a claim is checked, not whether the source says it of the same thing.

use crate::characters::{is_hyphen, is_katakana};
use crate::figures::Measured;
use crate::known_words::{
    GENERAL_TERMS, GERMAN_WORDS, KNOWN_NAMES, OPENING_WORDS, ROUNDING_WORDS, SHORT_FORMS,
};
use crate::markup::{Mark, scan};
use crate::sources::{Source, SourceTexts};
use crate::stop_words::{REPORTING, is_stop, keys};
use crate::tokens::{Keys, Token, TokenKind, each_token, normal, word_key};
use crate::topic_words::FILLERS;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// What kind of statement a claim is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// A number.
    Figure,
    /// A share.
    Percent,
    /// An amount of money.
    Money,
    /// A year.
    Year,
    /// A proper noun.
    Name,
}

/// A figure or a name as it is written in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// As written, in Unicode normal form KC.
    pub text: String,
    /// What it is.
    pub kind: ClaimKind,
}

/// Languages that a text names after the title and source of an article.
const LANGUAGES: [&str; 3] = ["Chinese", "German", "Japanese"];

/// Most claims of one sentence; the rest is ignored.
const MOST_CLAIMS: usize = 1000;

/// The claims of a sentence, in order.
pub fn claims(sentence: &str) -> Vec<Claim> {
    let text = normal(sentence);
    find(&text).into_iter().map(|found| found.claim(&text)).collect()
}

/// The claims of a sentence that none of the texts contains; see [`SourceTexts`] for what a text should hold,
/// and for many sentences prepare the texts once with it.
pub fn ungrounded(sentence: &str, source_texts: &[&str]) -> Vec<Claim> {
    SourceTexts::new(source_texts).ungrounded(sentence)
}

impl SourceTexts {
    /// The claims of a sentence that none of the texts contains.
    pub fn ungrounded(&self, sentence: &str) -> Vec<Claim> {
        let all: Vec<&Source> = self.sources.iter().map(Arc::as_ref).collect();
        missing(sentence, &all)
    }

    /// As [`Self::ungrounded`], against the named texts only (0-based; unknown numbers are ignored).
    pub fn ungrounded_in(&self, sentence: &str, which: &[usize]) -> Vec<Claim> {
        let named: Vec<&Source> =
            which.iter().filter_map(|index| self.sources.get(*index).map(Arc::as_ref)).collect();
        missing(sentence, &named)
    }
}

fn missing(sentence: &str, sources: &[&Source]) -> Vec<Claim> {
    let text = normal(sentence);
    let mut claims = find(&text);
    // A text states the language of an article ("…), in Chinese [1]"); the article itself does not.
    let is_of_article = |found: &Found| {
        LANGUAGES.contains(&&text[found.span.clone()])
            && text[..found.span.start].ends_with("), in ")
            && text[found.span.end..].starts_with(" [")
    };
    claims.retain(|found| !is_of_article(found) && !sources.iter().any(|source| found.is_in(source)));
    if claims.iter().any(|found| found.is_katakana) && !sources.iter().any(|source| source.has_katakana) {
        claims.retain(|found| !found.is_katakana);
    }
    claims.into_iter().map(|found| found.claim(&text)).collect()
}

/// A claim with what is needed to look for it.
struct Found {
    span: Range<usize>,
    kind: ClaimKind,
    /// Compounds that one source must all contain: the words of a name, or a figure with its neighbouring word.
    parts: Vec<Part>,
    figure: Option<Measured>,
    is_rounded: bool,
    is_katakana: bool,
}

/// Words joined by hyphens or by nothing.
#[derive(Clone)]
struct Part {
    keys: Vec<u64>,
    has_number: bool,
    /// Lower-case letters of an acronym.
    acronym: Vec<u8>,
}

impl Found {
    fn claim(&self, text: &str) -> Claim {
        Claim { text: text[self.span.clone()].to_owned(), kind: self.kind }
    }

    fn is_in(&self, source: &Source) -> bool {
        if let Some(figure) = &self.figure
            && figure.is_among(&source.figures, self.is_rounded)
        {
            return true;
        }
        !self.parts.is_empty() && self.parts.iter().all(|part| part.is_in(source))
    }
}

impl Part {
    fn is_in(&self, source: &Source) -> bool {
        if source.has_sequence(&self.keys) {
            return true;
        }
        if self.has_number {
            return false;
        }
        (self.keys.len() > 1 && self.keys.iter().all(|key| source.has(*key)))
            || (self.acronym.len() > 3 && source.has_initials(&self.acronym))
            || self.keys.iter().all(|key| source.has(*key) || stands_for(*key, source))
    }
}

/// Whether a source has the words of a short form, or the short form of a word.
fn stands_for(key: u64, source: &Source) -> bool {
    static FORMS: OnceLock<Vec<(u64, Vec<u64>)>> = OnceLock::new();
    let forms = FORMS.get_or_init(|| {
        let in_keys = |words: &[&str]| words.iter().map(|word| word_key(word)).collect();
        SHORT_FORMS.iter().map(|(short, words)| (word_key(short), in_keys(words))).collect()
    });
    forms.iter().any(|(short, words)| {
        (*short == key && source.has_sequence(words)) || (words.contains(&key) && source.has(*short))
    })
}

/// Tables of word keys, made once.
struct Tables {
    known: Keys,
    general: Keys,
    opening: Keys,
    rounding: Keys,
    german: Keys,
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| Tables {
        known: keys(&KNOWN_NAMES),
        general: keys(&GENERAL_TERMS),
        opening: keys(&OPENING_WORDS),
        rounding: keys(&ROUNDING_WORDS),
        german: keys(&GERMAN_WORDS),
    })
}

struct Reading<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    /// Whether a capital letter marks a name: not in title case, in all capitals or in German.
    trusts_capitals: bool,
    is_ideographic: bool,
}

fn find(text: &str) -> Vec<Found> {
    let mut tokens = Vec::with_capacity(text.len() / 5 + 1);
    scan(text, |mark, start, end| {
        if matches!(mark, Mark::Text | Mark::Code) {
            each_token(text, start, end, true, |token| tokens.push(token));
        }
    });
    let (mut lower, mut capital, mut german) = (0, 0, 0);
    for token in &tokens {
        if token.kind == TokenKind::Word {
            german += usize::from(tables().german.contains(&token.key));
            if token.end - token.start > 3 {
                lower += usize::from(!token.is_capital);
                capital += usize::from(token.is_capital);
            }
        }
    }
    let is_ideographic = tokens.iter().any(|token| token.kind == TokenKind::Ideographic);
    let trusts_capitals = german < 2 && (capital <= lower || capital < 3);
    Reading { text, tokens, trusts_capitals, is_ideographic }.claims()
}

impl Reading<'_> {
    fn claims(&self) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        let mut start = 0;
        while start < self.tokens.len() && found.len() < MOST_CLAIMS {
            let length = self.tokens[start + 1..].iter().take_while(|token| token.is_joined).count();
            let run = start..start + 1 + length;
            self.read_run(run.clone(), &mut found);
            start = run.end;
        }
        found
    }

    /// Reads a run of joined tokens: a name, figures, or nothing.
    fn read_run(&self, run: Range<usize>, found: &mut Vec<Found>) {
        let first_name = run.clone().find(|index| self.is_name(*index, &run));
        if let Some(first) = first_name {
            let is_end =
                |index: &usize| self.tokens[*index].kind == TokenKind::Number || self.is_name(*index, &run);
            let last = (first..run.end).rev().find(is_end).unwrap_or(first);
            self.add_name(first..last + 1, found);
        }
        for index in run.clone() {
            let token = &self.tokens[index];
            match token.kind {
                TokenKind::Number if first_name.is_none_or(|first| index < first) => {
                    self.add_figure(index, &run, found)
                }
                TokenKind::Ideographic => self.add_katakana(token, found),
                _ => {}
            }
        }
    }

    fn is_name(&self, index: usize, run: &Range<usize>) -> bool {
        let token = &self.tokens[index];
        let length = token.end - token.start;
        if token.kind != TokenKind::Word || tables().general.contains(&token.key) {
            return false;
        }
        let has_digit = run.contains(&(index + 1)) && self.tokens[index + 1].kind == TokenKind::Number;
        if token.has_inner_capital {
            return length > 1 && (self.trusts_capitals || self.is_mixed(token));
        }
        if !token.is_capital {
            return false;
        }
        if has_digit {
            return true;
        }
        if length < 2 || !self.trusts_capitals || is_stop(token.key) {
            return false;
        }
        if !self.is_opening(index) || self.is_ideographic || tables().known.contains(&token.key) {
            return true;
        }
        // The first word of a sentence always has a capital: only a name after it, or a possessive, marks a name.
        let written = &self.text[token.start as usize..token.end as usize];
        let is_common = REPORTING.contains(&token.key)
            || FILLERS.contains(&token.key)
            || tables().opening.contains(&token.key)
            || ["ly", "ing", "ed", "ions"].iter().any(|ending| written.ends_with(ending));
        let is_possessive = written.ends_with("'s") || written.ends_with("’s");
        !is_common
            && (is_possessive
                || self.tokens.get(index + 1).is_some_and(|next| {
                    let between = &self.text[token.end as usize..next.start as usize];
                    between == " "
                        && next.kind == TokenKind::Word
                        && next.is_capital
                        && !next.has_inner_capital
                        && next.end - next.start > 1
                        && !is_stop(next.key)
                }))
    }

    /// Capitals and small letters mixed, as in "OpenAI": a name even where all is in capitals.
    fn is_mixed(&self, token: &Token) -> bool {
        self.text[token.start as usize..token.end as usize].chars().any(char::is_lowercase)
    }

    /// Whether the token opens a sentence, a quotation or what follows a colon.
    fn is_opening(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1).map(|before| &self.tokens[before]) else { return true };
        let between = &self.text[before.end as usize..self.tokens[index].start as usize];
        let is_title = before.end - before.start < 5 && before.is_capital && between == ". ";
        !is_title
            && between.contains(['.', '!', '?', ':', ';', '“', '"', '「', '—', '|', '\n', '‘', '«', '#'])
    }

    fn add_name(&self, tokens: Range<usize>, found: &mut Vec<Found>) {
        let (first, last) = (&self.tokens[tokens.start], &self.tokens[tokens.end - 1]);
        let span = first.start as usize..last.end as usize;
        let written = &self.text[first.start as usize..first.end as usize];
        let is_acronym = tokens.len() == 1 && !written.trim_end_matches('s').chars().any(char::is_lowercase);
        let letters = written.trim_end_matches('s').bytes().map(|byte| byte.to_ascii_lowercase());
        let part = Part {
            keys: self.tokens[tokens.clone()].iter().map(|token| token.key).collect(),
            has_number: self.tokens[tokens].iter().any(|token| token.kind == TokenKind::Number),
            acronym: if is_acronym { letters.collect() } else { Vec::new() },
        };
        if let Some(last) = found.last_mut()
            && last.kind == ClaimKind::Name
            && &self.text[last.span.end..span.start] == " "
        {
            last.span.end = span.end;
            last.parts.push(part);
            return;
        }
        found.push(Found {
            span,
            kind: ClaimKind::Name,
            parts: vec![part],
            figure: None,
            is_rounded: false,
            is_katakana: false,
        });
    }

    fn add_figure(&self, index: usize, run: &Range<usize>, found: &mut Vec<Found>) {
        let token = &self.tokens[index];
        let figure = Measured::read(self.text, token);
        let (start, mut end) = (token.start as usize, token.end as usize);
        let kind = match figure {
            Some(figure) if figure.is_percent => ClaimKind::Percent,
            Some(figure) if figure.is_money => ClaimKind::Money,
            Some(figure) if figure.is_year => ClaimKind::Year,
            _ => ClaimKind::Figure,
        };
        if self.text[end..].starts_with('%') {
            end += 1;
        }
        // "top-5" is grounded by "top 5", and "7B" by "7B", whatever the figure alone measures.
        let mut parts = Vec::new();
        if figure.is_none() {
            parts.push(vec![token.key]);
        }
        let before = index.checked_sub(1).map(|before| &self.tokens[before]);
        let joined_after = run.contains(&(index + 1)).then(|| self.tokens[index + 1].key);
        let is_near = |before: &&Token| start.saturating_sub(before.end as usize) < 2;
        if let Some(next) = joined_after {
            parts.push(vec![token.key, next]);
        } else if let Some(before) = before.filter(is_near)
            && before.kind == TokenKind::Word
            && !is_stop(before.key)
        {
            parts.push(vec![before.key, token.key]);
        }
        let has_number = true;
        let is_marked = self.text[..start].trim_end_matches(' ').ends_with(['~', '≈']);
        found.push(Found {
            span: start..end,
            kind,
            parts: if figure.is_none_or(|figure| figure.is_plain() && figure.measure.is_none()) {
                parts.into_iter().map(|keys| Part { keys, has_number, acronym: Vec::new() }).collect()
            } else {
                Vec::new()
            },
            is_rounded: is_marked || before.is_some_and(|word| tables().rounding.contains(&word.key)),
            figure,
            is_katakana: false,
        });
    }

    fn add_katakana(&self, token: &Token, found: &mut Vec<Found>) {
        let span = token.start as usize..token.end as usize;
        let written = &self.text[span.clone()];
        if written.starts_with(is_katakana)
            && written.chars().take(3).count() == 3
            && !written.contains(is_hyphen)
        {
            found.push(Found {
                span,
                kind: ClaimKind::Name,
                parts: vec![Part { keys: vec![token.key], has_number: false, acronym: Vec::new() }],
                figure: None,
                is_rounded: false,
                is_katakana: true,
            });
        }
    }
}

#[cfg(test)]
mod tests;
