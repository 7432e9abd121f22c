//! What a text says of a subject, quoted so that a reader who knows only its title understands it.
//!
//! What a post would tell of it is quoted. Where that cannot be, a quotation begins with the sentence that names the thing:
//! what the writers of a paper announce, or the first one of a report. What stands before it in a paper was known before.
//! Behind it stand findings, those with figures first. Sentences that lean on one that is not quoted are left out; where
//! none can begin, there is no quotation.

mod ties;

use crate::candidates::{Candidate, behind_own_work, candidates, stems_of, without_connective};
use crate::compose::{ArticleText, Language, RESULT, is_paper, language, says_own_work, told_places};
use crate::cues::{CREATING, FINDING, STUDYING};
use crate::known_words::{COMMON_SHORT_FORMS, short_form};
use crate::paragraphs::without_title;
use crate::standing::{Known, Untold, leans_on, stands_alone};
use crate::tokens::Keys;
use crate::words::count_words;
use ties::{has_pronoun, is_tied, names_its_things, points_nowhere};

/// Sentences of a quotation: more of one source is no quotation any more.
const MOST: usize = 4;
/// Characters, each of which counts as a word, in which a Chinese or Japanese text says as much as in an English word.
const CHARACTERS_A_WORD: usize = 2;
/// Sentences of a report among which the one that names the thing is looked for.
const OPENING: usize = 3;
/// What a sentence that is quoted behind the first one is worth at least.
const LEAST_WORTH: f64 = 0.9;
/// What a sentence loses in worth that leans on the one before.
const OF_LEANING: f64 = 3.0;
/// What a sentence loses in worth that is somebody's speech, and one that tells of what had been before.
const OF_SPEECH: f64 = 1.2;
const OF_BEFORE: f64 = 1.0;
/// Characters of a clause that may be left out before "we introduce".
const LONGEST_LEAD: usize = 100;
/// What stands for words that are left out.
const LEFT_OUT: &str = "… ";

/// A sentence that may be quoted.
struct Quoted<'a> {
    candidate: &'a Candidate,
    /// Its words, without a clause that leans on what is not quoted.
    text: String,
    stems: Keys,
    /// Whether the writers say what they made or looked into.
    is_announcing: bool,
}

/// The complete sentences of an article that say most about `query`, as passages of neighbouring sentences in their order:
/// at most `max_words` words together, of a paper in a language with blanks half as many again where its result stands
/// behind those, and twice as many characters of Chinese or Japanese. Empty where no sentence can begin.
pub fn quotation(article: &ArticleText<'_>, query: &str, max_words: usize) -> Vec<String> {
    let (text, title) = (without_title(article.text, article.title), article.title);
    let all = candidates(text, query);
    let is_dense = language(&format!("{title} {text}")) != Language::Spaced;
    let max_words = if is_dense { max_words * CHARACTERS_A_WORD } else { max_words };
    // What others found is no finding of this text.
    let own = all.iter().filter(|candidate| !candidate.text.contains(" et al."));
    let all = own.map(|candidate| Quoted::new(candidate, title));
    let all: Vec<Quoted<'_>> = all.filter(|one| one.words() <= max_words).collect();
    let chosen = as_told(&all, article, (query, is_dense), max_words)
        .or_else(|| from_opening(&all, article, max_words))
        .unwrap_or_default();
    passages(text, &chosen)
}

/// What a post would tell of an article, if it says what came of it and a reader of the title understands it.
fn as_told<'q, 'a>(
    all: &'q [Quoted<'a>],
    article: &ArticleText<'_>,
    (query, is_dense): (&str, bool),
    max_words: usize,
) -> Option<Vec<&'q Quoted<'a>>> {
    let (title, is_paper) = (article.title, is_paper(article));
    let has_to_tell = is_paper && !is_dense;
    let tells = |quoted: &Quoted<'_>| quoted.candidate.as_next_result >= RESULT;
    let to_result = if has_to_tell { max_words * 3 / 2 } else { max_words };
    let told = told_places(query, article, (to_result, max_words))?;
    // A post leaves out asides and cuts what is long; a quotation does not.
    let mut room = to_result;
    let chosen = all.iter().filter(|quoted| told.contains(&quoted.index())).take_while(|quoted| {
        let fits = quoted.words() <= room;
        room = room.saturating_sub(quoted.words());
        fits
    });
    let chosen = understood(&chosen.collect::<Vec<_>>(), title);
    let known = Known::of(title, true);
    let begins = |first: &&Quoted<'_>| {
        is_paper || first.index() == 0 && !is_tied(&first.text) || first.can_begin(&known)
    };
    let tells_enough = !has_to_tell || chosen.iter().any(|quoted| tells(quoted));
    (tells_enough && chosen.first().is_some_and(begins)).then_some(chosen)
}

/// The sentence that names the thing, with findings behind it.
fn from_opening<'q, 'a>(
    all: &'q [Quoted<'a>],
    article: &ArticleText<'_>,
    max_words: usize,
) -> Option<Vec<&'q Quoted<'a>>> {
    let title = article.title;
    let first =
        opening(all, title, is_paper(article)).filter(|first| !has_unknown_short_form(&first.text, title))?;
    let mut chosen = vec![first];
    let mut behind: Vec<&Quoted<'_>> =
        all.iter().filter(|one| one.candidate.index > first.candidate.index).collect();
    behind.sort_by(|one, other| {
        let worth = |quoted: &Quoted<'_>| quoted.worth_behind(first);
        worth(other).total_cmp(&worth(one)).then(one.candidate.index.cmp(&other.candidate.index))
    });
    let mut used = first.words();
    for quoted in behind {
        if chosen.len() == MOST || quoted.worth_behind(first) < LEAST_WORTH {
            break;
        }
        let mut with = chosen.clone();
        with.push(quoted);
        with.sort_by_key(|quoted| quoted.candidate.index);
        if used + quoted.words() <= max_words && can_be_read(&with, title, all) {
            used += quoted.words();
            chosen = with;
        }
    }
    Some(chosen)
}

/// Sentences that stand side by side in a text in one passage each; a label between two ("Results:") parts them.
fn passages(text: &str, chosen: &[&Quoted<'_>]) -> Vec<String> {
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // What stands between two sentences: a blank, or nothing in Chinese and Japanese.
    let between = |one: &Quoted<'_>, other: &Quoted<'_>| {
        let (one, other) = (one.candidate, other.candidate);
        let stands = |between: &&str| plain.contains(&format!("{}{between}{}", one.text, other.text));
        [" ", ""].into_iter().find(|between| other.index == one.index + 1 && stands(between))
    };
    let mut passages: Vec<String> = Vec::new();
    let mut before: Option<&Quoted<'_>> = None;
    for quoted in chosen {
        match (passages.last_mut(), before.and_then(|before| between(before, quoted))) {
            // Behind its neighbour a sentence stands as it is.
            (Some(passage), Some(between)) => {
                passage.push_str(between);
                passage.push_str(&quoted.candidate.text);
            }
            _ => {
                // "Moreover, it …" is tied to what is not quoted.
                let rest = without_connective(&quoted.text);
                let is_cut = rest.len() < quoted.text.len();
                passages.push(if is_cut { format!("{LEFT_OUT}{rest}") } else { quoted.text.clone() });
            }
        }
        before = Some(quoted);
    }
    passages
}

/// The sentence that names the thing.
fn opening<'q, 'a>(all: &'q [Quoted<'a>], title: &str, is_paper: bool) -> Option<&'q Quoted<'a>> {
    let known = Known::of(title, true);
    let opens = |quoted: &&Quoted<'_>| quoted.can_begin(&known);
    let announcing = all.iter().filter(|quoted| quoted.is_announcing);
    let worth = |quoted: &&Quoted<'_>| quoted.candidate.as_lead;
    let best = announcing
        .clone()
        .filter(opens)
        .max_by(|one, other| worth(one).total_cmp(&worth(other)).then(other.index().cmp(&one.index())));
    // A text that speaks of what its title names does so again by the name.
    let of_name = || {
        let name = title.split(':').next().filter(|name| name.len() < title.len())?;
        let is_telling =
            |quoted: &Quoted<'_>| quoted.index() <= OPENING || quoted.candidate.as_result >= LEAST_WORTH;
        all.iter().filter(opens).find(|quoted| quoted.text.starts_with(name) && is_telling(quoted))
    };
    // Where the writers of a paper speak of themselves only further down, the beginning tells what was known before.
    let is_background = |quoted: &Quoted<'_>| {
        is_paper && !is_of_writers(&quoted.text) && all.iter().any(|other| is_of_writers(&other.text))
    };
    let first_of_report = || {
        all.iter().take_while(|quoted| quoted.index() < OPENING).find(|quoted| {
            let names = || quoted.text.split(' ').any(|word| known.has(word)) && !has_pronoun(&quoted.text);
            let begins = if quoted.index() == 0 { !is_tied(&quoted.text) } else { opens(quoted) && names() };
            begins && !is_background(quoted)
        })
    };
    let of_report = || announcing.clone().next().is_none().then(first_of_report).flatten();
    best.or_else(of_name).or_else(of_report)
}

/// Whether the writers of a text speak of themselves or of their work.
fn is_of_writers(text: &str) -> bool {
    if !text.is_ascii() && says_own_work(text) {
        return true;
    }
    let mut words = text.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
    let has_own = words.any(|word| matches!(word.as_str(), "we" | "our"));
    !text.contains(['"', '“']) && (has_own || behind_own_work(&text.to_lowercase()).is_some())
}

/// Those of the sentences whose short forms a reader of the title and of the others knows, without what leans on one
/// that is left out.
fn understood<'q, 'a>(chosen: &[&'q Quoted<'a>], title: &str) -> Vec<&'q Quoted<'a>> {
    if chosen.first().is_none_or(|first| has_unknown_short_form(&first.text, title)) {
        return Vec::new();
    }
    let mut told = title.to_owned();
    let mut kept: Vec<&Quoted<'_>> = Vec::new();
    for quoted in chosen {
        let follows = kept.last().is_some_and(|last| last.index() + 1 == quoted.index());
        let is_cut = quoted.text.starts_with(LEFT_OUT);
        // What is chosen to begin leans on nothing.
        let leans_on_left_out = quoted.candidate.is_leaning && !kept.is_empty() && !follows && !is_cut;
        if !leans_on_left_out && !has_unknown_short_form(&quoted.text, &told) {
            told.push_str(&quoted.text);
            kept.push(quoted);
        }
    }
    kept
}

/// Whether a sentence has a short form that is neither common nor in what was told: "WER", "BLEU".
fn has_unknown_short_form(text: &str, told: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter_map(|word| Some((word, short_form(word)?))).any(|(word, bare)| {
        // "WER (12%)" explains nothing.
        let is_letter = |rest: &str| rest.starts_with(char::is_lowercase);
        let behind = || text.split_once(&format!("{word} (")).is_some_and(|(_, rest)| is_letter(rest));
        let is_explained = || text.contains(&format!("({word})")) || behind();
        !COMMON_SHORT_FORMS.contains(&bare) && !told.contains(bare) && !is_explained()
    })
}

/// Whether every sentence, in their order, is understood by who knows the title and those before it.
fn can_be_read(chosen: &[&Quoted<'_>], title: &str, all: &[Quoted<'_>]) -> bool {
    let mut known = Known::of(title, true);
    let mut told = title.to_owned();
    chosen.iter().enumerate().all(|(place, quoted)| {
        let follows = place.checked_sub(1).is_some_and(|before| chosen[before].index() + 1 == quoted.index());
        let is_read = place == 0 || follows || quoted.can_begin(&known) && quoted.is_of(title, chosen[0]);
        let is_left_out = |other: &&Quoted<'_>| {
            other.index() < quoted.index() && !chosen.iter().any(|chosen| chosen.index() == other.index())
        };
        let untold: Vec<Untold<'_>> = all
            .iter()
            .filter(is_left_out)
            .map(|other| Untold { text: &other.text, stems: &other.stems })
            .collect();
        let leans = place > 0 && leans_on(&quoted.text, &known, &untold);
        let is_known = !has_unknown_short_form(&quoted.text, &told);
        known.add(&quoted.text);
        told.push_str(&quoted.text);
        is_read && is_known && !leans
    })
}

impl<'a> Quoted<'a> {
    fn new(candidate: &'a Candidate, title: &str) -> Self {
        let is_announcing = announces(&candidate.text.to_lowercase());
        let hangs = || is_tied(&candidate.text) || !stands_alone(&candidate.text, &Known::of(title, true));
        let text = match without_lead(&candidate.text) {
            Some(rest) if hangs() => format!("{LEFT_OUT}{rest}"),
            _ => candidate.text.clone(),
        };
        Self { candidate, stems: stems_of(&text), text, is_announcing }
    }

    fn index(&self) -> usize {
        self.candidate.index
    }

    fn words(&self) -> usize {
        count_words(&self.text)
    }

    /// Whether it is understood without a sentence before it.
    fn can_begin(&self, known: &Known) -> bool {
        let text = self.text.trim_start_matches(LEFT_OUT);
        let names = || names_its_things(text, known) && !points_nowhere(text);
        !is_tied(text) && stands_alone(text, known) && (self.is_announcing || names())
    }

    /// Whether it speaks of what the title or the first sentence speaks of.
    fn is_of(&self, title: &str, first: &Quoted<'_>) -> bool {
        let of = |known: &Keys| self.stems.iter().filter(|stem| known.contains(stem)).count();
        self.is_announcing || of(&stems_of(title)) > 0 || of(&first.stems) > 1
    }

    /// What it is worth behind the one that names the thing.
    fn worth_behind(&self, first: &Quoted<'_>) -> f64 {
        let figure = if self.text.chars().any(|c| c.is_ascii_digit()) { 0.7 } else { 0.0 };
        let follows = match self.index() == first.index() + 1 {
            // It leans on nothing but what is quoted.
            true if self.candidate.is_leaning => 0.8 + OF_LEANING,
            true => 0.8,
            false => 0.0,
        };
        let is_speech = self.text.contains(['"', '“', '「']);
        let speech = if is_speech { OF_SPEECH } else { 0.0 };
        // What had been before is not what came of it.
        let before = if self.text.contains(" had ") { OF_BEFORE } else { 0.0 };
        self.candidate.as_result + figure + follows - speech - before
    }
}

/// Verbs of what writers did, beside those of making and of looking into something.
const DOING: [&str; 11] = [
    "train",
    "trained",
    "report",
    "measure",
    "measured",
    "instrument",
    "collect",
    "collected",
    "ask",
    "extend",
    "built",
];

/// Verbs among all these that do not say what a text is about.
const NO_SUBJECT: [&str; 7] = ["contribute", "offer", "provide", "publish", "publishe", "release", "use"];

/// Whether the writers of a paper say in a sentence what they made or looked into.
fn announces(lower: &str) -> bool {
    let verb = |rest: &str| {
        let mut words = rest.split(' ').take(3).map(|word| word.trim_end_matches([',', 's']));
        words.any(|word| {
            !NO_SUBJECT.contains(&word)
                && [CREATING.as_slice(), &STUDYING, &FINDING, &DOING]
                    .iter()
                    .any(|verbs| verbs.contains(&word))
        })
    };
    let is_quoted = lower.contains(['"', '“']);
    let own = lower.strip_prefix("we ").or_else(|| lower.split_once(" we ").map(|(_, rest)| rest));
    !is_quoted && (own.is_some_and(verb) || behind_own_work(lower).is_some_and(verb))
}

/// What stands behind a clause that leans on the sentence before: "we introduce …".
fn without_lead(text: &str) -> Option<&str> {
    let at = text.find(", we ").filter(|at| *at <= LONGEST_LEAD)?;
    let rest = &text[at + 2..];
    announces(&rest.to_lowercase()).then_some(rest)
}

#[cfg(test)]
mod tests;
