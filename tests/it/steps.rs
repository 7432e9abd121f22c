//! Steps of a plan that are done again with another input, or given another result: forks that keep the rest.

use desk::api::StartRun;
use desk::{Desk, Options};
use serde_json::{Value, json};

struct Task {
    desk: Desk,
    run: String,
    _folder: tempfile::TempDir,
}

fn file(id: &str, operation: &str, content: &str) -> Value {
    json!({
        "stepId": id, "assigned_agent_role": "Orchestrator", "tool_name": "FileSystemTool",
        "sub_task_input": { "operation": operation, "params": { "filename": "notes.txt", "content": content } },
    })
}

fn calculation(id: &str, expression: &str) -> Value {
    json!({
        "stepId": id, "assigned_agent_role": "UtilityAgent", "tool_name": "CalculatorTool",
        "sub_task_input": { "expression": expression }, "narrative_step": format!("Calculate {id}"),
    })
}

impl Task {
    /// A task that carried out this plan.
    async fn of(plan: Value) -> Task {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { data_dir: Some(folder.path().to_owned()), ..Options::default() };
        let desk = Desk::open(options).await.unwrap();
        let inputs = [("task", "Count"), ("mode", "execute"), ("given_plan", &plan.to_string())];
        let request = StartRun {
            pipeline: "task".into(),
            inputs: inputs.into_iter().map(|(key, value)| (key.to_owned(), json!(value).into())).collect(),
            profile: Some("built-in".into()),
            tools: [("search".into(), "library".into())].into(),
            ..StartRun::default()
        };
        let handle = desk.runs().start(request).await.unwrap();
        handle.ended().await;
        let run = handle.run().0.clone();
        Task { desk, run, _folder: folder }
    }

    /// The answer of a fork of the run at a step, with how often its tools were called in it.
    async fn forked(&self, step: Value) -> (String, usize) {
        let request = json!({ "run": self.run, "step": step["step"], "input": step.get("input"), "result": step.get("result") });
        let fork = self.desk.rpc("fork_step", request).await.unwrap()["run"].as_str().unwrap().to_owned();
        let end = loop {
            let page = self.desk.rpc("open_run", json!({ "run": fork })).await.unwrap();
            if page["card"]["status"] != "running" {
                break page;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        };
        let from = end["card"]["origin"]["seq"].as_u64().unwrap() + 1;
        let journal = json!({ "run": fork, "from_seq": from, "limit": 500 });
        let entries = self.desk.rpc("read_events", journal).await.unwrap();
        let calls = entries["entries"].as_array().unwrap().iter();
        let calls = calls.filter(|entry| entry["event"]["fact"]["effect"]["effect"] == "tool").count();
        let state = self.desk.rpc("state_at", json!({ "run": fork, "seq": null })).await.unwrap();
        let report = self.desk.rpc("replay_run", json!({ "run": fork })).await.unwrap();
        assert_eq!(report["difference"], Value::Null);
        (state["state"]["final_answer"].as_str().unwrap_or_default().to_owned(), calls)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_is_done_again_with_another_input_and_given_another_result_and_what_follows_sees_it() {
    let plan = json!([
        [calculation("sum", "40 + 2"), calculation("beside", "7 * 7")],
        [calculation("double", "(@{outputs.sum.result_data}) * 2")],
    ]);
    let task = Task::of(plan).await;
    let (answer, calls) = task.forked(json!({ "step": "sum", "input": { "expression": "10 + 1" } })).await;
    assert!(answer.contains(": 22") && answer.contains(": 49"), "{answer}");
    assert_eq!(calls, 2, "the step beside it is not done again");
    let (answer, calls) = task.forked(json!({ "step": "sum", "result": "50" })).await;
    assert!(answer.contains(": 100") && answer.contains(": 50"), "{answer}");
    assert_eq!(calls, 1);
    let refused = json!({ "run": task.run, "step": "sum", "input": { "expression": 5 } });
    let refused = task.desk.rpc("fork_step", refused).await.unwrap_err().message;
    assert!(refused.contains("cannot be carried out"), "{refused}");
    let unknown = json!({ "run": task.run, "step": "none", "result": 5 });
    let unknown = task.desk.rpc("fork_step", unknown).await.unwrap_err().message;
    assert!(unknown.contains("none"), "{unknown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_that_failed_is_mended_by_another_input_or_by_a_result() {
    let plan = json!([
        [calculation("broken", "1 / 0")],
        [calculation("double", "(@{outputs.broken.result_data}) * 2")]
    ]);
    let task = Task::of(plan).await;
    for mended in [
        json!({ "step": "broken", "input": { "expression": "1 / 1" } }),
        json!({ "step": "broken", "result": "1" }),
    ] {
        let (answer, _) = task.forked(mended).await;
        assert!(answer.ends_with(": 2"), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_that_wrote_a_file_writes_it_anew_and_a_step_beside_one_that_failed_is_done_again() {
    let read = json!({
        "stepId": "read", "assigned_agent_role": "Orchestrator", "tool_name": "FileSystemTool",
        "sub_task_input": { "operation": "read_file", "params": { "filename": "notes.txt" } },
    });
    let plan = json!([[file("kept", "create_file", "old"), calculation("sum", "1 + 1")], [read]]);
    let task = Task::of(plan).await;
    let again =
        json!({ "operation": "create_file", "params": { "filename": "notes.txt", "content": "new" } });
    let (answer, calls) = task.forked(json!({ "step": "kept", "input": again })).await;
    assert!(answer.contains("read: new"), "{answer}");
    assert_eq!(calls, 2, "what wrote no file is not done again");
    let task = Task::of(json!([[calculation("broken", "1 / 0"), calculation("sum", "1 + 1")]])).await;
    let (answer, _) = task.forked(json!({ "step": "sum", "input": { "expression": "3 + 3" } })).await;
    assert!(answer.contains("sum: 6") && answer.contains("broken"), "{answer}");
}
