//! Converts the arguments of a call into the request for a run. The desk checks the values; this checks their names and
//! types.

use std::collections::BTreeMap;

use desk::ApiError;
use desk::api::{Json, PipelineCard, StartRun};
use rmcp::model::JsonObject;
use serde_json::Value;

use super::pipeline_tools::{AS_OF, PROFILE, SOURCE, settings};
use crate::option_values::{self, refused};

/// The request for the run of a call.
///
/// # Errors
/// `bad_input` for an argument that is unknown, missing or of the wrong type.
pub(crate) fn start_run(
    card: &PipelineCard,
    arguments: &JsonObject,
    allow: &[String],
) -> Result<StartRun, ApiError> {
    let settings = settings(card);
    let is_known = |name: &str| settings.contains(&name) || card.inputs.iter().any(|input| input.key == name);
    if let Some(name) = arguments.keys().find(|name| !is_known(name)) {
        let inputs = card.inputs.iter().map(|input| input.key.as_str());
        let known = inputs.chain(settings.iter().copied()).collect::<Vec<_>>().join(", ");
        let shown: String = name.chars().take(60).collect();
        return Err(refused(format!("`{}` has no argument `{shown}`; it has {known}", card.id)));
    }
    let is_given = |name: &str| {
        arguments.get(name).is_some_and(|value| {
            !value.is_null() && value.as_str().is_none_or(|text| !text.trim().is_empty())
        })
    };
    if let Some(input) = card.inputs.iter().find(|input| input.is_required && !is_given(&input.key)) {
        let example = match input.example.is_empty() {
            true => String::new(),
            false => format!(", for example “{}”", input.example),
        };
        return Err(refused(format!(
            "`{}` needs the argument `{}`, which is missing or empty; give it{example}",
            card.id, input.key
        )));
    }
    let text = |name: &'static str| match arguments.get(name).filter(|_| settings.contains(&name)) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => {
            Err(refused(format!("The argument `{name}` must be a text; give it in quotes or leave it out")))
        }
    };
    let inputs: BTreeMap<String, Json> = arguments
        .iter()
        .filter(|(name, value)| !settings.contains(&name.as_str()) && !value.is_null())
        .map(|(name, value)| (name.clone(), Json(value.clone())))
        .collect();
    Ok(StartRun {
        pipeline: card.id.clone(),
        inputs,
        as_of: text(AS_OF)?,
        profile: text(PROFILE)?,
        tools: option_values::tools(&[], text(SOURCE)?.as_deref(), &card.slots)?,
        allow: allow.to_vec(),
        ..StartRun::default()
    })
}
