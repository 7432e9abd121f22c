//! Hostile texts: every measure must return in linear time and must not cut inside a character.

use crate::{
    SourceTexts, citations, claims, clean, count_words, out_of_range, sentences, sources_used, support,
    ungrounded,
};
use proptest::prelude::*;

/// Runs every measure on a text and checks the invariants that hold for any text.
fn measure(text: &str) {
    let words = count_words(text);
    assert!(words <= text.chars().count());
    let mut last = 0;
    for sentence in sentences(text) {
        assert!(sentence.start >= last && sentence.end <= text.len() && sentence.start < sentence.end);
        assert_eq!(&text[sentence.start..sentence.end], sentence.text);
        last = sentence.end;
    }
    for citation in citations(text) {
        assert!(text[citation.start..citation.end].starts_with('[') && text[..citation.end].ends_with(']'));
    }
    assert!(sources_used(text).is_sorted());
    assert!(out_of_range(text, 3).is_sorted());
    let _ = clean(text);
    let _ = claims(text);
    let sources = SourceTexts::new(&[text, "A source of 2024."]);
    assert!(sources.ungrounded(text).len() <= claims(text).len());
    assert!((0.0..=1.0).contains(&sources.support(text, 0)));
    assert!((0.0..=1.0).contains(&support(text, "a source")));
    assert!(sources.support(text, 9).abs() < f64::EPSILON);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_measured_without_a_panic(text in any::<String>()) {
        measure(&text);
    }

    #[test]
    fn text_full_of_marks_is_measured_without_a_panic(
        text in r#"([\[\]()`~*_#>|<&;$\\{}^.!?,:'"“”「」。！–—-]|[ \n\ta-cA-C0-3%é検ガ🙂\u{202e}\u{0}]|\[1\]|\\textbf\{|\$x\$|We |https://a\.b |GPT-4 |3\.5% |```|\u{301}){0,60}"#,
    ) {
        measure(&text);
    }

    #[test]
    fn a_text_grounds_and_supports_its_own_sentences(
        text in r"[A-Z][a-z]{2,7}( ([a-z]{2,8}|[A-Z][a-zA-Z]{2,6}|[1-9][0-9]{0,5}|[0-9]\.[0-9]%|\$[1-9][0-9]?|GPT-[1-9]|19[0-9]{2})){1,12}\.",
    ) {
        prop_assert_eq!(ungrounded(&text, &[&text]), []);
        prop_assert!((support(&text, &text) - 1.0).abs() < f64::EPSILON);
    }
}

#[test]
fn a_long_text_of_anything_takes_linear_time() {
    let patterns = [
        "a",
        "1",
        " ",
        "[",
        "](",
        "[1]",
        "[1-999]",
        "`",
        "`` ` ",
        "<a",
        "$",
        "\\",
        "{",
        "(",
        "“",
        "*_",
        ".",
        ". ",
        "a. ",
        "A-",
        "1-",
        "1.",
        "1,000 ",
        "GPT-4 ",
        "ABCD ",
        "検",
        "ガ",
        "。",
        "「。",
        "🙂",
        "e\u{301}",
        "\u{202e}\u{0}",
        "\n",
        "# \n",
        "- a\n",
        "> ",
        "We propose x, which is y. ",
        "&amp;",
        "~",
        "^{",
        "https://a.b/c ",
        "``",
        "about 1.5 million ",
        "A b, ",
    ];
    for pattern in patterns {
        // Long enough that quadratic time would be noticed.
        measure(&pattern.repeat(20_000 / pattern.len()));
    }
}
