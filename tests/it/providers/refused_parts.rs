//! What a server refuses of requests, over a whole run: learnt once, told, kept with the profile, forgotten by its test.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use desk::Outcome;
use serde_json::{Value, json};
use testkit::{ChatRequest, Model, ModelServer, NewsModel, Reply, ServerOptions};

use crate::outcomes::Place;

/// What llama-cpp-python's server and a strict gateway refuse.
fn refusal(request: &ChatRequest) -> Option<Reply> {
    let words = "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text'\", 'input': 'json_schema'}]";
    if request.body["response_format"].is_object() {
        return Some(Reply::error(500, "internal_server_error", None, words));
    }
    let options = request.body["stream_options"].is_object();
    options.then(|| {
        Reply::error(400, "invalid_request_error", None, "stream_options: Extra inputs are not permitted")
    })
}

impl Place {
    /// What is kept with the profile, once that is `parts`; the settings are written beside the run.
    async fn wait_for_refused(&self, parts: Value) {
        for _ in 0..500 {
            let profiles = self.desk.rpc("list_profiles", json!({})).await.unwrap();
            let all = profiles["profiles"].as_array().unwrap();
            let card = all.iter().find(|card| card["name"] == "test").unwrap();
            if card.get("refused").unwrap_or(&Value::Null) == &parts {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{:?}", self.desk.rpc("list_profiles", json!({})).await);
    }

    async fn test(&self) -> String {
        let tested = self.desk.rpc("test_profile", json!({"name": "test"})).await.unwrap();
        crate::words::english(&tested["phrase"])
    }
}

#[tokio::test]
async fn a_run_on_a_server_that_refuses_half_of_a_request_finishes_and_the_next_one_asks_without_it() {
    let is_picky = Arc::new(AtomicBool::new(true));
    let picky = Arc::clone(&is_picky);
    let model = move |request: &ChatRequest| {
        let refused = if picky.load(Ordering::SeqCst) { refusal(request) } else { None };
        refused.unwrap_or_else(|| NewsModel::default().answer(request))
    };
    let server = ModelServer::start(ServerOptions::default(), Model::Function(Box::new(model))).unwrap();
    let place = Place::of(server, "openai-compatible", "").await;
    let (handle, end) = place.run(&[]).await;
    assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 3), "{:?}", end.error);
    let notes = [place.count(&handle, "remark").await, place.count(&handle, "request_failed").await];
    assert_eq!(
        (place.server.requests().len(), notes),
        (6, [3, 0]),
        "a refusal is no call, and nothing is tried twice"
    );
    place.replays_the_same(&handle).await;
    let known = json!({"test-model": ["json_schema", "json_object", "stream_options"]});
    place.wait_for_refused(known.clone()).await;

    let (handle, end) = place.run(&[]).await;
    assert_eq!((end.outcome, place.count(&handle, "remark").await), (Outcome::Finished, 0));
    assert_eq!(place.server.requests().len(), 9);
    assert!(place.server.requests()[8].instruction().contains("JSON Schema"));

    // A test asks with everything again, and finds out the same.
    let words = place.test().await;
    assert!(
        words.contains("refused `json_schema`, `json_object`, `stream_options` and is asked without"),
        "{words}"
    );
    assert_eq!(place.server.requests().len(), 13);
    place.wait_for_refused(known).await;
    is_picky.store(false, Ordering::SeqCst);
    let words = place.test().await;
    assert!(!words.contains("refused"), "{words}");
    place.wait_for_refused(Value::Null).await;
    let (_, end) = place.run(&[]).await;
    assert_eq!(end.outcome, Outcome::Finished);
    let last = place.server.requests().pop().unwrap();
    assert!(last.schema().is_some() && last.is_stream());
}
