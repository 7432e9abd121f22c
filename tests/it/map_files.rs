//! The files of the map as a page gets them: only those that the settings name, each time as they are then.

use desk::{Desk, ErrorCode, Options};
use serde_json::json;

#[tokio::test]
async fn the_map_is_made_of_the_files_that_the_settings_name_and_says_which_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { data_dir: Some(folder.path().join("data")), ..Options::default() };
    let desk = Desk::open(options).await.unwrap();
    let set =
        async |key: &str, value: &str| desk.rpc("set_setting", json!({"key": key, "value": value})).await;
    assert_eq!(desk.rpc("describe_map", json!({})).await.unwrap(), json!({"tiles": null, "style": null}));
    let tile = json!({"z": 0, "x": 0, "y": 0});
    assert_eq!(desk.rpc("read_map_tile", tile.clone()).await.unwrap_err().code, ErrorCode::NotFound);

    let relative = set("map.tiles", "a.pmtiles").await.unwrap_err();
    assert!(relative.message.contains("whole path"), "{relative}");
    let style = folder.path().join("style.json");
    let path = style.display().to_string();
    assert!(set("map.style", &path).await.unwrap_err().message.contains(&path), "there is none yet");
    let written =
        json!({"version": 8, "sources": {"m": {"type": "vector", "url": "pmtiles://map"}}, "layers": []});
    std::fs::write(&style, written.to_string()).unwrap();
    set("map.style", &path).await.unwrap();
    assert_eq!(desk.rpc("describe_map", json!({})).await.unwrap()["style"], written);
    let exported = desk.rpc("export_settings", json!({})).await.unwrap();
    assert!(!exported["toml"].as_str().unwrap().contains("style.json"), "a path of this machine stays here");

    // What is chosen is looked at anew each time.
    std::fs::remove_file(&style).unwrap();
    std::fs::create_dir(&style).unwrap();
    let gone = desk.rpc("describe_map", json!({})).await.unwrap_err();
    assert!(gone.code == ErrorCode::BadInput && gone.message.contains(&path), "{gone}");
    set("map.style", "").await.unwrap();
    desk.rpc("describe_map", json!({})).await.unwrap();
    desk.close().await;
}
