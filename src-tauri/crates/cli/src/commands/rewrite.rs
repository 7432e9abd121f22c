//! `galley rewrite`: rewrites the text of a run in one step; and `galley instructions`, which lists the instructions.

use std::path::PathBuf;

use desk::api::{Instructions, Nothing, RewriteRun, RewriteStep};
use desk::{ApiError, Desk};
use serde_json::json;

use crate::arguments::Rewrite;
use crate::desk_client::ask;
use crate::run_session::RunSession;
use crate::table::{one_line, table};
use crate::{option_values, output};

/// `galley rewrite`.
pub(crate) async fn rewrite(data_dir: Option<PathBuf>, asked: Rewrite) -> Result<u8, ApiError> {
    let step = RewriteStep {
        instruction: asked.instruction,
        text: asked.text.as_deref().map(option_values::value).transpose()?,
        language: asked.language,
        profile: asked.profile,
    };
    let mut session = RunSession::begin(data_dir, asked.interaction).await?;
    let handle = session.desk.runs().rewrite(RewriteRun { run: asked.run, step: Some(step) }).await?;
    let pipeline = session.before(&handle.run().0).await?.card.pipeline;
    session.show(&handle, &pipeline, 1, 1).await
}

/// `galley instructions`.
pub(crate) async fn instructions(desk: &Desk, is_json: bool) -> Result<u8, ApiError> {
    let all: Instructions = ask(desk, "list_instructions", Nothing {}).await?;
    if is_json {
        for own in &all.own {
            output::write_json(&json!({ "name": own.name, "is_saved": false, "text": null }))?;
        }
        for saved in &all.saved {
            output::write_json(&json!({ "name": saved.name, "is_saved": true, "text": saved.text }))?;
        }
        return Ok(0);
    }
    let of_program = all.own.iter().map(|own| {
        let needs = if own.takes_language { ", with --language" } else { "" };
        vec![own.name.clone(), format!("{}{needs}", own.title)]
    });
    let saved = all.saved.iter().map(|saved| vec![one_line(&saved.name), one_line(&saved.text)]);
    output::write(&table(&["NAME", "INSTRUCTION"], &of_program.chain(saved).collect::<Vec<_>>()))?;
    Ok(0)
}
