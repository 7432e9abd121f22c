//! Folds the events of a run into spans.
//!
//! A part of a run goes from its start, or from where it was resumed, to its next end. Each part has its own root span
//! and covers only its own events, so an exported part never changes, however often the run is resumed. The roots of
//! later parts are children of the first root.

use std::collections::BTreeMap;

use kernel::{AgentOutcome, Answer, AnswerSummary, Effect, Event, Fact, Origin, Outcome, Path, RunId, Seq};
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::{Link, SpanKind};

use crate::attributes::{self, INTERRUPTED, text, whole, word};
use crate::ids::{span_id, trace_id};
use crate::span_tree::{Begin, SpanTree};

/// The spans of a whole run, in the order of their start. For a fork: from the event at which it left its parent.
///
/// `events` are those of one run in the order of their numbers, from the first one, with values in full. `provider_of`
/// returns the id of a profile's provider, if it is known.
pub fn spans(events: &[Event], provider_of: &dyn Fn(&str) -> Option<String>) -> Vec<Span> {
    parts(events, provider_of).into_iter().flat_map(|(_, spans)| spans).collect()
}

/// The spans since the previous end of the run, which its last export did not have.
pub fn latest_spans(events: &[Event], provider_of: &dyn Fn(&str) -> Option<String>) -> Vec<Span> {
    let begins = |event: &Event| matches!(event.fact, Fact::RunStarted { .. } | Fact::RunResumed { .. });
    let last = events.iter().rposition(begins).unwrap_or_default();
    let before = events[..last].iter().rfind(|event| matches!(event.fact, Fact::RunEnded { .. }));
    let ended = before.map_or(0, |event| event.seq);
    let parts = parts(events, provider_of).into_iter().filter(|(begun, _)| *begun > ended);
    parts.flat_map(|(_, spans)| spans).collect()
}

/// The parts by the number of their first event.
fn parts(events: &[Event], provider_of: &dyn Fn(&str) -> Option<String>) -> Vec<(Seq, Vec<Span>)> {
    let Some(Fact::RunStarted { run, session, pipeline, origin, .. }) =
        events.first().map(|event| &event.fact)
    else {
        return Vec::new();
    };
    let mut fold = Fold {
        run,
        session: &session.0,
        pipeline,
        origin: origin.as_ref(),
        trace_id: trace_id(run),
        provider_of,
        agents: BTreeMap::new(),
        calls: BTreeMap::new(),
        part: None,
        first_root: None,
        finished: Vec::new(),
    };
    events.iter().for_each(|event| fold.apply(event));
    fold.end_part();
    // The parent exported the events that a fork took over.
    let own = origin.as_ref().map_or(0, |origin| origin.seq);
    fold.finished.retain(|(begun, _)| *begun > own || origin.is_none());
    fold.finished
}

struct Fold<'a> {
    run: &'a RunId,
    session: &'a str,
    pipeline: &'a str,
    origin: Option<&'a Origin>,
    trace_id: Vec<u8>,
    provider_of: &'a dyn Fn(&str) -> Option<String>,
    /// Agents that have started and not ended, by path.
    agents: BTreeMap<String, StartedAgent<'a>>,
    /// Calls without an answer, by path and ordinal.
    calls: BTreeMap<(&'a Path, u32), OpenCall<'a>>,
    part: Option<Part>,
    /// The id of the first exported root.
    first_root: Option<Vec<u8>>,
    finished: Vec<(Seq, Vec<Span>)>,
}

/// The current part.
struct Part {
    begun: Seq,
    begun_at_ms: i64,
    last_at_ms: i64,
    tree: SpanTree,
    root: usize,
}

struct StartedAgent<'a> {
    name: &'a str,
    started: Seq,
    ended: Option<Seq>,
    /// Its span in the current part, once it has one.
    span: Option<usize>,
}

struct OpenCall<'a> {
    asked: &'a Event,
    effect: &'a Effect,
    /// Its span in the current part.
    span: Option<usize>,
}

impl<'a> Fold<'a> {
    fn apply(&mut self, event: &'a Event) {
        match &event.fact {
            Fact::RunStarted { .. } => self.begin_part(event),
            Fact::RunResumed { drops, .. } => {
                self.end_part();
                self.drop_events(drops);
                self.begin_part(event);
            }
            Fact::AgentStarted { .. } => {
                let agent = StartedAgent { name: &event.author, started: event.seq, ended: None, span: None };
                self.agents.insert(event.path.as_str().to_owned(), agent);
                self.agent_span(event.path.as_str(), event.at_ms);
            }
            Fact::AgentEnded { outcome, .. } => self.end_agent(event, outcome),
            Fact::EffectAsked { effect, .. } => {
                // The work of a built-in function is no model call.
                if matches!(effect, Effect::Tool { .. }) || effect.asks().is_some() {
                    let call = OpenCall { asked: event, effect, span: None };
                    self.calls.insert((&event.path, event.n), call);
                    self.call_span(&event.path, event.n, event.at_ms);
                }
            }
            Fact::RequestFailed { asked, error } => {
                let why = text("error.type", &word(error.code));
                self.note(event, *asked, "request_failed", vec![why]);
            }
            Fact::RequestSent { asked, attempt } => {
                let resent = whole("http.request.resend_count", attempt.saturating_sub(1));
                self.note(event, *asked, "request_sent", vec![resent]);
            }
            Fact::FellBack { error, .. } => {
                let agent = self.innermost_agent(Some(event.path.as_str()));
                if let Some(part) = &mut self.part {
                    let why = vec![text("error.type", &word(error.code))];
                    part.tree.note(agent.unwrap_or(part.root), "fell_back", event.at_ms, why);
                }
            }
            Fact::EffectAnswered { asked, answer, summary, .. } => {
                self.end_call(event, *asked, answer, summary)
            }
            Fact::RunEnded { outcome, error } => {
                let code = error.as_ref().map(|error| word(error.code));
                self.end_run(event, *outcome, code);
            }
            Fact::GatesSet { .. }
            | Fact::RoundEnded { .. }
            | Fact::StateChanged { .. }
            | Fact::Noted { .. } => {}
        }
        // A person's change after the end is no work of the run.
        if let Some(part) = &mut self.part
            && !event.is_outside()
        {
            part.last_at_ms = part.last_at_ms.max(event.at_ms);
        }
    }

    fn begin_part(&mut self, event: &Event) {
        let mut tree = SpanTree::default();
        let root = tree.begin(
            &self.trace_id,
            Begin {
                id: span_id(self.run, event.seq, event.seq, "run"),
                parent: None,
                name: format!("invoke_workflow {}", self.pipeline),
                kind: SpanKind::Internal,
                at_ms: event.at_ms,
                attributes: vec![
                    text("gen_ai.operation.name", "invoke_workflow"),
                    text("gen_ai.agent.name", self.pipeline),
                    text("gen_ai.conversation.id", self.session),
                    text("galley.run.id", &self.run.0),
                ],
            },
        );
        let span = tree.span(root);
        let is_of_parent = self.origin.is_some_and(|origin| event.seq <= origin.seq);
        match &self.first_root {
            Some(first) => span.parent_span_id.clone_from(first),
            None if !is_of_parent => {
                self.first_root = Some(span.span_id.clone());
                span.links = self.origin.map(|origin| link(&origin.run)).into_iter().collect();
            }
            None => {}
        }
        let at_ms = event.at_ms;
        self.part = Some(Part { begun: event.seq, begun_at_ms: at_ms, last_at_ms: at_ms, tree, root });
    }

    fn end_part(&mut self) {
        let Some(mut part) = self.part.take() else { return };
        for call in self.calls.values_mut() {
            if let Some(span) = call.span.take() {
                part.tree.end(span, part.last_at_ms, Some(INTERRUPTED));
            }
        }
        self.agents.values_mut().for_each(|agent| agent.span = None);
        self.finished.push((part.begun, part.tree.close(part.last_at_ms)));
    }

    /// Drops what a resumed run repeats: failed agents are open again, and others never began.
    fn drop_events(&mut self, drops: &[Seq]) {
        self.agents.retain(|_, agent| !drops.contains(&agent.started));
        for agent in self.agents.values_mut() {
            agent.ended = agent.ended.filter(|ended| !drops.contains(ended));
        }
        self.calls.retain(|_, call| !drops.contains(&call.asked.seq));
    }

    /// The span of the agent at a path, or of the nearest one above it; `None` if there is none.
    fn innermost_agent(&mut self, place: Option<&str>) -> Option<usize> {
        let is_open = |place: &&str| self.agents.get(*place).is_some_and(|agent| agent.ended.is_none());
        let place = std::iter::successors(place, |place| Path::above(place)).find(is_open)?.to_owned();
        let at_ms = self.part.as_ref()?.begun_at_ms;
        self.agent_span(&place, at_ms)
    }

    /// The span of the agent at a path; it is started if the current part has none yet.
    fn agent_span(&mut self, place: &str, at_ms: i64) -> Option<usize> {
        let agent = self.agents.get(place)?;
        if agent.span.is_some() {
            return agent.span;
        }
        let (name, started) = (agent.name, agent.started);
        let above = self.innermost_agent(Path::above(place));
        let part = self.part.as_mut()?;
        let span = part.tree.begin(
            &self.trace_id,
            Begin {
                id: span_id(self.run, part.begun, started, "agent"),
                parent: Some(above.unwrap_or(part.root)),
                name: format!("invoke_agent {name}"),
                kind: SpanKind::Internal,
                at_ms,
                attributes: vec![
                    text("gen_ai.operation.name", "invoke_agent"),
                    text("gen_ai.agent.name", name),
                    text("gen_ai.conversation.id", self.session),
                    text("galley.place", place),
                ],
            },
        );
        self.agents.get_mut(place)?.span = Some(span);
        Some(span)
    }

    fn end_agent(&mut self, event: &Event, outcome: &AgentOutcome) {
        let span = self.innermost_agent(Some(event.path.as_str()));
        let Some(agent) = self.agents.get_mut(event.path.as_str()) else { return };
        agent.ended = Some(event.seq);
        let error = match outcome {
            AgentOutcome::Done { .. } => None,
            AgentOutcome::Failed { error } => Some(word(error.code)),
        };
        if let (Some(part), Some(span)) = (&mut self.part, span) {
            part.tree.end(span, event.at_ms, error.as_deref());
        }
    }

    /// The span of a call without an answer; it is started if the current part has none yet.
    fn call_span(&mut self, path: &'a Path, n: u32, at_ms: i64) -> Option<usize> {
        let OpenCall { asked, effect, span } = self.calls.get(&(path, n))?;
        if span.is_some() {
            return *span;
        }
        let (seq, effect) = (asked.seq, *effect);
        let (name, kind, attributes) = self.call(effect, seq)?;
        let above = self.innermost_agent(Some(path.as_str()));
        let part = self.part.as_mut()?;
        let parent = Some(above.unwrap_or(part.root));
        let id = span_id(self.run, part.begun, seq, "call");
        let span = part.tree.begin(&self.trace_id, Begin { id, parent, name, kind, at_ms, attributes });
        self.calls.get_mut(&(path, n))?.span = Some(span);
        Some(span)
    }

    /// Name, kind and attributes of the span of a call.
    fn call(&self, effect: &Effect, seq: Seq) -> Option<(String, SpanKind, Vec<KeyValue>)> {
        match effect {
            Effect::Model { request } => {
                let provider = (self.provider_of)(&request.profile);
                let mut attributes = attributes::of_model(self.session, provider.as_deref(), &request.model);
                attributes.extend(attributes::of_request(request));
                attributes.push(text("gen_ai.agent.name", &request.agent));
                Some((format!("chat {}", request.model), SpanKind::Client, attributes))
            }
            Effect::Tool { call } => {
                let attributes = vec![
                    text("gen_ai.operation.name", "execute_tool"),
                    text("gen_ai.tool.name", &call.tool),
                    text("gen_ai.tool.type", "function"),
                    text("gen_ai.tool.call.id", &seq.to_string()),
                ];
                Some((format!("execute_tool {}", call.tool), SpanKind::Internal, attributes))
            }
            Effect::Clock | Effect::Id | Effect::Question { .. } => None,
        }
    }

    fn end_call(&mut self, event: &'a Event, asked: u32, answer: &Answer, summary: &AnswerSummary) {
        let begun_at_ms = self.part.as_ref().map_or(event.at_ms, |part| part.begun_at_ms);
        let span = self.call_span(&event.path, asked, begun_at_ms);
        let Some(OpenCall { asked, effect, .. }) = self.calls.remove(&(&event.path, asked)) else { return };
        let (Some(part), Some(span)) = (&mut self.part, span) else { return };
        let error = attributes::error_type(answer);
        match effect {
            Effect::Model { .. } => {
                part.tree
                    .add(span, attributes::of_reply(answer).into_iter().chain(attributes::of_usage(summary)));
            }
            // A tool that called a model: that is a model call like any other.
            Effect::Tool { call } => {
                let model = call.credential_route.as_deref().and_then(|route| route.model.as_ref());
                if let Some(model) = model.filter(|_| summary.tokens.is_some()) {
                    let mut attributes =
                        attributes::of_model(self.session, Some(&model.provider), &model.name);
                    attributes.extend(attributes::of_usage(summary));
                    let begin = Begin {
                        id: span_id(self.run, part.begun, asked.seq, "model of a call"),
                        parent: Some(span),
                        name: format!("chat {}", model.name),
                        kind: SpanKind::Client,
                        at_ms: asked.at_ms.max(part.begun_at_ms),
                        attributes,
                    };
                    let chat = part.tree.begin(&self.trace_id, begin);
                    part.tree.end(chat, event.at_ms, error.as_deref());
                }
            }
            Effect::Clock | Effect::Id | Effect::Question { .. } => {}
        }
        part.tree.end(span, event.at_ms, error.as_deref());
    }

    /// Adds an event to the span of a call.
    fn note(&mut self, event: &'a Event, asked: u32, name: &str, attributes: Vec<KeyValue>) {
        let begun_at_ms = self.part.as_ref().map_or(event.at_ms, |part| part.begun_at_ms);
        let span = self.call_span(&event.path, asked, begun_at_ms);
        if let (Some(part), Some(span)) = (&mut self.part, span) {
            part.tree.note(span, name, event.at_ms, attributes);
        }
    }

    fn end_run(&mut self, event: &Event, outcome: Outcome, code: Option<String>) {
        let Some(part) = &mut self.part else { return };
        part.tree.add(part.root, [text("galley.run.outcome", outcome.word())]);
        // A run that a person stops, or that asks a question, is no error.
        let error = code.filter(|_| matches!(outcome, Outcome::Failed | Outcome::Limited));
        part.tree.end(part.root, event.at_ms, error.as_deref());
    }
}

/// A link to the trace of a fork's parent.
fn link(parent: &RunId) -> Link {
    let (trace_id, span_id) = (trace_id(parent), span_id(parent, 1, 1, "run"));
    Link { trace_id, span_id, ..Link::default() }
}
