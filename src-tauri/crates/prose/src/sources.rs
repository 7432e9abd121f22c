//! Source texts prepared once, so that each sentence of a draft can be held against them in microseconds.
//!
//! Here is only the index. What counts as a claim, and when one is found again, is decided in `grounding`; how much of
//! a sentence a text says, in `support`.

use crate::characters::is_katakana;
use crate::clean::clean;
use crate::figures::Measured;
use crate::known_words::{MONTHS, figure_words};
use crate::stop_words::is_stop;
use crate::tokens::{ByKey, Keys, TokenKind, each_pair, each_token, normal, word_key};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Source texts prepared once, so that every sentence of a draft can be held against them cheaply.
///
/// Each text should hold everything a writer was given of one source: title, publisher, date (YYYY-MM-DD) and
/// body, one after the other; then a sentence that names the publisher or the month is grounded too.
#[derive(Clone, Default)]
pub struct SourceTexts {
    pub(crate) sources: Vec<Arc<Source>>,
}

/// The index of one text.
#[derive(Default)]
pub(crate) struct Source {
    /// Keys of all words and figures in their order, each with the place of the same key before it.
    sequence: Vec<(u64, u32)>,
    /// First letters of the same.
    initials: Vec<u8>,
    /// The last place of each key in the sequence.
    places: ByKey<u32>,
    /// Stems of the words, and pairs of ideographs.
    pub(crate) stems: Keys,
    /// Distinct figures by value.
    pub(crate) figures: Vec<Measured>,
    pub(crate) has_katakana: bool,
}

/// Marks the first occurrence of a key.
const NOWHERE: u32 = u32::MAX;

/// How many words are searched for the words of an acronym.
const LONGEST_FOR_INITIALS: usize = 4000;

impl SourceTexts {
    /// Prepares texts, one a source. Time is linear in their length.
    pub fn new(texts: &[&str]) -> Self {
        Self { sources: texts.iter().map(|text| Arc::new(Source::new(text))).collect() }
    }

    /// Concatenates prepared texts without preparing them again.
    pub fn joined<'a>(parts: impl IntoIterator<Item = &'a SourceTexts>) -> Self {
        Self { sources: parts.into_iter().flat_map(|part| part.sources.iter().cloned()).collect() }
    }

    /// Number words of a sentence, from "two" on, that none of the texts has; parts of a longer number such as
    /// "twenty-one" are ignored.
    pub(crate) fn spelt_figures_missing(&self, sentence: &str) -> Vec<String> {
        let text = normal(sentence);
        let mut words: Vec<(Range<usize>, u64, bool)> = Vec::new();
        each_token(&text, 0, text.len(), true, |token| {
            words.push((token.start as usize..token.end as usize, token.key, token.is_joined));
        });
        let is_missing = |(place, (range, key, is_joined)): (usize, &(Range<usize>, u64, bool))| {
            let Some(Special::Number(value)) = special_words().get(key) else { return None };
            if *value < 2 || *is_joined || words.get(place + 1).is_some_and(|(_, _, is_joined)| *is_joined) {
                return None;
            }
            let figure = Measured::spelt(*value, &text, range.end);
            let is_there = self.sources.iter().any(|source| figure.is_among(&source.figures, false));
            (!is_there).then(|| text[range.clone()].to_owned())
        };
        words.iter().enumerate().filter_map(is_missing).collect()
    }
}

impl Source {
    pub(crate) fn new(text: &str) -> Self {
        let mut source = Self::default();
        let expected = text.len() / 6;
        source.sequence.reserve(expected);
        source.initials.reserve(expected);
        source.places.reserve(expected / 2);
        source.stems.reserve(expected / 2);
        source.read(&normal(text));
        if text.contains(['\\', '$', '{']) {
            // Drafts use the rendered form of LaTeX, so the source is indexed in both forms.
            source.read(&normal(&clean(text)));
        }
        let unscaled: Vec<Measured> = source
            .figures
            .iter()
            .filter_map(|figure| Some(Measured { value: figure.unscaled?, ..*figure }))
            .collect();
        source.figures.extend(unscaled);
        source.figures.sort_by(|one, other| one.value.total_cmp(&other.value));
        source.figures.dedup();
        source
    }

    fn read(&mut self, text: &str) {
        let special = special_words();
        each_token(text, 0, text.len(), true, |token| {
            let (start, end) = (token.start as usize, token.end as usize);
            // In "1-to-5" the 5 follows a grammar word, so it is not part of a name like "GPT-5".
            let is_attached = token.is_joined
                && self.initials.last().is_some_and(|initial| *initial != 0)
                && self.sequence.last().is_some_and(|(key, _)| !is_stop(*key));
            self.append(token.key, token.initial);
            match token.kind {
                TokenKind::Word => {
                    self.stems.insert(token.stem);
                    match special.get(&token.key) {
                        Some(Special::Number(value)) => self.figures.push(Measured::spelt(*value, text, end)),
                        Some(Special::Month(month)) if token.is_capital => {
                            self.figures.push(Measured::spelt(*month, "", 0));
                        }
                        _ => {}
                    }
                }
                TokenKind::Number => {
                    self.stems.insert(token.stem);
                    let measured = Measured::read(text, &token);
                    self.figures.extend(measured.map(|measured| Measured { is_attached, ..measured }));
                    self.read_date(text, start, end);
                }
                TokenKind::Ideographic => {
                    self.has_katakana |= text[start..end].chars().next().is_some_and(is_katakana);
                }
            }
        });
        each_pair(text, |pair| {
            self.stems.insert(pair);
        });
    }

    /// At the year of an ISO date, adds the name of its month to the index.
    fn read_date(&mut self, text: &str, start: usize, end: usize) {
        let Some([b'-', tens, ones, b'-', ..]) = text.as_bytes().get(end..) else { return };
        if end - start != 4 || !tens.is_ascii_digit() || !ones.is_ascii_digit() {
            return;
        }
        let month = usize::from(tens - b'0') * 10 + usize::from(ones - b'0');
        if let Some((long, short)) = month.checked_sub(1).and_then(|index| MONTHS.get(index)) {
            for name in [long, short] {
                self.places.entry(word_key(name)).or_insert(NOWHERE);
                self.stems.insert(crate::tokens::stem_key(name.as_bytes()));
            }
        }
    }

    fn append(&mut self, key: u64, initial: u8) {
        let place = u32::try_from(self.sequence.len()).unwrap_or(NOWHERE);
        let before = self.places.insert(key, place).unwrap_or(NOWHERE);
        self.sequence.push((key, before));
        self.initials.push(initial);
    }

    /// Whether the word stands in it.
    pub(crate) fn has(&self, key: u64) -> bool {
        self.places.contains_key(&key)
    }

    /// Whether the text contains the keys one after the other. At most a thousand occurrences are tested.
    pub(crate) fn has_sequence(&self, keys: &[u64]) -> bool {
        let Some((last, others)) = keys.split_last() else { return true };
        let Some(mut place) = self.places.get(last).copied() else { return false };
        if others.is_empty() {
            return true;
        }
        if !others.iter().all(|key| self.has(*key)) {
            return false;
        }
        for _ in 0..1000 {
            let at = place as usize;
            let Some((_, before)) = self.sequence.get(at) else { return false };
            if at >= others.len() {
                let window = &self.sequence[at - others.len()..at];
                if window.iter().map(|(key, _)| key).eq(others) {
                    return true;
                }
            }
            place = *before;
        }
        false
    }

    /// Whether words with these initials stand in it one after the other.
    pub(crate) fn has_initials(&self, initials: &[u8]) -> bool {
        !initials.is_empty()
            && self.initials[..self.initials.len().min(LONGEST_FOR_INITIALS)]
                .windows(initials.len())
                .any(|window| window == initials)
    }
}

enum Special {
    Number(u32),
    Month(u32),
}

fn special_words() -> &'static ByKey<Special> {
    static WORDS: OnceLock<ByKey<Special>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let numbers = figure_words().map(|(word, value)| (word_key(word), Special::Number(value)));
        let months = MONTHS.iter().zip(1..).flat_map(|((long, short), month)| {
            [(word_key(long), Special::Month(month)), (word_key(short), Special::Month(month))]
        });
        numbers.chain(months).collect()
    })
}
