//! A local server for tests of HTTP clients; the test defines the answer for each path.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::FutureExt as _;
use net::{Addresses, Lookup, Net};

use super::web_client::WebClient;

/// A running server; it ends with the test process.
pub(crate) struct Server {
    pub(crate) base: String,
    /// The number of requests so far.
    pub(crate) asked: Arc<AtomicUsize>,
}

/// A received request.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReceivedRequest {
    pub(crate) method: String,
    /// The path with its query.
    pub(crate) target: String,
    /// The headers with names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl ReceivedRequest {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    pub(crate) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// A decoded query parameter; empty if it is missing.
    pub(crate) fn parameter(&self, name: &str) -> String {
        let url = net::Url::parse(&format!("http://host{}", self.target)).unwrap();
        url.query_pairs().find(|(known, _)| known == name).map_or_else(String::new, |(_, value)| value.into())
    }

    /// The body as JSON; null if it is invalid.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// The answer for a path.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reply {
    /// The status line after `HTTP/1.1`: `200 OK`.
    pub(crate) status: &'static str,
    pub(crate) headers: Vec<(&'static str, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
    /// Whether the body never ends.
    pub(crate) is_endless: bool,
}

impl Reply {
    pub(crate) fn of(kind: &str, body: impl Into<Vec<u8>>) -> Reply {
        let headers = vec![("content-type", kind.into())];
        Reply { status: "200 OK", headers, body: body.into(), is_endless: false }
    }

    pub(crate) fn json(body: &serde_json::Value) -> Reply {
        Reply::of("application/json", body.to_string())
    }

    pub(crate) fn status(self, status: &'static str) -> Reply {
        Reply { status, ..self }
    }

    pub(crate) fn to(target: &str) -> Reply {
        Reply { status: "302 Found", headers: vec![("location", target.into())], ..Reply::default() }
    }

    pub(crate) fn endless() -> Reply {
        Reply { is_endless: true, ..Reply::of("text/plain", "") }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<Vec<u8>>) -> Reply {
        self.headers.push((name, value.into()));
        self
    }
}

impl Server {
    pub(crate) fn start(answer: impl Fn(&str) -> Reply + Send + 'static) -> Server {
        Server::checking(move |asked| answer(&asked.target))
    }

    /// Starts a server whose answer depends on the whole request.
    pub(crate) fn checking(answer: impl Fn(&ReceivedRequest) -> Reply + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let count = asked.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                count.fetch_add(1, Ordering::SeqCst);
                serve(&mut stream.unwrap(), &answer);
            }
        });
        Server { base, asked }
    }
}

fn serve(stream: &mut TcpStream, answer: &dyn Fn(&ReceivedRequest) -> Reply) {
    let (mut head, mut byte) = (Vec::new(), [0; 1]);
    while !head.ends_with(b"\r\n\r\n") && matches!(stream.read(&mut byte), Ok(1)) {
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head);
    let mut lines = head.lines();
    let mut first = lines.next().unwrap_or_default().split(' ').map(str::to_owned);
    let method = first.next().unwrap_or_default();
    let target = first.next().unwrap_or_else(|| "/".to_owned());
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value.trim().to_owned())).collect();
    let mut asked = ReceivedRequest { method, target, headers, body: Vec::new() };
    asked.body = vec![0; asked.header("content-length").parse().unwrap_or(0)];
    let _cut = stream.read_exact(&mut asked.body);
    let reply = answer(&asked);
    let mut whole = format!("HTTP/1.1 {}\r\nconnection: close\r\n", reply.status).into_bytes();
    for (name, value) in &reply.headers {
        whole.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
    }
    whole.extend([b"\r\n", reply.body.as_slice()].concat());
    let mut sent = stream.write_all(&whole);
    while reply.is_endless && sent.is_ok() {
        sent = stream.write_all(&[b'x'; 64 << 10]);
    }
}

struct Names(fn(&str) -> &'static str);

impl Lookup for Names {
    fn addresses(&self, name: &str) -> Addresses {
        std::future::ready(Ok(vec![(self.0)(name).parse::<IpAddr>().unwrap()])).boxed()
    }
}

/// A client that treats these servers as public. Every host name resolves to this machine, or to a non-public address.
pub(crate) fn client(allowed: &[&str]) -> WebClient {
    let names = Names(|name| match name {
        "six.example.org" => "::ffff:10.0.0.1",
        "metadata.example.org" => "169.254.169.254",
        _ => "127.0.0.1",
    });
    let net = Net::with(Arc::new(names), false).allowing(allowed.iter().copied());
    WebClient::new(move || Ok(net.clone()))
}
