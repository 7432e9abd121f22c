//! Favourites: forms kept under a name, as they were filled in.

use desk::api::StartRun;
use desk::{Desk, LimitName, Options};
use serde_json::{Value, json};

use crate::profiles::request;

async fn desk_in(folder: &std::path::Path) -> Desk {
    let options = Options { data_dir: Some(folder.to_owned()), ..Options::default() };
    Desk::open(options).await.unwrap()
}

fn names(list: &Value) -> Vec<&str> {
    list["favourites"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_favourite_comes_back_as_it_was_filled_in_also_with_a_limit_that_was_lifted() {
    let folder = tempfile::tempdir().unwrap();
    let asked = StartRun {
        limits: [(LimitName::MaxLlmCalls, None), (LimitName::MaxCost, Some(0.5))].into(),
        ..request("work")
    };
    let desk = desk_in(folder.path()).await;
    let saved = json!({"name": " News on  \"robots\"\n", "request": asked, "replaces": null});
    desk.rpc("save_favourite", saved).await.unwrap();
    desk.close().await;
    let desk = desk_in(folder.path()).await;
    let list = desk.rpc("list_favourites", json!({})).await.unwrap();
    assert_eq!(names(&list), ["News on \"robots\""]);
    assert_eq!(list["favourites"][0]["request"], json!(asked));
}

#[tokio::test]
async fn a_favourite_is_replaced_in_its_place_renamed_and_removed_and_no_two_have_one_name() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk_in(folder.path()).await;
    let save = |name: &'static str, profile: &'static str, replaces: Option<&'static str>| {
        let desk = desk.clone();
        async move {
            desk.rpc(
                "save_favourite",
                json!({"name": name, "request": request(profile), "replaces": replaces}),
            )
            .await
        }
    };
    for name in ["one", "two", "three"] {
        save(name, "built-in", None).await.unwrap();
    }
    let list = save("Second", "work", Some("two")).await.unwrap();
    assert_eq!(names(&list), ["one", "Second", "three"]);
    assert_eq!(list["favourites"][1]["request"]["profile"], "work");
    let taken = save("ONE", "work", Some("three")).await.unwrap_err();
    assert!(taken.to_string().contains("You have a favourite “ONE” already"), "{taken}");
    for (name, replaces) in [("", None), ("four", Some("two"))] {
        save(name, "work", replaces).await.unwrap_err();
    }
    let list = desk.rpc("remove_favourite", json!({"name": "second"})).await.unwrap();
    assert_eq!(names(&list), ["one", "three"]);
}

#[tokio::test]
async fn a_file_of_favourites_that_was_changed_by_hand_and_cannot_be_read_is_named_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("favourites.toml");
    let broken = "[[favourite]]\nname = \"robots\"\nrequest = \"{\"\n";
    std::fs::write(&file, broken).unwrap();
    let desk = desk_in(folder.path()).await;
    let error = desk.rpc("list_favourites", json!({})).await.unwrap_err();
    assert!(
        error.to_string().contains("The favourite “robots” in favourites.toml cannot be read"),
        "{error}"
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
}

#[tokio::test]
async fn a_favourite_that_would_make_the_file_too_long_to_read_is_refused_and_the_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk_in(folder.path()).await;
    let small = json!({"name": "small", "request": request("work"), "replaces": null});
    desk.rpc("save_favourite", small).await.unwrap();
    let long = StartRun {
        inputs: [("user_topic".to_owned(), json!("x".repeat(1 << 20)).into())].into(),
        ..request("work")
    };
    let large = json!({"name": "large", "request": long, "replaces": null});
    let error = desk.rpc("save_favourite", large).await.unwrap_err();
    assert!(error.to_string().starts_with("Your favourites would have"), "{error}");
    let list = desk.rpc("list_favourites", json!({})).await.unwrap();
    assert_eq!(names(&list), ["small"]);
}
