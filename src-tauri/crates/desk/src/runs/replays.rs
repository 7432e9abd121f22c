//! Runs executed again from their records, and what they tell.

use kernel::{Code, Definition, Event, Fact, phrase};
use store::RunCard;

use crate::api::{Difference, Json, ReplayReport, RunRef};
use crate::{ApiError, Desk};

/// Which definition a replay executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplayOf {
    /// The one that the run was started with.
    Stored,
    /// The pipeline and the instructions as they are now: the regression test.
    Present,
}

impl Desk {
    pub(crate) async fn replay_run(&self, run: RunRef) -> Result<ReplayReport, ApiError> {
        Ok(self.replay(&run.run, ReplayOf::Stored).await?.0)
    }

    /// Executes a run again from its records; also gives the events that came out and how it ended.
    ///
    /// # Errors
    /// `not_found` when there is no such run, or with [`ReplayOf::Present`] no such pipeline any more; `bad_input` when
    /// something was left out of its records before they were taken in here.
    pub async fn replay(
        &self,
        run: &str,
        of: ReplayOf,
    ) -> Result<(ReplayReport, Vec<Event>, Option<engine::RunEnd>), ApiError> {
        let id = self.run_id(run).await?;
        refuse_incomplete(&self.inner.store.run_card(&id).await?)?;
        let recorded = self.inner.store.load_records(&id).await?;
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

/// Refuses a run whose records do not tell all that its agents were told: they would do something else now.
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

/// Refuses to execute what only stands in for a definition that was damaged.
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
