//! What a request is about: the words to search for, taken out of a sentence that asks for a text.

use engine::Acted;
use kernel::{Delta, Phrase};

use crate::registry::{FunctionContext, Registry, Run};
use crate::template::one_line;

/// Characters of a subject.
const LONGEST: usize = 160;

/// What stands before the subject in English; the first that a sentence has counts.
const BEFORE: [&str; 9] = [
    " about ",
    " on the subject of ",
    " on the topic of ",
    " on ",
    "explaining ",
    "explain ",
    "describing ",
    "describe ",
    "introducing ",
];
/// What follows the subject in English: who reads it, and how it is written.
const BEHIND: [&str; 9] = [
    " for ",
    " to beginners",
    " to developers",
    " to experts",
    " in a ",
    " in simple ",
    " with ",
    ", ",
    " that ",
];
/// In Chinese and Japanese: what stands before and what follows.
const DENSE: [(&str, &[&str]); 4] = [
    ("关于", &["的博客", "的技术", "的文章", "的介绍", "的"]),
    ("介绍", &["的博客", "的技术", "的文章", "的"]),
    ("解释", &["的博客", "的技术", "的文章", "的"]),
    ("", &["についての", "について", "に関する", "を解説", "を説明"]),
];

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
    let first = first.split_inclusive(['.', '!', '?', '。', '！', '？']).next().unwrap_or_default().trim();
    let first = first.trim_end_matches(['.', '!', '?', '。', '！', '？', '：', ':']);
    let found = dense(first).or_else(|| english(first)).unwrap_or(first).trim();
    let found = if found.is_empty() { first } else { found };
    one_line(&found.chars().take(LONGEST).collect::<String>())
}

fn english(sentence: &str) -> Option<&str> {
    let lower = sentence.to_ascii_lowercase();
    let (at, before) = BEFORE.iter().find_map(|before| Some((lower.find(before)?, before)))?;
    let rest = &sentence[at + before.len()..];
    let lower = rest.to_ascii_lowercase();
    let end = BEHIND.iter().filter_map(|behind| lower.find(behind)).min().unwrap_or(rest.len());
    Some(&rest[..end])
}

fn dense(sentence: &str) -> Option<&str> {
    DENSE.iter().find_map(|(before, behind)| {
        let rest = match before.is_empty() {
            true => sentence,
            false => &sentence[sentence.find(before)? + before.len()..],
        };
        let end = behind.iter().find_map(|behind| rest.find(behind));
        match (before.is_empty(), end) {
            (true, None) => None,
            (_, end) => Some(&rest[..end.unwrap_or(rest.len())]),
        }
    })
}
