//! The person's actions during a run: sends messages to it, sets gates, answers at a gate.

use engine::RunHandle;
use kernel::{Code, Delta, Effect, Fact, GateAnswer, ITEM, RESULT, RunId, Seq, USER_WORDS, Value, phrase};
use serde::Deserialize;
use serde_json::json;

use crate::ApiError;
use crate::api::{Landed, SayToRun, SetGates};
use crate::runs::RunService;
use crate::runs::edits::editable;
use crate::runs::held_elsewhere::ToHolder;
use crate::runs::places::known_gates;

/// Longest message to a run, in characters.
const LONGEST_WORD: usize = 4000;

impl RunService {
    pub(crate) async fn say_to_run(&self, request: SayToRun) -> Result<Landed, ApiError> {
        let id = self.store.resolve_run(&request.run).await?;
        let said = request.text.trim();
        if said.is_empty() || said.chars().count() > LONGEST_WORD {
            let message = phrase!("A word to a run has 1 to {most} characters", most = LONGEST_WORD);
            return Err(ApiError::new(Code::BadInput, message));
        }
        if self.is_held_elsewhere(&id).await? {
            let request = SayToRun { run: id.0.clone(), text: said.to_owned() };
            return self.ask_holder(&id, &ToHolder::SayToRun(request)).await;
        }
        self.say_to_run_here(SayToRun { run: id.0, text: said.to_owned() }).await
    }

    pub(crate) async fn say_to_run_here(&self, request: SayToRun) -> Result<Landed, ApiError> {
        let id = RunId(request.run);
        let handle = self.at_work(&id)?;
        let _alone = self.edits.lock().await;
        let fold = handle.fold();
        let known = fold.state.get(USER_WORDS).and_then(|words| words.json()).cloned().unwrap_or_default();
        let mut words = known.as_array().cloned().unwrap_or_default();
        words.push(json!(request.text));
        let delta = Delta::of(USER_WORDS, json!(words));
        Ok(Landed { seq: handle.outside(Fact::StateChanged { delta }).await?.seq })
    }

    pub(crate) async fn set_gates(&self, request: SetGates) -> Result<Landed, ApiError> {
        let id = self.store.resolve_run(&request.run).await?;
        let request = SetGates { run: id.0.clone(), ..request };
        if self.is_held_elsewhere(&id).await? {
            return self.ask_holder(&id, &ToHolder::SetGates(request)).await;
        }
        self.set_gates_here(request).await
    }

    pub(crate) async fn set_gates_here(&self, request: SetGates) -> Result<Landed, ApiError> {
        let id = RunId(request.run);
        let handle = self.at_work(&id)?;
        let start = self.store.start(&id).await?;
        known_gates(&start.definition.outline, &request.gates)?;
        Ok(Landed { seq: handle.outside(Fact::GatesSet { gates: request.gates }).await?.seq })
    }

    /// A live run of this process.
    fn at_work(&self, id: &RunId) -> Result<RunHandle, ApiError> {
        self.handle(id).filter(|handle| !handle.has_ended()).ok_or_else(|| {
            let message = phrase!(
                "The run {id} does not go on, so no agent would read this. Resume it, or start the next run with it",
                id
            );
            ApiError::new(Code::BadInput, message)
        })
    }

    /// An answer in the form that the run needs: values changed at a gate are converted to their keys' types, with all
    /// derived keys.
    ///
    /// # Errors
    /// `bad_input` where a key cannot be changed, or the value has another shape.
    pub(crate) async fn checked_answer(
        &self,
        id: &RunId,
        question: Option<Seq>,
        value: Value,
    ) -> Result<Value, ApiError> {
        let Ok(GateAnswer::GoOnWith(given)) = GateAnswer::deserialize(value.json_or_null()) else {
            return Ok(value);
        };
        if let Some(key) = given.removed.first() {
            let message = phrase!("`{key}` cannot be removed at a gate; set it to another value", key);
            return Err(ApiError::new(Code::BadInput, message));
        }
        let recorded = self.world.log.load(id).await?;
        let (asked, _) = engine::asked_question(&recorded.events, question)?;
        let has_item = matches!(&asked.fact, Fact::EffectAsked { effect: Effect::Question { question }, .. }
            if question.at_gate().is_some_and(|gate| gate.item.is_some()));
        let own = if has_item { ITEM } else { RESULT };
        let is_in_instance = asked.path.own_instance().is_some();
        let (mut state, pipeline) = self.present_state(id).await?;
        let mut delta = Delta::default();
        for (key, value) in given.set {
            // The input and output of an instance are local, so the pipeline has no key for them.
            let change = if is_in_instance && key == own {
                Delta { set: [(key, value)].into(), removed: Vec::new() }
            } else {
                editable(&pipeline, &key)?;
                pipeline.edited(&state, &key, value)?
            };
            state.apply(&change);
            delta.set.extend(change.set);
            delta.removed.extend(change.removed);
        }
        let answer = serde_json::to_value(GateAnswer::GoOnWith(delta));
        Ok(Value::new(answer.map_err(|error| ApiError::new(Code::Internal, phrase!("{error}", error)))?))
    }
}
