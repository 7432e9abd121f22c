//! The data folder and what leaves it: backups, settings taken along, runs erased for good.

use desk::{Desk, ErrorCode, LimitName, Options};
use serde_json::{Value, json};
use tempfile::TempDir;

async fn desk() -> (Desk, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { data_dir: Some(folder.path().to_owned()), ..Options::default() };
    (Desk::open(options).await.unwrap(), folder)
}

async fn ask(desk: &Desk, command: &str, payload: Value) -> Value {
    desk.rpc(command, payload).await.unwrap_or_else(|error| panic!("{command}: {error}"))
}

async fn add(desk: &Desk, name: &str, address: &str) {
    let card = json!({"name": name, "provider": "openai-compatible", "base_url": address, "models": {"default": "m"}});
    ask(desk, "add_profile", card).await;
}

#[tokio::test]
async fn settings_go_to_another_folder_without_keys_and_lead_no_key_that_is_there_elsewhere() {
    let (here, folder) = desk().await;
    let (there, _other) = desk().await;
    add(&here, "work", "http://127.0.0.1:1").await;
    add(&here, "shared", "http://127.0.0.1:2").await;
    add(&there, "shared", "http://127.0.0.1:3").await;
    ask(&here, "set_setting", json!({"key": "theme", "value": "dark"})).await;
    ask(&here, "set_setting", json!({"key": "services.searxng.base_url", "value": "http://127.0.0.1:4"}))
        .await;
    // As the settings stand when a keyring holds the key.
    let file = folder.path().join("settings.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let text =
        text.replace("[profiles.work]\n", "[profiles.work]\nlast_four = \"wxyz\"\nkey_id = \"abcd1234\"\n");
    std::fs::write(&file, text).unwrap();

    let toml = ask(&here, "export_settings", json!({})).await["toml"].as_str().unwrap().to_owned();
    for own in ["wxyz", "abcd1234", "last_four"] {
        assert!(!toml.contains(own), "{own} in {toml}");
    }
    let told = ask(&there, "import_settings", json!({"toml": toml, "is_trial": true})).await;
    assert_eq!(told["settings"][0], json!({"key": "theme", "from": "system", "to": "dark"}));
    assert_eq!((&told["profiles"][0]["name"], &told["kept"]), (&json!("work"), &json!(["shared"])));
    let theme = async || ask(&there, "get_setting", json!({"key": "theme"})).await["value"].clone();
    assert_eq!(theme().await, "system", "a trial changes nothing");

    let unknown = format!("no_such_setting = 1\n{toml}");
    let refused =
        there.rpc("import_settings", json!({"toml": unknown, "is_trial": false})).await.unwrap_err();
    assert!(refused.code == ErrorCode::NotFound && refused.message.contains("no_such_setting"), "{refused}");
    let odd = [
        ("default_profile = \"nobody\"\n", "", "nobody"),
        ("default_source = \"nowhere\"\n", "", "nowhere"),
        (
            "",
            "[profiles.odd]\nprovider = \"openai-compatible\"\nbase_url = \"ftp://127.0.0.1\"\n",
            "must begin with http",
        ),
        (
            "",
            "[profiles.odd]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1\"\nfallback = \"nobody\"\n",
            "nobody",
        ),
    ];
    for (before, after, why) in odd {
        let toml = format!("{before}{toml}{after}");
        let refused =
            there.rpc("import_settings", json!({"toml": toml, "is_trial": false})).await.unwrap_err();
        assert!(refused.message.contains(why), "{refused}");
    }
    assert_eq!(theme().await, "system", "nothing of a file that cannot be taken whole");
    let profiles = ask(&there, "list_profiles", json!({})).await.to_string();
    assert!(!profiles.contains("work") && !profiles.contains("odd"), "{profiles}");

    ask(&there, "import_settings", json!({"toml": toml, "is_trial": false})).await;
    assert_eq!(theme().await, "dark");
    let profiles = ask(&there, "list_profiles", json!({})).await;
    let address = |name: &str| {
        let found = profiles["profiles"].as_array().unwrap().iter().find(|card| card["name"] == name);
        found.unwrap()["base_url"].clone()
    };
    assert_eq!(
        (address("work"), address("shared")),
        (json!("http://127.0.0.1:1"), json!("http://127.0.0.1:3"))
    );
}

#[tokio::test]
async fn a_file_of_settings_from_somebody_else_leads_no_key_of_this_machine_to_an_address_of_its_own() {
    let (desk, _folder) = desk().await;
    ask(&desk, "set_setting", json!({"key": "services.tavily.key_env", "value": "CARGO_PKG_NAME"})).await;
    let toml = "[services.tavily]\nbase_url = \"http://127.0.0.1:9\"\nkey_env = \"OTHER\"\n\
        [services.brave]\nbase_url = \"http://127.0.0.1:9\"\nkey_env = \"CARGO_PKG_NAME\"\n\
        [services.searxng]\nbase_url = \"http://127.0.0.1:8\"\n\
        [profiles.theirs]\nprovider = \"openai-compatible\"\nbase_url = \"http://127.0.0.1:9\"\n\
        key_env = \"CARGO_PKG_NAME\"\n[profiles.theirs.models]\ndefault = \"m\"\n";
    ask(&desk, "import_settings", json!({"toml": toml, "is_trial": false})).await;
    let setting = async |key: &str| ask(&desk, "get_setting", json!({"key": key})).await["value"].clone();
    assert_eq!(setting("services.tavily.base_url").await, "", "its key would go there");
    assert_eq!(setting("services.tavily.key_env").await, "CARGO_PKG_NAME");
    assert_eq!(setting("services.brave.base_url").await, "", "a key may be given later");
    assert_eq!(setting("services.searxng.base_url").await, "http://127.0.0.1:8", "it never has one");
    assert_eq!(setting("services.brave.key_env").await, "");
    let profiles = ask(&desk, "list_profiles", json!({})).await;
    let theirs =
        profiles["profiles"].as_array().unwrap().iter().find(|card| card["name"] == "theirs").unwrap();
    assert_eq!(theirs["key_env"], "");
}

#[tokio::test]
async fn a_backup_holds_the_history_and_a_run_that_is_erased_is_in_no_list_and_cannot_come_back() {
    let (desk, folder) = desk().await;
    let start = json!({"pipeline": "ai-news", "inputs": {"user_topic": "speech recognition"}, "profile": "built-in",
        "source": "library", "as_of": "2026-07-01"});
    let handle = desk.runs().start(serde_json::from_value(start).unwrap()).await.unwrap();
    handle.ended().await;
    let run = json!({"run": handle.run().0});

    let told = ask(&desk, "back_up", json!({})).await;
    assert_eq!((&told["runs"], &told["trashed_runs"]), (&json!(1), &json!(0)));
    let copy = tempfile::tempdir().unwrap();
    let file = folder.path().join(told["backups"][0]["file"].as_str().unwrap());
    std::fs::copy(file, copy.path().join("galley.sqlite3")).unwrap();

    assert_eq!(desk.rpc("erase_run", run.clone()).await.unwrap_err().code, ErrorCode::BadInput);
    ask(&desk, "trash_run", run.clone()).await;
    ask(&desk, "erase_run", run.clone()).await;
    for trash in [false, true] {
        assert_eq!(ask(&desk, "list_runs", json!({"is_trash": trash})).await["runs"], json!([]));
    }
    assert_eq!(desk.rpc("restore_run", run.clone()).await.unwrap_err().code, ErrorCode::NotFound);
    desk.close().await;

    let options = Options { data_dir: Some(copy.path().to_owned()), ..Options::default() };
    let kept = Desk::open(options).await.unwrap();
    assert_eq!(ask(&kept, "open_run", run).await["outcome"], "finished");
    kept.close().await;
}

#[tokio::test]
async fn the_doctors_report_for_strangers_names_no_profile_and_no_address() {
    let (desk, _folder) = desk().await;
    add(&desk, "secret-client", "http://127.0.0.1:9/inner").await;
    let report = ask(&desk, "doctor", json!({})).await;
    let named = report["lines"].as_array().unwrap().iter().any(|line| line["subject"] == "secret-client");
    let redacted = report["redacted"].as_str().unwrap();
    assert!(named && redacted.contains("ok: Database: "), "{redacted}");
    for told in ["secret-client", "127.0.0.1"] {
        assert!(!redacted.contains(told), "{redacted}");
    }
}

#[tokio::test]
async fn a_limit_that_is_no_number_leaves_the_list_of_profiles_whole_and_lets_no_run_start_without_it() {
    let (desk, folder) = desk().await;
    let toml = "[profiles.odd]\nprovider = \"openai-compatible\"\nbase_url = \"http://127.0.0.1:1\"\n\
        models = { default = \"m\" }\nlimits = { max_cost = nan, max_tool_calls = 3 }\n";
    std::fs::write(folder.path().join("settings.toml"), toml).unwrap();
    let listed = ask(&desk, "list_profiles", json!({})).await;
    let listed: desk::api::Profiles = serde_json::from_value(listed).unwrap();
    assert_eq!(listed.profiles[1].limits, [(LimitName::MaxToolCalls, 3.0)].into());
    let refused = desk.runs().start(crate::profiles::request("odd")).await.err().unwrap();
    assert_eq!(refused.code, ErrorCode::BadInput);
    assert!(refused.message.contains("max_cost"), "{refused}");
}

#[tokio::test]
async fn a_tool_server_that_another_process_added_is_listed_with_the_sign_in_at_it() {
    let (desk, folder) = desk().await;
    let address = "https://example.com/mcp";
    let server = format!("[server.guarded]\nurl = \"{address}\"\n");
    std::fs::write(folder.path().join("tool_servers.toml"), server).unwrap();
    let states = folder.path().join("tool_server_sign_ins");
    std::fs::create_dir(&states).unwrap();
    let hash = kernel::Hash::of(address.as_bytes()).0;
    let state = states.join(format!("guarded-{}.json", hash.get(..16).unwrap()));
    std::fs::write(state, r#"{"is_signed_in": true, "scopes": ["read"]}"#).unwrap();
    let listed = ask(&desk, "list_tool_servers", json!({})).await;
    assert_eq!(listed["servers"][0]["signed_in"]["scopes"], json!(["read"]));
    desk.close().await;
}
