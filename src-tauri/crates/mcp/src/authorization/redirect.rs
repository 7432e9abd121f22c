//! Receives the answer of the authorization server, which the user's browser delivers to a local port.

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use reqwest::Url;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;

/// The path of the redirect address.
const PATH: &str = "/callback";
/// The longest request, in bytes.
const LONGEST_REQUEST: usize = 16 << 10;
/// The most concurrent connections; others wait.
const MOST_CONNECTIONS: usize = 16;
/// The time limit of a connection.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(10);

const DONE: &str = "You can close this window.<br>您可以关闭此窗口。<br>このウィンドウを閉じてかまいません。";
const DECLINED: &str = "Not signed in. You can close this window.<br>未登录。您可以关闭此窗口。<br>\
                        サインインしていません。このウィンドウを閉じてかまいません。";
const FOREIGN: &str = "This does not belong to the sign-in that Galley waits for.<br>\
                       这不属于 Galley 正在等待的登录。<br>Galley が待っているサインインのものではありません。";

/// A loopback port that waits for one answer.
pub(crate) struct Redirect {
    listener: TcpListener,
    /// The redirect address.
    pub(crate) uri: String,
}

/// The answer of the authorization server.
pub(crate) enum Answer {
    /// A code to exchange for a token, and the issuer.
    Code { code: String, issuer: Option<String> },
    /// The error code, and the server's description.
    Refused { error: String, description: String },
}

impl Redirect {
    /// # Errors
    /// No port is free.
    pub(crate) async fn bind() -> std::io::Result<Redirect> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let uri = format!("http://{}{PATH}", listener.local_addr()?);
        Ok(Redirect { listener, uri })
    }

    /// Waits for the answer with this `state`; all others are refused without effect.
    pub(crate) async fn answer(&self, state: &str) -> Answer {
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                accepted = self.listener.accept(), if connections.len() < MOST_CONNECTIONS => match accepted {
                    Ok((stream, _)) => _ = connections.spawn(serve(stream, state.to_owned())),
                    Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
                },
                Some(served) = connections.join_next() => if let Ok(Some(answer)) = served {
                    return answer;
                },
            }
        }
    }
}

/// Answers a request with a page, and returns its parameters once the page is sent.
async fn serve(stream: TcpStream, state: String) -> Option<Answer> {
    let brought = Arc::new(Mutex::new(None));
    let service = service_fn(|request: Request<Incoming>| {
        let answer = read(&request, &state);
        let (status, text) = match &answer {
            Some(Answer::Code { .. }) => (StatusCode::OK, DONE),
            Some(Answer::Refused { .. }) => (StatusCode::OK, DECLINED),
            None if request.uri().path() == PATH => (StatusCode::BAD_REQUEST, FOREIGN),
            None => (StatusCode::NOT_FOUND, FOREIGN),
        };
        if answer.is_some() {
            *brought.lock().unwrap_or_else(PoisonError::into_inner) = answer;
        }
        async move { Ok::<_, Infallible>(page(status, text)) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.keep_alive(false).max_buf_size(LONGEST_REQUEST);
    let _unfinished = timeout(CONNECTION_TIMEOUT, http.serve_connection(TokioIo::new(stream), service)).await;
    brought.lock().unwrap_or_else(PoisonError::into_inner).take()
}

fn read(request: &Request<Incoming>, state: &str) -> Option<Answer> {
    if request.method() != Method::GET || request.uri().path() != PATH {
        return None;
    }
    let url = Url::parse(&format!("http://127.0.0.1{}", request.uri().path_and_query()?)).ok()?;
    let field =
        |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    if field("state")? != state {
        return None;
    }
    match (field("error"), field("code")) {
        (Some(error), _) => {
            Some(Answer::Refused { error, description: field("error_description").unwrap_or_default() })
        }
        (None, Some(code)) => Some(Answer::Code { code, issuer: field("iss") }),
        (None, None) => None,
    }
}

fn page(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    let html = format!("<!doctype html><meta charset=\"utf-8\"><title>Galley</title><p>{text}</p>");
    let response = Response::builder()
        .status(status)
        .header(CONTENT_TYPE, "text/html; charset=utf-8")
        .header(CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'")
        // The address contains the code.
        .header(REFERRER_POLICY, "no-referrer")
        .header(CACHE_CONTROL, "no-store")
        .header(CONNECTION, "close");
    response.body(Full::new(Bytes::from(html))).unwrap_or_default()
}
