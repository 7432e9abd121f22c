//! Judges which sentences of an article are worth repeating: what it contributes, and what came of it.
//!
//! Judged by their wording alone, as abstracts and news leads are worded. A sentence that leans on one that is
//! not repeated ("This gap …"), lists with numbers, advertises code or still has marks of a formula is kept
//! out rather than mended. Shared by `extract`, which quotes, and `compose`, which retells.

use crate::citations::citations;
use crate::cues::{CONNECTIVES, CREATING, FINDING, OWN_METHODS, RESULTS, STUDYING};
use crate::lead_ins::without_lead_in;
use crate::paragraphs::clean_article;
use crate::repeatable::{has_cue, is_repeatable};
use crate::sentences::sentences;
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
            found.push(judge(index, text, &lower, &wanted));
        }
    }
    found
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
    let as_lead = told + 0.8 * share + length + leads_alone + pointing - index.min(12) as f64 * 0.2;
    let has_figure = has_measure(lower);
    // What a method is called is known behind a title.
    let pointing = if pointing < 0.0 && !lower.contains("our ") { -1.2 } else { 0.0 };

    let empty = if !has_figure && is_empty_praise(lower) { -1.8 } else { 0.0 };
    let as_result =
        result + empty + if has_figure { 1.4 } else { 0.0 } + 0.5 * share + length + leaning + pointing;
    Candidate { index, text: text.to_owned(), as_lead, as_result, is_leaning }
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

/// Whether a figure with a sign of measure stands in it: a share, a factor, points, a score.
fn has_measure(lower: &str) -> bool {
    if !lower.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let mut before = ' ';
    lower.char_indices().any(|(at, character)| {
        let is_start = character.is_ascii_digit() && !before.is_alphanumeric() && before != '-';
        before = character;
        is_start && {
            let rest = lower[at..]
                .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '–'));
            let rest = rest.trim_start();
            [
                "%", "×", "x ", "percent", "per cent", "point", "pp", "times", "fold", "db", "hours", "ms",
                "fewer",
            ]
            .iter()
            .any(|sign| rest.starts_with(sign))
                || lower[at..].starts_with("0.")
        }
    })
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
            "this" | "these" | "those" => {
                !matches!(word, "paper" | "work" | "study" | "article" | "report" | "survey")
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
            FINDING.contains(&word).then_some(1.4)
        }
    });
    let creates_then =
        has_cue(verb, &[("and ", &["and propose ", "and introduce ", "and present ", "and develop "])]);
    let strength: f64 = strength.unwrap_or(0.9);
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
    (cues as f64 * 0.9).min(2.7) + background
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
    let begins = |start: &&str| begins(lower.as_bytes(), start);
    (opening.iter().any(begins) && !own.iter().any(begins)) || continuing.iter().any(begins)
}

/// Whether every bracket and quotation that opens also closes.
pub(crate) fn is_balanced(text: &str) -> bool {
    // Most have none; all bytes are looked at together, without a branch.
    let may_pair = |byte: u8| {
        let is_round = (byte == b'(') | (byte == b')');
        let is_square = (byte == b'[') | (byte == b']');
        is_round | is_square | (byte == b'"') | !byte.is_ascii()
    };
    if !text.bytes().fold(false, |found, byte| found | may_pair(byte)) {
        return true;
    }
    let mut open: Vec<char> = Vec::new();
    let mut straight = 0;
    for character in text.chars() {
        let closer = match character {
            '(' => Some(')'),
            '[' => Some(']'),
            '“' => Some('”'),
            '「' => Some('」'),
            '『' => Some('』'),
            '（' => Some('）'),
            _ => None,
        };
        if let Some(closer) = closer {
            open.push(closer);
        } else if matches!(character, ')' | ']' | '”' | '」' | '』' | '）') && open.pop() != Some(character)
        {
            return false;
        }
        straight += usize::from(character == '"');
    }
    open.is_empty() && straight % 2 == 0
}
