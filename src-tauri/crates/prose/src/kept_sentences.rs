//! Restores sentences that a text must contain word for word and that a rewrite has lost.

use crate::quotes::{TextQuote, similarity};
use crate::sentences::{Place, Sentence, sentences};

/// Least similarity (0 to 1) of a reworded sentence to the original.
const LEAST_SIMILARITY: f64 = 0.5;
/// A shorter context, in characters, occurs in too many places to locate a sentence.
const LEAST_CONTEXT: usize = 8;

/// A text with its restored sentences.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Restored {
    /// The text.
    pub text: String,
    /// Number of restored sentences.
    pub count: usize,
    /// The restored sentences that conflict with the text.
    pub collisions: Vec<Collision>,
}

/// A restored sentence that replaced a reworded one, or whose context is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collision {
    /// The restored sentence.
    pub kept: String,
    /// The reworded sentence that it replaced, or the sentence before it if the text has no similar one.
    pub other: String,
}

/// The sentences that a text does not contain word for word.
pub fn lost<'a>(text: &str, kept: &'a [TextQuote]) -> Vec<&'a TextQuote> {
    kept.iter().filter(|quote| !contains_whole(text, &quote.exact)).collect()
}

/// Whether a text contains a sentence as a whole, not as a part of a longer sentence.
fn contains_whole(text: &str, sentence: &str) -> bool {
    let is_closed = sentence.ends_with(|last: char| !last.is_alphanumeric());
    text.match_indices(sentence).any(|(at, _)| {
        let begins = text[..at]
            .chars()
            .next_back()
            .is_none_or(|before| !before.is_alphanumeric() || !before.is_ascii());
        let behind = &text[at + sentence.len()..];
        let ends = match is_closed {
            true => behind.chars().next().is_none_or(|next| !next.is_ascii_alphanumeric()),
            // A sentence without a full stop ends at a line end, a citation or the text's own full stop.
            false => behind
                .trim_start_matches(' ')
                .chars()
                .next()
                .is_none_or(|next| "\r\n[.!?。！？".contains(next)),
        };
        begins && ends
    })
}

/// Restores every lost sentence: in place of its reworded version, else next to its old context, else at about the same
/// relative position as in `before`, the text before the rewrite.
pub fn restore(text: &str, kept: &[TextQuote], before: &str) -> Restored {
    let mut restored = Restored { text: text.to_owned(), ..Restored::default() };
    for quote in lost(text, kept) {
        // A sentence restored earlier in this loop may contain it.
        if !contains_whole(&restored.text, &quote.exact) {
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
        .filter(|(score, _)| *score >= LEAST_SIMILARITY)
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
    fn a_present_sentence_is_not_restored_and_a_deleted_one_returns_between_its_neighbours() {
        assert_eq!(restore(YOURS, &mine(), YOURS).count, 0);
        let restored = restore("Parsers grew faster. The rest is known.", &mine(), YOURS);
        assert_eq!(restored.text, YOURS);
        assert_eq!((restored.count, restored.collisions), (1, Vec::new()));
    }

    #[test]
    fn a_sentence_within_a_longer_one_is_lost() {
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
    fn a_reworded_sentence_is_replaced_and_reported() {
        let restored =
            restore("Speed is up. I measured this on my old laptop. All of it is known.", &mine(), YOURS);
        assert_eq!(restored.text, format!("Speed is up. {MINE} All of it is known."));
        assert_eq!(restored.collisions[0].other, "I measured this on my old laptop.");
    }

    #[test]
    fn in_a_completely_different_text_the_sentence_is_added() {
        let restored = restore("# News\n\nBirds sing. Fish swim.", &mine(), YOURS);
        assert!(restored.text.contains(MINE), "{}", restored.text);
        assert!(restored.text.contains("Birds sing.") && restored.text.contains("Fish swim."));
        assert_eq!(restored.collisions.len(), 1);
        assert_eq!(restore("", &mine(), YOURS).text, MINE);
    }
}
