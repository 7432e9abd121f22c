//! The result of a tool call: the end of its run, or why there is no run.

use desk::{ApiError, Desk, Outcome, RunEnd, printable};
use rmcp::model::{CallToolResult, ContentBlock};

use super::run_call::RunCall;
use crate::output;
use crate::results::{Ending, refused_summary};
use crate::run_follower::open_question;

/// The end of a run: its text, its remarks, and all of it as structured content.
///
/// # Errors
/// As for reading the start of the run.
pub(crate) async fn of_run(desk: &Desk, call: &RunCall, end: &RunEnd) -> Result<CallToolResult, ApiError> {
    let (text, notice) = desk.runs().result_texts(call.handle.run(), &call.pipeline, &end.state).await?;
    let (text, fold) = (text.unwrap_or_default(), call.handle.fold());
    let question = match end.outcome {
        Outcome::Waiting => open_question(desk, call.run(), fold.last_seq).await?,
        _ => None,
    };
    let ending = Ending {
        run: call.run(),
        end,
        output: &text,
        notice: notice.as_deref(),
        question: question.as_ref(),
        without_model: &fold.agents_without_model(),
    };
    let sentences = ending.sentences().join("\n");
    let is_finished = end.outcome == Outcome::Finished;
    // If the run did not finish, the reason comes first.
    let blocks = if is_finished { [&text, &sentences] } else { [&sentences, &text] };
    let blocks = blocks.into_iter().filter(|block| !block.is_empty());
    let blocks = blocks.map(|block| ContentBlock::text(printable(block).into_owned())).collect();
    let mut result =
        if is_finished { CallToolResult::success(blocks) } else { CallToolResult::error(blocks) };
    result.structured_content = Some(ending.summary());
    Ok(result)
}

/// Why a call started no run, in words for a model.
pub(crate) fn refusal(error: &ApiError) -> CallToolResult {
    let sentence = printable(&output::sentence(error)).into_owned();
    let mut result = CallToolResult::error(vec![ContentBlock::text(sentence)]);
    result.structured_content = Some(refused_summary(error));
    result
}
