//! The news model answers as a competent model would, from nothing but its prompt.

use std::time::Duration;

use serde_json::{Value, json};

use super::{ask, events, said, send};
use crate::json_in_text;
use crate::plain_sentences::{cited, sentences, words};
use crate::{Model, ModelServer, NewsModel, Reply, ServerOptions};

fn hits() -> Value {
    let hit = |number: usize, summary: &str| {
        json!({"title": format!("Paper {number}"), "url": format!("https://arxiv.org/abs/{number}"),
               "source": "arXiv", "published": "2026-06-12", "summary": summary})
    };
    json!([
        hit(
            1,
            "Retrieval helps small models, e.g. BERT, on BEAT2 [12]. It raises recall by 8.2% over a baseline."
        ),
        hit(2, "検索拡張生成は有効です。二つ目の文。"),
        {"title": "My note", "url": "", "published": "2026-06-30", "text": "A third study, by Smith et al. on noisy data, finds no effect! Two. Three. Four."},
    ])
}

fn body(schema: Value, prompt: &str) -> Value {
    json!({
        "model": "news-1", "temperature": 0.3,
        "messages": [{"role": "system", "content": "You write. Example: {\"title\": \"Not a hit\", \"url\": \"https://example.com\"}"}, {"role": "user", "content": prompt}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "strict": true, "schema": schema}}
    })
}

fn object(properties: Value) -> Value {
    let required: Vec<String> = properties.as_object().unwrap().keys().cloned().collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn searcher_schema() -> Value {
    let text = json!({"type": "string"});
    let article = object(
        json!({"title": text, "url": text, "source": text, "published": text, "summary": text, "ai_relevance": text, "confidence": {"type": "number"}}),
    );
    object(
        json!({"articles": {"type": "array", "items": article}, "search_window_days": {"type": "integer"}, "message": {"type": ["string", "null"]}}),
    )
}

fn writer_schema() -> Value {
    object(
        json!({"post_markdown": {"type": "string"}, "sources_used": {"type": "array", "items": {"type": "integer"}}, "word_count": {"type": "integer"}}),
    )
}

fn reviewer_schema() -> Value {
    object(
        json!({"review_notes": {"type": "string"}, "issues_found": {"type": "array", "items": {"type": "string"}}, "revised_post_markdown": {"type": "string"}, "ready_for_publish": {"type": "boolean"}}),
    )
}

async fn answer(server: &ModelServer, body: &Value) -> Value {
    let (status, answer) = ask(server, body).await;
    assert_eq!(status, 200, "{answer}");
    serde_json::from_str(answer["choices"][0]["message"]["content"].as_str().unwrap()).unwrap()
}

async fn draft(server: &ModelServer, extra: &str) -> Value {
    let prompt = format!("Articles [as data]:\n```json\n{}\n```\n{extra}", hits());
    answer(server, &body(writer_schema(), &prompt)).await
}

async fn review(server: &ModelServer, draft: &Value) -> Value {
    answer(server, &body(reviewer_schema(), &format!("Draft: {draft}\nArticles: {}", hits()))).await
}

#[tokio::test]
async fn the_searcher_picks_the_hits_of_the_prompt_and_says_when_there_are_none() {
    let server = ModelServer::news(NewsModel::default()).await;
    let found =
        answer(&server, &body(searcher_schema(), &format!("Topic: retrieval. Hits: {}", hits()))).await;
    assert_eq!(found["articles"].as_array().unwrap().len(), 3);
    assert_eq!(found["articles"][0]["url"], "https://arxiv.org/abs/1");
    assert_eq!(found["articles"][0]["published"], "2026-06-12");
    assert_eq!(
        found["articles"][2]["summary"],
        "A third study, by Smith et al. on noisy data, finds no effect! Two. Three."
    );
    assert_eq!(found["search_window_days"], 30);
    assert_eq!(found["message"], Value::Null);
    let none = answer(&server, &body(searcher_schema(), "Topic: retrieval. Hits: []")).await;
    assert_eq!(none["articles"], json!([]));
    assert_eq!(none["message"], "No recent AI news found on this topic.");
}

#[tokio::test]
async fn the_writers_every_sentence_is_an_articles_with_its_citation() {
    let server = ModelServer::news(NewsModel::default()).await;
    let draft = draft(&server, "").await;
    assert_eq!(
        draft["post_markdown"],
        "Retrieval helps small models, e.g. BERT, on BEAT2 [1]. 検索拡張生成は有効です [2]。 A third study, by Smith et al. on noisy data, finds no effect [3]!"
    );
    assert_eq!(draft["sources_used"], json!([0, 1, 2]));
}

#[tokio::test]
async fn a_reviewer_that_rejects_first_approves_the_rewritten_draft() {
    let server = ModelServer::news(NewsModel { reject_first: true, ..NewsModel::default() }).await;
    let first = draft(&server, "").await;
    let rejected = review(&server, &first).await;
    assert_eq!(rejected["ready_for_publish"], false);
    let second = draft(&server, &format!("Reviewer's notes: {}", rejected["review_notes"])).await;
    assert_ne!(first["post_markdown"], second["post_markdown"]);
    assert_eq!(review(&server, &second).await["ready_for_publish"], true);

    let never = ModelServer::news(NewsModel { always_reject: true, ..NewsModel::default() }).await;
    assert_eq!(review(&never, &second).await["ready_for_publish"], false);
}

#[tokio::test]
async fn a_long_first_draft_is_over_two_hundred_words_and_called_ready() {
    let server = ModelServer::news(NewsModel { long_first: true, ..NewsModel::default() }).await;
    let first = draft(&server, "").await;
    assert!(words(first["post_markdown"].as_str().unwrap()) > 200);
    assert_eq!(review(&server, &first).await["ready_for_publish"], true);
}

#[tokio::test]
async fn a_search_tool_is_called_once_when_the_prompt_has_no_hits() {
    let server = ModelServer::news(NewsModel::default()).await;
    let mut asked = body(searcher_schema(), "retrieval-augmented generation");
    asked["tools"] = json!([{"type": "function", "function": {"name": "web_search", "strict": true, "parameters": object(json!({"query": {"type": "string"}, "days": {"type": "integer"}}))}}]);
    let (_, first) = ask(&server, &asked).await;
    let message = &first["choices"][0]["message"];
    let arguments: Value =
        serde_json::from_str(message["tool_calls"][0]["function"]["arguments"].as_str().unwrap()).unwrap();
    assert_eq!(arguments["query"], "retrieval-augmented generation");
    let messages = asked["messages"].as_array_mut().unwrap();
    messages.push(json!({"role": "assistant", "content": null, "tool_calls": message["tool_calls"]}));
    messages.push(json!({"role": "tool", "tool_call_id": message["tool_calls"][0]["id"], "content": hits().to_string()}));
    assert_eq!(answer(&server, &asked).await["articles"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn the_fields_of_an_answer_follow_the_types_of_its_schema() {
    let server = ModelServer::news(NewsModel::default()).await;
    let article = object(
        json!({"url": {"type": "string"}, "confidence": {"type": "string", "enum": ["low", "high"]}, "ai_relevance": {"type": "number"}, "extra": {"anyOf": [{"type": "string"}, {"type": "null"}]}}),
    );
    let mut schema = object(json!({"articles": {"type": "array", "items": {"$ref": "#/$defs/A"}}}));
    schema["$defs"] = json!({"A": article});
    let found = answer(&server, &body(schema, &hits().to_string())).await;
    assert_eq!(
        found["articles"][0],
        json!({"url": "https://arxiv.org/abs/1", "confidence": "low", "ai_relevance": 0.9, "extra": null})
    );
}

#[tokio::test]
async fn a_server_that_keeps_no_requests_answers_the_same_from_memory() {
    let options =
        ServerOptions { keep_requests: false, key: Some("sk-test".to_owned()), ..ServerOptions::default() };
    let server = ModelServer::start(options, Model::News(NewsModel::default())).unwrap();
    let mut asked = body(writer_schema(), &hits().to_string());
    asked["stream"] = json!(true);
    let first = send(&server, &asked).await.text().await.unwrap();
    let again = send(&server, &asked).await;
    assert_eq!(again.headers()["content-type"], "text/event-stream; charset=utf-8");
    assert_eq!(again.text().await.unwrap(), first);
    assert!(said(&events(&first).0).contains("[1]"));
    assert_eq!((server.count(), server.requests().len()), (2, 0));
    let url = format!("{}/chat/completions", server.base_url);
    let wrong = reqwest::Client::new().post(url).bearer_auth("sk-other").json(&asked).send().await.unwrap();
    assert_eq!(wrong.status().as_u16(), 401);
}

#[tokio::test]
async fn a_test_can_give_one_bad_answer_and_leave_the_rest_to_the_model() {
    let server = ModelServer::by_agent(|request| {
        if request.asks_for("post_markdown") {
            Reply::text("{not json")
        } else {
            NewsModel::default().answer(request)
        }
    })
    .await;
    let (_, bad) = ask(&server, &body(writer_schema(), &hits().to_string())).await;
    assert_eq!(bad["choices"][0]["message"]["content"], "{not json");
    assert_eq!(review(&server, &json!({"post_markdown": "x"})).await["ready_for_publish"], true);
}

#[tokio::test]
async fn a_paused_model_streams_its_answer_slowly() {
    let model = NewsModel {
        pause: Duration::from_millis(2),
        latency: Duration::from_millis(30),
        ..NewsModel::default()
    };
    let server = ModelServer::news(model).await;
    let mut asked = body(reviewer_schema(), "x");
    asked["stream"] = json!(true);
    let started = std::time::Instant::now();
    let (all, is_done) = events(&send(&server, &asked).await.text().await.unwrap());
    assert!(is_done && all.len() > 6 && started.elapsed() > Duration::from_millis(40));
}

#[test]
fn json_is_found_between_prose_and_broken_brackets() {
    let found = json_in_text::values(
        "See [1] and {this: not} or [x, {\"a\": [1, 2]} then ```json\n[{\"b\": \"]\"}]```",
    );
    assert_eq!(found, [json!([1]), json!({"a": [1, 2]}), json!([{"b": "]"}])]);
    assert!(json_in_text::values(&"[".repeat(100_000)).is_empty());
}

#[test]
fn sentences_end_at_their_marks_and_not_at_abbreviations() {
    assert_eq!(
        sentences("We cut 8.2% (cf. Fig. 3). Then A. Smith et al. agreed? Yes"),
        ["We cut 8.2% (cf. Fig. 3).", "Then A. Smith et al. agreed?", "Yes"]
    );
    assert_eq!(cited("Known [3, 4] and (5) [see text]", 2), "Known and (5) [see text] [2].");
}
