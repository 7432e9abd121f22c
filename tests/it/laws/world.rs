//! A world that counts what it is asked, spot by spot, and answers the same to the same.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use engine::{
    Access, AgentChanges, FixedTools, Model, ModelDirectory, NoFolders, StandingRules, TextSink, Tool,
    ToolContext, ToolDescription, ToolDirectory, ToolExample, UserAnswer, UserPrompt, World,
};
use kernel::{
    AgentChange, Code, Definition, EffectClass, Error, Hash, Json, ModelReply, ModelRequest, Question,
    QuestionKind, RunId, Seq, Speaker, TokenUsage, ToolRequest, ToolResult,
};
use orchestrator::Workers;
use serde_json::{Value, json};

use super::log::{Disk, MemoryLog};

type Script = dyn Fn(&ModelRequest, u32) -> Option<Result<String, Error>> + Send + Sync;
type Person = dyn Fn(&Question) -> UserAnswer + Send + Sync;

/// What was asked, over all processes of a test.
pub(crate) struct Touched {
    asked: Mutex<BTreeMap<String, u32>>,
    requests: Mutex<Vec<ModelRequest>>,
    questions: Mutex<Vec<Question>>,
    errors: Mutex<Vec<String>>,
    pub(crate) disk: Arc<Disk>,
    /// Answers of a model other than the usual; gets how often this spot was asked, from 1.
    pub(crate) script: Box<Script>,
    /// Tools that it calls beside each answer.
    pub(crate) calls: Vec<ToolRequest>,
    /// Tools that it calls instead, by how many results of tools it was told already.
    pub(crate) turns: BTreeMap<usize, Vec<ToolRequest>>,
    pub(crate) person: Box<Person>,
    /// Tools beside the usual ones.
    pub(crate) tools: Vec<Arc<dyn Tool>>,
    /// The model says its first words there and then nothing more.
    pub(crate) stalls_at: Mutex<Option<String>>,
    /// So long each answer of a model takes.
    pub(crate) answers_after: Duration,
    /// What each answer of a model costs.
    pub(crate) price: Option<f64>,
    /// So long the person thinks about a question.
    pub(crate) thinks_for: Duration,
    /// The rules of the settings, as the next process finds them.
    pub(crate) rules: Mutex<StandingRules>,
}

impl Touched {
    pub(crate) fn new(disk: Arc<Disk>) -> Touched {
        Touched {
            asked: Mutex::default(),
            requests: Mutex::default(),
            questions: Mutex::default(),
            errors: Mutex::default(),
            disk,
            script: Box::new(|_, _| None),
            calls: Vec::new(),
            turns: BTreeMap::new(),
            person: Box::new(|question| UserAnswer::Chosen(usual_answer(question).into())),
            tools: Vec::new(),
            stalls_at: Mutex::default(),
            answers_after: Duration::ZERO,
            price: None,
            thinks_for: Duration::ZERO,
            rules: Mutex::default(),
        }
    }

    /// How often each spot was asked.
    pub(crate) fn asked(&self) -> BTreeMap<String, u32> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) fn requests(&self) -> Vec<ModelRequest> {
        self.requests.lock().unwrap().clone()
    }

    pub(crate) fn questions(&self) -> Vec<Question> {
        self.questions.lock().unwrap().clone()
    }

    pub(crate) fn errors(&self) -> Vec<String> {
        let errors = self.errors.lock().unwrap();
        errors.iter().cloned().chain(self.disk.errors()).collect()
    }

    fn touch(&self, spot: &str) -> u32 {
        let mut asked = self.asked.lock().unwrap();
        let times = asked.entry(spot.to_owned()).or_default();
        *times += 1;
        *times
    }

    fn blame(&self, error: String) {
        self.errors.lock().unwrap().push(error);
    }
}

/// What the person of these tests answers unless told otherwise: on with it.
pub(crate) fn usual_answer(question: &Question) -> &'static str {
    match &question.kind {
        QuestionKind::Agent => "yes",
        QuestionKind::Issues => "rewrite",
        QuestionKind::Limit { .. } => "add",
        QuestionKind::Repeat => "repeat",
        QuestionKind::Profile { .. } | QuestionKind::Malformed => "stop",
        QuestionKind::Permission { .. } => "once",
        QuestionKind::Gate { .. } => "go_on",
        QuestionKind::ToolServer { .. } => "decline",
    }
}

/// Plugs a process together.
pub(crate) fn world(touched: &Arc<Touched>, log: Arc<MemoryLog>) -> World {
    let tool = |name, class| {
        let tool: Arc<dyn Tool> = Arc::new(CountedTool { name, class, touched: touched.clone() });
        tool
    };
    let tools = [
        tool("look", EffectClass::Pure),
        tool("act", EffectClass::Once),
        tool("ask_first", EffectClass::Once),
        tool("break", EffectClass::Pure),
    ];
    let tools: Arc<dyn ToolDirectory> =
        Arc::new(FixedTools::new(tools.into_iter().chain(touched.tools.iter().cloned())).unwrap());
    World {
        queue: Arc::new(Workers::new(tools.clone())),
        disk_patience: log.patience,
        log,
        models: Arc::new(Counted(touched.clone())),
        tools,
        permissions: Arc::new(touched.rules.lock().unwrap().clone()),
        files: Arc::new(NoFolders),
        user_prompt: Arc::new(Counted(touched.clone())),
    }
}

/// The spot a request comes from: the first line of its first message.
pub(crate) fn spot_of(request: &ModelRequest) -> String {
    let first = request.messages.first().and_then(|message| message.content.as_str()).unwrap_or_default();
    first.lines().next().unwrap_or_default().to_owned()
}

fn short_hash(text: &str) -> String {
    Hash::of(text.as_bytes()).0.chars().take(8).collect()
}

#[derive(Clone)]
struct Counted(Arc<Touched>);

#[async_trait]
impl ModelDirectory for Counted {
    async fn model(&self, _: &str) -> Result<Arc<dyn Model>, Error> {
        Ok(Arc::new(self.clone()))
    }

    async fn others(
        &self,
        definition: &Definition,
        failed: &BTreeSet<String>,
    ) -> BTreeMap<String, AgentChanges> {
        let change = AgentChange {
            profile: Some("other".into()),
            model: Some("large".into()),
            ..AgentChange::default()
        };
        let asking = definition.agents.iter().filter(|(_, agent)| failed.contains(&agent.profile));
        let changes = asking.map(|(name, _)| (name.clone(), change.clone())).collect();
        [("other".to_owned(), changes)].into_iter().filter(|(name, _)| !failed.contains(name)).collect()
    }
}

impl Counted {
    fn calls_of(&self, request: &ModelRequest) -> Vec<ToolRequest> {
        let told = request.messages.iter().filter(|message| message.speaker == Speaker::Tool).count();
        self.0.turns.get(&told).unwrap_or(&self.0.calls).clone()
    }
}

#[async_trait]
impl Model for Counted {
    async fn answer(&self, request: &ModelRequest, text: &TextSink) -> Result<ModelReply, Error> {
        let spot = spot_of(request);
        let times = self.0.touch(&spot);
        if !self.0.disk.has(&serde_json::to_string(request).unwrap()) {
            self.0.blame(format!("{spot} asked a model before its request was stored"));
        }
        self.0.requests.lock().unwrap().push(request.clone());
        let stalls = self.0.stalls_at.lock().unwrap().as_ref() == Some(&spot);
        if stalls {
            text.push("first words");
            std::future::pending::<()>().await;
        }
        let content = format!("{:?} {:?}", request.instruction, request.messages);
        let answer = format!("said {}", short_hash(&content));
        if !self.0.answers_after.is_zero() {
            text.push("first words");
            tokio::time::sleep(self.0.answers_after).await;
        }
        // Slower here, faster there: branches overtake each other, always in the same way.
        for _ in 0..answer.bytes().last().unwrap_or_default() % 4 {
            tokio::task::yield_now().await;
        }
        let answer = match (self.0.script)(request, times) {
            Some(scripted) => scripted?,
            None => answer,
        };
        text.push(&answer);
        let usage = TokenUsage { input_tokens: 7, output_tokens: 3, cached_tokens: 0 };
        Ok(ModelReply {
            text: answer,
            tool_requests: self.calls_of(request),
            usage,
            cost: self.0.price,
            stop: "stop".into(),
            model: "counted".into(),
            ..ModelReply::default()
        })
    }
}

#[async_trait]
impl UserPrompt for Counted {
    async fn ask(&self, _: &RunId, _: Seq, question: &Question) -> UserAnswer {
        self.0.questions.lock().unwrap().push(question.clone());
        if !self.0.thinks_for.is_zero() {
            tokio::time::sleep(self.0.thinks_for).await;
        }
        let reply = (self.0.person)(question);
        if let UserAnswer::Chosen(_) = reply {
            self.0.touch(&question.text.english());
        }
        tokio::task::yield_now().await;
        reply
    }
}

struct CountedTool {
    name: &'static str,
    class: EffectClass,
    touched: Arc<Touched>,
}

#[async_trait]
impl Tool for CountedTool {
    fn describe(&self) -> ToolDescription {
        ToolDescription {
            name: self.name.into(),
            description: String::new(),
            input: Json(json!({"type": "object"})),
            output: Json(json!({"type": "object"})),
        }
    }

    fn access(&self, _: &Value) -> Access {
        match self.class {
            EffectClass::Pure => Access::looks(),
            class => Access::acts(class, None),
        }
    }

    fn title(&self, input: &Value) -> kernel::Phrase {
        kernel::Phrase::verbatim(format!("{} at {}", self.name, input["spot"].as_str().unwrap_or_default()))
    }

    fn examples(&self) -> Vec<ToolExample> {
        Vec::new()
    }

    async fn call(&self, input: &Value, _: &ToolContext) -> Result<ToolResult, Error> {
        let spot = input["spot"].as_str().unwrap_or_default();
        self.touched.touch(spot);
        if self.class == EffectClass::Once && !self.touched.disk.has_synced(&format!("at {spot}\"")) {
            self.touched.blame(format!("{} acted at {spot} before its intent was synced", self.name));
        }
        tokio::task::yield_now().await;
        if self.touched.stalls_at.lock().unwrap().as_deref() == Some(spot) {
            std::future::pending::<()>().await;
        }
        if self.name == "break" {
            return Err(Error::new(Code::ToolFailed, kernel::Phrase::verbatim(format!("{spot} is broken"))));
        }
        let output = json!({ "found": short_hash(&input.to_string()) });
        Ok(ToolResult { output: Json(output), ..ToolResult::default() })
    }
}
