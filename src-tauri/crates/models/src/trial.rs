//! Tries a profile: the smallest call that shows that address, key and model are right.

use std::time::Instant;

use engine::{Model, TextSink};
use kernel::{Fault, Message, ModelRequest, Speaker, Value};

/// Sends one tiny request and says in plain words what came of it.
///
/// # Errors
/// The fault of the call, in the words a run would show.
pub async fn test(model: &dyn Model, model_name: &str) -> Result<String, Fault> {
    let request = ModelRequest {
        agent: "profile test".to_owned(),
        profile: String::new(),
        model: model_name.to_owned(),
        instruction: Value::text("Answer with the single word ok."),
        messages: vec![Message::new(Speaker::User, "Say ok.")],
        shape: None,
        tools: Vec::new(),
        temperature: 0.0,
        // Enough for the word; a model that thinks first may be cut off, which proves as much.
        max_output_tokens: 32,
    };
    let start = Instant::now();
    let reply = model.answer(&request, &TextSink::default()).await?;
    let seconds = start.elapsed().as_secs_f64();
    let name = if reply.model.is_empty() { model_name } else { &reply.model };
    let tokens = match (reply.usage.input_tokens, reply.usage.output_tokens) {
        (0, 0) => "tokens not counted".to_owned(),
        (input, output) => format!("{input} tokens in, {output} out"),
    };
    Ok(format!("Model `{name}` answered in {seconds:.1} s ({tokens})."))
}
