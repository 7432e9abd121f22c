//! `galley ask`: routes a request in free text to a pipeline, shows its form, and runs it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use desk::api::{
    Json, Nothing, PipelineCard, PipelineCards, Preflight, RouteRequest, RoutedRequest, RoutingCandidate,
    StartRun,
};
use desk::{ApiError, Phrase};
use serde_json::json;

use crate::arguments::Ask;
use crate::desk_client::ask as ask_desk;
use crate::results::write_waiting;
use crate::run_session::RunSession;
use crate::table::{cell, one_line};
use crate::{option_values, output};

/// The exit code when the person has to decide first.
const WAITING: u8 = 5;
/// Columns of a value in the displayed form.
const COLUMNS: usize = 100;

/// `galley ask`.
pub(crate) async fn ask(data_dir: Option<PathBuf>, asked: Ask) -> Result<u8, ApiError> {
    let given = option_values::inputs(&asked.input)?;
    let mut session = RunSession::begin(data_dir, asked.interaction).await?;
    let request = RouteRequest { text: asked.text, profile: asked.profile.clone() };
    let routed: RoutedRequest = ask_desk(&session.desk, "route_request", request).await?;
    let cards: PipelineCards = ask_desk(&session.desk, "list_pipelines", Nothing {}).await?;
    let is_json = asked.interaction.json;
    if is_json {
        write_route(&routed)?;
    }
    if let Some(remark) = &routed.remark {
        output::tell(&format!("Note: {}", one_line(&remark.english())));
    }
    let can_ask = output::can_ask() && !asked.interaction.yes;
    let chosen = match &routed.pipeline {
        Some(_) => routed.candidates.first(),
        None if can_ask => choose(&mut session, &routed, &cards.pipelines).await,
        None => {
            if !is_json {
                output::write_text(&unclear(&routed, &cards.pipelines))?;
            }
            output::tell(
                "It is not clear which pipeline is meant: say more, or name it with `galley run PIPELINE`",
            );
            None
        }
    };
    let Some(candidate) = chosen else { return waiting(is_json) };
    let card = cards.pipelines.iter().find(|card| card.id == candidate.pipeline);
    let mut inputs = candidate.inputs.clone();
    inputs.extend(given);
    output::tell(&shown(&routed, candidate, card, &inputs));
    let start = StartRun {
        pipeline: candidate.pipeline.clone(),
        inputs,
        profile: asked.profile,
        tools: option_values::tools(&[], asked.source.as_deref(), card.map_or(&[], |card| &card.slots))?,
        as_of: asked.as_of,
        ..StartRun::default()
    };
    if !asked.interaction.yes {
        let preflight: Preflight = ask_desk(&session.desk, "preflight", start.clone()).await?;
        let remarks = preflight.remarks.iter().map(Phrase::english);
        remarks.for_each(|remark| output::tell(&format!("Note: {remark}")));
        if can_ask {
            output::tell("Start it? [Y/n]");
            let line = session.typed_line().await.map(|line| line.trim().to_lowercase());
            if !line.is_some_and(|line| matches!(line.as_str(), "" | "y" | "yes")) {
                return waiting(is_json);
            }
        } else if !preflight.models.is_empty() {
            output::tell(&format!(
                "Nothing was started, because it may cost money ({}): look at the inputs, then add --yes",
                preflight.models.join(", ")
            ));
            return waiting(is_json);
        }
    }
    let handle = session.begun(start).await?;
    session.show(&handle, &candidate.pipeline, 1, 1).await
}

fn waiting(is_json: bool) -> Result<u8, ApiError> {
    if is_json {
        write_waiting()?;
    }
    Ok(WAITING)
}

fn write_route(routed: &RoutedRequest) -> Result<(), ApiError> {
    let candidate = |candidate: &RoutingCandidate| json!({ "pipeline": candidate.pipeline, "confidence": candidate.confidence, "inputs": candidate.inputs });
    output::write_json(&json!({
        "type": "route",
        "pipeline": routed.pipeline,
        "confidence": routed.confidence,
        "reason": routed.reason.english(),
        "inputs": routed.inputs(),
        "candidates": routed.candidates.iter().map(candidate).collect::<Vec<_>>(),
        "run": routed.run,
    }))
}

/// The most likely pipelines, numbered.
fn unclear(routed: &RoutedRequest, cards: &[PipelineCard]) -> String {
    let mut lines = vec![one_line(&routed.reason.english())];
    for (place, candidate) in routed.candidates.iter().enumerate() {
        let card = cards.iter().find(|card| card.id == candidate.pipeline);
        let purpose = card.map(|card| one_line(&card.purpose)).unwrap_or_default();
        lines.push(format!(
            "  {}  {}  {}  {purpose}",
            place + 1,
            candidate.pipeline,
            percent(candidate.confidence)
        ));
    }
    lines.join("\n")
}

/// Asks which of the most likely pipelines is meant; `None` if the person leaves.
async fn choose<'a>(
    session: &mut RunSession,
    routed: &'a RoutedRequest,
    cards: &[PipelineCard],
) -> Option<&'a RoutingCandidate> {
    output::tell(&unclear(routed, cards));
    loop {
        output::tell("Which one is meant? Type its number or its id; an empty line leaves");
        let line = session.typed_line().await?;
        let typed = line.trim();
        if typed.is_empty() {
            return None;
        }
        let by_number =
            typed.parse::<usize>().ok().and_then(|number| routed.candidates.get(number.checked_sub(1)?));
        let found =
            by_number.or_else(|| routed.candidates.iter().find(|candidate| candidate.pipeline == typed));
        if found.is_some() {
            return found;
        }
    }
}

/// The chosen pipeline, the reason, and the form as far as it is filled in.
fn shown(
    routed: &RoutedRequest,
    candidate: &RoutingCandidate,
    card: Option<&PipelineCard>,
    inputs: &BTreeMap<String, Json>,
) -> String {
    let title = card.map(|card| one_line(&card.title)).unwrap_or_default();
    let mut lines = vec![format!("{title} ({}), {}", candidate.pipeline, percent(candidate.confidence))];
    lines.push(one_line(&routed.reason.english()));
    let fields = card.map(|card| card.inputs.as_slice()).unwrap_or_default();
    for field in fields {
        let value = match inputs.get(&field.key) {
            Some(Json(serde_json::Value::String(text))) => cell(text, COLUMNS),
            Some(Json(value)) => cell(&value.to_string(), COLUMNS),
            None if field.is_required => "(needed)".to_owned(),
            None => continue,
        };
        lines.push(format!("  {}: {value}", field.key));
    }
    lines.join("\n")
}

fn percent(confidence: f64) -> String {
    format!("{:.0} %", confidence * 100.0)
}
