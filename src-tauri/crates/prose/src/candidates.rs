//! Judges which sentences of an article are worth repeating: what it contributes, and what came of it.
//!
//! Judged by their wording alone, as abstracts and news leads are worded. A sentence that leans on one that is
//! not repeated ("This gap …"), lists with numbers, advertises code or still has marks of a formula is kept
//! out rather than mended. Shared by `extract`, which quotes, and `compose`, which retells.

mod leaning;
mod outcome;

use crate::characters::is_ideographic;
use crate::citations::citations;
use crate::cues::{CAVEATS, CONNECTIVES};
use crate::lead_ins::{Part, part_of, without_lead_in};
use crate::measures::{has_measure, has_several_figures};
use crate::paragraphs::clean_article;
use crate::repeatable::is_repeatable;
use crate::sentences::sentences;
use crate::support::each_content_stem;
use crate::tokens::Keys;
use leaning::{begins_in_own_work, names_own_method, points_back};
pub(crate) use leaning::{
    behind_own_work, is_bare_behind_clause, is_leaning, is_leaning_on_number, is_of_own_work,
};
use outcome::{
    contribution, describes_data, is_baseline, is_empty_praise, is_of_others, result, result_cues,
};

/// A sentence with what speaks for it.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Its place among the sentences of its text.
    pub(crate) index: usize,
    /// The place of the sentence before it that is no label.
    pub(crate) behind: Option<usize>,
    /// Plain text with its full stop.
    pub(crate) text: String,
    /// How well it says what the article is about.
    pub(crate) as_lead: f64,
    /// How well it says what was found.
    pub(crate) as_result: f64,
    /// The same where it is told right behind the sentence that it leans on.
    pub(crate) as_next_result: f64,
    /// Says what its writers did themselves: "we propose", "this paper studies".
    pub(crate) is_own: bool,
    /// The part of a structured abstract that it stands in.
    pub(crate) part: Option<Part>,
    /// Tells what others did, or what is only made to be compared with.
    pub(crate) is_of_others: bool,
    /// Leans on the sentence before it.
    pub(crate) is_leaning: bool,
}

/// Sentences of a text beyond which the rest is not judged: an abstract has ten.
const MOST: usize = 60;

/// The repeatable sentences of a text, in order, judged for a query.
pub(crate) fn candidates(text: &str, query: &str) -> Vec<Candidate> {
    // Braces that clean keeps for templates are LaTeX's in an abstract.
    let mut text = clean_article(&text[..text.floor_char_boundary(20_000)]);
    text.retain(|character| !matches!(character, '{' | '}'));
    let mut text = without_citations(&text);
    for (apart, joined) in [(" ,", ","), (" .", ".")] {
        if text.contains(apart) {
            text = text.replace(apart, joined);
        }
    }
    let wanted = stems_of(query);
    let mut found = Vec::new();
    let all = sentences(&text);
    let mut behind = None;
    let (mut part, mut bare_label) = (None, None);
    for (index, sentence) in all.iter().take(MOST).enumerate() {
        let label = part_of(sentence.text).or(bare_label.take());
        part = label.or(part);
        let text = without_lead_in(sentence.text);
        let lower = text.to_lowercase();
        if is_label(&lower) {
            // "Objective." stands before its part.
            bare_label = label;
            continue;
        }
        let behind = behind.replace(index);
        if is_repeatable(text, &lower) {
            let mut candidate = Candidate { behind, ..judge(index, text, &lower, &wanted) };
            // What the next sentence takes back in part is not the whole result.
            if all.get(index + 1).is_some_and(|next| takes_back(next.text)) {
                candidate.as_result -= OF_TAKEN_BACK;
            }
            candidate.weigh(part);
            // "Trial in 18 wards" behind a label is no sentence.
            let is_labelled = matches!(label, Some(Part::Background | Part::Methods));
            if !is_labelled || text.chars().any(is_ideographic) || has_verb(&lower) {
                found.push(candidate);
            }
        }
    }
    found
}

/// What it adds to what was made that a sentence begins with a name in capitals and small letters.
const OF_MADE_NAME: f64 = 1.8;

/// Whether a sentence begins with a name as writers give it to what they made: "SpellStream treats the hand as …".
fn opens_with_made_name(text: &str) -> bool {
    const OTHERS: [&str; 10] = [
        "ChatGPT", "DeepSeek", "GitHub", "ImageNet", "LinkedIn", "OpenAI", "TikTok", "WhatsApp", "WordNet",
        "YouTube",
    ];
    let first = text.split(' ').next().unwrap_or_default();
    let letters: Vec<char> = first.chars().collect();
    let has_hump = letters
        .windows(3)
        .any(|window| window[0].is_lowercase() && window[1].is_uppercase() && window[2].is_lowercase());
    has_hump && letters.iter().all(|letter| letter.is_alphanumeric()) && !OTHERS.contains(&first)
}

/// What is held against a result that speaks of "our method".
const OF_OWN_METHOD: f64 = -0.4;

/// What a figure adds to a result.
const OF_FIGURE: f64 = 1.8;

/// Words of a label.
const LONGEST_LABEL: usize = 4;
/// What words of outcome add to a result with a figure at most.
const MOST_BESIDE_FIGURE: f64 = 1.6;
/// The same where the figure tells no outcome.
const MOST_OF_NO_OUTCOME: f64 = 1.2;
/// Words of a short sentence, and what its length adds where it tells a figure.
const SHORT: usize = 8;
const OF_SHORT: f64 = 0.4;

/// How much less a result is worth that the next sentence takes back in part.
const OF_TAKEN_BACK: f64 = 0.8;

impl Candidate {
    /// Takes into account in which part of a structured abstract it stands.
    fn weigh(&mut self, part: Option<Part>) {
        let (lead, result) = match part {
            Some(Part::Background) => (OF_BACKGROUND, OF_BACKGROUND),
            // What was done is told there in the passive, too.
            Some(Part::Methods) => (if self.is_own { 0.0 } else { OF_METHODS }, OF_BACKGROUND),
            Some(Part::Results) => (0.0, OF_PART),
            Some(Part::Conclusions) => (0.0, OF_PART / 2.0),
            None => (0.0, 0.0),
        };
        self.as_lead += lead;
        self.as_result += result;
        self.as_next_result += result;
        self.is_own |= part == Some(Part::Methods);
        self.part = part;
    }
}

/// What the part of a structured abstract adds or takes.
const OF_BACKGROUND: f64 = -2.5;
const OF_METHODS: f64 = 2.6;
const OF_PART: f64 = 0.6;

/// Whether a few words without verb and figure only name what follows: "Fewer false alarms.", "Disk-based index."
fn is_label(lower: &str) -> bool {
    const VERBS: [&str; 47] = [
        "are", "beat", "became", "began", "broke", "came", "can", "did", "do", "does", "fell", "found",
        "gave", "got", "grew", "had", "has", "have", "held", "helps", "is", "kept", "led", "left", "lost",
        "made", "met", "paid", "ran", "remain", "remains", "rose", "said", "saw", "sold", "spoke", "stood",
        "took", "told", "was", "went", "were", "will", "won", "wrote", "matters", "varies",
    ];
    const SUBJECTS: [&str; 10] =
        ["we", "it", "they", "he", "she", "this", "these", "that", "nobody", "everybody"];
    let words =
        || lower.split(|c: char| !c.is_alphanumeric() && !"'-".contains(c)).filter(|word| !word.is_empty());
    let is_verb = |word: &str| VERBS.contains(&word) || word.ends_with("ed") && !word.contains('-');
    let begins = words().next().is_some_and(|word| SUBJECTS.contains(&word));
    let is_short = !begins && words().count() <= LONGEST_LABEL;
    is_short && lower.is_ascii() && !words().any(is_verb) && !lower.contains(|c: char| c.is_ascii_digit())
}

/// Whether something is said of somebody, in the words by which abstracts do so; "to find out if …" says nothing yet.
fn has_verb(lower: &str) -> bool {
    const VERBS: [&str; 11] = ["are", "did", "do", "does", "had", "has", "have", "is", "was", "we", "were"];
    let is_verb = |word: &str| VERBS.contains(&word) || word.ends_with("ed") && !word.contains('-');
    // "486 adults, randomised to …" and "injuries that led to …" only say of which kind they are.
    let is_told = |clause: &str| {
        let mut words =
            clause.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
        let mut of_which_kind = false;
        words.next().is_some_and(|first| VERBS.contains(&first))
            || words.any(|word| {
                let is_told = is_verb(word) && !of_which_kind;
                of_which_kind = matches!(word, "that" | "which" | "who") || of_which_kind && !is_verb(word);
                is_told
            })
    };
    !lower.starts_with("to ") && lower.split(", ").any(is_told)
}

/// Whether a sentence sets itself against the one before it.
fn takes_back(sentence: &str) -> bool {
    ["However,", "But ", "Yet ", "Nevertheless,", "Still,"].iter().any(|start| sentence.starts_with(start))
}

/// A text without its own numbered citations: in another text they would name other sources.
pub(crate) fn without_citations(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for citation in citations(text) {
        // A range gives several citations with one bracket.
        if citation.start >= from {
            out.push_str(text[from..citation.start].trim_end());
            from = citation.end;
        }
    }
    out.push_str(&text[from..]);
    out
}

/// The stems of the content words of a short text.
pub(crate) fn stems_of(text: &str) -> Keys {
    let mut stems = Keys::default();
    each_content_stem(&text[..text.floor_char_boundary(1000)], |stem| {
        stems.insert(stem);
    });
    stems
}

fn judge(index: usize, text: &str, lower: &str, wanted: &Keys) -> Candidate {
    let begins_in_own_work = begins_in_own_work(lower);
    let lower = without_connective(lower);
    let words = lower.split_ascii_whitespace().count();
    let mut hits = Keys::default();
    if !wanted.is_empty() {
        each_content_stem(text, |stem| {
            if wanted.contains(&stem) {
                hits.insert(stem);
            }
        });
    }
    let share = if wanted.is_empty() { 0.0 } else { hits.len() as f64 / wanted.len() as f64 };
    let has_figure = has_measure(lower) || has_several_figures(lower);
    let length = match words {
        0..=6 => -2.0,
        7..=8 => -0.5,
        9..=32 => 0.5,
        33..=42 if has_figure => 0.5,
        33..=42 => 0.0,
        43..=60 if has_figure => 0.0,
        43..=60 => -0.8,
        _ => -2.0,
    };
    let points = points_back(lower);
    let is_leaning = points || is_leaning(lower);
    let leaning = if is_leaning { -3.0 } else { 0.0 };
    let names_method = names_own_method(lower);
    let announced = contribution(lower);
    // "To test this we took 4,000 pairs" needs no comma.
    let parted =
        || lower.split_once(", we ").or_else(|| lower.split_once(" we ").filter(|(lead, _)| lead.len() < 40));
    let parted = if announced > 1.0 { parted() } else { None };
    let main = parted.filter(|(lead, _)| lead.len() < 300);
    // "Our system compares …" says what was made.
    let begins_own = lower.starts_with("our ");
    let points_at_own = |text: &str| points_back(text) || names_own_method(text);
    let pointing = if begins_own && !points {
        0.0
    } else if main.map_or(points || names_method, |(_, main)| points_at_own(main)) {
        -2.5
    } else {
        0.0
    };
    let cues = result_cues(lower);
    let result = result(lower, cues);
    // A clause in front of "we propose" can be left out with what it leans on.
    let leads_alone = match announced > 1.0 {
        true => 0.0,
        false if names_method => -3.0,
        false => leaning,
    };
    let told = if announced > 0.0 { announced } else { 0.9 * result - 1.2 };
    // What is only made to be compared with is not the work.
    let is_baseline = is_baseline(lower);
    let told = if announced > 0.0 && is_baseline { told - 2.0 } else { told };
    let names_made = opens_with_made_name(text);
    let made = if names_made && announced <= 0.0 { OF_MADE_NAME } else { 0.0 };
    let as_lead = told + made + 0.8 * share + length + leads_alone + pointing - index.min(12) as f64 * 0.2;
    // What a method is called is known behind a title.
    let pointing = match (pointing < 0.0, names_method) {
        (true, true) => OF_OWN_METHOD,
        (true, false) if !lower.contains("our ") => -1.2,
        _ => 0.0,
    };

    let empty = if !has_figure && is_empty_praise(lower) { -1.8 } else { 0.0 };
    let is_of_others = is_of_others(lower);
    let others = if is_of_others { -3.0 } else { 0.0 };
    // "It had been 34%" before is not what came of the work.
    let before = if lower.contains(" had ") { lower.split_once(" had been ") } else { None };
    let before = before.map_or("", |(_, before)| before);
    let others = if before.starts_with(|c: char| c.is_ascii_digit()) { others - 1.5 } else { others };
    let caveat = if CAVEATS.iter().any(|word| lower.contains(word)) { -1.2 } else { 0.0 };
    // How many were asked for how long is no outcome: "we fine-tune it for 90 hours".
    let is_method = announced > 0.0 && cues == 0;
    let is_no_outcome = has_figure && (is_method || describes_data(lower));
    let figure = if has_figure && !is_no_outcome { OF_FIGURE } else { 0.0 };
    // A figure is a result in few words, too, and more words of outcome make it none the more.
    let (told, length) = match figure > 0.0 {
        true => (result.min(MOST_BESIDE_FIGURE), if words <= SHORT { length.max(OF_SHORT) } else { length }),
        false if is_no_outcome => (result.min(MOST_OF_NO_OUTCOME), length),
        false => (result, length),
    };
    let as_next_result = told + others + caveat + empty + figure + 0.5 * share + length;
    let as_result = as_next_result + leaning + pointing;
    Candidate {
        index,
        behind: None,
        text: text.to_owned(),
        as_lead,
        as_result,
        as_next_result,
        part: None,
        is_of_others: is_of_others || is_baseline,
        is_own: (announced > 0.0 || names_made || begins_in_own_work) && !is_baseline,
        is_leaning,
    }
}

/// A sentence without the words that only tie it to the one before.
pub(crate) fn without_connective(sentence: &str) -> &str {
    let mut rest = sentence;
    while let Some((head, tail)) = rest.split_once(',')
        && let Some(tail) = tail.strip_prefix(' ')
        && CONNECTIVES.iter().any(|connective| head.eq_ignore_ascii_case(connective))
    {
        rest = tail;
    }
    rest
}
