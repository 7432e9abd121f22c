//! The functions that definitions name: one table of checks, acceptances, functions without a model, shapes, actions,
//! agents of code, and the kinds of slots for tools.
//!
//! A definition decides by name which of them runs; what is not in the table is refused before a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Acted, Agent, OnDemand};
use itinerary::Operation;
use jiff::Timestamp;
use kernel::{
    AgentDeclaration, CheckResult, Delta, Error, InputKind, Phrase, PipelineDefinition, Role, State,
    ToolOffer, ToolSlot, json_field,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::build::BoundTools;
use crate::draft::text_in;
use crate::latest::Latest;

/// What a function is called for.
#[derive(Clone, Copy)]
pub struct FunctionContext<'a> {
    /// The pipeline.
    pub definition: &'a PipelineDefinition,
    /// The functions that it may name.
    pub registry: &'a Registry,
    /// The agent for which it works; of a step of the flow the name of the composed agent.
    pub agent: &'a str,
    /// The state that the agent sees.
    pub state: &'a State,
    /// Why the steps failed whose failure the function answers; nothing anywhere else.
    pub failure: Option<&'a Error>,
}

impl<'a> FunctionContext<'a> {
    /// Reads a key as its shape; nothing when it is absent or has another shape.
    pub fn read<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        self.state.get(key)?.json().and_then(|json| T::deserialize(json).ok())
    }

    /// The text under a key; empty when there is none.
    pub fn text(&self, key: &str) -> &'a str {
        self.state.get(key).and_then(kernel::Value::as_str).unwrap_or_default()
    }

    /// The declaration of the agent; nothing for a step of the flow.
    pub fn declaration(&self) -> Option<&'a AgentDeclaration> {
        self.definition.agents.get(self.agent)
    }

    /// The keys that the agent reads or may read.
    pub fn reads(&self) -> impl Iterator<Item = &'a str> {
        let agent = self.declaration();
        agent.into_iter().flat_map(|agent| agent.reads.iter().chain(&agent.may_read)).map(String::as_str)
    }

    /// The sources that the agent reads: the items of the first key of sources among what it reads. A source whose text
    /// stands in another key that it reads, under the same title and address, has that text.
    pub fn sources(&self) -> Arc<[SourceItem]> {
        // Who accepts a text, checks, reviews and publishes it asks for those of the same values.
        static SOURCES: Latest<Vec<ReadValue>, Arc<[SourceItem]>> = Latest::new(MOST_SOURCES);
        let listed = |key: &str| match self.definition.role(key) {
            Some(Role::Sources { items }) => Some(items.as_ref()),
            _ => None,
        };
        let read: Vec<ReadValue<&str, &kernel::Value>> = self
            .reads()
            .filter_map(|key| Some((listed(key), self.state.get(key)?)))
            .filter(|(listed, value)| {
                !value.is_stored() && (listed.is_some() || texts_in(value).next().is_some())
            })
            .collect();
        SOURCES.get_or_make(
            read.iter().map(|(_, value)| value.bytes()).sum(),
            |known| {
                let is_same =
                    |((of, known), (listed, value)): (&ReadValue, &ReadValue<&str, &kernel::Value>)| {
                        known.is_shared_with(value) && of.as_deref() == *listed
                    };
                known.len() == read.len() && known.iter().zip(&read).all(is_same)
            },
            || {
                let known = read.iter().map(|(listed, value)| (listed.map(str::to_owned), (*value).clone()));
                let sources = put_together(&read);
                // One list for equal sources where one is kept: whoever compares the two mostly sees it at once.
                let same = SOURCES.result(|known| **known == *sources);
                (known.collect(), same.unwrap_or_else(|| sources.into()))
            },
        )
    }

    /// The first and last day of the search whose sources the agent reads, where a key that it reads tells them.
    pub fn window(&self) -> Option<(String, String)> {
        let day = |value: &Value, field: &str| value.get(field)?.as_str().map(str::to_owned);
        self.reads()
            .filter_map(|key| self.state.get(key)?.json())
            .find_map(|value| Some((day(value, "from")?, day(value, "until")?)))
    }

    /// What the run is about: the inputs that the agent reads and that are one line.
    pub fn topic(&self) -> String {
        let is_line =
            |key: &&str| self.definition.inputs.get(*key).is_some_and(|input| input.kind == InputKind::Line);
        self.reads().filter(is_line).map(|key| self.text(key)).collect::<Vec<_>>().join(" ")
    }

    /// The texts of everything else that the agent reads.
    pub fn material(&self) -> String {
        let is_line =
            |key: &&str| self.definition.inputs.get(*key).is_some_and(|input| input.kind == InputKind::Line);
        let values = self.reads().filter(|key| !is_line(key)).filter_map(|key| self.state.get(key));
        values.map(texts_of).collect::<Vec<_>>().join("\n\n")
    }

    /// The field of the answer that takes a text.
    pub fn text_field(&self) -> String {
        match self.answer_role() {
            Some(Role::Draft { edit, .. }) if !edit.is_empty() => edit.clone().into_owned(),
            _ => TEXT.to_owned(),
        }
    }

    /// The text under the key that takes the agent's answer, of a draft its text; empty where there is none.
    pub fn answer_text(&self) -> &'a str {
        let key = || self.declaration()?.writes.first();
        let value = key().and_then(|key| self.state.get(key)?.json());
        value.and_then(|value| text_in(self.answer_role(), value)).unwrap_or_default()
    }

    /// The role of the key that takes the agent's answer.
    pub fn answer_role(&self) -> Option<&'a Role> {
        self.definition.role(self.declaration()?.writes.first()?)
    }
}

/// Lists of sources that are kept: of as many runs as are likely to be worked on at once.
const MOST_SOURCES: usize = 128;

/// A value that is read, with the name of its list where its key is one of sources.
type ReadValue<L = String, V = kernel::Value> = (Option<L>, V);

/// Text, title and address of the items that have them in the lists that are fields of a value.
fn texts_in(value: &kernel::Value) -> impl Iterator<Item = (&str, &str, &str)> {
    let fields = value.json_or_null().as_object().into_iter().flat_map(|fields| fields.values());
    fields.filter_map(Value::as_array).flatten().filter_map(|item| {
        let text = |field: &str| json_field(item, field)?.as_str();
        Some((text("text")?, text("title")?, text("url")?))
    })
}

/// The plain text of a value: its texts, one after the other.
fn texts_of(value: &kernel::Value) -> String {
    fn gather(value: &Value, into: &mut Vec<String>) {
        match value {
            Value::String(text) => into.push(text.clone()),
            Value::Array(items) => items.iter().for_each(|item| gather(item, into)),
            Value::Object(fields) => fields.values().for_each(|field| gather(field, into)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut texts = Vec::new();
    gather(value.json_or_null(), &mut texts);
    texts.join("\n")
}

/// The sources of what is read.
fn put_together(read: &[ReadValue<&str, &kernel::Value>]) -> Vec<SourceItem> {
    let listed = |(listed, value): &ReadValue<&str, &kernel::Value>| {
        Vec::<SourceItem>::deserialize(value.json()?.get((*listed)?)?).ok()
    };
    let first = read.iter().find_map(|read| Some((read.1, listed(read)?)));
    let Some((first, mut sources)) = first else { return Vec::new() };
    let others = read.iter().filter(|(_, value)| !value.is_shared_with(first));
    for (text, title, url) in others.flat_map(|(_, value)| texts_in(value)) {
        let mut bare = sources.iter_mut().filter(|source| source.text.is_empty());
        if let Some(source) = bare.find(|source| source.title == title && source.url == url) {
            text.clone_into(&mut source.text);
        }
    }
    sources
}

/// The field of an answer in free text, where no role names one.
pub const TEXT: &str = "text";

/// A source, as keys with the role of sources hold it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceItem {
    /// Its title.
    pub title: String,
    /// Its address, or empty.
    pub url: String,
    /// Where it is from.
    pub source: String,
    /// `YYYY-MM-DD`, or empty.
    pub published: String,
    /// What it says in short, or empty.
    pub summary: String,
    /// Its text, or empty.
    pub text: String,
}

impl SourceItem {
    /// Its text, else its summary.
    pub fn body(&self) -> &str {
        if self.text.is_empty() { &self.summary } else { &self.text }
    }

    /// How long its texts are together, in bytes.
    pub fn bytes(&self) -> usize {
        let SourceItem { title, url, source, published, summary, text } = self;
        [title, url, source, published, summary, text].into_iter().map(String::len).sum()
    }
}

/// Checks what an agent wrote, as it stands in the state; any other key may be read beside it.
pub type Check = fn(&FunctionContext<'_>) -> CheckResult;
/// Brings an answer to its final form, or says what is wrong with it, worded for the model.
pub type Accept = fn(&FunctionContext<'_>, Value) -> Result<Value, Vec<String>>;
/// The titles of what an agent is shown to choose from, by their numbers, from 1.
pub type Titles = fn(&FunctionContext<'_>) -> Vec<String>;
/// Does the work of an agent without a model: its answer, or why there is none.
pub type WithoutModel = fn(&FunctionContext<'_>) -> Result<Value, Phrase>;
/// Makes of a tool's input and output what is written of it.
pub type Shape = fn(&FunctionContext<'_>, &Value, Value) -> Acted;
/// An action of a step or of an agent.
pub type Run = fn(&FunctionContext<'_>) -> Result<Acted, Phrase>;
/// Makes an agent of code.
pub type Custom = fn(&CustomContext<'_>) -> Result<Arc<dyn Agent>, Error>;
/// Adds to the input of a tool what is left out of it; the text is the run's day, `YYYY-MM-DD`.
pub type Complete = fn(&ToolSlot, &str, &mut Map<String, Value>);

/// Changes the visit of places as the person wants it at this time, and whatever follows from it.
pub type ChangeVisit = fn(&FunctionContext<'_>, &Operation, Timestamp) -> Result<Delta, Error>;

/// What an agent of code is made for.
#[derive(Clone, Copy)]
pub struct CustomContext<'a> {
    /// The pipeline.
    pub definition: &'a Arc<PipelineDefinition>,
    /// The functions that it may name.
    pub registry: &'a Registry,
    /// The agent's name.
    pub agent: &'a str,
    /// The tools behind the slots of the run.
    pub tools: &'a BoundTools,
    /// Builds an agent on demand by its name, for [`engine::Cx::run_all`].
    pub on_demand: &'a dyn Fn(&str) -> Result<OnDemand, Error>,
}

/// A kind of slot for tools.
#[derive(Clone)]
pub struct SlotKind {
    /// The ids of the tools that fit.
    pub tools: Vec<&'static str>,
    /// The fields that an input may have.
    pub fields: &'static [&'static str],
    /// What a slot may say besides, each a whole number.
    pub options: &'static [&'static str],
    /// The setting that names the usual tool; without one it is the first that fits.
    pub setting: Option<&'static str>,
    /// How many days back a tool of this slot looks, where it looks at what has days.
    pub looks_back: Option<fn(&ToolSlot) -> Option<u32>>,
    /// What is added to an input.
    pub complete: Option<Complete>,
    /// What is made of an output where an agent names no shape.
    pub shape: Option<Shape>,
}

/// Adds tools of servers to the plans that these agents make.
pub type AddPlanTools = fn(&mut PipelineDefinition, planning: &[String], tools: &[ToolOffer]);

/// Functions by name.
#[derive(Clone, Default)]
pub struct Registry {
    /// Checks.
    pub checks: BTreeMap<&'static str, Check>,
    /// Acceptances of answers.
    pub accept: BTreeMap<&'static str, Accept>,
    /// What is chosen from in the answers that an acceptance of this name takes.
    pub titles: BTreeMap<&'static str, Titles>,
    /// Functions without a model.
    pub without_model: BTreeMap<&'static str, WithoutModel>,
    /// Shapes of what tools answer.
    pub shapes: BTreeMap<&'static str, Shape>,
    /// Actions.
    pub run: BTreeMap<&'static str, Run>,
    /// Agents of code.
    pub custom: BTreeMap<&'static str, Custom>,
    /// Changes of the visit of places.
    pub visits: BTreeMap<&'static str, ChangeVisit>,
    /// Kinds of slots for tools.
    pub slots: BTreeMap<&'static str, SlotKind>,
    /// Tools that agents may name without a slot.
    pub tools: Vec<String>,
    /// What adds tools of servers to plans; nothing where nobody plans.
    pub plan_tools: Option<AddPlanTools>,
}
