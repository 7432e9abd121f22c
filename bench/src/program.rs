//! The program: AI News through engine, store and model client, history on disk.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use engine::{
    FixedTools, Log, Model, ModelDirectory, NoFolders, RunEnd, StandingRules, Tool, ToolDirectory,
    UserAnswer, UserPrompt, World,
};
use futures::StreamExt;
use futures::stream;
use interpreter::{Pipeline, Setup};
use kernel::{
    AgentDefinition, Definition, Effect, Error, Fact, ModelRequest, Outcome, Question, RunId, Seq, SessionId,
    Start, ToolOffer, Value,
};
use models::{Delivery, ProfileAccess};
use orchestrator::Workers;
use serde_json::json;
use store::{NewArticle, Store};
use tools::{LIBRARY_SEARCH, LibrarySearch, sample_documents};

use crate::measure::{Figures, Meter, server};
use crate::{Options, floor};

const TOPIC: &str = "retrieval-augmented generation";

struct OneModel(Arc<dyn Model>);

#[async_trait]
impl ModelDirectory for OneModel {
    async fn model(&self, _profile: &str) -> Result<Arc<dyn Model>, Error> {
        Ok(self.0.clone())
    }
}

struct NobodyThere;

#[async_trait]
impl UserPrompt for NobodyThere {
    async fn ask(&self, _run: &RunId, _id: Seq, _question: &Question) -> UserAnswer {
        UserAnswer::NobodyThere
    }
}

struct Bench {
    world: World,
    store: Store,
    pipeline: Arc<Pipeline>,
    ballast: Option<Value>,
    _folder: tempfile::TempDir,
}

pub(crate) async fn run(options: &Options) -> Result<Figures, String> {
    let own = if options.base_url.is_none() { Some(server()?) } else { None };
    let base =
        options.base_url.clone().or_else(|| own.as_ref().map(|own| own.base_url.clone())).unwrap_or_default();
    let bench = Arc::new(Bench::open(&base, options).await?);
    for number in 0..5 {
        bench.one(&format!("warm-{number}")).await?;
    }
    let meter = Meter::start();
    // Only who failed is kept: an end holds the whole state of its run.
    let failed: Vec<Result<RunEnd, String>> = stream::iter(0..options.runs)
        .map(|number| {
            let bench = bench.clone();
            async move { bench.one(&format!("run-{number}")).await }
        })
        .buffer_unordered(options.concurrency.max(1) as usize)
        .filter(|end| std::future::ready(!went_well(end)))
        .collect()
        .await;
    if let Some(end) = failed.first() {
        eprintln!(
            "a run did not go the whole way: {:?}",
            end.as_ref().map(|end| (end.outcome, &end.error, end.usage.calls))
        );
    }
    let failed = u32::try_from(failed.len()).unwrap_or(u32::MAX);
    Ok(meter.stop(options.runs, failed))
}

fn went_well(end: &Result<RunEnd, String>) -> bool {
    end.as_ref()
        .is_ok_and(|end| end.outcome == Outcome::Finished && end.error.is_none() && end.usage.calls == 5)
}

/// The requests of one run, as they go over the wire.
pub(crate) async fn requests(base: &str) -> Result<Vec<serde_json::Value>, String> {
    let options = Options {
        base_url: None,
        runs: 1,
        concurrency: 1,
        state_bytes: 0,
        records: false,
        stream: false,
        part: None,
    };
    let bench = Bench::open(base, &options).await?;
    bench.one("requests").await?;
    let events = bench.store.load(&RunId("requests".into())).await.map_err(|error| error.to_string())?.events;
    let asked = events.iter().filter_map(|event| match &event.fact {
        Fact::EffectAsked { effect: Effect::Model { request }, .. } => Some(request),
        _ => None,
    });
    Ok(asked.map(|request: &ModelRequest| floor::body(request)).collect())
}

impl Bench {
    async fn open(base: &str, options: &Options) -> Result<Bench, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let store = Store::open(folder.path()).map_err(|error| error.to_string())?;
        let articles = sample_documents().map(|document| NewArticle {
            article: engine::LibraryArticle {
                id: String::new(),
                title: document.title,
                url: document.url.unwrap_or_default(),
                source: document.source,
                published: document.published.unwrap_or_default(),
                text: document.text,
                is_sample: true,
            },
            authors: document.authors,
            categories: document.categories,
            origin: document.origin,
        });
        store.ensure_sample(articles.collect::<Vec<_>>(), 1).await.map_err(|error| error.to_string())?;
        let access = ProfileAccess {
            profile: "bench".into(),
            provider: "openai-compatible".into(),
            base_url: base.to_owned(),
            key: None,
        };
        let delivery = if options.stream { Delivery::Streamed } else { Delivery::Whole };
        let model = models::connect_with(access, delivery).map_err(|error| error.message)?;
        let search = CannedSearch::of(&LibrarySearch::new(Arc::new(store.clone()))).await?;
        let tool: Arc<dyn Tool> = Arc::new(search);
        let tools: Arc<dyn ToolDirectory> = Arc::new(FixedTools::new([tool]).map_err(|error| error.message)?);
        let world = World {
            queue: Arc::new(Workers::new(tools.clone())),
            log: Arc::new(store.clone()),
            models: Arc::new(OneModel(model)),
            tools,
            permissions: Arc::new(StandingRules::default()),
            files: Arc::new(NoFolders),
            user_prompt: Arc::new(NobodyThere),
            disk_patience: None,
        };
        let pipeline = pipelines::all().into_iter().find(|pipeline| pipeline.id() == "ai-news");
        let pipeline = pipeline.ok_or("there is no pipeline to measure")?;
        Ok(Bench { world, store, pipeline, ballast: ballast(options), _folder: folder })
    }

    async fn one(&self, name: &str) -> Result<RunEnd, String> {
        let offer = ToolOffer {
            name: LIBRARY_SEARCH.to_owned(),
            description: String::new(),
            schema: Value::new(serde_json::json!({})),
        };
        let tools = BTreeMap::from([(tools::SEARCH.to_owned(), offer)]);
        let setup = Setup { tools, ..Setup::default() };
        let root = self.pipeline.tree(&setup).map_err(|error| error.message)?;
        let agents = self.pipeline.agents().iter().map(|agent| {
            let definition = AgentDefinition {
                instruction: Value::text(agent.instruction.clone()),
                profile: "bench".into(),
                model: "bench-model".into(),
                temperature: agent.temperature,
                max_output_tokens: 2048,
                ..AgentDefinition::default()
            };
            (agent.name.to_owned(), definition)
        });
        let mut inputs = BTreeMap::from([("user_topic".to_owned(), Value::text(TOPIC))]);
        inputs.extend(self.ballast.clone().map(|ballast| ("ballast".to_owned(), ballast)));
        let start = Start {
            run: RunId(name.to_owned()),
            session: SessionId("bench".into()),
            at_ms: now_ms(),
            definition: Definition {
                pipeline: self.pipeline.id().to_owned(),
                declared: None,
                title: TOPIC.to_owned(),
                outline: root.outline().clone(),
                agents: agents.collect(),
                limits: self.pipeline.definition().limits.clone(),
                tools: BTreeMap::from([("search".into(), "library".into())]),
                as_of: Some("2026-07-01".into()),
                allowed_tools: Vec::new(),
                gates: Default::default(),
                replies: Vec::new(),
                given_instructions: Vec::new(),
                notes: kernel::NoteTexts::new(),
                already_done: Vec::new(),
                local_tokens: Default::default(),
                on_failure: Default::default(),
                decides_issues: false,
                stage_limits: Default::default(),
                is_rewrite: false,
                foreign_tools: Default::default(),
                taken_over: Vec::new(),
                is_lost: false,
            },
            inputs,
            origin: None,
        };
        let handle = engine::start(self.world.clone(), root, start).await.map_err(|error| error.message)?;
        Ok(handle.ended().await)
    }
}

/// The engine is measured, not the search: it answers what the library answered once.
struct CannedSearch {
    description: engine::ToolDescription,
    result: kernel::ToolResult,
}

impl CannedSearch {
    async fn of(search: &LibrarySearch) -> Result<CannedSearch, String> {
        let input = json!({"query": TOPIC, "from": "2026-06-01", "until": "2026-07-01", "max_results": 10});
        let result = search.call(&input, &Default::default()).await.map_err(|error| error.message)?;
        Ok(CannedSearch { description: search.describe(), result })
    }
}

#[async_trait]
impl Tool for CannedSearch {
    fn describe(&self) -> engine::ToolDescription {
        self.description.clone()
    }

    fn access(&self, _input: &serde_json::Value) -> engine::Access {
        engine::Access::looks()
    }

    fn title(&self, _input: &serde_json::Value) -> kernel::Phrase {
        kernel::Phrase::verbatim("searched the library")
    }

    fn examples(&self) -> Vec<engine::ToolExample> {
        Vec::new()
    }

    async fn call(
        &self,
        _input: &serde_json::Value,
        _doing: &engine::ToolContext,
    ) -> Result<kernel::ToolResult, Error> {
        Ok(self.result.clone())
    }
}

/// The wall clock, milliseconds since 1970 UTC.
fn now_ms() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or_default()
}

/// A value of this size, made once and shared by all runs.
fn ballast(options: &Options) -> Option<Value> {
    let bytes = options.state_bytes;
    (bytes > 0).then(|| {
        let value = if options.records {
            let text = "x".repeat((bytes / 30_000).saturating_sub(40).max(1));
            Value::new((0..30_000).map(|id| json!({"id": id, "text": text, "seen": false})).collect())
        } else {
            Value::text("x".repeat(bytes))
        };
        // Size and hash belong to the value that is already there, not to the run.
        value.bytes();
        value.hash();
        value
    })
}
