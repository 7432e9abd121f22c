//! Pages that try every way to reach a local server, in the installed browser.

use std::fmt::Write as _;

use super::server::{Reply, Server, Victim};
use super::*;

/// A page with one hostile target of each class. `V` is replaced by the TCP port of the victim, `U` by its UDP port.
const HOSTILE: &str = r#"<!doctype html><html><head><meta charset="utf-8"><title>A page</title>
<link rel="stylesheet" href="http://127.0.0.1:V/style.css"><link rel="prefetch" href="http://127.0.0.1:V/prefetch">
<link rel="preconnect" href="http://127.0.0.1:V"><link rel="dns-prefetch" href="//prefetched.example.org">
<link rel="modulepreload" href="http://127.0.0.1:V/module.js"><link rel="icon" href="http://127.0.0.1:V/icon.png">
<link rel="manifest" href="http://127.0.0.1:V/manifest.json">
<script src="http://127.0.0.1:V/script.js"></script><script src="http://localhost:V/script.js"></script>
<script src="http://[::1]:V/script.js"></script><script src="http://[::ffff:127.0.0.1]:V/script.js"></script>
<script src="http://2130706433:V/script.js"></script><script src="http://0x7f.1:V/script.js"></script>
<script src="http://169.254.169.254/latest/meta-data/"></script><script src="http://rebinding.example.org/x.js"></script>
<script src="http://printer.local/x.js"></script><script src="https://127.0.0.1:V/script.js"></script>
<script type="speculationrules">{"prerender": [{"urls": ["http://127.0.0.1:V/prerender"]}], "prefetch": [{"urls": ["http://127.0.0.1:V/speculated"]}]}</script>
</head><body><p id="text"></p><img src="http://127.0.0.1:V/image.png"><img src="/redirect">
<iframe src="http://127.0.0.1:V/frame"></iframe><iframe src="/refresh"></iframe><iframe src="/redirect"></iframe>
<iframe src="file:///etc/passwd"></iframe><iframe src="ftp://127.0.0.1:V/"></iframe>
<object data="http://127.0.0.1:V/object"></object><embed src="http://127.0.0.1:V/embed">
<video src="http://127.0.0.1:V/video" autoplay></video>
<form id="form" action="http://127.0.0.1:V/form" method="post" target="framed"></form><iframe name="framed"></iframe>
<script>
const tell = (name, text) => { const p = document.createElement("p"); p.textContent = name + ": " + text; document.body.append(p) };
const attempt = async (name, what) => { try { tell(name, await what()) } catch (error) { tell(name, "refused") } };
document.getElementById("text").textContent = "スクリプトが書いた本文です。答えは" + 6 * 7 + "。";
const http = "http://127.0.0.1:V", opened = promise => Promise.race([promise, new Promise((_, no) => setTimeout(no, 3000))]);
const all = [
  attempt("own", () => fetch("/data").then(answer => answer.text())),
  attempt("fetch", () => fetch(http + "/fetch").then(() => "REACHED")),
  attempt("post", () => fetch(http + "/post", {method: "POST", body: "x"}).then(() => "REACHED")),
  attempt("redirected", () => fetch("/redirect").then(() => "REACHED")),
  attempt("beacon", () => navigator.sendBeacon(http + "/beacon", "x") && "sent"),
  attempt("socket", () => opened(new Promise((yes, no) => { const s = new WebSocket("ws://127.0.0.1:V/"); s.onopen = () => yes("REACHED"); s.onerror = no }))),
  attempt("events", () => opened(new Promise((yes, no) => { const s = new EventSource(http + "/events"); s.onopen = () => yes("REACHED"); s.onerror = no }))),
  attempt("worker", () => opened(new Promise((yes, no) => { const w = new Worker(URL.createObjectURL(new Blob(["importScripts('" + http + "/worker.js'); postMessage(1)"]))); w.onmessage = () => yes("REACHED"); w.onerror = no }))),
  attempt("transport", () => opened(new WebTransport("https://127.0.0.1:U/").ready.then(() => "REACHED"))),
  attempt("peer", () => opened(new Promise((yes, no) => {
    const peer = new RTCPeerConnection({iceServers: [{urls: "stun:127.0.0.1:U"}, {urls: "turn:127.0.0.1:U?transport=udp", username: "a", credential: "b"},
      {urls: "turn:127.0.0.1:V?transport=tcp", username: "a", credential: "b"}]});
    peer.createDataChannel("x"); peer.onicecandidate = event => event.candidate ? yes("REACHED " + event.candidate.candidate) : no();
    peer.createOffer().then(offer => peer.setLocalDescription(offer)) }))),
];
document.getElementById("form").submit();
window.open(http + "/window");
const link = document.createElement("a"); link.href = http + "/ping-target"; link.ping = http + "/ping"; link.target = "framed"; document.body.append(link); link.click();
Promise.allSettled(all).then(() => tell("all", "done"));
</script></body></html>"#;

fn aimed_at(victim: &Victim, page: &str) -> String {
    page.replace(":V", &format!(":{}", victim.port)).replace(":U", &format!(":{}", victim.packets_port))
}

fn text_of(page: &RenderedPage) -> String {
    String::from_utf8(page.html.clone()).unwrap()
}

#[tokio::test]
async fn a_hostile_page_reaches_no_local_server_and_its_text_is_read() {
    let victim = Victim::start();
    let (page, to_victim) =
        (aimed_at(&victim, HOSTILE), format!("http://127.0.0.1:{}/redirected", victim.port));
    let server = Server::start(move |path| match path {
        "/" => Reply::Page(page.clone()),
        "/data" => Reply::Page("自分のデータ".to_owned()),
        "/redirect" => Reply::Redirect(to_victim.clone()),
        "/refresh" => Reply::Page(format!("<meta http-equiv=\"refresh\" content=\"0;url={to_victim}\">")),
        _ => Reply::Page(String::new()),
    });
    let Some(place) = Place::of_installed() else { return };
    let (net, names) = net_for(&[&server.base, &format!("http://127.0.0.1:{}", victim.port)]);
    let read = place.browser.read(&net, &Url::parse(&server.base).unwrap()).await.unwrap();
    let html = text_of(&read);
    // The page's own scripts ran, and its own data were loaded.
    for own in ["スクリプトが書いた本文です。答えは42。", "<p>own: 自分のデータ</p>", "<p>all: done</p>"]
    {
        assert!(html.contains(own), "{own}: {html}");
    }
    for path in ["/data", "/redirect", "/refresh"] {
        assert!(server.paths().iter().any(|asked| asked == path), "{path}");
    }
    assert_eq!(victim.reached(), (0, 0), "connections and packets");
    let visible = html.rsplit("</script>").next().unwrap();
    assert!(!visible.contains("REACHED") && !html.contains("SECRET") && !html.contains("root:"), "{visible}");
    for name in ["fetch", "post", "redirected", "socket", "events", "worker", "transport", "peer"] {
        assert!(visible.contains(&format!("<p>{name}: refused</p>")), "{name}: {visible}");
    }
    // The proxy refused them, so the browser did try.
    let errors = read.errors.iter().fold(String::new(), |mut all, error| {
        let _never = writeln!(all, "{error}");
        all
    });
    for refused in [
        format!("127.0.0.1:{} was not contacted: it is a loopback address", victim.port),
        format!("localhost:{} was not contacted", victim.port),
        format!("[::1]:{} was not contacted", victim.port),
        format!("[::ffff:7f00:1]:{} was not contacted", victim.port),
        "169.254.169.254 was not contacted".to_owned(),
        "rebinding.example.org was not contacted: its name stands for 127.0.0.1".to_owned(),
        "printer.local was not contacted".to_owned(),
    ] {
        assert!(errors.contains(&refused), "{refused} in {errors}");
    }
    // The browser sends no requests of its own.
    let own = server.base.trim_start_matches("http://");
    let contacted: Vec<String> = net::contacted().into_iter().map(|contact| contact.host).collect();
    assert_eq!(contacted, [own]);
    let asked = names.0.lock().unwrap().clone();
    assert!(asked.iter().all(|name| name.ends_with(".example.org")), "{asked:?}");
    place.check_is_clean().await;
}

#[tokio::test]
async fn a_page_cannot_navigate_to_a_local_server() {
    let victim = Victim::start();
    let target = format!("http://127.0.0.1:{}/", victim.port);
    let (script, refresh) = (target.clone(), target.clone());
    let server = Server::start(move |path| match path {
        "/script" => Reply::Page(format!("<p>before</p><script>location = '{script}'</script>")),
        "/refresh" => {
            Reply::Page(format!("<meta http-equiv=\"refresh\" content=\"0;url={refresh}\"><p>before</p>"))
        }
        _ => Reply::Redirect(target.clone()),
    });
    let Some(place) = Place::of_installed() else { return };
    let (net, _) = net_for(&[&server.base]);
    for path in ["script", "refresh", "redirect"] {
        let page = Url::parse(&format!("{}/{path}", server.base)).unwrap();
        let read = place.browser.read(&net, &page).await;
        assert!(!read.is_ok_and(|page| text_of(&page).contains("SECRET")), "{path}");
        assert!(server.paths().contains(&format!("/{path}")), "{path}");
    }
    assert_eq!(victim.reached(), (0, 0));
    let refused = place.browser.read(&net, &Url::parse("http://127.0.0.1:1/").unwrap()).await.unwrap_err();
    assert!(refused.message.contains("was not contacted"), "{refused:?}");
    place.check_is_clean().await;
}
