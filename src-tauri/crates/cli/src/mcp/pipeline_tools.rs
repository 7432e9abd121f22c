//! The pipelines as tools: names, descriptions and schemas, in the order of the pipeline list.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use desk::api::{InputField, Nothing, PipelineCard, PipelineCards};
use desk::{ApiError, Desk, ErrorCode, Phrase, printable};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::desk_client::ask;

/// The argument with the day that counts as today.
pub(crate) const AS_OF: &str = "as_of";
/// The argument with the profile of every agent.
pub(crate) const PROFILE: &str = "profile";
/// The argument with the source of searches.
pub(crate) const SOURCE: &str = "source";

/// How often pipeline files are checked for changes.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// The current tools, and their changes.
pub(crate) struct PipelineTools {
    desk: Desk,
    tools: watch::Sender<Vec<Tool>>,
}

impl PipelineTools {
    pub(crate) fn new(desk: Desk) -> PipelineTools {
        PipelineTools { desk, tools: watch::Sender::default() }
    }

    /// Reads the current tools; watchers are notified if they differ from the last ones.
    ///
    /// # Errors
    /// As for listing the pipelines.
    pub(crate) async fn read(&self) -> Result<Vec<Tool>, ApiError> {
        let cards: PipelineCards = ask(&self.desk, "list_pipelines", Nothing {}).await?;
        let tools: Vec<Tool> = cards.pipelines.iter().map(tool).collect();
        self.tools.send_if_modified(|known| {
            let differs = *known != tools;
            if differs {
                known.clone_from(&tools);
            }
            differs
        });
        Ok(tools)
    }

    /// Receives the tools whenever they change.
    pub(crate) fn changes(&self) -> watch::Receiver<Vec<Tool>> {
        self.tools.subscribe()
    }

    /// Checks for changes as long as there are watchers. Files that cannot be read now are read the next time.
    pub(crate) async fn look_for_changes(&self) {
        loop {
            tokio::time::sleep(LOOK_AGAIN).await;
            if self.tools.receiver_count() > 0 {
                let _next_time = self.read().await;
            }
        }
    }
}

/// The pipeline of a tool.
///
/// # Errors
/// `not_found` if there is none; else as for listing the pipelines.
pub(crate) async fn card(desk: &Desk, tool: &str) -> Result<PipelineCard, ApiError> {
    let cards: PipelineCards = ask(desk, "list_pipelines", Nothing {}).await?;
    let known = cards.pipelines.iter().map(|card| card.id.as_str()).collect::<Vec<_>>().join(", ");
    let shown: String = tool.chars().take(60).collect();
    cards.pipelines.into_iter().find(|card| card.id == tool).ok_or_else(|| {
        ApiError::new(
            ErrorCode::NotFound,
            Phrase::verbatim(format!("There is no tool `{shown}`; there is {known}")),
        )
    })
}

fn tool(card: &PipelineCard) -> Tool {
    let title = printable(&card.title);
    // Whether a tool is destructive depends on permissions that can change while the server runs, so no hint is given.
    let hints = ToolAnnotations::with_title(&*title).read_only(false);
    Tool::new(card.id.clone(), printable(&card.purpose).into_owned(), Arc::new(input_schema(card)))
        .with_title(&*title)
        .with_raw_output_schema(Arc::new(output_schema()))
        .with_annotations(hints.idempotent(false).open_world(true))
}

/// The arguments of a pipeline besides its inputs: those of every run, unless an input has the same name.
pub(crate) fn settings(card: &PipelineCard) -> Vec<&'static str> {
    let is_input = |name: &str| card.inputs.iter().any(|input| input.key == name);
    let has_source = card.slots.iter().any(|slot| !slot.choices.is_empty());
    let all = [AS_OF, PROFILE].into_iter().chain(has_source.then_some(SOURCE));
    all.filter(|name| !is_input(name)).collect()
}

fn input_schema(card: &PipelineCard) -> JsonObject {
    let mut fields: JsonObject =
        card.inputs.iter().map(|input| (input.key.clone(), input_schema_of(input))).collect();
    for name in settings(card) {
        let schema = match name {
            AS_OF => json!({
                "type": "string", "format": "date", "title": "Today",
                "description": "The day that counts as today, YYYY-MM-DD; now when not given",
            }),
            PROFILE => json!({
                "type": "string", "title": "Profile",
                "description": "The profile whose models answer; that of the settings when not given",
            }),
            _ => {
                let mut known = BTreeSet::new();
                let choices = card.slots.iter().flat_map(|slot| &slot.choices);
                let ids: Vec<&str> =
                    choices.map(|choice| choice.id.as_str()).filter(|id| known.insert(*id)).collect();
                json!({
                    "type": "string", "title": "Source", "enum": ids,
                    "description": "Where it searches; as the pipeline or the settings say when not given",
                })
            }
        };
        fields.insert(name.to_owned(), schema);
    }
    let required: Vec<&str> =
        card.inputs.iter().filter(|input| input.is_required).map(|input| input.key.as_str()).collect();
    object(json!({
        "type": "object", "properties": fields, "required": required, "additionalProperties": false,
    }))
}

fn input_schema_of(input: &InputField) -> Value {
    let mut schema = match input.kind.as_str() {
        "number" => json!({ "type": "number" }),
        "yes_no" => json!({ "type": "boolean" }),
        "choice" => json!({ "type": "string", "enum": input.choices }),
        "date" => json!({ "type": "string", "format": "date" }),
        "time" => json!({ "type": "string", "pattern": "^[0-9]{2}:[0-9]{2}$" }),
        _ => json!({ "type": "string" }),
    };
    for (name, bound) in [("minimum", input.least), ("maximum", input.most)] {
        if let Some(bound) = bound {
            schema[name] = json!(bound);
        }
    }
    schema["title"] = json!(printable(&input.title));
    if !input.help.is_empty() {
        schema["description"] = json!(printable(&input.help));
    }
    // Here a list is given as lines.
    let default = input.default.as_ref().map(|default| match &default.0 {
        Value::Array(lines) => json!(lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")),
        one => one.clone(),
    });
    if let Some(default) = default {
        schema["default"] = default;
    }
    let is_text = schema["type"] == "string";
    if is_text && !input.example.is_empty() {
        schema["examples"] = json!([input.example]);
    }
    schema
}

/// The schema of the structured content of every call.
fn output_schema() -> JsonObject {
    object(json!({
        "type": "object",
        "properties": {
            "run": { "type": "string", "description": "The run's id; its resources are galley://runs/ID/…" },
            "outcome": {
                "type": "string", "enum": ["finished", "failed", "limited", "waiting", "cancelled"],
            },
            "output": { "type": "string", "description": "The result's text" },
            "notice": { "type": "string", "description": "What must be known of the text" },
            "usage": {
                "type": "object",
                "properties": {
                    "calls": { "type": "integer" }, "input_tokens": { "type": "integer" },
                    "output_tokens": { "type": "integer" }, "cost": { "type": ["number", "null"] },
                },
            },
            "error": {
                "type": "object",
                "properties": { "code": { "type": "string" }, "message": { "type": "string" } },
            },
        },
        "required": ["outcome"],
    }))
}

fn object(schema: Value) -> JsonObject {
    match schema {
        Value::Object(fields) => fields,
        _ => JsonObject::new(),
    }
}
