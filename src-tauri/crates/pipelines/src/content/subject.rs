//! What a request is about: the words to search for, taken out of a sentence that asks for a text.

use std::cmp::Reverse;

use engine::Acted;
use kernel::{Delta, Phrase};

use super::subject_words::{KINDS, MANNERS, MARKERS, NOTHING, OPENINGS, READERS};
use crate::registry::{FunctionContext, Registry, Run};
use crate::template::one_line;

/// Characters of a subject.
const LONGEST: usize = 160;

pub(super) fn register(registry: &mut Registry) {
    registry.run.insert("find_subject", find_subject as Run);
}

fn find_subject(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let subject = subject_of(context.text("input_text"));
    Ok(Acted { delta: Delta::of("text_subject", serde_json::json!(subject)), ..Acted::default() })
}

/// The subject of a request: what it names as such, else its first sentence.
pub(crate) fn subject_of(request: &str) -> String {
    let first = request.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let end = sentence_end(first);
    let first = first[..end].trim().trim_end_matches(['.', '!', '?', '。', '！', '？', '：', ':']);
    let found = dense(first).unwrap_or_else(|| english(first)).trim();
    let found = if found.is_empty() { first } else { found };
    one_line(&found.chars().take(LONGEST).collect::<String>())
}

/// What a text is called that a request asks for: its subject with what is asked of it.
pub(super) fn title_of(request: &str) -> String {
    let first = request.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let first = &first[..sentence_end(first)];
    let is_question = first.ends_with(['?', '？']) && first.chars().count() <= LONGEST;
    if is_question || dense(first).is_some() {
        return if is_question { one_line(first) } else { subject_of(request) };
    }
    let first = first.trim_end_matches(['.', '!', ':']);
    let lower = first.to_ascii_lowercase();
    let is_asked = |at: usize| ["how ", "why ", "what "].iter().any(|word| lower[at..].starts_with(word));
    let mut start = marked(&lower).unwrap_or(0);
    while let Some(opening) = OPENINGS.iter().find(|opening| lower[start..].starts_with(**opening))
        && !is_asked(start)
    {
        start += opening.len();
    }
    let title = first.get(start..end_of_title(&lower, start)).unwrap_or_default().trim();
    one_line(&if title.is_empty() { first } else { title }.chars().take(LONGEST).collect::<String>())
}

/// Where the first sentence ends; a stop inside a word or a number ends none.
fn sentence_end(line: &str) -> usize {
    let stops = line.match_indices(['.', '!', '?', '。', '！', '？']);
    let mut ends = stops.map(|(at, stop)| (at + stop.len(), stop));
    let is_end = |(end, stop): &(usize, &str)| {
        !stop.is_ascii() || line[*end..].chars().next().is_none_or(char::is_whitespace)
    };
    ends.find(is_end).map_or(line.len(), |(end, _)| end)
}

fn english(sentence: &str) -> &str {
    // Lower case changes no place in ASCII; other letters stay.
    let lower = sentence.to_ascii_lowercase();
    let start = marked(&lower).filter(|start| !asks_of_others(&lower[..*start]));
    let start = start.or_else(|| opened(&lower)).unwrap_or(0);
    let mut rest = start..behind(&lower, start);
    // "how attention works" is asked about attention.
    let question = ["how ", "why ", "what "].iter().find(|word| lower[rest.clone()].starts_with(**word));
    rest.start += question.map_or(0, |word| word.len());
    if question.is_some()
        && let Some(at) = [" works ", " work "].iter().find_map(|verb| lower[rest.clone()].find(verb))
    {
        rest.end = rest.start + at;
    }
    let verbs = [" works", " work", " is", " are"].iter().take(if question.is_some() { 4 } else { 2 });
    let verb = verbs.into_iter().find(|verb| lower[rest.clone()].ends_with(**verb));
    rest.end -= verb.map_or(0, |verb| verb.len());
    sentence.get(rest).unwrap_or_default()
}

/// Whether a question asks what somebody says or does about something: "what do courts say about".
fn asks_of_others(before: &str) -> bool {
    const ASKING: [&str; 6] = ["explain", "know", "please", "say", "tell", "write"];
    let is_question = ["how ", "what ", "why "].iter().any(|word| before.starts_with(word));
    let mut words = before.split(' ').filter(|word| !word.is_empty());
    is_question && words.any(|word| !prose::is_stop_word(word) && !ASKING.contains(&word))
}

/// Where the subject begins behind the first word that stands before one.
fn marked(lower: &str) -> Option<usize> {
    let begins_word = |at: usize| at == 0 || lower.as_bytes()[at - 1] == b' ';
    let markers = MARKERS.iter().flat_map(|marker| lower.match_indices(marker));
    let named = markers
        .filter(|(at, _)| begins_word(*at) && !is_in_clause(&lower[..*at]))
        .map(|(at, marker)| at + marker.len())
        // "about 800 words" is a length, "about it" says nothing.
        .filter(|start| {
            let next = lower[*start..].split(' ').next().unwrap_or_default();
            !next.starts_with(|first: char| first.is_ascii_digit()) && !NOTHING.contains(&next)
        });
    let on = lower.match_indices(" on ").filter_map(|(at, on)| {
        let before = lower[..at].rsplit(' ').next().unwrap_or_default();
        KINDS.contains(&before).then_some(at + on.len())
    });
    named.chain(on).min()
}

/// "Algorithms that decide about workers": what a clause says of a thing, unless of the text that is asked for.
fn is_in_clause(before: &str) -> bool {
    // "When algorithms decide about people" is a subject whole.
    let begins = ["if ", "when ", "where ", "whether ", "who "].iter().any(|word| before.starts_with(word));
    if begins && !before.contains(", ") {
        return true;
    }
    let mut words = before.split(' ').filter(|word| !word.is_empty()).rev().skip(1);
    words.next().is_some_and(|word| matches!(word, "that" | "which" | "who"))
        && words.next().is_some_and(|thing| !KINDS.contains(&thing))
}

/// Where the subject begins behind what a request begins with.
fn opened(lower: &str) -> Option<usize> {
    let mut start = 0;
    while let Some(opening) = OPENINGS.iter().find(|opening| lower[start..].starts_with(**opening)) {
        start += opening.len();
    }
    (start > 0 && start < lower.len()).then_some(start)
}

/// Where the subject ends: as the title, and before what is said beside it.
fn behind(lower: &str, start: usize) -> usize {
    let rest = &lower[start..end_of_title(lower, start)];
    let asides = ASIDES
        .iter()
        .flat_map(|aside| rest.match_indices(aside))
        .map(|(at, _)| at)
        // One word before a colon is a kind of text more often than a subject.
        .filter(|at| rest[..*at].contains(' '));
    start + asides.min().unwrap_or(rest.len())
}

/// Where the title ends: before who reads it, how it is written and how long it is.
fn end_of_title(lower: &str, start: usize) -> usize {
    let rest = &lower[start..];
    let next = |from: usize| {
        rest[from..].trim_start().split([' ', ',', ';']).next().unwrap_or_default().trim_end_matches('.')
    };
    let is_length = |from: usize| {
        let words = rest[from..].trim_start();
        let words = ["about ", "around ", "roughly ", "under ", "at most "]
            .iter()
            .fold(words, |words, word| words.strip_prefix(word).unwrap_or(words));
        words.starts_with(|first: char| first.is_ascii_digit()) && words.contains(" words")
    };
    let cuts: [(&str, &[&str]); 7] = [
        (" for ", &READERS),
        (" to ", &READERS),
        (" aimed at ", &[]),
        (" in ", &MANNERS),
        (" with ", &MANNERS),
        (", ", &MANNERS),
        (" (", &[]),
    ];
    let listed = cuts.iter().flat_map(|(cut, followers)| {
        rest.match_indices(cut).filter_map(move |(at, cut)| {
            let is_cut = match followers.is_empty() {
                true => *cut != *" (" || is_length(at + cut.len()),
                false => followers.contains(&next(at + cut.len())),
            };
            (at > 0 && is_cut).then_some(at)
        })
    });
    let lengths = [" of ", " in ", " under "]
        .iter()
        .flat_map(|cut| rest.match_indices(cut))
        .filter(|(at, cut)| *at > 0 && is_length(at + cut.len()))
        .map(|(at, _)| at);
    start + listed.chain(lengths).min().unwrap_or(rest.len())
}

/// What a title says beside its subject begins so.
const ASIDES: [&str; 12] = [
    ": ",
    " and how ",
    " and what ",
    " and when ",
    " and whether ",
    " and why ",
    ", and how ",
    ", and what ",
    ", and when ",
    ", and why ",
    ", told by ",
    " – ",
];

/// What stands before a subject in Chinese, and what may follow it.
const BEFORE: [&str; 14] = [
    "关于",
    "有关",
    "介绍一下",
    "介绍",
    "解释一下",
    "解释",
    "讲解",
    "说明",
    "比较",
    "对比",
    "什么是",
    "为什么",
    "概述",
    "谈谈",
];
const AFTER: [&str; 16] = [
    "的博客",
    "的技术",
    "的文章",
    "的介绍",
    "的故事",
    "的文档",
    "的说明",
    "的长文",
    "是什么",
    "是如何工作的",
    "如何工作",
    "的工作原理",
    "的解释",
    "的讲解",
    "的概述",
    "的科普",
];
/// What follows a subject in Japanese.
const BEHIND: [&str; 18] = [
    "についての",
    "について",
    "に関する",
    "を解説",
    "を説明",
    "を紹介",
    "を比較",
    "を教え",
    "を書",
    "とは何",
    "とは",
    "の解説",
    "の紹介",
    "の説明",
    "の記事",
    "のブログ",
    "を初心者",
    "を専門家",
];

/// What is asked of a subject that stands before a colon.
const ASKED: [&str; 6] = ["如何", "怎么", "怎样", "为什么", "什么", "どう"];

fn dense(sentence: &str) -> Option<&str> {
    let is_dense = |letter: char| prose::is_ideographic(letter) || prose::is_hiragana(letter);
    if !sentence.chars().any(is_dense) {
        return None;
    }
    if let Some(end) = BEHIND.iter().filter_map(|behind| sentence.find(behind)).filter(|end| *end > 0).min() {
        let start = ["向けに、", "向けに", "ください、", "として、"]
            .iter()
            .filter_map(|before| Some(sentence[..end].find(before)? + before.len()))
            .max();
        return Some(&sentence[start.unwrap_or(0)..end]);
    }
    let found = BEFORE.iter().filter_map(|before| Some((sentence.find(before)?, before.len())));
    let start = found.min_by_key(|(at, length)| (*at, Reverse(*length))).map(|(at, length)| at + length);
    let end = |from: usize| {
        let ends = AFTER.iter().filter_map(|after| sentence[from..].find(after)).filter(|end| *end > 0);
        from + ends.min().unwrap_or(sentence.len() - from)
    };
    let question = ["：", ":", "，"].iter().find_map(|mark| {
        let (subject, asked) = sentence.split_once(mark)?;
        ASKED.iter().any(|word| asked.contains(word)).then_some(subject).filter(|subject| !subject.is_empty())
    });
    match start {
        Some(start) => Some(&sentence[start..end(start)]),
        None if question.is_some() => question,
        None => {
            let end = end(0);
            (end < sentence.len()).then(|| without_order(&sentence[..end]))
        }
    }
}

/// A sentence without the words that order a text: 请写一篇 ….
fn without_order(sentence: &str) -> &str {
    let orders = ["写一篇", "写一份", "写篇", "写一个", "写一段"];
    let start = orders.iter().filter_map(|order| Some(sentence.find(order)? + order.len())).max();
    let rest = &sentence[start.unwrap_or(0)..];
    rest.trim_start_matches("给我").trim_start_matches("请")
}
