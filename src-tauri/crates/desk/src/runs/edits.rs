//! The person's changes of a run: edits of its state, and actions at the review desk.

use std::sync::Arc;

use interpreter::Pipeline;
use kernel::{Code, Fact, Note, Role, RunId, Seq, State, Value, phrase};

use crate::ApiError;
use crate::api::{ChangeVisit, EditState, Landed, ReviewDraft};
use crate::runs::RunService;

impl RunService {
    pub(crate) async fn edit_state(&self, request: EditState) -> Result<Landed, ApiError> {
        let id = self.store.resolve_run(&request.run).await?;
        let _alone = self.edits.lock().await;
        let (state, pipeline) = self.present_state(&id).await?;
        editable(&pipeline, &request.key)?;
        let value = match request.field.filter(|field| !field.is_empty()) {
            None => request.value.0,
            Some(field) => {
                let mut whole =
                    state.get(&request.key).map(|value| value.json_or_null().clone()).unwrap_or_default();
                let Some(object) = whole.as_object_mut() else {
                    let message = phrase!(
                        "`{key}` has no field `{field}` yet; wait until it is written",
                        key = request.key,
                        field
                    );
                    return Err(ApiError::new(Code::BadInput, message));
                };
                object.insert(field, request.value.0);
                whole
            }
        };
        let delta = pipeline.edited(&state, &request.key, Value::new(value))?;
        let mut facts = vec![Fact::StateChanged { delta }];
        // An edit continues a version that the person typed, unless a note keeps that version first.
        if request.is_new_version
            && self.store.shown_at(&id, Seq::MAX).await?.excerpt.typed.contains(&request.key)
        {
            facts.insert(0, Fact::Noted { note: Note::Kept { key: request.key.clone() } });
        }
        self.append(&id, facts).await
    }

    pub(crate) async fn review_draft(&self, request: ReviewDraft) -> Result<Landed, ApiError> {
        let id = self.store.resolve_run(&request.run).await?;
        let _alone = self.edits.lock().await;
        if self.is_at_work(&id) {
            let message = phrase!(
                "An agent of the run {id} is at work on the draft or its review. Do this when the run asks you, or when it has ended",
                id
            );
            return Err(ApiError::new(Code::Busy, message));
        }
        let (state, pipeline) = self.present_state(&id).await?;
        let delta = pipeline.reviewed(&state, &request.action)?;
        self.append(&id, vec![Fact::StateChanged { delta }]).await
    }

    pub(crate) async fn change_visit(&self, request: ChangeVisit) -> Result<Landed, ApiError> {
        let id = self.store.resolve_run(&request.run).await?;
        let _alone = self.edits.lock().await;
        if self.is_at_work(&id) {
            let message = phrase!(
                "An agent of the run {id} is at work. Change the visit when the run asks you, or when it has ended",
                id
            );
            return Err(ApiError::new(Code::Busy, message));
        }
        let (state, pipeline) = self.present_state(&id).await?;
        editable(&pipeline, &request.key)?;
        let delta = pipeline.changed_visit(&state, &request.key, &request.operation, engine::now())?;
        self.append(&id, vec![Fact::StateChanged { delta }]).await
    }

    /// Whether agents of a run work: each has its own copy of the state, and writes whole keys when it ends. While
    /// edits are locked, no answer continues a run and no run is resumed.
    fn is_at_work(&self, id: &RunId) -> bool {
        self.handle(id).is_some_and(|handle| !handle.has_ended()) && !self.answers.is_asking(id)
    }

    /// The present state of a run, and its pipeline.
    pub(crate) async fn present_state(&self, id: &RunId) -> Result<(State, Arc<Pipeline>), ApiError> {
        let card = self.store.run_card(id).await?;
        let state = match self.handle(id).filter(|handle| !handle.has_ended()) {
            Some(handle) => handle.fold().state,
            None => self.store.state_at(id, card.last_seq).await?,
        };
        Ok((state, self.pipeline_of_run(id, &card.pipeline).await?))
    }

    /// Appends actions of the person.
    async fn append(&self, id: &RunId, facts: Vec<Fact>) -> Result<Landed, ApiError> {
        let handle = self.handle(id).filter(|handle| !handle.has_ended());
        let mut seq = 0;
        for fact in facts {
            seq = match &handle {
                Some(handle) => handle.outside(fact).await?.seq,
                None => engine::append_outside(self.world.log.as_ref(), id, fact).await?.seq,
            };
        }
        Ok(Landed { seq })
    }
}

/// Checks that a person may change a key of a run.
///
/// # Errors
/// `not_found` with the existing keys; `bad_input` for an input.
pub(crate) fn editable(pipeline: &Pipeline, key: &str) -> Result<(), ApiError> {
    match pipeline.keys().iter().find(|known| known.name == key) {
        None => {
            let names: Vec<&str> = pipeline.keys().iter().map(|key| key.name.as_str()).collect();
            let message = phrase!("There is no key `{key}`; there is {known}", key, known = names);
            Err(ApiError::new(Code::NotFound, message))
        }
        Some(declared) if matches!(declared.role, Role::Input) => {
            let message = phrase!("`{key}` is an input; fork the run to change it", key);
            Err(ApiError::new(Code::BadInput, message))
        }
        Some(_) => Ok(()),
    }
}
