use std::sync::atomic::Ordering;

use engine::{Asks, Hosts, Tool, Typed, refused_host};
use kernel::{ToolFailure, ToolResult};
use serde_json::{Value, json};

use super::*;
use crate::run_folder::test_run::TestRun;
use crate::web::test_server::{Reply, Server, client};

fn tool(allowed: &[&str]) -> Typed<DownloadFileTool> {
    Typed(DownloadFileTool::new(client(allowed)))
}

async fn download(run: &TestRun, url: &str, path: &str) -> Result<ToolResult, Error> {
    let server = url.split('/').take(3).collect::<Vec<&str>>().join("/");
    tool(&[&server]).call(&json!({"url": url, "path": path}), &run.context).await
}

/// Every file and folder below the folder of the run.
fn all(run: &TestRun) -> Vec<String> {
    let entries = std::fs::read_dir(run.on_disk("")).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[tokio::test]
async fn a_download_is_stored_byte_for_byte_and_reported_to_the_run() {
    let bytes: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    let packed = [&[0x1f, 0x8b, 8, 0][..], &bytes].concat();
    let (sent, kept) = (bytes.clone(), packed.clone());
    let server = Server::start(move |path| match path {
        "/data.tar.gz" => Reply::of("application/gzip", kept.clone()),
        _ => Reply::of("application/octet-stream", sent.clone()),
    });
    let run = TestRun::new();
    let url = format!("{}/raw/table.bin?version=2#top", server.base);
    let result = download(&run, &url, "data/").await.unwrap();
    assert_eq!(
        result.output.0,
        json!({
            "path": "data/table.bin", "bytes": 300_000, "name": "table.bin", "url": url,
            "media_type": "application/octet-stream",
        })
    );
    assert_eq!(std::fs::read(run.on_disk("data/table.bin")).unwrap(), bytes);
    let [file] = result.files.as_slice() else { panic!("{result:?}") };
    assert_eq!((file.path.as_str(), file.bytes), ("data/table.bin", 300_000));
    let contents = &run.context.folder.as_ref().unwrap().contents;
    assert_eq!(contents.content(file.hash.as_ref().unwrap()).unwrap(), bytes);
    assert_eq!(result.summary.english(), "data/table.bin has 300000 bytes of application/octet-stream");

    download(&run, &format!("{}/data.tar.gz", server.base), "kept/as it is.gz").await.unwrap();
    assert_eq!(std::fs::read(run.on_disk("kept/as it is.gz")).unwrap(), packed);
}

#[tokio::test]
async fn a_file_name_comes_from_the_server_or_the_address_and_is_safe_in_every_script() {
    let long = format!("attachment; filename=\"{}.pdf\"", "潮".repeat(200));
    let cut = format!("{}.pdf", "潮".repeat(83));
    let cases = [
        (
            "/x",
            "attachment; filename=\"old.pdf\"; filename*=UTF-8''%E6%BD%AE%E6%B1%90%20%281%29.pdf",
            "潮汐 (1).pdf",
        ),
        ("/x", "attachment; filename*=GBK''%B3%B1%CF%AB.csv", "潮汐.csv"),
        ("/x", "attachment; filename*=UTF-8''%FF.csv; filename=plain.csv", "plain.csv"),
        ("/x", "attachment; filename=\"a; \\\"b\\\" c.csv\"", "a; _b_ c.csv"),
        ("/x", "attachment; filename=潮汐表.csv", "潮汐表.csv"),
        ("/x", "attachment; filename=%E6%BD%AE.csv", "潮.csv"),
        ("/x", "attachment; filename=\"../../secret.csv\"", "secret.csv"),
        ("/x", "attachment; filename*=UTF-8''..%5C..%2F%00not%E2%80%AEvsc.exe", "notvsc.exe"),
        ("/x", "attachment; filename=\"con.csv\"", "_con.csv"),
        ("/x", "attachment; filename=\".galley-unfinished\"", "galley-unfinished.csv"),
        ("/x", "attachment; filename=\" a:b?.csv. \"", "a_b_.csv"),
        ("/x", &long, &cut),
        ("/names.csv", "attachment; filename=\"..\"", "names.csv"),
        ("/%E6%BD%AE%E6%B1%90.csv", "inline", "潮汐.csv"),
        ("/abs/2401.00042v2", "", "2401.00042v2.csv"),
        ("/a/..%2f..%2fsecret", "", "secret.csv"),
        ("/folder/", "", "download.csv"),
    ];
    for (path, header, name) in cases {
        let header = header.to_owned();
        let server = Server::start(move |_| {
            Reply::of("text/csv; charset=utf-8", "a,b").with("content-disposition", header.clone())
        });
        let run = TestRun::new();
        let output = download(&run, &format!("{}{path}", server.base), "").await.unwrap().output.0;
        assert_eq!((&output["name"], &output["path"]), (&json!(name), &json!(name)));
        assert_eq!((all(&run), &output["media_type"]), (vec![name.to_owned()], &json!("text/csv")));
        assert_eq!(std::fs::read_dir(run.outside.path()).unwrap().count(), 2);
    }
}

#[tokio::test]
async fn too_large_and_aborted_downloads_leave_no_file() {
    let server = Server::start(|path| match path {
        "/declared" => Reply::of("video/mp4", "").with("content-length", (LARGEST_FILE + 1).to_string()),
        "/endless" => Reply::endless(),
        "/broken" => Reply::of("text/csv", "a,b").with("content-length", "300"),
        _ => Reply { status: "404 Not Found", ..Reply::of("text/html", "<html>gone") },
    });
    let run = TestRun::new();
    for (path, code, reason) in [
        ("/declared", Code::ToolFailed, "sent more than 52428800 bytes"),
        ("/endless", Code::ToolFailed, "sent more than 52428800 bytes"),
        ("/broken", Code::Network, "try again"),
        ("/gone", Code::ToolFailed, "answered with HTTP 404; check the address or download another file"),
    ] {
        let error = download(&run, &format!("{}{path}", server.base), "a/b/").await.unwrap_err();
        assert_eq!(error.code, code, "{path}: {}", error.message);
        assert!(error.message.contains(reason), "{path}: {}", error.message);
        assert_eq!(all(&run), Vec::<String>::new());
    }
}

#[tokio::test]
async fn unsafe_paths_and_non_web_addresses_are_refused_before_any_request() {
    let server = Server::start(|_| Reply::of("text/csv", "a,b"));
    let run = TestRun::new();
    let url = format!("{}/a.csv", server.base);
    let deep = "a/".repeat(16);
    for path in
        ["../secret", "/etc/", "a/../b.csv", "a\\b", "..", "C:x", "a/./", "nul.csv", "/", "a//", &deep]
    {
        let error = download(&run, &url, path).await.unwrap_err();
        let kind = ToolFailure::BadInput { place: "/path".to_owned() };
        assert_eq!(error.tool_failure.as_deref(), Some(&kind), "{path}: {}", error.message);
    }
    for url in ["ftp://example.org/a.csv", "file:///etc/passwd", "data:text/csv,a", "a.csv", ""] {
        let error = tool(&[&server.base]).call(&json!({"url": url}), &run.context).await.unwrap_err();
        assert!(error.code == Code::BadInput && error.message.contains("/url"), "{url}: {}", error.message);
    }
    for url in ["http://10.0.0.1/a.csv", "http://metadata.example.org/a.csv"] {
        let error = tool(&[&server.base]).call(&json!({"url": url}), &run.context).await.unwrap_err();
        assert!(error.message.contains("was not contacted"), "{url}: {}", error.message);
    }
    let outside = tool(&[&server.base]).call(&json!({"url": url}), &ToolContext::default()).await;
    assert!(outside.unwrap_err().message.contains("only in a run"));
    assert_eq!((server.asked.load(Ordering::SeqCst), all(&run).len()), (0, 0));
    assert_eq!(std::fs::read_to_string(run.outside.path().join("secret")).unwrap(), "secret");
}

#[tokio::test]
async fn an_existing_file_is_not_changed_and_an_identical_download_is_accepted() {
    let server = Server::start(|path| Reply::of("text/csv", path));
    let run = TestRun::new();
    let first = download(&run, &format!("{}/first", server.base), "a.csv").await.unwrap();
    let again = download(&run, &format!("{}/first", server.base), "a.csv").await.unwrap();
    assert_eq!(again, first, "repeated after a crash");
    let error = download(&run, &format!("{}/second", server.base), "a.csv").await.unwrap_err();
    assert!(
        error.message.contains("`a.csv`") && error.message.contains("the file exists; choose another name")
    );
    assert_eq!(std::fs::read_to_string(run.on_disk("a.csv")).unwrap(), "/first");
}

#[tokio::test]
async fn a_redirect_is_followed_only_to_an_allowed_host() {
    let other = Server::start(|_| Reply::of("text/csv", "other"));
    let by_name = other.base.replace("127.0.0.1", "other.example.org");
    let target = format!("{by_name}/moved.csv");
    let server = Server::start(move |_| Reply::to(&target));
    let tool = tool(&[&server.base, &by_name]);
    let run = TestRun::new();
    let hosts = Hosts::only(|host| host == "127.0.0.1");
    let context = ToolContext { hosts, ..run.context.clone() };
    let error = tool.call(&json!({"url": server.base}), &context).await.unwrap_err();
    assert_eq!(error, refused_host(DOWNLOAD_FILE, "other.example.org"));
    assert_eq!((other.asked.load(Ordering::SeqCst), all(&run).len()), (0, 0));

    let output = tool.call(&json!({"url": server.base}), &run.context).await.unwrap().output.0;
    assert_eq!(
        (&output["url"], &output["name"]),
        (&json!(format!("{by_name}/moved.csv")), &json!("moved.csv"))
    );
}

#[tokio::test]
async fn an_html_page_instead_of_a_file_is_stored_and_the_summary_says_so() {
    let page = "\n<!DOCTYPE html><html><title>Log in</title></html>";
    let server = Server::start(move |path| match path {
        "/paper.pdf" => Reply::to("/login"),
        "/table.csv" => Reply::of("application/octet-stream", page),
        _ => Reply::of("text/html; charset=utf-8", page),
    });
    let run = TestRun::new();
    for (path, name, said) in [
        ("/paper.pdf", "login.html", "looks like a .pdf file"),
        ("/table.csv", "table.csv", "looks like a .csv file"),
        ("/start.html", "start.html", "bytes of text/html"),
        ("/about", "about.html", "bytes of text/html"),
    ] {
        let result = download(&run, &format!("{}{path}", server.base), "").await.unwrap();
        assert!(result.summary.english().contains(said), "{path}: {}", result.summary.english());
        assert_eq!(result.output.0["name"], name);
        assert_eq!(std::fs::read_to_string(run.on_disk(name)).unwrap(), page);
    }
}

#[test]
fn it_declares_its_host_asks_for_unnamed_addresses_and_is_repeatable() {
    let tool = tool(&[]);
    let input = |path: &str| json!({"url": " https://News.Example.org/a.csv ", "path": path});
    let access = tool.access(&input(""));
    assert_eq!(
        (access.class, access.place.as_deref(), access.is_of_web),
        (EffectClass::Repeatable, Some("news.example.org"), true)
    );
    assert_eq!(access.asks, Asks::UnlessNamed("https://News.Example.org/a.csv".to_owned()));
    let intent = |path: &str| tool.intent(&input(path)).english();
    assert_eq!(intent(""), "Downloads https://News.Example.org/a.csv into the folder of the run");
    assert_eq!(intent("a/"), "Downloads https://News.Example.org/a.csv to a/ in the folder of the run");
    let schema: Value = tool.describe().input.0;
    assert_eq!((&schema["required"], &schema["additionalProperties"]), (&json!(["url"]), &json!(false)));
}
