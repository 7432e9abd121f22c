//! A broad subject, and the documents that a text on it can be written from.
//!
//! Other than a topic of news, which is answered by what has its words, a subject is told of in words of its own field:
//! a document is about "AI in education" that speaks of chatbots in schools. So each thing that a subject names is
//! looked for by its own words and by those that belong to it; one that is only mentioned does not count. What two
//! documents share by a single ambiguous word is kept apart by asking for several.

use crate::characters::is_ideographic;
use crate::known_words::SHORT_FORMS;
use crate::paragraphs::clean_article;
use crate::ranking::{Document, rank};
use crate::sentences::sentences;
use crate::stop_words::{is_stop, is_stop_word};
use crate::subject_words::{key_of, related, stems};
use crate::tokens::{Token, TokenKind, each_token};
use crate::topic_words::{is_filler, is_vague};

/// What a text is to be written about.
pub struct Subject<'a> {
    text: &'a str,
    concepts: Vec<Concept>,
    /// Whether the field of artificial intelligence is named.
    is_of_field: bool,
}

/// One thing that a subject names.
struct Concept {
    /// Whether a document need not be about it: it says how, for whom or to what end.
    is_soft: bool,
    /// Whether it is tied to the one before by "and" or "or".
    is_tied: bool,
    /// Whether nearly every document is about it somehow.
    is_wide: bool,
    /// The ways to say it.
    own: Vec<Vec<u64>>,
    /// Words that belong to it.
    related: Vec<Vec<u64>>,
}

/// The sequences of stems of a document's title and sentences.
struct Parts {
    title: Vec<u64>,
    sentences: Vec<Vec<u64>>,
    /// Whether its writers say what they did themselves, behind an opening about what was known before.
    is_paper: bool,
}

/// Bytes of a document that are read; what it is about stands at its beginning.
const READ: usize = 12_000;
/// Sentences that are the opening of a document.
const OPENING: usize = 3;
/// What a document has of a concept that only stands in it once.
const MENTIONED: f64 = 0.2;
/// What it has at least of one that it is about.
const NEEDED: f64 = 0.45;
/// What it has of all concepts at least on average.
const NEEDED_OF_ALL: f64 = 0.6;
/// Share of the best one's score below which a document is left out.
const SHARE_OF_BEST: f64 = 0.86;
/// The same where there are fewer than so many.
const SHARE_OF_FEW: f64 = 0.72;
const FEW: usize = 3;
/// What a document tells of a subject at least.
const LEAST: f64 = 0.65;
/// Related words of which a document about a concept has one.
const USUAL: usize = 6;
/// What is left of a concept's own word in a document that has none of them.
const WITHOUT_RELATED: f64 = 0.6;
/// What the weakest concept counts against all together.
const OF_WEAKEST: f64 = 0.4;
/// What a concept counts that says how, for whom or to what end, against all others together.
const OF_SOFT: f64 = 0.5;
/// What a document that is about one of the things between which "and" stands has of all of them.
const OF_ONE: f64 = 0.3;
/// Of how many concepts one may be missing.
const MANY: usize = 3;

/// Words that say how or to what end, beside those that fit any topic.
const LIGHT: &str = "active, avoid, become, benefit, big, build, careful, carefully, challenge, change, choose, cheaply, \
    danger, different, easily, effect, everyday, fast, faster, future, go, growing, happen, help, hidden, high, higher, \
    impact, important, increase, inside, keep, lack, learn, less, limit, limitation, live, low, lower, more, need, \
    opportunity, organization, practice, practical, process, promise, public, put, reduce, rise, rising, risk, role, \
    run, running, safe, save, smart, start, stop, strong, support, take, threat, training, trust, turn, understand, usage, useful, \
    user, value, without, world, natural, protect, place, noisy, predict, business, private, real, modern, human, machine, digital, answer, generate, generated";

/// Words with which a question begins.
const QUESTIONS: &str = "are, can, could, did, do, does, has, have, is, may, must, should, will, would";

/// Kinds of models whose first word means something else by itself.
const MODELS: &str = "language model, world model, foundation model, diffusion model, base model, neural network, generative model";

/// Things of which a text of the field is told by the way.
const WIDE: &str = "language model, neural network, generative model";
/// What a document has of one that it only mentions.
const OF_WIDE: f64 = 0.6;

/// Words that name the field, and words of texts that are in it.
const FIELD: &str = "ai, artificial intelligence, machine learning, deep learning";
const OF_FIELD: &str = "ai, artificial intelligence, machine learning, deep learning, language model, llm, chatbot, \
    neural network, generative, foundation model, diffusion model, chatgpt, gpt, deepfake, transformer, robot, classifier, \
    speech recognition, machine translation, computer vision, algorithm, federated learning, reinforcement learning, \
    vlm, vision language, multimodal, data centre, data center, synthetic voice, cloned voice, driverless, self driving, \
    inference, software, trained";

impl<'a> Subject<'a> {
    /// Reads what a subject names.
    pub fn of(text: &'a str) -> Self {
        // Words are not parted in Chinese and Japanese: nothing is told apart there.
        let words = if text.chars().any(is_ideographic) { Vec::new() } else { words_of(text) };
        let has = |list: &str, at: usize| list.split(", ").any(|word| begins(&words[at..], &stems(word)));
        let is_of_field = (0..words.len()).any(|at| has(FIELD, at));
        let mut concepts: Vec<Concept> = Vec::new();
        // A question has verbs of its own: "is AI making jobs disappear".
        let opening = text.split(' ').next().unwrap_or_default().to_lowercase();
        let is_question = QUESTIONS.split(", ").any(|word| word == opening);
        let mut at = 0;
        while at < words.len() {
            let length = [3, 2].into_iter().find(|length| is_fixed(&words, at, *length)).unwrap_or(1);
            let phrase: Vec<u64> = words[at..at + length].iter().map(|word| word.stem).collect();
            let first = &words[at];
            let is_light = length == 1 && (!first.is_telling || has(LIGHT, at));
            let is_known = !related(&phrase).is_empty();
            if !has(FIELD, at) && (!is_light || is_known) {
                let is_soft = is_light || !is_known && (first.is_activity || is_question);
                let is_tied = first.is_tied && !concepts.is_empty();
                concepts.push(Concept { is_soft, is_tied, ..Concept::of(phrase) });
            }
            at += if length == 1 && has("artificial intelligence", at) { 2 } else { length };
        }
        // Where there is nothing else, what says how is what is asked for.
        if concepts.iter().all(|concept| concept.is_soft) {
            concepts.iter_mut().for_each(|concept| concept.is_soft = false);
        }
        Self { text, concepts, is_of_field }
    }

    /// The subject with the words that belong to it, for an index that finds only what is written.
    pub fn wider(&self) -> String {
        let mut wider = self.text.to_owned();
        for word in words_of(self.text).windows(1).chain(words_of(self.text).windows(2)) {
            let phrase: Vec<u64> = word.iter().map(|word| word.stem).collect();
            for word in related(&phrase) {
                wider.push(' ');
                wider.push_str(word);
            }
        }
        wider
    }

    /// The documents that are about the subject, best first, as (index, score). A subject that names nothing that is
    /// known by words is answered as a topic is.
    pub fn rank(&self, documents: &[Document<'_>]) -> Vec<(usize, f64)> {
        // What news on the subject would be written from is about it; where that is little, more is looked for.
        // A short word shares its stem with others: a car is no care.
        let has_short = self.text.split(|c: char| !c.is_alphabetic()).any(|word| {
            (2..=4).contains(&word.len()) && word.chars().all(char::is_lowercase) && !is_stop_word(word)
        });
        let plain =
            if has_short && !self.concepts.is_empty() { Vec::new() } else { rank(self.text, documents) };
        let fits =
            |index: &usize| self.concepts.is_empty() || self.told(&Parts::of(&documents[*index])).is_some();
        let plain: Vec<(usize, f64)> = plain.into_iter().filter(|(index, _)| fits(index)).collect();
        if self.concepts.is_empty() || plain.len() >= FEW {
            return plain;
        }
        let mut ranked: Vec<(usize, Told)> = documents
            .iter()
            .enumerate()
            .filter_map(|(index, document)| Some((index, self.told(&Parts::of(document))?)))
            .collect();
        // What no document tells of makes none of them better.
        let count = ranked.first().map_or(0, |(_, told)| told.aside.len());
        let is_told = |place: &usize| ranked.iter().any(|(_, told)| told.aside[*place] >= NEEDED);
        let counted: Vec<usize> = (0..count).filter(is_told).collect();
        let score = |told: &Told| {
            let aside = counted.iter().map(|place| told.aside[*place]).sum::<f64>();
            (told.subject + OF_SOFT * aside) / (1.0 + OF_SOFT * counted.len() as f64)
        };
        let mut ranked: Vec<(usize, f64)> =
            ranked.drain(..).map(|(index, told)| (index, score(&told))).collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        let best = ranked.first().map_or(0.0, |(_, score)| *score);
        let near = |share: f64| ranked.iter().take_while(|(_, score)| *score >= best * share).count();
        let kept = near(SHARE_OF_BEST).max(near(SHARE_OF_FEW).min(FEW));
        ranked.truncate(kept);
        ranked.retain(|(index, _)| !plain.iter().any(|(other, _)| other == index));
        plain.into_iter().chain(ranked).collect()
    }

    /// What a document tells of the subject; nothing where it is not about it.
    fn told(&self, parts: &Parts) -> Option<Told> {
        let of = |is_soft: bool| self.concepts.iter().filter(move |concept| concept.is_soft == is_soft);
        let aside: Vec<f64> = of(true).map(|concept| concept.strength(parts)).collect();
        let concepts: Vec<&Concept> = of(false).collect();
        let mut needed: Vec<f64> = concepts
            .chunk_by(|_, next| next.is_tied)
            .map(|tied| {
                let strengths: Vec<f64> = tied.iter().map(|concept| concept.strength(parts)).collect();
                let most = strengths.iter().copied().fold(0.0, f64::max);
                let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
                OF_ONE * most + (1.0 - OF_ONE) * mean
            })
            .collect();
        needed.sort_by(f64::total_cmp);
        // Of many concepts one may be missing.
        let weakest = needed.get(usize::from(needed.len() >= MANY)).copied().unwrap_or_default();
        let mean = needed.iter().sum::<f64>() / needed.len() as f64;
        let subject = (1.0 - OF_WEAKEST) * mean + OF_WEAKEST * weakest;
        let is_about = weakest >= NEEDED && mean >= NEEDED_OF_ALL && subject >= LEAST;
        (is_about && (!self.is_of_field || parts.is_of_field())).then_some(Told { subject, aside })
    }
}

/// What a document tells of a subject.
struct Told {
    /// Of what it names.
    subject: f64,
    /// Of each thing by which it says how, for whom or to what end.
    aside: Vec<f64>,
}

impl Concept {
    fn of(phrase: Vec<u64>) -> Self {
        let mut own = vec![phrase.clone()];
        for (short, long) in SHORT_FORMS {
            let (short, long) = (stems(short), long.iter().flat_map(|word| stems(word)).collect::<Vec<_>>());
            if phrase == short {
                own.push(long);
            } else if phrase == long {
                own.push(short);
            }
        }
        if own[0] == stems("language model") {
            own.extend(["llm", "lm", "mllm", "chatbot"].map(stems));
        }
        let related = related(&phrase).into_iter().map(stems).collect();
        let is_wide = WIDE.split(", ").any(|wide| own.contains(&stems(wide)));
        Self { is_soft: false, is_tied: false, is_wide, own, related }
    }

    /// How much a document is about it, from 0 to about 1.2.
    fn strength(&self, parts: &Parts) -> f64 {
        let count = |words: &[u64], ways: &[Vec<u64>]| {
            ways.iter()
                .filter(|way| words.windows(way.len().max(1)).any(|window| window == way.as_slice()))
                .count()
        };
        let of_each = |ways: &[Vec<u64>]| -> Vec<usize> {
            parts.sentences.iter().map(|sentence| count(sentence, ways)).collect()
        };
        let (own, related) = (of_each(&self.own), of_each(&self.related));
        let place = |found: &[usize], is_in_title: bool| {
            let sentences = found.iter().filter(|count| **count > 0).count();
            let is_in_opening = found.iter().take(OPENING).any(|count| *count > 0);
            match (is_in_title, is_in_opening, sentences) {
                (true, _, 1..) => 1.0,
                (true, _, 0) => 0.75,
                (_, true, 2..) => 0.7,
                (_, _, 3..) => 0.65,
                (_, true, _) if !parts.is_paper => 0.5,
                (_, _, 2) => 0.5,
                (_, _, 1) => MENTIONED,
                _ => 0.0,
            }
        };
        let of_own = place(&own, count(&parts.title, &self.own) > 0);
        // One related word may be there by chance, two that stand together are not.
        let kinds = self.related.iter().filter(|way| !self.own.contains(way)).filter(|way| {
            let way = std::slice::from_ref(*way);
            count(&parts.title, way) > 0 || parts.sentences.iter().any(|sentence| count(sentence, way) > 0)
        });
        let kinds = kinds.map(|way| way.len().min(2)).take(4).sum::<usize>();
        let share = match kinds {
            0 => 0.0,
            1 => 0.45,
            2 => 0.85,
            _ => 0.95,
        };
        // A word without any that belongs to it may mean something else: the regulation of entropy.
        let of_own =
            if kinds == 0 && self.related.len() >= USUAL { of_own * WITHOUT_RELATED } else { of_own };
        let of_related = share * place(&related, count(&parts.title, &self.related) > 0);
        let told = own.iter().zip(&related).filter(|(own, related)| **own + **related > 0).count();
        let density = told as f64 / parts.sentences.len().max(1) as f64;
        let of_own = if self.is_wide && of_own > 0.0 { of_own.max(OF_WIDE) } else { of_own };
        of_own.max(of_related).max(((of_own + of_related) / 1.5).min(0.9)) + 0.2 * density.min(1.0)
    }
}

impl Parts {
    fn of(document: &Document<'_>) -> Self {
        let body = clean_article(&document.body[..document.body.floor_char_boundary(READ)]);
        let told =
            sentences(&body).into_iter().map(|sentence| sentence.text).filter(|text| !is_of_files(text));
        let sentences: Vec<Vec<u64>> = told.map(without_set_phrases).map(|text| stems(&text)).collect();
        let own = stems("we");
        let is_paper = sentences.iter().skip(1).any(|sentence| sentence.starts_with(&own));
        Self { title: stems(&without_set_phrases(document.title)), sentences, is_paper }
    }

    fn is_of_field(&self) -> bool {
        let words: Vec<Vec<u64>> = OF_FIELD.split(", ").map(stems).collect();
        let has =
            |part: &Vec<u64>| words.iter().any(|word| part.windows(word.len()).any(|window| window == word));
        has(&self.title)
            || self.sentences.iter().take(OPENING).any(has)
            || self.sentences.iter().filter(|part| has(part)).count() > 2
    }
}

/// Whether a sentence tells where the files of a work are.
fn is_of_files(sentence: &str) -> bool {
    ["available at", "available on", "publicly available", "http", "github"]
        .iter()
        .any(|mark| sentence.to_lowercase().contains(mark))
}

/// A text without what is said of anything with a word that means something else by itself.
fn without_set_phrases(text: &str) -> String {
    ["state-of-the-art", "state of the art", "State-of-the-art", "caling law", "caling Law"]
        .iter()
        .fold(text.to_owned(), |text, phrase| text.replace(phrase, ""))
}

/// A word of a subject that is no grammar.
struct SubjectWord {
    stem: u64,
    /// Says by itself what is meant.
    is_telling: bool,
    /// Follows the word before it at once.
    is_next: bool,
    /// Begins a phrase with an activity: "protecting children".
    is_activity: bool,
    /// Stands behind "and" or "or".
    is_tied: bool,
}

fn words_of(text: &str) -> Vec<SubjectWord> {
    let mut words = Vec::new();
    let (mut is_next, mut is_tied) = (false, false);
    each_token(text, 0, text.len(), false, |token: Token| {
        if token.kind == TokenKind::Word && !is_stop(token.key) {
            let is_telling = !is_filler(token.key) && !is_vague(token.key);
            let is_activity = !is_next && text[..token.end as usize].ends_with("ing");
            words.push(SubjectWord { stem: key_of(text, &token), is_telling, is_next, is_activity, is_tied });
            (is_next, is_tied) = (true, false);
        } else {
            let written = &text[token.start as usize..token.end as usize];
            (is_next, is_tied) = (false, matches!(written, "and" | "or"));
        }
    });
    words
}

fn begins(words: &[SubjectWord], phrase: &[u64]) -> bool {
    words.len() >= phrase.len() && words.iter().zip(phrase).all(|(word, stem)| word.stem == *stem)
}

/// Whether so many words from a place on are one expression: one of a short form, one with words that belong to it, or
/// a kind of model.
fn is_fixed(words: &[SubjectWord], at: usize, length: usize) -> bool {
    let Some(window) = words.get(at..at + length) else { return false };
    let phrase: Vec<u64> = window.iter().map(|word| word.stem).collect();
    let is_whole = window[1..].iter().all(|word| word.is_next);
    let is_short_form = || {
        SHORT_FORMS
            .iter()
            .any(|(_, long)| long.iter().flat_map(|word| stems(word)).eq(phrase.iter().copied()))
    };
    let is_model = || MODELS.split(", ").any(|model| stems(model) == phrase);
    length > 1 && is_whole && (!related(&phrase).is_empty() || is_short_form() || is_model())
}

#[cfg(test)]
mod tests;
