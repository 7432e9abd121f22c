//! Every answer of the corpus through the real clients of models, streamed and in one piece: what stands between the
//! service and the reader takes nothing away that a reader needs.

use std::collections::BTreeMap;
use std::sync::Arc;

use answers::Reader;
use engine::TextSink;
use futures::{StreamExt, stream};
use kernel::{Message, ModelRequest, ReplyShape, Speaker, Value};
use models::{Delivery, ProfileAccess, connect_with};
use testkit::{ChatRequest, Dialect, Model, ModelServer, Reply, ServerOptions};

use super::bodies::body;
use super::cases::{Case, cases, demand_none, difference};
use super::corpus::{read, readers};

/// As many are asked at once.
const AT_ONCE: usize = 8;

/// A server that answers with the case whose place the model's name ends in.
pub(super) fn server(dialect: Dialect, cases: Arc<Vec<Case>>) -> ModelServer {
    let play = move |request: &ChatRequest| {
        let place: usize = request.model().rsplit('-').next().unwrap().parse().unwrap();
        let (kind, body) = body(dialect, request.is_stream(), &cases[place]);
        Reply::Error { status: 200, headers: vec![("content-type".into(), kind.into())], body }
    };
    let options = ServerOptions { dialect, keep_requests: false, ..ServerOptions::default() };
    ModelServer::start(options, Model::Function(Box::new(play))).unwrap()
}

/// Asks for the case at this place, in this shape or as free text.
pub(super) fn request(place: usize, shape: Option<ReplyShape>) -> ModelRequest {
    ModelRequest {
        agent: "corpus".into(),
        profile: "corpus".into(),
        model: format!("case-{place}"),
        instruction: Value::text("Answer."),
        messages: vec![Message::new(Speaker::User, "What is new?")],
        shape,
        tools: Vec::new(),
        temperature: 0.4,
        max_output_tokens: 2048,
    }
}

async fn asked(model: &dyn engine::Model, reader: &Reader, place: usize, case: &Case) -> Option<String> {
    let shape = ReplyShape { name: case.schema.clone(), schema: Value::new(reader.asked()) };
    let reply = model.answer(&request(place, Some(shape)), &TextSink::default()).await;
    let read = match reply {
        Ok(reply) => {
            let calls: Vec<(String, serde_json::Value)> =
                reply.tool_requests.into_iter().map(|call| (call.tool, call.input.0)).collect();
            read(reader, &case.titles, &reply.text, &reply.thinking, &calls, reply.stop == "length")
        }
        Err(error) => Err(error.message),
    };
    difference(case, &read)
}

async fn differences(provider: &str, dialect: Dialect, delivery: Delivery) {
    let (cases, readers): (Arc<Vec<Case>>, BTreeMap<String, Reader>) = (Arc::new(cases()), readers());
    let server = server(dialect, Arc::clone(&cases));
    let access = ProfileAccess {
        profile: "corpus".into(),
        provider: provider.into(),
        base_url: server.base_url.clone(),
        key: Some("not-a-key-corpus-0123456789".into()),
    };
    let model = connect_with(access, delivery).unwrap();
    let asked = cases
        .iter()
        .enumerate()
        .map(|(place, case)| asked(model.as_ref(), &readers[&case.schema], place, case));
    let rows: Vec<Option<String>> = stream::iter(asked).buffered(AT_ONCE).collect().await;
    let rows: Vec<String> = rows.into_iter().flatten().collect();
    demand_none(&rows, cases.len());
}

#[tokio::test]
async fn every_answer_streamed_in_chat_completions_is_read_as_it_is() {
    differences("openai-compatible", Dialect::OpenAi, Delivery::Streamed).await;
}

#[tokio::test]
async fn every_answer_whole_in_chat_completions_is_read_as_it_is() {
    differences("openai-compatible", Dialect::OpenAi, Delivery::Whole).await;
}

#[tokio::test]
async fn every_answer_streamed_in_gemini_is_read_as_it_is() {
    differences("gemini", Dialect::Gemini, Delivery::Streamed).await;
}

#[tokio::test]
async fn every_answer_whole_in_gemini_is_read_as_it_is() {
    differences("gemini", Dialect::Gemini, Delivery::Whole).await;
}

#[tokio::test]
async fn every_answer_streamed_in_anthropic_is_read_as_it_is() {
    differences("anthropic", Dialect::Anthropic, Delivery::Streamed).await;
}

#[tokio::test]
async fn every_answer_whole_in_anthropic_is_read_as_it_is() {
    differences("anthropic", Dialect::Anthropic, Delivery::Whole).await;
}

#[tokio::test]
async fn every_answer_streamed_in_ollama_is_read_as_it_is() {
    differences("ollama", Dialect::Ollama, Delivery::Streamed).await;
}

#[tokio::test]
async fn every_answer_whole_in_ollama_is_read_as_it_is() {
    differences("ollama", Dialect::Ollama, Delivery::Whole).await;
}
