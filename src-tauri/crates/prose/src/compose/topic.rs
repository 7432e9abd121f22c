//! The topic as it can stand in a heading and an opening sentence, and those two.

use super::frames::{Credit, Day, cut, period};
use super::voice::capitalised;
use crate::clean::clean;
use crate::stop_words::is_stop;
use crate::tokens::word_key;
use crate::topic_words::is_filler;

/// The topic without the words around it, or none when it is no short phrase: it came from a text box.
pub(crate) fn phrase(topic: &str) -> Option<String> {
    let topic = clean(cut(topic, 300));
    if topic.chars().count() > 80
        || topic.contains(['[', ']', '(', ')', '<', '>', '|', '#', '*', '`', '_', '\\'])
    {
        return None;
    }
    let words: Vec<&str> = topic
        .split_whitespace()
        .map(|word| word.trim_matches(['.', '?', '!', ',', ';', ':', '"', '“', '”']))
        .collect();
    let wraps = |word: &&str| {
        let key = word_key(&word.to_lowercase());
        word.is_empty() || is_stop(key) || is_filler(key)
    };
    let start = words.iter().position(|word| !wraps(word))?;
    let end = words.iter().rposition(|word| !wraps(word))? + 1;
    let kept = words.get(start..end)?;
    (kept.len() <= 8 && kept.iter().any(|word| word.chars().any(char::is_alphanumeric)))
        .then(|| kept.join(" "))
}

/// "# Topic in June 2026".
pub(crate) fn heading(topic: Option<&str>, days: &[Option<Day>]) -> Option<String> {
    let topic = capitalised(topic?);
    Some(match period(days) {
        Some(period) if days.iter().flatten().min() == days.iter().flatten().max() => {
            format!("# {topic}, {period}")
        }
        Some(period) => format!("# {topic} in {period}"),
        None => format!("# {topic}"),
    })
}

/// The sentence that says how many articles there are, from when, about what; only for several.
pub(crate) fn opening(topic: Option<&str>, credits: &[Credit]) -> Option<String> {
    let number = ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"]
        .get(credits.len().checked_sub(2)?)?;
    let source = credits.first().map(|credit| credit.source.as_str())?;
    let has_one_source = !source.is_empty() && credits.iter().all(|credit| credit.source == source);
    let noun = match credits.iter().filter(|credit| credit.noun == "paper").count() {
        0 => "articles",
        papers if papers == credits.len() => "papers",
        _ => "publications",
    };
    let source = if has_one_source { format!("{source} ") } else { String::new() };
    let days: Vec<Option<Day>> = credits.iter().map(|credit| credit.day).collect();
    let from = period(&days).map(|period| format!(" from {period}")).unwrap_or_default();
    Some(match topic {
        Some(topic) if credits.len() % 2 == 1 => format!("{number} {source}{noun}{from} take up {topic}."),
        Some(topic) => format!("{number} {source}{noun}{from} deal with {topic}."),
        None => format!("The selection holds {} {source}{noun}{from}.", number.to_lowercase()),
    })
}
