//! The messages of the two queues (seed 001): a sub-task for the workers of a role, and its result.
//!
//! A message never contains a key: it names the profile whose key the worker uses.

use serde::{Deserialize, Serialize};

use crate::{EffectClass, Error, Instance, Json, ModelRequest, Phrase, RunFile, RunId, ToolCall, ToolResult};

/// A message of `SubTaskQueue`: one tool call, which the sender has allowed, or one model request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SubTask {
    /// The id, new for each attempt.
    pub sub_task_id: String,
    /// The run.
    pub parent_task_id: RunId,
    /// The role whose workers take it.
    pub assigned_agent_role: String,
    /// The agent of the instance: in a plan, the tool as the plan names it.
    pub tool_name: String,
    /// The input of the instance: in a plan, the plan's input with references resolved.
    pub sub_task_input: Json,
    /// A short summary of the task's progress and results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_summary: Option<String>,
    /// The profile whose key the worker uses, where the call needs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_keys_config_ref: Option<String>,
    /// The work.
    #[serde(flatten)]
    pub work: SubTaskWork,
}

/// The work of a sub-task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubTaskWork {
    /// A tool call. Its result is the tool's.
    Call(Box<ToolCall>),
    /// A request to a model. Its result is a [`crate::ModelReply`].
    Request(Box<ModelRequest>),
}

impl SubTask {
    /// The sub-task of an instance for the workers of a role. An item that is an object with `input` and
    /// `context_summary` provides both; any other item is the input.
    pub fn new(id: String, run: &RunId, role: &str, instance: &Instance, work: SubTaskWork) -> SubTask {
        let item = instance.input.json_or_null();
        let profile = match &work {
            SubTaskWork::Call(call) => call.credential_route.as_ref().map(|route| route.profile.clone()),
            SubTaskWork::Request(request) => Some(request.profile.clone()),
        };
        SubTask {
            sub_task_id: id,
            parent_task_id: run.clone(),
            assigned_agent_role: role.to_owned(),
            tool_name: instance.agent.clone(),
            sub_task_input: Json::from(item.get("input").unwrap_or(item).clone()),
            context_summary: item["context_summary"].as_str().map(str::to_owned),
            api_keys_config_ref: profile,
            work,
        }
    }

    /// The tool or the model, for messages.
    pub fn subject(&self) -> &str {
        match &self.work {
            SubTaskWork::Call(call) => &call.tool,
            SubTaskWork::Request(request) => &request.model,
        }
    }

    /// Whether it may be executed only once.
    pub fn is_once(&self) -> bool {
        matches!(&self.work, SubTaskWork::Call(call) if call.class == EffectClass::Once)
    }

    /// Makes the result message.
    pub fn result(&self, result: Result<ToolResult, Error>) -> SubTaskResult {
        SubTaskResult {
            sub_task_id: self.sub_task_id.clone(),
            parent_task_id: self.parent_task_id.clone(),
            worker_agent_role: self.assigned_agent_role.clone(),
            outcome: match result {
                Ok(ToolResult { output, summary, files }) => {
                    SubTaskOutcome::Completed { result_data: output, summary, files }
                }
                Err(error_details) => SubTaskOutcome::Failed { error_details },
            },
        }
    }
}

/// A message of `ResultsQueue`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SubTaskResult {
    /// The id of the sub-task.
    pub sub_task_id: String,
    /// The run.
    pub parent_task_id: RunId,
    /// The role of its worker.
    pub worker_agent_role: String,
    /// The outcome.
    #[serde(flatten)]
    pub outcome: SubTaskOutcome,
}

/// The outcome of a sub-task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "UPPERCASE")]
pub enum SubTaskOutcome {
    /// It completed.
    Completed {
        /// The output of the tool.
        result_data: Json,
        /// One sentence for the journal.
        summary: Phrase,
        /// The files of the run that it changed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<RunFile>,
    },
    /// It failed.
    Failed {
        /// The error.
        error_details: Error,
    },
}

impl From<SubTaskOutcome> for Result<ToolResult, Error> {
    fn from(outcome: SubTaskOutcome) -> Self {
        match outcome {
            SubTaskOutcome::Completed { result_data, summary, files } => {
                Ok(ToolResult { output: result_data, summary, files })
            }
            SubTaskOutcome::Failed { error_details } => Err(error_details),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Code, Value};

    #[test]
    fn messages_have_the_shapes_of_the_seed_and_no_key() {
        let route = json!({"profile": "brave", "fallback": null, "model": null});
        let call = ToolCall {
            tool: "search".into(),
            input: Value::new(json!({"query": "lead type"})),
            class: EffectClass::Pure,
            title: Phrase::default(),
            place: None,
            is_of_web: true,
            version: None,
            decision: None,
            credential_route: serde_json::from_value(route).unwrap(),
            given: None,
        };
        let item = json!({"step": "s1", "input": {"query": "lead type"}, "context_summary": "1 of 2"});
        let instance = Instance { agent: "WebSearchTool".into(), input: Value::new(item) };
        let task = SubTask::new(
            "r-7-1".into(),
            &RunId("r".into()),
            "ResearchAgent",
            &instance,
            SubTaskWork::Call(call.into()),
        );
        let sent = json!(task);
        assert_eq!(sent["call"]["tool"], "search");
        assert_eq!(sent["sub_task_input"], json!({"query": "lead type"}));
        let head =
            ["sub_task_id", "assigned_agent_role", "tool_name", "context_summary", "api_keys_config_ref"];
        let words = ["r-7-1", "ResearchAgent", "WebSearchTool", "1 of 2", "brave"];
        assert_eq!(head.map(|field| sent[field].as_str().unwrap()), words);
        let failed = task.result(Err(Error::new(Code::Timeout, Phrase::verbatim("too late"))));
        let reported = json!(failed);
        assert_eq!(
            (&reported["status"], &reported["error_details"]["message"]),
            (&json!("FAILED"), &json!("too late"))
        );
        assert_eq!(serde_json::from_value::<SubTaskResult>(reported).unwrap(), failed);
        let done = task.result(Ok(ToolResult { output: json!(3).into(), ..ToolResult::default() }));
        assert_eq!((&json!(done)["status"], &json!(done)["result_data"]), (&json!("COMPLETED"), &json!(3)));
    }
}
