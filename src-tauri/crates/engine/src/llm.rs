//! The agent that asks a model, and its plain function that does the work without one.

use async_trait::async_trait;
use jsonschema::Validator;
use kernel::{
    AgentKind, CallRange, Code, Contract, Delta, Fault, Message, ModelReply, ModelRequest, Outline,
    ReplyShape, Speaker, State, Stream, ToolOffer, Value,
};
use serde_json::json;

use crate::agent::{Agent, Flow};
use crate::error::StateError;
use crate::{AgentError, Cx, repair};

/// Rounds of tool calls at the most before an answer must come.
const MAX_TOOL_ROUNDS: usize = 8;
/// The tool by which a model ends its loop.
const EXIT_LOOP: &str = "exit_loop";

type Prompt = dyn Fn(&Cx) -> Result<String, StateError> + Send + Sync;
type Finish = dyn Fn(&State, serde_json::Value) -> Result<serde_json::Value, Vec<String>> + Send + Sync;
type Derive = dyn Fn(&State, &serde_json::Value) -> Delta + Send + Sync;
/// What stands in for a model where no profile is chosen: from the state, the answer or why there is none.
pub type BuiltIn = dyn Fn(&State) -> Result<serde_json::Value, String> + Send + Sync;

/// An agent that asks a model for JSON of a shape and writes it under one key.
pub struct LlmAgent {
    outline: Outline,
    instruction: String,
    key: String,
    shape: ReplyShape,
    validator: Validator,
    prompt: Box<Prompt>,
    finish: Box<Finish>,
    derive: Option<Box<Derive>>,
    built_in: Option<Box<BuiltIn>>,
    exit_field: Option<String>,
    offers_exit: bool,
    tools: Vec<ToolOffer>,
}

/// What an [`LlmAgent`] is made of.
pub struct LlmAgentParts {
    /// Its name.
    pub name: &'static str,
    /// Its title for people.
    pub title: &'static str,
    /// Its system instruction when the definition has no other.
    pub instruction: String,
    /// The keys it uses; it writes `key`.
    pub contract: Contract,
    /// The key its answer becomes.
    pub key: &'static str,
    /// The field of the answer that streams.
    pub streams: Option<&'static str>,
    /// JSON Schema of the answer: closed objects, every property required.
    pub schema: serde_json::Value,
    /// Properties that the answer should have but that code makes good when they are missing.
    pub lenient_required: &'static [&'static str],
    /// The message made of what it reads.
    pub prompt: Box<Prompt>,
    /// The check after every answer: derives what code derives, or lists what is wrong, worded for the model.
    pub finish: Box<Finish>,
    /// What else changes with the answer, in the same event: checks, say. Replaces the plain change.
    pub derive: Option<Box<Derive>>,
    /// The plain function that does its work without a model.
    pub built_in: Option<Box<BuiltIn>>,
    /// The boolean field of its answer by which it ends its loop.
    pub exit_field: Option<&'static str>,
    /// Whether the model may call the `exit_loop` tool.
    pub offers_exit: bool,
    /// Tools the model may call.
    pub tools: Vec<ToolOffer>,
}

impl LlmAgent {
    /// Builds the agent. Fails when its schema is none.
    pub fn new(parts: LlmAgentParts) -> Result<LlmAgent, Fault> {
        let mut accepted = parts.schema.clone();
        if let Some(required) = accepted.get_mut("required").and_then(serde_json::Value::as_array_mut) {
            required.retain(|name| !parts.lenient_required.iter().any(|lenient| name == lenient));
        }
        let validator = jsonschema::validator_for(&accepted).map_err(|error| {
            Fault::new(Code::Internal, format!("The schema of `{}` is not usable: {error}", parts.name))
        })?;
        let outline = Outline {
            name: parts.name.to_owned(),
            title: parts.title.to_owned(),
            agent: AgentKind::Llm,
            contract: parts.contract,
            stream: parts.streams.map(|field| Stream { key: parts.key.to_owned(), field: field.to_owned() }),
            calls: CallRange { least: 1, most: 2 },
            children: Vec::new(),
        };
        let mut tools = parts.tools;
        if parts.offers_exit {
            tools.push(ToolOffer {
                name: EXIT_LOOP.into(),
                description: "Ends the loop: call it when nothing is left to improve.".into(),
                schema:
                    json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false})
                        .into(),
            });
        }
        Ok(LlmAgent {
            outline,
            instruction: parts.instruction,
            key: parts.key.to_owned(),
            shape: ReplyShape { name: parts.key.to_owned(), schema: parts.schema.into() },
            validator,
            prompt: parts.prompt,
            finish: parts.finish,
            derive: parts.derive,
            built_in: parts.built_in,
            exit_field: parts.exit_field.map(str::to_owned),
            offers_exit: parts.offers_exit,
            tools,
        })
    }

    /// The instruction this program gives it.
    pub fn instruction(&self) -> &str {
        &self.instruction
    }

    fn request(&self, cx: &Cx, messages: &[Message]) -> ModelRequest {
        let definition = cx.definition();
        let own = definition.agents.get(cx.name()).cloned().unwrap_or_default();
        let instruction =
            if own.instruction.is_empty() { Value::text(self.instruction.clone()) } else { own.instruction };
        ModelRequest {
            agent: cx.name().to_owned(),
            profile: own.profile,
            model: own.model,
            instruction,
            messages: messages.to_vec(),
            shape: Some(self.shape.clone()),
            tools: self.tools.clone(),
            temperature: own.temperature,
            max_output_tokens: definition.limits.max_output_tokens.unwrap_or(own.max_output_tokens),
        }
    }

    /// Answers the tool calls of a reply. True when the model asked to end its loop.
    async fn serve_tools(
        &self,
        cx: &mut Cx,
        reply: &ModelReply,
        messages: &mut Vec<Message>,
    ) -> Result<bool, AgentError> {
        let mut exits = false;
        let said = Message {
            tool_requests: reply.tool_requests.clone(),
            ..Message::new(Speaker::Model, &reply.text)
        };
        messages.push(said);
        for request in &reply.tool_requests {
            let result = if self.offers_exit && request.tool == EXIT_LOOP {
                exits = true;
                json!({"status": "the loop ends after this"})
            } else if self.tools.iter().any(|offer| offer.name == request.tool) {
                match cx.call_tool(&request.tool, request.input.0.clone()).await {
                    Ok(result) => result.output.0,
                    Err(error) if error.stops_run() || matches!(error, AgentError::Limit { .. }) => {
                        return Err(error);
                    }
                    Err(error) => json!({"error": error.to_string()}),
                }
            } else {
                let names: Vec<&str> = self.tools.iter().map(|offer| offer.name.as_str()).collect();
                json!({"error": format!("there is no tool `{}`; there is {}", request.tool, names.join(", "))})
            };
            let answer = Message {
                answers: Some(request.id.clone()),
                ..Message::new(Speaker::Tool, result.to_string())
            };
            messages.push(answer);
        }
        Ok(exits)
    }

    fn usable(
        &self,
        cx: &mut Cx,
        reply: &ModelReply,
    ) -> Result<Result<serde_json::Value, Vec<String>>, AgentError> {
        let parsed = match repair::parse(&reply.text, &self.validator) {
            Ok(parsed) => parsed,
            Err(mut faults) => {
                if reply.stop == "length" {
                    faults.insert(0, "the answer was cut off at the limit of output tokens".into());
                }
                return Ok(Err(faults));
            }
        };
        if !parsed.rungs.is_empty() {
            let rungs = parsed.rungs.join(", ");
            cx.note("repair", format!("The answer was repaired: {rungs}"), json!({ "rungs": parsed.rungs }))?;
        }
        Ok((self.finish)(cx.view(), parsed.json))
    }
}

#[async_trait]
impl Agent for LlmAgent {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let mut messages = vec![Message::new(Speaker::User, (self.prompt)(cx)?)];
        let mut was_repaired = false;
        let mut exits = false;
        let mut tool_rounds = 0;
        loop {
            let request = self.request(cx, &messages);
            let reply = cx.ask_model(request, self.built_in.as_deref()).await?;
            if !reply.tool_requests.is_empty() && tool_rounds < MAX_TOOL_ROUNDS {
                tool_rounds += 1;
                exits |= self.serve_tools(cx, &reply, &mut messages).await?;
                // An answer that only ends the loop writes nothing: what stood under the key stays.
                if exits && reply.text.trim().is_empty() {
                    return Ok(Flow::ExitLoop);
                }
                if !exits {
                    continue;
                }
            }
            match self.usable(cx, &reply)? {
                Ok(json) => {
                    let wants_exit = self.exit_field.as_ref().is_some_and(|field| json[field] == json!(true));
                    let delta = match &self.derive {
                        Some(derive) => derive(cx.view(), &json),
                        None => Delta::of(&self.key, json),
                    };
                    cx.change(delta).await?;
                    return Ok(if exits || wants_exit { Flow::ExitLoop } else { Flow::Continue });
                }
                Err(faults) if !was_repaired => {
                    was_repaired = true;
                    let wrong = faults.join("; ");
                    let sentence =
                        format!("The answer of {} cannot be used, it is asked once more: {wrong}", cx.name());
                    cx.note("repair", sentence, json!({ "rungs": ["asked again"], "faults": faults }))?;
                    messages.push(Message::new(Speaker::Model, reply.text));
                    messages.push(Message::new(
                        Speaker::User,
                        format!(
                            "Your last answer cannot be used. {wrong}. Answer again with one JSON object of the \
                             required shape and nothing else: no fence, no remark, every field present."
                        ),
                    ));
                }
                Err(faults) => {
                    let wrong = faults.join("; ");
                    let message = format!(
                        "The answer of `{}` could not be used, also after one repair: {wrong}. Correct it by hand, or fork with another model or instruction",
                        cx.name()
                    );
                    let parameters = json!({ "raw": reply.text, "faults": faults });
                    cx.note("malformed", message.clone(), parameters)?;
                    let fault = Fault::new(Code::MalformedAnswer, message);
                    return Err(AgentError::Malformed { fault, raw: reply.text });
                }
            }
        }
    }
}
