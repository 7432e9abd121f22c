//! Runs as resources.

use rmcp::model::*;
use serde_json::{Value, json};

use super::{Connected, Person, news, summary, text};
use crate::terminal::galley::Galley;

#[tokio::test(flavor = "multi_thread")]
async fn results_drafts_and_reports_of_runs_are_resources_newest_first() {
    let galley = Galley::new();
    let connected = Connected::to(&galley, Person::default()).await;
    let first = summary(&connected.call("ai-news", news("built-in")).await)["run"].clone();
    let last = connected.call("ai-news", news("built-in")).await;
    let page = connected.client.list_resources(None).await.unwrap();
    let addresses: Vec<&str> = page.resources.iter().map(|resource| resource.uri.as_str()).collect();
    let of = |run: &Value| {
        ["result", "draft", "report"].map(|part| format!("galley://runs/{}/{part}", run.as_str().unwrap()))
    };
    let (of_last, of_first) = (of(&summary(&last)["run"]), of(&first));
    assert_eq!(addresses, of_last.iter().chain(&of_first).collect::<Vec<_>>());
    let read = async |address: &str| {
        let read = connected.client.read_resource(ReadResourceRequestParams::new(address)).await;
        read.map(|read| json!(read.contents[0])).map_err(|error| error.to_string())
    };
    assert_eq!(read(&of_last[0]).await.unwrap()["text"], text(&last));
    assert!(read(&of_last[1]).await.unwrap()["text"].as_str().unwrap().contains("June 2026"));
    let report = read(&of_last[2]).await.unwrap();
    assert!(report["text"].as_str().unwrap().starts_with("<!doctype html>"));
    assert_eq!(report["mimeType"], "text/html");
    let none = format!("galley://runs/{}/result", "0".repeat(36));
    let beginning = &of_last[0][..22];
    for address in [
        "galley://runs/last/result",
        "galley://runs/0/result",
        &format!("{beginning}/result"),
        &none,
        "file:///etc/passwd",
        "galley://runs/../settings.toml/draft",
    ] {
        let refused = read(address).await.unwrap_err();
        assert!(refused.contains("resources/list names those that there are"), "{address}: {refused}");
    }
    connected.ends().await;
}
