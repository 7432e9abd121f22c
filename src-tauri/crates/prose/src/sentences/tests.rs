//! Where sentences end, and which stops do not end one.

use super::{BEFORE_NUMBER, MAYBE_LAST, NEVER_LAST, Place, STARTERS, sentences};

fn cut(text: &str) -> Vec<&str> {
    sentences(text).iter().map(|sentence| sentence.text).collect()
}

#[test]
fn the_word_tables_are_sorted_for_binary_search() {
    for table in [&NEVER_LAST[..], &MAYBE_LAST[..], &BEFORE_NUMBER[..], &STARTERS[..]] {
        assert!(table.is_sorted());
    }
}

#[test]
fn abbreviations_initials_and_figures_do_not_end_a_sentence() {
    for whole in [
        "Some tasks, e.g. Question answering, cost 3.5 times more.",
        "As in Fig. 3 of Smith et al. Brown showed it vs. Green.",
        "J. K. Rowling met the U.S. President i.e. Him.",
        "It was No. 5 of vol. 3 at approx. Ten dollars.",
        "Wait... what did Dr. Who say?",
        "See https://a.b/c.d?e=f. and go on.",
        "\"Is it true?\" she asked.",
    ] {
        assert_eq!(cut(whole), [whole]);
    }
}

#[test]
fn a_stop_before_the_beginning_of_a_sentence_ends_the_previous_one() {
    assert_eq!(
        cut("It grew in the U.S. The rest fell. (We know.) It rose by 3.5. 30% stayed! Why? iPhone sales."),
        [
            "It grew in the U.S.",
            "The rest fell.",
            "(We know.)",
            "It rose by 3.5.",
            "30% stayed!",
            "Why?",
            "iPhone sales."
        ]
    );
    assert_eq!(cut("We saw this.However, it is Node.Js."), ["We saw this.", "However, it is Node.Js."]);
    let titled = "In “Which Tokens Need Context? A Study” it helps.";
    assert_eq!(cut(titled), [titled]);
    assert_eq!(cut("We follow Smith et al. We differ."), ["We follow Smith et al.", "We differ."]);
}

#[test]
fn closing_quotes_and_trailing_citations_stay_with_their_sentence() {
    assert_eq!(
        cut("He said “yes.” [1][2] Then **no.** [3]\nAfter that [4]. End.[5] Last"),
        ["He said “yes.” [1][2]", "Then **no.** [3]", "After that [4].", "End.[5]", "Last"]
    );
}

#[test]
fn markdown_blocks_separate_sentences_and_their_marks_are_left_out() {
    let text = "# A title\nOne line\nwraps. Two.\n\n- item one\n- item two. More\n  wrapped\n\n1. first\n| a | b |\n```\ncode. Line\n```\n> Quoted. Text";
    let found = sentences(text);
    let shown: Vec<_> = found.iter().map(|sentence| (sentence.place, sentence.text)).collect();
    assert_eq!(
        shown,
        [
            (Place::Heading, "A title"),
            (Place::Paragraph, "One line\nwraps."),
            (Place::Paragraph, "Two."),
            (Place::ListItem, "item one"),
            (Place::ListItem, "item two."),
            (Place::ListItem, "More\n  wrapped"),
            (Place::ListItem, "first"),
            (Place::Line, "| a | b |"),
            (Place::Line, "code. Line"),
            (Place::Paragraph, "Quoted."),
            (Place::Paragraph, "Text"),
        ]
    );
    for sentence in found {
        assert_eq!(&text[sentence.start..sentence.end], sentence.text);
    }
}

#[test]
fn wide_stops_end_sentences_without_a_space() {
    assert_eq!(
        cut("検索拡張生成を提案する。結果は良い！「本当？」と聞いた。終わり[1]。[2]次"),
        ["検索拡張生成を提案する。", "結果は良い！", "「本当？」と聞いた。", "終わり[1]。[2]", "次"]
    );
}

#[test]
fn a_placeholder_may_begin_a_sentence() {
    let text = "It failed. {failed} of [total] tries failed. [number] people saw it, approx. {share} of all.";
    let cut: Vec<_> = sentences(text).into_iter().map(|sentence| sentence.text).collect();
    assert_eq!(
        cut,
        [
            "It failed.",
            "{failed} of [total] tries failed.",
            "[number] people saw it, approx. {share} of all."
        ]
    );
}
