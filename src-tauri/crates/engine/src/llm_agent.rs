//! The agent that asks a model, and the built-in function that replaces the model.

use std::sync::Arc;

use answers::{Fault as Flaw, Reader, Reading, Unusable};
use async_trait::async_trait;
use kernel::{
    AgentKind, BUILT_IN, CallRange, Code, Delta, Error, LoopExit, Message, ModelReply, ModelRequest, Note,
    Outline, Phrase, ReplyShape, Speaker, Stream, ToolOffer, ToolRequest, Value, form, phrase,
};
use serde_json::json;

use crate::agent::{Agent, Flow};
use crate::answer_reader::{self, ReadContext};
use crate::flaws::{Ending, message_text, repair_request};
use crate::llm_agent_parts::{BuiltIn, Derive, Finish, LlmAgentParts, Prompt, Titles, Verify};
use crate::tool_search::{AgentTools, Found};
use crate::{AgentError, Cx, tool_turn};

/// Most rounds of tool calls before the model must answer.
const MAX_TOOL_ROUNDS: usize = 8;
/// After an answer that was cut off, the next one gets this many times the tokens.
const MORE_ROOM: u32 = 2;
/// The tool by which a model ends its loop.
const EXIT_LOOP: &str = "exit_loop";

/// An agent that asks a model for JSON of a shape and writes it under one key.
pub struct LlmAgent {
    outline: Outline,
    instruction: String,
    key: String,
    /// The shape of the JSON that the model is asked for; `None` for free text.
    shape: Option<ReplyShape>,
    reader: Arc<Reader>,
    prompt: Box<Prompt>,
    titles: Option<Box<Titles>>,
    finish: Box<Finish>,
    derive: Option<Box<Derive>>,
    verify: Option<Box<Verify>>,
    built_in: Option<Box<BuiltIn>>,
    exit_field: Option<String>,
    offers_exit: bool,
    tools: AgentTools,
}

impl LlmAgent {
    /// Builds the agent.
    ///
    /// # Errors
    /// `internal` when the schema is invalid.
    pub fn new(parts: LlmAgentParts) -> Result<LlmAgent, Error> {
        let is_text = parts.form.text_field().is_some();
        let reader = parts.form.reader(&parts.key).map_err(|error| {
            Error::new(Code::Internal, phrase!("`{name}`: {why}", name = parts.name, why = error.to_string()))
        })?;
        let outline = Outline {
            name: parts.name,
            title: parts.title,
            agent: AgentKind::Llm,
            contract: parts.contract,
            stream: parts.streams.map(|field| Stream { key: parts.key.clone(), field }),
            calls: CallRange { least: 1, most: 2 },
            is_on_demand: false,
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
            shape: (!is_text).then(|| ReplyShape { name: parts.key.clone(), schema: reader.asked().into() }),
            key: parts.key,
            reader: Arc::new(reader),
            prompt: parts.prompt,
            titles: parts.titles,
            finish: parts.finish,
            derive: parts.derive,
            verify: parts.verify,
            built_in: parts.built_in,
            exit_field: parts.exit_field,
            offers_exit: parts.offers_exit,
            tools: AgentTools::new(tools),
        })
    }

    /// The default instruction of this agent.
    pub fn instruction(&self) -> &str {
        &self.instruction
    }

    fn request(&self, cx: &Cx, messages: &[Message], found: &Found, room: u32) -> ModelRequest {
        let definition = cx.definition();
        let own = cx.settings().unwrap_or_default();
        let instruction =
            if own.instruction.is_empty() { Value::text(self.instruction.clone()) } else { own.instruction };
        ModelRequest {
            agent: cx.name().to_owned(),
            profile: own.profile,
            model: own.model,
            instruction,
            messages: messages.to_vec(),
            shape: self.shape.clone(),
            tools: self.tools.offered(found),
            temperature: own.temperature,
            max_output_tokens: own
                .limits
                .max_output_tokens
                .or(definition.limits.max_output_tokens)
                .unwrap_or(own.max_output_tokens)
                .saturating_mul(room),
        }
    }

    /// Answers the tool calls of a reply. True when the model called `exit_loop`.
    async fn serve_tools(
        &self,
        cx: &mut Cx,
        reply: &ModelReply,
        messages: &mut Vec<Message>,
        found: &mut Found,
    ) -> Result<bool, AgentError> {
        let offered: Vec<String> = self.tools.all().map(|offer| offer.name.clone()).collect();
        let is_end = |call: &ToolRequest| self.offers_exit && call.tool == EXIT_LOOP;
        // The engine answers `exit_loop` itself, so that every call has an answer.
        let known = |call: &ToolRequest| match is_end(call) {
            true => Some(json!({"status": "the loop ends after this"})),
            false => self.tools.find(call, found),
        };
        tool_turn::serve(cx, reply, &offered, known, messages).await?;
        Ok(reply.tool_requests.iter().any(is_end))
    }

    /// Whether the model may call any tool besides `exit_loop`.
    fn has_tools(&self) -> bool {
        self.tools.all().any(|offer| !self.offers_exit || offer.name != EXIT_LOOP)
    }

    fn offers(&self, tool: &str) -> bool {
        self.tools.all().any(|offer| offer.name == tool)
    }

    fn unknown(&self, tool: &str) -> Flaw {
        let known = self.tools.all().map(|offer| offer.name.clone()).collect();
        Flaw::UnknownTool { tool: tool.to_owned(), known }
    }

    fn titles(&self, cx: &Cx) -> Vec<String> {
        self.titles.as_ref().map(|titles| titles(cx.view())).unwrap_or_default()
    }

    /// The checked content of a reply, or its flaws.
    async fn usable(
        &self,
        cx: &mut Cx,
        reply: &ModelReply,
        shown: &str,
        exits: bool,
    ) -> Result<Result<serde_json::Value, Vec<Flaw>>, AgentError> {
        let unknown: Vec<ToolRequest> =
            reply.tool_requests.iter().filter(|request| !self.offers(&request.tool)).cloned().collect();
        let context = ReadContext { unknown: &unknown, titles: &self.titles(cx), shown };
        let mut read = answer_reader::read(&self.reader, reply, context, Reader::read).await;
        // A call of `exit_loop` sets the exit field to true; the check of the answer may reset it.
        if let (true, Some(field), Ok(reading)) = (exits, &self.exit_field, &mut read) {
            reading.value[field] = json!(true);
        }
        Ok(self.accepted(cx, read)?.map_err(|flaws| {
            let was_checked = flaws.iter().any(|flaw| matches!(flaw, Flaw::Check { .. }));
            let call = unknown.first().filter(|_| !was_checked);
            call.map_or(flaws, |call| vec![self.unknown(&call.tool)])
        }))
    }

    /// The usable part of unusable replies, each with whether it was cut off.
    async fn usable_part(
        &self,
        cx: &mut Cx,
        unread: &[(ModelReply, bool)],
    ) -> Result<Option<serde_json::Value>, AgentError> {
        let titles = self.titles(cx);
        for (reply, way) in answer_reader::second_ways(unread) {
            let context = ReadContext { titles: &titles, ..ReadContext::default() };
            let read = answer_reader::read(&self.reader, reply, context, way).await;
            if let Ok(json) = self.accepted(cx, read)? {
                return Ok(Some(json));
            }
        }
        Ok(None)
    }

    /// The flaws of a usable answer that the model is asked once to repair.
    fn broken(&self, cx: &Cx, answer: &serde_json::Value) -> Vec<Flaw> {
        let asks_model = cx.settings().is_some_and(|own| own.profile != BUILT_IN);
        let verify = self.verify.as_ref().filter(|_| asks_model);
        let problems = verify.map(|verify| verify(cx.view(), answer)).unwrap_or_default();
        problems.into_iter().map(|problem| Flaw::Check { problem }).collect()
    }

    /// Writes the answer, and returns how the flow continues.
    async fn conclude(&self, cx: &mut Cx, json: serde_json::Value, exits: bool) -> Result<Flow, AgentError> {
        let wants_exit = self.exit_field.as_ref().is_some_and(|field| json[field] == json!(true));
        let delta = match &self.derive {
            Some(derive) => derive(cx.view(), json),
            None => Delta::of(&self.key, json),
        };
        cx.change(delta).await?;
        let agent = cx.name().to_owned();
        // The check of the answer decides about its exit field.
        let ends = if self.exit_field.is_some() { wants_exit } else { exits };
        Ok(match (ends, exits) {
            (false, _) => Flow::Continue,
            (true, true) => cx.exit_loop(LoopExit::ExitTool { agent }),
            (true, false) => cx.exit_loop(LoopExit::ExitField { agent }),
        })
    }

    /// The model called `exit_loop` without an answer. An agent with an exit field writes that field as true; any other
    /// writes nothing, so the former value of the key stays.
    async fn end_loop(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        if let Some(field) = &self.exit_field {
            let exit_reply = ModelReply { text: json!({ field: true }).to_string(), ..ModelReply::default() };
            let read =
                answer_reader::read(&self.reader, &exit_reply, ReadContext::default(), Reader::read).await;
            let answer = read.ok().and_then(|reading| (self.finish)(cx.view(), reading.value).ok());
            if let Some(answer) = answer {
                return self.conclude(cx, answer, true).await;
            }
        }
        Ok(cx.exit_loop(LoopExit::ExitTool { agent: cx.name().to_owned() }))
    }

    /// Checks what was read, and notes what was repaired while reading it.
    fn accepted(
        &self,
        cx: &mut Cx,
        read: Result<Reading, Unusable>,
    ) -> Result<Result<serde_json::Value, Vec<Flaw>>, AgentError> {
        let found = read.map_err(|unusable| unusable.faults).and_then(|reading| {
            let checked = (self.finish)(cx.view(), reading.value);
            checked
                .map(|value| (value, reading.rungs))
                .map_err(|problems| problems.into_iter().map(|problem| Flaw::Check { problem }).collect())
        });
        let (value, rungs) = match found {
            Ok(found) => found,
            Err(flaws) => return Ok(Err(flaws)),
        };
        if !rungs.is_empty() {
            let rungs = rungs.iter().map(|rung| Phrase::of_tagged("rung", "rung", rung)).collect();
            cx.note(Note::Repair { rungs })?;
        }
        Ok(Ok(value))
    }
}

#[async_trait]
impl Agent for LlmAgent {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let prompt = cx.with_words_of_person((self.prompt)(cx)?, &self.key)?;
        let mut messages = vec![Message::new(Speaker::User, prompt.clone())];
        let mut was_repaired = false;
        let mut exits = false;
        let mut tool_rounds = 0;
        let mut room = 1;
        let mut unread = Vec::new();
        let mut found = Found::new();
        // The best usable answer so far, and the number of its flaws.
        let mut takable = None;
        loop {
            let request = self.request(cx, &messages, &found, room);
            let asked = request.max_output_tokens;
            let reply = match (cx.ask_model(request, self.built_in.as_deref()).await, takable.take()) {
                (Ok(reply), earlier) => {
                    takable = earlier;
                    reply
                }
                // A reached limit does not discard the usable answer.
                (Err(AgentError::Limit { .. }), Some((json, _))) => {
                    return self.conclude(cx, json, exits).await;
                }
                (Err(error), _) => return Err(error),
            };
            let calls_offered = reply.tool_requests.iter().any(|request| self.offers(&request.tool));
            if calls_offered && tool_rounds < MAX_TOOL_ROUNDS {
                tool_rounds += 1;
                exits |= self.serve_tools(cx, &reply, &mut messages, &mut found).await?;
                if exits && reply.text.trim().is_empty() {
                    return self.end_loop(cx).await;
                }
                if !exits {
                    continue;
                }
            }
            let flaws = match self.usable(cx, &reply, &prompt, exits).await? {
                Ok(json) => {
                    let broken = self.broken(cx, &json);
                    // A model that is asked again may return a remark instead of its text, so the answer with the
                    // fewest flaws is kept.
                    let best = takable.filter(|(_, least)| *least < broken.len());
                    let best = best.unwrap_or((json, broken.len()));
                    if broken.is_empty() || was_repaired {
                        return self.conclude(cx, best.0, exits).await;
                    }
                    takable = Some(best);
                    broken
                }
                // The text beside the call is not an answer.
                Err(_) if exits && self.exit_field.is_some() => return self.end_loop(cx).await,
                // A call of an unknown tool is answered as any other failed call.
                Err(flaws)
                    if matches!(flaws[..], [Flaw::UnknownTool { .. }])
                        && self.has_tools()
                        && tool_rounds < MAX_TOOL_ROUNDS =>
                {
                    tool_rounds += 1;
                    self.serve_tools(cx, &reply, &mut messages, &mut found).await?;
                    continue;
                }
                Err(flaws) => flaws,
            };
            unread.push((reply.clone(), flaws.contains(&Flaw::Cut)));
            let own = cx.settings().and_then(|own| own.limits.max_output_tokens);
            let name = cx.name().to_owned();
            let agent = own.map(|_| name.as_str());
            let ending = Ending { reply: &reply, asked, limit: asked / room, agent };
            let phrases = ending.phrases(&flaws);
            let is_at_limit = flaws.contains(&Flaw::Cut) && ending.is_at_own_limit();
            if !was_repaired {
                was_repaired = true;
                room = if flaws.contains(&Flaw::Cut) { MORE_ROOM } else { 1 };
                cx.note(Note::AskedAgain { flaws: phrases, room })?;
                messages.push(Message::new(Speaker::Model, message_text(&reply)));
                messages.push(Message::new(Speaker::User, repair_request(&flaws, self.shape.is_none())));
                continue;
            }
            if let Some((json, _)) = takable {
                return self.conclude(cx, json, exits).await;
            }
            if let Some(json) = self.usable_part(cx, &unread).await? {
                return self.conclude(cx, json, exits).await;
            }
            let next = match is_at_limit {
                true => form!(
                    "Raise it with `--limit max_output_tokens=N` (`AGENT.max_output_tokens=N` for one agent) in a new run or a \
                     fork, or in the pipeline, or correct the answer by hand"
                ),
                false => form!("Correct it by hand, or fork with another model or instruction"),
            };
            let message = phrase!(
                "The answer of `{agent}` could not be used, even after one retry: {flaws}. {next}",
                agent = cx.name(),
                flaws = phrases.clone(),
                next
            );
            cx.note(Note::Malformed { raw: reply.text.clone(), flaws: phrases })?;
            let error = Error::new(Code::MalformedAnswer, message);
            if !cx.ask_about_malformed(&error, self.built_in.is_some()).await? {
                return Err(AgentError::Malformed(error));
            }
            (was_repaired, tool_rounds) = (false, 0);
            messages.truncate(1);
            found.clear();
            unread.clear();
        }
    }
}
