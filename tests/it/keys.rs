//! Whose a key is: it goes to nobody but the one it was given for, whoever changed what meanwhile. Not here: keyrings
//! (`terminal::keyring`).

use desk::api::{ProfileCard, SaveKey, StartRun};
use desk::{Desk, Options};
use serde_json::{Value, json};
use testkit::{ModelServer, NewsModel};

use crate::profiles::request;
use crate::sources::services;

const KEY: &str = "sk-of-the-first-server";

async fn open(folder: &std::path::Path) -> Desk {
    Desk::open(Options { data_dir: Some(folder.to_owned()), ..Options::default() }).await.unwrap()
}

async fn ask(desk: &Desk, command: &str, payload: Value) -> Value {
    desk.rpc(command, payload).await.unwrap()
}

fn card(provider: &str, base_url: &str, key_env: &str) -> Value {
    json!(ProfileCard {
        name: "work".into(),
        provider: provider.into(),
        base_url: base_url.into(),
        key_env: key_env.into(),
        models: [("default".to_owned(), "m".to_owned())].into(),
        ..ProfileCard::default()
    })
}

async fn keep_for_session(desk: &Desk, key: &str) {
    let request = SaveKey { profile: "work".into(), key: key.into(), for_session: true };
    ask(desk, "save_key", json!(request)).await;
}

async fn keys_at(server: &ModelServer) -> Vec<Option<String>> {
    server.requests().iter().map(|request| request.key().map(str::to_owned)).collect()
}

#[tokio::test]
async fn a_key_for_this_session_comes_before_the_variable_that_a_profile_names() {
    let server = ModelServer::news(NewsModel::default()).await;
    let folder = tempfile::tempdir().unwrap();
    let variable = "GALLEY_TEST_VARIABLE_THAT_IS_NOT_SET";
    // Set when the profile was added, in another session.
    let toml = format!(
        "[profiles.work]\nprovider = \"openai-compatible\"\nbase_url = \"{}\"\nkey_env = \"{variable}\"\n\
         models = {{ default = \"m\" }}\n",
        server.base_url
    );
    std::fs::write(folder.path().join("settings.toml"), toml).unwrap();
    let desk = open(folder.path()).await;
    let refused = desk.rpc("test_profile", json!({"name": "work"})).await.unwrap_err();
    assert!(refused.message.contains(variable), "{refused}");
    let listed = ask(&desk, "list_profiles", json!({})).await.to_string();
    assert!(listed.contains("is not set; set it"), "the trial is remembered: {listed}");
    keep_for_session(&desk, KEY).await;
    ask(&desk, "test_profile", json!({"name": "work"})).await;
    assert_eq!(keys_at(&server).await, [Some(KEY.to_owned())]);
}

#[tokio::test]
async fn a_key_for_this_session_ends_with_its_profile_and_where_the_person_says_so() {
    let server = ModelServer::news(NewsModel::default()).await;
    let folder = tempfile::tempdir().unwrap();
    let desk = open(folder.path()).await;
    let work = card("openai-compatible", &server.base_url, "");
    let end = async |command: &str, payload: Value| {
        ask(&desk, "add_profile", work.clone()).await;
        keep_for_session(&desk, KEY).await;
        ask(&desk, command, payload).await;
        ask(&desk, "add_profile", work.clone()).await;
        ask(&desk, "test_profile", json!({"name": "work"})).await;
    };
    end("forget_key", json!({"name": "work"})).await;
    end("remove_profile", json!({"name": "work"})).await;
    end("add_profile", card("openai-compatible", &server.base_url, "HOME")).await;
    assert_eq!(keys_at(&server).await, [None, None, None]);
    end("add_profile", work.clone()).await;
    assert_eq!(keys_at(&server).await[3].as_deref(), Some(KEY), "an edit that changes nothing of it");
}

#[tokio::test]
async fn a_key_in_memory_does_not_follow_a_profile_that_another_program_led_elsewhere() {
    let (first, second) =
        (ModelServer::news(NewsModel::default()).await, ModelServer::news(NewsModel::default()).await);
    let folder = tempfile::tempdir().unwrap();
    let (window, terminal) = (open(folder.path()).await, open(folder.path()).await);
    ask(&window, "add_profile", card("openai-compatible", &first.base_url, "")).await;
    keep_for_session(&window, KEY).await;
    ask(&window, "test_profile", json!({"name": "work"})).await;
    ask(&terminal, "add_profile", card("openai-compatible", &second.base_url, "")).await;
    ask(&window, "test_profile", json!({"name": "work"})).await;
    ask(&window, "list_models", json!({"name": "work"})).await;
    assert_eq!(keys_at(&first).await, [Some(KEY.to_owned())]);
    assert!(keys_at(&second).await.iter().all(Option::is_none));
}

#[tokio::test]
async fn a_service_gets_no_key_of_somebody_else_and_a_key_goes_where_it_was_given_for() {
    let services = services();
    let folder = tempfile::tempdir().unwrap();
    let desk = open(folder.path()).await;
    ask(&desk, "set_setting", json!({"key": "net.allow", "value": services.base_url})).await;
    ask(&desk, "add_profile", card("openai-compatible", "http://127.0.0.1:9/v1", "")).await;
    let setting = json!({"key": "services.tavily.profile", "value": "work"});
    let refused = desk.rpc("set_setting", setting).await.unwrap_err();
    assert!(refused.message.contains("is of `openai-compatible`"), "{refused}");
    ask(&desk, "add_profile", card("tavily", &services.base("tavily"), "")).await;
    keep_for_session(&desk, "tvly-fake-0000").await;
    let elsewhere = json!({"key": "services.tavily.base_url", "value": "http://127.0.0.1:9"});
    ask(&desk, "set_setting", elsewhere).await;
    ask(&desk, "test_profile", json!({"name": "work"})).await;
    assert_eq!(services.asked("tavily").len(), 1);
    // What was a profile of the service has become somebody else's.
    ask(&desk, "add_profile", card("openai-compatible", "http://127.0.0.1:9/v1", "")).await;
    keep_for_session(&desk, KEY).await;
    let request = StartRun { tools: [("search".into(), "tavily".into())].into(), ..request("built-in") };
    let remarks = crate::words::english(&ask(&desk, "preflight", json!(request)).await["remarks"]);
    assert!(remarks.contains("its key is not for `tavily`"), "{remarks}");
    desk.runs().start(request).await.unwrap().ended().await;
    assert_eq!(services.asked("tavily").len(), 1, "nobody is asked with it");
    let doctor = ask(&desk, "doctor", json!({})).await;
    let lines = doctor["lines"].as_array().unwrap();
    let line = lines.iter().find(|line| line["subject"] == "tavily").unwrap();
    assert_eq!(line["is_well"], false, "{line}");
}

#[tokio::test]
async fn models_are_listed_with_a_key_that_is_typed_before_anything_is_kept() {
    let server = ModelServer::news(NewsModel::default()).await;
    server.require_key(KEY);
    let folder = tempfile::tempdir().unwrap();
    let desk = open(folder.path()).await;
    let mut asked = card("openai-compatible", &server.base_url, "");
    let refused = desk.rpc("offer_models", asked.clone()).await.unwrap_err();
    assert!(!refused.message.contains(KEY), "{refused}");
    asked["key"] = json!(format!(" {KEY}\n"));
    let listed = ask(&desk, "offer_models", asked).await;
    assert!(!listed["models"].as_array().unwrap().is_empty() && !listed.to_string().contains(KEY));
    assert_eq!(keys_at(&server).await.last().unwrap().as_deref(), Some(KEY));
    assert_eq!(ask(&desk, "list_profiles", json!({})).await["profiles"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_doctor_is_not_content_with_a_profile_that_needs_a_key_and_has_none() {
    let folder = tempfile::tempdir().unwrap();
    let desk = open(folder.path()).await;
    let line = async || {
        let report = ask(&desk, "doctor", json!({})).await;
        let lines = report["lines"].as_array().unwrap().iter();
        lines.clone().find(|line| line["name"] == "Profile work").unwrap().clone()
    };
    for provider in ["openai", "brave"] {
        ask(&desk, "add_profile", card(provider, "http://127.0.0.1:9/v1", "")).await;
        let found = line().await;
        assert_eq!((&found["is_well"], &found["remedy"]["kind"]), (&json!(false), &json!("save_key")));
        keep_for_session(&desk, KEY).await;
        let found = line().await;
        assert_eq!((&found["is_well"], &found["finding"]["kind"]), (&json!(true), &json!("key_for_session")));
        ask(&desk, "remove_profile", json!({"name": "work"})).await;
    }
    ask(&desk, "add_profile", card("openai-compatible", "http://127.0.0.1:9/v1", "")).await;
    assert_eq!(line().await["is_well"], true, "who asks for none");
}

#[tokio::test]
async fn the_profile_of_a_service_goes_with_the_setting_that_names_it_and_what_else_names_it_is_told_before()
{
    let folder = tempfile::tempdir().unwrap();
    let desk = open(folder.path()).await;
    let setting = json!({"key": "services.brave.profile"});
    let used_by = async || ask(&desk, "list_profiles", json!({})).await["profiles"][1]["used_by"].clone();
    ask(&desk, "add_profile", card("brave", "", "")).await;
    assert_eq!(used_by().await, json!(["services.brave.profile"]));
    let mut other = card("brave", "", "");
    (other["name"], other["fallback"]) = (json!("zz"), json!("work"));
    ask(&desk, "add_profile", other.clone()).await;
    assert_eq!(used_by().await, json!(["services.brave.profile", "profiles.zz.fallback"]));
    let refused = desk.rpc("remove_profile", json!({"name": "work"})).await.unwrap_err();
    assert!(refused.message.contains("still named by `profiles.zz.fallback`;"), "{refused}");
    assert_eq!(ask(&desk, "get_setting", setting.clone()).await["value"], "work", "nothing is unset");
    other["fallback"] = json!("");
    ask(&desk, "add_profile", other).await;
    let removed = ask(&desk, "remove_profile", json!({"name": "work"})).await;
    assert_eq!(removed, json!({"unset": ["services.brave.profile"]}));
    assert_eq!(ask(&desk, "get_setting", setting).await["value"], "");
}
