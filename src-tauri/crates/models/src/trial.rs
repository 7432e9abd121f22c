//! Tries a profile: the smallest call that shows that address, key and model are right.

use std::time::{Duration, Instant};

use engine::{Model, TextSink};
use kernel::{
    Code, Error, Message, ModelRequest, Phrase, Remark, ReplyShape, Speaker, TokenUsage, Value, phrase,
};
use reqwest::Url;
use serde_json::json;

/// So long may somebody take to answer anything.
const SIGN_WITHIN: Duration = Duration::from_secs(4);

/// So long may a trial take in all. No agent with limits stands behind it, and a server may give signs of life
/// for ever.
const TRIAL_WITHIN: Duration = Duration::from_secs(120);

/// Whether somebody answers at an address. Nothing is said to them.
pub async fn answers(address: &Url) -> bool {
    let Some((host, port)) = address.host_str().zip(address.port_or_known_default()) else { return false };
    let reached = tokio::net::TcpStream::connect((host.trim_matches(['[', ']']), port));
    tokio::time::timeout(SIGN_WITHIN, reached).await.is_ok_and(|reached| reached.is_ok())
}

/// What came of a trial, which costs as any call does.
#[derive(Debug)]
pub struct Trial {
    /// In plain words; else the error of the call, as a run would show it.
    pub told: Result<Phrase, Error>,
    /// Tokens as far as they were told, also of an answer that broke off.
    pub tokens: TokenUsage,
    /// Whether something was used of which nothing was told.
    pub is_uncounted: bool,
    /// US dollars; `None` where the price is not known.
    pub cost: Option<f64>,
}

/// Sends one tiny request of the form that runs send: with the shape of the answer, streamed. What the server refuses of
/// that is found out here.
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
        // Enough for the word; a model that thinks first may be cut off, which proves as much.
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
            return Trial { told: Err(error), tokens, is_uncounted, cost: wasted.cost };
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
    let told = Ok(Phrase::sentences(std::iter::once(answered).chain(without)));
    let is_uncounted = reply.usage == TokenUsage::default();
    Trial { told, tokens: reply.usage, is_uncounted, cost: reply.cost }
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
