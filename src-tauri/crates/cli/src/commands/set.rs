//! `galley set`: data sets, the cases on which pipelines are tried.

use std::path::Path;

use desk::api::{
    AddRunToSet, Case, DataSet, DataSetCard, DataSetCards, Json, Named, Nothing, SaveSet, SetFileForm,
    SetText,
};
use desk::{ApiError, Desk, write_file};
use serde_json::json;

use crate::arguments::Set;
use crate::desk_client::ask;
use crate::option_values::{refused, text_of};
use crate::output;
use crate::table::{cell, minute, one_line, table};

/// `galley set`.
pub(crate) async fn set(desk: &Desk, asked: Set) -> Result<u8, ApiError> {
    match asked {
        Set::List(listing) => list(desk, listing.json).await,
        Set::Add { name, file, pipeline, expect, replace } => {
            let form = match file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv")) {
                true => SetFileForm::Csv,
                false => SetFileForm::JsonLines,
            };
            let text = text_of(&file.to_string_lossy(), "")?;
            let expect = expect.iter().map(|given| expectation(given)).collect::<Result<_, _>>()?;
            let request = SaveSet { name, form, text, pipeline, expect, replaces: replace };
            tell(&ask(desk, "save_set", request).await?)
        }
        Set::AddRun { name, run, case, reference } => {
            let request = AddRunToSet { set: name, run, case, with_reference: reference };
            tell(&ask(desk, "add_run_to_set", request).await?)
        }
        Set::Show { name, listing } => show(desk, name, listing.json).await,
        Set::Remove { name } => {
            let _: Nothing = ask(desk, "remove_set", Named { name }).await?;
            Ok(0)
        }
        Set::Export { name, out, yes } => export(desk, name, out.as_deref(), yes).await,
    }
}

fn expectation(given: &str) -> Result<Json, ApiError> {
    let json = serde_json::from_str(given).map_err(|error| {
        refused(format!(
            "`--expect {given}` is not JSON: {error}; write it as --expect '{{\"contains\": \"…\"}}'"
        ))
    })?;
    Ok(Json(json))
}

fn tell(card: &DataSetCard) -> Result<u8, ApiError> {
    let DataSetCard { name, pipeline, cases, .. } = card;
    output::write(&format!("{}: {cases} cases for {}\n", one_line(name), one_line(pipeline)))?;
    Ok(0)
}

async fn list(desk: &Desk, is_json: bool) -> Result<u8, ApiError> {
    let cards: DataSetCards = ask(desk, "list_sets", Nothing {}).await?;
    if is_json {
        cards.sets.iter().try_for_each(output::write_json)?;
        return Ok(0);
    }
    if cards.sets.is_empty() {
        output::tell("There is no data set yet; `galley set add NAME FILE` makes one");
        return Ok(0);
    }
    let row = |card: &DataSetCard| {
        vec![
            one_line(&card.name),
            one_line(&card.pipeline),
            card.cases.to_string(),
            minute(card.changed_at_ms),
        ]
    };
    let rows: Vec<Vec<String>> = cards.sets.iter().map(row).collect();
    output::write(&table(&["SET", "PIPELINE", "CASES", "CHANGED"], &rows))?;
    Ok(0)
}

async fn show(desk: &Desk, name: String, is_json: bool) -> Result<u8, ApiError> {
    let set: DataSet = ask(desk, "read_set", Named { name }).await?;
    if is_json {
        output::write_json(&set)?;
        return Ok(0);
    }
    output::write(&format!("{} for {}\n", one_line(&set.name), one_line(&set.pipeline)))?;
    for expected in &set.expect {
        output::write(&format!("  each case {}\n", one_line(&expected.title())))?;
    }
    let row = |(index, case): (usize, &Case)| {
        let expected: Vec<String> = case.expect.iter().map(|expected| expected.title()).collect();
        let inputs = json!(case.inputs).to_string();
        vec![(index + 1).to_string(), cell(&case.name, 30), cell(&inputs, 60), cell(&expected.join("; "), 60)]
    };
    let rows: Vec<Vec<String>> = set.cases.iter().enumerate().map(row).collect();
    output::write(&table(&["CASE", "NAME", "INPUTS", "EXPECTED"], &rows))?;
    Ok(0)
}

async fn export(desk: &Desk, name: String, out: Option<&Path>, may_replace: bool) -> Result<u8, ApiError> {
    let SetText { text } = ask(desk, "export_set", Named { name }).await?;
    match out {
        None => output::write_text(&text)?,
        Some(file) => write_file(file, text.as_bytes(), may_replace)?,
    }
    Ok(0)
}
