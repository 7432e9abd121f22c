//! A pipeline that is a definition: what it says of itself and its tree follow from that.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use engine::Agent;
use kernel::{
    Delta, Error, Limits, Outline, Phrase, PipelineDefinition, ReviewAction, Rounds, State, Step, Value,
    phrase,
};

use crate::build::{BoundTools, build};
use crate::draft;
use crate::file::{DefinitionFault, read};
use crate::judgement::{asked, sources_of_text};
use crate::one_step::PresentText;
use crate::pipeline::{AgentSetup, Catalogue, Description, Input, LimitPreset, Pipeline, Setup};
use crate::registry::{Registry, SourceItem};
use crate::rewrite::{beginning, present_text, rewriting};
use crate::template::{one_line, run_title};

/// A pipeline that is data.
pub struct DeclaredPipeline {
    definition: Arc<PipelineDefinition>,
    source_text: Option<String>,
    registry: Registry,
    description: Description,
    /// Trees by their tools: an agent keeps nothing of a run, so all runs share them.
    trees: Mutex<HashMap<Vec<String>, Arc<dyn Agent>>>,
}

impl DeclaredPipeline {
    /// The pipeline of a definition that was checked.
    pub fn new(definition: PipelineDefinition, registry: Registry) -> DeclaredPipeline {
        let description = description(&definition);
        DeclaredPipeline {
            definition: Arc::new(definition),
            source_text: None,
            registry,
            description,
            trees: Mutex::default(),
        }
    }

    /// The pipeline of a TOML file, which keeps its text.
    ///
    /// # Errors
    /// Every fault that was found, in the order of the file.
    pub fn from_text(text: String, registry: Registry) -> Result<DeclaredPipeline, Vec<DefinitionFault>> {
        let definition = read(&text, &registry)?;
        Ok(DeclaredPipeline { source_text: Some(text), ..DeclaredPipeline::new(definition, registry) })
    }
}

impl Pipeline for DeclaredPipeline {
    fn describe(&self) -> &Description {
        &self.description
    }

    fn definition(&self) -> Option<&Arc<PipelineDefinition>> {
        Some(&self.definition)
    }

    fn source_text(&self) -> Option<&str> {
        self.source_text.as_deref()
    }

    fn tree(&self, setup: &Setup) -> Result<Arc<dyn Agent>, Error> {
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

    fn title(&self, inputs: &BTreeMap<String, Value>) -> String {
        let given = || {
            let first = self.definition.inputs.keys().next()?;
            Some(one_line(inputs.get(first)?.as_str()?))
        };
        let template = &self.definition.run_title;
        // The check has read the template; what an input holds cannot make it fail.
        let of_template = (!template.is_empty()).then(|| run_title(template, inputs).ok()).flatten();
        of_template.or_else(given).unwrap_or_else(|| self.definition.title.clone())
    }

    fn edited(&self, state: &State, key: &str, value: Value) -> Result<Delta, Error> {
        draft::edited(&self.definition, &self.registry, state, key, value)
    }

    fn reviewed(&self, state: &State, action: &ReviewAction) -> Result<Delta, Error> {
        draft::reviewed(&self.definition, &self.registry, state, action)
    }

    fn rewrite(&self, state: &State) -> Option<(PipelineDefinition, BTreeMap<String, Value>)> {
        Some((rewriting(&self.definition)?, beginning(&self.definition, &self.registry, state)?))
    }

    fn present_text(&self, state: &State) -> Option<PresentText> {
        present_text(&self.definition, state)
    }

    fn sources(&self, state: &State) -> Option<Arc<[SourceItem]>> {
        sources_of_text(&self.definition, &self.registry, state)
    }

    fn asked(&self, state: &State) -> String {
        asked(&self.definition, state)
    }

    fn remarks(&self, limits: &Limits) -> Vec<Phrase> {
        let tools: BoundTools = self
            .definition
            .tools
            .keys()
            .map(|slot| (slot.clone(), crate::check::placeholder(slot)))
            .collect();
        let Some(most) = limits.max_llm_calls else { return Vec::new() };
        let least =
            self.tree(&Setup { tools, decides_issues: false }).map_or(0, |tree| least_calls(tree.outline()));
        // Each answer may be repaired once: half of the most calls are the answers of all rounds.
        let all =
            self.description.agents.iter().map(|agent| agent.most_calls / 2).fold(0, u32::saturating_add);
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

/// Calls of models of a run in which every agent is asked once.
fn least_calls(outline: &Outline) -> u32 {
    outline
        .walk()
        .iter()
        .filter(|agent| agent.children.is_empty())
        .map(|agent| agent.calls.least)
        .fold(0, u32::saturating_add)
}

fn description(definition: &PipelineDefinition) -> Description {
    let mut rounds = BTreeMap::new();
    count_rounds(definition, &definition.flow.steps, 1, &mut rounds);
    let agents = definition.agents.iter().filter(|(_, agent)| agent.asks_model());
    let agents = agents.map(|(name, agent)| AgentSetup {
        name: name.clone(),
        instruction: agent.instruction.clone().unwrap_or_default(),
        model_role: agent.model_role.clone(),
        temperature: agent.temperature.unwrap_or(kernel::TEMPERATURE),
        limits: agent.limits(),
        material_bytes: agent.material_bytes,
        // Each answer may be repaired once.
        most_calls: rounds.get(name).copied().unwrap_or(1).saturating_mul(2),
    });
    let presets = definition.presets.iter().map(|(name, preset)| LimitPreset {
        name: name.clone(),
        description: preset.description.clone(),
        limits: preset.limits.clone(),
    });
    let catalogues = definition.translations.iter().map(|(language, own)| {
        let words = own.iter().map(|(english, theirs)| (english.clone(), theirs.clone()));
        Catalogue { language: language.clone(), words: words.collect() }
    });
    let inputs = definition.inputs.iter();
    Description {
        id: definition.id.clone(),
        title: definition.title.clone(),
        purpose: definition.purpose.clone(),
        inputs: inputs
            .map(|(key, declaration)| Input { key: key.clone(), declaration: declaration.clone() })
            .collect(),
        keys: definition.declarations(),
        tools: definition.tools.clone(),
        limits: definition.limits.clone(),
        presets: presets.collect(),
        agents: agents.collect(),
        notes: definition.notes.iter().map(|(id, note)| (id.clone(), note.text.clone())).collect(),
        catalogues: catalogues.collect(),
    }
}

/// How often each agent runs at most, by its name.
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
            Step::Sequence { steps, .. } | Step::Parallel { steps, .. } => {
                count_rounds(definition, steps, times, counted);
            }
            Step::Loop { steps, rounds, .. } => {
                let most = match rounds {
                    Rounds::Number(number) => *number,
                    Rounds::Input(key) => crate::build::most_rounds(definition, key),
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
