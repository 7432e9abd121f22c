use proptest::prelude::*;
use prose::{citations, count_words, out_of_range};

use super::{post, post_by};
use crate::meaning::Measure;
use crate::{Article, Document, extract, query_terms, quotation, rank, shorten};

const FERRIES: Article<'static> = Article {
    title: "Night ferries",
    source: "Harbour News",
    published: "2026-06-09",
    text: "Night ferries between Kiel and Oslo will run on batteries from July 2026. It is dark then. Few people are on \
        board at night. However, most like it. The operator said that 40 electric ships are “on order” in Norway. Read more at https://a.example now.",
};
const TULIPS: Article<'static> = Article {
    title: "Tulips",
    source: "garden.pdf",
    published: "",
    text: "Growers in Holland sold two million tulips in April. It was a cold spring.",
};
const TRAINS: Article<'static> = Article {
    title: "夜行列车",
    source: "北方日报",
    published: "2026-06-10",
    text: "北方铁路公司从七月起将在两座城市之间开行三列夜行列车。它们很安静。",
};

/// The parts of the quotations of a text.
fn quoted(text: &str) -> Vec<String> {
    let quotations = text.split('“').skip(1).map(|rest| rest.split('”').next().unwrap());
    quotations.flat_map(|quotation| quotation.split(" … ")).map(str::to_owned).collect()
}

#[test]
fn a_post_quotes_its_articles_word_for_word_with_title_source_and_day() {
    let text = post("battery ferries", &[FERRIES], 120);
    assert!(
        text.starts_with("# Battery ferries\n\n**Night ferries** (Harbour News, 9 June 2026): “"),
        "{text}"
    );
    assert!(text.ends_with("” [1]"), "{text}");
    let quoted = quoted(&text);
    assert_eq!(quoted.len(), 2, "{text}");
    assert!(
        quoted.iter().all(|part| FERRIES.text.contains(&part.replace('‘', "“").replace('’', "”"))),
        "{text}"
    );
}

#[test]
fn dependent_contradicted_and_malformed_sentences_are_not_quoted() {
    let text = post("battery ferries", &[FERRIES], 200);
    for left_out in ["It is dark", "Few people", "However", "Read more"] {
        assert!(!text.contains(left_out), "{left_out}: {text}");
    }
}

#[test]
fn an_unrelated_article_is_left_out_and_citations_number_the_given_list() {
    let text = post("battery ferries", &[TULIPS, FERRIES], 200);
    assert!(!text.contains("tulips"), "{text}");
    assert_eq!(citations(&text).iter().map(|citation| citation.number).collect::<Vec<_>>(), [2]);
}

#[test]
fn articles_in_another_script_than_the_topic_are_quoted_only_without_others() {
    let text = post("night trains", &[TRAINS, FERRIES], 200);
    assert!(text.contains("Kiel") && !text.contains('列'), "{text}");
    let text = post("night trains", &[TRAINS], 200);
    assert!(text.contains("《夜行列车》（北方日报、2026年6月10日）：“北方铁路公司"), "{text}");
    assert!(post("夜行列车", &[FERRIES, TRAINS], 200).contains("北方"));
}

#[test]
fn articles_without_a_quotable_sentence_are_listed_by_their_titles() {
    let bare = Article { text: "It is so.", ..FERRIES };
    assert_eq!(
        post("ferries", &[bare], 60),
        "# Ferries\n\n- **Night ferries** (Harbour News, 9 June 2026) [1]"
    );
    assert_eq!(post("ferries", &[], 60), "");
    assert_eq!(post("ferries", &[FERRIES], 3), "");
}

#[test]
fn a_quotation_joins_neighbouring_sentences_and_an_extract_has_the_best_ones() {
    let text = "Night ferries run between Kiel and Oslo. Ferries on batteries are quieter than others. He left. Tulips are \
        sold in April in Holland.";
    let passages = quotation(&Article { text, ..FERRIES }, "ferries on batteries", 100);
    assert_eq!(
        passages,
        [
            "Night ferries run between Kiel and Oslo. Ferries on batteries are quieter than others.",
            "Tulips are sold in April in Holland."
        ]
    );
    assert_eq!(extract(text, "ferries on batteries", 8), "Ferries on batteries are quieter than others.");
    assert_eq!(extract(text, "ferries", 3), "");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_quoted_within_the_word_limit(
        text in r#"([\[\]()`~*_#>|<&;$\\{}^.!?,:'"“”「」。！–—-]|[ \n\ta-cA-C0-3%é検ガ🙂\u{202e}\u{0}]|\[1\]|We use it here too\. |https://a\.b |3\.5% |```){0,60}"#,
        other in any::<String>(),
    ) {
        let article = Article { title: &other, source: &text, published: &other, text: &text };
        let post = post_by(&Measure::by_words(), &other, &[article, article], 60);
        prop_assert!(count_words(&post) <= 60);
        prop_assert_eq!(out_of_range(&post, 2), []);
        prop_assert!(count_words(&extract(&text, &other, 20)) <= 40);
        let documents = [Document { title: &text, body: "body" }, Document { title: "title", body: &text }];
        prop_assert!(rank(&text, &documents).iter().all(|(index, score)| *index < 2 && score.is_finite()));
    }
}

#[test]
fn a_long_text_of_anything_is_shortened_and_quoted_in_linear_time() {
    for pattern in
        ["a", "[", "“", ". ", "検", "「。", "\n", "- a\n", "> ", "We propose x, which is y. ", "```", "（"]
    {
        // Long enough that quadratic time would be noticed.
        let text = pattern.repeat(20_000 / pattern.len());
        let shorter = shorten(&text, &[]);
        assert!(shorter.is_none_or(|shorter| shorter.len() < text.len()), "{pattern}");
        quotation(&Article { text: &text, ..FERRIES }, &text, 100);
        query_terms(&text);
        rank(&text, &[Document { title: &text, body: &text }]);
    }
}
