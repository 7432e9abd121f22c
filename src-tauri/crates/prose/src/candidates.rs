//! Judges which sentences of an article are worth repeating: what it contributes, and what came of it.
//!
//! Judged by their wording alone, as abstracts and news leads are worded. A sentence that leans on one that is
//! not repeated ("This gap …"), lists with numbers, advertises code or still has marks of a formula is kept
//! out rather than mended. Shared by `extract`, which quotes, and `compose`, which retells.

use crate::citations::citations;
use crate::cues::{CONNECTIVES, CREATING, FINDING, OWN_METHODS, RESULTS, STUDYING};
use crate::lead_ins::without_lead_in;
use crate::paragraphs::clean_article;
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
    let text = clean_article(&text[..text.floor_char_boundary(20_000)]).replace(['{', '}'], "");
    let text = without_citations(&text).replace(" ,", ",").replace(" .", ".");
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
    let words = lower.split_whitespace().count();
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
    let is_leaning = is_leaning(lower) || points_back(lower);
    let leaning = if is_leaning { -3.0 } else { 0.0 };
    let announced = contribution(lower);
    let main = lower.split_once(", we ").filter(|(lead, _)| announced > 1.0 && lead.len() < 300);
    let pointing = if points_back(main.map_or(lower, |(_, main)| main)) { -2.5 } else { 0.0 };
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
    [
        "the effectiveness",
        "high effectiveness",
        "the superiority",
        "the efficacy",
        "the potential",
        "strong potential",
    ]
    .iter()
    .any(|praise| lower.contains(praise))
}

/// Whether a figure with a sign of measure stands in it: a share, a factor, points, a score.
fn has_measure(lower: &str) -> bool {
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
    while let Some(next) = CONNECTIVES.iter().find_map(|connective| {
        let tail = rest.get(connective.len()..)?.strip_prefix(", ")?;
        rest.get(..connective.len())?.eq_ignore_ascii_case(connective).then_some(tail)
    }) {
        rest = next;
    }
    rest
}

/// How plainly a sentence announces what is new.
fn contribution(lower: &str) -> f64 {
    let near = &lower[..lower.floor_char_boundary(340)];
    let after_we =
        near.find("we ").filter(|at| *at == 0 || near.as_bytes()[at - 1] == b' ').map(|at| &near[at + 3..]);
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
    let creates_then = ["and propose ", "and introduce ", "and present ", "and develop "]
        .iter()
        .any(|cue| verb.contains(cue));
    let strength: f64 = strength.unwrap_or(0.9);
    (if creates_then { strength.max(4.0) } else { strength }) + if own_work.is_some() { 0.3 } else { 0.0 }
}

/// How plainly a sentence tells what came of it.
fn result(lower: &str) -> f64 {
    let is_cue = |word: &&str| {
        let same_letter = RESULTS.iter().filter(|cue| cue.as_bytes().first() == word.as_bytes().first());
        same_letter.clone().any(|cue| word.starts_with(cue))
    };
    let cues = lower.split(' ').filter(|word| word.len() > 3).filter(is_cue).count();
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
    (opening.iter().any(|start| lower.starts_with(start))
        && !own.iter().any(|start| lower.starts_with(start)))
        || continuing.iter().any(|start| lower.starts_with(start))
}

/// Whether a sentence can stand in another text at all.
fn is_repeatable(text: &str, lower: &str) -> bool {
    let is_marked = text.contains(['\\', '©', '…', '|'])
        || lower.starts_with("welcome to")
        || lower.starts_with("stage ")
        || lower.starts_with("step ")
        || lower.contains(": stage 1")
        || [
            "http",
            "www.",
            "github.com",
            "github.io",
            "on github",
            "xxx",
            "$$",
            "...",
            " that method ",
            "propose method",
        ]
        .iter()
        .any(|mark| lower.contains(mark));
    // The path of a file is a mark of the page, not of its text.
    let is_path = |word: &str| {
        word.ends_with('/') || word.contains("./") || word.contains(".git") || word.matches('/').count() > 2
    };
    let is_marked = is_marked || text.split(' ').any(is_path);
    let is_personal = text
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| matches!(word, "I" | "my" | "My" | "me" | "mine" | "Mine"));
    // What a newspaper did itself is told in its voice.
    let is_own_voice =
        ["newspaper", "magazine", "website", "newsletter", "column", "blog"].iter().any(|own| {
            ["this ", "our ", "told this ", "the present "]
                .iter()
                .any(|its| lower.contains(&format!("{its}{own}")))
        });
    let speaks_of_code = [
        "code is",
        "code are",
        "code will",
        "codes are",
        "code and",
        "code, ",
        "source code",
        "project page",
        "available at",
        "available on",
        "publicly available",
        "be made available",
        "will be released",
        "be released",
    ]
    .iter()
    .any(|cue| lower.contains(cue));
    let ends = text.trim_end().ends_with(['.', '!', '。', '！', '”', '」', ')']);
    ends && !is_marked
        && !is_personal
        && !is_own_voice
        && !speaks_of_code
        && is_balanced(text)
        && !text.ends_with("et al.")
}

/// Whether every bracket and quotation that opens also closes.
pub(crate) fn is_balanced(text: &str) -> bool {
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
