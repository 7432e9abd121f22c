//! The table of functions for definitions: checks, acceptances, functions without a model, shapes, actions, agents in
//! code, and kinds of tool slots.
//!
//! A definition selects functions by name; an unknown name is rejected before a run.

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

use crate::draft_text::text_in;
use crate::latest::Latest;
use crate::setup::BoundTools;

/// The context of a function call.
#[derive(Clone, Copy)]
pub struct FunctionContext<'a> {
    /// The pipeline.
    pub definition: &'a PipelineDefinition,
    /// The functions that it may name.
    pub registry: &'a Registry,
    /// The agent that the function works for; for a step of the flow, the composed agent.
    pub agent: &'a str,
    /// The state that the agent sees.
    pub state: &'a State,
    /// The failure that the function handles; `None` for any other function.
    pub failure: Option<&'a Error>,
}

impl<'a> FunctionContext<'a> {
    /// Reads a key as a type; `None` if it is missing or of another type.
    pub fn read<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        self.state.get(key)?.json().and_then(|json| T::deserialize(json).ok())
    }

    /// The text under a key; empty if there is none.
    pub fn text(&self, key: &str) -> &'a str {
        self.state.get(key).and_then(kernel::Value::as_str).unwrap_or_default()
    }

    /// The declaration of the agent; `None` for a step of the flow.
    pub fn declaration(&self) -> Option<&'a AgentDeclaration> {
        self.definition.agents.get(self.agent)
    }

    /// The keys that the agent reads or may read.
    pub fn reads(&self) -> impl Iterator<Item = &'a str> {
        let agent = self.declaration();
        agent.into_iter().flat_map(|agent| agent.reads.iter().chain(&agent.may_read)).map(String::as_str)
    }

    /// The sources of the agent: the items of the first key with the role of sources that it reads. If another key has
    /// the text of a source, under the same title and address, the source gets that text.
    pub fn sources(&self) -> Arc<[SourceItem]> {
        // Cached, because accepting, checking, reviewing and publishing a text use the same values.
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
                // Equal sources share one cached list, so that comparing them is mostly a pointer comparison.
                let same = SOURCES.result(|known| **known == *sources);
                (known.collect(), same.unwrap_or_else(|| sources.into()))
            },
        )
    }

    /// The first and last day of the search for the agent's sources, if a key contains them.
    pub fn window(&self) -> Option<(String, String)> {
        let day = |value: &Value, field: &str| value.get(field)?.as_str().map(str::to_owned);
        self.reads()
            .filter_map(|key| self.state.get(key)?.json())
            .find_map(|value| Some((day(value, "from")?, day(value, "until")?)))
    }

    /// The topic of the run: the one-line inputs that the agent reads.
    pub fn topic(&self) -> String {
        let is_line =
            |key: &&str| self.definition.inputs.get(*key).is_some_and(|input| input.kind == InputKind::Line);
        self.reads().filter(is_line).map(|key| self.text(key)).collect::<Vec<_>>().join(" ")
    }

    /// The texts of the other keys that the agent reads.
    pub fn material(&self) -> String {
        let is_line =
            |key: &&str| self.definition.inputs.get(*key).is_some_and(|input| input.kind == InputKind::Line);
        let values = self.reads().filter(|key| !is_line(key)).filter_map(|key| self.state.get(key));
        values.map(texts_of).collect::<Vec<_>>().join("\n\n")
    }

    /// The field of the answer for a text.
    pub fn text_field(&self) -> String {
        match self.answer_role() {
            Some(Role::Draft { edit, .. }) if !edit.is_empty() => edit.clone().into_owned(),
            _ => TEXT.to_owned(),
        }
    }

    /// The text under the key of the agent's answer; for a draft, its text field; empty if there is none.
    pub fn answer_text(&self) -> &'a str {
        let key = || self.declaration()?.writes.first();
        let value = key().and_then(|key| self.state.get(key)?.json());
        value.and_then(|value| text_in(self.answer_role(), value)).unwrap_or_default()
    }

    /// The role of the key of the agent's answer.
    pub fn answer_role(&self) -> Option<&'a Role> {
        self.definition.role(self.declaration()?.writes.first()?)
    }
}

/// Source lists that are cached: enough for all runs that are likely to be worked on at once.
const MOST_SOURCES: usize = 128;

/// A value that is read, with the name of its list if its key has the role of sources.
type ReadValue<L = String, V = kernel::Value> = (Option<L>, V);

/// Text, title and address of the items in the lists of a value that have them.
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

/// The combined sources of the values that are read.
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

/// The field of a free text answer, if no role names one.
pub const TEXT: &str = "text";

/// A source in the form of keys with the role of sources.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceItem {
    /// Its title.
    pub title: String,
    /// Its address, or empty.
    pub url: String,
    /// Its publisher or origin.
    pub source: String,
    /// `YYYY-MM-DD`, or empty.
    pub published: String,
    /// A short summary, or empty.
    pub summary: String,
    /// Its text, or empty.
    pub text: String,
}

impl SourceItem {
    /// Its text, else its summary.
    pub fn body(&self) -> &str {
        if self.text.is_empty() { &self.summary } else { &self.text }
    }

    /// The total length of its texts in bytes.
    pub fn bytes(&self) -> usize {
        let SourceItem { title, url, source, published, summary, text } = self;
        [title, url, source, published, summary, text].into_iter().map(String::len).sum()
    }
}

/// Checks an agent's text in the state; it may read any other key, too.
pub type Check = fn(&FunctionContext<'_>) -> CheckResult;
/// Brings an answer into its final form, or returns its problems, worded for the model.
pub type Accept = fn(&FunctionContext<'_>, Value) -> Result<Value, Vec<String>>;
/// The titles that an agent chooses from, by their numbers from 1.
pub type Titles = fn(&FunctionContext<'_>) -> Vec<String>;
/// Does the work of an agent without a model: its answer, or why there is none.
pub type WithoutModel = fn(&FunctionContext<'_>) -> Result<Value, Phrase>;
/// Converts a tool's input and output into the change of the state.
pub type Shape = fn(&FunctionContext<'_>, &Value, Value) -> Acted;
/// An action of a step or of an agent.
pub type Run = fn(&FunctionContext<'_>) -> Result<Acted, Phrase>;
/// Builds an agent in code.
pub type Custom = fn(&CustomContext<'_>) -> Result<Arc<dyn Agent>, Error>;
/// Completes the input of a tool; the text is the run's day, `YYYY-MM-DD`.
pub type Complete = fn(&ToolSlot, &str, &mut Map<String, Value>);

/// Applies the person's change to the visit at this time, with all that follows from it.
pub type ChangeVisit = fn(&FunctionContext<'_>, &Operation, Timestamp) -> Result<Delta, Error>;

/// The context of an agent in code.
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
    /// Further options of a slot, each an integer.
    pub options: &'static [&'static str],
    /// The setting with the default tool; without one, the first that fits is the default.
    pub setting: Option<&'static str>,
    /// How many days back a tool of this slot looks, if its results have dates.
    pub looks_back: Option<fn(&ToolSlot) -> Option<u32>>,
    /// Completes an input.
    pub complete: Option<Complete>,
    /// The shape of an output if an agent names none.
    pub shape: Option<Shape>,
}

/// Adds tools of servers to the plans that these agents make.
pub type AddPlanTools = fn(&mut PipelineDefinition, planning: &[String], tools: &[ToolOffer]);

/// Functions by name.
#[derive(Clone, Default)]
pub struct Registry {
    /// Checks.
    pub checks: BTreeMap<&'static str, Check>,
    /// Acceptance functions of answers.
    pub accept: BTreeMap<&'static str, Accept>,
    /// The choices for the answers of an acceptance function with this name.
    pub titles: BTreeMap<&'static str, Titles>,
    /// Functions without a model.
    pub without_model: BTreeMap<&'static str, WithoutModel>,
    /// Shapes of tool results.
    pub shapes: BTreeMap<&'static str, Shape>,
    /// Actions.
    pub run: BTreeMap<&'static str, Run>,
    /// Agents in code.
    pub custom: BTreeMap<&'static str, Custom>,
    /// Changes of the visit of places.
    pub visits: BTreeMap<&'static str, ChangeVisit>,
    /// Kinds of slots for tools.
    pub slots: BTreeMap<&'static str, SlotKind>,
    /// Tools that agents may name without a slot.
    pub tools: Vec<String>,
    /// Adds tools of servers to plans; `None` without plans.
    pub plan_tools: Option<AddPlanTools>,
}
