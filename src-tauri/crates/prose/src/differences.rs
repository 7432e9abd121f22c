//! Whether one text is made of another: the two promises of template filling that need no interpretation.
//!
//! White space is taken as one space, because re-flowing a paragraph changes nothing a reader sees. There is
//! no similarity here: a sentence is the same or it is not.

use crate::sentences::sentences;

/// Whether the sentences of `part` all stand in `whole`, in the same order.
pub fn is_sentence_subsequence(part: &str, whole: &str) -> bool {
    let mut remaining = sentences(whole).into_iter();
    sentences(part).iter().all(|sought| {
        remaining.any(|sentence| {
            sentence.text.len().abs_diff(sought.text.len()) < 1000
                && sentence.text.split_whitespace().eq(sought.text.split_whitespace())
        })
    })
}

/// Whether `part` stands in `whole` when runs of white space are taken as one space.
pub fn contains_text(whole: &str, part: &str) -> bool {
    one_spaced(whole).contains(&one_spaced(part))
}

fn one_spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !spaced.is_empty() {
            spaced.push(' ');
        }
        spaced.push_str(word);
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::{contains_text, is_sentence_subsequence};

    #[test]
    fn sentences_may_be_left_out_but_not_changed_moved_or_added() {
        let whole = "# Title\n\nOne is here. Two is\nthere. Three is gone.";
        assert!(is_sentence_subsequence("Title\n\nTwo is there.", whole));
        assert!(is_sentence_subsequence("", whole));
        assert!(!is_sentence_subsequence("Two is there. One is here.", whole));
        assert!(!is_sentence_subsequence("One is not here.", whole));
        assert!(!is_sentence_subsequence("One is here. One is here.", whole));
    }

    #[test]
    fn white_space_makes_no_difference_to_containment() {
        assert!(contains_text("a b\n\n c  d", "b c d"));
        assert!(!contains_text("a b c", "a c"));
    }
}
