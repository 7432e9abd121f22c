//! What a query finds, what it does not, and in which order.

use super::{Collection, Document, Frequencies, query_terms, rank, rank_within};

const LIBRARY: [Document<'_>; 6] = [
    Document {
        title: "FlowRAG: graph-guided retrieval",
        body: "RAG over documents reduces wrong answers in question answering with large language models.",
    },
    Document {
        title: "Adaptive context management for agents",
        body: "LLM agents face long tasks. An external model manages their context in web search.",
    },
    Document {
        title: "Video editing with text control",
        body: "A frozen diffusion model is steered to edit video in a precise manner over many frames.",
    },
    Document {
        title: "Counterfactual decoding for fair reasoning",
        body: "Large language models amplify biases in a chain of thought; a training-free method reduces them.",
    },
    Document {
        title: "検索拡張生成の評価", body: "大規模言語モデルによる検索拡張生成を評価する。"
    },
    Document {
        title: "Speech translation",
        body: "In speech translation models, latency matters in practice.",
    },
];

fn found(query: &str) -> Vec<usize> {
    rank(query, &LIBRARY).iter().map(|(index, _)| *index).collect()
}

#[test]
fn the_documents_about_a_topic_come_first_and_others_not_at_all() {
    assert_eq!(found("latest news about context management of agents"), [1]);
    assert_eq!(found("video editing"), [2]);
    assert_eq!(found("speech translation latency"), [5]);
}

#[test]
fn short_forms_and_their_words_find_each_other() {
    assert_eq!(found("retrieval-augmented generation"), [0]);
    assert_eq!(found("CoT"), [3]);
    let models = found("large language models");
    assert!([0, 1, 3].iter().all(|index| models.contains(index)), "{models:?}");
}

#[test]
fn a_topic_that_the_library_does_not_have_finds_nothing() {
    for topic in ["medieval falconry in Burgundy", "zzqx", "zzqx models", "", "   ", "?!", "quantum question"]
    {
        assert_eq!(found(topic), [], "{topic}");
    }
}

#[test]
fn chinese_and_japanese_are_found_by_pairs() {
    assert_eq!(found("検索拡張生成"), [4]);
    assert_eq!(found("量子計算機"), []);
}

#[test]
fn equal_documents_keep_their_order_and_frequencies_of_the_library_decide_what_is_telling() {
    let twins = [LIBRARY[2], LIBRARY[2]];
    assert_eq!(rank("video", &twins).iter().map(|(index, _)| *index).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(query_terms("The latest video editing news, video!"), ["video", "editing"]);
    let candidates = [Document { title: "Video compression", body: "" }];
    let common = Frequencies { documents: 600, holding: vec![300, 2] };
    let rare = Frequencies { documents: 600, holding: vec![2, 300] };
    assert!(rank_within("video editing", &candidates, &common).is_empty());
    assert_eq!(rank_within("video editing", &candidates, &rare).len(), 1);
}

#[test]
fn a_collection_answers_as_a_single_ranking_does() {
    assert_eq!(Collection::new(&LIBRARY).rank("video editing"), rank("video editing", &LIBRARY));
}
