//! The sentences of a text that say most about a query, quoted as they are.
//!
//! Nothing is rewritten: who needs another voice uses `compose_post`.

use crate::candidates::{Candidate, candidates};
use crate::words::count_words;

/// The best one or two complete sentences of `text` for `query`, as plain text in their order, at most
/// `max_words` words together. Empty when no sentence fits or none can stand alone.
pub fn extract(text: &str, query: &str, max_words: usize) -> String {
    let mut fitting: Vec<(Candidate, usize)> = candidates(text, query)
        .into_iter()
        .map(|candidate| {
            let words = count_words(&candidate.text);
            (candidate, words)
        })
        .filter(|(_, words)| *words > 0 && *words <= max_words)
        .collect();
    let worth = |candidate: &Candidate| candidate.as_lead.max(candidate.as_result);
    fitting.sort_by(|one, other| {
        worth(&other.0).total_cmp(&worth(&one.0)).then(one.0.index.cmp(&other.0.index))
    });
    let Some((best, used)) = fitting.first() else { return String::new() };
    let second = fitting.iter().skip(1).find(|(candidate, words)| {
        let follows = candidate.index == best.index + 1;
        used + words <= max_words && (follows || !candidate.is_leaning) && worth(candidate) > 0.5
    });
    match second {
        Some((second, _)) if second.index < best.index => format!("{} {}", second.text, best.text),
        Some((second, _)) => format!("{} {}", best.text, second.text),
        None => best.text.clone(),
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
