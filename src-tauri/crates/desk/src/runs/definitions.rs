//! Prepares a run from the person's request: checks inputs, builds the tree, makes the definition.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use engine::Agent;
use interpreter::{Pipeline, Setup};
use kernel::{
    AgentDefinition, BUILT_IN, Code, Definition, InputKind, LimitName, Limits, Outline, Phrase, Role, Value,
    check, phrase,
};
use pipelines::ONE_STEP;
use serde_json::json;

use crate::ApiError;
use crate::accounts::checks::{checked_changes, on_failure};
use crate::accounts::estimates::{Estimate, EstimateInput};
use crate::accounts::keys;
use crate::accounts::profile_card::find;
use crate::api::{
    FaultyPipeline, Nothing, PipelineCard, PipelineCards, Preflight, Preset, StartRun, TimeLimitReason,
};
use crate::runs::RunService;
use crate::runs::agents::given_instructions;
use crate::runs::inputs::{input_field, inputs};
use crate::runs::places::{gates, known_gates};
use crate::runs::replays::refuse_lost;
use crate::runs::rewrites::refuse_without_model;
use crate::runs::tool_slots::{ChosenTools, slot_cards};

/// A run that is ready to start.
pub(crate) struct Prepared {
    pub(crate) definition: Definition,
    pub(crate) inputs: BTreeMap<String, Value>,
    pub(crate) root: Arc<dyn Agent>,
    pub(crate) time_limit: Option<TimeLimitReason>,
}

impl RunService {
    pub(crate) async fn list_pipelines(&self, _: Nothing) -> Result<PipelineCards, ApiError> {
        let (pipelines, faulty) = self.pipelines.all();
        let cards = pipelines.iter().map(|pipeline| self.pipeline_card(pipeline.as_ref()));
        let faulty = faulty.into_iter().map(|file| FaultyPipeline { id: file.id, faults: file.faults });
        Ok(PipelineCards { pipelines: cards.collect::<Result<_, _>>()?, faulty: faulty.collect() })
    }

    pub(crate) async fn preflight(&self, request: StartRun) -> Result<Preflight, ApiError> {
        let pipeline = self.pipelines.get(&request.pipeline)?;
        let root = pipeline.tree(&self.setup_of_picture(pipeline.as_ref()))?;
        let (mut remarks, mut recent_as_of) = (Vec::new(), None);
        let (limits, time_limit, agents, inputs, tools) = match self.prepare(&request).await {
            Ok(prepared) => {
                let (of_tools, latest) =
                    self.remarks_on_recency(pipeline.as_ref(), &prepared.definition).await?;
                remarks.extend(of_tools);
                recent_as_of = latest;
                let Definition { limits, agents, tools, .. } = prepared.definition;
                (limits, prepared.time_limit, agents, prepared.inputs, tools)
            }
            Err(error) => {
                remarks.push(*error.phrase);
                // An incomplete form has an estimate too.
                let limits = pipeline.definition().limits.clone();
                let agents = self.agents(pipeline.as_ref(), &request, &limits)?;
                let time = self.time_limit(pipeline.as_ref(), &agents, &limits, false).await;
                let limits = Limits { max_execution_time_s: time.seconds, ..limits };
                (limits, time.reason, agents, BTreeMap::new(), ChosenTools::new())
            }
        };
        remarks.extend(self.remarks_on_keys(pipeline.as_ref(), &agents, &tools)?);
        let search = self.route_of_tools(pipeline.as_ref(), &tools);
        let input = EstimateInput {
            pipeline: pipeline.as_ref(),
            agents: &agents,
            inputs: &inputs,
            search: search.as_ref(),
            of_tree: root.outline().calls,
            most_calls: limits.max_llm_calls,
        };
        let estimate = self.accounts.estimate(&input, &mut remarks).await?;
        if !estimate.profiles.is_empty() {
            // A search that asks a model uses one of the tree's calls.
            let searches = u32::from(search.as_ref().is_some_and(|route| route.model.is_some()));
            let of_tree = limits.max_llm_calls.map(|most| most.saturating_sub(searches));
            remarks.extend(pipeline.remarks(&Limits { max_llm_calls: of_tree, ..limits.clone() }));
            remarks.extend(estimate.remarks(&limits));
        }
        let Estimate {
            calls,
            tokens,
            cost,
            unpriced,
            profiles,
            models,
            bound: bound_tokens,
            runs: earlier_runs,
            ..
        } = estimate;
        let profiles = if profiles.is_empty() { vec![self.chosen_profile(&request)?] } else { profiles };
        Ok(Preflight {
            calls,
            tokens,
            earlier_runs,
            bound_tokens,
            cost,
            unpriced,
            profiles,
            models,
            limits,
            time_limit,
            recent_as_of,
            remarks,
        })
    }

    /// The keys that the run needs and that are missing: of its profiles, their fallbacks and its tools.
    fn remarks_on_keys(
        &self,
        pipeline: &Pipeline,
        agents: &BTreeMap<String, AgentDefinition>,
        tools: &ChosenTools,
    ) -> Result<Vec<Phrase>, ApiError> {
        let (vault, settings) = (&self.vault, &self.settings);
        let mut remarks = Vec::new();
        let asked: BTreeSet<&str> = agents.values().map(|agent| agent.profile.as_str()).collect();
        let stand_in = agents.values().flat_map(|agent| &agent.fallbacks).map(|other| other.profile.as_str());
        let all = asked.iter().copied().chain(stand_in.filter(|name| !asked.contains(name)));
        for name in all.filter(|name| *name != BUILT_IN) {
            let Some(why) = keys::missing(vault, &find(settings, name)?) else { continue };
            remarks.push(match asked.contains(name) {
                true => why,
                false => phrase!("Who stands in cannot: {why}", why),
            });
        }
        remarks.extend(self.remarks_on_tools(pipeline, tools)?);
        remarks.dedup();
        Ok(remarks)
    }

    /// The profile of a run: the requested one, else that of the settings for its pipeline or for all.
    pub(crate) fn chosen_profile(&self, request: &StartRun) -> Result<String, ApiError> {
        if let Some(profile) = &request.profile {
            return Ok(profile.clone());
        }
        let own = self.settings.get(&format!("pipelines.{}.profile", request.pipeline))?;
        if own.is_empty() { self.settings.get("default_profile") } else { Ok(own) }
    }

    /// Checks a request and makes the definition.
    pub(crate) async fn prepare(&self, request: &StartRun) -> Result<Prepared, ApiError> {
        self.prepare_as(self.pipelines.get(&request.pipeline)?, request).await
    }

    /// The same by this version of the pipeline.
    pub(crate) async fn prepare_as(
        &self,
        pipeline: Arc<Pipeline>,
        request: &StartRun,
    ) -> Result<Prepared, ApiError> {
        let pipeline = self.with_tools_of_servers(pipeline)?;
        let earlier = self.keys_of_earlier_runs(pipeline.as_ref(), request).await?;
        let mut inputs = inputs(pipeline.as_ref(), request, &earlier)?;
        let taken_over = take_over(pipeline.as_ref(), earlier, &mut inputs);
        self.fill_from_session(pipeline.as_ref(), request, &mut inputs).await?;
        self.fill_from_own_files(pipeline.as_ref(), &mut inputs)?;
        begin_with(pipeline.as_ref(), request, &mut inputs)?;
        let tools = self.chosen_tools(pipeline.as_ref(), &request.tools)?;
        let decides_issues = match request.decide_issues {
            Some(given) => given,
            None => self.settings.get("decide_issues")? == "true",
        };
        // The outline depends on numbers of rounds in the inputs.
        let numbers = inputs.iter().filter_map(|(key, value)| Some((key.clone(), value.json()?.as_f64()?)));
        let rounds =
            numbers.filter(|(_, number)| *number >= 1.0).map(|(key, number)| (key, number as u32)).collect();
        let foreign_tools = self.foreign_tools(pipeline.as_ref());
        let setup = Setup { rounds, ..self.setup(pipeline.as_ref(), &tools, &foreign_tools, decides_issues) };
        let root = pipeline.tree(&setup)?;
        let declared: Vec<&str> = pipeline.keys().iter().map(|key| key.name.as_str()).collect();
        let given: Vec<&str> = inputs.keys().map(String::as_str).collect();
        if let Some(error) = check(root.outline(), &declared, &given).first() {
            return Err(ApiError::new(Code::BadInput, error.phrase()));
        }
        known_gates(root.outline(), &request.gates)?;
        let of_profile = find(&self.settings, &self.chosen_profile(request)?)?.limits;
        let mut asked: BTreeMap<LimitName, Option<f64>> =
            of_profile.into_iter().map(|(name, most)| (name, Some(most))).collect();
        asked.extend(&request.limits);
        let limits = limits(&pipeline.definition().limits, &asked)?;
        let declared = Some(json!(pipeline.definition().as_ref()).into());
        let agents = self.agents(pipeline.as_ref(), request, &limits)?;
        refuse_without_model(pipeline.as_ref(), &agents, &inputs)?;
        let is_set = asked.contains_key(&LimitName::MaxExecutionTimeS);
        let time = self.time_limit(pipeline.as_ref(), &agents, &limits, is_set).await;
        let mut definition = Definition {
            pipeline: pipeline.id().to_owned(),
            declared,
            notes: pipeline.notes(),
            title: request.title.clone().unwrap_or_else(|| pipeline.title(&inputs)),
            outline: root.outline().clone(),
            agents,
            stage_limits: limits_of_code(pipeline.as_ref()),
            limits: Limits { max_execution_time_s: time.seconds, ..limits },
            local_tokens: time.local_tokens,
            on_failure: match request.fallback {
                Some(given) => given,
                None => on_failure(&self.settings.get("default_fallback")?)?,
            },
            tools,
            as_of: request.as_of.as_deref().map(day).transpose()?,
            allowed_tools: self.accounts.known_rules(&request.allow)?,
            gates: gates(pipeline.as_ref(), request, &inputs),
            foreign_tools,
            replies: replies(&pipeline),
            given_instructions: given_instructions(&request.agents),
            already_done: Vec::new(),
            decides_issues,
            is_rewrite: false,
            taken_over,
            is_lost: false,
        };
        definition.apply(&self.settings_of_places(pipeline.as_ref(), root.outline(), request)?);
        Ok(Prepared { definition, inputs, root, time_limit: time.reason })
    }

    /// The tree of a stored definition.
    ///
    /// # Errors
    /// `bad_input` where the definition is lost.
    pub(crate) fn tree(&self, definition: &Definition) -> Result<Arc<dyn Agent>, ApiError> {
        refuse_lost(definition)?;
        let pipeline = self.pipelines.of_run(definition)?;
        let (tools, foreign) = (&definition.tools, &definition.foreign_tools);
        pipeline.tree(&self.setup(pipeline.as_ref(), tools, foreign, definition.decides_issues))
    }

    pub(crate) fn pipeline_card(&self, pipeline: &Pipeline) -> Result<PipelineCard, ApiError> {
        let outline = pipeline.tree(&self.setup_of_picture(pipeline))?.outline().clone();
        let is_own_file = !self.pipelines.is_own(pipeline.id());
        Ok(card(pipeline, outline, is_own_file))
    }
}

/// The declared limits of agents that ask no model themselves.
fn limits_of_code(pipeline: &Pipeline) -> BTreeMap<String, Limits> {
    let agents = pipeline.definition().agents.iter().filter(|(_, agent)| !agent.asks_model());
    let limits = agents.map(|(name, agent)| (name.clone(), agent.limits()));
    limits.filter(|(_, limits)| *limits != Limits::default()).collect()
}

fn card(pipeline: &Pipeline, outline: Outline, is_own_file: bool) -> PipelineCard {
    let definition = pipeline.definition();
    let preset = |(name, preset): (&String, &kernel::LimitPreset)| Preset {
        name: name.clone(),
        description: preset.description.clone(),
        limits: preset.limits.clone(),
    };
    PipelineCard {
        id: definition.id.clone(),
        title: definition.title.clone(),
        purpose: definition.purpose.clone(),
        is_own_file,
        is_text: pipeline.source_text().is_some(),
        inputs: definition.inputs.iter().filter_map(input_field).collect(),
        outline,
        keys: pipeline.keys().to_vec(),
        slots: slot_cards(definition),
        takes_tools: pipeline.takes_tools(),
        limits: definition.limits.clone(),
        presets: definition.presets.iter().map(preset).collect(),
        words: catalogues(pipeline),
    }
}

/// The translations of a pipeline, by language and English text.
pub(crate) fn catalogues(pipeline: &Pipeline) -> BTreeMap<String, BTreeMap<String, String>> {
    let translations = pipeline.definition().translations.iter();
    let words = translations.map(|(language, words)| (language.clone(), words.clone().into_iter().collect()));
    words.collect()
}

/// Adds the missing keys from earlier runs, and replaces the names of these runs by their ids. Returns the keys taken
/// over that are no inputs, which the person gave to the earlier run.
fn take_over(
    pipeline: &Pipeline,
    earlier: BTreeMap<String, Value>,
    inputs: &mut BTreeMap<String, Value>,
) -> Vec<String> {
    let mut taken_over = Vec::new();
    for (key, value) in earlier {
        match pipeline.definition().inputs.get(&key) {
            None => taken_over.push(key.clone()),
            Some(input) if input.kind != InputKind::Run && inputs.contains_key(&key) => continue,
            Some(_) => {}
        }
        inputs.insert(key, value);
    }
    taken_over
}

/// Adds the other keys of a run's initial state.
fn begin_with(
    pipeline: &Pipeline,
    request: &StartRun,
    inputs: &mut BTreeMap<String, Value>,
) -> Result<(), ApiError> {
    let (id, keys) = (pipeline.id(), pipeline.keys());
    let is_known = |key: &String| {
        id == ONE_STEP && keys.iter().any(|known| known.name == *key && known.role != Role::Input)
    };
    if let Some(key) = request.state.keys().find(|key| !is_known(key)) {
        let message = phrase!(
            "A run of `{pipeline}` does not begin with the key `{key}`; give its inputs alone",
            pipeline = id,
            key
        );
        return Err(ApiError::new(Code::BadInput, message));
    }
    inputs.extend(request.state.iter().map(|(key, value)| (key.clone(), value.0.clone().into())));
    Ok(())
}

/// The keys whose text is the result of a run.
fn replies(pipeline: &Pipeline) -> Vec<String> {
    let keys = pipeline.keys().iter().filter(|key| matches!(key.role, Role::Final));
    keys.map(|key| key.name.clone()).collect()
}

fn limits(own: &Limits, asked: &BTreeMap<LimitName, Option<f64>>) -> Result<Limits, ApiError> {
    checked_changes(asked)?;
    let mut limits = own.clone();
    for (name, value) in asked {
        limits.set(*name, *value);
    }
    Ok(limits)
}

fn day(text: &str) -> Result<String, ApiError> {
    // The parser also accepts a time behind the date, or a date without hyphens, which are mistakes here.
    let date = text.parse::<jiff::civil::Date>().ok().map(|date| date.to_string());
    date.filter(|date| date == text && text.len() == 10).ok_or_else(|| {
        ApiError::new(
            Code::BadInput,
            phrase!("`{text}` is not a day; write it as YYYY-MM-DD, for example 2026-07-01", text),
        )
    })
}
