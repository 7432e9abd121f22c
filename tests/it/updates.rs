//! Newer versions: told of once a day from the address that is set, put off, switched off, and never guessed from a feed
//! that is none.

use std::sync::{Arc, Mutex};

use axum::{Router, routing::get};
use desk::{Desk, Options};
use serde_json::{Value, json};

/// A desk, and a server whose feed a test changes and that counts how often it was asked.
struct Stage {
    folder: tempfile::TempDir,
    desk: Desk,
    feed: Arc<Mutex<(String, u32)>>,
}

impl Stage {
    async fn new() -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { data_dir: Some(folder.path().to_owned()), ..Options::default() };
        let desk = Desk::open(options).await.unwrap();
        let feed = Arc::new(Mutex::new((String::new(), 0)));
        let told = feed.clone();
        let answer = get(move || async move {
            let mut told = told.lock().unwrap();
            told.1 += 1;
            told.0.clone()
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/releases.json", listener.local_addr().unwrap());
        let router = Router::new().route("/releases.json", answer);
        tokio::spawn(async move { axum::serve(listener, router).await });
        let stage = Stage { folder, desk, feed };
        stage.set("updates.address", &address).await;
        stage
    }

    async fn set(&self, key: &str, value: &str) {
        self.desk.rpc("set_setting", json!({"key": key, "value": value})).await.unwrap();
    }

    fn tell(&self, feed: impl ToString) {
        self.feed.lock().unwrap().0 = feed.to_string();
    }

    fn asked(&self) -> u32 {
        self.feed.lock().unwrap().1
    }

    /// What a start of the window is told.
    async fn at_start(&self) -> Value {
        self.desk.rpc("check_update", json!({"is_asked": false})).await.unwrap()
    }

    async fn now(&self) -> Result<Value, desk::ApiError> {
        self.desk.rpc("check_update", json!({"is_asked": true})).await
    }

    /// Lets time pass for what is remembered.
    fn days_later(&self, days: i64) {
        let file = self.folder.path().join("updates.json");
        let mut kept: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        for name in ["asked_at_ms", "put_off_until_ms"] {
            kept[name] = json!(kept[name].as_i64().unwrap() - days * 24 * 60 * 60 * 1000);
        }
        std::fs::write(&file, kept.to_string()).unwrap();
    }
}

fn release(version: &str) -> Value {
    json!({"version": version, "notes": "Faster <b>proofs</b>.", "page": format!("https://galley.example/{version}")})
}

#[tokio::test]
async fn a_newer_version_is_told_of_and_its_feed_is_read_once_a_day() {
    let stage = Stage::new().await;
    stage.tell(json!({"stable": release("98.0.0"), "beta": release("99.0.0-beta.2"), "nightly": 7}));
    assert_eq!(stage.at_start().await["newer"], release("98.0.0"));
    stage.tell(json!({"stable": release("98.1.0")}));
    assert_eq!((stage.at_start().await["newer"].clone(), stage.asked()), (release("98.0.0"), 1));
    stage.set("updates.channel", "beta").await;
    assert_eq!((stage.at_start().await["newer"].clone(), stage.asked()), (release("99.0.0-beta.2"), 1));
    stage.days_later(1);
    // Who takes trials takes what came after them too.
    assert_eq!((stage.at_start().await["newer"].clone(), stage.asked()), (release("98.1.0"), 2));
    stage.days_later(-3);
    stage.at_start().await;
    assert_eq!(stage.asked(), 3, "a clock that was turned back puts nothing off");
}

#[tokio::test]
async fn the_same_and_an_older_version_are_nothing_new() {
    let stage = Stage::new().await;
    let here = stage.at_start().await["version"].as_str().unwrap().to_owned();
    for version in [here.as_str(), "0.0.1", &format!("{here}-beta.1"), &format!("{here}+rebuilt")] {
        stage.tell(json!({"stable": release(version)}));
        assert_eq!(stage.now().await.unwrap()["newer"], Value::Null, "{version}");
    }
}

#[tokio::test]
async fn what_is_no_feed_is_silent_at_a_start_and_told_to_whoever_asks() {
    let stage = Stage::new().await;
    let mut script = release("99.0.0");
    script["page"] = json!("javascript:alert(1)");
    for (feed, words) in [
        ("{\"stable\": ".to_owned(), "no feed of releases"),
        ("[".repeat(20_000), "no feed of releases"),
        (json!({"stable": release("newest")}).to_string(), "`newest` is no version"),
        (json!({"stable": script}).to_string(), "no address for a browser"),
        (json!({"stable": release("99.0.0"), "more": "x".repeat(70_000)}).to_string(), "65536"),
    ] {
        stage.tell(feed);
        assert_eq!(stage.at_start().await["newer"], Value::Null, "{words}");
        let told = stage.now().await.unwrap_err();
        assert!(told.message.contains(words), "{told}");
        stage.days_later(1);
    }
    assert_eq!(stage.asked(), 10, "each start and each question asked");
}

#[tokio::test]
async fn a_version_that_was_put_off_stays_away_for_a_week_unless_a_newer_one_comes_or_it_is_asked_for() {
    let stage = Stage::new().await;
    stage.tell(json!({"stable": release("98.0.0")}));
    stage.at_start().await;
    stage.desk.rpc("dismiss_update", json!({"version": "98.0.0"})).await.unwrap();
    assert_eq!(stage.at_start().await["newer"], Value::Null);
    assert_eq!(stage.now().await.unwrap()["newer"], release("98.0.0"));
    stage.days_later(6);
    assert_eq!(stage.at_start().await["newer"], Value::Null);
    stage.days_later(1);
    assert_eq!(stage.at_start().await["newer"], release("98.0.0"));
    stage.desk.rpc("dismiss_update", json!({"version": "98.0.0"})).await.unwrap();
    stage.tell(json!({"stable": release("98.0.1")}));
    stage.days_later(1);
    assert_eq!(stage.at_start().await["newer"], release("98.0.1"));
}

#[tokio::test]
async fn switched_off_or_without_an_address_nothing_is_asked() {
    let stage = Stage::new().await;
    stage.tell(json!({"stable": release("98.0.0")}));
    stage.set("updates.check", "off").await;
    assert_eq!((stage.at_start().await["newer"].clone(), stage.asked()), (Value::Null, 0));
    assert_eq!(stage.now().await.unwrap()["newer"], release("98.0.0"), "a person may ask all the same");
    assert_eq!(stage.at_start().await["newer"], Value::Null);
    stage.set("updates.check", "on").await;
    stage.set("updates.address", "").await;
    assert_eq!((stage.at_start().await["newer"].clone(), stage.asked()), (Value::Null, 1));
    let told = stage.now().await.unwrap_err();
    assert!(told.message.contains("updates.address"), "{told}");
    for (key, value) in [
        ("updates.channel", "nightly"),
        ("updates.check", "perhaps"),
        ("updates.address", "https://someone:secret@galley.example/"),
    ] {
        let told = stage.desk.rpc("set_setting", json!({"key": key, "value": value})).await.unwrap_err();
        assert!(!told.message.contains("secret"), "{told}");
    }
}
