//! A pipeline: its definition and the functions that it names. Forms, stages and checks are derived from these.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use engine::Agent;
use itinerary::Operation;
use jiff::Timestamp;
use kernel::{
    Code, Delta, Error, KeyDeclaration, Limits, NoteTexts, Outline, Phrase, PipelineDefinition, ReviewAction,
    Role, Rounds, State, Step, Value, phrase,
};

use crate::build::build;
use crate::draft;
use crate::file::{DefinitionFault, read};
use crate::judgement::{asked, sources_of_text};
use crate::registry::{FunctionContext, Registry, SourceItem};
use crate::rewrite::{PresentText, beginning, present_text, rewriting};
use crate::setup::{BoundTools, Setup, most_rounds, placeholder};
use crate::template::{one_line, run_title};

/// The default settings of a model agent.
#[derive(Debug, Clone)]
pub struct AgentSetup {
    /// The agent.
    pub name: String,
    /// Its instruction.
    pub instruction: String,
    /// The role for which a profile names a model: `search`, `write`, `review`.
    pub model_role: String,
    /// Sampling temperature.
    pub temperature: f64,
    /// Limits of its own.
    pub limits: Limits,
    /// Most bytes of found or earlier texts in its message, for the estimate of a run.
    pub material_bytes: u32,
    /// Most calls of its model in a run, including repairs, for the estimate.
    pub most_calls: u32,
}

/// A checked definition with the functions that it may name.
pub struct Pipeline {
    definition: Arc<PipelineDefinition>,
    source_text: Option<String>,
    registry: Registry,
    keys: Vec<KeyDeclaration>,
    agents: Vec<AgentSetup>,
    /// Trees by their tools: agents have no state of a run, so all runs share them.
    trees: Mutex<HashMap<Vec<String>, Arc<dyn Agent>>>,
}

impl Pipeline {
    /// The pipeline of a checked definition.
    pub fn new(definition: PipelineDefinition, registry: Registry) -> Pipeline {
        Pipeline {
            keys: definition.declarations(),
            agents: setups(&definition),
            definition: Arc::new(definition),
            source_text: None,
            registry,
            trees: Mutex::default(),
        }
    }

    /// Reads the pipeline from a TOML file, and keeps its text.
    ///
    /// # Errors
    /// All faults in the order of the file.
    pub fn from_text(text: String, registry: Registry) -> Result<Pipeline, Vec<DefinitionFault>> {
        let definition = read(&text, &registry)?;
        Ok(Pipeline { source_text: Some(text), ..Pipeline::new(definition, registry) })
    }

    /// The definition, which is stored with each run.
    pub fn definition(&self) -> &Arc<PipelineDefinition> {
        &self.definition
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.definition.id
    }

    /// The text of the file that it was read from; `None` for one from a run.
    pub fn source_text(&self) -> Option<&str> {
        self.source_text.as_deref()
    }

    /// The functions that its definition may name.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Its inputs and keys in display order.
    pub fn keys(&self) -> &[KeyDeclaration] {
        &self.keys
    }

    /// Its model agents.
    pub fn agents(&self) -> &[AgentSetup] {
        &self.agents
    }

    /// The texts of the notes of its flow, by id, with placeholders `{name}`.
    pub fn notes(&self) -> NoteTexts {
        self.definition.notes.iter().map(|(id, note)| (id.clone(), note.text.clone())).collect()
    }

    /// The tree of agents.
    ///
    /// # Errors
    /// A tool is missing, or the definition cannot be built.
    pub fn tree(&self, setup: &Setup) -> Result<Arc<dyn Agent>, Error> {
        // Inputs may set any number of rounds, so such a tree is not cached.
        if !setup.rounds.is_empty() {
            return build(&self.definition, setup, &self.registry);
        }
        let mut names: Vec<String> =
            setup.tools.iter().map(|(slot, tool)| format!("{slot}={}", tool.name)).collect();
        names.extend(setup.decides_issues.then(|| "decides issues".to_owned()));
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tree) = trees.get(&names) {
            return Ok(tree.clone());
        }
        let tree = build(&self.definition, setup, &self.registry)?;
        trees.insert(names, tree.clone());
        Ok(tree)
    }

    /// The title of a run with these inputs.
    pub fn title(&self, inputs: &BTreeMap<String, Value>) -> String {
        let given = || {
            let first = self.definition.inputs.keys().next()?;
            Some(one_line(inputs.get(first)?.as_str()?))
        };
        let template = &self.definition.run_title;
        // The check has compiled the template; no input can make it fail.
        let of_template = (!template.is_empty()).then(|| run_title(template, inputs).ok()).flatten();
        of_template.or_else(given).unwrap_or_else(|| self.definition.title.clone())
    }

    /// The delta of an edit by the person: the key with its derived fields and the checks. `state` is the state before,
    /// `value` the edited value.
    ///
    /// # Errors
    /// `bad_input` if the value does not fit the key.
    pub fn edited(&self, state: &State, key: &str, value: Value) -> Result<Delta, Error> {
        draft::edited(&self.definition, &self.registry, state, key, value)
    }

    /// The delta of an action at the review desk. `state` is the state before.
    ///
    /// # Errors
    /// `bad_input` if there is no draft with a review; `not_found` lists the existing issues, sentences or collisions.
    pub fn reviewed(&self, state: &State, action: &ReviewAction) -> Result<Delta, Error> {
        draft::reviewed(&self.definition, &self.registry, state, action)
    }

    /// The delta of a change of the visit under a key. `state` is the state before.
    ///
    /// # Errors
    /// `bad_input` if the visit under this key cannot be changed, and errors of the function that changes it.
    pub fn changed_visit(
        &self,
        state: &State,
        key: &str,
        operation: &Operation,
        now: Timestamp,
    ) -> Result<Delta, Error> {
        let changed_by = match self.definition.role(key) {
            Some(Role::Places { changed_by: Some(name) }) => self.registry.visits.get(name.as_ref()),
            _ => None,
        };
        let Some(change) = changed_by else {
            let message = phrase!("The order of the places under `{key}` cannot be changed", key);
            return Err(Error::new(Code::BadInput, message));
        };
        let agent = "";
        let (definition, registry) = (&self.definition, &self.registry);
        change(&FunctionContext { definition, registry, agent, state, failure: None }, operation, now)
    }

    /// The part of the pipeline from the writer of its draft, with the keys that a rewrite of this state starts with;
    /// `None` if no agent rewrites a draft.
    pub fn rewrite(&self, state: &State) -> Option<(PipelineDefinition, BTreeMap<String, Value>)> {
        Some((rewriting(&self.definition)?, beginning(&self.definition, &self.registry, state)?))
    }

    /// The resulting text of a state; `None` if there is none.
    pub fn present_text(&self, state: &State) -> Option<PresentText> {
        present_text(&self.definition, state)
    }

    /// The sources of the texts of this state, in the order of their numbers; `None` if no agent reads any.
    pub fn sources(&self, state: &State) -> Option<Arc<[SourceItem]>> {
        sources_of_text(&self.definition, &self.registry, state)
    }

    /// What the person asked for, which a text may repeat without a source.
    pub fn asked(&self, state: &State) -> String {
        asked(&self.definition, state)
    }

    /// Remarks on a start with these limits: what cannot complete under them.
    pub fn remarks(&self, limits: &Limits) -> Vec<Phrase> {
        let tools: BoundTools =
            self.definition.tools.keys().map(|slot| (slot.clone(), placeholder(slot))).collect();
        let Some(most) = limits.max_llm_calls else { return Vec::new() };
        let least =
            self.tree(&Setup { tools, ..Setup::default() }).map_or(0, |tree| least_calls(tree.outline()));
        // Each answer may be repaired once, so half of the most calls are the answers of all rounds.
        let all = self.agents.iter().map(|agent| agent.most_calls / 2).fold(0, u32::saturating_add);
        let remark = if most < least {
            phrase!(
                "With {most} model calls the run cannot come to its end: it needs at least {least}.",
                most,
                least
            )
        } else if most < all {
            phrase!("With {most} model calls not every round can run: all rounds need {all}.", most, all)
        } else {
            return Vec::new();
        };
        vec![remark]
    }
}

/// The model calls of a run in which every agent is called once.
fn least_calls(outline: &Outline) -> u32 {
    outline
        .walk()
        .iter()
        .filter(|agent| agent.children.is_empty())
        .map(|agent| agent.calls.least)
        .fold(0, u32::saturating_add)
}

fn setups(definition: &PipelineDefinition) -> Vec<AgentSetup> {
    let mut rounds = BTreeMap::new();
    count_rounds(definition, &definition.flow.steps, 1, &mut rounds);
    let agents = definition.agents.iter().filter(|(_, agent)| agent.asks_model());
    let setup = |(name, agent): (&String, &kernel::AgentDeclaration)| AgentSetup {
        name: name.clone(),
        instruction: agent.instruction.clone().unwrap_or_default(),
        model_role: agent.model_role.clone(),
        temperature: agent.temperature.unwrap_or(kernel::TEMPERATURE),
        limits: agent.limits(),
        material_bytes: agent.material_bytes,
        // Each answer may be repaired once.
        most_calls: rounds.get(name).copied().unwrap_or(1).saturating_mul(2),
    };
    agents.map(setup).collect()
}

/// The most rounds of each agent, by name.
fn count_rounds(
    definition: &PipelineDefinition,
    steps: &[Step],
    times: u32,
    counted: &mut BTreeMap<String, u32>,
) {
    for step in steps {
        match step {
            Step::Agent(name) => {
                let known = counted.entry(name.clone()).or_default();
                *known = known.saturating_add(times);
            }
            // The number of items is not known in advance.
            Step::ForEach(each) => _ = counted.entry(each.run.clone()).or_insert(times),
            Step::Sequence { steps, .. } | Step::Parallel { steps, .. } => {
                count_rounds(definition, steps, times, counted);
            }
            Step::Loop { steps, rounds, .. } => {
                let most = match rounds {
                    Rounds::Number(number) => *number,
                    Rounds::Input(key) => most_rounds(definition, key),
                };
                count_rounds(definition, steps, times.saturating_mul(most), counted);
            }
            Step::When { steps, otherwise, .. } => {
                count_rounds(definition, steps, times, counted);
                count_rounds(definition, otherwise, times, counted);
            }
            Step::Try { steps, failures } => {
                count_rounds(definition, steps, times, counted);
                for steps in [&failures.on_tool_failure, &failures.on_malformed, &failures.on_limit] {
                    count_rounds(definition, steps, times, counted);
                }
            }
            Step::Set(_)
            | Step::Surface(_)
            | Step::Run { .. }
            | Step::Note(_)
            | Step::ExitLoop
            | Step::End => {}
        }
    }
}
