//! Search services on the loopback address: each asks for what the real one asks for (its key, its User-Agent, its
//! parameters) and refuses as the real one refuses, so that a client that is wrong fails here and not with a user.
//! What they answer is a recording, what a test says, or articles in the shape of each service (`services_shapes`).
//!
//! Sources: the contracts of the services and recorded exchanges (`tests/fixtures/contracts`). Deliberately not in it:
//! any use of the clients.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, Method, Response, Uri};
use serde_json::Value;

use crate::loopback::{FreePlace, Loopback};
use crate::services_check::check;
use crate::services_shapes::{Article, answer_of};

/// arXiv wants three seconds between two requests. Here less is enough: the first may have been long on its way.
const ARXIV_APART: Duration = Duration::from_millis(2_500);

/// One request as it came.
#[derive(Debug, Clone)]
pub struct ServiceRequest {
    /// The service: the first part of the path.
    pub service: String,
    pub method: Method,
    /// The path behind the service.
    pub path: String,
    /// The parameters, decoded, in order.
    pub parameters: Vec<(String, String)>,
    pub headers: HeaderMap,
    /// The body as JSON, or null.
    pub body: Value,
}

impl ServiceRequest {
    /// A parameter of the query.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// A header as text.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// An answer that a test wants.
#[derive(Debug, Clone)]
pub struct Canned {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
    /// Nothing is ever sent.
    pub is_silent: bool,
}

impl Canned {
    /// A status with a body of this kind.
    pub fn of(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Canned {
        let headers = vec![("content-type", kind.to_owned())];
        Canned { status, headers, body: body.into(), is_silent: false }
    }

    /// JSON.
    pub fn json(status: u16, body: &Value) -> Canned {
        Canned::of(status, "application/json", body.to_string())
    }

    /// With one more header.
    pub fn with(mut self, name: &'static str, value: &str) -> Canned {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// Accepts the request and says nothing.
    pub fn silent() -> Canned {
        Canned { is_silent: true, ..Canned::of(200, "text/plain", "") }
    }

    /// A file below `tests/fixtures/contracts`; of a recorded exchange its answer.
    #[expect(clippy::expect_used, reason = "without its recording a test cannot begin")]
    pub fn recorded(name: &str) -> Canned {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/contracts").join(name);
        let bytes = std::fs::read(file).expect("a recording of this name");
        let kind = if name.ends_with(".json") { "application/json" } else { "application/atom+xml" };
        match serde_json::from_slice::<Value>(&bytes).ok().filter(|json| json.get("response").is_some()) {
            Some(exchange) => {
                let status =
                    exchange["response"]["status"].as_u64().and_then(|status| u16::try_from(status).ok());
                let body = &exchange["response"]["body"];
                let text = exchange["response"]["body_text"].as_str().map(str::to_owned);
                Canned::of(status.unwrap_or(200), kind, text.unwrap_or_else(|| body.to_string()))
            }
            None => Canned::of(200, kind, bytes),
        }
    }
}

/// The services, running. They stop when dropped; a drop panics when a request came that a real one would refuse.
pub struct SearchServices {
    /// `http://127.0.0.1:PORT`; each service is below it under its name.
    pub base_url: String,
    shared: Arc<Shared>,
    server: Loopback,
}

struct Shared {
    base_url: String,
    articles: Vec<Article>,
    canned: Mutex<BTreeMap<String, Canned>>,
    /// Answers for the next requests of a place, before what it says otherwise.
    next: Mutex<BTreeMap<String, VecDeque<Canned>>>,
    requests: Mutex<Vec<ServiceRequest>>,
    problems: Mutex<Vec<String>>,
    arxiv_was_asked: Mutex<Option<Instant>>,
}

impl SearchServices {
    /// Services that know these articles.
    pub fn knowing(articles: Vec<Article>) -> SearchServices {
        let place = FreePlace::find();
        let base_url = place.base_url.clone();
        let shared = Arc::new(Shared {
            base_url: base_url.clone(),
            articles,
            canned: Mutex::default(),
            next: Mutex::default(),
            requests: Mutex::default(),
            problems: Mutex::default(),
            arxiv_was_asked: Mutex::default(),
        });
        let router = Router::new().fallback(handle).with_state(Arc::clone(&shared));
        let server = place.serve("search-services", router);
        SearchServices { base_url, shared, server }
    }

    /// The base URL of a service, such as a person would configure it.
    pub fn base(&self, service: &str) -> String {
        format!("{}/{service}", self.base_url)
    }

    /// From now on this service, or this page (`page/1`), answers so.
    pub fn set(&self, place: &str, answer: Canned) {
        lock(&self.shared.canned).insert(place.to_owned(), answer);
    }

    /// The next requests to this place are answered so, one after the other; then it is as before.
    pub fn set_next(&self, place: &str, answers: impl IntoIterator<Item = Canned>) {
        lock(&self.shared.next).entry(place.to_owned()).or_default().extend(answers);
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<ServiceRequest> {
        lock(&self.shared.requests).clone()
    }

    /// The requests to one service.
    pub fn asked(&self, service: &str) -> Vec<ServiceRequest> {
        self.requests().into_iter().filter(|request| request.service == service).collect()
    }

    /// What was wrong with them so far, in sentences; taken, so that the drop does not mind them.
    pub fn take_problems(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.shared.problems))
    }
}

impl Drop for SearchServices {
    #[expect(clippy::panic, reason = "a test double reports by failing its test")]
    fn drop(&mut self) {
        let crashed = self.server.end();
        let problems = self.take_problems();
        if !std::thread::panicking() && (crashed || !problems.is_empty()) {
            panic!("the search services are not content: {}", problems.join("; "));
        }
    }
}

async fn handle(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let whole = uri.path().trim_start_matches('/');
    let (service, path) = whole.split_once('/').unwrap_or((whole, ""));
    let Query(parameters) = Query::<Vec<(String, String)>>::try_from_uri(&uri).unwrap_or_default();
    let request = ServiceRequest {
        service: service.to_owned(),
        path: format!("/{path}"),
        method,
        parameters,
        headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    };
    lock(&shared.requests).push(request.clone());
    let answer = shared.answer(&request);
    if answer.is_silent {
        std::future::pending::<()>().await;
    }
    let mut response = Response::builder().status(answer.status);
    for (name, value) in answer.headers {
        response = response.header(name, value);
    }
    response.body(Body::from(answer.body)).unwrap_or_default()
}

impl Shared {
    fn answer(&self, request: &ServiceRequest) -> Canned {
        if let Err((refusal, problem)) = check(request) {
            self.problem(request, &problem);
            return refusal;
        }
        if request.service == "arxiv" {
            let before = lock(&self.arxiv_was_asked).replace(Instant::now());
            if before.is_some_and(|before| before.elapsed() < ARXIV_APART) {
                self.problem(request, "it came sooner than three seconds after the one before");
            }
        }
        let places = [format!("{}{}", request.service, request.path), request.service.clone()];
        let next = places.iter().find_map(|place| lock(&self.next).get_mut(place)?.pop_front());
        let canned = next.or_else(|| places.iter().find_map(|place| lock(&self.canned).get(place).cloned()));
        let mut answer = canned.unwrap_or_else(|| answer_of(request, &self.articles, &self.base_url));
        // Links of recordings lead to this machine, so that they can be followed.
        if let Ok(text) = std::str::from_utf8(&answer.body) {
            let text = text.replace("https://vertexaisearch.cloud.google.com", &self.base_url);
            answer.body = text.replace("{{BASE}}", &self.base_url).into_bytes();
        }
        answer
    }

    fn problem(&self, request: &ServiceRequest, words: &str) {
        lock(&self.problems).push(format!("{} {}: {words}", request.service, request.path));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
