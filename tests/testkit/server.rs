//! The server itself: a socket on the loopback address, a thread of its own, a record of what was asked, and a
//! judgement at the end. It runs on its own thread so that a test may block its own while a program talks to it.
//! Not in it: what is checked (`check`), what is answered (`news` or the test), how it is written (`wire`).

mod answer_cache;

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, Method, Response, Uri};
use axum::serve::ListenerExt;
use serde_json::Value;
use tokio::net::TcpSocket;
use tokio::sync::{oneshot, watch};

use crate::answer::{respond, response};
use crate::check::Refusal;
use crate::dialect::Dialect;
use crate::news::NewsModel;
use crate::reply::Reply;
use crate::request::ChatRequest;
use crate::wire::{Told, play};

/// Who answers.
pub enum Model {
    /// These replies in order; one more request, or one reply left over, is a problem of the test.
    Script(Vec<Reply>),
    /// A function of the request.
    Function(Box<dyn Fn(&ChatRequest) -> Reply + Send + Sync>),
    /// No model: every list of models gets this reply's status and body.
    Listing { status: u16, body: String },
    /// The model that knows the news pipeline; its answers depend on the body alone and are kept.
    News(NewsModel),
}

/// How the server is set up.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Which service is played.
    pub dialect: Dialect,
    /// 0 takes a free port.
    pub port: u16,
    /// The one key that is accepted; without it any bearer or none will do.
    pub key: Option<String>,
    /// The models that exist; an empty list means every name.
    pub models: Vec<String>,
    /// Whether requests are kept for [`ModelServer::requests`]. A long-running server keeps none.
    pub keep_requests: bool,
    /// Characters in one event of a text that has no pieces of its own.
    pub chunk_characters: usize,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            dialect: Dialect::default(),
            port: 0,
            key: None,
            models: Vec::new(),
            keep_requests: true,
            chunk_characters: 48,
        }
    }
}

/// A running server. It stops when dropped; a drop panics when a scripted reply was not asked for, or when a
/// request came that the real service would refuse or the script did not expect.
pub struct ModelServer {
    /// `http://127.0.0.1:PORT/v1`, or what stands there in the dialect.
    pub base_url: String,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    options: ServerOptions,
    key: Mutex<Option<String>>,
    script: Mutex<VecDeque<Reply>>,
    model: Model,
    kept_answers: Mutex<HashMap<Bytes, Bytes>>,
    requests: Mutex<Vec<ChatRequest>>,
    problems: Mutex<Vec<String>>,
    is_lenient: AtomicBool,
    arrived: watch::Sender<usize>,
    abandoned: Arc<AtomicUsize>,
    told: Arc<Told>,
    started: Instant,
}

impl ModelServer {
    /// Starts a server; fails when the port is taken.
    pub fn start(options: ServerOptions, model: Model) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let (script, model) = match model {
            Model::Script(replies) => (replies.into(), Model::Script(Vec::new())),
            other => (VecDeque::new(), other),
        };
        let shared = Arc::new(Shared {
            key: Mutex::new(options.key.clone()),
            options,
            script: Mutex::new(script),
            model,
            kept_answers: Mutex::default(),
            requests: Mutex::default(),
            problems: Mutex::default(),
            is_lenient: AtomicBool::new(false),
            arrived: watch::Sender::new(0),
            abandoned: Arc::default(),
            told: Arc::default(),
            started: Instant::now(),
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("model-server".to_owned()).spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    _ = serve(listener, served) => {}
                    _ = stopped => {}
                }
            });
        })?;
        let base_url = format!("http://127.0.0.1:{port}{}", shared.options.dialect.base_path());
        Ok(Self { base_url, shared, stop: Some(stop), thread: Some(thread) })
    }

    /// Answers with these replies in order.
    pub async fn scripted(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::on_free_port(Model::Script(replies.into_iter().collect()))
    }

    /// A function plays the model. A panic in it is a problem of the request and answered with an error.
    pub async fn by_agent(model: impl Fn(&ChatRequest) -> Reply + Send + Sync + 'static) -> Self {
        Self::on_free_port(Model::Function(Box::new(model)))
    }

    /// A competent model for the news pipeline.
    pub async fn news(model: NewsModel) -> Self {
        Self::on_free_port(Model::News(model))
    }

    #[expect(clippy::expect_used, reason = "without its server a test cannot begin")]
    fn on_free_port(model: Model) -> Self {
        Self::start(ServerOptions::default(), model).expect("a free port on the loopback address")
    }

    /// From now on only this key is accepted, and one is required.
    pub fn require_key(&self, key: &str) {
        *lock(&self.shared.key) = Some(key.to_owned());
    }

    /// From now on nothing that happens makes the drop panic.
    pub fn be_lenient(&self) {
        self.shared.is_lenient.store(true, Ordering::SeqCst);
    }

    /// Every request so far, in order of arrival, the refused ones too.
    pub fn requests(&self) -> Vec<ChatRequest> {
        lock(&self.shared.requests).clone()
    }

    /// The tokens of requests and of answers that it told of.
    pub fn told_tokens(&self) -> (usize, usize) {
        let told = &self.shared.told;
        (told.input.load(Ordering::SeqCst), told.output.load(Ordering::SeqCst))
    }

    /// How many requests have come so far.
    pub fn count(&self) -> usize {
        *self.shared.arrived.borrow()
    }

    /// Waits until so many requests have come; false when `within` passed first.
    pub async fn wait_for_requests(&self, count: usize, within: Duration) -> bool {
        let mut arrived = self.shared.arrived.subscribe();
        let reached = arrived.wait_for(|so_far| *so_far >= count);
        tokio::time::timeout(within, reached).await.is_ok()
    }

    /// How many answers the client left before their end.
    pub fn abandoned(&self) -> usize {
        self.shared.abandoned.load(Ordering::SeqCst)
    }

    /// What was wrong so far, in sentences; replies of the script that are still unused count.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = lock(&self.shared.problems).clone();
        let unused = lock(&self.shared.script).len();
        if unused > 0 {
            problems.push(format!("{unused} scripted replies were never asked for"));
        }
        problems
    }
}

impl Drop for ModelServer {
    #[expect(clippy::panic, reason = "a test double reports by failing its test")]
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // An error means that the thread has ended already.
            let _ended = stop.send(());
        }
        let crashed = self.thread.take().is_some_and(|thread| thread.join().is_err());
        let problems = self.problems();
        let is_lenient = self.shared.is_lenient.load(Ordering::SeqCst);
        if std::thread::panicking() || is_lenient || (problems.is_empty() && !crashed) {
            return;
        }
        panic!("the model server is not content: {}", problems.join("; "));
    }
}

/// A base URL at which nothing listens. The port stays taken while the tests run, so that nobody comes to listen there.
#[expect(clippy::expect_used, reason = "without a port a test cannot begin")]
pub fn closed_port_url() -> String {
    static TAKEN: Mutex<Vec<TcpSocket>> = Mutex::new(Vec::new());
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).expect("a free port on the loopback address");
    let port = socket.local_addr().expect("the address of a bound socket").port();
    lock(&TAKEN).push(socket);
    format!("http://127.0.0.1:{port}/v1")
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) -> io::Result<()> {
    let router = Router::new().fallback(handle).layer(DefaultBodyLimit::max(256 << 20)).with_state(shared);
    // Small events must leave at once, not wait for the acknowledgement of the ones before.
    let listener = tokio::net::TcpListener::from_std(listener)?.tap_io(|socket| {
        let _best_effort = socket.set_nodelay(true);
    });
    axum::serve(listener, router).await
}

async fn handle(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    if shared.options.dialect.is_about_server(&method, uri.path()) {
        // A client may ask which server it is, and this one is none that is known.
        return response(404, &[], 0, Bytes::new().into());
    }
    if let Some(answer) = shared.kept_answer(&method, &uri, &headers, &body).await {
        return answer;
    }
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    let (dialect, path) = (shared.options.dialect, uri.path());
    let sent: Arc<Value> = Arc::new(serde_json::from_slice(&body).unwrap_or(Value::Null));
    let in_chat_words = match dialect {
        Dialect::OpenAi => Arc::clone(&sent),
        _ => Arc::new(dialect.in_chat_words(path, Value::clone(&sent))),
    };
    let request = ChatRequest {
        path: path.to_owned(),
        query: uri.query().unwrap_or_default().to_owned(),
        arrived: shared.started.elapsed(),
        sent,
        body: in_chat_words,
        fingerprint: hasher.finish(),
        method,
        headers,
    };
    let number = shared.note_arrival(&request);
    match shared.decide(&request, number) {
        Ok(reply) => {
            let played = play(reply, &request, dialect, shared.options.chunk_characters, shared.told.clone());
            shared.keep_answer(body, &played);
            respond(played, number, Arc::clone(&shared.abandoned)).await
        }
        Err(refusal) => {
            let body = dialect.refusal(&refusal).to_string();
            response(
                refusal.status,
                &[("content-type".to_owned(), "application/json".to_owned())],
                number,
                body.into(),
            )
        }
    }
}

impl Shared {
    fn note_arrival(&self, request: &ChatRequest) -> usize {
        if self.options.keep_requests {
            lock(&self.requests).push(request.clone());
        }
        let mut number = 0;
        self.arrived.send_modify(|count| {
            *count += 1;
            number = *count;
        });
        number
    }

    fn problem(&self, number: usize, words: &str) {
        lock(&self.problems).push(format!("request {number}: {words}"));
    }

    fn decide(&self, request: &ChatRequest, number: usize) -> Result<Reply, Refusal> {
        let (method, path) = (&request.method, request.path.as_str());
        let dialect = self.options.dialect;
        let (is_list, is_chat) = (dialect.is_list(method, path), dialect.is_chat(method, path));
        if !is_list && !is_chat {
            let message = format!("Invalid URL ({method} {path})");
            self.problem(number, &message);
            return Err(Refusal { status: 404, ..Refusal::plain(message) });
        }
        if let Some(refused) = self.key_problem(request) {
            return Ok(refused);
        }
        if let Model::Listing { status, body } = &self.model {
            return Ok(Reply::Error { status: *status, headers: Vec::new(), body: body.clone() });
        }
        if is_list {
            return Ok(self.model_list());
        }
        if let Err(refusal) = dialect.check(request) {
            self.problem(number, &refusal.message);
            return Err(refusal);
        }
        let models = &self.options.models;
        if !models.is_empty() && !models.iter().any(|model| model == request.model()) {
            return Ok(Reply::model_not_found(request.model()));
        }
        match &self.model {
            Model::Script(_) => lock(&self.script).pop_front().ok_or_else(|| {
                let message = "the script has no reply for this request";
                self.problem(number, message);
                Refusal::plain(message)
            }),
            Model::News(news) => Ok(news.answer(request)),
            Model::Listing { .. } => Err(Refusal::plain("there is no model here")),
            Model::Function(function) => catch_unwind(AssertUnwindSafe(|| function(request))).map_err(|_| {
                let message = "the function that plays the model panicked";
                self.problem(number, message);
                Refusal::plain(message)
            }),
        }
    }

    /// The service's 401 when a key is required and this is not it.
    fn key_problem(&self, request: &ChatRequest) -> Option<Reply> {
        let required = lock(&self.key).clone()?;
        let given = self.options.dialect.key(request);
        (given != Some(required.as_str())).then(|| self.options.dialect.wrong_key(given))
    }

    fn model_list(&self) -> Reply {
        let names = if self.options.models.is_empty() {
            vec!["news-1".to_owned()]
        } else {
            self.options.models.clone()
        };
        let body = self.options.dialect.list(&names).to_string();
        Reply::Error { status: 200, headers: Vec::new(), body }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
