//! Performs a call that another process requests, as a worker. The run of that process allowed it; this module decides
//! what this machine does for others.

use kernel::{
    Code, EffectClass, Error, Phrase, Rule, SubTask, SubTaskWork, ToolCall, ToolFailure, ToolResult, phrase,
};
use serde_json::json;

use crate::permission::{self, StandingRules};
use crate::task_queue::{no_such_tool, perform};
use crate::tool::{Access, Asks, ToolDescription, failure};
use crate::tool_directory::fits;
use crate::{CancellationToken, TextSink, ToolContext, World};

/// What a worker does for senders to its queue. A call that only reads, and nothing that belongs to this machine, needs
/// no rule.
#[derive(Debug, Clone, Default)]
pub struct WorkerRules {
    /// Calls that act, or that read data which the machine keeps for its owner.
    pub allowed: Vec<Rule>,
    /// The profiles that model requests may use.
    pub profiles: Vec<String>,
}

/// Performs a sub-task from a queue, within the settings of this machine and the rules of its worker. `cancel` ends
/// when the sender does not want the result any more.
///
/// # Errors
/// Those of the model or the tool; `not_found` where the tool or the profile does not exist here; `bad_input` where the
/// input does not fit; `permission_needed` where this machine does not allow the call.
pub async fn perform_sent(
    task: &SubTask,
    world: &World,
    rules: &WorkerRules,
    cancel: CancellationToken,
) -> Result<ToolResult, Error> {
    match &task.work {
        SubTaskWork::Call(call) => call_sent(task, call, world, &rules.allowed, cancel).await,
        SubTaskWork::Request(request) => {
            if !rules.profiles.contains(&request.profile) {
                let message = phrase!(
                    "This worker asks no model with the profile `{profile}` for others; start it with `--profile {profile}` where it may",
                    profile = request.profile
                );
                return Err(failure(Code::PermissionNeeded, ToolFailure::Failed, message));
            }
            let model = world.models.model(&request.profile).await?;
            let reply = model.answer(request, &TextSink::default()).await?;
            Ok(ToolResult { output: json!(reply).into(), summary: Phrase::default(), files: Vec::new() })
        }
    }
}

async fn call_sent(
    task: &SubTask,
    call: &ToolCall,
    world: &World,
    allowed: &[Rule],
    cancel: CancellationToken,
) -> Result<ToolResult, Error> {
    let standing = world.permissions.rules();
    // The server of a foreign tool is started only where the tool is allowed.
    let missing = || match ToolDescription::is_foreign(&call.tool) {
        true => not_for_others(&call.tool),
        false => no_such_tool(&call.tool),
    };
    let tool = world.tools.tool(&call.tool).ok_or_else(missing)?;
    let description = tool.describe();
    let input = call.input.json_or_null();
    fits(&call.tool, &description.input.0, input)?;
    if ToolDescription::is_foreign(&call.tool) && call.version != Some(description.version()) {
        let message = phrase!(
            "`{tool}` was not called: its server describes it differently to this worker. Set both up alike",
            tool = call.tool
        );
        return Err(failure(Code::ToolFailed, ToolFailure::Failed, message));
    }
    if tool.uses_folder() {
        let message = phrase!(
            "`{tool}` works in the folder of its run, which a worker does not have; give its agent no `worker`",
            tool = call.tool
        );
        return Err(failure(Code::BadInput, ToolFailure::Failed, message));
    }
    let access = tool.access(input);
    may(call, &access, allowed, &standing)?;
    let context = ToolContext {
        cancel,
        profile: task.api_keys_config_ref.clone(),
        hosts: permission::hosts(call, &access, allowed, &standing),
        given: call.given.as_deref().cloned(),
        ..ToolContext::default()
    };
    perform(tool.as_ref(), call, &context).await
}

/// Whether this machine makes a call for others: one that only reads nothing of its own, or that its owner allowed.
fn may(call: &ToolCall, access: &Access, allowed: &[Rule], standing: &StandingRules) -> Result<(), Error> {
    if let Some(decision) = permission::forbidden(call, standing) {
        return Err(permission::refused(&call.tool, &decision, standing.unreadable.as_deref()));
    }
    // The tool determines the place of the call; the message could claim another.
    let place = access.place.as_deref().map(Rule::place);
    let is_as_told =
        call.place == place && (access.class != EffectClass::Once || call.class == EffectClass::Once);
    let covers =
        |rule: &Rule| rule.covers(&call.tool, place.as_deref()) && rule.is_of_version(call.version.as_ref());
    let is_allowed = allowed.iter().chain(&standing.always).any(covers);
    let is_open = access.asks != Asks::Yes && !access.is_own;
    if is_as_told && (is_open || is_allowed) {
        return Ok(());
    }
    Err(not_for_others(&call.tool))
}

fn not_for_others(tool: &str) -> Error {
    let message = phrase!(
        "This worker does not call `{tool}` for others; start it with `--allow {tool}` where it may",
        tool
    );
    failure(Code::PermissionNeeded, ToolFailure::Failed, message)
}
