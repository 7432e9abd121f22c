//! Tests the proxy with the same table: every target is written raw as a hostile browser would.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::*;
use crate::{Proxy, ProxyCaps};

/// Sends these bytes to the proxy, and returns its whole answer.
async fn say(proxy: SocketAddr, bytes: &str) -> String {
    let mut stream = TcpStream::connect(proxy).await.unwrap();
    stream.write_all(bytes.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // The proxy may have closed the connection already, which is a valid answer, too.
    let _hung_up = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

async fn tunnel(proxy: SocketAddr, target: &str) -> String {
    say(proxy, &format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n")).await
}

async fn get(proxy: SocketAddr, address: &str) -> String {
    say(proxy, &format!("GET {address} HTTP/1.1\r\nHost: proxy.example.org\r\n\r\n")).await
}

/// Whether this is the answer to a forbidden target or to an invalid request.
fn is_refused(answer: &str) -> bool {
    let status = answer.split(' ').nth(1).unwrap_or_default();
    matches!(status, "400" | "403")
}

async fn proxy_of(net: &Net, page: &str) -> Proxy {
    net.proxy_for(&url(page), ProxyCaps::default()).await.unwrap()
}

/// A hostile DNS server: every name except that of the page resolves to this machine.
fn hostile() -> Net {
    let names = |name: &str| match name {
        "mixed.example.org" => addresses(&["93.184.215.14", "127.0.0.1"]),
        "six.example.org" => addresses(&["::ffff:127.0.0.1"]),
        "metadata.example.org" => addresses(&["169.254.169.254"]),
        _ => addresses(&["127.0.0.1"]),
    };
    Net::with(Arc::new(Names(Box::new(names))), false)
}

#[tokio::test]
async fn every_address_of_the_table_is_refused_as_a_tunnel_and_as_a_request() {
    let proxy = proxy_of(&net(), "https://page.example.org/").await;
    for (text, reason) in REFUSED {
        let answer = get(proxy.address(), text).await;
        assert!(is_refused(&answer), "{text}: {answer}");
        let Some((_, rest)) = text.split_once("//") else { continue };
        let server = rest.split('/').next().unwrap();
        let has_port = server.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let target = if has_port { server.to_owned() } else { format!("{server}:80") };
        // A target that is refused only for its scheme is a public server to a tunnel, which has no scheme; its name
        // resolves to this machine here.
        let answer = tunnel(proxy.address(), &target).await;
        assert!(is_refused(&answer), "{target} ({reason}): {answer}");
    }
    let errors = proxy.errors();
    assert_eq!(errors.len(), 32, "they are remembered, but not without end");
    assert!(errors[0].to_string().contains("127.0.0.1 was not contacted: it is a loopback address"));
}

#[tokio::test]
async fn a_name_with_a_private_address_is_refused_without_a_connection() {
    let victim = Server::start(|_| server::ok("text/plain", b"secret"));
    let proxy = proxy_of(&hostile(), "https://page.example.org/").await;
    let names = ["mixed.example.org", "six.example.org", "metadata.example.org", "here.example.org"];
    for name in names {
        assert!(is_refused(&tunnel(proxy.address(), &format!("{name}:8080")).await), "{name}");
        assert!(is_refused(&get(proxy.address(), &format!("http://{name}/")).await), "{name}");
    }
    let errors = proxy.errors();
    for name in names {
        let is_of_it = |error: &NetError| {
            let message = error.to_string();
            message.contains(name) && message.contains("its name stands for")
        };
        assert!(errors.iter().any(is_of_it), "{name}: {errors:?}");
    }
    assert_eq!(victim.asked(), 0);
    assert!(contacted().iter().all(|contact| !names.contains(&contact.host.as_str())));
}

#[tokio::test]
async fn a_name_that_becomes_private_later_is_refused() {
    let looked = Arc::new(AtomicUsize::new(0));
    let count = looked.clone();
    let turning = move |_: &str| match count.fetch_add(1, Ordering::SeqCst) {
        // No public server is needed: a name without an address is enough.
        0 => Vec::new(),
        _ => addresses(&["127.0.0.1"]),
    };
    let net = Net::with(Arc::new(Names(Box::new(turning))), false);
    let proxy = proxy_of(&net, "http://turning.example.org:8080/").await;
    let first = get(proxy.address(), "http://turning.example.org:8080/").await;
    assert!(first.starts_with("HTTP/1.1 502"), "{first}");
    assert!(is_refused(&get(proxy.address(), "http://turning.example.org:8080/").await));
    assert!(is_refused(&tunnel(proxy.address(), "turning.example.org:8080").await));
    assert_eq!(looked.load(Ordering::SeqCst), 3, "each connection looks it up for itself");
}

#[tokio::test]
async fn only_the_configured_server_of_the_page_is_allowed() {
    let page = Server::start(|_| server::ok("text/plain", b"the page"));
    let other = Server::start(|_| server::ok("text/plain", b"secret"));
    let net = net().allowing([page.base.as_str(), other.base.as_str()]);
    let proxy = proxy_of(&net, &format!("{}/start", page.base)).await;
    let answer = get(proxy.address(), &format!("{}/a?b=%20c#d", page.base)).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("the page"), "{answer}");
    assert!(is_refused(&get(proxy.address(), &other.base).await));
    assert!(is_refused(&tunnel(proxy.address(), other.base.trim_start_matches("http://")).await));
    assert_eq!(other.asked(), 0);
    let host = page.base.trim_start_matches("http://");
    assert!(page.heads()[0].starts_with("GET /a?b=%20c HTTP/1.1\r\n"), "{}", page.heads()[0]);
    assert!(contacted().iter().any(|contact| contact.host == host));
    let refused = net.proxy_for(&url("http://127.0.0.1:1/"), ProxyCaps::default()).await;
    assert!(matches!(refused, Err(NetError::Refused { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_tunnel_carries_bytes_both_ways() {
    let page = Server::start(|_| server::ok("text/plain", b"through a tunnel"));
    let net = net().allowing([page.base.as_str()]);
    let proxy = proxy_of(&net, &page.base).await;
    let host = page.base.trim_start_matches("http://");
    let bytes = format!("CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\nGET / HTTP/1.1\r\n\r\n");
    let answer = say(proxy.address(), &bytes).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("through a tunnel"), "{answer}");
}

#[tokio::test]
async fn hop_by_hop_headers_are_not_forwarded() {
    let page = Server::start(|_| {
        let mut answer =
            b"HTTP/1.1 200 OK\r\nconnection: close, x-hop\r\nx-hop: 1\r\nproxy-authenticate: Basic\r\n\
            keep-alive: timeout=9\r\nx-kept: 1\r\ncontent-length: 2\r\n\r\n"
                .to_vec();
        answer.extend_from_slice(b"ok");
        answer
    });
    let net = net().allowing([page.base.as_str()]);
    let proxy = proxy_of(&net, &page.base).await;
    let request = format!(
        "POST {}/ HTTP/1.1\r\nHost: elsewhere.example.org\r\nProxy-Connection: keep-alive\r\nConnection: x-mine, upgrade\r\n\
         X-Mine: 1\r\nUpgrade: websocket\r\nProxy-Authorization: Basic x\r\nX-Kept: 1\r\nContent-Length: 0\r\n\r\n",
        page.base
    );
    let answer = say(proxy.address(), &request).await.to_lowercase();
    assert!(answer.contains("x-kept: 1") && answer.ends_with("ok"), "{answer}");
    for hidden in ["x-hop", "proxy-", "keep-alive"] {
        assert!(!answer.contains(hidden), "{hidden}: {answer}");
    }
    let head = page.heads()[0].to_lowercase();
    assert!(head.contains(&format!("host: {}\r\n", page.base.trim_start_matches("http://"))), "{head}");
    assert!(head.contains("x-kept: 1") && head.contains("connection: close"), "{head}");
    for hidden in ["x-mine", "upgrade", "proxy-", "elsewhere"] {
        assert!(!head.contains(hidden), "{hidden}: {head}");
    }
}

#[tokio::test]
async fn requests_that_are_not_for_a_proxy_are_refused() {
    let page = Server::start(|_| server::ok("text/plain", b"here"));
    let net = net().allowing([page.base.as_str()]);
    let proxy = proxy_of(&net, &page.base).await;
    let host = page.base.trim_start_matches("http://");
    for request in [
        // A request that is not meant for a proxy.
        format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        format!("GET https://{host}/ HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        "CONNECT 127.0.0.1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".to_owned(),
        "\x16\x03\x01 hello\r\n\r\n".to_owned(),
        // Two length headers, as used for request smuggling.
        format!(
            "POST {} HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 30\r\nHost: {host}\r\n\r\nx",
            page.base
        ),
    ] {
        let answer = say(proxy.address(), &request).await;
        assert!(is_refused(&answer), "{request}: {answer}");
    }
    let long = format!("GET {}/ HTTP/1.1\r\nX-Long: {}\r\n\r\n", page.base, "x".repeat(200_000));
    let answer = say(proxy.address(), &long).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    assert_eq!(page.asked(), 0);
}

#[tokio::test]
async fn bytes_connections_time_and_silence_end_at_their_caps() {
    let page = Server::start(|path| match path {
        "/silent" => Vec::new(),
        "/long" => server::without_length(&vec![b'x'; 300_000]),
        _ => server::ok("text/plain", b"here"),
    });
    let net = net().allowing([page.base.as_str()]);
    let ample = ProxyCaps::default();
    let start = async |caps: ProxyCaps| net.proxy_for(&url(&page.base), caps).await.unwrap();
    let address = |path: &str| format!("{}{path}", page.base);

    let few_bytes = start(ProxyCaps { most_bytes: 100_000, ..ample }).await;
    assert!(get(few_bytes.address(), &address("/long")).await.len() <= 100_000);
    assert!(!get(few_bytes.address(), &address("/")).await.contains("here"), "nothing comes after that");
    let errors = few_bytes.errors();
    assert!(
        errors.iter().any(|error| matches!(error, NetError::TooLarge { most: 100_000, .. })),
        "{errors:?}"
    );

    let few_connections = start(ProxyCaps { most_connections: 3, ..ample }).await;
    // Idle open connections count, too.
    let _idle = [
        TcpStream::connect(few_connections.address()).await.unwrap(),
        TcpStream::connect(few_connections.address()).await.unwrap(),
    ];
    assert!(get(few_connections.address(), &address("/")).await.ends_with("here"));
    assert!(!get(few_connections.address(), &address("/")).await.contains("here"));
    let errors = few_connections.errors();
    assert!(matches!(errors.as_slice(), [NetError::TooManyConnections { most: 3, .. }]), "{errors:?}");

    let short = start(ProxyCaps { within: Duration::from_millis(200), ..ample }).await;
    assert_eq!(get(short.address(), &address("/silent")).await, "");
    assert!(TcpStream::connect(short.address()).await.is_err(), "nobody listens any more");

    let quiet = start(ProxyCaps { quiet: Duration::from_millis(200), ..ample }).await;
    assert_eq!(get(quiet.address(), &address("/silent")).await, "");
    assert!(TcpStream::connect(quiet.address()).await.is_err(), "nobody listens any more");

    let dropped = start(ample).await;
    let address_of_dropped = dropped.address();
    let waiting = tokio::spawn({
        let address = address("/silent");
        async move { get(address_of_dropped, &address).await }
    });
    while page.heads().iter().filter(|head| head.contains("/silent")).count() < 3 {
        tokio::task::yield_now().await;
    }
    drop(dropped);
    assert_eq!(waiting.await.unwrap(), "");
}

#[tokio::test]
async fn an_offline_proxy_reaches_only_this_machine() {
    let page = Server::start(|_| server::ok("text/plain", b"here"));
    let net = Net::with(Arc::new(Names(Box::new(|_| Vec::new()))), true);
    let net = net.allowing([page.base.as_str(), "http://192.168.1.1"]);
    let proxy = proxy_of(&net, &page.base).await;
    assert!(get(proxy.address(), &page.base).await.ends_with("here"));
    assert!(is_refused(&get(proxy.address(), "http://192.168.1.1/").await));
    assert!(is_refused(&tunnel(proxy.address(), "news.example.org:443").await));
    assert!(proxy.errors().iter().all(|error| matches!(error, NetError::Offline { .. })));
    let away = net.proxy_for(&url("https://news.example.org/"), ProxyCaps::default()).await;
    assert!(matches!(away, Err(NetError::Offline { .. })), "{away:?}");
}
