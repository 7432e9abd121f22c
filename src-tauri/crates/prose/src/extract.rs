//! The sentences of a text that say most about a query, quoted as they are.
//!
//! Nothing is rewritten: who needs another voice uses `compose_post`.

use crate::candidates::{Candidate, candidates};
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

#[cfg(test)]
mod tests {
    use super::extract;

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
}
