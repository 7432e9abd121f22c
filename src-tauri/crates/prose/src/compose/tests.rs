//! What a composed post promises, on real abstracts.

use super::{ArticleText, Draft, compose_post, size};
use crate::sample::RECORDS;
use std::sync::Arc;

use crate::{
    JudgedSentence, JudgedSource, Place, SourceTexts, Verdict, citations, count_words, judge_text,
    out_of_range, sentences, sources_used,
};

const JAPANESE: ArticleText<'_> = ArticleText {
    title: "検索拡張生成における矛盾の解消",
    source: "情報処理学会",
    published: "2026-06-12",
    text: "大規模言語モデルは誤った情報を生成することがある。本研究では、検索結果の矛盾を検出して解消する新しい手法を提案する。実験の結果、正答率が12.5%向上した。",
};

const CHINESE: ArticleText<'_> = ArticleText {
    title: "面向长文档的检索增强生成",
    source: "arXiv",
    published: "2026-06-18",
    text: "大型语言模型在长文档上表现不佳。本文提出了一种分层检索方法，以降低成本。实验表明，准确率提高了8.3%。",
};

const UNTOLD: ArticleText<'_> =
    ArticleText { title: "GPT-9 System Card", source: "OpenAI", published: "2026-06-20", text: "" };

/// What a sentence states that the articles it cites do not.
fn judged_false(sentence: &str, articles: &[ArticleText<'_>]) -> Vec<JudgedSentence> {
    let source = |article: &ArticleText<'_>| Arc::new(JudgedSource::new(&[&article.whole()], &[]));
    let sources: Vec<_> = articles.iter().map(source).collect();
    let mut judged = judge_text(sentence, &sources, "");
    judged.retain(|judged| judged.verdict == Verdict::NotFound);
    judged
}

/// Every promise that holds for any post about any articles.
fn assert_is_publishable(post: &str, articles: &[ArticleText<'_>], max_words: usize) {
    assert!(size(post) <= max_words, "{} words of {max_words}: {post}", size(post));
    assert_eq!(out_of_range(post, articles.len()), [], "{post}");
    let wholes: Vec<String> = articles.iter().map(ArticleText::whole).collect();
    let sources = SourceTexts::new(&wholes.iter().map(String::as_str).collect::<Vec<_>>());
    for (at, sentence) in sentences(post).iter().enumerate() {
        let cited = sources_used(sentence.text);
        let is_opening = at < 2 && cited.is_empty();
        if sentence.place == Place::Heading || is_opening {
            continue;
        }
        assert_eq!(cited.len(), 1, "one citation in: {}", sentence.text);
        assert!(
            sentence.text.ends_with(&format!("[{}].", cited[0] + 1)) || sentence.text.ends_with("]。"),
            "{post}"
        );
        assert_eq!(judged_false(sentence.text, articles), [], "{}", sentence.text);
        assert!(sources.support(sentence.text, cited[0]) >= 0.8, "{}", sentence.text);
    }
    let plain = post.to_lowercase();
    for word in plain.split(|character: char| !character.is_alphanumeric()) {
        assert!(!matches!(word, "we" | "our" | "us" | "ours"), "first person left in: {post}");
    }
    for mark in ["\\", "$", "{", "the authors the authors", "  ", " .", "[1][1]", "]. ["] {
        assert!(!post.contains(mark), "{mark:?} in: {post}");
    }
}

#[test]
fn an_item_introduces_its_work_before_it_tells_what_was_found() {
    let articles = [RECORDS[5], RECORDS[3], RECORDS[2]];
    let post = compose_post("latest news about LLM agents", &articles, 200);
    assert_is_publishable(&post, &articles, 200);
    assert_eq!(post, compose_post("latest news about LLM agents", &articles, 200));
    let (finding, made) = (
        post.find("AdaMem improves QA accuracy by up to +9.0%"),
        post.find("the authors argue that what is worth"),
    );
    assert!(made.is_some() && made < finding, "{post}");
    assert!(post.starts_with("# LLM agents in June 2026\n\n"), "{post}");
}

const NEWS: ArticleText<'_> = ArticleText {
    title: "Harbour office lets software plan its locks - Port Gazette",
    source: "Port Gazette",
    published: "2026-06-09",
    text: "PORT ELLEN (Port Gazette) - The harbour office of Port Ellen has handed the planning of its locks to a program, \
           and ships now wait 14 minutes less. It was switched on in May.\n\n“We are pleased with what we see,” said the \
           harbour master.\n\nThe department has not decided on the second lock.",
};

#[test]
fn news_are_told_from_their_first_sentence_on_behind_their_title() {
    let post = compose_post("harbour software", &[NEWS], 90);
    assert_is_publishable(&post, &[NEWS], 90);
    assert_eq!(
        post,
        "# Harbour software, 9 June 2026\n\n“Harbour office lets software plan its locks” (Port Gazette, 9 June 2026): The \
         harbour office of Port Ellen has handed the planning of its locks to a program, and ships now wait 14 minutes \
         less [1]. It was switched on in May [1]."
    );
}

#[test]
fn of_an_article_that_has_nothing_to_say_of_the_topic_nothing_is_told() {
    let articles = [RECORDS[0], RECORDS[2]];
    assert_eq!(sources_used(&compose_post("long-term memory of agents", &articles, 200)), [1]);
    let elsewhere = compose_post("長期記憶", &articles, 200);
    assert_eq!(sources_used(&elsewhere), [0, 1], "unless no words can be compared");
}

#[test]
fn an_article_in_another_language_is_named_with_its_language_and_not_quoted() {
    let article = ArticleText {
        title: "Schleusen planen sich selbst",
        source: "Hafenblatt",
        published: "2026-06-09",
        text: "Das Hafenamt hat die Planung der Schleusen einem Programm übergeben, und die Schiffe warten jetzt im \
               Schnitt 14 Minuten weniger als vor dem Umbau.",
    };
    let post = compose_post("Schleusen", &[article], 90);
    assert_is_publishable(&post, &[article], 90);
    assert!(
        post.ends_with("“Schleusen planen sich selbst” (Hafenblatt, 2026-06-09), in German [1]."),
        "{post}"
    );
}

#[test]
fn an_article_in_chinese_or_japanese_is_quoted_beside_a_topic_in_english_where_no_other_tells_of_it() {
    let post = compose_post("contradictions in retrieval", &[JAPANESE], 90);
    assert!(post.starts_with("# Contradictions in retrieval, 12 June 2026"), "{post}");
    assert!(post.contains("正答率が12.5%向上した[1]。"), "{post}");
}

#[test]
fn a_question_stays_one_and_a_topic_takes_the_capitals_of_the_articles() {
    let heading = |topic: &str| {
        let post = compose_post(topic, &[RECORDS[2]], 90);
        post.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(heading("what does memory mean for LLM agents?"), "# What does memory mean for LLM agents?");
    assert_eq!(heading("news about llm agents"), "# LLM agents, 23 June 2026");
    // The article has "horizon", and one of several is no slip; "personolized" is one.
    assert_eq!(heading("personolized horizons"), "# Personalized horizons, 23 June 2026");
    assert_eq!(
        heading(
            "I would like to know how new models compare memory volume and QA accuracy over the weeks of use"
        ),
        "# Memory volume, QA accuracy, 23 June 2026"
    );
}

#[test]
fn every_choice_of_articles_and_every_limit_gives_a_publishable_post_or_none() {
    for count in 1..=5 {
        for start in 0..RECORDS.len() {
            let articles: Vec<ArticleText<'_>> =
                (start..start + count).map(|at| RECORDS[at % RECORDS.len()]).collect();
            for max_words in [5, 30, 70, 140, 200, 400] {
                let post = compose_post("agents and gestures", &articles, max_words);
                assert_is_publishable(&post, &articles, max_words);
                if max_words >= 140 {
                    let told = sources_used(&post).len();
                    assert!(told >= 1 && told <= count, "those that are told fully: {post}");
                }
            }
        }
    }
}

#[test]
fn of_an_article_without_text_only_title_and_date_are_told() {
    let post = compose_post("gestures", &[UNTOLD], 200);
    assert!(post.ends_with("On the list is “GPT-9 System Card” (OpenAI, 20 June 2026) [1]."), "{post}");
    let nothing = ArticleText { title: "", source: "", published: "", text: "" };
    let short = ArticleText { title: "A note", source: "", published: "soon", text: "It works." };
    let articles = [RECORDS[0], UNTOLD, short, nothing];
    let post = compose_post("gestures", &articles, 200);
    assert_is_publishable(&post, &articles, 200);
    assert_eq!(sources_used(&post), [0], "what cannot be told is left out: {post}");
}

#[test]
fn chinese_and_japanese_articles_are_quoted_in_their_language() {
    let post = compose_post("生成", &[JAPANESE, CHINESE], 200);
    assert_is_publishable(&post, &[JAPANESE, CHINESE], 200);
    assert_eq!(
        post,
        "# 生成（2026年6月）\n\n「検索拡張生成における矛盾の解消」（情報処理学会、2026年6月12日）によると、同研究では、\
         検索結果の矛盾を検出して解消する新しい手法を提案する[1]。実験の結果、正答率が12.5%向上した[1]。\n\n\
         《面向长文档的检索增强生成》（arXiv、2026年6月18日）：该文提出了一种分层检索方法，以降低成本[2]。\
         实验表明，准确率提高了8.3%[2]。"
    );
    let mixed = [JAPANESE, RECORDS[0], CHINESE];
    assert_is_publishable(&compose_post("生成", &mixed, 200), &mixed, 200);
}

#[test]
fn a_topic_is_written_only_as_far_as_the_articles_bear_it() {
    let articles = [RECORDS[1], RECORDS[2]];
    for topic in ["GPT-7 at Globex", "[x](http://y.z) <script>", "?!", "", "a\nb `c` # d [9]"] {
        let post = compose_post(topic, &articles, 200);
        assert_is_publishable(&post, &articles, 200);
        for trace in ["Globex", "script", "http", "[9]", "`"] {
            assert!(!post.contains(trace), "{post}");
        }
    }
    let long = "agents ".repeat(200_000);
    assert_is_publishable(&compose_post(&long, &articles, 200), &articles, 200);
}

#[test]
fn no_articles_and_no_room_give_no_post() {
    assert_eq!(compose_post("agents", &[], 200), "");
    assert_eq!(compose_post("agents", &RECORDS, 4), "");
    assert!(citations(&compose_post("agents", &RECORDS, 200)).len() >= 4);
    assert!(count_words(&compose_post("agents", &RECORDS, 60)) > 20);
}

/// A paper whose result stands behind others' results, a rejected attempt and a caveat.
#[test]
fn a_paper_is_told_by_its_own_finding_and_figure_wherever_it_was_published() {
    let text = "Ferries burn much oil. Lee et al. improve ferry speed by 40% on lakes. We look at the tide. \
        We propose a simple baseline that stops the engine. \
        In this paper, we introduce TideNet, a network that plans ferry routes by the tide. \
        After one summer of such routes, oil use falls by 31%. \
        All six captains kept their old charts. We release the charts.";
    for source in ["arXiv", "Harbour Notes"] {
        let article =
            ArticleText { title: "TideNet: Routes by the Tide", source, published: "2026-06-02", text };
        let post = compose_post("ferry routes", &[article], 200);
        assert!(
            post.contains("the authors introduce TideNet, a network that plans ferry routes by the tide [1]"),
            "{post}"
        );
        assert!(post.contains("oil use falls by 31% [1]"), "{post}");
        for others in ["Lee et al", "baseline", "six captains", "Ferries burn"] {
            assert!(!post.contains(others), "{others} in {post}");
        }
    }
}

#[test]
fn a_post_does_not_end_with_a_sentence_that_only_leads_on() {
    let article = ArticleText {
        title: "Ferries may sail at night",
        source: "Harbour Post",
        published: "2026-06-02",
        text: "The city has allowed ferries to sail at night from Monday. Four boats will cross the bay until three in the morning. Residents were sceptical.",
    };
    let post = compose_post("ferries", &[article], 200);
    assert!(post.contains("Four boats") && !post.contains("sceptical"), "{post}");
    let question = compose_post("what does the ferry law change", &[article], 200);
    assert!(question.starts_with("# What does the ferry law change?"), "{question}");
}

#[test]
fn what_a_company_says_of_itself_is_quoted_and_a_label_is_not_told() {
    let text = "We have released Loomkit 2, which closes a hole in our framework. All versions from 1.4 are affected.\n\n\
                Fewer false alarms. Disk-based index. Two lamps stood out. Users dismissed 17% of the warnings, compared with 41% before.";
    let article = ArticleText { title: "Loomkit 2 is out", source: "Loomkit", published: "2026-06-20", text };
    let post = compose_post("software", &[article], 160);
    assert!(
        post.contains("“We have released Loomkit 2, which closes a hole in our framework” [1]."),
        "{post}"
    );
    assert!(post.contains("Two lamps stood out") && post.contains("17% of the warnings"), "{post}");
    assert!(!post.contains("Fewer false alarms") && !post.contains("Disk-based"), "{post}");
}

#[test]
fn of_a_structured_abstract_method_and_results_are_told_and_not_the_background() {
    let text = "Background: An estimated 80% of sleepers are undiagnosed. Methods: 418 adults were randomised to a \
                watch or to a waiting list for six months. Results: Scores fell by 2.1 points with the watch and by \
                1.6 on the waiting list. Conclusions: The watch did not help.";
    let article = ArticleText {
        title: "A trial of a watch for sleepers",
        source: "medRxiv",
        published: "2026-06-20",
        text,
    };
    let post = compose_post("sleep", &[article], 160);
    assert!(post.contains("418 adults were randomised") && post.contains("2.1 points"), "{post}");
    assert!(!post.contains("80%"), "{post}");
}

#[test]
fn the_main_result_of_a_paper_stands_before_its_others_and_what_was_done_is_none() {
    let text = "Sensors are noisy. We train a detector for 90 hours with 300 images. It weighs little. Sensitivity \
                reached 78% and specificity 91%. Using one night rather than seven lowered sensitivity to 61%.";
    let article =
        ArticleText { title: "A detector of apnoea", source: "arXiv", published: "2026-06-20", text };
    let post = compose_post("detectors", &[article], 160);
    let place = |words: &str| post.find(words).unwrap_or_else(|| panic!("{words} is missing: {post}"));
    assert!(place("train a detector") < place("78%") && place("78%") < place("61%"), "{post}");
}

#[test]
fn a_result_that_cannot_be_understood_without_what_leads_to_it_is_told_right_behind_it() {
    let text = "Sailors misjudge tides. In this registered study, 40 crews sailed for a year. Half of them had a table and \
                the others had a lamp. The crews with a lamp ran aground in 2% of tides, compared with 9% for the table. \
                Paint was bought for 12% of the hulls.";
    let article =
        ArticleText { title: "A trial of lamps for boats", source: "arXiv", published: "2026-06-20", text };
    let post = compose_post("boats", &[article], 160);
    let place = |words: &str| post.find(words).unwrap_or_else(|| panic!("{words} is missing: {post}"));
    assert!(place("40 crews") < place("had a lamp") && place("had a lamp") < place("2% of tides"), "{post}");
    assert!(place("2% of tides") < post.find("12% of the hulls").unwrap_or(post.len()), "{post}");
}

#[test]
fn a_chinese_paper_is_told_from_its_own_part_on_and_its_writers_in_the_third_person() {
    let text = "轮渡在夜间常常晚点，原因多种多样。常见的办法是增加船员。我们观察到，每逢大潮，三个港口的轮渡晚点都明显更多，白天与夜间都是如此。据此提出“潮钟”，\
                只看潮位。在三个港口的试验中，晚点率从31%降至12%。";
    let article =
        ArticleText { title: "潮位与轮渡晚点", source: "arXiv", published: "2026-06-20", text };
    let post = compose_post("轮渡", &[article], 120);
    assert!(
        post.contains(
            "：作者观察到，每逢大潮，三个港口的轮渡晚点都明显更多，白天与夜间都是如此[1]。据此提出“潮钟”"
        ),
        "{post}"
    );
    assert!(post.contains("降至12%") && !post.contains("常见的办法"), "{post}");
}

#[test]
fn a_paper_of_which_no_sentence_is_plainly_a_result_is_told_from_its_beginning() {
    let text = "Quantization to four bits has become standard on small computers. Below that, quality collapses, and \
                the reasons are poorly understood. We trace the collapse to fewer than 3% of the weight columns, nearly \
                all of them in the first two blocks of the network. Those are kept in eight bits by a small table.";
    let article =
        ArticleText { title: "Two bits for most layers", source: "arXiv", published: "2026-06-20", text };
    let post = compose_post("quantization", &[article], 160);
    let place = |words: &str| post.find(words).unwrap_or_else(|| panic!("{words} is missing: {post}"));
    assert!(place("has become standard") < place("The authors trace"), "{post}");
}

#[test]
fn a_share_in_chinese_numerals_is_a_result_and_what_others_did_is_no_beginning() {
    let text = "以往研究在我们的数据上仅提高了百分之一。本文提出一种看潮位的方法。首先记录潮位。早高峰的平均晚点下降了百分之十四。";
    let article = ArticleText { title: "潮位与轮渡", source: "arXiv", published: "2026-06-20", text };
    let post = compose_post("轮渡", &[article], 120);
    assert!(post.contains("：该文提出一种看潮位的方法") && post.contains("百分之十四"), "{post}");
    assert!(!post.contains("以往研究"), "{post}");
}

#[test]
fn what_only_says_of_which_kind_people_were_begins_no_post() {
    let text = "Objective. To find out how often sprains come. Background: Sprains are frequent. Setting: Nine clubs, 1,023 players, 604 injuries that led to absence. \
                Methods: Clubs were drawn by lot to a bandage or to none. Results: The bandage lowered absence by 12%.";
    let article =
        ArticleText { title: "A trial of bandages", source: "medRxiv", published: "2026-06-20", text };
    let post = compose_post("bandages", &[article], 160);
    assert!(post.contains("drawn by lot") && post.contains("12%"), "{post}");
    assert!(!post.contains("Nine clubs") && !post.contains("To find out"), "{post}");
}

#[test]
fn what_patients_had_reported_is_a_result_and_what_a_study_had_shown_or_was_compared_is_none() {
    let told = |sentence: &str| {
        let text = format!(
            "Ferries are late. In this study, 400 captains were drawn by lot to a lamp or to none. {sentence} Paint was \
             bought for 12% of the hulls."
        );
        let article =
            ArticleText { title: "A trial of lamps", source: "arXiv", published: "2026-06-20", text: &text };
        Draft::new(0, &article, "lamps").sequences()
    };
    assert_eq!(
        told(
            "By week 12, 78% of captains with the lamp had reported no delay, compared with 40% without it."
        )[0],
        [1, 2]
    );
    assert_eq!(told("Their delays were compared with those of 2024 and 2025.")[0], [1, 2, 3]);
    assert!(
        told("Delays fell by 48% with candles, as a field experiment in ten harbours had shown.").is_empty()
    );
}
