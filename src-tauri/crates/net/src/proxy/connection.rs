//! One connection of the browser with one request, which is checked, and then forwarded or turned into a tunnel.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use http_body_util::{Either, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::upgrade::OnUpgrade;
use hyper::{Method, Request, Response, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use kernel::phrase;
use reqwest::Url;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::Shared;
use super::byte_count::CountedStream;
use crate::address::number_of;
use crate::error::host_of;
use crate::lookup::{CheckedResolver, LookupError};
use crate::rules::{AddressPolicy, CONNECT_TIMEOUT};
use crate::{NetError, contacted_hosts};

/// The largest header of a request or an answer, in bytes.
const LARGEST_HEAD: usize = 64 << 10;

/// Hop-by-hop headers, which are not forwarded. `Connection` names more of them.
const HOP_BY_HOP: [HeaderName; 9] = [
    header::CONNECTION,
    header::EXPECT,
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    HeaderName::from_static("keep-alive"),
];

type ProxyBody = Either<Incoming, Full<Bytes>>;

/// What a connection holds besides its request.
#[derive(Default)]
struct Open {
    /// The tunnel that starts after the answer to `CONNECT`.
    tunnel: Option<(OnUpgrade, TcpStream)>,
    /// Drives the connection to the server; ends with this connection.
    tasks: JoinSet<()>,
}

/// Serves one connection until it ends. Dropping the future closes what it opened.
pub(super) async fn serve(shared: Arc<Shared>, stream: TcpStream) {
    let open = Arc::new(Mutex::new(Open::default()));
    let stream = TokioIo::new(CountedStream::new(stream, shared.budget.clone()));
    let service = service_fn(|request| answer(shared.clone(), open.clone(), request));
    let mut server = hyper::server::conn::http1::Builder::new();
    server.keep_alive(false).max_buf_size(LARGEST_HEAD);
    // The browser handles broken connections.
    let _ended = server.serve_connection(stream, service).with_upgrades().await;
    let tunnel = open.lock().unwrap_or_else(PoisonError::into_inner).tunnel.take();
    if let Some((upgrade, mut server)) = tunnel
        && let Ok(browser) = upgrade.await
    {
        let _ended = tokio::io::copy_bidirectional(&mut TokioIo::new(browser), &mut server).await;
    }
}

async fn answer(
    shared: Arc<Shared>,
    open: Arc<Mutex<Open>>,
    request: Request<Incoming>,
) -> Result<Response<ProxyBody>, Infallible> {
    Ok(match pass_on(&shared, &open, request).await {
        Ok(response) => response,
        Err(error) => {
            let status = match &error {
                NetError::NoAddress { .. } => StatusCode::BAD_REQUEST,
                NetError::Refused { .. } | NetError::Offline { .. } => StatusCode::FORBIDDEN,
                _ => StatusCode::BAD_GATEWAY,
            };
            shared.remember(error);
            status_only(status)
        }
    })
}

async fn pass_on(
    shared: &Shared,
    open: &Mutex<Open>,
    mut request: Request<Incoming>,
) -> Result<Response<ProxyBody>, NetError> {
    let url = target(&shared.page, &request)?;
    let server = connect(shared, &url).await?;
    if request.method() == Method::CONNECT {
        let upgrade = hyper::upgrade::on(&mut request);
        open.lock().unwrap_or_else(PoisonError::into_inner).tunnel = Some((upgrade, server));
        return Ok(status_only(StatusCode::OK));
    }
    let broken = |error: hyper::Error| NetError::Broken { host: host_of(&url), cause: error.to_string() };
    let mut client = hyper::client::conn::http1::Builder::new();
    client.max_buf_size(LARGEST_HEAD);
    let (mut sender, connection) = client.handshake(TokioIo::new(server)).await.map_err(broken)?;
    open.lock().unwrap_or_else(PoisonError::into_inner).tasks.spawn(async move {
        let _ended = connection.await;
    });
    let mut response = sender.send_request(rewritten(request, &url)?).await.map_err(broken)?;
    remove_of_connection(response.headers_mut());
    Ok(response.map(Either::Left))
}

/// The target of the browser's request.
fn target(page: &Url, request: &Request<Incoming>) -> Result<Url, NetError> {
    let uri = request.uri();
    let no_address = || NetError::NoAddress { text: uri.to_string().chars().take(120).collect() };
    if request.method() != Method::CONNECT {
        // A request without a scheme was not meant for a proxy; one with `https` cannot be forwarded as it is.
        let is_plain = uri.scheme_str().is_some_and(|scheme| !scheme.eq_ignore_ascii_case("https"));
        return Url::parse(&uri.to_string()).ok().filter(|_| is_plain).ok_or_else(no_address);
    }
    let authority = uri.authority().filter(|authority| authority.port().is_some()).ok_or_else(no_address)?;
    let of_scheme = |scheme: &str| Url::parse(&format!("{scheme}://{authority}/")).map_err(|_| no_address());
    // A tunnel does not reveal its protocol; an unencrypted page reaches its own server through one, too.
    let plain = of_scheme("http")?;
    if plain.origin() == page.origin() { Ok(plain) } else { of_scheme("https") }
}

/// Connects to one of the checked addresses of an allowed target.
async fn connect(shared: &Shared, url: &Url) -> Result<TcpStream, NetError> {
    let way = shared.rules.judge(url)?;
    let (Some(name), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
        return Err(NetError::refused(url, phrase!("it names no server")));
    };
    let host = host_of(url);
    let unreachable = |cause: String| NetError::Unreachable { host: host.clone(), cause };
    let found: Vec<IpAddr> = match number_of(name) {
        Some(number) => vec![number],
        None => {
            let checked =
                CheckedResolver { lookup: shared.lookup.clone(), is_guarded: way == AddressPolicy::Guarded };
            checked.look_up(name).await.map_err(|error| match error {
                LookupError::NotPublic(reason) => NetError::refused(url, reason),
                LookupError::Failed(error) => unreachable(error.to_string()),
            })?
        }
    };
    contacted_hosts::note(url);
    let mut last = unreachable("the name has no address".to_owned());
    for address in found {
        match tokio::time::timeout(CONNECT_TIMEOUT, TcpStream::connect((address, port))).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => last = unreachable(error.to_string()),
            Err(_) => last = NetError::TooSlow { host: host.clone(), seconds: CONNECT_TIMEOUT.as_secs() },
        }
    }
    Err(last)
}

/// The request for the server: only the path, the `Host` header, and no hop-by-hop headers.
fn rewritten(mut request: Request<Incoming>, url: &Url) -> Result<Request<Incoming>, NetError> {
    let unwritable =
        || NetError::BadRequest { host: host_of(url), reason: phrase!("its address has no valid path") };
    let path = url.query().map_or(url.path().to_owned(), |query| format!("{}?{query}", url.path()));
    let name = url.host_str().unwrap_or_default();
    let server = url.port().map_or(name.to_owned(), |port| format!("{name}:{port}"));
    *request.uri_mut() = path.parse::<Uri>().map_err(|_| unwritable())?;
    let headers = request.headers_mut();
    remove_of_connection(headers);
    headers.insert(header::HOST, HeaderValue::from_str(&server).map_err(|_| unwritable())?);
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    Ok(request)
}

fn remove_of_connection(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named.iter().chain(&HOP_BY_HOP) {
        headers.remove(name);
    }
    headers.remove("proxy-connection");
}

fn status_only(status: StatusCode) -> Response<ProxyBody> {
    let mut response = Response::new(Either::Right(Full::default()));
    *response.status_mut() = status;
    response
}
