//! `galley mcp` as a client of the protocol meets it: the real program, and the client of `rmcp`, in both eras.

mod calls;
mod hosts;
mod questions;
mod resources;

use std::collections::{BTreeMap, VecDeque};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::*;
use rmcp::service::{NotificationContext, RequestContext, RoleClient, RunningService};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, ErrorData, ServiceExt};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use tokio::sync::Notify;

use crate::terminal::galley::{Galley, program};

const PAINTER: &str = r#"
id = "painter"
title = "Painter"
purpose = "Chooses a colour."
[input.task]
title = "Task"
[input.coats]
title = "Coats"
kind = "number"
least = 1
most = 3
default = 2
[input.finish]
title = "Finish"
kind = "choice"
choices = ["matt", "gloss"]
optional = true
[key.colour]
title = "Colour"
role = "final"
[agent.chooser]
title = "Painting"
reads = ["task"]
writes = "colour"
question = { text = "Which colour?", choices = ["red", "blue"], default = "red" }
[flow]
steps = ["chooser"]
"#;

/// In place of an answer: the form stays until it is withdrawn.
const NEVER: &str = "(never)";

/// Who sits at the client: answers that are given in turn, and what was shown.
#[derive(Clone, Default)]
struct Person {
    capabilities: ClientCapabilities,
    answers: Arc<Mutex<VecDeque<&'static str>>>,
    asked: Arc<Mutex<Vec<String>>>,
    /// By the number of the step: the client hears of several at once.
    stages: Arc<Mutex<BTreeMap<u32, String>>>,
    changed: Arc<Notify>,
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(self.capabilities.clone(), Implementation::new("tests", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            return Err(ErrorData::invalid_params("a form is wanted", None));
        };
        self.asked.lock().unwrap().push(message);
        let answer = self.answers.lock().unwrap().pop_front();
        Ok(match answer {
            Some(NEVER) => {
                context.ct.cancelled().await;
                self.asked.lock().unwrap().push("withdrawn".to_owned());
                ElicitResult::new(ElicitationAction::Cancel)
            }
            None => ElicitResult::new(ElicitationAction::Decline),
            Some(answer) => accepted(answer),
        })
    }

    async fn on_progress(&self, told: ProgressNotificationParam, _context: NotificationContext<RoleClient>) {
        self.stages.lock().unwrap().insert(told.progress as u32, told.message.unwrap());
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }
}

fn accepted(answer: &str) -> ElicitResult {
    ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "answer": answer }))
}

fn asks_forms() -> Person {
    let capabilities = ClientCapabilities::builder().enable_elicitation().build();
    Person { capabilities, ..Person::default() }
}

fn placed() -> Galley {
    let galley = Galley::new();
    galley.file("data/pipelines/painter.toml", PAINTER);
    galley
}

/// The program with its pipes.
fn started(galley: &Galley, more: &[&str]) -> Child {
    let mut command = Command::from(galley.command(&program()));
    command.arg("mcp").args(more).stdin(Stdio::piped()).kill_on_drop(true).spawn().unwrap()
}

/// A client of the program. The program ends with it.
struct Connected {
    client: RunningService<RoleClient, Person>,
    program: Child,
}

impl Connected {
    async fn to(galley: &Galley, person: Person) -> Connected {
        Connected::allowing(galley, person, &[]).await
    }

    /// With more words behind the command.
    async fn allowing(galley: &Galley, person: Person, more: &[&str]) -> Connected {
        let mut program = started(galley, more);
        let pipes = (program.stdout.take().unwrap(), program.stdin.take().unwrap());
        Connected { client: person.serve(pipes).await.unwrap(), program }
    }

    /// By the lifecycle of 2026-07-28.
    async fn without_session(galley: &Galley, person: Person) -> Connected {
        let mut program = started(galley, &[]);
        let pipes = (program.stdout.take().unwrap(), program.stdin.take().unwrap());
        let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
        let lifecycle = ClientLifecycleMode::Discover { preferred_versions };
        Connected { client: person.serve_with_lifecycle(pipes, lifecycle).await.unwrap(), program }
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        self.client.call_tool(call(tool, &arguments)).await.unwrap()
    }

    /// Closes the pipes; the program ends by itself, in time and without a panic.
    async fn ends(mut self) {
        self.client.cancel().await.unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(10), self.program.wait()).await;
        assert_eq!(ended.unwrap().unwrap().code(), Some(0));
        let mut told = String::new();
        self.program.stderr.take().unwrap().read_to_string(&mut told).await.unwrap();
        assert_eq!(told, "");
    }
}

fn call(tool: &'static str, arguments: &Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone())
}

fn news(profile: &str) -> Value {
    json!({ "user_topic": "rag", "source": "library", "as_of": "2026-07-01", "profile": profile })
}

fn text(result: &CallToolResult) -> String {
    let blocks = result.content.iter().filter_map(|block| block.as_text());
    blocks.map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n")
}

fn summary(result: &CallToolResult) -> &Value {
    result.structured_content.as_ref().unwrap()
}
