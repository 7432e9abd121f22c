//! How much a document is about a phrase.
//!
//! A phrase is what a document is about when it stands in its title, in its opening and again, or in several separate
//! sentences; a single mention further down is none. A word inside a compound that means something else ("text-rich"),
//! or inside the name of another thing ("Mega-Lynx" of the lynx), does not count as the word.

use super::indexed::{IndexedDocument, Word, is_deed_before, is_made_before, names_field};
use super::query::Phrase;
use super::ways::{Key, Way};

/// Words beside those of a phrase within which all of it must stand.
const NEARNESS: usize = 3;
/// The same of a phrase of which the title names a part.
const FAR: usize = 8;
/// Sentences of a body that are its opening.
pub(super) const OPENING: u32 = 3;
/// Share of a phrase's worth that stands for it.
const NEEDED_OF_PHRASE: f64 = 0.55;
/// Parts of a compound on either side of a word beyond which it is not read.
const LONGEST_COMPOUND: usize = 6;
/// Words by which the first sentence of a paper says what is spoken of.
const FIRST_WORDS: usize = 12;
/// What is left of a share whose words stand the other way round.
const OF_REVERSED: f64 = 0.6;
/// Words between which they may.
const CLOSE: usize = 2;
/// What is left of a share of a pair of words of which one is nowhere.
const OF_HALF: f64 = 0.6;
/// What is left of a share without the word that the phrase is about.
const OF_HEADLESS: f64 = 0.5;

/// From 0 to 1.
pub(super) fn strength(document: &IndexedDocument, phrase: &Phrase) -> f64 {
    let of_way = |way: &Way| way.nearness * strength_of_way(document, phrase, &way.keys);
    phrase.ways.iter().map(of_way).fold(0.0, f64::max)
}

fn strength_of_way(document: &IndexedDocument, phrase: &Phrase, way: &[Key]) -> f64 {
    // A part of a phrase is worth less than its share, most of all of a short one: "law" is no scaling law.
    let power = if way.len() > 3 { 1.4 } else { 2.0 };
    let in_title = best_share(&document.title, way, phrase, document.title.len(), false);
    // Where writers say what they did, the opening says what others did before; only its first words name the subject.
    let is_paper = document.sentences().count() > OPENING as usize && document.tells_own_work();
    // Of a phrase that the title names in part, the rest may stand further off, and once.
    let is_begun = document.title.iter().enumerate().any(|(at, word)| {
        let is_part = |key: &Key| key.is_telling && [word.key, word.fused].contains(&key.key);
        way.iter().any(is_part) && stands_for_itself(&document.title, at, way, phrase)
    });
    let reach = way.len() + if is_begun { FAR } else { NEARNESS };
    let opens = |sentence: &[Word], share: f64| {
        let first = &sentence[..sentence.len().min(FIRST_WORDS)];
        match (sentence[0].sentence, is_paper) {
            (0, true) => best_share(first, way, phrase, reach, true) >= share,
            (place, is_paper) => !is_paper && place < OPENING,
        }
    };
    let shares: Vec<(f64, bool)> = document
        .sentences()
        .map(|sentence| {
            // The lead of news tells together what its title begins.
            let is_lead = is_begun && !is_paper && sentence[0].sentence == 0;
            let reach = if is_lead { sentence.len() } else { reach };
            let share = best_share(sentence, way, phrase, reach, true);
            (share, share > 0.0 && (opens(sentence, share) || introduces(sentence, way)))
        })
        .collect();
    let best = shares.iter().map(|(share, _)| *share).fold(0.0, f64::max);
    let least = NEEDED_OF_PHRASE.max(best * 0.9);
    let openings: Vec<bool> =
        shares.iter().filter(|(share, _)| *share >= least).map(|(_, opens)| *opens).collect();
    let opens = openings.contains(&true);
    let place = match (opens, openings.len()) {
        (_, 1..) if phrase.is_kind => 0.85,
        (true, 2..) | (_, 3..) => 0.85,
        (_, 2) => 0.7,
        (true, _) => 0.66,
        (_, 1) if is_begun && best >= 1.0 => 0.66,
        _ => 0.3,
    };
    // Of a pair of words, one alone is mostly another thing: who signs a bill uses no sign language.
    let half = if is_half_told(document, way) { OF_HALF } else { 1.0 };
    half * in_title.powf(power).max(best.powf(power) * place)
}

/// How many words of a way say what is meant; an expression that it ends with counts as one.
fn telling_words(way: &[Key]) -> usize {
    let telling = way.iter().filter(|key| key.is_telling);
    let behind = telling.clone().rev().take_while(|key| key.distance > 0).count();
    telling.count() - behind
}

/// Whether a document has nowhere one of the two words of a way that say what is meant.
fn is_half_told(document: &IndexedDocument, way: &[Key]) -> bool {
    let telling = || way.iter().filter(|key| key.is_telling);
    let has = |key: &Key| {
        let is_key = |word: &Word| [word.key, word.fused].contains(&key.key);
        document.title.iter().any(is_key) || document.body.iter().any(is_key)
    };
    telling_words(way) == 2 && !telling().all(has)
}

/// How much a document has to do with a phrase whose words stand apart in it, each named by itself or by what may stand
/// for it. From 0 to 1; 0 where a word that says what is meant is missing.
pub(super) fn loose_strength(document: &IndexedDocument, phrase: &Phrase) -> f64 {
    let is_research = document.is_research();
    let of = |keys: &[Key]| {
        let keys: Vec<u64> = keys.iter().map(|key| key.key).collect();
        place_of(document, &keys, is_research)
    };
    let mut strengths: Vec<f64> = phrase.words.iter().map(|word| of(std::slice::from_ref(word))).collect();
    for other in &phrase.others {
        let strength = other.nearness * of(&other.keys);
        for place in other.part.clone() {
            strengths[place] = strengths[place].max(strength);
        }
    }
    let telling = || phrase.words.iter().zip(&strengths).filter(|(word, _)| word.is_telling);
    // Of three words that all stand apart nothing is named.
    let keys: Vec<u64> = telling().map(|(word, _)| word.key).collect();
    let is_apart = |pair: &[u64]| !document.parts().any(|part| stands_in(part, pair));
    let is_told_together = || phrase.others.iter().any(|other| other.part.len() > 1 && of(&other.keys) > 0.0);
    if keys.len() > 2 && keys.windows(2).all(is_apart) && !is_told_together() {
        return 0.0;
    }
    if telling().any(|(_, strength)| *strength <= 0.0) {
        return 0.0;
    }
    let worth: f64 = telling().map(|(word, _)| word.worth).sum();
    telling().map(|(word, strength)| word.worth * strength).sum::<f64>() / worth.max(f64::MIN_POSITIVE)
}

/// Whether an expression stands in a part of a document.
pub(super) fn stands_in(words: &[Word], keys: &[u64]) -> bool {
    let is_key = |word: &Word, key: &u64| word.key == *key || word.fused == *key;
    !keys.is_empty()
        && words
            .windows(keys.len())
            .any(|window| window.iter().zip(keys).all(|(word, key)| is_key(word, key)))
}

/// How plainly a document tells of an expression: in its title, its opening, several of its sentences or one.
fn place_of(document: &IndexedDocument, keys: &[u64], is_research: bool) -> f64 {
    place_where(document, |words| stands_in(words, keys), is_research)
}

/// The same of anything that a part of a document, its title or a sentence, may have.
pub(super) fn place_where(
    document: &IndexedDocument,
    has: impl Fn(&[Word]) -> bool,
    is_research: bool,
) -> f64 {
    if has(&document.title) {
        return 1.0;
    }
    let mut sentences = document.sentences().filter(|sentence| has(sentence));
    let first = sentences.next().map(|sentence| sentence[0].sentence);
    let more = sentences.count();
    match (first, more) {
        (None, _) => 0.0,
        (Some(first), _) if first < OPENING && !is_research => 0.8,
        (Some(_), 2..) => 0.7,
        (Some(_), 1) => 0.6,
        _ => 0.3,
    }
}

/// The greatest share of a way's worth that stands together in a part of a document.
fn best_share(words: &[Word], way: &[Key], phrase: &Phrase, reach: usize, is_body: bool) -> f64 {
    let all: f64 = way.iter().map(|key| key.worth).sum();
    let mut last: Vec<Option<usize>> = vec![None; way.len()];
    let mut best = 0.0_f64;
    for (at, word) in words.iter().enumerate() {
        let mut is_hit = false;
        for (place, wanted) in last.iter_mut().zip(way) {
            let has = wanted.key == word.key || wanted.key == word.fused;
            // What is made is introduced; what it is tried on is only named.
            let is_meant = || !(is_body && phrase.is_kind) || is_made_before(words, at);
            if has && is_meant() && (word.fused == wanted.key || stands_for_itself(words, at, way, phrase)) {
                *place = Some(at);
                is_hit = true;
            }
        }
        if is_hit {
            let met = share(&last, way, (at, reach)) / all;
            // "We prove a theorem" is no theorem proving, but "proving of theorems" is.
            let is_free = is_body && reach > way.len() + NEARNESS;
            let met = if is_free || is_in_order(words, &last, way) { met } else { met * OF_REVERSED };
            best = best.max(if has_head(&last, way) { met } else { met * OF_HEADLESS });
        }
    }
    best
}

/// Whether the words of a short phrase that were met stand in its order, or close behind a head that has no other word
/// before it: "recognition of faces", but not "personality recognition by the face".
fn is_in_order(words: &[Word], last: &[Option<usize>], way: &[Key]) -> bool {
    let is_short = way.iter().filter(|key| key.is_telling).count() <= 3;
    let places: Vec<usize> = last.iter().flatten().copied().collect();
    let is_own = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let is_free =
            before.is_none_or(|before| !before.is_content || way.iter().any(|key| key.key == before.key));
        // "Labeled data" is no data labeling.
        is_free && !words[at].is_participle
    };
    !is_short
        || places.windows(2).all(|pair| pair[0] < pair[1] || pair[0] - pair[1] <= CLOSE && is_own(pair[1]))
}

/// Whether a sentence says of the last word of a way that it is made or published: "we propose a mixture of experts".
fn introduces(sentence: &[Word], way: &[Key]) -> bool {
    let last = way.iter().rfind(|key| key.is_telling).map_or(0, |key| key.key);
    let at = sentence.iter().position(|word| word.key == last);
    at.is_some_and(|at| is_deed_before(sentence, at))
}

/// Whether the last telling word of a short phrase was met: what its words before it are of something else is not the
/// phrase.
fn has_head(last: &[Option<usize>], way: &[Key]) -> bool {
    // "Labeling of content" is about labeling, whatever else it names.
    if way.first().is_some_and(|first| first.is_activity && last[0].is_none()) {
        return false;
    }
    let head = way.iter().rposition(|key| key.is_telling);
    let has_compound = way.iter().zip(last).any(|(key, place)| key.distance > 0 && place.is_some());
    !(2..=3).contains(&telling_words(way)) || has_compound || head.is_none_or(|head| last[head].is_some())
}

/// The worth of the keys that were met within reach of a place; compounds count only as a whole.
fn share(last: &[Option<usize>], way: &[Key], (at, reach): (usize, usize)) -> f64 {
    let is_near = |place: &Option<usize>| place.is_some_and(|place| at - place < reach);
    let mut from = 0;
    let mut met = 0.0;
    while from < way.len() {
        let end = from + 1 + way[from + 1..].iter().take_while(|key| key.distance > 0).count();
        let places = &last[from..end];
        let is_whole = places.windows(2).zip(&way[from + 1..]).all(|(pair, key)| match (pair[0], pair[1]) {
            (Some(one), Some(other)) => (1..=key.distance).contains(&other.wrapping_sub(one)),
            _ => false,
        });
        if is_whole {
            met += places
                .iter()
                .zip(&way[from..end])
                .filter(|(place, _)| is_near(place))
                .map(|(_, key)| key.worth)
                .sum::<f64>();
        }
        from = end;
    }
    met
}

/// Whether a word that stands in a compound still means itself there.
fn stands_for_itself(words: &[Word], at: usize, way: &[Key], phrase: &Phrase) -> bool {
    let before = words[..=at].iter().rev().take(LONGEST_COMPOUND).take_while(|word| word.is_joined).count();
    let start = at - before.min(at);
    let behind = words[at + 1..].iter().take(LONGEST_COMPOUND).take_while(|word| word.is_joined);
    let end = at + 1 + behind.count();
    let is_foreign = |word: &&Word| word.is_content && !way.iter().any(|key| key.key == word.key);
    let before = words[start..at].iter().find(is_foreign);
    let behind = words[at + 1..end].iter().find(|word| is_foreign(word) || word.roles.is_relating);
    match behind {
        // Behind the name itself stands what is made of it: "SAM-ViT".
        Some(next) => next.roles.is_relating || words[at].is_name,
        None => !(before.is_some_and(|word| word.is_name) && phrase.is_proper_name),
    }
}

/// Whether a part of a document names both the field and one of the phrase's telling words, or its title the one and its
/// opening the other.
pub(super) fn is_told_of_field(document: &IndexedDocument, phrase: &Phrase) -> bool {
    let has_word = |words: &[Word]| {
        words.iter().any(|word| {
            phrase
                .ways
                .iter()
                .flat_map(|way| &way.keys)
                .any(|key| key.is_telling && [word.key, word.fused].contains(&key.key))
        })
    };
    let in_opening =
        |is_there: &dyn Fn(&[Word]) -> bool| document.sentences().take(OPENING as usize).any(is_there);
    document.parts().any(|part| names_field(part) && has_word(part))
        || has_word(&document.title) && document.sentences().any(names_field)
        || names_field(&document.title) && in_opening(&has_word)
}
