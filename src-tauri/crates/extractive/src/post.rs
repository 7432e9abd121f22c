//! A short post that quotes articles, each with its title, source and day.

use prose::count_words;

use crate::article::Article;
use crate::choice::{MOST_QUOTED, Ranked, passages};
use crate::language::Language;
use crate::meaning::Measure;

/// Most articles that are read; they come best first.
const MOST_READ: usize = 10;
/// Words that one article is quoted with, at least; characters of Chinese and Japanese.
const LEAST_OF_ONE: usize = 60;
const LEAST_OF_ONE_DENSE: usize = 80;
/// The share of the best article's nearness to the topic that another one needs.
const LEAST_NEARNESS: f64 = 0.6;
/// The share of the words that the heading may take.
const HEADING: usize = 4;

/// A Markdown post of at most `max_words` words (as [`prose::count_words`] counts, and also counted by blanks) about the
/// articles, each cited as `[n]` with n its place in the list, from 1. No articles, or no room, give an empty text.
pub fn post(topic: &str, articles: &[Article<'_>], max_words: usize) -> String {
    post_by(&Measure::by_encoder(), topic, articles, max_words)
}

fn post_by(measure: &Measure, topic: &str, articles: &[Article<'_>], max_words: usize) -> String {
    let heading = heading(topic).filter(|heading| size(heading) * HEADING <= max_words);
    let mut left = max_words - heading.as_deref().map_or(0, size);
    let read = articles.iter().zip(1..).take(MOST_READ);
    let read = read.map(|(article, number)| (article, number, Ranked::new(article, topic, measure)));
    let mut read: Vec<(&Article<'_>, usize, Ranked)> =
        read.filter(|(_, _, one)| one.best.iter().any(|sentence| !sentence.is_leaning)).collect();
    // A reader of one script is shown articles of another one only if there is nothing else.
    let is_dense = Language::of(topic).is_dense();
    if read.iter().any(|(_, _, one)| one.language.is_dense() == is_dense) {
        read.retain(|(_, _, one)| one.language.is_dense() == is_dense);
    }
    let best = read.iter().map(|(_, _, one)| one.nearness).fold(0.0, f64::max);
    read.retain(|(_, _, one)| one.nearness >= best * LEAST_NEARNESS);
    let least = if is_dense { LEAST_OF_ONE_DENSE } else { LEAST_OF_ONE };
    // The nearest are taken, in the order of the list.
    read.sort_by(|(_, _, one), (_, _, other)| other.nearness.total_cmp(&one.nearness));
    read.truncate((left / least).max(1));
    read.sort_by_key(|(_, number, _)| *number);
    let mut paragraphs: Vec<Option<String>> = vec![None; read.len()];
    // What the first round leaves over goes to those that can be quoted more fully.
    for round in 0..2 {
        for (place, (article, number, ranked)) in read.iter().enumerate() {
            let used = paragraphs[place].as_deref().map_or(0, size);
            let room = if round == 0 { left / (read.len() - place) } else { used + left };
            let fuller = (1..=MOST_QUOTED).rev().find_map(|most| {
                quoted(article, *number, ranked, (most, room))
                    .filter(|text| (used + 1..=room).contains(&size(text)))
            });
            if let Some(paragraph) = fuller {
                left -= size(&paragraph) - used;
                paragraphs[place] = Some(paragraph);
            }
        }
    }
    let mut paragraphs: Vec<String> = paragraphs.into_iter().flatten().collect();
    if paragraphs.is_empty() {
        paragraphs.extend(titles(articles, left));
    }
    if paragraphs.is_empty() {
        return String::new();
    }
    heading.into_iter().chain(paragraphs).collect::<Vec<_>>().join("\n\n")
}

/// The credit of an article with its best sentences between quotation marks; `None` if no sentence fits.
fn quoted(
    article: &Article<'_>,
    number: usize,
    ranked: &Ranked,
    (most, room): (usize, usize),
) -> Option<String> {
    let credit = article.credit(ranked.language);
    let words = room.checked_sub(size(&credit) + 1)?;
    let words = if ranked.language.is_dense() { words / 2 } else { words };
    let passages = passages(&ranked.quoted(most, words), ranked.language);
    let (open, close, left_out) = marks(ranked.language);
    let inner = |passage: &String| passage.replace('“', "‘").replace('”', "’").replace('"', "'");
    let passages: Vec<String> = match ranked.language {
        Language::Japanese => {
            passages.iter().map(|one| one.replace('「', "『").replace('」', "』")).collect()
        }
        _ => passages.iter().map(inner).collect(),
    };
    let colon = if ranked.language.is_dense() { "：" } else { ": " };
    let lead = if credit.is_empty() { String::new() } else { format!("{credit}{colon}") };
    (!passages.is_empty()).then(|| format!("{lead}{open}{}{close} [{number}]", passages.join(left_out)))
}

fn marks(language: Language) -> (&'static str, &'static str, &'static str) {
    match language {
        Language::Spaced => ("“", "”", " … "),
        Language::Chinese => ("“", "”", "……"),
        Language::Japanese => ("「", "」", "……"),
    }
}

/// The credits of as many articles as fit, for articles of which nothing can be quoted.
fn titles(articles: &[Article<'_>], mut left: usize) -> Option<String> {
    let mut listed = Vec::new();
    for (article, number) in articles.iter().zip(1..) {
        let credit = article.credit(article.language());
        let line = format!("- {credit} [{number}]");
        if !credit.is_empty() && size(&line) <= left {
            left -= size(&line);
            listed.push(line);
        }
    }
    (!listed.is_empty()).then(|| listed.join("\n"))
}

/// The topic as a heading in one line.
fn heading(topic: &str) -> Option<String> {
    let topic = topic.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut letters = topic.chars();
    let first = letters.next()?;
    Some(format!("# {}{}", first.to_uppercase(), letters.as_str()))
}

/// Words of a text, by the stricter of two counts: a reader's, and one by blanks.
fn size(text: &str) -> usize {
    count_words(text).max(text.split_whitespace().count())
}

#[cfg(test)]
mod tests;
