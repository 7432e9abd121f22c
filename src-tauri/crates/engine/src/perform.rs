//! Effects done for real: the model with its retries, the tool, the clock, the person.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use backon::BackoffBuilder;
use kernel::{
    Answer, BUILT_IN, Code, Effect, EffectClass, Fault, Interruption, Lost, ModelReply, ModelRequest,
    Question, QuestionKind, Value,
};
use serde::Serialize;
use serde_json::json;

use crate::live::{Streamed, Texts};
use crate::llm::BuiltIn;
use crate::{AgentError, Cx, Doing, Meter, Model, Reply, TextSink, World, limits, partial};

/// Most times that one call is tried again after a transient fault; retries are no calls of the budget.
pub const MAX_RETRIES: usize = 4;
/// A provider that asks for a longer wait means its quota.
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// How often streaming text is shown, at the most. Looked for by the clock: to be woken by each piece would cost a switch of
/// threads for each.
const SHOW_EVERY: Duration = Duration::from_millis(30);

/// What became of an effect.
pub(crate) struct Performed {
    pub(crate) answer: Answer,
    pub(crate) waited_ms: u64,
    pub(crate) retries: Vec<Fault>,
    /// How often it was sent out; nothing where there is nobody to send it to.
    pub(crate) sent: Option<u32>,
    /// The person is not there: the question stays open.
    pub(crate) is_waiting: bool,
    /// The run was stopped before the person answered.
    pub(crate) is_unasked: bool,
    /// What broke off on the way had used.
    pub(crate) lost: Lost,
    /// Asking it again costs nothing.
    pub(crate) is_local: bool,
}

impl Performed {
    pub(crate) fn at_once(answer: Answer) -> Performed {
        Performed {
            answer,
            waited_ms: 0,
            retries: Vec::new(),
            sent: None,
            is_waiting: false,
            is_unasked: false,
            lost: Lost::default(),
            is_local: false,
        }
    }
}

/// The wall clock, milliseconds since 1970 UTC.
pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

impl Cx {
    pub(crate) async fn perform(
        &mut self,
        world: &World,
        effect: &Effect,
        built_in: Option<&BuiltIn>,
    ) -> Result<Performed, AgentError> {
        match effect {
            Effect::Model { request } if request.profile == BUILT_IN => {
                Ok(Performed::at_once(self.without_model(request, built_in)))
            }
            Effect::Model { request } => self.with_model(world, request).await,
            Effect::Tool { call } => {
                let Some(tool) = world.tools.get(&call.tool) else {
                    let fault =
                        Fault::new(Code::NotFound, format!("The tool `{}` is not there any more", call.tool));
                    return Ok(Performed::at_once(Answer::Failed { fault }));
                };
                let tool = tool.clone();
                let input = call.input.json_or_null();
                let doing = Doing {
                    cancel: self.shared.cancel.child_token(),
                    meter: Meter::default(),
                    profile: call.through.as_deref().map(|through| through.profile.clone()),
                    is_trial: false,
                };
                let is_repeatable = call.class != EffectClass::Once;
                let attempt = || {
                    doing.meter.begin_anew();
                    tool.call(input, &doing)
                };
                let performed = self.attempts(is_repeatable, attempt, String::new).await?;
                Ok(Performed { lost: doing.meter.lost(false), ..performed })
            }
            Effect::Clock => {
                let as_of = self.definition().as_of.as_deref().and_then(day_ms);
                let answer = Answer::Done { result: json!(as_of.unwrap_or_else(now_ms)).into() };
                Ok(Performed { is_local: true, ..Performed::at_once(answer) })
            }
            Effect::Id => {
                let answer = Answer::Done { result: Value::text(uuid::Uuid::now_v7().to_string()) };
                Ok(Performed { is_local: true, ..Performed::at_once(answer) })
            }
            Effect::Question { question } => Ok(self.with_person(world, question).await?),
        }
    }

    fn without_model(&self, request: &ModelRequest, built_in: Option<&BuiltIn>) -> Answer {
        let made = match built_in {
            Some(function) => function(&self.state),
            None => Err(format!("`{}` needs a model; choose a profile with one", request.agent)),
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
            Err(message) => Answer::Failed { fault: Fault::new(Code::BadInput, message) },
        }
    }

    async fn with_model(&mut self, world: &World, request: &ModelRequest) -> Result<Performed, AgentError> {
        let model = match world.models.model(&request.profile).await {
            Ok(model) => model,
            // Nobody was asked.
            Err(fault) => {
                return Ok(Performed { sent: Some(0), ..Performed::at_once(Answer::Failed { fault }) });
            }
        };
        let showing = self.showing(request);
        let is_new = Arc::new(AtomicBool::default());
        let told = is_new.clone();
        let sink = TextSink::with_listener(move |_| told.store(true, Ordering::Relaxed));
        let attempt = || {
            sink.clear();
            answered(model.as_ref(), request, &sink, &showing, is_new.as_ref())
        };
        let performed = self.attempts(true, attempt, || sink.so_far()).await?;
        self.shared.texts.say(Streamed { path: self.path.to_string(), ..Streamed::default() });
        let lost = sink.meter().lost(performed.answer.is_done());
        Ok(Performed { lost, ..performed })
    }

    /// Does it, and again after a transient fault: after the wait that was ordered, else after a growing one. Each
    /// sending but the first is journalled when it happens, each failure when it is known, so that the log tells at any
    /// moment how often somebody was asked.
    async fn attempts<T: Serialize, F: Future<Output = Result<T, Fault>>>(
        &mut self,
        is_repeatable: bool,
        mut attempt: impl FnMut() -> F,
        partial: impl Fn() -> String,
    ) -> Result<Performed, AgentError> {
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
            sent += 1;
            if sent > 1 {
                self.note_sent(sent)?;
                self.shared.writer.commit().await?;
            }
            let mut fault = match self.bounded(attempt(), waited_ms).await {
                Ok(Ok(result)) => break Answer::Done { result: to_value(&result) },
                Ok(Err(fault)) => fault,
                Err(reason) => break Answer::Interrupted { reason, partial: partial() },
            };
            let ordered = fault.retry_after_ms.map(Duration::from_millis);
            let is_last = retries.len() >= MAX_RETRIES || ordered.is_some_and(|wait| wait > LONGEST_WAIT);
            if !is_repeatable || !fault.code.is_transient() || is_last {
                break Answer::Failed { fault };
            }
            let next = backoff.next();
            let wait = ordered.or(next).unwrap_or(Duration::from_secs(30));
            let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            fault.retry_after_ms = Some(wait_ms);
            self.note_retry(&fault)?;
            self.shared.writer.commit().await?;
            retries.push(fault);
            let cancel = self.shared.cancel.clone();
            tokio::select! {
                () = tokio::time::sleep(wait) => waited_ms += if ordered.is_some() { wait_ms } else { 0 },
                () = cancel.cancelled() => {}
            }
        };
        Ok(Performed { waited_ms, retries, sent: Some(sent), ..Performed::at_once(answer) })
    }

    /// What forbids to begin anything now.
    fn must_not_begin(&self, waited_ms: u64) -> Option<Interruption> {
        if self.shared.cancel.is_cancelled() {
            return Some(Interruption::Cancelled);
        }
        let (left, most) = limits::remaining(self, waited_ms)?;
        left.is_zero().then_some(Interruption::TimeUsedUp { most })
    }

    /// Runs work until it is done, the run is stopped, or its time is used up. Dropping it ends it.
    async fn bounded<T>(&self, work: impl Future<Output = T>, waited_ms: u64) -> Result<T, Interruption> {
        let left = limits::remaining(self, waited_ms);
        let used_up = async {
            match left {
                Some((left, most)) => {
                    tokio::time::sleep(left).await;
                    most
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.shared.cancel.cancelled() => Err(Interruption::Cancelled),
            done = work => Ok(done),
            most = used_up => Err(Interruption::TimeUsedUp { most }),
        }
    }

    async fn with_person(&self, world: &World, question: &Question) -> Result<Performed, AgentError> {
        // The question stands in the log before anybody is asked, so that it survives.
        self.shared.writer.commit().await?;
        let asked_at = now_ms();
        let reply = tokio::select! {
            reply = world.asker.ask(&self.shared.writer.run, question) => reply,
            () = self.shared.cancel.cancelled() => {
                let reason = Interruption::Cancelled;
                let answer = Answer::Interrupted { reason, partial: String::new() };
                return Ok(Performed { is_unasked: true, ..Performed::at_once(answer) });
            }
        };
        let waited_ms = u64::try_from(now_ms() - asked_at).unwrap_or(0);
        let chosen = match (reply, &question.kind) {
            (Reply::Chosen(chosen), _) => chosen,
            // Nobody is there: a limit finishes with the best so far, a tool may not act, a refused key ends the run.
            (
                Reply::NobodyThere,
                QuestionKind::Limit { .. } | QuestionKind::Profile { .. } | QuestionKind::Permission { .. },
            ) => question.default.clone(),
            (Reply::NobodyThere, QuestionKind::Agent | QuestionKind::Repeat) => {
                let answer = Answer::Interrupted { reason: Interruption::Cancelled, partial: String::new() };
                return Ok(Performed { is_waiting: true, ..Performed::at_once(answer) });
            }
        };
        let answer = Answer::Done { result: Value::text(chosen) };
        Ok(Performed { waited_ms, ..Performed::at_once(answer) })
    }

    /// What becomes visible of the text of an answer while it comes.
    fn showing(&self, request: &ModelRequest) -> Showing {
        let definition = self.definition();
        let agent = definition.outline.walk().into_iter().find(|agent| agent.name == request.agent);
        let field = agent.and_then(|agent| agent.stream.as_ref()).map(|stream| stream.field.clone());
        Showing { field, texts: self.shared.texts.clone(), path: self.path.to_string() }
    }
}

struct Showing {
    /// The field of the answer that streams, empty for the whole answer; nothing where nobody may read along.
    field: Option<String>,
    texts: Texts,
    path: String,
}

impl Showing {
    /// Shows what is new of the text, now and then, until it is dropped.
    async fn follow(&self, sink: &TextSink, is_new: &AtomicBool) -> Infallible {
        loop {
            tokio::time::sleep(SHOW_EVERY).await;
            if !is_new.swap(false, Ordering::Relaxed) {
                continue;
            }
            let so_far = sink.so_far();
            let received = so_far.len();
            let text = match self.field.as_deref() {
                None => String::new(),
                Some("") => so_far,
                Some(field) => partial::field(&so_far, field),
            };
            if received > 0 {
                self.texts.say(Streamed { path: self.path.clone(), text, received });
            }
        }
    }
}

/// An answer with its text shown while it comes.
async fn answered(
    model: &dyn Model,
    request: &ModelRequest,
    sink: &TextSink,
    showing: &Showing,
    is_new: &AtomicBool,
) -> Result<ModelReply, Fault> {
    tokio::select! {
        biased;
        reply = model.answer(request, sink) => reply,
        never = showing.follow(sink, is_new) => match never {},
    }
}

fn to_value<T: Serialize>(value: &T) -> Value {
    Value::new(serde_json::to_value(value).unwrap_or_default())
}

/// The first millisecond of a day in UTC.
fn day_ms(day: &str) -> Option<i64> {
    let date: jiff::civil::Date = day.parse().ok()?;
    Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond())
}
