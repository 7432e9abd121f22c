//! A call of a tool done for real, in its time, with the folder and the hosts that it may use.

use kernel::{Answer, Code, EffectClass, Error, ToolCall, ToolFailure, ToolResult, phrase};

use crate::effect_execution::EffectResult;
use crate::limits::Admitted;
use crate::tool::failure;
use crate::{AgentError, Cx, Meter, Tool, ToolContext, World, permission};

impl Cx {
    pub(crate) async fn with_tool(
        &mut self,
        world: &World,
        call: &ToolCall,
        asked: u32,
        admitted: &mut Admitted,
    ) -> Result<EffectResult, AgentError> {
        let Some(tool) = world.tools.tool(&call.tool) else {
            let message = phrase!("The tool `{tool}` is not there any more", tool = call.tool);
            let error = failure(Code::NotFound, ToolFailure::Failed, message);
            return Ok(EffectResult::at_once(Answer::Failed { error }));
        };
        let rules = world.permissions.rules();
        // The recorded decision holds, but for what is forbidden since: a call that was in flight when the program died, or
        // that waited for the person, must not act any more.
        if let Some(decision) = permission::forbidden(call, &rules) {
            let error = permission::refused(&call.tool, &decision, rules.unreadable.as_deref());
            let answer = Answer::Failed { error };
            return Ok(EffectResult { sent: Some(0), ..EffectResult::at_once(answer) });
        }
        let input = call.input.json_or_null();
        let access = tool.access(input);
        let folder = match tool.uses_folder() {
            true => match self.shared.folder(world).await {
                Ok(folder) => Some(folder),
                Err(error) => return Ok(EffectResult::at_once(Answer::Failed { error })),
            },
            false => None,
        };
        let grants = self.definition().allowed_tools.clone();
        let context = ToolContext {
            cancel: self.shared.cancel.child_token(),
            meter: Meter::default(),
            profile: call.credential_route.as_deref().map(|route| route.profile.clone()),
            is_trial: false,
            folder,
            hosts: permission::hosts(call, &access, &grants, &rules),
        };
        let is_repeatable = call.class != EffectClass::Once;
        let attempt = || {
            context.meter.begin_anew();
            in_time(tool.as_ref(), call, &context)
        };
        let performed = self.attempts(asked, admitted, is_repeatable, attempt, String::new).await?;
        Ok(EffectResult { wasted: context.meter.wasted_usage(false), ..performed })
    }
}

/// Calls a tool within its own time.
async fn in_time(tool: &dyn Tool, call: &ToolCall, context: &ToolContext) -> Result<ToolResult, Error> {
    let timeout = tool.timeout();
    let called = tokio::time::timeout(timeout, tool.call(call.input.json_or_null(), context)).await;
    let (name, seconds) = (&call.tool, timeout.as_secs_f64());
    let is_once = call.class == EffectClass::Once;
    match called {
        Ok(Ok(result)) => Ok(result),
        // What broke off may have been done before it did.
        Ok(Err(error)) if is_once && matches!(error.code, Code::Timeout | Code::Network) => {
            Err(unknown_outcome(name))
        }
        Ok(Err(error)) => {
            let kind = error.tool_failure.clone().unwrap_or_else(|| Box::new(ToolFailure::Failed));
            Err(Error { tool_failure: Some(kind), ..error })
        }
        Err(_) if is_once => Err(unknown_outcome(name)),
        Err(_) => {
            let message = phrase!("`{tool}` gave no answer within {seconds} s", tool = name, seconds);
            Err(failure(Code::ToolFailed, ToolFailure::TimedOut, message))
        }
    }
}

/// That nobody knows whether a call was done.
fn unknown_outcome(tool: &str) -> Error {
    let message = phrase!(
        "`{tool}` gave no answer in time. It may have been done or not; look there before it is tried again",
        tool
    );
    failure(Code::ToolFailed, ToolFailure::OutcomeUnknown, message)
}
