//! Rewrites the text of a run in a linked run of its session: from the writer on with the notes of the review, or in
//! one step by an instruction.

use std::collections::BTreeMap;

use engine::RunHandle;
use interpreter::Pipeline;
use kernel::{
    AgentDefinition, BUILT_IN, Code, Definition, Phrase, Role, RunId, Start, State, Value, check, phrase,
};
use pipelines::{
    INSTRUCTION, INSTRUCTION_NAME, ONE_STEP, SHORTER, TEXT, one_step_beginning, one_step_can_be_shortened,
    one_step_text,
};
use serde_json::json;

use crate::ApiError;
use crate::accounts::profile_card::find;
use crate::api::{Json, RewriteRun, RewriteStep, RunRef, StartRun};
use crate::runs::RunService;
use crate::runs::citations::sources_of;
use crate::runs::instructions::ChosenInstruction;
use crate::runs::run_control::{new_id, now_ms, reference};

/// An ended run with its result.
struct EndedRun {
    start: Start,
    state: State,
}

impl RunService {
    pub(crate) async fn rewrite_run(&self, request: RewriteRun) -> Result<RunRef, ApiError> {
        Ok(reference(&self.rewrite(request).await?))
    }

    /// Starts a linked run in the same session that rewrites the text of a run.
    ///
    /// # Errors
    /// `busy` while the run works; `bad_input` where it has no text, or the profile cannot do the rewrite; `not_found`
    /// for an unknown instruction.
    pub async fn rewrite(&self, request: RewriteRun) -> Result<RunHandle, ApiError> {
        let id = self.store.resolve_run(&request.run).await?;
        let chosen = request.step.as_ref().map(|step| self.chosen_instruction(step)).transpose()?;
        if self.handle(&id).is_some_and(|handle| !handle.has_ended()) {
            let message =
                phrase!("The run {id} is still at work. Stop it or wait for its end, then rewrite", id);
            return Err(ApiError::new(Code::Busy, message));
        }
        let recorded = self.world.log.load(&id).await?;
        let ended = EndedRun { state: kernel::fold_state(recorded.events.iter()), start: recorded.start };
        let pipeline = self.pipelines.of_run(&ended.start.definition)?;
        match request.step.zip(chosen) {
            None => self.rewrite_with_notes(ended, pipeline.as_ref()).await,
            Some((step, chosen)) => self.rewrite_in_one_step(ended, pipeline.as_ref(), step, chosen).await,
        }
    }

    /// Runs the writer of a draft again, with the present text, the issues that were not dismissed and the replies.
    async fn rewrite_with_notes(&self, ended: EndedRun, pipeline: &Pipeline) -> Result<RunHandle, ApiError> {
        let Some((rewriting, inputs)) = pipeline.rewrite(&ended.state) else {
            let title = &pipeline.definition().title;
            return bad(phrase!("“{title}” has no draft that could be rewritten after a review", title));
        };
        let declared = Some(json!(rewriting).into());
        let mut definition = Definition { declared, is_rewrite: true, ..ended.start.definition };
        let root = self.tree(&definition)?;
        definition.outline = root.outline().clone();
        definition.agents.retain(|name, _| rewriting.agents.contains_key(name));
        let keys = rewriting.declarations();
        let declared: Vec<&str> = keys.iter().map(|key| key.name.as_str()).collect();
        let given: Vec<&str> = inputs.keys().map(String::as_str).collect();
        if let Some(error) = check(root.outline(), &declared, &given).first() {
            return Err(ApiError::new(Code::BadInput, error.phrase()));
        }
        let start = Start {
            run: RunId(new_id()),
            session: ended.start.session,
            at_ms: now_ms(),
            definition,
            inputs,
            origin: None,
        };
        let handle = engine::start(self.world.clone(), root, start).await?;
        self.keep(handle.clone());
        Ok(handle)
    }

    /// Rewrites the present text by one instruction, with its sources and the passages that must stay.
    async fn rewrite_in_one_step(
        &self,
        ended: EndedRun,
        pipeline: &Pipeline,
        step: RewriteStep,
        chosen: ChosenInstruction,
    ) -> Result<RunHandle, ApiError> {
        let Some(present) = pipeline.present_text(&ended.state) else {
            return bad(phrase!(
                "The run {id} has no text yet that could be rewritten",
                id = ended.start.run
            ));
        };
        let (sources, _) = sources_of(pipeline, &ended.state);
        let one_step = self.pipelines.get(ONE_STEP)?;
        let began = one_step_beginning(one_step.definition(), &present, &sources);
        let mut inputs = vec![(TEXT, present.text.clone()), (INSTRUCTION, chosen.text.clone())];
        if !chosen.name.is_empty() {
            inputs.push((INSTRUCTION_NAME, chosen.name.clone()));
        }
        let request = StartRun {
            pipeline: ONE_STEP.to_owned(),
            inputs: inputs.into_iter().map(|(key, text)| (key.to_owned(), Json(json!(text)))).collect(),
            state: began.into_iter().map(|(key, value)| (key, Json(value))).collect(),
            profile: Some(match step.profile {
                Some(profile) => profile,
                None => self.profile_of_text(pipeline, &ended.start.definition)?,
            }),
            session: Some(ended.start.session.0.clone()),
            decide_issues: Some(false),
            title: Some(title(&ended.start.definition.title, &chosen.name)),
            ..StartRun::default()
        };
        self.start(request).await
    }

    /// The profile of a rewrite: that of the agent that wrote the draft, else of the text; if that profile does not
    /// exist any more, the one of the settings.
    fn profile_of_text(&self, pipeline: &Pipeline, definition: &Definition) -> Result<String, ApiError> {
        let keys = pipeline.keys();
        let of_role = |fits: fn(&Role) -> bool| keys.iter().find(|key| fits(&key.role)).map(|key| &key.name);
        let texts =
            [of_role(|role| matches!(role, Role::Draft { .. })), of_role(|role| *role == Role::Final)];
        let outline = definition.outline.walk();
        let writer = |key: &String| {
            let writing = outline.iter().filter(|agent| agent.contract.writes.contains(key));
            writing.filter_map(|agent| definition.agents.get(&agent.name)).next()
        };
        let own = texts.into_iter().flatten().find_map(writer).or(definition.agents.values().next());
        match own.filter(|agent| find(&self.settings, &agent.profile).is_ok()) {
            Some(agent) => Ok(agent.profile.clone()),
            None => self.settings.get("default_profile"),
        }
    }
}

/// Refuses a one-step rewrite that needs a model where there is none, and a text that cannot be shortened.
pub(crate) fn refuse_without_model(
    pipeline: &Pipeline,
    agents: &BTreeMap<String, AgentDefinition>,
    inputs: &BTreeMap<String, Value>,
) -> Result<(), ApiError> {
    if pipeline.id() != ONE_STEP || agents.values().any(|agent| agent.profile != BUILT_IN) {
        return Ok(());
    }
    match inputs.get(INSTRUCTION_NAME).and_then(Value::as_str).unwrap_or_default() {
        SHORTER if one_step_can_be_shortened(&one_step_text(pipeline.definition(), inputs)) => Ok(()),
        SHORTER => bad(phrase!(
            "Nothing can be left out of this text without a model: every sentence is needed by another one, locked, quoted, or the only one of its kind. Choose a profile with a model"
        )),
        "" => bad(phrase!(
            "An instruction of your own needs a model, and the profile `built-in` has none. Choose a profile with a model"
        )),
        name => bad(phrase!(
            "`{name}` needs a model, and the profile `built-in` has none. Choose a profile with a model",
            name
        )),
    }
}

/// The title of the linked run: the run's title with the name of the instruction.
fn title(of_run: &str, name: &str) -> String {
    if name.is_empty() { of_run.to_owned() } else { format!("{of_run} · {name}") }
}

fn bad<T>(message: Phrase) -> Result<T, ApiError> {
    Err(ApiError::new(Code::BadInput, message))
}
