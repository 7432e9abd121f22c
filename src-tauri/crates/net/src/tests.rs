//! Tests the policy against known attacks: addresses in every notation, redirects from a harmless server, names that
//! resolve to private addresses, endless answers. Only this machine is contacted.

mod proxy;
mod server;

use std::io::Write as _;
use std::net::IpAddr;
use std::str::FromStr as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::FutureExt as _;
use kernel::{Code, Error};
use reqwest::dns::{Name, Resolve as _};
use secrecy::SecretString;
use serde_json::json;

use crate::lookup::CheckedResolver;
use crate::{Addresses, Caps, Lookup, Net, NetError, Request, Url, contacted};
use server::{Server, redirect};

type Answers = dyn Fn(&str) -> Vec<IpAddr> + Send + Sync;

/// A resolver with the answers of a hostile DNS server.
struct Names(Box<Answers>);

impl Lookup for Names {
    fn addresses(&self, name: &str) -> Addresses {
        std::future::ready(Ok((self.0)(name))).boxed()
    }
}

fn addresses(texts: &[&str]) -> Vec<IpAddr> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn net() -> Net {
    Net::with(Arc::new(Names(Box::new(|_| addresses(&["127.0.0.1"])))), false)
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

const REFUSED: &[(&str, &str)] = &[
    // Plain notation, one per range.
    ("http://127.0.0.1/", "loopback"),
    ("http://127.8.9.10/", "loopback"),
    ("http://0.0.0.0/", "unspecified"),
    ("http://0.1.2.3/", "unspecified"),
    ("http://10.1.2.3/", "private"),
    ("http://172.16.0.1/", "private"),
    ("http://172.31.255.255/", "private"),
    ("http://192.168.1.1/", "private"),
    ("http://100.64.0.1/", "provider's network"),
    ("http://100.127.255.255/", "provider's network"),
    ("http://169.254.169.254/latest/meta-data/", "link-local"),
    ("http://192.0.0.8/", "protocol"),
    ("http://192.0.2.1/", "documentation"),
    ("http://198.51.100.7/", "documentation"),
    ("http://203.0.113.9/", "documentation"),
    ("http://198.18.0.1/", "benchmarking"),
    ("http://192.88.99.1/", "relay"),
    ("http://224.0.0.1/", "multicast"),
    ("http://239.255.255.250/", "multicast"),
    ("http://240.0.0.1/", "reserved"),
    ("http://255.255.255.255/", "broadcast"),
    // The same in other notations.
    ("http://2130706433/", "loopback"),
    ("http://0x7f000001/", "loopback"),
    ("http://0x7f.1/", "loopback"),
    ("http://0177.0.0.1/", "loopback"),
    ("http://017700000001/", "loopback"),
    ("http://127.1/", "loopback"),
    ("http://127.0.1/", "loopback"),
    ("http://127.0.0.1./", "loopback"),
    ("http://127.0.0.1.:80/", "loopback"),
    ("http://0/", "unspecified"),
    ("http://%31%32%37.0.0.1/", "loopback"),
    ("http://１２７.0.0.1/", "loopback"),
    ("http://①②⑦.⓪.⓪.①/", "loopback"),
    ("http://127。0。0。1/", "loopback"),
    ("http:\\\\127.0.0.1\\x", "loopback"),
    ("http:127.0.0.1", "loopback"),
    ("http://3232235777/", "private"),
    ("http://0xA9FEA9FE/", "link-local"),
    // IPv6, and IPv4 embedded in it.
    ("http://[::1]/", "loopback"),
    ("http://[0:0:0:0:0:0:0:1]/", "loopback"),
    ("http://[::]/", "unspecified"),
    ("http://[::ffff:127.0.0.1]/", "loopback"),
    ("http://[::ffff:a9fe:a9fe]/", "link-local"),
    ("http://[::ffff:0:127.0.0.1]/", "outside the public internet"),
    ("http://[::127.0.0.1]/", "outside the public internet"),
    ("http://[::8.8.8.8]/", "outside the public internet"),
    ("http://[64:ff9b::10.0.0.1]/", "private"),
    ("http://[64:ff9b::7f00:1]/", "loopback"),
    ("http://[64:ff9b:1::1]/", "translated"),
    ("http://[2002:7f00:1::]/", "6to4"),
    ("http://[2002:c0a8:101::1]/", "6to4"),
    ("http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/", "protocol"),
    ("http://[2001:db8::1]/", "documentation"),
    ("http://[3fff::1]/", "documentation"),
    ("http://[fe80::1]/", "link-local"),
    ("http://[fec0::1]/", "private"),
    ("http://[fc00::1]/", "private"),
    ("http://[fd12:3456:789a::1]/", "private"),
    ("http://[ff02::1]/", "multicast"),
    ("http://[100::1]/", "discarded"),
    ("http://[5f00::1]/", "segment-routing"),
    ("http://[4000::1]/", "outside the public internet"),
    // Names that only a local network resolves.
    ("http://localhost/", "without a dot"),
    ("http://LOCALHOST./", "without a dot"),
    ("http://ⓛocalhost/", "without a dot"),
    ("http://a.localhost/", "local network"),
    ("http://printer/", "without a dot"),
    ("http://printer.local/", "local network"),
    ("http://router.lan./", "local network"),
    ("http://metadata.google.internal/", "local network"),
    ("http://nas.home.arpa/", "local network"),
    // Addresses that are not of the web.
    ("ftp://example.com/", "neither http nor https"),
    ("file:///etc/passwd", "neither http nor https"),
    ("gopher://example.com/", "neither http nor https"),
    ("javascript:alert(1)", "neither http nor https"),
    ("data:text/html,x", "neither http nor https"),
    ("http://me@example.com/", "name or a password"),
    ("http://example.com:secret@127.0.0.1/", "name or a password"),
    ("http://example.com:22/", "port 22"),
    ("http://example.com:6379/", "port 6379"),
    ("https://example.com:0/", "port 0"),
];

#[tokio::test]
async fn every_non_public_address_is_refused_with_its_reason() {
    const { assert!(REFUSED.len() >= 40) };
    for (text, reason) in REFUSED {
        let refused = net().send(Request::get(url(text))).await;
        let Err(error @ NetError::Refused { .. }) = refused else { panic!("{text}: {refused:?}") };
        let message = error.to_string();
        assert!(message.contains(reason) && message.contains("net.allow"), "{text}: {message}");
        assert!(!message.contains("secret"), "{message}");
    }
}

#[tokio::test]
async fn a_redirect_of_a_configured_server_to_a_non_public_address_is_refused() {
    let server = Server::start(|path| {
        let index: usize = path.trim_start_matches('/').parse().unwrap();
        redirect(302, REFUSED[index].0)
    });
    let net = net().allowing([server.base.as_str()]);
    for (index, (text, _)) in REFUSED.iter().enumerate() {
        // A browser reads a target without slashes as relative, so it leads back to the server, which lacks the path.
        if *text == "http:127.0.0.1" {
            continue;
        }
        let refused = net.send(Request::get(url(&format!("{}/{index}", server.base)))).await;
        assert!(matches!(refused, Err(NetError::Refused { .. })), "{text}: {refused:?}");
    }
}

#[tokio::test]
async fn a_name_with_one_private_address_is_refused_and_nothing_is_connected_to() {
    let server = Server::start(|_| redirect(200, "/"));
    let port_80 = |name: &str| match name {
        "mixed.example.org" => addresses(&["93.184.215.14", "127.0.0.1"]),
        "six.example.org" => addresses(&["::ffff:127.0.0.1"]),
        "metadata.example.org" => addresses(&["169.254.169.254"]),
        _ => addresses(&["127.0.0.1"]),
    };
    let net = Net::with(Arc::new(Names(Box::new(port_80))), false);
    for name in ["mixed.example.org", "six.example.org", "metadata.example.org", "localtest.example.org"] {
        let refused = net.send(Request::get(url(&format!("http://{name}:8080/")))).await;
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("its name stands for") && message.contains(name), "{message}");
    }
    assert_eq!(server.asked(), 0);
    assert!(contacted().iter().all(|contact| !contact.host.contains("example.org")));
}

#[tokio::test]
async fn a_rebinding_name_is_resolved_and_checked_once_per_connection() {
    let looked = Arc::new(AtomicUsize::new(0));
    let count = looked.clone();
    let turning = move |_: &str| match count.fetch_add(1, Ordering::SeqCst) {
        0 => addresses(&["93.184.215.14"]),
        _ => addresses(&["127.0.0.1"]),
    };
    let checked = CheckedResolver { lookup: Arc::new(Names(Box::new(turning))), is_guarded: true };
    let name = || Name::from_str("turning.example.org").unwrap();
    let first: Vec<_> = checked.resolve(name()).await.unwrap().map(|address| address.ip()).collect();
    assert_eq!((first, looked.load(Ordering::SeqCst)), (addresses(&["93.184.215.14"]), 1));
    assert!(checked.resolve(name()).await.is_err());
}

#[tokio::test]
async fn a_configured_address_is_allowed_by_its_exact_origin() {
    let server = Server::start(|path| match path {
        "/moved" => redirect(307, "/page"),
        _ => server::ok("text/plain", b"here"),
    });
    let net = net().introducing("a line\nbreak").introducing("desk@galley.test");
    let net = net.allowing([server.base.as_str(), "not an address", ""]);
    let answer = net.send(Request::get(url(&format!("{}/moved", server.base)))).await.unwrap();
    assert_eq!((answer.status, answer.text().as_str(), answer.url.path()), (200, "here", "/page"));
    let head = server.heads().join("\n").to_lowercase();
    assert!(
        head.contains(&format!("user-agent: {} (desk@galley.test)", kernel::USER_AGENT.to_lowercase())),
        "{head}"
    );
    let host = server.base.trim_start_matches("http://");
    assert!(contacted().iter().any(|contact| contact.host == host && contact.requests >= 2));

    let by_name = server.base.replace("127.0.0.1", "search.lan");
    let named = net.allowing([by_name.as_str()]);
    assert_eq!(named.send(Request::get(url(&by_name))).await.unwrap().text(), "here");
    let other_port = server.base.rsplit_once(':').unwrap().0.to_owned() + ":1";
    for other in [other_port, server.base.replace("http:", "https:")] {
        let refused = net.send(Request::get(url(&other))).await;
        assert!(matches!(refused, Err(NetError::Refused { .. })), "{other}");
    }
}

#[tokio::test]
async fn a_redirect_to_a_forbidden_host_is_not_followed() {
    let other = Server::start(|_| server::ok("text/plain", b"other"));
    let by_name = other.base.replace("127.0.0.1", "OTHER.example.org.");
    let target = by_name.clone();
    let server = Server::start(move |path| match path {
        "/own" => redirect(302, "/page"),
        "/away" => redirect(302, &target),
        _ => server::ok("text/plain", b"here"),
    });
    let net = net().allowing([server.base.as_str(), by_name.as_str()]);
    let ask = async |path: &str, allowed: &'static str| {
        let request = Request::get(url(&format!("{}{path}", server.base)));
        net.send(request.redirects_only_to(move |host| host == allowed)).await
    };
    assert_eq!(ask("/own", "127.0.0.1").await.unwrap().text(), "here");
    let refused = ask("/away", "127.0.0.1").await.unwrap_err();
    assert_eq!(refused, NetError::NotAllowed { host: "other.example.org".to_owned() });
    assert_eq!((refused.code(), other.asked()), (Code::PermissionNeeded, 0));
    assert_eq!(ask("/away", "other.example.org").await.unwrap().text(), "other");
}

#[tokio::test]
async fn a_key_is_sent_only_to_its_host() {
    let other = Server::start(|_| server::ok("text/plain", b"other"));
    let target = format!("{}/there", other.base);
    let server = Server::start(move |path| match path {
        "/post" => redirect(307, &target),
        _ => redirect(302, &target),
    });
    let net = net().allowing([server.base.as_str(), other.base.as_str()]);
    let key = SecretString::from("k-1234567890".to_owned());
    let request = Request::get(url(&server.base)).secret("authorization", "Bearer ", &key).unwrap();
    assert!(!format!("{request:?}").contains("1234567890"));
    assert_eq!(net.send(request).await.unwrap().text(), "other");
    assert!(server.heads()[0].contains("Bearer k-1234567890"));
    assert!(!other.heads()[0].contains("1234567890"), "{}", other.heads()[0]);
    let post = Request::post(url(&format!("{}/post", server.base)), &json!({"private": 1}));
    assert!(matches!(net.send(post).await, Err(NetError::Refused { .. })));
    let broken = SecretString::from("k\n12".to_owned());
    let message =
        Request::get(url(&server.base)).secret("authorization", "", &broken).unwrap_err().to_string();
    assert!(!message.contains("k\n12") && message.contains("set it anew"), "{message}");
}

#[tokio::test]
async fn endless_answers_bombs_and_redirect_loops_end_at_their_caps() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(&vec![0; 8 << 20]).unwrap();
    let packed = packed.finish().unwrap();
    assert!(packed.len() < 20_000);
    let server = Server::start(move |path| match path {
        "/bomb" => server::packed(&packed),
        "/long" => server::ok("text/plain", &vec![b'x'; 200_000]),
        "/endless" => server::without_length(&vec![b'x'; 200_000]),
        "/silent" => Vec::new(),
        _ => redirect(302, "/ring"),
    });
    let net = net().allowing([server.base.as_str()]);
    let ask = async |path: &str, within: Duration| {
        let caps = Caps { most_bytes: 100_000, within, redirects: 3 };
        net.send(Request::get(url(&format!("{}{path}", server.base))).caps(caps)).await.unwrap_err()
    };
    let ample = Duration::from_secs(60);
    for path in ["/bomb", "/long", "/endless"] {
        assert!(matches!(ask(path, ample).await, NetError::TooLarge { most: 100_000, .. }), "{path}");
    }
    assert!(matches!(ask("/ring", ample).await, NetError::TooManyRedirects { most: 3, .. }));
    assert!(matches!(ask("/silent", Duration::from_millis(300)).await, NetError::TooSlow { .. }));
}

#[tokio::test]
async fn an_unreachable_host_gives_an_error_without_the_query() {
    let closed = Server::start(|_| Vec::new()).base.clone();
    let net = net().allowing([closed.as_str()]);
    let error = net.send(Request::get(url(&format!("{closed}/?key=hidden")))).await.unwrap_err();
    let error = Error::from(error);
    assert_eq!(error.code, Code::Network);
    assert!(error.message.contains("cannot be reached") && !error.message.contains("hidden"), "{error:?}");
}

#[tokio::test]
async fn an_offline_client_reaches_only_this_machine() {
    let server = Server::start(|_| server::ok("text/plain", b"here"));
    let net = Net::with(Arc::new(Names(Box::new(|_| Vec::new()))), true);
    let net = net.allowing([server.base.as_str(), "https://api.example.org", "http://192.168.1.1"]);
    for away in ["https://api.example.org/x", "http://192.168.1.1/", "https://news.example.org/"] {
        let refused = net.send(Request::get(url(away))).await.unwrap_err();
        assert!(matches!(refused, NetError::Offline { .. }), "{away}");
        assert_eq!(refused.code(), Code::Network);
    }
    assert_eq!(net.send(Request::get(url(&server.base))).await.unwrap().text(), "here");
}
