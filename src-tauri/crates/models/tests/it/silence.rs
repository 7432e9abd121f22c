//! No part of a key or a request reaches a log, whatever the libraries write.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use engine::TextSink;
use models::{Delivery, connect_with};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::samples::{KEY, access, request};
use crate::server::{Server, whole};

#[derive(Clone, Default)]
struct Everything(Arc<Mutex<String>>);

impl Visit for Everything {
    fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
        self.0.lock().unwrap().push_str(&format!("{value:?}\n"));
    }
}

impl Subscriber for Everything {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut self.clone());
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn no_log_holds_the_key_or_the_request() {
    let log = Everything::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    tracing::subscriber::with_default(log.clone(), || {
        for delivery in [Delivery::Streamed, Delivery::Whole] {
            let body = format!("{{\"error\": {{\"message\": \"refused {KEY}: About proofs.\"}}}}");
            let server = Server::new(vec![whole(400, "content-type: application/json\r\n", &body)]);
            let model = connect_with(access(&server.base_url), delivery).unwrap();
            runtime.block_on(model.answer(&request(), &TextSink::default())).unwrap_err();
        }
        tracing::info!("the log listens");
    });
    let log = log.0.lock().unwrap();
    assert!(log.contains("the log listens"));
    assert!(!log.contains(KEY) && !log.contains("About proofs."), "{log}");
}
