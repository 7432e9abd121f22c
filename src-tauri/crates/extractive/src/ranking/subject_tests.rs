//! Which documents are about a subject, and which only share a word with it.

use super::{Document, rank};

const LIBRARY: [Document<'_>; 7] = [
    Document {
        title: "A trial of an AI tutor in 84 secondary schools",
        body: "A chatbot taught mathematics for a year. Pupils in the classroom gained 4 points in the exam.",
    },
    Document {
        title: "An index of artificial intelligence",
        body: "AI grows. Companies spend more. Models get larger. Laws, education and data follow slowly.",
    },
    Document {
        title: "How we cut our LLM bill by 64%",
        body: "Our product answers questions with a language model. A cache and smaller models made it cheaper.",
    },
    Document {
        title: "A gripper handles ten thousand items",
        body: "The robot hand picks items between five grams and four kilograms. Grasping fails in 2% of the cases.",
    },
    Document {
        title: "Real-time object detection",
        body: "Detectors for driving, surveillance and robotics must be fast. We propose two heads. We find objects \
               in every frame. We halve the time.",
    },
    Document {
        title: "Routing by entropy regulation",
        body: "We regulate the entropy of a router of models. Regulation of entropy makes models choose better.",
    },
    Document {
        title: "Brussels delays parts of the AI Act",
        body: "The commission will postpone rules for systems of high risk. Parliament agreed to the regulation.",
    },
];

fn found(subject: &str) -> Vec<&'static str> {
    rank(subject, &LIBRARY).into_iter().map(|(index, _)| LIBRARY[index].title).collect()
}

#[test]
fn a_subject_is_found_by_related_words() {
    assert_eq!(found("AI in education"), [LIBRARY[0].title]);
    assert_eq!(found("cost of language models"), [LIBRARY[2].title]);
}

#[test]
fn documents_that_only_share_a_word_are_left_out() {
    assert_eq!(found("robot grippers"), [LIBRARY[3].title]);
    assert_eq!(found("regulation of AI"), [LIBRARY[6].title]);
    assert!(found("beekeeping").is_empty());
}

#[test]
fn a_short_word_does_not_match_a_longer_one() {
    let care =
        [Document { title: "Care homes try robots", body: "Care is hard. Care homes have few nurses." }];
    assert!(rank("cars", &care).is_empty());
}

#[test]
fn an_unspaced_topic_is_ranked_and_an_empty_one_finds_nothing() {
    let library =
        [Document { title: "検索拡張生成の評価", body: "検索拡張生成を評価する。" }];
    assert_eq!(rank("検索拡張生成", &library).len(), 1);
    assert!(rank("", &LIBRARY).is_empty());
}
