//! What a query asks for: its terms, and the phrases that they make.

use std::borrow::Cow;

use super::short_forms::ShortForms;
use super::ways::{Key, Other, Way, others, ways};
use prose::tokens::{Token, TokenKind, each_pair, each_token, normal, singular, stem_key};
use prose::{FILLERS, is_stop};

use crate::tables::{
    AFFAIRS, BETWEEN, FIRST_OF_TWO, KINDS, MEDIA, NEEDED_IN_PAIRS, VAGUE, WRAPPING, WRAPPING_WORDS,
};

/// A word of a query, or a pair of ideographs.
pub(super) struct Term {
    pub(super) key: u64,
    pub(super) text: String,
    /// How much it may decide, up to 1: little when it names the whole field ("AI") or nearly anything ("compare").
    pub(super) weight: f64,
    /// Names the whole field.
    pub(super) is_field: bool,
    /// Which phrase it belongs to; a term that stands in several is kept in the first.
    pub(super) phrase: usize,
    /// Belongs to a compound with hyphens.
    is_compound: bool,
    /// Of a word that is joined to the term before it: the stem of both as one word; else 0.
    fused: u64,
    /// How many words behind that term it stands; else 0.
    distance: usize,
    /// Is written as a name.
    is_capital: bool,
    /// How its phrase is tied to the one before, if it begins one.
    link: Link,
}

/// How a phrase is tied to the one before it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// It stands for itself.
    None,
    /// "bias and fairness": an article about one of them has to do with both.
    And,
    /// "X-ray or CT images": either will do.
    Or,
    /// "X and other makers": an article named after X is one of those that are asked for.
    Other,
}

/// Terms that stand together.
pub(super) struct Phrase {
    /// What all its terms are worth.
    pub(super) worth: f64,
    /// Has a compound with hyphens, which names something of its own.
    pub(super) is_compound: bool,
    /// Is one word for a kind of work, such as "benchmarks", and works of that kind are asked for.
    pub(super) is_kind: bool,
    /// Is about what happens to companies and before courts, which no paper tells: "acquisitions".
    pub(super) is_affair: bool,
    /// Names the field beside something else, which a document has to name together with it: "AI music".
    pub(super) is_of_field: bool,
    /// How it is tied to the phrase before it.
    pub(super) link: Link,
    /// Has a word that says by itself what is meant.
    pub(super) is_telling: bool,
    /// Is a single name that is no short form.
    pub(super) is_proper_name: bool,
    /// Each way to say it.
    pub(super) ways: Vec<Way>,
    /// Its words as they were asked for.
    pub(super) words: Vec<Key>,
    /// What may stand for some of them.
    pub(super) others: Vec<Other>,
}

impl Phrase {
    /// Whether it names something by three words or more: what is tied to it belongs to it ("data center water and
    /// electricity").
    pub(super) fn is_long(&self) -> bool {
        self.words.iter().filter(|word| word.is_telling).count() > 2
    }
}

fn is_affair(word: &str) -> bool {
    AFFAIRS.contains(&word.trim_end_matches('s'))
}

/// Terms of a query beyond which the rest is not read.
const MOST_TERMS: usize = 64;
/// What a word may decide that says little.
const OF_LITTLE_WEIGHT: f64 = 0.3;
/// What words that fit anything decide if they belong to the name of a thing of two words.
const OF_NEEDED: f64 = 0.7;

/// What is left of that beside a word that says what is meant.
const BESIDE_TELLING: f64 = 0.5;

/// A query without those words, unless nothing is left.
pub(super) fn without_wrapping(query: &str) -> Cow<'_, str> {
    if query.is_ascii() {
        return Cow::Borrowed(query);
    }
    let bare = WRAPPING_WORDS.iter().fold(query.to_owned(), |query, word| query.replace(word, " "));
    if bare.chars().any(char::is_alphanumeric) { Cow::Owned(bare) } else { Cow::Borrowed(query) }
}

/// Worth that a long phrase has at most, so that it does not outweigh the others.
const MOST_OF_PHRASE: f64 = 6.0;

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
    // "AI at work" names something, "work on AI" does not.
    let names_work = |token: &Token| {
        let before = query[..token.start as usize].trim_end();
        written(token) == "work" && [" and", " at", " of"].iter().any(|tie| before.ends_with(tie))
    };
    let is_wrapping = |token: &Token| FILLERS.contains(&token.key) && !names_work(token) || is_year(token);
    // "State space", but not "the state of" nor "latest reports".
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
    let is_telling =
        |token: &Token| is_plain(token) && (!is_wrapping(token) || first_parts.contains(&token.start));
    let is_weighty = |token: &Token| is_telling(token) && !is_field(token) && !VAGUE.contains(&token.key);
    let has_special = tokens.iter().any(is_weighty) || has_pairs;
    // Each rule gives way when it would leave nothing to ask for.
    let is_question = query.trim_end().ends_with(['?', '？']);
    let is_between = |index: usize, token: &Token| {
        let word = written(token);
        is_question && index > 0 && BETWEEN.contains(&word.trim_end_matches('s').trim_end_matches("ing"))
    };
    let keeps: &dyn Fn(&Token) -> bool = if has_pairs || tokens.iter().any(is_telling) {
        &is_telling
    } else if tokens.iter().any(is_plain) {
        &is_plain
    } else {
        &is_word
    };
    // "AI" is part of a name in "AI Act", and a name of several words ends where small letters begin.
    let is_named = |index: usize| {
        tokens.get(index).is_some_and(|token| token.is_capital && is_telling(token))
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
            // "text-to-image" and "mixture of experts" are one phrase each, "translation of old letters" are two.
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
        // In brackets stands another name: "Segment Anything (SAM 3)".
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
            let weight = if is_light { OF_LITTLE_WEIGHT } else { 1.0 };
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
            // What carries grammar, or only wraps a topic, and what stands across two words says little.
            let says_little =
                text.chars().any(|c| prose::is_hiragana(c) || WRAPPING.iter().any(|all| all.contains(c)));
            let weight = if says_little { OF_LITTLE_WEIGHT } else { 1.0 };
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

/// The pairs that `each_pair` visits, as text, with the run of ideographs that each belongs to.
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
pub(super) fn phrases(terms: &[Term], worths: &[f64], forms: &ShortForms) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    let mut at = 0;
    while let Some(first) = terms.get(at) {
        let end = at + terms[at..].iter().take_while(|term| term.phrase == first.phrase).count();
        let own = &terms[at..end];
        let telling = own.iter().filter(|term| term.weight >= 1.0);
        let has_telling = telling.clone().next().is_some();
        // Whether an article is of the field is asked for apart.
        let share = |term: &Term| match has_telling && term.weight < 1.0 {
            true if term.is_field => 0.1,
            true => BESIDE_TELLING,
            false => 1.0,
        };
        // "Model collapse" and "synthetic data" name one thing by both of their words.
        let is_pair = own.len() == 2;
        let is_needed = |term: &Term| is_pair && NEEDED_IN_PAIRS.contains(&term.text.trim_end_matches('s'));
        let weight = |term: &Term| match is_needed(term) {
            true => OF_NEEDED,
            false => term.weight * share(term),
        };
        let words: Vec<Key> = (at..end)
            .map(|index| Key {
                key: terms[index].key,
                worth: weight(&terms[index]) * worths[index],
                distance: if index > at { terms[index].distance } else { 0 },
                is_activity: index == at && end > at + 1 && terms[index].text.ends_with("ing"),
                is_telling: terms[index].weight >= 1.0 || is_needed(&terms[index]),
            })
            .collect();
        let light_field = own.iter().any(|term| term.is_field && term.weight < 1.0);
        let fused: Vec<u64> = own.iter().map(|term| term.fused).collect();
        let others = others(&words, &fused, forms);
        phrases.push(Phrase {
            worth: words.iter().map(|word| word.worth).sum::<f64>().min(MOST_OF_PHRASE),
            is_compound: own.iter().any(|term| term.is_compound),
            is_affair: has_telling && telling.clone().all(|term| is_affair(&term.text)),
            is_kind: own.len() == 1 && KINDS.contains(&first.text.as_str()),
            is_of_field: light_field && has_telling,
            link: first.link,
            is_telling: has_telling,
            is_proper_name: own.len() == 1 && first.is_capital && forms.of_word(first.key).next().is_none(),
            ways: ways(&words, &others),
            words,
            others,
        });
        at = end;
    }
    phrases
}
