//! The spans of the recorded runs that also test the page: branches, rounds, crashes, refusals, stops, forks.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{Answer, Effect, Event, Fact, Json, Usage, Value};
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use serde::Deserialize as _;
use serde_json::json;

use crate::{latest_spans, spans};

struct Run {
    name: String,
    events: Vec<Event>,
}

fn recorded_runs() -> Vec<Run> {
    let text = include_str!("../../../../ui/src/fixtures/recorded-runs.json");
    let runs: Vec<serde_json::Value> = serde_json::from_str(text).unwrap();
    let runs: Vec<Run> = runs
        .iter()
        .map(|run| Run {
            name: run["name"].as_str().unwrap().to_owned(),
            events: Vec::deserialize(&run["events"]).unwrap(),
        })
        .collect();
    assert!(runs.len() > 10, "{}", runs.len());
    runs
}

fn run(name: &str) -> Vec<Event> {
    recorded_runs().into_iter().find(|run| run.name == name).unwrap().events
}

fn provider_of(profile: &str) -> Option<String> {
    Some(format!("provider of {profile}"))
}

fn of(events: &[Event]) -> Vec<Span> {
    spans(events, &provider_of)
}

fn attribute(span: &Span, key: &str) -> Option<Any> {
    let mut found = span.attributes.iter().filter(|attribute| attribute.key == key);
    let value = found.next().and_then(|attribute| attribute.value.clone()).and_then(|value| value.value);
    assert_eq!(found.count(), 0, "{key} stands once in {}", span.name);
    value
}

fn word(span: &Span, key: &str) -> String {
    match attribute(span, key) {
        Some(Any::StringValue(text)) => text,
        other => panic!("{key} of {} is {other:?}", span.name),
    }
}

fn tokens(spans: &[Span], key: &str) -> i64 {
    let of = |span| match attribute(span, key) {
        Some(Any::IntValue(count)) => count,
        None => 0,
        other => panic!("{key} is {other:?}"),
    };
    spans.iter().map(of).sum()
}

fn named<'a>(spans: &'a [Span], begin: &str) -> Vec<&'a Span> {
    spans.iter().filter(|span| span.name.starts_with(begin)).collect()
}

fn is_error(span: &Span) -> bool {
    span.status.as_ref().is_some_and(|status| status.code == i32::from(StatusCode::Error))
}

#[test]
fn every_span_has_a_unique_id_and_lies_within_its_parent() {
    for Run { name, events } in recorded_runs() {
        let spans = of(&events);
        let by_id: BTreeMap<&[u8], &Span> =
            spans.iter().map(|span| (span.span_id.as_slice(), span)).collect();
        assert_eq!(by_id.len(), spans.len(), "{name}: ids are unique");
        let roots: Vec<&Span> = spans.iter().filter(|span| span.parent_span_id.is_empty()).collect();
        assert_eq!(roots.len(), 1, "{name}: one root");
        for span in &spans {
            assert_eq!((span.trace_id.len(), span.span_id.len()), (16, 8), "{name}");
            assert!(
                span.trace_id.iter().any(|byte| *byte != 0) && span.span_id.iter().any(|byte| *byte != 0)
            );
            assert_eq!(span.trace_id, roots[0].trace_id, "{name}: one trace");
            assert!(span.start_time_unix_nano > 0, "{name}: {span:?}");
            assert!(span.start_time_unix_nano <= span.end_time_unix_nano, "{name}: {span:?}");
            if span.parent_span_id.is_empty() {
                continue;
            }
            let parent = by_id[span.parent_span_id.as_slice()];
            // A resumed part begins after the first one ended.
            if !span.name.starts_with("invoke_workflow ") {
                assert!(
                    parent.start_time_unix_nano <= span.start_time_unix_nano,
                    "{name}: {span:?} {parent:?}"
                );
                assert!(span.end_time_unix_nano <= parent.end_time_unix_nano, "{name}: {span:?} {parent:?}");
            }
            if span.name.starts_with("chat ") {
                assert!(!parent.name.starts_with("invoke_workflow "), "{name}: an agent asks a model");
            }
        }
    }
}

#[test]
fn an_uninterrupted_run_has_one_span_for_each_agent_and_each_call() {
    let events = run("branches, rounds, gates and edits");
    let spans = of(&events);
    let count = |is: &dyn Fn(&Fact) -> bool| events.iter().filter(|event| is(&event.fact)).count();
    let agents = count(&|fact| matches!(fact, Fact::AgentStarted { .. }));
    let models = count(&|fact| matches!(fact, Fact::EffectAsked { effect: Effect::Model { .. }, .. }));
    let tools = count(&|fact| matches!(fact, Fact::EffectAsked { effect: Effect::Tool { .. }, .. }));
    assert!(agents > 10 && models > 5 && tools > 4, "{agents} {models} {tools}");
    let kinds = ["invoke_workflow ", "invoke_agent ", "chat ", "execute_tool "];
    assert_eq!(kinds.map(|kind| named(&spans, kind).len()), [1, agents, models, tools]);
    assert_eq!(spans.len(), 1 + agents + models + tools);
    let first = events.iter().find(|event| matches!(event.fact, Fact::AgentStarted { .. })).unwrap();
    let agent = named(&spans, "invoke_agent ")[0];
    assert_eq!(agent.name, format!("invoke_agent {}", first.author));
    assert_eq!(agent.start_time_unix_nano, u64::try_from(first.at_ms).unwrap() * 1_000_000);
    for span in spans.iter() {
        let operation = word(span, "gen_ai.operation.name");
        assert!(span.name.starts_with(&format!("{operation} ")), "{}", span.name);
        assert_eq!(operation == "chat", span.kind == 3, "a model is asked by a client: {}", span.name);
        assert!(!is_error(span), "{span:?}");
    }
    for chat in named(&spans, "chat ") {
        assert_eq!(chat.name, format!("chat {}", word(chat, "gen_ai.request.model")));
        assert!(word(chat, "gen_ai.provider.name").starts_with("provider of "));
        assert!(!word(chat, "gen_ai.response.model").is_empty());
        assert!(matches!(attribute(chat, "gen_ai.response.finish_reasons"), Some(Any::ArrayValue(_))));
    }
    for call in named(&spans, "execute_tool ") {
        assert_eq!(call.name, format!("execute_tool {}", word(call, "gen_ai.tool.name")));
        let seq: u32 = word(call, "gen_ai.tool.call.id").parse().unwrap();
        let asked = events.iter().find(|event| event.seq == seq).unwrap();
        assert!(matches!(asked.fact, Fact::EffectAsked { effect: Effect::Tool { .. }, .. }));
    }
}

#[test]
fn the_tokens_of_the_spans_are_those_of_the_run() {
    let mut all = 0;
    for Run { name, events } in recorded_runs() {
        let own = match &events[0].fact {
            Fact::RunStarted { origin: Some(origin), .. } => origin.seq as usize,
            _ => 0,
        };
        let (whole, before) = (Usage::of(&events), Usage::of(&events[..own]));
        let spans = of(&events);
        let counted =
            ["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"].map(|key| tokens(&spans, key));
        let used = [whole.input_tokens - before.input_tokens, whole.output_tokens - before.output_tokens];
        assert_eq!(counted.map(|count| u64::try_from(count).unwrap()), used, "{name}");
        all += used[0];
    }
    assert!(all > 0);
}

#[test]
fn exported_spans_are_exported_once_and_never_change() {
    let mut resumed = 0;
    for Run { name, events } in recorded_runs() {
        let ends = events.iter().enumerate().filter(|(_, event)| matches!(event.fact, Fact::RunEnded { .. }));
        let own = |end: &usize| match &events[0].fact {
            Fact::RunStarted { origin: Some(origin), .. } => events[*end].seq > origin.seq,
            _ => true,
        };
        let ends: Vec<usize> = ends.map(|(at, _)| at).filter(own).collect();
        resumed += ends.len() - 1;
        let exported: Vec<Span> =
            ends.iter().flat_map(|end| latest_spans(&events[..=*end], &provider_of)).collect();
        assert_eq!(exported, of(&events), "{name}");
        assert_eq!(of(&events), of(&events), "{name}: a second export says the same");
    }
    assert!(resumed > 3, "{resumed}");
}

#[test]
fn refusals_are_events_of_their_calls_span_and_errors_are_codes() {
    let spans = of(&run("refused for good"));
    let chat = named(&spans, "chat ")[0];
    let noted: Vec<&str> = chat.events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(noted, ["request_failed", "request_sent", "request_failed", "request_sent"]);
    let times: Vec<u64> = chat.events.iter().map(|event| event.time_unix_nano).collect();
    assert!(times.is_sorted() && times[0] >= chat.start_time_unix_nano);
    let within = [chat, named(&spans, "invoke_agent ")[0], named(&spans, "invoke_workflow ")[0]];
    assert!(within.iter().all(|span| is_error(span)), "{within:?}");
    let code = word(chat, "error.type");
    assert!(within.iter().all(|span| word(span, "error.type") == code), "{within:?}");
    assert!(!code.contains(char::is_uppercase) && !code.contains(' '), "{code}");
    assert!(spans.iter().all(|span| span.status.as_ref().is_none_or(|status| status.message.is_empty())));
}

#[test]
fn a_crashed_run_continues_in_a_new_part_with_the_agents_that_were_active() {
    let spans = of(&run("crashed in flight, twice"));
    let roots = named(&spans, "invoke_workflow ");
    assert_eq!(roots.len(), 3);
    assert!(roots[1..].iter().all(|root| root.parent_span_id == roots[0].span_id));
    let outcomes = roots.iter().filter(|root| attribute(root, "galley.run.outcome").is_some());
    assert_eq!(outcomes.count(), 1, "only the last part came to an end");
    let first = named(&spans, "invoke_agent a1");
    let parents: BTreeSet<&[u8]> = first.iter().map(|span| span.parent_span_id.as_slice()).collect();
    assert_eq!((first.len(), parents.len()), (3, 3), "{first:?}");
    assert_eq!((named(&spans, "chat ").len(), named(&spans, "execute_tool ").len()), (2, 1));
}

#[test]
fn a_call_without_an_answer_is_interrupted() {
    let events = run("branches, rounds, gates and edits");
    let asks = |event: &Event| matches!(event.fact, Fact::EffectAsked { effect: Effect::Model { .. }, .. });
    let asked = events.iter().rposition(asks).unwrap();
    let spans = of(&events[..=asked]);
    let wrong: Vec<&Span> = spans.iter().filter(|span| is_error(span)).collect();
    let [cut] = wrong[..] else { panic!("{wrong:?}") };
    assert_eq!(
        (word(cut, "gen_ai.operation.name"), word(cut, "error.type")),
        ("chat".into(), "interrupted".into())
    );
}

#[test]
fn a_fork_is_a_trace_that_links_to_its_parent() {
    let (parent, fork) = (of(&run("branches, rounds, gates and edits")), run("a fork with another profile"));
    let spans = of(&fork);
    assert_ne!(parent[0].trace_id, spans[0].trace_id);
    let links = &spans[0].links;
    assert_eq!(
        (links.len(), &links[0].trace_id, &links[0].span_id),
        (1, &parent[0].trace_id, &parent[0].span_id)
    );
    let parted = fork.iter().find(|event| matches!(event.fact, Fact::RunResumed { .. })).unwrap();
    let parted_at = u64::try_from(parted.at_ms).unwrap() * 1_000_000;
    assert!(
        spans.iter().all(|span| span.start_time_unix_nano >= parted_at),
        "what was before is the parent's"
    );
}

/// A word that occurs in no name, number or code.
const CONTENT: &str = "content-that-never-leaves";

/// Replaces every text of the event that a person, a model or a tool may have written.
fn with_other_content(event: &Event) -> Event {
    let mut event = event.clone();
    let is_answer = matches!(event.fact, Fact::EffectAnswered { .. });
    for value in event.values_mut() {
        let mut json = value.json_or_null().clone();
        match (is_answer, json.get("text").is_some()) {
            // Of a reply, only the model and the finish reason are exported.
            (true, true) => json["text"] = CONTENT.into(),
            _ => json = json!({ "text": CONTENT, CONTENT: [CONTENT] }),
        }
        *value = Value::new(json);
    }
    let other = |error: &mut kernel::Error| {
        error.message = CONTENT.to_owned();
        error.provider_words = Some(CONTENT.to_owned());
    };
    match &mut event.fact {
        Fact::EffectAsked { effect: Effect::Tool { call }, .. } => call.place = Some(CONTENT.to_owned()),
        Fact::EffectAsked { effect: Effect::Model { request }, .. } => {
            for message in &mut request.messages {
                let asked = json!({ "id": CONTENT, "tool": CONTENT, "input": Json::from(json!({ CONTENT: CONTENT })) });
                message.tool_requests.push(serde_json::from_value(asked).unwrap());
            }
        }
        Fact::EffectAnswered { answer: Answer::Failed { error }, retries, .. } => {
            other(error);
            retries.iter_mut().for_each(other);
        }
        Fact::EffectAnswered { answer: Answer::Interrupted { partial, .. }, .. } => {
            CONTENT.clone_into(partial);
        }
        Fact::RequestFailed { error, .. } | Fact::RunEnded { error: Some(error), .. } => other(error),
        Fact::FellBack { error, from, to } => {
            other(error);
            CONTENT.clone_into(from);
            CONTENT.clone_into(to);
        }
        _ => {}
    }
    event
}

#[test]
fn no_text_of_a_person_a_model_or_a_tool_is_in_a_span() {
    let mut kinds = BTreeSet::new();
    for Run { name, events } in recorded_runs() {
        let other: Vec<Event> = events.iter().map(with_other_content).collect();
        assert_ne!(events, other, "{name}");
        let spans = of(&other);
        assert_eq!(spans, of(&events), "{name}");
        assert!(!format!("{spans:?}").contains(CONTENT), "{name}");
        kinds.extend(spans.iter().flat_map(|span| &span.attributes).map(|attribute| attribute.key.clone()));
    }
    // The complete list of exported attributes; a new one must be added here.
    let exported: Vec<&str> = kinds.iter().map(String::as_str).collect();
    assert_eq!(
        exported,
        [
            "error.type",
            "galley.place",
            "galley.run.id",
            "galley.run.outcome",
            "gen_ai.agent.name",
            "gen_ai.conversation.id",
            "gen_ai.operation.name",
            "gen_ai.output.type",
            "gen_ai.provider.name",
            "gen_ai.request.max_tokens",
            "gen_ai.request.model",
            "gen_ai.request.temperature",
            "gen_ai.response.finish_reasons",
            "gen_ai.response.model",
            "gen_ai.tool.call.id",
            "gen_ai.tool.name",
            "gen_ai.tool.type",
            "gen_ai.usage.input_tokens",
            "gen_ai.usage.output_tokens",
        ]
    );
}
