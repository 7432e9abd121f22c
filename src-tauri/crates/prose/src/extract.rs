//! The sentences of a text that say most about a query, quoted as they are.
//!
//! Nothing is rewritten: who needs another voice uses `compose_post`.

use crate::candidates::{Candidate, candidates};
use crate::standing::{Known, stands_alone};
use crate::words::count_words;

/// The best one or two complete sentences of `text` for `query`, as plain text in their order, at most
/// `max_words` words together. Empty when no sentence fits or none can stand alone.
pub fn extract(text: &str, query: &str, max_words: usize) -> String {
    let worth = |candidate: &Candidate| candidate.as_lead.max(candidate.as_result);
    let mut by_worth = candidates(text, query);
    by_worth.sort_by(|one, other| worth(other).total_cmp(&worth(one)).then(one.index.cmp(&other.index)));
    // Words are counted of those alone that may be taken.
    let mut fitting = by_worth.into_iter().filter_map(|candidate| {
        let words = count_words(&candidate.text);
        (words > 0 && words <= max_words).then_some((candidate, words))
    });
    let Some((best, used)) = fitting.next() else { return String::new() };
    let second = fitting.find(|(candidate, words)| {
        let follows = candidate.index == best.index + 1;
        used + words <= max_words && (follows || !candidate.is_leaning) && worth(candidate) > 0.5
    });
    match second {
        Some((second, _)) if second.index < best.index => format!("{} {}", second.text, best.text),
        Some((second, _)) => format!("{} {}", best.text, second.text),
        None => best.text,
    }
}

/// Sentences of a quotation: more of one source is no quotation any more.
const MOST_QUOTED: usize = 4;
/// A sentence that is worth so much less than the best one is not quoted beside it.
const LESS_WORTH: f64 = 2.0;
/// What stands for sentences that are left out between two.
const LEFT_OUT: &str = " … ";

/// The complete sentences of `text` that say most about `query`, quoted in their order, at most `max_words` words
/// together. What lies between two of them is told by "…"; each can be understood by who knows `title` and those before.
/// Empty when no sentence fits or none can stand alone.
pub fn quotation(text: &str, query: &str, title: &str, max_words: usize) -> String {
    let all = candidates(text, query);
    let worth = |candidate: &Candidate| candidate.as_lead.max(candidate.as_result);
    let mut by_worth: Vec<&Candidate> = all.iter().collect();
    by_worth.sort_by(|one, other| worth(other).total_cmp(&worth(one)).then(one.index.cmp(&other.index)));
    let mut chosen: Vec<&Candidate> = Vec::new();
    let (mut used, mut least) = (0, f64::NEG_INFINITY);
    for candidate in by_worth {
        let words = count_words(&candidate.text);
        if chosen.len() == MOST_QUOTED || used + words > max_words || worth(candidate) < least {
            continue;
        }
        let mut with = chosen.clone();
        with.push(candidate);
        with.sort_by_key(|candidate| candidate.index);
        if can_be_read(&with, title) {
            least = least.max(worth(candidate) - LESS_WORTH);
            (chosen, used) = (with, used + words);
        }
    }
    let mut quoted = String::new();
    let mut last = None;
    for candidate in chosen {
        let follows = last.is_some_and(|last| candidate.index == last + 1);
        quoted.push_str(match (last, follows) {
            (None, _) => "",
            (_, true) => " ",
            (_, false) => LEFT_OUT,
        });
        quoted.push_str(&candidate.text);
        last = Some(candidate.index);
    }
    quoted
}

/// Whether every sentence, in their order, is understood by who knows the title and those before it.
fn can_be_read(chosen: &[&Candidate], title: &str) -> bool {
    let mut known = Known::of(title, true);
    let mut last = None;
    chosen.iter().all(|candidate| {
        let follows = last.is_some_and(|last| candidate.index == last + 1);
        last = Some(candidate.index);
        // Nothing was said before the first sentence of a text.
        let is_first = candidate.index == 0;
        let is_read = follows || is_first || !candidate.is_leaning && stands_alone(&candidate.text, &known);
        known.add(&candidate.text);
        is_read
    })
}

#[cfg(test)]
mod tests {
    use super::{extract, quotation};

    const ABSTRACT: &str = "Large language models can amplify biases. However, it is unclear why. We present COFT, a \
        training-free decoding method for fair chain-of-thought reasoning in \\textbf{any} model. It has three stages. \
        On six benchmarks, COFT reduces bias by 38% while it keeps accuracy. Code is available at https://a.b.";

    #[test]
    fn contribution_and_result_are_taken_in_their_order() {
        assert_eq!(
            extract(ABSTRACT, "fair reasoning", 60),
            "We present COFT, a training-free decoding method for fair chain-of-thought reasoning in any model. On six \
             benchmarks, COFT reduces bias by 38% while it keeps accuracy."
        );
    }

    #[test]
    fn the_cap_holds_and_sentences_stay_whole() {
        assert_eq!(
            extract(ABSTRACT, "", 13),
            "On six benchmarks, COFT reduces bias by 38% while it keeps accuracy."
        );
        assert_eq!(extract(ABSTRACT, "", 3), "");
        assert_eq!(extract("", "x", 30), "");
    }

    #[test]
    fn a_quotation_keeps_the_order_and_tells_what_is_left_out() {
        assert_eq!(
            quotation(ABSTRACT, "fair reasoning", "COFT", 60),
            "We present COFT, a training-free decoding method for fair chain-of-thought reasoning in any model. … On six \
             benchmarks, COFT reduces bias by 38% while it keeps accuracy."
        );
        let news = "The council opened a school on Monday. It cost 4 million euros and took 3 years to build. Parents had \
            waited since 2019. To address this, we introduce a second one. Then they celebrated.";
        let quoted = quotation(news, "school", "A school opens", 60);
        assert!(quoted.starts_with("The council opened a school on Monday."), "{quoted}");
        // What leans on a sentence stands only directly behind it.
        let torn =
            "Tides are slow. To address this, we present Lunar, which predicts them with 98% accuracy.";
        assert_eq!(quotation(torn, "tides", "Lunar", 14), "Tides are slow.");
        assert_eq!(quotation("", "x", "", 30), "");
    }
}
