//! Pictures that a text names: fetched only when they are wanted, only those that are named, by the guarded network client.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::{Router, routing::get};
use desk::{Desk, ErrorCode, Options};
use serde_json::json;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and so on";

/// A server with a picture and a page that calls itself one; and how often it was asked.
async fn server() -> (String, Arc<AtomicU32>) {
    let asked = Arc::new(AtomicU32::default());
    let count = |asked: &Arc<AtomicU32>, body: &'static [u8]| {
        let asked = asked.clone();
        get(move || async move {
            asked.fetch_add(1, Ordering::Relaxed);
            ([("content-type", "image/png")], body)
        })
    };
    let router = Router::new()
        .route("/a.png", count(&asked, PNG))
        .route("/page.png", count(&asked, b"<svg onload='x()'/>"));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, asked)
}

#[tokio::test]
async fn only_a_picture_that_the_run_names_is_fetched_and_only_from_where_tools_may_go() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { data_dir: Some(folder.path().to_owned()), ..Options::default() };
    let desk = Desk::open(options).await.unwrap();
    let (address, asked) = server().await;
    let start = json!({"pipeline": "ai-news", "inputs": {"user_topic": "speech recognition"}, "profile": "built-in",
        "source": "library", "as_of": "2026-07-01"});
    let handle = desk.runs().start(serde_json::from_value(start).unwrap()).await.unwrap();
    handle.ended().await;
    let run = handle.run().0.clone();
    let text = format!("![a]({address}/a.png) ![b]({address}/page.png)");
    let edit = json!({"run": run, "key": "final_post", "value": text});
    desk.rpc("edit_state", edit).await.unwrap();
    let fetch = async |path: &str| {
        desk.rpc("fetch_image", json!({"run": run, "url": format!("{address}{path}")})).await
    };

    let refused = fetch("/a.png").await.unwrap_err();
    assert!(refused.message.contains("127.0.0.1"), "a loopback address is no public one: {refused}");
    desk.rpc("set_setting", json!({"key": "net.allow", "value": address})).await.unwrap();
    assert_eq!(fetch("/other.png").await.unwrap_err().code, ErrorCode::BadInput, "nothing names it");
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    let picture = fetch("/a.png").await.unwrap();
    assert!(
        picture["data_url"].as_str().unwrap().starts_with("data:image/png;base64,iVBORw0KGgo"),
        "{picture}"
    );
    assert_eq!(fetch("/page.png").await.unwrap_err().code, ErrorCode::BadInput, "it is no picture");
}
