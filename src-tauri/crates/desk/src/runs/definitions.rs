//! From what a person asks to what exactly runs: inputs checked, tree built, definition made.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use engine::Agent;
use kernel::{
    AgentDefinition, BUILT_IN, Code, Definition, LimitName, Limits, Outline, ToolOffer, Value, check,
};
use pipelines::{Catalogue, Description, Pipeline, SEARCH, Setup};
use serde_json::json;
use tools::{KeyNeed, SEARCH_SOURCES};

use crate::accounts::checks::{checked_changes, on_failure};
use crate::accounts::estimates::{Asking, Estimate, estimate};
use crate::accounts::keys;
use crate::accounts::profile_card::find;
use crate::accounts::services::{missing_address, missing_key, search_source};
use crate::api::{
    FaultyPipeline, Nothing, PipelineCard, PipelineCards, Preflight, Preset, StartRun, TimeLimitReason,
};
use crate::runs::inputs::{input_field, inputs};
use crate::{ApiError, Desk};

/// The source with which a pipeline is drawn before a source is chosen.
const SOURCE: &str = "library";

/// What is about to run.
pub(crate) struct Prepared {
    pub(crate) definition: Definition,
    pub(crate) inputs: BTreeMap<String, Value>,
    pub(crate) root: Arc<dyn Agent>,
    pub(crate) time_limit: Option<TimeLimitReason>,
}

impl Desk {
    pub(crate) async fn list_pipelines(&self, _: Nothing) -> Result<PipelineCards, ApiError> {
        let (pipelines, faulty) = self.inner.pipelines.all();
        let cards = pipelines.iter().map(|pipeline| self.pipeline_card(pipeline.as_ref()));
        let faulty = faulty.into_iter().map(|file| FaultyPipeline { id: file.id, faults: file.faults });
        Ok(PipelineCards { pipelines: cards.collect::<Result<_, _>>()?, faulty: faulty.collect() })
    }

    pub(crate) async fn preflight(&self, request: StartRun) -> Result<Preflight, ApiError> {
        let pipeline = self.pipeline(&request.pipeline)?;
        let root = pipeline.tree(&self.setup(pipeline.as_ref(), Some(SOURCE))?)?;
        let (mut remarks, mut recent_as_of) = (Vec::new(), None);
        let (limits, time_limit, agents, inputs, source) = match self.prepare(&request).await {
            Ok(prepared) => {
                let window_days = pipeline.describe().window_days;
                let (of_search, latest) = self.remarks_on_search(&prepared.definition, window_days).await?;
                remarks.extend(of_search);
                recent_as_of = latest;
                let Definition { limits, agents, source, .. } = prepared.definition;
                (limits, prepared.time_limit, agents, prepared.inputs, source)
            }
            Err(error) => {
                remarks.push(error.message);
                // A form that is not filled in yet has an estimate all the same.
                let limits = pipeline.describe().limits.clone();
                let agents = self.agents(pipeline.as_ref(), &request, &limits)?;
                let time = self.time_limit(pipeline.as_ref(), &agents, &limits, false).await;
                let limits = Limits { max_execution_time_s: time.seconds, ..limits };
                (limits, time.reason, agents, BTreeMap::new(), None)
            }
        };
        remarks.extend(self.remarks_on_keys(&agents, source.as_deref())?);
        let tool = source.as_deref().and_then(|id| search_source(id).ok()).map(|source| source.tool);
        let search = tool.and_then(|tool| self.inner.world.tools.get(tool)?.credential_route(None));
        let asking = Asking {
            pipeline: pipeline.as_ref(),
            agents: &agents,
            inputs: &inputs,
            search: search.as_ref(),
            of_tree: root.outline().calls,
            most_calls: limits.max_llm_calls,
        };
        let past = self.past_calls(&mut remarks).await;
        let estimate = estimate(&self.inner.settings, &self.inner.prices.current(), &past, &asking)?;
        if !estimate.profiles.is_empty() {
            // The search of a model takes its call from those of the tree.
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

    /// What is missing of the keys that the run would need: of its profiles, of who stands in, of its source.
    fn remarks_on_keys(
        &self,
        agents: &BTreeMap<String, AgentDefinition>,
        source: Option<&str>,
    ) -> Result<Vec<String>, ApiError> {
        let (vault, settings) = (&self.inner.vault, &self.inner.settings);
        let mut remarks = Vec::new();
        let asked: BTreeSet<&str> = agents.values().map(|agent| agent.profile.as_str()).collect();
        let stand_in = agents.values().flat_map(|agent| &agent.fallbacks).map(|other| other.profile.as_str());
        let all = asked.iter().copied().chain(stand_in.filter(|name| !asked.contains(name)));
        for name in all.filter(|name| *name != BUILT_IN) {
            let Some(why) = keys::missing(vault, &find(settings, name)?) else { continue };
            remarks.push(match asked.contains(name) {
                true => why,
                false => format!("Who stands in cannot: {}", lower_first(&why)),
            });
        }
        let Some(source) = source.and_then(|id| search_source(id).ok()) else { return Ok(remarks) };
        for service in source.services {
            remarks.extend(missing_address(settings, service)?);
        }
        for service in source.services.iter().filter(|_| source.key != KeyNeed::None) {
            if let Some(why) = missing_key(vault, settings, service.name)? {
                remarks.push(why);
            } else if source.key == KeyNeed::Required
                && self
                    .inner
                    .world
                    .tools
                    .get(source.tool)
                    .is_some_and(|tool| tool.credential_route(None).is_none())
            {
                remarks.push(format!(
                    "The source `{}` has no key, so the search will fail; keys are given out at {}, and a profile of `{}` keeps one",
                    source.id, source.key_page, service.name
                ));
            }
        }
        remarks.dedup();
        Ok(remarks)
    }

    /// What a person should know of the search before it begins, and the day as of which the library would have something.
    async fn remarks_on_search(
        &self,
        definition: &Definition,
        window_days: Option<u32>,
    ) -> Result<(Vec<String>, Option<String>), ApiError> {
        let mut remarks = Vec::new();
        let Some(source) = definition.source.as_deref().and_then(|id| search_source(id).ok()) else {
            return Ok((remarks, None));
        };
        if source.id == "auto" {
            remarks.push(format!("The source is `{}`: {}", source.id, lower_first(source.purpose)));
        }
        // Only the library is of one time; what is on the web is of any.
        let library = match source.id {
            "library" => "the library",
            "auto" => "the library, which is searched where the web cannot be reached,",
            _ => return Ok((remarks, None)),
        };
        let Some(window_days) = window_days else { return Ok((remarks, None)) };
        let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
        let as_of = definition.as_of.as_deref().and_then(|day| day.parse().ok()).unwrap_or(today);
        let latest = self.inner.store.latest_day().await?;
        let latest = latest.and_then(|day| day.parse::<jiff::civil::Date>().ok());
        let is_old =
            |latest: &jiff::civil::Date| i64::from((as_of - *latest).get_days()) > i64::from(window_days);
        let latest = latest.filter(is_old);
        if let Some(latest) = latest {
            remarks.push(format!(
                "The latest article of {library} is of {latest}; searched as of {as_of}, nothing may be recent enough. Begin the run as of {latest}."
            ));
        }
        Ok((remarks, latest.map(|day| day.to_string())))
    }

    /// The profile of a run: as it says, else as the settings say for its pipeline or for all.
    pub(crate) fn chosen_profile(&self, request: &StartRun) -> Result<String, ApiError> {
        if let Some(profile) = &request.profile {
            return Ok(profile.clone());
        }
        let own = self.inner.settings.get(&format!("pipelines.{}.profile", request.pipeline))?;
        if own.is_empty() { self.inner.settings.get("default_profile") } else { Ok(own) }
    }

    /// Checks what was asked and makes the definition.
    pub(crate) async fn prepare(&self, request: &StartRun) -> Result<Prepared, ApiError> {
        let pipeline = self.pipeline(&request.pipeline)?;
        let inputs = inputs(pipeline.as_ref(), request)?;
        let description = pipeline.describe();
        let source = match (&request.source, description.searches()) {
            (_, false) => None,
            (Some(source), true) => Some(source.clone()),
            (None, true) => {
                let of_slot = description.tools.values().find_map(|slot| slot.default.clone());
                Some(match of_slot {
                    Some(source) => source,
                    None => self.inner.settings.get("default_source")?,
                })
            }
        };
        let source = source.map(|id| search_source(&id)).transpose()?.map(|source| source.id);
        let root = pipeline.tree(&self.setup(pipeline.as_ref(), source)?)?;
        let declared: Vec<&str> = description.keys.iter().map(|key| key.name.as_str()).collect();
        let given: Vec<&str> = inputs.keys().map(String::as_str).collect();
        if let Some(error) = check(root.outline(), &declared, &given).first() {
            return Err(ApiError::new(Code::BadInput, error.to_string()));
        }
        let of_profile = find(&self.inner.settings, &self.chosen_profile(request)?)?.limits;
        let mut asked: BTreeMap<LimitName, Option<f64>> =
            of_profile.into_iter().map(|(name, most)| (name, Some(most))).collect();
        asked.extend(&request.limits);
        let limits = limits(&description.limits, &asked)?;
        let declared = pipeline.definition().map(|definition| json!(definition.as_ref()).into());
        let agents = self.agents(pipeline.as_ref(), request, &limits)?;
        let is_set = asked.contains_key(&LimitName::MaxExecutionTimeS);
        let time = self.time_limit(pipeline.as_ref(), &agents, &limits, is_set).await;
        let definition = Definition {
            pipeline: description.id.clone(),
            declared,
            notes: description.notes.clone(),
            title: pipeline.title(&inputs),
            outline: root.outline().clone(),
            agents,
            limits: Limits { max_execution_time_s: time.seconds, ..limits },
            local_tokens: time.local_tokens,
            on_failure: match request.fallback {
                Some(given) => given,
                None => on_failure(&self.inner.settings.get("default_fallback")?)?,
            },
            source: source.map(str::to_owned),
            as_of: request.as_of.as_deref().map(day).transpose()?,
            allowed_tools: self.known_tools(&request.allow)?,
            given_instructions: request.instructions.keys().cloned().collect(),
            already_done: Vec::new(),
        };
        Ok(Prepared { definition, inputs, root, time_limit: time.reason })
    }

    /// The tree that a stored definition runs.
    pub(crate) fn tree(&self, definition: &Definition) -> Result<Arc<dyn Agent>, ApiError> {
        let pipeline = self.inner.pipelines.of_run(definition)?;
        pipeline.tree(&self.setup(pipeline.as_ref(), definition.source.as_deref())?)
    }

    /// The tools behind the slots of a pipeline, with this source for every slot that searches.
    pub(crate) fn setup(&self, pipeline: &dyn Pipeline, source: Option<&str>) -> Result<Setup, ApiError> {
        let tool = source.map(search_source).transpose()?.map(|source| source.tool);
        let Some(tool) = tool.and_then(|name| self.inner.world.tools.get(name)) else {
            return Ok(Setup::default());
        };
        let description = tool.describe();
        let offer = ToolOffer {
            name: description.name,
            description: description.description,
            schema: Value::new(description.schema.0),
        };
        let slots = pipeline.describe().tools.iter().filter(|(_, slot)| slot.kind == SEARCH);
        Ok(Setup { tools: slots.map(|(name, _)| (name.clone(), offer.clone())).collect() })
    }

    pub(crate) fn pipeline_card(&self, pipeline: &dyn Pipeline) -> Result<PipelineCard, ApiError> {
        let outline = pipeline.tree(&self.setup(pipeline, Some(SOURCE))?)?.outline().clone();
        let is_own_file = !self.inner.pipelines.is_own(&pipeline.describe().id);
        Ok(card(pipeline, outline, is_own_file))
    }

    pub(crate) fn known_tools(&self, names: &[String]) -> Result<Vec<String>, ApiError> {
        let tools = &self.inner.world.tools;
        match names.iter().find(|name| !tools.contains_key(*name)) {
            None => Ok(names.to_vec()),
            Some(name) => {
                let known: Vec<&str> = tools.keys().map(String::as_str).collect();
                Err(ApiError::new(
                    Code::BadInput,
                    format!("There is no tool `{name}`; there is {}", known.join(", ")),
                ))
            }
        }
    }
}

fn lower_first(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters.next().map(|first| first.to_lowercase().chain(characters).collect()).unwrap_or_default()
}

fn card(pipeline: &dyn Pipeline, outline: Outline, is_own_file: bool) -> PipelineCard {
    let description = pipeline.describe();
    let sources = match description.searches() {
        true => SEARCH_SOURCES.iter().map(|source| source.id.to_owned()).collect(),
        false => Vec::new(),
    };
    let preset = |preset: &pipelines::LimitPreset| Preset {
        name: preset.name.clone(),
        description: preset.description.clone(),
        limits: preset.limits.clone(),
    };
    PipelineCard {
        id: description.id.clone(),
        title: description.title.clone(),
        purpose: description.purpose.clone(),
        is_own_file,
        is_text: pipeline.source_text().is_some(),
        inputs: description.inputs.iter().map(input_field).collect(),
        outline,
        keys: description.keys.clone(),
        sources,
        limits: description.limits.clone(),
        presets: description.presets.iter().map(preset).collect(),
        words: catalogues(description),
    }
}

/// What a pipeline says of itself in other languages, by language and by the English words.
pub(crate) fn catalogues(description: &Description) -> BTreeMap<String, BTreeMap<String, String>> {
    let words = |catalogue: &Catalogue| catalogue.words.iter().cloned().collect();
    description.catalogues.iter().map(|catalogue| (catalogue.language.clone(), words(catalogue))).collect()
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
    // The parser also takes a time behind the day, or a day without dashes: neither is what was meant.
    let date = text.parse::<jiff::civil::Date>().ok().map(|date| date.to_string());
    date.filter(|date| date == text && text.len() == 10).ok_or_else(|| {
        ApiError::new(
            Code::BadInput,
            format!("`{text}` is not a day; write it as YYYY-MM-DD, for example 2026-07-01"),
        )
    })
}
