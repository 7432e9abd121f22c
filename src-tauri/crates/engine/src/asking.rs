//! Asking a model: the profile that stands in when one fails, and the person when nobody does.
//!
//! Not here: how the request is journalled (`effects`), sent and tried again (`perform`).

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::{
    AgentDefinition, Answer, Code, Effect, Fact, Fallback, Fault, ModelReply, ModelRequest, QuestionKind,
};
use serde_json::json;

use crate::llm::BuiltIn;
use crate::{AgentError, Cx, questions};

impl Cx {
    /// Asks a model, or the built-in function given with the request. Limits that are reached ask
    /// the person first; retries of transient failures happen inside and are journalled.
    pub async fn ask_model(
        &mut self,
        mut request: ModelRequest,
        built_in: Option<&BuiltIn>,
    ) -> Result<ModelReply, AgentError> {
        let mut own = (request.profile.clone(), request.model.clone());
        if let Some(other) = self.standing_in(&request) {
            (request.profile, request.model) = (other.profile, other.model);
        }
        loop {
            match self.effect(Effect::Model { request: request.clone() }, built_in).await? {
                Answer::Done { result } => return self.read_result(&result),
                Answer::Failed { fault } if fault.code.is_of_profile() || fault.code == Code::Network => {
                    // Who cannot be reached refused nothing: nobody stands in, the person may wait for the network.
                    if fault.code.is_of_profile() {
                        Arc::make_mut(&mut self.given_up).insert(request.profile.clone());
                    }
                    let Some(other) = self.standing_in(&request) else {
                        match self.ask_about_profile(&request.profile, fault).await? {
                            Some(agent) => own = (agent.profile, agent.model),
                            // It was mended: whoever failed before is asked again, the agent's own first.
                            None => Arc::make_mut(&mut self.given_up).clear(),
                        }
                        (request.profile, request.model) = own.clone();
                        continue;
                    };
                    let sentence = format!(
                        "Profile {} cannot answer, {} goes on with profile {} ({}): {}",
                        request.profile,
                        self.name(),
                        other.profile,
                        other.model,
                        fault.message
                    );
                    let parameters =
                        json!({ "from": request.profile, "to": other.profile, "code": fault.code });
                    self.surface_note("switch", sentence, parameters)?;
                    (request.profile, request.model) = (other.profile, other.model);
                }
                answer => self.stopped(answer).await?,
            }
        }
    }

    /// The profile to ask in place of one that failed before: the first fallback that has not failed too.
    fn standing_in(&self, request: &ModelRequest) -> Option<Fallback> {
        if !self.given_up.contains(&request.profile) {
            return None;
        }
        let definition = self.definition();
        let fallbacks = &definition.agents.get(self.name())?.fallbacks;
        fallbacks.iter().find(|other| !self.given_up.contains(&other.profile)).cloned()
    }

    /// Nobody stands in for a profile that failed: the person mends it (then nothing is given), names another (then what
    /// this agent runs with from here on), or lets the run end with the fault.
    async fn ask_about_profile(
        &mut self,
        profile: &str,
        fault: Fault,
    ) -> Result<Option<AgentDefinition>, AgentError> {
        let recorded = self.shared.writer.recorded(&self.path, self.n + 1).map(|event| event.fact);
        let question = match (recorded, self.shared.world.clone()) {
            // Which other profiles there were is known of no replay: its question is the recorded one.
            (Some(Fact::EffectAsked { effect: Effect::Question { question }, .. }), _)
                if matches!(question.kind, QuestionKind::Profile { .. }) =>
            {
                question
            }
            // Older programs gave up here.
            (Some(_), _) => return Err(fault.into()),
            (None, Some(world)) => {
                let mut failed = (*self.given_up).clone();
                failed.insert(profile.to_owned());
                let others = world.models.others(&self.definition(), &failed).await;
                questions::profile(profile, &fault, others)
            }
            (None, None) => questions::profile(profile, &fault, BTreeMap::new()),
        };
        let answer = self.ask_user(question.clone()).await?;
        if answer == questions::STOP {
            return Err(Fault { profile: Some(profile.into()), ..fault }.into());
        }
        let Some(change) = questions::change(&question, &Answer::Failed { fault }, &answer) else {
            return Ok(None);
        };
        self.shared.writer.change_definition(self.at, move |definition| change.apply(definition));
        Ok(self.definition().agents.get(self.name()).cloned())
    }
}
