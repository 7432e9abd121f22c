//! Calling a tool: permission, what a fork's parent did already, and the profile that stands in when one fails.
//!
//! Not here: how the call is journalled (`effects`), done and tried again (`effect_execution`).

use kernel::{
    Answer, BUILT_IN, Code, CredentialRoute, Effect, EffectClass, Error, Fact, Note, OnceDone, Phrase,
    ToolCall, ToolResult, Value, phrase,
};

use crate::{AgentError, Cx, questions};

impl Cx {
    /// Calls a tool. A tool that may be done only once asks for permission unless it was given. Where the key, the
    /// credit or the rate of the profile behind it fails, whoever stands in for that is asked, which is journalled.
    ///
    /// # Errors
    /// The tool failed, may not act, or is not there; a limit was reached; the run was stopped.
    pub async fn call_tool(
        &mut self,
        tool: &str,
        input: serde_json::Value,
    ) -> Result<ToolResult, AgentError> {
        self.call_allowed_tool(tool, input).await.map_err(|error| match error {
            AgentError::Failed(fault) => AgentError::Tool(fault),
            error => error,
        })
    }

    async fn call_allowed_tool(
        &mut self,
        tool: &str,
        input: serde_json::Value,
    ) -> Result<ToolResult, AgentError> {
        let mut call = self.describe_call(tool, input.clone(), None)?;
        let is_once = call.class == EffectClass::Once;
        let done_before = if is_once { self.ask_before_acting(&call).await? } else { None };
        let mut failed: Vec<String> = Vec::new();
        loop {
            let effect = Effect::Tool { call: call.clone() };
            let answer = match &done_before {
                Some(done) => self.effect_known(effect, done.result.clone()).await?,
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
                    self.surface_note(Note::Fallback { from: profile, to: other.clone(), error })?;
                    call = self.describe_call(tool, input.clone(), Some(&other))?;
                    continue;
                }
                answer => self.stopped(answer).await?,
            }
            if is_once
                && was_cut_off
                && self.ask_user(questions::was_in_flight(&call)).await? != questions::REPEAT
            {
                return Err(not_repeated(&call).into());
            }
        }
    }

    fn describe_call(
        &self,
        tool: &str,
        input: serde_json::Value,
        profile: Option<&str>,
    ) -> Result<ToolCall, AgentError> {
        // In a replay no tool is plugged in: the description is the recorded one.
        let recorded = match self.shared.writer.recorded(&self.path, self.n + 1).map(|event| event.fact) {
            Some(Fact::EffectAsked { effect: Effect::Tool { call }, .. }) => Some(call),
            Some(Fact::EffectAsked { effect: Effect::Question { question }, .. }) => {
                questions::call_of(&question)
            }
            _ => None,
        };
        if let Some(call) = recorded.filter(|call| call.tool == tool) {
            return Ok(ToolCall { input: Value::new(input), ..call });
        }
        let Some(world) = &self.shared.world else {
            let (class, title) = (EffectClass::Pure, Phrase::verbatim(tool));
            return Ok(ToolCall {
                tool: tool.to_owned(),
                input: Value::new(input),
                class,
                title,
                credential_route: None,
            });
        };
        let Some(known) = world.tools.get(tool) else {
            let names: Vec<&str> = world.tools.keys().map(String::as_str).collect();
            let message = phrase!(
                "`{author}` asked for the tool `{tool}`; it has {known}",
                author = self.author,
                tool,
                known = names
            );
            return Err(Error::new(Code::NotFound, message).into());
        };
        let (title, class) = (known.title(&input), known.describe().class);
        let route = known.credential_route(profile).map(Box::new);
        Ok(ToolCall {
            tool: tool.to_owned(),
            input: Value::new(input),
            class,
            title,
            credential_route: route,
        })
    }

    /// Permission, and whether a fork's parent did it already.
    async fn ask_before_acting(&mut self, call: &ToolCall) -> Result<Option<OnceDone>, AgentError> {
        if !self.definition().allowed_tools.contains(&call.tool) {
            let answer = self.ask_user(questions::permission(call)).await?;
            if answer != questions::ALLOW {
                let message = phrase!(
                    "`{tool}` may not act without your permission; allow it for this run",
                    tool = call.tool
                );
                return Err(Error::new(Code::PermissionNeeded, message).into());
            }
        }
        // Only now: the permission may be recorded from before a fork, whose parent did it after that.
        let Some(done) = self.definition().done_before(call).cloned() else { return Ok(None) };
        let answer = self.ask_user(questions::done_before(call)).await?;
        Ok((answer != questions::REPEAT).then_some(done))
    }
}

pub(crate) fn not_repeated(call: &ToolCall) -> Error {
    let message = phrase!(
        "`{tool}` was in flight when the program stopped, and you chose not to repeat it",
        tool = call.tool
    );
    Error::new(Code::ToolFailed, message)
}

/// Whether it can cost money, or may be done only once.
pub(crate) fn may_cost(effect: &Effect) -> bool {
    match effect {
        Effect::Model { request } => request.profile != BUILT_IN,
        Effect::Tool { .. } => !is_free_look(effect),
        Effect::Clock | Effect::Id | Effect::Question { .. } => false,
    }
}

/// Whether a tool only looks, with nobody's account: what it told at once it tells again at once.
pub(crate) fn is_free_look(effect: &Effect) -> bool {
    matches!(effect, Effect::Tool { call } if call.class == EffectClass::Pure && call.credential_route.is_none())
}
