//! `galley pipelines`: lists each pipeline with its inputs, sources, limits and stages.

use std::fmt::Write;

use desk::api::{CheckPipeline, DefinitionFault, Nothing, PipelineCard, PipelineCards, PipelineCheck};
use desk::{AgentKind, ApiError, Desk, LimitName, Outline};

use crate::arguments::{PipelineCommand, Pipelines};
use crate::desk_client::ask;
use crate::option_values::text_of;
use crate::output;
use crate::table::{one_line, table};

/// The exit code for a file with faults.
const FAULTY: u8 = 2;

/// `galley pipelines`.
pub(crate) async fn pipelines(desk: &Desk, given: Pipelines) -> Result<u8, ApiError> {
    match given.command {
        None => list(desk, given.listing.json).await,
        Some(PipelineCommand::Check { file }) => check(desk, &file, given.listing.json).await,
    }
}

/// `galley pipelines check`.
async fn check(desk: &Desk, file: &str, is_json: bool) -> Result<u8, ApiError> {
    let request = CheckPipeline { text: text_of(file, "")?, id: None };
    let found: PipelineCheck = ask(desk, "check_pipeline", request).await?;
    if found.card.is_none() {
        output::tell(&format!("The file `{}` cannot run:", one_line(file)));
        tell_faults(&found.faults);
    }
    if is_json {
        output::write_json(&found)?;
    } else if let Some(card) = &found.card {
        output::write(&format!("{}  {} can run\n", card.id, one_line(&card.title)))?;
    }
    Ok(if found.card.is_some() { 0 } else { FAULTY })
}

async fn list(desk: &Desk, is_json: bool) -> Result<u8, ApiError> {
    let cards: PipelineCards = ask(desk, "list_pipelines", Nothing {}).await?;
    for (index, card) in cards.pipelines.iter().enumerate() {
        if is_json {
            output::write_json(card)?;
        } else {
            output::write(if index > 0 { "\n" } else { "" })?;
            output::write(&described(card))?;
        }
    }
    for file in &cards.faulty {
        output::tell(&format!("The pipeline `{}` cannot run:", one_line(&file.id)));
        tell_faults(&file.faults);
    }
    Ok(0)
}

fn tell_faults(faults: &[DefinitionFault]) {
    for fault in faults {
        output::tell(&format!("  {}", one_line(&fault.to_string())));
    }
}

fn described(card: &PipelineCard) -> String {
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = writeln!(text, "{}  {}\n  {}", card.id, card.title, card.purpose);
    let _ = writeln!(text, "\n  Inputs");
    for input in &card.inputs {
        let need = if input.is_required { "required" } else { "optional" };
        let _ = writeln!(text, "    {}  {}, {need}: {}", input.key, input.kind, one_line(&input.help));
        let _ = writeln!(text, "      --input {}=\"{}\"", input.key, input.example);
    }
    for slot in &card.slots {
        let choices: Vec<&str> = slot.choices.iter().map(|choice| choice.id.as_str()).collect();
        let _ = writeln!(text, "\n  Tools for `{}`\n    {}", one_line(&slot.name), choices.join(", "));
    }
    let _ = writeln!(text, "\n  Limits");
    for name in LimitName::ALL {
        if let Some(most) = card.limits.get(name) {
            let _ = writeln!(text, "    {}={most}", name.word());
        }
    }
    for preset in &card.presets {
        let _ = writeln!(text, "    preset {}: {}", preset.name, one_line(&preset.description));
        // The limits that the preset changes, as they are typed.
        let changed =
            LimitName::ALL.into_iter().filter(|name| preset.limits.get(*name) != card.limits.get(*name));
        for (name, most) in changed.filter_map(|name| Some((name, preset.limits.get(name)?))) {
            let _ = writeln!(text, "      --limit {}={most}", name.word());
        }
    }
    let _ = writeln!(text, "\n  Stages");
    let mut rows = Vec::new();
    stages(&card.outline, 0, &mut rows);
    for line in table(&["AGENT", "KIND", "READS", "MAY READ", "WRITES"], &rows).lines() {
        let _ = writeln!(text, "    {line}");
    }
    text
}

fn stages(outline: &Outline, depth: usize, rows: &mut Vec<Vec<String>>) {
    let kind = match &outline.agent {
        AgentKind::Llm => "model".to_owned(),
        AgentKind::Sequential => "sequence".to_owned(),
        AgentKind::Parallel => "parallel".to_owned(),
        AgentKind::ForEach { .. } => "for each item".to_owned(),
        AgentKind::Loop { max_rounds } => format!("loop, {max_rounds} rounds"),
        AgentKind::Custom => "custom".to_owned(),
    };
    let keys = |keys: &[String]| if keys.is_empty() { "–".to_owned() } else { keys.join(", ") };
    let contract = &outline.contract;
    let name = format!("{}{}", "  ".repeat(depth), outline.name);
    rows.push(vec![name, kind, keys(&contract.reads), keys(&contract.may_read), keys(&contract.writes)]);
    for child in &outline.children {
        stages(child, depth + 1, rows);
    }
}
