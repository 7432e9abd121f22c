//! The bridge as somebody meets it who does not know its token.

use std::time::{Duration, Instant};

use bridge::Bridge;
use desk::{Desk, Options};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A bridge that answers, its address and its token.
async fn served() -> (String, String, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { data_dir: Some(folder.path().to_owned()), ..Options::default() };
    let desk = Desk::open(options).await.unwrap();
    let bridge = Bridge::bind(0).await.unwrap();
    let url = bridge.url();
    let (address, token) = url.strip_prefix("http://").unwrap().split_once("/#token=").unwrap();
    let told = (address.to_owned(), token.to_owned(), folder);
    tokio::spawn(bridge.serve(desk, None));
    told
}

/// What is answered to this beginning of a request, up to the end of the connection.
async fn answer(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut told = Vec::new();
    // A connection may also be closed hard.
    let _ = tokio::time::timeout(Duration::from_secs(40), stream.read_to_end(&mut told)).await.unwrap();
    String::from_utf8(told).unwrap()
}

#[tokio::test]
async fn whoever_brings_no_token_is_refused_before_the_body_comes() {
    let (address, token, _folder) = served().await;
    let request = |authorization: &str| {
        format!(
            "POST /rpc HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: 31000000\r\n\
             {authorization}Connection: close\r\n\r\n{{\"cmd\""
        )
    };
    for authorization in
        [String::new(), "Authorization: Bearer wrong\r\n".to_owned(), format!("Authorization: {token}\r\n")]
    {
        let told = answer(&address, &request(&authorization)).await;
        assert!(told.starts_with("HTTP/1.1 401"), "{told}");
    }
    // With the token the whole command is waited for.
    let body = "{\"cmd\":\"list_profiles\",\"payload\":{}}";
    let whole = format!(
        "POST /rpc HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Authorization: Bearer {token}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let told = answer(&address, &whole).await;
    assert!(told.starts_with("HTTP/1.1 200") && told.contains("built-in"), "{told}");
}

#[tokio::test]
async fn only_the_loopback_with_a_port_is_a_host() {
    let (address, _, _folder) = served().await;
    let of = async |host: &str| {
        answer(&address, &format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")).await
    };
    for host in [
        "localhost:evil.com",
        "127.0.0.1:evil.com",
        "evil.com",
        "localhost.evil.com:80",
        "localhost:80:evil.com",
        "localhost:99999",
        "localhost:",
    ] {
        let told = of(host).await;
        assert!(told.starts_with("HTTP/1.1 403") || told.starts_with("HTTP/1.1 400"), "{host}: {told}");
    }
    for host in ["localhost", "127.0.0.1:1", &address] {
        assert!(of(host).await.starts_with("HTTP/1.1 404"), "{host}");
    }
}

#[tokio::test]
async fn headers_that_do_not_come_end_the_connection() {
    let (address, _, _folder) = served().await;
    let started = Instant::now();
    answer(&address, "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ").await;
    assert!(started.elapsed() < Duration::from_secs(35), "{:?}", started.elapsed());
}
