//! Builds the spans of one part of a run: each lies within its parent in time.

use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::trace::v1::span::{Event as SpanEvent, SpanKind};
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use opentelemetry_proto::tonic::trace::v1::{Span, Status};

use crate::attributes::text;

/// Spans in the order of their start: parents come before their children.
#[derive(Default)]
pub(crate) struct SpanTree {
    spans: Vec<Span>,
    parents: Vec<Option<usize>>,
}

/// The data at the start of a span.
pub(crate) struct Begin {
    /// 8 bytes.
    pub(crate) id: Vec<u8>,
    pub(crate) parent: Option<usize>,
    pub(crate) name: String,
    pub(crate) kind: SpanKind,
    /// Milliseconds since 1970 UTC.
    pub(crate) at_ms: i64,
    pub(crate) attributes: Vec<KeyValue>,
}

impl SpanTree {
    /// Starts a span, and returns its index.
    pub(crate) fn begin(&mut self, trace_id: &[u8], begin: Begin) -> usize {
        let parent = begin.parent.map(|parent| &self.spans[parent]);
        let start = nanoseconds(begin.at_ms).max(parent.map_or(0, |parent| parent.start_time_unix_nano));
        self.spans.push(Span {
            trace_id: trace_id.to_vec(),
            span_id: begin.id,
            parent_span_id: parent.map(|parent| parent.span_id.clone()).unwrap_or_default(),
            name: begin.name,
            kind: begin.kind.into(),
            start_time_unix_nano: start,
            attributes: begin.attributes,
            ..Span::default()
        });
        self.parents.push(begin.parent);
        self.spans.len() - 1
    }

    pub(crate) fn span(&mut self, at: usize) -> &mut Span {
        &mut self.spans[at]
    }

    pub(crate) fn add(&mut self, at: usize, attributes: impl IntoIterator<Item = KeyValue>) {
        self.spans[at].attributes.extend(attributes);
    }

    /// Adds an event to a span. The log gives a refusal before an answer an earlier time than its call.
    pub(crate) fn note(&mut self, at: usize, name: &str, at_ms: i64, attributes: Vec<KeyValue>) {
        let time_unix_nano = nanoseconds(at_ms).max(self.spans[at].start_time_unix_nano);
        let event = SpanEvent { name: name.to_owned(), time_unix_nano, attributes, ..SpanEvent::default() };
        self.spans[at].events.push(event);
    }

    /// Ends a span; `error_type` is the error, if any.
    pub(crate) fn end(&mut self, at: usize, at_ms: i64, error_type: Option<&str>) {
        let span = &mut self.spans[at];
        span.end_time_unix_nano = nanoseconds(at_ms).max(span.start_time_unix_nano);
        if let Some(error) = error_type {
            span.attributes.push(text("error.type", error));
            span.status = Some(Status { code: StatusCode::Error.into(), ..Status::default() });
        }
    }

    /// The finished spans of a part of the run. Open spans end with it.
    pub(crate) fn close(mut self, at_ms: i64) -> Vec<Span> {
        for at in 0..self.spans.len() {
            if self.spans[at].end_time_unix_nano == 0 {
                self.end(at, at_ms, None);
            }
        }
        // From the leaves to the root: a concurrent child may end after the agent that waited for it.
        for at in (0..self.spans.len()).rev() {
            let end = self.spans[at].end_time_unix_nano;
            if let Some(parent) = self.parents[at] {
                let parent = &mut self.spans[parent];
                parent.end_time_unix_nano = parent.end_time_unix_nano.max(end);
            }
        }
        self.spans
    }
}

fn nanoseconds(at_ms: i64) -> u64 {
    u64::try_from(at_ms).unwrap_or_default().saturating_mul(1_000_000)
}
