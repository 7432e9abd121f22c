//! Runs as spans of OpenTelemetry: what a collector gets of them, and what one costs that does not answer.

use std::collections::{BTreeMap, BTreeSet};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::Value;
use testkit::{Collects, NewsModel, SpanCollector, closed_port_url};

use super::galley::{Galley, news_server};

const TOPIC: &str = "retrieval-augmented generation";

/// The spans of everything that came, with the name of the service that sent them.
fn spans(collector: &SpanCollector) -> Vec<Span> {
    let mut all = Vec::new();
    for export in collector.exports() {
        assert_eq!((&*export.line, &*export.media_type), ("POST /v1/traces", "application/x-protobuf"));
        let message = ExportTraceServiceRequest::decode(export.body.as_slice()).unwrap();
        for from in message.resource_spans {
            let resource = from.resource.unwrap();
            let service =
                resource.attributes.iter().find(|attribute| attribute.key == "service.name").unwrap();
            assert_eq!(service.value.clone().unwrap().value, Some(Any::StringValue("galley".into())));
            all.extend(from.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
    }
    all
}

fn attribute(span: &Span, key: &str) -> Option<Any> {
    let attribute = span.attributes.iter().find(|attribute| attribute.key == key)?;
    attribute.value.clone()?.value
}

fn text(span: &Span, key: &str) -> String {
    match attribute(span, key) {
        Some(Any::StringValue(text)) => text,
        other => panic!("{key} of {} is {other:?}", span.name),
    }
}

fn count(span: &Span, key: &str) -> i64 {
    match attribute(span, key) {
        Some(Any::IntValue(count)) => count,
        other => panic!("{key} of {} is {other:?}", span.name),
    }
}

fn named<'a>(spans: &'a [Span], begin: &str) -> Vec<&'a Span> {
    spans.iter().filter(|span| span.name.starts_with(begin)).collect()
}

/// Ids are whole and unique; every span but one root lies within its parent.
fn assert_is_tree(spans: &[Span]) {
    let by_id: BTreeMap<&[u8], &Span> = spans.iter().map(|span| (span.span_id.as_slice(), span)).collect();
    assert_eq!(by_id.len(), spans.len(), "every span came once");
    let traces: BTreeSet<&[u8]> = spans.iter().map(|span| span.trace_id.as_slice()).collect();
    assert_eq!(traces.len(), 1, "one trace");
    assert_eq!(spans.iter().filter(|span| span.parent_span_id.is_empty()).count(), 1, "one root");
    for span in spans {
        assert_eq!((span.trace_id.len(), span.span_id.len()), (16, 8), "{span:?}");
        assert!(span.trace_id.iter().any(|byte| *byte != 0) && span.span_id.iter().any(|byte| *byte != 0));
        assert!(0 < span.start_time_unix_nano && span.start_time_unix_nano <= span.end_time_unix_nano);
        let Some(parent) = by_id.get(span.parent_span_id.as_slice()) else {
            assert!(span.parent_span_id.is_empty(), "the parent of {} did not come", span.name);
            continue;
        };
        // What goes on later is below the first root and not within it.
        let is_root = span.name.starts_with("invoke_workflow ");
        let begins_within = parent.start_time_unix_nano <= span.start_time_unix_nano;
        let ends_within = span.end_time_unix_nano <= parent.end_time_unix_nano;
        assert!(is_root || (begins_within && ends_within), "{} is not within {}", span.name, parent.name);
    }
}

#[test]
fn a_collector_gets_the_spans_of_a_run_and_none_of_its_texts() {
    let (server, collector) = (news_server(NewsModel::default()), SpanCollector::start(Collects::Everything));
    let galley = Galley::asking(&server);
    galley.run(["config", "set", "otlp.url", &collector.base_url]).ok();
    let result = galley.news(TOPIC, &["--profile", "test", "--json"]).ok().result();
    let spans = spans(&collector);
    assert_is_tree(&spans);

    let [root] = named(&spans, "invoke_workflow ")[..] else { panic!("{spans:?}") };
    assert_eq!(root.name, "invoke_workflow ai-news");
    assert_eq!(text(root, "gen_ai.operation.name"), "invoke_workflow");
    assert_eq!(text(root, "gen_ai.agent.name"), "ai-news");
    assert_eq!(text(root, "galley.run.id"), result["run"].as_str().unwrap());
    assert_eq!(text(root, "galley.run.outcome"), "finished");
    let writer = named(&spans, "invoke_agent ai_news_writer");
    assert!(!writer.is_empty() && text(writer[0], "gen_ai.operation.name") == "invoke_agent");
    let chats = named(&spans, "chat news-1");
    assert_eq!(chats.len() as u64, result["usage"]["calls"].as_u64().unwrap());
    for chat in &chats {
        assert_eq!(text(chat, "gen_ai.operation.name"), "chat");
        assert_eq!(text(chat, "gen_ai.provider.name"), "openai", "it speaks the dialect of OpenAI");
        assert_eq!(text(chat, "gen_ai.request.model"), "news-1");
        assert!(!text(chat, "gen_ai.response.model").is_empty());
        assert!(matches!(attribute(chat, "gen_ai.response.finish_reasons"), Some(Any::ArrayValue(_))));
    }
    for (key, of_run) in
        [("gen_ai.usage.input_tokens", "input_tokens"), ("gen_ai.usage.output_tokens", "output_tokens")]
    {
        let sum: i64 = chats.iter().map(|chat| count(chat, key)).sum();
        assert!(sum > 0 && Some(sum) == result["usage"][of_run].as_i64(), "{sum}, {}", result["usage"]);
    }
    let tools = named(&spans, "execute_tool ");
    assert!(!tools.is_empty(), "the library was searched");
    assert!(tools.iter().all(|tool| tool.name == format!("execute_tool {}", text(tool, "gen_ai.tool.name"))));

    // Every sentence that stands in the events, of whomever it is.
    let mut sentences = BTreeSet::new();
    for event in galley.events("last") {
        collect_sentences(&event["fact"], &mut sentences);
    }
    assert!(sentences.len() > 20 && sentences.contains(TOPIC), "{}", sentences.len());
    let sent: Vec<u8> = collector.exports().into_iter().flat_map(|export| export.body).collect();
    let sent = String::from_utf8_lossy(&sent);
    assert!(sent.contains("invoke_workflow ai-news"));
    for sentence in sentences {
        assert!(!sent.contains(&sentence), "a text was sent: {sentence}");
    }
    assert!(!sent.contains(galley.data().to_str().unwrap()) && !sent.contains(&server.base_url));
}

/// The texts with a space in them: what is a name or a code has none.
fn collect_sentences(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.trim().contains(' ') => _ = into.insert(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| collect_sentences(value, into)),
        Value::Object(fields) => fields.values().for_each(|value| collect_sentences(value, into)),
        _ => {}
    }
}

#[test]
fn a_run_that_goes_on_continues_its_trace_and_sends_nothing_twice() {
    let (server, collector) = (news_server(NewsModel::default()), SpanCollector::start(Collects::Everything));
    let galley = Galley::asking(&server);
    galley.run(["config", "set", "otlp.url", &collector.base_url]).ok();
    let waits = galley.news(TOPIC, &["--profile", "test", "--stop-after", "ai_news_writer", "--json"]);
    assert_eq!(waits.result()["outcome"], "waiting", "{waits:?}");
    let first = spans(&collector);
    assert_is_tree(&first);
    assert_eq!(text(named(&first, "invoke_workflow ")[0], "galley.run.outcome"), "waiting");
    let ended = galley.run(["answer", "last", "go_on", "--json"]).ok().result();
    let all = spans(&collector);
    assert!(all.len() > first.len() && all.starts_with(&first));
    assert_is_tree(&all);
    let outcomes: Vec<String> =
        named(&all, "invoke_workflow ").iter().map(|root| text(root, "galley.run.outcome")).collect();
    assert_eq!(outcomes, ["waiting", "finished"]);
    let sum: i64 = named(&all, "chat ").iter().map(|chat| count(chat, "gen_ai.usage.input_tokens")).sum();
    assert_eq!(Some(sum), ended["usage"]["input_tokens"].as_i64());
    // Replays are no work of the run.
    galley.run(["replay", "last"]).ok();
    assert_eq!(spans(&collector).len(), all.len());
}

#[test]
fn nothing_is_sent_while_no_collector_is_named() {
    let collector = SpanCollector::start(Collects::Everything);
    let galley = Galley::new();
    galley.news(TOPIC, &[]).ok();
    assert!(!galley.data().join("last-export.json").exists());
    assert!(!galley.run(["doctor"]).out.contains("Collector"));
    galley.run(["config", "set", "otlp.url", &collector.base_url]).ok();
    galley.news(TOPIC, &[]).ok();
    let sent = collector.exports().len();
    assert!(sent > 0 && named(&spans(&collector), "chat ").is_empty(), "without a model none is called");
    let well = galley.run(["doctor"]).out;
    assert!(well.contains("Collector") && well.contains("takes spans; the last export took"), "{well}");
    assert_eq!(collector.exports().len(), sent + 1, "the doctor asks once");
    galley.run(["config", "set", "otlp.url", ""]).ok();
    galley.news(TOPIC, &[]).ok();
    assert_eq!(collector.exports().len(), sent + 1);
    // Where spans go is not taken from a file of settings, and no secret stands in the address.
    galley.run(["config", "set", "otlp.url", "http://me:pasted@127.0.0.1:1"]).exits(2);
    galley.run(["config", "set", "otlp.url", "ftp://127.0.0.1"]).exits(2);
    assert_eq!(galley.run(["config", "get", "otlp.url"]).ok().out.trim_end(), "");
}

#[test]
fn a_collector_that_takes_nothing_costs_a_run_nothing_and_is_told_in_the_log_and_by_the_doctor() {
    let galley = Galley::new();
    let quiet = galley.news(TOPIC, &[]).ok();
    galley.run(["config", "set", "log.level", "warn"]).ok();
    let (refuses, hangs) =
        (SpanCollector::start(Collects::Nothing), SpanCollector::start(Collects::WithoutAnAnswer));
    let cases = [
        (refuses.base_url.clone(), "status 503"),
        (closed_port_url(), "cannot be reached"),
        (hangs.base_url.clone(), "Galley ended before"),
    ];
    for (url, why) in cases {
        galley.run(["config", "set", "otlp.url", &url]).ok();
        let log = galley.data().join("galley.log");
        let _ = std::fs::remove_file(&log);
        let told = galley.news(TOPIC, &[]).ok();
        assert_eq!(
            (&told.out, told.err.lines().count()),
            (&quiet.out, quiet.err.lines().count()),
            "{told:?}"
        );
        let logged = std::fs::read_to_string(&log).unwrap();
        let lines: Vec<&str> = logged.lines().filter(|line| line.contains("were not exported")).collect();
        assert!(lines.len() == 1 && lines[0].contains(why), "{why}: {logged}");
        let ill = galley.run(["doctor"]).exits(1).out;
        assert!(ill.contains("✗ Collector") && ill.contains("the last export failed"), "{ill}");
        assert!(ill.contains(why) && ill.contains("otlp.url"), "{ill}");
    }
    assert!(!refuses.exports().is_empty() && !hangs.exports().is_empty(), "they were asked");
}
