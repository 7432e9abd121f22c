//! The folder of a run holds what its events tell whenever the run is executed anew, and is left alone in between.

use desk::Outcome;
use desk::api::ResumeRun;
use serde_json::{Value, json};
use testkit::Reply;

use super::office::{Office, call, done, note};

fn file_system(operation: &str, more: Value) -> Reply {
    let mut input = more;
    input["operation"] = json!(operation);
    call("file_system", input)
}

#[tokio::test]
async fn the_folder_of_a_run_is_brought_to_what_its_events_tell_once_for_each_execution() {
    let office = Office::of(vec![
        file_system("create_file", json!({"path": "told.txt", "content": "kept"})),
        file_system("list_files", json!({"path": "."})),
        call("post_note", note("example.org")),
        file_system("list_files", json!({"path": "."})),
        call("post_note", note("other.org")),
        file_system("list_files", json!({"path": "."})),
        done(),
    ])
    .await;
    let handle = office.start(&[]).await;
    let run = handle.run().0.clone();
    let files = office.folder.path().join("runs").join(&run).join("files");
    let question = office.questions(&run, 1).await.remove(0);
    // What no event tells, as a call leaves it that is still at work.
    std::fs::write(files.join("untold.txt"), "half").unwrap();
    office.answer(&run, &question, json!("once")).await.unwrap();
    office.questions(&run, 1).await;
    assert!(files.join("untold.txt").exists());
    handle.cancel();
    assert_eq!(handle.ended().await.outcome, Outcome::Cancelled);

    // In the same process.
    let again = office.desk.runs().resume(ResumeRun { run, ..ResumeRun::default() }).await.unwrap();
    let told = office.answered(&again, json!("once")).await;
    let left: Vec<_> = std::fs::read_dir(&files).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["told.txt"], "{told:#?}");
    assert!(told[3].contains("untold.txt") && !told[5].contains("untold.txt"), "{told:#?}");
    assert!(told[5].contains("told.txt"), "{told:#?}");
}
