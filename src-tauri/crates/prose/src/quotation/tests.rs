//! What is quoted of papers and reports, and what is left out because it hangs in the air.

use super::quotation;
use crate::ArticleText;

fn quoted(text: &str, query: &str, title: &str, max_words: usize) -> Vec<String> {
    quotation(&ArticleText { title, source: "", published: "", text }, query, max_words)
}

const PAPER: &str = "Tides move ever more slowly. Sailors need to know how slowly. To address this, we present Lunar, a \
    model that predicts tides from three gauges. Then, it is trained on ten years of measurements. In particular, the \
    harbour is told of. On six coasts, Lunar predicts 98% of all tides, compared with 71% for tables. We further \
    introduce a second one. Code is available at https://a.b.";

#[test]
fn of_a_paper_what_it_announces_stands_first_and_its_findings_follow() {
    assert_eq!(
        quoted(PAPER, "tides", "Lunar: tides", 80),
        [
            "… we present Lunar, a model that predicts tides from three gauges. Then, it is trained on ten years of \
             measurements. In particular, the harbour is told of. On six coasts, Lunar predicts 98% of all tides, \
             compared with 71% for tables. We further introduce a second one."
        ]
    );
}

#[test]
fn of_a_report_the_first_sentence_stands_first_and_neighbours_are_one_passage() {
    let news = "The council opened a school on Monday. It cost 4 million euros and took 3 years to build. Some see a \
        waste of money. The target was named in 2020. More seats. The school has 400 places, 12% more than the \
        council had planned.";
    assert_eq!(
        quoted(news, "school", "A school opens", 60),
        [
            "The council opened a school on Monday. It cost 4 million euros and took 3 years to build. Some see a \
             waste of money. The target was named in 2020.",
            "The school has 400 places, 12% more than the council had planned."
        ]
    );
}

#[test]
fn where_no_sentence_can_begin_nothing_is_quoted() {
    for text in [
        "",
        "It is slow. Yet they came. The latter were more.",
        "Yet few came. Tides could halve that share by 2030. Most tides go through it each year.",
        "Tides are old. Such models fail. We further introduce both. In addition, these gains hold.",
    ] {
        assert!(quoted(text, "tides", "Tides", 60).is_empty(), "{text}");
    }
}

#[test]
fn the_cap_holds_and_sentences_stay_whole() {
    assert_eq!(
        quoted(PAPER, "tides", "Lunar: tides", 20),
        ["On six coasts, Lunar predicts 98% of all tides, compared with 71% for tables."]
    );
}

#[test]
fn a_label_between_two_sentences_parts_what_is_quoted() {
    let paper = "Methods: We gave 400 boats a tide table and 400 none. Results: Boats with a table ran aground in 2% of \
        tides, against 9% without. Conclusions: Tide tables reduce the costs of boats by 40%.";
    assert_eq!(
        quoted(paper, "tides", "Tide tables for boats: a trial", 60),
        [
            "We gave 400 boats a tide table and 400 none.",
            "Boats with a table ran aground in 2% of tides, against 9% without.",
            "Tide tables reduce the costs of boats by 40%."
        ]
    );
}

#[test]
fn a_sentence_that_leans_on_one_about_others_is_left_out_with_it() {
    let news = "The council opened a school on Monday. Lee et al. built a rival school in May. It costs parents 40% less.";
    assert_eq!(quoted(news, "school", "A school opens", 60), ["The council opened a school on Monday."]);
}

#[test]
fn a_short_form_that_nobody_explains_is_not_quoted() {
    let news = "The council opened a school on Monday. The school has 400 places, 12% more than planned. Teachers of the \
        school get 24 QRX a month, and 31 of them came.";
    let passages = quoted(news, "school", "A school opens", 60);
    assert_eq!(
        passages,
        ["The council opened a school on Monday. The school has 400 places, 12% more than planned."]
    );
    let explained = news.replace("QRX", "quarter rations (QRX)");
    assert!(quoted(&explained, "school", "A school opens", 60).concat().contains("QRX"));
}

#[test]
fn a_paper_is_quoted_as_far_as_its_result_and_chinese_by_its_characters() {
    let paper = "We equip 30 ferries on the coast with a lamp that tells them the tide of the next hour from the gauge \
        of the harbour. Crews of all ferries were told of it on deck. Ferries with the lamp ran aground in 2% of \
        tides, compared with 9% without it.";
    let whole = quoted(paper, "ferries", "A lamp for ferries", 40);
    assert_eq!(whole, [paper.split_whitespace().collect::<Vec<_>>().join(" ")]);
    let chinese = "港口昨天宣布，九月起轮渡装上潮灯。它看潮位，每小时更新一次。试用中晚点率从31%降至12%。";
    assert_eq!(quoted(chinese, "轮渡", "轮渡装上潮灯", 30), [chinese]);
}
