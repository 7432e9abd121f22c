//! An agent built from its declaration: it calls a tool, calls a model, asks the person, or runs a function.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Acted, Agent, AgentError, AnswerForm, Cx, Flow, LlmAgent, LlmAgentParts};
use indexmap::IndexSet;
use kernel::{
    AgentDeclaration, AgentKind, CallRange, Code, Contract, Delta, Error, Outline, Output,
    PipelineDefinition, Role, State, ToolOffer, ToolSlot, phrase,
};
use serde_json::Value as Json;

use crate::draft;
use crate::own_text;
use crate::prompt_values::{bad, values};
use crate::question::DeclaredQuestion;
use crate::registry::{Complete, FunctionContext, Registry, Run, Shape, TEXT};
use crate::template::{Filling, Prompt, value};
use crate::tree::Tree;
use crate::verification::verification;

/// The template name of the day of the run's clock.
pub(crate) const TODAY: &str = "today";

pub(crate) struct DeclaredAgent {
    outline: Outline,
    definition: Arc<PipelineDefinition>,
    registry: Registry,
    call: Option<Call>,
    work: Work,
}

enum Work {
    Nothing,
    Model(Box<LlmAgent>),
    Question(DeclaredQuestion),
    Run(Run),
}

struct Call {
    tool: String,
    slot: ToolSlot,
    /// Completes the input.
    complete: Option<Complete>,
    input: Filling,
    /// The names that the input uses.
    reads: Vec<String>,
    key: String,
    shape: Option<Shape>,
}

impl DeclaredAgent {
    /// Builds the agent of this name for a tree.
    pub(crate) fn new(tree: &Tree<'_>, name: &str, agent: &AgentDeclaration) -> Result<DeclaredAgent, Error> {
        let agent = &agent.with_own_keys();
        let definition = tree.definition.clone();
        let contract = definition.contract(agent);
        let key = agent.writes.first().cloned().unwrap_or_default();
        let title = if agent.title.is_empty() { name } else { &agent.title };
        let call = agent.call.as_ref().map(|call| {
            let slot = definition.tools.get(&call.tool).cloned().unwrap_or_default();
            let kind = tree.registry.slots.get(slot.kind.as_str());
            let input = Filling::new(&call.template()).map_err(|error| bad(name, &error))?;
            Ok::<Call, Error>(Call {
                tool: tree.tool(&call.tool)?.name,
                complete: kind.and_then(|kind| kind.complete),
                reads: input.reads(),
                input,
                key: call.writes.clone().unwrap_or_else(|| key.clone()),
                shape: match &call.shape {
                    Some(shape) => Some(tree.function(&tree.registry.shapes, shape)?),
                    None => kind.and_then(|kind| kind.shape),
                },
                slot,
            })
        });
        let call = call.transpose()?;
        let work = if agent.asks_model() {
            Work::Model(Box::new(model_agent(tree, name, title, agent, contract.clone())?))
        } else if let Some(question) = &agent.question {
            Work::Question(DeclaredQuestion::new(question, key).map_err(|error| bad(name, &error))?)
        } else if let Some(run) = &agent.run {
            Work::Run(tree.function(&tree.registry.run, run)?)
        } else {
            Work::Nothing
        };
        let outline = match &work {
            Work::Model(model) => model.outline().clone(),
            Work::Nothing | Work::Question { .. } | Work::Run(_) => Outline {
                name: name.to_owned(),
                title: title.to_owned(),
                agent: AgentKind::Custom,
                contract,
                stream: None,
                is_on_demand: false,
                calls: CallRange::default(),
                children: Vec::new(),
            },
        };
        Ok(DeclaredAgent { outline, definition, registry: tree.registry.clone(), call, work })
    }

    /// Calls the tool. Returns whether its shape has already written the agent's answer.
    async fn call(&self, cx: &mut Cx, call: &Call) -> Result<bool, AgentError> {
        let mut values = values(&self.definition, cx, call.reads.iter().filter(|name| *name != TODAY))?;
        let uses_today = call.complete.is_some() || call.reads.iter().any(|name| name == TODAY);
        let today = if uses_today { day_of(cx.now().await?) } else { String::new() };
        values.insert(TODAY.to_owned(), value(kernel::Value::text(today.clone()), true));
        let mut input = call.input.fill(&values).map_err(|error| bad(cx.name(), &error))?;
        if let (Some(complete), Some(fields)) = (call.complete, input.as_object_mut()) {
            complete(&call.slot, &today, fields);
        }
        let output = cx.call_tool(&call.tool, input.clone()).await?.output.0;
        let acted = match call.shape {
            None => Acted { delta: Delta::of(&call.key, output), ..Acted::default() },
            Some(shape) => shape(&self.context(cx), &input, output),
        };
        let is_answered = self
            .outline
            .contract
            .writes
            .first()
            .is_some_and(|key| acted.delta.set.contains_key(key) && *key != call.key);
        cx.carry_out(acted).await?;
        Ok(is_answered)
    }

    /// Records every declared key as read, because checks and functions see all of them.
    fn read_all(&self, cx: &Cx) -> Result<(), AgentError> {
        let contract = &self.outline.contract;
        for key in contract.reads.iter().chain(&contract.may_read) {
            cx.value(key)?;
        }
        Ok(())
    }

    fn context<'a>(&'a self, cx: &'a Cx) -> FunctionContext<'a> {
        FunctionContext {
            definition: &self.definition,
            registry: &self.registry,
            agent: &self.outline.name,
            state: cx.view(),
            failure: cx.failure(),
        }
    }
}

/// The UTC day of a time, `YYYY-MM-DD`.
fn day_of(at_ms: i64) -> String {
    let moment = jiff::Timestamp::from_millisecond(at_ms).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    moment.to_zoned(jiff::tz::TimeZone::UTC).date().to_string()
}

#[async_trait]
impl Agent for DeclaredAgent {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        if let Some(call) = &self.call
            && self.call(cx, call).await?
        {
            return Ok(Flow::Continue);
        }
        match &self.work {
            Work::Nothing => Ok(Flow::Continue),
            Work::Model(model) => {
                self.read_all(cx)?;
                model.run(cx).await
            }
            Work::Question(question) => question.ask(cx, &self.definition).await,
            Work::Run(run) => {
                self.read_all(cx)?;
                let acted = run(&self.context(cx)).map_err(|reason| {
                    Error::new(Code::BadInput, phrase!("`{name}`: {why}", name = cx.name(), why = reason))
                })?;
                cx.carry_out(acted).await
            }
        }
    }
}

/// The form in which an agent's model answers.
pub(crate) fn answer_form(definition: &PipelineDefinition, agent: &AgentDeclaration) -> AnswerForm {
    let role = agent.writes.first().and_then(|key| definition.role(key));
    let field = match role {
        Some(Role::Draft { edit, .. }) if !edit.is_empty() => edit.as_ref(),
        _ => TEXT,
    };
    match &agent.output {
        Output::Text => AnswerForm::Text { field: field.to_owned() },
        Output::Draft => AnswerForm::Draft { field: field.to_owned() },
        Output::Role => AnswerForm::Json(role.unwrap_or(&Role::Data).schema()),
        Output::Schema(schema) => AnswerForm::Json(schema.clone()),
    }
}

/// The lines of an instruction that are JSON objects: examples of an answer, which must not be repeated as one.
fn examples(instruction: &str) -> Vec<Json> {
    let lines = instruction.lines().filter_map(|line| serde_json::from_str(line.trim()).ok());
    lines.filter(Json::is_object).collect()
}

fn model_agent(
    tree: &Tree<'_>,
    name: &str,
    title: &str,
    agent: &AgentDeclaration,
    contract: Contract,
) -> Result<LlmAgent, Error> {
    let definition = &tree.definition;
    let key = agent.writes.first().cloned().unwrap_or_default();
    let mut form = answer_form(definition, agent);
    let text_field = form.text_field().map(str::to_owned);
    let is_text = text_field.is_some();
    let instruction = agent.instruction.clone().unwrap_or_default();
    if let AnswerForm::Json(schema) = &mut form {
        let mut shown = examples(&instruction);
        shown.retain(|example| schema.get("x-nothing") != Some(example));
        if let Some(object) = schema.as_object_mut().filter(|_| !shown.is_empty()) {
            object.insert("examples".into(), Json::Array(shown));
        }
    }
    let prompt = match &agent.prompt {
        Some(prompt) => Prompt::new(prompt).map_err(|error| bad(name, &error))?,
        None => Prompt::new(&default_prompt(agent)).map_err(|error| bad(name, &error))?,
    };
    let accept = agent.accept.iter().map(|accept| tree.function(&tree.registry.accept, accept));
    let accept = accept.collect::<Result<Vec<_>, Error>>()?;
    let titles = agent.accept.iter().find_map(|accept| tree.registry.titles.get(accept.as_str()).copied());
    let without_model = agent.without_model.as_deref();
    let without_model =
        without_model.map(|function| tree.function(&tree.registry.without_model, function)).transpose()?;
    let context =
        |definition: &Arc<PipelineDefinition>| (definition.clone(), tree.registry.clone(), name.to_owned());
    let of_prompt = definition.clone();
    let own_key = definition.own_text_key().map(str::to_owned);
    let is_of_draft = own_key.is_some() && definition.draft_key() == Some(key.as_str());
    let own_key = own_key.filter(|_| is_of_draft);
    let verify = verification(tree, name, agent, &key, is_of_draft);
    let (of_accept, accepting_by, accepting) = context(definition);
    let (of_titles, listing_by, listing) = context(definition);
    let (of_derive, deriving_by, deriving) = context(definition);
    let (of_function, working_by, working) = context(definition);
    let answer_key = key.clone();
    let spread_keys: IndexSet<String> = spread_keys(agent).cloned().collect();
    let tools = agent.tools.iter().map(|slot| tree.tool(slot));
    LlmAgent::new(LlmAgentParts {
        name: name.to_owned(),
        title: title.to_owned(),
        instruction,
        contract,
        streams: agent.streams.clone().or(text_field),
        key,
        form,
        prompt: Box::new(move |cx| {
            let values = values(&of_prompt, cx, prompt.reads())?;
            let mut text = prompt.render(&values).map_err(|error| bad(cx.name(), &error))?;
            if let Some(own_key) = own_key.as_deref() {
                cx.value(own_key)?;
                text.extend(own_text::constraint(&own_text::own_text_in(&of_prompt, cx.view())));
            }
            Ok(text)
        }),
        titles: titles.map(|titles| -> Box<engine::Titles> {
            Box::new(move |state| {
                titles(&FunctionContext {
                    definition: &of_titles,
                    registry: &listing_by,
                    agent: &listing,
                    state,
                    failure: None,
                })
            })
        }),
        verify,
        finish: Box::new(move |state, answer| {
            let context = FunctionContext {
                definition: &of_accept,
                registry: &accepting_by,
                agent: &accepting,
                state,
                failure: None,
            };
            accept.iter().try_fold(answer, |answer, accept| accept(&context, answer))
        }),
        derive: Some(Box::new(move |state, mut answer| {
            let others = spread_keys.iter().filter(|key| **key != answer_key);
            let others: Vec<(&String, Json)> = others.map(|key| (key, taken(&mut answer, key))).collect();
            let value = match spread_keys.is_empty() {
                true => written(&of_derive, &answer_key, is_text, answer),
                false => taken(&mut answer, &answer_key),
            };
            let change = draft::change(&of_derive, &deriving_by, Some(&deriving), state, &answer_key, value);
            others.into_iter().fold(change, |change, (key, value)| change.with(key, value))
        })),
        built_in: without_model.map(|function| -> Box<engine::BuiltIn> {
            Box::new(move |state: &State| {
                function(&FunctionContext {
                    definition: &of_function,
                    registry: &working_by,
                    agent: &working,
                    state,
                    failure: None,
                })
            })
        }),
        exit_field: agent.exits_loop_when.clone(),
        offers_exit: agent.exit_tool,
        tools: tools.collect::<Result<Vec<ToolOffer>, Error>>()?,
    })
}

/// The default message: everything that the agent reads, as data.
fn default_prompt(agent: &AgentDeclaration) -> String {
    let of_key = |key: &String| {
        format!(
            "{{% if {key} is not none %}}{{{{ {key} | data(\"{}\") }}}}\n\n{{% endif %}}",
            key.to_uppercase()
        )
    };
    agent.reads.iter().chain(&agent.may_read).map(of_key).collect()
}

/// The keys that get the field of the same name: all that the agent writes, if the answer has a field for each. An
/// agent that calls a tool writes the other keys from the tool's result.
fn spread_keys(agent: &AgentDeclaration) -> impl Iterator<Item = &String> {
    let has_field = |key: &&String| match &agent.output {
        Output::Schema(schema) => schema["properties"].get(key.as_str()).is_some(),
        _ => false,
    };
    let takes_whole = !agent.writes.first().as_ref().is_some_and(has_field);
    let is_of_all = agent.call.is_some() || agent.writes.iter().all(|key| has_field(&key));
    let is_spread = agent.writes.len() > 1 && !takes_whole && is_of_all;
    agent.writes.iter().filter(move |key| is_spread && has_field(key))
}

/// The value for the key of an answer; a free text under a plain text key is written as the text alone.
fn written(definition: &PipelineDefinition, key: &str, is_text: bool, mut answer: Json) -> Json {
    let is_object = matches!(definition.role(key), Some(Role::Draft { edit, .. }) if !edit.is_empty());
    if is_text && !is_object { taken(&mut answer, TEXT) } else { answer }
}

/// Takes a field out of an answer; null if it is missing.
fn taken(answer: &mut Json, field: &str) -> Json {
    answer.get_mut(field).map(Json::take).unwrap_or_default()
}
