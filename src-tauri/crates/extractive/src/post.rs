//! A short post that quotes articles, each with its title, source and day.

use prose::count_words;

use crate::article::Article;
use crate::choice::{MOST_QUOTED, RankedArticle, passages};
use crate::language::Language;
use crate::meaning::Measure;

/// Most articles that are read; the caller lists the best first.
const MOST_READ: usize = 10;
/// Least room for each quoted article, in words, or in characters of Chinese and Japanese.
const LEAST_WORDS_PER_ARTICLE: usize = 60;
const LEAST_CHARACTERS_PER_ARTICLE: usize = 80;
/// Least nearness of an article to the topic, as a share of the best article's.
const LEAST_NEARNESS: f64 = 0.6;
/// The heading may take at most one word in so many.
const HEADING_DIVISOR: usize = 4;

/// A Markdown post about the articles of at most `max_words` words, counted both by [`prose::count_words`] and by white
/// space. Each article is cited as `[n]`, its 1-based position in the list. Empty without articles or without room.
pub fn post(topic: &str, articles: &[Article<'_>], max_words: usize) -> String {
    post_by(&Measure::by_encoder(), topic, articles, max_words)
}

fn post_by(measure: &Measure, topic: &str, articles: &[Article<'_>], max_words: usize) -> String {
    let heading = heading(topic).filter(|heading| size(heading) * HEADING_DIVISOR <= max_words);
    let mut left = max_words - heading.as_deref().map_or(0, size);
    let read = articles.iter().zip(1..).take(MOST_READ);
    let read = read.map(|(article, number)| (article, number, RankedArticle::new(article, topic, measure)));
    let mut read: Vec<(&Article<'_>, usize, RankedArticle)> =
        read.filter(|(_, _, one)| one.best.iter().any(|sentence| !sentence.depends_on_previous)).collect();
    // Articles in another script than the topic's are quoted only if there are no others.
    let is_unspaced = Language::of(topic).is_unspaced();
    if read.iter().any(|(_, _, one)| one.language.is_unspaced() == is_unspaced) {
        read.retain(|(_, _, one)| one.language.is_unspaced() == is_unspaced);
    }
    let best = read.iter().map(|(_, _, one)| one.nearness).fold(0.0, f64::max);
    read.retain(|(_, _, one)| one.nearness >= best * LEAST_NEARNESS);
    let least = if is_unspaced { LEAST_CHARACTERS_PER_ARTICLE } else { LEAST_WORDS_PER_ARTICLE };
    // The nearest articles are kept, in the order of the list.
    read.sort_by(|(_, _, one), (_, _, other)| other.nearness.total_cmp(&one.nearness));
    read.truncate((left / least).max(1));
    read.sort_by_key(|(_, number, _)| *number);
    let mut paragraphs: Vec<Option<String>> = vec![None; read.len()];
    // The second round gives the remaining room to articles that can be quoted more fully.
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

/// The credit of an article with its best sentences in quotation marks; `None` if no sentence fits.
fn quoted(
    article: &Article<'_>,
    number: usize,
    ranked: &RankedArticle,
    (most, room): (usize, usize),
) -> Option<String> {
    let credit = article.credit(ranked.language);
    let words = room.checked_sub(size(&credit) + 1)?;
    let words = if ranked.language.is_unspaced() { words / 2 } else { words };
    let passages = passages(&ranked.quoted(most, words), ranked.language);
    let (open, close, left_out) = marks(ranked.language);
    let inner =
        |passage: &String| passage.replace('„', "‚").replace('“', "‘").replace('”', "’").replace('"', "'");
    let passages: Vec<String> = match ranked.language {
        Language::Japanese => {
            passages.iter().map(|one| one.replace('「', "『").replace('」', "』")).collect()
        }
        _ => passages.iter().map(inner).collect(),
    };
    let colon = if ranked.language.is_unspaced() { "：" } else { ": " };
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

/// A list of the credits of as many articles as fit, for articles without a quotable sentence.
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

/// The topic as a one-line heading.
fn heading(topic: &str) -> Option<String> {
    let topic = topic.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut letters = topic.chars();
    let first = letters.next()?;
    Some(format!("# {}{}", first.to_uppercase(), letters.as_str()))
}

/// Number of words of a text, by the larger of two counts: [`count_words`], and the words between white space.
fn size(text: &str) -> usize {
    count_words(text).max(text.split_whitespace().count())
}

#[cfg(test)]
mod tests;
