//! `galley answer`: answers a question of a run, and shows the run to its end.

use std::path::PathBuf;

use desk::api::{AnswerRun, ListQuestions, OpenQuestions, RunRef};
use desk::{
    ApiError, ErrorCode, GateAnswer, PermissionAnswer, Phrase, QuestionKind, RunIdentity, Seq, ServerAnswer,
};
use serde_json::{Value, json};

use crate::arguments::Answer;
use crate::desk_client::ask;
use crate::run_session::RunSession;
use crate::{option_values, output};

/// `galley answer`.
pub(crate) async fn answer(data_dir: Option<PathBuf>, asked: Answer) -> Result<u8, ApiError> {
    let mut session = RunSession::begin(data_dir, asked.interaction).await?;
    let before = session.before(&asked.run).await?;
    let value = value(&asked, kind(&session, &before.card.run, asked.question).await?.as_ref())?;
    let is_elsewhere = session.desk.runs().is_held_elsewhere(&RunIdentity(before.card.run.clone())).await?;
    let request = AnswerRun { run: before.card.run.clone(), question: asked.question, value: value.into() };
    if is_elsewhere {
        ask::<RunRef>(&session.desk, "answer_run", request).await?;
        let run = &before.card.run;
        output::tell(&format!(
            "Answered. The run goes on where it is held; `galley show {run}` tells how it stands."
        ));
        return Ok(0);
    }
    let handle = session.desk.runs().answer(request).await?;
    let from = before.card.last_seq + 1;
    session.show(&handle, &before.card.pipeline, from, from).await
}

/// The kind of the question; `None` if it is not clear which question is meant.
async fn kind(
    session: &RunSession,
    run: &str,
    question: Option<Seq>,
) -> Result<Option<QuestionKind>, ApiError> {
    let request = ListQuestions { run: Some(run.to_owned()) };
    let mut open = ask::<OpenQuestions>(&session.desk, "list_questions", request).await?.questions;
    open.retain(|open| question.is_none_or(|id| open.id == id));
    Ok(open.pop().filter(|_| open.is_empty()).map(|open| open.question.kind))
}

/// The value of the answer: the text, or for a permission or a gate an object with its details.
fn value(asked: &Answer, kind: Option<&QuestionKind>) -> Result<Value, ApiError> {
    let bad = |message: String| Err(ApiError::new(ErrorCode::BadInput, Phrase::verbatim(message)));
    let takes_more = matches!(
        kind,
        Some(QuestionKind::Permission { .. } | QuestionKind::Gate { .. } | QuestionKind::ToolServer { .. })
    );
    match (asked.value.as_str(), &asked.reason, &asked.arguments) {
        (value, None, None) if !takes_more => Ok(json!(value)),
        ("refuse", Some(reason), None) => Ok(json!(PermissionAnswer::RefuseBecause(reason.clone()))),
        ("changes", Some(words), None) => Ok(json!(GateAnswer::AskForChanges(words.clone()))),
        ("changes", ..) => {
            bad("`changes` needs --reason with the changes, and takes no --arguments".to_owned())
        }
        (word @ ("change" | "accept"), None, Some(arguments)) => {
            let text = option_values::value(arguments)?;
            match serde_json::from_str::<Value>(&text) {
                Ok(fields) if word == "accept" => Ok(json!(ServerAnswer::Accept(fields.into()))),
                Ok(input) => Ok(json!(PermissionAnswer::Change(input.into()))),
                Err(error) => bad(format!("The value of --arguments is not JSON: {error}")),
            }
        }
        ("change", ..) => {
            bad("`change` needs --arguments with the new arguments as JSON, and takes no --reason".to_owned())
        }
        ("accept", ..) => {
            bad("`accept` needs --arguments with the fields as JSON, and takes no --reason".to_owned())
        }
        (value, None, None) => Ok(json!(value)),
        _ => {
            bad("--reason goes with `refuse` and `changes`, --arguments with `change` and `accept`"
                .to_owned())
        }
    }
}
