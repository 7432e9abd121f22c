//! Fills inputs with the earlier runs of the session when a run starts. They are recorded with the run, so that a later
//! change of the session has no effect.

use std::collections::BTreeMap;

use interpreter::Pipeline;
use kernel::{Code, InputKind, Role, RunId, SessionId, Value, phrase};
use serde_json::{Value as Json, json};

use crate::ApiError;
use crate::api::StartRun;
use crate::runs::RunService;
use crate::runs::replays::{refuse_incomplete, refuse_lost};

/// Most runs of a session that are read, newest first.
const MOST_RUNS: usize = 20;

/// Refuses a value of another run that does not fit the key in this pipeline.
fn fits(pipeline: &Pipeline, key: &str, value: &Value, run: &RunId) -> Result<(), ApiError> {
    let definition = pipeline.definition();
    let of_input = definition.inputs.get(key).map(|input| input.schema());
    let of_key =
        || definition.keys.get(key).map(|key| key.schema.clone().unwrap_or_else(|| key.role.schema()));
    let schema = of_input.or_else(of_key);
    let why = schema.and_then(|schema| interpreter::draft::misshape(&schema, value.json_or_null()));
    why.map_or(Ok(()), |why| {
        let message = phrase!("`{key}` of the run {run} does not fit this pipeline: {why}", key, run, why);
        Err(ApiError::new(Code::BadInput, message))
    })
}

impl RunService {
    /// Fills the inputs that hold the session: a list of runs, oldest first, each with `said`, `replied` and `sources`.
    /// The oldest are left out where the input is full.
    pub(crate) async fn fill_from_session(
        &self,
        pipeline: &Pipeline,
        request: &StartRun,
        inputs: &mut BTreeMap<String, Value>,
    ) -> Result<(), ApiError> {
        let wanted: Vec<_> = pipeline
            .definition()
            .inputs
            .iter()
            .filter(|(_, input)| input.kind == InputKind::Session)
            .collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let mut runs = match &request.session {
            None => Vec::new(),
            Some(session) => self.earlier_runs(&SessionId(session.clone())).await?,
        };
        for (key, input) in wanted {
            while !runs.is_empty() && json!(runs).to_string().len() > input.max_bytes as usize {
                runs.remove(0);
            }
            inputs.insert(key.clone(), json!(runs).into());
        }
        Ok(())
    }

    /// The keys of an earlier run that inputs refer to, with their values at its end.
    ///
    /// # Errors
    /// The run does not exist, has another pipeline than required, or lacks a required key.
    pub(crate) async fn keys_of_earlier_runs(
        &self,
        pipeline: &Pipeline,
        request: &StartRun,
    ) -> Result<BTreeMap<String, Value>, ApiError> {
        let mut taken = BTreeMap::new();
        for (name, input) in &pipeline.definition().inputs {
            let given = std::iter::once(name).chain(&input.aliases).find_map(|name| request.inputs.get(name));
            let given = given.and_then(|given| given.0.as_str()).map(str::trim);
            let Some(given) = given.filter(|given| input.kind == InputKind::Run && !given.is_empty()) else {
                continue;
            };
            let run = self.store.resolve_run(given).await?;
            refuse_incomplete(&self.store.run_card(&run).await?)?;
            let definition = self.store.start(&run).await?.definition;
            refuse_lost(&definition)?;
            let other = definition.pipeline;
            let wanted = input.of_pipeline.as_deref().unwrap_or_else(|| pipeline.id());
            if other != wanted {
                let message = phrase!(
                    "The input `{key}` names {run}, a run of `{other}`; name one of `{pipeline}`",
                    key = name,
                    run,
                    other,
                    pipeline = wanted
                );
                return Err(ApiError::new(Code::BadInput, message));
            }
            let state = self.store.state_at(&run, kernel::Seq::MAX).await?;
            for key in &input.takes {
                match state.get(key).filter(|value| !value.json_or_null().is_null()) {
                    Some(value) => {
                        fits(pipeline, key, value, &run)?;
                        taken.insert(key.clone(), value.clone());
                    }
                    // Keys of an optional run are optional too.
                    None if input.optional => {}
                    None => {
                        let message = phrase!(
                            "The run {run} has no `{key}` yet; let it come to its end, or name another run",
                            run,
                            key
                        );
                        return Err(ApiError::new(Code::BadInput, message));
                    }
                }
            }
            taken.insert(name.clone(), Value::text(run.0));
        }
        Ok(taken)
    }

    async fn earlier_runs(&self, session: &SessionId) -> Result<Vec<Json>, ApiError> {
        let Some(card) = self.store.session(session).await? else {
            return Err(ApiError::new(
                Code::NotFound,
                phrase!("There is no session {session}", session = session.0),
            ));
        };
        let messages = self.store.messages(session).await?;
        let mut found = Vec::new();
        for run in card.runs.iter().skip(card.runs.len().saturating_sub(MOST_RUNS)) {
            let text = |is_user: bool| {
                let mut of_run = messages.iter().rev().filter(|message| message.run.as_ref() == Some(run));
                of_run.find(|message| (message.author == "user") == is_user).map(|message| &message.text)
            };
            match self.title_and_sources_of(run).await {
                // A fork has no message of its own; its title describes it.
                Ok((title, sources)) => found.push(json!({
                    "said": text(true).unwrap_or(&title), "replied": text(false), "sources": sources
                })),
                // A damaged run does not prevent another from starting.
                Err(error) => {
                    tracing::warn!(%error, run = run.0, "an earlier run of the session cannot be read");
                }
            }
        }
        Ok(found)
    }

    /// The title of a run, and the items of all its keys of sources.
    async fn title_and_sources_of(&self, run: &RunId) -> Result<(String, Vec<Json>), ApiError> {
        let title = self.store.run_card(run).await?.title;
        let definition = self.store.start(run).await?.definition;
        let pipeline = self.pipelines.of_run(&definition)?;
        let state = self.store.state_at(run, kernel::Seq::MAX).await?;
        let items = pipeline.keys().iter().filter_map(|key| {
            let Role::Sources { items } = &key.role else { return None };
            state.get(&key.name)?.json_or_null().get(items.as_ref())?.as_array().cloned()
        });
        Ok((title, items.flatten().collect()))
    }
}
