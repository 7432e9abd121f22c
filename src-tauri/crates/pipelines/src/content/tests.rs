//! What a request is about, and what the checks of a long text find, without a run around them.

use std::sync::Arc;

use kernel::{State, Value};
use serde_json::json;

use super::subject::{subject_of, title_of};
use crate::Pipeline;

#[test]
fn the_subject_of_a_request_is_what_it_names_as_such() {
    for (request, subject) in [
        (
            "Write a blog post about retrieval-augmented generation for beginners.",
            "retrieval-augmented generation",
        ),
        ("Explain speculative decoding to developers", "speculative decoding"),
        ("explain how attention works\nKeep it short.", "attention"),
        (
            "Write an article that explains mixture-of-experts routing to engineers",
            "mixture-of-experts routing",
        ),
        ("What is direct preference optimization?", "direct preference optimization"),
        ("What do courts say about chatbots?", "do courts say about chatbots"),
        ("What can you tell me about bees?", "bees"),
        ("a post that tells about bees", "bees"),
        (
            "algorithms that decide about workers and citizens",
            "algorithms that decide about workers and citizens",
        ),
        ("When algorithms decide about people", "When algorithms decide about people"),
        ("When you have time, write about tide tables", "tide tables"),
        ("How do diffusion language models work?", "diffusion language models"),
        ("Compare dense and sparse retrieval, with examples", "dense and sparse retrieval"),
        ("A deep dive on GPT-4.1 and TCP/IP for developers, in German", "GPT-4.1 and TCP/IP"),
        ("Write about 800 words on large language models for finance", "large language models for finance"),
        ("a short story of about 500 words about agents that use tools", "agents that use tools"),
        ("Please write documentation for vector databases in plain English", "vector databases"),
        ("I'd like a tutorial on prompt caching (around 600 words)", "prompt caching"),
        ("什么是混合专家模型？", "混合专家模型"),
        ("检索增强生成是什么", "检索增强生成"),
        ("请比较向量数据库和图数据库", "向量数据库和图数据库"),
        ("写一篇推测解码的技术文章", "推测解码"),
        ("検索拡張生成とは何ですか", "検索拡張生成"),
        ("初心者向けに拡散モデルの仕組みを解説して", "拡散モデルの仕組み"),
        ("Heat pumps in old houses: what to check before buying", "Heat pumps in old houses"),
        (
            "How retrieval-augmented generation works and when it is worth the effort",
            "retrieval-augmented generation",
        ),
        (
            "Why large language models make things up, and what a reader can do about it",
            "large language models make things up",
        ),
        ("医学影像中的人工智能：医院该如何评估一款新模型", "医学影像中的人工智能"),
        ("写一篇关于大语言模型幻觉的技术文章", "大语言模型幻觉"),
        ("ロボットの模倣学習について解説記事を書いて", "ロボットの模倣学習"),
        ("about", "about"),
        ("\n\n", ""),
    ] {
        assert_eq!(subject_of(request), subject, "{request}");
    }
}

#[test]
fn a_title_keeps_what_is_asked_of_the_subject() {
    for (request, title) in [
        ("synthetic media and how to detect it", "synthetic media and how to detect it"),
        (
            "Write a post about synthetic media and how to detect it for beginners",
            "synthetic media and how to detect it",
        ),
        (
            "Why should a company be careful when it buys AI tools?",
            "Why should a company be careful when it buys AI tools?",
        ),
        ("Explain how attention works to developers", "how attention works"),
        (
            "How retrieval works and when it is worth the effort",
            "How retrieval works and when it is worth the effort",
        ),
        (
            "Heat pumps in old houses: what to check before buying",
            "Heat pumps in old houses: what to check before buying",
        ),
        ("写一篇推测解码的技术文章", "推测解码"),
        ("检索增强生成是什么？", "检索增强生成是什么？"),
        ("", ""),
    ] {
        assert_eq!(title_of(request), title, "{request}");
    }
}

fn pipeline() -> Arc<dyn Pipeline> {
    crate::all().into_iter().find(|pipeline| pipeline.describe().id == "content").unwrap()
}

/// The checks that a draft of this text does not pass, where one source is known.
fn failed(text: &str) -> Vec<String> {
    let source = json!({
        "title": "Falcon", "url": "https://example.org/falcon", "source": "arXiv", "published": "2026-06-20",
        "summary": "", "text": "Falcon halves the cost of search to 12 cents a query. It was tried on one, two, three, four, five, six, seven, eight, nine and ten machines in a row."
    });
    let state: State =
        [("search_results".to_owned(), Value::new(json!({ "results": [source] })))].into_iter().collect();
    let draft = Value::new(json!({ "markdown": text }));
    let delta = pipeline().edited(&state, "draft_content", draft).unwrap();
    let checks = delta.set["content_checks"].json_or_null().as_array().cloned().unwrap();
    let failed = checks.iter().filter(|check| check["passed"] == json!(false));
    failed.map(|check| check["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_check_of_a_long_text_finds_its_own_fault_and_nothing_else() {
    let list = "## References\n\n[1] Falcon. arXiv. 2026-06-20. https://example.org/falcon";
    let filling =
        "The cost of search is what Falcon changes, and a query is where the cost is counted. ".repeat(16);
    let good = format!(
        "# Falcon\n\nFalcon halves the cost of search [1].\n\n## Cost\n\n{filling}\n\n## Query\n\nA query costs 12 cents [1].\n\n{list}"
    );
    assert_eq!(failed(&good), [""; 0]);
    for (part, instead, check) in [
        ("## Query\n\n", "", "headings"),
        (filling.as_str(), "Cost.", "least_words"),
        ("cents [1]", "cents [2]", "citations"),
        ("https://example.org/falcon", "https://example.org/other", "references"),
        ("12 cents [1]", "15 cents [1]", "grounding"),
        (
            "A query costs",
            "It was tried on one, two, three, four, five, six, seven, eight, nine and ten machines. A query costs",
            "copying",
        ),
    ] {
        assert!(good.contains(part));
        let failed = failed(&good.replace(part, instead));
        assert!(failed.contains(&check.to_owned()), "{check}: {failed:?}");
        assert!(failed.len() <= 2, "{check}: {failed:?}");
    }
}
