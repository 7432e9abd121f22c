//! Writes short forms out with the words by which the article itself explains them.

use super::frames::cut;
use crate::known_words::{COMMON_SHORT_FORMS, short_form};

/// A short form with the words that it stands for.
pub(crate) type LongForm = (String, String);

/// The short forms that a text explains beside them: "tidal energy storage (TES)".
pub(crate) fn explained_in(text: &str) -> Vec<LongForm> {
    // Marks of Markdown and ends of lines are no part of the words.
    let plain: String =
        cut(text, LOOKED_AT).chars().filter(|mark| !matches!(mark, '*' | '_' | '`')).collect();
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let opened = plain.match_indices('(').filter_map(|(at, _)| {
        let (word, _) = cut(&plain[at + 1..], LONGEST_SHORT).split_once(')')?;
        let bare = short_form(word)?;
        let from = plain.floor_char_boundary(at.saturating_sub(LONGEST_LONG));
        Some((bare.to_owned(), long_form(&plain[from..at], bare)?))
    });
    opened.collect()
}

/// Bytes of a text that are looked at, of a short form with its bracket, and of the words that it stands for.
const LOOKED_AT: usize = 20_000;
const LONGEST_SHORT: usize = 9;
const LONGEST_LONG: usize = 120;

/// The sentence with each short form written out that its text explains elsewhere and that neither the title nor what was
/// told has; none when it has one that is neither explained nor common.
pub(crate) fn with_long_forms(
    sentence: &str,
    (title, told): (&str, &[String]),
    explained: &[LongForm],
) -> Option<String> {
    let mut out = sentence.to_owned();
    let (mut is_written_out, mut unknown) = (false, 0);
    for word in sentence.split(|c: char| !c.is_alphanumeric() && c != '-') {
        let Some(bare) = short_form(word) else { continue };
        let is_told = title.contains(bare)
            || told
                .iter()
                .any(|told| told.contains(&format!("({bare})")) || told.contains(&format!("({bare}s)")));
        if COMMON_SHORT_FORMS.contains(&bare) || is_told {
            continue;
        }
        let defined = format!("({word})");
        let defined_bare = format!("({bare})");
        if out.contains(&defined) || out.contains(&defined_bare) {
            continue;
        }
        let long = explained.iter().find(|(short, _)| short == bare).map(|(_, long)| long.clone());
        let is_in_title = |long: &String| title.to_lowercase().contains(&long.to_lowercase());
        match long {
            // "Prior VLA methods" can be written out, "the prior VLA" cannot.
            Some(long)
                if is_in_title(&long) || long.contains('-') && !is_followed_by_word(sentence, word) => {}
            // "ABMIL-alone" is a name of its own.
            Some(_) if out.contains(&format!("{word}-")) => return None,
            Some(long) => {
                is_written_out = true;
                out = out.replacen(word, &format!("{long} ({word})"), 1);
            }
            // At the head of a sentence, or before a thing of that kind, it carries it; else it is a name.
            None if sentence.starts_with(word) || is_before_thing(sentence, word) => return None,
            None => unknown += 1,
        }
    }
    // One of several short forms written out would only make the others stranger.
    (!is_written_out || unknown == 0).then_some(out)
}

fn is_followed_by_word(sentence: &str, word: &str) -> bool {
    sentence
        .split(&format!("{word} "))
        .nth(1)
        .is_some_and(|rest| rest.starts_with(|next: char| next.is_lowercase()))
}

/// Whether a short form stands before a plain noun ("AR backbones") that does not make it the name of a collection.
fn is_before_thing(sentence: &str, word: &str) -> bool {
    const COLLECTIONS: [&str; 28] = [
        "argues",
        "calls",
        "estimates",
        "expects",
        "finds",
        "plans",
        "reports",
        "said",
        "says",
        "shows",
        "wants",
        "warns",
        "and",
        "benchmark",
        "benchmarks",
        "corpus",
        "data",
        "dataset",
        "datasets",
        "in",
        "on",
        "score",
        "scores",
        "set",
        "test",
        "tests",
        "with",
        "while",
    ];
    let following = sentence.split(&format!("{word} ")).nth(1).and_then(|rest| rest.split(' ').next());
    following.is_some_and(|next| {
        let next = next.trim_end_matches([',', '.', ';']);
        next.ends_with('s') && next.chars().all(char::is_lowercase) && !COLLECTIONS.contains(&next)
    })
}

/// The words before a short form whose initials are its letters.
fn long_form(before: &str, short: &str) -> Option<String> {
    let words: Vec<&str> = before.trim_end().rsplit(' ').take(short.len() + 1).collect();
    let mut letters = short.bytes().rev().peekable();
    let mut taken: Vec<&str> = Vec::new();
    for word in words {
        // A sentence before is no part of it.
        if word.ends_with('.') {
            return None;
        }
        let mut parts = word.rsplit('-').peekable();
        while let Some(part) = parts.next() {
            let initial = part.bytes().next()?.to_ascii_uppercase();
            if letters.next()? != initial {
                return None;
            }
            if letters.peek().is_none() && parts.peek().is_some() {
                return None;
            }
        }
        taken.push(word);
        if letters.peek().is_none() {
            taken.reverse();
            return Some(taken.join(" "));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{explained_in, with_long_forms};

    #[test]
    fn a_short_form_is_written_out_as_its_article_explains_it_or_the_sentence_is_not_told() {
        let text = "The lake uses tidal energy storage (TES) at night. TES halves the bill of each ferry in the bay.";
        let known = explained_in(text);
        let told = |sentence: &str, title: &str| with_long_forms(sentence, (title, &[]), &known);
        assert_eq!(
            told("TES halves the bill.", "Cheap ferries").as_deref(),
            Some("tidal energy storage (TES) halves the bill.")
        );
        assert_eq!(told("TES halves the bill.", "TES on a lake").as_deref(), Some("TES halves the bill."));
        let broken =
            explained_in("We keep it. **Tidal\nenergy storage** (TES) and first.\n\nFlow storage (FS) help.");
        let words: Vec<&str> = broken.iter().map(|(_, long)| long.as_str()).collect();
        assert_eq!(words, ["Tidal energy storage", "Flow storage"]);
        let before = ["Tidal energy storage (TES) is new.".to_owned()];
        assert_eq!(
            with_long_forms("TES halves the bill.", ("Cheap ferries", &before), &known).as_deref(),
            Some("TES halves the bill."),
            "written out once"
        );
        assert_eq!(told("QRX halves the bill.", "Cheap ferries"), None, "nothing explains it");
        assert_eq!(told("An LLM halves it.", "Cheap ferries").as_deref(), Some("An LLM halves it."));
    }
}
