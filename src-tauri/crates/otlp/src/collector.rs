//! Sends spans: OTLP over HTTP, as protobuf, to `URL/v1/traces`.

use std::time::Duration;

use kernel::{Phrase, phrase};
use net::{Answer, Caps, Net, NetError, Request, Url};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::InstrumentationScope;
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};
use prost::Message as _;

use crate::attributes::text;

/// Most spans of one request.
const BATCH: usize = 512;
/// Limits of a response. Redirects are not followed with spans.
const CAPS: Caps = Caps { most_bytes: 64 << 10, within: Duration::from_secs(10), redirects: 0 };
const MEDIA_TYPE: &str = "application/x-protobuf";
const SERVICE: &str = "galley";

/// The destination of spans.
pub struct Collector {
    net: Net,
    traces: Url,
}

/// Why spans did not arrive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportError {
    /// The collector was not reached, or its response was incomplete.
    Net(NetError),
    /// It rejected the request.
    Status {
        /// HTTP status.
        status: u16,
    },
    /// It accepted the request and rejected some spans.
    Rejected {
        /// The number of rejected spans.
        spans: i64,
    },
}

impl ExportError {
    /// The message for the person.
    pub fn phrase(&self) -> Phrase {
        match self {
            ExportError::Net(error) => error.phrase(),
            ExportError::Status { status } => phrase!("The collector answers with status {status}", status),
            ExportError::Rejected { spans } => phrase!("The collector rejected {spans} spans", spans),
        }
    }
}

impl Collector {
    /// The collector at a base URL like `http://127.0.0.1:4318`, which `net` must allow; `None` if the text is no URL.
    pub fn new(net: &Net, base_url: &str) -> Option<Collector> {
        let base = base_url.trim().trim_end_matches('/');
        let traces = Url::parse(&format!("{base}/v1/traces")).ok()?;
        Some(Collector { net: net.allowing([base]), traces })
    }

    /// Sends spans in batches, and stops at the first failure. Without spans it sends one empty request, which tests
    /// the collector.
    ///
    /// # Errors
    /// [`ExportError`] if the collector is not reached within 10 s per batch, or rejects the spans.
    pub async fn send(&self, spans: Vec<Span>) -> Result<(), ExportError> {
        let mut rest = spans;
        loop {
            let later = rest.split_off(rest.len().min(BATCH));
            self.send_batch(rest).await?;
            if later.is_empty() {
                return Ok(());
            }
            rest = later;
        }
    }

    async fn send_batch(&self, spans: Vec<Span>) -> Result<(), ExportError> {
        let body = message(spans).encode_to_vec();
        let request = Request::post_bytes(self.traces.clone(), MEDIA_TYPE, body).caps(CAPS);
        let answer = self.net.send(request).await.map_err(ExportError::Net)?;
        if !answer.is_success() {
            return Err(ExportError::Status { status: answer.status });
        }
        match rejected(&answer) {
            0 => Ok(()),
            spans => Err(ExportError::Rejected { spans }),
        }
    }
}

/// The number of spans that the collector rejected.
fn rejected(answer: &Answer) -> i64 {
    let response = (answer.content_type() == MEDIA_TYPE)
        .then(|| ExportTraceServiceResponse::decode(answer.body.as_slice()).ok())
        .flatten();
    response.and_then(|response| response.partial_success).map_or(0, |partial| partial.rejected_spans)
}

fn message(spans: Vec<Span>) -> ExportTraceServiceRequest {
    let version = env!("CARGO_PKG_VERSION");
    if spans.is_empty() {
        return ExportTraceServiceRequest::default();
    }
    let resource = Resource {
        attributes: vec![text("service.name", SERVICE), text("service.version", version)],
        ..Resource::default()
    };
    let scope = InstrumentationScope {
        name: SERVICE.to_owned(),
        version: version.to_owned(),
        ..InstrumentationScope::default()
    };
    let scope_spans = vec![ScopeSpans { scope: Some(scope), spans, ..ScopeSpans::default() }];
    let resource_spans = ResourceSpans { resource: Some(resource), scope_spans, ..ResourceSpans::default() };
    ExportTraceServiceRequest { resource_spans: vec![resource_spans] }
}
