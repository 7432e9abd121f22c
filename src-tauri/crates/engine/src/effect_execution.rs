//! Executes effects: model requests with retries, tool calls, clock, questions to the person.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use backon::BackoffBuilder;
use kernel::{
    Answer, BUILT_IN, Code, Effect, Error, Event, Fact, Instance, Interruption, ModelReply, ModelRequest,
    PermissionAnswer, Question, QuestionKind, Reached, Remark, Seq, SubTask, SubTaskWork, ToolResult, Value,
    WastedUsage, phrase,
};
use serde::Serialize;
use serde_json::json;

use crate::admission::Admitted;
use crate::clock::{new_id, now_ms};
use crate::llm_agent_parts::BuiltIn;
use crate::log_hold::allow_disk_refusal;
use crate::run_shared::StreamUpdate;
use crate::stream_publisher::{StreamPublisher, answered};
use crate::{AgentError, Cx, TextSink, ToolContext, UserAnswer, World, admission, questions};

/// Most retries of one call after transient errors. Retries do not count against the limit of calls.
pub const MAX_RETRIES: usize = 4;
/// A provider that asks for a longer wait has used up a quota, so the call is not retried.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// The result of an effect.
pub(crate) struct EffectResult {
    pub(crate) answer: Answer,
    pub(crate) waited_ms: u64,
    pub(crate) retries: Vec<Error>,
    /// How often the request was sent; `None` for effects that send nothing.
    pub(crate) sent: Option<u32>,
    /// The person is not there, so the question stays open.
    pub(crate) is_waiting: bool,
    /// The run was stopped before the person answered.
    pub(crate) is_unasked: bool,
    /// The usage of attempts that broke off.
    pub(crate) wasted: WastedUsage,
    /// Repeating the request costs nothing.
    pub(crate) is_local: bool,
    /// What happened before the answer, for the journal.
    pub(crate) remarks: Vec<Remark>,
}

impl EffectResult {
    pub(crate) fn at_once(answer: Answer) -> EffectResult {
        EffectResult {
            answer,
            waited_ms: 0,
            retries: Vec::new(),
            sent: None,
            is_waiting: false,
            is_unasked: false,
            wasted: WastedUsage::default(),
            is_local: false,
            remarks: Vec::new(),
        }
    }
}

impl Cx {
    pub(crate) async fn perform(
        &mut self,
        world: &World,
        effect: &Effect,
        asked: &Event,
        built_in: Option<&BuiltIn>,
        admitted: &mut Admitted,
    ) -> Result<EffectResult, AgentError> {
        match effect {
            Effect::Model { request } if request.profile == BUILT_IN => {
                Ok(EffectResult::at_once(self.without_model(request, built_in)))
            }
            Effect::Model { request } => self.with_model(world, request, asked.n, admitted).await,
            Effect::Tool { call } => self.with_tool(world, call, asked.n, admitted).await,
            Effect::Clock => {
                let as_of = self.definition().as_of.as_deref().and_then(day_ms);
                let answer = Answer::Done { result: json!(as_of.unwrap_or_else(now_ms)).into() };
                Ok(EffectResult { is_local: true, ..EffectResult::at_once(answer) })
            }
            Effect::Id => {
                let answer = Answer::Done { result: Value::text(crate::clock::new_id().to_string()) };
                Ok(EffectResult { is_local: true, ..EffectResult::at_once(answer) })
            }
            Effect::Question { question } => {
                // The next instance may use its slot until the answer is journalled.
                self.is_away = true;
                self.leave_slot();
                self.with_person(world, asked.seq, question).await
            }
        }
    }

    fn without_model(&self, request: &ModelRequest, built_in: Option<&BuiltIn>) -> Answer {
        let made = match built_in {
            Some(function) => function(&self.state),
            None => Err(phrase!("`{agent}` needs a model; choose a profile with one", agent = request.agent)),
        };
        match made {
            Ok(json) => {
                let reply = ModelReply {
                    text: json.to_string(),
                    stop: "stop".into(),
                    model: BUILT_IN.into(),
                    ..ModelReply::default()
                };
                Answer::Done { result: to_value(&reply) }
            }
            Err(message) => Answer::Failed { error: Error::new(Code::BadInput, message) },
        }
    }

    async fn with_model(
        &mut self,
        world: &World,
        request: &ModelRequest,
        asked: u32,
        admitted: &mut Admitted,
    ) -> Result<EffectResult, AgentError> {
        if let Some(started) = self.instance.clone()
            && let Some(role) = &started.worker
            && world.queue.takes_requests().await
        {
            return self
                .with_model_of_worker(world, request, (role, &started.instance), asked, admitted)
                .await;
        }
        let model = match world.models.model(&request.profile).await {
            Ok(model) => model,
            // No request was sent.
            Err(error) => {
                return Ok(EffectResult { sent: Some(0), ..EffectResult::at_once(Answer::Failed { error }) });
            }
        };
        let showing = self.showing(request);
        let is_new = Arc::new(AtomicBool::default());
        let has_new_text = is_new.clone();
        let sink = TextSink::with_listener(move |_| has_new_text.store(true, Ordering::Relaxed));
        let attempt = || {
            sink.clear();
            answered(model.as_ref(), request, &sink, &showing, is_new.as_ref())
        };
        let performed = self.attempts(asked, admitted, true, attempt, || sink.so_far()).await?;
        self.shared
            .text_streams
            .publish(StreamUpdate { path: self.path.to_string(), ..StreamUpdate::default() });
        let wasted = sink.meter().wasted_usage(performed.answer.is_done());
        Ok(EffectResult { wasted, remarks: sink.remarks(), ..performed })
    }

    /// Asks the model of a worker that has a profile of this name.
    async fn with_model_of_worker(
        &mut self,
        world: &World,
        request: &ModelRequest,
        (role, instance): (&str, &Instance),
        asked: u32,
        admitted: &mut Admitted,
    ) -> Result<EffectResult, AgentError> {
        let context = ToolContext { cancel: self.shared.cancel.child_token(), ..ToolContext::default() };
        let (run, context) = (self.shared.writer.run.clone(), &context);
        let attempt = || {
            let work = SubTaskWork::Request(request.clone().into());
            let task = SubTask::new(new_id().to_string(), &run, role, instance, work);
            async move {
                let result: ToolResult = Result::from(world.queue.perform(task, context).await.outcome)?;
                serde_json::from_value::<ModelReply>(result.output.0).map_err(|error| {
                    let why = error.to_string();
                    Error::new(
                        Code::MalformedAnswer,
                        phrase!("A worker gave no answer of a model: {why}", why),
                    )
                })
            }
        };
        self.attempts(asked, admitted, true, attempt, String::new).await
    }

    /// Runs `call`, and retries it after a transient error: after the wait that the provider asked for, else with
    /// exponential backoff. Each further attempt is journalled when it is sent, and each failure when it occurs, so
    /// that the log always holds the number of attempts.
    pub(crate) async fn attempts<T: Serialize, F: Future<Output = Result<T, Error>>>(
        &mut self,
        asked: u32,
        admitted: &mut Admitted,
        is_repeatable: bool,
        mut attempt: impl FnMut() -> F,
        partial: impl Fn() -> String,
    ) -> Result<EffectResult, AgentError> {
        let mut backoff = backon::ExponentialBuilder::default()
            .with_min_delay(Duration::from_millis(500))
            .with_max_delay(Duration::from_secs(30))
            .with_max_times(MAX_RETRIES)
            .with_jitter()
            .build();
        let (mut waited_ms, mut retries, mut sent) = (0, Vec::new(), 0);
        let answer = loop {
            if let Some(reason) = self.must_not_begin(waited_ms) {
                break Answer::Interrupted { reason, partial: partial() };
            }
            if sent > 0
                && let Err(error) = admitted.send(&self.definition())
            {
                break Answer::Failed { error };
            }
            sent += 1;
            if sent > 1 {
                self.request_sent(asked, sent)?;
                self.shared.writer.commit().await?;
            }
            let mut error = match self.bounded(attempt(), waited_ms).await? {
                Ok(Ok(result)) => break Answer::Done { result: to_value(&result) },
                Ok(Err(error)) => error,
                Err(reason) => break Answer::Interrupted { reason, partial: partial() },
            };
            let ordered = error.retry_after_ms.map(Duration::from_millis);
            let is_last = retries.len() >= MAX_RETRIES || ordered.is_some_and(|wait| wait > LONGEST_WAIT);
            if !is_repeatable || !error.code.is_transient() || is_last {
                break Answer::Failed { error };
            }
            let next = backoff.next();
            let wait = ordered.or(next).unwrap_or(Duration::from_secs(30));
            let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            error.retry_after_ms = Some(wait_ms);
            self.request_failed(asked, &error)?;
            self.shared.writer.commit().await?;
            retries.push(error);
            let (cancel, began_ms) = (self.shared.cancel.clone(), self.shared.clock.ran_ms());
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = cancel.cancelled() => {}
            }
            if ordered.is_some() {
                waited_ms += self.shared.clock.ran_ms().saturating_sub(began_ms);
            }
        };
        Ok(EffectResult { waited_ms, retries, sent: Some(sent), ..EffectResult::at_once(answer) })
    }

    /// The reason why nothing may start now.
    fn must_not_begin(&self, waited_ms: u64) -> Option<Interruption> {
        if self.shared.cancel.is_cancelled() {
            return Some(Interruption::Cancelled);
        }
        let (left, reached) = admission::remaining(self, waited_ms)?;
        left.is_zero().then(|| used_up(&reached))
    }

    /// Runs work until it is done, the run is stopped, or its time is used up and the person adds none. Dropping the
    /// future ends the work.
    async fn bounded<T>(
        &mut self,
        work: impl Future<Output = T>,
        waited_ms: u64,
    ) -> Result<Result<T, Interruption>, AgentError> {
        tokio::pin!(work);
        let shared = self.shared.clone();
        loop {
            let left = admission::remaining(self, waited_ms);
            let used_up = async {
                match left {
                    Some((left, reached)) => {
                        shared.clock.sleep(left).await;
                        reached
                    }
                    None => std::future::pending().await,
                }
            };
            let reached = tokio::select! {
                biased;
                () = self.shared.cancel.cancelled() => return Ok(Err(Interruption::Cancelled)),
                done = &mut work => return Ok(Ok(done)),
                reached = used_up => reached,
            };
            match self.ask_for_time(work.as_mut(), reached).await? {
                MoreTime::Done(done) => return Ok(Ok(done)),
                MoreTime::Given => {}
                MoreTime::Refused(reason) => return Ok(Err(reason)),
            }
        }
    }

    /// Asks the person for more time while the work continues, so that no work is ended without asking. When the work
    /// is done before they answer, the question is withdrawn.
    async fn ask_for_time<T>(
        &mut self,
        work: Pin<&mut impl Future<Output = T>>,
        reached: Reached,
    ) -> Result<MoreTime<T>, AgentError> {
        let used_up = used_up(&reached);
        let Some(world) = self.shared.world.clone() else { return Ok(MoreTime::Refused(used_up)) };
        let question = questions::limit(&reached);
        let asked_at = self.shared.time(self.now);
        let effect = Effect::Question { question: question.clone() };
        let event = self.emit_at(Fact::EffectAsked { effect, reads: Vec::new() }, false, asked_at)?;
        let (asked, id) = (event.n, event.seq);
        let (done, performed) = tokio::select! {
            biased;
            done = work => (Some(done), EffectResult::at_once(Answer::Done { result: Value::text(questions::NOT_NEEDED) })),
            performed = self.with_person(&world, id, &question) => (None, performed?),
        };
        if performed.is_unasked {
            return Ok(MoreTime::Refused(Interruption::Cancelled));
        }
        if let Some(done) = done {
            // A refusal of the disk does not end the work: the event stays pending and is stored with the result.
            allow_disk_refusal(self.answered(asked, performed, asked_at).await.map(drop))?;
            return Ok(MoreTime::Done(done));
        }
        let answer = self.answered(asked, performed, asked_at).await?;
        let chosen = match &answer {
            Answer::Done { result } => self.read_result(result)?,
            Answer::Failed { .. } | Answer::Interrupted { .. } => String::new(),
        };
        self.decide_about_time(&question, chosen, (asked_at.ran_ms, self.now.ran_ms));
        Ok(if self.decided.is_none() { MoreTime::Given } else { MoreTime::Refused(used_up) })
    }

    async fn with_person(
        &self,
        world: &World,
        id: Seq,
        question: &Question,
    ) -> Result<EffectResult, AgentError> {
        // The question is stored before the person sees it, so that it survives a crash.
        self.shared.writer.commit().await?;
        let asked_ms = self.shared.clock.ran_ms();
        let reply = tokio::select! {
            reply = world.user_prompt.ask(&self.shared.writer.run, id, question) => reply,
            () = self.shared.cancel.cancelled() => {
                let reason = Interruption::Cancelled;
                let answer = Answer::Interrupted { reason, partial: String::new() };
                return Ok(EffectResult { is_unasked: true, ..EffectResult::at_once(answer) });
            }
        };
        let waited_ms = self.shared.clock.ran_ms().saturating_sub(asked_ms);
        let chosen = match (reply, &question.kind) {
            (UserAnswer::Chosen(chosen), _) => chosen,
            // Without a person, a limit finishes with the best result so far, a tool may not act, a failing model ends
            // the run, every issue of a review goes to the writer, and the server of a tool gets no answer.
            (
                UserAnswer::NobodyThere,
                QuestionKind::Limit { .. }
                | QuestionKind::Profile { .. }
                | QuestionKind::Malformed
                | QuestionKind::Issues
                | QuestionKind::ToolServer { .. },
            ) => Value::text(&question.default),
            (UserAnswer::NobodyThere, QuestionKind::Permission { .. }) => {
                Value::new(json!(PermissionAnswer::Nobody))
            }
            (
                UserAnswer::NobodyThere,
                QuestionKind::Agent | QuestionKind::Repeat | QuestionKind::Gate { .. },
            ) => {
                let answer = Answer::Interrupted { reason: Interruption::Cancelled, partial: String::new() };
                return Ok(EffectResult { is_waiting: true, ..EffectResult::at_once(answer) });
            }
        };
        let answer = Answer::Done { result: chosen };
        Ok(EffectResult { waited_ms, ..EffectResult::at_once(answer) })
    }

    /// The publisher of the part of an answer that the person may read while it streams.
    fn showing(&self, request: &ModelRequest) -> StreamPublisher {
        let definition = self.definition();
        let agent = definition.outline.walk().into_iter().find(|agent| agent.name == request.agent);
        let field = agent.and_then(|agent| agent.stream.as_ref()).map(|stream| stream.field.clone());
        StreamPublisher { field, text_streams: self.shared.text_streams.clone(), path: self.path.to_string() }
    }
}

/// The reason of an effect that this time limit ends.
fn used_up(reached: &Reached) -> Interruption {
    Interruption::TimeUsedUp { most: reached.most, agent: reached.agent.clone() }
}

/// The outcome of a question for more time.
enum MoreTime<T> {
    /// The work was done before the person answered.
    Done(T),
    Given,
    Refused(Interruption),
}

fn to_value<T: Serialize>(value: &T) -> Value {
    Value::new(serde_json::to_value(value).unwrap_or_default())
}

/// The first millisecond of a day in UTC.
fn day_ms(day: &str) -> Option<i64> {
    let date: jiff::civil::Date = day.parse().ok()?;
    Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond())
}
