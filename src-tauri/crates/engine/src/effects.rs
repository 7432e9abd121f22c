//! Effects: each access to the outside world is requested here, and its answer is found in the records or executed.
//!
//! Resume, replay, fork and tests use one mechanism: a recorded `done` answer to the same request at the same path is
//! reused, and any other effect is executed (laws 2 to 4).
//!
//! Not here: how the answer is journalled (`effect_journal`), and how the effect is executed (`effect_execution`).

use std::sync::Arc;
use std::time::Duration;

use kernel::{
    Answer, BUILT_IN, Code, Effect, EffectClass, Error, Fact, Question, QuestionKind, ToolCall, ToolFailure,
    Value, phrase,
};

use crate::clock::Moment;
use crate::effect_journal::EffectResult;
use crate::error::unanswered;
use crate::llm_agent_parts::BuiltIn;
use crate::log_hold::allow_disk_refusal;
use crate::tool::failure;
use crate::{AgentError, Cx, admission, limits, questions};

/// How long an unanswered request may stay unstored. Once it is stored, other processes see it as in flight.
const FLUSH_AFTER: Duration = Duration::from_millis(25);

impl Cx {
    /// The run's clock, milliseconds since 1970 UTC.
    ///
    /// # Errors
    /// The run was stopped, or a replay requests another effect.
    pub async fn now(&mut self) -> Result<i64, AgentError> {
        match self.effect(Effect::Clock, None).await? {
            Answer::Done { result } => self.read_result(&result),
            answer => Err(unanswered(answer)),
        }
    }

    /// A fresh id.
    ///
    /// # Errors
    /// The run was stopped, or a replay requests another effect.
    pub async fn new_id(&mut self) -> Result<String, AgentError> {
        match self.effect(Effect::Id, None).await? {
            Answer::Done { result } => self.read_result(&result),
            answer => Err(unanswered(answer)),
        }
    }

    /// Asks the person and waits. Without a person the run ends as waiting, and their answer resumes it.
    ///
    /// # Errors
    /// The run was stopped, or no person is there.
    pub async fn ask_user(&mut self, question: Question) -> Result<String, AgentError> {
        let answer = self.ask(question).await?;
        self.read_result(&answer)
    }

    /// As [`Cx::ask_user`], for answers that may be more than a text.
    pub(crate) async fn ask(&mut self, question: Question) -> Result<Value, AgentError> {
        let text = question.text.clone();
        let since = self.now.ran_ms;
        let answer = self.effect(Effect::Question { question }, None).await;
        if std::mem::take(&mut self.is_away) {
            self.work_again().await;
        }
        match answer {
            Ok(Answer::Done { result }) => {
                Arc::make_mut(&mut self.waits).push((since, self.now.ran_ms));
                Ok(result)
            }
            Ok(answer) => Err(unanswered(answer)),
            Err(AgentError::Waiting(_)) => Err(AgentError::Waiting(text)),
            Err(error) => Err(error),
        }
    }

    /// An effect whose answer is known without executing it.
    pub(crate) async fn effect_known(
        &mut self,
        effect: Effect,
        answer: Answer,
    ) -> Result<Answer, AgentError> {
        let reads = self.take_reads();
        let at = self.shared.time(self.now);
        let event = self.emit_at(Fact::EffectAsked { effect, reads }, false, at)?;
        self.has_asked(&event);
        let asked = event.n;
        if let Some(answer) = self.recorded_answer(asked)? {
            return Ok(answer);
        }
        self.answered(asked, EffectResult { sent: Some(0), ..EffectResult::at_once(answer) }, at).await
    }

    pub(crate) async fn effect(
        &mut self,
        effect: Effect,
        built_in: Option<&BuiltIn>,
    ) -> Result<Answer, AgentError> {
        let is_recorded = self.shared.writer.recorded(&self.path, self.n + 1).is_some();
        self.decided = None;
        if !is_recorded {
            self.stop_if_cancelled()?;
        }
        let reads = self.take_reads();
        let asked_at = self.shared.time(self.now);
        if !is_recorded && self.shared.world.is_none() {
            return Err(self.not_recorded(&effect));
        }
        let event = self.emit_at(Fact::EffectAsked { effect: effect.clone(), reads }, false, asked_at)?;
        self.has_asked(&event);
        let asked = event.n;
        self.repeat_question(&effect, is_recorded, asked).await?;
        if let Some(answer) = self.recorded_answer(asked)? {
            return Ok(answer);
        }
        // The connection that received the answers to its questions is gone, so a repeated call starts without them.
        let effect = match effect {
            Effect::Tool { call } if is_recorded => Effect::Tool { call: ToolCall { given: None, ..call } },
            effect => effect,
        };
        self.repeat_tries()?;
        let Some(world) = self.shared.world.clone() else { return Err(AgentError::RecordsEnd) };
        let asked_at = self.shared.time(self.now);
        let mut admitted = match admission::admit(self, &effect) {
            Ok(admitted) => admitted,
            Err(error) => {
                let refused = EffectResult::at_once(Answer::Failed { error });
                return self.answered(asked, refused, asked_at).await;
            }
        };
        if may_cost(&effect) {
            // The request is stored before it is sent: if the program dies afterwards, the effect may have happened.
            if let Err(error) = self.shared.writer.commit().await {
                return Err(self.unsent(asked, asked_at, error).await);
            }
        }
        let shared = self.shared.clone();
        let performed = {
            // Boxed because this future is large and every future that awaits it would contain it.
            let performing = Box::pin(self.perform(&world, &effect, &event, built_in, &mut admitted));
            let work = shared.clock.during(performing);
            tokio::pin!(work);
            match tokio::time::timeout(FLUSH_AFTER, &mut work).await {
                Ok(performed) => {
                    let performed = performed?;
                    EffectResult {
                        is_local: performed.is_local || is_pure_without_account(&effect),
                        ..performed
                    }
                }
                // Storing and the effect continue concurrently: the effect may itself wait for the store.
                Err(_) => {
                    let flush = shared.writer.commit();
                    tokio::pin!(flush);
                    tokio::select! {
                        biased;
                        performed = &mut work => {
                            allow_disk_refusal(flush.await)?;
                            performed?
                        }
                        flushed = &mut flush => {
                            allow_disk_refusal(flushed)?;
                            work.await?
                        }
                    }
                }
            }
        };
        drop(admitted);
        self.answered(asked, performed, asked_at).await
    }

    /// Answers a request that could not be journalled and is not sent: it may be stored later with other events.
    async fn unsent(&mut self, asked: u32, asked_at: Moment, error: AgentError) -> AgentError {
        if let AgentError::Log(refusal) = &error
            && refusal.code.is_of_disk()
        {
            let answer = Answer::Failed { error: refusal.clone().into() };
            let performed = EffectResult { sent: Some(0), ..EffectResult::at_once(answer) };
            // The disk is known to refuse this event too.
            let _ = self.answered(asked, performed, asked_at).await;
        }
        error
    }

    /// Asks the person about an effect that may be executed only once and was in flight when the program died.
    async fn repeat_question(
        &mut self,
        effect: &Effect,
        is_recorded: bool,
        asked: u32,
    ) -> Result<(), AgentError> {
        let Effect::Tool { call } = effect else { return Ok(()) };
        if call.class != EffectClass::Once || !is_recorded {
            return Ok(());
        }
        let next = self.shared.writer.recorded(&self.path, self.n + 1).map(|event| event.fact);
        let was_asked = matches!(
            &next,
            Some(Fact::EffectAsked { effect: Effect::Question { question }, .. }) if question.kind == QuestionKind::Repeat
        );
        let is_answered = self.shared.writer.recorded_answer(&self.path, asked).is_some();
        if is_answered && !was_asked {
            return Ok(());
        }
        if self.shared.world.is_none() && !was_asked {
            return Err(AgentError::RecordsEnd);
        }
        let answer = Box::pin(self.ask_user(questions::was_in_flight(call))).await?;
        if answer == questions::REPEAT || self.shared.writer.recorded_answer(&self.path, asked).is_some() {
            return Ok(());
        }
        let error = not_repeated(call);
        let at = self.shared.time(self.now);
        let answer = Answer::Failed { error: error.clone() };
        self.answered(asked, EffectResult::at_once(answer), at).await?;
        Err(error.into())
    }

    /// Returns the error of an answer that is not `done`, or lets the effect be tried again after a limit was raised.
    pub(crate) async fn stopped(&mut self, answer: Answer) -> Result<(), AgentError> {
        let Some((reached, error)) = limits::limit_of(&answer) else { return Err(unanswered(answer)) };
        let question = questions::limit(&reached);
        let chosen = match self.decided.take() {
            Some(decided) => decided,
            None => self.ask_user(question.clone()).await?,
        };
        if chosen == questions::STOP {
            self.shared.cancel.cancel();
            return Err(AgentError::Cancelled);
        }
        if questions::is_tried_again(&question, &chosen) {
            return Ok(());
        }
        let Some(change) = questions::change(&question, &Value::text(chosen)) else {
            return Err(AgentError::Limit { error });
        };
        self.shared.writer.change_definition(self.at, move |definition| change.apply(definition));
        Ok(())
    }

    fn not_recorded(&self, effect: &Effect) -> AgentError {
        let fold = self.shared.writer.fold();
        if self.shared.is_open_ended {
            return AgentError::RecordsEnd;
        }
        crate::Divergence {
            seq: fold.last_seq,
            path: self.path.to_string(),
            recorded: serde_json::Value::Null,
            produced: serde_json::to_value(effect).unwrap_or_default(),
        }
        .into()
    }
}

pub(crate) fn not_repeated(call: &ToolCall) -> Error {
    let message = phrase!(
        "`{tool}` was in flight when the program stopped, and you chose not to repeat it",
        tool = call.tool
    );
    failure(Code::ToolFailed, ToolFailure::OutcomeUnknown, message)
}

/// Whether the effect can cost money, or may be executed only once.
fn may_cost(effect: &Effect) -> bool {
    match effect {
        Effect::Model { request } => request.profile != BUILT_IN,
        Effect::Tool { .. } => !is_pure_without_account(effect),
        Effect::Clock | Effect::Id | Effect::Question { .. } => false,
    }
}

/// Whether a tool call is pure and uses no account, so that it can be repeated without asking.
fn is_pure_without_account(effect: &Effect) -> bool {
    matches!(effect, Effect::Tool { call } if call.class == EffectClass::Pure && call.credential_route.is_none())
}
