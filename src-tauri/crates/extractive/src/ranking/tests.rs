//! Which documents a query finds, and in which order.

use super::{Collection, Document, Frequencies, query_terms, rank, rank_within, wider_query};

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
fn only_the_documents_about_a_topic_are_found() {
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
fn a_topic_without_documents_finds_nothing() {
    for topic in ["medieval falconry in Burgundy", "zzqx", "zzqx models", "", "   ", "?!", "quantum question"]
    {
        assert_eq!(found(topic), [], "{topic}");
    }
}

/// The documents, followed by documents about something else.
fn among_others(documents: &[Document<'static>]) -> Vec<Document<'static>> {
    let other = |title| Document { title, body: "A study of rain, roads and rivers, and of what they cost." };
    let titles = ["Rain", "Roads", "Rivers", "Bridges", "Harbours", "Tunnels", "Canals", "Mills", "Ferries"];
    documents.iter().copied().chain(titles.map(other)).collect()
}

fn found_among(query: &str, documents: &[Document<'static>]) -> Vec<usize> {
    rank(query, &among_others(documents)).into_iter().map(|(index, _)| index).collect()
}

#[test]
fn a_document_need_not_have_all_words_of_a_long_question() {
    let documents = [
        Document {
            title: "Reading chest scans one after the other",
            body: "In radiology, a comparison of two X-ray images shows how a disease goes on. The network compares them.",
        },
        Document { title: "Chess", body: "Players compare openings over time and know how well they do." },
    ];
    let question =
        "I teach radiology and would like to know how well new models compare X-ray images over time";
    assert_eq!(found_among(question, &documents), [0], "nor do the verbs of the question decide");
}

#[test]
fn a_document_that_only_mentions_the_topic_is_left_out() {
    let filler = "The cooperative sells grain. ".repeat(30);
    let mention = format!("{filler} A translation service was tried once.");
    let library = [
        Document { title: "Machine translation of statutes", body: "Translation of law was tested." },
        Document { title: "A cooperative", body: &mention },
    ];
    assert_eq!(rank("translation", &library).iter().map(|(index, _)| *index).collect::<Vec<_>>(), [0]);
}

#[test]
fn half_of_a_short_phrase_is_not_enough_and_a_compound_is_required() {
    let documents = [
        Document { title: "Scaling laws of memory", body: "The loss follows a power of the size." },
        Document { title: "A law against noise", body: "The law was passed." },
        Document { title: "Bias of judges", body: "Bias and fairness at court, and fairness again." },
        Document { title: "Bias in speech-to-text systems", body: "Fairness of speech-to-text is measured." },
    ];
    assert_eq!(found_among("scaling laws", &documents), [0]);
    assert_eq!(found_among("bias and fairness in speech-to-text models", &documents), [3]);
}

#[test]
fn words_of_a_phrase_may_be_some_words_apart_and_inflected() {
    let documents = [
        Document {
            title: "Enforcing what parliament decided",
            body: "The Lakes Water Act is enforced by nine officials.",
        },
        Document { title: "Interpretability of valves", body: "Valves are interpretable." },
    ];
    assert_eq!(found_among("Lakes Water Act enforcement", &documents), [0]);
    assert_eq!(found_among("interpretable valves", &documents), [1]);
}

#[test]
fn a_short_form_that_one_document_defines_matches_its_words_in_all_documents() {
    let documents = [
        Document { title: "On bridges", body: "We use tidal energy storage (TES) in two bays." },
        Document { title: "TES at sea", body: "TES was cheap." },
        Document { title: "Tidal energy storage in fjords", body: "It works." },
    ];
    let found = |query| {
        let mut found = found_among(query, &documents);
        found.sort_unstable();
        found
    };
    assert_eq!(found("TES"), [0, 1, 2]);
    assert_eq!(found("tidal energy storage"), [0, 1, 2]);
}

#[test]
fn related_words_match_and_rank_below_the_word_itself() {
    let documents = [
        Document {
            title: "Driverless taxis reach the airport",
            body: "The city agreed on Monday. It took a year.",
        },
        Document { title: "Self-driving cars in the rain", body: "They stopped. Nobody was hurt." },
        Document { title: "Care homes try talking robots", body: "Residents like them. Nurses wait." },
        Document { title: "A car park closes", body: "It was old. Nobody used it." },
    ];
    assert_eq!(found_among("self-driving cars", &documents), [1, 0]);
    assert_eq!(found_among("robots in elderly care", &documents), [2]);
}

#[test]
fn a_query_for_company_events_finds_no_papers() {
    let documents = [
        Document {
            title: "Harbour Lines to acquire Fjord Boats",
            body: "The price is nine million. Boards agreed.",
        },
        Document {
            title: "Acquisition of a second language",
            body: "We study language acquisition. We find that acquisition is slow.",
        },
    ];
    assert_eq!(found_among("acquisitions", &documents), [0]);
    assert_eq!(found_among("language acquisition", &documents), [1]);
}

#[test]
fn words_in_reverse_order_do_not_match_a_phrase() {
    let documents = [
        Document {
            title: "Symmetry",
            body: "We prove for any group a useful theorem. We prove a second theorem twice.",
        },
        Document {
            title: "Isabelle sails",
            body: "Automated theorem proving is slow. Theorem proving takes a day.",
        },
    ];
    assert_eq!(found_among("theorem proving", &documents), [1]);
}

#[test]
fn a_wider_query_has_short_forms_and_their_words() {
    for (query, other) in [
        ("RAG at sea", "retrieval augmented generation"),
        ("fine-tuning, multitasking", "finetuning multi tasking"),
        ("knowledge graphs", "kg"),
    ] {
        let wider = wider_query(query);
        assert!(wider.starts_with(query) && wider.contains(other), "{wider}");
    }
}

#[test]
fn chinese_and_japanese_are_matched_by_pairs_of_characters() {
    assert_eq!(found("検索拡張生成"), [4]);
    assert_eq!(found("量子計算機"), []);
    assert_eq!(found("最近の検索拡張生成についてのニュース"), [4], "words around a topic do not count");
}

#[test]
fn equal_documents_keep_their_order_and_library_frequencies_decide_the_worth_of_terms() {
    let twins = [LIBRARY[2], LIBRARY[2]];
    assert_eq!(rank("video", &twins).iter().map(|(index, _)| *index).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(query_terms("The latest video editing news, video!"), ["video", "editing"]);
    let candidates = [Document { title: "Video editing", body: "" }];
    let common = Frequencies { documents: 600, holding: vec![2, 300, 300] };
    let rare = Frequencies { documents: 600, holding: vec![300, 2, 2] };
    assert!(rank_within("quick video editing", &candidates, &common).is_empty());
    assert_eq!(rank_within("quick video editing", &candidates, &rare).len(), 1);
}

#[test]
fn a_collection_ranks_like_a_single_call() {
    assert_eq!(Collection::new(&LIBRARY).rank("video editing"), rank("video editing", &LIBRARY));
}

/// A text about none of the topics.
const FILLER: &str =
    "The harbour was dredged. Boats came and went. The crane was painted green. Nobody complained.";

#[test]
fn a_single_late_mention_is_not_enough_but_several_sentences_are() {
    let once = format!("{FILLER} A falcon was seen.");
    let often =
        format!("{FILLER} A falcon was seen. Its nest is new. The falcon stayed. Falcons like towers.");
    let documents = [
        Document { title: "Harbour news", body: &once },
        Document { title: "Harbour news", body: &often },
        Document {
            title: "Harbour news",
            body: "A falcon nests on the crane. The falcon is tame. It rains.",
        },
    ];
    let found: Vec<usize> = rank("falcon", &documents).into_iter().map(|(index, _)| index).collect();
    assert_eq!(found, [2, 1]);
}

#[test]
fn a_word_inside_another_name_or_compound_does_not_match() {
    let documents = [
        Document { title: "TriM-Lynx for faces", body: "TriM-Lynx beats others." },
        Document { title: "Lynx-3 comes out", body: "Lynx-3 is small." },
        Document { title: "Detecting text-rich pictures", body: "Pictures of shops." },
        Document { title: "Detecting machine-written text", body: "Essays are judged." },
        Document { title: "Trams in Orion may turn left", body: "Orion has 2 lines." },
        Document { title: "Orion-2 speaks", body: "Orion-2 is a voice." },
    ];
    assert_eq!(found_among("Lynx", &documents), [1]);
    assert_eq!(found_among("detecting text", &documents), [3]);
    assert_eq!(found_among("Orion-2", &documents), [5]);
    assert_eq!(found_among("Orion 2", &documents), [5]);
}

#[test]
fn the_words_of_a_phrase_occur_together_with_its_head() {
    let documents = [
        Document { title: "Tidal bank keeps its rate", body: "The bank is learning from tidal shocks." },
        Document { title: "Tidal storage across banks", body: "Storage is shared." },
        Document { title: "Fine-tuning of organs", body: "Pipes are filed." },
        Document { title: "Finetuning a choir", body: "Voices are trained." },
    ];
    assert_eq!(found_among("tidal storage", &documents), [1]);
    for query in ["fine-tuning", "finetuning"] {
        let mut found = found_among(query, &documents);
        found.sort_unstable();
        assert_eq!(found, [2, 3], "{query}");
    }
}

#[test]
fn a_topic_of_the_field_needs_the_field_and_a_kind_of_work_must_be_made() {
    let documents = [
        Document { title: "School bus recalled", body: "The brakes of the bus failed." },
        Document { title: "Schools try a chatbot", body: "The AI helps with homework." },
        Document { title: "Ferry-Bench", body: "We introduce a benchmark for ferry agents." },
        Document { title: "FerryMan: a ferry agent", body: "FerryMan leads on two benchmarks. It docks." },
    ];
    assert_eq!(found_among("AI in schools", &documents), [1]);
    assert_eq!(found_among("Which benchmarks for ferry agents came out?", &documents), [2]);
}

#[test]
fn and_prefers_documents_about_both_phrases_and_or_accepts_either() {
    let documents = [
        Document { title: "Kites and gliders", body: "Both fly." },
        Document { title: "Kites", body: "They fly." },
    ];
    assert_eq!(found_among("kites and gliders", &documents), [0]);
    assert_eq!(found_among("kites and gliders", &documents[1..]), [0], "where there is no other");
    assert_eq!(found_among("kites or gliders", &documents), [0, 1]);
}

#[test]
fn a_filler_word_counts_as_the_first_part_of_a_name() {
    assert_eq!(query_terms("the latest report on state space models"), ["state", "space", "models"]);
    assert_eq!(query_terms("the state of translation"), ["translation"]);
}

#[test]
fn one_word_of_a_pair_alone_does_not_match() {
    let document = |title: &'static str, body: &'static str| Document { title, body };
    let documents = [
        document(
            "Forty-one states sign a protocol on weapons",
            "States today signed a protocol on weapons. They signed it.",
        ),
        document(
            "A palletising robot mistook a mechanic for a carton",
            "The robot pressed him. A second robot stood by.",
        ),
        document("Sign language in hospitals", "Deaf patients sign. Sign language is spoken by nurses."),
        document("A humanoid robot in the hall", "The humanoid robot carries boxes. Humanoid robots walk."),
    ];
    // In this library nearly every article contains "language", and many contain "robot".
    let best = |documents: &[Document<'_>], topic: &str, holding: Vec<usize>| {
        let ranked = rank_within(topic, documents, &Frequencies { documents: 684, holding });
        ranked.into_iter().map(|(at, _)| at).collect::<Vec<_>>()
    };
    assert_eq!(best(&documents, "sign language", vec![7, 259]), [2]);
    assert_eq!(best(&documents, "humanoid robots", vec![119, 20]), [3]);
    assert!(best(&documents[..2], "sign language", vec![7, 259]).is_empty());
    assert!(best(&documents[..2], "humanoid robots", vec![119, 20]).is_empty());
}
