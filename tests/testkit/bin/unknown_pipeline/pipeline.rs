//! What the unknown pipeline says of itself, and its tree: a plan, two lanes, a question, a loop, a print.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Agent, LoopAgent, ParallelAgent, SequentialAgent};
use kernel::{Delta, Error, InputDeclaration, InputKind, Limits, State, Value};
use pipelines::{AgentSetup, Catalogue, Description, Input, Pipeline, Setup};

use crate::agents::{self, SCRIBE};
use crate::keys::{self, ERRAND, MANUSCRIPT};

/// The pipeline that the page never heard of.
pub(crate) struct UnknownPipeline {
    description: Description,
    tree: Arc<dyn Agent>,
}

impl UnknownPipeline {
    pub(crate) fn new() -> Result<UnknownPipeline, Error> {
        let lanes: Vec<Arc<dyn Agent>> = vec![Arc::new(agents::collector()), Arc::new(agents::surveyor())];
        let rounds: Vec<Arc<dyn Agent>> = vec![Arc::new(agents::scribe()?), Arc::new(agents::assessor())];
        let tree = SequentialAgent::new(
            "voyage_root",
            "Voyage",
            vec![
                Arc::new(agents::navigator()),
                Arc::new(ParallelAgent::new("gathering_lanes", "Gathering", lanes)),
                Arc::new(agents::toll_keeper()),
                Arc::new(LoopAgent::new("lap_circle", "Laps", 4, rounds).told_by(&keys::declarations())),
                Arc::new(agents::printer()),
            ],
        );
        let description = Description {
            id: "unheard-of".into(),
            title: "Unheard Of".into(),
            purpose: "A pipeline of the tests: every role, a loop, lanes and a question.".into(),
            inputs: vec![Input {
                key: ERRAND.name.into(),
                declaration: InputDeclaration {
                    help: "What is to be carried where.".into(),
                    kind: InputKind::LongText,
                    example: "carry three lanterns to the harbour".into(),
                    max_bytes: 2000,
                    ..InputDeclaration::titled(ERRAND.title)
                },
            }],
            keys: keys::declarations(),
            tools: Default::default(),
            limits: Limits { max_llm_calls: Some(9), max_execution_time_s: Some(90.0), ..Limits::default() },
            presets: Vec::new(),
            agents: vec![AgentSetup {
                name: SCRIBE.into(),
                instruction: "Write the manuscript.".to_owned(),
                model_role: "write".into(),
                temperature: 0.2,
                limits: Limits::default(),
                material_bytes: 0,
                most_calls: u32::MAX,
            }],
            notes: kernel::NoteTexts::new(),
            catalogues: vec![Catalogue {
                language: "zh".into(),
                words: [("Unheard Of", "闻所未闻"), ("Voyage", "航程")]
                    .map(|(english, theirs)| (english.to_owned(), theirs.to_owned()))
                    .into(),
            }],
        };
        Ok(UnknownPipeline { description, tree: Arc::new(tree) })
    }
}

impl Pipeline for UnknownPipeline {
    fn describe(&self) -> &Description {
        &self.description
    }

    fn tree(&self, _: &Setup) -> Result<Arc<dyn Agent>, Error> {
        Ok(self.tree.clone())
    }

    fn title(&self, inputs: &BTreeMap<String, Value>) -> String {
        inputs.get(ERRAND.name).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    fn edited(&self, _: &State, key: &str, value: Value) -> Result<Delta, Error> {
        if key != MANUSCRIPT.name {
            return Ok(Delta::of(key, value));
        }
        let body = value.json_or_null()["body"].as_str().unwrap_or_default().to_owned();
        Ok(Delta::of(key, agents::leaf(&body)))
    }

    fn remarks(&self, _: &Limits) -> Vec<kernel::Phrase> {
        Vec::new()
    }
}
