//! What names the field, and what a query asks for beside it.

use super::indexed::IndexedDocument;
use super::{Document, normal};

/// Words that name the field.
const WORDS: [&str; 8] = ["ai", "llm", "llms", "chatbot", "chatbots", "chatgpt", "generative", "genai"];
/// Words that say little beside one of those.
const VAGUE: [&str; 7] = ["algorithmic", "automated", "latest", "model", "models", "new", "news"];
/// Two words that name it.
const EXPRESSIONS: [[&str; 2]; 7] = [
    ["language", "model"],
    ["language", "models"],
    ["machine", "learning"],
    ["deep", "learning"],
    ["artificial", "intelligence"],
    ["neural", "network"],
    ["neural", "networks"],
];
/// Words that mean nothing at the edge of what is left.
const TIES: [&str; 16] = [
    "in", "for", "and", "of", "with", "on", "at", "the", "to", "from", "by", "a", "an", "is", "what", "about",
];

/// A query that names the field without the words of the field: of "quantum machine learning", "quantum". None where it names
/// no field or nothing else, and for what is written without blanks.
pub fn beside_field(query: &str) -> Option<String> {
    let words: Vec<&str> =
        query.split(|character: char| character.is_whitespace() || character == '-').collect();
    let plain =
        |word: &&str| word.trim_matches(|character: char| !character.is_alphanumeric()).to_lowercase();
    let plain: Vec<String> = words.iter().map(plain).collect();
    let is_of_field = |at: usize| {
        let is_pair = |first: usize| {
            plain.get(first..first + 2).is_some_and(|pair| EXPRESSIONS.iter().any(|known| pair == known))
        };
        WORDS.contains(&plain[at].as_str()) || is_pair(at) || at.checked_sub(1).is_some_and(is_pair)
    };
    let names_field = (0..words.len()).any(is_of_field);
    let says_something =
        |at: &usize| !plain[*at].is_empty() && !is_of_field(*at) && !VAGUE.contains(&plain[*at].as_str());
    let kept: Vec<usize> = (0..words.len()).filter(says_something).collect();
    let is_tie = |at: &usize| TIES.contains(&plain[*at].as_str());
    let first = kept.iter().position(|at| !is_tie(at))?;
    let last = kept.iter().rposition(|at| !is_tie(at))?;
    names_field.then(|| kept[first..=last].iter().map(|at| words[*at]).collect::<Vec<_>>().join(" "))
}

/// The same of a broad subject, also of one that is written without blanks: of "人工智能对劳动者的影响", "劳动者的影响".
pub fn subject_beside_field(subject: &str) -> Option<String> {
    const NAMES: [&str; 5] = ["人工智能", "人工知能", "生成AI", "大模型", "AI"];
    const DENSE_TIES: [char; 16] =
        ['对', '的', '在', '中', '与', '和', 'の', 'と', 'は', 'に', 'を', 'で', 'が', 'へ', '、', ' '];
    if !subject.chars().any(crate::characters::is_ideographic) {
        return beside_field(subject);
    }
    let mut left = subject.trim();
    // "OpenAI" is no name of the field.
    let is_name = |rest: &str, at_end: bool| {
        let next = if at_end { rest.chars().next_back() } else { rest.chars().next() };
        next.is_none_or(|next| !next.is_ascii_alphanumeric())
    };
    for name in NAMES {
        if let Some(rest) = left.strip_prefix(name).filter(|rest| is_name(rest, false)) {
            left = rest.trim_start_matches(DENSE_TIES);
        }
        if let Some(rest) = left.strip_suffix(name).filter(|rest| is_name(rest, true)) {
            left = rest.trim_end_matches(DENSE_TIES);
        }
    }
    (left.len() < subject.trim().len() && left.chars().count() > 1).then(|| left.to_owned())
}

/// Whether a document says that it is of the field, in its title or in several sentences. What is written without blanks is
/// not asked.
pub fn is_of_field(document: Document<'_>) -> bool {
    let is_dense = document.body.chars().any(crate::characters::is_ideographic);
    is_dense || IndexedDocument::new(&normal(document.title), &normal(document.body)).is_of_field(0)
}

#[cfg(test)]
mod tests {
    use super::{beside_field, subject_beside_field};

    #[test]
    fn a_broad_subject_is_left_without_the_field_in_every_writing() {
        for (subject, left) in [
            ("Children and AI", Some("Children")),
            ("人工智能对劳动者的影响", Some("劳动者的影响")),
            ("自然災害への備えとAI", Some("自然災害への備え")),
            ("自然災害への備え", None),
            ("中学生と人工知能", Some("中学生")),
            ("中国的劳动者", None),
            ("OpenAIと著作権", None),
            ("AI", None),
            ("人工智能", None),
        ] {
            assert_eq!(subject_beside_field(subject).as_deref(), left, "{subject}");
        }
    }

    #[test]
    fn what_is_asked_beside_the_field_is_left_of_a_query() {
        for (query, left) in [
            ("quantum machine learning", Some("quantum")),
            ("What is new in language models for mail?", Some("mail?")),
            ("AI-generated music", Some("generated music")),
            ("chatbots in hospitals", Some("hospitals")),
            ("machine translation", None),
            ("New York ferries", None),
            ("fashion models", None),
            ("new language models", None),
            ("AI", None),
            ("the latest news about AI", None),
            ("", None),
            ("中国大模型", None),
        ] {
            assert_eq!(beside_field(query).as_deref(), left, "{query}");
        }
    }
}
