//! Sentences that must stand in a text word for word, and are put back where a rewrite lost them.
//!
//! Deliberately not here: whose the sentences are, and what a person makes of a collision.

use crate::quotes::{TextQuote, similarity};
use crate::sentences::{Place, Sentence, sentences};

/// How alike a sentence must be to be taken for the reworded one.
const REWORDED: f64 = 0.5;
/// Fewer characters of context than this say nothing about a place.
const LEAST_CONTEXT: usize = 8;

/// A text into which lost sentences were put back.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Restored {
    /// The text.
    pub text: String,
    /// How many sentences were put back.
    pub count: usize,
    /// Those that were put back against what the text says there.
    pub collisions: Vec<Collision>,
}

/// A sentence that was put back where something else stands, or where its surroundings are gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collision {
    /// The sentence.
    pub kept: String,
    /// What the text says there: it gave way, or stands beside it where nothing in the text is like the sentence.
    pub other: String,
}

/// The sentences that are not in a text word for word.
pub fn lost<'a>(text: &str, kept: &'a [TextQuote]) -> Vec<&'a TextQuote> {
    kept.iter().filter(|quote| !stands(text, &quote.exact)).collect()
}

/// Whether a sentence stands in a text as a whole: not as the beginning or the end of another one.
fn stands(text: &str, sentence: &str) -> bool {
    let is_closed = sentence.ends_with(|last: char| !last.is_alphanumeric());
    text.match_indices(sentence).any(|(at, _)| {
        let begins = text[..at]
            .chars()
            .next_back()
            .is_none_or(|before| !before.is_alphanumeric() || !before.is_ascii());
        let behind = &text[at + sentence.len()..];
        let ends = match is_closed {
            true => behind.chars().next().is_none_or(|next| !next.is_ascii_alphanumeric()),
            // Without a stop of its own it ends where the line or the text's own sentence does.
            false => behind
                .trim_start_matches(' ')
                .chars()
                .next()
                .is_none_or(|next| "\r\n[.!?。！？".contains(next)),
        };
        begins && ends
    })
}

/// The text with every sentence that it lost: in place of the sentence that was reworded, else beside its old
/// neighbours, else at about the same place of the text as in `before`.
pub fn restore(text: &str, kept: &[TextQuote], before: &str) -> Restored {
    let mut restored = Restored { text: text.to_owned(), ..Restored::default() };
    for quote in lost(text, kept) {
        // What was put back before this one may hold it.
        if !stands(&restored.text, &quote.exact) {
            put_back(&mut restored, quote, kept, before);
            restored.count += 1;
        }
    }
    restored
}

fn put_back(restored: &mut Restored, quote: &TextQuote, kept: &[TextQuote], before: &str) {
    let text = restored.text.clone();
    let kept_here = |sentence: &Sentence<'_>| kept.iter().any(|kept| kept.exact.contains(sentence.text));
    let others: Vec<Sentence<'_>> = sentences(&text)
        .into_iter()
        .filter(|sentence| sentence.place != Place::Heading && !kept_here(sentence))
        .collect();
    let likeness = |sentence: &Sentence<'_>| similarity(sentence.text, &quote.exact);
    let reworded = others
        .iter()
        .map(|sentence| (likeness(sentence), sentence))
        .filter(|(score, _)| *score >= REWORDED)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, sentence)) = reworded {
        restored.collisions.push(Collision { kept: quote.exact.clone(), other: sentence.text.to_owned() });
        restored.text.replace_range(sentence.start..sentence.end, &quote.exact);
        return;
    }
    let find = |context: &str| {
        let context = context.trim();
        (context.chars().count() >= LEAST_CONTEXT).then(|| text.find(context)).flatten()
    };
    let end_of_prefix = find(&quote.prefix).map(|at| at + quote.prefix.trim().len());
    if let Some(place) = end_of_prefix.or_else(|| find(&quote.suffix)) {
        insert(&mut restored.text, place, &quote.exact);
        return;
    }
    let ratio = before.find(&quote.exact).unwrap_or(before.len()) as f64 / before.len().max(1) as f64;
    let wanted = (ratio * text.len() as f64) as usize;
    let neighbour = others
        .iter()
        .filter(|sentence| sentence.place == Place::Paragraph)
        .min_by_key(|sentence| sentence.end.abs_diff(wanted));
    let other = neighbour.map_or("", |sentence| sentence.text).to_owned();
    restored.collisions.push(Collision { kept: quote.exact.clone(), other });
    match neighbour {
        Some(sentence) => insert(&mut restored.text, sentence.end, &quote.exact),
        None if text.trim().is_empty() => restored.text = quote.exact.clone(),
        None => restored.text = format!("{}\n\n{}", text.trim_end(), quote.exact),
    }
}

/// Puts a sentence into a text, with a space where words would touch.
fn insert(text: &mut String, at: usize, sentence: &str) {
    let touches = |character: Option<char>| character.is_some_and(|it| it.is_ascii() && !it.is_whitespace());
    let before = if touches(text[..at].chars().next_back()) { " " } else { "" };
    let behind = if touches(text[at..].chars().next()) { " " } else { "" };
    text.insert_str(at, &format!("{before}{sentence}{behind}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    const YOURS: &str = "Parsers grew faster. I measured it on my own laptop. The rest is known.";
    const MINE: &str = "I measured it on my own laptop.";

    fn mine() -> Vec<TextQuote> {
        let at = YOURS.find(MINE).unwrap();
        vec![TextQuote::of(YOURS, at..at + MINE.len())]
    }

    #[test]
    fn a_sentence_that_stands_is_left_alone_and_a_deleted_one_comes_back_between_its_neighbours() {
        assert_eq!(restore(YOURS, &mine(), YOURS).count, 0);
        let restored = restore("Parsers grew faster. The rest is known.", &mine(), YOURS);
        assert_eq!(restored.text, YOURS);
        assert_eq!((restored.count, restored.collisions), (1, Vec::new()));
    }

    #[test]
    fn a_sentence_that_goes_on_otherwise_is_lost() {
        let quote = |exact: &str| vec![TextQuote { exact: exact.to_owned(), ..TextQuote::default() }];
        let bullet = quote("Costs rise");
        for (text, is_lost) in [
            ("- Costs rise\n- More", false),
            ("- Costs rise", false),
            ("Costs rise [1].", false),
            ("- Costs rise only in one case", true),
            ("Ship Costs rises", true),
        ] {
            assert_eq!(!lost(text, &bullet).is_empty(), is_lost, "{text}");
        }
        assert!(lost("他说价格上涨。然后停了。", &quote("价格上涨。")).is_empty());
        assert!(!lost("Unit costs nothing.5 more", &quote("costs nothing.")).is_empty());
    }

    #[test]
    fn a_reworded_sentence_gives_way_and_is_told() {
        let restored =
            restore("Speed is up. I measured this on my old laptop. All of it is known.", &mine(), YOURS);
        assert_eq!(restored.text, format!("Speed is up. {MINE} All of it is known."));
        assert_eq!(restored.collisions[0].other, "I measured this on my old laptop.");
    }

    #[test]
    fn in_another_text_altogether_the_sentence_stands_beside_what_is_there() {
        let restored = restore("# News\n\nBirds sing. Fish swim.", &mine(), YOURS);
        assert!(restored.text.contains(MINE), "{}", restored.text);
        assert!(restored.text.contains("Birds sing.") && restored.text.contains("Fish swim."));
        assert_eq!(restored.collisions.len(), 1);
        assert_eq!(restore("", &mine(), YOURS).text, MINE);
    }
}
