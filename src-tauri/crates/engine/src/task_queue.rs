//! The port of the queues: workers of a role perform tool calls, in this process or another.
//!
//! The run decides about permissions, records and questions; a worker makes one call and reports its result.

use async_trait::async_trait;
use kernel::{Code, EffectClass, Error, SubTask, SubTaskResult, ToolCall, ToolFailure, ToolResult, phrase};

use crate::tool::failure;
use crate::{Tool, ToolContext};

/// `SubTaskQueue` and `ResultsQueue`.
#[async_trait]
pub trait TaskQueue: Send + Sync + 'static {
    /// Sends a sub-task and waits for the result with its id. If its worker dies, the queue delivers it to another one; a call
    /// that may be made only once fails with [`ToolFailure::OutcomeUnknown`] instead. If the caller drops the future, the queue
    /// removes the sub-task. Only workers of this process use `context`.
    async fn perform(&self, task: SubTask, context: &ToolContext) -> SubTaskResult;
    /// Whether model requests use the queue too: they do where its workers are other processes.
    async fn takes_requests(&self) -> bool {
        false
    }
}

/// A sub-task is delivered at most this often, since it may itself crash its workers.
pub const MOST_DELIVERIES: u32 = 5;

/// Makes a tool call, once, within the tool's own timeout.
///
/// # Errors
/// Those of the tool, with their kind; [`ToolFailure::TimedOut`]; and [`ToolFailure::OutcomeUnknown`] for a call that
/// may be made only once.
pub async fn perform(tool: &dyn Tool, call: &ToolCall, context: &ToolContext) -> Result<ToolResult, Error> {
    let timeout = tool.timeout();
    let called = tokio::time::timeout(timeout, tool.call(call.input.json_or_null(), context)).await;
    let (name, seconds) = (&call.tool, timeout.as_secs_f64());
    let is_once = call.class == EffectClass::Once;
    match called {
        Ok(Ok(result)) => Ok(result),
        // An interrupted call may have been completed before.
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

/// The error of a call whose outcome is unknown.
pub fn unknown_outcome(tool: &str) -> Error {
    let message = phrase!(
        "`{tool}` gave no answer in time. It may have been done or not; look there before it is tried again",
        tool
    );
    failure(Code::ToolFailed, ToolFailure::OutcomeUnknown, message)
}

/// The error of a sub-task that is not delivered any more, because every worker ended while it worked on it.
pub fn given_up(tool: &str, count: u32) -> Error {
    let message =
        phrase!("`{tool}` was given up: {count} workers ended while they worked on it", tool, count);
    Error::new(Code::Internal, message)
}

/// The error of a tool that does not exist.
pub fn no_such_tool(tool: &str) -> Error {
    let message = phrase!("The tool `{tool}` is not there any more", tool);
    failure(Code::NotFound, ToolFailure::Failed, message)
}
