//! Pages that show nothing without scripts, with the browser that is installed here and without one.

use browser::Browser;

use super::*;

/// A page that is written by its script; `…` is replaced by its static content.
const SCRIPTED_PAGE: &str = r#"<!doctype html><html><head><title>高山の水</title><script type="application/ld+json">{"a": 1}</script></head>
<body><div id="root">…</div><noscript>You need to enable JavaScript.</noscript><script>
fetch("/text").then(answer => answer.text()).then(text => {
  document.getElementById("root").innerHTML = "<article><h1>高山の水</h1><p>" + text.repeat(8) + '</p><p><a href="/next">次の記事</a></p></article>';
});
</script></body></html>"#;

/// Serves pages with scripts: one without static content and one with only a notice.
fn pages() -> Server {
    Server::start(|path| match path {
        "/text" => Reply::of("text/plain; charset=utf-8", "毎年春になると、川は山の雪を谷へ運びます。"),
        "/notice" => Reply::of("text/html; charset=utf-8", SCRIPTED_PAGE.replace('…', "Loading the page")),
        "/whole" => {
            Reply::of("text/html", PAGE.replace("<body>", "<body><script>document.body.append('x')</script>"))
        }
        "/data" => Reply::of("text/html", "<script type=\"application/json\">{}</script><p>Few words.</p>"),
        _ => Reply::of("text/html; charset=utf-8", SCRIPTED_PAGE.replace('…', "")),
    })
}

/// The id of an unprivileged user.
const UNPRIVILEGED_USER: u32 = 65_534;

/// The installed browser; a test that runs as root starts it as another user.
struct Installed;

#[async_trait]
impl PageBrowser for Installed {
    async fn open(&self, net: &net::Net, page: &Url) -> Result<Vec<u8>, Error> {
        let is_root = rustix::process::geteuid().is_root();
        let browser = if is_root { Browser::find_as(UNPRIVILEGED_USER)? } else { Browser::find()? };
        Ok(browser.read(net, page).await?.html)
    }

    fn longest(&self) -> Duration {
        browser::WITHIN
    }
}

/// A browser that no page may be opened in.
struct Unneeded;

#[async_trait]
impl PageBrowser for Unneeded {
    async fn open(&self, _: &net::Net, page: &Url) -> Result<Vec<u8>, Error> {
        panic!("{page} was opened in a browser")
    }

    fn longest(&self) -> Duration {
        Duration::ZERO
    }
}

#[tokio::test]
async fn a_page_written_by_scripts_is_read_with_a_browser_and_marked() {
    if std::env::var_os("GALLEY_WITHOUT_BROWSER").is_some_and(|value| value == "1") {
        println!("left out, because GALLEY_WITHOUT_BROWSER is 1");
        return;
    }
    let server = pages();
    let tool = Typed(ReadWebpageTool::new(client(&[&server.base]), Arc::new(Installed)));
    for path in ["/written", "/notice"] {
        let url = format!("{}{path}", server.base);
        let result = tool.call(&json!({"url": url}), &ToolContext::default()).await.unwrap();
        let output = &result.output.0;
        assert_eq!((&output["through_browser"], &output["title"]), (&json!(true), &json!("高山の水")));
        assert!(output["text"].as_str().unwrap().contains("川は山の雪を谷へ運びます"), "{output}");
        assert_eq!(output["links"][0], json!({"text": "次の記事", "url": format!("{}/next", server.base)}));
        assert!(output.get("note").is_none());
        let summary = result.summary.english();
        assert!(summary.ends_with("characters of 127.0.0.1 with a browser"), "{summary}");
    }
}

#[tokio::test]
async fn without_a_browser_a_note_explains_the_missing_text() {
    let server = pages();
    let tool = tool(&[&server.base]);
    let error = read(&tool, &format!("{}/written", server.base)).await.unwrap_err();
    assert!(error.message.contains("127.0.0.1 gave no text"), "{}", error.message);
    assert!(error.message.ends_with("without a browser: No browser"), "{}", error.message);
    let output = read(&tool, &format!("{}/notice", server.base)).await.unwrap();
    assert!(output["text"].as_str().unwrap().contains("Loading the page"));
    assert!(
        output["note"].as_str().unwrap().ends_with("No browser") && output.get("through_browser").is_none()
    );
}

#[tokio::test]
async fn a_page_that_shows_its_text_without_scripts_is_read_without_a_browser() {
    let server = pages();
    let tool = Typed(ReadWebpageTool::new(client(&[&server.base]), Arc::new(Unneeded)));
    let output = read(&tool, &format!("{}/whole", server.base)).await.unwrap();
    assert!(output["text"].as_str().unwrap().contains("forty stations"));
    let output = read(&tool, &format!("{}/data", server.base)).await.unwrap();
    assert!(output.get("note").is_none() && output.get("through_browser").is_none());
}
