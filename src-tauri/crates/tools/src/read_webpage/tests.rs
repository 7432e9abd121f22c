#[cfg(unix)]
mod with_browser;

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use engine::{Asks, Hosts, Tool, Typed, refused_host};
use kernel::{Code, ToolFailure};
use serde_json::json;

use super::*;
use crate::web::test_server::{Reply, Server, client};

/// The tool with these servers treated as public and no browser installed.
fn tool(allowed: &[&str]) -> Typed<ReadWebpageTool> {
    Typed(ReadWebpageTool::new(client(allowed), Arc::new(NoBrowser)))
}

/// A machine without a browser.
struct NoBrowser;

#[async_trait]
impl PageBrowser for NoBrowser {
    async fn open(&self, _: &net::Net, _: &Url) -> Result<Vec<u8>, Error> {
        Err(Error::new(Code::ToolFailed, Phrase::verbatim("No browser")))
    }

    fn longest(&self) -> Duration {
        Duration::ZERO
    }
}

async fn read(tool: &Typed<ReadWebpageTool>, url: &str) -> Result<serde_json::Value, Error> {
    let result = tool.call(&json!({"url": url}), &ToolContext::default()).await;
    result.map(|result| result.output.0)
}

const PAGE: &str = r##"<!doctype html><html><head><title>The water of the Alps</title>
<meta property="article:published_time" content="2026-06-03T08:00:00Z"></head><body>
<nav><a href="/">Home</a> <a href="/about">About us</a></nav><article><h1>The water of the Alps</h1>
<p>Every spring the rivers of the Alps carry the snow of the winter to the valleys, and every year it is a little less, as
<a href="report.html?a=1&amp;b=2#page">a report of the institute</a> shows with the numbers of forty stations that have measured since 1961.</p>
<p>The villages keep the water in basins now, which the <a href="https://other.example.org/basins">farmers share</a> by an
order that is older than the roads, and that was written anew after the dry summers of the last ten years.</p>
<p><a href="javascript:alert(1)">No address</a> <a href="mailto:a@example.org">Write to us</a> <a href="#top">Up</a></p>
</article></body></html>"##;

#[tokio::test]
async fn a_page_gives_its_article_its_date_and_first_the_links_in_its_text() {
    let server = Server::start(|path| match path {
        "/old" => Reply::to("/news/water.html"),
        _ => Reply::of("text/html; charset=utf-8", PAGE),
    });
    let output = read(&tool(&[&server.base]), &format!("{}/old", server.base)).await.unwrap();
    assert_eq!(output["url"], format!("{}/news/water.html", server.base));
    assert_eq!(
        (&output["title"], &output["published"]),
        (&json!("The water of the Alps"), &json!("2026-06-03"))
    );
    assert!(output["text"].as_str().unwrap().contains("forty stations") && output["is_cut"] == false);
    let links: Vec<(&str, &str)> = output["links"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| (link["text"].as_str().unwrap(), link["url"].as_str().unwrap()))
        .collect();
    let own = |path: &str| format!("{}{path}", server.base);
    assert_eq!(links[0], ("a report of the institute", own("/news/report.html?a=1&b=2").as_str()));
    assert_eq!(links[1], ("farmers share", "https://other.example.org/basins"));
    assert_eq!(links[2..], [("Home", own("/").as_str()), ("About us", own("/about").as_str())]);
}

#[tokio::test]
async fn pdf_and_text_files_are_read_and_long_texts_are_cut_with_a_note() {
    let server = Server::start(|path| match path {
        "/paper" => Reply::of("application/octet-stream", crate::readers::sample_pdf("Words of a paper")),
        "/long" => Reply::of("text/plain", "水 ".repeat(40_000)),
        _ => Reply::of("text/markdown", b"# A heading\n\nand words"),
    });
    let tool = tool(&[&server.base]);
    let text = async |path: &str| read(&tool, &format!("{}{path}", server.base)).await.unwrap();
    assert!(text("/paper").await["text"].as_str().unwrap().contains("Words of a paper"));
    assert!(text("/notes.md").await["text"].as_str().unwrap().contains("and words"));
    let long = text("/long").await;
    assert_eq!(
        (long["text"].as_str().unwrap().chars().count(), &long["is_cut"]),
        (LONGEST_TEXT, &json!(true))
    );
}

#[tokio::test]
async fn addresses_that_are_not_public_are_refused_before_anything_is_contacted() {
    let server = Server::start(|path| Reply::to(&path[1..]));
    let port = server.base.rsplit_once(':').unwrap().1.to_owned();
    let tool = tool(&[&server.base]);
    for address in [
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:c0a8:101]/",
        "http://2130706433/",
        "http://localhost:8080/",
        // Host names that resolve to such addresses.
        "http://rebinding.example.org:8080/",
        "http://six.example.org/",
        "http://metadata.example.org/",
    ] {
        let error = read(&tool, address).await.unwrap_err();
        assert!(error.message.contains("was not contacted"), "{address}: {}", error.message);
        let before = server.asked.load(Ordering::SeqCst);
        let led = read(&tool, &format!("{}/{address}", server.base)).await.unwrap_err();
        assert!(led.message.contains("was not contacted"), "to {address}: {}", led.message);
        assert_eq!(server.asked.load(Ordering::SeqCst), before + 1);
    }
    for address in
        ["file:///etc/passwd", "ftp://example.org/", "data:text/plain,x", "javascript:1", "example.org", ""]
    {
        let error = read(&tool, address).await.unwrap_err();
        let place = ToolFailure::BadInput { place: "/url".to_owned() };
        assert_eq!(error.tool_failure.as_deref(), Some(&place), "{address}: {error:?}");
    }
    let by_name = format!("http://rebinding.example.org:{port}/");
    assert!(read(&tool, &by_name).await.unwrap_err().message.contains("is not one of the web"));
}

#[tokio::test]
async fn a_redirect_to_a_forbidden_host_is_refused_and_named() {
    let other = Server::start(|_| Reply::of("text/plain", b"other"));
    let by_name = other.base.replace("127.0.0.1", "other.example.org");
    let target = by_name.clone();
    let server = Server::start(move |_| Reply::to(&target));
    let tool = tool(&[&server.base, &by_name]);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = seen.clone();
    let hosts = Hosts::only(move |host| {
        kept.lock().unwrap().push(host.to_owned());
        host == "127.0.0.1"
    });
    let context = ToolContext { hosts, ..ToolContext::default() };
    let error = tool.call(&json!({"url": server.base}), &context).await.unwrap_err();
    assert_eq!(
        (error.code, &error),
        (Code::PermissionNeeded, &refused_host(READ_WEBPAGE, "other.example.org"))
    );
    assert_eq!(
        (seen.lock().unwrap().as_slice(), other.asked.load(Ordering::SeqCst)),
        (&["other.example.org".to_owned()][..], 0)
    );
    assert_eq!(read(&tool, &server.base).await.unwrap()["text"], "other");
}

#[tokio::test]
async fn endless_bodies_and_binary_content_are_refused_with_the_next_step() {
    let server = Server::start(|path| match path {
        "/endless" => Reply::endless(),
        "/binary" => Reply::of("application/zip", b"PK\x03\x04"),
        "/picture" => Reply::of("image/png", b"\x89PNG\r\n"),
        "/damaged" => Reply::of("application/pdf", b"%PDF-1.7 and no more"),
        "/lying" => Reply::of("text/plain", vec![0, 159, 146, 150, 0, 1, 2]),
        _ => Reply::of("text/html", ""),
    });
    let tool = tool(&[&server.base]);
    for (path, reason) in [
        ("/endless", "more than 16777216 bytes"),
        ("/binary", "gave no page but `application/zip`"),
        ("/picture", "gave no page but `image/png`"),
        ("/damaged", "read another page"),
        ("/lying", "read another page"),
        ("/empty", "read another page"),
    ] {
        let error = read(&tool, &format!("{}{path}", server.base)).await.unwrap_err();
        assert!(
            error.code == Code::ToolFailed && error.message.contains(reason),
            "{path}: {}",
            error.message
        );
    }
}

#[test]
fn it_declares_its_host_and_asks_for_unnamed_addresses() {
    let access = tool(&[]).access(&json!({"url": " https://News.Example.org.:8443/a?b "}));
    assert_eq!(
        (access.class, access.place.as_deref()),
        (kernel::EffectClass::Pure, Some("news.example.org"))
    );
    assert_eq!(access.asks, Asks::UnlessNamed("https://News.Example.org.:8443/a?b".to_owned()));
    let intent = tool(&[]).intent(&json!({"url": "https://example.org/a"})).english();
    assert_eq!(intent, "Reads the page https://example.org/a");
}
