//! Nothing that genai logs while it works reaches a log: bodies in it can hold the key and the request.

mod server;

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use engine::TextSink;
use kernel::{Message, ModelRequest, Speaker, Value};
use models::{Delivery, ProfileAccess, connect_with};
use server::{Server, whole};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

const KEY: &str = "sk-test-Zq81/Yb7+Lm42XwPd93";

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
    tracing::subscriber::set_global_default(log.clone()).unwrap();
    tracing::info!("the log listens");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for delivery in [Delivery::Streamed, Delivery::Whole] {
        let body = format!("{{\"error\": {{\"message\": \"refused {KEY}: a private topic\"}}}}");
        let server = Server::new(vec![whole(400, "content-type: application/json\r\n", &body)]);
        let access = ProfileAccess {
            profile: "work".into(),
            provider: "openai-compatible".into(),
            base_url: server.base_url.clone(),
            key: Some(KEY.into()),
        };
        let request = ModelRequest {
            agent: "writer".into(),
            profile: "work".into(),
            model: "m-1".into(),
            instruction: Value::text("Write."),
            messages: vec![Message::new(Speaker::User, "a private topic")],
            shape: None,
            tools: Vec::new(),
            temperature: 0.4,
            max_output_tokens: 100,
        };
        let model = connect_with(access, delivery).unwrap();
        runtime.block_on(model.answer(&request, &TextSink::default())).unwrap_err();
    }
    let log = log.0.lock().unwrap();
    assert!(log.contains("the log listens"));
    assert!(!log.contains(KEY) && !log.contains("a private topic"), "{log}");
}
