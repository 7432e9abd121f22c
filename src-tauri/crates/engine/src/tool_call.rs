//! Calls a tool: checks the input, the permission and whether a fork's parent made the call already, and falls back to
//! another profile when one fails.
//!
//! A call that is impossible or refused is journalled as failed, so that model and person read the reason. Not here:
//! how the call is executed and retried (`tool_execution`, `attempts`).

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::{
    Answer, AskedPermission, Code, CredentialRoute, DecidedBy, Decision, Effect, EffectClass, Error, Fact,
    GivenInput, NeededInput, OnceDone, PermissionAnswer, Phrase, Question, Rule, ToolCall, ToolFailure,
    ToolResult, Value, phrase,
};
use serde::Deserialize;

use crate::effects::not_repeated;
use crate::tool::{Tool, ToolDescription, failure};
use crate::{AgentError, Cx, permission, questions, tool_directory};

/// Most times that the server of a tool may ask questions during one call.
const MOST_TIMES_ASKED: u32 = 10;

/// The outcome of a call.
pub(crate) struct CallOutcome {
    pub(crate) result: ToolResult,
    /// The input of the call, where the person changed it.
    pub(crate) changed_input: Option<serde_json::Value>,
    /// Whether the output comes from the web.
    pub(crate) is_of_web: bool,
}

impl Cx {
    /// Calls a tool. The person is asked where no rule decides. Where the key, credit or rate of its profile fails, a
    /// fallback is tried, which is journalled.
    ///
    /// # Errors
    /// The tool failed, may not act, or is not there; a limit was reached; the run was stopped.
    pub async fn call_tool(
        &mut self,
        tool: &str,
        input: serde_json::Value,
    ) -> Result<ToolResult, AgentError> {
        Ok(self.call_offered(tool, input, None).await?.result)
    }

    /// As [`Cx::call_tool`], for a model that was offered these tools.
    pub(crate) async fn call_offered(
        &mut self,
        tool: &str,
        input: serde_json::Value,
        offered: Option<&[String]>,
    ) -> Result<CallOutcome, AgentError> {
        self.call_allowed_tool(tool, input, offered).await.map_err(|error| match error {
            AgentError::Failed(fault) => AgentError::Tool(fault),
            error => error,
        })
    }

    async fn call_allowed_tool(
        &mut self,
        tool: &str,
        input: serde_json::Value,
        offered: Option<&[String]>,
    ) -> Result<CallOutcome, AgentError> {
        let mut call = self.describe_call(tool, input, None)?;
        let is_undecided = match self.recorded_call() {
            // A recorded call without an answer is checked again, unless it was decided.
            Some(_) => {
                call.decision.is_none()
                    && self.shared.writer.recorded_answer(&self.path, self.n + 1).is_none()
            }
            None => true,
        };
        if is_undecided {
            if let Some(error) = self.unfit(&call, offered) {
                return self.refuse(call, error).await;
            }
            call = self.decided(call).await?;
            if let Some(error) = self.unfit(&call, offered) {
                return self.refuse(call, error).await;
            }
        }
        if let Some(decision) = call.decision.clone().filter(|decision| !decision.is_allowed) {
            let rules = self.shared.world.as_ref().map(|world| world.permissions.rules());
            let unreadable = rules.and_then(|rules| rules.unreadable);
            let error = permission::refused(tool, &decision, unreadable.as_deref());
            return self.refuse(call, error).await;
        }
        let changed = call.decision.as_ref().is_some_and(|decision| decision.is_changed);
        let changed_input = changed.then(|| call.input.json_or_null().clone());
        let is_of_web = call.is_of_web;
        let result = self.made(call).await?;
        Ok(CallOutcome { result, changed_input, is_of_web })
    }

    /// Makes an allowed call.
    async fn made(&mut self, mut call: ToolCall) -> Result<ToolResult, AgentError> {
        let is_once = call.class == EffectClass::Once;
        let mut done_before = if is_once { self.ask_about_parent(&call).await? } else { None };
        let mut failed: Vec<String> = Vec::new();
        let mut times_asked = 0;
        loop {
            let effect = Effect::Tool { call: call.clone() };
            let answer = match &done_before {
                Some(done) => self.effect_known(effect, Answer::Done { result: done.result.clone() }).await?,
                None => self.effect(effect, None).await?,
            };
            let was_cut_off = matches!(answer, Answer::Interrupted { .. });
            match answer {
                Answer::Done { result } => return self.read_result(&result),
                Answer::Failed { error } if error.code.is_of_profile() => {
                    let route = call.credential_route.take().map(|route| *route);
                    let Some(CredentialRoute { profile, fallback: Some(other), .. }) = route else {
                        return Err(error.into());
                    };
                    failed.push(profile.clone());
                    if failed.contains(&other) {
                        return Err(error.into());
                    }
                    self.fell_back(profile, other.clone(), error)?;
                    let input = call.input.json_or_null().clone();
                    let decision = call.decision.take();
                    call = ToolCall { decision, ..self.describe_call(&call.tool, input, Some(&other))? };
                    continue;
                }
                answer => match needed_input(&answer) {
                    Some(_) if times_asked == MOST_TIMES_ASKED => {
                        return Err(asks_again_and_again(&call).into());
                    }
                    Some(input) => {
                        times_asked += 1;
                        call.given = Some(Box::new(self.ask_for_server(&call.tool, input).await?));
                        if is_once {
                            // A fork from here on may reuse the parent's final result.
                            done_before = self.ask_about_parent(&call).await?;
                        }
                        continue;
                    }
                    None => self.stopped(answer).await?,
                },
            }
            if is_once
                && was_cut_off
                && self.ask_user(questions::was_in_flight(&call)).await? != questions::REPEAT
            {
                return Err(not_repeated(&call).into());
            }
            if was_cut_off {
                // The connection that received the answers is gone, so the call starts without them.
                call.given = None;
            }
        }
    }

    /// Asks the person the questions of a tool's server, one after the other.
    async fn ask_for_server(&mut self, tool: &str, input: &NeededInput) -> Result<GivenInput, AgentError> {
        let mut answers = BTreeMap::new();
        for (name, asked) in &input.questions {
            let answer = self.ask(questions::tool_server(tool, asked.clone())).await?;
            answers.insert(name.clone(), self.read_result(&answer)?);
        }
        Ok(GivenInput { answers, state: input.state.clone() })
    }

    /// The call that is recorded as the next event at this path.
    fn recorded_call(&self) -> Option<ToolCall> {
        match self.shared.writer.recorded(&self.path, self.n + 1)?.fact {
            Fact::EffectAsked { effect: Effect::Tool { call }, .. } => Some(call),
            _ => None,
        }
    }

    /// The question that is recorded as the next event at this path.
    fn recorded_question(&self) -> Option<Question> {
        match self.shared.writer.recorded(&self.path, self.n + 1)?.fact {
            Fact::EffectAsked { effect: Effect::Question { question }, .. } => Some(question),
            _ => None,
        }
    }

    /// The call that the recorded question at this path is about, if it has this tool and input.
    fn call_asked_about(&self, tool: &str, input: &serde_json::Value) -> Option<ToolCall> {
        let call = questions::call_of(&self.recorded_question()?)?;
        (call.tool == tool && call.input.json_or_null() == input).then_some(call)
    }

    fn describe_call(
        &self,
        tool: &str,
        input: serde_json::Value,
        profile: Option<&str>,
    ) -> Result<ToolCall, AgentError> {
        // A replay has no tools, so it uses the recorded description.
        let recorded = self.recorded_call().or_else(|| self.call_asked_about(tool, &input));
        if let Some(call) = recorded.filter(|call| call.tool == tool) {
            let is_changed = call.decision.as_ref().is_some_and(|decision| decision.is_changed);
            return Ok(if is_changed { call } else { ToolCall { input: Value::new(input), ..call } });
        }
        let bare = ToolCall {
            tool: tool.to_owned(),
            input: Value::new(input),
            class: EffectClass::Pure,
            title: Phrase::verbatim(tool),
            place: None,
            is_of_web: false,
            version: None,
            decision: None,
            credential_route: None,
            given: None,
        };
        Ok(match self.known_tool(tool) {
            Some(known) => {
                let input = bare.input.json_or_null();
                // An input that does not fit is refused before the tool sees it.
                let description = known.describe();
                let fits = tool_directory::fits(tool, &description.input.0, input).is_ok();
                let access = fits.then(|| known.access(input));
                ToolCall {
                    title: if fits { known.title(input) } else { bare.title.clone() },
                    class: access.as_ref().map_or(EffectClass::Pure, |access| access.class),
                    is_of_web: access.as_ref().is_some_and(|access| access.is_of_web),
                    place: access.and_then(|access| access.place).map(|place| Rule::place(&place)),
                    version: Some(description.version()),
                    credential_route: known.credential_route(profile).map(Box::new),
                    ..bare
                }
            }
            None => bare,
        })
    }

    fn known_tool(&self, tool: &str) -> Option<Arc<dyn Tool>> {
        self.shared.world.as_ref()?.tools.tool(tool)
    }

    /// The error of a call that cannot be made.
    fn unfit(&self, call: &ToolCall, offered: Option<&[String]>) -> Option<Error> {
        let world = self.shared.world.as_ref()?;
        let tool = &call.tool;
        let Some(known) =
            self.known_tool(tool).filter(|_| offered.is_none_or(|offered| offered.contains(tool)))
        else {
            let names = match offered {
                Some(offered) => offered.to_vec(),
                None => world.tools.tools().iter().map(|tool| tool.describe().name).collect(),
            };
            let message = phrase!(
                "`{author}` asked for the tool `{tool}`; it has {known}",
                author = self.author,
                tool,
                known = names.clone()
            );
            return Some(failure(Code::NotFound, ToolFailure::NotOffered { offered: names }, message));
        };
        tool_directory::fits(tool, &known.describe().input.0, call.input.json_or_null()).err()
    }

    /// Journals a call that is not made, with the reason.
    async fn refuse(&mut self, call: ToolCall, error: Error) -> Result<CallOutcome, AgentError> {
        match self.effect_known(Effect::Tool { call }, Answer::Failed { error }).await? {
            Answer::Failed { error } => Err(error.into()),
            answer => Err(crate::error::unanswered(answer)),
        }
    }

    /// The call with its decision: of a rule, the tool itself, or the person, who may change the input.
    async fn decided(&mut self, call: ToolCall) -> Result<ToolCall, AgentError> {
        // The person's answer holds only for the call that they saw. Another call is asked about again, and differs
        // from the records as any other effect does.
        let is_about_it = |question: &Question| {
            questions::asked_permission(question)
                .is_some_and(|asked| asked.call.tool == call.tool && asked.call.input == call.input)
        };
        let question = match self.recorded_question().filter(is_about_it) {
            Some(question) => question,
            None => {
                let (Some(world), Some(tool)) = (self.shared.world.clone(), self.known_tool(&call.tool))
                else {
                    return Ok(call);
                };
                let access = tool.access(call.input.json_or_null());
                let (rules, grants) = (world.permissions.rules(), self.definition().allowed_tools.clone());
                let decided = self
                    .shared
                    .writer
                    .named_addresses(|named| permission::decide(&call, &access, &grants, &rules, named));
                if let Some(decision) = decided {
                    let is_standing = matches!(decision.by, DecidedBy::Never | DecidedBy::Always);
                    if let Some(rule) = decision.rule.as_ref().filter(|_| is_standing) {
                        world.permissions.used(rule);
                    }
                    return Ok(ToolCall { decision: Some(decision), ..call });
                }
                let (rule, described) = (permission::rule_of(&call), tool.describe());
                let is_foreign = ToolDescription::is_foreign(&call.tool);
                questions::permission(AskedPermission {
                    intent: tool.intent(call.input.json_or_null()),
                    schema: Value::new(described.input.0),
                    description: is_foreign.then_some(described.description),
                    allowed_before: world.permissions.allowed_before(&rule),
                    rule,
                    call: call.clone(),
                })
            }
        };
        let rule = questions::asked_permission(&question).map(|asked| asked.rule);
        let answer = self.ask(question.clone()).await?;
        if let Some(change) = questions::change(&question, &answer) {
            self.shared.writer.change_definition(self.at, move |definition| change.apply(definition));
        }
        let answer = PermissionAnswer::deserialize(answer.json_or_null());
        let (Ok(answer), Some(rule)) = (answer, rule) else {
            let decision = Decision::of(false, DecidedBy::Nobody);
            return Ok(ToolCall { decision: Some(decision), ..call });
        };
        if let Some(recorded) = self.recorded_call().filter(|recorded| recorded.tool == call.tool) {
            return Ok(recorded);
        }
        let decision = Some(permission::decided_by(&answer, rule));
        Ok(match answer {
            PermissionAnswer::Change(input) => {
                let changed = self.describe_call(&call.tool, input.0, None)?;
                ToolCall { decision: self.forbidden(&changed).or(decision), ..changed }
            }
            _ => ToolCall { decision: self.forbidden(&call).or(decision), ..call },
        })
    }

    /// The decision of settings that forbid the call at present, even if it was allowed before.
    fn forbidden(&self, call: &ToolCall) -> Option<Decision> {
        permission::forbidden(call, &self.shared.world.as_ref()?.permissions.rules())
    }

    /// The result that a fork's parent got from this call, if the person wants to reuse it.
    async fn ask_about_parent(&mut self, call: &ToolCall) -> Result<Option<OnceDone>, AgentError> {
        let Some(done) = self.definition().done_before(call).cloned() else { return Ok(None) };
        let answer = self.ask_user(questions::done_before(call)).await?;
        Ok((answer != questions::REPEAT).then_some(done))
    }
}

/// The questions of the tool's server, where the call failed because of them.
fn needed_input(answer: &Answer) -> Option<&NeededInput> {
    let Answer::Failed { error } = answer else { return None };
    match error.tool_failure.as_deref()? {
        ToolFailure::NeedsInput { input } => Some(input),
        _ => None,
    }
}

fn asks_again_and_again(call: &ToolCall) -> Error {
    let message = phrase!(
        "`{tool}` asked {most} times and still was not done; it was given up",
        tool = call.tool,
        most = MOST_TIMES_ASKED
    );
    failure(Code::ToolFailed, ToolFailure::OutcomeUnknown, message)
}
