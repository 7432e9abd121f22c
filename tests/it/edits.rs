//! What the person changes in a run that has ended.

use desk::api::EditState;
use desk::{Desk, Options, Outcome};
use futures::future::join_all;
use serde_json::json;

use crate::profiles::request;

#[tokio::test(flavor = "multi_thread")]
async fn edits_of_an_ended_run_that_are_made_at_once_are_all_kept_one_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { data_dir: Some(folder.path().to_owned()), ..Options::default() };
    let desk = Desk::open(options).await.unwrap();
    let handle = desk.runs().start(request("built-in")).await.unwrap();
    assert_eq!(handle.ended().await.outcome, Outcome::Finished);
    let run = handle.run().0.clone();
    let edits = (0..8).map(|number| {
        let (desk, run) = (desk.clone(), run.clone());
        tokio::spawn(async move {
            let edit = EditState {
                run,
                key: "draft_post".into(),
                field: Some("post_markdown".into()),
                value: json!(format!("Version {number} of a person [1].")).into(),
                is_new_version: number % 2 == 0,
            };
            desk.rpc("edit_state", json!(edit)).await.unwrap()["seq"].as_u64().unwrap()
        })
    });
    let mut landed: Vec<u64> = join_all(edits).await.into_iter().map(Result::unwrap).collect();
    landed.sort_unstable();
    landed.dedup();
    assert_eq!(landed.len(), 8, "{landed:?}");
    let page = desk.rpc("open_run", json!({"run": run})).await.unwrap();
    assert_eq!(page["card"]["last_seq"].as_u64(), landed.last().copied());
}
