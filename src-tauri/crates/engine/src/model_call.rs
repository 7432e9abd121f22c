//! Asks a model: falls back to another profile when one fails, and asks the person when none is left.
//!
//! Not here: how the request is journalled (`effect_journal`), sent (`effect_execution`) and retried (`attempts`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use kernel::{
    AgentDefinition, Answer, BUILT_IN, Code, Effect, Error, Fact, Fallback, ModelReply, ModelRequest, Note,
    OnFailure, Question, QuestionKind, Value,
};

use crate::error::unanswered;
use crate::llm_agent_parts::BuiltIn;
use crate::{AgentError, Cx, questions};

impl Cx {
    /// Asks a model, or the built-in function given with the request. The person decides about reached limits; retries
    /// of transient failures happen inside and are journalled.
    ///
    /// # Errors
    /// The model failed for good without a fallback, a limit was reached, or the run was stopped.
    pub async fn ask_model(
        &mut self,
        mut request: ModelRequest,
        built_in: Option<&BuiltIn>,
    ) -> Result<ModelReply, AgentError> {
        let mut own = (request.profile.clone(), request.model.clone());
        if let Some(other) = self.fallback_of_failed(&request, &BTreeSet::new()) {
            (request.profile, request.model) = (other.profile, other.model);
        }
        // The profiles whose model cannot hold this request; they may hold the next one.
        let mut too_small = BTreeSet::new();
        loop {
            self.note_without_model(&request)?;
            match self.effect(Effect::Model { request: request.clone() }, built_in).await? {
                Answer::Done { result } => return self.read_result(&result),
                Answer::Failed { error } if error.code.is_of_model() && request.profile != BUILT_IN => {
                    // An unreachable server is no failure of the profile: there is no fallback, and the person may wait
                    // for the network.
                    if error.code.is_of_profile() {
                        Arc::make_mut(&mut self.given_up).insert(request.profile.clone());
                    } else if error.code == Code::ContextExceeded {
                        too_small.insert(request.profile.clone());
                    }
                    let Some(other) = self.fallback_of_failed(&request, &too_small) else {
                        match self.ask_about_profile(&request.profile, error).await? {
                            Some(agent) => own = (agent.profile, agent.model),
                            // The person repaired the profile: all failed profiles are tried again, the agent's own
                            // first.
                            None => Arc::make_mut(&mut self.given_up).clear(),
                        }
                        too_small.clear();
                        (request.profile, request.model) = own.clone();
                        continue;
                    };
                    let (from, to) = (request.profile.clone(), other.profile.clone());
                    self.fell_back(from, to, error)?;
                    (request.profile, request.model) = (other.profile, other.model);
                }
                answer => self.stopped(answer).await?,
            }
        }
    }

    /// The profile that replaces one that failed before, or that is too small for this request: the first fallback that
    /// is neither.
    fn fallback_of_failed(&self, request: &ModelRequest, too_small: &BTreeSet<String>) -> Option<Fallback> {
        let is_out = |profile: &String| self.given_up.contains(profile) || too_small.contains(profile);
        if !is_out(&request.profile) {
            return None;
        }
        self.settings()?.fallbacks.iter().find(|other| !is_out(&other.profile)).cloned()
    }

    /// Asks the person about a failed profile without a fallback. They repair it (returns `None`), choose another one
    /// (returns the new settings of the agent), or end the run with the error.
    async fn ask_about_profile(
        &mut self,
        profile: &str,
        error: Error,
    ) -> Result<Option<AgentDefinition>, AgentError> {
        let recorded = self.shared.writer.recorded(&self.path, self.n + 1).map(|event| event.fact);
        let question = match (recorded, self.shared.world.clone()) {
            // A replay does not know which other profiles existed, so it uses the recorded question.
            (Some(Fact::EffectAsked { effect: Effect::Question { question }, .. }), _)
                if matches!(question.kind, QuestionKind::Profile { .. }) =>
            {
                question
            }
            // No person was there.
            (Some(_), _) => return Err(error.into()),
            (None, _) if !is_of_access(&error) && !self.may_ask_about_failure() => return Err(error.into()),
            (None, Some(world)) => {
                let mut failed = (*self.given_up).clone();
                failed.insert(profile.to_owned());
                let others = world.models.others(&self.definition(), &failed).await;
                questions::profile(profile, &error, others)
            }
            (None, None) => questions::profile(profile, &error, BTreeMap::new()),
        };
        let answer = self.decide_about_failure(&question).await?;
        if answer == questions::STOP {
            return Err(Error { profile: Some(profile.into()), ..error }.into());
        }
        let Some(change) = questions::change(&question, &Value::text(answer)) else {
            return Ok(None);
        };
        self.shared.writer.change_definition(self.at, move |definition| change.apply(definition));
        Ok(self.settings())
    }

    /// Asks the person about an answer that could not be used for good: whether the agent tries again, with the model
    /// or without one. False ends it with the error.
    pub(crate) async fn ask_about_malformed(
        &mut self,
        error: &Error,
        has_built_in: bool,
    ) -> Result<bool, AgentError> {
        if self.settings().is_none_or(|agent| agent.profile == BUILT_IN) {
            return Ok(false);
        }
        let recorded = self.shared.writer.recorded(&self.path, self.n + 1).map(|event| event.fact);
        let is_question = |fact: &Fact| matches!(fact, Fact::EffectAsked { effect: Effect::Question { question }, .. } if question.kind == QuestionKind::Malformed);
        let is_asked = match &recorded {
            Some(fact) => is_question(fact),
            None => self.may_ask_about_failure(),
        };
        if !is_asked {
            return Ok(false);
        }
        let question = questions::malformed(error, self.name(), has_built_in);
        let answer = self.decide_about_failure(&question).await?;
        if let Some(change) = questions::change(&question, &Value::text(answer.clone())) {
            self.shared.writer.change_definition(self.at, move |definition| change.apply(definition));
        }
        Ok(answer != questions::STOP)
    }

    /// Whether a person who is there, or a choice made in advance, decides about a stage whose model failed.
    fn may_ask_about_failure(&self) -> bool {
        let is_present = self.shared.world.as_ref().is_some_and(|world| world.user_prompt.is_present());
        is_present || self.definition().on_failure == OnFailure::BuiltIn
    }

    /// The answer to a question about a failed model: the person's, or at once the choice to work without a model where
    /// it was made in advance.
    async fn decide_about_failure(&mut self, question: &Question) -> Result<String, AgentError> {
        let without_model = questions::without_model(question).map(Value::text);
        match without_model.filter(|_| self.definition().on_failure == OnFailure::BuiltIn) {
            None => self.ask_user(question.clone()).await,
            Some(answer) => {
                let effect = Effect::Question { question: question.clone() };
                match self.effect_known(effect, Answer::Done { result: answer }).await? {
                    Answer::Done { result } => self.read_result(&result),
                    answer => Err(unanswered(answer)),
                }
            }
        }
    }

    /// Notes that this agent works without a model because its model failed, and so ignores its instruction.
    fn note_without_model(&mut self, request: &ModelRequest) -> Result<(), AgentError> {
        let definition = self.definition();
        if request.profile != BUILT_IN {
            return Ok(());
        }
        if definition.given_instructions.iter().any(|agent| agent == self.name()) {
            self.surface_note(Note::InstructionUnread)?;
        }
        match self.settings().is_some_and(|own| own.is_without_model) {
            true => self.surface_note(Note::WithoutModel),
            false => Ok(()),
        }
    }
}

/// Whether a profile cannot be used, or its server not be reached. The question is logged even without a person,
/// because they repair the profile elsewhere and resume the run.
fn is_of_access(error: &Error) -> bool {
    error.code.is_of_profile() || error.code == Code::Network
}
