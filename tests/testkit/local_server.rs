//! A model server of one kind, as it runs on a person's machine: what it says about itself is recorded, and the test
//! gives the rest. It counts tokens and refuses what its window cannot hold, as the real ones do.
//! Not in it: the dialects of calls and their checks (`server`).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::loopback::{FreePlace, Loopback};

/// A running server of one kind.
pub struct LocalModelServer {
    /// `http://127.0.0.1:PORT`.
    pub address: String,
    shared: Arc<Shared>,
    _loopback: Loopback,
}

#[derive(Default)]
struct Shared {
    /// What it answers, by method and path.
    answers: Mutex<BTreeMap<String, Value>>,
    /// Most tokens of a prompt with its answer.
    window: Mutex<u64>,
    chats: Mutex<Vec<Value>>,
    problems: Mutex<Vec<String>>,
}

impl LocalModelServer {
    /// A server that answers this, by method and path (`GET /props`), and whose model has this window.
    pub fn start(answers: BTreeMap<String, Value>, window: u64) -> LocalModelServer {
        let shared = Arc::new(Shared {
            answers: Mutex::new(answers),
            window: Mutex::new(window),
            ..Shared::default()
        });
        let place = FreePlace::find();
        let router = Router::new().fallback(answer).with_state(shared.clone());
        LocalModelServer {
            address: place.base_url.clone(),
            shared,
            _loopback: place.serve("local-model-server", router),
        }
    }

    /// Ends it and starts it again at the same address, with another answer and another window.
    pub fn restart(&self, path: &str, answer: Value, window: u64) {
        lock(&self.shared.answers).insert(path.to_owned(), answer);
        *lock(&self.shared.window) = window;
    }

    /// The bodies of the requests for an answer.
    pub fn chats(&self) -> Vec<Value> {
        lock(&self.shared.chats).clone()
    }

    /// What a real server would have refused.
    pub fn problems(&self) -> Vec<String> {
        lock(&self.shared.problems).clone()
    }
}

async fn answer(State(shared): State<Arc<Shared>>, method: Method, uri: Uri, body: Bytes) -> Response {
    let call = format!("{method} {}", uri.path());
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let known = lock(&shared.answers).get(&call).cloned();
    if let Some(known) = known {
        return axum::Json(known).into_response();
    }
    let window = *lock(&shared.window);
    let words = |text: &Value| text.as_str().unwrap_or_default().split_whitespace().count() as u64;
    match call.as_str() {
        "POST /tokenize" if body["content"].is_string() => {
            axum::Json(json!({ "tokens": vec![1; words(&body["content"]) as usize] })).into_response()
        }
        "POST /tokenize" if body["prompt"].is_string() && body["model"].is_string() => {
            let count = words(&body["prompt"]);
            let tokens = vec![1; count as usize];
            axum::Json(json!({ "count": count, "max_model_len": window, "tokens": tokens })).into_response()
        }
        "POST /v1/chat/completions" | "POST /api/chat" => {
            lock(&shared.chats).push(body.clone());
            let messages = body["messages"].as_array().cloned().unwrap_or_default();
            let needed: u64 = messages.iter().map(|message| words(&message["content"])).sum();
            if needed > window {
                let problem = format!("a prompt of {needed} tokens was sent to a window of {window}");
                lock(&shared.problems).push(problem.clone());
                let error = json!({ "error": { "code": 400, "message": problem, "type": "exceed_context_size_error" } });
                return (StatusCode::BAD_REQUEST, axum::Json(error)).into_response();
            }
            let message = json!({ "role": "assistant", "content": "done" });
            let reply = match call.as_str() {
                "POST /api/chat" => json!({
                    "model": body["model"], "message": message, "done": true, "done_reason": "stop",
                    "prompt_eval_count": needed, "eval_count": 1
                }),
                _ => json!({
                    "id": "c", "object": "chat.completion", "created": 1, "model": body["model"],
                    "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }],
                    "usage": { "prompt_tokens": needed, "completion_tokens": 1, "total_tokens": needed + 1 }
                }),
            };
            axum::Json(reply).into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
