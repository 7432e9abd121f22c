//! Splits a query into terms and phrases.

use std::borrow::Cow;

use super::synonyms::Synonyms;
use super::variants::{Key, Substitute, Variant, substitutes, variants};
use prose::tokens::{Token, TokenKind, each_pair, each_token, normal, singular, stem_key};
use prose::{FILLERS, is_stop};

use crate::tables::{
    AFFAIRS, BETWEEN, FIRST_OF_TWO, KINDS, MEDIA, NEEDED_IN_PAIRS, VAGUE, WRAPPING, WRAPPING_WORDS,
};

/// A word of a query, or a pair of ideographs.
pub(super) struct Term {
    pub(super) key: u64,
    pub(super) text: String,
    /// Its weight, at most 1: small for the name of the whole field ("AI") and for a vague word ("compare").
    pub(super) weight: f64,
    /// Names the whole field.
    pub(super) is_field: bool,
    /// The number of its phrase; a term of several phrases belongs to the first.
    pub(super) phrase: usize,
    /// Belongs to a compound with hyphens.
    is_compound: bool,
    /// For a word joined to the term before it, the stem of both written as one word; else 0.
    fused: u64,
    /// Its distance in words from that term; else 0.
    distance: usize,
    /// Begins with a capital.
    is_capital: bool,
    /// The link of its phrase to the previous one, if it begins a phrase.
    link: Link,
}

/// How a phrase is linked to the previous one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// It is independent.
    None,
    /// "bias and fairness": a document about one of them is partly about both.
    And,
    /// "X-ray or CT images": one of them is enough.
    Or,
    /// "X and other makers": a document about X is enough.
    Other,
}

/// Neighbouring terms that name one thing.
pub(super) struct Phrase {
    /// The sum of the worths of its words, limited.
    pub(super) worth: f64,
    /// Contains a compound with hyphens.
    pub(super) is_compound: bool,
    /// Is a single word for a kind of work, such as "benchmarks": the query is for works of this kind.
    pub(super) is_kind: bool,
    /// Is about events of companies and courts ("acquisitions"), which papers do not report.
    pub(super) is_business_event: bool,
    /// Names the field with something else ("AI music"): a document must name both together.
    pub(super) is_of_field: bool,
    /// Its link to the previous phrase.
    pub(super) link: Link,
    /// Has a specific word, see [`Key::is_specific`].
    pub(super) is_specific: bool,
    /// Is a single name without synonyms.
    pub(super) is_proper_name: bool,
    pub(super) variants: Vec<Variant>,
    /// Its words as in the query.
    pub(super) words: Vec<Key>,
    /// Replacements for some of the words.
    pub(super) substitutes: Vec<Substitute>,
}

impl Phrase {
    /// Whether it has three or more specific words. A document must answer such a phrase even if another one is linked
    /// to it, as in "data center water and electricity".
    pub(super) fn is_long(&self) -> bool {
        self.words.iter().filter(|word| word.is_specific).count() > 2
    }
}

fn is_business_event(word: &str) -> bool {
    AFFAIRS.contains(&word.trim_end_matches('s'))
}

/// Most terms of a query; the rest is ignored.
const MOST_TERMS: usize = 64;
/// Weight of a vague word, and of the name of the field.
const LIGHT_WEIGHT: f64 = 0.3;
/// Weight of a vague word that is needed in a name of two words: "model collapse".
const NEEDED_IN_PAIR_WEIGHT: f64 = 0.7;

/// Factor of the weight of a vague word next to a specific one.
const BESIDE_SPECIFIC_FACTOR: f64 = 0.5;

/// The query without filler words in Chinese and Japanese, unless nothing else is left.
pub(super) fn without_wrapping(query: &str) -> Cow<'_, str> {
    if query.is_ascii() {
        return Cow::Borrowed(query);
    }
    let bare = WRAPPING_WORDS.iter().fold(query.to_owned(), |query, word| query.replace(word, " "));
    if bare.chars().any(char::is_alphanumeric) { Cow::Owned(bare) } else { Cow::Borrowed(query) }
}

/// Greatest worth of a phrase, so that a long one does not outweigh the others.
const MOST_PHRASE_WORTH: f64 = 6.0;

pub(super) fn terms_of(query: &str) -> Vec<Term> {
    let query = normal(query);
    let bare = without_wrapping(&query);
    let query = &bare[..bare.floor_char_boundary(4096)];
    let mut tokens: Vec<Token> = Vec::new();
    each_token(query, 0, query.len(), false, |token| tokens.push(token));
    let is_word = |token: &Token| token.kind != TokenKind::Ideographic;
    let written = |token: &Token| query[token.start as usize..token.end as usize].to_lowercase();
    let has_pairs = tokens.iter().any(|token| !is_word(token));
    let is_plain = |token: &Token| is_word(token) && !is_stop(token.key);
    let is_year = |token: &Token| {
        token.kind == TokenKind::Number && token.end - token.start == 4 && written(token).starts_with("20")
    };
    let is_field = |token: &Token| matches!(written(token).as_str(), "ai" | "artificial" | "intelligence");
    // In "AI at work" the word "work" is a part of the topic, in "work on AI" it is not.
    let names_work = |token: &Token| {
        let before = query[..token.start as usize].trim_end();
        written(token) == "work" && [" and", " at", " of"].iter().any(|tie| before.ends_with(tie))
    };
    let is_wrapping = |token: &Token| FILLERS.contains(&token.key) && !names_work(token) || is_year(token);
    // "state" in "state space", but not in "the state of", nor "reports" in "latest reports".
    let first_parts: Vec<u32> = (0..tokens.len())
        .filter(|index| {
            let (token, next) = (&tokens[*index], tokens.get(index + 1));
            let begins = *index == 0 || !FILLERS.contains(&tokens[index - 1].key);
            let is_before = |next: &Token| {
                next.start == token.end + 1
                    && is_plain(next)
                    && !is_wrapping(next)
                    && next.kind == TokenKind::Word
            };
            begins && FIRST_OF_TWO.contains(&token.key) && next.is_some_and(is_before)
        })
        .map(|index| tokens[index].start)
        .collect();
    let is_content =
        |token: &Token| is_plain(token) && (!is_wrapping(token) || first_parts.contains(&token.start));
    let is_weighty = |token: &Token| is_content(token) && !is_field(token) && !VAGUE.contains(&token.key);
    let has_special = tokens.iter().any(is_weighty) || has_pairs;
    // A rule is skipped if it would remove all words of the query.
    let is_question = query.trim_end().ends_with(['?', '？']);
    let is_between = |index: usize, token: &Token| {
        let word = written(token);
        is_question && index > 0 && BETWEEN.contains(&word.trim_end_matches('s').trim_end_matches("ing"))
    };
    let keeps: &dyn Fn(&Token) -> bool = if has_pairs || tokens.iter().any(is_content) {
        &is_content
    } else if tokens.iter().any(is_plain) {
        &is_plain
    } else {
        &is_word
    };
    // "AI" is part of a name in "AI Act". A name of several words ends at a word in lower case.
    let is_named = |index: usize| {
        tokens.get(index).is_some_and(|token| token.is_capital && is_content(token))
            && query[tokens[index].start as usize..].chars().nth(1).is_some()
    };
    let mut terms: Vec<Term> = Vec::new();
    let mut phrase = 0;
    let mut last_end: Option<usize> = None;
    let mut kept_before: Option<usize> = None;
    let mut link = Link::None;
    for (index, token) in tokens.iter().enumerate() {
        if is_between(index, token) && has_special {
            last_end = None;
            continue;
        }
        if !keeps(token) {
            // "text-to-image" and "mixture of experts" are one phrase each; "translation of old letters" is two.
            let is_after_one = terms.iter().filter(|term| term.phrase == phrase).count() == 1;
            let is_before_one = !tokens.get(index + 2).is_some_and(keeps);
            let is_after_kind = terms.last().is_some_and(|term| KINDS.contains(&term.text.as_str()));
            let turns_into = written(token) == "to"
                && kept_before.is_some_and(|before| {
                    before + 1 == index && MEDIA.contains(&written(&tokens[before]).as_str())
                });
            let is_inside = written(token) == "of" && is_after_one && !is_after_kind && is_before_one
                || turns_into
                || token.is_joined && tokens.get(index + 1).is_some_and(|next| next.is_joined);
            if !is_inside {
                last_end = None;
            }
            link = match written(token).as_str() {
                "or" => Link::Or,
                "and" => Link::And,
                "other" if link == Link::And => Link::Other,
                _ => Link::None,
            };
            continue;
        }
        let between = last_end.map(|end| &query[end..token.start as usize]);
        let is_apart =
            between.is_none_or(|between| between.contains([',', ';', ':', '?', '!', '(', ')', '.']));
        let ends_name = index > 1
            && is_named(index - 1)
            && is_named(index - 2)
            && !token.is_capital
            && token.kind == TokenKind::Word;
        phrase += usize::from(is_apart || ends_name);
        // A bracket contains another name for the same thing: "Segment Anything (SAM 3)".
        if between.is_some_and(|between| between.contains('(')) {
            link = Link::Or;
        }
        if link == Link::None && between.is_some_and(|between| between.contains([',', '/'])) {
            link = Link::And;
        }
        let link = std::mem::replace(&mut link, Link::None);
        last_end = Some(token.end as usize);
        if terms.len() < MOST_TERMS && terms.iter().all(|term| term.key != token.stem) {
            let is_in_name = is_named(index) && is_named(index + 1);
            let is_light = has_special && !is_in_name && (is_field(token) || VAGUE.contains(&token.key));
            let weight = if is_light { LIGHT_WEIGHT } else { 1.0 };
            let is_long = |token: &Token| token.end - token.start > 1;
            let is_compound = token.is_joined && is_long(token) && index > 0 && is_long(&tokens[index - 1]);
            // "text-to-SQL" is one compound, and so is "SAM 3".
            let fused = kept_before.filter(|_| !is_apart && !ends_name).map_or(0, |before| {
                let is_bound = tokens[before + 1..=index].iter().all(|token| token.is_joined);
                let is_numbered =
                    token.kind == TokenKind::Number && before + 1 == index && tokens[before].is_capital;
                let both = format!("{}{}", written(&tokens[before]), written(token));
                if is_bound || is_numbered { stem_key(singular(both.as_bytes())) } else { 0 }
            });
            terms.push(Term {
                key: token.stem,
                text: written(token),
                weight,
                is_field: is_field(token),
                phrase,
                is_compound,
                fused,
                distance: kept_before.filter(|_| fused != 0).map_or(0, |before| index - before),
                is_capital: token.is_capital,
                link: if is_apart { link } else { Link::None },
            });
        }
        kept_before = Some(index);
    }
    let mut pairs = Vec::new();
    each_pair(query, |pair| pairs.push(pair));
    for (key, (text, run)) in pairs.into_iter().zip(pair_texts(query)) {
        if terms.len() < MOST_TERMS && terms.iter().all(|term| term.key != key) {
            // Pairs with grammar or filler characters have little weight.
            let says_little =
                text.chars().any(|c| prose::is_hiragana(c) || WRAPPING.iter().any(|all| all.contains(c)));
            let weight = if says_little { LIGHT_WEIGHT } else { 1.0 };
            let phrase = phrase + 1 + run;
            terms.push(Term {
                key,
                text,
                weight,
                is_field: false,
                phrase,
                is_compound: false,
                fused: 0,
                distance: 0,
                is_capital: false,
                link: Link::None,
            });
        }
    }
    terms
}

/// The pairs that `each_pair` visits, as text, each with the index of its run of ideographs.
fn pair_texts(query: &str) -> Vec<(String, usize)> {
    let mut texts = Vec::new();
    for (run, part) in query.split(|character| !prose::is_ideographic(character)).enumerate() {
        let characters: Vec<char> = part.chars().collect();
        match characters.as_slice() {
            [] => {}
            [only] => texts.push((only.to_string(), run)),
            several => texts.extend(several.windows(2).map(|pair| (pair.iter().collect(), run))),
        }
    }
    texts
}

/// The phrases of a query, with the worth of each term.
pub(super) fn phrases(terms: &[Term], worths: &[f64], synonyms: &Synonyms) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    let mut at = 0;
    while let Some(first) = terms.get(at) {
        let end = at + terms[at..].iter().take_while(|term| term.phrase == first.phrase).count();
        let own = &terms[at..end];
        let specific = own.iter().filter(|term| term.weight >= 1.0);
        let has_specific = specific.clone().next().is_some();
        // The field has little weight here because `Phrase::is_of_field` checks it separately.
        let share = |term: &Term| match has_specific && term.weight < 1.0 {
            true if term.is_field => 0.1,
            true => BESIDE_SPECIFIC_FACTOR,
            false => 1.0,
        };
        // "Model collapse" and "synthetic data" need both of their words.
        let is_pair = own.len() == 2;
        let is_needed = |term: &Term| is_pair && NEEDED_IN_PAIRS.contains(&term.text.trim_end_matches('s'));
        let weight = |term: &Term| match is_needed(term) {
            true => NEEDED_IN_PAIR_WEIGHT,
            false => term.weight * share(term),
        };
        let words: Vec<Key> = (at..end)
            .map(|index| Key {
                key: terms[index].key,
                worth: weight(&terms[index]) * worths[index],
                distance: if index > at { terms[index].distance } else { 0 },
                is_activity: index == at && end > at + 1 && terms[index].text.ends_with("ing"),
                is_specific: terms[index].weight >= 1.0 || is_needed(&terms[index]),
            })
            .collect();
        let light_field = own.iter().any(|term| term.is_field && term.weight < 1.0);
        let fused: Vec<u64> = own.iter().map(|term| term.fused).collect();
        let substitutes = substitutes(&words, &fused, synonyms);
        phrases.push(Phrase {
            worth: words.iter().map(|word| word.worth).sum::<f64>().min(MOST_PHRASE_WORTH),
            is_compound: own.iter().any(|term| term.is_compound),
            is_business_event: has_specific && specific.clone().all(|term| is_business_event(&term.text)),
            is_kind: own.len() == 1 && KINDS.contains(&first.text.as_str()),
            is_of_field: light_field && has_specific,
            link: first.link,
            is_specific: has_specific,
            is_proper_name: own.len() == 1
                && first.is_capital
                && synonyms.starting_with(first.key).next().is_none(),
            variants: variants(&words, &substitutes),
            words,
            substitutes,
        });
        at = end;
    }
    phrases
}
