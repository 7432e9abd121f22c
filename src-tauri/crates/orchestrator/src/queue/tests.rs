use std::collections::BTreeMap;
use std::time::Duration;

use engine::{Access, FixedTools, Tool, ToolDescription, ToolDirectory, ToolExample};
use futures::future::join_all;
use kernel::{
    Code, EffectClass, Instance, Phrase, RunId, SubTaskOutcome, SubTaskWork, ToolCall, ToolFailure, Value,
};
use serde_json::json;

use super::*;
use crate::{Workers, work};

/// Counts completed calls, by input.
#[derive(Default)]
struct Counting {
    finished: Arc<Mutex<BTreeMap<u64, u32>>>,
    taken_back: Arc<Notify>,
}

#[async_trait]
impl Tool for Counting {
    fn describe(&self) -> ToolDescription {
        let any = json!({"type": "object"});
        let (input, output) = (any.clone().into(), any.into());
        ToolDescription { name: "count".into(), description: String::new(), input, output }
    }
    fn access(&self, _: &serde_json::Value) -> Access {
        Access::looks()
    }
    fn title(&self, _: &serde_json::Value) -> Phrase {
        Phrase::default()
    }
    fn examples(&self) -> Vec<ToolExample> {
        Vec::new()
    }
    async fn call(&self, input: &serde_json::Value, _: &ToolContext) -> Result<ToolResult, Error> {
        let number = input["n"].as_u64().unwrap_or_default();
        assert!(input["panics"].is_null(), "it panics");
        let on_drop = Dropped(self.taken_back.clone());
        tokio::time::sleep(Duration::from_millis(1 + number % 7)).await;
        std::mem::forget(on_drop);
        *self.finished.lock().unwrap().entry(number).or_default() += 1;
        Ok(ToolResult { output: json!(number).into(), ..ToolResult::default() })
    }
}

struct Dropped(Arc<Notify>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

fn sub_task(input: serde_json::Value, class: EffectClass) -> SubTask {
    let call = ToolCall {
        tool: "count".into(),
        input: Value::new(input.clone()),
        class,
        title: Phrase::default(),
        place: None,
        is_of_web: false,
        version: None,
        decision: None,
        credential_route: None,
        given: None,
    };
    let instance = Instance { agent: "CalculatorTool".into(), input: Value::new(json!({ "input": input })) };
    SubTask::new(
        format!("r-{input}"),
        &RunId("r".into()),
        "UtilityAgent",
        &instance,
        SubTaskWork::Call(call.into()),
    )
}

fn tools(counting: Counting) -> Arc<dyn ToolDirectory> {
    let tool: Arc<dyn Tool> = Arc::new(counting);
    Arc::new(FixedTools::new([tool]).unwrap())
}

/// Whether it is unknown if the call was made.
fn is_unknown(result: &SubTaskResult) -> bool {
    let SubTaskOutcome::Failed { error_details } = &result.outcome else { return false };
    error_details.tool_failure.as_deref() == Some(&ToolFailure::OutcomeUnknown)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_sub_tasks_get_one_result_each_while_workers_are_aborted_and_once_calls_run_once() {
    let counting = Counting::default();
    let finished = counting.finished.clone();
    let (queue, tools) = (Arc::new(MemoryQueue::default()), tools(counting));
    let context = ToolContext::default();
    let sent: Vec<SubTask> = (0..200)
        .map(|n| sub_task(json!({ "n": n }), if n % 5 == 0 { EffectClass::Once } else { EffectClass::Pure }))
        .collect();
    let results = join_all(sent.iter().map(|task| queue.perform(task.clone(), &context)));
    let aborting = async {
        let worker = |_| tokio::spawn(work(queue.clone(), tools.clone(), "UtilityAgent".into()));
        let mut workers: Vec<_> = (0..6).map(worker).collect();
        // Sixty workers die, at times that vary with the numbers of the sub-tasks.
        for death in 0..60 {
            tokio::time::sleep(Duration::from_millis(1 + death % 3)).await;
            workers[(death as usize * 7) % 6].abort();
            workers[(death as usize * 7) % 6] = worker(0);
        }
        std::future::pending::<()>().await;
    };
    let results = tokio::select! { results = results => results, () = aborting => unreachable!() };
    for (task, result) in sent.iter().zip(&results) {
        assert_eq!(result.sub_task_id, task.sub_task_id);
        let number = task.sub_task_input.0["n"].as_u64().unwrap();
        let times = finished.lock().unwrap().get(&number).copied().unwrap_or_default();
        let is_done = matches!(&result.outcome, SubTaskOutcome::Completed { result_data, .. } if result_data.0 == json!(number));
        match task.is_once() {
            true => assert!(times <= 1 && (is_done || is_unknown(result)), "{times} {result:?}"),
            false => assert!(is_done || is_given_up(result), "{result:?}"),
        }
    }
    assert!(results.iter().any(is_unknown), "no worker died with a sub-task in hand");
    assert!(queue.waiting().is_empty());
}

fn is_given_up(result: &SubTaskResult) -> bool {
    matches!(&result.outcome, SubTaskOutcome::Failed { error_details } if error_details.code == Code::Internal)
}

#[tokio::test]
async fn a_sub_task_that_kills_every_worker_is_given_up_and_the_workers_continue() {
    let workers = Workers::new(tools(Counting::default()));
    let context = ToolContext::default();
    let broken = workers.perform(sub_task(json!({ "panics": true }), EffectClass::Pure), &context).await;
    assert!(is_given_up(&broken), "{broken:?}");
    let once = workers.perform(sub_task(json!({ "panics": true }), EffectClass::Once), &context).await;
    assert!(is_unknown(&once), "{once:?}");
    let next = workers.perform(sub_task(json!({ "n": 3 }), EffectClass::Pure), &context).await;
    assert!(matches!(next.outcome, SubTaskOutcome::Completed { .. }));
}

#[tokio::test]
async fn workers_take_tasks_of_their_role_and_release_cancelled_ones() {
    let counting = Counting::default();
    let (let_go, finished) = (counting.taken_back.clone(), counting.finished.clone());
    let (queue, tools) = (Arc::new(MemoryQueue::default()), tools(counting));
    let context = ToolContext::default();
    let other = tokio::spawn(work(queue.clone(), tools.clone(), "ResearchAgent".into()));
    let waiting = queue.perform(sub_task(json!({ "n": 6 }), EffectClass::Pure), &context);
    assert!(tokio::time::timeout(Duration::from_millis(30), waiting).await.is_err());
    // A task that is cancelled before a worker of its role exists is never performed.
    let worker = tokio::spawn(work(queue.clone(), tools, "UtilityAgent".into()));
    let first = queue.perform(sub_task(json!({ "n": 1 }), EffectClass::Pure), &context).await;
    assert!(matches!(first.outcome, SubTaskOutcome::Completed { .. }));
    assert_eq!(*finished.lock().unwrap(), [(1, 1)].into());
    // A worker with a cancelled task releases it.
    let waiting = queue.perform(sub_task(json!({ "n": 6 }), EffectClass::Pure), &context);
    assert!(tokio::time::timeout(Duration::from_millis(3), waiting).await.is_err());
    let_go.notified().await;
    other.abort();
    worker.abort();
}
