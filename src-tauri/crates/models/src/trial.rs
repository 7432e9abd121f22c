//! Tests a profile: the smallest call that shows that address, key and model are right.

use std::time::{Duration, Instant};

use engine::{Model, TextSink};
use kernel::{
    Code, Error, Message, ModelRequest, Phrase, Remark, ReplyShape, Speaker, TokenUsage, Value, phrase,
};
use reqwest::Url;
use serde_json::json;

/// Timeout for any response of a server.
const SIGN_WITHIN: Duration = Duration::from_secs(4);

/// Timeout for a whole trial. No agent's limits apply, and a server may send keep-alives for ever.
const TRIAL_WITHIN: Duration = Duration::from_secs(120);

/// Whether a server responds at an address. No data is sent to it.
pub async fn answers(address: &Url) -> bool {
    let Some((host, port)) = address.host_str().zip(address.port_or_known_default()) else { return false };
    let reached = tokio::net::TcpStream::connect((host.trim_matches(['[', ']']), port));
    tokio::time::timeout(SIGN_WITHIN, reached).await.is_ok_and(|reached| reached.is_ok())
}

/// The result of a trial, which costs as any call does.
#[derive(Debug)]
pub struct Trial {
    /// The outcome in a sentence; else the error of the call, as a run would show it.
    pub outcome: Result<Phrase, Error>,
    /// The reported tokens, also of an interrupted answer.
    pub tokens: TokenUsage,
    /// Whether usage was not reported.
    pub is_uncounted: bool,
    /// US dollars; `None` if the price is unknown.
    pub cost: Option<f64>,
}

/// Sends one tiny request in the form that runs use: with a reply shape, streamed. The parts that the server refuses
/// are found here.
pub async fn test(model: &dyn Model, model_name: &str) -> Trial {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["word"],
        "properties": {"word": {"type": "string"}},
    });
    let request = ModelRequest {
        agent: "profile test".to_owned(),
        profile: String::new(),
        model: model_name.to_owned(),
        instruction: Value::text("Answer with one JSON object: {\"word\": \"ok\"}"),
        messages: vec![Message::new(Speaker::User, "Say ok.")],
        shape: Some(ReplyShape { name: "trial".to_owned(), schema: schema.into() }),
        tools: Vec::new(),
        temperature: 0.3,
        // Enough for the word. A reasoning model may be cut off first, which proves as much.
        max_output_tokens: 64,
    };
    let start = Instant::now();
    let sink = TextSink::default();
    let answer = tokio::time::timeout(TRIAL_WITHIN, model.answer(&request, &sink)).await;
    let reply = match answer.unwrap_or_else(|_| Err(endless(model_name))) {
        Ok(reply) => reply,
        Err(error) => {
            let wasted = sink.meter().wasted_usage(false);
            let (tokens, is_uncounted) = (wasted.tokens, wasted.is_uncounted);
            return Trial { outcome: Err(error), tokens, is_uncounted, cost: wasted.cost };
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let name = if reply.model.is_empty() { model_name } else { &reply.model };
    let tokens = match (reply.usage.input_tokens, reply.usage.output_tokens) {
        (0, 0) => phrase!("tokens not counted"),
        (input, output) => phrase!("{input} tokens in, {output} out", input, output),
    };
    let refused: Vec<String> = sink.remarks().iter().filter_map(refused_in).collect();
    let without = match refused.as_slice() {
        [] => None,
        parts => Some(phrase!("Its server refused {parts} and is asked without.", parts)),
    };
    let seconds = format!("{seconds:.1}");
    let answered = phrase!("Model `{name}` answered in {seconds} s ({tokens}).", name, seconds, tokens);
    let outcome = Ok(Phrase::sentences(std::iter::once(answered).chain(without)));
    let is_uncounted = reply.usage == TokenUsage::default();
    Trial { outcome, tokens: reply.usage, is_uncounted, cost: reply.cost }
}

fn refused_in(remark: &Remark) -> Option<String> {
    match remark {
        Remark::LeftOut { part, .. } => Some(format!("`{}`", part.name())),
        Remark::UnendedStreams { .. } | Remark::PiecesSkipped { .. } => None,
    }
}

fn endless(model_name: &str) -> Error {
    let message = phrase!(
        "The trial of model `{model}` was ended because its answer was not complete within {seconds} s; if the server is still loading the model try again in a while, else check the server.",
        model = model_name,
        seconds = TRIAL_WITHIN.as_secs()
    );
    Error::new(Code::Timeout, message)
}
