//! What an evaluation decides at its start and never changes: cases with their expectations, choices with all settings
//! and the definitions of their pipelines, and the judge.

use std::collections::BTreeMap;
use std::sync::Arc;

use evaluation::{Case, DataSet};
use interpreter::Pipeline;
use kernel::{BUILT_IN, Code, Definition, Json, LimitName, OnFailure, Phrase, Value, phrase};
use pipelines::{JUDGE, JUDGE_RUBRIC, JUDGE_TEXT};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::EvaluationService;
use crate::ApiError;
use crate::api::{AgentSettings, EvaluationChoice, StartEvaluation, StartRun};
use crate::runs::replays::refuse_lost;

/// The decisions of an evaluation.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Plan {
    /// The cases, complete.
    pub(super) cases: Vec<Case>,
    /// The choices, at least one.
    pub(super) choices: Vec<PlannedChoice>,
    /// The run of the model that judges; `None` without a rubric.
    pub(super) judge: Option<PlannedRun>,
}

/// A choice with all that it decides.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PlannedChoice {
    pub(super) label: String,
    pub(super) run: PlannedRun,
}

/// Runs that differ in their inputs alone.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PlannedRun {
    /// The declaration of the pipeline.
    pub(super) declared: Value,
    /// The request without inputs, with the settings of every agent.
    pub(super) request: StartRun,
}

impl Plan {
    /// The number of cells.
    pub(super) fn cells(&self) -> u32 {
        u32::try_from(self.cases.len() * self.choices.len()).unwrap_or(u32::MAX)
    }

    /// The case and the choice of a cell. Cells are numbered case by case.
    pub(super) fn cell(&self, number: u32) -> Option<(&Case, &PlannedChoice)> {
        let (number, choices) = (number as usize, self.choices.len());
        Some((self.cases.get(number / choices)?, self.choices.get(number % choices)?))
    }
}

impl EvaluationService {
    /// Makes the plan of a request; every input is checked.
    ///
    /// # Errors
    /// `not_found` for an unknown set, pipeline or profile; `bad_input` for invalid inputs, or a rubric without a model.
    pub(super) async fn plan(&self, request: &StartEvaluation) -> Result<Plan, ApiError> {
        let set = self.store.data_set(&request.set).await?;
        let cases = set.complete_cases();
        let usual = [EvaluationChoice::default()];
        let chosen = if request.choices.is_empty() { &usual[..] } else { &request.choices[..] };
        let mut choices: Vec<PlannedChoice> = Vec::new();
        for choice in chosen {
            let run = self.planned_run(&set, &cases, choice, request).await?;
            let label = label(choice, &run);
            let same = choices.iter().filter(|known| known.label == label).count();
            let label = if same > 0 { format!("{label} ({})", choices.len() + 1) } else { label };
            choices.push(PlannedChoice { label, run });
        }
        let has_rubric = cases.iter().any(|case| case.expect.iter().any(|expected| expected.is_rubric()));
        let judge = if has_rubric { Some(self.planned_judge(request).await?) } else { None };
        Ok(Plan { cases, choices, judge })
    }

    async fn planned_run(
        &self,
        set: &DataSet,
        cases: &[Case],
        choice: &EvaluationChoice,
        asked: &StartEvaluation,
    ) -> Result<PlannedRun, ApiError> {
        let pipeline = match &choice.pipeline_of_run {
            Some(run) => {
                let start = self.store.start(&self.store.resolve_run(run).await?).await?;
                refuse_lost(&start.definition)?;
                self.pipelines.of_run(&start.definition)?
            }
            None => self.pipelines.get(choice.pipeline.as_ref().unwrap_or(&set.pipeline))?,
        };
        self.runs.prepare_foreign_tools(pipeline.as_ref()).await?;
        let request = StartRun {
            pipeline: pipeline.id().to_owned(),
            profile: choice.profile.clone(),
            temperature: choice.temperature,
            agents: choice.agents.clone(),
            tools: asked.tools.clone(),
            as_of: asked.as_of.clone(),
            limits: asked.limits.clone(),
            allow: asked.allow.clone(),
            // What a fallback does is not what the choice does.
            fallback: Some(OnFailure::Ask),
            decide_issues: Some(false),
            ..StartRun::default()
        };
        let mut planned = None;
        for case in cases {
            let request = StartRun { inputs: case.inputs.clone(), ..request.clone() };
            let prepared = self.runs.prepare_as(pipeline.clone(), &request).await.map_err(|error| {
                let (name, why) = (&case.name, *error.phrase.clone());
                error.reworded(phrase!("The case “{name}” cannot be run: {why}", name, why))
            })?;
            planned.get_or_insert(prepared.definition);
        }
        let Some(definition) = planned else {
            return bad(phrase!("The set `{name}` has no case; add one first", name = set.name));
        };
        self.complete(pipeline, request, &definition)
    }

    /// The judge of all rubrics.
    async fn planned_judge(&self, asked: &StartEvaluation) -> Result<PlannedRun, ApiError> {
        let pipeline = self.pipelines.get(JUDGE)?;
        let sample = [JUDGE_RUBRIC, JUDGE_TEXT].map(|key| (key.to_owned(), Json(json!(key))));
        let request = StartRun {
            pipeline: JUDGE.to_owned(),
            profile: asked.judge.clone(),
            fallback: Some(OnFailure::Ask),
            ..StartRun::default()
        };
        let with_inputs = StartRun { inputs: sample.into(), ..request.clone() };
        let definition = self.runs.prepare_as(pipeline.clone(), &with_inputs).await?.definition;
        if definition.agents.values().any(|agent| agent.profile == BUILT_IN) {
            return bad(phrase!(
                "A rubric is judged by a model, and the profile `built-in` has none. Name a profile with a model for the judge"
            ));
        }
        self.complete(pipeline, request, &definition)
    }

    /// The request with everything that the settings decide at present.
    fn complete(
        &self,
        pipeline: Arc<Pipeline>,
        request: StartRun,
        definition: &Definition,
    ) -> Result<PlannedRun, ApiError> {
        let profile = self.runs.chosen_profile(&request)?;
        let is_measured = !definition.local_tokens.is_empty();
        let limits = LimitName::ALL.into_iter().filter(|name| {
            // A time limit that follows from the speed of a local server is computed for each run.
            !(*name == LimitName::MaxExecutionTimeS && is_measured)
        });
        let request = StartRun {
            profile: Some(profile),
            temperature: None,
            agents: settings_of_agents(&request.agents, definition),
            tools: definition.tools.clone().into_iter().collect(),
            limits: limits.map(|name| (name, definition.limits.get(name))).collect(),
            ..request
        };
        Ok(PlannedRun { declared: json!(pipeline.definition().as_ref()).into(), request })
    }
}

/// The settings of every agent, and those that were asked for single places of the tree.
fn settings_of_agents(
    asked: &BTreeMap<String, AgentSettings>,
    definition: &Definition,
) -> BTreeMap<String, AgentSettings> {
    let mut settings = asked.clone();
    for (name, agent) in &definition.agents {
        let limits =
            LimitName::ALL.into_iter().filter_map(|limit| Some((limit, Some(agent.limits.get(limit)?))));
        let own = AgentSettings {
            instruction: Some(agent.instruction.as_str().unwrap_or_default().to_owned())
                .filter(|instruction| !instruction.trim().is_empty()),
            profile: Some(agent.profile.clone()),
            model: Some(agent.model.clone()),
            temperature: Some(agent.temperature),
            limits: limits.collect(),
        };
        settings.insert(name.clone(), own);
    }
    settings
}

/// The name of a choice: what it chooses, else its profile.
fn label(choice: &EvaluationChoice, planned: &PlannedRun) -> String {
    if let Some(label) = choice.label.as_ref().map(|label| label.trim()).filter(|label| !label.is_empty()) {
        return label.to_owned();
    }
    let mut parts: Vec<String> = Vec::new();
    parts.extend(choice.pipeline.clone());
    parts.extend(choice.pipeline_of_run.as_ref().map(|run| format!("version of {run}")));
    parts.extend(choice.profile.clone());
    for (agent, own) in &choice.agents {
        parts.extend(own.profile.as_ref().map(|profile| format!("{agent}={profile}")));
        parts.extend(own.model.as_ref().map(|model| format!("{agent}={model}")));
        parts.extend(own.instruction.as_ref().map(|_| format!("{agent}: another instruction")));
    }
    match parts.is_empty() {
        true => planned.request.profile.clone().unwrap_or_default(),
        false => parts.join(", "),
    }
}

fn bad<T>(message: Phrase) -> Result<T, ApiError> {
    Err(ApiError::new(Code::BadInput, message))
}
