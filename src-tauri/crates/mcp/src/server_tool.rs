//! A tool of a server as a tool of the engine.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use engine::{Access, Tool, ToolContext, ToolDescription, ToolExample};
use kernel::{Code, EffectClass, Error, Json, Phrase, ToolFailure, ToolResult, phrase};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use crate::authorization::refusal;
use crate::calls::CallOutcome;
use crate::connection::{CallFailure, LIST_TIMEOUT, START_TIMEOUT};
use crate::listing::{ListedTool, plain};
use crate::server::Server;

/// The longest error text of a server in a message, in characters.
const LONGEST_FAILURE: usize = 2000;
/// The largest result, in bytes of JSON, for models, the window and the log.
const LARGEST_RESULT: usize = 4 << 20;

/// A tool from a server's list.
pub(crate) struct ServerTool {
    pub(crate) server: Arc<Server>,
    pub(crate) listed: ListedTool,
}

#[async_trait]
impl Tool for ServerTool {
    fn describe(&self) -> ToolDescription {
        self.listed.describe(&self.server.name)
    }

    /// The server's own annotations are not trusted: each call may have effects, and must not be repeated.
    fn access(&self, _: &Value) -> Access {
        Access { is_of_web: true, ..Access::acts(EffectClass::Once, None) }
    }

    fn title(&self, _: &Value) -> Phrase {
        phrase!("called {tool}", tool = self.listed.full_name(&self.server.name))
    }

    fn intent(&self, _: &Value) -> Phrase {
        let (server, tool) = (&self.server.name, &self.listed.name);
        match self.listed.destroys {
            true => phrase!(
                "Calls `{tool}` of the tool server `{server}`, which says that this may destroy or overwrite something",
                tool,
                server
            ),
            false => phrase!("Calls `{tool}` of the tool server `{server}`", tool, server),
        }
    }

    /// Excludes the start of the server, which has its own time limit.
    fn timeout(&self) -> Duration {
        START_TIMEOUT + LIST_TIMEOUT + self.server.config.timeout() + Duration::from_secs(5)
    }

    fn examples(&self) -> Vec<ToolExample> {
        Vec::new()
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolResult, Error> {
        let name = self.listed.full_name(&self.server.name);
        let arguments: Map<String, Value> = input.as_object().cloned().unwrap_or_default();
        let connection = self.server.connection().await?;
        // Permission was given for the tool as it was listed then. A call that has begun is continued as it is.
        if context.given.is_none() && !self.server.lists(&self.listed) {
            return Err(failed(phrase!(
                "`{tool}` was not called: its server has described it differently since the call was decided. Ask for it again",
                tool = name
            )));
        }
        let within = self.server.config.timeout();
        let response = tokio::select! {
            response = timeout(within, connection.call(&self.listed.name, arguments, context)) => response,
            () = context.cancel.cancelled() => {
                return Err(Error::new(Code::Cancelled, phrase!("`{tool}` was stopped", tool = name)));
            }
        };
        let Ok(response) = response else { return Err(engine::unknown_outcome(&name)) };
        match response {
            Ok(CallOutcome::Complete(result)) => self.read(&name, result),
            Ok(CallOutcome::Asks(input)) => Err(of_kind(
                ToolFailure::NeedsInput { input: Box::new(input) },
                phrase!("`{tool}` asks something before it continues", tool = name),
            )),
            Err(CallFailure { reason, was_heard, failed: error }) => {
                if let Some(refusal) = error.and_then(|error| refusal(&self.server.name, &error)) {
                    return Err(refusal);
                }
                let message = phrase!("`{tool}` failed: {why}", tool = name, why = reason);
                Err(if was_heard { failed(message) } else { unknown(message) })
            }
        }
    }
}

impl ServerTool {
    fn read(&self, name: &str, result: CallToolResult) -> Result<ToolResult, Error> {
        let (mut texts, mut left_out) = (Vec::new(), Vec::new());
        for block in result.content {
            match block {
                ContentBlock::Text(text) => texts.push(text.text),
                ContentBlock::Resource(embedded) => match embedded.resource {
                    ResourceContents::TextResourceContents { text, .. } => texts.push(text),
                    ResourceContents::BlobResourceContents { mime_type, .. } => {
                        left_out.push(mime_type.unwrap_or_else(|| "binary".to_owned()));
                    }
                    _ => left_out.push("resource".to_owned()),
                },
                ContentBlock::ResourceLink(link) => texts.push(link.uri),
                ContentBlock::Image(image) => left_out.push(image.mime_type),
                ContentBlock::Audio(audio) => left_out.push(audio.mime_type),
                _ => left_out.push("content".to_owned()),
            }
        }
        let text = texts.join("\n\n");
        if result.is_error == Some(true) {
            let said = plain(&text, LONGEST_FAILURE);
            return Err(failed(match said.is_empty() {
                true => phrase!("`{tool}` failed, and the server does not say why", tool = name),
                false => phrase!("`{tool}` failed; the server says: {said}", tool = name, said),
            }));
        }
        if let Some(schema) = &self.listed.output {
            let structured = result.structured_content.as_ref().unwrap_or(&Value::Null);
            let fits =
                jsonschema::validator_for(schema).is_ok_and(|validator| validator.is_valid(structured));
            if !fits {
                return Err(unknown(phrase!(
                    "The response of `{tool}` does not match the schema that its server declares",
                    tool = name
                )));
            }
        }
        let mut output = json!({ "text": text });
        if let (Some(fields), Some(structured)) = (output.as_object_mut(), result.structured_content) {
            fields.insert("structured".to_owned(), structured);
        }
        if let (Some(fields), false) = (output.as_object_mut(), left_out.is_empty()) {
            fields.insert("left_out".to_owned(), json!(left_out));
        }
        let bytes = output.to_string().len();
        if bytes > LARGEST_RESULT {
            return Err(unknown(phrase!(
                "The result of `{tool}` has {bytes} bytes; at most {most} are read. Ask for less",
                tool = name,
                bytes,
                most = LARGEST_RESULT
            )));
        }
        let summary = phrase!("received {bytes} bytes from {tool}", bytes, tool = name);
        Ok(ToolResult { output: Json(output), summary, files: Vec::new() })
    }
}

fn failed(message: Phrase) -> Error {
    of_kind(ToolFailure::Failed, message)
}

/// The call may have been executed, and its outcome is unknown.
fn unknown(message: Phrase) -> Error {
    of_kind(ToolFailure::OutcomeUnknown, message)
}

fn of_kind(kind: ToolFailure, message: Phrase) -> Error {
    Error { tool_failure: Some(Box::new(kind)), ..Error::new(Code::ToolFailed, message) }
}
