//! Replays runs from their records and reports the differences.

use kernel::{Code, Definition, Event, Fact, phrase};
use store::RunCard;

use crate::ApiError;
use crate::api::{Difference, Json, ReplayReport, RunRef};
use crate::runs::RunService;

/// The definition that a replay executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplayOf {
    /// The definition of the run.
    Stored,
    /// The present pipeline and instructions, as a regression test.
    Present,
}

impl RunService {
    pub(crate) async fn replay_run(&self, run: RunRef) -> Result<ReplayReport, ApiError> {
        Ok(self.replay(&run.run, ReplayOf::Stored).await?.0)
    }

    /// Replays a run from its records. Also returns the events that it produced and its end.
    ///
    /// # Errors
    /// `not_found` when the run does not exist, or with [`ReplayOf::Present`] its pipeline does not any more;
    /// `bad_input` when parts of its records were left out before its import.
    pub async fn replay(
        &self,
        run: &str,
        of: ReplayOf,
    ) -> Result<(ReplayReport, Vec<Event>, Option<engine::RunEnd>), ApiError> {
        let id = self.store.resolve_run(run).await?;
        refuse_incomplete(&self.store.run_card(&id).await?)?;
        let recorded = self.store.load_records(&id).await?;
        let stored = &recorded.start.definition;
        let (root, definition) = match of {
            ReplayOf::Stored => (self.tree(stored)?, stored.clone()),
            ReplayOf::Present => {
                refuse_lost(stored)?;
                self.present(stored)?
            }
        };
        let replayed = engine::replay(root, recorded, definition).await;
        let effects =
            replayed.events.iter().filter(|event| matches!(event.fact, Fact::EffectAnswered { .. })).count();
        let report = ReplayReport {
            run: id.0,
            events: count(replayed.events.len()),
            effects: count(effects),
            difference: replayed.divergence.map(|found| Difference {
                phrase: found.phrase(),
                seq: found.seq,
                path: found.path,
                recorded: Json(found.recorded),
                replayed: Json(found.produced),
            }),
        };
        Ok((report, replayed.events, replayed.end))
    }
}

/// Refuses a run whose records lack inputs of its agents, which would act differently now.
pub(crate) fn refuse_incomplete(card: &RunCard) -> Result<(), ApiError> {
    let Some(left_out) =
        card.imported.as_ref().map(|imported| &imported.left_out).filter(|words| !words.is_empty())
    else {
        return Ok(());
    };
    let message = phrase!(
        "The run {id} can be neither replayed nor forked: {left_out} were left out of the file it came from. Ask for the whole run",
        id = card.run,
        left_out
    );
    Err(ApiError::new(Code::BadInput, message))
}

/// Refuses to execute the placeholder of a damaged definition.
pub(crate) fn refuse_lost(definition: &Definition) -> Result<(), ApiError> {
    if !definition.is_lost {
        return Ok(());
    }
    let message = phrase!(
        "What this run was started with was damaged and is lost. The run can be read and exported, but not resumed, \
         replayed, forked or started again"
    );
    Err(ApiError::new(Code::BadInput, message))
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
