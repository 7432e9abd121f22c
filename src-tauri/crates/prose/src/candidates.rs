//! Judges which sentences of an article are worth repeating: what it contributes, and what came of it.
//!
//! Judged by their wording alone, as abstracts and news leads are worded. A sentence that leans on one that is
//! not repeated ("This gap …"), lists with numbers, advertises code or still has marks of a formula is kept
//! out rather than mended. Shared by `extract`, which quotes, and `compose`, which retells.

use crate::citations::citations;
use crate::cues::{
    CAVEATS, CONNECTIVES, CREATING, FINDING, OWN_METHODS, PUBLISHING, RESULTS, SAYING, STUDYING,
};
use crate::lead_ins::without_lead_in;
use crate::measures::{has_measure, has_several_figures};
use crate::paragraphs::clean_article;
use crate::repeatable::{has_cue, is_repeatable};
use crate::sentences::sentences;
use crate::standing::is_twice;
use crate::support::each_content_stem;
use crate::tokens::Keys;

/// A sentence with what speaks for it.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Its place among the sentences of its text.
    pub(crate) index: usize,
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
    for (index, sentence) in all.iter().take(MOST).enumerate() {
        let text = without_lead_in(sentence.text);
        let lower = text.to_lowercase();
        if is_repeatable(text, &lower) {
            let mut candidate = judge(index, text, &lower, &wanted);
            // What the next sentence takes back in part is not the whole result.
            if all.get(index + 1).is_some_and(|next| takes_back(next.text)) {
                candidate.as_result -= OF_TAKEN_BACK;
            }
            found.push(candidate);
        }
    }
    found
}

/// What a figure adds to a result.
const OF_FIGURE: f64 = 1.8;

/// How much less a result is worth that the next sentence takes back in part.
const OF_TAKEN_BACK: f64 = 0.8;

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

fn stems_of(query: &str) -> Keys {
    let mut stems = Keys::default();
    each_content_stem(&query[..query.floor_char_boundary(1000)], |stem| {
        stems.insert(stem);
    });
    stems
}

fn judge(index: usize, text: &str, lower: &str, wanted: &Keys) -> Candidate {
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
    let length = match words {
        0..=6 => -2.0,
        7..=8 => -0.5,
        9..=32 => 0.5,
        33..=42 => 0.0,
        43..=60 => -0.8,
        _ => -2.0,
    };
    let points = points_back(lower);
    let is_leaning = points || is_leaning(lower);
    let leaning = if is_leaning { -3.0 } else { 0.0 };
    let announced = contribution(lower);
    let main = if announced > 1.0 { lower.split_once(", we ") } else { None };
    let main = main.filter(|(lead, _)| lead.len() < 300);
    let pointing = if main.map_or(points, |(_, main)| points_back(main)) { -2.5 } else { 0.0 };
    let result = result(lower);
    // A clause in front of "we propose" can be left out with what it leans on.
    let leads_alone = if announced > 1.0 { 0.0 } else { leaning };
    let told = if announced > 0.0 { announced } else { 0.9 * result - 1.2 };
    // What is only made to be compared with is not the work.
    let told = if announced > 0.0 && is_baseline(lower) { told - 2.0 } else { told };
    let as_lead = told + 0.8 * share + length + leads_alone + pointing - index.min(12) as f64 * 0.2;
    let has_figure = has_measure(lower) || has_several_figures(lower);
    // What a method is called is known behind a title.
    let pointing = if pointing < 0.0 && !lower.contains("our ") { -1.2 } else { 0.0 };

    let empty = if !has_figure && is_empty_praise(lower) { -1.8 } else { 0.0 };
    let others = if is_of_others(lower) { -3.0 } else { 0.0 };
    let caveat = if CAVEATS.iter().any(|word| lower.contains(word)) { -1.2 } else { 0.0 };
    let as_next_result =
        result + others + caveat + empty + if has_figure { OF_FIGURE } else { 0.0 } + 0.5 * share + length;
    let as_result = as_next_result + leaning + pointing;
    Candidate {
        index,
        text: text.to_owned(),
        as_lead,
        as_result,
        as_next_result,
        is_own: announced > 0.0,
        is_leaning,
    }
}

/// Whether a result only says that something is good: nobody learns from it what came of the work.
fn is_empty_praise(lower: &str) -> bool {
    has_cue(
        lower,
        &[
            ("effectiv", &["the effectiveness", "high effectiveness"]),
            ("superior", &["the superiority"]),
            ("efficacy", &["the efficacy"]),
            ("potentia", &["the potential", "strong potential"]),
        ],
    )
}

/// Whether a sentence tells what others did: "Lee et al. found", "the state-of-the-art X achieves".
fn is_of_others(lower: &str) -> bool {
    let start = &lower[..lower.floor_char_boundary(90)];
    start.contains(" et al")
        || [
            "the state-of-the-art ",
            "state-of-the-art ",
            "recent ",
            "previous ",
            "prior ",
            "existing ",
            "earlier ",
        ]
        .iter()
        .any(|others| start.starts_with(others))
}

/// Whether a sentence announces a baseline.
fn is_baseline(lower: &str) -> bool {
    let start = &lower[..lower.floor_char_boundary(120)];
    ["propose a ", "introduce a ", "present a ", "consider a ", "describe a "]
        .iter()
        .filter_map(|verb| start.split_once(verb))
        .any(|(_, made)| made.split_whitespace().take(4).any(|word| word.starts_with("baseline")))
}

/// Whether something inside the sentence can only be understood with the one before it.
fn points_back(lower: &str) -> bool {
    let mut words =
        lower.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    let start = &lower[..lower.floor_char_boundary(40)];
    if start.contains(" them ") || start.contains(" it ") {
        return true;
    }
    let mut before = "";
    words.any(|word| {
        let points = match before {
            "this" | "these" => {
                !matches!(word, "paper" | "work" | "study" | "article" | "report" | "survey")
                    && !is_twice(lower, word)
            }
            "those" => {
                !matches!(word, "who" | "of" | "that" | "which" | "with" | "in" | "without" | "from")
                    && !is_twice(lower, word)
            }
            "such" => !matches!(word, "as" | "that"),
            "both" => matches!(word, "challenges" | "gaps" | "issues" | "limitations" | "problems"),
            "our" => OWN_METHODS.contains(&word),
            _ => word == "thiswork",
        };
        before = word;
        points
    }) || matches!(before, "this" | "these" | "those")
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

/// How plainly a sentence announces what is new.
fn contribution(lower: &str) -> f64 {
    let near = &lower[..lower.floor_char_boundary(340)];
    let we = if near.contains("we ") { near.find("we ") } else { None };
    let after_we = we.filter(|at| *at == 0 || near.as_bytes()[at - 1] == b' ').map(|at| &near[at + 3..]);
    let own_work =
        ["this paper ", "this work ", "this study ", "this article ", "this report ", "this survey "]
            .iter()
            .find_map(|start| near.strip_prefix(start));
    let is_passive = ["is proposed", "are proposed", "is introduced", "is presented", "is developed"];
    let Some(verb) = after_we.or(own_work) else {
        return if is_passive.iter().any(|cue| lower.contains(cue)) { 2.8 } else { 0.0 };
    };
    let mut verbs = verb.split_whitespace().take(3).map(|word| word.trim_end_matches([',', 's']));
    let strength = verbs.find_map(|word| {
        if CREATING.contains(&word) {
            Some(4.0)
        } else if STUDYING.contains(&word) {
            Some(2.6)
        } else {
            // What was found is told as plainly as what was made.
            let strength = if verb.contains(" that ") { 2.6 } else { 1.4 };
            FINDING.contains(&word).then_some(strength)
        }
    });
    let creates_then =
        has_cue(verb, &[("and ", &["and propose ", "and introduce ", "and present ", "and develop "])]);
    let first = verb.split(' ').next().unwrap_or_default().trim_end_matches([',', 's']);
    if PUBLISHING.contains(&first) {
        return 0.4;
    }
    let strength: f64 = strength.unwrap_or(if SAYING.contains(&first) { 0.4 } else { 1.6 });
    (if creates_then { strength.max(4.0) } else { strength }) + if own_work.is_some() { 0.3 } else { 0.0 }
}

/// How plainly a sentence tells what came of it.
fn result(lower: &str) -> f64 {
    let words = lower.as_bytes().split(|byte| *byte == b' ').filter(|word| word.len() > 3);
    let cues = words.filter(|word| RESULTS.iter().any(|cue| begins(word, cue))).count();
    let opening = [
        "however",
        "existing",
        "prior ",
        "while ",
        "although ",
        "despite",
        "recent ",
        "traditional",
        "current ",
    ];
    let background = if opening.iter().any(|start| lower.starts_with(start)) { -1.5 } else { 0.0 };
    let finds =
        ["we find that ", "we found that ", "we show that ", "results show that ", "we observe that "];
    // A finding with its figure is weighed by the figure.
    let found = match finds.iter().any(|start| lower.contains(start)) {
        true if has_measure(lower) => 0.6,
        true => 1.6,
        false => 0.0,
    };
    (cues as f64 * 0.9).min(2.7) + found + background
}

/// Whether a text begins so; most differ in their first letter, and are not compared further.
fn begins(text: &[u8], start: &str) -> bool {
    text.first() == start.as_bytes().first() && text.starts_with(start.as_bytes())
}

/// Whether a sentence cannot be understood without the one before it.
pub(crate) fn is_leaning(lower: &str) -> bool {
    let opening = [
        "it ", "its ", "they ", "their ", "these ", "those ", "this ", "such ", "he ", "she ", "here ",
        "then ",
    ];
    let own = ["this paper", "this work", "this study", "this article", "this report", "this survey"];
    let continuing = [
        "however",
        "in contrast",
        "instead",
        "second",
        "third",
        "fourth",
        "thus",
        "therefore",
        "consequently",
        "as a result",
        "for example",
        "for instance",
        "rather",
        "yet ",
        "but ",
        "and ",
        "or ",
        "so ",
        "hence",
        "conversely",
        "by contrast",
        "otherwise",
        "together,",
        "together these",
        "both ",
        "also",
        "similarly",
        "meanwhile",
        "first,",
        "first ",
        "one ",
        "the former",
        "the latter",
        "the second",
        "the third",
        "the other",
        "another",
        "among these",
        "among them",
        "in this",
        "at this",
        "on this",
        "under this",
        "with this",
        "based on this",
        "to this",
        "for this",
        "from this",
        "through this",
        "using this",
        "beyond this",
        "in such",
        "in these",
        "across these",
        "on these",
        "to address th",
        "unlike th",
        "building on th",
        "motivated by th",
        "in doing so",
        "in turn",
        "in both",
        "like ",
    ];
    let starts = |start: &&str| begins(lower.as_bytes(), start);
    // "In this study" leans on nothing.
    let is_own = |start: &&str| {
        lower.strip_prefix(*start).is_some_and(|rest| {
            own.iter().any(|own| own.strip_prefix("this").is_some_and(|own| rest.starts_with(own)))
        })
    };
    (opening.iter().any(starts) && !own.iter().any(starts))
        || continuing.iter().any(|start| starts(start) && !is_own(start))
}
