//! Effects: every touch of the world is asked here, journalled, answered or found in the records.
//!
//! One mechanism carries resume, replay, fork and tests: a recorded `done` answer to the same
//! request at the same place is used, anything else is asked of the world (laws 2 to 4).

use std::sync::Arc;
use std::time::Duration;

use kernel::{
    Answer, Code, Effect, EffectClass, Fact, Fallback, Fault, Gist, Interruption, LimitName, ModelReply,
    ModelRequest, OnceDone, Question, QuestionKind, ToolCall, ToolResult, Value,
};
use serde_json::json;

use crate::llm::BuiltIn;
use crate::perform::{Performed, now_ms};
use crate::{AgentError, Cx, limits, questions};

/// How long an unanswered request may stay unstored: others then see it as in flight.
const FLUSH_AFTER: Duration = Duration::from_millis(25);

impl Cx {
    /// Asks a model, or the built-in function given with the request. Limits that are reached ask
    /// the person first; retries of transient failures happen inside and are journalled.
    pub async fn ask_model(
        &mut self,
        mut request: ModelRequest,
        built_in: Option<&BuiltIn>,
    ) -> Result<ModelReply, AgentError> {
        if let Some(other) = self.standing_in(&request) {
            (request.profile, request.model) = (other.profile, other.model);
        }
        loop {
            match self.effect(Effect::Model { request: request.clone() }, built_in).await? {
                Answer::Done { result } => return self.read_result(&result),
                Answer::Failed { fault } if fault.code.is_of_profile() => {
                    Arc::make_mut(&mut self.given_up).insert(request.profile.clone());
                    let Some(other) = self.standing_in(&request) else { return Err(fault.into()) };
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

    /// Calls a tool. A tool that may be done only once asks for permission unless it was given.
    pub async fn call_tool(
        &mut self,
        tool: &str,
        input: serde_json::Value,
    ) -> Result<ToolResult, AgentError> {
        let call = self.describe_call(tool, input)?;
        let is_once = call.class == EffectClass::Once;
        let done_before = if is_once { self.ask_before_acting(&call).await? } else { None };
        let effect = Effect::Tool { call: call.clone() };
        loop {
            let answer = match &done_before {
                Some(done) => self.effect_known(effect.clone(), done.result.clone()).await?,
                None => self.effect(effect.clone(), None).await?,
            };
            let was_cut_off = matches!(answer, Answer::Interrupted { .. });
            match answer {
                Answer::Done { result } => return self.read_result(&result),
                answer => self.stopped(answer).await?,
            }
            if is_once
                && was_cut_off
                && self.ask_user(questions::was_in_flight(&call)).await? != questions::REPEAT
            {
                return Err(not_repeated(&call).into());
            }
        }
    }

    /// The run's clock, milliseconds since 1970 UTC.
    pub async fn now(&mut self) -> Result<i64, AgentError> {
        match self.effect(Effect::Clock, None).await? {
            Answer::Done { result } => self.read_result(&result),
            answer => Err(unanswered(answer)),
        }
    }

    /// A fresh id.
    pub async fn new_id(&mut self) -> Result<String, AgentError> {
        match self.effect(Effect::Id, None).await? {
            Answer::Done { result } => self.read_result(&result),
            answer => Err(unanswered(answer)),
        }
    }

    /// Asks the person and waits. When nobody is there the run ends as waiting; its answer continues it.
    pub async fn ask_user(&mut self, question: Question) -> Result<String, AgentError> {
        let text = question.text.clone();
        match self.effect(Effect::Question { question }, None).await {
            Ok(Answer::Done { result }) => self.read_result(&result),
            Ok(answer) => Err(unanswered(answer)),
            Err(AgentError::Waiting(_)) => Err(AgentError::Waiting(text)),
            Err(error) => Err(error),
        }
    }

    fn read_result<T: serde::de::DeserializeOwned>(&self, result: &Value) -> Result<T, AgentError> {
        T::deserialize(result.json_or_null()).map_err(|error| {
            let message = format!("A recorded answer of `{}` cannot be read: {error}", self.author);
            AgentError::Failed(Fault::new(Code::Internal, message))
        })
    }

    fn describe_call(&self, tool: &str, input: serde_json::Value) -> Result<ToolCall, AgentError> {
        // In a replay no tool is plugged in: the description is the recorded one.
        let recorded = match self.shared.writer.recorded(&self.path, self.n + 1).map(|event| event.fact) {
            Some(Fact::EffectAsked { effect: Effect::Tool { call }, .. }) => Some(call),
            Some(Fact::EffectAsked { effect: Effect::Question { question }, .. }) => {
                questions::call_of(&question)
            }
            _ => None,
        };
        if let Some(call) = recorded.filter(|call| call.tool == tool) {
            return Ok(ToolCall { input: Value::new(input), ..call });
        }
        let Some(world) = &self.shared.world else {
            let (class, title) = (EffectClass::Pure, tool.to_owned());
            return Ok(ToolCall { tool: tool.to_owned(), input: Value::new(input), class, title });
        };
        let Some(known) = world.tools.get(tool) else {
            let names: Vec<&str> = world.tools.keys().map(String::as_str).collect();
            let message =
                format!("`{}` asked for the tool `{tool}`; it has {}", self.author, names.join(", "));
            return Err(Fault::new(Code::NotFound, message).into());
        };
        let title = known.title(&input);
        Ok(ToolCall { tool: tool.to_owned(), input: Value::new(input), class: known.describe().class, title })
    }

    /// Permission, and whether a fork's parent did it already.
    async fn ask_before_acting(&mut self, call: &ToolCall) -> Result<Option<OnceDone>, AgentError> {
        if !self.definition().allowed_tools.contains(&call.tool) {
            let answer = self.ask_user(questions::permission(call)).await?;
            if answer != questions::ALLOW {
                let message =
                    format!("`{}` may not act without your permission; allow it for this run", call.tool);
                return Err(Fault::new(Code::PermissionNeeded, message).into());
            }
        }
        // Only now: the permission may be recorded from before a fork, whose parent did it after that.
        let Some(done) = self.definition().done_before(call).cloned() else { return Ok(None) };
        let answer = self.ask_user(questions::done_before(call)).await?;
        Ok((answer != questions::REPEAT).then_some(done))
    }

    /// An effect whose answer is known without acting.
    async fn effect_known(&mut self, effect: Effect, result: Value) -> Result<Answer, AgentError> {
        let reads = self.take_reads();
        let at_ms = self.shared.time(self.clock_ms);
        let asked = self.emit_at(Fact::EffectAsked { effect, reads }, false, at_ms)?.n;
        if let Some(answer) = self.recorded_answer(asked)? {
            return Ok(answer);
        }
        self.answered(asked, Performed::at_once(Answer::Done { result }), at_ms).await
    }

    async fn effect(&mut self, effect: Effect, built_in: Option<&BuiltIn>) -> Result<Answer, AgentError> {
        let is_recorded = self.shared.writer.recorded(&self.path, self.n + 1).is_some();
        if !is_recorded {
            self.stop_if_cancelled()?;
        }
        let reads = self.take_reads();
        let asked_at = self.shared.time(self.clock_ms);
        if !is_recorded && self.shared.world.is_none() {
            return Err(self.not_recorded(&effect));
        }
        let asked = self.emit_at(Fact::EffectAsked { effect: effect.clone(), reads }, false, asked_at)?.n;
        self.repeat_question(&effect, is_recorded, asked).await?;
        if let Some(answer) = self.recorded_answer(asked)? {
            return Ok(answer);
        }
        let retries = self.recorded_retries()?;
        let Some(world) = self.shared.world.clone() else { return Err(AgentError::RecordsEnd) };
        let asked_at = now_ms().max(self.clock_ms);
        if let Some(fault) = limits::reached(self, &effect) {
            return self.answered(asked, Performed::at_once(Answer::Failed { fault }), asked_at).await;
        }
        if matches!(&effect, Effect::Tool { call } if call.class == EffectClass::Once) {
            // The intent stands on the disk before the act.
            self.shared.writer.commit().await?;
        }
        let shared = self.shared.clone();
        let performed = {
            let work = self.perform(&world, &effect, built_in, retries);
            tokio::pin!(work);
            match tokio::time::timeout(FLUSH_AFTER, &mut work).await {
                Ok(performed) => performed?,
                // Both go on together: the work may itself wait for what is being stored.
                Err(_) => {
                    let flush = shared.writer.commit();
                    tokio::pin!(flush);
                    tokio::select! {
                        biased;
                        performed = &mut work => {
                            flush.await?;
                            performed?
                        }
                        flushed = &mut flush => {
                            flushed?;
                            work.await?
                        }
                    }
                }
            }
        };
        self.answered(asked, performed, asked_at).await
    }

    /// An effect that may be done only once and was in flight when the program died: the person decides.
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
        let fault = not_repeated(call);
        let at_ms = now_ms().max(self.clock_ms);
        let answer = Answer::Failed { fault: fault.clone() };
        self.answered(asked, Performed::at_once(answer), at_ms).await?;
        Err(fault.into())
    }

    /// The recorded answer, with the notes that lead to it produced again.
    fn recorded_answer(&mut self, asked: u32) -> Result<Option<Answer>, AgentError> {
        let Some(event) = self.shared.writer.recorded_answer(&self.path, asked) else { return Ok(None) };
        let Fact::EffectAnswered { answer, retries, .. } = &event.fact else { return Ok(None) };
        for fault in retries {
            self.note_retry(fault)?;
        }
        self.clock_ms = self.clock_ms.max(event.at_ms);
        let answer = answer.clone();
        // A correction by hand carries the person's name; whoever answered, the record is taken as it is.
        self.emit_recorded(event)?;
        Ok(Some(answer))
    }

    fn emit_recorded(&mut self, event: kernel::Event) -> Result<(), AgentError> {
        let (fact, surface, at_ms) = (event.fact, event.surface, event.at_ms);
        self.n = event.n - 1;
        self.emit_at(fact, surface, at_ms)?;
        Ok(())
    }

    /// Retries that were journalled before the program died: they still count.
    fn recorded_retries(&mut self) -> Result<Vec<Fault>, AgentError> {
        let mut retries = Vec::new();
        while let Some(event) = self.shared.writer.recorded(&self.path, self.n + 1) {
            let Fact::Noted { note } = &event.fact else { break };
            if note.kind != "retry" {
                break;
            }
            if let Ok(fault) = serde_json::from_value(note.parameters.0.clone()) {
                retries.push(fault);
            }
            self.emit_recorded(event)?;
        }
        Ok(retries)
    }

    pub(crate) fn note_retry(&mut self, fault: &Fault) -> Result<(), AgentError> {
        let wait =
            fault.retry_after_ms.map_or(String::new(), |ms| format!(" in {:.1} s", ms as f64 / 1000.0));
        let sentence = format!("{} asks again{wait}: {}", self.author, fault.message);
        self.note("retry", sentence, serde_json::to_value(fault).unwrap_or_default())
    }

    async fn answered(
        &mut self,
        asked: u32,
        performed: Performed,
        asked_at: i64,
    ) -> Result<Answer, AgentError> {
        if matches!(performed.answer, Answer::Interrupted { reason: Interruption::Cancelled, .. })
            && performed.is_unasked
        {
            // A question nobody answered before the stop stays open.
            return Err(AgentError::Cancelled);
        }
        if performed.is_waiting {
            self.shared.writer.commit().await?;
            return Err(AgentError::Waiting(String::new()));
        }
        // The clock and ids cost nothing to ask again, and nothing that follows from them is stored without them.
        let is_worth_storing = !performed.is_local;
        let at_ms = self.shared.time(asked_at);
        let took_ms = u64::try_from(at_ms - asked_at).unwrap_or(0);
        let answer = performed.answer;
        let fact = Fact::EffectAnswered {
            asked,
            gist: Gist::of(&answer),
            answer: answer.clone(),
            took_ms,
            waited_ms: performed.waited_ms.min(took_ms),
            retries: performed.retries,
        };
        self.clock_ms = at_ms;
        self.emit_at(fact, false, at_ms)?;
        if is_worth_storing {
            self.shared.writer.commit().await?;
        }
        Ok(answer)
    }

    /// What follows from an answer that is not `done`: an error, or another try after a limit was raised.
    async fn stopped(&mut self, answer: Answer) -> Result<(), AgentError> {
        let Some((reached, fault)) = limits::told_by(&answer) else { return Err(unanswered(answer)) };
        let answer = self.ask_user(questions::limit(&reached, &fault)).await?;
        if answer == questions::STOP {
            self.shared.cancel.cancel();
            return Err(AgentError::Cancelled);
        }
        let Some(more) = reached.added(&answer) else { return Err(AgentError::Limit { fault }) };
        self.shared.writer.change_definition(self.at, move |definition| definition.raise(&reached, more));
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

fn not_repeated(call: &ToolCall) -> Fault {
    let message =
        format!("`{}` was in flight when the program stopped, and you chose not to repeat it", call.tool);
    Fault::new(Code::ToolFailed, message)
}

fn unanswered(answer: Answer) -> AgentError {
    match answer {
        Answer::Interrupted { reason: Interruption::Cancelled, .. } => AgentError::Cancelled,
        Answer::Interrupted { reason: Interruption::TimeUsedUp { most }, .. } => {
            limits::fault(LimitName::MaxExecutionTimeS, most, None).into()
        }
        Answer::Failed { fault } => fault.into(),
        Answer::Done { .. } => Fault::new(Code::Internal, "An answer was taken for a failure").into(),
    }
}
