//! AI News with answers that are not as they were asked for: what can be used is used, the rest is asked once more.

use desk::{ErrorCode, Fact, Note, Outcome, RunHandle};
use serde_json::{Value, json};
use testkit::{ChatRequest, NewsModel, Reply};

use crate::outcomes::{FALLBACK, Place, fenced, text};

/// The ids of the rungs that a run's journal tells, and of the flaws.
async fn told(place: &Place, handle: &RunHandle) -> Vec<String> {
    let mut told = Vec::new();
    for event in place.events(handle).await {
        let Fact::Noted { note } = &event.fact else { continue };
        let (Note::Repair { rungs: phrases }
        | Note::AskedAgain { flaws: phrases, .. }
        | Note::Malformed { flaws: phrases, .. }) = note
        else {
            continue;
        };
        told.extend(phrases.iter().map(|phrase| phrase.id.clone()));
    }
    told
}

/// The draft that a good model writes to this request.
fn good_draft(request: &ChatRequest) -> String {
    let Reply::Text(answer) = NewsModel::default().answer(request) else { panic!("a text") };
    let answer: Value = serde_json::from_str(&answer).unwrap();
    answer["post_markdown"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_cut_draft_is_asked_for_again_with_more_room_and_never_published() {
    let place = Place::but(|stage, call, request| {
        let endless = json!({"post_markdown": format!("{} {}", good_draft_or_none(stage, request)?, "word ".repeat(4000))});
        (stage == "post_markdown" && call == 1).then(|| Reply::text(endless.to_string()))
    })
    .await;
    let (handle, end) = place.run(&[]).await;
    assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 4));
    assert!(!text(&end, "final_post").contains("word word") && text(&end, "final_post") != FALLBACK);
    let room = |at: usize| place.server.requests()[at].body["max_tokens"].as_u64().unwrap();
    assert_eq!(room(2), 2 * room(1));
    let told = told(&place, &handle).await;
    assert!(told.len() == 1 && told[0].contains("the limit `max_output_tokens` of the run is"), "{told:?}");
    place.replays_the_same(&handle).await;
}

#[tokio::test]
async fn what_a_model_says_around_its_draft_is_not_published_and_is_told() {
    let around: [fn(&str) -> String; 3] = [
        |post| {
            json!({ "post_markdown": format!("Sure! {post}\n\nLet me know if you'd like any changes!") })
                .to_string()
        },
        |post| {
            format!(
                "Certainly! Here is the post.\n\n{post}\n\nI hope this helps! I can also make it shorter."
            )
        },
        |post| {
            json!({ "post_markdown": format!("好的，以下是为您撰写的文章：\n\n{post}\n\n如需修改，请随时告诉我！") }).to_string()
        },
    ];
    for around in around {
        let place = Place::but(move |stage, _, request| {
            good_draft_or_none(stage, request).map(|post| Reply::text(around(&post)))
        })
        .await;
        let (handle, end) = place.run(&[]).await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 3));
        assert_eq!(text(&end, "final_post"), good_draft(&place.server.requests()[1]), "{}", around("…"));
        assert!(told(&place, &handle).await.contains(&"rung.talk".to_owned()));
        place.replays_the_same(&handle).await;
    }
}

fn good_draft_or_none(stage: &str, request: &ChatRequest) -> Option<String> {
    (stage == "post_markdown").then(|| good_draft(request))
}

#[tokio::test]
async fn the_arguments_of_a_tool_that_nobody_offered_are_the_answer_where_they_fit() {
    let place = Place::but(|stage, _, request| {
        let post = good_draft_or_none(stage, request)?;
        Some(Reply::tool_call("draft_post", json!({"post_markdown": post, "mood": "calm"})))
    })
    .await;
    let (handle, end) = place.run(&[]).await;
    assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 3));
    assert_ne!(text(&end, "final_post"), FALLBACK);
    assert_eq!(told(&place, &handle).await, ["rung.from_tool_call", "rung.dropped"]);
    place.replays_the_same(&handle).await;
}

#[tokio::test]
async fn an_unknown_tool_is_told_once_and_ends_the_second_time_with_its_reason_in_the_journal() {
    let place = Place::but(|stage, _, _| {
        (stage == "post_markdown").then(|| Reply::tool_call("web_search", json!({"query": "more"})))
    })
    .await;
    let (handle, end) = place.run(&[]).await;
    assert_eq!((end.outcome, place.server.count()), (Outcome::Failed, 3));
    let error = end.error.unwrap();
    assert_eq!(error.code, ErrorCode::MalformedAnswer);
    assert!(error.message.contains("there is no tool `web_search`"), "{}", error.message);
    assert!(place.server.requests()[2].whole_text().contains("there are no tools"));
    assert_eq!(told(&place, &handle).await, ["flaw.unknown_tool", "flaw.unknown_tool"]);
    place.replays_the_same(&handle).await;
}

#[tokio::test]
async fn a_review_whose_form_is_off_is_a_review() {
    let reviews = [
        json!({"review_notes": "Good.", "issues_found": null, "revised_post_markdown": null, "ready_for_publish": "true"}),
        json!({"review_notes": ["Good.", "Short."], "issues_found": "", "ready_for_publish": "Yes", "score": 9}),
        json!({"review_notes": null, "issues_found": {}, "revised_post_markdown": "", "ready_for_publish": 1}),
        json!({"Review Notes": "Good.", "issuesFound": [{"issue": "A long sentence.", "severity": "low"}], "readyForPublish": true}),
        json!({"review": {"review_notes": "Good.", "issues_found": [], "ready_for_publish": true}}),
        json!([{"ready_for_publish": true}]),
    ];
    for review in reviews {
        let answer = review.to_string();
        let place =
            Place::but(move |stage, _, _| (stage == "review_notes").then(|| Reply::text(&answer))).await;
        let (handle, end) = place.run(&[]).await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 3), "{review}");
        let draft = end.state.get("draft_post").unwrap().json().unwrap()["post_markdown"].clone();
        assert_eq!(json!(text(&end, "final_post")), draft, "{review}");
        let feedback = end.state.get("review_feedback").unwrap().json().unwrap();
        assert!(feedback["issues_found"].as_array().unwrap().iter().all(Value::is_string), "{feedback}");
        place.replays_the_same(&handle).await;
    }
}

#[tokio::test]
async fn articles_by_number_by_address_and_copied_whole_are_the_hits_with_what_is_known_of_them() {
    type Choose = fn(&[Value]) -> Value;
    let ways: [Choose; 6] = [
        |_| json!({"articles": [{"number": 2, "ai_relevance": "New.", "confidence": "high"}], "message": ""}),
        |_| json!([{"number": "2"}]),
        |_| json!({"articles": "[2]"}),
        |hits| json!({"articles": [hits[1]["url"]]}),
        |hits| json!({"articles": [{"number": 9, "title": hits[1]["title"], "published": "1999-01-01", "url": "https://invented.example"}]}),
        |hits| json!({"articles": [hits[1]], "message": null, "search_window_days": 30}),
    ];
    for choose in ways {
        let place = Place::but(move |stage, _, request| {
            let hits = (stage == "articles").then(|| fenced(request, "HITS"))?;
            Some(Reply::text(choose(hits.as_array().unwrap()).to_string()))
        })
        .await;
        let (handle, end) = place.run(&[]).await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 3));
        let hits = end.state.get("search_hits").unwrap().json().unwrap()["hits"].clone();
        let results = end.state.get("search_results").unwrap().json().unwrap().clone();
        assert_eq!(
            (results["articles"].as_array().unwrap().len(), &results["search_window_days"]),
            (1, &json!(30))
        );
        let article = results["articles"][0].as_object().unwrap();
        let fields = ["title", "url", "source", "published", "summary", "ai_relevance", "confidence"];
        assert!(
            fields.iter().all(|field| article[*field].as_str().is_some_and(|text| !text.is_empty())),
            "{article:?}"
        );
        for field in ["title", "url", "source", "published"] {
            assert_eq!(article[field], hits[1][field]);
        }
        place.replays_the_same(&handle).await;
    }
}

#[tokio::test]
async fn a_list_of_the_names_before_the_colons_of_titles_is_a_choice() {
    let ways: [fn(&str) -> String; 4] = [
        |name| format!("These report something new:\n\n1. **{name}** – it is new.\n"),
        |name| json!({ "articles": [name] }).to_string(),
        |name| json!([{ "title": name, "ai_relevance": "New." }]).to_string(),
        |name| format!("Here is my choice:\n```json\n{}\n```", json!({ "articles": [{ "title": name }] })),
    ];
    for way in ways {
        let named = |hits: &Value| -> Option<(String, Value)> {
            let of_title =
                |hit: &Value| hit["title"].as_str()?.split_once(": ").map(|(name, _)| name.to_owned());
            hits.as_array()?.iter().find_map(|hit| Some((of_title(hit)?, hit.clone())))
        };
        let place = Place::but(move |stage, _, request| {
            let hits = (stage == "articles").then(|| fenced(request, "HITS"))?;
            Some(Reply::text(way(&named(&hits)?.0)))
        })
        .await;
        let (handle, end) = place.run(&[]).await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 3), "{}", way("NAME"));
        let value = |key: &str| end.state.get(key).unwrap().json().unwrap().clone();
        let (results, hits) = (value("search_results"), value("search_hits"));
        let (name, hit) = named(&hits["hits"]).unwrap();
        assert_eq!(results["articles"][0]["title"], hit["title"], "{}", way(&name));
        assert_ne!(results["stands_in"], json!(true), "{}", way(&name));
        place.replays_the_same(&handle).await;
    }
}

#[tokio::test]
async fn prose_that_names_a_hit_by_its_whole_title_is_asked_again_and_then_taken() {
    let place = Place::but(|stage, call, request| {
        let first = (stage == "articles" && call == 1).then(|| fenced(request, "HITS"));
        let title = |hits: Value| hits[1]["title"].as_str().unwrap_or_default().to_owned();
        let prose = first.map(|hits| format!("One day is of note, and it reported “{}”", title(hits)));
        (stage == "articles")
            .then(|| Reply::text(prose.unwrap_or_else(|| "Sorry for the mistake.".to_owned())))
    })
    .await;
    let (handle, end) = place.run(&[]).await;
    assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 4));
    let value = |key: &str| end.state.get(key).unwrap().json().unwrap().clone();
    let (results, hits) = (value("search_results"), value("search_hits"));
    assert_eq!(results["articles"].as_array().unwrap().len(), 1);
    assert_eq!(results["articles"][0]["url"], hits["hits"][1]["url"]);
    assert_eq!(told(&place, &handle).await, ["flaw.not_json", "rung.named", "rung.filled"]);
    place.replays_the_same(&handle).await;
}

#[tokio::test]
async fn citations_in_other_forms_and_a_list_of_sources_are_no_reason_to_write_again() {
    let ways: [fn(&str) -> String; 4] = [
        |post| post.replace('[', "[^"),
        |post| post.replace('[', "【").replace(']', "】"),
        |post| post.replace('[', "[Article "),
        |post| format!("{post}\n\nSources:\n[1] https://example.org/2031/9\n[2] https://example.org/77"),
    ];
    for (at, way) in ways.into_iter().enumerate() {
        let place = Place::but(move |stage, _, request| {
            Some(Reply::text(json!({"post_markdown": way(&good_draft_or_none(stage, request)?)}).to_string()))
        })
        .await;
        let (_, end) = place.run(&[]).await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 3), "{at}");
        let post = text(&end, "final_post");
        assert!(post.contains(" [1]") && post != FALLBACK, "{at}: {post}");
    }
}

#[tokio::test]
async fn an_article_whose_title_and_address_contradict_each_other_names_no_hit_unless_its_number_decides() {
    for (title, number, expected) in
        [("of the first hit", 0, None), ("of the first hit", 3, Some(2)), ("Gardens of Versailles", 0, None)]
    {
        let place = Place::but(move |stage, _, request| {
            let shown = request.text_of("user");
            let hits = shown.find("[\n").map(|start| serde_json::Deserializer::from_str(&shown[start..]));
            let hits = hits.and_then(|hits| hits.into_iter::<Value>().next()?.ok()).unwrap_or_default();
            let title = if title == "of the first hit" { hits[0]["title"].as_str()? } else { title };
            let article = json!({ "number": number, "title": title, "url": hits[2]["url"] });
            let answer = json!({ "articles": [article], "message": "" });
            (stage == "articles").then(|| Reply::text(answer.to_string()))
        })
        .await;
        let (_, end) = place.run(&[]).await;
        let value = |key: &str| end.state.get(key).unwrap().json().unwrap().clone();
        let (results, hits) = (value("search_results"), value("search_hits"));
        assert_eq!(results["stands_in"] == true, expected.is_none(), "{title}, {number}");
        if let Some(index) = expected {
            assert_eq!(results["articles"][0]["url"], hits["hits"][index]["url"]);
            assert_eq!(results["articles"][0]["ai_relevance"], "not stated", "the model did not say it");
        }
    }
}
