//! Executes effects: model requests, tool calls, clock, questions to the person.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kernel::{
    Answer, BUILT_IN, Code, Effect, Error, Event, Instance, ModelReply, ModelRequest, SubTask, SubTaskWork,
    ToolResult, Value, phrase,
};
use serde_json::json;

use crate::admission::Admitted;
use crate::attempts::to_value;
use crate::clock::{new_id, now_ms};
use crate::effect_journal::EffectResult;
use crate::llm_agent_parts::BuiltIn;
use crate::run_shared::StreamUpdate;
use crate::stream_publisher::{StreamPublisher, answered};
use crate::{AgentError, Cx, TextSink, ToolContext, World};

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

    /// The publisher of the part of an answer that the person may read while it streams.
    fn showing(&self, request: &ModelRequest) -> StreamPublisher {
        let definition = self.definition();
        let agent = definition.outline.walk().into_iter().find(|agent| agent.name == request.agent);
        let field = agent.and_then(|agent| agent.stream.as_ref()).map(|stream| stream.field.clone());
        StreamPublisher { field, text_streams: self.shared.text_streams.clone(), path: self.path.to_string() }
    }
}

/// The first millisecond of a day in UTC.
fn day_ms(day: &str) -> Option<i64> {
    let date: jiff::civil::Date = day.parse().ok()?;
    Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond())
}
