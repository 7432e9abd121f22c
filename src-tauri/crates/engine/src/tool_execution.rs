//! Executes a tool call, here or by a worker, with its folder and hosts.

use kernel::{Answer, Code, EffectClass, SubTask, SubTaskWork, ToolCall, ToolFailure, phrase};

use crate::admission::Admitted;
use crate::clock::new_id;
use crate::effect_journal::EffectResult;
use crate::task_queue::{no_such_tool, perform};
use crate::tool::{ToolDescription, failure};
use crate::{AgentError, Cx, Meter, ToolContext, World, permission};

impl Cx {
    pub(crate) async fn with_tool(
        &mut self,
        world: &World,
        call: &ToolCall,
        asked: u32,
        admitted: &mut Admitted,
    ) -> Result<EffectResult, AgentError> {
        let Some(tool) = world.tools.tool(&call.tool) else {
            let error = no_such_tool(&call.tool);
            return Ok(EffectResult::at_once(Answer::Failed { error }));
        };
        let rules = world.permissions.rules();
        // The recorded decision holds unless the call was forbidden since: a call that was in flight when the program
        // died, or that waited for the person, must not act any more.
        if let Some(decision) = permission::forbidden(call, &rules) {
            let error = permission::refused(&call.tool, &decision, rules.unreadable.as_deref());
            let answer = Answer::Failed { error };
            return Ok(EffectResult { sent: Some(0), ..EffectResult::at_once(answer) });
        }
        let begins = call.given.is_none();
        if begins
            && ToolDescription::is_foreign(&call.tool)
            && call.version != Some(tool.describe().version())
        {
            let message = phrase!(
                "`{tool}` was not called: its server has described it differently since the call was decided. Ask for it again",
                tool = call.tool
            );
            let answer = Answer::Failed { error: failure(Code::ToolFailed, ToolFailure::Failed, message) };
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
            given: call.given.as_deref().cloned(),
        };
        let is_repeatable = call.class != EffectClass::Once;
        let of_worker = self.instance.clone().filter(|started| started.worker.is_some());
        let run = self.shared.writer.run.clone();
        let attempt = || {
            context.meter.begin_anew();
            let sub_task = of_worker.as_ref().and_then(|started| {
                let id = new_id().to_string();
                let work = SubTaskWork::Call(call.clone().into());
                Some(SubTask::new(id, &run, started.worker.as_deref()?, &started.instance, work))
            });
            let (tool, context) = (tool.as_ref(), &context);
            async move {
                match sub_task {
                    Some(task) => world.queue.perform(task, context).await.outcome.into(),
                    None => perform(tool, call, context).await,
                }
            }
        };
        let performed = self.attempts(asked, admitted, is_repeatable, attempt, String::new).await?;
        Ok(EffectResult { wasted: context.meter.wasted_usage(false), ..performed })
    }
}
