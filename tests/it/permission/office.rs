//! An office with one clerk, whose model follows a script and may call four tools.

#[path = "../../testkit/bin/unknown_pipeline/office_tools.rs"]
mod office_tools;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use desk::api::StartRun;
use desk::{ApiError, Desk, Event, Options, Outcome, QuestionPolicy, ReplayOf, RunHandle};
use engine::{Model as EngineModel, ModelDirectory};
use models::{Delivery, ProfileAccess};
use serde_json::{Value, json};
use testkit::{Dialect, Model, ModelServer, Reply, ServerOptions};

use office_tools::{Calls, office_tools};

pub(crate) const OFFICE: &str = r#"
id = "office"
title = "Office"
purpose = "Does what a letter asks for."

[input.letter]
title = "Letter"
kind = "long_text"

[key.report]
title = "Report"
role = "final"

[agent.clerk]
title = "Clerk"
reads = ["letter"]
writes = "report"
instruction = "You do what the letter asks for and then report in one sentence."
prompt = "{{ letter }}"
output = "text"
tools = ["look_up", "post_note", "print_label", "file_system"]

[flow]
steps = ["clerk"]
"#;

pub(crate) const DIALECTS: [(Dialect, &str); 4] = [
    (Dialect::OpenAi, "openai-compatible"),
    (Dialect::Gemini, "gemini"),
    (Dialect::Anthropic, "anthropic"),
    (Dialect::Ollama, "ollama"),
];

pub(crate) struct OneModel(Arc<dyn EngineModel>);

#[async_trait]
impl ModelDirectory for OneModel {
    async fn model(&self, _: &str) -> Result<Arc<dyn EngineModel>, ApiError> {
        Ok(self.0.clone())
    }
}

/// An office whose clerk's model follows a script.
pub(crate) struct Office {
    pub(crate) desk: Desk,
    server: ModelServer,
    calls: Arc<Mutex<Vec<String>>>,
    pub(crate) folder: tempfile::TempDir,
}

impl Office {
    pub(crate) async fn of(replies: Vec<Reply>) -> Office {
        Office::speaking(0, Delivery::Streamed, QuestionPolicy::Window, replies).await
    }

    pub(crate) async fn speaking(
        dialect: usize,
        delivery: Delivery,
        question_policy: QuestionPolicy,
        replies: Vec<Reply>,
    ) -> Office {
        Office::working(OFFICE, dialect, delivery, question_policy, replies).await
    }

    /// An office that works by another definition, whose id is `office`.
    pub(crate) async fn working(
        definition: &str,
        dialect: usize,
        delivery: Delivery,
        question_policy: QuestionPolicy,
        replies: Vec<Reply>,
    ) -> Office {
        let (dialect, provider) = DIALECTS[dialect];
        let options = ServerOptions { dialect, ..ServerOptions::default() };
        let server = ModelServer::start(options, Model::Script(replies)).unwrap();
        let access = ProfileAccess {
            profile: "office".into(),
            provider: provider.into(),
            base_url: server.base_url.clone(),
            key: Some("sk-test-of-the-office".to_owned().into()),
        };
        let model = models::connect_with(access, delivery).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("pipelines")).unwrap();
        std::fs::write(folder.path().join("pipelines/office.toml"), definition).unwrap();
        let calls = Arc::<Mutex<Vec<String>>>::default();
        let kept = calls.clone();
        let told: Calls = Arc::new(move |call| kept.lock().unwrap().push(call));
        let options = Options {
            data_dir: Some(folder.path().to_owned()),
            question_policy,
            models: Some(Arc::new(OneModel(model))),
            tools: office_tools(&told),
            ..Options::default()
        };
        let desk = Desk::open(options).await.unwrap();
        let card = json!({
            "name": "office", "provider": "openai-compatible", "base_url": server.base_url,
            "models": {"default": "clerk-1"},
        });
        desk.rpc("add_profile", card).await.unwrap();
        Office { desk, server, calls, folder }
    }

    /// Every request to the model, in order.
    pub(crate) fn requests(&self) -> Vec<testkit::ChatRequest> {
        self.server.requests()
    }

    /// Every call that was made, in order.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap().clone()
    }

    pub(crate) async fn start(&self, allow: &[&str]) -> RunHandle {
        let request = StartRun {
            pipeline: "office".into(),
            inputs: [("letter".to_owned(), json!("Please see to it.").into())].into(),
            profile: Some("office".into()),
            allow: allow.iter().map(|rule| (*rule).to_owned()).collect(),
            ..StartRun::default()
        };
        self.desk.runs().start(request).await.unwrap()
    }

    /// The questions of a run, once there are so many.
    pub(crate) async fn questions(&self, run: &str, count: usize) -> Vec<Value> {
        for _ in 0..2000 {
            let open = self.desk.rpc("list_questions", json!({"run": run})).await.unwrap();
            let open = open["questions"].as_array().unwrap().clone();
            if open.len() == count {
                return open;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("there are never {count} questions: {:#?}", self.sentences(run).await);
    }

    pub(crate) async fn answer(&self, run: &str, question: &Value, value: Value) -> Result<Value, ApiError> {
        self.desk.rpc("answer_run", json!({"run": run, "question": question["id"], "value": value})).await
    }

    /// Answers the only question, and ends the run.
    pub(crate) async fn answered(&self, handle: &RunHandle, value: Value) -> Vec<String> {
        let run = handle.run().0.clone();
        let questions = self.questions(&run, 1).await;
        self.answer(&run, &questions[0], value).await.unwrap();
        self.ended(handle).await
    }

    /// Ends the run well, which replays the same; gives what the model was told of its calls.
    pub(crate) async fn ended(&self, handle: &RunHandle) -> Vec<String> {
        let end = handle.ended().await;
        let run = &handle.run().0;
        assert_eq!(end.outcome, Outcome::Finished, "{:#?}\n{:?}", self.sentences(run).await, end.error);
        let (report, ..) = self.desk.runs().replay(run, ReplayOf::Present).await.unwrap();
        assert!(report.difference.is_none(), "{:?}", report.difference);
        self.told()
    }

    /// What the last request tells the model of its calls.
    pub(crate) fn told(&self) -> Vec<String> {
        let Some(last) = self.server.requests().pop() else { return Vec::new() };
        let of_tools = last.messages().iter().filter(|message| message["role"] == "tool");
        of_tools.map(|message| message["content"].as_str().unwrap_or_default().to_owned()).collect()
    }

    pub(crate) async fn events(&self, run: &str) -> Vec<Event> {
        let page =
            self.desk.rpc("read_events", json!({"run": run, "from_seq": 1, "limit": 500})).await.unwrap();
        let entries = page["entries"].as_array().unwrap().clone();
        entries.into_iter().map(|entry| serde_json::from_value(entry["event"].clone()).unwrap()).collect()
    }

    pub(crate) async fn sentences(&self, run: &str) -> Vec<String> {
        self.events(run).await.iter().map(|event| desk::sentence(event, &Default::default())).collect()
    }
}

pub(crate) fn call(name: &str, arguments: Value) -> Reply {
    Reply::tool_call(name, arguments)
}

pub(crate) fn note(host: &str) -> Value {
    json!({"host": host, "text": "hello"})
}

pub(crate) fn done() -> Reply {
    Reply::text("All of it is done.")
}
