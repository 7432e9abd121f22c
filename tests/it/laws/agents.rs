//! The agents of generated trees: those that do something to the world, and those written by hand around them.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Agent, AgentError, Cx, Flow};
use kernel::{
    AgentDefinition, AgentKind, CallRange, Contract, Delta, Hash, Message, ModelRequest, Note, Outline,
    Question, QuestionKind, Speaker, State, USER_WORDS, Value,
};
use serde_json::json;

/// What a leaf does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Model,
    Look,
    Act,
    AskFirst,
    Clock,
    Id,
    Gate,
    Break,
}

/// Does its actions in order and tells under its own key what it saw and got.
pub(crate) struct Leaf {
    outline: Outline,
    key: String,
    actions: Vec<Action>,
    exits_at: Option<u32>,
}

impl Leaf {
    pub(crate) fn new(name: &str, actions: &[Action], exits_at: Option<u32>) -> Leaf {
        let key = format!("key_{name}");
        let contract = Contract::new(&["topic"], &[], &[&key]);
        let outline = outline(name, AgentKind::Llm, contract, Vec::new());
        Leaf { outline, key, actions: actions.to_vec(), exits_at }
    }

    async fn act(&self, action: Action, spot: &str, cx: &mut Cx) -> Result<serde_json::Value, AgentError> {
        Ok(match action {
            Action::Model => json!(cx.ask_model(request(cx, spot), None).await?.text),
            Action::Look => cx.call_tool("look", json!({ "spot": spot })).await?.output.0,
            Action::Act => cx.call_tool("act", json!({ "spot": spot })).await?.output.0,
            Action::AskFirst => cx.call_tool("ask_first", json!({ "spot": spot })).await?.output.0,
            Action::Break => cx.call_tool("break", json!({ "spot": spot })).await?.output.0,
            // Times and ids differ from run to run: they go into the log, not into the state.
            Action::Clock => {
                let now = cx.now().await?;
                cx.note(Note::decision("clock", json!({ "now": now })))?;
                json!("clock")
            }
            Action::Id => {
                let id = cx.new_id().await?;
                cx.note(Note::decision("id", json!({ "id": id })))?;
                json!("id")
            }
            Action::Gate => json!(cx.ask_user(gate(spot)).await?),
        })
    }
}

#[async_trait]
impl Agent for Leaf {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let topic = cx.value("topic")?;
        let words = cx.value(USER_WORDS)?;
        let count = cx.value(&self.key)?.and_then(|told| told.json_or_null()["count"].as_u64()).unwrap_or(0);
        let (place, mut got) = (cx.path().to_string(), Vec::new());
        for (index, action) in self.actions.iter().enumerate() {
            got.push(self.act(*action, &format!("{place}:{index}"), cx).await?);
        }
        let seen = seen(cx);
        cx.note(Note::decision(SEEN, json!({ "state": seen })))?;
        let plain = |value: Option<Value>| value.map(|value| value.json_or_null().clone());
        let told = json!({ "topic": plain(topic), USER_WORDS: plain(words), "count": count + 1, "got": got });
        cx.change(Delta::of(&self.key, told)).await?;
        let exits = self.exits_at.is_some() && self.exits_at == cx.path().innermost_round();
        Ok(if exits { Flow::ExitLoop } else { Flow::Continue })
    }
}

/// A remark with the state that an agent saw from its start on, told when it is about to write.
pub(crate) const SEEN: &str = "seen";

pub(crate) fn seen(cx: &Cx) -> String {
    hash_of(cx.view())
}

pub(crate) fn hash_of(state: &State) -> String {
    Hash::of(state.to_json().to_string().as_bytes()).0
}

/// The request tells the whole state that the agent sees: a re-execution that sees another one differs.
fn request(cx: &Cx, spot: &str) -> ModelRequest {
    let definition = cx.definition();
    let own = definition.agents.get(cx.name()).cloned().unwrap_or_default();
    let seen = seen(cx);
    ModelRequest {
        agent: cx.name().to_owned(),
        profile: own.profile,
        model: own.model,
        instruction: own.instruction,
        messages: vec![Message::new(Speaker::User, format!("{spot}\n{seen}"))],
        shape: None,
        tools: Vec::new(),
        temperature: 0.0,
        max_output_tokens: 100,
    }
}

fn gate(spot: &str) -> Question {
    Question {
        kind: QuestionKind::Agent,
        text: kernel::Phrase::verbatim(spot),
        choices: Vec::new(),
        default: "yes".into(),
        is_free: true,
        details: Value::default(),
    }
}

/// Written by hand: runs its child twice, or goes on when it fails.
pub(crate) struct Custom {
    outline: Outline,
    runs_twice: bool,
    child: Vec<Arc<dyn Agent>>,
}

impl Custom {
    pub(crate) fn new(name: &str, runs_twice: bool, child: Vec<Arc<dyn Agent>>) -> Custom {
        let children = child.iter().map(|child| child.outline().clone()).collect();
        Custom { outline: outline(name, AgentKind::Custom, Contract::default(), children), runs_twice, child }
    }
}

#[async_trait]
impl Agent for Custom {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let child = self.child[0].as_ref();
        if self.runs_twice {
            return match cx.run(child).await? {
                flow @ (Flow::ExitLoop | Flow::End) => Ok(flow),
                Flow::Continue => cx.run(child).await,
            };
        }
        match cx.run(child).await {
            Err(error) if !error.stops_run() && !matches!(error, AgentError::Limit { .. }) => {
                cx.note(Note::decision("tolerated", json!({ "error": error.to_string() })))?;
                Ok(Flow::Continue)
            }
            result => result,
        }
    }
}

pub(crate) fn outline(name: &str, agent: AgentKind, contract: Contract, children: Vec<Outline>) -> Outline {
    Outline {
        name: name.to_owned(),
        title: name.to_owned(),
        agent,
        contract,
        stream: None,
        is_on_demand: false,
        calls: CallRange::default(),
        children,
    }
}

/// How an agent of a tree asks its model.
pub(crate) fn told_to_be(name: &str) -> AgentDefinition {
    let instruction = Value::text(format!("Be {name}."));
    AgentDefinition { instruction, profile: "counted".into(), ..AgentDefinition::default() }
}
